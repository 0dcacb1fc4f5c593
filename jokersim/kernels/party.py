"""One deal and one party at a table of two, decision by decision.

The same steps (`begin_deal`, `name_trump`, `make_davi`, `make_play`, `end_deal`) serve the
simulation, a table that a person steps through, replay of records, and rollouts from any decision.
A `view` is one record of `state.TWO_VIEW`; `hands` int64 [2]; `down` int64 [2, 5] the covered
cards' ids, -1 once turned up. What is legal and who takes a trick is `trick`'s to say, as for four.
"""

from __future__ import annotations

import numpy as np

from jokersim.cards import JOKER_PLAY
from jokersim.kernels import trick
from jokersim.kernels.bits import first_bit, first_index, popcount
from jokersim.kernels.dealing import DECK
from jokersim.kernels.jit import kernel, leaf
from jokersim.kernels.state import (
    ACCEPT,
    CHOOSE_TRUMP,
    COUNTER,
    DAVI,
    DECLINE,
    LEAD,
    N_PAIRS,
    N_PLACES,
    N_PLAYERS,
    NO_DECISION,
    NOT_YET,
    OFFER,
    OPEN_BOTH_FIRST_TRICK,
    OPEN_LEADER_FIRST_LEAD,
    PLAY,
    ROTATION_ALTERNATE,
    ROTATION_LOSER,
    ROTATION_RANDOM,
    ROTATION_WINNER,
)

ALL_PLACES = (1 << N_PLACES) - 1
N_PACKET = 3
"""Cards that a seat holds before trump is named."""


@kernel
def begin_party(view, numbers):
    """Write what stays the same for a whole party, and the state before its first deal."""
    view.target = numbers.target
    view.rotation = numbers.rotation
    view.table_open = numbers.table_open
    view.must_trump = numbers.must_trump
    view.davi_cap = numbers.davi_cap
    restart_party(view)


@leaf
def restart_party(view):
    """Go back to the state before the first deal of a party of the same rule set."""
    view.deal = NOT_YET
    view.kind = NO_DECISION
    view.multiplier = 1
    view.last_offer = NOT_YET
    view.offer_pending = 0
    view.declined_by = NOT_YET
    for seat in range(N_PLAYERS):
        view.points[seat] = 0


@kernel
def begin_deal(view, declarer):
    """Start the next deal with three cards a hand; the declarer names trump next."""
    view.deal += 1
    view.declarer = declarer
    view.trump = NOT_YET
    view.trick = 0
    view.position = 0
    view.led = NOT_YET
    view.high = 0
    view.leader = declarer
    view.turn = declarer
    view.kind = CHOOSE_TRUMP
    view.played = 0
    view.davi_settled = 0
    for seat in range(N_PLAYERS):
        for place in range(N_PLACES):
            view.up[seat, place] = NOT_YET
        view.open[seat] = 0
        view.covered[seat] = 0
        view.lifted[seat] = NOT_YET
        view.n_hand[seat] = N_PACKET
        view.pairs[seat] = 0
        view.plays[seat] = NOT_YET
        view.n_offers[seat] = 0
        view.may_hold[seat] = DECK


@leaf
def name_trump(view, trump, up):
    """The declarer names trump; only then is the rest dealt, `up` [2, 5] the open cards' ids."""
    view.trump = trump
    lay_table(view, up)
    ready_to_lead(view)


@leaf
def lay_table(view, up):
    """Lay the covered and the open cards on the table, and fill the hands."""
    seen = np.int64(0)
    for seat in range(N_PLAYERS):
        opened = np.int64(0)
        for place in range(N_PLACES):
            card = up[seat, place]
            view.up[seat, place] = card
            opened |= np.int64(1) << card
        view.open[seat] = opened
        view.covered[seat] = ALL_PLACES
        view.n_hand[seat] = N_PAIRS - 2 * N_PLACES
        seen |= opened
    for seat in range(N_PLAYERS):
        view.may_hold[seat] = DECK & ~seen


@leaf
def ready_to_lead(view):
    """Say what is due before a lead: whether to offer davi where one may, else the lead."""
    below_cap = view.multiplier + 1 <= view.davi_cap
    may_offer = below_cap and view.last_offer != view.leader
    view.davi_settled = 0 if may_offer else 1
    view.turn = view.leader
    view.kind = DAVI if may_offer else PLAY


@leaf
def legal_davi(view):
    """Actions open to the seat whose davi decision is due, as a mask of bits 1 << action."""
    if not view.offer_pending:
        return np.int64((1 << OFFER) | (1 << LEAD))
    legal = np.int64((1 << ACCEPT) | (1 << DECLINE))
    if view.multiplier + 2 <= view.davi_cap:
        legal |= 1 << COUNTER
    return legal


@kernel
def make_davi(view, action):
    """The seat whose davi decision is due acts; a decline ends the party."""
    seat = view.turn
    if action == ACCEPT or action == COUNTER:
        view.multiplier += 1
    if action == OFFER or action == COUNTER:
        view.last_offer = seat
        view.offer_pending = 1
        view.n_offers[seat] += 1
        view.turn = 1 - seat
        return
    view.offer_pending = 0
    view.davi_settled = 1
    if action == DECLINE:
        view.declined_by = seat
        view.kind = NO_DECISION
    else:
        view.turn = view.leader
        view.kind = PLAY


@leaf
def usable_cards(view, hand):
    """Cards that the seat whose turn it is may use: its hand and, once open, its table cards."""
    rule = view.table_open
    closed = view.trick == 0 and (
        rule == OPEN_BOTH_FIRST_TRICK or (rule == OPEN_LEADER_FIRST_LEAD and view.position == 0)
    )
    return hand if closed else hand | view.open[view.turn]


@leaf
def legal_cards(view, cards):
    """Legal plain cards of the seat whose turn it is, `cards` usable; its jokers are legal too."""
    if view.position == 0:
        return cards & trick.PLAIN
    duty = trick.duty_mask(view.must_trump, view.trump, view.high)
    return trick.follow_mask(cards, trick.MASKS[view.led], duty, view.high)


@kernel
def joker_places(view, hand, cards):
    """Places of the usable jokers of the seat whose turn it is: a set, see `trick`."""
    places = np.int64(0)
    if hand & trick.JOKERS:
        places = np.int64(1)
    if cards & ~hand & trick.JOKERS:
        seat = view.turn
        for place in range(N_PLACES):
            card = view.up[seat, place]
            if card >= 0 and (np.int64(1) << card) & trick.JOKERS:
                places |= np.int64(2) << place
    return places


@leaf
def play_base(view):
    """First declaration that a joker has here, over `JOKER_PLAY`."""
    return trick.REPLIED_HIGH_BASE if view.position else trick.LED_HIGH_BASE


@leaf
def n_declarations(view):
    """Number of declarations that a joker has here."""
    return trick.REPLIED_HIGH_DECLARATIONS if view.position else trick.LED_HIGH_DECLARATIONS


@leaf
def n_plays(view, plain, places):
    """Number of legal plays."""
    return popcount(plain) + n_declarations(view) * popcount(places)


@leaf
def card_of_play(view, hand, play):
    """Card (as a mask) that a legal play of the seat whose turn it is lays down."""
    if play < JOKER_PLAY:
        return np.int64(1) << play
    at = trick.place_bit(play)
    if at == 0:
        return first_bit(hand & trick.JOKERS)
    return np.int64(1) << view.up[view.turn, at - 1]


@leaf
def place_of_card(view, seat, bit):
    """Place where a card of that seat lies open; -1 if it lies nowhere, so in the hand."""
    card = first_index(bit)
    place = np.int64(-1)
    for at in range(N_PLACES):
        place = at if view.up[seat, at] == card else place
    return place


@leaf
def take_card(view, hands, seat, bit):
    """Take a played card from the hand or its place; its cover is turned up after the trick.

    Hand or table is a coin toss, so both are written by masks rather than one behind a branch.
    """
    place = place_of_card(view, seat, bit)
    from_hand = np.int64(place < 0)
    at = max(place, np.int64(0))
    hands[seat] ^= bit & -from_hand
    view.n_hand[seat] -= from_hand
    view.open[seat] &= ~bit
    view.up[seat, at] = view.up[seat, at] if from_hand else NOT_YET
    view.lifted[seat] = place
    view.played |= bit


@leaf
def make_play(view, hands, down, play, bit):
    """The seat whose turn it is plays; `bit` is the card as a mask. Closes a complete trick."""
    seat = view.turn
    take_card(view, hands, seat, bit)
    bare = trick.without_place(play)
    if view.position == 0:
        view.led = trick.led_suit(bare)
        view.high = trick.led_high(bare)
        view.row = trick.strength_row(1, view.trump, view.led, view.high)
        view.winner = seat
        view.strength = trick.strength(view.row, bare)
        view.plays[seat] = play
        view.plays[1 - seat] = NOT_YET
        view.position = 1
        view.turn = 1 - seat
        return
    strength = trick.strength(view.row, bare)
    takes = strength >= view.strength
    view.winner = seat if takes else view.winner
    view.strength = strength if takes else view.strength
    duty = trick.duty_mask(view.must_trump, view.trump, view.high)
    view.may_hold[seat] = trick.may_hold_after(
        view.may_hold[seat], bare, trick.MASKS[view.led], duty, view.high
    )
    view.plays[seat] = play
    close_trick(view, down)


@leaf
def close_trick(view, down):
    """Book the complete trick, turn up what its cards covered; its taker leads the next.

    `plays` keeps the trick until then.
    """
    winner = view.winner
    view.pairs[winner] += 1
    view.trick += 1
    view.leader = winner
    view.position = 0
    view.led = NOT_YET
    view.high = 0
    for seat in range(N_PLAYERS):
        turn_up(view, down, seat)
    if view.trick == N_PAIRS:
        view.kind = NO_DECISION
        view.turn = winner
    else:
        ready_to_lead(view)


@leaf
def turn_up(view, down, seat):
    """Turn up the card that the seat's play of this trick has uncovered, if any; by masks."""
    place = view.lifted[seat]
    at = max(place, np.int64(0))
    card = down[seat, at]
    there = (place >= 0) & (card >= 0)
    bit = np.int64(there) << max(card, np.int64(0))
    down[seat, at] = NOT_YET if there else card
    view.up[seat, at] = card if there else view.up[seat, at]
    view.open[seat] |= bit
    view.covered[seat] ^= np.int64(there) << at
    view.may_hold[0] &= ~bit
    view.may_hold[1] &= ~bit
    view.lifted[seat] = NOT_YET


@leaf
def end_deal(view, credit):
    """Credit the difference of a complete deal (nothing for one cut short): fills `credit` [2]."""
    difference = view.pairs[0] - view.pairs[1]
    if view.trick < N_PAIRS:
        difference = np.int64(0)
    credit[0] = max(difference, np.int64(0))
    credit[1] = max(-difference, np.int64(0))
    view.points[0] += credit[0]
    view.points[1] += credit[1]


@leaf
def party_winner(view):
    """Seat that has won the party, by points after a deal or by a decline; -1 while it goes on."""
    if view.declined_by >= 0:
        return 1 - view.declined_by
    if view.points[0] >= view.target:
        return np.int64(0)
    if view.points[1] >= view.target:
        return np.int64(1)
    return np.int64(-1)


@leaf
def next_declarer(view):
    """Declarer of the next deal by the one just ended; -1 where he is drawn at random."""
    rotation = view.rotation
    declarer = view.declarer
    if rotation == ROTATION_RANDOM:
        return np.int64(-1)
    if rotation == ROTATION_ALTERNATE:
        return 1 - declarer
    difference = view.pairs[0] - view.pairs[1]
    if difference == 0 or (rotation != ROTATION_WINNER and rotation != ROTATION_LOSER):
        return declarer
    won = np.int64(0) if difference > 0 else np.int64(1)
    return won if rotation == ROTATION_WINNER else 1 - won
