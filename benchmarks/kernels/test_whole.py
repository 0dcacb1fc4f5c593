"""Whole games, parties and questions: the same works as the guard's."""

from __future__ import annotations

import pytest

from benchmarks.guard import KERNELS


@pytest.mark.parametrize("name", KERNELS)
def test_kernel(benchmark, name):
    work = KERNELS[name]()
    work()
    benchmark(work)
