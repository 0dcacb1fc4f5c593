"""One writer a folder where no file can be locked: a heartbeat in the lock, stale after 60 s.

The lock is ``tmp/lock`` as on the local file system; its holder writes it anew every ten seconds.
The clocks of hosts are taken to agree within some seconds.
"""

from __future__ import annotations

import json
import os
import socket
import time
from collections.abc import Callable
from typing import Any, Final

from jokersim.store import files
from jokersim.store.heartbeat import STALE_SECONDS, BeatingLock, refusal, taken_over
from jokersim.store.remote import Remote

__all__ = ["RemoteLock"]

SETTLE_SECONDS: Final = 0.5
"""How long a lock is left alone before it counts: another may have been about to write it too."""


class RemoteLock(BeatingLock[Remote]):
    """The lock of a folder on another file system; see `jokersim.store.lock.Lock`."""

    def __init__(self, folder: Remote, warn: Callable[[str], None]) -> None:
        super().__init__(folder)
        holder = self._holder()
        if holder:
            self._refuse_unless_stale(holder, warn)
        self._renew()
        self._stopped.wait(SETTLE_SECONDS)
        if not self._ours():
            raise refusal(folder, self._holder())
        self._beat.start()

    def _refuse_unless_stale(self, holder: dict[str, Any], warn: Callable[[str], None]) -> None:
        age = time.time() - float(holder.get("at") or 0)
        ended = holder.get("host") == socket.gethostname() and not _runs(holder.get("pid"))
        if not ended and age < STALE_SECONDS:
            raise refusal(self._folder, holder)
        warn(taken_over(self._folder, holder, None if ended else age))

    def _renew(self) -> None:
        files.step("write", self._path)
        holding = {
            "host": socket.gethostname(),
            "pid": os.getpid(),
            "token": self._token,
            "at": time.time(),
        }
        self._path.write_bytes(json.dumps(holding).encode())

    def _holder(self) -> dict[str, Any]:
        if not self._path.exists():
            return {}
        try:
            found = json.loads(self._path.read_bytes())
        except (FileNotFoundError, ValueError):
            return {}
        return found if isinstance(found, dict) else {}

    def _close(self) -> None:
        """Nothing is held open."""


def _runs(pid: object) -> bool:
    """Tell whether a process of this host still runs."""
    try:
        os.kill(int(pid), 0)  # type: ignore[call-overload]
    except ProcessLookupError:
        return False
    except (OSError, TypeError, ValueError):
        return True
    return True
