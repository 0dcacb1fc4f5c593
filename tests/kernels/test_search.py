"""The policy `search`: blindness, worlds that may be the case, sense, strength, determinism."""

from __future__ import annotations

import numpy as np
import pytest

from jokersim.cards import cards_of, format_card, format_play
from jokersim.errors import InputError
from jokersim.kernels.jit import JIT_DISABLED
from jokersim.kernels.policies import BASIC
from jokersim.match import match
from jokersim.policies import parse_policies, seated
from jokersim.policy_check import check_policy
from jokersim.rules import rules
from jokersim.search import Search
from jokersim.simulate import simulate
from jokersim.table import Table
from tests import oracle
from tests.kernels import searched
from tests.kernels.positions import choice

FEW = "search:worlds=8"


def decided(hands: dict[int, str], policy: str = "search:worlds=64", **position: object) -> int:
    seats = seated(parse_policies(policy, "four", 4), "four")
    return choice(int(seats.numbers[0]), hands, **position)  # type: ignore[arg-type]


def play(hands: dict[int, str], **position: object) -> str:
    return format_play(decided(hands, **position))


@pytest.mark.parametrize("game", ["classic", "nines", "japanese-davi"])
def test_choices_are_legal_determined_and_blind_to_hidden_cards(game: str) -> None:
    settings = {} if game.startswith("japanese") else {"schedule": [[1, 4], [9]]}
    report = check_policy("search:worlds=4", rules(game, **settings), games=1, seed=3)
    assert report.decisions["play"] > 0


@pytest.mark.parametrize("seed", range(8))
def test_worlds_agree_with_all_that_was_shown(seed: int) -> None:
    table = Table(rules("classic", schedule=[[9 if seed % 2 else 6]]), seed=seed)
    for _ in range(6 + 2 * seed):
        table.decide(0)
    settings = Search("four", worlds=20).settings(BASIC)
    hands = np.zeros((20 * int(settings["tries"][0]), 4), np.int64)
    hand = int(table.observation(table.seat).hand)
    n = searched.worlds_of(table._memory.array, hand, np.uint64(seed), settings, hands)
    assert n >= 1
    now = oracle.situation(table.record())
    for world in hands[:n].tolist():
        cards = [[format_card(card) for card in cards_of(held)] for held in world]
        assert oracle.consistent(now, cards)


def test_worlds_are_picked_by_weight_to_within_one() -> None:
    weights = np.array([5, 0, 40, 1, 14, 0, 4], np.int64)
    for key in range(20):
        counts = np.zeros(len(weights), np.int64)
        assert searched.pick(np.uint64(key), 16, weights, counts) == (counts > 0).sum()
        assert counts.sum() == 16
        assert (abs(counts - 16 * weights / weights.sum()) < 1).all()


@pytest.mark.parametrize(
    ("hand", "card"), [("AS KS QS AH", "AS"), ("AS KS QS 8D 9D", "AS"), ("KS QS TS 9S 8H", "KS")]
)
def test_where_all_are_needed_long_trumps_go_first_and_from_the_top(hand: str, card: str) -> None:
    assert play({0: hand}, trump="S", bids=(len(hand.split()), 0, 0, 1)) == card


@pytest.mark.parametrize("hand", ["JK 7C", "AS 7C"])
def test_with_one_needed_of_two_the_winner_is_kept(hand: str) -> None:
    assert play({0: hand}, trump="S", bids=(1, 0, 0, 0)) == "7C"


@pytest.mark.parametrize("hand", ["AS KC 8D", "AS QC JD", "AS AC 7D"])
def test_barred_from_one_with_a_sure_winner_he_bids_two(hand: str) -> None:
    # Beside the two lowest cards of the deck the ace of trumps had rather fall under a joker.
    assert decided({3: hand}, trump="S", bids=(1, 1, 0)) == 2


def test_a_hand_that_must_lose_throws_the_joker_low() -> None:
    hands = {0: "7H 9C", 1: "8H 8C", 2: "9H 9D", 3: "AH JK"}
    assert play(hands, trump="S", bids=(1, 0, 0, 0), plays="7H 8H 9H") == "JK-"


@pytest.mark.parametrize("game", ["classic", "japanese"])
def test_threads_and_chunks_do_not_matter(game: str) -> None:
    ways = [{"threads": 1, "chunk": 4}, {"threads": 2, "chunk": 1}]
    seats = [FEW, "basic"] if game == "japanese" else [FEW, "basic", FEW, "random"]
    runs = [
        simulate(game, games=4, seed=9, policies=seats, tables=("games",), **way).games()
        for way in ways
    ]
    assert runs[0].equals(runs[1])


@pytest.mark.skipif(JIT_DISABLED, reason="takes minutes without the compiler")
@pytest.mark.parametrize("game", ["classic", "japanese"])
def test_it_beats_basic(game: str) -> None:
    assert match(game, FEW, "basic", games=15 if game == "classic" else 80, seed=2).low > 0


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("search", "search:worlds=32"),
        ("search:worlds=8", "search:worlds=8"),
        ("search:rollout=basic", "search:worlds=32;rollout=basic"),
        ("search:rollout=book;worlds=9", "search:worlds=9"),
    ],
)
def test_a_name_says_what_is_not_usual(text: str, name: str) -> None:
    policies = parse_policies(text, "four", 4)
    assert [policy.name for policy in policies] == [name] * 4
    assert parse_policies(name, "four", 4) == policies


def test_what_plays_out_is_part_of_the_source() -> None:
    sources = {
        parse_policies(text, family, seats)[0].source
        for text, family, seats in [
            ("search", "four", 4), ("search:rollout=basic", "four", 4), ("search", "two", 2),
        ]
    }  # fmt: skip
    assert len(sources) == 3


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("search:worlds=0", "worlds is a whole number from 1 to 4,096, not '0'"),
        ("search:worlds=many", "worlds is a whole number"),
        ("search:rollout=random", "rollout is book or basic, not 'random'"),
        ("search:depth=3", "takes worlds and rollout, not 'depth=3'"),
    ],
)
def test_bad_parameters_are_refused(text: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        parse_policies(text, "four", 4)


def test_it_ties_with_itself() -> None:
    played = match(rules("classic", schedule=[[3]]), FEW, FEW, games=5, seed=1)
    assert (played.difference, played.tied) == (0.0, 5)
