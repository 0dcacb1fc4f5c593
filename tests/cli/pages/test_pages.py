import re

import click
import pytest

from jokersim.cli.pages import error_line, game_page
from jokersim.cli.pages.marks import hand_rows, play, seat_names
from tests.vectors import NAMES, load


def answers(name):
    """Answer the completed records of a file of vectors, as the slow twin has them."""
    found = [line["expect"] for line in load(name) if "error" not in line["expect"]]
    assert found or name == "errors"
    return found


def numbers(line):
    return [int(word.replace(",", "")) for word in re.findall(r"-?\d[\d,]*", line)]


@pytest.mark.parametrize("name", NAMES)
def test_a_page_holds_the_game(name):
    for record in answers(name):
        check_page(record, click.unstyle(game_page(record)))


def check_page(record, page):
    lines = page.splitlines()
    deals = record["deals"]
    assert len(re.findall(r"^Deal \d+", page, re.MULTILINE)) == len(deals)
    # The legend has each mark once.
    assert page.count("●") - 1 == sum(len(deal["takers"]) for deal in deals)
    led = sum(1 for deal in deals for trick in deal.get("plays") or [] if trick)
    assert page.count("›") - 1 == led
    played = sum(len(trick) for deal in deals for trick in deal.get("plays") or [])
    rows = [line for line in lines if re.match(r"(trick|pair) +\d", line)]
    assert sum(len(re.findall(r"JK|\d*[♠♥♦♣]|[6-9TJQKA0]+[♠♥♦♣]", row)) for row in rows) >= played
    if record["next"] is not None:
        assert f"next: seat {record['next']['seat']}" in page
    assert max(map(len, lines)) <= 100


@pytest.mark.parametrize("name", ["classic", "nines", "variants"])
def test_running_totals_end_in_the_records(name):
    for record in answers(name):
        if not record["complete"]:
            continue
        page = click.unstyle(game_page(record))
        totals = [numbers(line) for line in page.splitlines() if line.startswith("total")]
        assert len(totals) == len(record["deals"])
        assert totals[-1] == record["totals"]
        ranks = re.findall(r"^([1-4])(?:st|nd|rd|th) +seat (\d)", page, re.MULTILINE)
        assert sorted(int(seat) for _, seat in ranks) == [0, 1, 2, 3]
        assert all(record["ranks"][int(seat)] == int(rank) for rank, seat in ranks)


def test_a_party_says_who_won_and_what_it_pays():
    for record in answers("japanese"):
        page = click.unstyle(game_page(record))
        if record.get("void"):
            assert "void: every stake returns" in page
        elif record["complete"]:
            assert page.splitlines()[-1].startswith(f"seat {record['winner']} ")
            davi = record["deals"][-1].get("davi") or [{"action": "none"}]
            how = " by a decline" if davi[-1]["action"] == "decline" else ""
            assert f" wins{how}, " in page.splitlines()[-1]
            assert f"pays {record['payoff'][0]:,.2f} to seat 0" in page


def test_hands_are_sorted_by_suit_the_highest_first():
    rows = hand_rows([["7S", "AS", "JK", "10♦", "6H"], ["JK"]])
    assert [(click.unstyle(label), cells) for label, cells in rows] == [
        ("♠", ["A 7", "·"]),
        ("♥", ["6", "·"]),
        ("♦", ["10", "·"]),
        ("♣", ["·", "·"]),
        ("joker", ["JK", "JK"]),
    ]
    assert len(hand_rows([["7S"], ["8S"]])) == 4


@pytest.mark.parametrize(
    ("text", "leads", "takes", "shown"),
    [
        ("AS", True, True, "›A♠ ●"),
        ("TD", False, False, " 10♦"),
        ("JK+H", True, False, "›JK+♥"),
        ("JK-", False, False, " JK-"),
        ("JK+@0", False, True, " JK+@0 ●"),
        ("JK+♣@3", True, False, "›JK+♣@3"),
    ],
)
def test_a_play_is_marked(text, leads, takes, shown):
    assert click.unstyle(play(text, leads=leads, takes=takes)) == shown


def test_players_are_named_where_there_is_one_a_seat():
    assert seat_names(2, ["ანა", "Beso"]) == ["seat 0 ანა", "seat 1 Beso"]
    for strange in (None, "ab", ["one"], [1, 2], {"a": 1, "b": 2}):
        assert seat_names(2, strange) == ["seat 0", "seat 1"]


def test_an_error_is_a_line():
    assert (
        error_line({"error": {"line": 4, "place": "", "message": "no JSON"}}) == "line 4: no JSON"
    )
