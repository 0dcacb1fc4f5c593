"""Deals that somebody gives, in place of those of a seed: their arrays, and how they are laid out.

Cards are as dealing leaves them: masks for hands, ids for single cards. A run without given deals
passes arrays of no game, and is dealt by its seed.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from jokersim.kernels.jit import leaf
from jokersim.kernels.state import N_PLACES, N_PLAYERS, N_SEATS


class GivenFour(NamedTuple):
    """Deals of games of four, int64; a game gives all deals of its schedule."""

    first: np.ndarray
    """First dealer, [games]"""
    hands: np.ndarray
    """Masks, [games, deals, 4]"""
    turned: np.ndarray
    """Ids, -1 at nine cards, [games, deals]"""
    packet: np.ndarray
    """What the chooser sees at nine cards, a mask, else 0, [games, deals]"""


class GivenTwo(NamedTuple):
    """Deals of parties of two, int64; those of game i are the rows begin[i] … begin[i + 1] - 1."""

    first: np.ndarray
    """First declarer, [games]"""
    begin: np.ndarray
    """[games + 1]"""
    declarer: np.ndarray
    """Where the rules draw him, else -1, [deals]"""
    hands: np.ndarray
    """Masks, [deals, 2]"""
    packets: np.ndarray
    """By seat, what it sees if it names trump, masks, [deals, 2]"""
    up: np.ndarray
    """Ids, [deals, 2, 5]"""
    down: np.ndarray
    """Ids, [deals, 2, 5]"""


@leaf
def lay_four(hands, given, i, deal):
    """Lay out a given deal of four: the turned card's id, and what the chooser sees."""
    for seat in range(N_SEATS):
        hands[seat] = given.hands[i, deal, seat]
    return given.turned[i, deal], given.packet[i, deal]


@leaf
def lay_two(hands, up, down, given, row):
    """Lay out a given deal of two."""
    for seat in range(N_PLAYERS):
        hands[seat] = given.hands[row, seat]
        for place in range(N_PLACES):
            up[seat, place] = given.up[row, seat, place]
            down[seat, place] = given.down[row, seat, place]


def no_four() -> GivenFour:
    """Answer no given deals of four."""
    none = np.empty(0, np.int64)
    return GivenFour(none, none.reshape(0, 0, 4), none.reshape(0, 0), none.reshape(0, 0))


def no_two() -> GivenTwo:
    """Answer no given deals of two."""
    none = np.empty(0, np.int64)
    cards = none.reshape(0, 2, 5)
    return GivenTwo(
        none, np.zeros(1, np.int64), none, none.reshape(0, 2), none.reshape(0, 2), cards, cards
    )
