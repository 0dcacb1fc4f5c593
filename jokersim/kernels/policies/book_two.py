"""The policy `book` at a table of two: every choice by what self-play has shown it to come to.

A choice's worth is a sum of entries of one table, see `book_two_index`; the best is taken. Davi is
answered by the chance to win the party, as `basic` does, but with the difference of pairs to come
that the cards in reach have come to in self-play. Sees the view of its seat alone; draws nothing;
integers only.
"""

from __future__ import annotations

import numpy as np

from jokersim.kernels import party, trick
from jokersim.kernels.bits import first_index
from jokersim.kernels.jit import entry, kernel, leaf
from jokersim.kernels.policies import stakes
from jokersim.kernels.policies.book_two_index import (
    BOOK_TWO,
    MOST_IN_REACH,
    N_ENTRIES,
    call_entries,
    look,
    play_entries,
    reach,
)
from jokersim.kernels.policies.native import record_at
from jokersim.kernels.state import N_PAIRS


@leaf
def worth(entries, data):
    """Sum of a choice's entries."""
    total = np.int64(0)
    for k in range(N_ENTRIES):
        total += np.int64(data.values[entries[k]])
    return total


@kernel
def trump(view, data):
    """Name the trump of the highest worth."""
    best = np.int64(0)
    most = np.int64(-(1 << 60))
    for call in range(5):
        value = worth(call_entries(view.hand, call), data)
        if value > most:
            most = value
            best = np.int64(call)
    return best


@kernel
def play(view, legal, data):
    """Choose the play of the highest worth; `legal` are the plain cards among them."""
    cards = party.usable_cards(view, view.hand)
    places = party.joker_places(view, view.hand, cards)
    base = party.play_base(view)
    n = party.n_plays(view, legal, places)
    if n == 1:
        return trick.placed_play(legal, places, base, 0)
    sight = look(view)
    best = np.int64(-1)
    most = np.int64(-(1 << 60))
    left = legal
    for i in range(n):
        if left:
            choice = first_index(left)
            left &= left - 1
        else:
            choice = trick.placed_play(legal, places, base, i)
        value = worth(play_entries(view, sight, legal, choice), data)
        if value > most:
            most = value
            best = choice
    return best


@kernel
def margin(view, data):
    """Expected difference of the pairs to come, before a lead, in 1024ths."""
    entries = np.empty(MOST_IN_REACH, np.int64)
    ends = np.empty(3, np.int64)
    n_hidden = reach(view, entries, ends)
    total = np.int64(0)
    for i in range(ends[1]):
        total += np.int64(data.margins[entries[i]])
    hidden = np.int64(0)
    for i in range(ends[1], ends[2]):
        hidden += np.int64(data.margins[entries[i]])
    if n_hidden:
        total += hidden * view.n_hand[1 - view.seat] // n_hidden
    return total


@kernel
def davi(view, legal, data):
    """Choose a davi action of the mask `legal`."""
    level = stakes.level_of(margin(view, data), N_PAIRS - view.trick)
    return stakes.action_at(view, legal, stakes.chance_at(view, level), stakes.LIMITS)


_book_at = record_at(BOOK_TWO)


@entry
def trump_by(view, legal, book):
    """`trump` as `policies.native` calls it: `book` is the address of the tables."""
    return trump(view, _book_at(book))


@entry
def play_by(view, legal, book):
    """`play` as `policies.native` calls it."""
    return play(view, legal, _book_at(book))


@entry
def davi_by(view, legal, book):
    """`davi` as `policies.native` calls it."""
    return davi(view, legal, _book_at(book))
