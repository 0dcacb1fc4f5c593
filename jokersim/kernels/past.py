"""What the other seats did so far in a deal of four, and how well a hand explains it.

The *past* is every bid and play of the other seats, each with the view that its seat had then. A
hand costs its seat so many bits for each decision that the rollout policy would have taken
otherwise with it; a hand counts by 2^-cost. What a seat's hand costs depends on that hand alone.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from jokersim.kernels import deal as table
from jokersim.kernels import game as games
from jokersim.kernels import streams as st
from jokersim.kernels import trick
from jokersim.kernels.jit import JIT_DISABLED, kernel, leaf
from jokersim.kernels.odds import copy_state
from jokersim.kernels.state import (
    BID,
    CHOOSE_TRUMP,
    FOUR_VIEW,
    LINE_BITS,
    MAX_SIZE,
    N_SEATS,
    NOT_YET,
    new_views,
)

MAX_PAST = (N_SEATS - 1) * (MAX_SIZE + 1)
N_MET = 256
"""So many hands a seat are kept with what they cost, a power of two."""
_HALF = (1 << 18) - 1
_ONE_PLAY = (1 << LINE_BITS) - 1

if JIT_DISABLED:

    def _views():
        """Allocate the views of a past."""
        return new_views(FOUR_VIEW, MAX_PAST + 1)

else:

    @leaf
    def _views():
        """Allocate the views of a past."""
        return np.empty(MAX_PAST + 1, FOUR_VIEW)


class Past(NamedTuple):
    """The others' decisions in order; made by `new_past`, written by `recall`."""

    views: np.ndarray
    """What the seat saw each time, [MAX_PAST + 1]; the last is where the deal is gone through."""
    choices: np.ndarray
    """What was decided, int64 [MAX_PAST]."""
    later: np.ndarray
    """Cards that the seat has laid from that decision on, masks [MAX_PAST]."""
    order: np.ndarray
    """By seat, which decisions are its own, int64 [4, MAX_SIZE + 1]."""
    counts: np.ndarray
    """By seat, how many, int64 [4]."""
    hands: np.ndarray
    """Memory, int64 [4]."""
    streams: np.ndarray
    """Streams from which nobody draws."""
    met: np.ndarray
    """By seat, hands whose cost was asked for, int64 [4, N_MET], -1 where there is none yet."""
    met_bits: np.ndarray
    """What they cost, or as far as it was counted, and up to what limit: int64 [2, 4, N_MET]."""


@kernel
def new_past():
    """Allocate a past."""
    return Past(
        _views(),
        np.empty(MAX_PAST, np.int64),
        np.empty(MAX_PAST, np.int64),
        np.empty((N_SEATS, MAX_SIZE + 1), np.int64),
        np.zeros(N_SEATS, np.int64),
        np.zeros(N_SEATS, np.int64),
        np.zeros((N_SEATS, st.N_COLUMNS), np.uint64),
        np.empty((N_SEATS, N_MET), np.int64),
        np.empty((2, N_SEATS, N_MET), np.int64),
    )


@kernel
def copy_rest(to, source):
    """Copy what stays the same within a deal."""
    to.deal = source.deal
    to.n_deals = source.n_deals
    to.pulka = source.pulka
    to.pulka_first = source.pulka_first
    to.pulka_last = source.pulka_last
    to.size = source.size
    to.dealer = source.dealer
    to.turned = source.turned
    to.hook = source.hook
    to.must_trump = source.must_trump
    to.joker_beats_cut = source.joker_beats_cut
    to.premium = source.premium
    to.premium_exclude_last = source.premium_exclude_last
    to.erase = source.erase
    to.erase_exclude_last = source.erase_exclude_last
    for seat in range(N_SEATS):
        to.totals[seat] = source.totals[seat]
        to.made[seat] = source.made[seat]
        to.best[seat] = source.best[seat]
    size = source.size
    for bid in range(size + 1):
        for taken in range(size + 1):
            to.score[size, bid, taken] = source.score[size, bid, taken]


@leaf
def _begin_again(to, view):
    """Write the state of a deal before its first bid."""
    copy_rest(to, view)
    to.kind = BID
    to.trump = view.trump
    to.played = 0
    to.trick = 0
    to.position = 0
    to.led = NOT_YET
    to.high = 0
    to.row = 0
    to.winner = 0
    to.strength = 0
    left = (view.dealer + 1) & 3
    to.leader = left
    to.turn = left
    shown = np.int64(0) if view.turned < 0 else np.int64(1) << view.turned
    for seat in range(N_SEATS):
        to.bids[seat] = NOT_YET
        to.taken[seat] = 0
        to.plays[seat] = NOT_YET
        to.laid[seat] = 0
        to.line[seat] = 0
        to.may_hold[seat] = table.DECK & ~shown


@leaf
def _note(past, n, view, choice):
    """Note that the seat whose turn it was decided so."""
    seat = view.turn
    seen = past.views[n]
    copy_rest(seen, view)
    copy_state(seen, view)
    seen.seat = seat
    past.choices[n] = choice
    past.later[n] = past.hands[seat]
    past.order[seat, past.counts[seat]] = n
    past.counts[seat] += 1


@kernel
def recall(past, view):
    """Go through the deal once more up to the view, note what the others decided: how often."""
    for seat in range(N_SEATS):
        past.counts[seat] = 0
        past.hands[seat] = view.laid[seat]
        for i in range(N_MET):
            past.met[seat, i] = -1
    n = np.int64(0)
    if view.kind == CHOOSE_TRUMP:
        return n
    here = past.views[MAX_PAST]
    _begin_again(here, view)
    while here.kind == BID and view.bids[here.turn] >= 0:
        bid = view.bids[here.turn]
        if here.turn != view.turn:
            _note(past, n, here, bid)
            n += 1
        table.make_bid(here, bid)
    for _ in range(N_SEATS * view.trick + view.position):
        seat = here.turn
        play = (view.line[seat] >> (LINE_BITS * here.trick)) & _ONE_PLAY
        if seat != view.turn:
            _note(past, n, here, play)
            n += 1
        table.make_play(here, past.hands, play, trick.card_of_play(play, past.hands[seat]))
    return n


@leaf
def _slot(hand):
    """Where a hand is kept: its halves hashed, in numbers that do not overflow."""
    return (((hand & _HALF) * 0x9E3779 + (hand >> 18) * 0x85EBCB) >> 16) & (N_MET - 1)


@kernel
def cost_of(past, seat, hand, limit, settings):
    """Bits that a hand costs its seat; not all of them once they are above the limit.

    Walks come by the same hands again: what they cost is kept.
    """
    slot = _slot(hand)
    if past.met[seat, slot] == hand:
        known = past.met_bits[0, seat, slot]
        if known > limit or known <= past.met_bits[1, seat, slot]:
            return known
    cost = _count(past, seat, hand, limit, settings)
    past.met[seat, slot] = hand
    past.met_bits[0, seat, slot] = cost
    past.met_bits[1, seat, slot] = limit
    return cost


@kernel
def _count(past, seat, hand, limit, settings):
    """Count the bits that a hand costs its seat."""
    cost = np.int64(0)
    for k in range(past.counts[seat]):
        i = past.order[seat, k]
        view = past.views[i]
        cards = hand | past.later[i]
        if view.kind == BID:
            past.hands[seat] = cards
            bid = games.decide_bid(view, past.hands, settings.rollout, past.streams)
            cost += settings.bid_bits[abs(bid - past.choices[i])]
        else:
            legal = table.legal_cards(view, cards)
            if cards & trick.JOKERS or legal & (legal - 1):
                leads = view.position == 0
                play, _ = games.choose_play(
                    view, cards, legal, leads, settings.rollout, past.streams, seat
                )
                cost += settings.play_bits if play != past.choices[i] else 0
        if cost > limit:
            return cost
    return cost
