"""Answers as JSON-ready documents: the figures of a tally, and how they came about."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from jokersim.odds.judge import Judged
from jokersim.odds.plan import Plan, ShortfallError
from jokersim.odds.question import KHISHTI, MADE, tricks_of
from jokersim.odds.tally import Tally
from jokersim.stats import Interval

__all__ = ["finished", "named", "outcomes", "provenance", "the_best"]

VERSION: Final = 1

METHOD: Final = "sampled worlds: Wilson for shares, normal for means, paired for the margin"
WEIGHTED: Final = "weighted worlds: ratio intervals, paired for the margin"
ENUMERATED: Final = "all worlds enumerated"


def named(name: str, interval: Interval) -> dict[str, float]:
    """Name an estimate and the ends of its interval: ``x``, ``x_low``, ``x_high``."""
    return {name: interval.value, f"{name}_low": interval.low, f"{name}_high": interval.high}


def outcomes(tally: Tally, size: int, candidate: int) -> dict[str, Any]:
    """Answer the figures of one candidate of a deal of four."""
    return {
        **named("p_made", tally.share(candidate, MADE)),
        "tricks": tricks_of(tally.shares(candidate), size),
        **named("score", tally.score(candidate)),
        **named("p_khishti", tally.share(candidate, KHISHTI)),
        "n": int(tally.worlds[candidate]),
    }


def the_best(tally: Tally, label: Callable[[int], Any]) -> dict[str, Any]:
    """Answer which candidate is best, and by what margin over the next."""
    best, other = tally.best()
    margin = None
    if other is not None:
        margin = {"over": label(other)} | tally.margin(best, other)._asdict()
    return {"best": label(best), "best_margin": margin}


def provenance(judged: Judged, plan: Plan) -> dict[str, Any]:
    """Answer how the figures came about: level, method, worlds, seed."""
    tally = judged.tally
    method = ENUMERATED if tally.exact else WEIGHTED if tally.weighted else METHOD
    most = int(tally.worlds.argmax())
    return {
        "level": plan.level,
        "method": method,
        "n": int(tally.worlds[most]),
        "effective_n": tally.effective(most),
        "attempts": judged.attempts,
        "exact": tally.exact,
        "seed": plan.seed,
    }


def finished(document: dict[str, Any], judged: Judged) -> dict[str, Any]:
    """Answer a document, or raise it where fewer worlds agreed than were asked for."""
    if judged.shortfall == 0:
        return document
    n = int(judged.tally.worlds.max())
    raise ShortfallError(
        f"only {n:,} of {judged.attempts:,} worlds agreed with what was seen, "
        f"and {n + judged.shortfall:,} were needed: the answer is from those",
        document,
    )


def listed(label: str, labels: Sequence[Any], figures: Sequence[dict[str, Any]]) -> list[Any]:
    """Join labels and figures, an entry a candidate."""
    return [{label: key} | own for key, own in zip(labels, figures, strict=True)]
