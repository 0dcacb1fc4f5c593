"""Where compiled code is kept, whoever else compiles."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import numba
import pytest

from jokersim.kernels import jit

THREADS = 8


@pytest.mark.skipif(jit.JIT_DISABLED, reason="nothing is compiled")
def test_threads_that_compile_at_once_keep_code_where_it_belongs():
    """A folder that slipped into another thread's would land in the current one."""
    before = numba.config.CACHE_DIR
    at_once = Barrier(THREADS)

    def bind(key):
        at_once.wait()
        return [
            Path(jit.outside(lambda x: x, f"{key}-{i}").stats.cache_path).parent for i in range(50)
        ]

    with ThreadPoolExecutor(THREADS) as pool:
        found = list(pool.map(bind, range(THREADS)))
    kept = jit.cache_folder()
    assert found == [[kept / f"user-{key}-{i}" for i in range(50)] for key in range(THREADS)]
    assert before == numba.config.CACHE_DIR
