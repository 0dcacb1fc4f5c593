"""The policy `basic` for two players: rules of thumb over what is gone and what lies open.

Every card has a *worth*, in hundredths of a trick: what it may be expected to take later, by how
many higher cards of its suit are still out against it, and whether it is trump. A play is judged by
the trick it takes now, less the worth it spends, plus the worth that the other must spend on it.
The chance that a lead takes comes from the open cards of the other, seen, and from his hand,
unseen: a card that is neither seen nor gone lies there as likely as any other that his play has not
excluded. Everything is integers: chances in 1024ths.
"""

from __future__ import annotations

from math import comb

import numpy as np

from jokersim.cards import NO_TRUMP
from jokersim.kernels import trick
from jokersim.kernels.bits import first_bit, first_index, last_bit, popcount
from jokersim.kernels.dealing import DECK
from jokersim.kernels.jit import kernel, leaf

ONE = 1024
TRICK = 100

# Columns of WEIGHTS, what `basic` believes; measured by letting it play itself with others.
LEAD_GAIN = 0
JOKER_WORTH = 1
JOKER_FEAR = 2
HIDDEN_WORTH = 3
TRUMP_LENGTH = 4
TRUMP_RANK = 5
NT_BASE = 6
NT_RANK = 7
NT_JOKER = 8
TURN_UP = 9
VOID = 10
PLAIN_WORTH = 11
"""From here by the number of higher cards out, 0..8."""
TRUMP_WORTH = 20

WEIGHTS = np.array(
    [
        *(9, 132, 228, 54, 93, 9, 94, 8, 26, 9, 5),
        *(44, 26, 17, 12, 11, 8, 7, 1, 7),
        *(81, 72, 69, 62, 62, 61, 66, 57, 22),
    ],
    dtype=np.int64,
)


def _none_of() -> np.ndarray:
    """Tabulate [cards unseen][of these in hand][wanted]: the chance that none wanted is in hand."""
    table = np.zeros((19, 9, 10), dtype=np.int64)
    for unseen, held, wanted in np.ndindex(table.shape):
        if held > unseen or wanted > unseen:
            continue
        table[unseen, held, wanted] = ONE * comb(unseen - wanted, held) // comb(unseen, held)
    return table


NONE_OF = _none_of()


@leaf
def above(bit, suit):
    """Higher cards of a suit than one of it, as a mask."""
    return trick.MASKS[suit] & -(bit << 1)


@leaf
def worth(card, bit, out, trump, weights):
    """Worth of a plain card while the cards `out` are out against it."""
    suit = card // 9
    higher = popcount(out & above(bit, suit))
    return weights[(TRUMP_WORTH if suit == trump else PLAIN_WORTH) + higher]


@leaf
def side_gain(view, bit, card, weights):
    """What a card brings by leaving: its place turns up another, its suit may be cut."""
    gain = np.int64(0)
    seat = view.seat
    if view.open[seat] & bit:
        gain += weights[TURN_UP]
    suit = trick.MASKS[card // 9]
    trumps = trick.MASKS[view.trump]
    mine = view.hand | view.open[seat]
    if suit != trumps and mine & trumps and not mine & suit & ~bit:
        gain += weights[VOID]
    return gain


@kernel
def trump_with(view, weights):
    """Name the suit in which the packet is longest and highest, or no trump for high cards."""
    packet = view.hand
    best = np.int64(NO_TRUMP)
    n_jokers = popcount(packet & trick.JOKERS)
    ranks = np.int64(0)
    score = np.int64(-1)
    for suit in range(4):
        cards = packet & trick.MASKS[suit]
        length = np.int64(0)
        high = np.int64(0)
        while cards:
            high += first_index(cards) - 9 * suit
            length += 1
            cards &= cards - 1
        ranks += high
        here = weights[TRUMP_LENGTH] * length + weights[TRUMP_RANK] * high
        if here > score:
            score = here
            best = np.int64(suit)
    without = weights[NT_BASE] + weights[NT_RANK] * ranks + weights[NT_JOKER] * n_jokers
    return np.int64(NO_TRUMP) if without > score else best


@kernel
def reply(view, legal, places, weights):
    """Take the trick as cheaply as is worth it, else throw the card of least worth."""
    seat = view.seat
    out = DECK & ~(view.hand | view.open[seat] | view.played)
    best = np.int64(-1)
    score = np.int64(-(1 << 40))
    cards = legal
    while cards:
        card = first_index(cards)
        bit = cards & -cards
        cards ^= bit
        here = side_gain(view, bit, card, weights)
        here -= worth(card, bit, out, view.trump, weights)
        if trick.strength(view.row, card) >= view.strength:
            here += TRICK + weights[LEAD_GAIN]
        if here > score:
            score = here
            best = card
    if places and TRICK + weights[LEAD_GAIN] - weights[JOKER_WORTH] > score:
        best = trick.placed_play(np.int64(0), places, trick.REPLIED_HIGH_BASE, 0)
    return best


@kernel
def lead(view, legal, places, weights):
    """Lead the card, or the joker and suit, that promises most."""
    seat = view.seat
    other = 1 - seat
    known = view.hand | view.open[seat] | view.played
    theirs = view.open[other] & trick.PLAIN
    out = DECK & ~known
    unseen = out & ~view.open[other] & view.may_hold[other]
    odds = NONE_OF[popcount(unseen), view.n_hand[other]]
    trumps = trick.MASKS[view.trump]
    no_trump_in_hand = odds[popcount(unseen & trumps)]
    cuts = np.int64(ONE) if theirs & trumps else ONE - no_trump_in_hand
    # A joker of the other in sight is feared fully, unseen ones by the chance that he holds one.
    in_hand = ONE - odds[popcount(unseen & trick.JOKERS)]
    joker = np.int64(ONE) if view.open[other] & trick.JOKERS else in_hand
    safe = ONE - joker * weights[JOKER_FEAR] // ONE
    against = DECK & ~view.played
    best = np.int64(-1)
    score = np.int64(-(1 << 40))
    for suit in range(4):
        suit_mask = trick.MASKS[suit]
        cards = legal & suit_mask
        if not cards and not places:
            continue
        in_sight = theirs & suit_mask
        hidden = unseen & suit_mask
        cut = np.int64(0)
        if not in_sight and suit != view.trump:
            cut = odds[popcount(hidden)] * cuts // ONE
        while cards:
            bit = cards & -cards
            cards ^= bit
            card = first_index(bit)
            higher = above(bit, suit)
            spent = np.int64(0)
            beats = in_sight & higher
            if beats:
                takes = np.int64(0)
                cover = first_bit(beats)
                spent = worth(first_index(cover), cover, against & ~beats, view.trump, weights)
            else:
                takes = (odds[popcount(hidden & higher)] - cut) * safe // ONE
                spent = weights[HIDDEN_WORTH]
            here = (
                takes * (TRICK + weights[LEAD_GAIN])
                + (ONE - takes) * spent
                + ONE * side_gain(view, bit, card, weights)
                - ONE * worth(card, bit, out, view.trump, weights)
            )
            if here > score:
                score = here
                best = card
        if places:
            takes = (ONE - cut) * safe // ONE
            pulled = ONE - odds[popcount(hidden)]
            spent = pulled * weights[HIDDEN_WORTH] // ONE
            if in_sight:
                top = last_bit(in_sight)
                spent = worth(first_index(top), top, against & ~theirs, view.trump, weights)
            here = takes * (TRICK + weights[LEAD_GAIN] + spent) - ONE * weights[JOKER_WORTH]
            if here > score:
                score = here
                at = trick.placed_play(np.int64(0), places, trick.LED_HIGH_BASE, 0)
                best = at + suit
    return best


@leaf
def play_with(view, legal, places, weights):
    """Lead or reply by some weights."""
    if view.position == 0:
        return lead(view, legal, places, weights)
    return reply(view, legal, places, weights)


@kernel
def trump(view, streams):
    """Name trump, seeing the packet of three."""
    return trump_with(view, WEIGHTS)


@kernel
def play(view, legal, places, streams):
    """Choose one of the legal plain cards, or a joker from one of its places."""
    return play_with(view, legal, places, WEIGHTS)
