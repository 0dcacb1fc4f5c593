"""The policy `book` at a table of four: sense in chosen positions, legality, blindness."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from jokersim.book import Book
from jokersim.cards import format_play
from jokersim.kernels.policies.native_rows import NativeRow
from tests.kernels.positions import choice, probed

ROW = Book().row("four")


def play(hands: dict[int, str], **position: object) -> str:
    return format_play(choice(ROW.number, hands, **position))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("hand", "card"),
    [("AS KS QS AH", "AS"), ("AS KS QS 8D 9D", "AS"), ("KS QS TS 9S 8H", "KS")],
)
def test_where_all_are_needed_long_trumps_go_first_and_from_the_top(hand: str, card: str) -> None:
    assert play({0: hand}, trump="S", bids=(len(hand.split()), 0, 0, 1)) == card


@pytest.mark.parametrize("hand", ["JK 7C", "AS 7C"])
def test_with_one_needed_of_two_the_winner_is_kept(hand: str) -> None:
    assert play({0: hand}, trump="S", bids=(1, 0, 0, 0)) == "7C"


def test_with_one_needed_of_two_the_joker_is_kept_in_reply() -> None:
    hands = {0: "JH 9D", 1: "JK 9H"}
    assert play(hands, trump="S", bids=(1, 1, 0, 1), plays="JH") == "9H"


def test_a_joker_takes_the_last_trick_that_is_needed() -> None:
    hands = {0: "JH", 1: "JK"}
    assert play(hands, trump="S", bids=(0, 1, 1, 0), plays="JH") == "JK+"


@pytest.mark.parametrize(
    ("hand", "bids"),
    [
        ("AS 7C 8D", (1, 1, 0)),
        ("JK 7C 8D", (1, 1, 0)),
        ("JK 7C 8D", (2, 0, 0)),
        ("AS 7C 8D 9C", (1, 1, 1)),
        ("AS KS 7C 8D", (1, 1, 1)),
        ("JK 7C 8D 9D 7H", (0, 1, 3)),
    ],
)
def test_barred_from_one_with_a_sure_winner_he_bids_two(hand: str, bids: tuple[int, ...]) -> None:
    assert choice(ROW.number, {3: hand}, trump="S", bids=bids) == 2


def test_the_king_is_the_top_trump_where_the_ace_was_turned() -> None:
    assert choice(ROW.number, {3: "KS 7C 8D"}, trump="S", turned="AS", bids=(1, 1, 0)) == 2


@pytest.mark.parametrize(
    ("hands", "plays"),
    [
        ({0: "7H 9C", 1: "8H 8C", 2: "9H 9D", 3: "AH JK"}, "7H 8H 9H"),
        ({0: "7H 9C", 1: "JK AH"}, "7H"),
    ],
)
def test_a_hand_that_must_lose_throws_the_joker_low(hands: dict[int, str], plays: str) -> None:
    assert play(hands, trump="S", bids=(1, 0, 0, 0), plays=plays) == "JK-"


def test_a_hand_that_must_lose_leads_the_joker_low() -> None:
    position = {"trump": "S", "turned": "TS", "bids": (0, 1, 0, 0)}
    assert play({0: "JK AS"}, **position) in {"JK-H", "JK-D"}


@pytest.mark.parametrize("size", [1, 2, 5, 9])
def test_choices_are_legal_and_other_hands_make_no_difference(size: int) -> None:
    answers = probed(ROW.number, size, 4000)
    assert answers[:, 2].all()
    assert np.array_equal(answers[:, 0], answers[:, 1])


def bids(row: NativeRow, **options: object) -> list[int]:
    """Bids of the second seat with hands of three, one number bid before."""
    deck = ["AS", "KS", "9S", "7S", "AH", "QH", "8H", "AD", "JD", "7D", "KC", "9C", "JK"]
    hands = [" ".join(hand) for hand in combinations(deck, 3)]
    return [
        choice(row.number, {1: hand}, trump="S", turned="TS", bids=(1,), **options)
        for hand in hands
    ]


def test_a_dearer_khishti_makes_more_passes() -> None:
    usual = bids(ROW)
    dear = bids(ROW, khishti=-900)
    own = Book(khishti=-900).row("four")
    assert dear.count(0) > usual.count(0)
    assert sum(dear) < sum(usual)
    # Fixed in the policy, it is the same whatever the rule set says.
    assert bids(own) == dear == bids(own, khishti=0)
