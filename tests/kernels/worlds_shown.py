"""Entry points that lead the tests to the kernels of hidden cards."""

from __future__ import annotations

import numpy as np

from jokersim.kernels import streams, worlds
from jokersim.kernels.jit import entry


@entry
def survey(space, seat, pool, may_hold, needs):
    """Count the worlds of a position of four."""
    return worlds.survey(space, seat, pool, may_hold, needs)


@entry
def survey_view(space, views, hand, may_hold, needs):
    """Count the worlds of the seat whose turn it is."""
    return worlds.survey_view(space, views[0], hand, may_hold, needs)


@entry
def fill(space, numbers, hands, rests):
    """Write the worlds of the numbers: hands [n, 4], rests [n]."""
    for i in range(len(numbers)):
        rests[i] = worlds.fill_world(space, numbers[i], hands[i])


@entry
def sample(space, seed, hands, rests):
    """Draw worlds 0, 1, … of a seed: hands [n, 4], rests [n]."""
    for i in range(len(rests)):
        key, _ = streams.philox(seed, i, 0, streams.WORLDS)
        rests[i] = worlds.sample_world(space, key, hands[i])


@entry
def subsets(mask, m, k, out):
    """Write the first subsets by number."""
    for i in range(len(out)):
        out[i] = worlds.nth_subset(mask, m, k, np.int64(i))


@entry
def numbers(seed, total, out):
    """Draw a number below `total` from each of the streams of games 0, 1, …."""
    for i in range(len(out)):
        key, _ = streams.philox(seed, i, 0, streams.WORLDS)
        out[i] = worlds.draw_number(key, total)


@entry
def fill_two(views, hand, seat, numbers, hands, downs):
    """Write the worlds of a seat of two by their numbers: hands [n, 2], downs [n, 2, 5]."""
    for i in range(len(numbers)):
        worlds.fill_world_two(views[0], hand, seat, numbers[i], hands[i], downs[i])


@entry
def survey_two(views, hand, seat):
    """Count the worlds of a seat of two."""
    return worlds.survey_two(views[0], hand, seat)
