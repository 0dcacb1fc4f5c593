"""Bids and trumps of the policy `book` at a table of four, by tables learned in self-play.

A bid looks up how many tricks the hand took under each number, by what the hand is worth, its
jokers, the bids so far and hand size, and lets the score table in force make values of them.
"""

from __future__ import annotations

import numpy as np

from jokersim.cards import NO_TRUMP
from jokersim.kernels import trick
from jokersim.kernels.bits import first_index, popcount
from jokersim.kernels.jit import kernel, leaf
from jokersim.kernels.policies.book_index import N_NUMBERS, bid_place, holds_top_trump
from jokersim.kernels.state import MAX_SIZE

PLAIN = trick.PLAIN
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
        return data.khishti[np.uint64(size)]
    return view.score[np.uint64(size), np.uint64(bid), np.uint64(taken)]


@leaf
def premium_stake(view, data, points):
    """What making this deal's bid for `points` is worth beyond them, while the premium is alive."""
    seat = np.uint64(view.seat)
    alive = view.premium & view.made[seat] & (1 - data.blind)
    after = view.pulka_last - view.deal
    best = view.best[seat]
    if after > 0:
        best = max(best, 300)
    if after > 0 or not view.premium_exclude_last:
        best = max(best, points)
    return alive * ((best * data.keeps[np.uint64(after)]) >> 12)


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
            value += np.int64(data.bids[np.uint64(at)]) * nothing
            # As many numbers whatever the size, so that no loop is left of it.
            for taken in range(1, MAX_SIZE + 1):
                points = view.score[np.uint64(size), np.uint64(number), np.uint64(taken)]
                share = np.int64(data.bids[np.uint64(at + taken)])
                value += share * points if taken <= size else np.int64(0)
            stake = premium_stake(view, data, points_of(view, data, size, number, number))
            value += np.int64(data.bids[np.uint64(at + number)]) * stake
            if value > most:
                most = value
                best = np.int64(number)
        at += 10
    return best
