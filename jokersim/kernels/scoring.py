"""Scores of pulkas and games: premium, erasure, ranks. A deal's score is a table look-up."""

from __future__ import annotations

from jokersim.kernels.jit import kernel
from jokersim.kernels.state import (
    ERASE_ALL_OTHERS,
    ERASE_IF_SINGLE,
    ERASE_LEFT,
    ERASE_NONE,
    N_SEATS,
)


@kernel
def close_pulka(made, best, best_but_last, numbers, premium, erased):
    """Fill `premium` and `erased` by seat (both >= 0) at the end of a pulka.

    `made` 1 for each seat that made every bid, `best` its best positive score of the pulka and
    `best_but_last` the same without the last deal; 0 where there is none.
    """
    earners = 0
    for seat in range(N_SEATS):
        premium[seat] = 0
        erased[seat] = 0
        earners += made[seat]
    if earners == 0:
        return
    if numbers.premium:
        for seat in range(N_SEATS):
            if made[seat]:
                excluded = numbers.premium_exclude_last
                premium[seat] = best_but_last[seat] if excluded else best[seat]
    if numbers.erase == ERASE_NONE or earners == N_SEATS:
        return
    for seat in range(N_SEATS):
        if made[seat]:
            continue
        if numbers.erase == ERASE_ALL_OTHERS:
            loses = True
        elif numbers.erase == ERASE_IF_SINGLE:
            loses = earners == 1
        else:
            # He is the nearest to the left of an earner exactly when his right neighbour is one.
            loses = numbers.erase == ERASE_LEFT and made[(seat + 3) & 3] == 1
        if loses:
            excluded = numbers.erase_exclude_last
            erased[seat] = best_but_last[seat] if excluded else best[seat]


@kernel
def rank(totals, ranks):
    """Fill the rank of each total, 1 the highest; equal totals share a rank, as in 1, 1, 3, 4."""
    n = len(totals)
    for i in range(n):
        place = 1
        for j in range(n):
            if totals[j] > totals[i]:
                place += 1
        ranks[i] = place
