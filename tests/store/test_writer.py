import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from jokersim import store
from jokersim.errors import RunError
from jokersim.store.gaps import gaps
from tests.store.small import (
    NAMES,
    SPEC,
    contents,
    rows,
    sums,
    tables,
    write,
    write_part,
)


def test_the_folder_holds_what_the_design_says(tmp_path):
    write(tmp_path / "run", 25)
    parts = ["000000000000-000000000009", "000000000010-000000000019", "000000000020-000000000024"]
    assert sorted(contents(tmp_path / "run")) == sorted(
        [
            *(f"{table}/part-{part}.parquet" for table in NAMES for part in parts),
            *(f"parts/part-{part}.json" for part in parts),
            "run.json",
            "summary.json",
            "_SUCCESS",
        ]
    )


@pytest.mark.parametrize("batch", [1, 3, 10])
def test_batch_size_does_not_matter(tmp_path, batch):
    write(tmp_path / "a", 25, batch=7)
    write(tmp_path / "b", 25, batch=batch)
    assert contents(tmp_path / "a") == contents(tmp_path / "b")


def test_order_of_parts_does_not_matter(tmp_path):
    write(tmp_path / "a", 25)
    with store.create_or_open(tmp_path / "b", SPEC, 25, tables()) as writer:
        for start, stop in reversed(writer.pending()):
            write_part(writer, start, stop)
        writer.finish({"games": 25})
    assert contents(tmp_path / "a") == contents(tmp_path / "b")


def test_a_marker_tells_rows_and_sums(tmp_path):
    writer = write(tmp_path, 25)
    last = writer.markers()[-1]
    assert (last.start, last.stop, last.sums) == (20, 25, sums(20, 25))
    assert {name: facts.rows for name, facts in last.tables.items()} == {"games": 5, "deals": 15}


def test_numpy_integers_in_sums_become_plain_and_floats_are_refused(tmp_path):
    with store.create_or_open(tmp_path, SPEC, 10, tables(("games",))) as writer:
        with writer.part(0, 10) as part:
            part.write("games", rows("games", 0, 10))
            with pytest.raises(TypeError, match="integers, not float"):
                part.commit({"mean": 0.5})
        with writer.part(0, 10) as part:
            part.write("games", rows("games", 0, 10))
            marker = part.commit({"n": np.int64(3), "by_seat": np.arange(2), "none": None})
    assert marker.sums == {"n": 3, "by_seat": [0, 1], "none": None}
    assert store.read(tmp_path).markers() == [marker]


def test_a_part_left_without_commit_leaves_nothing(tmp_path):
    with store.create_or_open(tmp_path, SPEC, 10, tables()) as writer:
        before = contents(tmp_path)
        with writer.part(0, 10) as part:
            part.write("games", rows("games", 0, 10))
            part.write("deals", rows("deals", 0, 10))
            assert contents(tmp_path) != before
        assert contents(tmp_path) == before
        assert writer.pending() == [(0, 10)]


def test_a_part_that_stands_is_left_as_it_is(tmp_path):
    with store.create_or_open(tmp_path, SPEC, 10, tables()) as writer:
        first = write_part(writer, 0, 10)
        before = contents(tmp_path)
        times = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("part-*")}
        assert write_part(writer, 0, 10, batch=1) == first
        assert contents(tmp_path) == before
        assert times == {path: path.stat().st_mtime_ns for path in tmp_path.rglob("part-*")}


def test_a_part_that_stands_with_other_rows_is_refused(tmp_path):
    with store.create_or_open(tmp_path, SPEC, 10, tables(("games",))) as writer:
        write_part(writer, 0, 10)
        other = rows("games", 0, 10)
        other["total_0"][3] += 1
        before = contents(tmp_path)
        with writer.part(0, 10) as part:
            part.write("games", other)
            with pytest.raises(RunError, match="stands already with other rows"):
                part.commit(sums(0, 10))
        assert contents(tmp_path) == before


def test_workers_write_without_the_lock_and_publish_twice(tmp_path):
    with store.create_or_open(tmp_path, SPEC, 20, tables()) as writer:
        one, two = store.attach(tmp_path), store.attach(tmp_path)
        assert write_part(one, 0, 10) == write_part(two, 0, 10)
        write_part(two, 10, 20)
        assert writer.pending() == [(0, 10), (10, 20)]
        writer.refresh()
        assert writer.pending() == []
        writer.finish({})
    assert store.check(store.read(tmp_path)) == []


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda part: part.write("games", rows("games", 5, 8)), id="gap then back"),
        pytest.param(lambda part: part.write("games", rows("games", 8, 12)), id="beyond"),
    ],
)
def test_games_out_of_order_are_refused(tmp_path, change):
    with (
        store.create_or_open(tmp_path, SPEC, 20, tables()) as writer,
        writer.part(0, 10) as part,
    ):
        part.write("games", rows("games", 6, 8))
        with pytest.raises(ValueError, match="do not follow"):
            change(part)


def test_a_part_with_a_game_missing_is_refused(tmp_path):
    with (
        store.create_or_open(tmp_path, SPEC, 20, tables()) as writer,
        writer.part(0, 10) as part,
    ):
        part.write("games", rows("games", 0, 9))
        with pytest.raises(ValueError, match="9 rows of games"):
            part.commit({})


def test_finish_wants_every_part(tmp_path):
    with store.create_or_open(tmp_path, SPEC, 20, tables()) as writer:
        write_part(writer, 0, 10)
        with pytest.raises(RunError, match="games from 10 are missing"):
            writer.finish({})
    assert not (tmp_path / "_SUCCESS").exists()


def test_a_run_of_no_games_is_whole_at_once(tmp_path):
    write(tmp_path, 0)
    found = store.read(tmp_path)
    assert found.complete
    assert found.table("games").num_rows == 0


def test_run_id_depends_on_the_spec_alone(tmp_path):
    reordered = dict(reversed(SPEC.items()))
    first = write(tmp_path / "a", 5)
    second = write(tmp_path / "b", 7, spec=reordered)
    third = write(tmp_path / "c", 5, spec=SPEC | {"seed": 2})
    assert first.run_id == second.run_id != third.run_id


def test_pending_is_cut_at_multiples_of_part():
    assert gaps((7, 31), [(10, 20)], 10) == [(7, 10), (20, 30), (30, 31)]
    assert gaps((0, 10), [(0, 10)], 10) == []
    assert gaps((0, 0), [], 10) == []
    many = gaps((7, 10**15), [(30, 50), (55, 10**15 - 5)], 10)
    assert (len(many), many.games) == (3 + 1 + 1, 23 + 5 + 5)
    assert [*many[:2], many[-1]] == [(7, 10), (10, 20), (10**15 - 5, 10**15)]
    assert all(span in many for span in many)
    assert not {(7, 20), (30, 40), (20, 29), (0, 7), (10**15, 10**15 + 10)} & set(many)
    assert not any(span in many for span in [(7, 20), (30, 40), (20, 29), (0, 7), (55, 60)])
    assert len(gaps((0, 10**15), [], 10)) == 10**14


def test_another_thread_may_write_a_part(tmp_path):
    write(tmp_path / "a", 10)
    with (
        store.create_or_open(tmp_path / "b", SPEC, 10, tables()) as writer,
        ThreadPoolExecutor(1) as pool,
    ):
        pool.submit(write_part, writer, 0, 10).result()
        writer.finish({"games": 10})
    assert contents(tmp_path / "a") == contents(tmp_path / "b")


def test_parts_may_be_written_at_once_by_threads(tmp_path):
    write(tmp_path / "a", 80)
    with (
        store.create_or_open(tmp_path / "b", SPEC, 80, tables()) as writer,
        ThreadPoolExecutor(4) as pool,
    ):
        for done in [pool.submit(write_part, writer, *span, 1) for span in writer.pending()]:
            done.result()
        assert writer.pending() == []
        writer.finish({"games": 80})
    assert contents(tmp_path / "a") == contents(tmp_path / "b")


def test_importing_the_store_imports_no_pyarrow():
    code = "import sys, jokersim.store, jokersim.frames; print({*sys.modules} & {*sys.argv})"
    command = [sys.executable, "-c", code, "pyarrow", "pandas"]
    shown = subprocess.run(command, capture_output=True, text=True, check=True)
    assert shown.stdout == "set()\n"
