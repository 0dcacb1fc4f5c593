"""What a simulation answers: a `Run`, with its summary and whatever tables were kept or written."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from jokersim import schema
from jokersim.errors import InputError
from jokersim.policies import Policy
from jokersim.rules import Rules
from jokersim.simulate.chunk import Columns, Sums

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

    from jokersim.store import Dataset

__all__ = ["Run", "describe_run"]


@dataclass(frozen=True, slots=True)
class Run:
    """Games that were simulated; made by `jokersim.simulate`.

    Attributes
    ----------
    rules, policies, seed
        What, with a game's index, decides the game.
    sums
        Integer sums over all games.
    seconds : float or None
        Wall time of the games; None where they were read from a dataset.
    stored : Dataset or None
        The dataset that was written.
    where : str or None
        The filter on deals, in its one form.
    deals_sha256 : str or None
        The sha256 of the deals, where they were given and not dealt by the seed.
    reached : bool or None
        Whether the precision that was asked for was reached; None where none was.
    """

    rules: Rules
    policies: tuple[Policy, ...]
    seed: int
    sums: Sums
    seconds: float | None = None
    level: float = 0.95
    kept: Mapping[str, Sequence[Columns]] = field(default_factory=dict, repr=False)
    stored: Dataset | None = None
    where: str | None = None
    reached: bool | None = None
    deals_sha256: str | None = None

    @property
    def n_games(self) -> int:
        """The number of games (two players: parties) that were played."""
        return self.sums.games

    def summary(self) -> dict[str, Any]:
        """Answer the summary as the document that ``jokersim simulate --json`` prints."""
        document = describe_run(
            self.rules, self.policies, self.seed, self.sums, self.level, self.where,
            self.deals_sha256,
        )  # fmt: skip
        if self.seconds is not None:
            rate = 60 * self.n_games / self.seconds if self.seconds > 0 else None
            document |= {"seconds": self.seconds, "games_per_minute": rate}
        return document

    def games(self) -> pd.DataFrame:
        """Answer the table `games` as a pandas data frame, one row a game."""
        return self._frame("games")

    def deals(self) -> pd.DataFrame:
        """Answer the table `deals` as a pandas data frame, one row a deal and seat."""
        return self._frame("deals")

    def plays(self) -> pd.DataFrame:
        """Answer the table `plays` as a pandas data frame, one row a card."""
        return self._frame("plays")

    def dataset(self, table: str = "games") -> pa.Table:
        """Answer a table as a pyarrow table.

        Raises
        ------
        InputError
            The table was neither kept nor written.
        """
        from jokersim import store

        if self.stored is not None and table in self.stored.tables:
            return self.stored.table(table)
        return store.to_arrow(schema.tables(self.rules)[table], self._kept(table))

    def _frame(self, table: str) -> pd.DataFrame:
        from jokersim import frames

        if self.stored is not None and table in self.stored.tables:
            return frames.to_pandas(self.stored.table(table))
        return frames.columns_to_pandas(schema.tables(self.rules)[table], self._kept(table))

    def _kept(self, table: str) -> Sequence[Columns]:
        batches = self.kept.get(table)
        if batches is None:
            raise InputError(f"the table {table!r} was not kept: ask for it with tables=")
        return batches


def describe_run(
    rules: Rules,
    policies: Sequence[Policy],
    seed: int,
    sums: Any,
    level: float,
    where: str | None = None,
    deals: str | None = None,
) -> dict[str, Any]:
    """Answer the summary of a run without its speed: it follows from rules, names and sums.

    It is plain JSON: where one game gives no interval, its ends are None.
    """
    from jokersim import stats
    from jokersim.kernels.streams import SCHEME

    document: dict[str, Any] = {
        "schema": {"name": "jokersim/simulate", "version": 1},
        "game": rules.name,
        "rules": rules.changes(),
        "games": sums.games,
        "seed": None if seed < 0 else seed,
        "streams": None if seed < 0 else SCHEME,
        "policies": [policy.name for policy in policies],
    }
    if where is not None:
        document["where"] = where
    if deals is not None:
        document["deals"] = deals
    figures = stats.summarise(sums, rules, document["policies"], level)
    return document | {name: _json_ready(value) for name, value in figures.items()}


def _json_ready(value: Any) -> Any:
    """Put None where a figure is not finite, as strict JSON wants it."""
    if isinstance(value, dict):
        return {name: _json_ready(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_json_ready(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
