"""The policy `basic` for two."""

import numpy as np

from jokersim.kernels.bits import first_index
from jokersim.kernels.jit import kernel
from jokersim.kernels.trick import placed_play


@kernel
def trump(view, streams):
    return np.int64(4)


@kernel
def davi(view, legal, streams):
    return first_index(legal)


@kernel
def play(view, legal, places, streams):
    base = 9 if view.position else 4
    return placed_play(legal, places, base, 0)
