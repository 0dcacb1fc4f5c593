"""Play odds: worlds agree with what was shown, and values with what must happen."""

import numpy as np
import pytest

from jokersim.cards import JOKERS, cards_of, format_card
from jokersim.errors import InputError
from jokersim.kernels import worlds
from jokersim.kernels.jit import JIT_DISABLED
from jokersim.odds import bid_odds, play_odds
from jokersim.odds.play import four_case_at
from jokersim.odds.players import read_players
from jokersim.rules import rules
from jokersim.table import Table
from tests import oracle
from tests.kernels import worlds_shown as shown

RANDOM, BASIC = 0, 1
N = 200 if JIT_DISABLED else 4_000


def played(rule_set, seed, decisions, policy=RANDOM):
    table = Table(rule_set, seed=seed)
    for _ in range(decisions):
        table.decide(policy)
    return table


def drawn_worlds(table, n, seed):
    """Hands of worlds as the seat to move may think of them, current cards by seat."""
    players = read_players("random", "none")
    question = four_case_at(table, table.rules, players, "none").question
    space = worlds.new_space()
    total = shown.survey(space, question.seat, question.pool, question.may_hold, question.needs)
    hands, rests = np.zeros((n, 4), np.int64), np.zeros(n, np.int64)
    shown.sample(space, seed, hands, rests)
    hands[:, question.seat] = question.hand & ~question.played[question.seat]
    return total, [[[format_card(c) for c in cards_of(h)] for h in row] for row in hands.tolist()]


@pytest.mark.parametrize("seed", range(12))
def test_worlds_agree_with_all_that_was_shown(seed):
    rule_set = rules("nines", schedule=[[9]]) if seed % 2 else rules("classic", schedule=[[6]])
    table = played(rule_set, seed, 5 + 2 * seed)
    _, found = drawn_worlds(table, 20, seed)
    now = oracle.situation(table.record())
    for hands in found:
        assert oracle.consistent(now, hands)


@pytest.mark.parametrize("seed", range(6))
def test_the_number_of_worlds_is_that_of_the_slow_twin(seed):
    table = played(rules("nines", schedule=[[9]]), seed, 5 + 25 + seed)
    now = oracle.situation(table.record())
    viewer = table.seat
    total, _ = drawn_worlds(table, 1, seed)
    left = [[] if seat == viewer else now.hands[seat] for seat in range(4)]
    pool = sorted(card for hand in left for card in hand)
    may = [oracle.could_hold(now, seat, viewer=viewer) for seat in range(4)]
    assert total == count(pool, [len(hand) for hand in left], may)


def count(pool, needs, may):
    """Ways to give the cards to seats that need as many and may hold them."""
    if not pool:
        return 1
    return sum(
        count(pool[1:], [*needs[:s], needs[s] - 1, *needs[s + 1 :]], may)
        for s in range(4)
        if needs[s] and pool[0] in may[s]
    )


def test_a_bid_at_a_table_is_a_bid_of_bid_odds():
    # A hand without a joker, since which joker it is decides how worlds are numbered.
    rule_set = rules("classic", schedule=[[2]], first_dealer=3)
    tables = (played(rule_set, seed, 2, BASIC) for seed in range(20))
    table = next(table for table in tables if not table.observation(2).hand & JOKERS)
    hand = [format_card(card) for card in cards_of(table.observation(2).hand)]
    deal = table.record()["deals"][0]
    asked = {"hand": hand, "turned": deal["turned"], "position": 2, "bids": deal["bids"][:2]}
    bids = bid_odds(table.rules, **asked, samples=N)["bids"]
    plays = play_odds(table, condition="bids", samples=N)["plays"]
    for bid, play in zip(bids, plays, strict=True):
        assert bid["bid"] == play["play"]
        assert bid["tricks"] == play["tricks"]
        # At the table every seat's premium is alive, and this deal decides it.
        assert play["score"] >= bid["score"]


def test_last_card_of_a_trick_is_certain():
    table = Table(rules("classic"), first=3)
    table.deal([["AS"], ["7H"], ["9D"], ["JK"]], turned="KC")
    for choice in ("1", "0", "0", "1", "AS", "7H", "9D"):
        table.apply(choice)
    odds = play_odds(table)
    assert odds["exact"]
    assert [(p["play"], p["p_made"], p["score"]) for p in odds["plays"]] == [
        ("JK-", 0, -200),
        ("JK+", 1, 100),
    ]
    assert odds["best"] == "JK+"


@pytest.mark.parametrize("policy", ["basic", "random"])
def test_enumeration_agrees_with_sampling(policy):
    table = played(rules("classic", schedule=[[3]]), 3, 4 + 7, BASIC)
    exact = play_odds(table, policy=policy)
    sampled = play_odds(table, policy=policy, exact=False, samples=N, level=1 - 1e-6)
    assert exact["exact"]
    assert not sampled["exact"]
    for one, other in zip(exact["plays"], sampled["plays"], strict=True):
        assert other["p_made_low"] - 1e-9 <= one["p_made"] <= other["p_made_high"] + 1e-9


def test_plays_as_evidence_of_random_are_weighted():
    table = played(rules("classic", schedule=[[4]]), 8, 4 + 6)
    asked = {"policy": "random", "samples": N, "level": 1 - 1e-6, "exact": False}
    weighted = play_odds(table, condition="plays", **asked)
    assert weighted["method"].startswith("weighted")
    assert weighted["effective_n"] < weighted["n"]
    exact = play_odds(table, condition="plays", policy="random")
    if exact["exact"]:
        for one, other in zip(exact["plays"], weighted["plays"], strict=True):
            assert other["p_made_low"] <= one["p_made"] <= other["p_made_high"]


def test_evidence_only_leaves_worlds_out():
    # The policy itself has played, so that the true world at least agrees.
    table = played(rules("nines", schedule=[[9]]), 5, 1 + 4 + 26, BASIC)
    counts = [
        play_odds(table, condition=condition, samples=20, exact=False)["attempts"]
        for condition in ("none", "bids", "plays")
    ]
    assert counts[0] == 20 <= counts[1] <= counts[2]


def test_two_players_see_pairs():
    table = played(rules("japanese"), 5, 1 + 26, RANDOM)
    exact = play_odds(table)
    sampled = play_odds(table, exact=False, samples=N, level=1 - 1e-6)
    assert exact["exact"]
    for one, other in zip(exact["plays"], sampled["plays"], strict=True):
        assert other["score_low"] - 1e-9 <= one["score"] <= other["score_high"] + 1e-9


def test_where_nothing_is_due_there_are_no_odds():
    table = Table(rules("classic"), first=0)
    with pytest.raises(InputError, match="no choice is due"):
        play_odds(table)
    with pytest.raises(InputError, match="condition"):
        play_odds(table, condition="cards")
