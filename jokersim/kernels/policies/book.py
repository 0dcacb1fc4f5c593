"""The policy `book` at a table of four: bids and plays by tables learned in self-play.

Bids are in `book_bids`. A play weighs each legal card: the chance to take this trick and, on either
outcome, the chance to end exactly on the bid, by what is left: cards, tricks needed, jokers, and
the tricks that the rest is worth. Sees the view of its seat alone; draws nothing; integers only:
chances are in 4096ths.

The tables are one record, `book_index.BOOK`, which `jokersim.book` fills.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from jokersim.cards import JOKER_PLAY
from jokersim.kernels import trick
from jokersim.kernels.bits import either, first_index, last_index, popcount
from jokersim.kernels.jit import entry, leaf
from jokersim.kernels.policies import basic
from jokersim.kernels.policies.book_bids import bid, points_of, premium_stake, trump
from jokersim.kernels.policies.book_index import (
    BOOK,
    EACH_SUIT,
    EDGE,
    LEAD,
    LEAD_HIGH,
    LEAD_LOW,
    N_DEMANDS,
    N_SUITED,
    ONE,
    REPLY,
    REPLY_HIGH,
    STAGES,
    ends_at,
    ends_edge,
    ends_index,
    ends_place,
    has_void,
    lane_of,
    n_by_suit,
    n_higher,
    of_suit,
    takes_at,
    takes_index,
    takes_place,
    worth_at,
    worth_places,
)
from jokersim.kernels.policies.native import record_at

PLAIN = trick.PLAIN
MASKS = trick.MASKS
JOKERS = trick.JOKERS


class Sight(NamedTuple):
    """What all choices of one play have in common."""

    plain: np.int64
    """Plain cards of one's own."""
    others: np.int64
    """Plain cards that the others may hold."""
    rest: np.int64
    """Those of them that may still come in this trick; at a lead, all."""
    mine: np.int64
    theirs: np.int64
    """How many there are of each suit of `plain` and of `others`, packed."""
    outside: np.int64
    """1 if others may hold trumps."""
    jokers: np.int64
    jokers_out: np.int64
    stage: np.int64
    later: np.int64
    """Seats that play after this one."""
    wanting: np.int64
    """Those of them that do not stand at their bid."""
    demand: np.int64
    """Tricks wanted beyond those left, coarsened."""
    left: np.int64
    need: np.int64
    alone: np.int64
    """1 while no trick is taken and the bid is no pass: a khishti may come of it."""
    stake: np.int64
    """Points that the bid made is worth beyond the tricks taken."""
    khishti: np.int64
    """Points that a khishti costs beyond the trick that it lacks."""
    row: np.int64
    """Row of strengths of this trick."""
    strength: np.int64
    """Strength of the play to beat, 0 at a lead."""


@leaf
def look(view, data, need, left):
    """Answer what a seat sees at a play."""
    seat = view.seat
    hand = view.hand
    bid = view.bids[np.uint64(seat)]
    gone = view.played | hand
    one = view.may_hold[(seat + 1) & 3] & ~gone
    two = view.may_hold[(seat + 2) & 3] & ~gone
    all_out = one | two | (view.may_hold[(seat + 3) & 3] & ~gone)
    others = all_out & PLAIN
    plain = hand & PLAIN
    trumps = MASKS[np.uint64(view.trump)]
    later = 3 - view.position
    demand = need - left
    wanting = np.int64(0)
    for k in range(1, 4):
        other = (seat + k) & 3
        wants = view.bids[other] - view.taken[other]
        demand += max(wants, 0)
        wanting += np.int64((k <= later) & (wants != 0))
    rest = others
    if view.position > 0:
        rest = np.int64(0)
        if later >= 1:
            rest |= one
        if later >= 2:
            rest |= two
        rest &= PLAIN
    mine = n_by_suit(plain)
    theirs = n_by_suit(others)
    points = points_of(view, data, view.size, bid, bid)
    return Sight(
        plain,
        others,
        rest,
        mine,
        theirs,
        np.int64((others & trumps) != 0),
        popcount(hand & JOKERS),
        popcount(all_out & JOKERS),
        STAGES[np.uint64(view.size), np.uint64(left)],
        later,
        wanting,
        min(max(demand + 3, 0), N_DEMANDS - 1),
        left,
        need,
        np.int64((view.taken[np.uint64(seat)] == 0) & (bid > 0)),
        points + premium_stake(view, data, points) - 10 * bid,
        10 - points_of(view, data, view.size, bid, 0),
        either(view.position, view.row, 0),
        either(view.position, view.strength, 0),
    )


class Ahead(NamedTuple):
    """What all plays that leave so many jokers have in common: where their ends stand."""

    won: np.int64
    """Place in `made` once the trick is taken."""
    lost: np.int64
    """And once it is not."""
    edge: np.int64
    """Of the latter, as `ends_edge` answers it."""
    more: np.int64
    """Edges more where the trick is taken."""


@leaf
def look_ahead(sight, jokers):
    """Answer where the plays that leave so many jokers end."""
    after = sight.left - 1
    need_won = max(sight.need - 1, 0)
    need_lost = min(sight.need, after)
    lost = ends_place(after, need_lost, 0, sight.demand, jokers)
    won = ends_place(after, need_won, 1, sight.demand, jokers)
    return Ahead(
        either(sight.need, won, lost),
        lost,
        ends_edge(need_lost, jokers),
        (need_lost - need_won) * (ONE >> EDGE),
    )


@leaf
def ends(sight, ahead, total, spread, data):
    """Value of what is left, in points * 4096, once this trick is taken, and once it is not.

    `total` and `spread` are those of the cards that a play leaves in hand. No branch: what cannot
    come about counts 0, and is looked up where the memory is at hand anyway.
    """
    edges = (total + ahead.edge) >> EDGE
    at_lost = ends_at(ahead.lost, spread, edges)
    at_won = ends_at(ahead.won, spread, edges + ahead.more)
    won = np.int64(data.made[np.uint64(at_won)]) * either(sight.need, sight.stake, 0)
    lost = np.int64(data.made[np.uint64(at_lost)])
    lost *= either(np.int64(sight.need < sight.left), sight.stake, 0)
    at_none = at_lost & -sight.alone
    return won, lost - np.int64(data.none[np.uint64(at_none)]) * (sight.khishti * sight.alone)


@leaf
def between(take, of_play, spread, data):
    """Value of a play that takes this trick with chance `take`, of which are its two ends."""
    won, lost = of_play
    return lost + ((take * (won - lost)) >> 12) - spread * data.tidy


# A trace, int64: the amplitude of noise, its state, the entries of `takes` and of `made` (trick
# taken, not taken) that judge the play, how many plain cards, their entries of `worth`, their ids.
N_TRACE = 26


@leaf
def note(trace, at_take, sight, jokers, total, spread):
    """Write to `trace` the entries of the tables that judge a chosen play, for learning."""
    after = sight.left - 1
    need = sight.need
    trace[2] = at_take
    trace[3] = -1
    trace[4] = -1
    if need > 0:
        trace[3] = ends_index(after, need - 1, 1, sight.demand, jokers, total, spread)
    if need <= after:
        trace[4] = ends_index(after, need, 0, sight.demand, jokers, total, spread)


@leaf
def noise(trace):
    """Random part of a value while learning: triangular, of the amplitude in `trace`."""
    if trace[0] == 0:
        return np.int64(0)
    trace[1] = (trace[1] * 1103515245 + 12345) & 0x7FFFFFFF
    a = trace[1] >> 15
    trace[1] = (trace[1] * 1103515245 + 12345) & 0x7FFFFFFF
    return ((a + (trace[1] >> 15) - 65536) * trace[0]) >> 16


@leaf
def card_worth(sight, places, card):
    """Index into `worth` of a plain card in hand; `places` are the suits'."""
    place = of_suit(places, trick.led_suit(card))
    return worth_at(place, n_higher(card, sight.others), sight.demand)


@leaf
def hand_worth(sight, places, data, trace):
    """Tricks that the plain cards in hand are worth, and the variance of that, in 4096ths.

    `places` are theirs in `worth`, by suit.
    """
    total = np.int64(0)
    spread = np.int64(0)
    cards = sight.plain
    n = 6
    while cards:
        card = first_index(cards)
        cards &= cards - 1
        at = card_worth(sight, places, card)
        if trace is not None:
            trace[n] = at
            trace[n + 10] = card
            n += 1
        worth = np.int64(data.worth[np.uint64(at)])
        total += worth
        spread += (worth * (ONE - worth)) >> 12
    if trace is not None:
        trace[5] = n - 6
    return total, spread


@leaf
def contest_places(view, sight):
    """Where each suit's plain cards contest this trick in `takes`, packed by suit."""
    rest = sight.rest
    # Unless it is of the trump suit itself, a card may be ruffed while trumps may still come.
    way = 2 - np.int64((rest & MASKS[np.uint64(view.trump)]) != 0)
    packed = np.int64(0)
    if view.position == 0:
        for suit in range(4):
            of_way = LEAD + (np.int64(0) if suit == view.trump else way)
            place = takes_place(of_way, sight.stage, popcount(rest & MASKS[suit]))
            packed |= place << (16 * suit)
        return packed
    led = view.led
    first = np.int64(REPLY + 4 * max(sight.later - 1, 0))
    suited = popcount(rest & MASKS[np.uint64(led)])
    off = takes_place(first + 3, sight.stage, suited)
    follows = takes_place(first + (np.int64(0) if led == view.trump else way), sight.stage, suited)
    return (off * EACH_SUIT) ^ ((off ^ follows) << (16 * led))


@leaf
def card_take(sight, card, places, data):
    """Chance that a plain card takes this trick, and its index in `takes`, -1 if it is certain.

    `places` are the suits' in `takes`.
    """
    beaten = np.int64(trick.strength(sight.row, card) < sight.strength)
    if sight.later == 0:
        return either(beaten, 0, ONE), np.int64(-1)
    higher = n_higher(card, sight.rest)
    place = of_suit(places, trick.led_suit(card))
    at = takes_at(place, higher, sight.wanting, sight.jokers_out)
    return either(beaten, 0, np.int64(data.takes[np.uint64(at)])), either(beaten, -1, at)


@leaf
def joker_take(view, sight, code, data):
    """Chance that a joker's declaration takes this trick, and its index in `takes` or -1."""
    if view.position > 0:
        if trick.strength(view.row, code) < view.strength:
            return np.int64(0), np.int64(-1)
        if sight.later == 0:
            return ONE, np.int64(-1)
        way = np.int64(REPLY_HIGH)
        suited = sight.later
    else:
        suit = (code - JOKER_PLAY) & 3
        suited = popcount(lane_of(sight.others, suit))
        way = np.int64(LEAD_HIGH if code >= JOKER_PLAY + 4 else LEAD_LOW)
        way += np.int64((suit != view.trump) & (sight.outside != 0))
    at = takes_index(way, sight.stage, 0, suited, sight.wanting, sight.jokers_out)
    return np.int64(data.takes[np.uint64(at)]), at


@leaf
def high_lead_gain(sight, suit, places, data):
    """What a HIGH joker naming `suit` adds to the worth of one's own cards in it.

    Everyone follows with his highest card there: two of the others' top cards are taken to fall.
    `places` are the suits' in `worth`.
    """
    lane = lane_of(sight.others, suit)
    n = popcount(lane)
    fall = min(n, 2)
    place = of_suit(places, suit)
    fallen = place - min(n, N_SUITED - 1) + min(n - fall, N_SUITED - 1)
    gain = np.int64(0)
    mine = lane_of(sight.plain, suit)
    while mine:
        rank = first_index(mine)
        mine &= mine - 1
        higher = popcount(lane >> rank)
        gain -= np.int64(data.worth[np.uint64(worth_at(place, higher, sight.demand))])
        at = worth_at(fallen, max(higher - fall, 0), sight.demand)
        gain += np.int64(data.worth[np.uint64(at)])
    return gain


@leaf
def are_touching(sight, legal):
    """Whether plain cards are worth the same: of one suit, none of the others' between them.

    And all take this trick as it stands, or none does.
    """
    low = first_index(legal)
    high = last_index(legal)
    inside = (np.int64(1) << high) - (np.int64(1) << low)
    apart = sight.others & inside
    apart |= np.int64(trick.led_suit(low) != trick.led_suit(high))
    takes = trick.strength(sight.row, low) < sight.strength
    apart |= np.int64(takes != (trick.strength(sight.row, high) < sight.strength))
    return apart == 0


@leaf
def choose(view, legal, data, need, left, trace):
    """Choose a play for a bid that can still be made: `need` tricks of the `left` to come."""
    sight = look(view, data, need, left)
    jokers = sight.jokers
    if trace is None:
        if jokers == 0 and are_touching(sight, legal):
            return last_index(legal)
    voids = has_void(sight.mine, sight.theirs, view.trump)
    worths = worth_places(sight.mine, sight.theirs, view.trump, sight.outside, voids, sight.stage)
    total, spread = hand_worth(sight, worths, data, trace)
    ahead = look_ahead(sight, jokers)
    contests = contest_places(view, sight)
    best = np.int64(-1)
    most = np.int64(-(1 << 60))
    best_take = np.int64(-1)
    best_jokers = jokers
    best_total = total
    best_spread = spread
    cards = legal
    while cards:
        card = first_index(cards)
        cards &= cards - 1
        take, at_take = card_take(sight, card, contests, data)
        worth = np.int64(data.worth[np.uint64(card_worth(sight, worths, card))])
        after = total - worth
        wide = spread - ((worth * (ONE - worth)) >> 12)
        value = between(take, ends(sight, ahead, after, wide, data), wide, data)
        if trace is not None:
            value += noise(trace)
        better = np.int64(value >= most)  # of touching cards the highest
        most = either(better, value, most)
        best = either(better, card, best)
        if trace is not None and better:
            best_take = at_take
            best_total = after
            best_spread = wide
    if jokers:
        first = JOKER_PLAY if view.position == 0 else JOKER_PLAY + 8
        last = JOKER_PLAY + 8 if view.position == 0 else JOKER_PLAY + 10
        ahead = look_ahead(sight, jokers - 1)
        kept = ends(sight, ahead, total, spread, data)
        for code in range(first, last):
            take, at_take = joker_take(view, sight, code, data)
            after = total
            value = between(take, kept, spread, data)
            if view.position == 0 and code >= JOKER_PLAY + 4:
                after += high_lead_gain(sight, (code - JOKER_PLAY) & 3, worths, data)
                value = between(take, ends(sight, ahead, after, spread, data), spread, data)
            if trace is not None:
                value += noise(trace)
            if value > most:
                most = value
                best = np.int64(code)
                best_take = at_take
                best_total = after
                best_spread = spread
                best_jokers = jokers - 1
    if trace is not None:
        note(trace, best_take, sight, best_jokers, best_total, best_spread)
    return best


@leaf
def play(view, legal, data):
    """Play the card of the highest value; a bid that is lost already is played on as by `basic`."""
    seat = view.seat
    left = view.size - view.trick
    need = view.bids[seat] - view.taken[seat]
    if need < 0 or need > left:
        return basic.play(view, legal, None)
    return choose(view, legal, data, need, left, None)


_book_at = record_at(BOOK)


@entry
def trump_by(view, legal, book):
    """`trump` as `policies.native` calls it: `book` is the address of the tables."""
    return trump(view, _book_at(book))


@entry
def bid_by(view, legal, book):
    """`bid` as `policies.native` calls it."""
    return bid(view, legal, _book_at(book))


@entry
def play_by(view, legal, book):
    """`play` as `policies.native` calls it."""
    return play(view, legal, _book_at(book))
