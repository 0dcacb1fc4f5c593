"""A race of choices through worlds: which are left, whether it is over, who has won.

Those that are left stand first, and so the order changes as some are dropped.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from jokersim.kernels.bits import first_index
from jokersim.kernels.jit import kernel, leaf

MAX_CHOICES = 32
_LOOK_EVERY = 4
"""After so many worlds each the choices are compared, from the second time on."""
_BOUND_EARLY = 12.0
_BOUND = 6.0
"""Squares of how many standard deviations a choice may be behind, in the first half of the worlds
asked for and from there on: the best of those tried."""
_FORESEEN = 8
# Coprime to all numbers of worlds that there may be, one of them.
_STEPS = (37, 41, 43)


class Race(NamedTuple):
    """The choices and what they were worth so far; made by `new_race`."""

    choices: np.ndarray
    """int64 [MAX_CHOICES]"""
    sums: np.ndarray
    """Of what each was worth, in the order of the choices, int64 [MAX_CHOICES]."""
    lanes: np.ndarray
    """In which row of `worths` each stands, in the order of the choices, int64 [MAX_CHOICES]."""
    worths: np.ndarray
    """What each was worth in each world, int64 [MAX_CHOICES, worlds]."""


@kernel
def new_race(choices, n_worlds):
    """Allocate the race of some choices, an array of `MAX_CHOICES`, through so many worlds."""
    return Race(
        choices,
        np.zeros(MAX_CHOICES, np.int64),
        np.arange(MAX_CHOICES),
        np.empty((MAX_CHOICES, n_worlds), np.int64),
    )


@leaf
def note(racing, c, turn, value, counts):
    """Note what the choice at place `c` was worth in this turn's world, which counts so much."""
    racing.worths[racing.lanes[c], turn] = value
    racing.sums[c] += counts * value


@leaf
def noted(racing, c, turn):
    """What the choice at place `c` was worth in the world of a turn before."""
    return racing.worths[racing.lanes[c], turn]


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


@leaf
def _first_best(racing, n):
    """Where the choice of the highest sum stands, of equals the first in the order of records."""
    choices, sums = racing.choices, racing.sums
    best = np.int64(0)
    for c in range(1, n):
        better = sums[c] > sums[best] or (sums[c] == sums[best] and choices[c] < choices[best])
        best = c if better else best
    return best


@leaf
def best_choice(racing, n):
    """The choice of the highest sum, of equals the first in the order of records."""
    return racing.choices[_first_best(racing, n)]


@leaf
def _swap(racing, i, j):
    choices, sums, lanes = racing.choices, racing.sums, racing.lanes
    choices[i], choices[j] = choices[j], choices[i]
    sums[i], sums[j] = sums[j], sums[i]
    lanes[i], lanes[j] = lanes[j], lanes[i]


@kernel
def drop_worse(racing, n, done, spread, worlds_asked):
    """Drop choices that are behind the best by more than chance explains: how many are left.

    All were played out in the same `done` worlds, each counting one. How far apart chance puts two
    choices the worlds themselves tell, and `_FORESEEN` more in which they are taken to differ by
    `spread`. Those that are left stand first. Floats of whole numbers: alike on every machine.
    """
    if done < 2 * _LOOK_EVERY or done % _LOOK_EVERY:
        return n
    bound = _BOUND_EARLY if 2 * done < worlds_asked else _BOUND
    _swap(racing, 0, _first_best(racing, n))
    sums, lanes, worths = racing.sums, racing.lanes, racing.worths
    c = np.int64(1)
    while c < n:
        behind = np.float64(sums[0] - sums[c])
        squares = np.float64(0)
        for turn in range(done):
            difference = np.float64(worths[lanes[0], turn] - worths[lanes[c], turn])
            squares += difference * difference
        squares += _FORESEEN * np.float64(spread) * np.float64(spread) - behind * behind / done
        variance = squares / (done - 1 + _FORESEEN)
        if behind * behind > bound * variance * done:
            n -= 1
            _swap(racing, c, n)
        else:
            c += 1
    return n


@leaf
def is_over(racing, n, done, worlds_asked):
    """Whether one choice is left, or those left came to the same in all worlds asked for."""
    same = n == 1 or done >= worlds_asked
    for c in range(1, n):
        same &= racing.sums[c] == racing.sums[0]
    return same


@leaf
def usual_unless_worse(racing, n, usual, best, margin):
    """The usual choice, unless it was dropped or the best is worth more by the margin."""
    most = np.int64(0)
    for c in range(n):
        most = racing.sums[c] if racing.choices[c] == best else most
    for c in range(n):
        if racing.choices[c] == usual and most - racing.sums[c] <= margin:
            return usual
    return best
