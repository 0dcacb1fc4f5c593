"""Whole games of runs: as the slow twin replays them, whatever is written down on the way."""

import itertools

import numpy as np
import pytest
from scipy import stats

import jokersim as js
from jokersim.kernels.deal_random import N_LANES
from jokersim.kernels.jit import JIT_DISABLED
from jokersim.kernels.policies import RANDOM
from jokersim.kernels.state import BID, CHOOSE_TRUMP, NO_DECISION, PLAY
from jokersim.numbers import four_numbers
from jokersim.policies import parse_policies
from jokersim.rules import PRESETS
from jokersim.table import play_game
from tests import oracle
from tests.kernels import entries
from tests.kernels.four_played import Board, records

FOURS = [name for name, preset in PRESETS.items() if preset.family == "four"]
POLICIES = ["random", "basic", "basic,random,random,basic"]
ALL = ("games", "deals", "plays")
P = 1e-6


def played(rules, policies, *, games=2, seed=1, tables=ALL):
    return js.simulate(
        rules, games=games, seed=seed, policies=policies, tables=tables, threads=1, chunk=games
    )


def assert_replays(run):
    """Every game of a run keeps the rules, and everything booked follows from its cards."""
    games, deals, plays = run.games(), run.deals(), run.plays()
    for i, record in enumerate(records(run)):
        answer = oracle.complete_record(record)
        game = games.iloc[i]
        assert game[[f"total_{s}" for s in range(4)]].tolist() == answer["totals"]
        assert game[[f"rank_{s}" for s in range(4)]].tolist() == answer["ranks"]
        for pulka, change in enumerate(answer["premiums"]):
            for s in range(4):
                credited, lost = (
                    game[f"pulka_{pulka}_{name}_{s}"] for name in ("premium", "erased")
                )
                assert credited >= 0
                assert lost >= 0
                assert credited - lost == change[s]
        rows = deals[deals.game == i]
        cards = plays[plays.game == i]
        for number, deal in enumerate(answer["deals"]):
            seats = rows[rows.deal == number]
            assert seats.seat.tolist() == [0, 1, 2, 3]
            assert set(seats.dealer) == {deal["dealer"]}
            assert set(seats.trump) == {deal["trump"]}
            assert seats.score.tolist() == deal["scores"]
            assert seats.taken.tolist() == deal["taken"]
            size = seats.hand_size.iloc[0]
            tricks = cards[cards.deal == number]
            assert tricks.taker.tolist() == np.repeat(deal["takers"], 4).tolist()
            leaders = [(deal["dealer"] + 1) % 4, *deal["takers"][:-1]]
            assert tricks.seat.tolist() == [
                (leader + k) % 4 for leader in leaders for k in range(4)
            ]
            assert tricks.trick.tolist() == np.repeat(range(size), 4).tolist()


@pytest.mark.parametrize("policies", POLICIES)
@pytest.mark.parametrize("preset", FOURS)
def test_games_of_every_preset_are_the_slow_twins(preset, policies):
    assert_replays(played(preset, policies))


OPTIONS = [
    {"must_trump": False},
    {"second_high_vs_cut": "trump"},
    {"must_trump": False, "second_high_vs_cut": "trump", "hook": "none"},
    {"premium": "none", "erase": "all_others"},
    {"first_dealer": 2, "erase": "all_others", "premium_exclude_last": True},
    {"first_dealer": "ace_draw", "erase": "left_neighbour", "erase_exclude_last": True},
    {"khishti": [100 * n for n in range(1, 10)], "full_bid_bonus": "none"},
    {"schedule": [[1]] * 64},
    {"schedule": [[9, 1], [2] * 9, [5, 5, 5]], "full_bid_bonus": "nine_only"},
]


@pytest.mark.parametrize("changes", OPTIONS, ids=" ".join)
def test_games_under_options_are_the_slow_twins(changes):
    for policies in POLICIES:
        assert_replays(played(js.rules("classic", **changes), policies))


@pytest.mark.parametrize(
    ("preset", "changes"),
    [(name, {}) for name in FOURS] + [("classic", c) for c in OPTIONS],
    ids=str,
)
def test_games_in_step_are_those_played_one_by_one(preset, changes):
    """Seats at random play many games in step, unless plays are wanted: rows full and begun."""
    rules = js.rules(preset, **changes)
    games = 3 if JIT_DISABLED else 2 * N_LANES + 3
    in_step = played(rules, "random", games=games, tables=["games", "deals"])
    one_by_one = played(rules, "random", games=games)
    assert in_step.games().equals(one_by_one.games())
    assert in_step.deals().equals(one_by_one.deals())
    assert in_step.sums.to_json() == one_by_one.sums.to_json()


@pytest.mark.parametrize("n", [1, 2, N_LANES - 1, N_LANES, N_LANES + 1])
def test_neighbours_in_step_change_no_game(n):
    """A run of few games is the beginning of a longer one, and its last game a run of its own."""
    games = 5 if JIT_DISABLED else 2 * N_LANES
    n = min(n, games - 1)
    many = played("classic", "random", games=games, tables=["games"]).games()
    assert played("classic", "random", games=n, tables=["games"]).games().equals(many[:n])
    in_chunks = js.simulate(
        "classic", games=games, seed=1, policies="random", tables=["games"], threads=1, chunk=n
    )
    assert in_chunks.games().equals(many)


@pytest.mark.parametrize("policies", POLICIES)
def test_what_is_written_down_changes_no_game(policies):
    everything = played("classic", policies, games=5)
    for n in range(4):
        for tables in itertools.combinations(ALL, n):
            run = played("classic", policies, games=5, tables=tables)
            assert run.sums.to_json() == everything.sums.to_json()
            for table in tables:
                assert getattr(run, table)().equals(getattr(everything, table)())


@pytest.mark.parametrize("index", [0, 7, 10**9])
@pytest.mark.parametrize("preset", list(PRESETS))
def test_a_game_alone_is_the_same_game(preset, index):
    """Of a run that begins anywhere, and of any other: by seed and index alone."""
    policies = "random"
    rules = js.rules(preset)
    players = parse_policies(policies, rules.family, rules.seats)
    record = play_game(rules, [player.number for player in players], 1, index)
    assert oracle.complete_record(record) == record
    if index < 10:
        run = played(preset, policies, games=index + 1)
        last = run.games().iloc[index]
        name = "total" if rules.family == "four" else "points"
        assert [int(last[f"{name}_{s}"]) for s in range(rules.seats)] == record["totals"]
        if rules.family == "four":
            given = records(run)[index]
            assert [deal["plays"] for deal in given["deals"]] == [
                deal["plays"] for deal in record["deals"]
            ]
            assert [list(map(sorted, deal["hands"])) for deal in given["deals"]] == [
                list(map(sorted, deal["hands"])) for deal in record["deals"]
            ]


DEALT = ["game", "deal", "seat", "dealer", "turned", "hand"]


@pytest.mark.parametrize(
    ("rules", "policies"),
    [
        ("classic", "basic"),
        ("classic", "basic,random,random,random"),
        ("classic", "random,random,random,basic"),
        ("classic-speci", "basic"),
        (js.rules("classic", must_trump=False, hook="none", second_high_vs_cut="trump"), "random"),
        (js.rules("classic", erase="all_others", premium="none"), "basic"),
    ],
    ids=str,
)
def test_neither_policies_nor_options_move_a_card(rules, policies):
    """Runs of one seed are common random numbers: the same dealers, hands and turned cards."""
    plain = played("classic", "random", games=10, tables=["deals"]).deals()
    other = played(rules, policies, games=10, tables=["deals"]).deals()
    assert other[DEALT].equals(plain[DEALT])
    assert not other.equals(plain)


def test_a_seats_policy_does_not_move_the_others_streams():
    """Who bids first and at random, before whom nobody decides, bids the same in any company."""
    plain = played("classic", "random", games=30, tables=["deals"]).deals()
    for seat in range(4):
        policies = ["basic"] * 4
        policies[seat] = "random"
        other = played("classic", policies, games=30, tables=["deals"]).deals()
        first = (plain.seat == seat) & ((plain.dealer + 1) % 4 == seat)
        assert first.sum() > 50
        assert other[first][["trump", "bid"]].equals(plain[first][["trump", "bid"]])


# --- the policy `random` ----------------------------------------------------------------------


def assert_uniform(board, n, seed=3):
    """Every legal choice of the decision due is drawn as often, within exact bounds."""
    legal = board.legal()
    out = np.empty(n, np.int64)
    kind = board.number("kind")
    entries.decisions(board.views, board.hands, board.streams, seed, RANDOM, kind, out)
    found, counts = np.unique(out, return_counts=True)
    assert found.tolist() == sorted(legal)
    if len(legal) > 1:
        low, high = stats.binom.interval(1 - P / len(legal) / 100, n, 1 / len(legal))
        assert ((low <= counts) & (counts <= high)).all(), (legal, counts)


def test_random_is_uniform_over_the_legal_choices():
    """At every decision of some deals: trump, bids, leads and replies, jokers among them."""
    n = 1_000 if JIT_DISABLED else 20_000
    numbers = four_numbers(js.rules("classic", schedule=[[9, 8, 3, 1]]))
    kinds, choices = set(), set()
    for index in range(1 if JIT_DISABLED else 2):
        board = Board(numbers)
        for number in range(4):
            board.draw(12, index, dealer=(index + number) % 4)
            while board.number("kind") != NO_DECISION:
                kinds.add(board.number("kind"))
                choices.update(board.legal() if board.number("kind") == PLAY else [])
                assert_uniform(board, n)
                board.choose(board.decide(12, index, RANDOM))
            board.end_deal()
    assert kinds == {CHOOSE_TRUMP, BID, PLAY}
    # All declarations of a joker were among what was drawn from.
    assert choices >= set(range(36, 46))


def test_first_choices_of_many_deals_are_uniform():
    """First bids, before the hook, and trumps named at nine cards, over the games of a run."""
    games = 20 if JIT_DISABLED else 4_000
    deals = played("classic", "random", games=games, tables=["deals"]).deals()
    first = deals[(deals.dealer + 1) % 4 == deals.seat]
    for size, rows in first.groupby("hand_size"):
        counts = np.bincount(rows.bid, minlength=size + 1)
        low, high = stats.binom.interval(1 - P / 50, len(rows), 1 / (size + 1))
        assert len(counts) == size + 1
        assert ((low <= counts) & (counts <= high)).all()
    nines = first[first.hand_size == 9]
    counts = nines.trump.value_counts()
    low, high = stats.binom.interval(1 - P / 5, len(nines), 0.2)
    assert len(counts) == 5
    assert counts.between(low, high).all()


def test_the_dealer_never_makes_the_bids_meet_the_hand_size():
    deals = played("classic", "random", games=20 if JIT_DISABLED else 500, tables=["deals"]).deals()
    bids = deals.groupby(["game", "deal"]).agg(bid=("bid", "sum"), size=("hand_size", "first"))
    assert not (bids.bid == bids["size"]).any()
    free = played(js.rules("classic", hook="none"), "random", games=20, tables=["deals"]).deals()
    bids = free.groupby(["game", "deal"]).agg(bid=("bid", "sum"), size=("hand_size", "first"))
    assert (bids.bid == bids["size"]).any()
