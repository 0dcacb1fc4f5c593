import json

import pytest

from tests.cli.calls import call


def test_it_says_what_is_ready_and_where_it_is_kept():
    result = call("warmup", "--json", "--quiet")
    assert (result.exit_code, result.stderr) == (0, "")
    document = json.loads(result.stdout)
    assert document["schema"] == {"name": "jokersim/warmup", "version": 1}
    assert {(row["game"], row["kernels"]) for row in document["kernels"]} == {
        (game, what)
        for game in ("classic", "japanese")
        for what in ("simulation", "dataset", "records", "odds")
    }
    assert all(row["seconds"] >= row["compiled"] >= 0 for row in document["kernels"])


def test_what_is_warm_is_not_compiled_again():
    pytest.importorskip("numba")
    call("warmup", "--quiet")
    result = call("warmup")
    assert result.exit_code == 0
    assert result.stderr == ""
    assert result.stdout.count("ready, loaded in") == 8
