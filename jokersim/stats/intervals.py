"""Intervals of means and shares, from exact sums."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from statistics import NormalDist
from typing import NamedTuple

__all__ = ["Interval", "mean_interval", "quantile", "ratio_interval", "wilson_interval", "z_score"]


class Interval(NamedTuple):
    """An estimate with the ends of its interval."""

    value: float
    low: float
    high: float

    def scaled(self, divisor: float) -> Interval:
        """Divide the estimate and its ends by a positive number."""
        return Interval(self.value / divisor, self.low / divisor, self.high / divisor)


def z_score(level: float) -> float:
    """Answer the normal quantile of a two-sided interval at a level between 0 and 1.

    >>> round(z_score(0.95), 3)
    1.96
    """
    return NormalDist().inv_cdf((1 + level) / 2)


def mean_interval(
    total: int | Fraction, squares: int | Fraction, n: int, level: float = 0.95
) -> Interval:
    """Answer the normal interval of a mean over `n` units.

    Parameters
    ----------
    total, squares : int or Fraction
        The sum of the values and of their squares, exact.
    n : int
        The number of units. One unit alone has no interval: its ends are infinite.
    level : float
        The two-sided level, between 0 and 1.

    Examples
    --------
    >>> [round(end, 2) for end in mean_interval(10, 58, 2)]  # of the values 7 and 3
    [5.0, 1.08, 8.92]
    """
    mean = float(total / n)
    if n == 1:
        return Interval(mean, -math.inf, math.inf)
    # Exact until the last step, so that no cancellation can spoil a small variance.
    variance = Fraction(squares * n - total * total) / (n * (n - 1))
    half = z_score(level) * math.sqrt(variance / n)
    return Interval(mean, mean - half, mean + half)


def ratio_interval(
    top: int, bottom: int, squares: tuple[int, int, int], n: int, level: float = 0.95
) -> Interval:
    """Answer the normal interval of a ratio of two sums over the same `n` units (delta method).

    `squares` holds the sums of top², top·bottom and bottom² over units.

    >>> ratio_interval(3, 6, (3, 6, 12), 3)  # 1 of 2 in every unit
    Interval(value=0.5, low=0.5, high=0.5)
    """
    ratio = Fraction(top, bottom)
    if n == 1:
        return Interval(float(ratio), -math.inf, math.inf)
    # The residuals top - ratio * bottom have mean 0, so their squares alone give the variance.
    residual = squares[0] - 2 * ratio * squares[1] + ratio * ratio * squares[2]
    half = z_score(level) * math.sqrt(residual * n / (n - 1)) / bottom
    return Interval(float(ratio), float(ratio) - half, float(ratio) + half)


def wilson_interval(count: int, n: int, level: float = 0.95) -> Interval:
    """Answer Wilson's interval of a share, where the unit itself is 0 or 1.

    >>> [round(end, 3) for end in wilson_interval(5, 10)]
    [0.5, 0.237, 0.763]
    """
    z = z_score(level)
    share = count / n
    centre = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return Interval(share, max(0.0, min(centre - half, share)), min(1.0, max(centre + half, share)))


def quantile(counts: Mapping[int, int], share: float) -> int:
    """Answer the smallest value that at least a share of the counted values do not exceed.

    >>> quantile({10: 1, 20: 2, 30: 1}, 0.5)
    20
    """
    needed = share * sum(counts.values())
    reached = 0
    for value in sorted(counts):
        reached += counts[value]
        if reached >= needed:
            return value
    raise ValueError("no values are counted")
