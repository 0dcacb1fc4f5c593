"""Worlds of a question before the first card: hands are dealt as they are tested.

Most worlds fail at the first bidder, and need no more than his hand. Nothing has been shown yet, so
hands are drawn as they are dealt, in the order of bids. What is asked stands in a record, an
*auction*: to hand on the arrays of a question counts references to them, which takes longer than
to deal a hand.
"""

from __future__ import annotations

import numpy as np

from jokersim.kernels import deal as table
from jokersim.kernels import dealing, worlds
from jokersim.kernels import game as games
from jokersim.kernels import streams as st
from jokersim.kernels.bits import popcount
from jokersim.kernels.jit import kernel, leaf
from jokersim.kernels.odds_worlds import (
    BY_POLICY,
    begin,
    decide,
    draws,
    is_calm,
    n_legal,
    open_world,
)
from jokersim.kernels.policies import RANDOM
from jokersim.kernels.state import CHOOSE_TRUMP, N_SEATS, NOT_YET, new_views

# The turned card may be any of a suit; there are a call and four bids.
_MAX_TURNED = 9
_MAX_HISTORY = 1 + N_SEATS

AUCTION = np.dtype(
    [
        ("deal", np.int64),
        ("dealer", np.int64),
        ("seat", np.int64),
        ("size", np.int64),
        ("hand", np.int64),
        ("pool", np.int64),
        ("n_turned", np.int64),
        ("turned", np.int64, (_MAX_TURNED,)),
        ("n_history", np.int64),
        ("history", np.int64, (_MAX_HISTORY,)),
        ("tested", np.int64, (_MAX_HISTORY,)),
        ("evidence", np.int64, (N_SEATS,)),
        ("calm", np.int64),
        ("left", np.int64),
        ("n_left", np.int64),
        ("word", np.int64),
    ],
    align=True,
)
"""A question without plays. Fields as in `odds_worlds.Question`, and:

- size: hand size
- n_turned, n_history: how many of `turned`, and of `history` and `tested`, there are
- evidence: the policies that the history is held against
- calm: 1 if none of them draws from its stream, `random` included
- left, n_left, word: of the world that is being dealt, the hidden cards that are left, how many,
  and the word of its stream that comes next
"""


def new_auctions():
    """Allocate one auction, in an array."""
    return new_views(AUCTION)


@leaf
def is_fresh(question):
    """Whether no card has been played yet."""
    played = question.played
    return (played[0] | played[1] | played[2] | played[3]) == 0


@kernel
def open_auction(view, numbers, auction, question, evidence):
    """Write what `enter_auction` needs of a question, and into the view what all worlds share."""
    begin(view, numbers, question, question.turned[0])
    auction.deal = question.deal
    auction.dealer = question.dealer
    auction.seat = question.seat
    auction.size = question.needs[0]
    auction.hand = question.hand
    auction.pool = question.pool
    auction.n_turned = len(question.turned)
    for i in range(len(question.turned)):
        auction.turned[i] = question.turned[i]
    auction.n_history = len(question.history)
    for i in range(_MAX_HISTORY):
        given = i < len(question.history)
        auction.history[i] = question.history[i] if given else BY_POLICY
        auction.tested[i] = question.tested[i] if given else 0
    for seat in range(N_SEATS):
        auction.evidence[seat] = evidence[seat]
    auction.calm = np.int64(is_calm(evidence))


@leaf
def _deal_hand(auction, bidder, key, hands):
    """Deal a bidder his hand; the seat that decides has its own."""
    if bidder != auction.seat:
        hand = dealing.subset(auction.left, auction.n_left, auction.size, key, auction.word)
        hands[bidder] = hand
        auction.left ^= hand
        auction.n_left -= auction.size
        auction.word += 2


@leaf
def _agrees(view, auction, choice, policy, hands, streams, seed, game):
    """Whether the policy whose turn it is would have called or bid as was seen."""
    if view.kind == CHOOSE_TRUMP and auction.tested[1] and not draws(policy):
        # His bid is looked at first: it costs less, and more hands fail it.
        table.name_trump(view, choice)
        if games.decide_bid(view, hands, policy, streams) != auction.history[1]:
            return False
        view.kind = CHOOSE_TRUMP
        view.trump = NOT_YET
    return decide(view, hands, policy, streams, seed, game) == choice


@leaf
def _replay(view, auction, seed, game, key, hands, streams):
    """Replay calls and bids in a world whose hidden cards are `auction.left`: its weight."""
    weight = 1.0
    bidder = np.int64(-1)
    hands[auction.seat] = auction.hand
    for i in range(auction.n_history):
        choice = auction.history[i]
        policy = auction.evidence[view.turn]
        if view.turn != bidder:
            bidder = view.turn
            _deal_hand(auction, bidder, key, hands)
        if choice == BY_POLICY:
            choice = decide(view, hands, policy, streams, seed, game)
        elif auction.tested[i]:
            if policy == RANDOM:
                weight /= n_legal(view, hands)
            elif not _agrees(view, auction, choice, policy, hands, streams, seed, game):
                return 0.0
        table.make_choice(view, hands, choice)
    while bidder != auction.dealer:
        bidder = (auction.dealer + 1) & 3 if bidder < 0 else (bidder + 1) & 3
        _deal_hand(auction, bidder, key, hands)
    if auction.turned[0] < 0:
        # All cards are dealt: what nobody else has is the chooser's own, once he has named trump.
        hands[auction.seat] |= auction.left
    return weight


@leaf
def enter_auction(view, auction, seed, world, hands, streams):
    """Draw a world and go to the decision in it: the world's weight, 0 where it does not agree.

    Where no policy of the evidence draws, streams are opened only once the world agrees.
    """
    game, key, turned_key = open_world(seed, world, auction.deal)
    turned = auction.turned[0]
    if auction.n_turned > 1:
        turned = auction.turned[worlds.draw_number(turned_key, auction.n_turned)]
    table.lay_out(view, auction.dealer, turned)
    auction.left = auction.pool
    if turned >= 0:
        auction.left &= ~(np.int64(1) << turned)
    auction.n_left = popcount(auction.left)
    auction.word = 1
    if not auction.calm:
        st.open_policy_streams(streams, seed, game, auction.deal)
    weight = _replay(view, auction, seed, game, key, hands, streams)
    if auction.calm and weight > 0.0:
        st.open_policy_streams(streams, seed, game, auction.deal)
    return weight
