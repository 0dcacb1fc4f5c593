"""What games come to, from their rows, against the sums that the kernels keep."""

import pytest

import jokersim as js
from jokersim.simulate import make_player, per_game, plan


def stored(rules, tables, policies="random", games=150):
    """Play some games: the figures of each from its rows, and the kernel's sums."""
    chunk = make_player(plan(rules, policies, 5, tables)).play(40, 40 + games)
    figures = per_game.empty(rules, games, deals="deals" in tables)
    per_game.take_games(rules, figures, 40, chunk.tables["games"])
    if "deals" in tables:
        per_game.take_deals(rules, figures, 40, chunk.tables["deals"])
    return per_game.add_up(rules, figures), chunk.sums.to_json()


def assert_within(part, whole):
    """Check that all of a JSON value stands in another."""
    if isinstance(part, dict):
        for key, value in part.items():
            assert_within(value, whole[key])
    elif part and isinstance(part, list) and isinstance(part[0], dict):
        for mine, theirs in zip(part, whole, strict=True):
            assert_within(mine, theirs)
    else:
        assert part == whole


RULES = {
    "classic": js.rules("classic"),
    "nines": js.rules("nines"),
    "one pulka": js.rules("classic", schedule=[[1, 1, 1, 1]]),
    "japanese": js.rules("japanese"),
    "davi": js.rules("japanese", davi="party", target=5),
}


@pytest.mark.parametrize("name", RULES)
def test_rows_add_up_to_the_kernels_sums(name):
    rules = RULES[name]
    derived, sums = stored(rules, ("games", "deals"))
    assert_within(derived, sums)
    lacking = {"declared"} if rules.family == "two" else set()
    for axis in ("seats", "places"):
        for mine, theirs in zip(derived[axis], sums[axis], strict=True):
            assert theirs.keys() - mine.keys() == set()
    if rules.family == "two":
        assert sums["parties"].keys() - derived["parties"].keys() == lacking


@pytest.mark.parametrize("name", ["nines", "japanese"])
def test_games_alone_tell_a_part_of_it(name):
    derived, sums = stored(RULES[name], ("games",))
    assert_within(derived, sums)
    assert "pairs" not in derived["seats"][0]
    assert "made" not in derived["seats"][0]
