"""The memory that a game is played in, and so what a policy may see: one record of int64 fields.

A *view* holds all that is public, and two private fields, `seat` and `hand`, written for the seat
that is about to decide. Hidden cards (the hands of all seats) live in arrays of their own that no
policy is given. Each field is declared once, here, with its meaning; ``jokersim schema
observation`` prints them. Masks are int64 card masks, -1 means none. Imports numpy alone, so that
reading it compiles nothing.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

N_SEATS: Final = 4
MAX_SIZE: Final = 9

# Kinds of decision (`kind`).
CHOOSE_TRUMP: Final = 0
BID: Final = 1
PLAY: Final = 2
NO_DECISION: Final = 3
DAVI: Final = 4

# Values of rule options as numbers.
ERASE_NONE: Final = 0
ERASE_ALL_OTHERS: Final = 1
ERASE_IF_SINGLE: Final = 2
ERASE_LEFT: Final = 3
DEALER_RANDOM: Final = -1
DEALER_ACE_DRAW: Final = -2

NOT_YET: Final = -1

LINE_BITS: Final = 6
"""Bits of a play in the field `line`."""


class Field(NamedTuple):
    """One field of a view: its name, shape and meaning."""

    name: str
    shape: tuple[int, ...]
    meaning: str


FOUR_FIELDS: Final = (
    Field("seat", (), "the seat that looks, 0..3"),
    Field("hand", (), "its cards, a mask (at a trump choice: the first three)"),
    Field("kind", (), "the decision due: 0 trump, 1 bid, 2 play, 3 none"),
    Field("turn", (), "the seat whose decision is due"),
    Field("deal", (), "index of the deal in the game, from 0"),
    Field("n_deals", (), "deals in the game"),
    Field("pulka", (), "index of the pulka"),
    Field("pulka_first", (), "index of the pulka's first deal"),
    Field("pulka_last", (), "index of the pulka's last deal"),
    Field("size", (), "cards in a hand at the deal's start, 1..9"),
    Field("dealer", (), "the dealer's seat"),
    Field("turned", (), "the turned card's id, -1 at nine cards"),
    Field("trump", (), "trump suit 0..3 (S H D C), 4 no trump, -1 not named yet"),
    Field("bids", (4,), "bids by seat, -1 not said yet"),
    Field("taken", (4,), "tricks taken by seat"),
    Field("trick", (), "index of the trick, from 0"),
    Field("leader", (), "the seat that leads or led this trick"),
    Field("position", (), "cards already played in this trick, 0..3"),
    Field("led", (), "led suit 0..3, -1 at a lead"),
    Field("high", (), "1 if a HIGH joker was led"),
    Field("row", (), "row of the table of strengths that this trick uses"),
    Field("winner", (), "the seat that takes the trick as it stands"),
    Field("strength", (), "strength of its play"),
    Field("plays", (4,), "plays of this trick by seat, -1 none yet"),
    Field("played", (), "mask of all cards played in this deal"),
    Field("laid", (4,), "by seat, the cards that it has played in this deal, masks"),
    Field("line", (4,), "by seat, its plays of this deal, six bits each, the first lowest"),
    Field("may_hold", (4,), "by seat, the cards that it may still hold as far as play has shown"),
    Field("totals", (4,), "points by seat before this deal, premiums included"),
    Field("made", (4,), "by seat, 1 while every bid of the pulka so far was made"),
    Field("best", (4,), "by seat, the best positive score of the pulka so far, else 0"),
    Field("hook", (), "1 if the dealer's bid may not make the sum equal the hand size"),
    Field("must_trump", (), "1 if a void seat must trump"),
    Field("joker_beats_cut", (), "1 if a HIGH joker in reply beats a trump that cut a HIGH joker"),
    Field("premium", (), "1 if premiums are credited"),
    Field("premium_exclude_last", (), "1 if the pulka's last deal is no candidate for the premium"),
    Field("erase", (), "0 none, 1 all others, 2 all others if single, 3 left neighbour"),
    Field("erase_exclude_last", (), "1 if the pulka's last deal is no candidate for erasure"),
    Field("score", (10, 10, 10), "points by hand size, bid and tricks taken"),
)


def view_dtype(fields: tuple[Field, ...]) -> np.dtype[np.void]:
    """Lay fields out as one aligned record of int64."""
    return np.dtype(
        [(f.name, np.int64, f.shape) if f.shape else (f.name, np.int64) for f in fields]
    )


FOUR_VIEW: Final = view_dtype(FOUR_FIELDS)


class View(np.record):
    """One view as Python reads and writes it: each attribute is a field, whatever numpy calls so.

    A record of numpy's own answers 1 for its field `size`.
    """

    def __getattribute__(self, name: str) -> Any:
        """Read a field first, anything else of a record after it."""
        fields = super().__getattribute__("dtype").fields
        return self[name] if name in fields else super().__getattribute__(name)

    def __setattr__(self, name: str, value: object) -> None:
        """Write a field."""
        self[name] = value


VIEW: Final = np.dtype((View, FOUR_VIEW))
"""A view within another record."""


def new_views(dtype: np.dtype[np.void], n: int = 1) -> np.ndarray:  # type: ignore[type-arg]
    """Allocate views, all zero."""
    return np.zeros(n, dtype=np.dtype((View, dtype)))


class FourNumbers(NamedTuple):
    """A four-player rule set as plain numbers."""

    sizes: np.ndarray
    """Hand size of each deal, int64 [deals]."""
    pulka: np.ndarray
    """Index of each deal's pulka, int64 [deals]."""
    pulka_first: np.ndarray
    """Index of the first deal of each deal's pulka, int64 [deals]."""
    pulka_last: np.ndarray
    """Index of the last deal of each deal's pulka, int64 [deals]."""
    score: np.ndarray
    """Points by hand size, bid and tricks taken, int64 [10, 10, 10]."""
    first_dealer: int
    """Seat 0..3, DEALER_RANDOM or DEALER_ACE_DRAW."""
    hook: int
    must_trump: int
    joker_beats_cut: int
    premium: int
    premium_exclude_last: int
    erase: int
    erase_exclude_last: int


# --- two players ----------------------------------------------------------------------------------

N_PLAYERS: Final = 2
N_PLACES: Final = 5
N_PAIRS: Final = 18

# Actions of davi, in the order of records; a set of them is a mask of bits 1 << action.
OFFER: Final = 0
ACCEPT: Final = 1
DECLINE: Final = 2
COUNTER: Final = 3
LEAD: Final = 4

# Values of rule options as numbers.
ROTATION_ALTERNATE: Final = 0
ROTATION_WINNER: Final = 1
ROTATION_LOSER: Final = 2
ROTATION_RANDOM: Final = 3
ROTATION_FIXED: Final = 4
OPEN_LEADER_FIRST_LEAD: Final = 0
OPEN_BOTH_FIRST_TRICK: Final = 1
OPEN_NONE: Final = 2

TWO_FIELDS: Final = (
    Field("seat", (), "the seat that looks, 0 or 1"),
    Field("hand", (), "its hand, a mask (at a trump choice: the packet of three)"),
    Field("kind", (), "the decision due: 0 trump, 2 play, 3 none, 4 davi"),
    Field("turn", (), "the seat whose decision is due"),
    Field("deal", (), "index of the deal in the party, from 0"),
    Field("declarer", (), "the declarer's seat"),
    Field("trump", (), "trump suit 0..3 (S H D C), 4 no trump, -1 not named yet"),
    Field("open", (2,), "by seat, mask of its cards that lie open on the table"),
    Field("up", (2, 5), "by seat and place, the id of the card that lies open there, else -1"),
    Field("covered", (2,), "by seat, the places that still hold a covered card, a mask of 5 bits"),
    Field("lifted", (2,), "by seat, the place that its play of this trick left, -1 none"),
    Field("n_hand", (2,), "by seat, cards left in the hand"),
    Field("pairs", (2,), "tricks taken by seat"),
    Field("trick", (), "index of the trick, 0..17"),
    Field("leader", (), "the seat that leads or led this trick"),
    Field("position", (), "cards already played in this trick, 0 or 1"),
    Field("led", (), "led suit 0..3, -1 at a lead"),
    Field("high", (), "1 if a joker was led"),
    Field("row", (), "row of the table of strengths that this trick uses"),
    Field("winner", (), "the seat that takes the trick as it stands"),
    Field("strength", (), "strength of its play"),
    Field("plays", (2,), "plays of this trick by seat, -1 none yet"),
    Field("played", (), "mask of all cards played in this deal"),
    Field("may_hold", (2,), "by seat, the cards its hand may still hold as far as play has shown"),
    Field("points", (2,), "points by seat before this deal"),
    Field("target", (), "points that win the party at a deal's end"),
    Field("rotation", (), "who declares next: 0 alternate, 1 winner, 2 loser, 3 random, 4 fixed"),
    Field("table_open", (), "first trick from hand: 0 its leader, 1 both, 2 nobody"),
    Field("must_trump", (), "1 if a void seat must trump"),
    Field("davi_cap", (), "highest multiplier of the stake, 1 if davi is off"),
    Field("multiplier", (), "multiplier of the stake that is accepted"),
    Field("last_offer", (), "seat of the party's last offer, -1 none"),
    Field("offer_pending", (), "1 while that offer waits for its answer"),
    Field("davi_settled", (), "1 once no offer can be made any more before this trick's lead"),
    Field("declined_by", (), "seat that declined and lost the party, -1 none"),
    Field("n_offers", (2,), "by seat, offers and counters made in this deal"),
)

TWO_VIEW: Final = view_dtype(TWO_FIELDS)


class PartyNumbers(NamedTuple):
    """A two-player rule set as plain numbers (stake and rake are money: no kernel needs them)."""

    target: int
    rotation: int
    table_open: int
    must_trump: int
    davi_cap: int
    """Highest multiplier, 1 where davi is off."""
    failure: int
    """Chance that a party is aborted before a deal, in units of 2^-53."""
