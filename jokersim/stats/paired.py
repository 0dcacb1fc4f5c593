"""Paired differences: sums over games of two runs on the same deals, and what they give.

A figure is a ratio of two sums over games (a mean is one by the number of games). Of each the sums
and products of a game's four numbers are kept, first and second run, so that the interval of the
difference follows from them. Quantiles have theirs from blocks of games.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from statistics import stdev
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from jokersim.stats.intervals import Interval, quantile, z_score

__all__ = ["BLOCKS", "PairedSums", "independent"]

BLOCKS: Final = 50
"""Blocks of games from which the interval of a quantile's difference comes."""

_SMALLEST_BLOCK: Final = 20

Key = tuple[str, int, str]


@dataclass(slots=True)
class PairedSums:
    """What the games of two runs come to, pair by pair.

    Attributes
    ----------
    games
        Pairs of games.
    keys
        Of each figure: the list and the row of the summary that it belongs to, and its name.
    sums : [figures, 4]
        Over games, of numerator and denominator in the first run and in the second.
    products : [figures, 4, 4]
        Over games, of each of the four with each.
    values
        How often each value stands, by figure with quantiles, run and block.
    """

    games: int
    keys: tuple[Key, ...]
    sums: NDArray[Any]
    products: NDArray[Any]
    values: dict[tuple[int, int, int], Counter[int]] = field(default_factory=dict)

    @classmethod
    def of(
        cls, keys: Sequence[Key], first: NDArray[np.float64], second: NDArray[np.float64]
    ) -> PairedSums:
        """Add up games; `first` and `second` are [figures, 2, games]: numerator, denominator."""
        four = np.concatenate([first, second], axis=1)
        exact = np.frompyfunc(Fraction, 1, 1)
        products = four @ four.transpose(0, 2, 1)
        return cls(four.shape[2], tuple(keys), exact(four.sum(axis=2)), exact(products))

    def add(self, other: PairedSums) -> None:
        """Add the sums of other pairs of games."""
        self.games += other.games
        self.sums = self.sums + other.sums
        self.products = self.products + other.products
        for key, counts in other.values.items():
            self.values.setdefault(key, Counter()).update(counts)

    def to_json(self) -> dict[str, Any]:
        """Refuse: pairs are compared, not stored."""
        raise TypeError("sums of pairs are not stored")

    def difference(self, figure: int, level: float) -> dict[str, float]:
        """Answer a figure in both runs, and first less second with its interval."""
        a, x, b, y = self.sums[figure].tolist()
        if not x or not y:
            return _figure(0.0, 0.0, math.inf)
        mean_a, mean_b = Fraction(a) / x, Fraction(b) / y
        # What one game moves the difference, to first order; these add up to 0.
        weights = (1 / x, -mean_a / x, -1 / y, mean_b / y)
        moved = sum(
            (
                weights[i] * weights[j] * self.products[figure, i, j]
                for i in range(4)
                for j in range(4)
            ),
            Fraction(0),
        )
        n = self.games
        half = z_score(level) * math.sqrt(moved * n / (n - 1)) if n > 1 else math.inf
        return _figure(float(mean_a), float(mean_b), half, float(mean_a - mean_b))

    def quantile_difference(self, figure: int, share: float, level: float) -> dict[str, float]:
        """Answer a quantile in both runs, and first less second with its interval."""
        blocks = [
            [self.values.get((figure, run, block), Counter()) for block in range(BLOCKS)]
            for run in range(2)
        ]
        whole = [quantile(sum(own, Counter()), share) for own in blocks]
        half = math.inf
        if all(counts.total() >= _SMALLEST_BLOCK for own in blocks for counts in own):
            moved = [quantile(a, share) - quantile(b, share) for a, b in zip(*blocks, strict=True)]
            z = z_score(level)
            # Student's quantile for so many blocks, to first order.
            t = z + (z**3 + z) / (4 * (BLOCKS - 1))
            half = t * stdev(moved) / math.sqrt(BLOCKS)
        return _figure(float(whole[0]), float(whole[1]), half)


def _figure(a: float, b: float, half: float, difference: float | None = None) -> dict[str, float]:
    middle = a - b if difference is None else difference
    return {"a": a, "b": b, "difference": middle, "low": middle - half, "high": middle + half}


def independent(a: Interval, b: Interval) -> dict[str, Any]:
    """Answer the difference of two estimates that have nothing to do with each other.

    >>> independent(Interval(5.0, 2.0, 8.0), Interval(1.0, -3.0, 5.0))["high"]  # 4 + 5
    9.0
    """
    half = math.hypot((a.high - a.low) / 2, (b.high - b.low) / 2)
    return {**_figure(a.value, b.value, half), "method": "independent"}
