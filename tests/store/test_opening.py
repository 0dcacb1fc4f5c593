import json
import os
import subprocess

import pytest

from jokersim import store
from jokersim.errors import InputError, SpecError
from jokersim.store import layout
from tests.store.small import SPEC, contents, sums, tables, write


def test_a_used_folder_wants_a_word(tmp_path):
    write(tmp_path, 10)
    before = contents(tmp_path)
    with pytest.raises(InputError, match="--resume goes on with it, --overwrite replaces it"):
        write(tmp_path, 10)
    with pytest.raises(InputError, match="exclude each other"):
        write(tmp_path, 10, resume=True, overwrite=True)
    assert contents(tmp_path) == before


@pytest.mark.parametrize("options", [{}, {"resume": True}, {"overwrite": True}])
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("notes.txt", "mine"),
        ("run.json", "{}"),
        ("run.json", '{"format": "another/1", "spec": {"part": 1}}'),
        ("run.json", "\x00\x01"),
        ("games/part-000000000000-000000000009.parquet", "mine"),
    ],
)
def test_a_folder_of_something_else_is_never_touched(tmp_path, options, name, text):
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text(text)
    with pytest.raises(InputError, match="used by something else"):
        write(tmp_path, 10, **options)
    assert contents(tmp_path) == {name: text.encode()}


def test_a_run_json_with_a_path_for_a_table_is_not_ours(tmp_path):
    write(tmp_path / "run", 10)
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "part-000000000000-000000000009.parquet").write_text("mine")
    path = tmp_path / "run" / "run.json"
    told = json.loads(path.read_bytes())
    told["columns"]["../games"] = {}
    path.write_text(json.dumps(told))
    with pytest.raises(InputError, match="used by something else"):
        write(tmp_path / "run", 10, overwrite=True)
    assert list((tmp_path / "games").iterdir())


def test_a_file_is_no_folder(tmp_path):
    (tmp_path / "run").write_text("mine")
    with pytest.raises(InputError, match="is a file"):
        write(tmp_path / "run", 10)
    with pytest.raises(InputError, match="no folder"):
        write(tmp_path / "run" / "below", 10)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_may_not_be_written(tmp_path):
    tmp_path.chmod(0o500)
    with pytest.raises(InputError, match="permission denied"):
        write(tmp_path / "run", 10)
    tmp_path.chmod(0o700)


def test_a_full_disk_before_the_start(tmp_path):
    """A real disk that is full; where mounting is not allowed there is none."""
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "none", str(tmp_path)]
    try:
        done = subprocess.run(mount, capture_output=True, check=False)
    except FileNotFoundError:
        pytest.skip("there is no mount command here")
    if done.returncode:
        pytest.skip(f"small mounts are not allowed here: {done.stderr.decode().strip()}")
    try:
        (tmp_path / "ballast").write_bytes(bytes(60 << 10))
        with pytest.raises(InputError, match="the disk is full"):
            write(tmp_path / "run", 10)
        assert not (tmp_path / "run").exists()
    finally:
        subprocess.run(["umount", str(tmp_path)], check=True)


def test_overwrite_gives_what_a_new_run_gives(tmp_path):
    write(tmp_path / "a", 25, spec=SPEC | {"part": 5}, names=("games", "plays"))
    (tmp_path / "a" / "games" / "notes.txt").write_text("mine")
    write(tmp_path / "a", 25, overwrite=True)
    write(tmp_path / "b", 25)
    found = contents(tmp_path / "a")
    assert found.pop("games/notes.txt") == b"mine"
    assert found == contents(tmp_path / "b")
    assert not (tmp_path / "a" / "plays").exists()


def test_overwrite_and_resume_begin_where_nothing_stands(tmp_path):
    write(tmp_path / "a", 10, overwrite=True)
    write(tmp_path / "b", 10, resume=True)
    (tmp_path / "c" / "tmp").mkdir(parents=True)
    write(tmp_path / "c", 10)
    assert contents(tmp_path / "a") == contents(tmp_path / "b") == contents(tmp_path / "c")


def test_an_interrupted_run_goes_on(tmp_path):
    write(tmp_path / "a", 35, stop=20)
    assert not store.read(tmp_path / "a").complete
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "a").glob("*/part-*")}
    assert len(before) == 6
    write(tmp_path / "a", 35, resume=True)
    write(tmp_path / "b", 35)
    assert contents(tmp_path / "a") == contents(tmp_path / "b")
    assert before == {path: path.stat().st_mtime_ns for path in before}


def test_resume_trusts_only_markers_whose_files_stand_in_the_right_size(tmp_path):
    write(tmp_path / "a", 35)
    write(tmp_path / "b", 35)
    parts = sorted((tmp_path / "a" / "games").iterdir())
    parts[0].unlink()
    parts[1].write_bytes(parts[1].read_bytes()[:-1])
    marker = tmp_path / "a" / "parts" / f"{parts[2].stem}.json"
    marker.write_text(marker.read_text().replace('"game": 245', '"game": 246'))
    with store.create_or_open(tmp_path / "a", SPEC, 35, tables(), resume=True) as writer:
        assert writer.pending() == [(0, 10), (10, 20), (20, 30)]
    write(tmp_path / "a", 35, resume=True)
    assert contents(tmp_path / "a") == contents(tmp_path / "b")


def test_a_run_is_extended_at_a_multiple_of_part_as_if_it_had_been_one(tmp_path):
    write(tmp_path / "a", 20)
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "a").glob("*/part-*")}
    write(tmp_path / "a", 45, resume=True)
    write(tmp_path / "b", 45)
    assert contents(tmp_path / "a") == contents(tmp_path / "b")
    assert before == {path: path.stat().st_mtime_ns for path in before}


def test_a_run_is_extended_from_amid_a_part_with_the_same_rows(tmp_path):
    write(tmp_path / "a", 25)
    before = contents(tmp_path / "a")
    write(tmp_path / "a", 45, resume=True)
    write(tmp_path / "b", 45)
    one, two = store.read(tmp_path / "a"), store.read(tmp_path / "b")
    for name in one.tables:
        assert one.table(name).equals(two.table(name))
    after = contents(tmp_path / "a")
    assert all(after[name] == data for name, data in before.items() if "part-" in name)
    assert sum(marker.sums["game"] for marker in one.markers()) == sums(0, 45)["game"]
    assert store.check(one) == []


def test_an_uncommitted_part_that_an_extension_cuts_anew_does_not_count_twice(tmp_path):
    write(tmp_path / "a", 25)
    for path in (tmp_path / "a").glob("parts/part-000000000020-*"):
        path.unlink()
    write(tmp_path / "a", 45, resume=True)
    write(tmp_path / "b", 45)
    assert contents(tmp_path / "a") == contents(tmp_path / "b")


def test_a_run_is_not_finished_while_it_is_extended(tmp_path):
    write(tmp_path, 10)
    write(tmp_path, 30, resume=True, stop=20)
    found = store.read(tmp_path)
    assert (found.games, found.complete, found.summary()) == (30, False, None)


def test_another_spec_is_refused_naming_each_field(tmp_path):
    write(tmp_path, 10)
    before = contents(tmp_path)
    other = {"rules": {"khishti": -500, "hook": "dealer"}, "seed": 2, "part": 10, "where": "x"}
    with pytest.raises(SpecError) as raised:
        write(tmp_path, 10, spec=other, resume=True)
    message = str(raised.value)
    assert raised.value.exit_code == 4
    assert "rules.khishti (asked -500, there -200)" in message
    assert "seed (asked 2, there 1)" in message
    assert 'where (asked "x", there absent)' in message
    assert "hook" not in message
    assert "part (" not in message
    assert contents(tmp_path) == before


def test_other_columns_are_another_run(tmp_path):
    write(tmp_path, 10, names=("games",))
    with pytest.raises(SpecError, match=r"columns\.deals \(asked .*, there absent\)"):
        write(tmp_path, 10, resume=True)


def test_a_range_is_not_shortened(tmp_path):
    write(tmp_path, 30)
    with pytest.raises(SpecError, match="extended at its end, not shortened"):
        write(tmp_path, 20, resume=True)
    with pytest.raises(SpecError, match="not shortened or moved"):
        write(tmp_path, 30, span=(10, 30), resume=True)


def test_another_pyarrow_is_said_and_goes_on(tmp_path):
    write(tmp_path, 30, stop=10)
    path = tmp_path / "run.json"
    told = json.loads(path.read_bytes())
    told["versions"]["pyarrow"] = "1.0"
    path.write_text(json.dumps(told))
    lines = []
    write(tmp_path, 30, resume=True, warn=lines.append)
    assert len(lines) == 1
    assert "was begun with pyarrow 1.0 and goes on with pyarrow" in lines[0]
    assert store.read(tmp_path).complete


def test_another_writer_is_said_and_goes_on(tmp_path):
    # As datasets were begun before zstandard compressed them.
    write(tmp_path, 30, stop=10)
    path = tmp_path / "run.json"
    told = json.loads(path.read_bytes())
    assert "(zstd " in told["versions"].pop("zstandard")
    path.write_text(json.dumps(told))
    lines = []
    write(tmp_path, 30, resume=True, warn=lines.append)
    assert len(lines) == 1
    assert "was begun with another than zstandard and goes on with zstandard" in lines[0]


def test_versions_are_noted_and_are_no_part_of_the_spec(tmp_path):
    one = write(tmp_path / "a", 10, versions={"jokersim": "1"})
    two = write(tmp_path / "b", 10, versions={"jokersim": "2"})
    assert one.run_id == two.run_id
    assert layout.load_run(tmp_path / "b").versions["jokersim"] == "2"
