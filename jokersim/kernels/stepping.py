"""One decision at a time at a table of four: what Python calls to deal, list, choose and score.

The rules are those of `deal`; here stand only thin entries, few, so that they compile quickly. A
*choice* is a number whose meaning the view's `kind` gives: a trump 0..4, a bid, or a play coded as
in `jokersim.cards`. `views` holds one view; `hands` int64 [4].
"""

from __future__ import annotations

import numpy as np

from jokersim.cards import JOKER_PLAY
from jokersim.kernels import deal as table
from jokersim.kernels import dealing, game, trick
from jokersim.kernels import streams as st
from jokersim.kernels.bits import first_bit, first_index
from jokersim.kernels.jit import entry, kernel, leaf
from jokersim.kernels.scoring import rank
from jokersim.kernels.state import BID, CHOOSE_TRUMP, PLAY


@entry
def begin_game(views, numbers):
    """Write a rule set into the view, and the state before the first deal."""
    table.begin_game(views[0], numbers)


@entry
def first_dealer(seed, index, rule):
    """Seat of the first dealer of a game of a run."""
    return dealing.first_dealer(seed, index, rule)


@entry
def draw_deal(hands, streams, seed, index, deal, size, chooser):
    """Deal as a run does and start the policies' streams: the turned card and the chooser's packet.

    The card is an id, -1 at nine cards; the packet is a mask, 0 below nine.
    """
    turned = dealing.deal_four(hands, seed, index, deal, size)
    st.open_policy_streams(streams, seed, index, deal)
    if turned >= 0:
        return turned, np.int64(0)
    return turned, dealing.packet(hands[chooser], seed, index, deal)


@entry
def begin_deal(views, numbers, dealer, turned):
    """Start the next deal, whose cards lie in the hands already."""
    table.begin_deal(views[0], numbers, dealer, turned)


@entry
def end_deal(views, numbers, results):
    """Fill int64 [4, 4] by seat: scores, premiums credited, scores erased, ranks so far."""
    table.end_deal(views[0], numbers, results[0], results[1], results[2])
    rank(views[0].totals, results[3])


@leaf
def play_bit(view, cards, play):
    """Card, as a mask, that a legal play lays down; 0 if the play is not legal."""
    if play < 0 or play >= trick.N_PLAYS:
        return np.int64(0)
    if play < JOKER_PLAY:
        return (np.int64(1) << play) & table.legal_cards(view, cards)
    replies = play >= JOKER_PLAY + trick.REPLY_BASE
    if replies != (view.position > 0):
        return np.int64(0)
    return first_bit(cards & trick.JOKERS)


@kernel
def choose(view, hands, choice):
    """Carry out the decision that is due if the choice is legal: 1, else 0 and nothing changes."""
    if view.kind == PLAY:
        bit = play_bit(view, hands[view.turn], choice)
        if bit == 0:
            return 0
        table.make_play(view, hands, choice, bit)
        return 1
    if view.kind == BID:
        if choice < 0 or choice > view.size or not (table.legal_bids(view) >> choice) & 1:
            return 0
        table.make_bid(view, choice)
        return 1
    if view.kind == CHOOSE_TRUMP and 0 <= choice <= 4:
        table.name_trump(view, choice)
        return 1
    return 0


@entry
def advance(views, hands, choices, takers):
    """Carry out choices up to the first illegal one: how many. Closed tricks fill `takers`."""
    view = views[0]
    for i in range(len(choices)):
        before = view.trick
        if not choose(view, hands, choices[i]):
            return i
        if view.trick != before:
            takers[before] = view.leader
    return len(choices)


@entry
def list_legal(views, hands, choices):
    """Write the legal choices of the decision due, in the order of records: how many there are."""
    view = views[0]
    n = 0
    if view.kind == CHOOSE_TRUMP:
        for trump in range(5):
            choices[trump] = trump
        return 5
    if view.kind == BID:
        mask = table.legal_bids(view)
    elif view.kind == PLAY:
        mask = table.legal_cards(view, hands[view.turn])
    else:
        return 0
    while mask:
        choices[n] = first_index(mask)
        mask &= mask - 1
        n += 1
    if view.kind == PLAY and hands[view.turn] & trick.JOKERS:
        leads = view.position == 0
        first = 0 if leads else trick.REPLY_BASE
        for i in range(trick.LED_DECLARATIONS if leads else trick.REPLIED_DECLARATIONS):
            choices[n] = JOKER_PLAY + first + i
            n += 1
    return n


@entry
def decide(views, hands, streams, seed, index, policy, packet):
    """Ask a built-in policy for the decision that is due in a game of a run: its choice.

    `packet` is what the seat sees that names trump, a mask, or 0 to draw it.
    """
    view = views[0]
    if view.kind == CHOOSE_TRUMP:
        return game.decide_trump_seeing(packet, view, hands, seed, index, policy, streams)
    if view.kind == BID:
        return game.decide_bid(view, hands, policy, streams)
    play, _ = game.decide_play(view, hands, policy, streams)
    return play
