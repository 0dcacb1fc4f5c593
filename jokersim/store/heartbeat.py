"""What the locks of a dataset share: a token, a beat that shows life, and what they say.

Owns ``tmp/lock``. The file names its holder only while it is held; a finished dataset has none.
"""

from __future__ import annotations

import contextlib
import threading
import uuid
from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any, Final, Generic, TypeVar

from jokersim.errors import RunError, SpecError
from jokersim.store.remote import Place, Remote

__all__ = ["STALE_SECONDS", "BeatingLock", "refusal", "taken_over"]

STALE_SECONDS: Final = 60.0
BEAT_SECONDS: Final = 10.0


P = TypeVar("P", Path, Remote)


class BeatingLock(ABC, Generic[P]):
    """A lock that is held from construction to :meth:`release`, and beats in between."""

    def __init__(self, folder: P) -> None:
        self._folder: P = folder
        self._path: P = folder / "tmp" / "lock"
        self._token = uuid.uuid4().hex
        self._stopped = threading.Event()
        self._beat = threading.Thread(target=self._beats, name="jokersim-lock", daemon=True)

    @abstractmethod
    def _holder(self) -> dict[str, Any]:
        """Read who holds the lock; empty where nobody does."""

    @abstractmethod
    def _renew(self) -> None:
        """Show that the holder lives."""

    def _ours(self) -> bool:
        try:
            return self._holder().get("token") == self._token
        except OSError:
            return False

    def _beats(self) -> None:
        while not self._stopped.wait(BEAT_SECONDS):
            with contextlib.suppress(OSError):  # a lost folder shows itself at the next commit
                if self._ours():
                    self._renew()

    def check(self) -> None:
        """Raise :class:`RunError` where another process took the lock over, or it is gone."""
        if not self._ours():
            raise RunError(
                f"{self._folder} is no longer locked by this run: it was removed, or another "
                "process took it over; see to that, then go on with --resume"
            )

    def release(self) -> None:
        """Give the lock back; calling it again is fine."""
        if self._stopped.is_set():
            return
        self._stopped.set()
        self._beat.join()
        with contextlib.suppress(OSError):
            if self._ours():
                self._path.unlink()
        self._close()

    @abstractmethod
    def _close(self) -> None:
        """Let go of what the lock holds open; called once."""


def refusal(folder: Place, holder: dict[str, Any]) -> SpecError:
    """Answer, as an exception, that somebody else writes in the folder."""
    return SpecError(
        f"{folder} is being written by {_named(holder)}: wait until it has ended, "
        "or choose another folder"
    )


def taken_over(folder: Place, holder: dict[str, Any], silent: float | None) -> str:
    """Say whose lock was taken over, who has ended or been silent for so many seconds."""
    since = "which has ended" if silent is None else f"silent for {silent:.0f} s"
    return f"{folder}: took over the lock of {_named(holder)}, {since}"


def _named(holder: dict[str, Any]) -> str:
    if not holder:
        return "another process"
    return f"process {holder.get('pid')} on {holder.get('host')}"
