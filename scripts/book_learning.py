"""Play of the policy `book` at a table of its own kind, counting what its tables are made of."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from jokersim.kernels import deal as table
from jokersim.kernels import dealing, trick
from jokersim.kernels import streams as st
from jokersim.kernels.jit import entry
from jokersim.kernels.policies import basic, book
from jokersim.kernels.policies import book_index as index
from jokersim.kernels.state import BID, CHOOSE_TRUMP, N_SEATS, PLAY

# A game in so many counts the fate of every card in hand: there are many, and few are enough.
CARDS_EVERY = 4

# Columns of the rows of bids.
SIZE, TRUMP, PLACE, BID_MADE, TAKEN, HAND, SAID, PACKET = range(8)
N_COLUMNS = 8


class Counts(NamedTuple):
    """What is counted: entries met in front, then how often what the table tells came true."""

    worth: np.ndarray
    """int64 [2, entries]: met; the card took a trick."""
    takes: np.ndarray
    """int64 [2, entries]: met; the play took the trick."""
    ends: np.ndarray
    """int64 [3, entries]: met; the bid was made; no more trick was taken."""
    bids: np.ndarray
    """int32 [entries]: so many tricks were taken."""
    totals: np.ndarray
    """int64 [4]: points, bids made, khishti, games."""


def new_counts():
    """Answer counts of nothing."""
    return Counts(
        np.zeros((2, int(np.prod(index.WORTH_SHAPE))), np.int64),
        np.zeros((2, int(np.prod(index.TAKES_SHAPE))), np.int64),
        np.zeros((3, int(np.prod(index.ENDS_SHAPE))), np.int64),
        np.zeros(int(np.prod(index.BIDS_SHAPE)), np.int32),
        np.zeros(4, np.int64),
    )


@entry
def learn(  # noqa: C901, PLR0912, PLR0915 - one loop over all that is counted
    numbers, books, seed, start, stop, noise, strays, counts, rows, views
):
    """Play games start … stop-1 with the book in all seats and add to `counts`.

    To meet what it would not choose, plays are valued with `noise`, and `strays` in a hundred bids
    are one off, and as many trumps any. `rows` takes a row a deal and seat if it has rows.
    """
    view = views[0]
    data = books[0]
    hands = np.empty(N_SEATS, np.int64)
    dealt = np.empty(N_SEATS, np.int64)
    scores = np.empty(N_SEATS, np.int64)
    premium = np.empty(N_SEATS, np.int64)
    erased = np.empty(N_SEATS, np.int64)
    streams = np.zeros((N_SEATS, st.N_COLUMNS), np.uint64)
    trace = np.zeros(book.N_TRACE, np.int64)
    trace[0] = noise
    trace[1] = (seed * 7919 + start) & 0x7FFFFFFF
    ends = np.zeros((N_SEATS, 9), np.int64)
    taken_then = np.zeros((N_SEATS, 9), np.int64)
    n_ends = np.zeros(N_SEATS, np.int64)
    cards_at = np.zeros((N_SEATS, 45), np.int64)
    cards = np.zeros((N_SEATS, 45), np.int64)
    n_cards = np.zeros(N_SEATS, np.int64)
    pending = np.zeros((N_SEATS, 3), np.int64)
    judged = np.zeros(N_SEATS, np.int64)
    played = np.zeros(N_SEATS, np.int64)
    took = np.zeros(64, np.int64)
    bid_at = np.zeros(N_SEATS, np.int64)
    said = np.zeros(N_SEATS, np.int64)
    row = 0
    table.begin_game(view, numbers)
    for game in range(start, stop):
        table.restart_game(view)
        first = dealing.first_dealer(seed, game, numbers.first_dealer)
        for deal in range(len(numbers.sizes)):
            size = numbers.sizes[deal]
            turned = dealing.deal_four(hands, seed, game, deal, size)
            for seat in range(N_SEATS):
                dealt[seat] = hands[seat]
                n_ends[seat] = 0
                n_cards[seat] = 0
            took[:] = 0
            st.open_policy_streams(streams, seed, game, deal)
            table.begin_deal(view, numbers, (first + deal) & 3, turned)
            packet = np.int64(0)
            if view.kind == CHOOSE_TRUMP:
                seat = view.turn
                packet = dealing.packet(hands[seat], seed, game, deal)
                view.seat = seat
                view.hand = packet
                trump = book.trump(view, data)
                if st.draw(streams, seat, 100) < strays:
                    trump = st.draw(streams, seat, 5)
                table.name_trump(view, trump)
            while view.kind == BID:
                seat = view.turn
                view.seat = seat
                view.hand = hands[seat]
                legal = table.legal_bids(view)
                bid = book.bid(view, legal, data)
                if st.draw(streams, seat, 100) < strays:
                    other = bid + 2 * st.draw(streams, seat, 2) - 1
                    if other >= 0 and legal >> other & 1:
                        bid = other
                at, lowest = index.bid_place(view, data)
                inside = bid >= lowest and bid < lowest + index.N_NUMBERS
                bid_at[seat] = at + 10 * (bid - lowest) if inside else -1
                before = np.int64(0)
                for other in range(N_SEATS):
                    before += max(view.bids[other], 0)
                said[seat] = before
                table.make_bid(view, bid)
            while view.kind == PLAY:
                seat = view.turn
                view.seat = seat
                view.hand = hands[seat]
                legal = table.legal_cards(view, hands[seat])
                left = view.size - view.trick
                need = view.bids[seat] - view.taken[seat]
                judged[seat] = need >= 0 and need <= left
                if judged[seat]:
                    play = book.choose(view, legal, data, need, left, trace)
                    for k in range(3):
                        pending[seat, k] = trace[2 + k]
                    if game % CARDS_EVERY == 0:
                        for k in range(trace[5]):
                            cards_at[seat, n_cards[seat]] = trace[6 + k]
                            cards[seat, n_cards[seat]] = trace[16 + k]
                            n_cards[seat] += 1
                else:
                    play = basic.play(view, legal, streams)
                played[seat] = min(play, 36)
                closes = view.position == N_SEATS - 1
                table.make_play(view, hands, play, trick.card_of_play(play, hands[seat]))
                if closes:
                    taker = view.leader
                    took[played[taker]] = 1
                    for seat in range(N_SEATS):
                        if judged[seat]:
                            take = pending[seat, 0]
                            if take >= 0:
                                counts.takes[0, take] += 1
                                counts.takes[1, take] += seat == taker
                            end = pending[seat, 1] if seat == taker else pending[seat, 2]
                            if end >= 0:
                                ends[seat, n_ends[seat]] = end
                                taken_then[seat, n_ends[seat]] = view.taken[seat]
                                n_ends[seat] += 1
            for seat in range(N_SEATS):
                taken = view.taken[seat]
                made = view.bids[seat] == taken
                for k in range(n_ends[seat]):
                    end = ends[seat, k]
                    counts.ends[0, end] += 1
                    counts.ends[1, end] += made
                    counts.ends[2, end] += taken == taken_then[seat, k]
                for k in range(n_cards[seat]):
                    at = cards_at[seat, k]
                    counts.worth[0, at] += 1
                    counts.worth[1, at] += took[cards[seat, k]]
                if bid_at[seat] >= 0:
                    counts.bids[bid_at[seat] + taken] += 1
                counts.totals[1] += made
                counts.totals[2] += view.bids[seat] > 0 and taken == 0
                if len(rows) > 0:
                    rows[row, SIZE] = size
                    rows[row, TRUMP] = view.trump
                    rows[row, PLACE] = (seat - view.dealer - 1) & 3
                    rows[row, BID_MADE] = view.bids[seat]
                    rows[row, TAKEN] = taken
                    rows[row, HAND] = dealt[seat]
                    rows[row, SAID] = said[seat]
                    rows[row, PACKET] = packet if rows[row, PLACE] == 0 else 0
                    row += 1
            table.end_deal(view, numbers, scores, premium, erased)
        for seat in range(N_SEATS):
            counts.totals[0] += view.totals[seat]
        counts.totals[3] += 1
