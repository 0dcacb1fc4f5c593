"""A player that keeps only the rows a filter asks for, and counts what it passes over."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jokersim.simulate.chunk import Chunk, Columns, Player
from jokersim.simulate.where import Where
from jokersim.stats.kept import KeptSums

__all__ = ["FilteredPlayer"]


class FilteredPlayer:
    """Plays like another player, which must give `deals`; keeps what the filter asks for.

    Of `deals` the rows for which the filter holds, of `plays` the deals with such a row; `games`
    stays whole.
    """

    def __init__(self, player: Player, where: Where, tables: tuple[str, ...]) -> None:
        self._player = player
        self._where = where
        self._tables = tables

    def rows_a_game(self, table: str) -> int:
        """Answer the rows of a table that a game makes before they are filtered."""
        return self._player.rows_a_game(table)

    def play(self, start: int, stop: int) -> Chunk[Any]:
        """Play the games start … stop-1."""
        chunk = self._player.play(start, stop)
        deals = chunk.tables["deals"]
        keep = np.broadcast_to(self._where(deals), deals["game"].shape)
        sums = replace(chunk.sums, kept=_sums(deals["game"] - start, keep, stop - start))
        tables = dict(chunk.tables)
        if "plays" in self._tables:
            plays = tables["plays"]
            wanted = np.isin(_deal_keys(plays), _deal_keys(deals)[keep])
            tables["plays"] = {name: values[wanted] for name, values in plays.items()}
        tables["deals"] = {name: values[keep] for name, values in deals.items()}
        chunk.release()  # what is kept was copied
        return Chunk(start, stop, {table: tables[table] for table in self._tables}, sums)


def _deal_keys(rows: Columns) -> NDArray[np.int64]:
    """Answer a number for each row's deal, over all games; no game has 2^20 deals."""
    return (rows["game"].astype(np.int64) << 20) | rows["deal"]


def _sums(game: NDArray[np.int64], keep: NDArray[np.bool_], games: int) -> KeptSums:
    rows = np.bincount(game, minlength=games)
    kept = np.bincount(game[keep], minlength=games)
    return KeptSums(
        rows=int(rows.sum()),
        rows_2=int((rows * rows).sum()),
        kept=int(kept.sum()),
        kept_2=int((kept * kept).sum()),
        kept_x=int((kept * rows).sum()),
    )
