"""What a unit of work is: some games of a run, played in one kernel call, as columns and sums.

A chunk is a pure function of the setup and its range; which thread plays it, and how many games it
holds, never shows in a result.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from jokersim.policies import Policy
from jokersim.rules import Rules

__all__ = ["Chunk", "Columns", "Player", "Setup", "Sums"]

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

    @property
    def policy_numbers(self) -> NDArray[np.int64]:
        """The policies as kernels know them, by seat."""
        return np.array([policy.number for policy in self.policies], dtype=np.int64)


@dataclass(slots=True)
class Chunk(Generic[S]):
    """The games start … stop-1: the columns of the tables wanted, and their sums."""

    start: int
    stop: int
    tables: Mapping[str, Columns]
    sums: S


class Player(Protocol):
    """Plays chunks of one setup; made once a run, used by many threads at once."""

    def play(self, start: int, stop: int) -> Chunk[Any]:
        """Play the games start … stop-1."""

    def rows_a_game(self, table: str) -> int:
        """Answer the rows of a table that a game makes, at most or on average."""
