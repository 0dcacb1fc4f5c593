"""Counts of whole numbers that add up exactly and fast: what histograms of totals are kept in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

__all__ = ["Counts"]

# Up to this spread a table with a place for every number between beats looking numbers up.
_MAX_SPREAD: Final = 1 << 20


class Counts(Mapping[int, int]):
    """How often each number was met; a mapping of those that were, upward.

    Examples
    --------
    >>> counts = Counts.of(np.array([30, 10, 30]))
    >>> counts.add(Counts.of(np.array([-20, 30])))
    >>> dict(counts), counts.pairs()
    ({-20: 1, 10: 1, 30: 3}, [[-20, 1], [10, 1], [30, 3]])
    """

    __slots__ = ("_low", "_table", "_wide")

    def __init__(self, pairs: Iterable[tuple[int, int]] = ()) -> None:
        """Begin with numbers and how often each was met."""
        numbers = dict(pairs)
        self._low = 0
        self._table: NDArray[np.int64] = np.zeros(0, np.int64)
        self._wide: Counter[int] | None = None
        """In place of the table where numbers are too far apart for one."""
        if numbers:
            low, high = min(numbers), max(numbers)
            if high - low >= _MAX_SPREAD:
                self._wide = Counter(numbers)
                return
            self._low, self._table = low, np.zeros(high - low + 1, np.int64)
            for number, n in numbers.items():
                self._table[number - low] = n

    @classmethod
    def of(cls, values: NDArray[Any]) -> Counts:
        """Count integers, at least one."""
        low, high = int(values.min()), int(values.max())
        if high - low >= _MAX_SPREAD:
            different, times = np.unique(values, return_counts=True)
            return cls(zip(different.tolist(), times.tolist(), strict=True))
        found = cls()
        found._low = low
        found._table = np.bincount(values.astype(np.int64, copy=False) - low)
        return found

    def add(self, other: Counts) -> None:
        """Add the counts of others; those stay as they are."""
        if self._wide is None and other._wide is None:
            if not len(other._table):
                return
            low, high = other._low, other._low + len(other._table)
            if len(self._table):
                low = min(low, self._low)
                high = max(high, self._low + len(self._table))
            if high - low <= _MAX_SPREAD:
                self._widen(low, high)
                at = other._low - low
                self._table[at : at + len(other._table)] += other._table
                return
        if self._wide is None:
            self._wide = Counter(self.counted())
        self._wide.update(other.counted())

    def _widen(self, low: int, high: int) -> None:
        if high - low > len(self._table):
            table = np.zeros(high - low, np.int64)
            at = self._low - low if len(self._table) else 0
            table[at : at + len(self._table)] = self._table
            self._low, self._table = low, table

    def pairs(self) -> list[list[int]]:
        """List each number with its count, upward."""
        if self._wide is not None:
            return [[number, self._wide[number]] for number in sorted(self._wide)]
        met = np.flatnonzero(self._table)
        listed: list[list[int]] = np.stack([met + self._low, self._table[met]], axis=1).tolist()
        return listed

    def counted(self) -> dict[int, int]:
        """Answer the numbers with their counts as a dictionary."""
        return {pair[0]: pair[1] for pair in self.pairs()}

    def __getitem__(self, number: int) -> int:
        if self._wide is not None:
            return dict.__getitem__(self._wide, number)
        at = number - self._low
        n = int(self._table[at]) if 0 <= at < len(self._table) else 0
        if n == 0:
            raise KeyError(number)
        return n

    def __iter__(self) -> Iterator[int]:
        return iter(number for number, _ in self.pairs())

    def __len__(self) -> int:
        return len(self.pairs())
