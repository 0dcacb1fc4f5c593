"""A deal of four where every seat plays at random: the shortcut that most bulk runs take.

Nobody looks at the view there, so only bids and tricks taken are written to it and the rest stays
in registers: about half the time of `game.finish_deal`, with the same draws and the same results.
"""

from __future__ import annotations

import numpy as np

from jokersim.kernels import deal as table
from jokersim.kernels import trick
from jokersim.kernels.jit import kernel
from jokersim.kernels.policies import chance
from jokersim.kernels.state import N_SEATS, NO_DECISION


@kernel
def random_bids(view, streams):
    """Make the four bids of a deal."""
    said = np.int64(0)
    for order in range(N_SEATS):
        seat = (view.leader + order) & 3
        hooked = view.hook if order == N_SEATS - 1 else np.int64(0)
        bid = chance.bid(table.bid_mask(view.size, hooked, said), streams, seat)
        view.bids[seat] = bid
        said += bid


@kernel
def finish_random_deal(view, hands, streams):
    """Bid and play a deal whose trump is named and in which nothing was said or played yet."""
    random_bids(view, streams)
    trump = view.trump
    must_trump = view.must_trump
    joker_beats_cut = view.joker_beats_cut
    leader = view.leader
    for _ in range(view.size):
        cards = hands[leader]
        legal = cards & trick.PLAIN
        play, bit = chance.play(legal, cards, 0, trick.LED_DECLARATIONS, streams, leader)
        hands[leader] = cards ^ bit
        led = trick.led_suit(play)
        high = trick.led_high(play)
        row = trick.strength_row(joker_beats_cut, trump, led, high)
        led_mask = trick.MASKS[led]
        duty = trick.duty_mask(must_trump, trump, high)
        best = trick.strength(row, play)
        winner = leader
        for position in range(1, N_SEATS):
            seat = (leader + position) & 3
            cards = hands[seat]
            legal = trick.follow_mask(cards, led_mask, duty, high)
            play, bit = chance.play(
                legal, cards, trick.REPLY_BASE, trick.REPLIED_DECLARATIONS, streams, seat
            )
            hands[seat] = cards ^ bit
            strength = trick.strength(row, play)
            takes = strength >= best
            winner = seat if takes else winner
            best = strength if takes else best
        view.taken[winner] += 1
        leader = winner
    view.kind = NO_DECISION
