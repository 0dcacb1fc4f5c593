"""Odds at a table of two: the pairs that each choice of one seat comes to, over the worlds it sees.

World i of a seed is game `WORLD_GAMES` + i of the streams, as for four. Davi is left aside: nobody
offers.
"""

from __future__ import annotations

import numpy as np

from jokersim.kernels import parties, party, worlds
from jokersim.kernels import streams as st
from jokersim.kernels.bits import first_index, nth_bit, popcount
from jokersim.kernels.dealing import DECK
from jokersim.kernels.jit import entry, kernel, leaf
from jokersim.kernels.odds_worlds import WORLD_GAMES
from jokersim.kernels.state import CHOOSE_TRUMP, N_PLACES, N_PLAYERS

_N_HAND = 8


@leaf
def _lay(pool, left, number, cards):
    """Lay five cards of `pool`, of `left` cards, on the places by a number: the rest of both."""
    for place in range(N_PLACES):
        after = number // left
        bit = nth_bit(pool, number - after * left)
        number = after
        pool ^= bit
        left -= 1
        cards[place] = first_index(bit)
    return pool, left, number


@kernel
def deal_after_packet(packet, seat, keys, hands, up, down):
    """Deal what the declarer, who has seen his three cards, has yet to see; `keys` [3]."""
    pool = DECK & ~packet
    left = popcount(pool)
    for pile in range(2):
        cards = up if pile == 0 else down
        ways = np.int64(1)
        for i in range(2 * N_PLACES):
            ways *= left - i
        number = worlds.draw_number(keys[pile], ways)
        for player in range(N_PLAYERS):
            pool, left, number = _lay(pool, left, number, cards[player])
    theirs = worlds.draw_number(keys[2], worlds.BINOMIAL[left, _N_HAND])
    hands[1 - seat] = worlds.nth_subset(pool, left, np.int64(_N_HAND), theirs)
    hands[seat] = packet | (pool ^ hands[1 - seat])


@kernel
def copy_deal(view, source):
    """Copy what changes within a deal."""
    view.kind = source.kind
    view.turn = source.turn
    view.declarer = source.declarer
    view.trump = source.trump
    view.trick = source.trick
    view.leader = source.leader
    view.position = source.position
    view.led = source.led
    view.high = source.high
    view.row = source.row
    view.winner = source.winner
    view.strength = source.strength
    view.played = source.played
    view.davi_settled = source.davi_settled
    view.offer_pending = source.offer_pending
    for seat in range(N_PLAYERS):
        view.open[seat] = source.open[seat]
        view.covered[seat] = source.covered[seat]
        view.lifted[seat] = source.lifted[seat]
        view.n_hand[seat] = source.n_hand[seat]
        view.pairs[seat] = source.pairs[seat]
        view.plays[seat] = source.plays[seat]
        view.may_hold[seat] = source.may_hold[seat]
        view.n_offers[seat] = source.n_offers[seat]
        view.points[seat] = source.points[seat]
        for place in range(N_PLACES):
            view.up[seat, place] = source.up[seat, place]


@entry
def count_worlds_two(views, hand, seat):
    """Count the worlds of a seat of two at a play."""
    return worlds.survey_two(views[0], hand, seat)


@entry
def judge_worlds_two(
    numbers, hand, policies, candidates, seed, start, stop, total, enumerated, views, cells
):
    """Play each candidate out in the worlds start … stop-1.

    Fills `cells`, a row a world and a column a candidate, with the pairs that the seat takes.
    `views` are two: one to work in, and the decision as its seat sees it. `total` is the number of
    worlds, at a choice of trump 0; worlds are drawn, or taken by number where `enumerated`.
    """
    view = views[0]
    decided = views[1]
    seat = decided.turn
    chooses = decided.kind == CHOOSE_TRUMP
    hands = np.zeros(N_PLAYERS, np.int64)
    down = np.zeros((N_PLAYERS, N_PLACES), np.int64)
    world_hands = np.zeros(N_PLAYERS, np.int64)
    world_up = np.zeros((N_PLAYERS, N_PLACES), np.int64)
    world_down = np.zeros((N_PLAYERS, N_PLACES), np.int64)
    streams = np.zeros((N_PLAYERS, st.N_COLUMNS), np.uint64)
    keys = np.zeros(3, np.uint64)
    party.begin_party(view, numbers)
    view.davi_cap = 1
    for world in range(start, stop):
        game = WORLD_GAMES + world
        keys[0], keys[1] = st.philox(seed, game, decided.deal, st.ODDS)
        keys[2], _ = st.philox(seed, game, decided.deal, st.ODDS + 1)
        if chooses:
            deal_after_packet(hand, seat, keys, world_hands, world_up, world_down)
        else:
            number = world if enumerated else worlds.draw_number(keys[0], total)
            worlds.fill_world_two(decided, hand, seat, number, world_hands, world_down)
        for column in range(len(candidates)):
            for player in range(N_PLAYERS):
                hands[player] = world_hands[player]
                for place in range(N_PLACES):
                    down[player, place] = world_down[player, place]
            st.open_two_policy_streams(streams, seed, game, decided.deal)
            if chooses:
                view.deal = decided.deal - 1
                party.begin_deal(view, seat)
                for player in range(N_PLAYERS):
                    view.points[player] = decided.points[player]
                party.name_trump(view, candidates[column], world_up)
            else:
                view.deal = decided.deal
                copy_deal(view, decided)
                play = candidates[column]
                bit = party.card_of_play(view, hands[seat], play)
                party.make_play(view, hands, down, play, bit)
            parties.finish_deal(view, hands, down, policies, streams)
            cells[world - start, column] = view.pairs[seat]
