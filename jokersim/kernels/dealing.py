"""Dealing: which cards go where, as a function of (seed, game, deal).

Hands are dealt as uniformly random subsets: a random mask of about the right size is repaired to the exact
one by adding or removing uniformly chosen cards, which stays uniform over subsets of that size by symmetry
and costs a few draws where a shuffle costs one a card. On a fair shuffle the order "one card at a time from
the dealer's left" makes no difference, so seats simply get their subsets in order.
"""

from __future__ import annotations

import numpy as np

from jokersim.cards import N_CARDS
from jokersim.kernels import streams
from jokersim.kernels.bits import first_index, nth_bit, popcount
from jokersim.kernels.jit import kernel, leaf
from jokersim.kernels.state import N_PLACES

DECK = np.int64((1 << N_CARDS) - 1)
ACES = np.int64(sum(1 << (9 * suit + 8) for suit in range(4)))

_REPAIRS_A_WORD = 6


@leaf
def resize(picked, mask, size, key, k):
    """Make a random subset of `mask` into a uniform one of `size` cards, with words k, k + 1, … of `key`.

    `picked` must be as likely as every other subset of its own size. Answers the subset and the next k.
    """
    fraction = streams.word(key, k)
    k += 1
    left = _REPAIRS_A_WORD
    n = popcount(picked)
    others = popcount(mask) - n
    while n != size:
        if left == 0:
            fraction = streams.word(key, k)
            k += 1
            left = _REPAIRS_A_WORD
        left -= 1
        if n > size:
            picked ^= nth_bit(picked, streams.below(fraction, n))
            fraction = streams.rest(fraction, n)
            n -= 1
            others += 1
        else:
            picked |= nth_bit(mask & ~picked, streams.below(fraction, others))
            fraction = streams.rest(fraction, others)
            n += 1
            others -= 1
    return picked, k


@leaf
def subset(mask, size, eighths, key, k):
    """Draw a uniform subset of `size` cards of `mask`; `eighths` / 8 (1..4) should be near its share."""
    a = np.int64(streams.word(key, k) >> np.uint64(1))
    if eighths == 4:
        return resize(a & mask, mask, size, key, k + 1)
    b = np.int64(streams.word(key, k + 1) >> np.uint64(1))
    if eighths == 2:
        return resize(a & b & mask, mask, size, key, k + 2)
    c = np.int64(streams.word(key, k + 2) >> np.uint64(1))
    picked = (a | b) & c if eighths == 3 else a & b & c
    return resize(picked & mask, mask, size, key, k + 3)


@leaf
def halves(mask, size, key, k):
    """Split a mask of 2 * size cards into two uniform halves."""
    one, k = subset(mask, size, 4, key, k)
    return one, mask ^ one, k


# The cards dealt out of 35, hand size 1..8: drawn as such or, past the half, as those left over.
_SHARE_IN_EIGHTHS = np.array([0, 1, 2, 3, 4, 3, 3, 2, 1], dtype=np.int64)


@kernel
def deal_four(hands, seed, game, deal, size):
    """Deal `size` cards to each of four hands; answer the turned card's id, -1 at nine cards."""
    key, _ = streams.philox(seed, game, deal, streams.DEALING)
    turned = np.int64(-1)
    k = 1
    if size == 9:
        dealt = DECK
    else:
        bit = nth_bit(DECK, streams.below(streams.word(key, k), N_CARDS))
        k += 1
        turned = first_index(bit)
        unseen = DECK ^ bit
        share = _SHARE_IN_EIGHTHS[size]
        if size <= 4:
            dealt, k = subset(unseen, 4 * size, share, key, k)
        else:
            left_over, k = subset(unseen, 35 - 4 * size, share, key, k)
            dealt = unseen ^ left_over
    one, two, k = halves(dealt, 2 * size, key, k)
    hands[0], hands[1], k = halves(one, size, key, k)
    hands[2], hands[3], k = halves(two, size, key, k)
    return turned


@kernel
def packet(hand, seed, game, deal):
    """First three cards that the trump chooser saw of his hand: uniform, from a stream of its own."""
    key, _ = streams.philox(seed, game, deal, streams.PACKET)
    three, _ = subset(hand, 3, 3, key, 1)
    return three


@kernel
def first_dealer(seed, game, rule):
    """Seat of the first dealer by the rule set's number: a seat, DEALER_RANDOM or DEALER_ACE_DRAW."""
    if rule >= 0:
        return np.int64(rule)
    key, _ = streams.philox(seed, game, 0, streams.FIRST_DEALER)
    if rule == -1:
        return streams.below(streams.word(key, 1), 4)
    # Cards are turned one at a time from seat 0 until an ace falls.
    deck = DECK
    seat = np.int64(0)
    for turned in range(N_CARDS):
        bit = nth_bit(deck, streams.below(streams.word(key, 1 + turned), N_CARDS - turned))
        if bit & ACES:
            break
        deck ^= bit
        seat = (seat + 1) & 3
    return seat


@kernel
def deal_two(hands, up, down, seed, game, deal):
    """Deal to two: `hands` [2] masks of eight cards, `up` and `down` [2, 5] card ids by seat and place.

    The twenty table cards are drawn one by one, since it matters which lies on which; five draws share a
    word. The hands are the two halves of the rest.
    """
    key, _ = streams.philox(seed, game, deal, streams.DEALING)
    deck = DECK
    left = np.int64(N_CARDS)
    for pile in range(4):
        cards = up[pile & 1] if pile < 2 else down[pile & 1]
        fraction = streams.word(key, pile + 1)
        for place in range(N_PLACES):
            bit = nth_bit(deck, streams.below(fraction, left))
            fraction = streams.rest(fraction, left)
            left -= 1
            deck ^= bit
            cards[place] = first_index(bit)
    hands[0], hands[1], _ = halves(deck, 8, key, 5)


@kernel
def drawn_declarer(seed, game, deal):
    """Declarer drawn at random for a deal: of the first one always, of later ones where the rules say so."""
    key, _ = streams.philox(seed, game, deal, streams.DECLARER)
    return streams.below(streams.word(key, 1), 2)


@kernel
def fails(seed, game, deal, failure):
    """Whether the party is aborted before this deal; `failure` is the chance in units of 2^-53."""
    if failure == 0:
        return False
    key, _ = streams.philox(seed, game, deal, streams.FAILURE)
    return streams.below(streams.word(key, 1), np.int64(1) << 53) < failure
