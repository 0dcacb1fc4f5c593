"""What a run of games of four writes a game and a deal, and what it adds up.

Apart from `game`, so that what plays at random alone need not load the other policies.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from jokersim.kernels.jit import kernel
from jokersim.kernels.state import N_SEATS


class GameColumns(NamedTuple):
    """Columns of the table `games`, an entry a game (seats and pulkas in front).

    The first two are always filled, the others where they are not empty.
    """

    first_dealer: np.ndarray
    """int8 [games]"""
    totals: np.ndarray
    """int64 [4, games]"""
    ranks: np.ndarray
    """int8 [4, games]"""
    premium: np.ndarray
    """int32 [pulkas, 4, games]"""
    erased: np.ndarray
    """int32 [pulkas, 4, games]"""


class DealColumns(NamedTuple):
    """Columns of the table `deals`, a row a deal and seat; what the schedule fixes is left out."""

    dealer: np.ndarray
    trump: np.ndarray
    turned: np.ndarray
    bid: np.ndarray
    taken: np.ndarray
    score: np.ndarray
    premium: np.ndarray
    erased: np.ndarray
    hand: np.ndarray


# What `sums` adds up, by axis (0 seat, 1 place after the first dealer) and seat: columns.
TOTAL = 0
TOTAL_HH = 1
TOTAL_HL = 2
TOTAL_LL = 3
MADE = 4
MADE_2 = 5
KHISHTI = 6
KHISHTI_2 = 7
PREMIUM = 8
PREMIUM_2 = 9
RANK_1 = 10
N_SUMS = 14


@kernel
def add_up(totals, first_dealer, ranks, counts, sums):
    """Add a game to the sums by seat and by place; `counts` [4, 3]: made, khishti, premiums."""
    for seat in range(N_SEATS):
        total = totals[seat]
        high = total >> 16
        low = total & 0xFFFF
        made = counts[seat, 0]
        khishti = counts[seat, 1]
        premiums = counts[seat, 2]
        for axis in range(2):
            to = sums[axis, (seat - axis * first_dealer) & 3]
            to[TOTAL] += total
            to[TOTAL_HH] += high * high
            to[TOTAL_HL] += high * low
            to[TOTAL_LL] += low * low
            to[MADE] += made
            to[MADE_2] += made * made
            to[KHISHTI] += khishti
            to[KHISHTI_2] += khishti * khishti
            to[PREMIUM] += premiums
            to[PREMIUM_2] += premiums * premiums
            to[RANK_1 - 1 + ranks[seat]] += 1
