"""Where a seat of four believes the hidden cards to be, by what the others did.

Only worlds that agree with what was shown come up. A world costs what its hands cost their seats
(see `past`) and counts by 2^-cost. Worlds are met on *walks*: a step swaps two unseen cards of
different holders and is taken with the chance 2^-(what the world then costs more), so that after a
while each world is met as often as it counts (Metropolis). Few worlds are all taken instead, each
with its weight.

Integers only.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from jokersim.kernels import streams as st
from jokersim.kernels import worlds
from jokersim.kernels.bits import last_index, nth_bit, popcount
from jokersim.kernels.jit import kernel, leaf
from jokersim.kernels.past import Past, cost_of, new_past, recall
from jokersim.kernels.state import N_SEATS

N_WALKS = 4

# How worlds are found.
EVENLY = 0
ALL = 1
WALKING = 2

MOST_BITS = np.int64(20)
"""A world that costs so much or more counts one."""
NOTHING_BITS = np.int64(9)
"""A world that costs so many bits more than the likeliest counts for nothing beside it."""

# What `Belief.numbers` holds.
_MODE = 0
_TOTAL = 1
_WORD = 2
_N_PAST = 3
_LEAST = 4
_N_NUMBERS = 5


class Belief(NamedTuple):
    """What the worlds of one decision are found in; made by `new_belief`, written by `survey`."""

    space: worlds.Space
    past: Past
    held: np.ndarray
    """By walk, the hands of its world; in the looking seat's place what nobody holds."""
    bits: np.ndarray
    """By walk and seat, what its hand costs."""
    moved: np.ndarray
    """By walk, whether it came to another world since the last that was asked of it, int64."""
    trial: np.ndarray
    """Memory for a hand a seat, and for what they cost, int64 [2, 4]."""
    world_bits: np.ndarray
    order: np.ndarray
    """What each world costs, and the worlds in order of cost, where all are taken."""
    may_hold: np.ndarray
    needs: np.ndarray
    """As `worlds.survey` takes them."""
    numbers: np.ndarray
    """How worlds are found, how many there are, last word of the stream that was used, how often
    the others decided, the least that a world met so far cost."""


@kernel
def new_belief(most):
    """Allocate what the worlds of one decision are found in: all of them where they are few."""
    return Belief(
        worlds.Space(
            np.empty(8, np.int64),
            np.empty(worlds.N_NUMBERS, np.int64),
            np.empty((worlds.MAX_ROWS, worlds.N_COLUMNS), np.int64),
            np.empty(worlds.MAX_ROWS, np.int64),
        ),
        new_past(),
        np.empty((N_WALKS, N_SEATS), np.int64),
        np.empty((N_WALKS, N_SEATS), np.int64),
        np.zeros(N_WALKS, np.int64),
        np.zeros((2, N_SEATS), np.int64),
        np.empty(most, np.int64),
        np.empty(most, np.int64),
        np.zeros(3, np.int64),
        np.zeros(3, np.int64),
        np.zeros(_N_NUMBERS, np.int64),
    )


@kernel
def survey(belief, view, stream, settings):
    """Look where the hidden cards may be: how many worlds there are to play in."""
    total = worlds.survey_view(belief.space, view, view.hand, belief.may_hold, belief.needs)
    n_past = recall(belief.past, view)
    numbers = belief.numbers
    numbers[_TOTAL] = total
    numbers[_WORD] = 0
    numbers[_N_PAST] = n_past
    numbers[_LEAST] = MOST_BITS
    wanted = settings.worlds * settings.stretch
    if total <= wanted:
        numbers[_MODE] = ALL
        return _order_all(belief, view, total, settings)
    numbers[_MODE] = EVENLY if n_past == 0 else WALKING
    if n_past > 0:
        for walk in range(N_WALKS):
            _start(belief, walk, view, stream, settings)
    return wanted


@kernel
def _order_all(belief, view, total, settings):
    """List all worlds, the likeliest first, without those that count for nothing: how many."""
    order, bits = belief.order, belief.world_bits
    for i in range(total):
        bits[i] = min(_bits_of_world(belief, view.turn, i, MOST_BITS, settings), MOST_BITS)
    n = np.int64(0)
    for cost in range(belief.numbers[_LEAST], MOST_BITS + 1):
        if n > 0 and cost > belief.numbers[_LEAST] + NOTHING_BITS:
            break
        for i in range(total):
            if bits[i] == cost:
                order[n] = i
                n += 1
    return n


@leaf
def _next_word(belief, stream):
    belief.numbers[_WORD] += 1
    return st.word(stream, belief.numbers[_WORD])


@kernel
def _bits_of_world(belief, own, number, limit, settings):
    """What a world by its number costs, to be read in `trial`; not all once above the limit."""
    hands, bits = belief.trial[0], belief.trial[1]
    hands[own] = worlds.fill_world(belief.space, number, hands)
    bits[own] = 0
    total = np.int64(0)
    for k in range(1, N_SEATS):
        seat = (own + k) & 3
        bits[seat] = cost_of(belief.past, seat, hands[seat], limit - total, settings)
        total += bits[seat]
        if total > limit:
            return total
    belief.numbers[_LEAST] = min(belief.numbers[_LEAST], total)
    return total


@kernel
def _start(belief, walk, view, stream, settings):
    """Start a walk from the cheapest of some worlds, and leave that one behind."""
    limit = np.int64(1 << 30)
    for _ in range(settings.tries):
        number = worlds.draw_number(_next_word(belief, stream), belief.numbers[_TOTAL])
        cost = _bits_of_world(belief, view.turn, number, limit, settings)
        if cost <= limit:
            limit = cost - 1
            for seat in range(N_SEATS):
                belief.held[walk, seat] = belief.trial[0, seat]
                belief.bits[walk, seat] = belief.trial[1, seat]
    for _ in range(settings.first_steps):
        _step(belief, walk, view, stream, settings)


@leaf
def _holder(held, bit):
    """Who holds a card."""
    holder = np.int64(0)
    for seat in range(1, N_SEATS):
        holder = seat if held[seat] & bit else holder
    return holder


@kernel
def _step(belief, walk, view, stream, settings):
    """Swap two unseen cards of different holders, or not."""
    held, bits = belief.held[walk], belief.bits[walk]
    own = view.turn
    unseen = held[0] | held[1] | held[2] | held[3]
    hidden = unseen & ~held[own]
    fraction = _next_word(belief, stream)
    n = popcount(hidden)
    card = nth_bit(hidden, st.below(fraction, n))
    fraction = st.rest(fraction, n)
    one = _holder(held, card)
    others = unseen & ~held[one]
    n = popcount(others)
    other_card = nth_bit(others, st.below(fraction, n))
    two = _holder(held, other_card)
    if view.may_hold[one] & other_card == 0:
        return
    if two != own and view.may_hold[two] & card == 0:
        return
    # One bit more with half the chance, two with a quarter, …: zeros that a random number begins
    # with.
    spare = MOST_BITS - 1 - last_index(st.below(st.rest(fraction, n), 1 << MOST_BITS) | 1)
    swap = card | other_card
    limit = bits[one] + bits[two] + spare
    first = cost_of(belief.past, one, held[one] ^ swap, limit, settings)
    if first > limit:
        return
    second = np.int64(0)
    if two != own:
        second = cost_of(belief.past, two, held[two] ^ swap, limit - first, settings)
        if first + second > limit:
            return
    held[one] ^= swap
    held[two] ^= swap
    belief.moved[walk] = 1
    bits[one] = first
    bits[two] = second
    cost = bits[0] + bits[1] + bits[2] + bits[3]
    belief.numbers[_LEAST] = min(belief.numbers[_LEAST], cost)


@kernel
def next_world(belief, turn, view, stream, settings, hands):
    """Write the others' hands of the next world.

    Answers how much it counts, and what lies with the rest.
    """
    mode = belief.numbers[_MODE]
    if mode == ALL:
        i = belief.order[turn]
        rest = worlds.fill_world(belief.space, i, hands)
        return np.int64(1) << (MOST_BITS - belief.world_bits[i]), rest
    if mode == EVENLY:
        number = worlds.draw_number(_next_word(belief, stream), belief.numbers[_TOTAL])
        return np.int64(1), worlds.fill_world(belief.space, number, hands)
    walk = turn % N_WALKS
    if turn >= N_WALKS:
        belief.moved[walk] = 0
        for _ in range(settings.steps):
            _step(belief, walk, view, stream, settings)
    for seat in range(N_SEATS):
        hands[seat] = belief.held[walk, seat]
    return np.int64(1), hands[view.turn]


@leaf
def takes_all(belief):
    """Whether the worlds are all there are, each with its weight."""
    return belief.numbers[_MODE] == ALL


@leaf
def is_repeated(belief, turn):
    """Whether the world of this turn is that of `N_WALKS` turns before, where its walk stayed."""
    staying = belief.numbers[_MODE] == WALKING and belief.moved[turn % N_WALKS] == 0
    return turn >= N_WALKS and staying


@leaf
def are_foreseen(belief, settings):
    """Whether the others do what is foreseen of them: some world met so far explains all of it."""
    told = belief.numbers[_N_PAST] >= settings.evidence
    return told and belief.numbers[_LEAST] < settings.doubt
