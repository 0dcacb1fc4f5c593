"""The policy `book` at a table of four: bids and plays by tables learned in self-play.

A bid looks up how many tricks the hand took under each number, by what the hand is worth, its
jokers, the bids so far and hand size, and lets the score table make values of them. A play weighs
each legal card: the chance to take this trick and, on either outcome, the chance to end exactly on
the bid, by what is left: cards, tricks needed, jokers, and the tricks that the rest is worth. Sees
the view of its seat alone; draws nothing; integers only: chances are in 4096ths.

The tables are one record, `book_index.BOOK`, which `book_tables` fills.
"""

from __future__ import annotations

import numpy as np

from jokersim.cards import JOKER_PLAY, NO_TRUMP
from jokersim.kernels import trick
from jokersim.kernels.bits import first_index, popcount
from jokersim.kernels.jit import entry, kernel, leaf
from jokersim.kernels.policies import basic
from jokersim.kernels.policies.book_index import (
    BOOK,
    LEAD,
    LEAD_HIGH,
    LEAD_LOW,
    N_DEMANDS,
    N_NUMBERS,
    ONE,
    REPLY,
    REPLY_HIGH,
    STAGES,
    bid_place,
    card_kind,
    card_worth,
    ends_index,
    holds_top_trump,
    lane_of,
    takes_index,
    worth_index,
)
from jokersim.kernels.policies.native import record_at

PLAIN = trick.PLAIN
MASKS = trick.MASKS
JOKERS = trick.JOKERS


@kernel
def trump(view, data):
    """Name the trump under which the three cards seen are worth most."""
    jokers = popcount(view.hand & JOKERS)
    best = np.int64(NO_TRUMP)
    most = np.int64(-1000000)
    for call in range(5):
        other = np.int64(1 + (call == NO_TRUMP))
        value = jokers * data.calls[other - 1, 9] + (data.no_trump if call == NO_TRUMP else 0)
        cards = view.hand & PLAIN
        while cards:
            card = first_index(cards)
            cards &= cards - 1
            suit = card // 9
            value += data.calls[0 if suit == call else other, card - 9 * suit]
        if value > most:
            most = value
            best = np.int64(call)
    return best


@leaf
def points_of(view, data, size, bid, taken):
    """Points of a deal by the score table in force, with the book's own khishti if it has one."""
    if data.own_khishti and bid > 0 and taken == 0:
        return data.khishti[size]
    return view.score[size, bid, taken]


@leaf
def premium_stake(view, data, points):
    """What making this deal's bid for `points` is worth beyond them, while the premium is alive."""
    seat = view.seat
    alive = view.premium & view.made[seat] & (1 - data.blind)
    after = view.pulka_last - view.deal
    best = view.best[seat]
    if after > 0:
        best = max(best, 300)
    if after > 0 or not view.premium_exclude_last:
        best = max(best, points)
    return alive * ((best * data.keeps[after]) >> 12)


@leaf
def feared(points, data):
    """Points of a khishti at a bid, where one dearer than the tables know counts by a share.

    The chances to take nothing are those of play that a khishti costs so much as where they were
    learned. Where it costs more, play sees to it that it comes about less.
    """
    dearer = min(points - data.learned_khishti, 0)
    return points - dearer + ((dearer * data.feared) >> 8)


@kernel
def bid(view, legal, data):
    """Bid the number of the highest expected value."""
    size = view.size
    at, lowest = bid_place(view, data)
    if not legal & 2 and size > 1 and (holds_top_trump(view) or view.hand & JOKERS):
        legal &= ~np.int64(1)  # barred from 1, a sure winner is worth 2 rather than thrown away
    best = first_index(legal)
    most = np.int64(-(1 << 60))
    for number in range(lowest, min(lowest + N_NUMBERS, size + 1)):
        if legal >> number & 1:
            value = -100 * data.caution * number
            nothing = points_of(view, data, size, number, 0)
            if number > 0:
                nothing = feared(nothing, data)
            value += np.int64(data.bids[at]) * nothing
            for taken in range(1, size + 1):
                value += np.int64(data.bids[at + taken]) * points_of(
                    view, data, size, number, taken
                )
            stake = premium_stake(view, data, points_of(view, data, size, number, number))
            value += np.int64(data.bids[at + number]) * stake
            if value > most:
                most = value
                best = np.int64(number)
        at += 10
    return best


@kernel
def weigh(take, left, need, demand, jokers, total, spread, alone, stake, khishti, data):
    """Value of a play that takes this trick with chance `take`, in points * 4096."""
    after = left - 1
    won = np.int64(0)
    if take > 0 and need > 0:
        at = ends_index(after, need - 1, 1, demand, jokers, total, spread)
        won = np.int64(data.made[at]) * stake
    lost = np.int64(0)
    if take < ONE and need <= after:
        at = ends_index(after, need, 0, demand, jokers, total, spread)
        lost = np.int64(data.made[at]) * stake
        if alone:
            lost -= np.int64(data.none[at]) * khishti
    elif alone and take < ONE:
        at = ends_index(after, after, 0, demand, jokers, total, spread)
        lost = -np.int64(data.none[at]) * khishti
    return ((take * won + (ONE - take) * lost) >> 12) - spread * data.tidy


# A trace, int64: the amplitude of noise, its state, the entries of `takes` and of `made` (trick
# taken, not taken) that judge the play, how many plain cards, their entries of `worth`, their ids.
N_TRACE = 26


@leaf
def note(trace, at_take, left, need, demand, jokers, total, spread):
    """Write to `trace` the entries of the tables that judge a chosen play, for learning."""
    after = left - 1
    trace[2] = at_take
    trace[3] = -1
    trace[4] = -1
    if need > 0:
        trace[3] = ends_index(after, need - 1, 1, demand, jokers, total, spread)
    if need <= after:
        trace[4] = ends_index(after, need, 0, demand, jokers, total, spread)


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
def high_lead_gain(suit, plain, others, trump, outside, voids, stage, demand, data):
    """What a HIGH joker naming `suit` adds to the worth of one's own cards in it.

    Everyone follows with his highest card there: two of the others' top cards are taken to fall.
    """
    lane = lane_of(others, suit)
    kind = card_kind(suit, plain, trump, outside, voids)
    n = popcount(lane)
    fall = min(n, 2)
    gain = np.int64(0)
    mine = lane_of(plain, suit)
    while mine:
        rank = first_index(mine)
        mine &= mine - 1
        higher = popcount(lane >> rank)
        gain -= np.int64(data.worth[worth_index(kind, stage, higher, n, demand)])
        higher = max(higher - fall, 0)
        gain += np.int64(data.worth[worth_index(kind, stage, higher, n - fall, demand)])
    return gain


@leaf
def choose(view, legal, data, need, left, trace):
    """Choose a play for a bid that can still be made: `need` tricks of the `left` to come."""
    seat = view.seat
    hand = view.hand
    trump = view.trump
    size = view.size
    bid = view.bids[seat]
    may_hold = view.may_hold
    gone = view.played | hand
    one = may_hold[(seat + 1) & 3] & ~gone
    two = may_hold[(seat + 2) & 3] & ~gone
    others = one | two | (may_hold[(seat + 3) & 3] & ~gone)
    jokers_out = popcount(others & JOKERS)
    others &= PLAIN
    trumps = MASKS[trump]
    outside = np.int64((others & trumps) != 0)
    plain = hand & PLAIN
    jokers = popcount(hand & JOKERS)
    stage = STAGES[size, left]
    position = view.position
    later = 3 - position
    demand = need - left
    wanting = np.int64(0)
    for k in range(1, 4):
        other = (seat + k) & 3
        wants = view.bids[other] - view.taken[other]
        demand += max(wants, 0)
        wanting += np.int64((k <= later) & (wants != 0))
    demand = min(max(demand + 3, 0), N_DEMANDS - 1)
    alone = np.int64((view.taken[seat] == 0) & (bid > 0))
    points = points_of(view, data, size, bid, bid)
    stake = points + premium_stake(view, data, points) - 10 * bid
    khishti = 10 - points_of(view, data, size, bid, 0)

    voids = np.int64(0)
    for suit in range(4):
        empty = (suit != trump) & (plain & MASKS[suit] == 0) & (others & MASKS[suit] != 0)
        voids |= np.int64(empty)

    total = np.int64(0)
    spread = np.int64(0)
    cards = plain
    n = 6
    while cards:
        card = first_index(cards)
        cards &= cards - 1
        at = card_worth(card, plain, others, trump, outside, voids, stage, demand)
        if trace is not None:
            trace[n] = at
            trace[n + 10] = card
            n += 1
        worth = np.int64(data.worth[at])
        total += worth
        spread += (worth * (ONE - worth)) >> 12
    if trace is not None:
        trace[5] = n - 6

    best = np.int64(-1)
    most = np.int64(-(1 << 60))
    best_take = np.int64(-1)
    best_jokers = jokers
    best_total = total
    best_spread = spread

    rest = others
    if position > 0:
        rest = np.int64(0)
        if later >= 1:
            rest |= one
        if later >= 2:
            rest |= two
        rest &= PLAIN
    led_here = popcount(rest & MASKS[view.led]) if position > 0 else np.int64(0)
    ruffable = np.int64((rest & trumps) != 0)
    cards = legal
    while cards:
        card = first_index(cards)
        cards &= cards - 1
        suit = card // 9
        rank = card - 9 * suit
        lane = lane_of(rest, suit)
        higher = popcount(lane >> rank)
        suited = popcount(lane)
        kind = np.int64(0) if suit == trump else 2 - ruffable
        at_take = np.int64(-1)
        if position == 0:
            at_take = takes_index(LEAD + kind, stage, higher, suited, wanting, jokers_out)
            take = np.int64(data.takes[at_take])
        elif trick.strength(view.row, card) < view.strength:
            take = np.int64(0)
        elif later == 0:
            take = ONE
        else:
            if suit != view.led:
                kind = np.int64(3)
                suited = led_here
            at_take = takes_index(
                REPLY + 4 * (later - 1) + kind, stage, higher, suited, wanting, jokers_out
            )
            take = np.int64(data.takes[at_take])
        worth = np.int64(
            data.worth[card_worth(card, plain, others, trump, outside, voids, stage, demand)]
        )
        after = total - worth
        wide = spread - ((worth * (ONE - worth)) >> 12)
        value = weigh(take, left, need, demand, jokers, after, wide, alone, stake, khishti, data)
        if trace is not None:
            value += noise(trace)
        if value >= most:  # of touching cards the highest
            most = value
            best = card
            best_take = at_take
            best_total = after
            best_spread = wide
    if jokers:
        first = JOKER_PLAY if position == 0 else JOKER_PLAY + 8
        last = JOKER_PLAY + 8 if position == 0 else JOKER_PLAY + 10
        for code in range(first, last):
            at_take = np.int64(-1)
            after = total
            if position > 0:
                if trick.strength(view.row, code) < view.strength:
                    take = np.int64(0)
                elif later == 0:
                    take = ONE
                else:
                    at_take = takes_index(REPLY_HIGH, stage, 0, later, wanting, jokers_out)
                    take = np.int64(data.takes[at_take])
            else:
                suit = (code - JOKER_PLAY) & 3
                lane = popcount(lane_of(others, suit))
                side = np.int64((suit != trump) & (outside != 0))
                if code >= JOKER_PLAY + 4:
                    at_take = takes_index(LEAD_HIGH + side, stage, 0, lane, wanting, jokers_out)
                    after += high_lead_gain(
                        suit, plain, others, trump, outside, voids, stage, demand, data
                    )
                else:
                    at_take = takes_index(LEAD_LOW + side, stage, 0, lane, wanting, jokers_out)
                take = np.int64(data.takes[at_take])
            value = weigh(
                take,
                left,
                need,
                demand,
                jokers - 1,
                after,
                spread,
                alone,
                stake,
                khishti,
                data,
            )
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
        note(
            trace,
            best_take,
            left,
            need,
            demand,
            best_jokers,
            best_total,
            best_spread,
        )
    return best


@kernel
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
