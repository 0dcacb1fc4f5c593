"""Chunks over threads, in order: the one loop that every simulation runs in.

Kernels release the interpreter lock, so plain threads use all cores. Results come in the order of
games, a few chunks ahead of the consumer, so memory does not depend on the number of games.
"""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Final

from jokersim.simulate.chunk import Chunk, Player

__all__ = ["ChunkSizes", "chunks", "cut", "usable_processors"]

_SECONDS_A_CHUNK: Final = 0.3
_FIRST_CHUNK: Final = 64
# A batch is written in one call, during which no interrupt is heard.
_MAX_ROWS: Final = 500_000
_AHEAD: Final = 2


def usable_processors() -> int:
    """Answer the number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class ChunkSizes:
    """Chooses how many games the next chunk holds: a fixed number, or some 0.3 s of work.

    Sizes follow the speed seen so far and the memory that the tables need; they never show in
    results. Where that is not far off, a chunk ends after a multiple of `even` games of its span.
    """

    def __init__(self, rows_a_game: int, fixed: int | None = None, even: int = 1) -> None:
        self._most = max(1, _MAX_ROWS // max(1, rows_a_game))
        self._fixed = fixed
        self._even = even
        self._next = float(min(_FIRST_CHUNK, self._most))

    def next(self, done: int = 0) -> int:
        """Answer the games of the next chunk, after so many of its span."""
        if self._fixed:
            return self._fixed
        games = max(1, int(self._next))
        end = (done + games) // self._even * self._even
        return end - done if 2 * (end - done) > games else games

    def note(self, games: int, seconds: float) -> None:
        """Learn from a chunk that was played."""
        wanted = games * _SECONDS_A_CHUNK / max(seconds, 1e-6)
        # At most fourfold at a time: the first chunks are short and say little.
        self._next = max(1.0, min(wanted, 4 * self._next, float(self._most)))


def chunks(
    player: Player, spans: Iterator[tuple[int, int]], threads: int, sizes: ChunkSizes
) -> Generator[Chunk[Any], None, None]:
    """Play the games of the spans and answer their chunks in order.

    A chunk never crosses the end of a span. Closing the iterator, or an exception in it, drops what
    was not answered yet; chunks in work end by themselves within a fraction of a second.
    """
    pool = ThreadPoolExecutor(threads, thread_name_prefix="jokersim")
    waiting: deque[Future[tuple[Chunk[Any], float]]] = deque()
    work = cut(spans, sizes)
    try:
        for start, stop in work:
            waiting.append(pool.submit(_timed, player.play, start, stop))
            if len(waiting) >= threads * _AHEAD:
                yield _take(waiting, sizes)
        while waiting:
            yield _take(waiting, sizes)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def cut(spans: Iterator[tuple[int, int]], sizes: ChunkSizes) -> Iterator[tuple[int, int]]:
    """Cut spans into chunks of the sizes that are due when each is asked for."""
    for start, stop in spans:
        at = start
        while at < stop:
            end = min(at + sizes.next(at - start), stop)
            yield at, end
            at = end


def _timed(
    play: Callable[[int, int], Chunk[Any]], start: int, stop: int
) -> tuple[Chunk[Any], float]:
    began = time.perf_counter()
    return play(start, stop), time.perf_counter() - began


def _take(waiting: deque[Future[tuple[Chunk[Any], float]]], sizes: ChunkSizes) -> Chunk[Any]:
    chunk, seconds = waiting.popleft().result()
    sizes.note(chunk.stop - chunk.start, seconds)
    return chunk
