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
from jokersim.kernels.past import PAST, cost_of, recall
from jokersim.kernels.policies.native import one_of
from jokersim.kernels.state import N_SEATS, View

N_WALKS = 4

# How worlds are found.
EVENLY = 0
ALL = 1
WALKING = 2

MOST_BITS = np.int64(20)
"""A world that costs so much or more counts one."""
NOTHING_BITS = np.int64(9)
"""A world that costs so many bits more than the likeliest counts for nothing beside it."""

HERE = np.dtype(
    [
        ("space", np.dtype((View, worlds.SPACE))),
        ("past", np.dtype((View, PAST))),
        ("held", np.int64, (N_WALKS, N_SEATS)),
        ("bits", np.int64, (N_WALKS, N_SEATS)),
        ("moved", np.int64, (N_WALKS,)),
        ("hands", np.int64, (N_SEATS,)),
        ("hand_bits", np.int64, (N_SEATS,)),
        ("may_hold", np.int64, (3,)),
        ("needs", np.int64, (3,)),
        ("mode", np.int64),
        ("total", np.int64),
        ("word", np.int64),
        ("n_past", np.int64),
        ("least", np.int64),
    ],
    align=True,
)
"""What the worlds of one decision are found in. By field:

- held: by walk, the hands of its world; in the looking seat's place what nobody holds
- bits: by walk and seat, what its hand costs
- moved: by walk, whether it came to another world since the last that was asked of it
- hands, hand_bits: memory for a hand a seat, and for what they cost
- may_hold, needs: as `worlds.survey` takes them
- mode, total: how worlds are found, how many there are
- word: last word of the stream that was used
- n_past, least: how often the others decided, the least that a world met so far cost
"""

_new_here = one_of(HERE)


class Belief(NamedTuple):
    """What the worlds of one decision are found in; made by `new_belief`, written by `survey`."""

    here: np.ndarray
    """One record of `HERE`."""
    listed: np.ndarray
    """What each world costs, and the worlds in order of cost, where all are taken: int64 [2, …]."""


@kernel
def new_belief(most):
    """Allocate what the worlds of one decision are found in: all of them where they are few."""
    return Belief(_new_here(), np.empty((2, most), np.int64))


@kernel
def survey(belief, view, stream, settings):
    """Look where the hidden cards may be: how many worlds there are to play in."""
    here = belief.here[0]
    total = worlds.survey_view(here.space, view, view.hand, here.may_hold, here.needs)
    n_past = recall(here.past, view)
    here.total = total
    here.word = 0
    here.n_past = n_past
    here.least = MOST_BITS
    wanted = settings.worlds * settings.stretch
    if total <= wanted:
        here.mode = ALL
        return _order_all(here, belief.listed, view, total, settings)
    here.mode = EVENLY if n_past == 0 else WALKING
    if n_past > 0:
        for walk in range(N_WALKS):
            here.moved[walk] = 0
            _start(here, walk, view, stream, settings)
    return wanted


@kernel
def _order_all(here, listed, view, total, settings):
    """List all worlds, the likeliest first, without those that count for nothing: how many."""
    for i in range(total):
        cost = _bits_of_world(here, view.turn, i, MOST_BITS, settings)
        listed[0, i] = min(cost, MOST_BITS)
    n = np.int64(0)
    for cost in range(here.least, MOST_BITS + 1):
        if n > 0 and cost > here.least + NOTHING_BITS:
            break
        for i in range(total):
            if listed[0, i] == cost:
                listed[1, n] = i
                n += 1
    return n


@leaf
def _next_word(here, stream):
    here.word += 1
    return st.word(stream, here.word)


@kernel
def _bits_of_world(here, own, number, limit, settings):
    """What a world by its number costs, to be read in `here`; not all once above the limit."""
    hands, bits = here.hands, here.hand_bits
    hands[own] = worlds.fill_world(here.space, number, hands)
    bits[own] = 0
    total = np.int64(0)
    for k in range(1, N_SEATS):
        seat = (own + k) & 3
        bits[seat] = cost_of(here.past, seat, hands[seat], limit - total, settings)
        total += bits[seat]
        if total > limit:
            return total
    here.least = min(here.least, total)
    return total


@kernel
def _start(here, walk, view, stream, settings):
    """Start a walk from the cheapest of some worlds, and leave that one behind."""
    limit = np.int64(1 << 30)
    for _ in range(settings.tries):
        number = worlds.draw_number(_next_word(here, stream), here.total)
        cost = _bits_of_world(here, view.turn, number, limit, settings)
        if cost <= limit:
            limit = cost - 1
            for seat in range(N_SEATS):
                here.held[walk, seat] = here.hands[seat]
                here.bits[walk, seat] = here.hand_bits[seat]
    for _ in range(settings.first_steps):
        _step(here, walk, view, stream, settings)


@leaf
def _holder(here, walk, bit):
    """Who holds a card."""
    holder = np.int64(0)
    for seat in range(1, N_SEATS):
        holder = seat if here.held[walk, seat] & bit else holder
    return holder


@kernel
def _step(here, walk, view, stream, settings):
    """Swap two unseen cards of different holders, or not."""
    held, bits = here.held, here.bits
    own = view.turn
    unseen = held[walk, 0] | held[walk, 1] | held[walk, 2] | held[walk, 3]
    hidden = unseen & ~held[walk, own]
    fraction = _next_word(here, stream)
    n = popcount(hidden)
    card = nth_bit(hidden, st.below(fraction, n))
    fraction = st.rest(fraction, n)
    one = _holder(here, walk, card)
    others = unseen & ~held[walk, one]
    n = popcount(others)
    other_card = nth_bit(others, st.below(fraction, n))
    two = _holder(here, walk, other_card)
    if view.may_hold[one] & other_card == 0:
        return
    if two != own and view.may_hold[two] & card == 0:
        return
    # One bit more with half the chance, two with a quarter, …: zeros that a random number begins
    # with.
    spare = MOST_BITS - 1 - last_index(st.below(st.rest(fraction, n), 1 << MOST_BITS) | 1)
    swap = card | other_card
    limit = bits[walk, one] + bits[walk, two] + spare
    first = cost_of(here.past, one, held[walk, one] ^ swap, limit, settings)
    if first > limit:
        return
    second = np.int64(0)
    if two != own:
        second = cost_of(here.past, two, held[walk, two] ^ swap, limit - first, settings)
        if first + second > limit:
            return
    held[walk, one] ^= swap
    held[walk, two] ^= swap
    here.moved[walk] = 1
    bits[walk, one] = first
    bits[walk, two] = second
    cost = bits[walk, 0] + bits[walk, 1] + bits[walk, 2] + bits[walk, 3]
    here.least = min(here.least, cost)


@kernel
def next_world(belief, turn, view, stream, settings, hands):
    """Write the others' hands of the next world.

    Answers how much it counts, and what lies with the rest.
    """
    here = belief.here[0]
    if here.mode == ALL:
        i = belief.listed[1, turn]
        rest = worlds.fill_world(here.space, i, hands)
        return np.int64(1) << (MOST_BITS - belief.listed[0, i]), rest
    if here.mode == EVENLY:
        number = worlds.draw_number(_next_word(here, stream), here.total)
        return np.int64(1), worlds.fill_world(here.space, number, hands)
    walk = turn % N_WALKS
    if turn >= N_WALKS:
        here.moved[walk] = 0
        for _ in range(settings.steps):
            _step(here, walk, view, stream, settings)
    for seat in range(N_SEATS):
        hands[seat] = here.held[walk, seat]
    return np.int64(1), hands[view.turn]


@leaf
def takes_all(belief):
    """Whether the worlds are all there are, each with its weight."""
    return belief.here[0].mode == ALL


@leaf
def is_repeated(belief, turn):
    """Whether the world of this turn is that of `N_WALKS` turns before, where its walk stayed."""
    here = belief.here[0]
    staying = here.mode == WALKING and here.moved[turn % N_WALKS] == 0
    return turn >= N_WALKS and staying


@leaf
def are_foreseen(belief, settings):
    """Whether the others do what is foreseen of them: some world met so far explains all of it."""
    here = belief.here[0]
    return here.n_past >= settings.evidence and here.least < settings.doubt
