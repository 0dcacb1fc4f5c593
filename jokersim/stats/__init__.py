"""Statistics: intervals, and summaries that follow from integer sums alone.

The unit is the game, never the row: every estimate is a mean over games, or a share of games. Sums
are integers, so parts add up exactly in any order.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from jokersim.rules import FourRules, Rules
from jokersim.stats.four import FourSums, four_summary
from jokersim.stats.intervals import (
    Interval,
    mean_interval,
    quantile,
    ratio_interval,
    wilson_interval,
    z_score,
)
from jokersim.stats.two import TwoSums, two_summary

__all__ = [
    "FourSums",
    "Interval",
    "TwoSums",
    "added",
    "four_summary",
    "mean_interval",
    "quantile",
    "ratio_interval",
    "summarise",
    "two_summary",
    "wilson_interval",
    "z_score",
]


def added(rules: Rules, parts: Iterable[Mapping[str, Any]]) -> FourSums | TwoSums:
    """Add up the sums of parts, as their markers hold them."""
    kind: Any = FourSums if isinstance(rules, FourRules) else TwoSums
    total: FourSums | TwoSums = kind()
    for part in parts:
        total.add(kind.from_json(part))
    return total


def summarise(
    sums: Any, rules: Rules, policies: Sequence[str] = (), level: float = 0.95
) -> dict[str, Any]:
    """Answer the figures that sums give under a rule set; see `four_summary` and `two_summary`.

    Where a filter chose among the rows of deals, `kept` says how many of them it kept.
    """
    if isinstance(rules, FourRules):
        document = four_summary(sums, rules, level)
    else:
        document = two_summary(sums, rules, policies, level)
    if sums.kept is not None:
        document["kept"] = sums.kept.summary(sums.games, level)
    return document
