"""The progress of a run: on a terminal one line that is written over itself, else one a minute."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Final, Self

from jokersim.cli.output import Notes
from jokersim.cli.texttable import count, duration, large

__all__ = ["Progress"]

_EVERY: Final = 0.1
_LOG_EVERY: Final = 60.0
_CELLS: Final = 20


class Progress:
    """Shows games done, rate and time left; call it with the games done and all games.

    Use it in a ``with`` block, at whose end the line on a terminal disappears. Where stderr is a
    file, a line a minute is added to it.
    """

    def __init__(self, notes: Notes) -> None:
        self._notes = notes
        self._shown = not notes.quiet
        self._every = _EVERY if notes.on_terminal else _LOG_EVERY
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
            if not self._notes.on_terminal:
                self._last = now
        if now - self._last < self._every:
            return
        self._last = now
        fresh, seconds = done - self._first, now - self._began
        if self._notes.on_terminal:
            self._write(progress_line(done, games, fresh, seconds))
        else:
            self._notes.say(log_line(done, games, fresh, seconds))

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
    filled = int(done / games * _CELLS)
    return f"{'█' * filled}{'░' * (_CELLS - filled)} {int(100 * done / games):3d} %  " + (
        log_line(done, games, fresh, seconds)
    )


def log_line(done: int, games: int, fresh: int, seconds: float) -> str:
    """Write what is done, the rate and the time left.

    >>> log_line(500, 1000, 100, 2.0)
    '500 of 1,000 games, 3,000 a minute, 10.0 s left'
    """
    line = f"{count(done)} of {count(games)} games"
    if fresh and seconds:
        rate = fresh / seconds
        line += f", {large(60 * rate)} a minute, {duration((games - done) / rate)} left"
    return line
