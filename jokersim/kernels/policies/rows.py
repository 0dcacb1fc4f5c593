"""Rows of a user's policy, made and filled from Python: its functions compiled, or called back.

Knows functions ``(obs, legal, draw) -> index``, not policies, games or words. A row is one
thread's.
"""

from __future__ import annotations

import ctypes
import operator
import weakref
from collections import namedtuple
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

import numpy as np
from numba.core import types
from numba.core.errors import NumbaError

from jokersim.kernels import observed
from jokersim.kernels import streams as st
from jokersim.kernels.jit import JIT_DISABLED, entry, outside
from jokersim.kernels.policies import user
from jokersim.kernels.state import FOUR_FIELDS, FOUR_VIEW, TWO_FIELDS, TWO_VIEW

__all__ = [
    "Compiled",
    "Draw",
    "Failure",
    "NotCompiledError",
    "PythonRow",
    "Row",
    "compile_function",
    "observe",
]

Function = Callable[[Any, Any, Any], Any]

_FIELDS: Final = {"four": FOUR_FIELDS, "two": TWO_FIELDS}
_DTYPES: Final = {"four": FOUR_VIEW, "two": TWO_VIEW}
_OBSERVATIONS: Final = {
    "four": observed.FOUR_OBSERVATION,
    "two": observed.TWO_OBSERVATION,
}
_TYPES: Final = {
    family: namedtuple("Observation", [field.name for field in fields])
    for family, fields in _FIELDS.items()
}
_CALLBACK: Final = ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_int64] * 4)


class Failure(NamedTuple):
    """What went wrong in a row, as kernels note it."""

    raised: bool
    answer: int
    deal: int
    seat: int
    kind: int
    n_legal: int


class Compiled(NamedTuple):
    """A function compiled for an observation: where it is, and what keeps it there."""

    address: int
    kept: Any


class NotCompiledError(Exception):
    """The compiler refuses a function; the message is the first line of why."""


def compile_function(function: Function, family: str, key: str) -> Compiled:
    """Compile a policy's function for a family of games.

    `key` names its sources: compiled code is found again on disk for the same key.
    """
    takes = (_OBSERVATIONS[family], observed.LEGAL, observed.DRAW)
    try:
        compiled = _overload(outside(function, key), takes)
        answer = compiled.signature.return_type
        if not isinstance(answer, types.Integer | types.Boolean):
            raise NotCompiledError(f"it answers {answer}, not an index")
        if answer != types.int64:
            compiled = _overload(outside(function, key, types.int64(*takes)), takes)
    except (NumbaError, NotImplementedError) as error:
        raise NotCompiledError(_reason(error)) from error
    name = compiled.fndesc.llvm_func_name
    return Compiled(compiled.library.get_pointer_to_function(name), compiled)


def _overload(dispatcher: Any, takes: tuple[Any, ...]) -> Any:
    if takes not in dispatcher.overloads:
        dispatcher.compile(takes)
    return dispatcher.overloads[takes]


def _reason(error: Exception) -> str:
    """Pick, from the compiler's long report, the sentence that says what is wrong."""
    text = str(error)
    if ("setitem" in text and "readonly" in text) or "No definition for lowering Observ" in text:
        return "it writes to what it is given, which can only be read"
    lines = [line.strip() for line in text.splitlines()]
    told = [line for line in lines if line and not line.startswith(("Failed in", "During", "File"))]
    return told[0] if told else type(error).__name__


class Row:
    """The row of a policy whose functions are compiled, by kind of decision."""

    def __init__(self, functions: Mapping[int, Compiled]) -> None:
        self.cells = np.zeros(user.N_COLUMNS, dtype=np.int64)
        self._kept = dict(functions)
        for kind, function in functions.items():
            self.cells[kind] = function.address

    @property
    def number(self) -> int:
        """The policy's number for kernels; good as long as the row lives."""
        return int(self.cells.ctypes.data)

    @property
    def failure(self) -> Failure | None:
        """What went wrong, None if nothing did."""
        cells = self.cells.tolist()
        if cells[user.STATUS] == user.FINE:
            return None
        return Failure(
            raised=cells[user.STATUS] == user.RAISED,
            answer=cells[user.ANSWER],
            deal=cells[user.DEAL],
            seat=cells[user.SEAT],
            kind=cells[user.KIND],
            n_legal=cells[user.N_LEGAL],
        )


class PythonRow(Row):
    """The row of a policy whose functions stay Python: each is called back with copies."""

    def __init__(self, family: str, functions: Mapping[int, Function]) -> None:
        super().__init__({})
        self.cells[user.IN_PYTHON] = 1
        self.error: BaseException | None = None
        """The exception that a function raised, or its answer brought about."""
        self.family = family
        self._size = _DTYPES[family].itemsize
        if JIT_DISABLED:
            asked = {kind: self._asked(function) for kind, function in functions.items()}
            user.ROWS[self.number] = (self.cells, asked)
            weakref.finalize(self, user.ROWS.pop, self.number, None)
            return
        self._callbacks = {}
        for kind, function in functions.items():
            callback = _CALLBACK(self._called_back(function))
            self._callbacks[kind] = callback
            self.cells[kind] = ctypes.cast(callback, ctypes.c_void_p).value

    # Closures over the row would keep it alive for ever, in a circle through what ctypes holds.
    def _asked(self, function: Function) -> Callable[[Any, Any, Any], int]:
        own = weakref.proxy(self)

        def asked(view: Any, legal: Any, stream: Any) -> int:
            return _answer(own, function, view.tobytes(), legal.tobytes(), stream.reshape(1, -1))

        return asked

    def _called_back(self, function: Function) -> Callable[[int, int, int, int], int]:
        own = weakref.proxy(self)
        size = self._size

        def called_back(view: int, choices: int, n: int, stream: int) -> int:
            cells = (ctypes.c_uint64 * st.N_COLUMNS).from_address(stream)
            rows = np.frombuffer(cells, dtype=np.uint64).reshape(1, -1)
            seen = ctypes.string_at(view, size)
            return _answer(own, function, seen, ctypes.string_at(choices, 8 * n), rows)

        return called_back


def _answer(row: Any, function: Function, view: bytes, choices: bytes, rows: Any) -> int:
    draw = Draw(rows)
    try:
        index = operator.index(
            function(observe(row.family, view), np.frombuffer(choices, np.int64), draw)
        )
        return index if -(1 << 63) < index < 1 << 63 else -1
    except BaseException as error:  # noqa: BLE001 - it is raised again where the row is owned
        row.error = error
        return user.RAISED_IN_PYTHON
    finally:
        draw.close()


def observe(family: str, view: bytes) -> Any:
    """Answer a view as a named tuple of Python integers and read-only int64 arrays."""
    flat = np.frombuffer(view, dtype=np.int64)
    values: list[Any] = []
    for start, stop, shape in _PLACES[family]:
        if shape is None:
            values.append(flat.item(start))
        else:
            block = flat[start:stop]
            values.append(block.reshape(shape) if len(shape) > 1 else block)
    return _TYPES[family]._make(values)


def _places(family: str) -> list[tuple[int, int, tuple[int, ...] | None]]:
    places = []
    at = 0
    for field in _FIELDS[family]:
        size = int(np.prod(field.shape, dtype=np.int64))
        places.append((at, at + size, field.shape or None))
        at += size
    return places


_PLACES: Final = {family: _places(family) for family in _FIELDS}


@entry
def draw_from(rows, n):
    """Draw from 0 … n-1 with the stream in the only row, as a compiled policy does."""
    if n <= observed.FEW:
        return st.few(rows, 0, n)
    return st.draw(rows, 0, n)


class Draw:
    """A seat's own stream as a Python function, for the time of one decision."""

    __slots__ = ("_rows",)

    def __init__(self, rows: Any) -> None:
        self._rows = rows

    def __call__(self, n: int) -> int:
        """Draw from 0 … n-1, n at least 1."""
        n = operator.index(n)
        if not 1 <= n <= observed.MAX_DRAW:
            raise ValueError(f"draw(n) takes n from 1 to {observed.MAX_DRAW}, not {n}")
        if self._rows is None:
            raise RuntimeError("draw is good for the one decision that it was given for")
        return int(draw_from(self._rows, n))

    def close(self) -> None:
        """Let go of the stream."""
        self._rows = None
