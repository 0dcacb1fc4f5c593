"""The memory of one game as Python reads it: fields of a view, one by one, and what a seat sees.

A view is one record of int64 fields that kernels write; here it is also a flat array of numbers.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jokersim.kernels.jit import JIT_DISABLED
from jokersim.kernels.state import Field, new_views, view_dtype

__all__ = ["Memory", "observation_type"]


class Memory:
    """One view: `array` for kernels, and quick reading of its fields."""

    __slots__ = ("_at", "_fields", "_flat", "array")

    def __init__(self, fields: tuple[Field, ...], array: Any = None) -> None:
        self._fields = fields
        self._at = _offsets(fields)
        self.array = _allocate(fields) if array is None else array
        self._flat: NDArray[np.int64] = self.array.view(np.int64, np.ndarray)

    def copy(self) -> Memory:
        """Answer memory of its own with the same contents."""
        return Memory(self._fields, self.array.copy())

    def __reduce__(self) -> tuple[Any, ...]:
        """Make the copy of a deep copy and of pickle, whose numbers are those of its own array."""
        return Memory, (self._fields, self.array)

    def get(self, name: str) -> int:
        """Read a field that is one number."""
        return self._flat.item(self._at[name][0])

    def row(self, name: str) -> list[int]:
        """Read a field that is a row of numbers."""
        start, stop = self._at[name]
        numbers: list[int] = self._flat[start:stop].tolist()
        return numbers

    def put(self, name: str, number: int) -> None:
        """Write a field that is one number."""
        self._flat[self._at[name][0]] = number

    def observation(self, instead: Mapping[str, Any]) -> Any:
        """Answer all fields as a named tuple of Python numbers, some with other values `instead`.

        A field of one dimension is a tuple; larger ones are read-only arrays.
        """
        numbers = self._flat[: _plain_part(self._fields)].tolist()
        values: list[Any] = []
        for field in self._fields:
            start, stop = self._at[field.name]
            if field.name in instead:
                values.append(instead[field.name])
            elif not field.shape:
                values.append(numbers[start])
            elif len(field.shape) == 1:
                values.append(tuple(numbers[start:stop]))
            else:
                block = self._flat[start:stop].reshape(field.shape).copy()
                block.flags.writeable = False
                values.append(block)
        return observation_type(self._fields)._make(values)


@cache
def observation_type(fields: tuple[Field, ...]) -> Any:
    """Make the named tuple whose fields are those of a view."""
    return namedtuple("Observation", [field.name for field in fields])


@cache
def _offsets(fields: tuple[Field, ...]) -> dict[str, tuple[int, int]]:
    offsets = {}
    at = 0
    for field in fields:
        size = int(np.prod(field.shape, dtype=np.int64))
        offsets[field.name] = (at, at + size)
        at += size
    return offsets


@cache
def _plain_part(fields: tuple[Field, ...]) -> int:
    """Answer where the last field of less than two dimensions ends."""
    offsets = _offsets(fields)
    return max(offsets[field.name][1] for field in fields if len(field.shape) < 2)


def _allocate(fields: tuple[Field, ...]) -> Any:
    dtype = view_dtype(fields)
    if JIT_DISABLED:
        return new_views(dtype)
    # A plain array of the same records: recarrays cost microseconds a call to hand over.
    return np.zeros(1, dtype=dtype)
