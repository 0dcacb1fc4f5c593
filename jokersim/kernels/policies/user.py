"""A user's policy, asked by address.

Its number, where kernels know a policy by number, is the address of a *row* of int64: the addresses
of its functions by kind of decision, room for the list of legal choices, and what went wrong if
something did. So kernels are compiled once for all users' policies, seats may be mixed, and a row
serves one thread at a time.

A function that raises, or answers no index into the list, spoils the row: it is not asked again,
the first legal choice is taken from there on, and whoever owns the row asks `failed` and drops the
games. Nothing is raised here.
"""

from __future__ import annotations

import numpy as np

from jokersim.cards import JOKER_PLAY
from jokersim.kernels import observed, trick
from jokersim.kernels.bits import first_index, popcount
from jokersim.kernels.jit import JIT_DISABLED, kernel, leaf
from jokersim.kernels.policies import native
from jokersim.kernels.state import MAX_SIZE
from jokersim.kernels.streams import KEY

FIRST = 1 << 16
"""Numbers from here on are addresses of rows, those below are built-in policies."""

# Places in a row; the first five hold functions by `view.kind`.
IN_PYTHON = 5
"""1 if the functions have the C convention of `observed.call_python`, 0 if they are compiled,
`native.NATIVE` if they are not a user's."""
STATUS = 6
ANSWER = 7
DEAL = 8
SEAT = 9
KIND = 10
N_LEGAL = 11
CHOICES = 12
N_COLUMNS = CHOICES + 64

# Values of STATUS.
FINE = 0
NO_INDEX = 1
RAISED = 2

RAISED_IN_PYTHON = -(1 << 63)
"""Answer of a Python function that raised, or gave no whole number."""

if JIT_DISABLED:
    ROWS: dict[int, tuple[np.ndarray, dict]] = {}
    """By address, rows and their functions (view, legal, stream) -> index by kind of decision."""

    def peek(row, place):
        """Read a place of a row."""
        return ROWS[row][0][place]

    def poke(row, place, value):
        """Write a place of a row."""
        ROWS[row][0][place] = value

    def call(row, view, n, streams, seat):
        """Ask: the answer, and 1 if an exception was raised."""
        cells, functions = ROWS[row]
        legal = cells[CHOICES : CHOICES + n]
        answer = functions[int(view.kind)](view, legal, streams[seat])
        return np.int64(answer), np.int64(answer == RAISED_IN_PYTHON)

else:
    peek = observed.peek
    poke = observed.poke

    @leaf
    def call(row, view, n, streams, seat):
        """Ask: the answer, and 1 if an exception was raised."""
        function = peek(row, view.kind)
        choices = row + 8 * CHOICES
        if peek(row, IN_PYTHON):
            answer = observed.call_python(function, view, choices, n, streams, seat)
            return answer, np.int64(answer == RAISED_IN_PYTHON)
        return observed.call_compiled(function, view, choices, n, streams, seat)


@leaf
def is_native(row):
    """Whether a row is that of a policy of the package's own, see `policies.native`."""
    return peek(row, IN_PYTHON) >= native.NATIVE


@leaf
def ask(row, view, n, streams):
    """Ask for one of the n choices that are listed; the first of them if the policy has failed."""
    if peek(row, STATUS) == FINE:
        index, raised = call(row, view, n, streams, view.seat)
        if raised == 0 and index >= 0 and index < n:
            return peek(row, CHOICES + index)
        poke(row, STATUS, RAISED if raised else NO_INDEX)
        poke(row, ANSWER, index)
        poke(row, DEAL, view.deal)
        poke(row, SEAT, view.seat)
        poke(row, KIND, view.kind)
        poke(row, N_LEGAL, n)
    return peek(row, CHOICES)


@leaf
def list_bits(row, mask):
    """List the indices of a mask's bits, upward: how many."""
    n = np.int64(0)
    while mask:
        poke(row, CHOICES + n, first_index(mask))
        mask &= mask - 1
        n += 1
    return n


@kernel
def trump(row, view, streams):
    """Name trump."""
    if is_native(row):
        return native.ask(row, view, np.int64(0b11111), streams[view.seat, KEY])
    return ask(row, view, list_bits(row, np.int64(0b11111)), streams)


@kernel
def mask_choice(row, view, legal, streams):
    """Choose a bid, or a davi action, of the mask `legal`."""
    if is_native(row):
        return native.ask(row, view, legal, streams[view.seat, KEY])
    return ask(row, view, list_bits(row, legal), streams)


@kernel
def play(row, view, legal, jokers, base, declarations, streams):
    """Play at a table of four: one of the plain cards, or a declaration if there are jokers.

    Not for rows of `policies.native`, which are asked without any streams.
    """
    # A fixed number of steps costs less than a loop whose end the processor cannot guess; what is
    # written beyond the n choices is never shown.
    n = popcount(legal)
    for i in range(MAX_SIZE):
        poke(row, CHOICES + i, first_index(legal))
        legal &= legal - 1
    if jokers:
        for i in range(declarations):
            poke(row, CHOICES + n, JOKER_PLAY + base + i)
            n += 1
    return ask(row, view, n, streams)


@kernel
def placed_play(row, view, legal, places, base, n, streams):
    """Play at a table of two: the n legal plays as `trick.placed_play` lists them."""
    if is_native(row):
        return native.ask(row, view, legal, streams[view.seat, KEY])
    listed = list_bits(row, legal)
    for i in range(listed, n):
        poke(row, CHOICES + i, trick.placed_play(legal, places, base, i))
    return ask(row, view, n, streams)


@leaf
def failed(policies):
    """Whether a policy of any seat has failed."""
    for seat in range(len(policies)):
        if policies[seat] >= FIRST and peek(policies[seat], STATUS) != FINE:
            return True
    return False
