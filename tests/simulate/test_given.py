"""Runs on given deals: the records of a run give its games back, and other deals are refused."""

import json

import pytest

import jokersim as js
from jokersim.errors import InputError, SpecError
from jokersim.simulate import compare
from jokersim.simulate.given import read_deals
from jokersim.simulate.verify import verify
from jokersim.table import play_game
from tests.cli.calls import call, refused
from tests.simulate.test_recorded import without_jokers
from tests.store.small import contents

GAMES = 12
TABLES = ["games", "deals", "plays"]
RULES = {
    "classic": js.rules("classic", khishti=-500),
    "nines": js.rules("nines"),
    "davi": js.rules("japanese", davi="party", davi_cap=6, target=5, declarer_rotation="random"),
    "void": js.rules("japanese", failure_rate=0.2, declarer_rotation="loser"),
}
SHORT = js.rules("nines", schedule=[[2], [9]])


def records(rules, policy=1, seed=7, games=GAMES):
    played = (play_game(rules, [policy] * rules.seats, seed, index) for index in range(games))
    return [json.loads(json.dumps(record)) for record in played]


def bare(record):
    """Leave the cards alone: nothing of what was bid and played."""
    keys = ("hands", "turned", "up", "down", "declarer")
    deals = [{key: deal[key] for key in keys if key in deal} for deal in record["deals"]]
    kept = ("format", "game", "rules", "first_dealer", "first_declarer", "void")
    return {key: record[key] for key in kept if key in record} | {"deals": deals}


def write(path, records):
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


@pytest.mark.parametrize("name", RULES)
def test_the_deals_of_a_run_give_its_games_again(name):
    # `basic` looks at the three cards that trump is named on, and draws from its stream.
    rules = RULES[name]
    asked = {"seed": 7, "policies": "basic", "tables": TABLES}
    expected = js.simulate(rules, games=GAMES, **asked)
    found = js.simulate(deals=map(bare, records(rules)), **asked)
    assert found.rules == rules
    assert found.sums == expected.sums
    for table in TABLES:
        mine, theirs = (without_jokers(getattr(run, table)()) for run in (found, expected))
        assert mine.equals(theirs), table


def test_another_seed_plays_the_same_cards():
    given = records(SHORT)
    runs = [
        js.simulate(SHORT, deals=given, seed=seed, policies="random", tables=["deals"]).deals()
        for seed in (1, 2)
    ]
    cards = ["game", "deal", "seat", "dealer", "turned", "hand"]
    assert runs[0][cards].equals(runs[1][cards])
    assert not runs[0].equals(runs[1])


def test_filters_and_precisions_take_given_deals():
    given = records(SHORT)
    asked = {"deals": given, "seed": 1, "policies": "random", "tables": ["deals"]}
    whole = js.simulate(**asked).deals()
    kept = js.simulate(**asked, where="hand_size == 9").deals()
    assert kept.equals(whole[whole.hand_size == 9].reset_index(drop=True))
    run = js.simulate(**asked, precision="mean_score=0.001")
    assert (run.n_games, run.reached) == (GAMES, False)


def test_what_was_played_is_passed_over():
    given = records(SHORT)
    assert read_deals(given).sha256 == read_deals(map(bare, given)).sha256
    assert read_deals(given).sha256 != read_deals(given[:-1]).sha256


def test_a_party_that_lasts_longer_goes_on_with_the_deals_of_the_seed():
    rules = js.rules("japanese", target=30)
    one = bare(records(rules, games=1)[0])
    one["deals"] = one["deals"][:2]
    run, dealt = (
        js.simulate(rules, games=1, deals=deals, seed=3, policies="random", tables=["deals"])
        for deals in ([one], None)
    )
    hands = ["deal", "seat", "hand", "open", "covered"]
    mine, theirs = run.deals()[hands], dealt.deals()[hands]
    n = min(len(mine), len(theirs))
    assert n > 8
    assert mine[4:n].equals(theirs[4:n])
    assert not mine[:4].equals(theirs[:4])


def test_a_dataset_of_given_deals(tmp_path):
    file = write(tmp_path / "deals.jsonl", records(SHORT, games=30))
    asked = {"seed": 1, "policies": "basic,random,random,random", "part": 10}
    run = js.simulate(deals=file, **asked, out=tmp_path / "run")
    assert (run.n_games, run.stored.games) == (30, 30)
    assert run.stored.spec["deals"] == run.summary()["deals"] == read_deals(file).sha256
    for threads, chunk in ((1, 7), (2, 3)):
        out = tmp_path / f"{threads}"
        js.simulate(SHORT, deals=file, games=14, threads=threads, chunk=chunk, **asked, out=out)
        js.simulate(deals=str(file), threads=threads, **asked, out=out, resume=True)
        mine, theirs = (js.read(folder).dataset("deals") for folder in (out, tmp_path / "run"))
        assert mine.equals(theirs)
    for k in (1, 2, 3):
        js.simulate(deals=file, **asked, shard=f"{k}/3", out=tmp_path / f"shard-{k}")
    shards = [tmp_path / f"shard-{k}" for k in (3, 1, 2)]
    assert call("merge", tmp_path / "all", *shards).exit_code == 0
    assert contents(tmp_path / "all") == contents(tmp_path / "run")
    read, summary = js.read(tmp_path / "run"), run.summary()
    assert read.summary() == {
        key: value for key, value in summary.items() if key not in ("seconds", "games_per_minute")
    }


def test_other_deals_are_refused(tmp_path):
    out, asked = tmp_path / "run", {"seed": 1, "policies": "random", "part": 5}
    given = records(SHORT)
    js.simulate(deals=given, games=5, **asked, out=out)
    before = contents(out)
    for deals in (given[1:], None):
        with pytest.raises(SpecError, match=r"it differs in deals \(asked"):
            js.simulate(SHORT, games=GAMES - 1, deals=deals, **asked, out=out, resume=True)
    assert contents(out) == before


def test_verifying_wants_the_deals(tmp_path):
    given, out = records(SHORT), tmp_path / "run"
    js.simulate(deals=given, seed=1, policies="random", out=out, tables=TABLES)
    with pytest.raises(InputError, match="name their record file with --deals"):
        verify(out)
    with pytest.raises(SpecError, match="was played with other deals"):
        verify(out, deals=given[1:])
    assert verify(out, sample=0).replayed == 0
    found = verify(out, deals=given, every=True)
    assert (found.findings, found.replayed) == ((), GAMES)
    js.simulate(SHORT, games=3, seed=1, policies="random", out=tmp_path / "dealt")
    with pytest.raises(SpecError, match="dealt by its seed"):
        verify(tmp_path / "dealt", deals=given)


def test_runs_are_compared_game_by_game_on_equal_deals_alone(tmp_path):
    given = records(SHORT)
    for name, seed, deals in (("a", 1, given), ("b", 2, given), ("c", 1, None)):
        js.simulate(
            SHORT, games=GAMES, deals=deals, seed=seed, policies="random", out=tmp_path / name
        )
    assert compare.compare_datasets(tmp_path / "a", tmp_path / "b")["games"] == GAMES
    assert compare.compare_datasets(tmp_path / "a", tmp_path / "c")["games"] == 0


def changed(record, change):
    record = json.loads(json.dumps(record))
    change(record)
    return record


def swap(record):
    record["deals"][1]["hands"][2][0] = record["deals"][1]["hands"][0][0]


FAULTS = {
    "deals[1]: the schedule has 2 deals, and 1 are given": lambda r: r["deals"].pop(),
    "deals[2]: the schedule has 2 deals, and 3 are given": lambda r: r["deals"].append({}),
    "deals[0].hands[1]: a list of 2 cards": lambda r: r["deals"][0]["hands"][1].pop(),
    "deals[1].hands[2][0]: ": swap,
    "deals[0].turned: a deal of 2 cards": lambda r: r["deals"][0].pop("turned"),
    "deals[1].turned: nothing is left to turn": lambda r: r["deals"][1].update(turned="AS"),
    "deals[0].dealer: dealer is": lambda r: r["deals"][0].update(dealer=9),
    "first_dealer: first_dealer is a seat": lambda r: r.pop("first_dealer"),
    "rules.khishti: khishti is -700 by this": lambda r: r["rules"].update(khishti=-700),
    "rules.khisti: ": lambda r: r["rules"].update(khisti=-700),
    "game: japanese is played by 2": lambda r: r.update(game="japanese", rules={}),
    'format: format is "joker-record/1"': lambda r: r.update(format=1),
    "deals: deals is a list": lambda r: r.update(deals=None),
}


@pytest.mark.parametrize("said", FAULTS)
def test_what_is_wrong_is_named_with_its_line_and_place(tmp_path, said):
    good = bare(records(SHORT, games=1)[0])
    file = tmp_path / "deals.jsonl"
    wrong = changed(good, FAULTS[said])
    file.write_text(f"{json.dumps(good)}\n\n{json.dumps(wrong)}\n")
    result = call("simulate", "--deals", file, "--seed", 1, "--policy", "random", "--out",
                  tmp_path / "run")  # fmt: skip
    assert refused(result).startswith(f"line 3 of {file}, {said}")
    assert not (tmp_path / "run").exists()
    with pytest.raises(InputError, match=r"^record 1 of deals, "):
        js.simulate(deals=[good, wrong], seed=1, policies="random")


def test_files_that_are_none(tmp_path):
    file = tmp_path / "deals.jsonl"
    asked = ("simulate", "--deals", file, "--seed", 1, "--policy", "random")
    assert "cannot be read: No such file" in refused(call(*asked))
    file.write_bytes(b"\n \n")
    assert refused(call(*asked)).endswith("holds no record: deals are given a game a line")
    file.write_bytes(b"\xff\n")
    assert "is not UTF-8" in refused(call(*asked))
    file.write_bytes(b"{]\n")
    assert refused(call(*asked)).startswith(f"line 1 of {file}: the line is no JSON object")
    write(file, records(SHORT, games=2))
    assert "are given for 2 games, and 3 are asked for" in refused(call(*asked, "--games", 3))
    assert "khishti is -200 by this record and -500 in this run" in refused(
        call(*asked, "--game", "nines", "--set", "schedule=[[2],[9]]", "--set", "khishti=-500")
    )
    assert "--games is missing" in refused(call("simulate", "--seed", 1))


@pytest.mark.parametrize("rules", [SHORT, RULES["davi"]], ids=["four", "two"])
def test_a_game_is_shown_as_it_was_played(tmp_path, rules):
    file = write(tmp_path / "deals.jsonl", records(rules, policy=0, games=3))
    asked = ("--deals", file, "--seed", 5, "--policy", "basic")
    assert call("simulate", *asked, "--out", tmp_path / "run", "--quiet").exit_code == 0
    shown = call("show", tmp_path / "run", "--deals", file, "--index", 2, "--format", "jsonl")
    assert shown.exit_code == 0, shown.stderr
    assert call("show", *asked, "--index", 2, "--format", "jsonl").stdout == shown.stdout
    record = js.replay(json.loads(shown.stdout))
    row = js.read(tmp_path / "run").games().iloc[2]
    points = "total" if rules.family == "four" else "points"
    assert record["totals"] == [row[f"{points}_{seat}"] for seat in range(rules.seats)]
    assert "name their record file with --deals" in refused(
        call("show", tmp_path / "run", "--index", 2)
    )
