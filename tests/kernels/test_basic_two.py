"""The policy `basic` of two: it beats chance, sees nothing hidden, knows what a stake is worth."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest

from jokersim.cards import cards_of, mask_of
from jokersim.kernels import party_stepping as step
from jokersim.kernels import party_sums as ps
from jokersim.kernels import state
from jokersim.kernels.policies import BASIC, RANDOM, stakes
from jokersim.kernels.policies.basic_two import ONE
from tests.kernels.parties_played import Board, party_numbers, run, winning_chance

DAVI = {"davi": "party", "davi_cap": 6}


def test_basic_beats_random_by_far() -> None:
    n = 1000
    won = run(n, (BASIC, RANDOM), seed=11)["sums"][0, 0, ps.WON_1]
    share = won / n
    assert share - 1.96 * np.sqrt(share * (1 - share) / n) > 0.95


def test_basic_wins_more_money_by_davi() -> None:
    n = 1000
    sums = run(n, (BASIC, RANDOM), seed=11, **DAVI)["sums"][0, 0]
    steps = np.arange(1, 7)
    won = sums[ps.WON_1 : ps.WON_1 + 6]
    lost = sums[ps.LOST_1 : ps.LOST_1 + 6]
    assert ((won - lost) * steps).sum() > 1.2 * n


@pytest.mark.parametrize(
    ("options", "golden"),
    [({}, "b567478cdf56374b"), (DAVI, "d035d3f7e20832b7")],
    ids=["off", "davi"],
)
def test_golden_parties(options: dict[str, object], golden: str) -> None:
    """A changed digest is a changed policy, and changes the results of every run."""
    played = run(40, (BASIC, BASIC), seed=5, deals=2000, plays=36_000, **options)
    columns = (*played["games"], played["plays"].card, played["plays"].declaration)
    text = b"".join(column.astype("<i8").tobytes() for column in columns)
    assert hashlib.sha256(text).hexdigest()[:16] == golden


def hide_again(board: Board, rng: np.random.Generator) -> None:
    """Mix the hand of the seat that does not decide with the covered cards, as play allows."""
    other = 1 - int(board.view.turn)
    may_hold = int(board.view.may_hold[other])
    covered = board.down >= 0
    pool = cards_of(int(board.hands[other])) + board.down[covered].tolist()
    n = int(board.hands[other]).bit_count()
    able = [card for card in pool if may_hold >> card & 1]
    hand = rng.permutation(able)[:n].tolist()
    left = [card for card in pool if card not in hand]
    board.hands[other] = mask_of(hand)
    board.down[covered] = rng.permutation(left) if left else []


@pytest.mark.parametrize("options", [{}, DAVI], ids=["off", "davi"])
def test_hidden_cards_change_no_decision(options: dict[str, object]) -> None:
    rng = np.random.default_rng(8)
    moved = asked = 0
    for index in range(12):
        board = Board(party_numbers(**options))
        board.draw(2, index)
        while board.view.kind != state.NO_DECISION:
            args = (board.views, board.hands, board.streams, 2, index, BASIC, 0)
            choice = step.decide(*args)
            if board.view.kind != state.CHOOSE_TRUMP:
                kept = board.hands.copy(), board.down.copy()
                for _ in range(3):
                    hide_again(board, rng)
                    moved += not np.array_equal(board.hands, kept[0])
                    asked += 1
                    assert step.decide(*args) == choice
                board.hands[:], board.down[:] = kept
            assert board.choose(choice)
    assert moved > asked / 3 > 100


def test_a_race_is_won_by_one() -> None:
    inner = stakes.RACE[1:, 1:]
    assert (np.abs(inner + inner.T - ONE) <= 2).all()  # rounded down twice
    assert (np.diff(inner, axis=0) <= 0).all()
    assert (np.diff(inner, axis=1) >= 0).all()
    sums = stakes.SPREAD.sum(axis=2)
    assert (np.abs(sums - (1 << 20)) < 32).all()


def test_the_chance_to_win_is_calibrated() -> None:
    """Of parties judged at a deal's start, as many are won as the model says: four errors."""
    said, won = [], []
    for index in range(250):
        board = Board(party_numbers())
        chances = []
        while board.winner < 0:
            board.draw(3, index)
            while board.view.kind != state.NO_DECISION:
                if board.view.kind == state.PLAY and not board.view.played:
                    for seat in range(2):
                        board.view.seat = seat
                        board.view.hand = board.hands[seat]
                        chances.append((seat, winning_chance(board.views)))
                args = (board.views, board.hands, board.streams, 3, index, BASIC, 0)
                assert board.choose(step.decide(*args))
            board.end()
        for seat, chance in chances:
            said.append(chance / ONE)
            won.append(seat == board.winner)
    chance, won_share = np.array(said), np.array(won)
    for low, high in ((0.0, 0.35), (0.35, 0.65), (0.65, 1.0)):
        there = (chance >= low) & (chance < high)
        # Parties are the unit: several chances of one party share its outcome.
        error = 0.5 / np.sqrt(there.sum() / 4)
        assert abs(won_share[there].mean() - chance[there].mean()) < 4 * error
        assert there.sum() > 100


@pytest.mark.parametrize("cap", range(2, 7))
def test_every_exchange_before_a_lead_ends_as_the_rules_say(cap: int) -> None:
    """After k offers an accept makes k + 1, a decline loses the party at k to who offered last."""
    for n_offers in range(1, cap):
        for answer in (state.ACCEPT, state.DECLINE):
            board = Board(party_numbers(davi="party", davi_cap=cap))
            board.draw(1, 0)
            leader = int(board.view.turn)
            for choice in (0, state.OFFER, *[state.COUNTER] * (n_offers - 1), answer):
                assert board.choose(choice)
            last = leader if n_offers % 2 else 1 - leader
            assert board.view.last_offer == last
            if answer == state.ACCEPT:
                assert board.view.multiplier == n_offers + 1
                assert (board.view.kind, board.view.turn) == (state.PLAY, leader)
            else:
                assert board.view.multiplier == n_offers
                board.end()
                assert board.winner == last
    board = Board(party_numbers(davi="party", davi_cap=cap))
    board.draw(1, 0)
    for choice in (0, state.OFFER, *[state.COUNTER] * (cap - 2)):
        assert board.choose(choice)
    assert not board.choose(state.COUNTER)
