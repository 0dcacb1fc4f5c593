"""A decision in its kernel form: what its seat knows, and what its candidates are.

Builds no statistics and knows nothing of texts: cards are ids and masks here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from jokersim.cards import ALL_CARDS, NO_CARD, mask_of
from jokersim.numbers import four_numbers
from jokersim.odds.judge import Rows
from jokersim.odds.players import Players
from jokersim.rules import FourRules

if TYPE_CHECKING:
    from jokersim.kernels.odds_worlds import Question
    from jokersim.kernels.state import FourNumbers

__all__ = ["KHISHTI", "MADE", "WON", "FourCase", "four_case", "tricks_of"]

SEATS = 4
NINE = 9

# Cells of a deal of four: (bid * 10 + tricks taken) * 2 + whether nobody scored more.
N_CELLS = 200
_bid, _taken, _won = np.indices((10, 10, 2)).reshape(3, N_CELLS)
MADE = _bid == _taken
KHISHTI = (_bid > 0) & (_taken == 0)
WON = _won == 1


def tricks_of(shares: NDArray[np.float64], size: int) -> list[float]:
    """Answer the chances of 0 … size tricks from those of the cells."""
    found: list[float] = np.bincount(_taken, weights=shares, minlength=10)[: size + 1].tolist()
    return found


@dataclass(frozen=True)
class FourCase:
    """A question at a table of four: a `judge.Case`."""

    numbers: FourNumbers
    question: Question
    players: Players
    candidates: NDArray[np.int64]
    size: int
    values: NDArray[np.float64]
    goal: NDArray[np.bool_]

    @property
    def in_python(self) -> bool:
        """Whether a policy is asked in Python, by one thread alone."""
        return self.players.in_python

    @property
    def usual_samples(self) -> int:
        """How many worlds to judge where nobody says."""
        return self.players.usual_samples

    @property
    def n_candidates(self) -> int:
        """How many choices there are to judge."""
        return len(self.candidates)

    def judge(self, live: NDArray[np.int64], seed: int, start: int, stop: int) -> Rows:
        """Judge some of the candidates in drawn worlds."""
        from jokersim.kernels import odds as kernel
        from jokersim.kernels.odds_auction import new_auctions
        from jokersim.kernels.odds_worlds import new_memory
        from jokersim.kernels.state import FOUR_VIEW, new_views

        weights = np.zeros(stop - start)
        cells = np.zeros((stop - start, len(live)), np.int16)
        self.players.ask(
            seed,
            start,
            lambda playing, evidence: kernel.judge_worlds(
                self.numbers, self.question, playing, evidence, self.candidates[live], seed,
                start, stop, new_memory(), new_views(FOUR_VIEW, 2), new_auctions(),
                kernel.no_columns(), weights, cells,
            ),
        )  # fmt: skip
        return Rows(weights, cells)

    def n_worlds(self) -> int | None:
        """Count the worlds, if they can be enumerated."""
        from jokersim.kernels import odds as kernel
        from jokersim.kernels.odds_worlds import new_memory

        if not self.players.enumerable or self._hides_a_packet():
            return None
        return int(kernel.count_worlds(new_memory(), self.question))

    def enumerate(self, start: int, stop: int, budget: int) -> tuple[int, NDArray[np.float64]]:
        """Take worlds by number: the ways they can go, -1 if too many, and the sums of weights."""
        from jokersim.kernels import odds as kernel
        from jokersim.kernels.odds_worlds import new_memory
        from jokersim.kernels.state import FOUR_VIEW, new_views

        sums = np.zeros((len(self.candidates), N_CELLS))
        ways = self.players.ask(
            0,
            start,
            lambda playing, evidence: kernel.enumerate_worlds(
                self.numbers, self.question, playing, evidence, self.candidates, start, stop,
                budget, new_memory(), new_views(FOUR_VIEW), sums,
            ),
        )  # fmt: skip
        return int(ways), sums

    def n_agreeing(self, weight: float, worlds: int) -> int:
        """Answer how many worlds agree with what was seen, by the weight of the first sum."""
        deterministic = not any(self.players.holds_random(seat) for seat in range(SEATS))
        return round(weight) if deterministic and self.question.tested.any() else worlds

    def _hides_a_packet(self) -> bool:
        """Tell whether what another seat saw when it named trump would have to be drawn."""
        if self.size != NINE or len(self.question.history) == 0:
            return False
        chooser = (self.question.dealer + 1) % SEATS
        return bool(self.question.tested[0]) and not self.players.holds_random(chooser)


def four_case(
    rules: FourRules,
    players: Players,
    *,
    deal: int,
    dealer: int,
    seat: int,
    hand: int,
    turned: Sequence[int],
    candidates: Sequence[int],
    history: Sequence[int] = (),
    tested: Sequence[bool] = (),
    played: Sequence[int] = (0, 0, 0, 0),
    may_hold: Sequence[int] = (ALL_CARDS,) * 3,
    standing: Sequence[Sequence[int]] = ((0,) * 4,) * 3,
    pulka_last: int | None = None,
    earns: bool = False,
    goal: NDArray[np.bool_] | None = None,
) -> FourCase:
    """Put a decision into the form that kernels take.

    `hand` is the seat's hand as dealt (at a choice of trump the three cards seen), `turned` the
    ids that the turned card may be (none at nine cards), `played` and `standing` are by seat,
    `may_hold` by other seat from the left. With `earns`, making the bid earns the pulka's premium.
    """
    from jokersim.kernels.odds_worlds import Question

    numbers = four_numbers(rules)
    size = int(numbers.sizes[deal])
    known = hand
    for cards in played:
        known |= cards
    if len(turned) == 1:
        known |= mask_of(turned)
    others = [(seat + 1 + j) % SEATS for j in range(3)]
    question = Question(
        deal=deal,
        dealer=dealer,
        seat=seat,
        pulka_last=int(numbers.pulka_last[deal]) if pulka_last is None else pulka_last,
        standing=_numbers(standing),
        hand=hand,
        turned=_numbers(turned or [NO_CARD]),
        played=_numbers(played),
        pool=ALL_CARDS & ~known,
        may_hold=_numbers(may_hold),
        needs=_numbers([size - played[other].bit_count() for other in others]),
        history=_numbers(history),
        tested=_numbers(tested),
    )
    best = int(question.standing[1, seat])
    values = deal_values(rules, size, best if earns else None)
    worth = np.repeat(values.reshape(-1), 2).astype(float)
    return FourCase(
        numbers,
        question,
        players,
        _numbers(candidates),
        size,
        worth,
        MADE if goal is None else goal,
    )


def deal_values(rules: FourRules, size: int, best: int | None) -> NDArray[np.int64]:
    """Tabulate the worth of a deal by bid and tricks taken.

    `best` is the best score of the pulka so far where making this bid, the pulka's last, earns the
    premium; None where it does not.
    """
    values: NDArray[np.int64] = rules.score_table()[size]
    if best is not None and rules.premium == "double_best":
        for bid in range(size + 1):
            own = 0 if rules.premium_exclude_last else int(values[bid, bid])
            values[bid, bid] += max(best, own, 0)
    return values


def _numbers(given: Any) -> NDArray[np.int64]:
    numbers: NDArray[np.int64] = np.array(given, dtype=np.int64)
    return numbers
