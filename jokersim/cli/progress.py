"""The progress of a run, as one line that is written over itself; only on a terminal."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Final, Self

from jokersim.cli.output import Notes
from jokersim.cli.texttable import count, duration, large

__all__ = ["Progress"]

_EVERY: Final = 0.1
_CELLS: Final = 20


class Progress:
    """Shows games done, rate and time left; call it with the games done and all games.

    Use it in a ``with`` block, at whose end the line disappears.
    """

    def __init__(self, notes: Notes) -> None:
        self._shown = notes.on_terminal and not notes.quiet
        self._began = 0.0
        self._first = 0
        self._last = 0.0
        self._width = 0

    def __call__(self, done: int, games: int) -> None:
        """Show that `done` of `games` are played."""
        if not self._shown:
            return
        now = time.monotonic()
        if not self._began:
            # The first chunk is where counting begins: what a resumed run found does not count.
            self._began, self._first = now, done
        if now - self._last < _EVERY:
            return
        self._last = now
        self._write(progress_line(done, games, done - self._first, now - self._began))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._width:
            self._write("")

    def _write(self, line: str) -> None:
        sys.stderr.write("\r" + line.ljust(self._width) + ("" if line else "\r"))
        sys.stderr.flush()
        self._width = len(line)


def progress_line(done: int, games: int, fresh: int, seconds: float) -> str:
    """Write the line; `fresh` games were played in the `seconds` since counting began.

    >>> progress_line(500, 1000, 100, 2.0)
    '██████████░░░░░░░░░░  50 %  500 of 1,000 games, 3,000 a minute, 10.0 s left'
    """
    share = done / games
    filled = int(share * _CELLS)
    line = f"{'█' * filled}{'░' * (_CELLS - filled)} {int(100 * share):3d} %  "
    line += f"{count(done)} of {count(games)} games"
    if fresh and seconds:
        rate = fresh / seconds
        line += f", {large(60 * rate)} a minute, {duration((games - done) / rate)} left"
    return line
