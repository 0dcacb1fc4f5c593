"""A race of choices through worlds: which are left, whether it is over, who has won.

Choices stand in an array beside the sums of what they were worth so far; both change their order.
"""

from __future__ import annotations

import numpy as np

from jokersim.kernels.bits import first_index
from jokersim.kernels.jit import kernel, leaf

MAX_CHOICES = 32
# Coprime to all numbers of worlds that there may be, one of them.
_STEPS = (37, 41, 43)


@leaf
def list_bits(choices, mask):
    """List the indices of a mask's bits: how many."""
    n = np.int64(0)
    while mask:
        choices[n] = first_index(mask)
        mask &= mask - 1
        n += 1
    return n


@leaf
def stride(n):
    """A step that leads through all of n numbers, far from their order."""
    for step in _STEPS:
        if n % step:
            return np.int64(step)
    return np.int64(1)


@kernel
def drop_worse(choices, sums, n, done, worlds_asked):
    """After half of the worlds asked for and all of them, keep the better half: how many.

    Of two none is dropped: the race is between them.
    """
    first = max(worlds_asked >> 1, 8)
    if n <= 2 or (done != first and done != 2 * first):
        return n
    kept = max((n + 1) >> 1, 2)
    for i in range(kept):
        best = i
        for j in range(i + 1, n):
            better = sums[j] > sums[best] or (sums[j] == sums[best] and choices[j] < choices[best])
            best = j if better else best
        choices[i], choices[best] = choices[best], choices[i]
        sums[i], sums[best] = sums[best], sums[i]
    return kept


@leaf
def first_best(choices, sums, n):
    """The choice of the highest sum, of equals the first in the order of records."""
    best = np.int64(0)
    for c in range(1, n):
        better = sums[c] > sums[best] or (sums[c] == sums[best] and choices[c] < choices[best])
        best = c if better else best
    return choices[best]


@leaf
def settled(sums, n, n_worlds, spread):
    """Whether the choices left have come to the same so far, or one leads by three deviations.

    `spread` is the deviation of what one does better than another in a world.
    """
    most = sums[0]
    second = np.int64(-(1 << 62))
    least = sums[0]
    for c in range(1, n):
        least = min(least, sums[c])
        second = max(second, min(most, sums[c]))
        most = max(most, sums[c])
    lead = (most - second) // (3 * spread)
    return most == least or lead * lead > n_worlds


@leaf
def usual_unless_worse(choices, sums, n, usual, best, margin):
    """The usual choice, unless it was dropped or the best is worth more by the margin."""
    most = np.int64(0)
    for c in range(n):
        most = sums[c] if choices[c] == best else most
    for c in range(n):
        if choices[c] == usual and most - sums[c] <= margin:
            return usual
    return best
