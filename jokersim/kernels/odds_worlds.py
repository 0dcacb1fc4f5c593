"""Worlds of a question at a table of four: drawing one, and replaying what was seen in it.

Where no card has been played yet, `odds_auction` draws them in another way, and faster.

A *question* is a decision that is due, told as the deal so far (`history`, choices in order) and
what the seat that decides knows. World i of a seed is game `WORLD_GAMES` + i of the streams, which
no run reaches.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from jokersim.kernels import deal as table
from jokersim.kernels import game as games
from jokersim.kernels import streams as st
from jokersim.kernels import trick, worlds
from jokersim.kernels.bits import first_index, nth_bit, popcount
from jokersim.kernels.jit import kernel, leaf
from jokersim.kernels.policies import RANDOM, native, user
from jokersim.kernels.state import BID, CHOOSE_TRUMP, N_SEATS

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


@kernel
def survey(space, question, turned):
    """Count the worlds of a question with that turned card."""
    pool = question.pool
    if turned >= 0:
        pool &= ~(np.int64(1) << turned)
    return worlds.survey(space, question.seat, pool, question.may_hold, question.needs)


@leaf
def begin(view, numbers, question, turned):
    """Set the view to the beginning of the deal."""
    view.deal = question.deal - 1
    table.begin_deal(view, numbers, question.dealer, turned)
    view.pulka_last = question.pulka_last
    for seat in range(N_SEATS):
        view.made[seat] = question.standing[0, seat]
        view.best[seat] = question.standing[1, seat]
        view.totals[seat] = question.standing[2, seat]


@kernel
def deal_world(space, question, number, hands):
    """Give all seats their cards of a world as they were dealt."""
    rest = worlds.fill_world(space, number, hands)
    for seat in range(N_SEATS):
        hands[seat] |= question.played[seat]
    hands[question.seat] = question.hand
    if question.turned[0] < 0:
        # All cards are dealt: what nobody else has is the chooser's own, once he has named trump.
        hands[question.seat] |= rest


@leaf
def n_legal(view, hands):
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
def nth_choice(view, hands, index):
    """Legal choice number `index` of a bid or play."""
    if view.kind == BID:
        return first_index(nth_bit(table.legal_bids(view), index))
    cards = hands[view.turn]
    legal = table.legal_cards(view, cards)
    bit = trick.chosen_bit(legal, cards & trick.JOKERS, index)
    return trick.chosen_play(legal, bit, index, 0 if view.position == 0 else trick.REPLY_BASE)


@kernel
def decide(view, hands, policy, streams, seed, game):
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
            choice = decide(view, hands, policy, streams, seed, game)
        elif question.tested[i]:
            if policy == RANDOM:
                weight /= n_legal(view, hands)
            elif decide(view, hands, policy, streams, seed, game) != choice:
                return 0.0
        table.make_choice(view, hands, choice)
    return weight


@leaf
def draws(policy):
    """Whether a policy that is not `random` may draw from its stream."""
    return policy >= user.FIRST and user.peek(policy, user.IN_PYTHON) != native.NATIVE


@leaf
def is_calm(policies):
    """Whether none of the policies draws from its stream, `random` included."""
    calm = True
    for seat in range(N_SEATS):
        calm &= policies[seat] != RANDOM and not draws(policies[seat])
    return calm


@leaf
def open_world(seed, world, deal):
    """Open a world: its game in the streams, the key of its cards, that of the turned card."""
    game = WORLD_GAMES + world
    key, turned_key = st.philox(seed, game, deal, st.ODDS)
    return game, key, turned_key


@leaf
def enter_world(view, numbers, question, evidence, seed, world, total, space, hands, streams, calm):
    """Draw a world and go to the decision in it: the world's weight, see `_replay`.

    `total` is what `survey` has answered for the first of the cards that the turned card may be,
    `calm` what `is_calm` says of the evidence: its streams are opened once the world agrees.
    Inlined, and arrays passed apart: to count references to a dozen arrays takes its time.
    """
    game, key, turned_key = open_world(seed, world, question.deal)
    n_turned = len(question.turned)
    turned = question.turned[0]
    if n_turned > 1:
        turned = question.turned[worlds.draw_number(turned_key, np.int64(n_turned))]
        survey(space, question, turned)
    if not calm:
        st.open_policy_streams(streams, seed, game, question.deal)
    begin(view, numbers, question, turned)
    deal_world(space, question, worlds.draw_number(key, total), hands)
    weight = _replay(view, hands, question, evidence, streams, seed, game)
    if calm and weight > 0.0:
        st.open_policy_streams(streams, seed, game, question.deal)
    return weight
