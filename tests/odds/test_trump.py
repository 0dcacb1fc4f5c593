"""Trump odds: five calls on the same worlds, for four players and for two."""

import pytest

from jokersim.errors import InputError
from jokersim.odds import play_odds, trump_odds
from jokersim.rules import rules
from jokersim.table import Table


def by_trump(odds):
    return {call["trump"]: call for call in odds["calls"]}


@pytest.mark.parametrize("game", ["classic", "nines", "japanese"])
def test_long_trumps_are_called(game):
    odds = trump_odds(game, cards="AD KD QD", samples=400)
    assert odds["best"] == "D"
    assert list(by_trump(odds)) == ["S", "H", "D", "C", "NT"]
    for call in odds["calls"]:
        assert call["score_low"] <= call["score"] <= call["score_high"]
        assert 0 <= call["p_win_low"] <= call["p_win"] <= call["p_win_high"] <= 1


@pytest.mark.parametrize("game", ["nines", "japanese"])
def test_suits_alike_are_worth_alike(game):
    # Hearts and diamonds have nine cards each: swapped suits give the same odds but for chance.
    hearts = trump_odds(game, cards="AH KH 7H", samples=2000, level=1 - 1e-6)
    diamonds = trump_odds(game, cards="AD KD 7D", samples=2000, level=1 - 1e-6, seed=1)
    one, other = by_trump(hearts)["H"], by_trump(diamonds)["D"]
    assert one["score_low"] <= other["score_high"]
    assert other["score_low"] <= one["score_high"]


def test_threads_do_not_change_calls():
    asked = {"game": "japanese", "cards": "AS JK 7D", "samples": 300}
    assert trump_odds(**asked, threads=1) == trump_odds(**asked, threads=3)


def test_a_table_gives_the_same_calls():
    table = Table(rules("japanese"), seed=3, index=1)
    packet = table.record()["deals"][0]["hands"][table.seat][:3]
    at_table = play_odds(table, samples=100)
    calls = trump_odds("japanese", cards=packet, samples=100)
    assert [p["play"] for p in at_table["plays"]] == [c["trump"] for c in calls["calls"]]
    scores = [p["score"] for p in at_table["plays"]]
    if table.seat == 0:
        assert scores == [c["score"] for c in calls["calls"]]


@pytest.mark.parametrize(
    ("asked", "place"),
    [
        ({"cards": "AS KS"}, "cards"),
        ({"cards": "AS KS AS"}, "cards[2]"),
        ({"cards": "AS KS XX"}, "cards[2]"),
        ({"cards": "AS KS QS", "rules": {"schedule": [[5]]}}, "game"),
    ],
)
def test_bad_cards_are_refused_by_their_place(asked, place):
    with pytest.raises(InputError) as caught:
        trump_odds("classic", **asked)
    assert str(caught.value).startswith(f"{place}: ")
