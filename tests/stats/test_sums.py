"""Sums of games: they add up exactly, in any order, through files and back."""

import json
import random

import pytest

import jokersim as js
from jokersim import stats
from jokersim.stats import FourSums, TwoSums, added, summarise

RULES = {
    "four": js.rules("classic-left"),
    "two": js.rules("japanese-davi", failure_rate=0.1),
}
KINDS = {"four": FourSums, "two": TwoSums}


def parts_of(family, games=24, each=5):
    """Sums of a run in chunks, and of the whole run."""
    from jokersim.simulate.run import make_player, plan

    setup = plan(RULES[family], "random", 11)
    player = make_player(setup)
    spans = [(at, min(at + each, games)) for at in range(0, games, each)]
    parts = [player.play(*span).sums.to_json() for span in spans]
    return parts, player.play(0, games).sums.to_json()


@pytest.mark.parametrize("family", RULES)
def test_parts_add_up_to_the_run_in_any_order(family):
    parts, whole = parts_of(family)
    random.Random(1).shuffle(parts)
    assert added(RULES[family], parts).to_json() == whole
    halves = [added(RULES[family], parts[:2]), added(RULES[family], parts[2:])]
    halves[1].add(halves[0])
    assert halves[1].to_json() == whole


@pytest.mark.parametrize("family", RULES)
def test_sums_come_back_from_json_as_they_were(family):
    _, whole = parts_of(family)
    text = json.dumps(whole)
    again = KINDS[family].from_json(json.loads(text))
    assert isinstance(again, KINDS[family])
    assert json.dumps(again.to_json()) == text
    assert again == KINDS[family].from_json(whole)


@pytest.mark.parametrize("family", RULES)
def test_adding_leaves_what_was_added_alone(family):
    parts, _ = parts_of(family)
    first, second = (KINDS[family].from_json(part) for part in parts[:2])
    first.add(second)
    assert second.to_json() == parts[1]
    assert first.games == parts[0]["games"] + parts[1]["games"]


@pytest.mark.parametrize("family", RULES)
def test_no_games_are_the_zero_of_addition(family):
    parts, _ = parts_of(family)
    nothing = added(RULES[family], [])
    assert isinstance(nothing, KINDS[family])
    assert nothing.games == 0
    nothing.add(KINDS[family].from_json(parts[0]))
    assert nothing.to_json() == parts[0]


@pytest.mark.parametrize("family", RULES)
def test_no_games_have_no_summary(family):
    with pytest.raises(ValueError, match=r"no (game|party) to summarise"):
        summarise(KINDS[family](), RULES[family])


@pytest.mark.parametrize("family", RULES)
def test_a_summary_is_of_whole_numbers_alone(family):
    """It follows from the sums: as many games four times over have the same means."""
    _, whole = parts_of(family)
    once, often = KINDS[family].from_json(whole), added(RULES[family], [whole] * 4)
    one, four = summarise(once, RULES[family]), summarise(often, RULES[family])
    for kind in ("seats", "places"):
        for a, b in zip(one[kind], four[kind], strict=True):
            assert a["mean_score"] == b["mean_score"]
            # The half-width halves, but for the n - 1 of the variance.
            n = once.games
            ratio = ((n - 1) / (4 * n - 1)) ** 0.5
            assert b["high"] - b["mean_score"] == pytest.approx(
                ratio * (a["high"] - a["mean_score"])
            )


def test_a_wider_level_is_a_wider_interval():
    _, whole = parts_of("four")
    sums = FourSums.from_json(whole)
    narrow, wide = (stats.four_summary(sums, RULES["four"], level=level) for level in (0.5, 0.99))
    for a, b in zip(narrow["seats"], wide["seats"], strict=True):
        for low, high in (("low", "high"), ("made_low", "made_high"), ("first_low", "first_high")):
            assert b[low] < a[low] < a[high] < b[high]
