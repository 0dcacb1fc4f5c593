"""Perfect play of four with all cards known: how many of the tricks left one seat can force.

The seat plays against the three others together (paranoid), for as many tricks as it can or for as
few. As in `open_two`, a state between tricks is the cards played and who leads, and the search asks
whether the seat gets at least so many. `facts` int64 [16] is the deal, `store` the table.
"""

from __future__ import annotations

import numpy as np

from jokersim.cards import JOKER_PLAY
from jokersim.kernels import trick
from jokersim.kernels.bits import first_bit, first_index, last_bit, popcount
from jokersim.kernels.jit import entry, kernel, leaf
from jokersim.kernels.open_two import UNKNOWN, beating, distinct, slot_of
from jokersim.kernels.state import N_SEATS

# Facts of a deal: trump and rules, the seat, 1 if it plays for many tricks and 0 for few, by seat
# the cards that were not played at the start, nodes visited and allowed.
TRUMP = 0
MUST_TRUMP = 1
JOKER_BEATS_CUT = 2
SEAT = 3
FOR_MANY = 4
WHOLE = 5
NODES = 9
MAX_NODES = 10
N_FACTS = 16

_KEY = (1 << 38) - 1
_LEAST = 38
_MOST = 43
_COUNT = 31


@leaf
def _not_played(facts, played):
    cards = np.int64(0)
    for seat in range(N_SEATS):
        cards |= facts[WHOLE + seat]
    return cards & ~played


@kernel
def _sure(facts, played):
    """Tricks that the seat takes at least when it leads: while nobody else has a joker."""
    own = facts[WHOLE + facts[SEAT]] & ~played
    others = _not_played(facts, played) & ~own
    if others & trick.JOKERS:
        return np.int64(0)
    sure = popcount(own & trick.JOKERS)
    trump = facts[TRUMP]
    ruffs = (others & trick.MASKS[trump]) != 0
    for suit in range(4):
        if ruffs and suit != trump:
            continue
        mine = own & trick.MASKS[suit]
        top = last_bit(others & trick.MASKS[suit])
        sure += popcount(mine & -(top << 1)) if top else popcount(mine)
    return sure


@kernel
def _tried(
    facts, store, played, laid, leader, position, led, high, row, winner, best, left, need, play
):  # fmt: skip
    """Whether the seat gets `need` of the `left` tricks once this play is laid down."""
    seat = (leader + position) & 3
    bit = trick.card_of_play(play, facts[WHOLE + seat] & ~played)
    if position == 0:
        led = trick.led_suit(play)
        high = trick.led_high(play)
        row = trick.strength_row(facts[JOKER_BEATS_CUT], facts[TRUMP], led, high)
        winner = seat
        best = trick.strength(row, play)
    else:
        strength = trick.strength(row, play)
        if strength >= best:
            winner = seat
            best = strength
    played |= bit
    if position == N_SEATS - 1:
        return can_force(
            facts, store, played, winner, left - 1, need - np.int64(winner == facts[SEAT])
        )
    return can_force_on(
        facts, store, played, laid | bit, leader, position + 1, led, high, row, winner, best,
        left, need,
    )  # fmt: skip


@kernel
def can_force_on(
    facts, store, played, laid, leader, position, led, high, row, winner, best, left, need
):
    """As `can_force`, from within a trick: `laid` are its cards so far."""
    seat = (leader + position) & 3
    cards = facts[WHOLE + seat] & ~played
    if position == 0:
        legal = cards & trick.PLAIN
    else:
        duty = trick.duty_mask(facts[MUST_TRUMP], facts[TRUMP], high)
        legal = trick.follow_mask(cards, trick.MASKS[led], duty, high)
    # One play decides for the side whose turn it is, if it gives the answer that this side wants.
    wants = np.int64((seat == facts[SEAT]) == (facts[FOR_MANY] == 1))
    rest = distinct(legal, cards, _not_played(facts, played) | laid)
    winners = rest if position == 0 else beating(rest, row, best)
    rest &= ~winners
    while winners | rest:
        if winners:
            bit = last_bit(winners) if position == 0 else first_bit(winners)
            winners ^= bit
        else:
            bit = first_bit(rest)
            rest ^= bit
        good = _tried(
            facts, store, played, laid, leader, position, led, high, row, winner, best,
            left, need, first_index(bit),
        )  # fmt: skip
        if good == UNKNOWN or good == wants:
            return good
    if cards & trick.JOKERS:
        base = 0 if position == 0 else trick.REPLY_BASE
        n = trick.LED_DECLARATIONS if position == 0 else trick.REPLIED_DECLARATIONS
        for i in range(n):
            good = _tried(
                facts, store, played, laid, leader, position, led, high, row, winner, best,
                left, need, np.int64(JOKER_PLAY + base + n - 1 - i),
            )  # fmt: skip
            if good == UNKNOWN or good == wants:
                return good
    return 1 - wants


@kernel
def can_force(facts, store, played, leader, left, need):
    """Whether the seat gets at least `need` of the `left` tricks: 1, 0, or UNKNOWN."""
    if need <= 0:
        return np.int64(1)
    if need > left:
        return np.int64(0)
    if facts[FOR_MANY] == 1 and leader == facts[SEAT] and _sure(facts, played) >= need:
        return np.int64(1)
    facts[NODES] += 1
    if facts[NODES] > facts[MAX_NODES]:
        return np.int64(UNKNOWN)
    key = played * 4 + leader
    slot = slot_of(key, len(store))
    kept = store[slot]
    least = np.int64(0)
    most = left
    if kept & _KEY == key:
        least = kept >> _LEAST & _COUNT
        most = kept >> _MOST & _COUNT
        if least >= need:
            return np.int64(1)
        if most < need:
            return np.int64(0)
    zero = np.int64(0)
    good = can_force_on(
        facts, store, played, zero, leader, zero, zero, zero, zero, leader, zero, left, need
    )
    if good != UNKNOWN:
        if good:
            least = need
        else:
            most = need - 1
        store[slot] = key | least << _LEAST | most << _MOST
    return good


@entry
def bound_tricks(
    facts, store, played, laid, leader, position, led, high, row, winner, best, left, bounds
):
    """Narrow `bounds` int64 [2], the least and most of the `left` tricks that the seat gets.

    From within a trick, `laid` its cards so far; its state is that of a view. Answers 1 once the
    bounds meet, 0 where the nodes do not suffice.
    """
    while bounds[0] < bounds[1]:
        need = (bounds[0] + bounds[1] + 1) >> 1
        good = can_force_on(
            facts, store, played, laid, leader, position, led, high, row, winner, best, left, need
        )
        if good == UNKNOWN:
            return 0
        if good:
            bounds[0] = need
        else:
            bounds[1] = need - 1
    return 1
