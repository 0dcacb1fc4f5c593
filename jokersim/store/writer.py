"""Writing a dataset: parts, their commit, the end of a run.

Owns the commit protocol: write in tmp, close, verify the footer, sync, rename, sync the folder,
then the marker. Whatever happens at whatever step, no half-written file is seen and the run can
go on.
"""

from __future__ import annotations

import contextlib
import hashlib
import threading
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Self

import numpy.typing as npt

from jokersim.errors import RunError
from jokersim.store import files, layout
from jokersim.store.gaps import Gaps, gaps
from jokersim.store.heartbeat import BeatingLock
from jokersim.store.layout import Marker, Run, TableFacts
from jokersim.store.remote import Place, Remote

if TYPE_CHECKING:
    from jokersim.store.table_writer import TableWriter

__all__ = ["Part", "Writer"]

# A cautious guess for what is not measured yet: classic games of `basic` take 11, 450 and 700.
_BYTES_A_GAME: Final = {"games": 16, "deals": 600, "plays": 900}
# Room for markers, run.json and whatever else is being written on the disk.
_RESERVE: Final = 16_000_000
_MB: Final = 1_000_000


class Writer:
    """A dataset's folder, open for writing; made by :func:`jokersim.store.create_or_open`.

    One thread at a time writes a part; different parts may be written by different threads.
    """

    def __init__(
        self,
        folder: Place,
        run: Run,
        lock: BeatingLock[Any] | None,
        markers: dict[tuple[int, int], Marker] | None = None,
    ) -> None:
        self.path = folder
        self.run = run
        self.run_id = run.run_id
        self._lock = lock
        self.begun: set[Path] = set()
        """Temporary files that this writer's parts opened, or were about to."""
        self._guard = threading.Lock()
        self._markers = layout.trusted_markers(folder, run) if markers is None else markers

    @property
    def address(self) -> str:
        """What :func:`jokersim.store.attach` finds the folder by in another process."""
        return self.path.address if isinstance(self.path, Remote) else str(self.path.resolve())

    def refresh(self) -> None:
        """Read the markers anew: other processes may have committed parts."""
        with files.reported(RunError, f"read the markers of {self.path}"):
            found = layout.trusted_markers(self.path, self.run)
        with self._guard:
            self._markers = found

    def markers(self) -> list[Marker]:
        """List the committed parts' markers, by game."""
        with self._guard:
            return [self._markers[span] for span in sorted(self._markers)]

    def pending(self) -> Gaps:
        """List the ranges still to be written, one a part: first game, and the one after the last.

        Parts end at multiples of the spec's ``part``, so a run that is extended goes on from its
        old end in a part of its own and leaves what stands untouched.
        """
        with self._guard:
            return gaps(self.run.span, self._markers, self.run.part)

    def part(self, start: int, stop: int) -> Part:
        """Begin the part of games ``start`` to ``stop - 1``; use it in a ``with`` block."""
        self._check_room(start, stop)
        return Part(self, start, stop)

    def needed(self, games: int) -> int:
        """Estimate the bytes of so many games: as those of the largest parts committed so far."""
        with self._guard:
            sizes = [
                sum(facts.size for facts in marker.tables.values()) / (marker.stop - marker.start)
                for marker in self._markers.values()
            ]
        guess = sum(_BYTES_A_GAME.get(table, 0) for table in self.run.columns)
        return int(games * (max(sizes) if sizes else guess))

    def free(self) -> int:
        """Answer the bytes that this user may still write on the folder's disk."""
        with files.reported(RunError, f"write in {self.path}"):
            return files.free_bytes(self.path)

    @property
    def on_this_disk(self) -> bool:
        """Whether the dataset lies on the disk that `free` tells of."""
        return not isinstance(self.path, Remote)

    @property
    def _here(self) -> str:
        return "" if self.on_this_disk else f" of {files.scratch(self.path)}, where parts are made,"

    def _check_room(self, start: int, stop: int) -> None:
        """Refuse to begin a part that the disk has no room for: ending before is cleaner."""
        needed, free = self.needed(stop - start) + _RESERVE, self.free()
        if free < needed:
            raise RunError(
                f"{self.path}: the disk{self._here} has {free / _MB:,.0f} MB left, and the next "
                f"part needs about {needed / _MB:,.0f}; free space, then go on with --resume"
            )

    def extend(self, games: int) -> None:
        """Lengthen a run that is no shard; what stands stays as it is."""
        if self.run.span != (0, self.run.games) or games < self.run.games:
            raise ValueError(f"a run of {self.run.games} games cannot be lengthened to {games}")
        self.check_lock()
        run = replace(self.run, games=games, span=(0, games))
        with files.reported(RunError, f"write run.json in {self.path}"):
            files.remove(self.path / "_SUCCESS")
            files.remove(self.path / "summary.json")
            files.write_whole(self.path / "run.json", run.to_bytes(), self.path)
        self.run = run

    def finish(self, summary: Mapping[str, Any]) -> None:
        """Write summary.json and _SUCCESS; every part must be committed."""
        if missing := self.pending():
            raise RunError(f"{self.path} is not complete: games from {missing[0][0]} are missing")
        self.check_lock()
        data = layout.readable(dict(summary))
        hashes = {
            "run.json": hashlib.sha256(self.run.to_bytes()).hexdigest(),
            "summary.json": hashlib.sha256(data).hexdigest(),
        }
        with files.reported(RunError, f"write the summary in {self.path}"):
            files.remove(self.path / "_SUCCESS")
            files.write_whole(self.path / "summary.json", data, self.path)
            files.write_whole(self.path / "_SUCCESS", layout.readable(hashes), self.path)

    def close(self) -> None:
        """Release the lock; calling it again is fine."""
        # An interrupt may come before a part knows that it has opened a file.
        for place in tuple(self.begun):
            with contextlib.suppress(OSError):
                place.unlink(missing_ok=True)
        self.begun.clear()
        if self._lock is not None:
            self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def check_lock(self) -> None:
        """Raise :class:`RunError` where the lock was lost to another process."""
        if self._lock is not None:
            self._lock.check()

    def standing(self, start: int, stop: int) -> Marker | None:
        """Answer the trusted marker of a part that stands already, also by another process."""
        span = (start, stop)
        if span not in self._markers:
            found = layout.trusted_marker(self.path, self.run, span)
            if found is not None:
                self.committed(found)
        with self._guard:
            return self._markers.get(span)

    def committed(self, marker: Marker) -> None:
        """Note a part whose marker was written."""
        with self._guard:
            self._markers[marker.start, marker.stop] = marker

    def remove_strays(self) -> None:
        """Remove parts and markers that no pending part will replace: they would count twice."""
        pending = self.pending()
        for table in (*self.run.columns, "parts"):
            suffix = ".json" if table == "parts" else ".parquet"
            for name in files.names_in(self.path / table):
                span = layout.parse_part(name, suffix)
                if span is not None and span not in self._markers and span not in pending:
                    files.remove(self.path / table / name)


class Part:
    """One part being written; nothing of it is seen before :meth:`commit`."""

    def __init__(self, writer: Writer, start: int, stop: int) -> None:
        from jokersim.store import parquet
        from jokersim.store.table_writer import TableWriter

        self.start = start
        self.stop = stop
        self._writer = writer
        self._name = layout.part_name(start, stop)
        self._last_game = dict.fromkeys(writer.run.columns, start)
        self._outputs: dict[str, files.OutputFile] = {}
        self._tables: dict[str, TableWriter] = {}
        self._done = False
        try:
            with files.reported(RunError, f"begin {self._name} in {writer.path}"):
                scratch = files.scratch(writer.path)
                for table, columns in writer.run.columns.items():
                    place = files.temporary(scratch, f"{table}-{self._name}.parquet")
                    writer.begun.add(place)
                    output = self._outputs[table] = files.OutputFile(place)
                    metadata = parquet.file_metadata(table, writer.run_id, columns)
                    self._tables[table] = TableWriter(output, columns, metadata)
        except BaseException:
            self.abort()
            raise

    def write(self, table: str, columns: Mapping[str, npt.NDArray[Any]]) -> None:
        """Add rows to a table: every declared column, of any length, sorted by game.

        The arrays may be reused when this returns. Encoding and hashing run without the
        interpreter lock for the most, so a thread of its own overlaps with the simulation.
        """
        self._check_games(table, columns["game"])
        with files.reported(RunError, f"write {table}/{self._name} in {self._writer.path}"):
            self._tables[table].write(columns)

    def _check_games(self, table: str, game: npt.NDArray[Any]) -> None:
        """Refuse rows out of order: chunks mixed up would else be written without a sound."""
        if len(game):
            first, last = int(game[0]), int(game[-1])
            if not self._last_game[table] <= first <= last < self.stop:
                raise ValueError(
                    f"{table} rows of games {first} to {last} do not follow "
                    f"{self._last_game[table]} within {self.start} to {self.stop - 1}"
                )
            self._last_game[table] = last

    def commit(self, sums: Mapping[str, Any]) -> Marker:
        """Make the part seen, and answer its marker.

        ``sums`` is a JSON object of integers (numpy's too). A part that stands already with the
        same rows is left as it is.
        """
        writer = self._writer
        plain = layout.plain_sums(sums)
        with files.reported(RunError, f"commit {self._name} in {writer.path}"):
            facts = {table: self._closed(table) for table in self._tables}
            if "games" in facts and facts["games"].rows != self.stop - self.start:
                raise ValueError(f"{self._name} was given {facts['games'].rows} rows of games")
            marker = Marker(writer.run_id, self.start, self.stop, facts, plain)
            writer.check_lock()
            standing = writer.standing(self.start, self.stop)
            if standing is not None:
                self._compare(standing, marker)
                self.abort()
                return standing
            for table, output in self._outputs.items():
                files.sync(output.path)
                target = layout.table_path(writer.path, table, self.start, self.stop)
                files.rename(output.path, target)
            place = layout.marker_path(writer.path, self.start, self.stop)
            files.write_whole(place, marker.to_bytes(), writer.path)
        self._done = True
        self._forget()
        writer.committed(marker)
        return marker

    def _closed(self, table: str) -> TableFacts:
        """Close a table's file, and see that it can be read."""
        from jokersim.store import parquet

        writer, output = self._tables[table], self._outputs[table]
        content = writer.close()
        found = parquet.footer(output.path)
        columns = self._writer.run.columns[table]
        wrong = (
            "its footer cannot be read"
            if found is None
            else found.complaint(writer.rows, columns, self._writer.run_id)
        )
        if wrong or files.size_of(output.path) != output.size:
            raise RunError(
                f"cannot commit {table}/{self._name}: what was written does not read back "
                f"({wrong or 'its size differs'}); is the disk sound?"
            )
        return TableFacts(writer.rows, output.size, output.sha256, content)

    def _compare(self, standing: Marker, ours: Marker) -> None:
        from jokersim.store import parquet
        from jokersim.store.content import is_same_kind

        for table, facts in ours.tables.items():
            there, content = standing.tables[table].content, facts.content
            if not is_same_kind(there, content):  # another version's marker
                columns = self._writer.run.columns[table]
                content = parquet.content_of(self._outputs[table].path, columns, there)
            if there != content:
                raise RunError(
                    f"{table}/{self._name} in {self._writer.path} stands already with other rows: "
                    "was it written by another version? verify the folder"
                )

    def abort(self) -> None:
        """Drop the part; nothing of it stays. Calling it again, or after a commit, is fine."""
        if not self._done:
            self._done = True
            for table in self._tables.values():
                table.discard()
            for output in self._outputs.values():
                output.discard()
            self._forget()

    def _forget(self) -> None:
        for output in self._outputs.values():
            self._writer.begun.discard(output.path)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.abort()
