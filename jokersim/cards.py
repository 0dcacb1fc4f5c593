"""Cards, suits, trumps and plays as small integers, and their notation as text.

Owns the encoding: 36 dense ids, ``card = 9 * suit + rank`` with suits S H D C = 0..3 and rank 0 =
six to 8 = ace. The ids of the black sixes, 0 and 27, *are* the two jokers; suit masks leave them
out. A hand is an int64 mask of 36 bits. Knows nothing of deals, rules or kernels.

A *play* is a card with what is said over it, as one integer below 128:

====================  ========================================================
plain card            its card id
joker, led            ``JOKER_PLAY + 4 * high + suit``: declarations 0..7
joker, in reply       ``JOKER_PLAY + 8`` LOW, ``JOKER_PLAY + 9`` HIGH
from a place          the above ``+ 10 * (place + 1)``, place 0..4 (two players)
====================  ========================================================

Ascending plays are in the order in which records list legal plays, hand before table excepted.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

__all__ = [
    "ALL_CARDS",
    "DECLARATIONS",
    "DECLARED_HIGH",
    "DECLARED_LOW",
    "DECLARED_NONE",
    "JOKERS",
    "JOKER_IDS",
    "JOKER_PLAY",
    "NO_CARD",
    "NO_TRUMP",
    "N_CARDS",
    "RANKS",
    "SUITS",
    "SUIT_MASKS",
    "SUIT_SIGNS",
    "TRUMPS",
    "cards_of",
    "format_card",
    "format_play",
    "mask_of",
    "parse_card",
    "parse_play",
    "parse_trump",
    "play_declaration",
    "play_place",
    "pretty_card",
    "pretty_play",
]

SUITS: Final = "SHDC"
SUIT_SIGNS: Final = "♠♥♦♣"
RANKS: Final = "6789TJQKA"
TRUMPS: Final = ("S", "H", "D", "C", "NT")
N_CARDS: Final = 36
ALL_CARDS: Final = (1 << N_CARDS) - 1
JOKER_IDS: Final = (0, 27)
JOKERS: Final = (1 << 0) | (1 << 27)
SUIT_MASKS: Final = (*((0x1FF << (9 * suit)) & ~JOKERS for suit in range(4)), 0)
NO_TRUMP: Final = 4
NO_CARD: Final = -1

JOKER_PLAY: Final = 36
N_DECLARATIONS: Final = 10
DECLARED_NONE: Final = -1
DECLARED_LOW: Final = 8
DECLARED_HIGH: Final = 9
DECLARATIONS: Final = (
    *(f"JK{level}{suit}" for level in "-+" for suit in SUITS),
    "JK-",
    "JK+",
)

_SUIT_OF_TEXT: Final = {text: i for i, text in enumerate(SUITS)} | {
    sign: i for i, sign in enumerate(SUIT_SIGNS)
}
_RANK_OF_TEXT: Final = {text: i for i, text in enumerate(RANKS)} | {"10": RANKS.index("T")}
_DECLARATION_OF_TEXT: Final = {text: i for i, text in enumerate(DECLARATIONS)}


def is_joker(card: int) -> bool:
    """Tell whether a card id is one of the two jokers."""
    return card in JOKER_IDS


def parse_card(text: str) -> int:
    """Read a card such as ``AS``, ``10♦`` or ``JK``; a joker is answered as id 0.

    Raises ``ValueError`` with one sentence where the text is no card.

    >>> parse_card("6H"), parse_card("10♦"), parse_card("JK")
    (9, 22, 0)
    """
    if text == "JK":
        return JOKER_IDS[0]
    suit = _SUIT_OF_TEXT.get(text[-1:])
    rank = _RANK_OF_TEXT.get(text[:-1])
    if suit is None or rank is None:
        raise ValueError(f"{text!r} is no card: a card is a rank 6789TJQKA and a suit SHDC, or JK")
    card = 9 * suit + rank
    if card in JOKER_IDS:
        raise ValueError(f"{text!r} is no card: the black sixes are the jokers, written JK")
    return card


def format_card(card: int) -> str:
    """Write a card id as text.

    >>> format_card(8), format_card(27)
    ('AS', 'JK')
    """
    if card in JOKER_IDS:
        return "JK"
    return RANKS[card % 9] + SUITS[card // 9]


def parse_trump(text: str) -> int:
    """Read a trump suit (letter or sign) or ``NT``: 0..4.

    >>> parse_trump("♥"), parse_trump("NT")
    (1, 4)
    """
    if text == "NT":
        return NO_TRUMP
    suit = _SUIT_OF_TEXT.get(text)
    if suit is None:
        raise ValueError(f"{text!r} is no trump: it is one of S H D C NT")
    return suit


def play_declaration(play: int) -> int:
    """Answer the declaration 0..9 of a joker's play, -1 for a plain card."""
    return DECLARED_NONE if play < JOKER_PLAY else (play - JOKER_PLAY) % N_DECLARATIONS


def play_place(play: int) -> int:
    """Answer the table place 0..4 that a joker's play leaves, -1 for the hand or a plain card."""
    return -1 if play < JOKER_PLAY else (play - JOKER_PLAY) // N_DECLARATIONS - 1


def parse_play(text: str) -> int:
    """Read a play such as ``AS``, ``JK+♥``, ``JK-`` or ``JK+H@3`` (see the module's table).

    >>> parse_play("AS"), parse_play("JK-S"), parse_play("JK+"), parse_play("JK+H@3")
    (8, 36, 45, 81)
    """
    if not text.startswith("JK"):
        return parse_card(text)
    body, at, place = text.partition("@")
    if len(body) == 4 and body[3] in SUIT_SIGNS:
        body = body[:3] + SUITS[SUIT_SIGNS.index(body[3])]
    declaration = _DECLARATION_OF_TEXT.get(body)
    if declaration is None or (at and place not in tuple("01234")):
        raise ValueError(
            f"{text!r} is no play: a joker is JK+ or JK-, with a suit when it is led (JK+H), "
            "and with a place @0 to @4 when it leaves the table"
        )
    return JOKER_PLAY + declaration + (N_DECLARATIONS * (int(place) + 1) if at else 0)


def format_play(play: int) -> str:
    """Write a play as text.

    >>> format_play(8), format_play(41), format_play(81)
    ('AS', 'JK+H', 'JK+H@3')
    """
    if play < JOKER_PLAY:
        return format_card(play)
    place = play_place(play)
    return DECLARATIONS[play_declaration(play)] + (f"@{place}" if place >= 0 else "")


def pretty_card(card: int) -> str:
    """Write a card id with its suit's sign, as a page for people shows it.

    >>> pretty_card(8), pretty_card(22), pretty_card(0)
    ('A♠', '10♦', 'JK')
    """
    if card in JOKER_IDS:
        return "JK"
    rank = RANKS[card % 9]
    return ("10" if rank == "T" else rank) + SUIT_SIGNS[card // 9]


def pretty_play(play: int) -> str:
    """Write a play with its suit's sign.

    >>> pretty_play(22), pretty_play(41), pretty_play(45)
    ('10♦', 'JK+♥', 'JK+')
    """
    if play < JOKER_PLAY:
        return pretty_card(play)
    text = format_play(play)
    if play_declaration(play) >= DECLARED_LOW:
        return text
    return text[:3] + SUIT_SIGNS[SUITS.index(text[3])] + text[4:]


def mask_of(cards: Iterable[int]) -> int:
    """Join card ids into a mask.

    >>> mask_of([0, 8])
    257
    """
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask


def cards_of(mask: int) -> list[int]:
    """List the card ids of a mask, upward.

    >>> cards_of(257)
    [0, 8]
    """
    return [card for card in range(N_CARDS) if mask >> card & 1]
