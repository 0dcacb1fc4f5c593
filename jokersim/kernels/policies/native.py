"""Built-in policies that are compiled only when they sit at a table, asked by address.

Such a policy has functions ``(view, legal, data) -> choice`` by kind of decision: `legal` the mask
of numbers or of legal plain cards, `data` the address of its tables, the choice a trump, a bid or
a play. They are trusted: nothing is checked. The policy's number is the address of a row as
`policies.user` has it, marked `NATIVE`; many threads may share it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numba.core import types
from numba.extending import intrinsic
from numba.np import numpy_support

from jokersim.kernels import observed
from jokersim.kernels.jit import JIT_DISABLED, leaf
from jokersim.kernels.state import new_views

MARK = 5
"""Place in a row of what marks it, which is `user.IN_PYTHON`."""
DATA = 12
"""Place in a row of the address of the tables, where a user's policy has its list of choices."""

NATIVE = 2
DRAWING = 3
"""What mark rows of this module, in the place `user.IN_PYTHON`.

Functions of a row that is `DRAWING` are ``(view, legal, key, data)``: they get the key of the
seat's stream of this deal, for streams of their own.
"""


ROWS: dict[int, tuple[Mapping[int, Callable[..., Any]], int, bool]] = {}
TABLES: dict[int, Any] = {}
"""Without the compiler: by row its functions, the address of its tables and whether it draws, and
tables by address."""


def record_at(dtype):
    """Make the kernel that reads an address as a record of `dtype`."""
    if JIT_DISABLED:
        return TABLES.__getitem__
    record = numpy_support.from_dtype(dtype)

    @intrinsic
    def at(typingctx, address):
        def codegen(context, builder, sig, args):
            return builder.inttoptr(args[0], context.get_value_type(record))

        return record(address), codegen

    return at


def one_of(dtype):
    """Make the kernel that allocates one record of `dtype`, in an array.

    Who calls it must pass the array on, or use it later: a record lives only as long as somebody
    holds its array. Not written to, with the compiler.
    """
    if JIT_DISABLED:
        return lambda: new_views(dtype)

    @leaf
    def allocate():
        return np.empty(1, dtype)

    return allocate


def _codegen(context, builder, sig, args):
    convention = context.call_conv
    takes = sig.args[1:]
    pointer = convention.get_function_type(types.int64, takes).as_pointer()
    _, answer = convention.call_function(
        builder, builder.inttoptr(args[0], pointer), types.int64, takes, list(args[1:])
    )
    return answer


@intrinsic
def _call(typingctx, function, view, legal, data):
    """Call a compiled function by its address."""
    return types.int64(types.int64, view, types.int64, types.int64), _codegen


@intrinsic
def _call_drawing(typingctx, function, view, legal, key, data):
    """Call a compiled function that draws."""
    return types.int64(types.int64, view, types.int64, types.uint64, types.int64), _codegen


if JIT_DISABLED:

    def ask(row, view, legal, key):
        """Ask for a choice; `key` is that of the seat's stream of this deal."""
        functions, data, draws = ROWS[row]
        if draws:
            return np.int64(functions[int(view.kind)](view, legal, key, data))
        return np.int64(functions[int(view.kind)](view, legal, data))

else:

    @leaf
    def ask(row, view, legal, key):
        """Ask for a choice; `key` is that of the seat's stream of this deal."""
        function = observed.peek(row, view.kind)
        data = observed.peek(row, DATA)
        if observed.peek(row, MARK) == DRAWING:
            return _call_drawing(function, view, legal, key, data)
        return _call(function, view, legal, data)
