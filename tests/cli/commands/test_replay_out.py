import json

import jokersim as js
from tests.cli.calls import call, refused

RULES = ("--set", "schedule=[[1]]")


def shown(index, *options):
    line = call("show", "--index", index, "--seed", 4, "--policy", "random", *options,
                "--format", "jsonl", "--quiet")  # fmt: skip
    assert line.exit_code == 0, line.stderr
    return line.stdout


def test_good_records_become_a_dataset(tmp_path):
    lines = [shown(index, *RULES) for index in range(5)]
    lines.insert(2, '{"format": "other"}\n')
    lines.append(shown(0, "--set", "schedule=[[2]]"))
    file = tmp_path / "games.jsonl"
    file.write_text("".join(lines))
    result = call("replay", file, "--out", tmp_path / "d")
    assert result.exit_code == 3
    assert len(result.stdout.splitlines()) == 7
    assert "5 games written" in result.stderr
    assert "0 not over, 1 of other rules" in result.stderr
    run = js.read(tmp_path / "d")
    played = js.simulate(js.rules(schedule=[[1]]), games=5, seed=4, policies="random")
    assert run.sums == played.sums
    assert call("verify", tmp_path / "d", "--quiet").exit_code == 0
    document = json.loads(call("summary", tmp_path / "d", "--json").stdout)
    assert (document["games"], document["seed"]) == (5, None)
    page = call("summary", tmp_path / "d")
    assert page.exit_code == 0, page.stderr
    again = refused_after(call("replay", file, "--out", tmp_path / "d", "--quiet"))
    assert "--overwrite replaces it" in again


def refused_after(result):
    """Answer the sentence of a refusal that came after some answers."""
    assert result.exit_code == 2
    return result.stderr


def test_no_game_that_is_over(tmp_path):
    file = tmp_path / "games.jsonl"
    file.write_text("\n")
    assert "no record is a game that is over" in refused(
        call("replay", file, "--out", tmp_path / "d")
    )
