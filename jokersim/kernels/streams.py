"""Random streams: who draws what is fixed by (seed, game, deal, purpose), never by who else drew.

Scheme ``philox4x32-10/splitmix64/1``. A Philox4x32-10 block keyed by the 64-bit seed, with the
counter (game low, game high, deal, purpose), gives two 64-bit words. Each keys a cheap stream whose
k-th word is SplitMix64's finaliser of ``key + k * golden``. A word is read as a fraction in [0, 1):
``draw`` takes the integer part of ``n * fraction``, and `few` goes on with what is left of the
fraction, six draws of at most 32 a word. Every outcome's chance is off by less than 2^-33.

uint64 lives in this module alone (and in the arrays made for it): operands are cast at the border.
"""

from __future__ import annotations

import numpy as np
from numba import types
from numba.extending import intrinsic

from jokersim.kernels.jit import JIT_DISABLED, leaf

SCHEME = "philox4x32-10/splitmix64/1"

# Purposes: the last counter word. Policies of seats 0 and 1 share a block, those of 2 and 3 the
# next.
DEALING = 0
FIRST_DEALER = 1
POLICY_01 = 2
POLICY_23 = 3
PACKET = 4
FAILURE = 5
DECLARER = 6
WORLDS = 8
ODDS = 16
BOOTSTRAP = 24

# Columns of an array of streams, a row a stream.
KEY = 0
COUNT = 1
FRACTION = 2
LEFT = 3
N_COLUMNS = 4

_U32 = np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)
_ONE = np.uint64(1)
_ZERO = np.uint64(0)
_PHILOX_M0 = np.uint64(0xD2511F53)
_PHILOX_M1 = np.uint64(0xCD9E8D57)
_PHILOX_W0 = np.uint64(0x9E3779B9)
_PHILOX_W1 = np.uint64(0xBB67AE85)
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX2 = np.uint64(0x94D049BB133111EB)
_S30 = np.uint64(30)
_S27 = np.uint64(27)
_S31 = np.uint64(31)
FEW_A_WORD = 6
_FEW = np.uint64(FEW_A_WORD)


@intrinsic
def _high_product(typingctx, a, b):
    def codegen(context, builder, signature, args):
        from llvmlite import ir

        wide = ir.IntType(128)
        product = builder.mul(builder.zext(args[0], wide), builder.zext(args[1], wide))
        return builder.trunc(builder.lshr(product, ir.Constant(wide, 64)), ir.IntType(64))

    return types.uint64(types.uint64, types.uint64), codegen


if JIT_DISABLED:
    _ALL = (1 << 64) - 1

    def high_product(a, b):
        """Upper 64 bits of a product of two uint64."""
        return np.uint64((int(a) * int(b)) >> 64)

    def low_product(a, b):
        """Lower 64 bits of a product of two uint64."""
        return np.uint64((int(a) * int(b)) & _ALL)

    def low_sum(a, b):
        """Sum of two uint64, modulo 2^64."""
        return np.uint64((int(a) + int(b)) & _ALL)

else:

    @leaf
    def high_product(a, b):
        """Upper 64 bits of a product of two uint64."""
        return _high_product(a, b)

    @leaf
    def low_product(a, b):
        """Lower 64 bits of a product of two uint64."""
        return a * b

    @leaf
    def low_sum(a, b):
        """Sum of two uint64, modulo 2^64."""
        return a + b


@leaf
def philox(seed, game, deal, purpose):
    """One Philox4x32-10 block as two uint64: keyed by `seed`, counter (game, deal, purpose)."""
    key = np.uint64(seed)
    k0 = key & _LOW
    k1 = key >> _U32
    c0 = np.uint64(game) & _LOW
    c1 = np.uint64(game) >> _U32
    c2 = np.uint64(deal) & _LOW
    c3 = np.uint64(purpose) & _LOW
    for _ in range(10):
        p0 = _PHILOX_M0 * c0
        p1 = _PHILOX_M1 * c2
        c0 = (p1 >> _U32) ^ c1 ^ k0
        c1 = p1 & _LOW
        c2 = (p0 >> _U32) ^ c3 ^ k1
        c3 = p0 & _LOW
        k0 = (k0 + _PHILOX_W0) & _LOW
        k1 = (k1 + _PHILOX_W1) & _LOW
    return c0 | (c1 << _U32), c2 | (c3 << _U32)


@leaf
def word(key, k):
    """K-th word (from 1) of the stream of `key`: SplitMix64's finaliser of key + k * golden."""
    z = low_sum(key, low_product(np.uint64(k), _GOLDEN))
    z = low_product(z ^ (z >> _S30), _MIX1)
    z = low_product(z ^ (z >> _S27), _MIX2)
    return z ^ (z >> _S31)


@leaf
def below(fraction, n):
    """Integer part of n * fraction: uniform over 0 … n-1 for a uniform fraction (an uint64)."""
    return np.int64(high_product(fraction, np.uint64(n)))


@leaf
def rest(fraction, n):
    """Fractional part of n * fraction: the randomness that `below` has left over."""
    return low_product(fraction, np.uint64(n))


@leaf
def open_stream(streams, row, key):
    """Start the stream in a row of `streams` at its first word."""
    streams[row, KEY] = key
    streams[row, COUNT] = _ZERO
    streams[row, LEFT] = _ZERO


@leaf
def open_policy_streams(streams, seed, game, deal):
    """Start the four seats' policy streams of one deal."""
    a, b = philox(seed, game, deal, POLICY_01)
    c, d = philox(seed, game, deal, POLICY_23)
    open_stream(streams, 0, a)
    open_stream(streams, 1, b)
    open_stream(streams, 2, c)
    open_stream(streams, 3, d)


@leaf
def open_two_policy_streams(streams, seed, game, deal):
    """Start the policy streams of one deal of two: those of seats 0 and 1."""
    a, b = philox(seed, game, deal, POLICY_01)
    open_stream(streams, 0, a)
    open_stream(streams, 1, b)


@leaf
def few(streams, row, n):
    """Draw from 0 … n-1, n at most 32; six such draws share a word."""
    left = streams[row, LEFT]
    if left == _ZERO:
        count = streams[row, COUNT] + _ONE
        streams[row, COUNT] = count
        fraction = word(streams[row, KEY], count)
        left = _FEW
    else:
        fraction = streams[row, FRACTION]
    streams[row, FRACTION] = rest(fraction, n)
    streams[row, LEFT] = left - _ONE
    return below(fraction, n)


@leaf
def draw(streams, row, n):
    """Draw from 0 … n-1, n below 2^31, from a word of its own."""
    count = streams[row, COUNT] + _ONE
    streams[row, COUNT] = count
    return below(word(streams[row, KEY], count), n)
