"""Blocks of a match: every arrangement of the seats over the same games, and what each side made.

Sides are 0 for A and 1 for B. Figures of a block are sums over the seats of a side in all its
games, so every block has as many of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from jokersim.match.sums import MatchSums
from jokersim.policies import Policy
from jokersim.rules import FourRules, TwoRules
from jokersim.simulate import Chunk, Setup, make_player

__all__ = ["SEATINGS", "FourBlocks", "TwoBlocks", "arrangements"]

SEATINGS: Final = {"1v3": 1, "2v2": 2}
"""How many seats of four A has, by the name of the seating."""

_SIDES: Final = (0, 1)

Ints = NDArray[np.int64]


def arrangements(seats: int, own: int) -> list[tuple[int, ...]]:
    """List the sets of seats that A takes in turn, where he has `own` of them.

    >>> arrangements(4, 1), len(arrangements(4, 2)), arrangements(2, 1)
    ([(0,), (1,), (2,), (3,)], 6, [(0,), (1,)])
    """
    return list(combinations(range(seats), own))


def _setups(
    rules: Any, sides: tuple[Policy, Policy], seed: int, own: int, tables: tuple[str, ...]
) -> list[tuple[tuple[int, ...], Setup]]:
    seatings = arrangements(rules.seats, own)
    return [
        (
            seating,
            Setup(
                rules,
                tuple(sides[0] if seat in seating else sides[1] for seat in range(rules.seats)),
                seed,
                tables,
            ),
        )
        for seating in seatings
    ]


class FourBlocks:
    """Plays blocks of four-player games; used by several threads at once."""

    def __init__(self, rules: FourRules, sides: tuple[Policy, Policy], seed: int, own: int) -> None:
        self._players = [
            (seating, make_player(setup))
            for seating, setup in _setups(rules, sides, seed, own, ("games", "deals"))
        ]
        sizes = np.array(rules.deal_sizes)
        self._n_deals = len(sizes)
        self._pulka_starts = np.flatnonzero(np.diff(rules.pulka_of_deal, prepend=-1))
        self._order = np.argsort(sizes, kind="stable")
        self.sizes, self._size_starts = np.unique(sizes[self._order], return_index=True)
        n = len(self._players)
        self.seats_a_block = (n * own, n * (4 - own))
        """By side, seats times games in a block."""

    def rows_a_game(self, table: str) -> int:  # noqa: ARG002
        """Answer the rows that a block keeps in memory while it is counted."""
        return sum(player.rows_a_game("deals") for _, player in self._players)

    def play(self, start: int, stop: int) -> Chunk[MatchSums]:
        """Play the blocks start … stop-1."""
        n = stop - start
        figures: dict[str, Ints] = {}

        def count(name: str, by_seat: Ints, seating: tuple[int, ...]) -> None:
            for side, values in zip(_SIDES, _by_side(by_seat, seating), strict=True):
                key = f"{name}_{side}"
                figures[key] = figures[key] + values if key in figures else values

        for seating, player in self._players:
            tables = player.play(start, stop).tables
            games = tables["games"]
            count("total", np.stack([games[f"total_{seat}"] for seat in range(4)], 1), seating)
            deals = {
                name: tables["deals"][name].reshape(n, self._n_deals, 4)
                for name in ("bid", "taken", "score", "premium", "erased")
            }
            made = deals["bid"] == deals["taken"]
            khishti = (deals["bid"] > 0) & (deals["taken"] == 0)
            pulkas = np.logical_and.reduceat(made, self._pulka_starts, axis=1)
            count("made", made.sum(1), seating)
            count("khishti", khishti.sum(1), seating)
            count("premium", pulkas.sum(1), seating)
            for name in ("premium", "erased"):
                count(f"{name}_points", deals[name].sum(1, dtype=np.int64), seating)
            scores = np.add.reduceat(
                deals["score"].astype(np.int64)[:, self._order], self._size_starts, axis=1
            )
            for i, size in enumerate(self.sizes.tolist()):
                count(f"size_{size}", scores[:, i], seating)
        ours, theirs = self.seats_a_block
        for size in self.sizes.tolist():
            gap = theirs * figures[f"size_{size}_0"] - ours * figures[f"size_{size}_1"]
            figures[f"size_{size}_gap"] = gap
        # A's mean a seat less B's, times the seats of both: whole, so that ties are exact.
        difference = theirs * figures["total_0"] - ours * figures["total_1"]
        return Chunk(start, stop, {}, MatchSums.of(difference, figures))


def _by_side(by_seat: Ints, seating: Sequence[int]) -> tuple[Ints, Ints]:
    """Add up a figure [games, seats] over the seats of A, and of B."""
    ours = by_seat[:, list(seating)].sum(1, dtype=np.int64)
    return ours, by_seat.sum(1, dtype=np.int64) - ours


class TwoBlocks:
    """Plays blocks of two parties; used by several threads at once."""

    sizes: NDArray[np.int64] = np.empty(0, np.int64)
    seats_a_block = (2, 2)

    def __init__(self, rules: TwoRules, sides: tuple[Policy, Policy], seed: int) -> None:
        self._players = [
            (seating[0], make_player(setup))
            for seating, setup in _setups(rules, sides, seed, 1, ("games",))
        ]

    def rows_a_game(self, table: str) -> int:  # noqa: ARG002
        """Answer the rows that a block keeps in memory while it is counted."""
        return len(self._players)

    def play(self, start: int, stop: int) -> Chunk[MatchSums]:
        """Play the blocks start … stop-1."""
        n = stop - start
        names = ("won", "stakes", "points")
        figures = {f"{name}_{side}": np.zeros(n, np.int64) for name in names for side in _SIDES}
        for seat, player in self._players:
            games = player.play(start, stop).tables["games"]
            multiplier = games["multiplier"].astype(np.int64)
            for side, sitting in zip(_SIDES, (seat, 1 - seat), strict=True):
                won = (games["winner"] == sitting).astype(np.int64)
                figures[f"won_{side}"] += won
                figures[f"stakes_{side}"] += won * multiplier
                figures[f"points_{side}"] += games[f"points_{sitting}"]
        difference = figures["stakes_0"] - figures["stakes_1"]
        figures["stakes_sum"] = figures["stakes_0"] + figures["stakes_1"]
        return Chunk(start, stop, {}, MatchSums.of(difference, figures))
