"""The frozen kernel that the guard sets the others against. Never edit it: a new one is a new file.

It does what the kernels of the package do, in code that shares nothing with them: mixes a counter
into words, strips set bits off masks, looks strengths up in a small table and keeps a running best.
So a slower or faster processor, or compiler, moves both alike, and their ratio stays.
"""

from __future__ import annotations

import numba
import numpy as np

STRENGTHS = ((np.arange(8 * 64) * 37) % 61).astype(np.int8).reshape(8, 64)


@numba.njit(nogil=True)
def reference(strengths, rounds):
    """Run the rounds; nine picks each, with the loop and the branches that fast kernels avoid."""
    state = np.uint64(0x9E3779B97F4A7C15)
    total = np.int64(0)
    for turn in range(rounds):
        mask = np.int64(0xFFFFFFFFF)
        row = strengths[turn & 7]
        best = np.int64(-1)
        for _ in range(9):
            state = state * np.uint64(6364136223846793005) + np.uint64(1442695040888963407)
            word = (state ^ (state >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
            skip = np.int64(word >> np.uint64(61))
            rest = mask
            while skip > 0:
                rest &= rest - np.int64(1)
                skip -= np.int64(1)
            bit = rest & -rest
            mask ^= bit
            index = np.int64(0)
            if bit & np.int64(0xF0F0F0F0F) != np.int64(0):
                index += np.int64(4)
            if bit & np.int64(0xFF00FF00F) != np.int64(0):
                index += np.int64(8)
            if bit >= np.int64(1 << 18):
                index += np.int64(32)
            best = max(best, np.int64(row[index]))
        total += best
    return total
