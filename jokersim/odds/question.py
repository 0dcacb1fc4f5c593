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
from jokersim.rules import FourRules

if TYPE_CHECKING:
    from jokersim.kernels.odds import Question
    from jokersim.kernels.state import FourNumbers

__all__ = ["Case", "four_case"]

SEATS = 4
NINE = 9


@dataclass(frozen=True)
class Case:
    """A question at a table of four, its candidates, and what their outcomes are worth."""

    numbers: FourNumbers
    question: Question
    candidates: NDArray[np.int64]
    size: int
    values: NDArray[np.int64]
    """Worth of a deal to the seat that asks, int64 [10, 10] by bid and tricks taken."""

    @property
    def tests_trump(self) -> bool:
        """Whether a call of trump by another seat is evidence."""
        return self.size == NINE and bool(len(self.question.tested) and self.question.tested[0])


def four_case(
    rules: FourRules,
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
) -> Case:
    """Put a decision into the form that kernels take.

    `hand` is the seat's hand as dealt (at a choice of trump the three cards seen), `turned` the
    ids that the turned card may be (none at nine cards), `played` and `standing` are by seat,
    `may_hold` by other seat from the left. With `earns`, making the bid earns the pulka's premium.
    """
    from jokersim.kernels.odds import Question

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
    return Case(numbers, question, _numbers(candidates), size, values)


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
