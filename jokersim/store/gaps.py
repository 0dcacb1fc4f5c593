"""Which games of a run are still to be written, a range a part."""

from __future__ import annotations

import bisect
import itertools
import math
from collections.abc import Iterable, Sequence
from typing import Any

__all__ = ["Gaps", "gaps"]


class Gaps(Sequence[tuple[int, int]]):
    """Ranges of games, cut at multiples of `part`: a run of a billion parts takes no memory."""

    def __init__(self, ranges: Sequence[tuple[int, int]], part: int) -> None:
        self._ranges = [(start, stop) for start, stop in ranges if start < stop]
        self._part = part
        self._ends = list(itertools.accumulate(self._count(*own) for own in self._ranges))

    def _count(self, start: int, stop: int) -> int:
        return (stop - 1) // self._part - start // self._part + 1

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        if not -len(self) <= index < len(self):
            raise IndexError(index)
        index %= len(self)
        at = bisect.bisect_right(self._ends, index)
        start, stop = self._ranges[at]
        cut = start // self._part + index - (self._ends[at - 1] if at else 0)
        return max(start, cut * self._part), min(stop, (cut + 1) * self._part)

    def __contains__(self, span: object) -> bool:
        """Tell whether a range is one of these."""
        if not isinstance(span, tuple):
            return False
        at = bisect.bisect_right(self._ranges, (span[0], math.inf)) - 1
        if at < 0:
            return False
        start, stop = self._ranges[at]
        first = span[0] // self._part
        own = max(start, first * self._part), min(stop, (first + 1) * self._part)
        return span[0] < stop and span == own

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    @property
    def games(self) -> int:
        """Games of all ranges."""
        return sum(stop - start for start, stop in self._ranges)


def gaps(span: tuple[int, int], done: Iterable[tuple[int, int]], part: int) -> Gaps:
    """List the ranges of a span that are not done, cut at multiples of ``part``.

    >>> list(gaps((0, 25), [(0, 10), (10, 15)], 10))
    [(15, 20), (20, 25)]
    """
    found = []
    at, stop = span
    for begin, end in [*sorted(done), (stop, stop)]:
        found.append((at, min(begin, stop)))
        at = max(at, end)
    return Gaps(found, part)
