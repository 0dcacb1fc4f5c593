"""From a setup to its dataset: the specification, the parts still to be played, the end of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from jokersim import schema
from jokersim._version import __version__
from jokersim.errors import InputError
from jokersim.simulate.chunk import Setup
from jokersim.simulate.result import Run, describe_run
from jokersim.simulate.shards import Shard, shard_span
from jokersim.simulate.work import Workers

if TYPE_CHECKING:
    from jokersim.store import Writer

__all__ = [
    "SUMMARY_LEVEL",
    "Target",
    "finish",
    "games_of",
    "opened",
    "part_of",
    "spec_of",
    "write_dataset",
]

SUMMARY_LEVEL: Final = 0.95
"""Level of summary.json, whatever the run prints: equal specifications give equal files."""


@dataclass(frozen=True, slots=True)
class Target:
    """Where a dataset is written, and how it may be begun."""

    out: Path
    part: int | None = None
    shard: Shard | None = None
    resume: bool = False
    overwrite: bool = False


def part_of(setup: Setup, target: Target) -> int:
    """Answer the games of a part: those asked for, else the tables' default."""
    from jokersim import store

    return target.part or store.default_part(setup.tables)


def games_of(setup: Setup, games: int, target: Target) -> int:
    """Answer how many of the run's games the folder gets."""
    if target.shard is None:
        return games
    start, stop = shard_span(target.shard, games, part_of(setup, target))
    return stop - start


def write_dataset(setup: Setup, workers: Workers, games: int, target: Target, level: float) -> Run:
    """Play what is missing of a run, or of a shard of it, and answer the run that stands then."""
    from jokersim import store

    with opened(setup, games, target) as writer:
        pending = writer.pending()
        start, stop = writer.run.span
        workers.write(writer, pending, stop - start - sum(b - a for a, b in pending))
        sums = finish(setup, writer)
    return Run(
        setup.rules, setup.policies, setup.seed, sums, workers.seconds, level,
        stored=store.read(target.out),
    )  # fmt: skip


def opened(setup: Setup, games: int, target: Target) -> Writer:
    """Open the folder of a dataset for writing."""
    from jokersim import store

    if not setup.tables:
        raise InputError("a dataset has at least one table: games, deals or plays")
    declared = schema.tables(setup.rules)
    part = part_of(setup, target)
    return store.create_or_open(
        target.out,
        spec_of(setup, part),
        games,
        {table: declared[table] for table in setup.tables},
        span=None if target.shard is None else shard_span(target.shard, games, part),
        versions={"jokersim": __version__},
        resume=target.resume,
        overwrite=target.overwrite,
    )


def finish(setup: Setup, writer: Writer) -> Any:
    """Write the summary of a dataset of which every part is committed; answers its sums."""
    from jokersim import stats

    sums = stats.added(setup.rules, (marker.sums for marker in writer.markers()))
    writer.finish(describe_run(setup.rules, setup.policies, setup.seed, sums, SUMMARY_LEVEL))
    return sums


def spec_of(setup: Setup, part: int) -> Mapping[str, Any]:
    """Answer all that decides the rows of a dataset and how they lie in files."""
    from jokersim.kernels.streams import SCHEME

    return {
        "game": setup.rules.name,
        "rules": setup.rules.options(),
        "policies": [policy.spec() for policy in setup.policies],
        "seed": setup.seed,
        "streams": SCHEME,
        "tables": list(setup.tables),
        "where": None,
        "part": part,
        "schema_version": schema.SCHEMA_VERSION,
    }
