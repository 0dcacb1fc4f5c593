"""What a match answers: by how much one policy beats another, and what each side made."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from jokersim.match.blocks import SEATINGS, arrangements
from jokersim.match.sums import MatchSums, Moments
from jokersim.policies import Policy
from jokersim.rules import FourRules, Rules, TwoRules
from jokersim.stats import Interval, mean_interval

__all__ = ["SIDES", "Match"]

SIDES: Final = ("policy", "against")
"""A and B, as arguments and documents call them."""


@dataclass(frozen=True, slots=True)
class Match:
    """A match that was played; made by `jokersim.match`.

    Attributes
    ----------
    rules, policy, against, seats, seed
        What was asked; `seats` is ``"1v1"`` for two players.
    sums
        Integer sums over blocks.
    seconds : float
        Wall time of the games.
    reached : bool or None
        Whether the precision asked for was reached; None if none was asked for.
    """

    rules: Rules
    policy: Policy
    against: Policy
    seats: str
    seed: int
    sums: MatchSums
    level: float
    seconds: float
    reached: bool | None = None

    @property
    def games(self) -> int:
        """The number of blocks: game indices, each played in every arrangement."""
        return self.sums.games

    @property
    def won(self) -> int:
        """Blocks in which A had more than B, a seat."""
        return self.sums.won

    @property
    def tied(self) -> int:
        """Blocks in which both had the same."""
        return self.sums.tied

    @property
    def lost(self) -> int:
        """Blocks in which A had less than B, a seat."""
        return self.sums.lost

    @property
    def difference(self) -> float:
        """A's mean a seat less B's, in points a game (two players: payoff in stakes)."""
        return self.interval.value

    @property
    def low(self) -> float:
        """The lower end of the difference's interval."""
        return self.interval.low

    @property
    def high(self) -> float:
        """The upper end of the difference's interval."""
        return self.interval.high

    @property
    def interval(self) -> Interval:
        """The difference with its interval, paired over blocks."""
        return self._interval(self.sums.difference, self._unit)

    @property
    def _sides(self) -> tuple[int, int]:
        """Seats times games in a block, by side."""
        if not isinstance(self.rules, FourRules):
            return 2, 2
        own = SEATINGS[self.seats]
        n = len(arrangements(self.rules.seats, own))
        return n * own, n * (4 - own)

    @property
    def _unit(self) -> Fraction:
        """What the integer difference of a block is counted in."""
        if isinstance(self.rules, FourRules):
            ours, theirs = self._sides
            return Fraction(1, ours * theirs)
        # Two parties a block, a seat each; the winner nets (1 - 2 rake) stakes, the loser pays one.
        return 1 - self.rules.exact_rake

    def _interval(self, moments: Moments, unit: Fraction) -> Interval:
        exact = mean_interval(moments.total, moments.squares, self.games, self.level)
        return exact.scaled(float(1 / unit))

    def summary(self) -> dict[str, Any]:
        """Answer the result as the document that ``jokersim match --json`` prints.

        `difference`, `low` and `high` are in points a game and seat (two players: in stakes);
        `sides` holds the figures of A, then of B, each with the ends of its interval over blocks.
        """
        from jokersim.kernels.streams import SCHEME

        document: dict[str, Any] = {
            "schema": {"name": "jokersim/match", "version": 1},
            "game": self.rules.name,
            "rules": self.rules.changes(),
            "games": self.games,
            "seed": self.seed,
            "streams": SCHEME,
            "policy": self.policy.name,
            "against": self.against.name,
            "seats": self.seats,
            "difference": self.difference,
            "low": self.low,
            "high": self.high,
            "level": self.level,
            "method": "normal interval of paired differences over blocks",
            "won": self.won,
            "tied": self.tied,
            "lost": self.lost,
        }
        if self.reached is not None:
            document["reached"] = self.reached
        if isinstance(self.rules, FourRules):
            sides = self._four_sides(self.rules)
        else:
            sides = self._two_sides(self.rules)
        document["sides"] = [
            {"side": name, "policy": getattr(self, name).name} | figures
            for name, figures in zip(SIDES, sides, strict=True)
        ]
        if isinstance(self.rules, FourRules):
            document["hand_sizes"] = self._hand_sizes(self.rules)
        rate = 60 * self._n_games / self.seconds if self.seconds > 0 else None
        return document | {"seconds": self.seconds, "games_per_minute": rate}

    @property
    def _n_games(self) -> int:
        """Games played, all arrangements counted."""
        return self.games * sum(self._sides) // self.rules.seats

    def _figure(self, key: str, name: str, chances: int) -> dict[str, float]:
        interval = self._interval(self.sums.figures[key], Fraction(1, chances))
        return {name: interval.value, f"{name}_low": interval.low, f"{name}_high": interval.high}

    def _four_sides(self, rules: FourRules) -> list[dict[str, Any]]:
        sides = []
        for side, seats in enumerate(self._sides):
            score = self._figure(f"total_{side}", "mean_score", seats)
            sides.append(
                score
                | self._figure(f"made_{side}", "made", seats * rules.n_deals)
                | self._figure(f"khishti_{side}", "khishti", seats * rules.n_deals)
                | self._figure(f"premium_{side}", "premium", seats * rules.n_pulkas)
                | self._figure(f"premium_points_{side}", "premium_points", seats)
                | self._figure(f"erased_points_{side}", "erased_points", seats)
            )
        return sides

    def _hand_sizes(self, rules: FourRules) -> list[dict[str, Any]]:
        rows = []
        ours, theirs = self._sides
        for size in sorted(set(rules.deal_sizes)):
            deals = rules.deal_sizes.count(size)
            rows.append(
                {"hand_size": size, "deals": deals}
                | self._figure(f"size_{size}_0", "score", ours * deals)
                | self._figure(f"size_{size}_1", "against", theirs * deals)
                | self._figure(f"size_{size}_gap", "difference", ours * theirs * deals)
            )
        return rows

    def _two_sides(self, rules: TwoRules) -> list[dict[str, Any]]:
        return [
            self._figure(f"points_{side}", "mean_score", seats)
            | self._payoff(side, rules)
            | self._figure(f"won_{side}", "won", seats)
            for side, seats in enumerate(self._sides)
        ]

    def _payoff(self, side: int, rules: TwoRules) -> dict[str, float]:
        """Answer a side's payoff a party, in stakes; whole until the last division."""
        won, lost, both = (self.sums.figures[f"stakes_{name}"] for name in (side, 1 - side, "sum"))
        net = 1 - 2 * rules.exact_rake
        up, down = net.numerator, net.denominator
        crossed = (both.squares - won.squares - lost.squares) // 2
        moments = Moments(
            up * won.total - down * lost.total,
            up * up * won.squares - 2 * up * down * crossed + down * down * lost.squares,
        )
        interval = self._interval(moments, Fraction(1, self._sides[side] * down))
        return {
            "payoff": interval.value,
            "payoff_low": interval.low,
            "payoff_high": interval.high,
        }
