"""What the other seats did so far in a deal of four, and how well a hand explains it.

The *past* is every bid and play of the other seats, each with the view that its seat had then. A
hand costs its seat so many bits for each decision that the rollout policy would have taken
otherwise with it; a hand counts by 2^-cost. What a seat's hand costs depends on that hand alone.
"""

from __future__ import annotations

import numpy as np

from jokersim.kernels import deal as table
from jokersim.kernels import game as games
from jokersim.kernels import trick
from jokersim.kernels.jit import kernel, leaf
from jokersim.kernels.odds import copy_state
from jokersim.kernels.policies.native import one_of
from jokersim.kernels.rollout import NO_KEY
from jokersim.kernels.state import (
    BID,
    CHOOSE_TRUMP,
    LINE_BITS,
    MAX_SIZE,
    N_SEATS,
    NOT_YET,
    VIEW,
)

MAX_PAST = (N_SEATS - 1) * (MAX_SIZE + 1)
N_MET = 256
"""So many hands a seat are kept with what they cost, a power of two."""
_HALF = (1 << 18) - 1
_ONE_PLAY = (1 << LINE_BITS) - 1

PAST = np.dtype(
    [
        ("views", VIEW, (MAX_PAST + 1,)),
        ("choices", np.int64, (MAX_PAST,)),
        ("later", np.int64, (MAX_PAST,)),
        ("order", np.int64, (N_SEATS, MAX_SIZE + 1)),
        ("counts", np.int64, (N_SEATS,)),
        ("hands", np.int64, (N_SEATS,)),
        ("met", np.int64, (N_SEATS, N_MET)),
        ("met_bits", np.int64, (2, N_SEATS, N_MET)),
    ],
    align=True,
)
"""The others' decisions in order, written by `recall`. By field:

- views: what the seat saw each time; the last is where the deal is gone through
- choices: what was decided
- later: cards that the seat has laid from that decision on, masks
- order, counts: by seat, which decisions are its own, and how many
- hands: memory
- met: by seat, hands whose cost was asked for, -1 where there is none yet
- met_bits: what they cost, or as far as it was counted, and up to what limit

A record: to hand on a tuple of arrays counts references to each, with locked instructions.
"""

new_past = one_of(PAST)
"""Allocate a past, in an array."""


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
            bid = games.quiet_bid(view, cards, settings.rollout, NO_KEY)
            cost += settings.bid_bits[abs(bid - past.choices[i])]
        else:
            legal = table.legal_cards(view, cards)
            if cards & trick.JOKERS or legal & (legal - 1):
                play, _ = games.quiet_play(view, cards, legal, settings.rollout, NO_KEY, seat)
                cost += settings.play_bits if play != past.choices[i] else 0
        if cost > limit:
            return cost
    return cost
