"""Worlds: the hidden cards of a deal as a seat may think of them, numbered one by one.

Four players. Each unseen card is held by one of the three other seats or lies with the rest
(undealt; at a choice of trump the rest is what the chooser has yet to see). What was shown says,
card by card, which seats may hold it; cards with the same set of possible holders form a class,
of which there are at most eight. A *row* says how many cards the seats have from each class. The
worlds of a row are a product of binomials, so they are counted exactly, and the worlds of a
position are numbered 0 … total-1: `fill_world` takes a number apart into subsets. Equal chances
for numbers are equal chances for worlds, nothing is rejected because of what was shown, and a
small position is enumerated by counting.

Two players. Unseen are the other's hand and all covered cards: a subset, then a permutation.

All numbers of worlds stay below 2^58, so int64 is exact.
"""

from __future__ import annotations

from math import comb
from typing import NamedTuple

import numpy as np

from jokersim.cards import N_CARDS
from jokersim.kernels import streams
from jokersim.kernels.bits import deposit, first_index, nth_bit, popcount
from jokersim.kernels.dealing import BEGIN_OF_COUNT, DECK, MASKS_BY_COUNT
from jokersim.kernels.jit import kernel, leaf
from jokersim.kernels.state import MAX_SIZE, N_PLACES

BINOMIAL = np.array(
    [[comb(m, k) for k in range(N_CARDS + 1)] for m in range(N_CARDS + 1)], dtype=np.int64
)
_DOZEN = 12
_DRAWN = np.int64(1) << 62

# Classes by their possible holders: bit j stands for the j-th hidden seat.
_A, _B, _C = 1, 2, 4
_AB, _AC, _BC, _ABC = 3, 5, 6, 7

# What `Space.numbers` holds.
_SEAT = 0
_FIRST_NEED = 1
_N_ROWS = 4
_TOTAL = 5
N_NUMBERS = 6

# Columns of a row: the first hidden seat's cards by class, then the second's two classes.
_COLUMNS = (_A, _AB, _AC, _ABC)
N_COLUMNS = 6
MAX_ROWS = comb(MAX_SIZE + 3, 3) * (MAX_SIZE + 1)


class Space(NamedTuple):
    """The worlds of one four-player position; made by `new_space`, written by `survey`."""

    classes: np.ndarray
    """Unseen cards by possible holders, int64 [8] masks."""
    numbers: np.ndarray
    """Looking seat, cards of each hidden seat, rows and worlds, int64 [6]."""
    rows: np.ndarray
    """Cards by class and seat, int64 [rows, 6]."""
    upto: np.ndarray
    """Number of worlds of the rows up to and with each, int64 [rows]."""


SPACE = np.dtype(
    [
        ("classes", np.int64, (8,)),
        ("numbers", np.int64, (N_NUMBERS,)),
        ("rows", np.int64, (MAX_ROWS, N_COLUMNS)),
        ("upto", np.int64, (MAX_ROWS,)),
    ],
    align=True,
)
"""A `Space` as one record, which kernels take as well: no reference to an array is counted."""


def new_space():
    """Allocate the memory of a position's worlds."""
    return Space(
        np.zeros(8, np.int64),
        np.zeros(N_NUMBERS, np.int64),
        np.zeros((MAX_ROWS, N_COLUMNS), np.int64),
        np.zeros(MAX_ROWS, np.int64),
    )


@leaf
def nth_subset(mask, m, k, index):
    """Subset number `index` of the C(m, k) subsets of k of the m cards of `mask`."""
    picked = np.int64(0)
    shift = np.int64(0)
    while m > _DOZEN:
        # As many cards of the first dozen as the index reaches; then which ones.
        m -= _DOZEN
        count = max(k - m, np.int64(0))
        after = BINOMIAL[m, k - count]
        ways = BINOMIAL[_DOZEN, count] * after
        while index >= ways:
            index -= ways
            count += 1
            after = BINOMIAL[m, k - count]
            ways = BINOMIAL[_DOZEN, count] * after
        first = index // after
        index -= first * after
        picked |= MASKS_BY_COUNT[BEGIN_OF_COUNT[count] + first] << shift
        shift += _DOZEN
        k -= count
    picked |= MASKS_BY_COUNT[BEGIN_OF_COUNT[k] + index] << shift
    return deposit(picked, mask)


@leaf
def draw_number(key, total):
    """Draw from 0 … total-1, total at most 2^58, without bias, from the stream of `key`.

    A number of 62 bits is drawn anew in the few cases where it lies past the last whole multiple.
    """
    at = np.int64(1)
    number = streams.below(streams.word(key, at), _DRAWN)
    limit = _DRAWN - _DRAWN % total
    while number >= limit:
        at += 1
        number = streams.below(streams.word(key, at), _DRAWN)
    return number % total


@kernel
def survey(space, seat, pool, may_hold, needs):
    """Count the worlds: `pool` holds the unseen cards.

    `may_hold` and `needs`, int64 [3], say by hidden seat, counted from the left of the looking
    `seat`, which cards it may hold and how many it has.
    """
    classes, numbers, upto = space.classes, space.numbers, space.upto
    for holders in range(8):
        cards = pool
        for j in range(3):
            cards &= may_hold[j] if holders >> j & 1 else ~may_hold[j]
        classes[holders] = cards
    numbers[_SEAT] = seat
    for j in range(3):
        numbers[_FIRST_NEED + j] = needs[j]
    only_a, only_b, only_c = popcount(classes[_A]), popcount(classes[_B]), popcount(classes[_C])
    both_ab, both_ac = popcount(classes[_AB]), popcount(classes[_AC])
    both_bc, all_three = popcount(classes[_BC]), popcount(classes[_ABC])
    need_a, need_b, need_c = needs[0], needs[1], needs[2]
    n_rows = np.int64(0)
    total = np.int64(0)
    for x_abc in range(min(all_three, need_a) + 1):
        for x_ab in range(min(both_ab, need_a - x_abc) + 1):
            for x_ac in range(min(both_ac, need_a - x_abc - x_ab) + 1):
                x_a = need_a - x_abc - x_ab - x_ac
                if x_a > only_a:
                    continue
                ways_a = (
                    BINOMIAL[only_a, x_a] * BINOMIAL[both_ab, x_ab]
                    * BINOMIAL[both_ac, x_ac] * BINOMIAL[all_three, x_abc]
                )  # fmt: skip
                for_b = only_b + both_ab - x_ab
                for_c = only_c + both_ac - x_ac
                shared = both_bc + all_three - x_abc
                for y in range(min(shared, need_b) + 1):
                    left = for_c + shared - y
                    if need_b - y > for_b or need_c > left:
                        continue
                    total += (
                        ways_a * BINOMIAL[for_b, need_b - y]
                        * BINOMIAL[shared, y] * BINOMIAL[left, need_c]
                    )  # fmt: skip
                    for column, count in enumerate((x_a, x_ab, x_ac, x_abc, need_b - y, y)):
                        space.rows[n_rows, column] = count
                    upto[n_rows] = total
                    n_rows += 1
    numbers[_N_ROWS] = n_rows
    numbers[_TOTAL] = total
    return total


@kernel
def survey_view(space, view, hand, may_hold, needs):
    """Count the worlds of the seat whose turn it is; `may_hold` and `needs` [3] are memory."""
    seat = view.turn
    shown = view.played | hand
    if view.turned >= 0:
        shown |= np.int64(1) << view.turned
    for j in range(3):
        other = (seat + 1 + j) & 3
        may_hold[j] = view.may_hold[other]
        has_played = ((other - view.leader) & 3) < view.position
        needs[j] = view.size - view.trick - np.int64(has_played)
    return survey(space, seat, DECK & ~shown, may_hold, needs)


@leaf
def take(cards, count, number):
    """Take `count` of `cards` by what the number says: the subset and the number's rest."""
    m = popcount(cards)
    ways = BINOMIAL[m, count]
    after = number // ways
    return nth_subset(cards, m, count, number - after * ways), after


@kernel
def fill_world(space, number, hands):
    """Write the three hidden hands of a world by its number; answer what lies with the rest.

    The looking seat's hand is left alone.
    """
    classes, numbers, rows, upto = space.classes, space.numbers, space.rows, space.upto
    low = np.int64(0)
    high = numbers[_N_ROWS] - 1
    while low < high:
        middle = (low + high) >> 1
        if number < upto[middle]:
            high = middle
        else:
            low = middle + 1
    if low > 0:
        number -= upto[low - 1]
    one = np.int64(0)
    for column in range(4):
        count = rows[low, column]
        if count > 0:
            part, number = take(classes[_COLUMNS[column]], count, number)
            one |= part
    two = np.int64(0)
    if rows[low, 4] > 0:
        two, number = take((classes[_B] | classes[_AB]) & ~one, rows[low, 4], number)
    shared = (classes[_BC] | classes[_ABC]) & ~one
    if rows[low, 5] > 0:
        part, number = take(shared, rows[low, 5], number)
        two |= part
    held = one | two
    for_three = (classes[_C] | classes[_AC] | classes[_BC] | classes[_ABC]) & ~held
    three = np.int64(0)
    if numbers[_FIRST_NEED + 2] > 0:
        three, number = take(for_three, numbers[_FIRST_NEED + 2], number)
    seat = numbers[_SEAT]
    hands[(seat + 1) & 3] = one
    hands[(seat + 2) & 3] = two
    hands[(seat + 3) & 3] = three
    pool = np.int64(0)
    for holders in range(8):
        pool |= classes[holders]
    return pool & ~(held | three)


@kernel
def sample_world(space, key, hands):
    """Draw a world evenly by the stream of `key`: write its hidden hands, answer the rest."""
    return fill_world(space, draw_number(key, space.numbers[_TOTAL]), hands)


# --- two players ----------------------------------------------------------------------------------


@leaf
def _factorial(n):
    product = np.int64(1)
    for factor in range(2, n + 1):
        product *= factor
    return product


@leaf
def unseen_two(view, hand):
    """Cards that a seat of two sees nowhere: the other's hand and every covered card."""
    return DECK & ~(view.played | hand | view.open[0] | view.open[1])


@kernel
def survey_two(view, hand, seat):
    """Count the worlds of a seat of two: the other's hand, and what lies on each covered place."""
    pool = unseen_two(view, hand)
    held = view.n_hand[1 - seat]
    covered = popcount(pool) - held
    return BINOMIAL[popcount(pool & view.may_hold[1 - seat]), held] * _factorial(covered)


@kernel
def fill_world_two(view, hand, seat, number, hands, down):
    """Write a world by its number: the other's hand, and covered ids by seat and place."""
    pool = unseen_two(view, hand)
    held = view.n_hand[1 - seat]
    theirs, number = take(pool & view.may_hold[1 - seat], held, number)
    hands[seat] = hand
    hands[1 - seat] = theirs
    pool &= ~theirs
    left = popcount(pool)
    for side in range(2):
        for place in range(N_PLACES):
            down[side, place] = -1
            if view.covered[side] >> place & 1:
                after = number // left
                bit = nth_bit(pool, number - after * left)
                number = after
                pool ^= bit
                left -= 1
                down[side, place] = first_index(bit)
