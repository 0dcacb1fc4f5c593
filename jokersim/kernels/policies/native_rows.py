"""Rows of policies that are asked by address but are built in (see `policies.native`)."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import numpy as np
from numba.core import types
from numba.np import numpy_support

from jokersim.kernels.jit import JIT_DISABLED
from jokersim.kernels.policies import native, user

__all__ = ["NativeRow"]


@cache
def _address(function: Any, view: np.dtype[Any], draws: bool) -> int:
    """Compile a policy's function for a view: its address, good as long as this cache keeps it.

    Policies are seated for every span of worlds, and the types alone take over a millisecond.
    """
    drawn = (types.uint64,) if draws else ()
    takes = (numpy_support.from_dtype(view), types.int64, *drawn, types.int64)
    if takes not in function.overloads:
        function.compile(takes)
    made = function.overloads[takes]
    address: int = made.library.get_pointer_to_function(made.fndesc.llvm_func_name)
    return address


class NativeRow:
    """The row of a policy: its functions by kind of decision, compiled for a view, and its tables.

    `tables` is a record array of one; it is kept, and must not be written to any more. `draws` says
    that the functions take a key, see `native.DRAWING`; `keeps` must live as long as the row.
    """

    failure = None
    """What went wrong: nothing ever does."""

    def __init__(
        self,
        functions: Mapping[int, Callable[..., Any]],
        view: np.dtype[Any],
        tables: Any,
        *,
        draws: bool = False,
        keeps: Any = None,
    ) -> None:
        self._tables = tables
        self._keeps = keeps
        data = int(tables.ctypes.data)
        self.cells = np.zeros(user.N_COLUMNS, dtype=np.int64)
        self.cells[user.IN_PYTHON] = native.DRAWING if draws else native.NATIVE
        self.cells[native.DATA] = data
        if JIT_DISABLED:
            native.TABLES[data] = tables[0]
            native.ROWS[self.number] = (functions, data, draws)
            user.ROWS[self.number] = (self.cells, {})
            for rows in (native.ROWS, user.ROWS):
                weakref.finalize(self, rows.pop, self.number, None)
            return
        for kind, function in functions.items():
            self.cells[kind] = _address(function, view, draws)

    @property
    def number(self) -> int:
        """The policy's number for kernels; good as long as the row lives."""
        return int(self.cells.ctypes.data)
