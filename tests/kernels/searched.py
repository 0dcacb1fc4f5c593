"""Entry points that lead the tests to the worlds of `search`."""

from __future__ import annotations

import numpy as np

from jokersim.kernels import search, worlds
from jokersim.kernels import streams as st
from jokersim.kernels.jit import entry
from jokersim.kernels.odds import copy_state
from jokersim.kernels.state import BID


@entry
def worlds_of(views, hand, key, settings, hands):
    """Fill hands [n, 4] with the worlds in which the seat whose turn it is would play: how many."""
    view = views[0]
    view.seat = view.turn
    view.hand = hand
    memory = search.new_memory(settings[0])
    for i in range(2):
        search.copy_rest(memory.views[i], view)
        copy_state(memory.views[i], view)
    memory.views[1].kind = BID
    stream, _ = st.philox(key, 0, 0, st.WORLDS)
    n = search.find_worlds(view, stream, settings[0], memory)
    for i in range(n):
        worlds.fill_world(memory.space, memory.numbers[i], hands[i])
        hands[i, view.turn] = hand
    return n


@entry
def pick(key, n, weights, counts):
    """Pick n worlds 0, 1, … by weight: fill how often each was."""
    numbers = np.arange(len(weights))
    picked = np.zeros(len(weights), np.int64)
    m = search.pick(key, n, len(weights), numbers, picked, weights)
    for i in range(m):
        counts[numbers[i]] += picked[i]
    return m
