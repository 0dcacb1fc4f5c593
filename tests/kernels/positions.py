"""Positions laid card by card, and what a policy of four decides in them."""

from __future__ import annotations

from typing import Any

import numpy as np

from jokersim.cards import mask_of, parse_card, parse_play, parse_trump
from jokersim.kernels import deal as table
from jokersim.kernels import dealing, game, state, trick
from jokersim.kernels import streams as st
from jokersim.kernels.jit import entry
from jokersim.kernels.policies import RANDOM
from jokersim.numbers import four_numbers
from jokersim.rules import rules


@entry
def decide(numbers, hands, dealer, turned, trump, bids, plays, policy, streams, views):
    """Lay a deal up to the next decision and let `policy` take it: the choice."""
    view = views[0]
    table.begin_game(view, numbers)
    table.restart_game(view)
    table.begin_deal(view, numbers, dealer, turned)
    table.name_trump(view, trump)
    for bid in bids:
        table.make_bid(view, bid)
    for play in plays:
        table.make_play(view, hands, play, trick.card_of_play(play, hands[view.turn]))
    if view.kind == state.BID:
        return game.decide_bid(view, hands, policy, streams)
    play, _ = game.decide_play(view, hands, policy, streams)
    return play


@entry
def probe(numbers, policy, seed, n, streams, views, answers):
    """Ask `policy` at a random place of each of n random deals, with other hands hidden and not.

    Fills answers [n, 3]: the choice, the choice once the other hands are emptied, 1 if it is legal.
    """
    view = views[0]
    hands = np.empty(4, np.int64)
    table.begin_game(view, numbers)
    for deal in range(n):
        table.restart_game(view)
        size = numbers.sizes[0]
        turned = dealing.deal_four(hands, seed, 0, deal, size)
        st.open_policy_streams(streams, seed, 0, deal)
        table.begin_deal(view, numbers, deal & 3, turned)
        if view.kind == state.CHOOSE_TRUMP:
            table.name_trump(view, st.draw(streams, 0, 5))
        for _ in range(st.draw(streams, 0, 4 + 4 * size)):
            if view.kind == state.BID:
                table.make_bid(view, game.decide_bid(view, hands, RANDOM, streams))
            else:
                play, bit = game.decide_play(view, hands, RANDOM, streams)
                table.make_play(view, hands, play, bit)
        seat = view.turn
        own = hands[seat]
        for hidden in range(2):
            if hidden:
                hands[:] = 0
                hands[seat] = own
            if view.kind == state.BID:
                choice = game.decide_bid(view, hands, policy, streams)
                legal = table.legal_bids(view) >> choice & 1
            else:
                choice, _ = game.decide_play(view, hands, policy, streams)
                if choice < 36:
                    legal = table.legal_cards(view, own) >> choice & 1
                else:
                    first = 36 if view.position == 0 else 44
                    last = 44 if view.position == 0 else 46
                    legal = np.int64((own & trick.JOKERS) != 0 and first <= choice < last)
            answers[deal, hidden] = choice
        answers[deal, 2] = legal


def cards(text: str) -> int:
    """Mask of cards named in a text; a second JK is the other joker."""
    ids = [parse_card(card) for card in text.split()]
    if ids.count(0) == 2:
        ids[ids.index(0)] = 27
    return mask_of(ids)


def choice(
    policy: int,
    hands: dict[int, str],
    *,
    trump: str,
    dealer: int = 3,
    bids: tuple[int, ...] = (),
    plays: str = "",
    turned: str = "7H",
    **options: Any,
) -> int:
    """What the seat decides whose turn it is; seats that are not given hold nothing."""
    size = max(len(hand.split()) for hand in hands.values())
    numbers = four_numbers(rules("classic", schedule=[[size]], **options))
    masks = np.array([cards(hands.get(seat, "")) for seat in range(4)], dtype=np.int64)
    laid = np.array([parse_play(play) for play in plays.split()], dtype=np.int64)
    streams = np.zeros((4, st.N_COLUMNS), np.uint64)
    card = -1 if size == 9 else parse_card(turned)
    return int(
        decide(
            numbers, masks, dealer, card, parse_trump(trump), np.array(bids, dtype=np.int64), laid,
            policy, streams, state.new_views(state.FOUR_VIEW),
        )
    )  # fmt: skip


def probed(policy: int, size: int, n: int, seed: int = 5) -> np.ndarray:
    """Answers of `probe` for deals of a hand size."""
    numbers = four_numbers(rules("classic", schedule=[[size]]))
    answers = np.zeros((n, 3), dtype=np.int64)
    streams = np.zeros((4, st.N_COLUMNS), np.uint64)
    probe(numbers, policy, seed, n, streams, state.new_views(state.FOUR_VIEW), answers)
    return answers
