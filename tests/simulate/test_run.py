"""What `simulate` refuses, and what a run says of itself."""

import json

import pytest

import jokersim as js
from jokersim.simulate.run import MAX_GAMES


@pytest.mark.parametrize(
    ("options", "word"),
    [
        ({"games": 0}, "games"),
        ({"games": -5}, "games"),
        ({"games": True}, "games"),
        ({"games": 2.0}, "games"),
        ({"games": MAX_GAMES + 1}, "games"),
        ({"seed": -1}, "seed"),
        ({"seed": 2**63}, "seed"),
        ({"seed": True}, "seed"),
        ({"seed": "1"}, "seed"),
        ({"threads": 0}, "threads"),
        ({"chunk": 0}, "chunk"),
        ({"chunk": 1.5}, "chunk"),
        ({"part": -1}, "part"),
        ({"level": 0}, "level"),
        ({"level": 1}, "level"),
        ({"level": float("nan")}, "level"),
        ({"policies": "clever"}, "clever"),
        ({"policies": "random,random"}, "policies"),
        ({"policies": ["random"] * 5}, "policies"),
        ({"policies": ""}, "policy"),
        ({"policies": "random:depth=3"}, "random"),
        ({"tables": ["hands"]}, "hands"),
        ({"rules": "bridge"}, "bridge"),
        ({"part": 10}, "out"),
        ({"resume": True}, "out"),
        ({"overwrite": True}, "out"),
    ],
    ids=lambda given: str(given)[:40],
)
def test_what_is_refused_names_itself(options, word):
    given = {"rules": "classic", "games": 2, "seed": 1, "policies": "random"} | options
    with pytest.raises(js.InputError) as refused:
        js.simulate(given.pop("rules"), **given)
    text = str(refused.value)
    assert word in text
    assert "\n" not in text


def test_a_dataset_needs_a_table_and_a_free_folder(tmp_path):
    with pytest.raises(js.InputError):
        js.simulate(games=1, seed=1, policies="random", out=tmp_path / "new", tables=[])
    assert not (tmp_path / "new").exists()
    (tmp_path / "used").mkdir()
    (tmp_path / "used" / "letter.txt").write_text("dear")
    with pytest.raises(js.InputError):
        js.simulate(games=1, seed=1, policies="random", out=tmp_path / "used")
    assert [path.name for path in (tmp_path / "used").iterdir()] == ["letter.txt"]


def test_a_table_that_was_not_kept_is_refused():
    run = js.simulate(games=1, seed=1, policies="random", tables=["games"])
    assert len(run.games()) == 1
    for table in (run.deals, run.plays, lambda: run.dataset("deals")):
        with pytest.raises(js.InputError, match="tables="):
            table()


def test_a_seed_is_drawn_when_none_is_given():
    seeds = {js.simulate(games=1, policies="random").seed for _ in range(3)}
    assert len(seeds) == 3
    assert all(0 <= seed < 2**63 for seed in seeds)


@pytest.mark.parametrize("seed", [0, 2**63 - 1])
def test_the_lowest_and_the_highest_seed_are_seeds(seed):
    run = js.simulate(games=2, seed=seed, policies="random", tables=["games"])
    assert run.summary()["seed"] == seed


def test_a_summary_says_what_was_played():
    rules = js.rules("classic", khishti=-500)
    run = js.simulate(rules, games=3, seed=1, policies="random,basic,random,basic")
    summary = run.summary()
    assert summary["game"] == "classic"
    assert summary["rules"] == {"khishti": -500}
    assert summary["games"] == 3
    assert summary["policies"] == ["random", "basic", "random", "basic"]
    assert summary["seconds"] > 0
    assert summary["games_per_minute"] == pytest.approx(180 / summary["seconds"])


def test_progress_is_told_in_order_and_can_end_the_run():
    told = []
    js.simulate(
        games=10, seed=1, policies="random", chunk=3, progress=lambda *done: told.append(done)
    )
    assert told == [(3, 10), (6, 10), (9, 10), (10, 10)]

    def stop(done, games):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        js.simulate(games=10**6, seed=1, policies="random", chunk=3, progress=stop)


def test_one_game_has_a_summary_without_ends():
    """An interval of one game is as wide as can be; JSON has no infinity."""
    summary = js.simulate(games=1, seed=1, policies="random").summary()
    for own in (*summary["seats"], *summary["places"]):
        assert own["low"] is None
        assert own["high"] is None
        assert 0 <= own["first_low"] <= own["first"] <= own["first_high"] <= 1
    json.dumps(summary, allow_nan=False)
