"""What a seat may still hold, by what was shown."""

import copy
import random
from collections import Counter

import pytest

from tests import oracle, vectors
from tests.oracle.notation import DECK, PLAIN_CARDS

HANDS = [
    ["AS", "KS", "7C", "6H"],
    ["JK", "9H", "TD", "8C"],
    ["JK", "QH", "7H", "9S"],
    ["8D", "9D", "QC", "TS"],
]


def record(*plays, trump_card="QD", **rules):
    return {
        "format": "joker-record/1",
        "game": "classic",
        "rules": {"schedule": [[4]], **rules},
        "first_dealer": 0,
        "deals": [
            {"hands": HANDS, "turned": trump_card, "bids": [0, 1, 1, 0], "plays": list(plays)}
        ],
    }


def suit(letter):
    return {card for card in PLAIN_CARDS if card[1] == letter}


def test_before_the_first_play_everything_but_the_turned_card_is_possible():
    assert oracle.could_hold(record(), 3) == {*PLAIN_CARDS, "JK"} - {"QD"}
    assert oracle.could_hold(record(), 3, viewer=0) == (
        {*PLAIN_CARDS, "JK"} - {"QD", "AS", "KS", "7C", "6H"}
    )
    assert oracle.could_hold(record(), 0, viewer=0) == set(HANDS[0])
    assert oracle.could_hold(record(trump_card="JC"), 1, viewer=2) == (
        {*PLAIN_CARDS, "JK"} - {"JC", "QH", "7H", "9S"}
    )


def test_who_follows_under_a_high_joker_holds_nothing_higher():
    # Seat 1 leads HIGH hearts: seat 2 follows with its highest, 3 is void and must ruff, 0 follows.
    shown = record(["JK+H", "QH", "8D", "6H"])
    assert oracle.could_hold(shown, 2) & suit("H") == {"7H", "8H", "9H", "TH", "JH"}
    assert oracle.could_hold(shown, 0) & suit("H") == set()
    assert oracle.could_hold(shown, 3) & suit("H") == set()
    assert oracle.could_hold(shown, 3) & suit("D") == suit("D") - {"QD", "8D"}
    assert oracle.could_hold(shown, 1) & suit("H") == suit("H") - {"QH", "6H"}
    assert all("JK" in oracle.could_hold(shown, seat) for seat in range(4))
    assert "JK" not in oracle.could_hold(shown, 3, viewer=2)


@pytest.mark.parametrize(("must_trump", "diamonds"), [(True, set()), (False, {"6D", "KD"})])
def test_who_neither_follows_nor_ruffs_has_no_trump_under_the_duty(must_trump, diamonds):
    shown = record(["9H", "7H", "8D", "6H"], ["9D", "7C", "TD", "9S"], must_trump=must_trump)
    assert "error" not in oracle.replay(shown)
    assert oracle.could_hold(shown, 2) & suit("D") == set()  # void in the led suit
    shown = record(["8C", "9S", "QC", "7C"], must_trump=must_trump)
    assert oracle.could_hold(shown, 2) & suit("C") == set()
    assert oracle.could_hold(shown, 2) & {"6D", "KD"} == diamonds


def test_a_joker_shows_nothing_but_itself():
    shown = record(["8C", "JK-", "QC", "7C"])
    assert oracle.could_hold(shown, 2) == {*PLAIN_CARDS, "JK"} - {"QD", "8C", "QC", "7C"}
    both = record(["JK-S", "JK+", "TS", "KS"])
    assert all("JK" not in oracle.could_hold(both, seat) for seat in range(4))


def test_an_empty_hand_holds_nothing():
    full = vectors.load("nines")[0]["input"]
    assert all(oracle.could_hold(full, seat) == set() for seat in range(4))


def prefixes():
    """Records whose last deal is under way."""
    for vector in vectors.load("prefixes"):
        due = vector["expect"]["next"]
        if due and due["kind"] in ("play", "davi"):
            yield vector["input"]


def test_the_true_cards_are_among_the_possible_ones():
    for given in prefixes():
        now = oracle.situation(given)
        for seat, hand in enumerate(now.hands):
            assert set(hand) <= oracle.could_hold(now, seat)
            assert set(hand) <= oracle.could_hold(now, seat, viewer=(seat + 1) % len(now.hands))
            assert not oracle.could_hold(now, seat) & (set(now.public()) - {"JK"})


def test_the_consistent_worlds_are_those_of_possible_cards():
    draw = random.Random(20)
    answers = Counter()
    for given in prefixes():
        now = oracle.situation(given)
        hands = copy.deepcopy(now.hands)
        down = copy.deepcopy(now.deal.get("down"))
        assert oracle.consistent(now, hands, down)
        rest = list((Counter(DECK) - now.public() - sum(map(Counter, hands), Counter())).elements())
        piles = [pile for pile in (*hands, rest) if pile]
        if down or len(piles) < 2:
            continue
        one, other = draw.sample(piles, 2)
        i, j = draw.randrange(len(one)), draw.randrange(len(other))
        one[i], other[j] = other[j], one[i]
        possible = all(set(hand) <= oracle.could_hold(now, s) for s, hand in enumerate(hands))
        assert oracle.consistent(now, hands) == possible
        answers[possible] += 1
    assert min(answers[True], answers[False]) > 10


def test_hands_and_covers_of_two_players_are_hidden_alike():
    answers = Counter()
    for given in prefixes():
        now = oracle.situation(given)
        places = [
            (s, p) for s, pile in enumerate(now.covered) for p, card in enumerate(pile) if card
        ]
        if not places or not now.hands[0] or len(now.plays) < 6:
            continue
        for seat, place in places:
            hands, down = copy.deepcopy(now.hands), copy.deepcopy(now.deal["down"])
            hands[0][0], down[seat][place] = now.covered[seat][place], hands[0][0]
            possible = set(hands[0]) <= oracle.could_hold(now, 0)
            assert oracle.consistent(now, hands, down) == possible
            answers[possible] += 1
    assert min(answers[True], answers[False]) > 10


def test_a_cover_that_was_turned_up_is_known():
    checked = 0
    for given in prefixes():
        now = oracle.situation(given)
        places = [(s, p) for s, pile in enumerate(now.covered) for p in range(len(pile))]
        opened = [(s, p) for s, p in places if not now.covered[s][p]]
        closed = [(s, p) for s, p in places if now.covered[s][p]]
        if not opened or not closed:
            continue
        (s, p), (t, q) = opened[0], closed[0]
        down = copy.deepcopy(now.deal["down"])
        down[s][p], down[t][q] = down[t][q], down[s][p]
        if down != now.deal["down"]:
            assert not oracle.consistent(now, now.hands, down)
            checked += 1
    assert checked > 20
