"""Tells that kernels are being compiled, and how long it takes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from numba.core import event

__all__ = ["Watch", "watched"]


class Watch(event.Listener):
    """Hears of compilations; those that one kernel needs lie within its own."""

    def __init__(self, begun: Callable[[], None]) -> None:
        self.seconds = 0.0
        """The time spent on compiling so far."""
        self._begun = begun
        self._depth = 0
        self._told = False
        self._since = 0.0

    def on_start(self, event: Any) -> None:  # noqa: ARG002
        """Note that a compilation begins; tells of the first."""
        if not self._depth:
            self._since = time.perf_counter()
        self._depth += 1
        if not self._told:
            self._told = True
            self._begun()

    def on_end(self, event: Any) -> None:  # noqa: ARG002
        """Note that a compilation has ended."""
        self._depth -= 1
        if not self._depth:
            self.seconds += time.perf_counter() - self._since


@contextmanager
def watched(begun: Callable[[], None]) -> Iterator[Watch]:
    """Watch for compilations; `begun` is called when the first one begins, if any does.

    Code found on disk is no compilation. Compilations run one at a time, whatever the threads.
    """
    with event.install_listener("numba:compile", Watch(begun)) as watch:
        yield watch
