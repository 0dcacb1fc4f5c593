"""Every open, write, sync, rename, listing and removal of the store, and what failures say.

Owns the one place where the store touches a file system, so that tests can make each step fail
(:data:`fault`) and so that another kind of file system has one place to go. Knows nothing of
tables.
"""

from __future__ import annotations

import atexit
import contextlib
import errno
import functools
import hashlib
import os
import shutil
import tempfile
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from jokersim.errors import JokersimError
from jokersim.store.remote import Place, Remote

__all__ = [
    "OutputFile",
    "copy",
    "digest",
    "exists",
    "fault",
    "free_bytes",
    "make_folder",
    "names_in",
    "read",
    "remove",
    "rename",
    "reported",
    "scratch",
    "size_of",
    "step",
    "sync",
    "temporary",
    "write_whole",
]

#: Called before every step with its name and path when set; tests raise ``OSError`` (or end the
#: process) from here. Steps: mkdir, open, write, close, sync, rename, remove, list, read, touch.
fault: Callable[[str, Place], None] | None = None

_BUFFER: Final = 1 << 20

_WHY: Final = {
    errno.ENOSPC: "the disk is full; free space, then go on with --resume",
    errno.EDQUOT: "the disk quota is used up; free space, then go on with --resume",
    errno.EACCES: "permission denied; choose a folder that this user may write",
    errno.EPERM: "permission denied; choose a folder that this user may write",
    errno.EROFS: "the file system is read-only; choose a folder that can be written",
    errno.ENOENT: "it is not there; was the folder moved, removed or its disk lost?",
    errno.EISDIR: "a folder stands in its place",
    errno.ENOTDIR: "a part of its path is no folder",
}


def step(name: str, path: Place) -> None:
    """Pass the point before a step, where tests make it fail."""
    if fault is not None:
        fault(name, path)


@contextlib.contextmanager
def reported(kind: type[JokersimError], doing: str) -> Iterator[None]:
    """Turn an ``OSError`` inside the block into one sentence of the given kind.

    Examples
    --------
    >>> from jokersim.errors import RunError
    >>> with reported(RunError, "write games"):
    ...     raise OSError(errno.ENOSPC, "No space left on device")
    Traceback (most recent call last):
    jokersim.errors.RunError: cannot write games: the disk is full; free space, then go on with \
--resume
    """
    try:
        yield
    except OSError as error:
        said = error.strerror or " ".join(str(error).split())
        why = _WHY.get(error.errno or 0) or said or type(error).__name__
        named = f" ({error.filename})" if error.filename else ""
        raise kind(f"cannot {doing}: {why}{named}") from error


class OutputFile:
    """A file being written: counts and hashes its bytes, and goes dead at the first failure.

    Dead means that later writes go nowhere: what another thread had still to write must not raise a
    second error.
    """

    def __init__(self, path: Path) -> None:
        step("open", path)
        self.path = path
        self.size = 0
        self.closed = False
        self._dead = False
        self._sha = hashlib.sha256()
        self._handle = path.open("xb", buffering=_BUFFER)

    def write(self, data: bytes) -> int:
        """Append bytes; answers how many."""
        if self._dead:
            return len(data)
        try:
            step("write", self.path)
            self._handle.write(data)
        except BaseException:
            self._dead = True
            raise
        self.size += len(data)
        self._sha.update(data)
        return len(data)

    def close(self) -> None:
        """Close the file; what was buffered is written."""
        if not self.closed:
            self.closed = True
            if not self._dead:
                step("close", self.path)
            self._handle.close()

    def discard(self) -> None:
        """Close and remove the file, whatever state it is in; never raises ``OSError``."""
        self._dead = self.closed = True
        with contextlib.suppress(OSError):
            self._handle.close()
        with contextlib.suppress(OSError):
            self.path.unlink(missing_ok=True)

    @property
    def sha256(self) -> str:
        """The sha256 of the bytes so far, in hexadecimal."""
        return self._sha.hexdigest()


def temporary(folder: Path, name: str) -> Path:
    """Name a file in ``folder`` that no other process uses."""
    return folder / f"{uuid.uuid4().hex}-{name}"


def make_folder(path: Place) -> None:
    """Make a folder with its parents; one that stands already is fine."""
    step("mkdir", path)
    path.mkdir(parents=True, exist_ok=True)


def exists(path: Place) -> bool:
    """Tell whether a file or folder stands at the path."""
    return path.exists()


def names_in(folder: Place) -> list[str]:
    """List the names in a folder, sorted; one that is not there is empty."""
    step("list", folder)
    try:
        return sorted(path.name for path in folder.iterdir())
    except FileNotFoundError:
        return []


def size_of(path: Place) -> int:
    """Answer a file's size in bytes, -1 where there is no such file."""
    try:
        return path.stat().st_size if path.is_file() else -1
    except FileNotFoundError:
        return -1


def free_bytes(folder: Place) -> int:
    """Answer how many bytes this user may still write on the disk where parts are written."""
    return shutil.disk_usage(scratch(folder).parent).free


def scratch(folder: Place) -> Path:
    """Answer the folder in which what belongs into a dataset is written first.

    For another file system it is one of this process alone, which goes when it ends.
    """
    return _scratch(os.getpid()) if isinstance(folder, Remote) else folder / "tmp"


@functools.cache
def _scratch(_process: int) -> Path:
    folder = Path(tempfile.mkdtemp(prefix="jokersim-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def read(path: Place) -> bytes:
    """Read a small file whole."""
    step("read", path)
    return path.read_bytes()


def digest(path: Place) -> str:
    """Answer the sha256 of a file in hexadecimal."""
    step("read", path)
    found = hashlib.sha256()
    with path.open("rb") as handle:
        while data := handle.read(_BUFFER):
            found.update(data)
    return found.hexdigest()


def sync(path: Place) -> None:
    """Wait until a file, or the names in a folder, are on the disk."""
    step("sync", path)
    if isinstance(path, Remote):
        return
    if os.name == "nt" and path.is_dir():  # Windows cannot open a folder
        return
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def rename(source: Path, target: Place) -> None:
    """Move a finished file to where it is seen, in one step, and make the name durable.

    On another file system it is sent there instead: it counts once its marker stands.
    """
    step("rename", target)
    if isinstance(target, Remote):
        target.take(source)
        return
    source.replace(target)
    sync(target.parent)


def remove(path: Place) -> None:
    """Remove a file; one that is not there is fine."""
    step("remove", path)
    path.unlink(missing_ok=True)


def touch(path: Path) -> None:
    """Set a file's time to now."""
    step("touch", path)
    os.utime(path)


def write_whole(path: Place, data: bytes, folder: Place) -> None:
    """Write a small file of a dataset so that it is seen whole or not at all."""
    output = OutputFile(temporary(scratch(folder), path.name))
    try:
        output.write(data)
        output.close()
        sync(output.path)
        rename(output.path, path)
    except BaseException:
        output.discard()
        raise


def copy(source: Place, folder: Place) -> OutputFile:
    """Copy a file to where a dataset's parts are written; answers the closed copy, synced."""
    output = OutputFile(temporary(scratch(folder), source.name))
    try:
        step("read", source)
        with source.open("rb") as handle:
            while data := handle.read(_BUFFER):
                output.write(data)
        output.close()
        sync(output.path)
    except BaseException:
        output.discard()
        raise
    return output
