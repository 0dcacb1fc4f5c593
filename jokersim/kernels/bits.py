"""Masks of cards: counting, first, last and n-th set bit.

With the processor's bit instructions where it has them (x86 BMI2), else by plain arithmetic; both
paths give the same answers, and the whole package runs with numba's compiler off. Masks are int64,
never negative, of at most 63 bits.
"""

from __future__ import annotations

import llvmlite.binding as llvm
import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from jokersim.kernels.jit import JIT_DISABLED, leaf


def _has_deposit() -> bool:
    """Tell whether compiled code may use the bit deposit instruction (x86 BMI2)."""
    name = numba.config.CPU_NAME
    if name and name != "host":
        return False
    if llvm.get_process_triple().split("-")[0] not in ("x86_64", "amd64"):
        return False
    return bool(llvm.get_host_cpu_features().get("bmi2", False))


HAS_DEPOSIT = not JIT_DISABLED and _has_deposit()


@intrinsic
def _count(typingctx, mask):
    def codegen(context, builder, signature, args):
        return builder.ctpop(args[0])

    return types.int64(types.int64), codegen


@intrinsic
def _trailing(typingctx, mask):
    def codegen(context, builder, signature, args):
        return builder.cttz(args[0], cgutils.false_bit)

    return types.int64(types.int64), codegen


@intrinsic
def _leading(typingctx, mask):
    def codegen(context, builder, signature, args):
        return builder.ctlz(args[0], cgutils.false_bit)

    return types.int64(types.int64), codegen


@intrinsic
def _down(typingctx, word, n):
    """Shift an int64 down as if it had no sign; `n` counts modulo 64."""

    def codegen(context, builder, signature, args):
        amount = builder.and_(args[1], ir.Constant(ir.IntType(64), 63))
        return builder.lshr(args[0], amount)

    return types.int64(types.int64, types.int64), codegen


@intrinsic
def _either(typingctx, test, this, that):
    """Choose without a branch: left to itself LLVM makes a jump of it inside loops."""

    def codegen(context, builder, signature, args):
        # The test is made here: a boolean argument would come through a jump of its own.
        condition = builder.icmp_signed("!=", args[0], ir.Constant(ir.IntType(64), 0))
        chosen = builder.select(condition, args[1], args[2])
        chosen.set_metadata("unpredictable", builder.module.add_metadata([]))
        return chosen

    return types.int64(types.int64, types.int64, types.int64), codegen


@intrinsic
def _deposit(typingctx, source, mask):
    def codegen(context, builder, signature, args):
        word = ir.IntType(64)
        function = cgutils.get_or_insert_function(
            builder.module, ir.FunctionType(word, [word, word]), "llvm.x86.bmi.pdep.64"
        )
        return builder.call(function, args)

    return types.int64(types.int64, types.int64), codegen


if JIT_DISABLED:

    def popcount(mask):
        """Count the set bits."""
        return int(mask).bit_count()

    def first_index(mask):
        """Index of the lowest set bit; 64 for an empty mask."""
        return (int(mask) & -int(mask)).bit_length() - 1 if mask else 64

    def last_index(mask):
        """Index of the highest set bit; -1 for an empty mask."""
        return int(mask).bit_length() - 1

    def either(test, this, that):
        """One int64 if `test` is not 0, else the other."""
        return this if test else that

    def highest_if(only, mask):
        """The mask, or of it the highest bit alone if `only` is 1 (0: all of it)."""
        return last_bit(mask) if only else mask

else:

    @leaf
    def popcount(mask):
        """Count the set bits."""
        return _count(mask)

    @leaf
    def first_index(mask):
        """Index of the lowest set bit; 64 for an empty mask."""
        return _trailing(mask)

    @leaf
    def last_index(mask):
        """Index of the highest set bit; -1 for an empty mask."""
        return 63 - _leading(mask)

    @leaf
    def either(test, this, that):
        """One int64 if `test` is not 0, else the other; never a jump, for what nobody can guess."""
        return _either(test, this, that)

    @leaf
    def highest_if(only, mask):
        """The mask, or of it the highest bit alone if `only` is 1 (0: all of it). No branch."""
        # Either the top bit or all ones, moved down to the mask's highest bit.
        window = np.int64(-1) << (63 * only)
        return mask & _down(window, _leading(mask))


@leaf
def first_bit(mask):
    """Lowest set bit as a mask; 0 for an empty one."""
    return mask & -mask


@leaf
def last_bit(mask):
    """Highest set bit as a mask; 0 for an empty one."""
    if mask == 0:
        return mask
    return 1 << last_index(mask)


@leaf
def nth_bit_portable(mask, n):
    """N-th set bit (from 0, upward) as a mask; 0 where there are not so many. Loops over bits."""
    while n > 0 and mask != 0:
        mask &= mask - 1
        n -= 1
    return mask & -mask


@leaf
def deposit_portable(source, mask):
    """Lay the lowest bits of `source` on the set bits of `mask`, upward. Loops over bits."""
    laid = source & 0
    while mask != 0 and source != 0:
        if source & 1:
            laid |= mask & -mask
        mask &= mask - 1
        source >>= 1
    return laid


if HAS_DEPOSIT:

    @leaf
    def deposit(source, mask):
        """Lay the lowest bits of `source` on the set bits of `mask`, upward."""
        return _deposit(source, mask)

    @leaf
    def nth_bit(mask, n):
        """N-th set bit (from 0, upward) as a mask; 0 where there are not so many."""
        return _deposit(1 << n, mask)

else:
    deposit = deposit_portable
    nth_bit = nth_bit_portable
