"""The rule set of the two-player games: declarer, table, target, stake and davi.

Owns the options of RULES.md section 3 and the money that follows from a party's result, exactly.
Plays no card and offers no davi.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import ClassVar, Final, Literal

from jokersim.errors import OptionError
from jokersim.rules.common import BaseRules
from jokersim.rules.options import GAP, SOURCE_TEXT, declared, integer, number, one_of, shown

__all__ = ["MAX_DAVI_CAP", "TwoRules"]

MAX_TARGET: Final = 1000
MAX_DAVI_CAP: Final = 6

DeclarerRotation = Literal["alternate", "winner", "loser", "random", "fixed"]
TableOpen = Literal["leader_first_lead", "both_first_trick", "none"]
Davi = Literal["off", "party"]


@dataclass(frozen=True, slots=True)
class TwoRules(BaseRules):
    """The rules of a two-player party (Japanese Joker); see RULES.md section 3.

    `stake` and `rake` are money and stand for the decimals that they are written as: 0.1 is a
    tenth.

    >>> from jokersim.rules import rules
    >>> rules("japanese", stake=5, rake=0.05).payoffs(winner=1, multiplier=2)
    (-10.0, 9.0)
    """

    family: ClassVar[Literal["two"]] = "two"
    seats: ClassVar[int] = 2

    target: int = field(
        default=11,
        metadata=declared(
            integer(1, MAX_TARGET),
            "the points that win the party when a deal ends with them",
            SOURCE_TEXT,
        ),
    )
    declarer_rotation: DeclarerRotation = field(
        default="alternate",
        metadata=declared(
            one_of(DeclarerRotation),
            "who declares after the first deal (after a 9-9 deal winner and loser mean the same)",
            GAP,
        ),
    )
    table_open: TableOpen = field(
        default="leader_first_lead",
        metadata=declared(
            one_of(TableOpen),
            "who must play from hand in the first trick: its leader, both players or nobody",
            SOURCE_TEXT,
        ),
    )
    stake: float = field(
        default=1.0,
        metadata=declared(
            number("a finite number above 0", lambda stake: stake > 0),
            "the money that each player puts up",
            GAP,
        ),
    )
    rake: float = field(
        default=0.0,
        metadata=declared(
            number("a number from 0 to below 1", lambda rake: 0 <= rake < 1),
            "the share of the pot that the house keeps",
            GAP,
        ),
    )
    davi: Davi = field(
        default="off",
        metadata=declared(
            one_of(Davi), "whether the stake of the party may be raised", SOURCE_TEXT
        ),
    )
    davi_cap: int = field(
        default=2,
        metadata=declared(
            integer(2, MAX_DAVI_CAP),
            "the highest multiplier of the stake (no effect while davi is off)",
            GAP,
        ),
    )
    failure_rate: float = field(
        default=0.0,
        metadata=declared(
            number("a number from 0 to below 1", lambda rate: 0 <= rate < 1),
            "the chance that a simulated party is aborted, and void, before a deal",
            GAP,
        ),
    )

    def _check_combinations(self) -> None:
        try:
            float(self.max_multiplier * self.exact_stake)
        except OverflowError:
            raise OptionError(
                "stake",
                f"stake times the highest multiplier, {self.max_multiplier}, is a finite number, "
                f"which it is not for {shown(self.stake)}",
            ) from None

    @property
    def max_multiplier(self) -> int:
        """The highest multiplier that a party can reach: 1 while davi is off."""
        return self.davi_cap if self.davi == "party" else 1

    @property
    def exact_stake(self) -> Fraction:
        """The stake, read as a decimal."""
        return Fraction(repr(self.stake))

    @property
    def exact_rake(self) -> Fraction:
        """The rake, read as a decimal."""
        return Fraction(repr(self.rake))

    def exact_payoffs(
        self, winner: int, multiplier: int = 1, void: bool = False
    ) -> tuple[Fraction, Fraction]:
        """Answer the net money of both seats at the end of a party, exactly.

        The winner nets ``stake * m * (1 - 2 * rake)``, the loser ``-stake * m``; a void party
        returns every stake, whatever its winner and multiplier.

        Parameters
        ----------
        winner : int
            Seat 0 or 1; not looked at when `void`.
        multiplier : int
            The multiplier m at the party's end.
        void : bool
            Whether the party was aborted.

        Raises
        ------
        ValueError
            If a party that is not void has no winner.

        >>> from jokersim.rules import rules
        >>> rules("japanese", stake=0.1, rake=0.05).exact_payoffs(winner=0, multiplier=3)
        (Fraction(27, 100), Fraction(-3, 10))
        """
        if void:
            return Fraction(0), Fraction(0)
        if winner not in (0, 1):
            raise ValueError(
                f"a party that is over and not void is won by seat 0 or 1, not {winner}"
            )
        at_stake = multiplier * self.exact_stake
        net = at_stake * (1 - 2 * self.exact_rake)
        return (net, -at_stake) if winner == 0 else (-at_stake, net)

    def payoffs(self, winner: int, multiplier: int = 1, void: bool = False) -> tuple[float, float]:
        """Answer `exact_payoffs` as the nearest floats.

        >>> from jokersim.rules import rules
        >>> rules("japanese", stake=0.1).payoffs(winner=0, multiplier=3)
        (0.3, -0.3)
        """
        first, second = self.exact_payoffs(winner, multiplier, void)
        return float(first), float(second)
