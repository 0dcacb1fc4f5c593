"""The steps of a party against the vectors: takers, points, what is legal, who wins."""

from __future__ import annotations

from typing import Any

import pytest

from jokersim.cards import TRUMPS, format_play
from jokersim.kernels import state
from tests.kernels.parties_played import ACTIONS, Board, events, party_numbers
from tests.vectors import load

Json = dict[str, Any]
PRESET_TARGETS = {"japanese": 11, "japanese-1": 1, "japanese-3": 3, "japanese-7": 7}
PRESET_TARGETS |= {"japanese-21": 21, "japanese-davi": 11}


def options_of(record: Json) -> Json:
    """Rule options of a record, its preset's included."""
    name = record["game"]
    options: Json = {"target": PRESET_TARGETS[name]}
    if name == "japanese-davi":
        options |= {"davi": "party", "davi_cap": 6}
    return options | (record.get("rules") or {})


def two_player(name: str) -> list[Json]:
    """Vectors of two players that hold no error."""
    return [v for v in load(name) if "first_declarer" in v["input"] and "error" not in v["expect"]]


def legal_texts(board: Board) -> list[str]:
    """Legal choices as a record writes them."""
    kind = board.view.kind
    if kind == state.CHOOSE_TRUMP:
        return [TRUMPS[choice] for choice in board.legal()]
    if kind == state.DAVI:
        return [ACTIONS[choice] for choice in board.legal()]
    return [format_play(choice) for choice in board.legal()]


def played(record: Json, expect: Json) -> Board:
    """Play a record on a board, each choice checked to be legal and each deal's answer to agree."""
    board = Board(party_numbers(**options_of(record)))
    for deal, answer in zip(record["deals"], expect["deals"], strict=True):
        assert board.declarer in (-1, answer["declarer"])
        board.lay(deal, answer["declarer"])
        for kind, choice in events(deal, board.view.davi_cap > 1):
            if kind == state.DAVI and choice == state.LEAD and board.view.kind != state.DAVI:
                continue
            assert board.view.kind == kind
            assert board.choose(choice)
        pairs = answer["pairs"]
        assert board.view.pairs.tolist() == pairs
        assert board.takers[: sum(pairs)].tolist() == answer["takers"]
        if board.view.kind == state.NO_DECISION:
            assert board.end() == (answer.get("points") or [0, 0])
    assert board.view.points.tolist() == expect["totals"]
    assert board.view.multiplier == expect["multiplier"]
    if not record.get("void"):
        winner = expect["winner"]
        assert board.winner == (-1 if winner is None else winner)
    return board


@pytest.mark.parametrize("name", ["japanese", "prefixes"])
def test_vectors_are_played_as_they_say(name: str) -> None:
    vectors = two_player(name)
    assert len(vectors) > 100
    for vector in vectors:
        board = played(vector["input"], vector["expect"])
        due = vector["expect"]["next"]
        if due is None:
            continue
        assert (
            due["kind"]
            in {state.CHOOSE_TRUMP: "trump", state.DAVI: "davi", state.PLAY: "play"}[
                int(board.view.kind)
            ]
        )
        assert board.view.turn == due["seat"]
        assert legal_texts(board) == due["legal"], vector["id"]


def test_choices_that_are_not_legal_change_nothing() -> None:
    refused = 0
    for vector in two_player("prefixes")[:60]:
        board = played(vector["input"], vector["expect"])
        legal = board.legal()
        before = board.views.tobytes(), board.hands.tobytes(), board.down.tobytes()
        for choice in range(-1, 110):
            if choice not in legal:
                assert not board.choose(choice)
                refused += 1
        assert before == (board.views.tobytes(), board.hands.tobytes(), board.down.tobytes())
    assert refused > 5000
