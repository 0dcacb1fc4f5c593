"""The policy `basic` at a table of four: rules of thumb for trump, bid and play.

A bid is the sum of what each card is worth at that hand size, in 64ths of a trick. Play is driven by
need, the bid less the tricks taken, weighed against what the cards left are worth once those played are
counted. Sees the view of its seat alone; draws nothing; integers only.
"""

from __future__ import annotations

import numpy as np

from jokersim.cards import JOKER_PLAY, NO_TRUMP
from jokersim.kernels import trick
from jokersim.kernels.bits import first_bit, first_index, last_bit, last_index, popcount
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

_LOW_REPLY = np.int64(JOKER_PLAY + 8)
_HIGH_REPLY = np.int64(JOKER_PLAY + 9)
_LEAD_LOW = np.int64(JOKER_PLAY)
_LEAD_HIGH = np.int64(JOKER_PLAY + 4)


def _worth() -> np.ndarray:
    """Worth of a suit's holding in 64ths of a trick: [kind][hand size][mask of ranks].

    Kinds: 0 the trump suit, 1 a plain suit beside trumps, 2 a suit at no trump.
    """
    weights = np.zeros((3, 10, 9))
    for size in range(1, 10):
        for rank in range(9):
            weights[0, size, rank] = 64 * min(0.97, 0.25 + 0.09 * rank)
            weights[1, size, rank] = 64 * max(0, 0.75 - 0.3 * (8 - rank))
            weights[2, size, rank] = 64 * max(0, 0.8 - 0.25 * (8 - rank))
    holdings = (np.arange(512)[:, None] >> np.arange(9)) & 1
    return np.ascontiguousarray((weights @ holdings.T).astype(np.int16))


WORTH = _worth()
JOKER_WORTH = np.int64(60)
BID_OFFSET = np.int64(24)


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
    return _of_rank(cards, last_bit(_ranks(cards)))


@leaf
def _lowest(cards):
    return _of_rank(cards, first_bit(_ranks(cards)))


@leaf
def _suit_worth(kind, size, hand, suit):
    return np.int64(WORTH[kind, size, (hand >> (9 * suit)) & 0x1FF])


@leaf
def worth(hand, size, trump):
    """Worth of a hand in 64ths of a trick."""
    plain = hand & PLAIN
    total = JOKER_WORTH * popcount(hand & JOKERS)
    for suit in range(4):
        kind = np.int64(2) if trump == NO_TRUMP else np.int64(trump != suit)
        total += _suit_worth(kind, size, plain, suit)
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
    estimate = worth(view.hand, size, view.trump) + BID_OFFSET
    number = min(max(estimate >> 6, 0), size)
    if legal >> number & 1:
        return number
    if number == 0:
        return number + 1
    if number == size:
        return number - 1
    return number + (1 if (estimate & 63) >= 32 or number == 1 else -1)


@leaf
def _beating(strength, trump, led):
    """Plain cards that beat a play of this strength in a trick of that led suit."""
    trumps = MASKS[trump] & -(np.int64(1) << (9 * (trump & 3) + max(strength - 21, 0)))
    if strength >= 22 or led == trump:
        return trumps
    return trumps | (MASKS[led] & -(np.int64(1) << (9 * led + min(max(strength - 1, 0), 9))))


@kernel
def play(view, legal, rows):
    """Play by need."""
    seat = view.seat
    hand = view.hand
    trump = view.trump
    plain = hand & PLAIN
    jokers = popcount(hand & JOKERS)
    left = view.size - view.trick
    need = view.bids[seat] - view.taken[seat]
    if need < 0 or need > left:
        need = left
    may_hold = view.may_hold
    held = may_hold[(seat + 1) & 3] | may_hold[(seat + 2) & 3] | may_hold[(seat + 3) & 3]
    others = held & ~(view.played | hand) & PLAIN
    trumps = MASKS[trump]
    covered = _fill_down(others)
    boss = plain & ~covered
    tops = covered & ~((covered >> 1) & _NOT_TOP_1)
    covered_twice = _fill_down(others & ~tops)
    second = plain & covered & ~covered_twice
    strong = 16 * popcount(boss & trumps)
    strong += 12 * popcount(boss & ~trumps)
    strong += 11 * popcount(second & trumps)
    strong += 6 * popcount(second & ~trumps)
    strong += 6 * popcount(plain & trumps & covered_twice)
    if view.position == 0:
        return _lead(plain, jokers, trumps, trump, others, boss, covered, need, left, strong)
    return _reply(view, legal, jokers, boss, second, need, left, strong)


@leaf
def _lead(plain, jokers, trumps, trump, others, boss, covered, need, left, strong):
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
        return last_index(_highest(plain))
    cash = boss & ~trumps
    if cash and 16 * (need - jokers) > strong - 24:
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
def _reply(view, legal, jokers, boss, second, need, left, strong):
    winners = legal & _beating(view.strength, view.trump, view.led)
    losers = legal & ~winners
    last = view.position == 3
    if need == 0 or (need < left and strong >= 16 * need + 8):
        if losers:
            return first_index(_highest(losers))
        if jokers:
            return _LOW_REPLY
        if last:
            return last_index(winners)
        return first_index(winners)
    if winners:
        if last:
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
    if jokers and (need == left or 16 * need > strong + 16 * (jokers-1)):
        return _HIGH_REPLY
    if losers & ~boss & ~second:
        return first_index(_lowest(losers & ~boss & ~second))
    if losers:
        return first_index(_lowest(losers))
    return _LOW_REPLY
