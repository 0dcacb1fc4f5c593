"""The quick way through a deal of two in which both play at random, without davi.

Must play exactly what `parties.finish_deal` plays: the same draws, the same results.
"""

from __future__ import annotations

import numpy as np

from jokersim.cards import JOKER_PLAY
from jokersim.kernels import streams as st
from jokersim.kernels import trick
from jokersim.kernels.bits import first_bit, first_index, nth_bit, popcount
from jokersim.kernels.jit import kernel, leaf
from jokersim.kernels.state import (
    N_PAIRS,
    N_PLACES,
    N_PLAYERS,
    NO_DECISION,
    OPEN_BOTH_FIRST_TRICK,
    OPEN_NONE,
)


@leaf
def random_card(legal, jokers, first_joker, apart, base, declarations, streams, seat):
    """A random play of two without its place, and its card; draws as `chance.placed_play` does.

    `apart` is 1 where two usable jokers would lie in different places, `first_joker` is then the
    one of the lower place.
    """
    n = popcount(legal)
    n_places = np.int64(jokers != 0) + (apart & np.int64(jokers == trick.JOKERS))
    index = st.few(streams, seat, n + declarations * n_places)
    bit = nth_bit(legal, index)
    if bit:
        return first_index(bit), bit
    index -= n
    bit = first_bit(jokers)
    if n_places == 2:
        bit = trick.JOKERS ^ first_joker if index & 1 else first_joker
        index >>= 1
    return JOKER_PLAY + base + index, bit


@leaf
def lay_out(view, hands, down, covers):
    """Fill `covers` by card id with the card (as a mask) under it, and tell how the jokers lie.

    Answers 1 if two jokers in one seat's reach are two entries of the list of plays, so not both in
    a hand, and the one whose place comes first (the hand, then places upward).
    """
    covers[:] = 0
    apart = np.int64(1)
    first_joker = np.int64(0)
    for seat in range(N_PLAYERS):
        if hands[seat] & trick.JOKERS:
            first_joker = hands[seat] & trick.JOKERS
            apart = np.int64(first_joker != trick.JOKERS)
    for seat in range(N_PLAYERS):
        for place in range(N_PLACES):
            card = view.up[seat, place]
            under = np.int64(1) << down[seat, place]
            covers[card] = under
            here = ((np.int64(1) << card) | under) & trick.JOKERS
            first_joker = first_joker if first_joker else here
    return apart, first_joker


@kernel
def finish_random_deal(view, hands, down, streams, covers):
    """As `finish_deal` where both play at random without davi, and no card is played yet.

    Nobody looks at the view there, so only the pairs are written to it and the rest stays in
    registers: what each seat can reach, a card's cover follows from `covers` without a search.
    Same draws, same results; a test pins it to the general path.
    """
    apart, first_joker = lay_out(view, hands, down, covers)
    trump = view.trump
    must_trump = view.must_trump
    leader = view.leader
    replier = 1 - leader
    # Table cards that the first lead, and the first reply, may not use.
    shut = view.open[leader] if view.table_open != OPEN_NONE else np.int64(0)
    shut_reply = view.open[replier] if view.table_open == OPEN_BOTH_FIRST_TRICK else np.int64(0)
    mine = hands[leader] | view.open[leader]
    theirs = hands[replier] | view.open[replier]
    pairs_of_1 = np.int64(0)
    for _ in range(N_PAIRS):
        cards = mine & ~shut
        play, bit = random_card(
            cards & trick.PLAIN,
            cards & trick.JOKERS,
            first_joker,
            apart,
            trick.LED_HIGH_BASE,
            trick.LED_HIGH_DECLARATIONS,
            streams,
            leader,
        )
        # What a card covered is in reach from the next trick on, and its own seat looks no sooner.
        mine = (mine ^ bit) | covers[first_index(bit)]
        led = trick.led_suit(play)
        high = trick.led_high(play)
        row = trick.strength_row(1, trump, led, high)
        best = trick.strength(row, play)
        cards = theirs & ~shut_reply
        duty = trick.duty_mask(must_trump, trump, high)
        legal = trick.follow_mask(cards, trick.MASKS[led], duty, high)
        play, bit = random_card(
            legal,
            cards & trick.JOKERS,
            first_joker,
            apart,
            trick.REPLIED_HIGH_BASE,
            trick.REPLIED_HIGH_DECLARATIONS,
            streams,
            1 - leader,
        )
        theirs = (theirs ^ bit) | covers[first_index(bit)]
        # Change sides by masks: who takes is a coin toss, which a branch would mispredict.
        takes = np.int64(trick.strength(row, play) >= best)
        change = (mine ^ theirs) & -takes
        mine ^= change
        theirs ^= change
        leader ^= takes
        pairs_of_1 += leader
        shut = np.int64(0)
        shut_reply = np.int64(0)
    view.pairs[0] = N_PAIRS - pairs_of_1
    view.pairs[1] = pairs_of_1
    view.trick = N_PAIRS
    view.kind = NO_DECISION
