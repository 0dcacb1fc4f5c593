"""Packing against numpy's bits, whatever the width, the number of codes and what lay there."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jokersim.kernels import packing


def packed_bits(codes, width):
    """Pack codes one bit at a time, the lowest first."""
    bits = (np.asarray(codes, np.int64)[:, None] >> np.arange(width)) & 1
    return np.packbits(bits.astype(np.uint8).ravel(), bitorder="little").tobytes()


@st.composite
def coded(draw, widths, n):
    width = draw(widths)
    code = st.one_of(st.integers(0, 2**width - 1), st.sampled_from([0, 2**width - 1]))
    return width, draw(st.lists(code, min_size=1, max_size=n))


@given(coded(st.integers(1, 8), 60))
def test_bytes_are_packed_bit_by_bit(given_codes):
    width, codes = given_codes
    codes += [0] * (-len(codes) % 8)
    words = np.array(codes, np.uint8).view(np.int64)
    found = np.full(len(words) + 1, -1, np.int64)
    filled = packing.pack_bytes(words, width, found)
    expected = packed_bits(codes, width)
    assert found.tobytes()[: len(expected)] == expected
    assert filled == -(-len(expected) // 8)
    assert found[-1] == -1, "nothing is written behind"


@given(coded(st.integers(1, 31), 60))
def test_wider_codes_are_packed_bit_by_bit(given_codes):
    width, codes = given_codes
    found = np.full(40, -1, np.int64)
    filled = packing.pack(np.array(codes, np.int32), width, found)
    expected = packed_bits(codes, width)
    assert found.tobytes()[: len(expected)] == expected
    assert filled == -(-len(codes) * width // 64)
    assert not any(found.tobytes()[len(expected) : 8 * filled])
    assert (found[filled:] == -1).all()


@pytest.mark.parametrize("dtype", [np.int8, np.int16, np.int32, np.int64])
@pytest.mark.parametrize("n", [1, 2, 255, 256, 257, 3000])
def test_a_survey_finds_the_ends_and_the_runs(dtype, n):
    draw = np.random.default_rng(n)
    limits = np.iinfo(dtype)
    every_other = np.where(np.arange(n) % 2, dtype(limits.max), dtype(limits.min))
    for values in (every_other, draw.integers(0, 2, n).astype(dtype), np.full(n, dtype(-3))):
        runs = 1 + np.count_nonzero(values[1:] != values[:-1])
        assert packing.survey(values) == (values.min(), values.max(), runs)


@given(st.lists(st.integers(-40, 1000), min_size=1, max_size=50))
@pytest.mark.parametrize("dtype", [np.int32, np.int64])
def test_values_are_numbered_upward(dtype, values):
    values = np.array(values, dtype)
    low = int(values.min())
    codes = np.zeros(int(values.max()) - low + 1, np.int32)
    n = packing.mark(values, low, codes)
    different, expected = np.unique(values, return_inverse=True)
    assert n == len(different)
    assert np.array_equal(np.flatnonzero(codes >= 0) + low, different)
    found = np.empty(len(values), np.uint8)
    packing.look_up(values, low, codes, found)
    assert np.array_equal(found, expected)


@pytest.mark.parametrize("width", [1, 8, 9, 16])
def test_runs_tell_their_length_and_their_code(width):
    lengths = np.array([1, 63, 64, 8191, 8192, 122_880], np.int64)
    codes = np.array([0, 1, 2**width - 1, 0, 1, 2**width - 1], np.int64)
    octets = np.full(64, 0xAA, np.uint8)
    size = packing.write_runs(codes, lengths, width, octets)
    at, found = 0, []
    while at < size:
        header = shift = 0
        while True:
            header |= (int(octets[at]) & 0x7F) << shift
            shift += 7
            at += 1
            if octets[at - 1] < 0x80:
                break
        assert header % 2 == 0, "a run, not packed codes"
        taken = -(-width // 8)
        found.append((header // 2, int.from_bytes(octets[at : at + taken].tobytes(), "little")))
        at += taken
    assert found == list(zip(lengths.tolist(), codes.tolist(), strict=True))
    assert (octets[size:] == 0xAA).all()


@pytest.mark.parametrize("n", [1, 7, 1024, 1025, 3000])
def test_words_are_parted_into_planes(n):
    words = np.random.default_rng(n).integers(-(2**63), 2**63 - 1, n)
    planes = np.full(8 * n + 1, 0xAA, np.uint8)
    packing.split_words(words, planes)
    assert np.array_equal(planes[:-1].reshape(8, n), words.view(np.uint8).reshape(n, 8).T)
    assert planes[-1] == 0xAA
