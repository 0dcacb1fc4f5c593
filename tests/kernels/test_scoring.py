"""Deals, pulkas and games are scored as the slow twin scores them."""

import random
from itertools import product

import numpy as np
import pytest

from jokersim.kernels.jit import JIT_DISABLED
from jokersim.kernels.state import FOUR_VIEW, new_views
from jokersim.numbers import four_numbers
from jokersim.rules import PRESETS, rules
from tests import oracle
from tests.kernels import entries

FOURS = [name for name, preset in PRESETS.items() if preset.family == "four"]
ERASE = ["none", "all_others", "all_others_if_single", "left_neighbour"]


def scored(rule_set, bids, taken):
    """Score a whole game from bids and tricks [deals, 4]: scores, premium, erased, totals."""
    shape = (rule_set.n_deals, 4)
    scores, premium, erased = (np.empty(shape, np.int64) for _ in range(3))
    totals = np.empty(4, np.int64)
    entries.score_game(
        new_views(FOUR_VIEW),
        four_numbers(rule_set),
        np.array(bids, np.int64).reshape(shape),
        np.array(taken, np.int64).reshape(shape),
        scores,
        premium,
        erased,
        totals,
    )
    return scores.tolist(), premium.tolist(), erased.tolist(), totals.tolist()


@pytest.mark.parametrize("full_bid_bonus", ["all", "nine_only", "none"])
@pytest.mark.parametrize(
    "khishti", [-200, 0, 300, [-200] * 8 + [-500], [-100 * n for n in range(1, 10)]], ids=str
)
def test_every_deal_score(khishti, full_bid_bonus):
    changes = {"khishti": khishti, "full_bid_bonus": full_bid_bonus}
    cells = [(n, bid, took) for n in range(1, 10) for bid in range(n + 1) for took in range(n + 1)]
    table = four_numbers(rules("classic", **changes)).score
    options = oracle.read_options("classic", changes)
    assert table.dtype == np.int64
    assert [int(table[cell]) for cell in cells] == [
        oracle.deal_score(options, *cell) for cell in cells
    ]


def random_pulka(rng, sizes):
    """Bids and tricks taken where making every bid is frequent, by any number of seats."""
    eager = [rng.random() < 0.45 for _ in range(4)]
    bids, taken = [], []
    for size in sizes:
        cuts = sorted(rng.randint(0, size) for _ in range(3))
        took = [b - a for a, b in zip([0, *cuts], [*cuts, size], strict=True)]
        taken.append(took)
        bids.append(
            [
                t if eager[s] or rng.random() < 0.2 else rng.randint(0, size)
                for s, t in enumerate(took)
            ]
        )
    return bids, taken


@pytest.mark.parametrize("erase", ERASE)
@pytest.mark.parametrize("premium", ["double_best", "none"])
def test_premium_and_erasure_are_the_slow_twins(premium, erase):
    rng = random.Random(f"{premium} {erase}")
    earned = 0
    for exclude, erase_exclude in product([False, True], repeat=2):
        for _ in range(10 if JIT_DISABLED else 60):
            schedule = [
                [rng.randint(1, 9) for _ in range(rng.randint(1, 5))]
                for _ in range(rng.randint(1, 4))
            ]
            changes = {
                "schedule": schedule,
                "khishti": rng.choice([-200, 0, 400]),
                "premium": premium,
                "premium_exclude_last": exclude,
                "erase": erase,
                "erase_exclude_last": erase_exclude,
            }
            options = oracle.read_options("classic", changes)
            pulkas = [random_pulka(rng, sizes) for sizes in schedule]
            bids = [deal for pulka, _ in pulkas for deal in pulka]
            taken = [deal for _, pulka in pulkas for deal in pulka]
            scores, credited, lost, totals = scored(rules("classic", **changes), bids, taken)
            sizes = [size for pulka in schedule for size in pulka]
            assert scores == [
                [oracle.deal_score(options, n, *pair) for pair in zip(b, t, strict=True)]
                for n, b, t in zip(sizes, bids, taken, strict=True)
            ]
            at = 0
            for b, t in pulkas:
                last = at + len(b) - 1
                change = oracle.pulka_premium(options, b, t, scores[at : last + 1])
                got = [c - e for c, e in zip(credited[last], lost[last], strict=True)]
                assert got == change, (changes, b, t)
                earned += any(change)
                # Booked on the pulka's last deal alone, neither ever negative nor both at once.
                assert not np.any(credited[at:last])
                assert not np.any(lost[at:last])
                pairs = list(zip(credited[last], lost[last], strict=True))
                assert all(min(pair) == 0 and max(pair) >= 0 for pair in pairs)
                at = last + 1
            assert totals == (
                np.sum(scores, axis=0) + np.sum(credited, axis=0) - np.sum(lost, axis=0)
            ).tolist()  # fmt: skip
    # The check above must have met pulkas in which something happened.
    assert (earned > 0) == (premium != "none" or erase != "none")


def made(*deals):
    """Bids and tricks of deals given as four pairs ``bid/taken``."""
    pairs = [[tuple(map(int, pair.split("/"))) for pair in deal.split()] for deal in deals]
    return [[b for b, _ in deal] for deal in pairs], [[t for _, t in deal] for deal in pairs]


PULKA = made("1/1 0/0 1/0 2/2", "2/2 0/0 2/1 0/0", "0/0 1/1 1/2 0/0")


@pytest.mark.parametrize(
    ("options", "change"),
    [
        # Seats 0, 1 and 3 made every bid: best scores 150, 100 and 150; seat 2's best is 20.
        ({}, [150, 100, 0, 150]),
        ({"premium": "none"}, [0, 0, 0, 0]),
        ({"premium_exclude_last": True}, [150, 50, 0, 150]),
        ({"erase": "all_others"}, [150, 100, -20, 150]),
        ({"erase": "all_others", "erase_exclude_last": True}, [150, 100, -10, 150]),
        ({"erase": "all_others_if_single"}, [150, 100, 0, 150]),
        ({"erase": "left_neighbour"}, [150, 100, -20, 150]),
        ({"erase": "left_neighbour", "premium": "none"}, [0, 0, -20, 0]),
    ],
)
def test_a_pulka_by_hand(options, change):
    rule_set = rules("classic", schedule=[[3, 3, 3]], **options)
    _, premium, erased, _ = scored(rule_set, *PULKA)
    assert (np.array(premium[-1]) - erased[-1]).tolist() == change


def test_a_khishti_above_zero_can_be_the_best_score_lost():
    """The rules bound khishti on both sides only; it is a score like any other."""
    rule_set = rules("classic", schedule=[[2]], khishti=400, erase="all_others")
    scores, premium, erased, totals = scored(rule_set, *made("2/2 1/0 0/0 1/0"))
    assert scores == [[200, 400, 50, 400]]
    assert premium == [[200, 0, 50, 0]]
    assert erased == [[0, 400, 0, 400]]
    assert totals == [400, 0, 100, 0]


@pytest.mark.parametrize("seats", [2, 4])
def test_ranks_are_the_slow_twins(seats):
    rng = np.random.default_rng(seats)
    # So few values that ties of all kinds are frequent; and far apart ones.
    for values in (3, 1 << 62):
        totals = rng.integers(-values, values, (300, seats))
        ranks = np.empty_like(totals)
        entries.rank_all(totals, ranks)
        assert ranks.tolist() == [oracle.ranks(row) for row in totals.tolist()]


def test_ties_share_the_better_place():
    totals = np.array([[5, 9, 9, 1], [5, 5, 9, 5], [0, 0, 0, 0], [4, 3, 2, 1]])
    ranks = np.empty_like(totals)
    entries.rank_all(totals, ranks)
    assert ranks.tolist() == [[3, 1, 1, 4], [2, 2, 1, 2], [1, 1, 1, 1], [1, 2, 3, 4]]


@pytest.mark.parametrize("name", FOURS)
def test_a_preset_is_scored_in_its_pulkas(name):
    """Everybody always makes a bid of nought but one seat, which takes every trick it bid."""
    rule_set = rules(name)
    bids = [[0, size, 0, 0] for size in rule_set.deal_sizes]
    _, _, erased, totals = scored(rule_set, bids, bids)
    best = [max(pulka[: len(pulka) - rule_set.premium_exclude_last]) for pulka in rule_set.schedule]
    all_tricks = 100 * sum(rule_set.deal_sizes) + 100 * sum(best)
    passes = 50 * rule_set.n_deals + 50 * rule_set.n_pulkas
    assert totals == [passes, all_tricks, passes, passes]
    assert not np.any(erased)
