"""Deals of two played by the book, every choice of every decision tried out, its table corrected.

What a choice comes to is seen by playing it out, in the deal as it lies: what is hidden from the
seat evens out over deals. Of the entries of a choice, each is moved by a share of what their sum
was wrong by.
"""

from __future__ import annotations

import numpy as np

from jokersim.kernels import dealing, odds_two, parties, party, trick
from jokersim.kernels import streams as st
from jokersim.kernels.jit import entry, kernel
from jokersim.kernels.policies import book_two_index as index
from jokersim.kernels.state import (
    CHOOSE_TRUMP,
    N_PAIRS,
    N_PLACES,
    N_PLAYERS,
    NO_DECISION,
)

MAX_CHOICES = 32
PACE = 0.15
SLOWING = 30.0
"""An entry that was met so often moves at 0.7 of the first pace."""
MOST_MET = 300.0
"""A round begins as if an entry had been met no more often."""


@kernel
def list_choices(view, choices):
    """List the choices of the seat that looks."""
    if view.kind == CHOOSE_TRUMP:
        for call in range(5):
            choices[call] = call
        return 5, np.int64(0)
    cards = party.usable_cards(view, view.hand)
    places = party.joker_places(view, view.hand, cards)
    legal = party.legal_cards(view, cards)
    n = party.n_plays(view, legal, places)
    for i in range(n):
        choices[i] = trick.placed_play(legal, places, party.play_base(view), i)
    return n, legal


@kernel
def apply(view, hands, up, down, choice):
    """Carry out a choice."""
    if view.kind == CHOOSE_TRUMP:
        party.name_trump(view, choice, up)
    else:
        party.make_play(
            view, hands, down, choice, party.card_of_play(view, hands[view.turn], choice)
        )


@entry
def learn(  # noqa: C901, PLR0912, PLR0915 - one loop over all that is tried out
    numbers, policies, seed, start, stop, strays, values, met, views, totals
):
    """Play deals start … stop-1, correct `values` and count in `met` how often an entry was met.

    Choices are played out by `policies`. The deal goes on with the best by `values`, or with any
    in `strays` of a hundred decisions. `totals` [2] adds decisions and squared errors.
    """
    view = views[0]
    work = views[1]
    hands = np.zeros(N_PLAYERS, np.int64)
    up = np.zeros((N_PLAYERS, N_PLACES), np.int64)
    down = np.zeros((N_PLAYERS, N_PLACES), np.int64)
    tried_hands = np.zeros(N_PLAYERS, np.int64)
    tried_down = np.zeros((N_PLAYERS, N_PLACES), np.int64)
    streams = np.zeros((N_PLAYERS, st.N_COLUMNS), np.uint64)
    choices = np.zeros(MAX_CHOICES, np.int64)
    entries = np.zeros((MAX_CHOICES, index.N_ENTRIES), np.int64)
    came_to = np.zeros(MAX_CHOICES)
    said = np.zeros(MAX_CHOICES)
    party.begin_party(view, numbers)
    party.begin_party(work, numbers)
    for game in range(start, stop):
        party.restart_party(view)
        dealing.deal_two(hands, up, down, seed, game, 0)
        st.open_two_policy_streams(streams, seed, game, 0)
        party.begin_deal(view, np.int64(game & 1))
        while view.kind != NO_DECISION:
            seat = view.turn
            view.seat = seat
            view.hand = hands[seat]
            if view.kind == CHOOSE_TRUMP:
                view.hand = dealing.packet(hands[seat], seed, game, 0)
            n, legal = list_choices(view, choices)
            if n == 1:
                apply(view, hands, up, down, choices[0])
                continue
            sight = index.look(view)
            mean_said = 0.0
            mean_came = 0.0
            for c in range(n):
                if view.kind == CHOOSE_TRUMP:
                    found = index.call_entries(view.hand, choices[c])
                else:
                    found = index.play_entries(view, sight, legal, choices[c])
                said[c] = 0.0
                for k in range(index.N_ENTRIES):
                    entries[c, k] = found[k]
                    said[c] += values[found[k]]
                odds_two.copy_deal(work, view)
                work.deal = view.deal
                for player in range(N_PLAYERS):
                    tried_hands[player] = hands[player]
                    for place in range(N_PLACES):
                        tried_down[player, place] = down[player, place]
                apply(work, tried_hands, up, tried_down, choices[c])
                parties.finish_deal(work, tried_hands, tried_down, policies, streams)
                came_to[c] = work.pairs[seat] - work.pairs[1 - seat]
                mean_said += said[c] / n
                mean_came += came_to[c] / n
            best = 0
            for c in range(n):
                best = c if said[c] > said[best] else best
                error = came_to[c] - mean_came - (said[c] - mean_said)
                totals[1] += error * error / n
                for k in range(index.N_ENTRIES):
                    at = entries[c, k]
                    if at:
                        met[at] += 1
                        values[at] += PACE * (SLOWING / (SLOWING + met[at])) ** 0.5 * error
            totals[0] += 1
            if st.draw(streams, seat, 100) < strays:
                best = st.draw(streams, seat, n)
            apply(view, hands, up, down, choices[best])


@entry
def count_margins(numbers, policies, seed, start, stop, products, sums, views):
    """Play deals start … stop-1 and add up what least squares of the pairs to come need.

    `products` [entries, entries] and `sums` [entries], a row before each lead and seat.
    """
    view = views[0]
    hands = np.zeros(N_PLAYERS, np.int64)
    up = np.zeros((N_PLAYERS, N_PLACES), np.int64)
    down = np.zeros((N_PLAYERS, N_PLACES), np.int64)
    streams = np.zeros((N_PLAYERS, st.N_COLUMNS), np.uint64)
    entries = np.zeros((2 * N_PAIRS, index.MOST_IN_REACH), np.int64)
    weights = np.zeros((2 * N_PAIRS, index.MOST_IN_REACH))
    lengths = np.zeros(2 * N_PAIRS, np.int64)
    ahead = np.zeros(2 * N_PAIRS, np.int64)
    ends = np.zeros(3, np.int64)
    party.begin_party(view, numbers)
    for game in range(start, stop):
        party.restart_party(view)
        dealing.deal_two(hands, up, down, seed, game, 0)
        st.open_two_policy_streams(streams, seed, game, 0)
        party.begin_deal(view, np.int64(game & 1))
        policy = policies[view.turn]
        party.name_trump(view, parties.decide_trump(view, hands, seed, game, policy, streams), up)
        row = 0
        while view.kind != NO_DECISION:
            if view.position == 0:
                for seat in range(N_PLAYERS):
                    view.seat = seat
                    view.hand = hands[seat]
                    n_hidden = index.reach(view, entries[row], ends)
                    for i in range(ends[2]):
                        weights[row, i] = 1.0
                        if i >= ends[1]:
                            weights[row, i] = view.n_hand[1 - seat] / n_hidden
                    lengths[row] = ends[2]
                    ahead[row] = view.pairs[seat] - view.pairs[1 - seat]
                    row += 1
            policy = policies[view.turn]
            play, bit = parties.decide_play(view, hands, policy, streams)
            party.make_play(view, hands, down, play, bit)
        for k in range(row):
            seat = k & 1
            to_come = view.pairs[seat] - view.pairs[1 - seat] - ahead[k]
            for i in range(lengths[k]):
                sums[entries[k, i]] += weights[k, i] * to_come
                for j in range(lengths[k]):
                    products[entries[k, i], entries[k, j]] += weights[k, i] * weights[k, j]
