"""From a setup to its dataset: the specification, the parts still to be played, the end of it."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from jokersim import schema
from jokersim._version import __version__
from jokersim.errors import InputError
from jokersim.simulate.chunk import Setup
from jokersim.simulate.precision import Precision, looks
from jokersim.simulate.result import Run, describe_run
from jokersim.simulate.shards import Shard, shard_span
from jokersim.simulate.work import Workers

if TYPE_CHECKING:
    from jokersim.store import Writer

__all__ = [
    "SUMMARY_LEVEL",
    "Target",
    "added",
    "describe",
    "finish",
    "games_of",
    "opened",
    "part_of",
    "spec_of",
    "write_dataset",
    "write_until",
]

_log = logging.getLogger("jokersim.simulate")

SUMMARY_LEVEL: Final = 0.95
"""Level of summary.json, whatever the run prints: equal specifications give equal files."""


@dataclass(frozen=True, slots=True)
class Target:
    """Where a dataset is written, and how it may be begun."""

    out: str | Path
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
        _warn_of_room(writer, pending.games)
        workers.write(writer, pending, stop - start - pending.games)
        sums = finish(setup, writer)
    return Run(
        setup.rules, setup.policies, setup.seed, sums, workers.seconds, level,
        stored=store.read(target.out), where=setup.where, deals_sha256=setup.deals_sha256,
    )  # fmt: skip


def write_until(
    setup: Setup,
    workers: Workers,
    games: int,
    target: Target,
    level: float,
    precision: Precision,
) -> Run:
    """Play games into a dataset until a precision is reached, at most a number of them.

    The run is lengthened look by look, as if it were resumed with more games, and its parts end at
    the looks; so what stands after an interruption says how far it came.
    """
    from jokersim import store

    if target.shard is not None:
        raise InputError("a shard has its games given: precision cannot decide on their number")
    plan = list(looks(games))
    first = max(plan[0], _standing(target))
    with opened(setup, first, target) as writer:
        sums: Any = None
        at, reached = 0, False
        for look in plan:
            if look > writer.run.games:
                writer.extend(look)
            sums = added(sums, _sums_between(setup, workers, writer, at, look))
            at = look
            reached = precision.reached(describe(setup, sums, level))
            if reached:
                break
        if at < writer.run.games:
            # A run of more games stood there already; it is not shortened.
            workers.write(writer, writer.pending(), at)
            sums = sums_of(setup, writer)
            reached = precision.reached(describe(setup, sums, level))
        finish(setup, writer)
    return Run(
        setup.rules, setup.policies, setup.seed, sums, workers.seconds, level,
        stored=store.read(target.out), where=setup.where, reached=reached,
        deals_sha256=setup.deals_sha256,
    )  # fmt: skip


def _standing(target: Target) -> int:
    """Answer the games of the run that is to be gone on with, 0 where there is none."""
    from jokersim import store

    if not (target.resume and store.holds_run(target.out)):
        return 0
    return store.read(target.out).games


def _sums_between(setup: Setup, workers: Workers, writer: Writer, start: int, stop: int) -> Any:
    """Play what is missing of a range, and answer its sums."""
    missing = [(max(a, start), min(b, stop)) for a, b in writer.pending() if a < stop and b > start]
    workers.write(writer, missing, start)
    own = [marker for marker in writer.markers() if marker.start < stop and marker.stop > start]
    if own[0].start >= start and own[-1].stop <= stop:
        from jokersim import stats

        return stats.added(setup.rules, (marker.sums for marker in own))
    # Parts of a run that was begun without this precision reach across: their games are played
    # once more, for the sums alone.
    sums = None
    with closing(workers.chunks([(start, stop)], start)) as played:
        for chunk in played:
            sums = added(sums, chunk.sums)
    return sums


def _warn_of_room(writer: Writer, games: int) -> None:
    """Say before the start that the disk may not hold the whole run; it is gone on with later."""
    needed, free = writer.needed(games), writer.free()
    if writer.on_this_disk and needed > free:
        _log.warning(
            f"{writer.path} will need about {needed / 1e9:,.1f} GB, and its disk has "
            f"{free / 1e9:,.1f} left: the run stops in order when the next part finds no room"
        )


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
    sums = sums_of(setup, writer)
    deals = writer.run.spec.get("deals")
    writer.finish(
        describe_run(
            setup.rules, setup.policies, setup.seed, sums, SUMMARY_LEVEL, setup.where, deals
        )
    )
    return sums


def sums_of(setup: Setup, writer: Writer) -> Any:
    """Add up the sums of the committed parts."""
    from jokersim import stats

    return stats.added(setup.rules, (marker.sums for marker in writer.markers()))


def describe(setup: Setup, sums: Any, level: float) -> dict[str, Any]:
    """Answer the summary that sums give."""
    return describe_run(
        setup.rules, setup.policies, setup.seed, sums, level, setup.where, setup.deals_sha256
    )


def added(sums: Any, more: Any) -> Any:
    """Add sums to others, of which there may be none yet."""
    if sums is None:
        return more
    sums.add(more)
    return sums


def spec_of(setup: Setup, part: int) -> Mapping[str, Any]:
    """Answer all that decides the rows of a dataset and how they lie in files."""
    from jokersim.kernels.streams import SCHEME

    spec = {
        "game": setup.rules.name,
        "rules": setup.rules.options(),
        "policies": [policy.spec() for policy in setup.policies],
        "seed": setup.seed,
        "streams": SCHEME,
        "tables": list(setup.tables),
        "where": setup.where,
        "part": part,
        "schema_version": schema.SCHEMA_VERSION,
    }
    # Only where there are any, so that other runs keep their ids.
    return spec | ({} if setup.deals is None else {"deals": setup.deals.sha256})
