"""The policy `book` of two: legality, blindness, sense, and that it beats `basic`."""

from __future__ import annotations

import numpy as np
import pytest

from jokersim.book import Book, _two_tables
from jokersim.cards import parse_trump
from jokersim.kernels import party_stepping as step
from jokersim.kernels import state
from jokersim.kernels.jit import JIT_DISABLED, exposed
from jokersim.kernels.policies import BASIC, book_two
from tests.kernels.parties_played import Board, party_numbers, run
from tests.kernels.positions import cards
from tests.kernels.test_basic_two import DAVI, hide_again

ROW = Book("two").row("two")


@pytest.mark.parametrize("options", [{}, DAVI], ids=["off", "davi"])
def test_choices_are_legal_and_hidden_cards_change_none(options: dict[str, object]) -> None:
    rng = np.random.default_rng(8)
    moved = asked = 0
    for index in range(8):
        board = Board(party_numbers(**options))
        board.draw(2, index)
        while board.view.kind != state.NO_DECISION:
            args = (board.views, board.hands, board.streams, 2, index, ROW.number, 0)
            choice = step.decide(*args)
            assert choice in board.legal()
            if board.view.kind != state.CHOOSE_TRUMP:
                kept = board.hands.copy(), board.down.copy()
                hide_again(board, rng)
                moved += not np.array_equal(board.hands, kept[0])
                asked += 1
                assert step.decide(*args) == choice
                board.hands[:], board.down[:] = kept
            # Now and then another choice, so that it meets what it would not come to.
            if rng.random() < 0.1:
                choice = rng.choice(board.legal())
            assert board.choose(int(choice))
    assert moved > asked / 3 > 80


@pytest.mark.skipif(JIT_DISABLED, reason="plays a thousand parties")
@pytest.mark.parametrize("options", [{}, DAVI], ids=["off", "davi"])
def test_it_beats_basic(options: dict[str, object]) -> None:
    """By the lower end of an interval of 99.9 %, in parties with the seats exchanged."""
    n = 500
    won = np.zeros(n)
    for seat in range(2):
        policies = (ROW.number, BASIC) if seat == 0 else (BASIC, ROW.number)
        played = run(n, policies, seed=777001, **options)["games"]
        won += np.where(played.winner == seat, 1, -1) * played.multiplier
    assert won.mean() - 3.29 * won.std() / np.sqrt(n) > 0


@pytest.mark.parametrize(
    ("packet", "trump"), [("AS KS QS", "S"), ("AD KD 8H", "D"), ("AS AH AD", "NT")]
)
def test_trumps_are_named_where_they_are(packet: str, trump: str) -> None:
    view = state.new_views(state.TWO_VIEW)[0]
    view.hand = cards(packet)
    table = _two_tables()[0]
    assert exposed(book_two.trump)(view, table) == parse_trump(trump)
