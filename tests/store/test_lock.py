import json
import os
import socket
import time
from pathlib import Path

import pytest

from jokersim import store
from jokersim.errors import RunError, SpecError
from jokersim.store import heartbeat, lock
from tests.store.small import SPEC, tables, write_part


def opened(folder, warn=pytest.fail):
    return store.create_or_open(folder, SPEC, 10, tables(), resume=True, warn=warn)


def leave(folder, host, age):
    """Leave a lock behind as a process would that ended ``age`` seconds ago."""
    with opened(folder):
        pass
    path = folder / "tmp" / "lock"
    path.write_text(json.dumps({"host": host, "pid": 4711, "token": "x"}))
    os.utime(path, (time.time() - age,) * 2)


def test_the_second_writer_is_refused_and_named_the_first(tmp_path):
    with opened(tmp_path):
        with pytest.raises(SpecError, match=f"written by process {os.getpid()} on"):
            opened(tmp_path)
        with pytest.raises(SpecError):
            store.create_or_open(tmp_path, SPEC, 10, tables(), overwrite=True)
    opened(tmp_path).close()


def test_a_released_lock_leaves_no_file(tmp_path):
    writer = opened(tmp_path)
    assert (tmp_path / "tmp" / "lock").exists()
    writer.close()
    writer.close()
    assert list((tmp_path / "tmp").iterdir()) == []


def test_a_lock_that_is_released_again_closes_nothing_else(tmp_path):
    (tmp_path / "tmp").mkdir()
    held = lock.Lock(tmp_path, pytest.fail)
    number = held._descriptor
    held.release()
    with (tmp_path / "other").open("wb") as other:
        assert other.fileno() == number
        held.release()
        os.fstat(other.fileno())


def test_a_lock_left_on_this_host_is_taken_over_and_said(tmp_path):
    leave(tmp_path, socket.gethostname(), age=0)
    told = []
    opened(tmp_path, told.append).close()
    assert len(told) == 1
    assert "took over the lock of process 4711" in told[0]
    assert "which has ended" in told[0]


@pytest.mark.parametrize("flock", [True, False])
def test_a_heartbeat_from_elsewhere_holds_for_a_minute(tmp_path, monkeypatch, flock):
    if not flock:
        monkeypatch.setattr(lock, "fcntl", None)
    leave(tmp_path, "elsewhere", age=30)
    with pytest.raises(SpecError, match="process 4711 on elsewhere"):
        opened(tmp_path)
    leave_again = tmp_path / "tmp" / "lock"
    os.utime(leave_again, (time.time() - 61,) * 2)
    told = []
    opened(tmp_path, told.append).close()
    assert len(told) == 1
    assert "silent for 61 s" in told[0]


def test_without_flock_a_live_writer_still_holds(tmp_path, monkeypatch):
    monkeypatch.setattr(lock, "fcntl", None)
    with opened(tmp_path), pytest.raises(SpecError):
        opened(tmp_path)


def test_the_heart_beats(tmp_path, monkeypatch):
    monkeypatch.setattr(heartbeat, "BEAT_SECONDS", 0.02)
    with opened(tmp_path):
        path = tmp_path / "tmp" / "lock"
        os.utime(path, (0, 0))
        deadline = time.monotonic() + 10
        while path.stat().st_mtime == 0 and time.monotonic() < deadline:
            time.sleep(0.01)
        assert path.stat().st_mtime > 0


def test_a_writer_whose_lock_was_taken_commits_nothing(tmp_path):
    with opened(tmp_path) as writer:
        path = Path(tmp_path / "tmp" / "lock")
        path.write_text(json.dumps({"host": "elsewhere", "pid": 1, "token": "x"}))
        with pytest.raises(RunError, match="no longer locked"):
            write_part(writer, 0, 10)
        assert not list(tmp_path.glob("*/part-*"))
    assert path.exists(), "another's lock is not ours to remove"
