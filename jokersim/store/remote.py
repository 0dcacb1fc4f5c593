"""Places on other file systems than the local one, by pyarrow's: ``s3://bucket/run`` and the like.

A `Remote` answers what the store asks of a `pathlib.Path`, so that the rest of the store knows
no difference. There is no rename there: what is written lies in a folder of this machine until it
is whole, and is then sent under its final name. A file that a broken connection cuts short has no
marker that fits it, so that nothing trusts it.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Final

from jokersim.errors import InputError

if TYPE_CHECKING:
    import pyarrow.fs as pa_fs

__all__ = ["Place", "Remote", "located"]

_URI: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")
_BLOCK: Final = 1 << 20


def located(place: str | Path | Remote) -> Place:
    """Answer where a text says that something is: a path, or the URI of a file system.

    ``file://`` is the local file system, and so a path like any other.

    Raises
    ------
    InputError
        No file system is known for the URI.

    Examples
    --------
    >>> located("runs/first")
    PosixPath('runs/first')
    >>> located("file:///runs/the%20first")
    PosixPath('/runs/the first')
    """
    if not isinstance(place, str) or not _URI.match(place):
        return place if isinstance(place, Remote) else Path(place)
    import pyarrow.fs as pa_fs

    system, path = _system(place)
    if isinstance(system, pa_fs.LocalFileSystem):
        return Path(path)
    if not path.strip("/"):
        raise InputError(f"{place} names no folder: a dataset lies in one, such as s3://bucket/run")
    return Remote(system, place, path.rstrip("/"))


def _system(uri: str) -> tuple[pa_fs.FileSystem, str]:
    """Find a URI's file system and the path in it: pyarrow's own, else one of fsspec's."""
    import pyarrow as pa
    import pyarrow.fs as pa_fs

    try:
        found: tuple[pa_fs.FileSystem, str] = pa_fs.FileSystem.from_uri(uri)
        return found
    except pa.ArrowInvalid as error:
        fault: Exception = error
        if "Unrecognized filesystem" not in str(error):
            raise InputError(f"{uri} is no URI of a file system: {_first_line(error)}") from None
    except (OSError, pa.ArrowException) as error:
        raise InputError(f"{uri} cannot be reached: {_first_line(error)}") from None
    try:
        import fsspec

        system, path = fsspec.core.url_to_fs(uri)
        return pa_fs.PyFileSystem(pa_fs.FSSpecHandler(system)), path
    except (ImportError, ValueError) as error:
        raise InputError(
            f"{uri} is on no file system that pyarrow or fsspec knows: "
            f"{_first_line(error if isinstance(error, ValueError) else fault)}"
        ) from None


def _first_line(error: Exception) -> str:
    return " ".join(str(error).split("\n", 1)[0].split())


class Remote:
    """A place on another file system; the part of a path's methods that the store asks for.

    Attributes
    ----------
    system : pyarrow.fs.FileSystem
        The file system.
    root : str
        The URI that was given.
    path : str
        The path in the file system.
    """

    def __init__(self, system: pa_fs.FileSystem, root: str, path: str, below: str = "") -> None:
        self.system = system
        self.root = root
        self.path = path
        self._below = below

    def __truediv__(self, name: str) -> Remote:
        return Remote(self.system, self.root, f"{self.path}/{name}", f"{self._below}/{name}")

    def __str__(self) -> str:
        return self.root.split("?", 1)[0].rstrip("/") + self._below

    def __repr__(self) -> str:
        return f"Remote({str(self)!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Remote) and str(other) == str(self)

    def __hash__(self) -> int:
        return hash(str(self))

    @property
    def address(self) -> str:
        """The URI of a dataset's folder, with all that its file system is asked for by."""
        assert not self._below
        return self.root

    @property
    def name(self) -> str:
        """The last step of the path."""
        return self.path.rpartition("/")[2]

    def _info(self) -> pa_fs.FileInfo:
        return self.system.get_file_info(self.path)

    def exists(self) -> bool:
        """Tell whether a file or folder stands here."""
        return bool(self._info().type.name != "NotFound")

    def is_file(self) -> bool:
        """Tell whether a file stands here."""
        return bool(self._info().type.name == "File")

    def is_dir(self) -> bool:
        """Tell whether a folder stands here."""
        return bool(self._info().type.name == "Directory")

    def stat(self) -> Any:
        """Answer the size as a file's status does."""
        return SimpleNamespace(st_size=self._info().size)

    def iterdir(self) -> Iterator[Remote]:
        """List what lies in this folder."""
        import pyarrow.fs as pa_fs

        selector = pa_fs.FileSelector(self.path, allow_not_found=True)
        for info in self.system.get_file_info(selector):
            yield self / info.base_name

    def mkdir(self, *, parents: bool = True, exist_ok: bool = True) -> None:
        """Make a folder, where the file system knows such."""
        del exist_ok
        self.system.create_dir(self.path, recursive=parents)

    def rmdir(self) -> None:
        """Remove a folder that is empty."""
        if any(self.iterdir()):
            raise OSError(f"{self} is not empty")
        self.system.delete_dir(self.path)

    def unlink(self, *, missing_ok: bool = False) -> None:
        """Remove a file."""
        if missing_ok and not self.is_file():
            return
        self.system.delete_file(self.path)

    def open(self, mode: str = "rb") -> Any:
        """Open a file for reading, as pyarrow does."""
        assert mode == "rb"
        return self.system.open_input_file(self.path)

    def read_bytes(self) -> bytes:
        """Read a file whole."""
        with self.open() as source:
            data: bytes = source.read()
            return data

    def write_bytes(self, data: bytes) -> None:
        """Write a small file; an object store shows it when it is whole."""
        with self.system.open_output_stream(self.path) as target:
            target.write(data)

    def take(self, source: Path) -> None:
        """Send a file of this machine here, and see that all of it has come."""
        try:
            with source.open("rb") as given, self.system.open_output_stream(self.path) as target:
                while block := given.read(_BLOCK):
                    target.write(block)
            if self._info().size != source.stat().st_size:
                raise OSError(f"{self} has not the size of what was sent")
        except BaseException:
            with contextlib.suppress(OSError):
                self.unlink(missing_ok=True)
            raise
        source.unlink()


Place = Path | Remote
