"""Comparisons against the same figures worked out from data frames."""

import math

import numpy as np
import pytest

import jokersim as js
from jokersim.errors import InputError
from jokersim.simulate import plan
from jokersim.simulate.compare import compare_datasets, compare_setups
from jokersim.stats import z_score

GAMES = 400
FOUR = js.rules("nines"), js.rules("nines", khishti=-500, hook="none")
TWO = js.rules("japanese", davi="party"), js.rules("japanese", target=5)


def setups(pair, policies=("random", "random"), seed=3):
    return [plan(rules, names, seed) for rules, names in zip(pair, policies, strict=True)]


def frames(setup):
    run = js.simulate(setup.rules, games=GAMES, seed=setup.seed, tables=["games", "deals"],
                      policies=[policy.name for policy in setup.policies])  # fmt: skip
    return run.games(), run.deals()


def interval(difference):
    """Answer the mean of an array over games and half of its normal interval."""
    half = z_score(0.95) * difference.std(ddof=1) / math.sqrt(len(difference))
    return difference.mean(), half


def assert_figure(figure, a, b, difference):
    middle, half = interval(difference)
    assert figure["a"] == pytest.approx(a)
    assert figure["b"] == pytest.approx(b)
    assert figure["difference"] == pytest.approx(middle, abs=1e-12)
    assert figure["high"] - figure["difference"] == pytest.approx(half, rel=1e-9)
    assert figure["difference"] - figure["low"] == pytest.approx(half, rel=1e-9)
    assert figure["method"] == "paired"


def test_four_players():
    a, b = setups(FOUR)
    document = compare_setups(a, b, GAMES, threads=2)
    (games_a, deals_a), (games_b, deals_b) = frames(a), frames(b)
    for seat, row in enumerate(document["seats"]):
        one, other = games_a[f"total_{seat}"], games_b[f"total_{seat}"]
        assert_figure(row["mean_score"], one.mean(), other.mean(), one - other)
        one, other = games_a[f"rank_{seat}"] == 1, games_b[f"rank_{seat}"] == 1
        assert_figure(row["first"], one.mean(), other.mean(), one.astype(int) - other.astype(int))
        made = [
            (deals.bid == deals.taken)[deals.seat == seat].groupby(deals.game).mean()
            for deals in (deals_a, deals_b)
        ]
        assert_figure(row["made"], made[0].mean(), made[1].mean(), made[0] - made[1])
    place = (games_a.first_dealer + 2) % 4
    one, other = (
        games[[f"total_{seat}" for seat in range(4)]].to_numpy()[np.arange(GAMES), place]
        for games in (games_a, games_b)
    )
    row = document["places"][2]
    assert_figure(row["mean_score"], one.mean(), other.mean(), one - other)
    assert row["quantiles"]["0.5"]["a"] == np.quantile(one, 0.5, method="inverted_cdf")
    assert row["quantiles"]["0.5"]["high"] == math.inf  # 8 games a block say nothing
    assert {"rank_1", "rank_4", "khishti", "premium"} <= row.keys()


def test_two_players():
    a, b = setups(TWO)
    document = compare_setups(a, b, GAMES)
    (games_a, deals_a), (games_b, deals_b) = frames(a), frames(b)
    for seat, row in enumerate(document["seats"]):
        one, other = games_a[f"payoff_{seat}"], games_b[f"payoff_{seat}"]
        assert_figure(row["payoff"], one.mean(), other.mean(), one - other)
        tops, bottoms = [], []
        for deals in (deals_a, deals_b):
            whole = deals.groupby(["game", "deal"]).pairs.transform("sum") == 18
            tops.append(deals.pairs[whole & (deals.seat == seat)].groupby(deals.game).sum())
            bottoms.append((whole & (deals.seat == 0)).groupby(deals.game).sum())
            tops[-1] = tops[-1].reindex(bottoms[-1].index, fill_value=0)
        ratios = [top.sum() / bottom.sum() for top, bottom in zip(tops, bottoms, strict=True)]
        moved = [
            (top - ratio * bottom) / bottom.mean()
            for top, bottom, ratio in zip(tops, bottoms, ratios, strict=True)
        ]
        figure = row["pairs"]
        assert figure["difference"] == pytest.approx(ratios[0] - ratios[1])
        half = interval(moved[0] - moved[1])[1]
        assert figure["high"] - figure["difference"] == pytest.approx(half, rel=1e-9)
    deals = document["parties"]["deals"]
    assert_figure(deals, games_a.deals.mean(), games_b.deals.mean(), games_a.deals - games_b.deals)
    assert document["parties"]["return"]["a"] == pytest.approx(
        (games_a.payoff_0 + games_a.payoff_1).mean() / 2 / float(a.rules.exact_stake)
    )


def without_header(document):
    return {key: value for key, value in document.items() if key not in ("a", "b")}


@pytest.mark.parametrize("pair", [FOUR, TWO])
def test_datasets_of_one_seed_are_paired_by_game(tmp_path, pair):
    a, b = setups(pair)
    for name, setup, part in (("a", a, 150), ("b", b, 110)):
        js.simulate(setup.rules, games=GAMES, seed=3, policies="random", out=tmp_path / name,
                    part=part)  # fmt: skip
    document = compare_datasets(tmp_path / "a", tmp_path / "b", threads=2)
    assert without_header(document) == without_header(compare_setups(a, b, GAMES))
    assert document["paired"] is True
    assert document["a"]["path"] == str(tmp_path / "a")


def test_equal_runs_do_not_differ():
    a, b = setups((FOUR[0], FOUR[0]))
    for row in compare_setups(a, b, 50)["seats"]:
        for figure in list(row.values())[1:]:
            assert (figure["difference"], figure["low"], figure["high"]) == (0, 0, 0)


def test_other_seeds_are_independent(tmp_path):
    for seed in (1, 2):
        js.simulate("nines", games=60, seed=seed, policies="random", out=tmp_path / str(seed))
    document = compare_datasets(tmp_path / "1", tmp_path / "2")
    one, other = (js.read(tmp_path / str(seed)).summary()["seats"][1] for seed in (1, 2))
    figure = document["seats"][1]["mean_score"]
    assert document["paired"] is False
    assert figure["method"] == "independent"
    assert figure["difference"] == pytest.approx(one["mean_score"] - other["mean_score"])
    half = math.hypot(*((row["high"] - row["low"]) / 2 for row in (one, other)))
    assert figure["high"] - figure["difference"] == pytest.approx(half)


def test_figures_of_deals_that_were_not_stored_are_independent(tmp_path):
    js.simulate("nines", games=60, seed=1, policies="random", out=tmp_path / "a")
    js.simulate("nines", games=60, seed=1, policies="basic", out=tmp_path / "b", tables=["games"])
    row = compare_datasets(tmp_path / "a", tmp_path / "b")["seats"][0]
    assert row["mean_score"]["method"] == "paired"
    assert row["made"]["method"] == "independent"


def test_pairing_narrows_the_interval():
    a, b = setups((FOUR[0], js.rules("nines", khishti=-300)))
    row = compare_setups(a, b, GAMES)["seats"][0]["mean_score"]
    summaries = [js.simulate(s.rules, games=GAMES, seed=3, policies="random").summary()["seats"][0]
                 for s in (a, b)]  # fmt: skip
    alone = math.hypot(*((each["high"] - each["low"]) / 2 for each in summaries))
    assert row["high"] - row["difference"] < alone / 3


def test_what_cannot_be_compared_is_refused():
    with pytest.raises(InputError, match="as many players"):
        compare_setups(plan("nines", "random", 1), plan("japanese", "random", 1), 5)
    with pytest.raises(InputError, match="same seed"):
        compare_setups(plan("nines", "random", 1), plan("nines", "random", 2), 5)
