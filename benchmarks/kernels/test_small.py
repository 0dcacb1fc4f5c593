"""The leaves of a game, some thousands a round: divide by N for the time of one."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.kernels import loops
from jokersim.cards import JOKERS

N = 20_000


@pytest.fixture(scope="module")
def drawn():
    return np.random.default_rng(1)


@pytest.mark.parametrize("portable", [False, True], ids=["deposit", "portable"])
def test_nth_bit(benchmark, drawn, portable):
    masks = drawn.integers(1, 1 << 36, N)
    counts = np.array([int(mask).bit_count() for mask in masks])
    n = (drawn.random(N) * counts).astype(np.int64)
    assert benchmark(loops.nth_bits, masks, n, portable) > 0


def test_philox(benchmark):
    benchmark(loops.philox_blocks, 1, N, 1)


def test_words(benchmark):
    benchmark(loops.words, np.uint64(0x9E3779B97F4A7C15), N)


@pytest.mark.parametrize("size", [1, 5, 9])
def test_deal_four(benchmark, size):
    benchmark(loops.deals, 1, N, size, np.zeros(4, np.int64))


def test_replies(benchmark, drawn):
    hands = drawn.integers(1, 1 << 36, N)
    plain = [card for card in range(36) if not JOKERS >> card & 1]
    leads = drawn.choice(plain, N)
    assert benchmark(loops.replies, hands, leads, 0) > 0


def test_rank(benchmark, drawn):
    totals = drawn.integers(-2_000, 4_000, (N, 4))
    benchmark(loops.ranks, totals, np.zeros(4, np.int64))
