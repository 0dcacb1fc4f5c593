import json

import pytest

import jokersim as js
from tests.cli.calls import SHORT, call, refused

RUN = ("--seed", 1, *SHORT)


@pytest.fixture(scope="module")
def dataset(tmp_path_factory):
    folder = tmp_path_factory.mktemp("shown") / "run"
    rules = js.rules("classic", schedule=[[1, 9]])
    js.simulate(rules, games=6, seed=3, policies="random,random,basic,random", out=folder)
    return folder


@pytest.mark.parametrize("game", ["classic", "nines", "classic-left", "classic-moshla"])
def test_replay_returns_the_record_byte_for_byte(game):
    shown = call(
        "show", "--game", game, "--seed", 7, "--index", 11, "--policy", "random", "--quiet",
        "--format", "jsonl",
    )  # fmt: skip
    assert (shown.exit_code, shown.stderr) == (0, "")
    again = call("replay", "-", "--quiet", given=shown.stdout)
    assert again.exit_code == 0
    assert again.stdout == shown.stdout
    assert json.loads(shown.stdout)["complete"] is True


def test_a_game_is_that_of_the_run(dataset):
    games = js.read(dataset).games().set_index("game")
    for index in range(6):
        shown = call("show", dataset, "--index", index, "--format", "jsonl", "--quiet")
        assert shown.exit_code == 0, shown.stderr
        record = json.loads(shown.stdout)
        assert record["first_dealer"] == games.first_dealer[index]
        assert record["totals"] == [games[f"total_{seat}"][index] for seat in range(4)]
        assert record["ranks"] == [games[f"rank_{seat}"][index] for seat in range(4)]
        assert record["rules"] == {"schedule": [[1, 9]]}


def test_a_page_for_people():
    page = call("show", *RUN, "--index", 2, "--quiet")
    assert page.exit_code == 0
    record = json.loads(call("show", *RUN, "--index", 2, "--format", "jsonl", "--quiet").stdout)
    assert "seed 1, game 2" in page.stdout
    assert "Deal 1 of 1" in page.stdout
    assert "\x1b[" not in page.stdout
    assert max(map(len, page.stdout.splitlines())) <= 100
    (took,) = (line for line in page.stdout.splitlines() if line.startswith("took"))
    taker = record["deals"][0]["takers"][0]
    assert [int(word) for word in took.split() if word.isdigit()] == [
        int(seat == taker) for seat in range(4)
    ]


def test_a_run_is_named_by_its_seed_or_its_folder(dataset):
    assert "--seed" in refused(call("show", "--index", 1))
    assert "--seed" in refused(call("show", dataset, "--index", 1, "--seed", 3))
    assert "--set" in refused(call("show", dataset, "--index", 1, "--set", "hook=none"))
    # A default of the environment is for the runs that name no folder.
    shown = call("show", dataset, "--index", 1, "--quiet", environment={"JOKERSIM_SEED": "9"})
    assert "seed 3, game 1" in shown.stdout


def test_bad_input_is_refused(dataset, tmp_path):
    assert "games 0 to 5" in refused(call("show", dataset, "--index", 6))
    assert "--index" in refused(call("show", dataset, "--index", -1))
    assert "--index" in refused(call("show", dataset))
    assert "none" in refused(call("show", tmp_path / "none", "--index", 0))
    assert "run.json" in refused(call("show", tmp_path, "--index", 0))
    assert "poker" in refused(call("show", *RUN, "--index", 0, "--game", "poker"))
    assert "expert" in refused(call("show", "--seed", 1, "--index", 0, "--policy", "expert"))


@pytest.mark.parametrize(
    ("changed", "value"),
    [
        ("jokersim.kernels.streams.SCHEME", "other/9"),
        ("jokersim.policies._source_hash", lambda name, family: "0" * 16),
    ],
)
def test_a_run_of_other_code_is_refused(dataset, monkeypatch, changed, value):
    monkeypatch.setattr(changed, value)
    assert "the version of jokersim that wrote it" in refused(
        call("show", dataset, "--index", 0), code=4
    )
