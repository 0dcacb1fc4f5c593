"""Hidden cards: every world of a position has exactly one number, and numbers are drawn evenly."""

from itertools import combinations
from math import comb, factorial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from jokersim.cards import ALL_CARDS, cards_of, mask_of
from jokersim.kernels import worlds
from jokersim.kernels.jit import JIT_DISABLED
from jokersim.kernels.state import TWO_VIEW, new_views
from tests.kernels import worlds_shown as shown

N = 2_000 if JIT_DISABLED else 200_000
P = 1e-6


def spread(space, seat, pool, may_hold, needs, start=0, stop=None):
    """All worlds of a position, as rows of the three hidden hands from the left and the rest."""
    total = shown.survey(
        space, seat, pool, np.array(may_hold, np.int64), np.array(needs, np.int64)
    )  # fmt: skip
    numbers = np.arange(start, total if stop is None else stop)
    hands = np.zeros((len(numbers), 4), np.int64)
    rests = np.zeros(len(numbers), np.int64)
    shown.fill(space, numbers, hands, rests)
    order = [(seat + 1 + j) % 4 for j in range(3)]
    return total, [
        (*row, rest) for row, rest in zip(hands[:, order].tolist(), rests.tolist(), strict=True)
    ]


def by_hand(pool, may_hold, needs):
    """All worlds, found by trying every choice of cards seat by seat."""
    found = [((), pool)]
    for may, need in zip(may_hold, needs, strict=True):
        found = [
            ((*held, mask_of(hand)), left & ~mask_of(hand))
            for held, left in found
            for hand in combinations(cards_of(left & may), need)
        ]
    return {(*held, left) for held, left in found}


@st.composite
def positions(draw):
    pool = draw(st.lists(st.integers(0, 35), min_size=1, max_size=8, unique=True))
    needs = [draw(st.integers(0, 3)) for _ in range(3)]
    may = [
        mask_of(draw(st.lists(st.sampled_from(pool), unique=True))) | ~mask_of(pool) & ALL_CARDS
        for _ in range(3)
    ]
    return draw(st.integers(0, 3)), mask_of(pool), may, needs


@given(positions())
def test_numbers_are_the_worlds_one_to_one(position):
    seat, pool, may, needs = position
    total, found = spread(worlds.new_space(), seat, pool, may, needs)
    expected = by_hand(pool, may, needs)
    assert total == len(expected)
    assert len(found) == len(set(found))
    assert set(found) == expected


@pytest.mark.parametrize(("size", "trick"), [(1, 0), (8, 0), (9, 0), (9, 4), (5, 2)])
def test_nothing_shown_gives_the_multinomial(size, trick):
    hidden = 36 - size - (size < 9) - 4 * trick + trick
    pool = ALL_CARDS >> (36 - hidden)
    left = size - trick
    total, _ = spread(worlds.new_space(), 0, pool, [ALL_CARDS] * 3, [left] * 3, stop=0)
    assert total == factorial(hidden) // (factorial(left) ** 3 * factorial(hidden - 3 * left))


@pytest.mark.parametrize("k", [0, 1, 4, 9])
@pytest.mark.parametrize("m", [3, 12, 13, 24, 27, 35])
def test_subsets_are_numbered_one_to_one(m, k):
    if k > m:
        pytest.skip("no such subset")
    mask = ALL_CARDS & ~1 if m == 35 else mask_of(range(m))
    total = comb(m, k)
    out = np.empty(min(total, N), np.int64)
    shown.subsets(mask, m, k, out)
    assert len(set(out.tolist())) == len(out)
    assert all(one & ~mask == 0 and one.bit_count() == k for one in out.tolist())


@pytest.mark.parametrize("total", [1, 2, 3, 1000, 2**58 - 1])
def test_numbers_are_drawn_evenly(total):
    out = np.empty(N, np.int64)
    shown.numbers(1, total, out)
    assert out.min() >= 0
    assert out.max() < total
    cells = min(total, 64)
    counts = np.bincount((out.astype(object) * cells // total).astype(np.int64), minlength=cells)
    width = np.array([(total * (i + 1) + cells - 1) // cells - (total * i + cells - 1) // cells
                      for i in range(cells)], dtype=object)  # fmt: skip
    chance = (width / total).astype(float)
    low, high = stats.binom.interval(1 - P / cells, N, chance)
    assert ((low <= counts) & (counts <= high)).all()


def test_samples_spread_evenly_over_the_worlds():
    space = worlds.new_space()
    may = [0b0011_1111, 0b1111_0111, 0b1110_1110]
    total, all_worlds = spread(space, 2, 0xFF, may, [2, 2, 3])
    hands, rests = np.zeros((N, 4), np.int64), np.zeros(N, np.int64)
    shown.sample(space, 7, hands, rests)
    number = {world: i for i, world in enumerate(all_worlds)}
    drawn = [
        number[(*row, rest)]
        for row, rest in zip(hands[:, [3, 0, 1]].tolist(), rests.tolist(), strict=True)
    ]
    counts = np.bincount(drawn, minlength=total)
    low, high = stats.binom.interval(1 - P / total, N, 1 / total)
    assert ((low <= counts) & (counts <= high)).all()


def test_worlds_of_two_are_one_to_one():
    views = new_views(TWO_VIEW)
    view = views[0]
    hand = mask_of([1, 2, 3])
    view.n_hand = (3, 2)
    view.covered = (0b00101, 0b00010)
    unseen = mask_of([10, 11, 12, 13, 14])
    view.played = ALL_CARDS & ~hand & ~unseen
    view.may_hold = (ALL_CARDS, ALL_CARDS & ~mask_of([11]))
    total = shown.survey_two(views, hand, 0)
    assert total == comb(4, 2) * factorial(3)
    hands = np.zeros((total, 2), np.int64)
    downs = np.zeros((total, 2, 5), np.int64)
    shown.fill_two(views, hand, 0, np.arange(total), hands, downs)
    seen = {(h[1], tuple(d.ravel())) for h, d in zip(hands.tolist(), downs, strict=True)}
    assert len(seen) == total
    for theirs, down in seen:
        assert not theirs & mask_of([11])
        assert [card >= 0 for card in down] == [1, 0, 1, 0, 0, 0, 1, 0, 0, 0]
        assert theirs | mask_of(card for card in down if card >= 0) == unseen
