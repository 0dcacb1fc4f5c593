"""Chunks and the commits of parts: who waits for what, and what stands when something fails."""

import errno
import pickle

import numpy as np
import pytest

from jokersim import store
from jokersim.errors import RunError
from jokersim.simulate import make_player, plan, simulate
from jokersim.simulate.chunk import Memory
from jokersim.simulate.pipeline import ChunkSizes, cut
from jokersim.store import files

ASKED = {"seed": 3, "policies": "random", "tables": ["games", "deals"], "part": 20}


def run(folder, **more):
    return simulate("classic", games=60, out=folder, threads=2, **ASKED, **more)


@pytest.mark.parametrize(("step", "part"), [("sync", 20), ("rename", 0), ("write", 40)])
def test_a_part_that_cannot_be_committed_ends_the_run(tmp_path, monkeypatch, step, part):
    whole = run(tmp_path / "whole")
    folder = tmp_path / "run"

    def fault(name, path):
        if name == step and f"part-{part:012d}" in path.name and "deals" in str(path):
            raise OSError(errno.ENOSPC, "No space left on device", str(path))

    monkeypatch.setattr(files, "fault", fault)
    with pytest.raises(RunError, match="the disk is full"):
        run(folder)
    monkeypatch.setattr(files, "fault", None)
    stands = store.read(folder)
    assert [marker.start for marker in stands.markers()] == list(range(0, part, 20))
    assert not stands.complete
    assert [path.name for path in (folder / "tmp").iterdir() if "part" in path.name] == []
    run(folder, resume=True)
    for table in ("games", "deals"):
        for path in (folder / table).iterdir():
            assert path.read_bytes() == (tmp_path / "whole" / table / path.name).read_bytes()
    assert store.read(folder).summary() == store.read(whole.stored.path).summary()


def test_a_failure_while_a_part_is_committed_leaves_that_part(tmp_path, monkeypatch):
    # The next part fails at once; the one before is still being committed, and stands.
    def fault(name, path):
        if name == "open" and "part-000000000020" in path.name:
            raise OSError(errno.EIO, "Input/output error", str(path))

    monkeypatch.setattr(files, "fault", fault)
    with pytest.raises(RunError, match="Input/output error"):
        run(tmp_path / "run")
    monkeypatch.setattr(files, "fault", None)
    assert [marker.start for marker in store.read(tmp_path / "run").markers()] == [0]


@pytest.mark.parametrize("chunk", [777, None])
def test_memory_that_is_used_again_does_not_show(tmp_path, chunk):
    # Several row groups, from chunks of other sizes on another number of threads.
    asked = {"seed": 5, "policies": "random", "tables": ["games", "deals"], "part": 4000}
    simulate("nines", games=6000, out=tmp_path / "one", threads=1, chunk=5000, **asked)
    simulate("nines", games=6000, out=tmp_path / "two", threads=2, chunk=chunk, **asked)
    for table in ("games", "deals"):
        for path in (tmp_path / "one" / table).iterdir():
            assert path.read_bytes() == (tmp_path / "two" / table / path.name).read_bytes()


def test_a_chunk_travels_without_what_one_process_keeps():
    player = make_player(plan("classic", "random", 0, ["deals"]))
    chunk = player.play(0, 5)
    back = pickle.loads(pickle.dumps(chunk))
    assert (back.start, back.stop, back.sums) == (0, 5, chunk.sums)
    for name, values in chunk.tables["deals"].items():
        np.testing.assert_array_equal(back.tables["deals"][name], values)
    back.release()
    chunk.release()
    assert player.play(5, 10).tables["deals"]["bid"].base is chunk.tables["deals"]["bid"].base


def test_an_error_of_the_part_before_is_not_lost(tmp_path, monkeypatch):
    def fault(name, path):
        if name == "sync" and "part-000000000000" in path.name:
            raise OSError(errno.ENOSPC, "No space left on device", str(path))
        if name == "open" and "part-000000000020" in path.name:
            raise OSError(errno.EIO, "Input/output error", str(path))

    monkeypatch.setattr(files, "fault", fault)
    with pytest.raises(RunError, match="the disk is full") as raised:
        run(tmp_path / "run")
    assert "Input/output error" in str(raised.value.__cause__)


def test_chunks_end_where_row_groups_do():
    sizes = ChunkSizes(97, even=1280)
    ends = []
    for _, end in cut(iter([(0, 30_000)]), sizes):
        ends.append(end)
        sizes.note(5000, 0.3)
    late = [end for end in ends if 5000 < end < 30_000]
    assert late
    assert all(end % 1280 == 0 for end in late)
    assert ends[-1] == 30_000


def test_a_fixed_size_stays_as_it_is():
    sizes = ChunkSizes(97, fixed=1000, even=1280)
    assert list(cut(iter([(0, 2500)]), sizes)) == [(0, 1000), (1000, 2000), (2000, 2500)]


def test_memory_is_used_again_once_it_is_given_up():
    memory = Memory({"bid": np.int8, "hand": np.int64})
    first = memory.take(100)
    assert memory.take(100)["bid"] is not first["bid"]
    memory.give(first)
    assert memory.take(60)["bid"] is first["bid"]
    memory.give(first)
    longer = memory.take(101)
    assert len(longer["hand"]) == 101
