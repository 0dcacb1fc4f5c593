"""Odds at a table of four: what becomes of each choice of a seat, over the worlds of its position.

`judge_worlds` draws worlds of a question, keeps those in which the policies would have done what
was seen, and plays each out once for every candidate with the same cards and streams.
`enumerate_worlds` takes every world, and every draw of the policy `random`, with its weight.
"""

from __future__ import annotations

import numpy as np

from jokersim.kernels import deal as table
from jokersim.kernels import game as games
from jokersim.kernels import streams as st
from jokersim.kernels.jit import entry, kernel, leaf
from jokersim.kernels.odds_auction import enter_auction, is_fresh, open_auction
from jokersim.kernels.odds_worlds import (
    BY_POLICY,
    begin,
    deal_world,
    decide,
    enter_world,
    is_calm,
    n_legal,
    nth_choice,
    survey,
)
from jokersim.kernels.policies import RANDOM
from jokersim.kernels.state import N_SEATS, NO_DECISION


def no_columns():
    """Answer columns of `plays` that note nothing."""
    return games.PlayColumns(*(np.empty(0, np.int8) for _ in games.PlayColumns._fields))


@entry
def count_worlds(memory, question):
    """Count the worlds of a question; fewer than 2^62, all turned cards together."""
    total = survey(memory.space, question, question.turned[0])
    return total * len(question.turned)


@leaf
def copy_state(to, source):
    """Copy what changes within a deal."""
    to.kind = source.kind
    to.turn = source.turn
    to.trump = source.trump
    to.trick = source.trick
    to.leader = source.leader
    to.position = source.position
    to.led = source.led
    to.high = source.high
    to.row = source.row
    to.winner = source.winner
    to.strength = source.strength
    to.played = source.played
    for seat in range(N_SEATS):
        to.bids[seat] = source.bids[seat]
        to.taken[seat] = source.taken[seat]
        to.plays[seat] = source.plays[seat]
        to.laid[seat] = source.laid[seat]
        to.line[seat] = source.line[seat]
        to.may_hold[seat] = source.may_hold[seat]


@leaf
def cell_of(view, numbers, seat):
    """A deal's outcome: (bid * 10 + tricks taken) * 2, and 1 more if nobody scored more."""
    size = view.size
    cell = (view.bids[seat] * 10 + view.taken[seat]) * 2
    own = numbers.score[size, view.bids[seat], view.taken[seat]]
    for other in range(N_SEATS):
        if numbers.score[size, view.bids[other], view.taken[other]] > own:
            return cell
    return cell + 1


@leaf
def is_tracked(policies):
    """Whether any of the policies looks at the view."""
    tracked = False
    for seat in range(N_SEATS):
        tracked |= policies[seat] != RANDOM
    return tracked


@entry
def judge_worlds(
    numbers, question, policies, evidence, candidates, seed, start, stop,
    memory, views, auctions, nothing, weights, cells,
):  # fmt: skip
    """Judge the candidates in the drawn worlds start … stop-1.

    Fills `weights` (0: the world does not agree with what was seen) and `cells`, a row a world and
    a column a candidate, see `cell_of`. `policies` play on, `evidence` is what the history is held
    against. `views` are two, `auctions` one, `nothing` is no columns.
    """
    view = views[0]
    decided = views[1]
    auction = auctions[0]
    space, hands, decided_hands, streams, decided_streams, _, _ = memory
    table.begin_game(view, numbers)
    seat = question.seat
    fresh = is_fresh(question)
    calm = is_calm(evidence)
    total = np.int64(0)
    if fresh:
        open_auction(view, numbers, auction, question, evidence)
    else:
        total = survey(space, question, question.turned[0])
    tracked = is_tracked(policies)
    for world in range(start, stop):
        row = world - start
        if fresh:
            weights[row] = enter_auction(view, auction, seed, world, hands, streams)
        else:
            weights[row] = enter_world(
                view, numbers, question, evidence, seed, world, total, space, hands, streams, calm
            )
        if weights[row] == 0.0:
            continue
        copy_state(decided, view)
        for i in range(N_SEATS):
            decided_hands[i] = hands[i]
            for j in range(st.N_COLUMNS):
                decided_streams[i, j] = streams[i, j]
        for column in range(len(candidates)):
            if column > 0:
                copy_state(view, decided)
                for i in range(N_SEATS):
                    hands[i] = decided_hands[i]
                    for j in range(st.N_COLUMNS):
                        streams[i, j] = decided_streams[i, j]
            table.make_choice(view, hands, candidates[column])
            games.finish_deal(view, hands, policies, streams, tracked, nothing, 0)
            cells[row, column] = cell_of(view, numbers, seat)


@kernel
def _walk(view, hands, question, policies, evidence, streams, candidate, depth, memory):
    """Play a world out along `digits`, which choose for `random`: the weight and the depth reached.

    Digits from `depth` on are 0. The candidate is the choice that comes after the history.
    """
    weight = 1.0
    used = np.int64(0)
    n_history = len(question.history)
    at = np.int64(0)
    while view.kind != NO_DECISION:
        past = at < n_history
        policy = evidence[view.turn] if past else policies[view.turn]
        choice = question.history[at] if past else np.int64(BY_POLICY)
        if at == n_history:
            choice = candidate
        if choice == BY_POLICY:
            if policy == RANDOM:
                n = n_legal(view, hands)
                if used >= depth:
                    memory.digits[used] = 0
                memory.sizes[used] = n
                choice = nth_choice(view, hands, memory.digits[used])
                weight /= n
                used += 1
            else:
                choice = decide(view, hands, policy, streams, np.int64(0), np.int64(0))
        elif past and question.tested[at]:
            if policy == RANDOM:
                weight /= n_legal(view, hands)
            elif decide(view, hands, policy, streams, np.int64(0), np.int64(0)) != choice:
                return 0.0, used
        table.make_choice(view, hands, choice)
        at += 1
    return weight, used


@entry
def enumerate_worlds(
    numbers, question, policies, evidence, candidates, start, stop, budget, memory, views, sums
):
    """Add the weights of every way that the worlds start … stop-1 can go to `sums`.

    `sums` float64 [candidates, cells]. A call of trump is held against `random` alone. Answers the
    ways, -1 if they are more than `budget`.
    """
    view = views[0]
    space, hands, _, streams, _, digits, sizes = memory
    table.begin_game(view, numbers)
    seat = question.seat
    n_ways = np.int64(0)
    turned_at = np.int64(-1)
    each = np.int64(1)
    turned = np.int64(-1)
    for world in range(start, stop):
        if turned_at < 0 or world // each != turned_at:
            if turned_at < 0:
                each = survey(space, question, question.turned[0])
            turned_at = world // each
            turned = question.turned[turned_at]
            survey(space, question, turned)
        for column in range(len(candidates)):
            depth = np.int64(0)
            while True:
                deal_world(space, question, world - turned_at * each, hands)
                begin(view, numbers, question, turned)
                weight, depth = _walk(
                    view, hands, question, policies, evidence, streams, candidates[column],
                    depth, memory,
                )  # fmt: skip
                n_ways += 1
                if n_ways > budget:
                    return np.int64(-1)
                if weight > 0.0:
                    sums[column, cell_of(view, numbers, seat)] += weight
                while depth > 0 and digits[depth - 1] + 1 >= sizes[depth - 1]:
                    depth -= 1
                if depth == 0:
                    break
                digits[depth - 1] += 1
    return n_ways
