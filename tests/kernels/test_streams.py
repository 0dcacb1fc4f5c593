"""Streams: known answers of the generators, what keys what, and draws without bias."""

import numpy as np
import pytest
from numba import types
from scipy import stats

from jokersim.kernels import streams
from jokersim.kernels.jit import JIT_DISABLED
from tests.kernels import entries

WORD = 1 << 64
# Bounds that a right program breaks once in a million checks.
P = 1e-6


def blocks(seeds, games, deals, purposes):
    columns = np.broadcast_arrays(
        np.asarray(seeds, np.uint64), np.asarray(games, np.uint64), deals, purposes
    )
    columns = [np.ascontiguousarray(column) for column in columns]
    out = np.empty((len(columns[0]), 2), np.uint64)
    entries.philox(*columns[:2], *(column.astype(np.int64) for column in columns[2:]), out)
    return out


def words(key, n):
    out = np.empty(n, np.uint64)
    entries.words(np.uint64(key), out)
    return out


def opened(key):
    rows = np.zeros((1, streams.N_COLUMNS), np.uint64)
    rows[0, streams.KEY] = key
    return rows


def drawn(rows, bounds, few=True, row=0):
    out = np.empty(len(bounds), np.int64)
    entries.draws(rows, row, few, np.asarray(bounds, np.int64), out)
    return out


# Counter and key, least significant word first, and the block: the known answers that come with
# Random123, the generator's reference implementation.
KNOWN = [
    ("00000000 " * 4, "00000000 " * 2, "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
    ("ffffffff " * 4, "ffffffff " * 2, "408f276d 41c83b0e a20bc7c6 6d5451fd"),
    (
        "243f6a88 85a308d3 13198a2e 03707344",
        "a4093822 299f31d0",
        "d16cfe09 94fdcceb 5001e420 24126ea1",
    ),
]


@pytest.mark.parametrize(("counter", "key", "block"), KNOWN)
def test_philox_known_answers(counter, key, block):
    """The seed is the key; game, deal and purpose are the counter, the game its two low words."""
    c = [int(word, 16) for word in counter.split()]
    k = [int(word, 16) for word in key.split()]
    found = blocks([k[0] | k[1] << 32], [c[0] | c[1] << 32], c[2], c[3])[0].tolist()
    assert [f"{half:08x}" for word in found for half in (word & 0xFFFFFFFF, word >> 32)] == (
        block.split()
    )


@pytest.mark.parametrize(
    ("key", "first"),
    [
        (0, [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F]),
        (
            1234567,
            [
                6457827717110365317,
                3203168211198807973,
                9817491932198370423,
                4593380528125082431,
                16408922859458223821,
            ],
        ),
    ],
)
def test_splitmix64_known_answers(key, first):
    assert words(key, len(first)).tolist() == first


def test_the_highest_seed_and_game_have_blocks_of_their_own():
    top = (1 << 63) - 1
    found = blocks([0, top, top - 1, top], [0, 0, 0, top], 0, 0)
    assert len(set(found.ravel().tolist())) == 8


def test_few_is_exact_to_the_last_of_six_draws():
    """Six draws are the digits, in their mixed radix, of one floor(word * product / 2^64).

    So no outcome of the six has a chance off by more than one word in 2^64, which is less than
    2^-33 of it: the product is at most 32^6 = 2^30.
    """
    rng = np.random.default_rng(5)
    for key in rng.integers(0, 1 << 63, 40):
        bounds = rng.integers(1, 33, 60)
        got = drawn(opened(key), bounds).tolist()
        expected = []
        for i, word in enumerate(words(key, 10).tolist()):
            six = bounds[6 * i : 6 * i + 6].tolist()
            joint = word * int(np.prod(six)) // WORD
            for n in reversed(six):
                expected.insert(6 * i, joint % n)
                joint //= n
        assert got == expected


def test_draw_takes_a_word_each():
    rng = np.random.default_rng(6)
    for key in rng.integers(0, 1 << 63, 20):
        bounds = rng.integers(1, 1 << 31, 30)
        expected = [
            w * n // WORD for w, n in zip(words(key, 30).tolist(), bounds.tolist(), strict=True)
        ]
        assert drawn(opened(key), bounds, few=False).tolist() == expected


@pytest.mark.parametrize("n", [1, 2, 5, 7, 10, 17, 32])
@pytest.mark.parametrize("few", [True, False])
def test_draws_are_uniform(n, few):
    size = 6_000 if JIT_DISABLED else 600_000
    counts = np.bincount(drawn(opened(987654321), np.full(size, n), few), minlength=n)
    assert len(counts) == n
    low, high = stats.binom.interval(1 - P / n, size, 1 / n)
    assert ((low <= counts) & (counts <= high)).all(), counts


def test_successive_draws_are_independent():
    """Pairs of neighbours among the six draws of a word, and across words, are uniform too."""
    size = 6_000 if JIT_DISABLED else 600_000
    got = drawn(opened(42), np.full(size, 8)).reshape(-1, 6)
    following = np.roll(got.ravel(), -1).reshape(-1, 6)
    for place in range(6):
        counts = np.bincount(8 * got[:, place] + following[:, place], minlength=64)
        expected = size / 6 / 64
        chi_square = ((counts - expected) ** 2 / expected).sum()
        assert stats.chi2.ppf(P / 2, 63) < chi_square < stats.chi2.isf(P / 2, 63)


def test_each_seat_has_half_a_block():
    for seats, columns in ((4, 4), (2, 2)):
        rows = np.full((4, streams.N_COLUMNS), 7, np.uint64)
        entries.policy_streams(rows, 11, 5, 3, seats)
        keys = blocks([11, 11], [5, 5], 3, [streams.POLICY_01, streams.POLICY_23]).ravel()
        assert rows[:columns, streams.KEY].tolist() == keys[:columns].tolist()
        # A stream that is opened again starts anew, whatever was left of it.
        assert not rows[:columns, [streams.COUNT, streams.LEFT]].any()
        assert (rows[columns:] == 7).all()


def test_streams_are_separate():
    """No two of many seeds, games, deals and purposes share a key."""
    seeds, games, deals = (0, 1, 2, 1 << 32, (1 << 63) - 1), (0, 1, 2, 1 << 32), range(24)
    purposes = range(40)
    grid = np.array(np.meshgrid(seeds, games, deals, purposes, indexing="ij"), np.int64)
    found = blocks(*grid.reshape(4, -1))
    assert len(np.unique(found)) == found.size


def test_purposes_do_not_collide():
    names = ("DEALING", "FIRST_DEALER", "POLICY_01", "POLICY_23", "PACKET", "FAILURE", "DECLARER")
    once = [getattr(streams, name) for name in names]
    # These may take the numbers up to the next one, a block each.
    ranges = [streams.WORLDS, streams.ODDS, streams.BOOTSTRAP]
    assert len(set(once)) == len(once)
    assert max(once) < ranges[0]
    assert ranges == sorted(set(ranges))


@pytest.mark.parametrize("purpose", range(7))
def test_a_stream_tells_nothing_about_its_neighbours(purpose):
    """Neighbouring games, deals and purposes agree in half of their bits."""
    n = 1_000 if JIT_DISABLED else 50_000
    games = np.arange(n)
    here = blocks(np.full(n, 1), games, 3, purpose)
    for other in (
        blocks(np.full(n, 1), games + 1, 3, purpose),
        blocks(np.full(n, 1), games, 4, purpose),
        blocks(np.full(n, 1), games, 3, purpose + 1),
        blocks(np.full(n, 2), games, 3, purpose),
    ):
        ones = np.bitwise_count(here ^ other).sum()
        low, high = stats.binom.interval(1 - P, n * 128, 0.5)
        assert low <= ones <= high


@pytest.mark.skipif(JIT_DISABLED, reason="types are the compiler's")
def test_words_are_unsigned_and_draws_signed():
    rows = types.Array(types.uint64, 2, "C")
    integers = (types.int64,) * 4
    pair = types.UniTuple(types.uint64, 2)
    for function, arguments, answer in (
        (streams.philox, integers, pair),
        (streams.word, (types.uint64, types.int64), types.uint64),
        (streams.below, (types.uint64, types.int64), types.int64),
        (streams.rest, (types.uint64, types.int64), types.uint64),
        (streams.few, (rows, types.int64, types.int64), types.int64),
        (streams.draw, (rows, types.int64, types.int64), types.int64),
    ):
        function.compile(arguments)
        assert function.overloads[arguments].signature.return_type == answer, function.__name__


def test_the_scheme_keeps_its_golden_values():
    """Change `streams.SCHEME` with these: they are what a seed means."""
    assert streams.SCHEME == "philox4x32-10/splitmix64/1"
    found = blocks([1, 1, 2024, 1], [0, 1, 10**6, 0], [0, 0, 23, 0], [0, 0, 2, 4])
    assert [[f"{word:016x}" for word in block] for block in found.tolist()] == GOLDEN_BLOCKS
    assert drawn(opened(found[0, 0]), [5, 10, 17, 32, 9, 2, 3, 4]).tolist() == GOLDEN_DRAWS


GOLDEN_BLOCKS = [
    ["e50a0ebce3e80670", "b615aa2795f222c0"],
    ["dfc5ccbeac08141b", "a7f6609379c07a47"],
    ["e6e27722d820a5b8", "f7af7fd7fdb5b282"],
    ["fa92ceb94fd2e5f4", "f1120aaf6efa3a4b"],
]
GOLDEN_DRAWS = [0, 2, 5, 29, 4, 1, 0, 2]
