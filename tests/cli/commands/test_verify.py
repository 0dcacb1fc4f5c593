import json

import pytest

from tests.cli.calls import SHORT, call, refused


@pytest.fixture
def written(tmp_path):
    made = call(
        "simulate", "--games", 50, "--seed", 8, *SHORT, "--out", tmp_path / "run", "--part", 20,
        "--quiet",
    )  # fmt: skip
    assert made.exit_code == 0, made.stderr
    return tmp_path / "run"


def damage(path):
    data = bytearray(path.read_bytes())
    data[len(data) // 3] ^= 4
    path.write_bytes(data)


def test_a_sound_dataset(written):
    result = call("verify", written, "--all", "--quiet")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == "50 games, 50 played again, 0 findings\n"
    document = json.loads(call("verify", written, "--sample", 7, "--json", "--quiet").stdout)
    assert document == {
        "schema": {"name": "jokersim/verify", "version": 1},
        "games": 50,
        "replayed": 7,
        "complete": True,
        "findings": [],
    }


def test_a_flipped_byte_is_named_with_its_file_and_fails(written):
    name = "part-000000000020-000000000039.parquet"
    damage(written / "deals" / name)
    result = call("verify", written, "--quiet")
    assert result.exit_code == 3
    assert f"deals/{name}: " in result.stdout
    assert "1 finding" in result.stdout
    assert result.stderr.startswith(f"jokersim: {written} is not what it should be: deals/{name}")


def test_a_swapped_part_an_edited_run_and_a_foreign_file_are_named(written):
    games = sorted((written / "games").iterdir())
    a, b = games[0].read_bytes(), games[1].read_bytes()
    games[0].write_bytes(b)
    games[1].write_bytes(a)
    (written / "deals" / "part-000000000060-000000000079.parquet").write_bytes(a)
    run = (written / "run.json").read_text()
    (written / "run.json").write_text(run.replace('"seed": 8', '"seed": 9'))
    files = {
        finding["file"]
        for finding in json.loads(call("verify", written, "--json", "--quiet").stdout)["findings"]
    }
    assert {"run.json", "deals/part-000000000060-000000000079.parquet"} <= files


def test_what_is_no_dataset_is_refused(tmp_path):
    assert "no folder" in refused(call("verify", tmp_path / "nothing"))
    assert "holds no run.json" in refused(call("verify", tmp_path))
