"""Chunks of four-player games: buffers out to the kernel, columns and sums back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from jokersim.numbers import four_numbers
from jokersim.rules import FourRules
from jokersim.simulate.chunk import Chunk, Columns, Memory, Setup, buffers
from jokersim.stats.counts import Counts
from jokersim.stats.four import FourSums, SeatSums

__all__ = ["FourPlayer"]

SEATS = 4


class _Rows:
    """The rows of a table of which every game has as many, and what the schedule fixes of them."""

    def __init__(self, types: Mapping[str, type], pattern: Columns) -> None:
        self.types = {"game": np.int64, **types}
        self.memory = Memory(self.types)
        self.a_game = len(pattern["deal"])
        self._pattern = pattern
        self._tiled = pattern

    def whole(self, start: int, n: int, played: Columns) -> Columns:
        """Answer all columns of the n games from `start` on, of which these were played."""
        rows = n * self.a_game
        tiled = self._tiled
        if len(tiled["deal"]) < rows:
            # Chunks share it; of two threads that make it at once, one has made it in vain.
            tiled = self._tiled = {name: np.tile(v, n) for name, v in self._pattern.items()}
        columns = {name: values[:rows] for name, values in (tiled | played).items()}
        columns["game"].reshape(n, self.a_game)[:] = np.arange(start, start + n)[:, np.newaxis]
        return columns


class FourPlayer:
    """Plays chunks of four-player games of one setup; safe to be used by several threads."""

    def __init__(self, setup: Setup) -> None:
        if not isinstance(setup.rules, FourRules):
            raise TypeError(f"{setup.rules.name} is no game of four players")
        self._rules = setup.rules
        self._setup = setup
        self._numbers = four_numbers(setup.rules)
        sizes = self._numbers.sizes
        deals = np.arange(len(sizes))
        deal_pattern: Columns = {
            "deal": np.repeat(deals, SEATS).astype(np.int16),
            "pulka": np.repeat(self._numbers.pulka, SEATS).astype(np.int8),
            "hand_size": np.repeat(sizes, SEATS).astype(np.int8),
            "seat": np.tile(np.arange(SEATS), len(sizes)).astype(np.int8),
        }
        play_pattern: Columns = {
            "deal": np.repeat(deals, sizes * SEATS).astype(np.int16),
            "trick": np.concatenate(
                [np.repeat(np.arange(size), SEATS) for size in sizes]
            ).astype(np.int8),
            "position": np.tile(np.arange(SEATS), int(sizes.sum())).astype(np.int8),
        }  # fmt: skip
        self._rows = {
            "deals": _Rows(_DEAL_TYPES, deal_pattern),
            "plays": _Rows(_PLAY_TYPES, play_pattern),
        }

    def rows_a_game(self, table: str) -> int:
        """Answer the rows of a table that a game makes."""
        return self._rows[table].a_game if table in self._rows else 1

    def play(self, start: int, stop: int) -> Chunk[FourSums]:
        """Play the games start … stop-1; `RunError` if a user's policy fails."""
        seats = self._setup.seated()
        seats.check(self._setup.seed, start)
        reached, chunk = self._played(seats.numbers, start, stop, self._setup.tables)
        if reached < stop:
            raise seats.failure(
                self._setup.seed,
                reached,
                lambda numbers, game: self._played(numbers, game, game + 1, ()),
            )
        return chunk

    def _played(
        self, policies: NDArray[np.int64], start: int, stop: int, tables: tuple[str, ...]
    ) -> tuple[int, Chunk[FourSums]]:
        from jokersim.kernels import game_sums as kernel
        from jokersim.kernels.policies import RANDOM

        n = stop - start
        pulkas = self._rules.n_pulkas
        kept = n if "games" in tables else 0
        games = kernel.GameColumns(
            first_dealer=np.empty(n, np.int8),
            totals=np.empty((SEATS, n), np.int64),
            ranks=np.empty((SEATS, kept), np.int8),
            premium=np.empty((pulkas, SEATS, kept), np.int32),
            erased=np.empty((pulkas, SEATS, kept), np.int32),
        )
        held = {
            table: rows.memory.take(n * rows.a_game) if table in tables else buffers(rows.types, 0)
            for table, rows in self._rows.items()
        }
        # Memory may be longer than what is asked for: a kernel writes as far as its games go.
        deals = kernel.DealColumns(*(held["deals"][name] for name in kernel.DealColumns._fields))
        plays = {name: held["plays"][name] for name in _PLAY_TYPES}
        sums = np.zeros((2, SEATS, kernel.N_SUMS), np.int64)
        at_random = not np.any(policies != RANDOM)
        if at_random and "plays" not in tables and self._setup.deals is None:
            self._play_in_step(start, stop, games, deals, sums)
            reached = stop
        else:
            reached = self._play_one_by_one(policies, start, stop, games, deals, plays, sums)
        columns: dict[str, Columns] = {}
        if "games" in tables:
            columns["games"] = self._game_columns(start, games)
        if "deals" in tables:
            columns["deals"] = self._rows["deals"].whole(start, n, held["deals"])
        if "plays" in tables:
            columns["plays"] = self._rows["plays"].whole(start, n, held["plays"])
        if reached < stop:
            return reached, Chunk(start, start, {}, FourSums())

        def release() -> None:
            for table in columns.keys() & self._rows.keys():
                self._rows[table].memory.give(held[table])

        of_games = _four_sums(sums, games.totals, games.first_dealer)
        return reached, Chunk(start, stop, columns, of_games, release)

    # Each way imports its own kernels: those of the other policies take a while to load.

    def _play_in_step(
        self, start: int, stop: int, games: Any, deals: Any, sums: NDArray[np.int64]
    ) -> None:
        """Play games in which every seat plays at random."""
        from jokersim.kernels.games_random import new_memory, run_random_games

        run_random_games(
            self._numbers, self._setup.seed, start, stop, games, deals, sums, *new_memory()
        )

    def _play_one_by_one(
        self,
        policies: NDArray[np.int64],
        start: int,
        stop: int,
        games: Any,
        deals: Any,
        plays: Columns,
        sums: NDArray[np.int64],
    ) -> int:
        """Play games of any policies; the index of the one that failed is answered, else `stop`."""
        from jokersim.kernels.game import PlayColumns, run_games
        from jokersim.kernels.given import no_four
        from jokersim.kernels.state import FOUR_VIEW, new_views

        given = self._setup.deals
        reached: int = run_games(
            self._numbers, policies, self._setup.seed, start, stop,
            no_four() if given is None else given.of_four(start, stop),
            games, deals, PlayColumns(**plays), sums, new_views(FOUR_VIEW),
        )  # fmt: skip
        return reached

    def _game_columns(self, start: int, games: Any) -> Columns:
        n = len(games.first_dealer)
        columns: Columns = {
            "game": np.arange(start, start + n, dtype=np.int64),
            "first_dealer": games.first_dealer,
        }
        booked = {"premium": games.premium, "erased": games.erased}
        per_seat = {"total": games.totals, "rank": games.ranks} | {
            name: values.sum(axis=0, dtype=np.int64) for name, values in booked.items()
        }
        for name, values in per_seat.items():
            columns |= {f"{name}_{seat}": values[seat] for seat in range(SEATS)}
        for pulka in range(self._rules.n_pulkas):
            for name, values in booked.items():
                columns |= {
                    f"pulka_{pulka}_{name}_{seat}": values[pulka, seat] for seat in range(SEATS)
                }
        return columns


_DEAL_TYPES: Final[Mapping[str, type]] = {
    "dealer": np.int8,
    "trump": np.int8,
    "turned": np.int8,
    "bid": np.int8,
    "taken": np.int8,
    "score": np.int32,
    "premium": np.int32,
    "erased": np.int32,
    "hand": np.int64,
}
_PLAY_TYPES: Final[Mapping[str, type]] = dict.fromkeys(
    ("seat", "card", "declaration", "taker"), np.int8
)


def _four_sums(
    sums: NDArray[np.int64], totals: NDArray[np.int64], first_dealer: NDArray[np.int8]
) -> FourSums:
    games = totals.shape[1]
    indices = np.arange(games)
    at_place = [totals[(place + first_dealer) & 3, indices] for place in range(SEATS)]
    return FourSums(
        games,
        [_seat_sums(sums[0, seat], totals[seat]) for seat in range(SEATS)],
        [_seat_sums(sums[1, place], at_place[place]) for place in range(SEATS)],
    )


def _seat_sums(sums: NDArray[np.int64], totals: NDArray[np.int64]) -> SeatSums:
    from jokersim.kernels import game_sums as kernel

    value = sums.tolist()
    squares = (
        (value[kernel.TOTAL_HH] << 32) + (value[kernel.TOTAL_HL] << 17) + value[kernel.TOTAL_LL]
    )
    return SeatSums(
        total=value[kernel.TOTAL],
        total_2=squares,
        made=value[kernel.MADE],
        made_2=value[kernel.MADE_2],
        khishti=value[kernel.KHISHTI],
        khishti_2=value[kernel.KHISHTI_2],
        premium=value[kernel.PREMIUM],
        premium_2=value[kernel.PREMIUM_2],
        ranks=value[kernel.RANK_1 : kernel.RANK_1 + SEATS],
        totals=Counts.of(totals),
    )
