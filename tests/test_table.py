"""One game step by step: the same game as a run's, choices and refusals, what a seat may see."""

from __future__ import annotations

import copy
import pickle
import random
from typing import Any

import numpy as np
import pytest

from jokersim.cards import ALL_CARDS, JOKER_IDS, JOKERS, cards_of, format_card, parse_card
from jokersim.errors import InputError
from jokersim.kernels.state import FOUR_FIELDS, TWO_FIELDS
from jokersim.policies import parse_policies
from jokersim.records import read, replay
from jokersim.rules import rules
from jokersim.simulate import simulate
from jokersim.table import DealError, Table, play_game
from tests import oracle, vectors

FOUR_GAMES = [
    ("classic", {}),
    ("nines-500", {}),
    ("classic-left", {"hook": "none", "must_trump": False, "second_high_vs_cut": "trump"}),
    ("classic-moshla", {"schedule": [[9], [2, 9], [5]], "first_dealer": 2}),
]
TWO_GAMES = [
    ("japanese", {}),
    ("japanese-7", {"declarer_rotation": "random", "failure_rate": 0.2}),
    ("japanese-davi", {"declarer_rotation": "winner", "table_open": "none"}),
    ("japanese-3", {"davi": "party", "davi_cap": 3, "must_trump": False, "failure_rate": 0.1}),
]


def numbers_of(names: str, rule_set: Any) -> list[int]:
    return [p.number for p in parse_policies(names, rule_set.family, rule_set.seats)]


def random_table(game: str, index: int, steps: int | None = None, **options: Any) -> Table:
    """A table in the middle of a game of a run, after that many random choices."""
    table = Table(rules(game, **options), seed=11, index=index)
    rng = random.Random(index)
    taken = 0
    while table.seat is not None and (steps is None or taken < steps):
        table.apply(rng.randrange(len(table.legal())))
        taken += 1
    return table


def ids(texts: list[str]) -> list[int]:
    jokers = iter(JOKER_IDS)
    return [next(jokers) if text == "JK" else parse_card(text) for text in texts]


# --- the same game as a run's --------------------------------------------------------------------


@pytest.mark.parametrize("policies", ["random", "random,basic,basic,random"])
@pytest.mark.parametrize(("game", "options"), FOUR_GAMES)
def test_a_game_alone_is_the_game_of_the_run(game, options, policies):
    rule_set = rules(game, **options)
    run = simulate(
        rule_set, games=4, seed=5, policies=policies, tables=["games", "deals", "plays"], threads=1
    )
    games, deals, plays = run.games(), run.deals(), run.plays()
    for index in range(4):
        record = play_game(rule_set, numbers_of(policies, rule_set), 5, index)
        row = games[games.game == index].iloc[0]
        assert record["first_dealer"] == row.first_dealer
        assert record["totals"] == [row[f"total_{s}"] for s in range(4)]
        assert record["ranks"] == [row[f"rank_{s}"] for s in range(4)]
        for p, premiums in enumerate(record["premiums"]):
            assert premiums == [
                row[f"pulka_{p}_premium_{s}"] - row[f"pulka_{p}_erased_{s}"] for s in range(4)
            ]
        of_game = deals[deals.game == index]
        for i, deal in enumerate(record["deals"]):
            rows = of_game[of_game.deal == i].sort_values("seat")
            assert deal["dealer"] == rows.dealer.iloc[0]
            assert deal["trump"] == rows.trump.iloc[0]
            assert deal["bids"] == rows.bid.tolist()
            assert deal["taken"] == rows.taken.tolist()
            assert deal["scores"] == rows.score.tolist()
            hands = [sorted(map(format_card, cards_of(mask))) for mask in rows.hand.tolist()]
            assert [sorted(hand) for hand in deal["hands"]] == hands
        texts = [play[:2] for deal in record["deals"] for row in deal["plays"] for play in row]
        cards = plays[plays.game == index].card.tolist()
        assert texts == [format_card(card) for card in cards]


@pytest.mark.parametrize(("game", "options"), TWO_GAMES)
def test_a_party_alone_is_the_party_of_the_run(game, options):
    rule_set = rules(game, **options)
    run = simulate(
        rule_set, games=8, seed=5, policies="random", tables=["games", "deals", "plays"], threads=1
    )
    games, deals, plays = run.games(), run.deals(), run.plays()
    for index in range(8):
        record = play_game(rule_set, [0, 0], 5, index)
        row = games[games.game == index].iloc[0]
        assert record["first_declarer"] == row.first_declarer
        assert record["totals"] == [row.points_0, row.points_1]
        assert record.get("void", False) == row.void
        assert (-1 if record["winner"] is None else record["winner"]) == row.winner
        assert record["multiplier"] == row.multiplier
        assert record["payoff"] == [row.payoff_0, row.payoff_1]
        assert len(record["deals"]) == row.deals
        of_game = deals[deals.game == index]
        for i, deal in enumerate(record["deals"]):
            rows = of_game[of_game.deal == i].sort_values("seat")
            assert deal["declarer"] == rows.declarer.iloc[0]
            assert deal["trump"] == rows.trump.iloc[0]
            assert deal["pairs"] == rows.pairs.tolist()
        offers = [
            entry
            for deal in record["deals"]
            for entry in deal.get("davi", [])
            if entry["action"] in ("offer", "counter")
        ]
        assert len(offers) == row.davi_offers
        texts = [play[:2] for deal in record["deals"] for row in deal["plays"] for play in row]
        cards = plays[plays.game == index].card.tolist()
        assert texts == [format_card(card) for card in cards]


# --- records on the way --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "options"), [*FOUR_GAMES[2:], *TWO_GAMES[2:], ("classic", {"schedule": [[1, 2, 3]]})]
)
def test_the_slow_twin_agrees_at_every_step(game, options):
    for index in range(12):
        steps = random.Random(index).randrange(90)
        table = random_table(game, index, steps, **options)
        record = table.record()
        assert not vectors.differences(oracle.replay(record), record)
        assert replay(record) == record
        again = Table.from_record(record)
        assert again.record() == record
        assert again.legal() == table.legal()
        assert (again.seat, again.kind, again.totals) == (table.seat, table.kind, table.totals)


def test_a_table_from_a_record_goes_on_as_it_is_told():
    table = random_table("nines", 3, 25)
    again = Table.from_record(table.record())
    while table.n_deals == again.n_deals and table.kind is not None and again.kind is not None:
        choice = len(table.legal()) - 1
        table.apply(choice)
        again.apply(choice)
    assert again.awaits_cards
    given = table.record()["deals"][again.n_deals]
    again.deal(given["hands"], turned=given.get("turned"))
    assert again.legal() == table.legal()


# --- choices -------------------------------------------------------------------------------------


def bidding_table() -> Table:
    table = Table(rules("classic", schedule=[[2]]), first=3)
    table.deal([["9D", "AS"], ["TD", "JK"], ["JK", "9H"], ["TC", "AH"]], turned="QD")
    return table


def test_a_number_is_an_index_at_a_bid_too():
    table = bidding_table()
    table.apply(0)
    table.apply(1)
    table.apply("0")
    assert table.legal() == [0, 2]
    with pytest.raises(InputError, match="seat 3 may not bid 1; seat 3's legal bids: 0, 2"):
        table.apply("1")
    with pytest.raises(InputError, match=r"2 is no index 0\.\.1 into"):
        table.apply(2)
    table.apply(np.int64(1))
    assert table.record()["deals"][0]["bids"] == [0, 1, 0, 2]


@pytest.mark.parametrize("choice", [-1, 3, True, 1.0, None, "", "x", "-1", "3", "10", "²", "AS"])
def test_what_is_no_bid_is_refused_and_changes_nothing(choice):
    table = bidding_table()
    with pytest.raises(InputError, match="seat 0's legal bids: 0, 1, 2"):
        table.apply(choice)
    assert (table.seat, table.legal()) == (0, [0, 1, 2])


def test_plays_are_read_as_records_write_them():
    table = bidding_table()
    for bid in "0100":
        table.apply(bid)
    table.apply("9♦")
    table.apply("10♦")
    with pytest.raises(
        InputError, match=r"may not play JK\+H in reply; seat 2's legal plays: 9H, JK-, JK\+"
    ):
        table.apply("JK+♥")
    with pytest.raises(InputError, match="seat 2 does not hold AS"):
        table.apply("AS")
    table.apply("JK-")
    assert table.record()["deals"][0]["plays"] == [["9D", "TD", "JK-"]]


def test_what_is_legal_is_the_index_of_the_choice():
    table = random_table("classic", 0, 60)
    for index, text in enumerate(table.legal()):
        by_index, by_text = table.copy(), table.copy()
        by_index.apply(index)
        by_text.apply(str(text))
        assert by_index.record() == by_text.record()


@pytest.mark.parametrize("game", ["classic", "japanese-davi"])
def test_a_record_is_the_callers_own(game):
    table = random_table(game, 3, 50)
    record = table.record()
    empty(record)
    assert not vectors.differences(oracle.replay(table.record()), table.record())
    assert all(table.record()["deals"][0]["hands"])


def empty(value: Any) -> None:
    """Empty every list and object of a record, however deep."""
    if isinstance(value, list | dict):
        for item in list(value.values() if isinstance(value, dict) else value):
            empty(item)
        value.clear()


def test_a_game_that_is_over_takes_no_choice_and_no_cards():
    table = random_table("classic", 1, schedule=[[1]])
    assert table.complete
    assert table.legal() == []
    with pytest.raises(InputError, match="the game is over"):
        table.apply(0)
    with pytest.raises(InputError, match="the game is over"):
        Table.from_record(table.record()).deal([["AS"]] * 4, turned="KC")


def test_a_copy_goes_its_own_way():
    table = random_table("classic", 2, 30)
    before = table.record()
    twins = (
        table.copy(),
        copy.copy(table),
        copy.deepcopy(table),
        pickle.loads(pickle.dumps(table)),
    )
    for twin in twins:
        while twin.seat is not None:
            twin.apply(0)
        assert twin.complete
        assert table.record() == before
    other = table.copy()
    table.decide(0)
    other.decide(0)
    assert table.record() == other.record()


# --- davi ----------------------------------------------------------------------------------------


def davi_table() -> Table:
    table = Table(rules("japanese-davi"), seed=1, index=0)
    table.apply("NT")
    assert (table.kind, table.legal()) == ("davi", ["offer", "lead"])
    return table


def test_a_play_where_an_offer_is_possible_goes_on_without_one():
    table = davi_table()
    twin = table.copy()
    twin.apply("lead")
    card = str(twin.legal()[0])
    twin.apply(card)
    table.apply(card)
    assert table.record() == twin.record()
    assert table.record()["deals"][0]["davi"] == []


def test_a_play_that_is_not_legal_there_changes_nothing():
    table = davi_table()
    before = table.record()
    seat = table.seat or 0
    deal = before["deals"][0]
    held = {*deal["hands"][seat], *deal["up"][seat]}
    card = next(
        text for text in map(format_card, cards_of(ALL_CARDS & ~JOKERS)) if text not in held
    )
    with pytest.raises(InputError, match=f"does not hold {card}"):
        table.apply(card)
    assert table.record() == before
    table.apply("offer")
    with pytest.raises(InputError, match="legal actions: accept, decline, counter"):
        table.apply(card)
    with pytest.raises(InputError, match="may not choose lead"):
        table.apply("lead")


def test_a_declined_offer_ends_the_party():
    table = davi_table()
    loser = 1 - (table.seat or 0)
    table.apply("offer")
    table.apply("decline")
    record = table.record()
    assert record["complete"]
    assert record["winner"] == 1 - loser
    assert record["payoff"][loser] == -1.0
    assert "points" not in record["deals"][0]
    assert table.seat is None


def test_a_party_may_be_aborted_once():
    table: Any = davi_table()
    table.apply("offer")
    table.apply("accept")
    table.abort()
    record = table.record()
    assert (record["void"], record["complete"], record["next"]) == (True, False, None)
    assert (record["payoff"], record["multiplier"]) == ([0.0, 0.0], 2)
    assert replay(record) == record
    with pytest.raises(InputError, match="cannot be aborted"):
        table.abort()


# --- what a seat sees ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "fields"), [("classic", FOUR_FIELDS), ("japanese-davi", TWO_FIELDS)]
)
def test_an_observation_has_the_fields_of_the_view(game, fields):
    table = random_table(game, 4, 40)
    seen = table.observation(1)
    assert list(seen._fields) == [field.name for field in fields]
    for field, value in zip(fields, seen, strict=True):
        assert np.shape(value) == field.shape
    assert seen.seat == 1
    assert seen.turn == table.seat
    with pytest.raises((AttributeError, TypeError)):
        seen.hand = 0
    with pytest.raises(InputError, match="there is no seat 7"):
        table.observation(7)


def test_two_states_that_a_seat_cannot_tell_apart_look_the_same():
    """Cards that others hold are dealt anew among them: nothing that the seat sees may change."""
    record = random_table("nines", 5, 7).record()
    while len(record["deals"][-1]["plays"]) > 0:
        record["deals"][-1]["plays"].pop()
    given = {k: record[k] for k in ("format", "game", "first_dealer", "deals")}
    deal = record["deals"][-1]
    given["deals"] = [{k: deal[k] for k in ("hands", "trump", "bids", "plays")}]
    shuffled = copy.deepcopy(given)
    hands = shuffled["deals"][0]["hands"]
    hands[1], hands[3] = hands[3], hands[1]
    one, other = Table.from_record(given), Table.from_record(shuffled)
    for seat in (0, 2):
        assert repr(one.observation(seat)) == repr(other.observation(seat))
    assert one.observation(1).hand != other.observation(1).hand


def test_only_the_chooser_sees_cards_before_trump_is_named():
    table = Table(rules("nines"), seed=2, index=0)
    assert table.kind == "trump"
    chooser = table.seat or 0
    first_three = table.record()["deals"][0]["hands"][chooser][:3]
    assert sorted(first_three) == sorted(
        format_card(card) for card in cards_of(table.observation(chooser).hand)
    )
    for seat in {0, 1, 2, 3} - {chooser}:
        assert table.observation(seat).hand == 0
    table.apply("NT")
    for seat, hand in enumerate(table.record()["deals"][0]["hands"]):
        assert table.observation(seat).hand.bit_count() == len(hand)


def test_nothing_lies_on_a_table_of_two_before_trump_is_named():
    table = Table(rules("japanese"), seed=2, index=0)
    declarer = table.seat or 0
    before = [table.observation(seat) for seat in (0, 1)]
    assert before[declarer].hand.bit_count() == 3
    assert before[1 - declarer].hand == 0
    for seen in before:
        assert seen.open == seen.covered == (0, 0)
        assert (seen.up == -1).all()
        assert seen.may_hold == (ALL_CARDS, ALL_CARDS)
    table.apply(0)
    deal = table.record()["deals"][0]
    for seat in (0, 1):
        seen = table.observation(seat)
        assert [[format_card(card) for card in row] for row in seen.up.tolist()] == deal["up"]
        hidden = [*deal["down"][0], *deal["down"][1], *deal["hands"][1 - seat]]
        for text in set(hidden) - {"JK"}:
            assert not seen.hand >> parse_card(text) & 1
            assert not (seen.open[0] | seen.open[1]) >> parse_card(text) & 1


# --- how a table is made -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "arguments", "words"),
    [
        ("classic", {}, r"first names a seat 0\.\.3"),
        ("classic", {"first": 4}, r"first is an integer 0\.\.3, not 4"),
        ("classic", {"seed": -1}, r"seed is an integer 0\.\.2\^63-1, not -1"),
        ("classic", {"seed": 2**63}, "seed is an integer"),
        ("classic", {"seed": 1, "index": True}, "index is an integer"),
        ("classic", {"seed": 1, "first": 0}, "first is not given with a seed"),
        ("japanese", {"first": 2}, r"first is an integer 0\.\.1"),
    ],
)
def test_a_table_that_cannot_be_made_is_refused(game, arguments, words):
    with pytest.raises(InputError, match=words):
        Table(rules(game), **arguments)


def test_a_first_dealer_that_the_rules_name_need_not_be_given():
    rule_set = rules("classic", first_dealer=2)
    assert Table(rule_set).first == 2
    with pytest.raises(InputError, match="seat 2 by the rule set, not 1"):
        Table(rule_set, first=1)


@pytest.mark.parametrize(
    ("arguments", "place"),
    [
        ({"hands": [["AS"], ["7H"], ["JK"]], "turned": "KC"}, "hands"),
        ({"hands": [["AS"], ["7H"], ["JK"], ["9D", "8D"]], "turned": "KC"}, "hands[3]"),
        ({"hands": [["AS"], ["7H"], ["JK"], ["AS"]], "turned": "KC"}, "hands[3][0]"),
        ({"hands": [["AS"], ["7H"], ["JK"], ["6S"]], "turned": "KC"}, "hands[3][0]"),
        ({"hands": [["AS"], ["7H"], ["JK"], ["9D"]], "turned": "7H"}, "turned"),
        ({"hands": [["AS"], ["7H"], ["JK"], ["9D"]]}, "turned"),
    ],
)
def test_cards_that_are_no_deal_are_refused_at_their_place(arguments, place):
    table = Table(rules("classic"), first=0)
    with pytest.raises(DealError) as caught:
        table.deal(**arguments)
    assert caught.value.place == place
    assert table.awaits_cards


def test_cards_are_given_when_they_are_due_and_to_tables_without_a_seed():
    hands = [["AS"], ["7H"], ["JK"], ["9D"]]
    with pytest.raises(InputError, match="deals its own cards"):
        Table(rules("classic"), seed=0).deal(hands, turned="KC")
    table = Table(rules("classic"), first=0)
    with pytest.raises(InputError, match="the cards of the next deal are due"):
        table.apply(0)
    with pytest.raises(InputError, match="no deal has begun"):
        table.observation(0)
    with pytest.raises(InputError, match="a table with a seed"):
        table.decide(0)
    with pytest.raises(InputError, match="up is of two-player games"):
        table.deal(hands, turned="KC", up=[["AD"] * 5] * 2)
    table.deal(hands, turned="KC")
    with pytest.raises(InputError, match="no deal is due: seat 1's legal bids: 0, 1"):
        table.deal(hands, turned="KC")


def test_two_jokers_are_told_apart_by_the_order_in_which_they_are_met():
    record = random_table("nines", 6, 4).record()
    table = read(record)
    deal = record["deals"][0]
    flat = [card for hand in deal["hands"] for card in hand]
    dealt = iter(ids(flat))
    for seat, hand in enumerate(deal["hands"]):
        mask = sum(1 << next(dealt) for _ in hand)
        assert table.observation(seat).hand == mask
