"""Real disks that run short or cannot be written: one sentence, the right code, resumable."""

import json
import os
import shutil
import subprocess
import sys

import pytest

from tests.cli.calls import ROOT, SHORT, call
from tests.store.small import contents

SIMULATE = ("simulate", "--games", 90, "--seed", 8, *SHORT, "--part", 10, "--quiet")

# Runs in a mount namespace of its own, so that nothing stays mounted.
DRIVER = """
import json, subprocess, sys
from pathlib import Path
from tests.cli.calls import call
from tests.cli.test_mounts import SIMULATE
from tests.store.small import contents

disk, kept = Path(sys.argv[1]), Path(sys.argv[2])
run, told = disk / "run", {}

def mount(*options):
    subprocess.run(["mount", *map(str, options)], check=True, capture_output=True)

def simulate(name, *more, out=run):
    result = call(*SIMULATE, "--out", out, *more)
    told[name] = result.exit_code, result.stdout, result.stderr

def goes_on(name):
    simulate(name, "--resume")
    told[name + " verified"] = call("verify", run, "--all", "--quiet").exit_code, "", ""
    told[name + " equal"] = int(contents(run) != contents(kept)), "", ""

mount("-t", "tmpfs", "-o", "size=17m", "tmpfs", disk)
(disk / "filler").write_bytes(bytes(2 << 20))
simulate("short")
(disk / "filler").unlink()
mount("-o", "remount,size=64m", disk)
goes_on("more room")
mount("-o", "remount,ro", disk)
simulate("read-only", "--resume")
simulate("read-only, new", out=disk / "other")
mount("-o", "remount,rw", disk)
goes_on("writable")
subprocess.run(["umount", str(disk)], check=True)
mount("-t", "tmpfs", "-o", "size=64m,nr_inodes=17", "tmpfs", disk)
simulate("no inode")
told["left"] = len(list(disk.glob("run/parts/*"))), "", ""
mount("-o", "remount,nr_inodes=1000", disk)
goes_on("more inodes")
print(json.dumps(told))
"""


def in_a_namespace():
    """Answer the command that may mount, or skip."""
    unshare = shutil.which("unshare")
    for flags in ("-rm", "-m"):
        probe = [str(unshare), flags, "sh", "-c", "mount -t tmpfs tmpfs /mnt"]
        if unshare and subprocess.run(probe, check=False, capture_output=True).returncode == 0:
            return probe[:2]
    pytest.skip("nothing may be mounted here")


def test_small_and_read_only_mounts(tmp_path):
    command = in_a_namespace()
    assert call(*SIMULATE, "--out", tmp_path / "kept").exit_code == 0
    (tmp_path / "disk").mkdir()
    done = subprocess.run(
        [*command, sys.executable, "-c", DRIVER, tmp_path / "disk", tmp_path / "kept"],
        capture_output=True, encoding="utf-8", check=False, cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert not list((tmp_path / "disk").iterdir())
    for name, code, said in (
        ("short", 1, "the disk has "),
        ("read-only", 2, "the file system is read-only; choose a folder that can be written"),
        ("read-only, new", 2, "the file system is read-only"),
        ("no inode", 1, "the disk is full; free space, then go on with --resume"),
    ):
        assert told[name][0] == code, told
        assert said in told[name][2]
        assert len(told[name][2].splitlines()) == 1
    assert 0 < told["left"][0] < 9
    for name in ("more room", "writable", "more inodes"):
        for step in ("", " verified", " equal"):
            assert told[name + step][0] == 0, told
    assert contents(tmp_path / "kept")
