"""Odds of bids that were said, at many positions: how often each is made in its own worlds.

The questions are those of `odds`, one bid each; a column holds a number a position. Seats are
places after the dealer: 0 bids first, 3 is the dealer.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from jokersim.kernels import deal as table
from jokersim.kernels import game as games
from jokersim.kernels.dealing import DECK
from jokersim.kernels.jit import entry, kernel
from jokersim.kernels.odds import is_tracked
from jokersim.kernels.odds_auction import enter_auction, open_auction
from jokersim.kernels.odds_worlds import Question
from jokersim.kernels.state import N_SEATS

DEALER = N_SEATS - 1


class SaidBids(NamedTuple):
    """Bids that were said, and what their bidders knew."""

    deal: np.ndarray
    """Index of the deal in the game, int64 [n], as the others."""
    seat: np.ndarray
    hand: np.ndarray
    """Masks."""
    turned: np.ndarray
    """The turned card, -1 at nine cards."""
    trump: np.ndarray
    """What was called at nine cards."""
    bids: np.ndarray
    """By seat, int64 [n, 4]; those after the bidder are not looked at."""
    made: np.ndarray
    """1 for each seat that has made every bid of the pulka before, int64 [n, 4]."""
    best: np.ndarray
    """Best score of each seat in the pulka before, int64 [n, 4]."""
    seed: np.ndarray
    """Seeds of the worlds."""


@kernel
def _question_at(numbers, said, i):
    """Put position `i` into the form that worlds are drawn for: all that was said is evidence."""
    deal = said.deal[i]
    seat = said.seat[i]
    nine = np.int64(said.turned[i] < 0)
    known = said.hand[i] if nine else said.hand[i] | np.int64(1) << said.turned[i]
    turned = np.empty(1, np.int64)
    turned[0] = said.turned[i]
    history = np.empty(nine + seat, np.int64)
    tested = np.empty(nine + seat, np.int64)
    if nine:
        history[0] = said.trump[i]
        # What he has called himself tells him nothing.
        tested[0] = seat > 0
    for before in range(seat):
        history[nine + before] = said.bids[i, before]
        tested[nine + before] = 1
    standing = np.zeros((3, N_SEATS), np.int64)
    for other in range(N_SEATS):
        standing[0, other] = said.made[i, other]
        standing[1, other] = said.best[i, other]
    may_hold = np.empty(3, np.int64)
    needs = np.empty(3, np.int64)
    for other in range(3):
        may_hold[other] = DECK
        needs[other] = numbers.sizes[deal]
    return Question(
        deal, np.int64(DEALER), seat, numbers.pulka_last[deal], standing, said.hand[i], turned,
        np.zeros(N_SEATS, np.int64), DECK & ~known, may_hold, needs, history, tested,
    )  # fmt: skip


@entry
def count_made(
    numbers, said, policies, evidence, start, stop, samples, most, memory, views, auctions, nothing,
    made, agreed, drawn,
):  # fmt: skip
    """Count in how many of the first `samples` worlds that agree the bids start … stop-1 are made.

    At most `most` worlds are drawn for a bid. Fills `made`, `agreed` and `drawn` int64 [n].
    """
    view = views[0]
    auction = auctions[0]
    _, hands, _, streams, _, _, _ = memory
    table.begin_game(view, numbers)
    tracked = is_tracked(policies)
    for i in range(start, stop):
        question = _question_at(numbers, said, i)
        seat = question.seat
        bid = said.bids[i, seat]
        open_auction(view, numbers, auction, question, evidence)
        n_made = np.int64(0)
        n_agreed = np.int64(0)
        world = np.int64(0)
        while n_agreed < samples and world < most:
            weight = enter_auction(view, auction, said.seed[i], world, hands, streams)
            world += 1
            if weight > 0.0:
                table.make_bid(view, bid)
                games.finish_deal(view, hands, policies, streams, tracked, nothing, 0)
                n_agreed += 1
                n_made += view.taken[seat] == bid
        made[i] = n_made
        agreed[i] = n_agreed
        drawn[i] = world
