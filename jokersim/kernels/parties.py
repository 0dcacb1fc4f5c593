"""Parties of two run to the end: who decides what, in which order, and what is written down.

`run_parties` is what a simulation calls, once a chunk and thread. Rollouts from any decision on use
`finish_deal`. Columns that are not asked for are arrays of length 0.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from jokersim.kernels import dealing, party, trick
from jokersim.kernels import streams as st
from jokersim.kernels.bits import first_index
from jokersim.kernels.given import lay_two
from jokersim.kernels.jit import entry, kernel, leaf
from jokersim.kernels.party_sums import (
    N_COUNTS,
    N_DIFFERENCES,
    OFFERS_HERE,
    add_up,
    count_deal,
)
from jokersim.kernels.policies import RANDOM, basic_two, chance, stakes, user
from jokersim.kernels.state import (
    DAVI,
    N_PAIRS,
    N_PLACES,
    N_PLAYERS,
    NO_DECISION,
)

CARDS_A_DEAL = 2 * N_PAIRS


class PartyColumns(NamedTuple):
    """Columns of the table `games`, an entry a party (seats in front)."""

    first_declarer: np.ndarray
    winner: np.ndarray
    """-1 where the party was aborted."""
    multiplier: np.ndarray
    deals: np.ndarray
    """Deals played, one cut short by a decline included."""
    points: np.ndarray
    """[2, parties]"""
    davi_offers: np.ndarray
    declined_by: np.ndarray


class PartyDealColumns(NamedTuple):
    """Columns of the table `deals`, a row a deal and seat, seats 0 and 1 in turn."""

    game: np.ndarray
    deal: np.ndarray
    declarer: np.ndarray
    trump: np.ndarray
    pairs: np.ndarray
    points: np.ndarray
    multiplier: np.ndarray
    davi_offers: np.ndarray
    hand: np.ndarray
    open: np.ndarray
    covered: np.ndarray


class PartyPlayColumns(NamedTuple):
    """Columns of the table `plays`, a row a card in order of play."""

    game: np.ndarray
    deal: np.ndarray
    trick: np.ndarray
    position: np.ndarray
    seat: np.ndarray
    card: np.ndarray
    declaration: np.ndarray
    place: np.ndarray
    taker: np.ndarray


@kernel
def decide_trump_seeing(packet, view, hands, seed, game, policy, streams):
    """As `decide_trump`, with the packet given, or 0 to draw it."""
    seat = view.turn
    if policy == RANDOM:
        return chance.trump(streams, seat)
    view.seat = seat
    view.hand = packet if packet else dealing.packet(hands[seat], seed, game, view.deal)
    if policy >= user.FIRST:
        return user.trump(policy, view, streams)
    return basic_two.trump(view, streams)


@kernel
def decide_trump(view, hands, seed, game, policy, streams):
    """The declarer names trump, seeing his packet of three and no other card."""
    return decide_trump_seeing(np.int64(0), view, hands, seed, game, policy, streams)


@kernel
def decide_davi(view, hands, policy, streams):
    """The seat whose davi decision is due chooses an action."""
    seat = view.turn
    legal = party.legal_davi(view)
    if policy == RANDOM:
        return chance.davi(legal, streams, seat)
    view.seat = seat
    view.hand = hands[seat]
    if policy >= user.FIRST:
        return user.mask_choice(policy, view, legal, streams)
    return stakes.davi(view, legal, streams)


@leaf
def decide_play(view, hands, policy, streams):
    """The seat whose turn it is chooses a play: the play and its card as a mask."""
    seat = view.turn
    hand = hands[seat]
    cards = party.usable_cards(view, hand)
    legal = party.legal_cards(view, cards)
    places = party.joker_places(view, hand, cards)
    if policy == RANDOM:
        base = party.play_base(view)
        declarations = party.n_declarations(view)
        play = chance.placed_play(legal, places, base, declarations, streams, seat)
    else:
        view.seat = seat
        view.hand = hand
        if policy >= user.FIRST:
            n = party.n_plays(view, legal, places)
            base = party.play_base(view)
            play = user.placed_play(policy, view, legal, places, base, n, streams)
        else:
            play = basic_two.play(view, legal, places, streams)
    return play, party.card_of_play(view, hand, play)


@kernel
def finish_deal(view, hands, down, policies, streams):
    """Go on from any davi decision or play to the end of a deal, or of the party by a decline."""
    while view.kind != NO_DECISION:
        if view.kind == DAVI:
            party.make_davi(view, decide_davi(view, hands, policies[view.turn], streams))
        else:
            play, bit = decide_play(view, hands, policies[view.turn], streams)
            party.make_play(view, hands, down, play, bit)


@kernel
def finish_deal_noting(view, hands, down, policies, streams, game, columns, row):
    """As `finish_deal`, and write the rows of `plays` from `row` on."""
    while view.kind != NO_DECISION:
        seat = view.turn
        if view.kind == DAVI:
            party.make_davi(view, decide_davi(view, hands, policies[seat], streams))
            continue
        play, bit = decide_play(view, hands, policies[seat], streams)
        closes = view.position == 1
        columns.game[row] = game
        columns.deal[row] = view.deal
        columns.trick[row] = view.trick
        columns.position[row] = view.position
        columns.seat[row] = seat
        columns.card[row] = first_index(bit)
        columns.declaration[row] = trick.declaration_of(play)
        columns.place[row] = party.place_of_card(view, seat, bit)
        row += 1
        party.make_play(view, hands, down, play, bit)
        if closes:
            columns.taker[row - 2] = view.leader
            columns.taker[row - 1] = view.leader
    return row


@leaf
def masks_of(ids, masks):
    """Fill `masks` [2] with the cards that lie on each seat's places, `ids` [2, 5]."""
    for seat in range(N_PLAYERS):
        cards = np.int64(0)
        for place in range(N_PLACES):
            cards |= np.int64(1) << ids[seat, place]
        masks[seat] = cards


@leaf
def note_deal(view, dealt, opened, covered, credit, game, columns, row):
    """Write the two rows of `deals` of the deal just ended: cards by seat as dealt."""
    for seat in range(N_PLAYERS):
        i = row + seat
        columns.game[i] = game
        columns.deal[i] = view.deal
        columns.declarer[i] = view.declarer
        columns.trump[i] = view.trump
        columns.pairs[i] = view.pairs[seat]
        columns.points[i] = credit[seat]
        columns.multiplier[i] = view.multiplier
        columns.davi_offers[i] = view.n_offers[seat]
        columns.hand[i] = dealt[seat]
        columns.open[i] = opened[seat]
        columns.covered[i] = covered[seat]


@leaf
def note_party(view, first, winner, counts, games, i):
    """Write the row of `games` of a party that is over or void."""
    games.first_declarer[i] = first
    games.winner[i] = winner
    games.multiplier[i] = view.multiplier
    games.deals[i] = view.deal + 1
    games.davi_offers[i] = counts[0, OFFERS_HERE] + counts[1, OFFERS_HERE]
    games.declined_by[i] = view.declined_by


@leaf
def declarer_of_next(view, seed, game, first):
    """Declarer of the deal that comes next."""
    if view.deal < 0:
        return first
    declarer = party.next_declarer(view)
    if declarer < 0:
        return dealing.drawn_declarer(seed, game, view.deal + 1)
    return declarer


@entry
def run_parties(
    numbers, policies, seed, start, stop, given, games, deals, plays, sums, party_sums, view_array
):
    """Play parties start … stop-1, fill the columns asked for (`games.points` always), add sums.

    The deals are those of `given`, whose game 0 is game `start`, as far as it has any, and then the
    seed's.
    Deals and plays are as many as come. The answer is the index of the first party that does not
    fit any more into `deals` or `plays` (`stop` if all fitted) and the rows written of either: the
    caller goes on from there with empty columns, larger ones if not even one party fitted. Where a
    user's policy failed it ends: the party's index, and -1 for the rows.
    """
    view = view_array[0]
    hands = np.empty(N_PLAYERS, np.int64)
    dealt = np.empty(N_PLAYERS, np.int64)
    up = np.empty((N_PLAYERS, N_PLACES), np.int64)
    down = np.empty((N_PLAYERS, N_PLACES), np.int64)
    opened = np.empty(N_PLAYERS, np.int64)
    covered = np.empty(N_PLAYERS, np.int64)
    credit = np.empty(N_PLAYERS, np.int64)
    counts = np.zeros((N_PLAYERS, N_COUNTS), np.int64)
    declared = np.zeros(N_DIFFERENCES, np.int64)
    streams = np.zeros((N_PLAYERS, st.N_COLUMNS), np.uint64)
    note_games = len(games.winner) > 0
    deal_capacity = len(deals.game)
    play_capacity = len(plays.game)
    note_deals = deal_capacity > 0
    note_plays = play_capacity > 0
    is_given = len(given.first) > 0
    given_row = np.int64(0)
    given_stop = np.int64(0)
    party.begin_party(view, numbers)
    deal_row = 0
    play_row = 0
    for game in range(start, stop):
        i = game - start
        deal_rows_before = deal_row
        play_rows_before = play_row
        if is_given:
            first = given.first[i]
            given_row = given.begin[i]
            given_stop = given.begin[i + 1]
        else:
            first = dealing.drawn_declarer(seed, game, 0)
        party.restart_party(view)
        counts[:] = 0
        declared[:] = 0
        winner = np.int64(-1)
        while winner < 0 and not dealing.fails(seed, game, view.deal + 1, numbers.failure):
            if (note_deals and deal_row + N_PLAYERS > deal_capacity) or (
                note_plays and play_row + CARDS_A_DEAL > play_capacity
            ):
                return game, deal_rows_before, play_rows_before
            declarer = declarer_of_next(view, seed, game, first)
            packet = np.int64(0)
            if given_row < given_stop:
                lay_two(hands, up, down, given, given_row)
                if given.declarer[given_row] >= 0:
                    declarer = given.declarer[given_row]
                packet = given.packets[given_row, declarer]
                given_row += 1
            else:
                dealing.deal_two(hands, up, down, seed, game, view.deal + 1)
            if note_deals:
                dealt[:] = hands
                masks_of(up, opened)
                masks_of(down, covered)
            st.open_two_policy_streams(streams, seed, game, view.deal + 1)
            party.begin_deal(view, declarer)
            policy = policies[view.turn]
            trump = decide_trump_seeing(packet, view, hands, seed, game, policy, streams)
            party.name_trump(view, trump, up)
            if note_plays:
                play_row = finish_deal_noting(
                    view, hands, down, policies, streams, game, plays, play_row
                )
            else:
                finish_deal(view, hands, down, policies, streams)
            party.end_deal(view, credit)
            if note_deals:
                note_deal(view, dealt, opened, covered, credit, game, deals, deal_row)
                deal_row += N_PLAYERS
            count_deal(view, counts, declared)
            winner = party.party_winner(view)
        add_up(view, first, winner, counts, declared, sums, party_sums)
        for seat in range(N_PLAYERS):
            games.points[seat, i] = view.points[seat]
        if note_games:
            note_party(view, first, winner, counts, games, i)
        if user.failed(policies):
            return game, np.int64(-1), np.int64(-1)
    return stop, deal_row, play_row
