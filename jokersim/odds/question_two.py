"""A decision at a table of two in its kernel form; outcomes are the pairs that its seat takes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from jokersim.numbers import two_numbers
from jokersim.odds.judge import Rows
from jokersim.odds.players import Players
from jokersim.rules import TwoRules

if TYPE_CHECKING:
    from jokersim.kernels.state import PartyNumbers

__all__ = ["MORE_PAIRS", "TwoCase", "two_case"]

N_PAIRS = 18
CHOOSE_TRUMP = 0

# A cell is the number of pairs; its worth is how many more they are than the other's.
DIFFERENCES = np.arange(-N_PAIRS, N_PAIRS + 1, 2).astype(float)
MORE_PAIRS = DIFFERENCES > 0


@dataclass(frozen=True)
class TwoCase:
    """A decision at a table of two: a `judge.Case`."""

    numbers: PartyNumbers
    decided: Any
    """One view: the decision as its seat sees it."""
    hand: int
    players: Players
    candidates: NDArray[np.int64]

    values = DIFFERENCES
    goal = MORE_PAIRS

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
        cells = self._judged(self.candidates[live], seed, start, stop, enumerated=False)
        return Rows(np.ones(stop - start), cells)

    def n_worlds(self) -> int | None:
        """Count the worlds, if they can be enumerated: not for `random`, nor at a call of trump."""
        if self.players.draws or self.decided["kind"][0] == CHOOSE_TRUMP:
            return None
        return self._total()

    def enumerate(self, start: int, stop: int, budget: int) -> tuple[int, NDArray[np.float64]]:
        """Take worlds by number: the ways they can go, and the sums of weights."""
        cells = self._judged(self.candidates, 0, start, stop, enumerated=True)
        sums = [np.bincount(column, minlength=N_PAIRS + 1) for column in cells.T]
        return min(cells.size, budget), np.array(sums, dtype=float)

    def n_agreeing(self, weight: float, worlds: int) -> int:  # noqa: ARG002
        """Answer how many worlds agree with what was seen: all do."""
        return worlds

    def _total(self) -> int:
        from jokersim.kernels import odds_two as kernel

        return int(kernel.count_worlds_two(self.decided, self.hand, self.decided["turn"][0]))

    def _judged(
        self, candidates: NDArray[np.int64], seed: int, start: int, stop: int, *, enumerated: bool
    ) -> NDArray[np.int16]:
        from jokersim.kernels import odds_two as kernel
        from jokersim.kernels.state import TWO_VIEW, new_views

        views = new_views(TWO_VIEW, 2)
        views[1] = self.decided[0]
        total = 0 if self.decided["kind"][0] == CHOOSE_TRUMP else self._total()
        cells = np.zeros((stop - start, len(candidates)), np.int16)
        self.players.ask(
            seed,
            start,
            lambda playing, _: kernel.judge_worlds_two(
                self.numbers, self.hand, playing, candidates, seed, start, stop, total,
                enumerated, views, cells,
            ),
        )  # fmt: skip
        return cells


def two_case(
    rules: TwoRules, players: Players, candidates: Sequence[int], fields: dict[str, Any]
) -> TwoCase:
    """Put a decision into the form that kernels take.

    `fields` are those of the view that the seat has, `hand` among them.
    """
    from jokersim.kernels.state import TWO_VIEW, new_views

    decided = new_views(TWO_VIEW)
    for name, value in fields.items():
        decided[name][0] = value
    return TwoCase(
        two_numbers(rules),
        decided,
        int(fields["hand"]),
        players,
        np.array(candidates, dtype=np.int64),
    )
