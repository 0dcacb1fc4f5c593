"""Datasets on other file systems: an object store kept in memory, and one below a folder."""

import errno
import json
import os
import time
from pathlib import Path

import pyarrow.fs as pa_fs
import pytest

import jokersim as js
from jokersim import store
from jokersim.errors import InputError, RunError, SpecError
from jokersim.store import files, remote_lock
from jokersim.store.remote import Remote, located
from tests.cli.calls import SHORT, call, refused
from tests.store.small import SPEC, contents, tables, write, write_part

fsspec = pytest.importorskip("fsspec")


@pytest.fixture(autouse=True)
def quick_lock(monkeypatch):
    monkeypatch.setattr(remote_lock, "SETTLE_SECONDS", 0.0)


@pytest.fixture
def uri(tmp_path):
    """Name a folder of the object store of this process that no other test uses."""
    return f"memory://{tmp_path.name}/run"


def kept(uri):
    """Answer every object below a URI with its bytes."""
    system, root = fsspec.core.url_to_fs(uri)
    return {path[len(root) + 1 :]: system.cat_file(path) for path in system.find(root)}


def put(uri, data):
    system, path = fsspec.core.url_to_fs(uri)
    system.pipe_file(path, data)


def test_a_run_is_the_one_that_a_folder_holds(tmp_path, uri):
    write(uri)
    write(tmp_path / "run")
    assert kept(uri) == contents(tmp_path / "run")
    mine, theirs = store.read(uri), store.read(tmp_path / "run")
    assert mine.table("deals").equals(theirs.table("deals"))
    assert mine.table("games", span=(3, 17)).equals(theirs.table("games", span=(3, 17)))
    assert (mine.complete, store.check(mine)) == (True, [])


def test_a_file_uri_is_a_path(tmp_path):
    write((tmp_path / "a run").as_uri())
    write(tmp_path / "other")
    assert contents(tmp_path / "a run") == contents(tmp_path / "other")
    assert located((tmp_path / "a run").as_uri()) == tmp_path / "a run"


def test_below_a_folder_of_pyarrows(tmp_path):
    system = pa_fs.SubTreeFileSystem(str(tmp_path), pa_fs.LocalFileSystem())
    write(Remote(system, "sub://", "run"))
    write(tmp_path / "other")
    left = contents(tmp_path / "run")
    assert left == contents(tmp_path / "other")
    put_back = located(Remote(system, "sub://", "run"))
    assert store.check(store.read(put_back)) == []


def test_it_goes_on_and_is_replaced(tmp_path, uri):
    write(uri, 45, stop=20)
    assert [(m.start, m.stop) for m in store.read(uri).markers()] == [(0, 10), (10, 20)]
    with pytest.raises(InputError, match="holds a run already"):
        write(uri, 45)
    with pytest.raises(SpecError, match=r"seed \(asked 2, there 1\)"):
        write(uri, 45, spec=SPEC | {"seed": 2}, resume=True)
    write(uri, 45, resume=True)
    write(tmp_path / "run", 45)
    assert kept(uri) == contents(tmp_path / "run")
    write(uri, 5, overwrite=True)
    assert len(store.read(uri).markers()) == 1


def test_shards_are_merged_across_file_systems(tmp_path, uri):
    write(f"{uri}-1", 40, span=(0, 20))
    write(tmp_path / "2", 40, span=(20, 40))
    write(tmp_path / "whole", 40)
    for out in (f"{uri}-out", tmp_path / "out"):
        with store.merge(out, [tmp_path / "2", f"{uri}-1"]) as writer:
            writer.finish({"games": 40})
    assert kept(f"{uri}-out") == contents(tmp_path / "out") == contents(tmp_path / "whole")


@pytest.mark.parametrize("stop", [0, 1, 2])
def test_a_part_that_was_cut_short_is_not_there(tmp_path, monkeypatch, uri, stop):
    sent = []

    def break_off(name, path):
        if name == "rename" and path.name.startswith("part-"):
            sent.append(path)
            if len(sent) == stop + 1:
                put(str(path), b"PAR1 half of a file")
                raise OSError(errno.EIO, "connection reset")

    with store.create_or_open(uri, SPEC, 10, tables()) as writer:
        monkeypatch.setattr(files, "fault", break_off)
        with pytest.raises(RunError, match="cannot commit "):
            write_part(writer, 0, 10)
        monkeypatch.setattr(files, "fault", None)
    assert store.read(uri).markers() == []
    write(uri, 10, resume=True)
    write(tmp_path / "run", 10)
    assert kept(uri) == contents(tmp_path / "run")


def test_what_is_sent_is_seen_to_have_come(tmp_path, monkeypatch, uri):
    class Short:
        """Keeps the first bytes alone."""

        def __init__(self, target):
            self._target = target
            self._left = 100

        def write(self, data):
            self._target.write(data[: self._left])
            self._left -= len(data[: self._left])

        def __enter__(self):
            return self

        def __exit__(self, *error):
            self._target.close()

    class Broken:
        def __init__(self, system):
            self._system = system

        def __getattr__(self, name):
            return getattr(self._system, name)

        def open_output_stream(self, path):
            return Short(self._system.open_output_stream(path))

    place = located(uri)
    (tmp_path / "file").write_bytes(b"x" * 1000)
    with pytest.raises(OSError, match="not the size of what was sent"):
        Remote(Broken(place.system), uri, place.path).take(tmp_path / "file")
    assert not place.exists()


def test_nothing_is_left_in_the_scratch_folder(uri):
    write(uri)
    assert list(files.scratch(located(uri)).iterdir()) == []


def lock_of(uri, **holder):
    put(f"{uri}/tmp/lock", json.dumps({"host": "elsewhere", "pid": 1, **holder}).encode())


def test_one_writer_a_folder(uri):
    with store.create_or_open(uri, SPEC, 10, tables()) as writer:
        with pytest.raises(SpecError, match=f"is being written by process {os.getpid()}"):
            write(uri, 10, resume=True)
        lock_of(uri, at=time.time(), token="other")
        with pytest.raises(RunError, match="no longer locked by this run"):
            write_part(writer, 0, 10)
    lock_of(uri, at=time.time() - 50, token="other")
    with pytest.raises(SpecError, match="process 1 on elsewhere"):
        write(uri, 10, resume=True)
    lock_of(uri, at=time.time() - 70, token="other")
    told = []
    write(uri, 10, resume=True, warn=told.append)
    assert len(told) == 1
    assert "took over the lock of process 1 on elsewhere, silent for 7" in told[0]
    assert "tmp/lock" not in kept(uri)


def test_two_at_once_on_another_file_system(monkeypatch, uri):
    """Another process writes its lock after ours was written: one of the two is refused."""
    monkeypatch.setattr(remote_lock, "SETTLE_SECONDS", 0.2)
    original = remote_lock.RemoteLock._renew

    def overtaken(self):
        original(self)
        lock_of(uri, at=time.time(), token="other")

    monkeypatch.setattr(remote_lock.RemoteLock, "_renew", overtaken)
    with pytest.raises(SpecError, match="is being written by process 1 on elsewhere"):
        write(uri, 10)


@pytest.mark.parametrize("uri", ["nowhere://a/b", "s3://", "sftp//x"])
def test_what_is_no_file_system(uri, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError):
        store.read(uri)


def test_the_command_line_takes_uris(tmp_path, uri):
    asked = ("--games", 60, "--seed", 8, *SHORT, "--part", 20, "--quiet")
    assert call("simulate", *asked, "--out", tmp_path / "run").exit_code == 0
    assert call("simulate", *asked, "--out", uri).exit_code == 0
    assert kept(uri) == contents(tmp_path / "run")
    summaries = [call("summary", place, "--json").stdout for place in (uri, tmp_path / "run")]
    assert summaries[0] == summaries[1] != ""
    assert call("verify", uri, "--all", "--quiet").exit_code == 0
    assert js.read(uri).deals().equals(js.read(tmp_path / "run").deals())
    shown = [call("show", place, "--index", 3).stdout for place in (uri, tmp_path / "run")]
    assert shown[0] == shown[1] != ""
    for k in (1, 2):
        shard = ("--shard", f"{k}/2", "--out", f"{uri}-{k}")
        assert call("simulate", *asked, *shard).exit_code == 0
    assert call("merge", f"{uri}-all", f"{uri}-2", f"{uri}-1").exit_code == 0
    assert kept(f"{uri}-all") == kept(uri)
    assert f"{uri} holds a run already" in refused(call("simulate", *asked, "--out", uri))
    more = call("simulate", "--games", 80, *asked[2:], "--out", uri, "--resume")
    assert more.exit_code == 0
    data = bytearray(kept(uri)["games/part-000000000000-000000000019.parquet"])
    data[100] ^= 1
    put(f"{uri}/games/part-000000000000-000000000019.parquet", bytes(data))
    found = call("verify", uri, "--quiet")
    assert found.exit_code == 3
    assert "games/part-000000000000-000000000019.parquet" in found.stdout


def test_a_path_is_no_uri():
    assert located("c:/x") == Path("c:/x")
    assert located(Path("a://b")) == Path("a://b")
