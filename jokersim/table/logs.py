"""What has happened in a deal: kept for the record, while kernels hold the state of the game."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from jokersim.cards import TRUMPS
from jokersim.table.choices import TEXT_OF_PLAY

__all__ = ["DealLog", "FourDeal", "Record", "TwoDeal"]

Record = dict[str, Any]

NOT_NAMED: Final = -1


class DealLog(Protocol):
    """One deal, as a record tells it."""

    packet: int
    """The first three cards of whoever names trump, as a mask."""

    def copy(self) -> DealLog:
        """Answer a log that goes its own way; what is only ever replaced is shared."""

    def given(self) -> Record:
        """Write what a record is given of the deal."""

    def derived(self) -> Record:
        """Answer what follows for the deal, by key; what is not known yet has no key."""


@dataclass(slots=True)
class FourDeal:
    """One deal at a table of four."""

    dealer: int
    hands: list[list[str]]
    turned: str | None
    packet: int
    """The chooser's first three cards as a mask, 0 below nine cards."""
    trump: int = NOT_NAMED
    bids: list[int | None] = field(default_factory=lambda: [None] * 4)
    plays: list[int] = field(default_factory=list)
    takers: list[int] = field(default_factory=list)
    taken: list[int] = field(default_factory=lambda: [0] * 4)
    scores: list[int] | None = None

    def copy(self) -> FourDeal:
        """Answer a log that goes its own way."""
        other = copy(self)
        other.bids, other.plays = self.bids.copy(), self.plays.copy()
        return other

    def given(self) -> Record:
        """Write what a record is given of the deal."""
        given: Record = {"hands": _copied(self.hands)}
        if self.turned is not None:
            given["turned"] = self.turned
        elif self.trump != NOT_NAMED:
            given["trump"] = TRUMPS[self.trump]
        return {**given, "bids": self.bids.copy(), "plays": _tricks(self.plays, 4)}

    def derived(self) -> Record:
        """Answer what follows for the deal."""
        derived: Record = {"dealer": self.dealer}
        if self.trump != NOT_NAMED:
            derived["trump"] = TRUMPS[self.trump]
        derived |= {"takers": self.takers.copy(), "taken": self.taken.copy()}
        if self.scores is not None:
            derived["scores"] = self.scores.copy()
        return derived


@dataclass(slots=True)
class TwoDeal:
    """One deal at a table of two."""

    declarer: int
    hands: list[list[str]]
    up: list[list[str]]
    down: list[list[str]]
    packet: int
    """The declarer's first three cards as a mask."""
    trump: int = NOT_NAMED
    davi: list[Record] | None = None
    """Entries of davi; None where the rule set has none."""
    plays: list[int] = field(default_factory=list)
    takers: list[int] = field(default_factory=list)
    pairs: list[int] = field(default_factory=lambda: [0] * 2)
    points: list[int] | None = None

    def copy(self) -> TwoDeal:
        """Answer a log that goes its own way."""
        other = copy(self)
        other.plays = self.plays.copy()
        other.davi = None if self.davi is None else self.davi.copy()
        return other

    def given(self) -> Record:
        """Write what a record is given of the deal."""
        given: Record = {
            "declarer": self.declarer,
            "hands": _copied(self.hands),
            "up": _copied(self.up),
            "down": _copied(self.down),
        }
        if self.trump != NOT_NAMED:
            given["trump"] = TRUMPS[self.trump]
        if self.davi is not None:
            given["davi"] = [entry.copy() for entry in self.davi]
        return {**given, "plays": _tricks(self.plays, 2)}

    def derived(self) -> Record:
        """Answer what follows for the deal."""
        derived: Record = {"declarer": self.declarer}
        if self.trump != NOT_NAMED:
            derived["trump"] = TRUMPS[self.trump]
        derived |= {"takers": self.takers.copy(), "pairs": self.pairs.copy()}
        if self.points is not None:
            derived["points"] = self.points.copy()
        return derived


def _copied(rows: list[list[str]]) -> list[list[str]]:
    return [row.copy() for row in rows]


def _tricks(plays: list[int], seats: int) -> list[list[str]]:
    texts = [TEXT_OF_PLAY[play] for play in plays]
    return [texts[i : i + seats] for i in range(0, len(texts), seats)]
