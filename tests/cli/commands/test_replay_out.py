import errno
import json

import jokersim as js
from jokersim import store
from jokersim.simulate import recorded
from jokersim.store import files
from tests.cli.calls import call, refused
from tests.store.small import contents

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


def test_a_used_folder_is_refused_before_a_record_is_answered(tmp_path):
    file, out = tmp_path / "games.jsonl", tmp_path / "d"
    file.write_text("".join(shown(index, *RULES) for index in range(3)))
    call("replay", file, "--out", out, "--quiet")
    before = contents(out)
    assert "--overwrite replaces it" in refused(call("replay", file, "--out", out))
    assert "is a file" in refused(call("replay", file, "--out", file))
    assert "is about a dataset" in refused(call("replay", file, "--overwrite"))
    assert contents(out) == before
    file.write_text("".join(shown(index, *RULES) for index in range(2)))
    assert call("replay", file, "--out", out, "--overwrite", "--quiet").exit_code == 0
    assert js.read(out).n_games == 2


def test_it_goes_on_where_it_was_interrupted(tmp_path, monkeypatch):
    file = tmp_path / "games.jsonl"
    file.write_text("".join(shown(index, *RULES) for index in range(8)))
    monkeypatch.setattr(recorded, "PART", 3)
    assert call("replay", file, "--out", tmp_path / "whole", "--quiet").exit_code == 0

    def full(name, path):
        if name == "open" and path.name.endswith("part-000000000003-000000000005.parquet"):
            raise OSError(errno.ENOSPC, "")

    with monkeypatch.context() as now:
        now.setattr(files, "fault", full)
        result = call("replay", file, "--out", tmp_path / "d", "--quiet")
    assert result.exit_code == 1
    assert "the disk is full" in result.stderr
    assert [marker.stop for marker in store.read(tmp_path / "d").markers()] == [3]
    assert call("replay", file, "--out", tmp_path / "d", "--quiet", "--resume").exit_code == 0
    assert contents(tmp_path / "d") == contents(tmp_path / "whole")
    assert call("replay", file, "--out", tmp_path / "d", "--quiet", "--resume").exit_code == 0
    assert contents(tmp_path / "d") == contents(tmp_path / "whole")
    file.write_text("".join(shown(index, *RULES) for index in range(7)))
    other = call("replay", file, "--out", tmp_path / "d", "--quiet", "--resume")
    assert other.exit_code == 4
    assert "it differs in policies" in other.stderr
    assert "is no file" in refused(call("replay", "-", "--resume", "--out", tmp_path / "d"))


def test_no_game_that_is_over(tmp_path):
    file = tmp_path / "games.jsonl"
    file.write_text("\n")
    assert "no record is a game that is over" in refused(
        call("replay", file, "--out", tmp_path / "d")
    )
