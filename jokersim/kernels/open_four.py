"""Perfect play of four with all cards known: how many of the tricks left one seat can force.

The seat plays against the three others together (paranoid), for as many tricks as it can or for as
few. As in `open_two`, a state between tricks is the cards played and who leads, and the search asks
whether the seat gets at least so many. `facts` int64 [16] is the deal, `store` the table.
"""

from __future__ import annotations

import numpy as np

from jokersim.cards import JOKER_PLAY
from jokersim.kernels import trick
from jokersim.kernels.bits import first_index, last_bit, popcount
from jokersim.kernels.jit import entry, kernel, leaf
from jokersim.kernels.open_cards import PENDING, UNKNOWN, beating, distinct, slot_of
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


# Columns of a frame, one a play: the state, the answer that the side to play wants, the bounds
# known of it, and how far its plays are tried.
_PLAYED = 0
_LAID = 1
_LEADER = 2
_POSITION = 3
_LED = 4
_HIGH = 5
_ROW = 6
_WINNER = 7
_BEST = 8
_LEFT = 9
_NEED = 10
_WANTS = 11
_KNOWN_LEAST = 12
_KNOWN_MOST = 13
_N_PLAYS = 14
_PLAY_AT = 15
_KEYED = 16
_N_COLUMNS = 17

_MAX_CHOICES = 32
_MAX_PLAYS = 38


@kernel
def _list_plays(facts, frame, plays):
    """List the plays that are worth trying: what takes the trick, what does not, jokers."""
    position = frame[_POSITION]
    seat = (frame[_LEADER] + position) & 3
    cards = facts[WHOLE + seat] & ~frame[_PLAYED]
    if position == 0:
        legal = cards & trick.PLAIN
    else:
        duty = trick.duty_mask(facts[MUST_TRUMP], facts[TRUMP], frame[_HIGH])
        legal = trick.follow_mask(cards, trick.MASKS[frame[_LED]], duty, frame[_HIGH])
    # One play decides for the side whose turn it is, if it gives the answer that this side wants.
    frame[_WANTS] = (seat == facts[SEAT]) == (facts[FOR_MANY] == 1)
    # Cards of the trick still part what beats them from what does not.
    others = distinct(legal, cards, _not_played(facts, frame[_PLAYED]) | frame[_LAID])
    n = 0
    if position == 0:
        while others:
            bit = last_bit(others)
            others ^= bit
            plays[n] = first_index(bit)
            n += 1
    else:
        winners = beating(others, frame[_ROW], frame[_BEST])
        others ^= winners
        while winners:
            plays[n] = first_index(winners)
            winners &= winners - 1
            n += 1
        while others:
            plays[n] = first_index(others)
            others &= others - 1
            n += 1
    if cards & trick.JOKERS:
        base = 0 if position == 0 else trick.REPLY_BASE
        declarations = trick.LED_DECLARATIONS if position == 0 else trick.REPLIED_DECLARATIONS
        for i in range(declarations):
            plays[n] = JOKER_PLAY + base + declarations - 1 - i
            n += 1
    frame[_N_PLAYS] = n
    frame[_PLAY_AT] = 0


@kernel
def _enter(facts, store, frame, plays):
    """Begin a state: 1 or 0 where that is known already, UNKNOWN without nodes, else PENDING."""
    if frame[_KEYED]:
        need = frame[_NEED]
        left = frame[_LEFT]
        if need <= 0:
            return 1
        if need > left:
            return 0
        played = frame[_PLAYED]
        leader = frame[_LEADER]
        if facts[FOR_MANY] == 1 and leader == facts[SEAT] and _sure(facts, played) >= need:
            return 1
        facts[NODES] += 1
        if facts[NODES] > facts[MAX_NODES]:
            return UNKNOWN
        frame[_KNOWN_LEAST] = 0
        frame[_KNOWN_MOST] = left
        key = played * 4 + leader
        kept = store[slot_of(key, len(store))]
        if kept & _KEY == key:
            frame[_KNOWN_LEAST] = kept >> _LEAST & _COUNT
            frame[_KNOWN_MOST] = kept >> _MOST & _COUNT
            if frame[_KNOWN_LEAST] >= need:
                return 1
            if frame[_KNOWN_MOST] < need:
                return 0
    _list_plays(facts, frame, plays)
    return PENDING


@kernel
def _descend(facts, frame, child, play):
    """Lay a play down: the state after it."""
    position = frame[_POSITION]
    seat = (frame[_LEADER] + position) & 3
    bit = trick.card_of_play(play, facts[WHOLE + seat] & ~frame[_PLAYED])
    led = frame[_LED]
    high = frame[_HIGH]
    row = frame[_ROW]
    winner = frame[_WINNER]
    best = frame[_BEST]
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
    child[_PLAYED] = frame[_PLAYED] | bit
    child[_LEFT] = frame[_LEFT]
    child[_NEED] = frame[_NEED]
    child[_KEYED] = 0
    if position < N_SEATS - 1:
        child[_LAID] = frame[_LAID] | bit
        child[_LEADER] = frame[_LEADER]
        child[_POSITION] = position + 1
        child[_LED] = led
        child[_HIGH] = high
        child[_ROW] = row
        child[_WINNER] = winner
        child[_BEST] = best
        return
    child[_LAID] = 0
    child[_LEADER] = winner
    child[_POSITION] = 0
    child[_LEFT] -= 1
    child[_NEED] -= winner == facts[SEAT]
    child[_KEYED] = 1


@kernel
def _keep(store, frame, good):
    """Keep in the table what a state has shown."""
    least = frame[_NEED] if good else frame[_KNOWN_LEAST]
    most = frame[_KNOWN_MOST] if good else frame[_NEED] - 1
    key = frame[_PLAYED] * 4 + frame[_LEADER]
    store[slot_of(key, len(store))] = key | least << _LEAST | most << _MOST


@kernel
def _search(facts, store, frames, plays):
    """Whether the seat gets what frame 0, begun already, needs: 1, 0, or UNKNOWN."""
    at = 0
    found = PENDING
    while True:
        frame = frames[at]
        if found == PENDING:
            if frame[_PLAY_AT] < frame[_N_PLAYS]:
                _descend(facts, frame, frames[at + 1], plays[at, frame[_PLAY_AT]])
                found = _enter(facts, store, frames[at + 1], plays[at + 1])
                if found == PENDING:
                    at += 1
                    continue
                if found == UNKNOWN:
                    return UNKNOWN
        # The answer of the state after the present play.
        if found != PENDING and found != frame[_WANTS]:
            frame[_PLAY_AT] += 1
            found = PENDING
            if frame[_PLAY_AT] < frame[_N_PLAYS]:
                continue
        good = frame[_WANTS] if found == frame[_WANTS] else 1 - frame[_WANTS]
        if frame[_KEYED]:
            _keep(store, frame, good)
        if at == 0:
            return good
        at -= 1
        found = good


@entry
def bound_tricks(
    facts, store, played, laid, leader, position, led, high, row, winner, best, left, bounds
):
    """Narrow `bounds` int64 [2], the least and most of the `left` tricks that the seat gets.

    From within a trick, `laid` its cards so far; its state is that of a view. Answers 1 once the
    bounds meet, 0 where the nodes do not suffice.
    """
    frames = np.zeros((_MAX_PLAYS, _N_COLUMNS), np.int64)
    plays = np.zeros((_MAX_PLAYS, _MAX_CHOICES), np.int64)
    root = frames[0]
    while bounds[0] < bounds[1]:
        need = (bounds[0] + bounds[1] + 1) >> 1
        root[_PLAYED] = played
        root[_LAID] = laid
        root[_LEADER] = leader
        root[_POSITION] = position
        root[_LED] = led
        root[_HIGH] = high
        root[_ROW] = row
        root[_WINNER] = winner
        root[_BEST] = best
        root[_LEFT] = left
        root[_NEED] = need
        root[_KEYED] = 0
        _list_plays(facts, root, plays[0])
        good = _search(facts, store, frames, plays)
        if good == UNKNOWN:
            return 0
        if good:
            bounds[0] = need
        else:
            bounds[1] = need - 1
    return 1
