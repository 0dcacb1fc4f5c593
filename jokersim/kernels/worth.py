"""What a deal of four that was played out is worth to a seat, the state of the pulka included."""

from __future__ import annotations

import numpy as np

from jokersim.kernels.jit import kernel
from jokersim.kernels.scoring import close_pulka
from jokersim.kernels.state import N_SEATS

SCALE = np.int64(100)
"""Worth is counted in hundredths of a point."""

# Chance, in 4096ths, to make all of so many more bids.
_KEEPS = np.array([round(4096 * 0.68**n) for n in range(65)], dtype=np.int64)
# What the best score of a pulka is taken to become if it is not better yet.
_USUAL_BEST = np.int64(300)


@kernel
def prospect(view, seat, points):
    """What the premium is worth, in points, to a seat that has just made a bid within a pulka."""
    if not view.premium or not view.made[seat] or view.bids[seat] != view.taken[seat]:
        return np.int64(0)
    best = max(view.best[seat], points, _USUAL_BEST)
    return (best * _KEEPS[min(view.pulka_last - view.deal, 64)]) >> 12


@kernel
def worth(view, seat, rivalry, memory):
    """Worth of a deal to a seat: its points, less `rivalry` hundredths of everybody else's.

    `memory` is int64 [4, 4].
    """
    size = view.size
    last = view.deal == view.pulka_last
    made, best, premium, erased = memory[0], memory[1], memory[2], memory[3]
    if last:
        for other in range(N_SEATS):
            bid = view.bids[other]
            taken = view.taken[other]
            made[other] = view.made[other] & np.int64(bid == taken)
            best[other] = max(view.best[other], view.score[size, bid, taken])
        close_pulka(made, best, view.best, view, premium, erased)
    total = np.int64(0)
    for other in range(N_SEATS):
        if other != seat and rivalry == 0:
            continue
        points = view.score[size, view.bids[other], view.taken[other]]
        if last:
            points += premium[other] - erased[other]
        else:
            points += prospect(view, other, points)
        total += SCALE * points if other == seat else -rivalry * points
    return total
