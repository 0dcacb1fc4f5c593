"""What a family of games (of four, of two) provides so that there is a `Table` of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from jokersim.rules import Rules
from jokersim.table.logs import DealLog, Record

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from jokersim.table.views import Memory

__all__ = ["Family"]


class Family:
    """The state that tables hold, and what each family answers in its own way."""

    rules: Rules
    seed: int | None
    index: int
    first: int
    _memory: Memory
    _hands: NDArray[np.int64]
    _deals: list[DealLog]
    _given: Sequence[Mapping[str, Any]] | None
    """The cards of the deals of a game of a run, where its seed does not deal them."""
    _legal: list[int] | None = None
    """The legal choices once they are listed; None after every change."""
    _own_arrays: tuple[str, ...] = ()
    """Names of the attributes that a copy of a table must not share."""

    def _set_up(self) -> None:
        """Make the state before the first deal."""
        raise NotImplementedError

    def _named_first(self) -> int | None:
        """Answer the seat that the rule set lets begin, None if it is drawn."""
        raise NotImplementedError

    def _drawn_first(self) -> int:
        """Answer the seat that begins in this game of a run."""
        raise NotImplementedError

    def _deal_on(self) -> None:
        """Deal the next deal of a game of a run, if there is one; without a seed, nothing."""
        raise NotImplementedError

    def _begin(self, cards: Mapping[str, Any]) -> None:
        """Begin the next deal with cards that somebody gives."""
        raise NotImplementedError

    def advance(self, choices: Sequence[int]) -> int:
        """Carry out choices of one kind, as numbers, up to the first illegal one; answer how many.

        Numbers are the kernels': a trump 0..4, a bid, a play coded as in `jokersim.cards`, an
        index into `ACTIONS`.
        """
        raise NotImplementedError

    def _choices(self) -> list[int]:
        """List the legal choices as numbers, in the order of records."""
        raise NotImplementedError

    def _decide(self, policy: int) -> int:
        """Ask a built-in policy, by its number, for the decision due: its choice as a number."""
        raise NotImplementedError

    def _given_end(self) -> Record:
        """Write what a record is given of the end of a game."""
        return {}

    def derived(self) -> Record:
        """Answer what follows for the whole game, by key, `next` left out."""
        raise NotImplementedError

    @property
    def complete(self) -> bool:
        """Whether the game is over."""
        raise NotImplementedError

    @property
    def awaits_cards(self) -> bool:
        """Whether the next event of the game is a deal, which somebody has to give."""
        raise NotImplementedError

    @property
    def totals(self) -> tuple[int, ...]:
        """Points by seat after the deals that are complete, premiums included."""
        raise NotImplementedError
