"""What judged worlds add up to, and the estimates that follow.

An outcome is a *cell*, a small number that the game's family gives a meaning and a worth. Sums over
cells of the worlds' weights and of their squares give every share and mean with its interval; sums
of pairs of candidates over the worlds that both were judged in give paired differences.
"""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from jokersim.stats import Interval, wilson_interval, z_score

__all__ = ["Margin", "Tally"]


class Margin(NamedTuple):
    """By how much one candidate is better than another, on the worlds that both were judged in."""

    difference: float
    low: float
    high: float
    sure: float
    """How sure it is that it is better, 0..1 (normal)."""


class Tally:
    """The outcomes of a number of candidates.

    Parameters
    ----------
    values : float64 array [cells]
        Worth of each outcome.
    n_candidates : int
    level : float
        Level of the intervals.
    exact : bool
        Whether all worlds are in the sums, so that nothing is left to chance.
    """

    def __init__(
        self, values: NDArray[np.float64], n_candidates: int, level: float, *, exact: bool = False
    ) -> None:
        self.values = values
        self.level = level
        self.exact = exact
        self.weighted = False
        self.worlds = np.zeros(n_candidates, np.int64)
        self.sums = np.zeros((n_candidates, len(values)))
        self.squares = np.zeros((n_candidates, len(values)))
        # Over the worlds that both candidates of a pair were judged in: how many, the sums of
        # w, w², and of w·d, w²·d and w²·d² with d the difference of their values.
        self._pairs = np.zeros((6, n_candidates, n_candidates))

    def add(
        self,
        live: NDArray[np.int64],
        weights: NDArray[np.float64],
        cells: NDArray[np.int16],
    ) -> None:
        """Add worlds, a row each; `live` says which candidate each column of `cells` is."""
        if len(weights) == 0:
            return
        self.weighted |= bool((weights != 1.0).any())
        squared = weights * weights
        for column, candidate in enumerate(live):
            for to, of in ((self.sums, weights), (self.squares, squared)):
                to[candidate] += np.bincount(
                    cells[:, column], weights=of, minlength=len(self.values)
                )
        self.worlds[live] += len(weights)
        self._add_pairs(live, weights, squared, self.values[cells])

    def _add_pairs(
        self,
        live: NDArray[np.int64],
        weights: NDArray[np.float64],
        squared: NDArray[np.float64],
        values: NDArray[np.float64],
    ) -> None:
        once = weights @ values
        twice = squared @ values
        crossed = (values * squared[:, None]).T @ values
        own = crossed.diagonal()
        at = np.ix_(np.arange(6), live, live)
        n = len(live)
        self._pairs[at] += np.stack(
            [
                np.full((n, n), float(len(weights))),
                np.full((n, n), weights.sum()),
                np.full((n, n), squared.sum()),
                once[:, None] - once,
                twice[:, None] - twice,
                own[:, None] + own - 2 * crossed,
            ]
        )

    def add_exactly(self, sums: NDArray[np.float64], worlds: int) -> None:
        """Add the weights of all ways that a number of worlds can go, by candidate and cell."""
        self.sums += sums
        self.worlds += worlds

    # --- estimates -------------------------------------------------------------------------------

    def share(self, candidate: int, cells: NDArray[np.bool_]) -> Interval:
        """Estimate the chance of cells: Wilson's interval, a ratio's where worlds weigh."""
        if self.exact or self.weighted:
            return self._mean(candidate, cells.astype(float), 0.0, 1.0)
        count = int(self.sums[candidate][cells].sum())
        return wilson_interval(count, int(self.worlds[candidate]), self.level)

    def score(self, candidate: int) -> Interval:
        """Estimate the mean worth of the deal."""
        return self._mean(candidate, self.values, -math.inf, math.inf)

    def shares(self, candidate: int) -> NDArray[np.float64]:
        """Estimate the chance of each cell."""
        found: NDArray[np.float64] = self.sums[candidate] / self.sums[candidate].sum()
        return found

    def effective(self, candidate: int) -> float:
        """Answer how many even worlds the weighted ones are as good as."""
        if self.exact or not self.weighted:
            return float(self.worlds[candidate])
        return float(self.sums[candidate].sum() ** 2 / self.squares[candidate].sum())

    def best(self) -> tuple[int, int | None]:
        """Answer the candidate of the highest mean worth and the one after it, if there is one."""
        scores = [self.score(candidate).value for candidate in range(len(self.worlds))]
        order = sorted(range(len(scores)), key=lambda candidate: -scores[candidate])
        return order[0], order[1] if len(order) > 1 else None

    def margin(self, better: int, other: int) -> Margin:
        """Estimate by how much a candidate is better than another, paired world by world."""
        if self.exact:
            difference = self.score(better).value - self.score(other).value
            return Margin(difference, difference, difference, 1.0 if difference > 0 else 0.5)
        n, weight, weight_2, once, twice, squares = self._pairs[:, better, other].tolist()
        mean = once / weight
        if n < 2:
            return Margin(mean, -math.inf, math.inf, 0.5)
        residual = max(0.0, squares - 2 * mean * twice + mean * mean * weight_2)
        error = math.sqrt(residual * n / (n - 1)) / weight
        half = z_score(self.level) * error
        sure = NormalDist().cdf(mean / error) if error else (1.0 if mean > 0 else 0.5)
        return Margin(mean, mean - half, mean + half, sure)

    def _mean(
        self, candidate: int, values: NDArray[np.float64], lowest: float, highest: float
    ) -> Interval:
        sums, squares = self.sums[candidate], self.squares[candidate]
        weight = float(sums.sum())
        mean = float((sums * values).sum() / weight)
        if self.exact:
            return Interval(mean, mean, mean)
        n = int(self.worlds[candidate])
        if n < 2:
            return Interval(mean, lowest, highest)
        residual = float((squares * (values - mean) ** 2).sum())
        half = z_score(self.level) * math.sqrt(residual * n / (n - 1)) / weight
        return Interval(mean, max(lowest, mean - half), min(highest, mean + half))
