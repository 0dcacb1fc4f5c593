"""Whole parties of two in which both play at random without davi: what most bulk runs call.

Does what `parties.run_parties` does for such players, with the same results, for a row of parties
in step. A party that is over leaves its lane to the next one, so the row stays full.
"""

from __future__ import annotations

import numpy as np

from jokersim.kernels import dealing, party, party_random
from jokersim.kernels.jit import entry, leaf
from jokersim.kernels.parties import declarer_of_next, note_deal, note_party
from jokersim.kernels.party_random import N_LANES
from jokersim.kernels.party_sums import N_COUNTS, N_DIFFERENCES, add_up, count_deal
from jokersim.kernels.state import N_PAIRS, N_PLAYERS, TWO_VIEW, new_views

# What the parties in step have booked: first declarers, points, and `party_sums`' counts of a party
# and deals by the declarer's pairs.
BOOKS = np.dtype(
    [
        ("firsts", np.int64, N_LANES),
        ("points", np.int64, (N_LANES, N_PLAYERS)),
        ("counts", np.int64, (N_LANES, N_PLAYERS, N_COUNTS)),
        ("declared", np.int64, (N_LANES, N_DIFFERENCES)),
    ],
    align=True,
)


def new_memory():
    """Allocate what `run_random_parties` keeps the parties in step in: view, lanes and books."""
    return new_views(TWO_VIEW), new_views(party_random.LANES), new_views(BOOKS)


@leaf
def begin(lanes, books, lane, seed, game):
    """Begin a party in a lane."""
    first = dealing.drawn_declarer(seed, game, 0)
    lanes.games[lane] = game
    lanes.deals[lane] = 0
    lanes.declarers[lane] = first
    books.firsts[lane] = first
    for seat in range(N_PLAYERS):
        books.points[lane, seat] = 0
        for k in range(N_COUNTS):
            books.counts[lane, seat, k] = 0
    for pairs in range(N_DIFFERENCES):
        books.declared[lane, pairs] = 0


@leaf
def move(lanes, books, here, there):
    """Move the party of one lane to another."""
    lanes.games[there] = lanes.games[here]
    lanes.deals[there] = lanes.deals[here]
    lanes.declarers[there] = lanes.declarers[here]
    books.firsts[there] = books.firsts[here]
    for seat in range(N_PLAYERS):
        books.points[there, seat] = books.points[here, seat]
        for k in range(N_COUNTS):
            books.counts[there, seat, k] = books.counts[here, seat, k]
    for pairs in range(N_DIFFERENCES):
        books.declared[there, pairs] = books.declared[here, pairs]


@leaf
def look(view, lanes, books, lane):
    """Write a lane's party, before its next deal, to the view that the steps of `party` take."""
    view.deal = lanes.deals[lane] - 1
    for seat in range(N_PLAYERS):
        view.points[seat] = books.points[lane, seat]


@leaf
def book_deal(view, lanes, books, lane, seed, credit):
    """Book the deal just played."""
    view.deal = lanes.deals[lane]
    view.declarer = lanes.declarers[lane]
    view.trump = lanes.trumps[lane]
    view.trick = N_PAIRS
    pairs = lanes.pairs_of_1[lane]
    view.pairs[0] = N_PAIRS - pairs
    view.pairs[1] = pairs
    for seat in range(N_PLAYERS):
        view.points[seat] = books.points[lane, seat]
        view.n_offers[seat] = 0
    party.end_deal(view, credit)
    for seat in range(N_PLAYERS):
        books.points[lane, seat] = view.points[seat]
    count_deal(view, books.counts[lane], books.declared[lane])
    lanes.declarers[lane] = declarer_of_next(view, seed, lanes.games[lane], books.firsts[lane])
    lanes.deals[lane] += 1


@entry
def run_random_parties(
    numbers,
    seed,
    start,
    stop,
    games,
    deals,
    rows,
    sums,
    party_sums,
    view_array,
    lanes_array,
    books_array,
):
    """Play parties start … stop-1, fill the columns asked for, add sums: see `run_parties`.

    There is no table of plays here. `rows` says where each party's rows of `deals` begin, so that
    table takes a first run, without it, that counts the deals. The last three arguments are what
    `new_memory` answers.
    """
    view = view_array[0]
    party.begin_party(view, numbers)
    lanes = lanes_array[0]
    books = books_array[0]
    credit = np.empty(N_PLAYERS, np.int64)
    points = games.points
    note_games = len(games.winner) > 0
    note_deals = len(deals.game) > 0
    n = min(N_LANES, stop - start)
    game = start + n
    for lane in range(n):
        begin(lanes, books, lane, seed, start + lane)
    while n > 0:
        lane = 0
        while lane < n:
            look(view, lanes, books, lane)
            winner = party.party_winner(view)
            if winner < 0 and not dealing.fails(
                seed, lanes.games[lane], lanes.deals[lane], numbers.failure
            ):
                lane += 1
                continue
            first = books.firsts[lane]
            counts = books.counts[lane]
            add_up(view, first, winner, counts, books.declared[lane], sums, party_sums)
            i = lanes.games[lane] - start
            for seat in range(N_PLAYERS):
                points[seat, i] = view.points[seat]
            if note_games:
                note_party(view, first, winner, counts, games, i)
            if game < stop:
                begin(lanes, books, lane, seed, game)
                game += 1
            else:
                n -= 1
                move(lanes, books, n, lane)
        party_random.deal_all(lanes, n, seed)
        party_random.play_all(lanes, n, numbers)
        for lane in range(n):
            if note_deals:
                row = rows[lanes.games[lane] - start] + N_PLAYERS * lanes.deals[lane]
            book_deal(view, lanes, books, lane, seed, credit)
            if note_deals:
                note_deal(
                    view,
                    lanes.hands[lane],
                    lanes.open[lane],
                    lanes.covered[lane],
                    credit,
                    lanes.games[lane],
                    deals,
                    row,
                )
