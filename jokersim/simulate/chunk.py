"""What a unit of work is: some games of a run, played in one kernel call, as columns and sums.

A chunk is a pure function of the setup and its range; which thread plays it, and how many games it
holds, never shows in a result.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from jokersim.policies import Policy, seated
from jokersim.rules import Rules
from jokersim.user_policies import Seats

if TYPE_CHECKING:
    from jokersim.simulate.given import GivenDeals

__all__ = ["Chunk", "Columns", "Memory", "Player", "Setup", "Sums", "buffers"]

Columns = dict[str, NDArray[Any]]


class Sums(Protocol):
    """Integer sums over games that add up exactly, as `jokersim.stats` declares them."""

    games: int

    def add(self, other: Any) -> None:
        """Add the sums of other games."""

    def to_json(self) -> dict[str, Any]:
        """Answer the sums as a JSON object of integers."""


S = TypeVar("S", bound=Sums)


@dataclass(frozen=True, slots=True)
class Setup:
    """All that a game of a run depends on, besides its index, and the tables wanted."""

    rules: Rules
    policies: tuple[Policy, ...]
    seed: int
    tables: tuple[str, ...]
    where: str | None = None
    """The filter on deals, in its one form."""
    deals: GivenDeals | None = None
    """The deals of the games, where they are given and not dealt by the seed."""

    @property
    def deals_sha256(self) -> str | None:
        """The hash of the deals, where they are given."""
        return None if self.deals is None else self.deals.sha256

    def seated(self) -> Seats:
        """Seat the policies for one call of a kernel."""
        return seated(self.policies, self.rules.family)

    @property
    def in_python(self) -> bool:
        """Whether a policy is asked in Python: one game after the other, by one thread."""
        users = [policy.user for policy in self.policies]
        return any(user is not None and not user.compiled for user in users)


def _nothing() -> None:
    """Leave columns to whoever holds them."""


@dataclass(slots=True)
class Chunk(Generic[S]):
    """The games start … stop-1: the columns of the tables wanted, and their sums."""

    start: int
    stop: int
    tables: Mapping[str, Columns]
    sums: S
    release: Callable[[], None] = _nothing
    """Give the columns of the tables up: whoever has written them, and reads them no more, may."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Leave out in another process what only this one can give up."""
        return Chunk, (self.start, self.stop, self.tables, self.sums)


class Player(Protocol):
    """Plays chunks of one setup; made once a run, used by many threads at once."""

    def play(self, start: int, stop: int) -> Chunk[Any]:
        """Play the games start … stop-1."""

    def rows_a_game(self, table: str) -> int:
        """Answer the rows of a table that a game makes, at most or on average."""


class Memory:
    """Columns of one table for kernels to fill, used again once they were given up.

    The first touch of new memory takes as long as all that a row is made of.
    """

    def __init__(self, types: Mapping[str, type]) -> None:
        self._types = dict(types)
        self._free: deque[Columns] = deque()

    def take(self, rows: int) -> Columns:
        """Answer columns of so many rows at least; threads may ask at once."""
        with suppress(IndexError):
            while True:
                found = self._free.popleft()
                if all(len(column) >= rows for column in found.values()):
                    return found
        return buffers(self._types, rows)

    def give(self, columns: Columns) -> None:
        """Give columns up that were taken."""
        self._free.append(columns)


def buffers(types: Mapping[str, type], rows: int) -> Columns:
    """Allocate columns of so many rows for a kernel to fill."""
    return {name: np.empty(rows, dtype) for name, dtype in types.items()}
