"""Sums and summary of two-player parties, by seat and by place (first declarer or not)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Final, Self

from jokersim.rules import TwoRules
from jokersim.stats.intervals import Interval, mean_interval, ratio_interval, wilson_interval
from jokersim.stats.kept import KeptSums, added_kept

__all__ = ["MAX_MULTIPLIER", "PlayerSums", "TwoSums", "two_summary"]

MAX_MULTIPLIER: Final = 6
N_DIFFERENCES: Final = 10
N_DECLARED: Final = 19


def _zeros(n: int) -> Callable[[], list[int]]:
    return lambda: [0] * n


@dataclass(slots=True)
class _Numbers:
    """Integers and lists of integers that add up field by field."""

    def add(self, other: Any) -> None:
        """Add the same sums of other parties."""
        for name in self.__dataclass_fields__:
            own, more = getattr(self, name), getattr(other, name)
            if isinstance(own, int):
                setattr(self, name, own + more)
            else:
                setattr(self, name, [a + b for a, b in zip(own, more, strict=True)])

    def to_json(self) -> dict[str, Any]:
        """Answer the sums as a JSON object of integers."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}

    @classmethod
    def from_json(cls, given: Mapping[str, Any]) -> Self:
        """Read what `to_json` wrote."""
        return cls(**{name: given[name] for name in cls.__dataclass_fields__})


@dataclass(slots=True)
class PlayerSums(_Numbers):
    """What one seat, or one place, adds up to over parties.

    ``x_2`` is the sum of squares of ``x`` a party, ``x_x`` of its products with the party's
    complete deals; `won` and `lost` count parties by multiplier, 1 to 6.
    """

    points: int = 0
    points_2: int = 0
    points_x: int = 0
    pairs: int = 0
    pairs_2: int = 0
    pairs_x: int = 0
    deals_won: int = 0
    deals_won_2: int = 0
    deals_won_x: int = 0
    offers: int = 0
    offers_2: int = 0
    declines: int = 0
    won: list[int] = field(default_factory=_zeros(MAX_MULTIPLIER))
    lost: list[int] = field(default_factory=_zeros(MAX_MULTIPLIER))


@dataclass(slots=True)
class FormatSums(_Numbers):
    """What parties as such add up to: by multiplier 1..6, pairs 0..18, half difference 0..9."""

    void: int = 0
    deals: int = 0
    deals_2: int = 0
    complete: int = 0
    complete_2: int = 0
    declarer_pairs: int = 0
    declarer_pairs_2: int = 0
    declarer_pairs_x: int = 0
    void_multiplier: list[int] = field(default_factory=_zeros(MAX_MULTIPLIER))
    declared: list[int] = field(default_factory=_zeros(N_DECLARED))
    differences: list[int] = field(default_factory=_zeros(N_DIFFERENCES))
    differences_2: list[int] = field(default_factory=_zeros(N_DIFFERENCES))
    differences_x: list[int] = field(default_factory=_zeros(N_DIFFERENCES))


def _two() -> list[PlayerSums]:
    return [PlayerSums(), PlayerSums()]


@dataclass(slots=True)
class TwoSums:
    """What a number of parties add up to; `places` by first declarer (0) and the other (1)."""

    games: int = 0
    seats: list[PlayerSums] = field(default_factory=_two)
    places: list[PlayerSums] = field(default_factory=_two)
    parties: FormatSums = field(default_factory=FormatSums)
    kept: KeptSums | None = None

    def add(self, other: TwoSums) -> None:
        """Add the sums of other parties."""
        self.games += other.games
        self.parties.add(other.parties)
        self.kept = added_kept(self.kept, other.kept)
        for own, others in ((self.seats, other.seats), (self.places, other.places)):
            for mine, theirs in zip(own, others, strict=True):
                mine.add(theirs)

    def to_json(self) -> dict[str, Any]:
        """Answer the sums as a JSON object of integers."""
        return {
            "games": self.games,
            "seats": [sums.to_json() for sums in self.seats],
            "places": [sums.to_json() for sums in self.places],
            "parties": self.parties.to_json(),
        } | ({} if self.kept is None else {"kept": self.kept.to_json()})

    @classmethod
    def from_json(cls, given: Mapping[str, Any]) -> TwoSums:
        """Read what `to_json` wrote."""
        return cls(
            int(given["games"]),
            [PlayerSums.from_json(sums) for sums in given["seats"]],
            [PlayerSums.from_json(sums) for sums in given["places"]],
            FormatSums.from_json(given["parties"]),
            kept=KeptSums.from_json(given["kept"]) if "kept" in given else None,
        )


def two_summary(
    sums: TwoSums, rules: TwoRules, policies: Sequence[str] = (), level: float = 0.95
) -> dict[str, Any]:
    """Summarise parties by seat, by place and as a format.

    Returns
    -------
    dict
        `seats` and `places`: points a party (`mean_score`), net money a party (`payoff`) and as a
        share of the stake (`return`), share of parties `won`, pairs and share of complete deals
        won; `by_policy`: the return of each policy; `parties`: deals a party, shares of void
        parties and of parties ended by a decline, of differences of pairs and of multipliers. Each
        with the ends of its interval: means normal and shares of parties Wilson, over parties;
        rates of deals as ratios.

    Raises
    ------
    ValueError
        There is no party to summarise.
    """
    if sums.games == 0:
        raise ValueError("there is no party to summarise")
    return {
        "seats": [
            {"seat": seat} | _figures(own, sums, rules, level)
            for seat, own in enumerate(sums.seats)
        ],
        "places": [
            {"place": place} | _figures(own, sums, rules, level)
            for place, own in enumerate(sums.places)
        ],
        "by_policy": _by_policy(sums, rules, policies, level),
        "parties": _parties(sums, level),
        "level": level,
    }


def _figures(own: PlayerSums, sums: TwoSums, rules: TwoRules, level: float) -> dict[str, float]:
    games = sums.games
    score = mean_interval(own.points, own.points_2, games, level)
    figures = {"mean_score": score.value, "low": score.low, "high": score.high}
    figures |= _money(_payoffs(own, rules), games, rules, level)
    figures |= _named("won", wilson_interval(sum(own.won), games, level))
    for name in ("pairs", "deals_won"):
        squares = (getattr(own, f"{name}_2"), getattr(own, f"{name}_x"), sums.parties.complete_2)
        figures |= _per_deal(name, getattr(own, name), squares, sums, level)
    return figures | _named("offers", mean_interval(own.offers, own.offers_2, games, level))


def _payoffs(own: PlayerSums, rules: TwoRules) -> Counter[Fraction]:
    """Count parties by net money, exactly; void ones are left out, since they return the stakes."""
    money: Counter[Fraction] = Counter()
    for step in range(MAX_MULTIPLIER):
        win, loss = rules.exact_payoffs(0, step + 1)
        money[win] += own.won[step]
        money[loss] += own.lost[step]
    return money


def _money(money: Counter[Fraction], games: int, rules: TwoRules, level: float) -> dict[str, float]:
    total = sum((value * n for value, n in money.items()), Fraction(0))
    squares = sum((value * value * n for value, n in money.items()), Fraction(0))
    payoff = mean_interval(total, squares, games, level)
    returned = payoff.scaled(float(rules.exact_stake))
    return _named("payoff", payoff) | _named("return", returned)


def _by_policy(
    sums: TwoSums, rules: TwoRules, policies: Sequence[str], level: float
) -> list[dict[str, Any]]:
    """Answer the return of each policy: of one in both seats, the mean of a party's two."""
    if len(set(policies)) == 2:
        moneys = {name: _payoffs(sums.seats[seat], rules) for seat, name in enumerate(policies)}
    elif policies:
        both: Counter[Fraction] = Counter()
        for step in range(MAX_MULTIPLIER):
            win, loss = rules.exact_payoffs(0, step + 1)
            finished = sums.seats[0].won[step] + sums.seats[0].lost[step]
            both[(win + loss) / 2] += finished
        moneys = {policies[0]: both}
    else:
        moneys = {}
    return [
        {"policy": name} | _money(money, sums.games, rules, level)
        for name, money in moneys.items()
    ]  # fmt: skip


def _parties(sums: TwoSums, level: float) -> dict[str, Any]:
    games, own = sums.games, sums.parties
    declines = sum(seat.declines for seat in sums.seats)
    finished = [sums.seats[0].won[m] + sums.seats[0].lost[m] for m in range(MAX_MULTIPLIER)]
    at_end = [a + b for a, b in zip(finished, own.void_multiplier, strict=True)]
    squares = (own.declarer_pairs_2, own.declarer_pairs_x, own.complete_2)
    return {
        **_named("deals", mean_interval(own.deals, own.deals_2, games, level)),
        **_named("void", wilson_interval(own.void, games, level)),
        **_named("declined", wilson_interval(declines, games, level)),
        **_per_deal("declarer_pairs", own.declarer_pairs, squares, sums, level),
        "differences": [
            {"difference": 2 * k}
            | _per_deal(
                "share",
                own.differences[k],
                (own.differences_2[k], own.differences_x[k], own.complete_2),
                sums,
                level,
            )
            for k in range(N_DIFFERENCES)
        ],
        "multipliers": [
            {"multiplier": m + 1} | _named("share", wilson_interval(n, games, level))
            for m, n in enumerate(at_end)
            if m == 0 or any(at_end[m:])
        ],
    }


def _per_deal(
    name: str, total: int, squares: tuple[int, int, int], sums: TwoSums, level: float
) -> dict[str, float]:
    """Answer a figure a complete deal, a ratio of per-party sums; 0 without any deal."""
    if sums.parties.complete == 0:
        return _named(name, Interval(0.0, 0.0, 0.0))
    return _named(name, ratio_interval(total, sums.parties.complete, squares, sums.games, level))


def _named(name: str, interval: Interval) -> dict[str, float]:
    return {name: interval.value, f"{name}_low": interval.low, f"{name}_high": interval.high}
