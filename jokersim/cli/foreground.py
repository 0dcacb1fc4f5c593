"""Calls that compile, so that an interrupt need not wait for them.

The compiler holds the main thread for seconds in which no signal is heard. So what may compile runs
in a thread that can be left behind, while the main thread waits and listens.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

__all__ = ["left_behind", "wait_for"]

T = TypeVar("T")

_left: list[threading.Thread] = []


def wait_for(call: Callable[[], T]) -> T:
    """Call in a thread, and answer or raise what it does.

    An exception that comes to the main thread meanwhile (an interrupt) leaves the call behind.
    """
    answers: list[T] = []
    errors: list[BaseException] = []
    done = threading.Event()

    def work() -> None:
        try:
            answers.append(call())
        except BaseException as error:  # noqa: BLE001 - raised again where it was asked for
            errors.append(error)
        finally:
            done.set()

    thread = threading.Thread(target=work, name="jokersim-compile", daemon=True)
    _left[:] = [one for one in _left if one.is_alive()]
    try:
        thread.start()
        done.wait()
    except BaseException:
        _left.append(thread)
        raise
    if errors:
        raise errors[0]
    return answers[0]


def left_behind() -> bool:
    """Tell whether a call that was left behind still runs."""
    return any(thread.is_alive() for thread in _left)
