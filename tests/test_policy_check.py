"""`check_policy` passes what keeps to the rules of a policy, and finds what does not."""

import sys
from itertools import count

import pytest

import jokersim as js
from jokersim.errors import CheckError, InputError

SHORT = js.rules("classic", schedule=[[2, 3], [9]])


class First:
    """Takes the first choice."""

    trump = bid = play = davi = staticmethod(lambda obs, legal, draw: 0)


def changed(**functions):
    """The same with other functions."""
    return type("Changed", (First,), {k: staticmethod(f) for k, f in functions.items()})


@pytest.mark.parametrize("policy", ["random", "basic", First], ids=["random", "basic", "plain"])
@pytest.mark.parametrize("rules", [SHORT, js.rules("japanese", target=1)], ids=["four", "two"])
def test_what_keeps_to_the_rules_passes(policy, rules):
    report = js.check_policy(policy, rules, games=2)
    assert report.games == 2
    assert report.decisions["play"] > 0
    if rules is SHORT:
        assert report.decisions == {"trump": 2, "bid": 24, "play": 112}


def test_an_illegal_answer_is_found():
    with pytest.raises(CheckError, match=r"game 0, deal 1, seat \d: bid answered 7"):
        js.check_policy(changed(bid=lambda obs, legal, draw: 7 * (obs.deal == 1)), SHORT, games=2)


def test_an_exception_is_found():
    with pytest.raises(CheckError, match=r"deal 2, seat \d: trump raised KeyError"):
        js.check_policy(changed(trump=lambda obs, legal, draw: {}["x"]), SHORT, games=1)


def test_answers_of_its_own_chance_are_found():
    numbers = count()
    policy = changed(play=lambda obs, legal, draw: next(numbers) % len(legal))
    with pytest.raises(CheckError, match="with the same observation and draws"):
        js.check_policy(policy, SHORT, games=1)


def test_memory_of_other_games_is_found():
    asked = count()
    policy = changed(bid=lambda obs, legal, draw: int(next(asked) >= 2 * 12 * 4))
    with pytest.raises(CheckError, match="when the same game was played again"):
        js.check_policy(policy, SHORT, games=2)


def test_a_look_at_hidden_cards_is_found():
    def peek(obs, legal, draw):
        frame = sys._getframe()
        while frame is not None:
            table = frame.f_locals.get("self")
            if hasattr(table, "_hands"):
                return int(table._hands[(obs.seat + 1) % 4]) % len(legal)
            frame = frame.f_back
        return 0

    with pytest.raises(CheckError, match="where only hidden cards differ"):
        js.check_policy(changed(play=peek), SHORT, games=3)


@pytest.mark.parametrize(("policy", "games"), [("basic,random,basic,basic", 1), ("basic", 0)])
def test_what_cannot_be_checked_is_refused(policy, games):
    with pytest.raises(InputError):
        js.check_policy(policy, SHORT, games=games)
