"""Calls functions of the tests where kernels are not compiled, in a process of its own."""

import json
import os
import subprocess
import sys
from pathlib import Path

from jokersim.kernels.jit import JIT_DISABLED

ROOT = Path(__file__).resolve().parents[2]


def without_compiler(function):
    """Answer what a function without arguments answers there; it goes through JSON."""
    if JIT_DISABLED:
        return function()
    code = (
        f"import json, {function.__module__} as tests\n"
        f"print(json.dumps(tests.{function.__name__}()))"
    )
    found = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True,
        env=os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    return json.loads(found.stdout)
