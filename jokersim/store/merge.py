"""Merging shards of one run into the folder that one run would have written.

Copies whole parts, checked against their markers on the way; never decodes a row.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence

from jokersim.errors import CheckError, InputError, RunError, SpecError
from jokersim.store import files, layout
from jokersim.store.layout import Marker, Run
from jokersim.store.opening import Warn, open_run
from jokersim.store.reader import Dataset, read
from jokersim.store.remote import Place, located
from jokersim.store.writer import Writer

__all__ = ["merge"]

_log = logging.getLogger("jokersim.store")


def merge(
    out: str | Place,
    folders: Sequence[str | Place],
    *,
    resume: bool = False,
    overwrite: bool = False,
    warn: Warn = _log.warning,
) -> Writer:
    """Copy the parts of shards of one run into one folder.

    Parameters
    ----------
    out : path
        The folder to write; the same rules as for a run.
    folders : sequence of paths
        The shards, in any order; together they must hold every game once.

    Returns
    -------
    Writer
        Open, with nothing pending: the caller makes the summary from its markers, finishes and
        closes it.

    Raises
    ------
    InputError
        A game is missing or held twice, or a folder is no dataset.
    SpecError
        The shards are not of one run; each differing field is named.
    CheckError
        A part is not what its marker says.
    """
    shards = [read(folder) for folder in folders]
    if not shards:
        raise InputError("merge needs at least one shard: name the folders after OUT")
    first = shards[0]
    for shard in shards[1:]:
        _same_run(first, shard)
    parts = _covered(shards)
    run = Run(first.spec, first.games, (0, first.games), first.run.columns, first.run.versions)
    writer = open_run(located(out), run, resume=resume, overwrite=overwrite, warn=warn)
    try:
        done = {(marker.start, marker.stop) for marker in writer.markers()}
        for marker, shard in parts:
            if (marker.start, marker.stop) not in done:
                _copy_part(writer, marker, shard)
    except BaseException:
        writer.close()
        raise
    return writer


def _same_run(first: Dataset, shard: Dataset) -> None:
    differing = layout.differences(first.spec, shard.spec)
    differing += layout.differences(first.run.columns, shard.run.columns, "columns")
    differing += layout.differences(first.games, shard.games, "games")
    if differing:
        raise SpecError(
            f"{shard.path} is no shard of the run in {first.path}, it differs in "
            f"{'; '.join(differing)}"
        )


def _covered(shards: Sequence[Dataset]) -> list[tuple[Marker, Dataset]]:
    """List all parts by game; refuses a game that is missing or held twice."""
    parts = sorted(
        ((marker, shard) for shard in shards for marker in shard.markers()),
        key=lambda part: (part[0].start, part[0].stop),
    )
    at = 0
    for marker, shard in parts:
        if marker.start < at:
            raise InputError(
                f"{shard.path} holds games {marker.start} to {min(at, marker.stop) - 1} once more: "
                "name each shard once"
            )
        if marker.start > at:
            break
        at = marker.stop
    games = shards[0].games
    if at < games:
        upto = min((marker.start for marker, _ in parts if marker.start > at), default=games)
        raise InputError(
            f"games {at} to {upto - 1} of {games} are in none of the shards: "
            "finish that shard with --resume, or name it too"
        )
    return parts


def _copy_part(writer: Writer, marker: Marker, shard: Dataset) -> None:
    name = layout.part_name(marker.start, marker.stop)
    copies: dict[str, files.OutputFile] = {}
    try:
        with files.reported(RunError, f"copy {name} from {shard.path} to {writer.path}"):
            for table, facts in marker.tables.items():
                source = layout.table_path(shard.path, table, marker.start, marker.stop)
                copies[table] = files.copy(source, writer.path)
                if copies[table].sha256 != facts.sha256:
                    raise CheckError(f"{source} is not what its marker says: verify {shard.path}")
            writer.check_lock()
            for table, output in copies.items():
                target = layout.table_path(writer.path, table, marker.start, marker.stop)
                files.rename(output.path, target)
            place = layout.marker_path(writer.path, marker.start, marker.stop)
            files.write_whole(place, marker.to_bytes(), writer.path)
    except BaseException:
        for output in copies.values():
            output.discard()
        raise
    writer.committed(marker)
