"""The policy `random`: uniform over the entries of the list of legal choices, for every decision.

A joker's declarations are separate entries; two jokers in one hand give each declaration once.
"""

from __future__ import annotations

from jokersim.kernels import streams, trick
from jokersim.kernels.bits import first_index, nth_bit, popcount
from jokersim.kernels.jit import leaf


@leaf
def trump(rows, row):
    """Name one of the four suits or no trump."""
    return streams.few(rows, row, 5)


@leaf
def bid(legal, rows, row):
    """Bid one of the legal numbers of the mask `legal`."""
    return first_index(nth_bit(legal, streams.few(rows, row, popcount(legal))))


@leaf
def play(legal, cards, base, declarations, rows, row):
    """Play a legal plain card or a joker's declaration: the play and its card as a mask."""
    jokers = cards & trick.JOKERS
    index = streams.few(rows, row, trick.n_choices(legal, jokers, declarations))
    bit = trick.chosen_bit(legal, jokers, index)
    return trick.chosen_play(legal, bit, index, base), bit


@leaf
def davi(legal, rows, row):
    """Take one of the davi actions of the mask `legal`."""
    return first_index(nth_bit(legal, streams.few(rows, row, popcount(legal))))


@leaf
def placed_play(legal, places, base, declarations, rows, row):
    """Play of two: a legal plain card, or a declaration of a joker from one of its places."""
    n = popcount(legal) + declarations * popcount(places)
    return trick.placed_play(legal, places, base, streams.few(rows, row, n))
