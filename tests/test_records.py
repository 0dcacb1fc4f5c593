"""Game records: every vector, damaged records against the slow twin, and what stays as given."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jokersim.cards import JOKER_PLAY, format_play, parse_play, pretty_play
from jokersim.errors import CheckError
from jokersim.records import RecordError, dump, replay, replay_line
from jokersim.rules import rules
from jokersim.table import Table, play_game
from tests import oracle, vectors

Json = dict[str, Any]

ONE_DEAL: Json = {
    "format": "joker-record/1",
    "game": "classic",
    "rules": {"schedule": [[2]]},
    "first_dealer": 2,
    "deals": [
        {
            "hands": [["9D", "AS"], ["TD", "JK"], ["JK", "9H"], ["TC", "AH"]],
            "turned": "QD",
            "bids": [0, 1, 0, 0],
            "plays": [["AH", "9D", "JK+", "JK+"], ["9H", "TC", "AS", "TD"]],
        }
    ],
}


def answer(record: Any) -> Json:
    try:
        return replay(record)
    except RecordError as error:
        return {"error": {"place": error.place, "message": error.message}}


def changed(**changes: Any) -> Json:
    record = copy.deepcopy(ONE_DEAL)
    record["deals"][0].update(changes)
    return record


@pytest.mark.parametrize("name", vectors.NAMES)
def test_every_vector_is_answered_as_expected(name):
    wrong = {}
    for vector in vectors.load(name):
        found = vectors.differences(vector["expect"], answer(vector["input"]))
        if found:
            wrong[vector["id"]] = found
    assert not wrong


def test_replaying_leaves_the_record_as_it_was():
    for vector in vectors.load("prefixes")[::7]:
        before = json.dumps(vector["input"])
        answer(vector["input"])
        assert json.dumps(vector["input"]) == before


def test_a_completed_record_is_answered_byte_for_byte():
    for name in ("prefixes", "japanese"):
        for vector in vectors.load(name)[::5]:
            line = dump(replay(vector["input"]))
            assert dump(replay_line(line, 1)) == line


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("classic", {}),
        ("classic-left", {"hook": "none"}),
        ("nines-900", {"schedule": [[9, 9], [1]]}),
        ("japanese", {}),
        ("japanese-davi", {"declarer_rotation": "random", "stake": 0.1, "rake": 0.05}),
    ],
)
def test_a_game_of_a_run_is_a_record_that_replay_answers_byte_for_byte(game, options):
    rule_set = rules(game, **options)
    for index in range(3):
        record = play_game(rule_set, [0] * rule_set.seats, 7, index)
        assert record["complete"]
        line = dump(record)
        assert dump(replay_line(line, 1)) == line
        assert not vectors.differences(oracle.replay(json.loads(line)), record)


# --- damaged records: the slow twin finds the same first fault -----------------------------------

SMALL = [
    record
    for name in ("prefixes", "errors", "variants", "japanese")
    for vector in vectors.load(name)
    for record in (vector["input"], vector["expect"])
    if "error" not in record and len(json.dumps(record)) < 6000
]

SCALARS = st.sampled_from(
    [
        *(None, True, False, 0, 1, 2, -1, 99, 10**20, 1.0, 0.5, "", "x", "NT", "♦", "JK", "JK+"),
        *("JK-", "JK+H", "JK-♠", "JK+@0", "JK+H@3", "JK@2", "JK+S@7", "6S", "10H", "AS", "K♣"),
        *("offer", "accept", "counter", "lead"),
    ]
)
VALUES = st.one_of(SCALARS, st.sampled_from([[], {}, [[]], [None] * 4, [1, 2]]))


def paths(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    found = [path] if path else []
    if isinstance(value, dict):
        inside = list(value.items())
    else:
        inside = list(enumerate(value)) if isinstance(value, list) else []
    for key, item in inside:
        found += paths(item, (*path, key))
    return found


@st.composite
def damaged(draw: st.DrawFn) -> Json:
    """A record with one thing taken out, cut off, doubled, changed for another or replaced."""
    record = copy.deepcopy(draw(st.sampled_from(SMALL)))
    depth = draw(st.integers(1, 6))
    path = draw(st.sampled_from([p for p in paths(record) if len(p) <= depth]))
    parent: Any = record
    for key in path[:-1]:
        parent = parent[key]
    key = path[-1]
    how = draw(st.sampled_from(["replace", "delete", "cut", "double", "swap"]))
    if how == "replace":
        parent[key] = copy.deepcopy(draw(VALUES))
    elif how == "delete" or not isinstance(parent, list):
        del parent[key]
    elif how == "cut":
        del parent[key:]
    elif how == "double":
        parent.insert(key, copy.deepcopy(parent[key]))
    else:
        other = draw(st.integers(0, len(parent) - 1))
        parent[key], parent[other] = parent[other], parent[key]
    return record


@settings(max_examples=400)
@given(damaged())
def test_the_slow_twin_finds_the_same_in_a_damaged_record(record):
    assert not vectors.differences(oracle.replay(record), answer(record))


@pytest.mark.parametrize("play", [p for p in range(JOKER_PLAY + 60) if p not in (0, 27)])
def test_a_play_is_read_as_it_is_written(play):
    assert parse_play(format_play(play)) == play
    assert parse_play(pretty_play(play)) == play


# --- faults ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "place", "words"),
    [
        ({"plays": [["AH", "9D", "JK+", "JK+"], ["9H", "AS"]]}, "plays[1][1]", "does not hold AS"),
        ({"plays": [["AH", "AS"]]}, "plays[0][1]", "has to trump H"),
        ({"plays": [["AH", "9D", "JK+H"]]}, "plays[0][2]", "legal plays: TD, JK-, JK+"),
        ({"plays": [["AH", "9D", "JK+@1"]]}, "plays[0][2]", "places are of two-player games"),
        ({"plays": [["AH", "9D", "JX"]]}, "plays[0][2]", "legal plays: TD, JK-, JK+"),
        ({"plays": [["AH", "9D"], ["JK+"]]}, "plays[1][0]", "is not complete"),
        ({"plays": [["AH", "9D", "JK+", "JK+", "TC"]]}, "plays[0][4]", "has its 4 plays already"),
        ({"plays": ["AH"]}, "plays[0]", "a trick is a list of plays"),
        ({"bids": [1, 0, 0, 1]}, "bids[2]", "legal bids: 1, 2"),
        ({"bids": [0, 1.0, 0, 0]}, "bids[1]", "a bid is an integer, not 1.0"),
        ({"bids": [None] * 4}, "plays[0][0]", "seat 3's legal bids: 0, 1, 2"),
        ({"turned": "JK"}, "turned", "third joker"),
        ({"turned": None}, "turned", "has a turned card here"),
        ({"scores": [50, -200, 10, 10]}, "scores", "scores is [50, 100, 10, 50]"),
        ({"takers": [2, 2]}, "takers", "takers is [2, 1], not [2, 2]"),
    ],
)
def test_a_fault_is_told_with_its_place_and_what_is_right(changes, place, words):
    found = answer(changed(**changes))
    assert found["error"]["place"] == f"deals[0].{place}"
    assert words in found["error"]["message"]


def test_the_error_says_the_place_too():
    with pytest.raises(CheckError, match=r"^deals\[0\]\.turned: ") as caught:
        replay(changed(turned=None))
    assert caught.value.exit_code == 3


def test_every_fault_of_the_vectors_has_its_one_sentence():
    for vector in vectors.load("errors"):
        message = answer(vector["input"])["error"]["message"]
        assert 10 < len(message) < 400
        assert "\n" not in message
        assert not message.endswith(".")


# --- lines -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "line",
    [
        "",
        "x",
        "[1]",
        "null",
        '"text"',
        '{"format": NaN}',
        '{"format": 1e999}',
        "[" * 100_000,
        '{"a": ' + "9" * 5000 + "}",
        b"\xff\xfe{}",
        '{"format": "joker-record/1"} x',
    ],
)
def test_a_line_that_is_no_object_is_an_error_without_a_place(line):
    error = replay_line(line, 12)["error"]
    assert (error["line"], error["place"]) == (12, "")
    assert error["message"]


def test_what_was_given_is_kept_as_it_was_written():
    record = {"id": "ა", "players": ["x"], **changed(note={"k": [1.0]}), "void": "anything"}
    record["deals"][0]["hands"][0] = ["9♦", "A♠"]
    whole = replay(record)
    assert list(whole)[: len(record)] == list(record)
    assert whole["deals"][0]["hands"][0] == ["9♦", "A♠"]
    assert '"note": {"k": [1.0]}' in dump(whole)
    assert '"id": "ა"' in dump(whole)


def test_half_a_surrogate_pair_is_written_as_it_came():
    line = dump(replay_line('{"id": "\\ud800", ' + dump(ONE_DEAL)[1:], 1))
    assert line.startswith('{"id": "\\ud800", ')
    assert line.encode("utf-8")


def test_a_trump_given_as_a_sign_is_answered_as_a_letter():
    record = changed(trump="♦")
    assert replay(record)["deals"][0]["trump"] == "D"
    assert answer(changed(trump="♥"))["error"]["place"] == "deals[0].trump"


def test_more_plays_than_any_deal_has_are_refused_at_the_first_that_is_too_many():
    tricks = [["AH", "9D", "JK+", "JK+"], ["9H", "TC", "AS", "TD"]]
    record = changed(plays=tricks + [["9H", "TC", "AS", "TD"]] * 40)
    assert answer(record)["error"]["place"] == "deals[0].plays[2][0]"


def test_a_record_that_stops_anywhere_is_answered_with_what_is_due():
    rule_set = rules("classic", schedule=[[9, 3]])
    record = Table(rule_set, seed=3, index=1).record()
    assert record["next"]["kind"] == "trump"
    assert replay(record) == record
