import json

import pytest

import jokersim as js
from tests.cli.calls import SHORT, call, refused


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    folder = tmp_path_factory.mktemp("summed") / "run"
    printed = call(
        "simulate", "--games", 50, "--seed", 8, *SHORT, "--out", folder, "--part", 20, "--quiet"
    )
    assert printed.exit_code == 0, printed.stderr
    return folder, printed.stdout


def test_it_is_what_the_run_printed_but_for_its_time(written):
    folder, printed = written
    result = call("summary", folder)
    assert (result.exit_code, result.stderr) == (0, "")
    expected = [line for line in printed.splitlines() if not line.startswith("wall time")]
    assert result.stdout.splitlines() == expected


def test_the_tables_are_not_read(written, tmp_path):
    folder, _ = written
    document = json.loads(call("summary", folder, "--json").stdout)
    assert document["games"] == 50
    assert "seconds" not in document
    run = js.simulate(js.rules(schedule=[[1]]), games=50, seed=8, policies="random")
    assert document["seats"] == run.summary()["seats"]


def test_level(written):
    folder, _ = written
    narrow, wide = (
        json.loads(call("summary", folder, "--json", "--level", level).stdout)["seats"][0]
        for level in (0.5, 0.99)
    )
    assert narrow["mean_score"] == wide["mean_score"]
    assert narrow["high"] < wide["high"]


def test_an_unfinished_run_is_summed_up_as_far_as_it_goes(written):
    folder, _ = written
    part = max((folder / "parts").iterdir())
    away = part.read_bytes()
    part.unlink()
    try:
        result = call("summary", folder)
        assert result.exit_code == 0
        assert "40 of 50" in result.stdout
        assert "10 of 50 games are missing" in result.stderr
        assert call("summary", folder, "--quiet").stderr == ""
    finally:
        part.write_bytes(away)


def test_what_is_no_dataset_is_refused(tmp_path):
    assert "run.json" in refused(call("summary", tmp_path))
    assert "no folder" in refused(call("summary", tmp_path / "none"))
    (tmp_path / "run.json").write_bytes(b"\x00")
    assert "run.json" in refused(call("summary", tmp_path))
