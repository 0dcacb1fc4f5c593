import json

import pytest

from tests.cli.calls import call, refused

HAND = ("--hand", "AS KS", "--turned", "9H", "--position", 0)
SHORT = ("--samples", 200, "--quiet")
KEYS = {"bids", "best", "best_margin", "level", "method", "n", "exact", "policy", "condition"}
BID_KEYS = {
    "bid", "p_made", "p_made_low", "p_made_high", "tricks", "score", "score_low", "score_high",
    "p_khishti",
}  # fmt: skip
RECORD = {
    "format": "joker-record/1", "game": "classic", "first_dealer": 3,
    "deals": [
        {"hands": [["AS"], ["7H"], ["JK"], ["9D"]], "turned": "KC", "bids": [1, 0, 1, 0],
         "plays": [["AS", "7H"]]},
    ],
}  # fmt: skip


def odds(*arguments, **options):
    return call("odds", *arguments, **options)


def test_json_has_the_keys_that_scripts_rely_on():
    document = json.loads(odds("bid", *HAND, *SHORT, "--json").stdout)
    assert document.keys() >= KEYS
    assert [bid["bid"] for bid in document["bids"]] == [0, 1, 2]
    for bid in document["bids"]:
        assert bid.keys() >= BID_KEYS
        assert len(bid["tricks"]) == 3
    assert document["best_margin"].keys() >= {"over", "difference", "low", "high"}
    assert document["seed"] == 0


def test_a_question_asked_twice_gets_one_answer():
    assert odds("bid", *HAND, *SHORT).stdout == odds("bid", *HAND, *SHORT).stdout


def test_a_page_marks_the_best_bid_and_is_plain_when_piped():
    result = odds("bid", *HAND, *SHORT)
    assert result.exit_code == 0
    assert "best bid: " in result.stdout
    assert "\x1b" not in result.stdout
    assert "█" not in result.stdout
    (line,) = [line for line in result.stdout.splitlines() if line.endswith("  best")]
    assert f"best bid: {line[0]}" in result.stdout


def test_rules_come_in_as_everywhere():
    sets = ("--set", "khishti=-777")
    plain = json.loads(odds("bid", *HAND, *SHORT, "--json").stdout)
    changed = json.loads(odds("bid", *HAND, *SHORT, *sets, "--json").stdout)
    assert changed["rules"] == {"khishti": -777}
    assert changed["bids"][2]["score"] < plain["bids"][2]["score"]


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("--hand", "AS AS", "--turned", "9H", "--position", 0), "hand[1]"),
        (("--hand", "AS", "--turned", "AS", "--position", 0), "turned"),
        (("--hand", "AS", "--turned", "9H", "--position", 4), "--position"),
        (("--hand", "AS", "--turned", "9H", "--position", 0, "--bids", "1"), "bids"),
        (("--turned", "9H", "--position", 0), "--hand"),
        ((*HAND, "--precision", "x"), "--precision"),
        ((*HAND, "--precision", "0"), "precision"),
        ((*HAND, "--precision", "0.1", "--samples", 5), "precision"),
        ((*HAND, "--out", "x.parquet"), "--out"),
        ((*HAND, "--plot", "x.gif", "--samples", 5), "x.gif"),
    ],
)
def test_a_bad_position_is_refused_with_one_sentence(arguments, named):
    assert named in refused(odds("bid", *arguments, "--quiet"))


def test_too_few_worlds_end_in_code_five():
    far = ("--hand", "JK JK", "--turned", "AH", "--position", 3, "--bids", "2,2,2")
    sentence = refused(odds("bid", *far, "--samples", 5, "--quiet"), code=5)
    assert "worlds agreed" in sentence


def test_a_batch_answers_a_line_each_and_ends_in_code_three():
    lines = [
        {"id": 1, "hand": "AS KS", "turned": "9H", "position": 0},
        {"id": 2, "hand": "AS KS", "turned": "AS", "position": 0},
    ]
    given = "\n".join(json.dumps(line) for line in lines)
    result = odds("bid", "-", *SHORT, given=given)
    assert result.exit_code == 3
    first, second = map(json.loads, result.stdout.splitlines())
    assert first["n"] == 200
    assert second == {"id": 2, "error": second["error"]}
    assert second["error"]["place"] == "turned"


def test_a_batch_may_be_written_as_parquet(tmp_path):
    given = json.dumps({"id": 1, "hand": "AS KS", "turned": "9H", "position": 0})
    out = tmp_path / "odds.parquet"
    result = odds("bid", "-", *SHORT, "--out", out, given=given)
    assert (result.exit_code, result.stdout) == (0, "")
    assert out.exists()


@pytest.mark.parametrize("game", ["nines", "japanese"])
def test_five_calls_of_trump(game):
    arguments = ("trump", "--game", game, "--cards", "AS KS JK", *SHORT)
    document = json.loads(odds(*arguments, "--json").stdout)
    assert {call["trump"] for call in document["calls"]} == {"S", "H", "D", "C", "NT"}
    assert document["calls"][0].keys() >= {"trump", "score", "score_low", "score_high", "p_win"}
    assert "best trump: " in odds(*arguments).stdout


def test_plays_of_a_record(tmp_path):
    path = tmp_path / "game.jsonl"
    path.write_text(json.dumps(RECORD) + "\n")
    document = json.loads(odds("play", path, "--json", "--quiet").stdout)
    assert [(play["play"], play["p_made"]) for play in document["plays"]] == [
        ("JK-", 0),
        ("JK+", 1),
    ]
    assert document["best"] == "JK+"
    assert "best play: JK+" in odds("play", "-", "--quiet", given=json.dumps(RECORD)).stdout


def test_open_cards_of_a_record(tmp_path):
    path = tmp_path / "game.jsonl"
    path.write_text(json.dumps(RECORD) + "\n")
    document = json.loads(odds("open", path, "--json", "--quiet").stdout)
    assert document["exact"]
    assert [seat["most"] for seat in document["seats"]] == [0, 0, 1, 0]
    assert "exact" in odds("open", path, "--quiet").stdout


@pytest.mark.parametrize(("text", "code"), [("", 2), ("x", 2), ("[1]", 2), ("{}", 3)])
def test_what_is_no_record_is_refused(tmp_path, text, code):
    path = tmp_path / "game.jsonl"
    path.write_text(text)
    for question in ("play", "open"):
        refused(odds(question, path, "--quiet"), code=code)
