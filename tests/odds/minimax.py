"""Plain minimax over the very steps that a game is played with: no bounds, no table, no pruning.

It calls itself, so it is compiled anew by each process: such code cannot be kept on disk.
"""

from __future__ import annotations

import numpy as np

from jokersim.kernels import deal, party, trick
from jokersim.kernels.jit import exposed, kernel
from jokersim.kernels.state import NO_DECISION


@kernel
def two_value(views, hands, downs, depth):
    """Difference of pairs, seat 0's less seat 1's, at the end of the deal; memory a row a depth."""
    view = views[depth]
    if view.kind == NO_DECISION:
        return view.pairs[0] - view.pairs[1]
    seat = view.turn
    hand = hands[depth, seat]
    cards = party.usable_cards(view, hand)
    plain = party.legal_cards(view, cards)
    places = party.joker_places(view, hand, cards)
    best = np.int64(99)
    for index in range(party.n_plays(view, plain, places)):
        play = trick.placed_play(plain, places, party.play_base(view), index)
        views[depth + 1] = view
        for s in range(2):
            hands[depth + 1, s] = hands[depth, s]
            for place in range(5):
                downs[depth + 1, s, place] = downs[depth, s, place]
        bit = party.card_of_play(view, hand, play)
        party.make_play(views[depth + 1], hands[depth + 1], downs[depth + 1], play, bit)
        value = two_value(views, hands, downs, depth + 1)
        if best == 99 or (value > best if seat == 0 else value < best):
            best = value
    return best


@exposed
@kernel
def value_of_two(views, hands, downs):
    return two_value(views, hands, downs, 0)


@kernel
def four_value(views, hands, depth, hero, many):
    """Tricks of `hero` at the end of the deal, who plays for many or for few against all others."""
    view = views[depth]
    if view.kind == NO_DECISION:
        return view.taken[hero]
    seat = view.turn
    cards = hands[depth, seat]
    plain = deal.legal_cards(view, cards)
    leads = view.position == 0
    base = 0 if leads else trick.REPLY_BASE
    each = trick.LED_DECLARATIONS if leads else trick.REPLIED_DECLARATIONS
    best = np.int64(-1)
    for index in range(trick.n_choices(plain, cards & trick.JOKERS, each)):
        bit = trick.chosen_bit(plain, cards & trick.JOKERS, index)
        play = trick.chosen_play(plain, bit, index, base)
        views[depth + 1] = view
        for s in range(4):
            hands[depth + 1, s] = hands[depth, s]
        deal.make_play(views[depth + 1], hands[depth + 1], play, bit)
        value = four_value(views, hands, depth + 1, hero, many)
        if best == -1 or (value > best if (seat == hero) == many else value < best):
            best = value
    return best


@exposed
@kernel
def value_of_four(views, hands, hero, many):
    return four_value(views, hands, 0, hero, many)
