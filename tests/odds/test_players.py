"""Who plays in a world, and who stands in for whom where the deal so far is evidence."""

import pytest

from jokersim.errors import RunError
from jokersim.kernels.jit import JIT_DISABLED
from jokersim.odds import bid_odds, trump_odds
from jokersim.odds.players import read_players
from jokersim.policies import parse_policies
from tests.data import example_policies as examples

N = 100 if JIT_DISABLED else 4_000
CARD = {"hand": "QH", "turned": "9H", "position": 2, "bids": [0, 1]}
PAIR = {"hand": "QH 7S", "turned": "9H", "position": 2, "bids": [0, 1]}


def chances(odds):
    return [entry["p_made"] for entry in odds["bids"]]


def agree(one, other):
    for a, b in zip(one["bids"], other["bids"], strict=True):
        assert a["p_made_low"] <= b["p_made_high"] + 1e-9
        assert b["p_made_low"] <= a["p_made_high"] + 1e-9


@pytest.mark.parametrize("policy", ["random", "basic", "book", "book:premium=blind"])
def test_what_draws_nothing_is_enumerated(policy):
    exact = bid_odds(**CARD, policy=policy)
    assert exact["exact"]
    assert exact["policy"] == policy
    assert "condition_policy" not in exact
    agree(exact, bid_odds(**CARD, policy=policy, exact=False, samples=N, level=1 - 1e-6))


def test_search_is_held_against_the_book_and_says_so():
    found = bid_odds(**PAIR, policy="search:worlds=2", samples=10)
    assert not found["exact"]
    assert (found["policy"], found["condition_policy"]) == ("search:worlds=2", "book")
    # The same worlds as those in which the book would have bid so.
    assert found["attempts"] == bid_odds(**PAIR, policy="book", samples=10)["attempts"]
    blind = bid_odds(**PAIR, policy="search:worlds=2", samples=10, condition="none")
    assert "condition_policy" not in blind


def test_search_judges_fewer_worlds_unless_told():
    for policy, samples in (("search", 200), ("basic,search,basic,basic", 200), ("book", 10_000)):
        assert read_players(policy, "bids").usual_samples == samples
    assert read_players("search", "none", family="two").usual_samples == 200


def test_stand_ins_keep_their_seats():
    players = read_players("random,search,book,basic", "bids")
    assert [policy.name for policy in players.evidence] == ["random", "book", "book", "basic"]
    assert not players.enumerable
    assert read_players("search", "none", family="two").evidence[0].name == "basic"


@pytest.mark.parametrize("policy", [examples.Uniform, examples.plain], ids=["compiled", "plain"])
def test_a_users_policy_that_plays_at_random_has_the_odds_of_random(policy):
    """Its bids are drawn and compared where those of `random` are weighed."""
    n = N if policy is examples.Uniform else 200
    own = bid_odds(**PAIR, policy=policy, samples=n, level=1 - 1e-6)
    weighed = bid_odds(**PAIR, policy="random", samples=N, level=1 - 1e-6)
    assert not own["exact"]
    # A ninth of its worlds have those two bids.
    assert 5 * n < own["attempts"] < 15 * n
    assert weighed["attempts"] == weighed["n"]
    agree(own, weighed)


def test_a_users_policy_may_sit_beside_others():
    mixed = bid_odds(**PAIR, policy=["basic", "book", examples.plain, "random"], samples=50)
    assert (
        mixed["policy"] == f"basic,book,{parse_policies(examples.plain, 'four', 4)[0].name},random"
    )
    calls = trump_odds("japanese", cards="AS KS 7D", policy=examples.Uniform, samples=N)
    assert calls["n"] == N


def test_what_a_users_policy_does_wrong_is_said():
    with pytest.raises(RunError, match="failed with seed 0 in game"):
        bid_odds(hand="QH 7S 8C", turned="9H", position=0, policy=examples.OutOfRange, samples=20)
