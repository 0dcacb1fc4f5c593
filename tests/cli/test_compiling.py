import _thread
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from jokersim.cli import foreground
from jokersim.cli.compiling import compile_first
from jokersim.cli.output import Notes
from jokersim.kernels import jit
from jokersim.kernels.watch import watched

ROOT = Path(__file__).resolve().parent.parent.parent


def fresh_kernel():
    """Make a kernel that nobody has compiled."""

    def twice(n):
        return n + n

    return jit.exposed(jit.kernel(twice)) if not jit.JIT_DISABLED else None


needs_compiler = pytest.mark.skipif(jit.JIT_DISABLED, reason="kernels run as Python here")


@needs_compiler
def test_a_compilation_is_announced_once_and_timed(capsys):
    kernel = fresh_kernel()
    assert compile_first(Notes(quiet=False), lambda: kernel(2)) == 4
    output, remarks = capsys.readouterr()
    assert output == ""
    first, second = remarks.splitlines()
    assert first.startswith("jokersim: compiling the simulation kernels, once")
    assert second.startswith("jokersim: compiled in ")
    assert compile_first(Notes(quiet=False), lambda: kernel(3)) == 6
    assert capsys.readouterr().err == ""


@needs_compiler
def test_nothing_is_announced_to_be_quiet(capsys):
    kernel = fresh_kernel()
    assert compile_first(Notes(quiet=True), lambda: kernel(2)) == 4
    assert capsys.readouterr().err == ""


@needs_compiler
def test_only_what_is_watched_is_heard():
    heard = []
    kernel = fresh_kernel()
    with watched(lambda: heard.append(1)) as watch:
        kernel(2)
        kernel(2.0)
    assert heard == [1]
    assert watch.seconds > 0
    fresh_kernel()(2)
    assert heard == [1]


def test_the_garbage_collector_rests_only_while_the_compiler_is_loaded():
    # In a process of its own: here the compiler is there already.
    code = """
import gc, sys
from jokersim.cli.compiling import compile_first
from jokersim.cli.output import Notes

before = gc.get_threshold()
during = []

def call():
    assert "numba" in sys.modules
    during.append(gc.get_threshold() != before)
    raise KeyError

for _ in range(2):
    try:
        compile_first(Notes(quiet=True), call)
    except KeyError:
        pass
    assert gc.isenabled() and gc.get_threshold() == before
    frozen = gc.get_freeze_count()
    gc.unfreeze()
    print(during.pop(), frozen > 0)
"""
    shown = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert shown.stdout == "True True\nFalse False\n"


def test_what_a_call_raises_is_raised():
    def fail():
        raise KeyError("x")

    with pytest.raises(KeyError):
        foreground.wait_for(fail)
    assert foreground.wait_for(lambda: 3) == 3
    assert not foreground.left_behind()


def test_an_interrupt_leaves_the_call_behind():
    go_on = threading.Event()

    def work():
        _thread.interrupt_main()
        go_on.wait(timeout=60)

    with pytest.raises(KeyboardInterrupt):
        foreground.wait_for(work)
    assert foreground.left_behind()
    go_on.set()
    end = time.monotonic() + 30
    while foreground.left_behind():
        assert time.monotonic() < end
        time.sleep(0.02)
