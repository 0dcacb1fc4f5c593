"""The four-player rule set: the schedule flattened, the score of a deal."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jokersim.rules import rules


def score_by_the_book(n, bid, taken, khishti, bonus):
    """RULES.md section 2, case by case; `khishti` is a list by hand size."""
    cases = {
        "exact": taken == bid and 0 < bid < n,
        "full": taken == bid == n,
        "pass": taken == bid == 0,
        "other": taken != bid and taken > 0,
        "khishti": bid >= 1 and taken == 0,
    }
    [case] = [name for name, holds in cases.items() if holds]
    full = 100 * n if bonus == "all" or (bonus == "nine_only" and n == 9) else 50 * bid + 50
    points = {"exact": 50 * bid + 50, "full": full, "pass": 50, "other": 10 * taken}
    return points.get(case, khishti[n - 1])


@given(
    st.lists(st.integers(-(10**6), 10**6), min_size=9, max_size=9),
    st.sampled_from(["all", "nine_only", "none"]),
)
def test_score_table_is_the_table_of_the_rules(khishti, bonus):
    table = rules("classic", khishti=khishti, full_bid_bonus=bonus).score_table()
    assert table.dtype == np.int64
    assert table.shape == (10, 10, 10)
    for n, bid, taken in np.ndindex(table.shape):
        possible = n >= 1 and bid <= n and taken <= n
        expected = score_by_the_book(n, bid, taken, khishti, bonus) if possible else 0
        assert table[n, bid, taken] == expected, (n, bid, taken)


@pytest.mark.parametrize(
    ("options", "cell", "points"),
    [
        ({}, (1, 1, 1), 100),
        ({}, (8, 8, 8), 800),
        ({}, (9, 9, 9), 900),
        ({}, (9, 8, 8), 450),
        ({}, (9, 0, 0), 50),
        ({}, (9, 0, 9), 90),
        ({}, (9, 9, 8), 80),
        ({}, (5, 5, 0), -200),
        ({"khishti": 0}, (5, 1, 0), 0),
        ({"khishti": [-1, -2, -3, -4, -5, -6, -7, -8, -9]}, (5, 1, 0), -5),
        ({"full_bid_bonus": "nine_only"}, (9, 9, 9), 900),
        ({"full_bid_bonus": "nine_only"}, (8, 8, 8), 450),
        ({"full_bid_bonus": "none"}, (9, 9, 9), 500),
        ({"full_bid_bonus": "none"}, (1, 1, 1), 100),
    ],
)
def test_score_of_a_deal(options, cell, points):
    made = rules("classic", **options)
    assert made.score(*cell) == points
    assert made.score_table()[cell] == points


def test_score_table_is_contiguous_writable_and_the_callers_own():
    made = rules("classic")
    table = made.score_table()
    assert table.flags["C_CONTIGUOUS"]
    table[:] = 7
    assert made.score_table()[1, 0, 0] == 50


@pytest.mark.parametrize(
    ("name", "khishti"),
    [("classic-200-500", [-200] * 8 + [-500]), ("nines-900", [-900] * 9)],
)
def test_khishti_by_hand_size(name, khishti):
    assert [rules(name).khishti_at(n) for n in range(1, 10)] == khishti


def test_schedule_is_flattened_in_order():
    made = rules("classic", schedule=[[2, 3], [9], [1, 1, 1]])
    assert made.schedule == ((2, 3), (9,), (1, 1, 1))
    assert made.deal_sizes == (2, 3, 9, 1, 1, 1)
    assert made.pulka_of_deal == (0, 0, 1, 2, 2, 2)
    assert (made.n_deals, made.n_pulkas) == (6, 3)


@pytest.mark.parametrize(("name", "n_deals"), [("classic", 24), ("nines", 16)])
def test_length_of_a_game(name, n_deals):
    made = rules(name)
    assert made.n_deals == len(made.deal_sizes) == len(made.pulka_of_deal) == n_deals
    assert made.n_pulkas == 4


def test_classic_deals():
    assert rules("classic").deal_sizes == (
        *(1, 2, 3, 4, 5, 6, 7, 8),
        *(9, 9, 9, 9),
        *(8, 7, 6, 5, 4, 3, 2, 1),
        *(9, 9, 9, 9),
    )
