"""The policy `basic` (rules of thumb)."""

import numpy as np
from jokersim.kernels import trick, streams
from jokersim.kernels.bits import first_index, nth_bit, popcount
from jokersim.kernels.jit import kernel


@kernel
def trump(view, rows):
    return np.int64(4)


@kernel
def bid(view, legal, rows):
    return first_index(legal)


@kernel
def play(view, legal, rows):
    return first_index(legal)
