"""The rule set of the four-player games: schedule, bidding, deal scores, premium and erasure.

Owns the options of RULES.md section 2 and what follows from them as plain numbers: the flat list of
deals and the score table. Plays no card and adds no totals.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Final, Literal

from jokersim.rules.common import BaseRules
from jokersim.rules.options import (
    GAP,
    SOURCE_TEXT,
    declared,
    flag,
    integer_or_list,
    list_of_lists,
    one_of,
)
from jokersim.rules.presets import CLASSIC_SCHEDULE

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["MAX_HAND_SIZE", "FourRules"]

MAX_HAND_SIZE: Final = 9
MAX_KHISHTI: Final = 10**6
MAX_SCHEDULE: Final = 64  # pulkas of a game, and deals of a pulka

Drawn = Literal["random", "ace_draw"]
Hook = Literal["dealer", "none"]
FullBidBonus = Literal["all", "nine_only", "none"]
Premium = Literal["double_best", "none"]
Erase = Literal["none", "all_others", "all_others_if_single", "left_neighbour"]


@dataclass(frozen=True, slots=True)
class FourRules(BaseRules):
    """The rules of a four-player game (Classic, Nines and their kin); see RULES.md section 2.

    >>> from jokersim.rules import rules
    >>> nines = rules("nines", khishti=-500)
    >>> nines.n_deals, nines.deal_sizes[:4], nines.khishti_at(9)
    (16, (9, 9, 9, 9), -500)
    """

    family: ClassVar[Literal["four"]] = "four"
    seats: ClassVar[int] = 4

    schedule: tuple[tuple[int, ...], ...] = field(
        default=CLASSIC_SCHEDULE,
        metadata=declared(
            list_of_lists(1, MAX_HAND_SIZE, MAX_SCHEDULE, "pulkas", "hand sizes"),
            "the hand size of every deal, pulka by pulka",
            SOURCE_TEXT,
        ),
    )
    first_dealer: Drawn | int = field(
        default="random",
        metadata=declared(
            one_of(Drawn, or_integer=range(4), called="a seat"),
            "who deals first: drawn evenly, drawn by turning cards until an ace, or a fixed seat",
            GAP,
        ),
    )
    hook: Hook = field(
        default="dealer",
        metadata=declared(
            one_of(Hook),
            "whose bid may not make the sum of the bids equal the hand size",
            SOURCE_TEXT,
        ),
    )
    khishti: int | tuple[int, ...] = field(
        default=-200,
        metadata=declared(
            integer_or_list(-MAX_KHISHTI, MAX_KHISHTI, MAX_HAND_SIZE, "hand size 1..9"),
            "the score of taking no trick after a bid of 1 or more",
            GAP,
        ),
    )
    full_bid_bonus: FullBidBonus = field(
        default="all",
        metadata=declared(
            one_of(FullBidBonus),
            "the deals in which bidding and taking all n tricks scores 100 n, not 50 n + 50",
            GAP,
        ),
    )
    premium: Premium = field(
        default="double_best",
        metadata=declared(
            one_of(Premium),
            "what making every bid of a pulka credits: the best score of it once more, or nothing",
            SOURCE_TEXT,
        ),
    )
    premium_exclude_last: bool = field(
        default=False,
        metadata=declared(
            flag(), "the last deal of a pulka is no candidate for the premium's best score", GAP
        ),
    )
    erase: Erase = field(
        default="none",
        metadata=declared(
            one_of(Erase),
            "whose best positive score of a pulka is lost when a premium is earned in it",
            GAP,
        ),
    )
    erase_exclude_last: bool = field(
        default=False,
        metadata=declared(
            flag(), "the last deal of a pulka is no candidate for the score that is erased", GAP
        ),
    )

    @property
    def n_deals(self) -> int:
        """The number of deals of a game."""
        return sum(len(pulka) for pulka in self.schedule)

    @property
    def n_pulkas(self) -> int:
        """The number of pulkas of a game."""
        return len(self.schedule)

    @property
    def deal_sizes(self) -> tuple[int, ...]:
        """The hand size 1..9 of every deal, in order."""
        return tuple(size for pulka in self.schedule for size in pulka)

    @property
    def pulka_of_deal(self) -> tuple[int, ...]:
        """The pulka 0.. of every deal, in order."""
        return tuple(p for p, pulka in enumerate(self.schedule) for _ in pulka)

    def khishti_at(self, hand_size: int) -> int:
        """Answer the score of a khishti at a hand size 1..9."""
        return self.khishti if isinstance(self.khishti, int) else self.khishti[hand_size - 1]

    def score(self, hand_size: int, bid: int, taken: int) -> int:
        """Answer the score of a deal for hand size 1..9 and bid and tricks taken of 0..hand size.

        >>> from jokersim.rules import rules
        >>> classic = rules("classic")
        >>> classic.score(9, 3, 3), classic.score(9, 9, 9), classic.score(9, 0, 4)
        (200, 900, 40)
        """
        if taken != bid:
            return 10 * taken if taken > 0 else self.khishti_at(hand_size)
        full = bid == hand_size and (
            self.full_bid_bonus == "all"
            or (self.full_bid_bonus == "nine_only" and hand_size == MAX_HAND_SIZE)
        )
        return 100 * hand_size if full else 50 * bid + 50

    def score_table(self) -> NDArray[np.int64]:
        """Tabulate `score` as an int64 array [10][10][10], indexed [hand size][bid][taken].

        Cells that no deal reaches are 0. The array is the caller's own.

        >>> from jokersim.rules import rules
        >>> int(rules("classic-speci").score_table()[7, 1, 0])
        -700
        """
        import numpy as np

        table = np.zeros((MAX_HAND_SIZE + 1,) * 3, dtype=np.int64)
        for n in range(1, MAX_HAND_SIZE + 1):
            for bid in range(n + 1):
                table[n, bid, : n + 1] = [self.score(n, bid, taken) for taken in range(n + 1)]
        return table
