"""Sums and summary of four-player games, by seat and by place after the first dealer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from jokersim.rules import FourRules
from jokersim.stats.counts import Counts
from jokersim.stats.intervals import Interval, mean_interval, quantile, wilson_interval
from jokersim.stats.kept import KeptSums, added_kept

__all__ = ["FourSums", "SeatSums", "four_summary"]

QUANTILES: Final = (0.05, 0.25, 0.5, 0.75, 0.95)


@dataclass(slots=True)
class SeatSums:
    """What the games of one seat, or of one place, add up to; every number an exact integer."""

    total: int = 0
    total_2: int = 0
    made: int = 0
    made_2: int = 0
    khishti: int = 0
    khishti_2: int = 0
    premium: int = 0
    premium_2: int = 0
    ranks: list[int] = field(default_factory=lambda: [0, 0, 0, 0])
    totals: Counts = field(default_factory=Counts)

    _NUMBERS = (
        "total", "total_2", "made", "made_2", "khishti", "khishti_2", "premium", "premium_2",
    )  # fmt: skip

    def add(self, other: SeatSums) -> None:
        """Add the sums of other games of the same seat or place."""
        for name in self._NUMBERS:
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.ranks = [a + b for a, b in zip(self.ranks, other.ranks, strict=True)]
        self.totals.add(other.totals)

    def to_json(self) -> dict[str, Any]:
        """Answer the sums as a JSON object; `totals` lists value and count, upward."""
        numbers: dict[str, Any] = {name: getattr(self, name) for name in self._NUMBERS}
        return numbers | {
            "ranks": list(self.ranks),
            "totals": self.totals.pairs(),
        }

    @classmethod
    def from_json(cls, given: Mapping[str, Any]) -> SeatSums:
        """Read what `to_json` wrote."""
        numbers = {name: int(given[name]) for name in cls._NUMBERS}
        totals = Counts((int(value), int(n)) for value, n in given["totals"])
        return cls(**numbers, ranks=list(given["ranks"]), totals=totals)


def _four() -> list[SeatSums]:
    return [SeatSums() for _ in range(4)]


@dataclass(slots=True)
class FourSums:
    """What a number of four-player games add up to.

    `seats` is by seat, `places` by distance from the first dealer (0 the first dealer himself);
    `kept` counts rows of deals where a filter chose among them.
    """

    games: int = 0
    seats: list[SeatSums] = field(default_factory=_four)
    places: list[SeatSums] = field(default_factory=_four)
    kept: KeptSums | None = None

    def add(self, other: FourSums) -> None:
        """Add the sums of other games."""
        self.games += other.games
        for own, others in ((self.seats, other.seats), (self.places, other.places)):
            for mine, theirs in zip(own, others, strict=True):
                mine.add(theirs)
        self.kept = added_kept(self.kept, other.kept)

    def to_json(self) -> dict[str, Any]:
        """Answer the sums as a JSON object of integers."""
        return {
            "games": self.games,
            "seats": [sums.to_json() for sums in self.seats],
            "places": [sums.to_json() for sums in self.places],
        } | ({} if self.kept is None else {"kept": self.kept.to_json()})

    @classmethod
    def from_json(cls, given: Mapping[str, Any]) -> FourSums:
        """Read what `to_json` wrote."""
        return cls(
            int(given["games"]),
            [SeatSums.from_json(sums) for sums in given["seats"]],
            [SeatSums.from_json(sums) for sums in given["places"]],
            kept=KeptSums.from_json(given["kept"]) if "kept" in given else None,
        )


def four_summary(sums: FourSums, rules: FourRules, level: float = 0.95) -> dict[str, Any]:
    """Summarise games by seat and by place.

    Returns
    -------
    dict
        `seats` and `places`: lists of figures in points a game and shares 0..1, each with the ends
        of its interval (``x``, ``x_low``, ``x_high``; the mean score's are ``low`` and ``high``).
        Means and rates: normal intervals over games; shares of games (`first`): Wilson.

    Raises
    ------
    ValueError
        There is no game to summarise.
    """
    if sums.games == 0:
        raise ValueError("there is no game to summarise")
    return {
        "seats": [
            {"seat": seat} | _figures(own, sums.games, rules, level)
            for seat, own in enumerate(sums.seats)
        ],
        "places": [
            {"place": place}
            | _figures(own, sums.games, rules, level)
            | {
                "ranks": [count / sums.games for count in own.ranks],
                "quantiles": _quantiles(own.totals.counted()),
            }
            for place, own in enumerate(sums.places)
        ],
        "level": level,
    }


def _quantiles(totals: dict[int, int]) -> dict[str, int]:
    return {str(share): quantile(totals, share) for share in QUANTILES}


def _figures(own: SeatSums, games: int, rules: FourRules, level: float) -> dict[str, float]:
    score = mean_interval(own.total, own.total_2, games, level)
    return {
        "mean_score": score.value,
        "low": score.low,
        "high": score.high,
        **_rate("made", own.made, own.made_2, games, rules.n_deals, level),
        **_rate("khishti", own.khishti, own.khishti_2, games, rules.n_deals, level),
        **_rate("premium", own.premium, own.premium_2, games, rules.n_pulkas, level),
        **_named("first", wilson_interval(own.ranks[0], games, level)),
    }


def _rate(
    name: str, total: int, squares: int, games: int, chances: int, level: float
) -> dict[str, float]:
    """Answer a rate of deals or pulkas: as many in every game, so it is a mean over games."""
    return _named(name, mean_interval(total, squares, games, level).scaled(chances))


def _named(name: str, interval: Interval) -> dict[str, float]:
    return {name: interval.value, f"{name}_low": interval.low, f"{name}_high": interval.high}
