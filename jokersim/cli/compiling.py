"""Says when kernels are compiled, and compiles them where an interrupt is heard."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, TypeVar

from jokersim.cli import foreground
from jokersim.cli.output import Notes
from jokersim.cli.texttable import duration

__all__ = ["compile_first"]

T = TypeVar("T")

_MORE_THAN_LOADED: Final = 200_000
"""Objects: twice what the compiler comes with."""


@contextmanager
def _loading() -> Iterator[None]:
    """Let the garbage collector rest while the compiler is loaded, if it is not there yet.

    A hundred thousand objects come with it, and stay as long as the process. The collector would go
    over them again and again; so it waits until there are more of them than that, and passes over
    what has come by then for good.
    """
    if "numba" in sys.modules:
        yield
        return
    before = gc.get_threshold()
    gc.set_threshold(_MORE_THAN_LOADED)
    try:
        yield
    finally:
        gc.freeze()
        gc.set_threshold(*before)


def compile_first(notes: Notes, call: Callable[[], T], what: str = "the simulation kernels") -> T:
    """Make a small call that uses kernels; says if they must be compiled, and how long it took."""
    with _loading():
        from jokersim.kernels.jit import cache_folder
        from jokersim.kernels.watch import watched

        def begun() -> None:
            kept = ", once: later runs find them ready" if cache_folder() else ""
            notes.say(f"compiling {what}{kept}")

        with watched(begun) as watch:
            answer = foreground.wait_for(call)
    if watch.seconds:
        notes.say(f"compiled in {duration(watch.seconds)}")
    return answer
