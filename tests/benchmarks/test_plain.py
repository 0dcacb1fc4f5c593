"""The plain simulators that speed is set beside play the same game as the kernels and the twin."""

from __future__ import annotations

import math
import statistics
from random import Random

import pytest

import jokersim as js
from benchmarks.peers import plain, simple
from tests.oracle.four import legal_bids
from tests.oracle.notation import JOKER, sorted_plays
from tests.oracle.options import read_options
from tests.oracle.scoring import deal_score
from tests.oracle.trick import legal_plays, taker

GAMES = 1_500
SUITS = {suit: suit.name[0] for suit in simple.Suit}
JOKERS = [card for card in simple.PACK if card.is_joker]


@pytest.mark.parametrize("peer", [plain, simple])
def test_mean_of_a_seat_is_that_of_the_kernel(peer):
    random = Random(7)
    own = [sum(peer.play_game(random)) / 4 for _ in range(GAMES)]
    kernel = js.simulate("classic", games=10 * GAMES, seed=7, policies="random", tables=["games"])
    totals = kernel.games().filter(like="total_").mean(axis=1)
    error = math.hypot(statistics.stdev(own) / GAMES**0.5, totals.std() / len(totals) ** 0.5)
    assert abs(statistics.mean(own) - totals.mean()) < 4 * error
    assert 0.8 < statistics.stdev(own) / totals.std() < 1.25


def text_of(play):
    if not play.card.is_joker:
        return "6789TJQKA"[play.card.rank - 6] + SUITS[play.card.suit]
    return f"{JOKER}{'+' if play.high else '-'}{SUITS.get(play.named, '')}"


def texts_of(hand):
    return [JOKER if card.is_joker else text_of(simple.Play(card)) for card in hand]


def test_tricks_of_the_simple_one_are_those_of_the_twin():
    random = Random(3)
    for _ in range(4_000):
        pack = random.sample(simple.PACK, 36)
        if random.random() < 0.5:  # both jokers in hand
            pack = [*JOKERS, *(card for card in pack if not card.is_joker)]
            pack[1], pack[4] = pack[4], pack[1]
        hands = [pack[3 * seat : 3 * seat + 3] for seat in range(4)]
        trump = random.choice([*simple.Suit, None])
        plays = []
        best = 0
        for seat, hand in enumerate(hands):
            lead = plays[0] if plays else None
            legal = simple.legal_replies(hand, lead, trump) if lead else simple.legal_leads(hand)
            asked = (texts_of(hand), text_of(lead) if lead else None, SUITS.get(trump, "NT"))
            assert sorted_plays(set(map(text_of, legal))) == legal_plays(*asked)
            plays.append(random.choice(legal))
            if seat and simple.beats(plays[seat], plays[best], plays[0], trump):
                best = seat
        assert best == taker([text_of(play) for play in plays], SUITS.get(trump, "NT"))


@pytest.mark.parametrize("size", range(1, 10))
def test_bids_and_scores_are_those_of_the_twin(size):
    options = read_options("classic", {})
    for bid in range(size + 1):
        said = [bid, 1, 0]
        assert simple.legal_bids(size, said) == legal_bids(size, said, "dealer")
        for taken in range(size + 1):
            assert plain.score(size, bid, taken) == deal_score(options, size, bid, taken)
