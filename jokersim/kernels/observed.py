"""What a user's policy is handed, as types of the compiler: observation, legal choices, draws.

All three are addresses in disguise and cost nothing to make. None can be written through: an
observation has no way to set a field, its arrays and the legal choices are read-only types. A
policy's function is compiled once for ``(observation, legal, draw)`` and called by address, so that
no kernel is compiled anew for it (see `policies.user`).
"""

from __future__ import annotations

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.datamodel import models
from numba.core.imputils import lower_builtin, lower_getattr_generic
from numba.core.typing import signature
from numba.core.typing.templates import AttributeTemplate, infer_getattr
from numba.extending import intrinsic, register_model
from numba.np import numpy_support
from numba.np.arrayobj import make_array, populate_array

from jokersim.kernels import streams as st
from jokersim.kernels.state import FOUR_VIEW, TWO_VIEW

MAX_DRAW = (1 << 31) - 1
FEW = 32


def _read_only(ndim):
    return types.Array(types.int64, ndim, "C", readonly=True)


class ObservationType(types.Type):
    """A view that can only be read."""

    def __init__(self, family, dtype):
        self.record = numpy_support.from_dtype(dtype)
        super().__init__(name=f"Observation({family})")


@register_model(ObservationType)
class ObservationModel(models.PrimitiveModel):
    """The address of the view."""

    def __init__(self, dmm, fe_type):
        super().__init__(dmm, fe_type, cgutils.voidptr_t)


@infer_getattr
class ObservationFields(AttributeTemplate):
    """Types of an observation's fields."""

    key = ObservationType

    def generic_resolve(self, observation, attr):
        """Answer int64, or a read-only array of it; None where there is no such field."""
        record = observation.record
        if attr not in record.fields:
            return None
        field = record.typeof(attr)
        return _read_only(field.ndim) if isinstance(field, types.NestedArray) else field


@lower_getattr_generic(ObservationType)
def read_field(context, builder, observation, value, attr):
    """Load a field, or point an array at it."""
    record = observation.record
    field = record.typeof(attr)
    at = cgutils.pointer_add(builder, value, record.offset(attr))
    if not isinstance(field, types.NestedArray):
        return builder.load(builder.bitcast(at, cgutils.intp_t.as_pointer()))
    return _point_array(
        context, builder, field.ndim, at,
        [context.get_constant(types.intp, n) for n in field.shape],
        [context.get_constant(types.intp, n) for n in field.strides],
    )  # fmt: skip


def _point_array(context, builder, ndim, address, shape, strides):
    array = make_array(_read_only(ndim))(context, builder)
    populate_array(
        array,
        data=builder.bitcast(address, cgutils.intp_t.as_pointer()),
        shape=cgutils.pack_array(builder, shape),
        strides=cgutils.pack_array(builder, strides),
        itemsize=context.get_constant(types.intp, 8),
        meminfo=None,
        parent=None,
    )
    return array._getvalue()  # noqa: SLF001


class DrawType(types.Callable):
    """A seat's own stream as a function: ``draw(n)`` is 0 … n-1."""

    def __init__(self):
        super().__init__(name="Draw")

    def get_call_type(self, context, args, kws):  # noqa: ARG002
        """Take one integer."""
        if len(args) != 1 or kws or not isinstance(args[0], types.Integer | types.Boolean):
            return None
        return signature(types.int64, types.int64, recvr=self)

    def get_call_signatures(self):
        """Answer the one signature."""
        return [signature(types.int64, types.int64)], False

    def get_impl_key(self, sig):  # noqa: ARG002
        """Answer what the implementation is found by."""
        return DrawType


@register_model(DrawType)
class DrawModel(models.PrimitiveModel):
    """The address of the stream's row."""

    def __init__(self, dmm, fe_type):
        super().__init__(dmm, fe_type, cgutils.voidptr_t)


FOUR_OBSERVATION = ObservationType("four", FOUR_VIEW)
TWO_OBSERVATION = ObservationType("two", TWO_VIEW)
LEGAL = _read_only(1)
DRAW = DrawType()


@intrinsic
def _rows(typingctx, draw):
    """The stream behind `draw`, as an array of one row of streams."""
    rows = types.Array(types.uint64, 2, "C")

    def codegen(context, builder, sig, args):
        array = make_array(rows)(context, builder)
        sizes = [context.get_constant(types.intp, n) for n in (1, st.N_COLUMNS)]
        steps = [context.get_constant(types.intp, n) for n in (8 * st.N_COLUMNS, 8)]
        populate_array(
            array,
            data=builder.bitcast(args[0], cgutils.intp_t.as_pointer()),
            shape=cgutils.pack_array(builder, sizes),
            strides=cgutils.pack_array(builder, steps),
            itemsize=context.get_constant(types.intp, 8),
            meminfo=None,
            parent=None,
        )
        return array._getvalue()  # noqa: SLF001

    return rows(draw), codegen


def _draw(draw, n):
    if n < 1 or n > MAX_DRAW:
        raise ValueError("draw(n) takes n from 1 to 2147483647")
    rows = _rows(draw)
    if n <= FEW:
        return st.few(rows, 0, n)
    return st.draw(rows, 0, n)


@lower_builtin(DrawType, DrawType, types.int64)
def call_draw(context, builder, sig, args):
    """Draw as built-in policies do."""
    return context.compile_internal(
        builder, _draw, signature(types.int64, DRAW, types.int64), args
    )  # fmt: skip


@intrinsic
def peek(typingctx, address, index):
    """Read the int64 at a place of an array that is given by its address."""

    def codegen(context, builder, sig, args):
        at = builder.gep(builder.inttoptr(args[0], cgutils.intp_t.as_pointer()), [args[1]])
        return builder.load(at)

    return types.int64(types.int64, types.int64), codegen


@intrinsic
def poke(typingctx, address, index, value):
    """Write the int64 at a place of an array that is given by its address."""

    def codegen(context, builder, sig, args):
        at = builder.gep(builder.inttoptr(args[0], cgutils.intp_t.as_pointer()), [args[1]])
        builder.store(args[2], at)
        return context.get_dummy_value()

    return types.void(types.int64, types.int64, types.int64), codegen


def _observation_of(record):
    for observation in (FOUR_OBSERVATION, TWO_OBSERVATION):
        if observation.record == record:
            return observation
    raise TypeError(f"{record} is no view")


def _stream_address(context, builder, rows_type, rows, seat):
    array = make_array(rows_type)(context, builder, rows)
    start = builder.bitcast(array.data, cgutils.voidptr_t)
    row = builder.mul(seat, ir.Constant(cgutils.intp_t, 8 * st.N_COLUMNS))
    return builder.gep(start, [row])


@intrinsic
def call_compiled(typingctx, address, view, choices, n, streams, seat):
    """Call a compiled function of a policy: its answer, and 1 if it raised an exception."""
    observation = _observation_of(view)
    result = types.UniTuple(types.int64, 2)
    takes = (observation, LEGAL, DRAW)

    def codegen(context, builder, sig, args):
        function, seen, first, count, rows, row = args
        legal = _point_array(
            context, builder, 1, builder.inttoptr(first, cgutils.voidptr_t),
            [count], [context.get_constant(types.intp, 8)],
        )  # fmt: skip
        convention = context.call_conv
        pointer = convention.get_function_type(types.int64, takes).as_pointer()
        status, answer = convention.call_function(
            builder,
            builder.inttoptr(function, pointer),
            types.int64,
            takes,
            [
                builder.bitcast(seen, cgutils.voidptr_t),
                legal,
                _stream_address(context, builder, sig.args[4], rows, row),
            ],
        )
        failed = builder.zext(status.is_error, cgutils.intp_t)
        return context.make_tuple(builder, result, [answer, failed])

    return result(address, view, choices, n, streams, seat), codegen


@intrinsic
def call_python(typingctx, address, view, choices, n, streams, seat):
    """Call a function of the C convention (observation, choices, n, stream: addresses) -> int64."""

    def codegen(context, builder, sig, args):
        function, seen, first, count, rows, row = args
        whole = cgutils.intp_t
        pointer = ir.FunctionType(whole, [whole] * 4).as_pointer()
        stream = _stream_address(context, builder, sig.args[4], rows, row)
        return builder.call(
            builder.inttoptr(function, pointer),
            [builder.ptrtoint(seen, whole), first, count, builder.ptrtoint(stream, whole)],
        )

    return types.int64(address, view, choices, n, streams, seat), codegen
