"""Games of four run to the end: who decides what, in which order, and what is written down.

`run_games` is what a simulation calls, once a chunk and thread. Rollouts from any decision on use
`finish_deal`. Columns that are not asked for are arrays of length 0.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from jokersim.kernels import deal as table
from jokersim.kernels import dealing, trick
from jokersim.kernels import streams as st
from jokersim.kernels.bits import first_index
from jokersim.kernels.game_sums import add_up
from jokersim.kernels.given import lay_four
from jokersim.kernels.jit import entry, kernel, leaf
from jokersim.kernels.policies import RANDOM, basic, chance, native, user
from jokersim.kernels.scoring import rank
from jokersim.kernels.state import BID, CHOOSE_TRUMP, N_SEATS, NO_DECISION


class PlayColumns(NamedTuple):
    """Columns of the table `plays`, a row a card, int8; what the schedule fixes is left out."""

    seat: np.ndarray
    card: np.ndarray
    declaration: np.ndarray
    taker: np.ndarray


@leaf
def decide_trump_seeing(packet, view, hands, seed, game, policy, streams):
    """As `decide_trump`, with the first three cards given, or 0 to draw them."""
    seat = view.turn
    if policy == RANDOM:
        return chance.trump(streams, seat)
    view.seat = seat
    view.hand = packet if packet else dealing.packet(hands[seat], seed, game, view.deal)
    if policy >= user.FIRST:
        return user.trump(policy, view, streams)
    return basic.trump(view, streams)


@leaf
def decide_trump(view, hands, seed, game, policy, streams):
    """The chooser of a nine-card deal names trump, seeing his first three cards."""
    return decide_trump_seeing(np.int64(0), view, hands, seed, game, policy, streams)


@leaf
def is_quiet(policy):
    """Whether a policy is the package's own and needs no stream, but its key at most.

    Those are asked apart, without the array of streams: to hand an array on is to count it, which
    takes longer than some of their decisions.
    """
    if policy >= user.FIRST:
        return user.is_native(policy)
    return policy != RANDOM


@leaf
def quiet_bid(view, cards, policy, key):
    """The seat whose turn it is, holding `cards`, bids by a quiet policy."""
    view.seat = view.turn
    view.hand = cards
    legal = table.legal_bids(view)
    if policy >= user.FIRST:
        return native.ask(policy, view, legal, key)
    return basic.bid(view, legal, None)


@leaf
def quiet_play(view, cards, legal, policy, key, seat):
    """A seat holding `cards` chooses a play by a quiet policy: the play and its card as a mask."""
    if trick.is_forced(legal, cards):
        return first_index(legal), legal
    view.seat = seat
    view.hand = cards
    if policy >= user.FIRST:
        play = native.ask(policy, view, legal, key)
    else:
        play = basic.play(view, legal, None)
    return play, trick.card_of_play(play, cards)


@leaf
def drawn_bid(view, cards, policy, streams):
    """The seat whose turn it is, holding `cards`, bids by a policy that may draw."""
    seat = view.turn
    legal = table.legal_bids(view)
    if policy == RANDOM:
        return chance.bid(legal, streams, seat)
    view.seat = seat
    view.hand = cards
    return user.mask_choice(policy, view, legal, streams)


@leaf
def drawn_play(view, cards, legal, leading, policy, streams, seat):
    """A seat holding `cards` chooses a play by a policy that may draw: as `quiet_play`."""
    base = 0 if leading else trick.REPLY_BASE
    declarations = trick.LED_DECLARATIONS if leading else trick.REPLIED_DECLARATIONS
    if policy == RANDOM:
        return chance.play(legal, cards, base, declarations, streams, seat)
    view.seat = seat
    view.hand = cards
    jokers = cards & trick.JOKERS
    play = user.play(policy, view, legal, jokers, base, declarations, streams)
    return play, trick.card_of_play(play, cards)


@leaf
def decide_bid(view, hands, policy, streams):
    """The seat whose turn it is bids."""
    seat = view.turn
    if is_quiet(policy):
        return quiet_bid(view, hands[seat], policy, streams[seat, st.KEY])
    return drawn_bid(view, hands[seat], policy, streams)


@leaf
def choose_play(view, cards, legal, leading, policy, streams, seat):
    """A seat holding `cards` chooses a play: the play and its card as a mask."""
    if is_quiet(policy):
        return quiet_play(view, cards, legal, policy, streams[seat, st.KEY], seat)
    return drawn_play(view, cards, legal, leading, policy, streams, seat)


@leaf
def decide_play(view, hands, policy, streams):
    """The seat whose turn it is chooses a play: the play and its card as a mask."""
    cards = hands[view.turn]
    legal = table.legal_cards(view, cards)
    return choose_play(view, cards, legal, view.position == 0, policy, streams, view.turn)


@kernel
def finish_bids(view, hands, policies, streams):
    """Make the bids that are still to be made."""
    while view.kind == BID:
        seat = view.turn
        policy = policies[seat]
        if is_quiet(policy):
            bid = quiet_bid(view, hands[seat], policy, streams[seat, st.KEY])
        else:
            bid = drawn_bid(view, hands[seat], policy, streams)
        table.make_bid(view, bid)


@kernel
def finish_tricks(view, hands, policies, streams, tracked, columns, row):
    """Play what is left of a deal, from any card of any trick on.

    The same as `deal.make_play` card by card, with what a trick needs kept in registers. Where
    nobody looks at the view (`tracked` is false: all play at random) only the tricks taken are
    written to it. Rows of `plays` are written from `row` on, if they are wanted; the next row is
    answered.
    """
    noting = len(columns.seat) > 0
    trump = view.trump
    size = view.size
    number = view.trick
    leader = view.leader
    position = view.position
    led = view.led
    high = view.high
    strengths = view.row
    winner = view.winner
    best = view.strength
    led_mask = trick.MASKS[led] if position else np.int64(0)
    duty = trick.duty_mask(view.must_trump, trump, high)
    while number < size:
        while position < N_SEATS:
            seat = (leader + position) & 3
            cards = hands[seat]
            leading = position == 0
            if leading:
                legal = cards & trick.PLAIN
            else:
                legal = trick.follow_mask(cards, led_mask, duty, high)
            policy = policies[seat]
            if is_quiet(policy):
                key = streams[seat, st.KEY]
                play, bit = quiet_play(view, cards, legal, policy, key, seat)
            else:
                play, bit = drawn_play(view, cards, legal, leading, policy, streams, seat)
            hands[seat] = cards ^ bit
            if leading:
                led = trick.led_suit(play)
                high = trick.led_high(play)
                strengths = trick.strength_row(view.joker_beats_cut, trump, led, high)
                led_mask = trick.MASKS[led]
                duty = trick.duty_mask(view.must_trump, trump, high)
                winner = seat
                best = trick.strength(strengths, play)
                if tracked:
                    table.note_lead(view, led, high, strengths)
            else:
                strength = trick.strength(strengths, play)
                takes = strength >= best
                winner = seat if takes else winner
                best = strength if takes else best
                if tracked:
                    table.note_shown(view, seat, play, led_mask, duty, high)
            position += 1
            if tracked:
                table.note_play(view, seat, play, bit, position, winner, best)
            if noting:
                columns.seat[row] = seat
                columns.card[row] = first_index(bit)
                columns.declaration[row] = trick.declaration_of(play)
                row += 1
        view.taken[winner] += 1
        number += 1
        leader = winner
        position = 0
        if tracked:
            table.note_trick(view, leader, number)
        if noting:
            for i in range(row - N_SEATS, row):
                columns.taker[i] = winner
    view.kind = NO_DECISION
    return row


@kernel
def finish_deal(view, hands, policies, streams, tracked, columns, row):
    """Bid and play what is left of a deal whose trump is named; see `finish_tricks`."""
    finish_bids(view, hands, policies, streams)
    return finish_tricks(view, hands, policies, streams, tracked, columns, row)


@kernel
def note_deal(view, dealt, scores, premium, erased, columns, row):
    """Write the four rows of `deals` of the deal just scored."""
    for seat in range(N_SEATS):
        i = row + seat
        columns.dealer[i] = view.dealer
        columns.trump[i] = view.trump
        columns.turned[i] = view.turned
        columns.bid[i] = view.bids[seat]
        columns.taken[i] = view.taken[seat]
        columns.score[i] = scores[seat]
        columns.premium[i] = premium[seat]
        columns.erased[i] = erased[seat]
        columns.hand[i] = dealt[seat]


@entry
def run_games(numbers, policies, seed, start, stop, given, games, deals, plays, sums, view_array):
    """Play games start … stop-1, fill the columns asked for, add to `sums`.

    The deals are those of `given`, whose game 0 is game `start`, where it has any, else the seed's.
    Answers `stop`, or the index of the game in which a user's policy failed, where it ends.
    """
    view = view_array[0]
    hands = np.empty(N_SEATS, np.int64)
    dealt = np.empty(N_SEATS, np.int64)
    scores = np.empty(N_SEATS, np.int64)
    premium = np.empty(N_SEATS, np.int64)
    erased = np.empty(N_SEATS, np.int64)
    ranks = np.empty(N_SEATS, np.int64)
    counts = np.empty((N_SEATS, 3), np.int64)
    streams = np.zeros((N_SEATS, st.N_COLUMNS), np.uint64)
    n_deals = len(numbers.sizes)
    note_games = games.ranks.shape[1] > 0
    note_deals = len(deals.dealer) > 0
    tracked = False
    for seat in range(N_SEATS):
        tracked |= policies[seat] != RANDOM
    is_given = len(given.first) > 0
    packet = np.int64(0)
    table.begin_game(view, numbers)
    row = 0
    play_row = 0
    for game in range(start, stop):
        i = game - start
        if is_given:
            first = given.first[i]
        else:
            first = dealing.first_dealer(seed, game, numbers.first_dealer)
        table.restart_game(view)
        counts[:] = 0
        for deal in range(n_deals):
            if is_given:
                turned, packet = lay_four(hands, given, i, deal)
            else:
                turned = dealing.deal_four(hands, seed, game, deal, numbers.sizes[deal])
            for seat in range(N_SEATS):
                dealt[seat] = hands[seat]
            st.open_policy_streams(streams, seed, game, deal)
            table.begin_deal(view, numbers, (first + deal) & 3, turned)
            if view.kind == CHOOSE_TRUMP:
                policy = policies[view.turn]
                trump = decide_trump_seeing(packet, view, hands, seed, game, policy, streams)
                table.name_trump(view, trump)
            play_row = finish_deal(view, hands, policies, streams, tracked, plays, play_row)
            table.end_deal(view, numbers, scores, premium, erased)
            if note_deals:
                note_deal(view, dealt, scores, premium, erased, deals, row)
                row += N_SEATS
            last = deal == view.pulka_last
            for seat in range(N_SEATS):
                bid = view.bids[seat]
                taken = view.taken[seat]
                counts[seat, 0] += bid == taken
                counts[seat, 1] += (bid > 0) & (taken == 0)
                counts[seat, 2] += view.made[seat] & np.int64(last)
                if last and note_games:
                    games.premium[view.pulka, seat, i] = premium[seat]
                    games.erased[view.pulka, seat, i] = erased[seat]
        rank(view.totals, ranks)
        add_up(view.totals, first, ranks, counts, sums)
        for seat in range(N_SEATS):
            games.totals[seat, i] = view.totals[seat]
            if note_games:
                games.ranks[seat, i] = ranks[seat]
        games.first_dealer[i] = first
        if user.failed(policies):
            return game
    return stop
