"""Odds at a table of four: what becomes of each choice of a seat, over the worlds of its position.

A *question* is a decision that is due, told as the deal so far (`history`, choices in order) and
what the seat that decides knows. `judge_worlds` draws worlds, keeps those in which the policies
would have done what was seen, and plays each out once for every candidate with the same cards and
streams. `enumerate_worlds` takes every world, and every draw of the policy `random`, with its
weight.
World i of a seed is game `WORLD_GAMES` + i of the streams, which no run reaches.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from jokersim.kernels import deal as table
from jokersim.kernels import game as games
from jokersim.kernels import streams as st
from jokersim.kernels import trick, worlds
from jokersim.kernels.bits import first_index, nth_bit, popcount
from jokersim.kernels.jit import entry, kernel, leaf
from jokersim.kernels.policies import RANDOM
from jokersim.kernels.state import BID, CHOOSE_TRUMP, N_SEATS, NO_DECISION, PLAY

WORLD_GAMES = np.int64(1) << 62
BY_POLICY = -1
"""Stands in a history for a choice that was not given: the policy makes it in each world."""
MAX_DEPTH = 64


class Question(NamedTuple):
    """A decision that is due, and what its seat knows of the deal."""

    deal: int
    """Index of the deal in the game."""
    dealer: int
    seat: int
    """The seat that decides."""
    pulka_last: int
    """Index of the pulka's last deal."""
    standing: np.ndarray
    """By row `made`, `best` and `totals` of the view, int64 [3, 4]."""
    hand: int
    """The seat's cards as dealt, a mask; at a choice of trump the three seen."""
    turned: np.ndarray
    """Ids that the turned card may be, each as likely; -1 alone at nine cards."""
    played: np.ndarray
    """Cards that each seat has played in this deal, int64 [4] masks."""
    pool: int
    """Cards that the seat has not seen; the turned card besides where it is not known."""
    may_hold: np.ndarray
    """What the others may hold, from the left, int64 [3]."""
    needs: np.ndarray
    """How many cards they hold, int64 [3]."""
    history: np.ndarray
    """Choices of the deal so far: trump at nine cards, bids, plays; BY_POLICY where not given."""
    tested: np.ndarray
    """1 for each choice that a world's policy must make too, int64 [history]."""


class Memory(NamedTuple):
    """What a thread works in; made by `new_memory`."""

    space: worlds.Space
    hands: np.ndarray
    decided_hands: np.ndarray
    streams: np.ndarray
    decided_streams: np.ndarray
    digits: np.ndarray
    sizes: np.ndarray


def new_memory():
    """Allocate what one thread works in."""
    return Memory(
        worlds.new_space(),
        np.zeros(N_SEATS, np.int64),
        np.zeros(N_SEATS, np.int64),
        np.zeros((N_SEATS, st.N_COLUMNS), np.uint64),
        np.zeros((N_SEATS, st.N_COLUMNS), np.uint64),
        np.zeros(MAX_DEPTH, np.int64),
        np.zeros(MAX_DEPTH, np.int64),
    )


def no_columns():
    """Answer columns of `plays` that note nothing."""
    return games.PlayColumns(*(np.empty(0, np.int8) for _ in games.PlayColumns._fields))


@entry
def count_worlds(memory, question):
    """Count the worlds of a question; fewer than 2^62, all turned cards together."""
    total = _survey(memory.space, question, question.turned[0])
    return total * len(question.turned)


@kernel
def _survey(space, question, turned):
    pool = question.pool
    if turned >= 0:
        pool &= ~(np.int64(1) << turned)
    return worlds.survey(space, question.seat, pool, question.may_hold, question.needs)


@kernel
def _begin(view, numbers, question, turned):
    """Set the view to the beginning of the deal."""
    view.deal = question.deal - 1
    table.begin_deal(view, numbers, question.dealer, turned)
    view.pulka_last = question.pulka_last
    for seat in range(N_SEATS):
        view.made[seat] = question.standing[0, seat]
        view.best[seat] = question.standing[1, seat]
        view.totals[seat] = question.standing[2, seat]


@kernel
def _deal_world(space, question, number, hands):
    """Give all seats their cards of a world as they were dealt."""
    rest = worlds.fill_world(space, number, hands)
    for seat in range(N_SEATS):
        hands[seat] |= question.played[seat]
    hands[question.seat] = question.hand
    if question.turned[0] < 0:
        # All cards are dealt: what nobody else has is the chooser's own, once he has named trump.
        hands[question.seat] |= rest


@leaf
def _apply(view, hands, choice):
    """Carry out a choice of the seat whose turn it is."""
    if view.kind == PLAY:
        table.make_play(view, hands, choice, trick.card_of_play(choice, hands[view.turn]))
    elif view.kind == BID:
        table.make_bid(view, choice)
    else:
        table.name_trump(view, choice)


@leaf
def _n_legal(view, hands):
    """How many choices the policy `random` has."""
    if view.kind == CHOOSE_TRUMP:
        return np.int64(5)
    if view.kind == BID:
        return popcount(table.legal_bids(view))
    cards = hands[view.turn]
    leads = view.position == 0
    each = trick.LED_DECLARATIONS if leads else trick.REPLIED_DECLARATIONS
    return trick.n_choices(table.legal_cards(view, cards), cards & trick.JOKERS, each)


@leaf
def _nth_choice(view, hands, index):
    """Legal choice number `index` of a bid or play."""
    if view.kind == BID:
        return first_index(nth_bit(table.legal_bids(view), index))
    cards = hands[view.turn]
    legal = table.legal_cards(view, cards)
    bit = trick.chosen_bit(legal, cards & trick.JOKERS, index)
    return trick.chosen_play(legal, bit, index, 0 if view.position == 0 else trick.REPLY_BASE)


@kernel
def _decide(view, hands, policy, streams, seed, game):
    """What a policy chooses."""
    if view.kind == CHOOSE_TRUMP:
        return games.decide_trump(view, hands, seed, game, policy, streams)
    if view.kind == BID:
        return games.decide_bid(view, hands, policy, streams)
    play, _ = games.decide_play(view, hands, policy, streams)
    return play


@kernel
def _replay(view, hands, question, policies, streams, seed, game):
    """Replay the history in a world: its weight, 0 where a policy would have done something else.

    `random` would have done it with the chance that its number of choices gives.
    """
    weight = 1.0
    for i in range(len(question.history)):
        choice = question.history[i]
        policy = policies[view.turn]
        if choice == BY_POLICY:
            choice = _decide(view, hands, policy, streams, seed, game)
        elif question.tested[i]:
            if policy == RANDOM:
                weight /= _n_legal(view, hands)
            elif _decide(view, hands, policy, streams, seed, game) != choice:
                return 0.0
        _apply(view, hands, choice)
    return weight


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
        to.may_hold[seat] = source.may_hold[seat]


@leaf
def _cell(view, numbers, seat):
    """A deal's outcome: (bid * 10 + tricks taken) * 2, and 1 more if nobody scored more."""
    size = view.size
    cell = (view.bids[seat] * 10 + view.taken[seat]) * 2
    own = numbers.score[size, view.bids[seat], view.taken[seat]]
    for other in range(N_SEATS):
        if numbers.score[size, view.bids[other], view.taken[other]] > own:
            return cell
    return cell + 1


@entry
def judge_worlds(
    numbers, question, policies, evidence, candidates, seed, start, stop,
    memory, views, nothing, weights, cells,
):  # fmt: skip
    """Judge the candidates in the drawn worlds start … stop-1.

    Fills `weights` (0: the world does not agree with what was seen) and `cells`, a row a world and
    a column a candidate, see `_cell`. `policies` play on, `evidence` is what the history is held
    against. `views` are two, `nothing` is no columns.
    """
    view = views[0]
    decided = views[1]
    space, hands, decided_hands, streams, decided_streams, _, _ = memory
    table.begin_game(view, numbers)
    seat = question.seat
    n_turned = len(question.turned)
    turned = question.turned[0]
    total = _survey(space, question, turned)
    tracked = False
    for other in range(N_SEATS):
        tracked |= policies[other] != RANDOM
    for world in range(start, stop):
        row = world - start
        game = WORLD_GAMES + world
        key, other_key = st.philox(seed, game, question.deal, st.ODDS)
        if n_turned > 1:
            turned = question.turned[worlds.draw_number(other_key, np.int64(n_turned))]
            _survey(space, question, turned)
        _deal_world(space, question, worlds.draw_number(key, total), hands)
        st.open_policy_streams(streams, seed, game, question.deal)
        _begin(view, numbers, question, turned)
        weights[row] = _replay(view, hands, question, evidence, streams, seed, game)
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
            _apply(view, hands, candidates[column])
            games.finish_deal(view, hands, policies, streams, tracked, nothing, 0)
            cells[row, column] = _cell(view, numbers, seat)


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
                n = _n_legal(view, hands)
                if used >= depth:
                    memory.digits[used] = 0
                memory.sizes[used] = n
                choice = _nth_choice(view, hands, memory.digits[used])
                weight /= n
                used += 1
            else:
                choice = _decide(view, hands, policy, streams, np.int64(0), np.int64(0))
        elif past and question.tested[at]:
            if policy == RANDOM:
                weight /= _n_legal(view, hands)
            elif _decide(view, hands, policy, streams, np.int64(0), np.int64(0)) != choice:
                return 0.0, used
        _apply(view, hands, choice)
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
                each = _survey(space, question, question.turned[0])
            turned_at = world // each
            turned = question.turned[turned_at]
            _survey(space, question, turned)
        for column in range(len(candidates)):
            depth = np.int64(0)
            while True:
                _deal_world(space, question, world - turned_at * each, hands)
                _begin(view, numbers, question, turned)
                weight, depth = _walk(
                    view, hands, question, policies, evidence, streams, candidates[column],
                    depth, memory,
                )  # fmt: skip
                n_ways += 1
                if n_ways > budget:
                    return np.int64(-1)
                if weight > 0.0:
                    sums[column, _cell(view, numbers, seat)] += weight
                while depth > 0 and digits[depth - 1] + 1 >= sizes[depth - 1]:
                    depth -= 1
                if depth == 0:
                    break
                digits[depth - 1] += 1
    return n_ways
