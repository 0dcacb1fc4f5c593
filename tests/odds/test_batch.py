"""Batches: a line's answer is its own, and bad lines are answered by place."""

import json
import threading
import time

import pyarrow.parquet as pq
import pytest

from jokersim.odds import batch, bid_odds
from jokersim.odds.batch import answer_lines, rows_of
from jokersim.store.answers import write_answers

LINES = [
    {"id": "a", "hand": "AS KS", "turned": "9H", "position": 0, "samples": 200},
    {"id": 2, "hand": "AS KS", "turned": "AS", "position": 0},
    {"hand": "QD 7C 8H", "trump": "D", "position": 1, "bids": [1], "samples": 150, "seed": 4},
    {"id": "rules", "game": "nines", "rules": {"khishti": -9}, "hand": "AS", "position": 0},
    {"id": "odd", "hand": "AS", "turned": "9H", "position": 0, "colour": "red"},
    {"id": "none", "turned": "9H", "position": 0},
    {"id": "far", "hand": "JK JK", "turned": "AH", "position": 3, "bids": [2, 2, 2], "samples": 5},
    {"id": "option", "rules": {"khishtii": 1}, "hand": "AS", "turned": "9H", "position": 0},
]


def answers(lines, **options):
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    return list(answer_lines(enumerate(texts, start=1), **options))


def test_answers_come_in_order_and_do_not_depend_on_neighbours():
    together = answers(LINES, threads=3)
    assert [answer["id"] for answer in together] == [line.get("id") for line in LINES]
    for i, line in enumerate(LINES):
        alone = next(iter(answer_lines([(i + 1, json.dumps(line))], threads=1)))
        assert alone == together[i]


def test_a_line_that_takes_long_holds_up_no_other(monkeypatch):
    arrived = threading.Event()

    def answer(text, number, defaults):
        if number == 1:
            return {"id": number, "waited": arrived.wait(60)}
        if number == 30:
            arrived.set()
        return {"id": number}

    monkeypatch.setattr(batch, "answer_line", answer)
    found = answers(["{}"] * 40, threads=2)
    assert [answer["id"] for answer in found] == list(range(1, 41))
    assert found[0]["waited"]


def test_an_answer_is_given_before_all_lines_are_read(monkeypatch):
    read = []

    def lines():
        for number in range(1, 20):
            read.append(number)
            if number > 1:
                time.sleep(0.02)
            yield number, "{}"

    monkeypatch.setattr(batch, "answer_line", lambda text, number, defaults: {"id": number})
    assert next(answer_lines(lines(), threads=2)) == {"id": 1}
    assert len(read) < 19


def test_an_answer_is_that_of_bid_odds():
    line = dict(LINES[2])
    answer = answers([line])[0]
    assert answer.pop("id") is None
    assert answer == bid_odds(**line)


def test_bad_lines_are_answered_by_place():
    found = {answer["id"]: answer.get("error") for answer in answers(LINES)}
    assert found["a"] is None
    places = {2: "turned", "odd": "colour", "none": "hand", "far": "", "option": "khishtii"}
    for name, place in places.items():
        error = found[name]
        assert error["place"] == place
        assert error["line"] == 1 + [line.get("id") for line in LINES].index(name)
        assert error["message"]
    assert found["rules"]["place"] == "hand"


@pytest.mark.parametrize("text", ["x", "[1]", "1", '"a"', "{", '{"a": NaN'])
def test_a_line_that_is_no_object_is_answered(text):
    (answer,) = answers([text])
    assert answer["id"] is None
    assert answer["error"]["place"] == ""


def test_defaults_stand_in_for_what_a_line_does_not_say():
    line = {"hand": "AS KS", "turned": "9H", "position": 0}
    (answer,) = answers([line], defaults={"samples": 123, "policy": "random"})
    assert (answer["n"], answer["policy"]) == (123, "random")
    (answer,) = answers([line | {"precision": 0.2}], defaults={"samples": 123})
    assert answer["n"] == 1000


def test_rows_are_written_as_parquet(tmp_path):
    path = tmp_path / "answers.parquet"
    write_answers(rows_of(answers(LINES[:3])), path)
    table = pq.read_table(path)
    assert table.column("id").to_pylist() == ["a"] * 3 + ["2"] + [None] * 4
    assert table.column("bid").to_pylist() == [0, 1, 2, -1, 0, 1, 2, 3]
    assert table.column("error").to_pylist()[3]
    assert list(tmp_path.iterdir()) == [path]
