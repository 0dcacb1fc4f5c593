import json
from pathlib import Path

import pytest

from tests.cli.calls import call, refused

KEYS = {"games", "difference", "low", "high", "won", "tied", "lost"}
SHORT = ("--set", "schedule=[[1]]")
DATA = Path(__file__).resolve().parent.parent.parent / "data"


def match(*arguments, **options):
    return call("match", *arguments, **options)


def test_json_has_the_keys_that_scripts_rely_on():
    result = match(*SHORT, "--games", 50, "--seed", 1, "--json", "--quiet")
    document = json.loads(result.stdout)
    assert document.keys() >= KEYS
    assert document["schema"] == {"name": "jokersim/match", "version": 1}
    assert (document["policy"], document["against"], document["seats"]) == (
        "basic",
        "random",
        "1v3",
    )
    assert document["won"] + document["tied"] + document["lost"] == document["games"] == 50
    assert document["low"] < document["difference"] < document["high"]


@pytest.mark.parametrize("arguments", [SHORT, ("--game", "japanese", "--set", "target=1")])
def test_a_page_says_who_beats_whom(arguments):
    result = match(*arguments, "--games", 3, "--seed", 1, "--quiet")
    assert result.exit_code == 0
    assert "basic against random" in result.stdout
    assert "difference" in result.stdout
    assert "won / tied / lost" in result.stdout


def test_a_precision_that_is_not_reached_is_said_after_the_result():
    result = match(*SHORT, "--games", 10, "--seed", 1, "--precision", 0.01, "--json", "--quiet")
    assert result.exit_code == 5
    assert json.loads(result.stdout)["reached"] is False
    assert "was not reached within 10 games" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("--seats", "4v0"), "no seating"),
        (("--precision", "narrow"), "no half-width"),
        (("--policy", "brilliant"), "no policy"),
        (("--policy", "nowhere_at_all:X"), "cannot be loaded"),
    ],
)
def test_what_cannot_be_played_is_refused(arguments, why):
    assert why in refused(match(*SHORT, "--games", 1, *arguments))


def test_a_policy_of_the_current_folder_plays_and_fails_in_one_sentence(monkeypatch):
    monkeypatch.chdir(DATA)
    good = match(*SHORT, "--games", 2, "--seed", 1, "--policy", "example_policies:plain", "--quiet")
    assert good.exit_code == 0
    bad = match("--games", 2, "--seed", 1, "--policy", "example_policies:TooFew", "--quiet")
    said = refused(bad, code=1)
    for part in ("example_policies:TooFew", "seed 1", "game 0", "deal 0", "seat 0"):
        assert part in said
