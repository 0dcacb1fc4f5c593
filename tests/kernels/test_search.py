"""The policy `search`: blindness, worlds that may be the case, sense, strength, determinism."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import stats

from jokersim.cards import cards_of, format_card, format_play
from jokersim.errors import InputError
from jokersim.kernels import belief as beliefs
from jokersim.kernels import worlds
from jokersim.kernels.jit import JIT_DISABLED
from jokersim.kernels.policies import BASIC, RANDOM
from jokersim.match import match
from jokersim.policies import parse_policies, seated
from jokersim.policy_check import check_policy
from jokersim.records.form import deals_of
from jokersim.rules import rules
from jokersim.search import Search
from jokersim.simulate import simulate
from jokersim.table import Table
from tests import oracle
from tests.kernels import searched
from tests.kernels.positions import choice
from tests.odds.uncompiled import without_compiler

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


def at_play(seed: int, decisions: int, policy: str, **options: Any) -> Table:
    """A table where so many decisions of a deal of four were made by a policy."""
    (player, *_) = parse_policies(policy, "four", 4)
    table = Table(rules("classic", **options), seed=seed)
    row = seated([player] * 4, "four")
    for _ in range(decisions):
        table.decide(int(row.numbers[0]))
    return table


def texts(masks: list[int]) -> list[list[str]]:
    return [[format_card(card) for card in cards_of(held)] for held in masks]


@pytest.mark.parametrize("seed", range(8))
def test_worlds_agree_with_all_that_was_shown(seed: int) -> None:
    table = at_play(seed, 6 + 2 * seed, "random", schedule=[[9 if seed % 2 else 6]])
    settings = Search("four", worlds=20).settings(BASIC)
    counts = np.zeros(60, np.int64)
    hands = np.zeros((60, 4), np.int64)
    hand = int(table.observation(table.seat).hand)
    n, _ = searched.worlds_of(table._memory.array, hand, np.uint64(seed), settings, hands, counts)
    assert n >= 1
    assert (counts[:n] > 0).all()
    now = oracle.situation(table.record())
    assert all(oracle.consistent(now, texts(world)) for world in hands[:n].tolist())


@pytest.mark.parametrize("seed", range(6))
def test_worlds_of_two_agree_with_all_that_was_shown(seed: int) -> None:
    table = Table(rules("japanese"), seed=seed)
    for _ in range(1 + 5 * seed):
        table.decide(RANDOM)
    settings = Search("two", worlds=4).settings(BASIC)
    hands, downs = np.zeros((20, 2), np.int64), np.zeros((20, 2, 5), np.int64)
    hand = int(table.observation(table.seat).hand)
    searched.worlds_of_two(table._memory.array, hand, np.uint64(seed), settings, hands, downs)
    now = oracle.situation(table.record())
    dealt = [[str(card) for card in pile] for pile in now.deal["down"]]
    for held, down in zip(hands.tolist(), downs.tolist(), strict=True):
        # Covered cards that were turned up are no secret any more: they are as dealt.
        piles = [
            [was if card < 0 else format_card(card) for was, card in zip(pile, lying, strict=True)]
            for pile, lying in zip(dealt, down, strict=True)
        ]
        assert oracle.consistent(now, texts(held), piles)


@pytest.mark.parametrize("decisions", [0, 3, 9, 25, 38])
def test_true_hands_cost_nothing_where_the_policy_did_it_all(decisions: int) -> None:
    settings = Search("four").settings(BASIC)
    for seed in range(20):
        table = at_play(seed, decisions, "basic", schedule=[[9]])
        bits = np.zeros(4, np.int64)
        n = searched.bits_of(table._memory.array, table._hands, settings, bits)
        own = 0 if decisions == 0 else (decisions - 1) // 4
        assert max(0, decisions - 1 - own - 1) <= n < max(1, decisions)
        assert bits.sum() == 0


def test_what_the_policy_would_not_do_costs_bits() -> None:
    settings = Search("four").settings(BASIC)
    costs = np.zeros(4, np.int64)
    for seed in range(20):
        table = at_play(seed, 30, "random", schedule=[[9]])
        bits = np.zeros(4, np.int64)
        searched.bits_of(table._memory.array, table._hands, settings, bits)
        assert bits[table.seat] == 0
        costs += bits
    assert (costs > 20).all()


def test_what_a_hand_costs_does_not_depend_on_what_was_asked_before() -> None:
    table = at_play(3, 30, "random", schedule=[[9]])
    array, settings = table._memory.array, Search("four").settings(BASIC)
    seat = (table.seat + 1) & 3
    held = int(table._hands[seat])
    # Other hands of as many cards, more of them than are kept, so that some drive others out.
    hands = [held] + [held ^ (held & -held) | 1 << card for card in range(36)] * 12
    rng = np.random.default_rng(1)
    order = rng.permutation(len(hands))
    asked = np.array(hands, np.int64)[order]
    limits = rng.integers(0, 12, len(asked)).astype(np.int64)
    found = np.zeros(len(asked), np.int64)
    searched.bits_within(array, seat, asked, limits, settings, found)
    alone = np.zeros(1, np.int64)
    none = np.array([1 << 30], np.int64)
    for hand, limit, bits in zip(asked, limits, found, strict=True):
        searched.bits_within(array, seat, np.array([hand]), none, settings, alone)
        assert bits == alone[0] or (bits > limit and alone[0] > limit)
    assert (found > limits).any()
    assert (found <= limits).any()


def test_a_world_is_said_to_be_repeated_only_where_it_is() -> None:
    settings = Search("four", worlds=64).settings(BASIC)
    said = 0
    for seed in range(4):
        table = at_play(seed, 22, "random", schedule=[[9]])
        hand = int(table.observation(table.seat).hand)
        hands, repeated = np.zeros((128, 4), np.int64), np.zeros(128, np.int64)
        searched.repeats(table._memory.array, hand, np.uint64(1), settings, hands, repeated)
        for i in np.flatnonzero(repeated):
            assert i >= beliefs.N_WALKS
            assert (hands[i] == hands[i - beliefs.N_WALKS]).all()
        said += repeated.sum()
    assert said > 0


@pytest.mark.parametrize("policy", ["basic", "book"])
@pytest.mark.parametrize("size", [1, 2, 5, 9])
def test_rollouts_end_as_the_policy_ends_the_deal(policy: str, size: int) -> None:
    row = seated(parse_policies(policy, "four", 4), "four")
    number = int(row.numbers[0])
    for seed in range(2 if JIT_DISABLED else 12):
        for decisions in range(1 if size == 9 else 0, 4 * size + 4, 3):
            table = at_play(seed, decisions, "random", schedule=[[size]])
            view = table._memory.array.copy()
            searched.finish(view, table._hands.copy(), number)
            while table.kind is not None:
                table.decide(number)
            (deal,) = deals_of(table.record())
            assert view["taken"][0].tolist() == deal["taken"]


def race_of(worths: list[list[int]], worlds_asked: int) -> list[int]:
    """Choices 0, 1, … that are left after their worths in as many worlds."""
    array = np.array(worths, np.int64)
    choices = np.arange(len(worths))
    sums = array.sum(axis=1)
    n = searched.dropped(choices, sums, array, array.shape[1], 100, worlds_asked)
    return sorted(choices[:n].tolist())


def test_a_choice_goes_once_it_is_behind_by_more_than_chance() -> None:
    level, below, noisy = [500] * 16, [300] * 16, [-1500, 2100] * 8
    # Always 200 less is no chance; 200 less on average, by 1,800 up and down, may be.
    assert race_of([level, below], 32) == [0]
    assert race_of([level, noisy], 32) == [0, 1]
    assert race_of([below, level, noisy], 32) == [1, 2]


def test_choices_of_one_worth_stay() -> None:
    assert race_of([[100] * 16, [100] * 16], 32) == [0, 1]


def test_in_the_first_half_of_the_worlds_more_is_needed_to_drop_a_choice() -> None:
    # 44 points less, 3.0 standard deviations of the mean by the eight worlds foreseen alone.
    behind = [[100] * 16, [56] * 16]
    assert race_of(behind, 32) == [0]
    assert race_of(behind, 64) == [0, 1]


def test_walks_meet_worlds_as_often_as_they_count() -> None:
    table = at_play(4, 27, "random", schedule=[[9]])
    hand = int(table.observation(table.seat).hand)
    settings = Search("four", worlds=1).settings(BASIC)
    settings["play_bits"], settings["bid_bits"] = 1, (0, 1, *[2] * 8)
    hands, bits = np.zeros((2000, 4), np.int64), np.zeros(2000, np.int64)
    array = table._memory.array
    total = searched.bits_of_all(worlds.new_space(), array, hand, settings, hands, bits)
    assert 50 < total < 2000
    chances = 0.5 ** bits[:total]
    chances /= chances.sum()
    number = {tuple(world): i for i, world in enumerate(hands[:total].tolist())}
    settings["first_steps"], settings["tries"] = 200, 1
    met, counts = np.zeros((3, 4), np.int64), np.zeros(3, np.int64)
    seen = np.zeros(total, np.int64)
    n = 1500
    for key in range(n):
        searched.worlds_of(table._memory.array, hand, np.uint64(key), settings, met, counts)
        seen[number[tuple(met[0].tolist())]] += 1
    # By the likeliest worlds one by one, then all others together.
    likely = np.argsort(-chances)[:20]
    cells = [[i] for i in likely] + [np.setdiff1d(np.arange(total), likely)]
    for cell in cells:
        low, high = stats.binom.interval(1 - 1e-6, n, chances[cell].sum())
        assert low <= seen[cell].sum() <= high


def are_foreseen(table: Table) -> bool:
    """Whether the seat whose turn it is foresees the others, who play out as `basic`."""
    hands, counts = np.zeros((96, 4), np.int64), np.zeros(96, np.int64)
    settings = Search("four").settings(BASIC)
    hand = int(table.observation(table.seat).hand)
    array = table._memory.array
    return bool(searched.worlds_of(array, hand, np.uint64(0), settings, hands, counts)[1])


@pytest.mark.parametrize("seed", range(12))
def test_others_are_foreseen_while_they_play_as_the_policy_does(seed: int) -> None:
    assert not are_foreseen(at_play(seed, 4, "basic", schedule=[[9]]))  # no telling yet
    assert are_foreseen(at_play(seed, 5 + 28, "basic", schedule=[[9]]))
    assert not are_foreseen(at_play(seed, 5 + 28, "random", schedule=[[9]]))


@pytest.mark.parametrize("seed", range(12))
def test_one_bid_that_no_hand_explains_ends_it(seed: int) -> None:
    table = at_play(seed, 1, "basic", schedule=[[9]])
    bidder = table.seat
    table.apply(9)
    for _ in range(3 + 24):
        table.decide(BASIC)
    while table.seat == bidder:  # what he did himself says nothing of the others
        table.decide(BASIC)
    assert not are_foreseen(table)


@pytest.mark.parametrize(
    ("hand", "card"), [("AS KS QS AH", "AS"), ("AS KS QS 8D 9D", "AS"), ("KS QS TS 9S 8H", "KS")]
)
def test_where_all_are_needed_long_trumps_go_first_and_from_the_top(hand: str, card: str) -> None:
    assert play({0: hand}, trump="S", bids=(len(hand.split()), 0, 0, 1)) == card


@pytest.mark.parametrize("hand", ["JK 7C", "AS 7C"])
def test_with_one_needed_of_two_the_winner_is_kept(hand: str) -> None:
    assert play({0: hand}, trump="S", bids=(1, 0, 0, 0)) == "7C"


@pytest.mark.parametrize("hand", ["AS 7C 8D", "JK 7C 8D", "AS KC 8D", "AS QC JD", "AS AC 7D"])
def test_barred_from_one_with_a_sure_winner_he_bids_two(hand: str) -> None:
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
        ("search:rivalry=0", "search:worlds=32;rivalry=0"),
        ("search:rivalry=33", "search:worlds=32"),
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
        ("search:rivalry=101", "rivalry is a whole number from 0 to 100, not '101'"),
        ("search:depth=3", "takes worlds, rollout and rivalry, not 'depth=3'"),
    ],
)
def test_bad_parameters_are_refused(text: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        parse_policies(text, "four", 4)


def test_it_ties_with_itself() -> None:
    played = match(rules("classic", schedule=[[3]]), FEW, FEW, games=5, seed=1)
    assert (played.difference, played.tied) == (0.0, 5)


def points_of_small_games() -> list[list[int]]:
    found = []
    for size, policy in ((1, "search:worlds=2"), (2, "search:worlds=1;rollout=basic")):
        few = rules("classic", schedule=[[size]])
        games = simulate(few, games=1, seed=3, policies=policy, tables=["games"]).games()
        found.append([int(games[f"total_{seat}"][0]) for seat in range(4)])
    return found


def test_the_interpreter_decides_alike() -> None:
    assert without_compiler(points_of_small_games) == points_of_small_games()


def test_the_line_holds_the_plays_of_every_seat() -> None:
    for seed in range(10):
        table = at_play(seed, 4 + 7 + seed, "random", schedule=[[6]])
        line = table.observation(table.seat).line
        found: list[list[str]] = [[], [], [], []]
        for seat, play in oracle.situation(table.record()).plays:
            found[seat].append(play)
        for seat in range(4):
            read = [int(line[seat]) >> 6 * k & 63 for k in range(len(found[seat]))]
            assert [format_play(play) for play in read] == found[seat]
            assert int(line[seat]) >> 6 * len(read) == 0
