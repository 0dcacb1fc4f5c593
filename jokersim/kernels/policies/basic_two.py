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

SHIFT = 10
ONE = 1 << SHIFT
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


@leaf
def fear_of_jokers(view, unseen, odds, weights):
    """Chance that a good lead is safe from the other's jokers: one in sight is feared fully."""
    other = 1 - view.seat
    in_hand = ONE - odds[popcount(unseen & trick.JOKERS)]
    joker = np.int64(ONE) if view.open[other] & trick.JOKERS else in_hand
    return ONE - (joker * weights[JOKER_FEAR] >> SHIFT)


@kernel
def lead(view, legal, places, weights):
    """Lead the card, or the joker and suit, that promises most."""
    seat = view.seat
    other = 1 - seat
    mine = view.hand | view.open[seat]
    against = DECK & ~view.played
    out = against & ~mine
    theirs = view.open[other] & trick.PLAIN
    unseen = out & ~view.open[other] & view.may_hold[other]
    odds = NONE_OF[popcount(unseen), view.n_hand[other]]
    safe = fear_of_jokers(view, unseen, odds, weights)
    trumps = trick.MASKS[view.trump]
    cuts = np.int64(ONE) if theirs & trumps else ONE - odds[popcount(unseen & trumps)]
    gain = TRICK + weights[LEAD_GAIN]
    turns_up = view.open[seat]
    best = np.int64(-1)
    score = np.int64(-(1 << 40))
    for suit in range(4):
        suit_mask = trick.MASKS[suit]
        cards = legal & suit_mask
        in_sight = theirs & suit_mask
        hidden = unseen & suit_mask
        is_trump = suit == view.trump
        worths = TRUMP_WORTH if is_trump else PLAIN_WORTH
        cut = np.int64(0)
        if not in_sight and not is_trump:
            cut = odds[popcount(hidden)] * cuts >> SHIFT
        side = np.int64(0)
        if not is_trump and mine & trumps and popcount(mine & suit_mask) == 1:
            side = weights[VOID]
        while cards:
            bit = cards & -cards
            cards ^= bit
            higher = suit_mask & -(bit << 1)
            # Seen above it, his lowest such card takes; else a hidden one, a ruff or a joker may.
            beats = in_sight & higher
            cover = suit_mask & -(first_bit(beats) << 1)
            spent = weights[worths + popcount(against & ~beats & cover)]
            takes = (odds[popcount(hidden & higher)] - cut) * safe >> SHIFT
            takes = np.int64(0) if beats else takes
            spent = spent if beats else weights[HIDDEN_WORTH]
            left = side - weights[worths + popcount(out & higher)]
            left += weights[TURN_UP] * np.int64(turns_up & bit != 0)
            here = takes * gain + (ONE - takes) * spent + ONE * left
            better = here > score
            score = here if better else score
            best = first_index(bit) if better else best
        if places:
            here = joker_lead(view, suit_mask, worths, in_sight, hidden, odds, against, weights)
            takes = (ONE - cut) * safe >> SHIFT
            here = takes * (gain + here) - ONE * weights[JOKER_WORTH]
            if here > score:
                score = here
                best = suit + trick.placed_play(np.int64(0), places, trick.LED_HIGH_BASE, 0)
    return best


@leaf
def joker_lead(view, suit_mask, worths, in_sight, hidden, odds, against, weights):
    """Worth that a led joker pulls from the other: his highest card of the suit that it names."""
    top = last_bit(in_sight)
    higher = suit_mask & -(top << 1)
    pulled = weights[worths + popcount(against & ~view.open[1 - view.seat] & higher)]
    unknown = (ONE - odds[popcount(hidden)]) * weights[HIDDEN_WORTH] >> SHIFT
    return pulled if in_sight else unknown


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
