"""Who plays the games of a run: threads of this process, or whatever keeps the same promises.

The loops over chunks and over the parts of a dataset, with their progress and wall time. What is
played, and why, is decided elsewhere.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Generator, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, closing
from typing import TYPE_CHECKING, Any, Protocol, Self

from jokersim.simulate.chunk import Chunk, Player, Sums
from jokersim.simulate.pipeline import ChunkSizes, chunks

if TYPE_CHECKING:
    from jokersim.store import Part, Writer

__all__ = ["Progress", "Span", "Threads", "Workers", "fill", "write_part"]

_log = logging.getLogger("jokersim.simulate")

Progress = Callable[[int, int], None]
"""Told the games done and the games of the whole run, a few times a second."""

Span = tuple[int, int]
"""The first game of a range and the one after its last."""


class Workers(Protocol):
    """Play games of one setup, in any order, and answer or commit them in order."""

    seconds: float
    """Wall time of the games so far."""

    def chunks(self, spans: Iterable[Span], done: int = 0) -> Generator[Chunk[Any], None, None]:
        """Play the spans; `done` games of the run were played before."""

    def write(self, writer: Writer, spans: Sequence[Span], done: int = 0) -> None:
        """Play parts of a dataset and commit each."""


class Threads:
    """Threads over chunks; see `jokersim.simulate.pipeline`."""

    def __init__(
        self,
        player: Player,
        threads: int,
        sizes: ChunkSizes,
        games: int,
        progress: Progress | None,
    ) -> None:
        self.seconds = 0.0
        self._games = games
        self._player = player
        self._threads = threads
        self._sizes = sizes
        self._progress = progress

    def chunks(self, spans: Iterable[Span], done: int = 0) -> Generator[Chunk[Any], None, None]:
        """Play the spans, telling the progress; adds the wall time to `seconds`."""
        began = time.perf_counter()
        try:
            with closing(chunks(self._player, iter(spans), self._threads, self._sizes)) as played:
                for chunk in played:
                    yield chunk
                    done += chunk.stop - chunk.start
                    if self._progress is not None:
                        self._progress(done, self._games)
        finally:
            self.seconds += time.perf_counter() - began

    def write(self, writer: Writer, spans: Sequence[Span], done: int = 0) -> None:
        """Play and commit parts; an interrupted part is dropped, the one before it committed."""
        with closing(self.chunks(spans, done)) as played, _Commits() as commits:
            for start, stop in spans:
                with ExitStack() as held:
                    part = held.enter_context(writer.part(start, stop))
                    sums = fill(part, stop, played)
                    commits.wait()
                    commits.begin(part, sums, held.pop_all())


class _Commits:
    """Commits parts one after the other in a thread of its own, while the next one is played.

    What a disk takes to say that it has a part would else hold up the play.
    """

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="jokersim-commit")
        self._last: Future[object] | None = None

    def begin(self, part: Part, sums: dict[str, Any], held: ExitStack) -> None:
        """Commit a part, whose context is handed over; `wait` for the one before first."""
        self._last = self._pool.submit(_commit, part, sums, held)

    def wait(self) -> None:
        """Wait for the last part; raises what its commit failed with."""
        last, self._last = self._last, None
        if last is not None:
            last.result()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: object
    ) -> None:
        try:
            self._pool.shutdown()
        except BaseException:  # interrupted (again): what is being committed is still finished
            self._pool.shutdown()
            raise
        if error is None:
            self.wait()
        elif self._last is not None and (failed := self._last.exception()) is not None:
            if isinstance(error, Exception):
                raise failed from error
            _log.warning(str(failed))


def _commit(part: Part, sums: dict[str, Any], held: ExitStack) -> None:
    with held:
        part.commit(sums)


def write_part(writer: Writer, start: int, stop: int, played: Iterable[Chunk[Any]]) -> None:
    """Write and commit one part from the chunks that come next."""
    with writer.part(start, stop) as part:
        part.commit(fill(part, stop, played))


def fill(part: Part, stop: int, played: Iterable[Chunk[Any]]) -> dict[str, Any]:
    """Write a part from the chunks that come next, up to that which ends at `stop`: its sums."""
    sums: Sums | None = None
    for chunk in played:
        for table, columns in chunk.tables.items():
            part.write(table, columns)
        chunk.release()
        if sums is None:
            sums = chunk.sums
        else:
            sums.add(chunk.sums)
        if chunk.stop == stop:
            break
    assert sums is not None
    return sums.to_json()
