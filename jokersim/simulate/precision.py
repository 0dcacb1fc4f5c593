"""Precision on demand: how many games a run plays until an interval is narrow enough.

Stopping depends on the width alone, at fixed numbers of games: 1,000, then doublings. So the number
of games is a function of what is asked, whatever the threads, parts and interruptions.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from jokersim.errors import InputError
from jokersim.rules import Rules

__all__ = ["FIRST_LOOK", "STATISTICS", "Precision", "looks", "parse_precision"]

FIRST_LOOK: Final = 1_000

_RATES: Final = ("made", "khishti", "premium")
STATISTICS: Final = {
    "four": ("mean_score", *_RATES, "first"),
    "two": ("mean_score", "payoff", "return", "won", "pairs", "deals_won", "offers"),
}
"""Figures of a seat whose interval may be asked to be narrow, by family."""


@dataclass(frozen=True, slots=True)
class Precision:
    """The half-width that the interval of a statistic is to have, in every seat."""

    statistic: str
    half_width: float

    def widest(self, summary: Mapping[str, Any]) -> float:
        """Answer the largest half-width of any seat in a summary."""
        return max(self._half(row, summary["games"], summary["level"]) for row in summary["seats"])

    def reached(self, summary: Mapping[str, Any]) -> bool:
        """Tell whether every seat's interval in a summary is narrow enough."""
        return self.widest(summary) <= self.half_width

    def _half(self, row: Mapping[str, Any], games: int, level: float) -> float:
        from jokersim.stats import wilson_interval

        prefix = "" if self.statistic == "mean_score" else f"{self.statistic}_"
        half = float(row[f"{prefix}high"] - row[f"{prefix}low"]) / 2
        if half > 0:
            return half
        # No game differed from another: that says little of the next one, so that the width of
        # zero is not taken for an answer. A rate has Wilson's interval instead.
        if self.statistic not in _RATES:
            return math.inf
        bound = wilson_interval(0, games, level)
        return (bound.high - bound.low) / 2


def parse_precision(given: str | Mapping[str, float], rules: Rules) -> Precision:
    """Read ``STAT=E``, or a mapping of one statistic to its half-width.

    >>> import jokersim as js
    >>> parse_precision("mean_score=0.5", js.rules("classic"))
    Precision(statistic='mean_score', half_width=0.5)
    """
    if isinstance(given, str):
        name, equals, text = (part.strip() for part in given.partition("="))
        pairs: list[tuple[str, Any]] = [(name, text)] if equals else []
    else:
        pairs = list(given.items())
    if len(pairs) != 1:
        raise InputError(f"{given!r} is no precision: it is STAT=E, such as mean_score=0.5")
    statistic, value = pairs[0]
    known = STATISTICS[rules.family]
    if statistic not in known:
        raise InputError(
            f"{statistic!r} has no precision in {rules.name}: the statistics are {', '.join(known)}"
        )
    try:
        half = math.nan if isinstance(value, bool) else float(value)
    except (TypeError, ValueError):
        half = math.nan
    if not 0 < half < math.inf:
        raise InputError(
            f"the precision of {statistic} is the half-width of its interval, a positive number, "
            f"and {value!r} is not"
        )
    return Precision(statistic, half)


def looks(games: int) -> Iterator[int]:
    """Answer the numbers of games after which the width is looked at, at most `games`.

    >>> list(looks(10_000))
    [1000, 2000, 4000, 8000, 10000]
    """
    look = FIRST_LOOK
    while look < games:
        yield look
        look *= 2
    yield games
