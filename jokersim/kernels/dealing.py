"""Dealing: which cards go where, as a function of (seed, game, deal).

Hands are dealt as uniformly random subsets, each in a few table look-ups and without a branch that
the processor could guess wrong: a subset of k out of m cards is drawn as how many cards it has in
each dozen of them (by Walker's alias method, from exact weights) and, dozen by dozen, as one of the
masks with that many bits. On a fair shuffle the order "one card at a time from the dealer's left"
makes no difference, so seats simply get their subsets in order. Chances are off by less than 2^-32.
"""

from __future__ import annotations

from itertools import product
from math import comb

import numpy as np

from jokersim.cards import N_CARDS
from jokersim.kernels import streams
from jokersim.kernels.bits import deposit, first_index, nth_bit, popcount
from jokersim.kernels.jit import kernel, leaf
from jokersim.kernels.state import N_PLACES

DECK = np.int64((1 << N_CARDS) - 1)
ACES = np.int64(sum(1 << (9 * suit + 8) for suit in range(4)))

_DOZEN = 12
_N_DOZENS = 3
_ONE = 1 << 64


def _masks_by_count() -> tuple[np.ndarray, np.ndarray]:
    """List the masks of a dozen bits by number of bits, then upward; and where each number begins.

    Masks within the first s bits come first among those of their number, so the same list serves
    parts of fewer than twelve cards.
    """
    masks = sorted(range(1 << _DOZEN), key=lambda mask: (mask.bit_count(), mask))
    begins = np.cumsum([0] + [comb(_DOZEN, n) for n in range(_DOZEN)])
    return np.array(masks, dtype=np.int64), begins.astype(np.int64)


def _splits(m: int, k: int) -> list[tuple[tuple[int, ...], int]]:
    """List how k of m cards can lie in the dozens, each way with its number of subsets.

    A way is, dozen by dozen, how many masks it may be given, and where they begin in the list.
    """
    sizes = [min(_DOZEN, max(0, m - _DOZEN * i)) for i in range(_N_DOZENS)]
    begins = BEGIN_OF_COUNT.tolist()
    masks = [[(comb(size, n), begins[n]) for n in range(size + 1)] for size in sizes]
    ways = []
    for first, second in product(*(range(min(size, k) + 1) for size in sizes[:-1])):
        third = k - first - second
        if 0 <= third <= sizes[-1]:
            way = (*masks[0][first], *masks[1][second], *masks[2][third])
            ways.append((way, way[0] * way[2] * way[4]))
    return ways


def _alias(weights: list[int]) -> list[tuple[int, int]]:
    """Build Walker's table: for each entry the 64-bit chance to stay, and where else to go."""
    # Shares of an even chance, in 1 / whole: fractions would take twice as long to import.
    whole = sum(weights)
    share = [weight * len(weights) for weight in weights]
    table = [(_ONE - 1, i) for i in range(len(weights))]
    small = [i for i, s in enumerate(share) if s < whole]
    large = [i for i, s in enumerate(share) if s >= whole]
    while small and large:
        low, high = small.pop(), large.pop()
        table[low] = (share[low] * _ONE // whole, high)
        share[high] -= whole - share[low]
        (small if share[high] < whole else large).append(high)
    return table


def _tables() -> tuple[np.ndarray, ...]:
    """Build the alias tables of every (m, k) that is drawn, one after the other."""
    wanted = {(35, 4 * n) for n in range(1, 9)}
    wanted |= {(4 * n, 2 * n) for n in range(1, 10)} | {(2 * n, n) for n in range(1, 10)}
    wanted |= {(9, 3), (8, 3)}
    # In odds of a bid or a call, the hands of the three others from what one seat has not seen.
    unseen = [(35 - n, n) for n in range(1, 9)] + [(27, 9), (33, 9)]
    wanted |= {(m - n * others, n) for m, n in unseen for others in range(3)}
    begin = np.zeros((N_CARDS + 1, N_CARDS + 1), dtype=np.uint16)
    length = np.zeros_like(begin)
    stay: list[int] = []
    rows: list[tuple[int, ...]] = []
    for m, k in sorted(wanted):
        ways = _splits(m, k)
        begin[m, k], length[m, k] = len(stay), len(ways)
        alias = _alias([weight for _, weight in ways])
        for (own, _), (chance, other) in zip(ways, alias, strict=True):
            stay.append(chance)
            rows.append(own + ways[other][0])
    return begin, length, np.array(stay, dtype=np.uint64), np.array(rows, dtype=np.uint16)


MASKS_BY_COUNT, BEGIN_OF_COUNT = _masks_by_count()
# Small, to stay in the fastest memory, and without a sign, to index each other as they are.
_SMALL_MASKS = MASKS_BY_COUNT.astype(np.uint16)
ALIAS_BEGIN, ALIAS_LENGTH, ALIAS_STAY, ALIAS_PARTS = _tables()


@leaf
def _part(entry, column, fraction):
    """Draw the cards of a dozen with a fraction; what is left of it comes too."""
    ways = ALIAS_PARTS[entry, column]
    place = ALIAS_PARTS[entry, column + 1] + streams.below(fraction, ways)
    return np.int64(_SMALL_MASKS[np.uint64(place)]), streams.rest(fraction, ways)


@leaf
def subset(mask, m, k, key, at):
    """Draw k of the m cards of `mask`, with the words `at` and `at` + 1 of the stream of `key`."""
    fraction = streams.word(key, at)
    n_splits = ALIAS_LENGTH[m, k]
    entry = np.uint64(ALIAS_BEGIN[m, k] + streams.below(fraction, n_splits))
    goes = np.int64(streams.rest(fraction, n_splits) > ALIAS_STAY[entry])
    column = goes * (2 * _N_DOZENS)
    fraction = streams.word(key, at + 1)
    picked, fraction = _part(entry, column, fraction)
    if m > _DOZEN:
        second, fraction = _part(entry, column + 2, fraction)
        picked |= second << _DOZEN
    if m > 2 * _DOZEN:
        third, fraction = _part(entry, column + 4, fraction)
        picked |= third << (2 * _DOZEN)
    return deposit(picked, mask)


@leaf
def four_hands(key, size):
    """Draw four hands from the stream of `key`; the turned card's id (-1 at nine cards) first."""
    turned = np.int64(-1)
    dealt = DECK
    if size < 9:
        turned = streams.below(streams.word(key, 1), N_CARDS)
        dealt = subset(DECK ^ (np.int64(1) << turned), 35, 4 * size, key, 2)
    one = subset(dealt, 4 * size, 2 * size, key, 4)
    two = dealt ^ one
    first = subset(one, 2 * size, size, key, 6)
    third = subset(two, 2 * size, size, key, 8)
    return turned, first, one ^ first, third, two ^ third


@kernel
def deal_four(hands, seed, game, deal, size):
    """Deal `size` cards to each of four hands; answer the turned card's id, -1 at nine cards."""
    key, _ = streams.philox(seed, game, deal, streams.DEALING)
    turned, hands[0], hands[1], hands[2], hands[3] = four_hands(key, size)
    return turned


@kernel
def packet(hand, seed, game, deal):
    """First three cards that the trump chooser saw of his hand of nine (two players: eight).

    Uniform, from a stream of its own.
    """
    key, _ = streams.philox(seed, game, deal, streams.PACKET)
    return subset(hand, popcount(hand), 3, key, 1)


@kernel
def first_dealer(seed, game, rule):
    """Seat of the first dealer; `rule` is a seat, DEALER_RANDOM or DEALER_ACE_DRAW."""
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


@leaf
def next_card(deck, left, fraction):
    """Draw one of the `left` cards of `deck`, as a mask; what is left of the fraction comes too."""
    return nth_bit(deck, streams.below(fraction, left)), streams.rest(fraction, left)


@kernel
def deal_two(hands, up, down, seed, game, deal):
    """Deal to two: `hands` [2] masks of eight cards, `up` and `down` [2, 5] card ids by place.

    The twenty table cards are drawn one by one, since it matters which lies on which; five draws
    share a word. The hands are the two halves of the rest.
    """
    key, _ = streams.philox(seed, game, deal, streams.DEALING)
    deck = DECK
    left = np.int64(N_CARDS)
    for pile in range(4):
        cards = up[pile & 1] if pile < 2 else down[pile & 1]
        fraction = streams.word(key, pile + 1)
        for place in range(N_PLACES):
            bit, fraction = next_card(deck, left, fraction)
            left -= 1
            deck ^= bit
            cards[place] = first_index(bit)
    hands[0] = subset(deck, 16, 8, key, 5)
    hands[1] = deck ^ hands[0]


@kernel
def drawn_declarer(seed, game, deal):
    """Declarer drawn at random: of the first deal always, of later ones where the rules say so."""
    key, _ = streams.philox(seed, game, deal, streams.DECLARER)
    return streams.below(streams.word(key, 1), 2)


@kernel
def fails(seed, game, deal, failure):
    """Whether the party is aborted before this deal; `failure` is the chance in units of 2^-53."""
    if failure == 0:
        return False
    key, _ = streams.philox(seed, game, deal, streams.FAILURE)
    return streams.below(streams.word(key, 1), np.int64(1) << 53) < failure
