"""Runs as real processes that are killed, resumed, extended and refused."""

import json
import os
import random
import signal
import time

import pyarrow.parquet as pq
import pytest

from tests.cli.calls import SHORT, call, finished, refused, start
from tests.store.small import contents

SIMULATE = ("simulate", "--seed", 5, "--policy", "random", "--set", "schedule=[[2,2],[9]]",
            "--threads", 2, "--chunk", 400, "--quiet")  # fmt: skip
GAMES = ("--games", 30_000, "--part", 2_500)

# Ends the process at a step of the store that is drawn by its name: also between write and rename.
AT_A_STEP = """
import os, signal, sys
from jokersim.store import files
from jokersim.cli import main

name, left = sys.argv.pop(1).split(":")
left = int(left)

def fault(step, path):
    global left
    left -= step == name
    if left < 0:
        os.kill(os.getpid(), signal.SIGKILL)

files.fault = fault
sys.exit(main())
"""


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    folder = tmp_path_factory.mktemp("long") / "whole"
    began = time.monotonic()
    code, _, remarks = finished(start(*SIMULATE, *GAMES, "--out", folder))
    assert code == 0, remarks
    return contents(folder), time.monotonic() - began


def open_all(folder, known):
    """Open every Parquet file that is seen, once: each must be whole from its first moment."""
    for path in folder.glob("[gd]*/*.parquet"):
        if path not in known:
            pq.read_metadata(path)
            pq.read_table(path, columns=["game"])
            known.add(path)


def killed_run(folder, seconds, draw):
    """Start or resume the run and kill it at a random time or step; answers whether it ended."""
    command = (*SIMULATE, *GAMES, "--out", folder, "--resume")
    if draw.random() < 0.5:
        step = draw.choice(["rename", "sync", "write", "open", "close"])
        process = start(f"{step}:{draw.randrange(100)}", *command, code=AT_A_STEP)
        deadline = time.monotonic() + 10 * seconds + 60
    else:
        process = start(*command)
        deadline = time.monotonic() + draw.uniform(0.3, 1.0) * seconds
    known = set()
    while process.poll() is None and time.monotonic() < deadline:
        open_all(folder, known)
        time.sleep(0.01)
    process.kill()
    code = finished(process)[0]
    open_all(folder, known)
    assert code in (0, -signal.SIGKILL)
    return code == 0


def kill_and_resume(folder, whole, runs, seed):
    expected, seconds = whole
    draw = random.Random(seed)
    for run in range(runs):
        out = folder / str(run)
        for _ in range(draw.randrange(1, 3)):
            if killed_run(out, seconds, draw):
                break
        for name, data in contents(out).items():
            if name.split("/")[0] in ("games", "deals", "parts"):
                assert data == expected[name], name
        code, _, remarks = finished(start(*SIMULATE, *GAMES, "--out", out, "--resume"))
        assert code == 0, remarks
        assert contents(out) == expected


def test_runs_that_are_killed_go_on_to_the_same_bytes(tmp_path, whole):
    kill_and_resume(tmp_path, whole, 3, seed=1)


@pytest.mark.slow
def test_fifty_runs_that_are_killed_go_on_to_the_same_bytes(tmp_path, whole):
    kill_and_resume(tmp_path, whole, 50, seed=2)


def wait_for_a_part(folder, process):
    while not list(folder.glob("parts/*.json")):
        assert process.poll() is None, process.communicate()
        time.sleep(0.01)


@pytest.mark.parametrize(
    ("number", "code", "said"),
    [(signal.SIGINT, 130, "interrupted"), (signal.SIGTERM, 143, "terminated")],
)
def test_a_signal_ends_a_run_in_order(tmp_path, number, code, said):
    folder = tmp_path / "run"
    process = start(*SIMULATE, "--games", 10**8, "--part", 2_500, "--out", folder)
    wait_for_a_part(folder, process)
    process.send_signal(number)
    sent = time.monotonic()
    ended = finished(process)
    assert (ended[0], ended[1]) == (code, "")
    assert said in ended[2]
    if (os.cpu_count() or 1) > os.getloadavg()[0]:  # not on a machine busy with other work
        assert time.monotonic() - sent < 2
    assert not [name for name in contents(folder) if name.startswith("tmp/")]
    assert call("verify", folder, "--quiet").exit_code == 0


def test_two_processes_on_one_folder(tmp_path):
    folder = tmp_path / "run"
    process = start(*SIMULATE, "--games", 10**8, "--part", 2_500, "--out", folder)
    wait_for_a_part(folder, process)
    second = call(*SIMULATE, "--games", 10**8, "--part", 2_500, "--out", folder, "--resume")
    assert f"is being written by process {process.pid}" in refused(second, 4)
    process.kill()
    finished(process)


SMALL = ("simulate", "--seed", 8, *SHORT, "--part", 20)


def test_a_lock_left_behind_is_taken_over_and_said(tmp_path):
    folder = tmp_path / "run"
    process = start("write:12", *SMALL, "--games", 60, "--out", folder, code=AT_A_STEP)
    assert finished(process)[0] == -signal.SIGKILL
    result = call(*SMALL, "--games", 60, "--out", folder, "--resume")
    assert result.exit_code == 0
    assert f"took over the lock of process {process.pid}" in result.stderr


def test_every_field_that_differs_is_named(tmp_path):
    call(*SMALL, "--games", 60, "--out", tmp_path / "run", "--quiet")
    before = contents(tmp_path / "run")
    other = ("simulate", "--seed", 9, "--policy", "basic,random,random,random", "--part", 30,
             "--set", "schedule=[[1]]", "--set", "khishti=-700", "--tables", "games",
             "--games", 60, "--out", tmp_path / "run", "--resume", "--quiet")  # fmt: skip
    message = refused(call(*other), 4)
    for field in ("seed (asked 9, there 8)", "part (asked 30, there 20)", "rules.khishti",
                  "tables", "policies"):  # fmt: skip
        assert field in message
    assert contents(tmp_path / "run") == before


def test_a_run_is_extended_and_not_shortened(tmp_path):
    def run(folder, games, *options):
        return call(*SMALL, "--games", games, "--out", folder, "--quiet", *options)

    run(tmp_path / "run", 40)
    old = {path: path.stat().st_mtime_ns for path in tmp_path.glob("run/*/*.parquet")}
    assert run(tmp_path / "run", 110, "--resume").exit_code == 0
    run(tmp_path / "one", 110)
    assert contents(tmp_path / "run") == contents(tmp_path / "one")
    assert {path: path.stat().st_mtime_ns for path in old} == old
    assert "not shortened" in refused(run(tmp_path / "run", 40, "--resume"), 4)


def test_another_pyarrow_is_said_and_goes_on(tmp_path):
    call(*SMALL, "--games", 40, "--out", tmp_path / "run", "--quiet")
    path = tmp_path / "run" / "run.json"
    found = json.loads(path.read_text())
    found["versions"]["pyarrow"] = "1.2.3"
    path.write_text(json.dumps(found))
    result = call(*SMALL, "--games", 60, "--out", tmp_path / "run", "--resume")
    assert result.exit_code == 0
    assert "was begun with pyarrow 1.2.3" in result.stderr


def test_a_precision_that_is_not_reached_ends_with_its_own_code(tmp_path):
    asked = (*SMALL, "--games", 1_500, "--out", tmp_path / "run", "--quiet")
    result = call(*asked, "--precision", "mean_score=1e-9")
    assert result.exit_code == 5
    assert "1,500" in result.stdout
    assert "mean_score=1e-9 was not reached within 1500 games" in result.stderr
    assert call("summary", tmp_path / "run").exit_code == 0
    assert call(*asked, "--precision", "mean_score=1e9", "--resume").exit_code == 0


def test_a_filter_is_shown_with_what_it_kept(tmp_path):
    result = call(*SMALL, "--games", 40, "--out", tmp_path / "run", "--quiet", "--where",
                  "bid==1 and made")  # fmt: skip
    assert result.exit_code == 0
    assert "bid == 1 and made" in result.stdout
    assert "of 160 rows of deals" in result.stdout
    assert "one of game" in refused(call(*SMALL, "--games", 4, "--out", tmp_path / "x", "--where",
                                         "bod==1"))  # fmt: skip
