"""Perfect play agrees with plain minimax on positions that random play has reached."""

import numpy as np
import pytest

from jokersim.errors import InputError
from jokersim.kernels.jit import JIT_DISABLED
from jokersim.kernels.state import FOUR_VIEW, TWO_VIEW, new_views
from jokersim.odds import open_values
from jokersim.odds.open_cards import covered_of
from jokersim.rules import rules
from jokersim.table import Table
from tests.odds import minimax

RANDOM, BASIC = 0, 1
POSITIONS = 4 if JIT_DISABLED else 250


def reached(rule_set, seed, index, decisions):
    """A table where random play has made some plays, so that a play is due."""
    table = Table(rule_set, seed=seed, index=index)
    for _ in range(decisions):
        table.decide(RANDOM)
    return table


def views_of(table, dtype, n):
    views = new_views(dtype, n)
    for name, value in table.observation(0)._asdict().items():
        views[name][0] = value
    return views


def two_by_minimax(table):
    views = views_of(table, TWO_VIEW, 40)
    hands = np.zeros((40, 2), np.int64)
    hands[0] = [table.observation(seat).hand for seat in range(2)]
    downs = np.full((40, 2, 5), -1)
    for seat, row in enumerate(covered_of(table)):
        for place, card in row.items():
            downs[0, seat, place] = card
    return minimax.value_of_two(views, hands, downs)


def check_two(n, most_tricks, seed):
    for index in range(n):
        rule_set = rules("japanese", must_trump=index % 3 > 0)
        left = 1 + index % most_tricks
        # Half of the positions have a lead on the table.
        table = reached(rule_set, seed, index, 1 + 36 - 2 * left + (index // most_tricks) % 2)
        found = open_values(table)
        assert found["exact"]
        assert found["values"][0]["difference"] == two_by_minimax(table), index


def test_two_agree_with_minimax():
    check_two(POSITIONS, 4 if not JIT_DISABLED else 2, 1)


@pytest.mark.slow
def test_two_agree_with_minimax_on_ten_thousand_positions():
    check_two(10_000, 6, 2)


@pytest.mark.parametrize("changes", [{}, {"must_trump": False, "second_high_vs_cut": "trump"}])
def test_four_agree_with_minimax(changes):
    for index in range(POSITIONS // 4):
        size = 1 + index % (2 if JIT_DISABLED else 3)
        rule_set = rules("classic", schedule=[[size]], **changes)
        table = reached(rule_set, 3, index, 4 + index % 4)
        seats = open_values(table)["seats"]
        for seat in range(4):
            for name, many in (("most", True), ("fewest", False)):
                views = views_of(table, FOUR_VIEW, 40)
                hands = np.zeros((40, 4), np.int64)
                hands[0] = [table.observation(s).hand for s in range(4)]
                assert seats[seat][name] == minimax.value_of_four(views, hands, seat, many)


@pytest.mark.parametrize("table_open", ["leader_first_lead", "both_first_trick", "none"])
def test_a_whole_deal_of_two_is_bounded_within_its_nodes(table_open):
    table = reached(rules("japanese", table_open=table_open), 1, 5, 1)
    few = open_values(table, nodes=1000)["values"][0]
    assert few["low"] <= few["high"]
    assert few["nodes"] <= 1001
    later = reached(rules("japanese", table_open=table_open), 1, 5, 1 + 16)
    value = open_values(later)["values"][0]
    assert value["exact"]
    assert value["low"] == value["high"] == value["difference"]
    assert (value["difference"] % 2) == 0


def test_every_call_of_trump_is_answered():
    found = open_values(Table(rules("japanese"), seed=1), nodes=2000)
    assert [value["trump"] for value in found["values"]] == ["S", "H", "D", "C", "NT"]


def test_open_cards_need_a_play():
    with pytest.raises(InputError, match="a play is due"):
        open_values(Table(rules("classic"), seed=1))
    with pytest.raises(InputError, match="nodes"):
        open_values(reached(rules("classic"), 1, 0, 4), nodes=0)
