"""The one trick engine: which cards are legal, in which order they are listed, who takes the trick.

Serves two and four seats, simulation, replay, odds and search; no rule of play is written
elsewhere.

A trick has a *led suit* (of the led card, or named with a led joker), a flag *high* (a joker was
led HIGH) and a *row* of strengths. A *play* is coded as `jokersim.cards` says. Strengths are
compared with ``>=`` in order of play, so that of equal ones the later takes: 0 never competes; a
LOW joker led 1; the led suit 2..10; a led HIGH joker 12 over them and under trumps, and so a HIGH
joker in reply to it where the rule set lets trumps beat both; trumps 22..30; a HIGH joker in reply,
or led naming the trump suit, 40.

Legal plays stand in the order of records: plain cards upward, then each declaration of a joker.
"""

from __future__ import annotations

import numpy as np

from jokersim.cards import (
    DECLARED_HIGH,
    DECLARED_LOW,
    JOKER_IDS,
    JOKER_PLAY,
    N_CARDS,
    SUIT_MASKS,
)
from jokersim.kernels.bits import either, first_bit, first_index, highest_if, nth_bit, popcount
from jokersim.kernels.jit import leaf

JOKERS = np.int64((1 << JOKER_IDS[0]) | (1 << JOKER_IDS[1]))
PLAIN = np.int64((1 << N_CARDS) - 1) & ~JOKERS
MASKS = np.array(SUIT_MASKS, dtype=np.int64)
"""Suit masks S H D C, and the empty mask of no trump, all without the jokers."""

N_PLAYS = JOKER_PLAY + 10
LED_DECLARATIONS = 8
REPLIED_DECLARATIONS = 2

FIRST_DECLARED = np.int64(1) << JOKER_PLAY
LED_DECLARED = np.int64((1 << LED_DECLARATIONS) - 1) << JOKER_PLAY
"""The plays that a led joker allows, as a mask of plays: all eight with a suit."""
REPLIED_DECLARED = np.int64((1 << DECLARED_LOW) | (1 << DECLARED_HIGH)) << JOKER_PLAY
"""The plays that a joker in reply allows: LOW and HIGH."""

_LED_LOW = 1
_SUITED = 2
_LED_HIGH = 12
_TRUMPS = 22
_HIGH = 40


def _strengths() -> np.ndarray:
    """Build the table [joker beats cut][trump][led suit][high led][play] by the rules of taking."""
    table = np.zeros((2, 5, 4, 2, N_PLAYS), dtype=np.int8)
    for joker_wins, trump, led, high in np.ndindex(2, 5, 4, 2):
        row = table[joker_wins, trump, led, high]
        for card in range(N_CARDS):
            if card in JOKER_IDS:
                continue
            if card // 9 == trump:
                row[card] = _TRUMPS + card % 9
            elif card // 9 == led:
                row[card] = _SUITED + card % 9
        row[JOKER_PLAY + led] = _LED_LOW
        row[JOKER_PLAY + 4 + led] = _HIGH if led == trump else _LED_HIGH
        cut_stands = high and led != trump and not joker_wins
        row[JOKER_PLAY + DECLARED_HIGH] = _LED_HIGH if cut_stands else _HIGH
    return table.reshape(-1, N_PLAYS)


STRENGTHS = _strengths()
# Of type uint8, so that what is read from it indexes other tables as it is.
_LED_SUITS = np.array(
    [card // 9 for card in range(N_CARDS)] + [i & 3 for i in range(N_PLAYS - N_CARDS)], np.uint8
)


@leaf
def strength_row(joker_beats_cut, trump, led, high):
    """Row of `STRENGTHS` that one trick uses from its lead on."""
    return ((joker_beats_cut * 5 + trump) * 4 + led) * 2 + high


@leaf
def strength(row, play):
    """Strength of a play in a trick of that row; a place (two players) makes no difference."""
    # An index without a sign needs no check for one that counts from the end.
    return np.int64(STRENGTHS[np.uint64(row), np.uint64(play)])


@leaf
def ranked(row, play, position):
    """Strength of a play with its position in the trick: the greatest one of a trick takes it."""
    return (strength(row, play) << 2) | position


@leaf
def position_of(ranked):
    """Position in its trick of a play ranked so."""
    return ranked & 3


@leaf
def without_place(play):
    """A play without the place that a joker left: equal for all places."""
    if play < N_PLAYS:
        return play
    return JOKER_PLAY + (play - JOKER_PLAY) % 10


@leaf
def led_suit(play):
    """Suit of a trick led with this play."""
    return np.int64(_LED_SUITS[np.uint64(play)])


@leaf
def led_high(play):
    """1 if this lead is a HIGH joker, else 0. Takes a play without place."""
    return np.int64(play >= JOKER_PLAY + 4)


@leaf
def duty_mask(must_trump, trump, high):
    """Trumps that a void seat owes: all of them, or none where the rule set lifts the duty."""
    return either(must_trump | high, MASKS[np.uint64(trump)], 0)


@leaf
def follow_mask(cards, led_mask, duty, high):
    """Legal plain cards of a reply among usable `cards`; jokers are legal besides.

    `led_mask` the led suit, `duty` as `duty_mask` answers it, `high` a HIGH joker was led.
    """
    plain = cards & PLAIN
    suited = highest_if(high, plain & led_mask)
    trumps = plain & duty
    return either(suited, suited, either(trumps, trumps, plain))


@leaf
def is_forced(plain, cards):
    """Whether a seat holding `cards`, the legal `plain` ones among them, has one legal play."""
    return (plain & (plain - 1)) | (cards & JOKERS) == 0


@leaf
def n_choices(plain, jokers, declarations):
    """Number of legal plays: each plain card, and each declaration of a joker once."""
    return popcount(plain) + (declarations if jokers else 0)


@leaf
def plays_mask(plain, jokers, declared):
    """Legal plays of four as a mask, bit p for play p; `declared` those that a joker allows."""
    return plain | either(jokers, declared, 0)


@leaf
def card_of_bit(bit, jokers):
    """Card (as a mask) that a play out of `plays_mask` lays down; of two jokers the lower id."""
    return either(bit >> JOKER_PLAY, first_bit(jokers), bit)


@leaf
def chosen_bit(plain, jokers, index):
    """Card (as a mask) that the index-th legal play lays down; of two jokers the lower id."""
    bit = nth_bit(plain, index)
    return bit if bit else first_bit(jokers)


@leaf
def chosen_play(plain, bit, index, base):
    """The index-th legal play; `base` is 0 for a lead and `REPLY_BASE` for a reply."""
    if bit & plain:
        return first_index(bit)
    return JOKER_PLAY + base + index - popcount(plain)


REPLY_BASE = DECLARED_LOW


@leaf
def card_of_play(play, cards):
    """Card (as a mask) that a play lays down; of two jokers in `cards` the one of the lower id."""
    if play < JOKER_PLAY:
        return np.int64(1) << play
    return first_bit(cards & JOKERS)


@leaf
def index_of_play(plain, play, base):
    """Place of a legal play in the list of legal plays (no places: four players)."""
    if play < JOKER_PLAY:
        return popcount(plain & ((np.int64(1) << play) - 1))
    return popcount(plain) + play - JOKER_PLAY - base


@leaf
def may_hold_after(may_hold, play, led_mask, duty, high):
    """What a seat may still hold, as its reply shows it: an exclusion a card set, nothing hidden.

    A plain reply off the led suit shows a void, off the trumps owed no trump either; a suited reply
    to a HIGH joker is the highest. A joker shows nothing.
    """
    bit = np.int64(1) << (play & 63)
    followed = either(high, led_mask & -bit, 0)
    void = led_mask | either(bit & duty, 0, duty)
    shown = either(bit & led_mask, followed, void)
    return may_hold & ~either(np.int64(play < JOKER_PLAY), shown, 0)


@leaf
def declaration_of(play):
    """Declaration 0..9 of a joker's play, -1 of a plain card."""
    if play < JOKER_PLAY:
        return np.int64(-1)
    return (play - JOKER_PLAY) % 10


# Two players: every joker is HIGH, and one that lies on the table is played from its place. A set
# of places is a mask, bit 0 the hand, bits 1..5 the table's; two jokers in one hand are one entry.
LED_HIGH_BASE = 4
LED_HIGH_DECLARATIONS = 4
REPLIED_HIGH_BASE = DECLARED_HIGH
REPLIED_HIGH_DECLARATIONS = 1
_A_PLACE = 10

# The list of plays as a mask, where it does not matter from which place a joker comes: play p is
# bit p. Two jokers apart are two entries a declaration, bits of their own, the lower place first.
_APART = 48
LED_HIGH_DECLARED = np.int64((1 << LED_HIGH_DECLARATIONS) - 1) << (JOKER_PLAY + LED_HIGH_BASE)
LED_HIGH_APART = np.int64((1 << 2 * LED_HIGH_DECLARATIONS) - 1) << _APART
REPLIED_HIGH_DECLARED = np.int64(1) << (JOKER_PLAY + REPLIED_HIGH_BASE)
REPLIED_HIGH_APART = np.int64(3) << (_APART + 2 * LED_HIGH_DECLARATIONS)
_PLAYS_OF_BITS = np.array(
    [
        *range(_APART),
        *(JOKER_PLAY + LED_HIGH_BASE + i // 2 for i in range(2 * LED_HIGH_DECLARATIONS)),
        *[JOKER_PLAY + REPLIED_HIGH_BASE] * 2,
    ],
    dtype=np.uint8,
)


@leaf
def play_of_bit(at):
    """Play, without its place, that a bit of a mask of the plays of two stands for."""
    return np.int64(_PLAYS_OF_BITS[np.uint64(at)])


@leaf
def placed_play(plain, places, base, index):
    """The index-th legal play of two: plain cards upward, then declarations from every place."""
    n = popcount(plain)
    if index < n:
        return first_index(nth_bit(plain, index))
    # There are two jokers, so one place or two: a shift divides.
    two = popcount(places) - 1
    declaration = (index - n) >> two
    at = first_index(nth_bit(places, (index - n) & two))
    return JOKER_PLAY + base + declaration + _A_PLACE * at


@leaf
def index_of_placed_play(plain, places, base, play):
    """Place of a legal play of two in the list of legal plays."""
    if play < JOKER_PLAY:
        return popcount(plain & ((np.int64(1) << play) - 1))
    before = popcount(places & ((np.int64(1) << place_bit(play)) - 1))
    declaration = without_place(play) - JOKER_PLAY - base
    return popcount(plain) + declaration * popcount(places) + before


@leaf
def place_bit(play):
    """Index of a joker's place in a set of places: 0 the hand, place + 1 on the table."""
    return (play - JOKER_PLAY) // _A_PLACE
