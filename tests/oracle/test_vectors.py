"""The slow twin against the answers of an independent implementation."""

import copy
import json

import pytest

from tests import oracle, vectors


@pytest.mark.parametrize("name", vectors.NAMES)
def test_every_vector_is_answered_as_expected(name):
    wrong = {}
    for vector in vectors.load(name):
        found = vectors.differences(vector["expect"], oracle.replay(vector["input"]))
        if found:
            wrong[vector["id"]] = found[:3]
    assert wrong == {}


def test_the_vectors_are_all_there():
    counts = {name: len(vectors.load(name)) for name in vectors.NAMES}
    assert counts == {
        "classic": 60,
        "nines": 40,
        "variants": 120,
        "japanese": 120,
        "prefixes": 346,
        "errors": 142,
    }


@pytest.mark.parametrize("name", ["prefixes", "japanese", "variants"])
def test_a_completed_record_completes_to_itself(name):
    for vector in vectors.load(name)[::4]:
        once = oracle.replay(vector["input"])
        assert oracle.replay(once) == once
        assert oracle.replay_line(json.dumps(once)) == once


def test_replaying_leaves_the_record_as_it_was():
    for vector in vectors.load("prefixes")[::10]:
        record = copy.deepcopy(vector["input"])
        oracle.replay(record)
        assert record == vector["input"]


def _a_completed_game():
    return copy.deepcopy(vectors.load("nines")[0]["expect"])


@pytest.mark.parametrize(
    ("key", "value"),
    [("totals", [0, 0, 0, 0]), ("complete", 1), ("ranks", None), ("id", "another"), ("next", {})],
)
def test_differences_names_a_changed_key(key, value):
    expect = _a_completed_game()
    found = vectors.differences(expect, _a_completed_game() | {key: value})
    assert [text.split(":")[0] for text in found] == [key]


def test_differences_names_a_changed_key_of_a_deal():
    got = _a_completed_game()
    got["deals"][3]["takers"][0] = -1
    del got["deals"][5]["scores"]
    found = vectors.differences(_a_completed_game(), got)
    assert [text.split(":")[0] for text in found] == ["deals[3].takers", "deals[5].scores"]


def test_differences_tells_a_missing_deal_and_an_error():
    expect = _a_completed_game()
    got = _a_completed_game()
    got["deals"].pop()
    assert vectors.differences(expect, got) == ["deals: expected 16, got 15"]
    error = {"error": {"line": 1, "place": "deals[0].bids[1]", "message": "no"}}
    assert vectors.differences(error, error | {"other": 1}) == []
    assert len(vectors.differences(expect, error)) == 1
    assert len(vectors.differences(error, expect)) == 1
    assert vectors.differences(expect, "text") == ["no object: 'text'"]


def test_money_is_compared_within_a_billionth():
    expect = {"payoff": [0.3, -0.3], "deals": []}
    assert vectors.differences(expect, {"payoff": [0.1 + 0.2, -0.3], "deals": []}) == []
    assert len(vectors.differences(expect, {"payoff": [0.3001, -0.3], "deals": []})) == 1
