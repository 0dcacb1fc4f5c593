"""The content hash: what a table's rows are, whatever file they stand in.

It is over the JSON list of ``[column, type, hash of its values]``: their little-endian bytes in the
column's own width, a ``string`` column's the int8 index into the trumps. It depends on the rows
alone. XXH3 in its 128 bits runs at the speed of memory; a marker names it in front, ``xxh3:…``.
Markers without a name hold sha256, as they did at first.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import xxhash

from jokersim.store.layout import canonical

__all__ = ["ContentHash", "is_same_kind"]

_NAMED: Final = "xxh3:"


def is_same_kind(one: str, other: str) -> bool:
    """Tell whether two content hashes can be compared."""
    return one.startswith(_NAMED) == other.startswith(_NAMED)


class ContentHash:
    """The running content hash of a table; blocks of any length give the same answer.

    Examples
    --------
    >>> content = ContentHash({"game": "int64"})
    >>> content.update({"game": np.arange(3)})
    >>> content.hexdigest()
    'xxh3:8492b94a89e04dd8042eb85f930bc2a8'
    """

    def __init__(self, columns: Mapping[str, str], like: str = _NAMED) -> None:
        """Begin a hash of the kind that `like`, a marker's, is of."""
        self._prefix = _NAMED if like.startswith(_NAMED) else ""
        self._new: Callable[[], Any] = xxhash.xxh3_128 if self._prefix else hashlib.sha256
        self._columns = dict(columns)
        self._hashes = {name: self._new() for name in columns}

    def update(self, block: Mapping[str, npt.NDArray[Any]]) -> None:
        """Add rows; each column is contiguous, in its declared type."""
        for name in self._columns:
            self.add(name, block[name])

    def add(self, name: str, values: npt.NDArray[Any]) -> None:
        """Add rows of one column; the others are owed the same rows."""
        self._hashes[name].update(values.view(np.uint8).data)

    def hexdigest(self) -> str:
        """Answer the hash of all rows so far."""
        found = [
            [name, kind, self._hashes[name].hexdigest()] for name, kind in self._columns.items()
        ]
        whole = self._new()
        whole.update(canonical(found))
        return f"{self._prefix}{whole.hexdigest()}"
