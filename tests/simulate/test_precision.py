"""Precision on demand: where a run stops, and that nothing but the width decides it."""

import pytest

import jokersim as js
from jokersim.errors import InputError
from jokersim.simulate import Setup, make_player, plan
from jokersim.simulate.precision import Precision, looks, parse_precision
from tests.store.small import contents

RULES = js.rules("nines", schedule=[[3, 3]])
ASKED = {"seed": 6, "policies": "random", "games": 40_000}


def half_widths(games, statistic, rules=RULES):
    prefix = "" if statistic == "mean_score" else f"{statistic}_"
    summary = js.simulate(rules, seed=6, policies="random", games=games).summary()
    return [(row[f"{prefix}high"] - row[f"{prefix}low"]) / 2 for row in summary["seats"]]


@pytest.mark.parametrize("statistic", ["mean_score", "made", "khishti", "premium", "first"])
def test_it_stops_at_the_first_look_that_is_narrow_in_every_seat(statistic):
    worst = max(half_widths(4_000, statistic))
    run = js.simulate(RULES, **ASKED, precision={statistic: worst})
    assert (run.n_games, run.reached) == (4_000, True)
    assert max(half_widths(2_000, statistic)) > worst
    narrower = min(half_widths(4_000, statistic))
    assert js.simulate(RULES, **ASKED, precision={statistic: narrower * 0.999}).n_games == 8_000


@pytest.mark.parametrize("statistic", ["payoff", "won", "pairs"])
def test_two_players(statistic):
    worst = max(half_widths(2_000, statistic, "japanese"))
    asked = ASKED | {"games": 5_000}
    run = js.simulate("japanese", **asked, precision=f"{statistic}={worst!r}")
    assert (run.n_games, run.reached) == (2_000, True)


def test_games_are_the_most_to_play():
    run = js.simulate(RULES, seed=6, policies="random", games=1_500, precision="made=1e-6")
    assert (run.n_games, run.reached) == (1_500, False)
    assert js.simulate(RULES, seed=6, policies="random", games=10).reached is None


def test_a_width_of_zero_is_no_answer():
    """A rate that was never seen has Wilson's width; a mean without any variance has none."""
    row = {"premium": 0.0, "premium_low": 0.0, "premium_high": 0.0, "low": 1.0, "high": 1.0}
    summary = {"seats": [row], "games": 1_000, "level": 0.95}
    assert 0.0018 < Precision("premium", 1.0).widest(summary) < 0.0020
    assert not Precision("mean_score", 1e9).reached(summary)


@pytest.mark.parametrize(
    "given", ["made", "made=", "made=0", "made=-1", "made=nan", "made=inf", "made=x", "payoff=1",
              "=1", "", {"made": True}, {"made": 0.1, "first": 0.1}],
)  # fmt: skip
def test_what_is_no_precision_is_refused(given):
    with pytest.raises(InputError):
        parse_precision(given, RULES)


def test_looks_are_doublings_up_to_the_most():
    assert list(looks(1)) == [1]
    assert list(looks(1_000)) == [1_000]
    assert list(looks(4_001)) == [1_000, 2_000, 4_000, 4_001]


def test_a_dataset_is_the_same_however_it_was_played(tmp_path):
    precision = {"mean_score": max(half_widths(4_000, "mean_score"))}
    out = tmp_path / "one"
    run = js.simulate(RULES, **ASKED, precision=precision, out=out, part=1_500, threads=2)
    assert (run.n_games, run.reached) == (4_000, True)
    memory = js.simulate(RULES, **ASKED, precision=precision)
    assert run.sums == memory.sums

    class Ended(Exception):
        pass

    def ending_at(most):
        def end(done, games):
            assert games == 40_000
            if done >= most:
                raise Ended

        return end

    other = ASKED | {"precision": precision, "out": tmp_path / "other", "part": 1_500}
    for upto in (200, 1_000, 1_800, 2_700, 3_900):
        with pytest.raises(Ended):
            js.simulate(RULES, **other, threads=1, chunk=93, progress=ending_at(upto), resume=True)
    js.simulate(RULES, **other, threads=1, chunk=177, resume=True)
    assert contents(tmp_path / "other") == contents(out)
    before = contents(out)
    js.simulate(RULES, **(other | {"out": out}), resume=True)
    assert contents(out) == before


def test_a_dataset_of_more_games_is_not_shortened(tmp_path):
    plain = {**ASKED, "games": 6_000, "out": tmp_path / "d", "part": 2_500}
    js.simulate(RULES, **plain)
    before = contents(tmp_path / "d")
    run = js.simulate(RULES, **plain, precision="mean_score=1000", resume=True)
    assert (run.n_games, run.reached) == (6_000, True)
    assert contents(tmp_path / "d") == before


def test_a_shard_has_its_games_given(tmp_path):
    with pytest.raises(InputError, match="precision cannot decide"):
        js.simulate(RULES, **ASKED, precision="made=1", out=tmp_path / "d", shard="1/2", part=100)


def covered(setup: Setup, precision: Precision, truth: float) -> tuple[bool, int]:
    """Run until the precision is reached: whether seat 0's interval holds the truth."""
    from jokersim.simulate.dataset import describe

    player, sums, at = make_player(setup), None, 0
    for look in looks(1_000_000):
        chunk = player.play(at, look)
        sums = chunk.sums if sums is None else sums
        if at:
            sums.add(chunk.sums)
        at = look
        summary = describe(setup, sums, 0.95)
        if precision.reached(summary):
            break
    row = summary["seats"][0]
    return row["low"] <= truth <= row["high"], at


@pytest.mark.slow
def test_intervals_of_runs_that_stop_by_width_cover_the_truth():
    """1,000 runs that stop at 8,000 or 16,000 games; seat 0 of `random` is like any other seat."""
    rules = js.rules("nines", first_dealer="random")
    many = js.simulate(rules, games=2_000_000, seed=10**6, policies="random")
    truth = sum(row["mean_score"] for row in many.summary()["seats"]) / 4
    # About half of the runs stop at 8,000 games with this width.
    at_8000 = js.simulate(rules, games=8_000, seed=0, policies="random").summary()["seats"]
    precision = Precision("mean_score", max((row["high"] - row["low"]) / 2 for row in at_8000))
    found = [covered(plan(rules, "random", seed), precision, truth) for seed in range(1, 1_001)]
    assert {games for _, games in found} == {8_000, 16_000}
    share = sum(hit for hit, _ in found) / len(found)
    assert 0.93 <= share <= 0.97, share
