"""Says when kernels are compiled, and compiles them where an interrupt is heard."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from jokersim.cli import foreground
from jokersim.cli.output import Notes
from jokersim.cli.texttable import duration

__all__ = ["compile_first"]

T = TypeVar("T")


def compile_first(notes: Notes, call: Callable[[], T], what: str = "the simulation kernels") -> T:
    """Make a small call that uses kernels; says if they must be compiled, and how long it took."""
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
