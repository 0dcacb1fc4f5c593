"""One writer a folder: ``flock`` on one host, a heartbeat in the lock's file time elsewhere."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import socket
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from jokersim.errors import SpecError
from jokersim.store import files
from jokersim.store.heartbeat import STALE_SECONDS, BeatingLock, refusal, taken_over

try:
    import fcntl
except ImportError:  # Windows: the heartbeat alone
    fcntl = None  # type: ignore[assignment]

__all__ = ["Lock"]

_TAKEN: Final = (errno.EWOULDBLOCK, errno.EAGAIN, errno.EACCES)


class Lock(BeatingLock[Path]):
    """The lock of a dataset's folder, held from construction to :meth:`release`.

    Raises :class:`SpecError` where another process holds it. A lock left behind by a process that
    ended, or whose heartbeat stopped 60 seconds ago on another host, is taken over; ``warn`` is
    told.
    """

    def __init__(self, folder: Path, warn: Callable[[str], None]) -> None:
        super().__init__(folder)
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
                        holder = _read_descriptor(descriptor)
                        os.close(descriptor)
                        raise refusal(self._folder, holder) from None
                    # Some network file systems know no flock: the heartbeat decides.
            # The last holder may have removed the file between our open and our flock.
            with contextlib.suppress(FileNotFoundError):
                if os.fstat(descriptor).st_ino == self._path.stat().st_ino:
                    return descriptor, by_flock
            os.close(descriptor)

    def _take(self, by_flock: bool, warn: Callable[[str], None]) -> None:
        holder = _read_descriptor(self._descriptor)
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

    def _renew(self) -> None:
        files.touch(self._path)

    def _holder(self) -> dict[str, Any]:
        with contextlib.suppress(OSError):
            return _read(self._path.read_bytes())
        return {}

    def _close(self) -> None:
        with contextlib.suppress(OSError):
            os.close(self._descriptor)


def _read_descriptor(descriptor: int) -> dict[str, Any]:
    """Read who holds the lock; empty where nobody wrote, or it cannot be read."""
    with contextlib.suppress(OSError):
        return _read(os.pread(descriptor, 4096, 0))
    return {}


def _read(data: bytes) -> dict[str, Any]:
    try:
        found = json.loads(data or b"{}")
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
