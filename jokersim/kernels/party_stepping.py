"""One decision at a time at a table of two: what Python calls to deal, list, choose and score.

The rules are those of `party`; here stand only thin entries, few, so that they compile quickly. A
*choice* is a number whose meaning the view's `kind` gives: a trump 0..4, a davi action 0..4, or a
play coded as in `jokersim.cards`. `views` holds one view; `hands` int64 [2]; `up` and `down`
int64 [2, 5].
"""

from __future__ import annotations

import numpy as np

from jokersim.cards import JOKER_PLAY
from jokersim.kernels import dealing, parties, party, trick
from jokersim.kernels import streams as st
from jokersim.kernels.bits import first_index
from jokersim.kernels.jit import entry, kernel, leaf
from jokersim.kernels.state import CHOOSE_TRUMP, DAVI, LEAD, NO_DECISION, PLAY

N_CHOICES = 32
"""More than the longest list of legal choices."""


@entry
def begin_party(views, numbers):
    """Write a rule set into the view, and the state before the first deal."""
    party.begin_party(views[0], numbers)


@entry
def draw_declarer(seed, index, deal):
    """Declarer that a run draws for a deal: the first one's, or each where the rules draw him."""
    return dealing.drawn_declarer(seed, index, deal)


@entry
def party_fails(seed, index, deal, failure):
    """Whether a party of a run is aborted before a deal."""
    return dealing.fails(seed, index, deal, failure)


@entry
def draw_deal(hands, up, down, streams, seed, index, deal, declarer):
    """Deal as a run does and start the policies' streams: answers the declarer's packet, a mask."""
    dealing.deal_two(hands, up, down, seed, index, deal)
    st.open_two_policy_streams(streams, seed, index, deal)
    return dealing.packet(hands[declarer], seed, index, deal)


@entry
def begin_deal(views, declarer):
    """Start the next deal; its table cards show once trump is named."""
    party.begin_deal(views[0], declarer)


@entry
def end_deal(views, credit):
    """Credit the deal, `credit` int64 [2] by seat: winner and next declarer (-1 none, or drawn)."""
    party.end_deal(views[0], credit)
    return party.party_winner(views[0]), party.next_declarer(views[0])


@leaf
def play_bit(view, hand, play):
    """Card, as a mask, that a legal play lays down; 0 if the play is not legal."""
    cards = party.usable_cards(view, hand)
    if play < 0:
        return np.int64(0)
    if play < JOKER_PLAY:
        return (np.int64(1) << play) & party.legal_cards(view, cards)
    at = trick.place_bit(play)
    declaration = trick.without_place(play) - JOKER_PLAY - party.play_base(view)
    said = 0 <= declaration < party.n_declarations(view)
    if not said or at > 5 or not (party.joker_places(view, hand, cards) >> at) & 1:
        return np.int64(0)
    return party.card_of_play(view, hand, play)


@kernel
def choose(view, hands, up, down, choice):
    """Carry out the decision that is due if the choice is legal: 1, else 0 and nothing changes."""
    if view.kind == PLAY:
        bit = play_bit(view, hands[view.turn], choice)
        if bit == 0:
            return 0
        party.make_play(view, hands, down, choice, bit)
        return 1
    if choice < 0 or choice > LEAD:
        return 0
    if view.kind == DAVI and (party.legal_davi(view) >> choice) & 1:
        party.make_davi(view, choice)
        return 1
    if view.kind == CHOOSE_TRUMP:
        party.name_trump(view, choice, up)
        return 1
    return 0


@entry
def advance(views, hands, up, down, choices, takers):
    """Carry out choices up to the first illegal one: how many. Closed tricks fill `takers`.

    `up` are the open cards as dealt, which show once trump is named.
    """
    view = views[0]
    for i in range(len(choices)):
        before = view.trick
        if not choose(view, hands, up, down, choices[i]):
            return i
        if view.trick != before:
            takers[before] = view.leader
    return len(choices)


@entry
def list_legal(views, hands, choices):
    """Write the legal choices of the decision due, in the order of records: how many there are."""
    view = views[0]
    if view.kind == NO_DECISION:
        return 0
    n = 0
    if view.kind != PLAY:
        mask = party.legal_davi(view) if view.kind == DAVI else np.int64((1 << 5) - 1)
        while mask:
            choices[n] = first_index(mask)
            mask &= mask - 1
            n += 1
        return n
    hand = hands[view.turn]
    cards = party.usable_cards(view, hand)
    legal = party.legal_cards(view, cards)
    places = party.joker_places(view, hand, cards)
    base = party.play_base(view)
    n = party.n_plays(view, legal, places)
    for i in range(n):
        choices[i] = trick.placed_play(legal, places, base, i)
    return n


@entry
def decide(views, hands, streams, seed, index, policy, packet):
    """Ask a built-in policy for the decision that is due in a party of a run: its choice.

    `packet` is what the seat sees that names trump, a mask, or 0 to draw it.
    """
    view = views[0]
    if view.kind == CHOOSE_TRUMP:
        return parties.decide_trump_seeing(packet, view, hands, seed, index, policy, streams)
    if view.kind == DAVI:
        return parties.decide_davi(view, hands, policy, streams)
    play, _ = parties.decide_play(view, hands, policy, streams)
    return play
