"""Rollouts: a deal of four played to its end by one quiet policy at all seats (see `game`).

The same deals as `game.finish_deal` plays. Of the view only that is kept up which the package's own
policies look at, besides the tricks taken: not who leads, nor the cards one by one.
"""

from __future__ import annotations

import numpy as np

from jokersim.kernels import deal as table
from jokersim.kernels import game as games
from jokersim.kernels import trick
from jokersim.kernels.bits import first_index
from jokersim.kernels.jit import kernel, leaf
from jokersim.kernels.state import BID, N_SEATS

NO_KEY = np.uint64(0)
"""Key of a stream from which nobody draws."""


@leaf
def _play_last(view, hands, leader):
    """Play the last trick, where nobody holds a joker: there is nothing to choose."""
    play = first_index(hands[leader])
    row = trick.strength_row(view.joker_beats_cut, view.trump, trick.led_suit(play), 0)
    best = trick.ranked(row, play, 0)
    for position in range(1, N_SEATS):
        play = first_index(hands[(leader + position) & 3])
        best = max(best, trick.ranked(row, play, position))
    view.taken[(leader + trick.position_of(best)) & 3] += 1


@leaf
def _holds_jokers(hands):
    """Whether anybody holds a joker."""
    return (hands[0] | hands[1] | hands[2] | hands[3]) & trick.JOKERS != 0


@kernel
def _finish_tricks(view, hands, policy):
    """Play what is left of a deal, from any card of any trick on; hands are not kept up."""
    number = view.trick
    leader = view.leader
    position = view.position
    led_mask = trick.MASKS[view.led] if position else np.int64(0)
    high = view.high
    duty = trick.duty_mask(view.must_trump, view.trump, high)
    winner = view.winner
    best = view.strength
    last = view.size - 1
    while number < last or (number == last and (position > 0 or _holds_jokers(hands))):
        while position < N_SEATS:
            seat = (leader + position) & 3
            cards = hands[seat]
            legal = cards & trick.PLAIN
            if position > 0:
                legal = trick.follow_mask(cards, led_mask, duty, high)
            play, bit = games.quiet_play(view, cards, legal, policy, NO_KEY, seat)
            hands[seat] = cards ^ bit
            if position == 0:
                led = trick.led_suit(play)
                high = trick.led_high(play)
                led_mask = trick.MASKS[led]
                duty = trick.duty_mask(view.must_trump, view.trump, high)
                view.led = led
                view.row = trick.strength_row(view.joker_beats_cut, view.trump, led, high)
                winner = seat
                best = trick.strength(view.row, play)
            else:
                strength = trick.strength(view.row, play)
                winner = seat if strength >= best else winner
                best = max(strength, best)
                table.note_shown(view, seat, play, led_mask, duty, high)
            position += 1
            view.played |= bit
            view.position = position
            view.strength = best
        view.taken[winner] += 1
        number += 1
        leader = winner
        position = 0
        view.trick = number
        view.position = 0
    if number == last:
        _play_last(view, hands, leader)


@leaf
def finish_deal(view, hands, policy):
    """Bid and play what is left of a deal whose trump is named."""
    while view.kind == BID:
        table.make_bid(view, games.quiet_bid(view, hands[view.turn], policy, NO_KEY))
    _finish_tricks(view, hands, policy)
