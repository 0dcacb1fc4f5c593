"""The policy `basic` at a table of four: sense in chosen positions, legality, blindness."""

from __future__ import annotations

import numpy as np
import pytest

from jokersim.cards import format_play, parse_card
from jokersim.kernels.policies import BASIC, basic
from tests.kernels.positions import choice, probed


def play(hands: dict[int, str], **position: object) -> str:
    return format_play(choice(BASIC, hands, **position))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("hand", "card"),
    [("AS KS QS AH", "AS"), ("AS KS QS 8D 9D", "AS"), ("KS QS TS 9S 8H", "KS")],
)
def test_where_all_are_needed_long_trumps_go_first_and_from_the_top(hand: str, card: str) -> None:
    assert play({0: hand}, trump="S", bids=(len(hand.split()), 0, 0, 1)) == card


def test_a_joker_draws_trumps_where_all_are_needed() -> None:
    assert play({0: "JK KS QS"}, trump="S", bids=(3, 0, 0, 1)) == "JK+S"


@pytest.mark.parametrize(("hand", "card"), [("JK 7C", "7C"), ("AS 7C", "7C")])
def test_with_one_needed_of_two_the_winner_is_kept(hand: str, card: str) -> None:
    assert play({0: hand}, trump="S", bids=(1, 0, 0, 0)) == card


def test_with_one_needed_of_two_the_joker_is_kept_in_reply() -> None:
    hands = {0: "JH 9D", 1: "JK 9H"}
    assert play(hands, trump="S", bids=(1, 1, 0, 1), plays="JH") == "9H"


def test_a_joker_takes_the_last_trick_that_is_needed() -> None:
    hands = {0: "JH", 1: "JK"}
    assert play(hands, trump="S", bids=(0, 1, 1, 0), plays="JH") == "JK+"


@pytest.mark.parametrize("hand", ["AS 7C 8D", "JK 7C 8D"])
def test_barred_from_one_with_a_sure_winner_he_bids_two(hand: str) -> None:
    assert choice(BASIC, {3: hand}, trump="S", bids=(1, 1, 0)) == 2


def test_without_a_hook_that_hand_bids_one() -> None:
    assert choice(BASIC, {3: "AS 7C 8D"}, trump="S", bids=(1, 1, 0), hook="none") == 1


@pytest.mark.parametrize(
    ("hands", "plays"),
    [
        ({0: "7H 9C", 1: "8H 8C", 2: "9H 9D", 3: "AH JK"}, "7H 8H 9H"),
        ({0: "7H 9C", 1: "JK AH"}, "7H"),
    ],
)
def test_a_hand_that_must_lose_throws_the_joker_low(hands: dict[int, str], plays: str) -> None:
    assert play(hands, trump="S", bids=(1, 0, 0, 0), plays=plays) == "JK-"


def test_a_hand_that_must_lose_leads_the_joker_low_into_a_long_suit() -> None:
    position = {"trump": "S", "turned": "TS", "bids": (0, 1, 0, 0)}
    assert play({0: "JK AS"}, **position) == "JK-H"


def test_at_the_bid_the_highest_card_that_loses_goes_under() -> None:
    hands = {0: "JH 7C 7D", 1: "QH TH 9H"}
    assert play(hands, trump="S", bids=(1, 0, 1, 0), plays="JH") == "TH"


def test_at_the_bid_danger_is_thrown_where_void() -> None:
    hands = {0: "JH 7C 7D", 1: "AD 9C 7D"}
    assert play(hands, trump="S", turned="7S", bids=(1, 0, 1, 0), plays="JH") == "AD"


def test_short_of_the_bid_the_last_seat_takes_cheaply() -> None:
    hands = {0: "8H 7C", 1: "9H 8C", 2: "7H 9C", 3: "TH AH"}
    assert play(hands, trump="S", bids=(0, 0, 0, 1), plays="8H 9H 7H") == "TH"


def test_a_king_is_cashed_once_the_ace_is_gone() -> None:
    bare = {"trump": "NT", "turned": "JK"}
    assert play({0: "KD 8D"}, bids=(1, 1, 1, 0), **bare) == "8D"
    hands = {0: "7D AC KD 8D", 1: "9D 9C JH QH", 2: "TD TC TH 9H", 3: "AD 8C 8H 7H"}
    assert play(hands, bids=(2, 1, 1, 1), plays="7D 9D TD AD 8C AC 9C TC", **bare) == "KD"


@pytest.mark.parametrize("size", [1, 2, 5, 9])
def test_choices_are_legal_and_other_hands_make_no_difference(size: int) -> None:
    answers = probed(BASIC, size, 4000)
    assert answers[:, 2].all()
    assert np.array_equal(answers[:, 0], answers[:, 1])


def test_a_holding_is_worth_the_sum_of_its_cards() -> None:
    for kind in range(3):
        for row in range(10):
            table = basic.HOLDINGS[kind, row].astype(int)
            assert table[0] == 0
            assert all(table[m] == table[m & -m] + table[m & (m - 1)] for m in range(1, 512))


def test_a_higher_trump_is_never_worth_less() -> None:
    ranks = basic.HOLDINGS[0][:, 1 << np.arange(9)].astype(int)
    assert (np.diff(ranks, axis=1) > 0).all()


def test_long_trumps_are_named() -> None:
    from jokersim.kernels.jit import exposed
    from jokersim.kernels.state import FOUR_VIEW, new_views

    view = new_views(FOUR_VIEW)[0]
    for hand, suit in (("AH KH QH", 1), ("AD JD 7C", 2), ("9S 8S 7H", 0)):
        view.hand = sum(1 << parse_card(card) for card in hand.split())
        assert exposed(basic.trump)(view, None) == suit
