"""What judged worlds add up to, and the estimates that follow.

An outcome is a cell: bid, tricks taken, whether the deal was won. Sums over cells of the worlds'
weights and of their squares give every share and mean with its interval; sums of pairs of
candidates over the worlds that both were judged in give paired differences.
"""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from jokersim.stats import Interval, wilson_interval, z_score

__all__ = ["Margin", "Tally"]

CELLS = (10, 10, 2)


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
    values : int64 array [10, 10]
        Worth of a deal by bid and tricks taken.
    n_candidates : int
    level : float
        Level of the intervals.
    exact : bool
        Whether all worlds are in the sums, so that nothing is left to chance.
    """

    def __init__(
        self, values: NDArray[np.int64], n_candidates: int, level: float, *, exact: bool = False
    ) -> None:
        self.values = values
        self.level = level
        self.exact = exact
        self.weighted = False
        self.worlds = np.zeros(n_candidates, np.int64)
        self.sums = np.zeros((n_candidates, *CELLS))
        self.squares = np.zeros((n_candidates, *CELLS))
        # Over the worlds that both candidates of a pair were judged in: how many, the sums of
        # w, w², and of w·d, w²·d and w²·d² with d the difference of their values.
        self._pairs = np.zeros((6, n_candidates, n_candidates))

    def add(
        self,
        live: NDArray[np.int64],
        weights: NDArray[np.float64],
        bids: NDArray[np.int8],
        taken: NDArray[np.int8],
        won: NDArray[np.int8],
    ) -> None:
        """Add worlds; `live` says which candidate each column is."""
        if len(weights) == 0:
            return
        self.weighted |= bool((weights != 1.0).any())
        squared = weights * weights
        cells = (bids.astype(np.int64) * 10 + taken) * 2 + won
        for column, candidate in enumerate(live):
            for to, of in ((self.sums, weights), (self.squares, squared)):
                counted = np.bincount(cells[:, column], weights=of, minlength=200)
                to[candidate] += counted.reshape(CELLS)
        self.worlds[live] += len(weights)
        self._add_pairs(live, weights, squared, self.values[bids, taken].astype(float))

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

    def p_made(self, candidate: int) -> Interval:
        """Estimate the chance that the bid is made."""
        return self.share(candidate, MADE)

    def p_khishti(self, candidate: int) -> Interval:
        """Estimate the chance of a khishti: a bid of at least 1 and no trick taken."""
        return self.share(candidate, KHISHTI)

    def p_won(self, candidate: int) -> Interval:
        """Estimate the chance that nobody scores more in the deal."""
        return self.share(candidate, WON)

    def score(self, candidate: int) -> Interval:
        """Estimate the mean worth of the deal."""
        worth = np.repeat(self.values[:, :, None], 2, axis=2).astype(float)
        return self._mean(candidate, worth, -math.inf, math.inf)

    def tricks(self, candidate: int, size: int) -> list[float]:
        """Estimate the distribution of the tricks taken, 0 … size."""
        by_taken = self.sums[candidate].sum(axis=(0, 2))
        return [float(share) for share in by_taken[: size + 1] / by_taken.sum()]

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
        weight = sums.sum()
        mean = float((sums * values).sum() / weight)
        if self.exact:
            return Interval(mean, mean, mean)
        n = int(self.worlds[candidate])
        if n < 2:
            return Interval(mean, lowest, highest)
        residual = float((squares * (values - mean) ** 2).sum())
        half = z_score(self.level) * math.sqrt(residual * n / (n - 1)) / weight
        return Interval(mean, max(lowest, mean - half), min(highest, mean + half))


_bid, _taken, _won = np.indices(CELLS)
MADE = _bid == _taken
KHISHTI = (_bid > 0) & (_taken == 0)
WON = _won == 1
