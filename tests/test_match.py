"""Duplicate matches against the games that they are made of."""

import math
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

import jokersim as js
from jokersim.errors import InputError
from jokersim.kernels.jit import JIT_DISABLED
from jokersim.match.sums import Moments
from jokersim.stats import mean_interval

BLOCKS = 2 if JIT_DISABLED else 25
SHORT = js.rules("classic", schedule=[[1, 2, 3], [9]])


def played(rules, seating, seed, table="games"):
    """Games of one arrangement, as data frames."""
    policies = ["basic" if seat in seating else "random" for seat in range(rules.seats)]
    run = js.simulate(rules, games=BLOCKS, seed=seed, policies=policies, tables=["games", "deals"])
    return run.games() if table == "games" else run.deals()


@pytest.mark.parametrize(("seats", "own"), [("1v3", 1), ("2v2", 2)])
def test_the_difference_is_that_of_the_games_in_every_arrangement(seats, own):
    match = js.match(SHORT, "basic", "random", games=BLOCKS, seed=5, seats=seats)
    blocks = [Fraction(0)] * BLOCKS
    seatings = list(combinations(range(4), own))
    for seating in seatings:
        games = played(SHORT, seating, 5)
        for seat in range(4):
            sign = Fraction(1, own) if seat in seating else Fraction(-1, 4 - own)
            for i, total in enumerate(games[f"total_{seat}"].tolist()):
                blocks[i] += sign * total / len(seatings)
    assert match.difference == pytest.approx(float(sum(blocks) / BLOCKS), rel=1e-12)
    assert match.won == sum(block > 0 for block in blocks)
    assert match.tied == sum(block == 0 for block in blocks)
    assert match.lost == sum(block < 0 for block in blocks)
    spread = np.std([float(block) for block in blocks], ddof=1) / math.sqrt(BLOCKS)
    assert match.high - match.difference == pytest.approx(1.959964 * spread, rel=1e-5)


@pytest.mark.parametrize(("seats", "own"), [("1v3", 1), ("2v2", 2)])
def test_the_figures_of_a_side_are_those_of_its_seats(seats, own):
    document = js.match(
        SHORT, "basic", "random", games=BLOCKS, seed=5, seats=seats
    ).summary()  # fmt: skip
    counts = {side: dict.fromkeys(("made", "khishti", "deals", "score"), 0) for side in (0, 1)}
    by_size = {side: {} for side in (0, 1)}
    for seating in combinations(range(4), own):
        for row in played(SHORT, seating, 5, "deals").itertuples():
            side = 0 if row.seat in seating else 1
            own_counts = counts[side]
            own_counts["deals"] += 1
            own_counts["made"] += row.bid == row.taken
            own_counts["khishti"] += row.bid > 0 and row.taken == 0
            by_size[side].setdefault(row.hand_size, []).append(row.score)
    for side, shown in enumerate(document["sides"]):
        for name in ("made", "khishti"):
            assert shown[name] == pytest.approx(counts[side][name] / counts[side]["deals"])
            assert shown[f"{name}_low"] <= shown[name] <= shown[f"{name}_high"]
    for row in document["hand_sizes"]:
        ours, theirs = (np.mean(by_size[side][row["hand_size"]]) for side in (0, 1))
        assert row["score"] == pytest.approx(ours)
        assert row["against"] == pytest.approx(theirs)
        assert row["difference"] == pytest.approx(ours - theirs)


@pytest.mark.parametrize("game", ["classic", "nines", "japanese"])
@pytest.mark.parametrize("policy", ["random", "basic"])
def test_two_copies_of_one_policy_tie_exactly(game, policy):
    match = js.match(game, policy, policy, games=min(BLOCKS, 5), seed=2)
    assert (match.difference, match.low, match.high) == (0, 0, 0)
    assert (match.won, match.tied, match.lost) == (0, match.games, 0)


def test_swapping_the_policies_turns_two_against_two_round():
    one = js.match(SHORT, "basic", "random", games=BLOCKS, seed=2, seats="2v2")
    other = js.match(SHORT, "random", "basic", games=BLOCKS, seed=2, seats="2v2")
    assert one.difference == -other.difference
    assert (one.won, one.tied, one.lost) == (other.lost, other.tied, other.won)


def test_two_players_are_compared_in_stakes():
    rules = js.rules("japanese", target=3, stake=5, rake=0.1)
    match = js.match(rules, "basic", "random", games=BLOCKS, seed=4)
    blocks = [0.0] * BLOCKS
    payoffs = []
    for seat in (0, 1):
        games = played(rules, (seat,), 4)
        ours, theirs = games[f"payoff_{seat}"] / 5, games[f"payoff_{1 - seat}"] / 5
        payoffs += ours.tolist()
        for i, gap in enumerate((ours - theirs).tolist()):
            blocks[i] += gap / 2
    assert match.difference == pytest.approx(np.mean(blocks))
    assert match.won == sum(block > 1e-9 for block in blocks)
    side = match.summary()["sides"][0]
    assert side["payoff"] == pytest.approx(np.mean(payoffs))
    means = np.mean(np.reshape(payoffs, (2, BLOCKS)), axis=0)
    half = 1.959964 * np.std(means, ddof=1) / math.sqrt(BLOCKS)
    assert side["payoff_high"] - side["payoff"] == pytest.approx(half, rel=1e-5, abs=1e-9)


def test_threads_and_chunks_do_not_matter():
    sums = [
        js.match(SHORT, "basic", "random", games=BLOCKS, seed=6, threads=n, chunk=chunk).sums
        for n, chunk in ((1, None), (2, 1), (3, 7))
    ]
    assert sums[0] == sums[1] == sums[2]


@pytest.mark.skipif(JIT_DISABLED, reason="a thousand games with the compiler off take minutes")
def test_precision_stops_at_a_thousand_blocks_then_doublings():
    rules = js.rules("classic", schedule=[[1]])
    wide = js.match(rules, "basic", "random", games=10_000, seed=1, precision=50)
    assert (wide.games, wide.reached) == (1000, True)
    half = (wide.high - wide.low) / 2
    finer = js.match(rules, "basic", "random", games=10_000, seed=1, precision=half / 1.5)
    assert finer.reached
    assert finer.games in (2000, 4000)
    assert (finer.high - finer.low) / 2 <= half / 1.5
    missed = js.match(rules, "basic", "random", games=1500, seed=1, precision=half / 100)
    assert (missed.games, missed.reached) == (1500, False)
    assert js.match(rules, "basic", "random", games=1500, seed=1).reached is None


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"seats": "3v1"}, "no seating"),
        ({"games": 0}, "at least 1"),
        ({"level": 1.0}, "between 0 and 1"),
        ({"precision": 0.0}, "positive"),
        ({"policy": "basic,random,basic,basic"}, "one policy"),
        ({"policy": "brilliant"}, "no policy"),
        ({"seed": -1}, "a seed"),
        ({"rules": "japanese", "seats": "1v3"}, "table of four"),
    ],
)
def test_what_cannot_be_played_is_refused(options, why):
    with pytest.raises(InputError, match=why):
        js.match(**({"games": 3} | options))


def test_squares_stay_exact_beyond_64_bits():
    values = np.array([2**40, -(2**41), 3], dtype=np.int64)
    moments = Moments.of(values)
    assert moments == Moments(2**40 - 2**41 + 3, 2**80 + 2**82 + 9)
    moments.add(Moments.of(np.array([1])))
    assert moments.squares == 2**80 + 2**82 + 10


def test_the_interval_is_that_of_a_mean():
    match = js.match(SHORT, "basic", "random", games=BLOCKS, seed=5)
    moments = match.sums.difference
    exact = mean_interval(moments.total, moments.squares, BLOCKS)
    assert match.low == pytest.approx(exact.low / 48)
