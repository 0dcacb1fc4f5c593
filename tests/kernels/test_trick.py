"""The trick engine against the rules' own table of tricks and against the slow twin."""

import random

import numpy as np
import pytest
from numba import types

from jokersim.cards import (
    ALL_CARDS,
    JOKER_IDS,
    JOKER_PLAY,
    N_CARDS,
    NO_TRUMP,
    TRUMPS,
    cards_of,
    format_card,
    format_play,
    mask_of,
    parse_play,
)
from jokersim.kernels import trick
from jokersim.kernels.jit import JIT_DISABLED, exposed
from tests import oracle
from tests.kernels import entries
from tests.oracle.test_oracle import CUT_STANDS, TRICKS, tricks

LEADS = [card for card in range(N_CARDS) if card not in JOKER_IDS] + [
    JOKER_PLAY + declaration for declaration in range(8)
]


def legal(cards, lead, trump, must_trump):
    """Plays in order, the cards they lay down, and the two agreeing ways to both."""
    plays, laid, indices = np.empty(20, np.int64), np.empty((2, 20), np.int64), np.empty(20, int)
    n = entries.list_plays(cards, lead, trump, must_trump, plays, laid, indices)
    assert laid[0, :n].tolist() == laid[1, :n].tolist()
    assert indices[:n].tolist() == list(range(n))
    return plays[:n].tolist(), laid[0, :n].tolist()


def taken_by(plays, trumps, second_high="joker"):
    out = np.empty(len(plays), np.int64)
    entries.takers(
        np.array(plays, np.int64), np.array(trumps, np.int64), int(second_high == "joker"), out
    )
    return out.tolist()


@pytest.mark.parametrize(("trump", "plays", "who"), tricks(TRICKS))
def test_the_tricks_of_the_rules(trump, plays, who):
    assert taken_by([[parse_play(play) for play in plays]], [TRUMPS.index(trump)]) == [who]


@pytest.mark.parametrize(("trump", "plays", "who"), tricks(CUT_STANDS))
def test_a_cut_that_stands(trump, plays, who):
    numbers = [parse_play(play) for play in plays]
    assert taken_by([numbers], [TRUMPS.index(trump)], "trump") == [who]


def random_trick(rng):
    """Four plays of different cards, with jokers far more often than a deal has them."""
    cards = rng.sample([card for card in range(N_CARDS) if card not in JOKER_IDS], 4)
    for position in rng.sample(range(4), rng.choice([0, 1, 1, 2, 2])):
        cards[position] = JOKER_PLAY + (rng.randrange(8) if position == 0 else rng.choice([8, 9]))
    return cards


@pytest.mark.parametrize("second_high", ["joker", "trump"])
def test_the_taker_is_the_slow_twins(second_high):
    rng = random.Random(7)
    n = 1_000 if JIT_DISABLED else 20_000
    some = [random_trick(rng) for _ in range(n)]
    trumps = [rng.randrange(5) for _ in some]
    found = taken_by(some, trumps, second_high)
    for plays, trump, who in zip(some, trumps, found, strict=True):
        texts = [format_play(play) for play in plays]
        assert who == oracle.taker(texts, TRUMPS[trump], second_high), (texts, TRUMPS[trump])


def random_hand(rng, lead):
    """A hand of 1 to 9 cards that often lacks whole suits and often has jokers."""
    usable = ALL_CARDS & ~(1 << lead if 0 <= lead < JOKER_PLAY else 0)
    for suit in rng.sample(range(4), rng.choice([0, 1, 2, 3])):
        usable &= ~(0x1FF << 9 * suit) | mask_of(JOKER_IDS)
    cards = rng.sample(cards_of(usable), min(rng.randint(1, 9), usable.bit_count()))
    return mask_of([*cards, *rng.sample(JOKER_IDS, rng.choice([0, 0, 1, 2]))])


@pytest.mark.parametrize("must_trump", [True, False])
def test_legal_plays_and_their_order_are_the_slow_twins(must_trump):
    rng = random.Random(11)
    for _ in range(1_000 if JIT_DISABLED else 6_000):
        lead = rng.choice([-1, *LEADS])
        hand, trump = random_hand(rng, lead), rng.randrange(5)
        plays, laid = legal(hand, lead, trump, must_trump)
        texts = [format_card(card) for card in cards_of(hand)]
        led = None if lead < 0 else format_play(lead)
        expected = oracle.legal_plays(texts, led, TRUMPS[trump], must_trump)
        assert [format_play(play) for play in plays] == expected, (texts, led, TRUMPS[trump])
        for play, bit in zip(plays, laid, strict=True):
            assert bit & hand
            assert format_card(bit.bit_length() - 1) == format_play(play)[:2]


def test_two_jokers_give_each_declaration_once():
    hand = mask_of([*JOKER_IDS, 8])
    plays, laid = legal(hand, -1, NO_TRUMP, True)
    assert plays == [8, *range(JOKER_PLAY, JOKER_PLAY + 8)]
    assert laid == [1 << 8] + [1] * 8
    assert legal(hand, 30, NO_TRUMP, True)[0] == [8, JOKER_PLAY + 8, JOKER_PLAY + 9]


def test_a_reply_excludes_what_would_have_made_it_illegal():
    """A card stays possible exactly if the play was legal with that card in the hand beside it."""
    rng = random.Random(13)
    for _ in range(50 if JIT_DISABLED else 400):
        lead, trump, must_trump = rng.choice(LEADS), rng.randrange(5), rng.random() < 0.7
        play = rng.choice([card for card in LEADS[:-8] if card != lead])
        after = entries.shown(ALL_CARDS, play, lead, trump, must_trump)
        for card in range(N_CARDS):
            if card in (play, lead):
                continue
            both = [format_card(play), format_card(card)]
            could = format_play(play) in oracle.legal_plays(
                both, format_play(lead), TRUMPS[trump], must_trump
            )
            assert bool(after >> card & 1) == could, (both, format_play(lead), TRUMPS[trump])


def test_a_reply_brings_no_card_back():
    for play in (9, 15, 30, JOKER_PLAY + 8):
        assert not entries.shown(0, play, 12, 2, True)


@pytest.mark.parametrize("play", [JOKER_PLAY + 8, JOKER_PLAY + 9])
def test_a_joker_in_reply_shows_nothing(play):
    for lead in LEADS:
        assert entries.shown(ALL_CARDS, play, lead, 1, True) == ALL_CARDS


def test_places_make_no_difference_to_strength():
    without_place, declaration_of = exposed(trick.without_place), exposed(trick.declaration_of)
    for declaration in range(10):
        for place in range(-1, 5):
            play = JOKER_PLAY + declaration + 10 * (place + 1)
            assert without_place(play) == JOKER_PLAY + declaration
            assert declaration_of(play) == declaration
    assert [without_place(card) for card in range(N_CARDS)] == list(range(N_CARDS))
    assert {declaration_of(card) for card in range(N_CARDS)} == {-1}


@pytest.mark.skipif(JIT_DISABLED, reason="types are the compiler's")
@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("strength_row", 4),
        ("strength", 2),
        ("led_suit", 1),
        ("led_high", 1),
        ("duty_mask", 3),
        ("follow_mask", 4),
        ("n_choices", 3),
        ("chosen_bit", 3),
        ("chosen_play", 4),
        ("card_of_play", 2),
        ("index_of_play", 3),
        ("may_hold_after", 5),
        ("declaration_of", 1),
        ("without_place", 1),
        ("plays_mask", 3),
        ("card_of_bit", 2),
        ("ranked", 3),
        ("position_of", 1),
    ],
)
def test_masks_and_plays_are_signed(name, arguments):
    function = getattr(trick, name)
    function.compile((types.int64,) * arguments)
    assert {o.signature.return_type for o in function.overloads.values()} == {types.int64}
