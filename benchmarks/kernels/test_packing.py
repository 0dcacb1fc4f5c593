"""Packing a row group of `deals`, a kernel at a time: divide by ROWS for the time of a value."""

from __future__ import annotations

import numpy as np
import pytest

from jokersim.kernels import packing

ROWS = 122_880


@pytest.fixture(scope="module")
def drawn():
    return np.random.default_rng(1)


@pytest.fixture
def words():
    return np.empty(ROWS + 8, np.int64)


@pytest.mark.parametrize("width", [2, 4, 6])
def test_pack_bytes(benchmark, drawn, words, width):
    codes = drawn.integers(0, 1 << width, ROWS, np.uint8).view(np.int64)
    assert benchmark(packing.pack_bytes, codes, width, words) == ROWS * width // 64


def test_pack(benchmark, drawn, words):
    codes = drawn.integers(0, 1 << 9, ROWS, np.int32)
    assert benchmark(packing.pack, codes, 9, words) == ROWS * 9 // 64


def test_mark_and_look_up(benchmark, drawn):
    scores = drawn.integers(-50, 90, ROWS, np.int32) * 10
    found = np.empty(ROWS, np.uint8)

    def number() -> int:
        codes = np.zeros(1401, np.int32)
        n = packing.mark(scores, -500, codes)
        packing.look_up(scores, -500, codes, found)
        return n

    assert benchmark(number) == 140


def test_write_runs(benchmark, words):
    n = ROWS // 4
    codes, lengths = np.arange(n) % 36, np.full(n, 4)
    assert benchmark(packing.write_runs, codes, lengths, 6, words.view(np.uint8)) == 2 * n


def test_split_words(benchmark, drawn, words):
    hands = drawn.integers(0, 1 << 36, ROWS)
    benchmark(packing.split_words, hands, words.view(np.uint8))
