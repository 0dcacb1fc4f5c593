import json
import shutil

import numpy as np
import pytest

from jokersim import store
from jokersim.store import files, layout, parquet
from jokersim.store.table_writer import TableWriter
from tests.store.small import SPEC, TABLES, rows, write

FIRST = "part-000000000000-000000000009"
SECOND = "part-000000000010-000000000019"


@pytest.fixture
def run(tmp_path):
    write(tmp_path / "run", 25)
    return tmp_path / "run"


def found(folder):
    return [(finding.file, finding.message) for finding in store.check(store.read(folder))]


def only(folder, file, message):
    """Assert that the check finds this and nothing else."""
    findings = found(folder)
    assert [name for name, _ in findings] == [file], findings
    assert message in findings[0][1]


def test_a_sound_dataset_has_no_findings(run):
    assert found(run) == []


def test_an_interrupted_dataset_has_no_findings(tmp_path):
    write(tmp_path, 25, stop=20)
    (tmp_path / "parts" / f"{SECOND}.json").unlink()
    assert found(tmp_path) == []


@pytest.mark.parametrize("place", [0, 4, 100, 0.3, 0.5, 0.7, 0.99, -1, -5, -8, -9])
def test_a_flipped_byte_anywhere_is_found(run, place):
    path = run / "deals" / f"{SECOND}.parquet"
    data = bytearray(path.read_bytes())
    data[int(place * len(data)) if isinstance(place, float) else place] ^= 1
    path.write_bytes(data)
    only(run, f"deals/{SECOND}.parquet", "")


@pytest.mark.parametrize("table", ["games", "deals"])
def test_a_missing_part(run, table):
    (run / table / f"{FIRST}.parquet").unlink()
    only(run, f"{table}/{FIRST}.parquet", "it is missing")


@pytest.mark.parametrize("keep", [0, 1, 100, -1])
def test_a_truncated_part(run, keep):
    path = run / "games" / f"{FIRST}.parquet"
    path.write_bytes(path.read_bytes()[:keep])
    only(run, f"games/{FIRST}.parquet", "bytes, its marker says")


def test_a_part_of_another_run(run, tmp_path):
    write(tmp_path / "other", 25, spec=SPEC | {"seed": 2})
    shutil.copy(tmp_path / "other" / "games" / f"{FIRST}.parquet", run / "games")
    only(run, f"games/{FIRST}.parquet", "it belongs to another run")


def test_a_marker_of_another_run(run, tmp_path):
    write(tmp_path / "other", 25, spec=SPEC | {"seed": 2})
    shutil.copy(tmp_path / "other" / "parts" / f"{FIRST}.json", run / "parts")
    findings = found(run)
    assert (f"parts/{FIRST}.json", "it belongs to another run than run.json") in findings


def test_two_parts_swapped(run):
    for table in ("games", "deals"):
        one, two = run / table / f"{FIRST}.parquet", run / table / f"{SECOND}.parquet"
        data = one.read_bytes()
        one.write_bytes(two.read_bytes())
        two.write_bytes(data)
    assert {file for file, _ in found(run)} == {
        f"{table}/{part}.parquet" for table in ("games", "deals") for part in (FIRST, SECOND)
    }


def test_two_parts_swapped_with_their_markers(run):
    for pattern in ("games/{}.parquet", "deals/{}.parquet", "parts/{}.json"):
        one, two = run / pattern.format(FIRST), run / pattern.format(SECOND)
        data = one.read_bytes()
        one.write_bytes(two.read_bytes())
        two.write_bytes(data)
    findings = found(run)
    assert (f"parts/{FIRST}.json", "it is the marker of another part") in findings


def test_a_part_written_anew_with_other_rows(run):
    """Everything about the file is sound, also its marker's sha256: only the rows differ."""
    dataset = store.read(run)
    path = run / "games" / f"{FIRST}.parquet"
    path.unlink()
    columns = {column.name: str(column.type) for column in TABLES["games"]}
    output = files.OutputFile(path)
    metadata = parquet.file_metadata("games", dataset.run.run_id, columns)
    writer = TableWriter(output, columns, metadata)
    changed = rows("games", 0, 10)
    changed["total_2"] = changed["total_2"][::-1].copy()
    assert not np.array_equal(changed["total_2"], rows("games", 0, 10)["total_2"])
    writer.write(changed)
    writer.close()
    place = run / "parts" / f"{FIRST}.json"
    old = layout.Marker.from_bytes(place.read_bytes())
    facts = old.tables["games"]
    told = layout.TableFacts(facts.rows, output.size, output.sha256, facts.content)
    place.write_bytes(
        layout.Marker(old.run_id, 0, 10, old.tables | {"games": told}, old.sums).to_bytes()
    )
    only(run, f"games/{FIRST}.parquet", "content hash differs")


def test_sums_edited_in_a_marker(run):
    path = run / "parts" / f"{FIRST}.json"
    path.write_text(path.read_text().replace('"game": 45', '"game": 46'))
    findings = found(run)
    assert (f"parts/{FIRST}.json", "it was changed after it was written") in findings


@pytest.mark.parametrize("data", [b"", b"{}", b"[]", b"\xff", b'{"tables": 3}'])
def test_a_marker_that_is_none(run, data):
    (run / "parts" / f"{FIRST}.json").write_bytes(data)
    assert (f"parts/{FIRST}.json", "it is no commit marker") in found(run)


def test_a_missing_marker_of_a_finished_run(run):
    (run / "parts" / f"{FIRST}.json").unlink()
    assert {file for file, _ in found(run)} == {
        f"parts/{FIRST}.json",
        f"games/{FIRST}.parquet",
        f"deals/{FIRST}.parquet",
    }


@pytest.mark.parametrize("table", ["games", "parts"])
def test_a_stranger_among_the_parts(run, table):
    (run / table / "notes.txt").write_text("mine")
    only(run, f"{table}/notes.txt", "")


@pytest.mark.parametrize(
    ("key", "value"), [("games", 24), ("range", [0, 26]), ("versions", {"pyarrow": "1"})]
)
def test_an_edited_run_json(run, key, value):
    edit(run, **{key: value})
    findings = found(run)
    assert ("run.json", "it was changed after the run was finished") in findings


def test_a_spec_edited_in_run_json(run):
    edit(run, spec=SPEC | {"seed": 2})
    findings = found(run)
    assert ("run.json", "its run id is not the sha256 of its spec: it was edited") in findings


def test_a_shortened_range_of_an_unfinished_run(tmp_path):
    write(tmp_path, 35, stop=20)
    edit(tmp_path, range=[0, 10], games=10)
    only(tmp_path, f"parts/{SECOND}.json", "it is outside games 0 to 9")


def test_parts_that_overlap(tmp_path):
    write(tmp_path / "a", 20)
    write(tmp_path / "b", 15)
    for folder in ("games", "deals", "parts"):
        for path in (tmp_path / "b" / folder).glob("part-000000000010-*"):
            shutil.copy(path, tmp_path / "a" / folder)
    only(tmp_path / "a", f"parts/{SECOND}.json", "its games are in another part too")


def edit(folder, **changes):
    path = folder / "run.json"
    path.write_text(json.dumps(json.loads(path.read_bytes()) | changes))
