"""What the blocks of a match add up to: integers, by name."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["MatchSums", "Moments"]

_MAX_INT64 = 2**63 - 1


@dataclass(slots=True)
class Moments:
    """The sum of an integer figure over blocks, and of its squares; both exact."""

    total: int = 0
    squares: int = 0

    def add(self, other: Moments) -> None:
        """Add the moments over other blocks."""
        self.total += other.total
        self.squares += other.squares

    @classmethod
    def of(cls, values: NDArray[np.int64]) -> Moments:
        """Answer the moments of a figure, one value a block.

        >>> Moments.of(np.array([7, -3]))
        Moments(total=4, squares=58)
        """
        most = max(int(values.max()), -int(values.min()))
        if most * most * len(values) <= _MAX_INT64:
            return cls(int(values.sum()), int(np.dot(values, values)))
        exact = values.tolist()
        return cls(sum(exact), sum(value * value for value in exact))


@dataclass(slots=True)
class MatchSums:
    """What a number of blocks add up to.

    `difference` holds, block by block, what A had more than B, times a number that makes it whole;
    `figures` everything else, by name and side (0 is A, 1 is B).
    """

    games: int = 0
    won: int = 0
    tied: int = 0
    lost: int = 0
    difference: Moments = field(default_factory=Moments)
    figures: defaultdict[str, Moments] = field(default_factory=lambda: defaultdict(Moments))

    def add(self, other: MatchSums) -> None:
        """Add the sums of other blocks."""
        self.games += other.games
        self.won += other.won
        self.tied += other.tied
        self.lost += other.lost
        self.difference.add(other.difference)
        for name, moments in other.figures.items():
            self.figures[name].add(moments)

    def to_json(self) -> dict[str, Any]:
        """Answer the sums as a JSON object of integers."""
        return {
            "games": self.games,
            "won": self.won,
            "tied": self.tied,
            "lost": self.lost,
            "difference": [self.difference.total, self.difference.squares],
            "figures": {
                name: [own.total, own.squares] for name, own in sorted(self.figures.items())
            },
        }

    @classmethod
    def of(cls, difference: NDArray[np.int64], figures: dict[str, NDArray[np.int64]]) -> MatchSums:
        """Add up blocks: their differences, and their figures by name."""
        made = cls(
            games=len(difference),
            won=int((difference > 0).sum()),
            tied=int((difference == 0).sum()),
            lost=int((difference < 0).sum()),
            difference=Moments.of(difference),
        )
        for name, values in figures.items():
            made.figures[name] = Moments.of(values)
        return made
