"""Bid odds against exact fractions, against counting by hand, and against self-play."""

import math
from fractions import Fraction
from itertools import permutations, product

import numpy as np
import pytest
from scipy import stats

from jokersim.errors import InputError, PrecisionError
from jokersim.kernels.jit import JIT_DISABLED
from jokersim.odds import bid_odds
from jokersim.rules import rules
from jokersim.simulate import simulate
from tests.data.example_policies import Uniform
from tests.oracle.notation import JOKER
from tests.oracle.trick import legal_plays, taker

N = 300 if JIT_DISABLED else 20_000
DECK = [rank + suit for suit in "SHDC" for rank in "6789TJQKA" if (rank, suit) not in
        {("6", "S"), ("6", "C")}] + [JOKER, JOKER]  # fmt: skip
NINE = "AS KS QS TS AH 9H 8D JK KC"


def by_bid(odds):
    return {entry["bid"]: entry for entry in odds["bids"]}


def trick_chance(cards, trump, position):
    leads = legal_plays([cards[0]], None, trump)
    total = Fraction(0)
    for lead in leads:
        choices = [legal_plays([card], lead, trump) for card in cards[1:]]
        ways = list(product(*choices))
        wins = sum(taker([lead, *way], trump) == position for way in ways)
        total += Fraction(wins, len(ways) * len(leads))
    return total


@pytest.mark.slow
@pytest.mark.parametrize(("hand", "position"), [("9H", 0), ("JK", 3), ("AD", 2)])
def test_one_card_odds_are_the_fractions_counted_by_hand(hand, position):
    unseen = list(DECK)
    unseen.remove(hand)
    unseen.remove("KD")
    total = Fraction(0)
    for others in permutations(range(34), 3):
        cards = [unseen[i] for i in others]
        total += trick_chance([*cards[:position], hand, *cards[position:]], "D", position)
    expected = total / (34 * 33 * 32)
    odds = bid_odds(hand=hand, turned="KD", position=position, policy="random", bids=[0] * position)
    assert odds["exact"]
    for entry in odds["bids"]:
        assert entry["tricks"][1] == pytest.approx(float(expected), abs=1e-12)


def test_one_card_highest_trump_is_taken_by_jokers_alone():
    # Trump ace on the lead: every card falls to it, and only a joker can take or duck it.
    odds = bid_odds(hand="AH", turned="KH", position=0, policy="random")
    # Nobody has a joker: C(32,3)/C(34,3); one: 3·C(32,2)·2/...: it takes with 1/2.
    one, two = Fraction(6 * 32 * 31, 34 * 33 * 32), Fraction(6 * 32, 34 * 33 * 32)
    none = 1 - one - two
    expected = none + one / 2 + two / 4
    for entry in odds["bids"]:
        assert entry["tricks"][1] == pytest.approx(float(expected), abs=1e-12)
        assert entry["p_made"] == entry["tricks"][entry["bid"]]


@pytest.mark.parametrize("policy", ["random", "basic"])
def test_enumeration_agrees_with_sampling(policy):
    asked = {"hand": "QH", "trump": "H", "position": 2, "bids": [1], "policy": policy}
    if policy == "random":
        asked |= {"trump": None, "turned": "9H"}
    exact = bid_odds(**asked)
    sampled = bid_odds(**asked, exact=False, samples=N, level=1 - 1e-6)
    assert exact["exact"]
    assert not sampled["exact"]
    for one, other in zip(exact["bids"], sampled["bids"], strict=True):
        assert other["p_made_low"] <= one["p_made"] <= other["p_made_high"]
        assert other["score_low"] <= one["score"] <= other["score_high"]


@pytest.mark.parametrize("size", [1, 2])
def test_odds_agree_with_self_play_that_had_the_same_cards(size):
    games = 2_000 if JIT_DISABLED else 400_000
    rule_set = rules("classic", schedule=[[size]], first_dealer=3)
    run = simulate(rule_set, games=games, seed=11, policies="basic", tables=["deals"], threads=2)
    deals = run.deals()
    hands = deals["hand"].to_numpy().reshape(-1, 4)
    bids = deals["bid"].to_numpy().reshape(-1, 4)
    made = (deals["bid"] == deals["taken"]).to_numpy().reshape(-1, 4)
    turned = deals["turned"].to_numpy().reshape(-1, 4)[:, 0]
    # The fourth bidder, of whom most is known: what trump he has, and that the others passed.
    passed = (bids[:, :3] == 0).all(axis=1)
    if size == 1:
        chosen = passed & (hands[:, 3] == 1 << 17) & (turned // 9 == 2) & (turned != 27)
        odds = bid_odds(rule_set, hand="AH", trump="D", position=3, bids=[0, 0, 0], level=1 - 1e-6)
    else:
        chosen = passed & (hands[:, 3] == (1 << 17) + (1 << 16)) & (turned // 9 == 2)
        odds = bid_odds(
            rule_set, hand="AH KH", trump="D", position=3, bids=[0, 0, 0], level=1 - 1e-6, samples=N
        )
    said = bids[chosen, 3]
    for bid in np.unique(said):
        of_bid = made[chosen, 3][said == bid]
        entry = by_bid(odds)[bid]
        low, high = stats.binomtest(int(of_bid.sum()), len(of_bid)).proportion_ci(1 - 1e-6)
        assert entry["p_made_low"] <= high
        assert entry["p_made_high"] >= low


@pytest.mark.parametrize(
    "asked",
    [
        {"hand": NINE, "trump": "S", "position": 2, "bids": "1,2"},
        {"hand": NINE, "trump": "S", "position": 2, "bids": "3,1", "policy": "book"},
        {"hand": "AS KS 7H", "trump": "D", "position": 3, "bids": "1,0,2", "policy": "random"},
        {"hand": "AS KS 7H", "trump": "D", "position": 2, "bids": "1", "policy": Uniform},
    ],
)
def test_threads_and_samples_do_not_change_worlds(asked):
    one = bid_odds(**asked, samples=300, threads=1)
    assert bid_odds(**asked, samples=300, threads=3) == one
    assert bid_odds(**asked, samples=300, seed=1) != one


def test_bids_before_are_evidence():
    asked = {"hand": "AS KS", "trump": "H", "position": 2, "samples": 500}
    low = bid_odds(**asked, bids=[0, 0])
    assert low["attempts"] > low["n"] == 500
    assert low["bids"] != bid_odds(**asked, bids=[1, 1])["bids"]
    blind = bid_odds(**asked, bids=[0, 0], condition="none")
    assert blind["attempts"] == blind["n"] == 500
    # What `random` bids says nothing about its cards.
    even = bid_odds(**asked, bids=[0, 0], policy="random")
    assert even["attempts"] == even["n"] == 500
    assert even["effective_n"] == 500


def test_precision_is_reached_on_every_bid():
    odds = bid_odds(hand=NINE, trump="S", position=0, precision=0.03)
    for entry in odds["bids"]:
        assert (entry["p_made_high"] - entry["p_made_low"]) / 2 <= 0.03
    # At a share of a half it takes 1,068 worlds: no more than it needs, or the last step.
    assert 1000 <= odds["n"] <= 1200
    assert sum(odds["bids"][0]["tricks"]) == pytest.approx(1)


def test_premium_adds_to_a_bid_that_is_made():
    asked = {"hand": "AS KS", "turned": "9H", "position": 0, "samples": 400}
    plain = by_bid(bid_odds(**asked))
    alive = by_bid(bid_odds(**asked, made_so_far=True, pulka_best=400))
    for bid, entry in plain.items():
        assert alive[bid]["score"] == pytest.approx(entry["score"] + 400 * entry["p_made"])
    last_excluded = bid_odds(**asked, made_so_far=True, rules={"premium_exclude_last": True})
    assert by_bid(last_excluded)[1]["score"] == pytest.approx(plain[1]["score"])


def test_best_bid_is_paired_on_the_same_worlds():
    odds = bid_odds(hand=NINE, trump="S", position=0, samples=N)
    entries = by_bid(odds)
    margin = odds["best_margin"]
    assert odds["best"] == max(entries, key=lambda bid: entries[bid]["score"])
    difference = entries[odds["best"]]["score"] - entries[margin["over"]]["score"]
    assert margin["difference"] == pytest.approx(difference)
    apart = math.hypot(
        *(
            (entries[b]["score_high"] - entries[b]["score_low"])
            for b in (odds["best"], margin["over"])
        )
    )
    assert margin["high"] - margin["low"] < apart


def test_the_dealer_may_not_make_the_sum():
    odds = bid_odds(hand="AS KS", turned="9H", position=3, bids=[1, 0, 0], samples=50)
    assert [entry["bid"] for entry in odds["bids"]] == [0, 2]
    free = bid_odds(
        hand="AS KS", turned="9H", position=3, bids=[1], samples=50, rules={"hook": "none"}
    )
    assert [entry["bid"] for entry in free["bids"]] == [0, 1, 2]


def test_what_the_policy_would_never_bid_is_not_reached():
    # Basic never bids two with two cards and cannot hold both jokers and trump aces at once.
    with pytest.raises(PrecisionError) as caught:
        bid_odds(
            hand="JK JK", turned="AH", position=3, bids=[2, 2, 2], samples=20,
        )  # fmt: skip
    assert "worlds" in str(caught.value)


@pytest.mark.parametrize(
    ("asked", "place"),
    [
        ({"hand": "AS AS", "turned": "9H"}, "hand[1]"),
        ({"hand": "AS JK JK JK", "turned": "9H"}, "hand[3]"),
        ({"hand": "", "turned": "9H"}, "hand"),
        ({"hand": " ".join(DECK[:10]), "trump": "S"}, "hand"),
        ({"hand": "AS", "turned": "AS"}, "turned"),
        ({"hand": "AS", "turned": "9H", "trump": "H"}, "turned"),
        ({"hand": "AS"}, "turned"),
        ({"hand": NINE}, "trump"),
        ({"hand": NINE, "turned": "7D", "trump": "D"}, "turned"),
        ({"hand": "AS", "trump": "X"}, "trump"),
        ({"hand": "AX", "turned": "9H"}, "hand[0]"),
        ({"hand": "AS KS", "turned": "9H", "position": 1, "bids": [3]}, "bids[0]"),
        ({"hand": "AS KS", "turned": "9H", "position": 1, "bids": "x"}, "bids[0]"),
        ({"hand": "AS KS", "turned": "9H", "position": 1, "bids": [0, 0]}, "bids"),
        ({"hand": "AS KS", "turned": "9H", "position": 3, "bids": [0, 0]}, "bids"),
        ({"hand": "AS KS", "turned": "9H", "position": 4}, "position"),
        ({"hand": "AS KS", "turned": "9H", "position": True}, "position"),
        ({"hand": "AS", "turned": "9H", "pulka_best": 50}, "pulka_best"),
        ({"hand": "AS", "turned": "9H", "game": "nines"}, "hand"),
        ({"hand": "AS", "turned": "9H", "game": "japanese"}, "game"),
    ],
)
def test_a_bad_position_is_refused_by_its_place(asked, place):
    with pytest.raises(InputError) as caught:
        bid_odds(**({"position": 0} | asked))
    assert str(caught.value).startswith(f"{place}: ")


@pytest.mark.parametrize(
    "asked",
    [
        {"samples": 0},
        {"samples": 10, "precision": 0.1},
        {"precision": 0},
        {"precision": float("nan")},
        {"seed": -1},
        {"level": 1},
        {"condition": "plays"},
        {"policy": "nobody"},
        {"threads": 0},
    ],
)
def test_bad_numbers_are_refused(asked):
    with pytest.raises(InputError):
        bid_odds(hand="AS KS", turned="9H", position=0, **asked)
