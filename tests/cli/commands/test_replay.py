import io
import json

import pytest

from jokersim.records import lines
from tests.cli.calls import call, finished, refused, start

RECORD = {
    "format": "joker-record/1",
    "game": "classic",
    "rules": {"schedule": [[1]]},
    "first_dealer": 2,
    "deals": [
        {
            "hands": [["AS"], ["7H"], ["JK"], ["9D"]],
            "turned": "KC",
            "bids": [0, 0, 1, 1],
            "plays": [["9D", "AS", "7H", "JK+"]],
        }
    ],
    "players": ["ანა", "Beso", "გია", "Dato"],
}
GOOD = json.dumps(RECORD, ensure_ascii=False)
BAD = json.dumps(RECORD | {"first_dealer": 7})


def test_a_line_is_answered_by_a_line(tmp_path):
    path = tmp_path / "games.jsonl"
    path.write_text(f"{GOOD}\n\n   \n{BAD}\nno json\n{GOOD}", encoding="utf-8")
    result = call("replay", path, "--quiet")
    answers = [json.loads(line) for line in result.stdout.splitlines()]
    assert result.exit_code == 3
    assert result.stderr == f"jokersim: 2 of 4 records in {path} failed\n"
    assert answers[0]["totals"] == [100, 100, 200, -200]  # premiums included
    assert answers[0] == answers[3]
    assert answers[0]["players"] == RECORD["players"]
    assert [answer["error"]["line"] for answer in answers[1:3]] == [4, 5]
    assert [answer["error"]["place"] for answer in answers[1:3]] == ["first_dealer", ""]


def test_good_records_end_with_0_and_are_a_fixed_point():
    once = call("replay", "-", "--quiet", given=GOOD)
    assert (once.exit_code, once.stderr) == (0, "")
    assert call("replay", "-", "--quiet", given=once.stdout).stdout == once.stdout


def test_nothing_is_answered_by_nothing(tmp_path):
    path = tmp_path / "empty.jsonl"
    path.write_bytes(b"\n\n")
    result = call("replay", path)
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "")


def test_as_text():
    result = call("replay", "-", "--format", "text", "--quiet", given=f"{GOOD}\n{BAD}\n")
    assert result.exit_code == 3
    assert "seat 2 გია" in result.stdout
    assert "JK+ ●" in result.stdout
    assert "line 2, first_dealer: " in result.stdout
    assert result.stdout.endswith("2 records, 1 right, 1 wrong\n")


@pytest.mark.parametrize("content", [b"\x7fELF\xff\xfe", GOOD.encode() + b"\n\xff\n", b"\xe1\x83"])
def test_a_file_that_is_not_utf8_is_refused_before_anything_is_answered(tmp_path, content):
    path = tmp_path / "binary"
    path.write_bytes(content)
    sentence = refused(call("replay", path))
    assert str(path) in sentence
    assert "UTF-8" in sentence


def test_a_pipe_is_answered_up_to_what_is_not_utf8():
    result = call("replay", "-", "--quiet", given=GOOD.encode() + b"\n\xff\n")
    assert result.exit_code == 2
    assert len(result.stdout.splitlines()) == 1
    assert result.stderr.splitlines() == [
        "jokersim: line 2 of - is not UTF-8: a record file is JSON Lines in UTF-8"
    ]


def test_a_file_that_is_not_there_or_a_folder_is_refused(tmp_path):
    assert "cannot be read" in refused(call("replay", tmp_path / "none"))
    assert "cannot be read" in refused(call("replay", tmp_path))


def test_an_endless_line_is_refused(monkeypatch):
    monkeypatch.setattr(lines, "_LONGEST", 10)
    with pytest.raises(lines.InputError, match="line 2 of zeros is longer"):
        list(lines.numbered_lines(io.BytesIO(b"short\n" + b"0" * 100), "zeros", 1))


def test_lines_come_in_batches_with_their_numbers():
    stream = io.BytesIO("ა\n\n \r\nb\r\nc".encode())
    assert list(lines.numbered_lines(stream, "x", 2)) == [[(1, "ა\n"), (4, "b\r\n")], [(5, "c")]]


def test_a_pipe_is_answered_line_by_line():
    process = start("replay", "-", stdin=-1)
    process.stdin.write(GOOD + "\n")
    process.stdin.flush()
    # The answer comes while the pipe is still open.
    assert json.loads(process.stdout.readline())["complete"] is True
    code, output, _ = finished(process)
    assert (code, output) == (0, "")
