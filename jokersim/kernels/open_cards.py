"""What the searches of open cards share: answers, the table's places, and which cards are tried.

Searches keep their stack in arrays: compiled code that calls itself cannot be kept on disk.
"""

from __future__ import annotations

import numpy as np

from jokersim.kernels import trick
from jokersim.kernels.bits import first_bit, first_index
from jokersim.kernels.jit import leaf

UNKNOWN = -1
"""Answer of a search that ran out of nodes."""
PENDING = 2
"""No answer yet."""


@leaf
def slot_of(key, n):
    """Place of a key in a table of n, a power of two: a multiplicative hash."""
    return ((key * np.int64(-7046029254386353131)) >> 24) & (n - 1)


@leaf
def distinct(legal, in_hand, remaining):
    """Plain cards of `legal` that are worth trying: of neighbours in one hand the lowest."""
    alike = legal & in_hand
    tried = legal
    rest = alike
    while rest:
        bit = first_bit(rest)
        rest ^= bit
        suit = trick.MASKS[first_index(bit) // 9]
        tried &= ~(first_bit(remaining & suit & -(bit << 1)) & alike)
    return tried


@leaf
def beating(plain, row, best):
    """Plain cards that take a trick of that row from a play of that strength."""
    winners = np.int64(0)
    rest = plain
    while rest:
        bit = first_bit(rest)
        rest ^= bit
        if trick.strength(row, first_index(bit)) >= best:
            winners |= bit
    return winners
