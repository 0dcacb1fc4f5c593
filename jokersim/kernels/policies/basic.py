"""The policy `basic` at a table of four: rules of thumb for trump, bid and play.

A bid is the sum of what each card is worth at that hand size, in 64ths of a trick. Play is driven
by need, the bid less the tricks taken, weighed against what the cards left are worth once those
played are counted. Sees the view of its seat alone; draws nothing; integers only.
"""

from __future__ import annotations

import numpy as np

from jokersim.cards import JOKER_PLAY, NO_TRUMP
from jokersim.kernels import trick
from jokersim.kernels.bits import either, first_bit, first_index, last_bit, last_index, popcount
from jokersim.kernels.jit import kernel, leaf

PLAIN = trick.PLAIN
MASKS = trick.MASKS
JOKERS = trick.JOKERS


def _lanes(rank_mask: int) -> np.int64:
    """Repeat a mask of ranks over the four suits."""
    return np.int64(sum(rank_mask << (9 * suit) for suit in range(4)))


_NOT_TOP_1 = _lanes(0xFF)
_NOT_TOP_2 = _lanes(0x7F)
_NOT_TOP_4 = _lanes(0x1F)
_NOT_TOP_8 = _lanes(0x01)
_RANK = _lanes(1)
ACES = _lanes(0x100)

_LOW_REPLY = np.int64(JOKER_PLAY + 8)
_HIGH_REPLY = np.int64(JOKER_PLAY + 9)
_LEAD_LOW = np.int64(JOKER_PLAY)
_LEAD_HIGH = np.int64(JOKER_PLAY + 4)


# Worth of a card in 64ths of a trick, by kind (0 of the trump suit, 1 of another suit, 2 at no
# trump), row (the hand size; 0: a single card that does not lead) and rank: a linear fit of the
# tricks that this policy takes at a table of its own kind, rounded.
_WEIGHTS = np.array(
    (
        (
            (12, 14, 17, 20, 24, 26, 30, 35, 39),
            (-5, -3, 0, 3, 8, 9, 13, 17, 21),
            (13, 16, 19, 22, 25, 30, 34, 38, 41),
            (18, 22, 24, 27, 30, 36, 40, 43, 48),
            (22, 25, 28, 31, 35, 40, 44, 47, 51),
            (22, 28, 30, 33, 38, 43, 47, 51, 55),
            (22, 28, 31, 35, 40, 45, 50, 53, 58),
            (21, 28, 32, 36, 41, 47, 53, 57, 61),
            (20, 28, 32, 38, 44, 50, 55, 60, 64),
            (17, 25, 30, 36, 43, 51, 59, 64, 69),
        ),
        (
            (-17, -16, -16, -15, -14, -13, -12, -11, -10),
            (-24, -23, -21, -19, -17, -15, -13, -10, -9),
            (-15, -14, -13, -12, -11, -9, -8, -6, -1),
            (-11, -11, -10, -9, -7, -6, -4, 0, 5),
            (-8, -8, -8, -7, -5, -4, -1, 4, 11),
            (-7, -7, -6, -6, -4, -2, 1, 6, 15),
            (-6, -6, -5, -5, -4, -2, 1, 8, 18),
            (-5, -6, -5, -5, -4, -2, 1, 8, 22),
            (-5, -6, -5, -5, -4, -4, 0, 9, 26),
            (-5, -6, -6, -6, -5, -5, -1, 9, 29),
        ),
        (
            (-18, -17, -16, -15, -13, -11, -9, -7, -4),
            (-5, -2, 1, 4, 8, 14, 18, 22, 26),
            (-18, -16, -11, -8, -4, 0, 2, 5, 23),
            (-16, -14, -10, -6, -1, 3, 9, 13, 33),
            (-15, -12, -8, -5, 0, 6, 12, 20, 42),
            (-12, -11, -8, -4, 0, 6, 15, 27, 48),
            (-10, -9, -7, -4, 0, 6, 18, 32, 51),
            (-10, -9, -7, -4, 0, 6, 20, 35, 54),
            (-9, -9, -7, -4, 0, 6, 21, 38, 57),
            (-9, -9, -7, -4, 0, 6, 21, 38, 57),
        ),
    )
)
# The same of a joker, by kind (1 at no trump) and row; what a place in the order of bids adds, by
# row and distance from the dealer's left.
_JOKER = np.array(
    ((36, 2, 46, 49, 53, 57, 59, 60, 61, 62), (31, 32, 67, 77, 78, 75, 73, 74, 73, 73))
)
_PLACE = np.array(
    (
        (0, 17, 17, 15),
        (32, 0, 0, 0),
        (34, 27, 28, 29),
        (35, 28, 30, 32),
        (31, 26, 29, 32),
        (26, 23, 27, 30),
        (21, 20, 25, 29),
        (17, 19, 23, 27),
        (15, 17, 21, 26),
        (9, 10, 13, 18),
    )
)

HOLDINGS = np.ascontiguousarray(
    (_WEIGHTS @ ((np.arange(512)[:, None] >> np.arange(9)) & 1).T).astype(np.int16)
)
"""Worth of all cards of a suit: [kind][row][mask of ranks]."""

# A bid rounds down up to this fraction: a trick short costs more than a trick over.
_ROUNDING = np.int64(24)


@leaf
def _fill_down(cards):
    """Set in every suit all ranks up to the highest card of `cards` in it."""
    cards |= (cards >> 1) & _NOT_TOP_1
    cards |= (cards >> 2) & _NOT_TOP_2
    cards |= (cards >> 4) & _NOT_TOP_4
    return cards | ((cards >> 8) & _NOT_TOP_8)


@leaf
def _of_rank(cards, ranks):
    """Card of `cards` (as a mask) of the one rank in `ranks`; of several the lowest id."""
    return first_bit(cards & (ranks * _RANK))


@leaf
def _ranks(cards):
    """Ranks that occur in any suit."""
    return (cards | (cards >> 9) | (cards >> 18) | (cards >> 27)) & 0x1FF


@leaf
def _highest(cards):
    """Card of the highest rank, whatever its suit, as a mask."""
    return _of_rank(cards, last_bit(_ranks(cards)))


@leaf
def _lowest(cards):
    """Card of the lowest rank, whatever its suit, as a mask."""
    return _of_rank(cards, first_bit(_ranks(cards)))


@leaf
def worth(hand, row, trump):
    """Worth of a hand's cards in 64ths of a trick."""
    plain = hand & PLAIN
    suited = np.int64(1 + (trump == NO_TRUMP))
    total = popcount(hand & JOKERS) * _JOKER[np.uint64(suited - 1), np.uint64(row)]
    for suit in range(4):
        kind = np.int64(0) if trump == suit else suited
        lane = (plain >> (9 * suit)) & 0x1FF
        total += np.int64(HOLDINGS[np.uint64(kind), np.uint64(row), np.uint64(lane)])
    return total


@kernel
def trump(view, rows):
    """Name the suit that makes the three cards seen worth most."""
    best = np.int64(NO_TRUMP)
    most = worth(view.hand, 9, best)
    for suit in range(4):
        value = worth(view.hand, 9, suit)
        if value > most:
            most = value
            best = np.int64(suit)
    return best


@kernel
def bid(view, legal, rows):
    """Bid the worth of the hand, rounded; where the hook bars that number, the nearest other."""
    size = view.size
    place = (view.seat - view.dealer - 1) & 3
    row = size if size > 1 or place == 0 else np.int64(0)
    estimate = worth(view.hand, row, view.trump) + _PLACE[np.uint64(row), np.uint64(place)]
    rounded = estimate + _ROUNDING
    number = min(max(rounded >> 6, 0), size)
    if legal >> number & 1:
        return number
    if number == 0:
        return number + 1
    if number == size:
        return number - 1
    # A sure winner cannot be thrown away: barred from 1, it is better worth 2 than a pass.
    sure = (view.hand & JOKERS) | (view.hand & MASKS[view.trump] & ACES)
    if (rounded & 63) >= 32 or (number == 1 and sure):
        return number + 1
    return number - 1


@leaf
def _beating(strength, trump, led):
    """Plain cards that beat a play of this strength in a trick of that led suit."""
    trumps = -(np.int64(1) << (9 * (trump & 3) + max(strength - 21, 0)))
    suited = -(np.int64(1) << (9 * led + min(max(strength - 1, 0), 9)))
    plain_stands = np.int64((strength < 22) & (led != trump))
    return (MASKS[np.uint64(trump)] & trumps) | either(
        plain_stands, MASKS[np.uint64(led)] & suited, 0
    )


@kernel
def play(view, legal, rows):
    """Play by need: a bid already lost is played on as if every trick were needed."""
    seat = view.seat
    hand = view.hand
    trump = view.trump
    plain = hand & PLAIN
    jokers = popcount(hand & JOKERS)
    left = view.size - view.trick
    need = view.bids[seat] - view.taken[seat]
    if need < 0 or need > left:
        need = left
    winners = np.int64(0)
    if view.position > 0:
        winners = legal & _beating(view.strength, trump, view.led)
        if need == 0:
            return _lose(legal & ~winners, winners, jokers, view.position)
    may_hold = view.may_hold
    held = may_hold[(seat + 1) & 3] | may_hold[(seat + 2) & 3] | may_hold[(seat + 3) & 3]
    others = held & ~(view.played | hand) & PLAIN
    trumps = MASKS[np.uint64(trump)]
    covered = _fill_down(others)
    if view.position == 0:
        return _lead(plain, jokers, trumps, trump, others, covered, need, left)
    return _reply(view, legal, winners, plain, jokers, trumps, others, covered, need, left)


@leaf
def _covered_twice(others, covered):
    """Cards below two of the others' in their suit; `covered` are those below one or on it."""
    tops = covered & ~((covered >> 1) & _NOT_TOP_1)
    return _fill_down(others & ~tops)


@leaf
def _strong(plain, trumps, covered, covered_twice):
    """What the plain cards left are worth, in 16ths of a trick."""
    boss = plain & ~covered
    second = plain & covered & ~covered_twice
    strong = 16 * popcount(boss & trumps)
    strong += 12 * popcount(boss & ~trumps)
    strong += 11 * popcount(second & trumps)
    strong += 6 * popcount(second & ~trumps)
    return strong + 6 * popcount(plain & trumps & covered_twice)


@leaf
def _lead(plain, jokers, trumps, trump, others, covered, need, left):
    """Lead: low from others' suits to lose, from the top to win all, else cash and keep trumps."""
    boss = plain & ~covered
    if need == 0:
        losers = plain & covered & ~trumps
        if losers:
            return first_index(_lowest(losers))
        losers = plain & covered
        if losers:
            return first_index(_lowest(losers))
        if jokers:
            return _LEAD_LOW + _longest(others & ~trumps)
        return first_index(_lowest(plain))
    if need == left:
        if boss & trumps:
            return last_index(boss & trumps)
        if jokers and plain & trumps:
            return _LEAD_HIGH + trump
        if boss:
            return last_index(boss)
        if jokers:
            return _LEAD_HIGH + _longest(plain)
        if plain & trumps:
            return last_index(plain & trumps)
        return last_index(_highest(plain))
    cash = boss & ~trumps
    if cash:
        strong = _strong(plain, trumps, covered, _covered_twice(others, covered))
        if 16 * (need - jokers) > strong - 24:
            return last_index(cash)
    losers = plain & ~boss & ~trumps
    if losers:
        return first_index(_lowest(losers))
    losers = plain & ~boss
    if losers:
        return first_index(losers)
    if plain:
        return first_index(plain)
    return _LEAD_HIGH + _longest(others)


@leaf
def _longest(cards):
    """Suit of which `cards` holds most."""
    best = np.int64(0)
    most = popcount(cards & MASKS[0])
    for suit in range(1, 4):
        n = popcount(cards & MASKS[suit])
        if n > most:
            most = n
            best = np.int64(suit)
    return best


@leaf
def _lose(losers, winners, jokers, position):
    """Reply with the highest card that loses, else as low as can be, or high where it is last."""
    if losers:
        return first_index(_highest(losers))
    if jokers:
        return _LOW_REPLY
    if position == 3:
        return last_index(winners)
    return first_index(winners)


@leaf
def _reply(view, legal, winners, plain, jokers, trumps, others, covered, need, left):
    """Reply where a trick is needed: lose if the rest is worth enough, else win as cheaply."""
    losers = legal & ~winners
    boss = plain & ~covered
    covered_twice = _covered_twice(others, covered)
    # Second: one card of the others stands above it.
    second = plain & covered & ~covered_twice
    strong = _strong(plain, trumps, covered, covered_twice)
    if need < left and strong >= 16 * need + 8:
        return _lose(losers, winners, jokers, view.position)
    if winners:
        if view.position == 3:
            return first_index(winners)
        if winners & boss:
            return first_index(winners & boss)
        if jokers and need == left:
            return _HIGH_REPLY
        if winners & second:
            return first_index(winners & second)
        if losers:
            return first_index(_lowest(losers))
        return first_index(winners)
    if jokers and (need == left or 16 * need > strong + 16 * jokers):
        return _HIGH_REPLY
    if losers & ~boss & ~second:
        return first_index(_lowest(losers & ~boss & ~second))
    if losers:
        return first_index(_lowest(losers))
    return _LOW_REPLY
