"""Checking that a dataset is what its markers say; what the rows say is checked by simulation.

Every finding names a file. Nothing here repairs anything.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass

from jokersim.errors import InputError
from jokersim.store import files, layout
from jokersim.store.gaps import gaps
from jokersim.store.layout import Marker
from jokersim.store.reader import Dataset
from jokersim.store.remote import Place

__all__ = ["Finding", "check"]


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is not as it should be: the file, relative to the folder, and what it is."""

    file: str
    message: str

    def __str__(self) -> str:
        return f"{self.file}: {self.message}"


def check(dataset: Dataset) -> list[Finding]:
    """Compare every file of a dataset with its marker, and the markers with run.json.

    Finds a flipped byte, a missing, truncated, foreign or swapped part, an edited run.json or
    marker, and rows that are not those that were committed. Reads every byte once and decodes every
    row; memory stays within a row group.
    """
    with files.reported(InputError, f"read {dataset.path}"):
        return list(_findings(dataset))


def _findings(dataset: Dataset) -> Iterator[Finding]:
    folder, run_id = dataset.path, dataset.run.run_id
    finished = files.exists(folder / "_SUCCESS")
    yield from _run_findings(dataset)
    if finished:
        yield from _success_findings(folder)
    markers: dict[tuple[int, int], Marker] = {}
    for name, marker in layout.markers_in(folder):
        if isinstance(marker, str):
            yield Finding(f"parts/{name}", marker)
        elif marker.run_id != run_id:
            yield Finding(f"parts/{name}", "it belongs to another run than run.json")
        elif marker.tables.keys() != dataset.run.columns.keys():
            yield Finding(f"parts/{name}", "its tables are not those of run.json")
        else:
            markers[marker.start, marker.stop] = marker
    yield from _coverage_findings(dataset, markers, finished)
    for marker in markers.values():
        for table in dataset.tables:
            yield from _table_findings(dataset, marker, table)
    for table in dataset.tables:
        yield from _stray_findings(dataset, table, markers, finished)


def _run_findings(dataset: Dataset) -> Iterator[Finding]:
    found = json.loads(files.read(dataset.path / "run.json"))
    if found.get("run_id") != dataset.run.run_id:
        yield Finding("run.json", "its run id is not the sha256 of its spec: it was edited")


def _success_findings(folder: Place) -> Iterator[Finding]:
    try:
        written = dict(json.loads(files.read(folder / "_SUCCESS")))
    except (ValueError, TypeError):
        yield Finding("_SUCCESS", "it is not what finishing a run writes")
        return
    for name in ("run.json", "summary.json"):
        path = folder / name
        if not files.exists(path):
            yield Finding(name, "it is missing")
        elif hashlib.sha256(files.read(path)).hexdigest() != written.get(name):
            yield Finding(name, "it was changed after the run was finished")


def _coverage_findings(
    dataset: Dataset, markers: dict[tuple[int, int], Marker], finished: bool
) -> Iterator[Finding]:
    start, stop = dataset.run.span
    at = start
    for begin, end in sorted(markers):
        name = f"parts/{layout.part_name(begin, end)}.json"
        if begin < start or end > stop:
            yield Finding(name, f"it is outside games {start} to {stop - 1} of run.json")
        elif begin < at:
            yield Finding(name, "its games are in another part too")
        at = max(at, end)
    if finished:
        for begin, end in gaps((start, stop), markers, dataset.run.part):
            yield Finding(f"parts/{layout.part_name(begin, end)}.json", "it is missing")


def _table_findings(dataset: Dataset, marker: Marker, table: str) -> Iterator[Finding]:
    """Find the first thing that is wrong with one table of one part."""
    from jokersim.store import parquet

    path = layout.table_path(dataset.path, table, marker.start, marker.stop)
    facts, columns = marker.tables[table], dataset.run.columns[table]
    name = f"{table}/{path.name}"
    size = files.size_of(path)
    if size < 0:
        yield Finding(name, "it is missing")
    elif size != facts.size:
        yield Finding(name, f"it has {size} bytes, its marker says {facts.size}")
    elif (found := parquet.footer(path)) is None:
        yield Finding(name, "it is no Parquet file, or its footer is damaged")
    elif wrong := found.complaint(facts.rows, columns, marker.run_id):
        yield Finding(name, wrong)
    elif files.digest(path) != facts.sha256:
        yield Finding(name, "its bytes are not those that were committed (sha256 differs)")
    elif parquet.content_of(path, columns, facts.content) != facts.content:
        yield Finding(name, "its rows are not those that were committed (content hash differs)")


def _stray_findings(
    dataset: Dataset, table: str, markers: dict[tuple[int, int], Marker], finished: bool
) -> Iterator[Finding]:
    """Find files that no marker speaks for.

    While a run is not finished, a whole part of it without a marker is what an interruption leaves.
    """
    from jokersim.store import parquet

    for name in files.names_in(dataset.path / table):
        span = layout.parse_part(name, ".parquet")
        if span is None:
            yield Finding(f"{table}/{name}", "it is no part of this dataset: move it elsewhere")
        elif span not in markers:
            found = parquet.footer(dataset.path / table / name)
            if found is None or found.metadata.get("jokersim.run_id") != dataset.run.run_id:
                yield Finding(f"{table}/{name}", "it belongs to another run: move it elsewhere")
            elif finished:
                yield Finding(f"{table}/{name}", "no commit marker speaks for it")
