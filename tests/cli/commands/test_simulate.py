import errno
import json
import os
import re
import signal
import time
from pathlib import Path

import pytest

import jokersim as js
from jokersim.store import files
from tests.cli.calls import SHORT, call, finished, refused, start

KEYS = {"schema", "game", "games", "seed", "policies", "seconds", "games_per_minute", "level"}
SEAT_KEYS = {"seat", "mean_score", "low", "high", "made", "khishti", "premium", "first"}


def simulate(*arguments, **options):
    return call("simulate", *SHORT, *arguments, **options)


def test_json_has_the_keys_that_scripts_rely_on():
    document = json.loads(simulate("--games", 20, "--seed", 1, "--json", "--quiet").stdout)
    assert document.keys() >= KEYS
    assert document["schema"] == {"name": "jokersim/simulate", "version": 1}
    assert (document["game"], document["games"], document["seed"]) == ("classic", 20, 1)
    assert document["policies"] == ["random"] * 4
    for seat, row in enumerate(document["seats"]):
        assert row.keys() >= SEAT_KEYS
        assert row["seat"] == seat
        assert row["low"] <= row["mean_score"] <= row["high"]
        assert 0 <= row["made"] <= 1
    for place, row in enumerate(document["places"]):
        assert row.keys() >= (SEAT_KEYS - {"seat"}) | {"place", "ranks", "quantiles"}
        assert row["place"] == place
        assert sum(row["ranks"]) == pytest.approx(1)


def test_an_interval_without_ends_is_null():
    result = simulate("--games", 1, "--json", "--quiet")
    assert "Infinity" not in result.stdout
    seat = json.loads(result.stdout)["seats"][0]
    assert (seat["low"], seat["high"]) == (None, None)


def test_the_page_says_what_the_document_says():
    page = simulate("--games", 4000, "--seed", 1, "--threads", 1, "--quiet").stdout
    document = json.loads(
        simulate("--games", 4000, "--seed", 1, "--threads", 2, "--json", "--quiet").stdout
    )
    assert "\x1b[" not in page
    assert max(map(len, page.splitlines())) <= 100
    assert re.search(r"^games +4,000$", page, re.MULTILINE)
    assert re.search(r"^rules +schedule=\[\[1\]\]$", page, re.MULTILINE)
    assert re.search(r"^seed +1$", page, re.MULTILINE)
    for seat in document["seats"]:
        half = (seat["high"] - seat["low"]) / 2
        assert re.search(
            rf"^{seat['seat']} +{seat['mean_score']:.2f} +± {half:.2f} +{100 * seat['made']:.2f} %",
            page,
            re.MULTILINE,
        )
    assert "95 % interval" in page


def test_a_drawn_seed_is_printed_and_gives_the_run_again():
    page = simulate("--games", 30, "--quiet").stdout
    (seed,) = re.findall(r"^seed +(\d+) \(drawn\)$", page, re.MULTILINE)
    again = simulate("--games", 30, "--seed", seed, "--quiet").stdout
    assert page[page.index("by seat") :] == again[again.index("by seat") :]
    assert seed not in simulate("--games", 30, "--quiet").stdout


def test_a_policy_a_seat():
    result = call(
        "simulate", "--games", 10, "--seed", 1, "--set", "schedule=[[1]]", "--quiet",
        "--policy", "random,basic,random,basic",
    )  # fmt: skip
    assert re.search(r"^policies +random, basic, random, basic$", result.stdout, re.MULTILINE)


def test_out_writes_the_tables_that_are_asked_for(tmp_path):
    for tables in (None, "games", "games,deals,plays"):
        folder = tmp_path / str(tables)
        asked = () if tables is None else ("--tables", tables)
        result = simulate("--games", 30, "--seed", 2, "--out", folder, "--part", 10, *asked)
        assert result.exit_code == 0, result.stderr
        names = set((tables or "games,deals").split(","))
        assert {path.name for path in folder.iterdir()} >= names | {"_SUCCESS", "run.json"}
        assert {"games", "deals", "plays"} - names == {
            name for name in ("games", "deals", "plays") if not (folder / name).exists()
        }
        assert all(len(list((folder / name).iterdir())) == 3 for name in names)
    run = js.simulate(
        js.rules(schedule=[[1]]), games=30, seed=2, policies="random", tables=["games"]
    )
    assert js.read(tmp_path / "games").games().equals(run.games())


def test_a_run_goes_on_only_where_it_is_told_to(tmp_path):
    folder = tmp_path / "run"
    asked = ("--seed", 2, "--out", folder, "--part", 10, "--quiet")
    assert simulate("--games", 20, *asked).exit_code == 0
    before = sorted((path, path.stat().st_mtime_ns) for path in (folder / "games").iterdir())
    sentence = refused(simulate("--games", 40, *asked))
    assert "--resume" in sentence
    assert "--overwrite" in sentence
    assert "seed" in refused(simulate("--games", 40, *asked, "--resume", "--seed", 3), code=4)
    assert "shortened" in refused(simulate("--games", 10, *asked, "--resume"), code=4)
    longer = simulate("--games", 40, *asked, "--resume", "--json")
    assert json.loads(longer.stdout)["games"] == 40
    after = sorted((path, path.stat().st_mtime_ns) for path in (folder / "games").iterdir())
    assert after[:2] == before
    assert len(after) == 4
    assert simulate("--games", 5, *asked, "--overwrite").exit_code == 0
    assert js.read(folder).n_games == 5


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["--games", "-5"], "--games"),
        (["--games", "0"], "--games"),
        (["--games", "1e6"], "--games"),
        (["--games", "1.5"], "--games"),
        (["--games", "9" * 5000], "--games"),
        (["--games", 1, "--policy", "expert"], "expert"),
        (["--games", 1, "--policy", "basic,random"], "2 policies"),
        (["--games", 1, "--policy", "basic,basic,basic,basic,basic"], "5 policies"),
        (["--games", 1, "--policy", ""], "policy"),
        (["--games", 1, "--policy", "basic:depth=3"], "parameters"),
        (["--games", 1, "--game", "poker"], "poker"),
        (["--games", 1, "--set", "khishto=3"], "khishto"),
        (["--games", 1, "--set", "hook=maybe"], "hook"),
        (["--games", 1, "--set", "hook"], "option=value"),
        (["--games", 1, "--rules", "none.toml"], "none.toml"),
        (["--games", 1, "--seed", "-1"], "--seed"),
        (["--games", 1, "--seed", str(2**63)], "--seed"),
        (["--games", 1, "--threads", "0"], "--threads"),
        (["--games", 1, "--level", "1"], "--level"),
        (["--games", 1, "--level", "95"], "--level"),
        (["--games", 1, "--chunk", "0"], "--chunk"),
        (["--games", 1, "--tables", "games", "--part", "3"], "--out"),
        (["--games", 1, "--resume"], "--out"),
        (["--games", 1, "--overwrite"], "--out"),
        (["--games", 1, "--out", "", "--resume"], "--out"),
        (["--games", 1, "--out", "x", "--resume", "--overwrite"], "--overwrite"),
        (["--games", 1, "--out", "x", "--tables", "games,tricks"], "tricks"),
        (["--games", 1, "--out", "x", "--tables", "games,"], "--tables"),
        (["--games", 1, "--out", "x", "--part", "0"], "--part"),
    ],
)
def test_bad_input_is_refused_and_nothing_is_written(arguments, named, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert named in refused(call("simulate", *arguments))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("option", "values", "right"),
    [
        ("davi_cap", [1, 7, 2.5], "an integer 2..6"),
        ("rake", [1, -0.01, "nan"], "a number from 0 to below 1"),
        ("stake", [0, -1, "inf"], "a finite number above 0"),
        ("target", [0, 1001], "an integer 1..1000"),
        ("failure_rate", [1, -0.01], "a number from 0 to below 1"),
    ],
)
@pytest.mark.parametrize("game", ["japanese", "japanese-davi"])
def test_options_of_parties_are_refused_by_name(game, option, values, right, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for value in values:
        sentence = f"{option} is {right}, not {value}"
        for command in (["simulate", "--games", 1, "--out", "x"], ["show", "--index", 0]):
            asked = [*command, "--game", game, "--set", f"{option}={value}"]
            assert refused(call(*asked)) == f"--set: {sentence}"
        Path("rules.toml").write_text(f"[rules]\n{option} = {value}\n", encoding="utf-8")
        asked = ["simulate", "--games", 1, "--game", game, "--rules", "rules.toml"]
        assert refused(call(*asked)) == f"rules.toml: {sentence}"
    assert [path.name for path in tmp_path.iterdir()] == ["rules.toml"]


def test_a_used_folder_is_refused_and_left_alone(tmp_path):
    (tmp_path / "thesis.txt").write_text("mine", encoding="utf-8")
    for how in ((), ("--resume",), ("--overwrite",)):
        assert str(tmp_path) in refused(simulate("--games", 1, "--out", tmp_path, *how))
    assert str(tmp_path) in refused(simulate("--games", 1, "--out", tmp_path / "thesis.txt"))
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


def test_a_folder_that_cannot_be_written_is_refused(tmp_path, monkeypatch):
    folder = tmp_path / "run"

    def fail(step, path):
        if step in {"mkdir", "open"}:
            raise OSError(errno.EACCES, os.strerror(errno.EACCES), str(path))

    monkeypatch.setattr(files, "fault", fail)
    assert "permission denied" in refused(simulate("--games", 1, "--out", folder))
    assert not folder.exists()


@pytest.mark.parametrize("part", [0, 1])
@pytest.mark.parametrize("step", ["open", "write", "close", "sync", "rename"])
def test_a_full_disk_ends_the_run_and_leaves_whole_parts(step, part, tmp_path, monkeypatch):
    folder = tmp_path / "run"
    asked = ("--games", 20, "--part", 10, "--seed", 1, "--out", folder, "--quiet")
    markers = folder / "parts"

    def fail(at, path):
        written = len(list(markers.iterdir())) if markers.exists() else -1
        if at == step and written == part:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))

    monkeypatch.setattr(files, "fault", fail)
    assert "disk is full" in refused(simulate(*asked), code=1)
    monkeypatch.setattr(files, "fault", None)
    assert not (folder / "_SUCCESS").exists()
    assert len(list(markers.iterdir())) == part
    assert simulate(*asked, "--resume").exit_code == 0
    rules = js.rules(schedule=[[1]])
    whole = js.simulate(rules, games=20, seed=1, policies="random", tables=["games"])
    assert js.read(folder).games().equals(whole.games())


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_ends_the_run_and_leaves_a_readable_dataset(number, code, tmp_path):
    folder = tmp_path / "run"
    process = start(
        "simulate", "--game", "nines", "--games", 10**9, "--seed", 1, "--policy", "random",
        "--part", 100, "--out", folder,
    )  # fmt: skip
    markers = folder / "parts"
    end = time.monotonic() + 240
    while time.monotonic() < end and not (markers.exists() and len(list(markers.iterdir())) > 1):
        assert process.poll() is None, process.communicate()
        time.sleep(0.05)
    process.send_signal(number)
    sent = time.monotonic()
    ended, output, remarks = finished(process)
    # Two seconds are promised; a test machine that does other things too gets more.
    assert time.monotonic() - sent < 10
    assert (ended, output) == (code, "")
    assert remarks.splitlines()[-1] in {"jokersim: interrupted", "jokersim: terminated"}
    assert "Traceback" not in remarks
    assert not (folder / "_SUCCESS").exists()
    assert list((folder / "tmp").iterdir()) == []
    n_games = js.read(folder).n_games
    assert n_games >= 200
    assert n_games % 100 == 0
    assert len(js.read(folder).games()) == n_games
