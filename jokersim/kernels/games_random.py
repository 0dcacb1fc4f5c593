"""Whole games of four where every seat plays at random: what most bulk runs call.

Does what `game.run_games` does for such seats, with the same results, for a row of games in step.
"""

from __future__ import annotations

import numpy as np

from jokersim.kernels import deal_random, dealing
from jokersim.kernels.deal_random import N_LANES
from jokersim.kernels.game_sums import add_up
from jokersim.kernels.jit import entry, leaf
from jokersim.kernels.scoring import close_pulka, rank
from jokersim.kernels.state import N_SEATS, new_views

# What the games in step have booked, by seat unless said.
BOOKS = np.dtype(
    [
        ("first_dealers", np.int64, N_LANES),
        ("totals", np.int64, (N_LANES, N_SEATS)),
        # Of this pulka: 1 while every bid was made, the best positive score, else 0, and the same
        # before the last deal.
        ("made", np.int64, (N_LANES, N_SEATS)),
        ("best", np.int64, (N_LANES, N_SEATS)),
        ("best_but_last", np.int64, (N_LANES, N_SEATS)),
        ("premium", np.int64, (N_LANES, N_SEATS)),
        ("erased", np.int64, (N_LANES, N_SEATS)),
        # Deals made, khishtis, premiums.
        ("counts", np.int64, (N_LANES, N_SEATS, 3)),
    ],
    align=True,
)


def new_memory():
    """Allocate what `run_random_games` keeps the games in step in: lanes and books."""
    return new_views(deal_random.LANES), new_views(BOOKS)


@leaf
def open_books(books, n, seed, start, rule):
    """Begin the games from `start` on."""
    for lane in range(n):
        books.first_dealers[lane] = dealing.first_dealer(seed, start + lane, rule)
        for seat in range(N_SEATS):
            books.totals[lane, seat] = 0
            for k in range(3):
                books.counts[lane, seat, k] = 0


@leaf
def open_pulka(books, n):
    """Begin a pulka."""
    for lane in range(n):
        for seat in range(N_SEATS):
            books.made[lane, seat] = 1
            books.best[lane, seat] = 0
            books.premium[lane, seat] = 0
            books.erased[lane, seat] = 0


@leaf
def score_deal(books, lanes, n, size, score):
    """Book the points of a deal."""
    for lane in range(n):
        for seat in range(N_SEATS):
            bid = lanes.bids[lane, seat]
            taken = lanes.taken[lane, seat]
            points = score[size, bid, taken]
            made = np.int64(bid == taken)
            best = books.best[lane, seat]
            books.best_but_last[lane, seat] = best
            books.best[lane, seat] = max(best, points)
            books.made[lane, seat] &= made
            books.totals[lane, seat] += points
            books.counts[lane, seat, 0] += made
            books.counts[lane, seat, 1] += np.int64(bid > 0) & np.int64(taken == 0)


@leaf
def close_pulkas(books, n, numbers):
    """Book premiums and erasures after the last deal of a pulka."""
    for lane in range(n):
        made = books.made[lane]
        # Seats at random seldom make a whole pulka.
        if made[0] | made[1] | made[2] | made[3]:
            premium = books.premium[lane]
            erased = books.erased[lane]
            close_pulka(made, books.best[lane], books.best_but_last[lane], numbers, premium, erased)
            for seat in range(N_SEATS):
                books.totals[lane, seat] += premium[seat] - erased[seat]
                books.counts[lane, seat, 2] += made[seat]


@leaf
def put(column, row, one, two, three, four):
    """Write a value a seat; with an unsigned row the compiler makes one write of the four."""
    column[row] = one
    column[row + np.uint64(1)] = two
    column[row + np.uint64(2)] = three
    column[row + np.uint64(3)] = four


@leaf
def note_hands(lanes, n, first_row, rows_a_game, hand):
    """Write the column of hands of a deal, from the lanes' `first_row` on."""
    for lane in range(n):
        hands = lanes.hands[lane]
        row = np.uint64(first_row + lane * rows_a_game)
        put(hand, row, hands[0], hands[1], hands[2], hands[3])


@leaf
def note_deal(books, lanes, n, first_row, rows_a_game, deal, size, score, columns):
    """Write the rows of `deals` of a deal just booked, but for premiums and erasures."""
    for lane in range(n):
        row = np.uint64(first_row + lane * rows_a_game)
        dealer = (books.first_dealers[lane] + deal) & 3
        trump = lanes.trumps[lane]
        turned = lanes.turned[lane]
        b = lanes.bids[lane]
        t = lanes.taken[lane]
        b_0, b_1, b_2, b_3 = b[0], b[1], b[2], b[3]
        t_0, t_1, t_2, t_3 = t[0], t[1], t[2], t[3]
        s_0, s_1 = score[size, b_0, t_0], score[size, b_1, t_1]
        s_2, s_3 = score[size, b_2, t_2], score[size, b_3, t_3]
        put(columns.dealer, row, dealer, dealer, dealer, dealer)
        put(columns.trump, row, trump, trump, trump, trump)
        put(columns.turned, row, turned, turned, turned, turned)
        put(columns.bid, row, b_0, b_1, b_2, b_3)
        put(columns.taken, row, t_0, t_1, t_2, t_3)
        put(columns.score, row, s_0, s_1, s_2, s_3)


@leaf
def note_premiums(books, n, first_row, rows_a_game, columns):
    """Write premiums and erasures of a pulka into the rows of its last deal."""
    for lane in range(n):
        made = books.made[lane]
        if made[0] | made[1] | made[2] | made[3]:
            row = first_row + lane * rows_a_game
            for seat in range(N_SEATS):
                columns.premium[row + seat] = books.premium[lane, seat]
                columns.erased[row + seat] = books.erased[lane, seat]


@leaf
def note_pulka(books, n, first, pulka, games):
    """Write premiums and erasures of a pulka."""
    for lane in range(n):
        for seat in range(N_SEATS):
            games.premium[pulka, seat, first + lane] = books.premium[lane, seat]
            games.erased[pulka, seat, first + lane] = books.erased[lane, seat]


@leaf
def close_books(books, n, first, ranks, games, sums):
    """Write the games' totals and ranks, and add them up."""
    note_games = games.ranks.shape[1] > 0
    for lane in range(n):
        totals = books.totals[lane]
        dealer = books.first_dealers[lane]
        rank(totals, ranks)
        add_up(totals, dealer, ranks, books.counts[lane], sums)
        games.first_dealer[first + lane] = dealer
        for seat in range(N_SEATS):
            games.totals[seat, first + lane] = totals[seat]
            if note_games:
                games.ranks[seat, first + lane] = ranks[seat]


@entry
def run_random_games(numbers, seed, start, stop, games, deals, sums, lanes_array, books_array):
    """Play games start … stop-1, fill the columns asked for, add to `sums`: see `game.run_games`.

    There is no table of plays here. The last two arguments are what `new_memory` answers.
    """
    lanes = lanes_array[0]
    books = books_array[0]
    ranks = np.empty(N_SEATS, np.int64)
    n_deals = len(numbers.sizes)
    rows_a_game = n_deals * N_SEATS
    note_games = games.ranks.shape[1] > 0
    note_deals = len(deals.dealer) > 0
    if note_deals:
        for i in range((stop - start) * rows_a_game):
            deals.premium[i] = 0
            deals.erased[i] = 0
    for first in range(0, stop - start, N_LANES):
        n = min(N_LANES, stop - start - first)
        open_books(books, n, seed, start + first, numbers.first_dealer)
        for deal in range(n_deals):
            size = numbers.sizes[deal]
            if deal == numbers.pulka_first[deal]:
                open_pulka(books, n)
            for lane in range(n):
                lanes.choosers[lane] = (books.first_dealers[lane] + deal + 1) & 3
            deal_random.deal_hands(lanes, n, seed, start + first, deal, size)
            row = first * rows_a_game + deal * N_SEATS
            if note_deals:
                note_hands(lanes, n, row, rows_a_game, deals.hand)
            deal_random.play_deal(lanes, n, size, numbers)
            score_deal(books, lanes, n, size, numbers.score)
            if deal == numbers.pulka_last[deal]:
                close_pulkas(books, n, numbers)
                if note_games:
                    note_pulka(books, n, first, numbers.pulka[deal], games)
                if note_deals:
                    note_premiums(books, n, row, rows_a_game, deals)
            if note_deals:
                note_deal(books, lanes, n, row, rows_a_game, deal, size, numbers.score, deals)
        close_books(books, n, first, ranks, games, sums)
