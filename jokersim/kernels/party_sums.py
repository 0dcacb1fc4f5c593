"""What a run of parties adds up: integers from which every figure of the summary follows.

The unit is the party. For a rate of deals (a ratio of per-party sums) its interval needs the sums
of squares and the products with the number of deals, so those stand beside each count (`_2`, `_X`).
A deal counts as complete unless a decline cut it short.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from jokersim.kernels.jit import kernel, leaf
from jokersim.kernels.state import N_PAIRS, N_PLAYERS

MAX_MULTIPLIER: Final = 6
N_DIFFERENCES: Final = N_PAIRS + 1

# Columns of `sums` [axis, seat, column]: axis 0 by seat, axis 1 by place, 0 the first declarer.
POINTS: Final = 0
POINTS_2: Final = 1
POINTS_X: Final = 2
PAIRS: Final = 3
PAIRS_2: Final = 4
PAIRS_X: Final = 5
DEALS_WON: Final = 6
DEALS_WON_2: Final = 7
DEALS_WON_X: Final = 8
OFFERS: Final = 9
OFFERS_2: Final = 10
DECLINES: Final = 11
WON_1: Final = 12
"""Parties won at multiplier 1; those at m stand m - 1 further."""
LOST_1: Final = WON_1 + MAX_MULTIPLIER
N_SEAT_SUMS: Final = LOST_1 + MAX_MULTIPLIER

# Columns of `party_sums`.
PARTIES: Final = 0
VOID: Final = 1
DEALS: Final = 2
DEALS_2: Final = 3
COMPLETE: Final = 4
COMPLETE_2: Final = 5
DECLARER_PAIRS: Final = 6
DECLARER_PAIRS_2: Final = 7
DECLARER_PAIRS_X: Final = 8
VOID_1: Final = 9
"""Void parties whose multiplier stood at 1; those at m stand m - 1 further."""
DECLARED: Final = VOID_1 + MAX_MULTIPLIER
"""Complete deals by the declarer's pairs, 0..18."""
DIFFERENCE: Final = DECLARED + N_DIFFERENCES
"""Complete deals by half the difference of pairs, 0..9, since differences are even."""
N_BINS: Final = N_PAIRS // 2 + 1
DIFFERENCE_2: Final = DIFFERENCE + N_BINS
DIFFERENCE_X: Final = DIFFERENCE_2 + N_BINS
N_PARTY_SUMS: Final = DIFFERENCE_X + N_BINS

# Columns of the counts of one party, by seat.
PAIRS_HERE: Final = 0
DEALS_WON_HERE: Final = 1
OFFERS_HERE: Final = 2
N_COUNTS: Final = 3


def new_sums() -> tuple[np.ndarray, np.ndarray]:
    """Allocate `sums` and `party_sums`, all zero."""
    seats = np.zeros((2, N_PLAYERS, N_SEAT_SUMS), dtype=np.int64)
    return seats, np.zeros(N_PARTY_SUMS, dtype=np.int64)


@leaf
def count_deal(view, counts, declared):
    """Count a deal just ended in its party's `counts` [2, 3] and `declared` [19]."""
    for seat in range(N_PLAYERS):
        counts[seat, OFFERS_HERE] += view.n_offers[seat]
    if view.trick < N_PAIRS:
        return
    declared[view.pairs[view.declarer]] += 1
    for seat in range(N_PLAYERS):
        pairs = view.pairs[seat]
        counts[seat, PAIRS_HERE] += pairs
        counts[seat, DEALS_WON_HERE] += np.int64(2 * pairs > N_PAIRS)


@leaf
def add_count(to, column, n, deals):
    """Add a party's count with its square and its product with the party's complete deals."""
    to[column] += n
    to[column + 1] += n * n
    to[column + 2] += n * deals


@kernel
def add_up(view, first_declarer, winner, counts, declared, sums, party_sums):
    """Add one party that is over or void (`winner` -1) to both arrays of sums."""
    complete = np.int64(0)
    declarer_pairs = np.int64(0)
    for pairs in range(N_DIFFERENCES):
        n = declared[pairs]
        complete += n
        declarer_pairs += n * pairs
        party_sums[DECLARED + pairs] += n
    half = N_PAIRS // 2
    for k in range(N_BINS):
        n = declared[half + k] + (declared[half - k] if k else 0)
        party_sums[DIFFERENCE + k] += n
        party_sums[DIFFERENCE_2 + k] += n * n
        party_sums[DIFFERENCE_X + k] += n * complete
    deals = view.deal + 1
    step = view.multiplier - 1
    party_sums[PARTIES] += 1
    party_sums[DEALS] += deals
    party_sums[DEALS_2] += deals * deals
    party_sums[COMPLETE] += complete
    party_sums[COMPLETE_2] += complete * complete
    add_count(party_sums, DECLARER_PAIRS, declarer_pairs, complete)
    if winner < 0:
        party_sums[VOID] += 1
        party_sums[VOID_1 + step] += 1
    for seat in range(N_PLAYERS):
        for axis in range(2):
            to = sums[axis, (seat - axis * first_declarer) & 1]
            add_count(to, POINTS, view.points[seat], complete)
            add_count(to, PAIRS, counts[seat, PAIRS_HERE], complete)
            add_count(to, DEALS_WON, counts[seat, DEALS_WON_HERE], complete)
            offers = counts[seat, OFFERS_HERE]
            to[OFFERS] += offers
            to[OFFERS_2] += offers * offers
            to[DECLINES] += np.int64(view.declined_by == seat)
            if winner >= 0:
                to[(WON_1 if winner == seat else LOST_1) + step] += 1
