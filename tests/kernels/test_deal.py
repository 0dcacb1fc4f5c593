"""Steps of a game of four against the slow twin, decision by decision."""

import random

import numpy as np
import pytest

from jokersim.cards import cards_of, format_card
from jokersim.kernels import stepping
from jokersim.kernels.jit import JIT_DISABLED
from jokersim.kernels.policies import BASIC, RANDOM
from jokersim.kernels.state import BID, NO_DECISION, PLAY
from jokersim.numbers import four_numbers
from jokersim.rules import rules
from tests import oracle
from tests.kernels import entries
from tests.kernels.four_played import Board, step_through

VARIANTS = {
    "plain": {},
    "no duty to trump": {"must_trump": False},
    "a cut stands": {"second_high_vs_cut": "trump"},
    "no hook": {"hook": "none"},
    "erase": {"erase": "left_neighbour", "premium_exclude_last": True, "erase_exclude_last": True},
    "all at once": {
        "must_trump": False,
        "second_high_vs_cut": "trump",
        "hook": "none",
        "premium": "none",
        "erase": "all_others",
        "khishti": [-100 * n for n in range(1, 10)],
        "full_bid_bonus": "nine_only",
    },
}
SCHEDULE = [[1, 4, 9], [9, 8], [2], [1]]


@pytest.mark.parametrize("changes", VARIANTS.values(), ids=VARIANTS.keys())
def test_a_game_step_by_step_is_the_slow_twins(changes):
    """Legal choices in order, takers, scores, premiums, totals and ranks."""
    rng = random.Random(str(changes))
    for _ in range(3 if JIT_DISABLED else 15):
        record, booked, board = step_through(rng, {"schedule": SCHEDULE, **changes})
        answer = oracle.complete_record(record)
        assert [scores for scores, *_ in booked] == [deal["scores"] for deal in answer["deals"]]
        ends = np.cumsum([len(pulka) for pulka in SCHEDULE]) - 1
        got = [np.subtract(booked[end][1], booked[end][2]).tolist() for end in ends]
        assert got == answer["premiums"]
        assert board.views["totals"][0].tolist() == answer["totals"]
        assert booked[-1][3] == answer["ranks"]
        assert board.number("kind") == NO_DECISION


@pytest.mark.parametrize("must_trump", [True, False])
def test_what_play_has_shown_is_what_the_slow_twin_concludes(must_trump):
    rng = random.Random(17)
    looked = 0

    def look(board, twin, record):
        nonlocal looked
        if board.number("kind") != PLAY or rng.random() < 0.8:
            return
        looked += 1
        gone = board.number("played")
        shown = board.views["may_hold"][0].tolist()
        for seat in range(4):
            if not board.hands[seat]:
                continue  # how many cards are left is told elsewhere
            still = {format_card(card) for card in cards_of(shown[seat] & ~gone)}
            assert still == oracle.could_hold(deal_alone(record), seat)
            # A hand is among what its seat may hold.
            assert not int(board.hands[seat]) & ~shown[seat]

    for _ in range(2 if JIT_DISABLED else 6):
        step_through(rng, {"schedule": [[9, 6, 3]], "must_trump": must_trump}, look=look)
    assert looked > 20


def deal_alone(record):
    """The deal that is being played as the first of a game."""
    number = len(record["deals"]) - 1
    deal = record["deals"][-1]
    return record | {
        "rules": record["rules"] | {"schedule": [[len(deal["hands"][0])]]},
        "first_dealer": (record["first_dealer"] + number) % 4,
        "deals": [deal],
    }


def test_an_illegal_choice_is_refused_and_changes_nothing():
    rng = random.Random(19)

    def look(board, twin, record):
        if rng.random() < 0.8:
            return
        legal = board.legal()
        before = board.views.tobytes(), board.hands.tobytes(), board.takers.tobytes()
        for choice in range(-2, 100):
            if choice not in legal:
                assert not board.choose(choice)
        assert (board.views.tobytes(), board.hands.tobytes(), board.takers.tobytes()) == before

    for _ in range(2):
        step_through(rng, {"schedule": [[9, 5, 1]]}, look=look)


def test_nothing_is_chosen_before_and_after_a_deal():
    board = Board(four_numbers(rules("classic")))
    assert board.legal() == []
    assert not any(board.choose(choice) for choice in range(50))


def test_choices_are_carried_out_up_to_the_first_illegal_one():
    board = Board(four_numbers(rules("classic", schedule=[[1]])))
    board.lay([["AS"], ["7H"], ["JK"], ["9D"]], "KC", dealer=2)
    # Seats 3, 0, 1 and 2 bid 1, 0, 0; the dealer may not bid 0.
    choices = np.array([1, 0, 0, 0], np.int64)
    assert stepping.advance(board.views, board.hands, choices, board.takers) == 3
    assert board.views["bids"][0].tolist() == [0, 0, -1, 1]
    assert board.legal() == [1]


@pytest.mark.parametrize(
    ("turned", "trump"), [("KC", 3), ("9D", 2), ("AH", 1), ("7S", 0), ("JK", 4)]
)
def test_the_turned_card_names_trump(turned, trump):
    board = Board(four_numbers(rules("classic")))
    board.lay([["QS"], ["7H"], ["JK"], ["TD"]], turned, dealer=0)
    assert board.number("trump") == trump
    assert board.number("kind") == BID
    assert board.number("turn") == 1
    # Everybody has seen it.
    assert not any(
        mask >> board.number("turned") & 1 for mask in board.views["may_hold"][0].tolist()
    )


def test_the_chooser_names_trump_at_nine():
    board = Board(four_numbers(rules("nines")))
    packet = board.draw(1, 0, dealer=3)
    assert board.number("trump") == -1
    assert board.number("turned") == -1
    assert board.number("turn") == 0
    assert packet.bit_count() == 3
    assert not packet & ~int(board.hands[0])
    assert board.legal() == [0, 1, 2, 3, 4]


# --- policies ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "policies",
    [[RANDOM] * 4, [BASIC] * 4, [BASIC, RANDOM, RANDOM, BASIC]],
    ids=["random", "basic", "mixed"],
)
def test_a_deal_finished_from_any_decision_on_is_the_same(policies):
    """Rollouts begin anywhere: before any bid or card, in the middle of tricks too."""
    rng = random.Random(23)
    sizes = [9, 5, 8, 1, 2]
    numbers = four_numbers(rules("classic", schedule=[sizes]))
    policy_of = np.array(policies, np.int64)
    for index in range(2 if JIT_DISABLED else 12):
        board = Board(numbers)
        for number in range(len(sizes)):
            dealer = (index + number) % 4
            board.draw(5, index, dealer)
            if board.number("trump") < 0:
                board.choose(board.decide(5, index, policies[board.number("turn")]))
            starts = []
            while board.number("kind") != NO_DECISION:
                if rng.random() < 0.3:
                    starts.append(board.copy())
                assert board.choose(board.decide(5, index, policies[board.number("turn")]))
            for start in starts:
                entries.finish(start.views, start.hands, policy_of, start.streams, True)
                assert not start.hands.any()
                # Whose cards were looked at last is no part of the position.
                for name in start.views.dtype.names:
                    if name not in ("seat", "hand"):
                        assert np.array_equal(start.views[name], board.views[name]), name
                assert np.array_equal(start.streams, board.streams)
            board.end_deal()


def test_an_untracked_deal_has_the_same_bids_and_tricks():
    rng = random.Random(29)
    numbers = four_numbers(rules("classic", schedule=[[8]]))
    everybody = np.full(4, RANDOM, np.int64)
    for index in range(5 if JIT_DISABLED else 40):
        board = Board(numbers)
        board.draw(6, index, dealer=index % 4)
        for _ in range(rng.randrange(30)):
            board.choose(board.decide(6, index, RANDOM))
        other = board.copy()
        entries.finish(board.views, board.hands, everybody, board.streams, True)
        entries.finish(other.views, other.hands, everybody, other.streams, False)
        for name in ("bids", "taken", "kind"):
            assert board.views[name].tolist() == other.views[name].tolist()
        assert np.array_equal(board.streams, other.streams)


@pytest.mark.parametrize("policy", [RANDOM, BASIC])
def test_a_policy_decides_by_its_own_view_alone(policy):
    """The hands of the others are laid anew, and every decision stays."""
    rng = random.Random(31)
    numbers = four_numbers(rules("classic", schedule=[[9, 7, 4]]))
    for index in range(3 if JIT_DISABLED else 20):
        board = Board(numbers)
        for number in range(3):
            board.draw(8, index, dealer=(number + index) % 4)
            while board.number("kind") != NO_DECISION:
                seat = board.number("turn")
                other = board.copy()
                unseen = [card for s in range(4) if s != seat for card in cards_of(board.hands[s])]
                rng.shuffle(unseen)
                for s in range(4):
                    if s != seat:
                        n = int(board.hands[s]).bit_count()
                        other.hands[s] = sum(1 << unseen.pop() for _ in range(n))
                choice = board.decide(8, index, policy)
                assert other.decide(8, index, policy) == choice
                assert board.choose(choice)
            board.end_deal()
