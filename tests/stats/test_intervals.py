"""Intervals against scipy and numpy, from sums that stay exact."""

import math
import random
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from jokersim.stats import mean_interval, quantile, ratio_interval, wilson_interval, z_score

LEVELS = [0.5, 0.8, 0.95, 0.999]
levels = st.sampled_from(LEVELS)
values = st.lists(st.integers(-(10**6), 10**6), min_size=2, max_size=40)


@pytest.mark.parametrize("level", LEVELS)
def test_z_is_the_normal_quantile(level):
    assert z_score(level) == pytest.approx(stats.norm.isf((1 - level) / 2), rel=1e-12)


@given(values, levels)
def test_a_mean_is_scipys(given_values, level):
    found = mean_interval(
        sum(given_values), sum(v * v for v in given_values), len(given_values), level
    )
    error = stats.sem(given_values)
    expected = (
        stats.norm.interval(level, np.mean(given_values), error) if error else (found[0],) * 2
    )
    assert found.value == pytest.approx(np.mean(given_values))
    assert found[1:] == pytest.approx(expected, rel=1e-9, abs=1e-9)


def test_a_small_spread_around_a_huge_mean_survives():
    """The squares need more than the 53 bits of a float; the sums do not pass through one."""
    numbers = [10**9 + d for d in (0, 1, 0, 1)] * 1000
    found = mean_interval(sum(numbers), sum(n * n for n in numbers), len(numbers))
    half = z_score(0.95) * math.sqrt(1000 / (4000 - 1) / 4000)
    assert found.high - found.value == pytest.approx(half, abs=3e-7)


def test_equal_values_have_no_width_and_one_value_any():
    assert mean_interval(35, 35 * 7, 5) == (7, 7, 7)
    assert mean_interval(7, 49, 1) == (7, -math.inf, math.inf)
    assert ratio_interval(1, 4, (1, 4, 16), 1) == (0.25, -math.inf, math.inf)


def test_a_scaled_interval_keeps_its_order():
    found = mean_interval(10, 58, 2)
    assert found.scaled(4) == tuple(part / 4 for part in found)


def test_money_is_a_mean_of_fractions():
    payoffs = [Fraction(1, 3), Fraction(-1, 3), Fraction(1)]
    found = mean_interval(sum(payoffs), sum(p * p for p in payoffs), 3)
    as_floats = [float(p) for p in payoffs]
    assert found.value == pytest.approx(1 / 3)
    assert found[1:] == pytest.approx(
        stats.norm.interval(0.95, np.mean(as_floats), stats.sem(as_floats))
    )


@given(st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), levels)
def test_a_share_is_wilsons(counted, level):
    count, n = counted
    found = wilson_interval(count, n, level)
    expected = stats.binomtest(count, n).proportion_ci(level, "wilson")
    assert found.value == count / n
    assert found[1:] == pytest.approx((expected.low, expected.high), abs=1e-12)
    assert 0 <= found.low <= found.value <= found.high <= 1


@pytest.mark.parametrize("share", [0.02, 0.3, 0.5])
def test_wilson_covers_a_share_about_as_often_as_it_says(share):
    """Exact coverage: binomial chances of the counts whose interval holds the share."""
    n, level = 500, 0.95
    counts = np.arange(n + 1)
    holds = [
        low <= share <= high for _, low, high in (wilson_interval(int(k), n, level) for k in counts)
    ]
    assert stats.binom.pmf(counts, n, share)[holds].sum() == pytest.approx(level, abs=0.02)


def sums_of(tops, bottoms):
    squares = (
        sum(a * a for a in tops),
        sum(a * b for a, b in zip(tops, bottoms, strict=True)),
        sum(b * b for b in bottoms),
    )
    return sum(tops), sum(bottoms), squares, len(tops)


@given(st.lists(st.tuples(st.integers(0, 50), st.integers(1, 20)), min_size=2, max_size=30), levels)
def test_a_ratio_is_by_the_delta_method(pairs, level):
    tops, bottoms = zip(*pairs, strict=True)
    found = ratio_interval(*sums_of(tops, bottoms), level)
    ratio = sum(tops) / sum(bottoms)
    residuals = np.array(tops) - ratio * np.array(bottoms)
    error = np.std(residuals, ddof=1) / math.sqrt(len(tops)) / np.mean(bottoms)
    assert found.value == pytest.approx(ratio)
    half = stats.norm.isf((1 - level) / 2) * error
    assert found[1:] == pytest.approx((ratio - half, ratio + half), abs=1e-9)


@given(st.lists(st.integers(-50, 50), min_size=2, max_size=30), levels)
def test_a_ratio_to_ones_is_a_mean(tops, level):
    found = ratio_interval(*sums_of(tops, [1] * len(tops)), level)
    assert found == pytest.approx(
        mean_interval(sum(tops), sum(t * t for t in tops), len(tops), level)
    )


@given(
    st.lists(st.integers(-200, 200), min_size=1, max_size=60),
    st.sampled_from([0.05, 0.25, 0.5, 0.75, 0.95]),
)
def test_a_quantile_is_numpys_inverse_of_the_distribution(numbers, share):
    assert quantile(Counter(numbers), share) == np.quantile(numbers, share, method="inverted_cdf")


def test_quantiles_of_round_numbers_of_games_fall_on_the_game():
    """A share times a number of games is whole here; floats must not push it up."""
    for n in (20, 60, 100, 10_000):
        counts = Counter(range(1, n + 1))
        for share in (5, 25, 50, 75, 95):
            assert quantile(counts, share / 100) == share * n // 100


def test_nothing_has_no_quantile():
    with pytest.raises(ValueError, match="no values"):
        quantile({}, 0.5)


def test_intervals_cover_means_as_often_as_they_say():
    """Means of 200 draws of a known distribution, within exact binomial bounds at p = 10^-6."""
    rng = random.Random(5)
    n, trials, level = 200, 2_000, 0.9
    held = 0
    for _ in range(trials):
        numbers = rng.choices([-200, 50, 100, 150], k=n)
        found = mean_interval(sum(numbers), sum(v * v for v in numbers), n, level)
        held += found.low <= 25 <= found.high
    low, high = stats.binom.interval(1 - 1e-6, trials, level)
    assert low <= held <= high
