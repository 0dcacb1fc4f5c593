"""A fault of the file system at every step: one sentence, nothing half-written, resumable."""

import errno
import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from jokersim import store
from jokersim.errors import InputError, RunError
from jokersim.store import files
from tests.store.small import SPEC, contents, tables, write, write_part

ROOT = Path(__file__).resolve().parents[2]
ERRORS = [errno.ENOSPC, errno.EACCES, errno.EROFS, errno.ENOENT]
NO_STEP = 10**9


class Faults:
    """Counts the steps of the store from an armed moment on, and fails one of them."""

    def __init__(self, monkeypatch):
        self.steps = []
        self.fail_at = NO_STEP
        self.errno = 0
        self.armed = False
        monkeypatch.setattr(files, "fault", self)

    def __call__(self, name, path):
        if self.armed:
            self.steps.append((name, path.name))
            if len(self.steps) > self.fail_at:
                raise OSError(self.errno, os.strerror(self.errno), str(path))


@pytest.fixture
def faults(monkeypatch):
    return Faults(monkeypatch)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    folder = tmp_path_factory.mktemp("whole") / "run"
    write(folder, 10)
    return contents(folder)


def seen(folder):
    """Answer what an analyst sees; every Parquet file of it must open."""
    for path in folder.glob("*/*.parquet"):
        if path.parent.name != "tmp":
            pq.read_table(path)
    return {name: data for name, data in contents(folder).items() if not name.startswith("tmp")}


def play_out(writer):
    write_part(writer, 0, 10)
    writer.finish({"games": 10})


def opened(folder, **options):
    """Try to open a folder: the writer, or the refusal."""
    try:
        return store.create_or_open(folder, SPEC, 10, tables(), **options)
    except InputError as error:
        return error


def count_steps(faults, folder):
    with store.create_or_open(folder, SPEC, 10, tables()) as writer:
        faults.armed = True
        play_out(writer)
        faults.armed = False
    return list(faults.steps)


def worth_failing(steps):
    """Leave out the writes that have the same write before and after them."""
    chosen = [
        at
        for at, step in enumerate(steps)
        if not (0 < at < len(steps) - 1 and steps[at - 1] == step == steps[at + 1])
    ]
    assert len(chosen) > 20
    return chosen


def test_the_protocol_is_the_one_of_the_design(faults, tmp_path):
    steps = count_steps(faults, tmp_path / "run")
    kinds = [name for name, _ in steps]
    targets = [path for name, path in steps if name == "rename"]
    part = "part-000000000000-000000000009"
    assert targets == [
        f"{part}.parquet",
        f"{part}.parquet",
        f"{part}.json",
        "summary.json",
        "_SUCCESS",
    ]
    first = kinds.index("rename")
    assert kinds[first - 1] == "sync"
    assert steps[first + 1] == ("sync", "games")
    assert steps[[path for _, path in steps].index(f"{part}.json") + 1] == ("sync", "parts")
    assert {"open", "write", "close", "sync", "rename"} <= set(kinds)


@pytest.mark.parametrize("code", ERRORS, ids=errno.errorcode.get)
def test_a_fault_at_any_step_of_a_part(faults, tmp_path, whole, code):
    steps = count_steps(faults, tmp_path / "count")
    faults.errno = code
    for step in worth_failing(steps):
        folder = tmp_path / str(step)
        with store.create_or_open(folder, SPEC, 10, tables()) as writer:
            faults.steps, faults.fail_at, faults.armed = [], step, True
            with pytest.raises(RunError) as raised:
                play_out(writer)
            faults.armed = False
            message = str(raised.value)
            assert message.startswith("cannot "), message
            assert "\n" not in message
            assert raised.value.exit_code == 1
        left = seen(folder)
        # What is seen is final already: byte for byte what the whole run has.
        assert left == {name: whole[name] for name in left}
        assert not [name for name in contents(folder) if name.startswith("tmp/")]
        write(folder, 10, resume=True)
        assert contents(folder) == whole


@pytest.mark.parametrize("code", ERRORS, ids=errno.errorcode.get)
def test_a_fault_at_any_step_of_opening(faults, tmp_path, code):
    faults.errno = code
    step = 0
    while True:
        folder = tmp_path / str(step) / "run"
        folder.parent.mkdir()
        faults.steps, faults.fail_at, faults.armed = [], step, True
        found = opened(folder)
        faults.armed = False
        if isinstance(found, store.Writer):
            found.close()
            break
        assert str(found).startswith(f"cannot write in {folder}: ")
        assert not folder.exists(), faults.steps[-1]
        step += 1
    assert step > 8


def test_a_fault_at_any_step_of_resuming_and_replacing(faults, tmp_path, whole):
    faults.errno = errno.EROFS
    for options in ({"resume": True}, {"overwrite": True}):
        step = 0
        while True:
            folder = tmp_path / f"{step}{next(iter(options))}"
            write(folder, 10)
            faults.steps, faults.fail_at, faults.armed = [], step, True
            found = opened(folder, **options)
            faults.armed = False
            if isinstance(found, store.Writer):
                found.close()
                break
            left = seen(folder)
            assert left == {name: whole[name] for name in left}
            assert "run.json" in left
            write(folder, 10, **options)
            assert contents(folder) == whole
            step += 1
        assert step > 8


def test_the_sentence_names_the_cause_and_the_cure(faults, tmp_path):
    with store.create_or_open(tmp_path, SPEC, 10, tables()) as writer:
        faults.errno, faults.fail_at, faults.armed = errno.ENOSPC, 0, True
        with pytest.raises(RunError, match="the disk is full; free space, then go on with"):
            write_part(writer, 0, 10)
        faults.armed = False


KILLED = textwrap.dedent(
    """
    import os, sys
    from pathlib import Path
    from jokersim.store import files
    from tests.store.small import write

    left = int(sys.argv[2])

    def fault(name, path):
        global left
        left -= 1
        if left < 0:
            os._exit(9)

    files.fault = fault
    write(Path(sys.argv[1]), 10, resume=True)
    """
)


def run_killed(folder, step):
    return subprocess.run(
        [sys.executable, "-c", KILLED, str(folder), str(step)], cwd=ROOT, check=False
    ).returncode


# Each step is tried in process above; whole processes are dear, so some of the steps here.
@pytest.mark.parametrize("step", [2, 14, 30])
def test_a_process_killed_at_a_step_leaves_a_run_that_goes_on(tmp_path, whole, step):
    folder = tmp_path / "run"
    assert run_killed(folder, step) == 9
    left = seen(folder)
    assert left == {name: whole[name] for name in left}
    told = []
    write(folder, 10, resume=True, warn=told.append)
    assert contents(folder) == whole
    assert all("took over the lock" in line for line in told)


def test_killed_between_write_and_rename(tmp_path, whole):
    """Find the last step before the first part is seen, and end the process there."""
    script = KILLED.replace("left -= 1", "left -= name == 'rename' and path.suffix == '.parquet'")
    for number in range(2):
        folder = tmp_path / str(number)
        done = subprocess.run(
            [sys.executable, "-c", script, str(folder), str(number)], cwd=ROOT, check=False
        )
        assert done.returncode == 9
        parts = [name for name in seen(folder) if name.endswith(".parquet")]
        assert len(parts) == number
        assert store.read(folder).markers() == []
        write(folder, 10, resume=True, warn=lambda line: None)
        assert contents(folder) == whole


def test_sigkill_while_a_part_is_open(tmp_path, whole):
    script = KILLED.replace("os._exit(9)", "os.kill(os.getpid(), 9)")
    folder = tmp_path / "run"
    done = subprocess.run([sys.executable, "-c", script, str(folder), "16"], cwd=ROOT, check=False)
    assert done.returncode == -signal.SIGKILL
    assert [name for name in contents(folder) if name.startswith("tmp/")]
    told = []
    write(folder, 10, resume=True, warn=told.append)
    assert len(told) == 1
    assert contents(folder) == whole
