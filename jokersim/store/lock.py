"""One writer a folder: ``flock`` on one host, a heartbeat in the lock's file time elsewhere.

Owns ``tmp/lock``. The file names its holder only while it is held; a finished dataset has none.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import socket
import threading
import time
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from jokersim.errors import RunError, SpecError
from jokersim.store import files
from jokersim.store.remote import Place

try:
    import fcntl
except ImportError:  # Windows: the heartbeat alone
    fcntl = None  # type: ignore[assignment]

__all__ = ["STALE_SECONDS", "Lock"]

STALE_SECONDS: Final = 60.0
BEAT_SECONDS: Final = 10.0

_TAKEN: Final = (errno.EWOULDBLOCK, errno.EAGAIN, errno.EACCES)


class Lock:
    """The lock of a dataset's folder, held from construction to :meth:`release`.

    Raises :class:`SpecError` where another process holds it. A lock left behind by a process that
    ended, or whose heartbeat stopped 60 seconds ago on another host, is taken over; ``warn`` is
    told.
    """

    def __init__(self, folder: Path, warn: Callable[[str], None]) -> None:
        self._folder = folder
        self._path = folder / "tmp" / "lock"
        self._token = uuid.uuid4().hex
        self._stopped = threading.Event()
        self._descriptor, by_flock = self._open()
        try:
            self._take(by_flock, warn)
        except SpecError:
            os.close(self._descriptor)
            raise
        except BaseException:
            with contextlib.suppress(OSError):
                self._path.unlink(missing_ok=True)
            os.close(self._descriptor)
            raise
        self._beat = threading.Thread(target=self._beats, name="jokersim-lock", daemon=True)
        self._beat.start()

    def _open(self) -> tuple[int, bool]:
        """Open the lock's file and flock it; tells whether flock works here."""
        while True:
            files.step("open", self._path)
            descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o644)
            by_flock = False
            if fcntl is not None:
                try:
                    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    by_flock = True
                except OSError as error:
                    if error.errno in _TAKEN:
                        holder = _holder(descriptor)
                        os.close(descriptor)
                        raise refusal(self._folder, holder) from None
                    # Some network file systems know no flock: the heartbeat decides.
            # The last holder may have removed the file between our open and our flock.
            with contextlib.suppress(FileNotFoundError):
                if os.fstat(descriptor).st_ino == self._path.stat().st_ino:
                    return descriptor, by_flock
            os.close(descriptor)

    def _take(self, by_flock: bool, warn: Callable[[str], None]) -> None:
        holder = _holder(self._descriptor)
        if holder:
            same_host = holder.get("host") == socket.gethostname()
            age = self._age()
            if not (by_flock and same_host) and age < STALE_SECONDS:
                raise refusal(self._folder, holder)
            warn(taken_over(self._folder, holder, None if by_flock and same_host else age))
        holding = {"host": socket.gethostname(), "pid": os.getpid(), "token": self._token}
        files.step("write", self._path)
        data = json.dumps(holding).encode()
        os.ftruncate(self._descriptor, 0)
        os.pwrite(self._descriptor, data, 0)

    def _age(self) -> float:
        """Answer the heartbeat's age by the clock that also set it: the file system's."""
        probe = files.temporary(self._path.parent, "clock")
        try:
            files.OutputFile(probe).close()
            now = probe.stat().st_mtime
        except OSError:
            now = time.time()
        finally:
            with contextlib.suppress(OSError):
                probe.unlink(missing_ok=True)
        return now - os.fstat(self._descriptor).st_mtime

    def _beats(self) -> None:
        while not self._stopped.wait(BEAT_SECONDS):
            with contextlib.suppress(OSError):  # a lost folder shows itself at the next commit
                if self._ours():
                    files.touch(self._path)

    def _ours(self) -> bool:
        try:
            return bool(json.loads(self._path.read_bytes()).get("token") == self._token)
        except (OSError, ValueError, AttributeError):
            return False

    def check(self) -> None:
        """Raise :class:`RunError` where another process took the lock over, or it is gone."""
        if not self._ours():
            raise RunError(lost(self._folder))

    def release(self) -> None:
        """Give the lock back; calling it again is fine."""
        if self._stopped.is_set():
            return
        self._stopped.set()
        self._beat.join()
        with contextlib.suppress(OSError):
            if self._ours():
                self._path.unlink()
        with contextlib.suppress(OSError):
            os.close(self._descriptor)


def _holder(descriptor: int) -> dict[str, Any]:
    """Read who holds the lock; empty where nobody wrote, or it cannot be read."""
    try:
        found = json.loads(os.pread(descriptor, 4096, 0) or b"{}")
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


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


def lost(folder: Place) -> str:
    """Say that the lock is not ours any more."""
    return (
        f"{folder} is no longer locked by this run: it was removed, or another process took it "
        "over; see to that, then go on with --resume"
    )


def _named(holder: dict[str, Any]) -> str:
    if not holder:
        return "another process"
    return f"process {holder.get('pid')} on {holder.get('host')}"
