"""How many rows of deals a filter kept: shares stay computable where rows are not stored."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from jokersim.stats.intervals import Interval, ratio_interval

__all__ = ["KeptSums", "added_kept"]


@dataclass(slots=True)
class KeptSums:
    """Rows of `deals` that games had and that a filter kept, with squares and products a game."""

    rows: int = 0
    rows_2: int = 0
    kept: int = 0
    kept_2: int = 0
    kept_x: int = 0

    def add(self, other: KeptSums) -> None:
        """Add the sums of other games."""
        for name in self.__dataclass_fields__:
            setattr(self, name, getattr(self, name) + getattr(other, name))

    def to_json(self) -> dict[str, int]:
        """Answer the sums as a JSON object of integers."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}

    @classmethod
    def from_json(cls, given: Mapping[str, Any]) -> KeptSums:
        """Read what `to_json` wrote."""
        return cls(**{name: int(given[name]) for name in cls.__dataclass_fields__})

    def summary(self, games: int, level: float) -> dict[str, float]:
        """Answer the share of rows kept, a ratio over games, with its interval.

        >>> KeptSums(rows=20, rows_2=200, kept=5, kept_2=17, kept_x=50).summary(2, 0.95)["share"]
        0.25
        """
        share = Interval(0.0, 0.0, 0.0)
        if self.rows:
            squares = (self.kept_2, self.kept_x, self.rows_2)
            share = ratio_interval(self.kept, self.rows, squares, games, level)
        return {
            "rows": self.rows,
            "kept": self.kept,
            "share": share.value,
            "share_low": share.low,
            "share_high": share.high,
        }


def added_kept(one: KeptSums | None, other: KeptSums | None) -> KeptSums | None:
    """Add the counts of other games, where there are any."""
    if one is None or other is None:
        return one or other
    one.add(other)
    return one
