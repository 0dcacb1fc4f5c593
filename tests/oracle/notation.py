"""Cards and plays of the slow twin, as text and nothing else.

A card is its canonical text: ``AS``, ``TD``, and ``JK`` for either joker. A play is its canonical
text too: ``AS``, ``JK+H``, ``JK-``, ``JK+@3``. Readable in a failing test, and unlike the package.
"""

from __future__ import annotations

from collections.abc import Iterable

SUITS = "SHDC"
RANKS = "6789TJQKA"
TRUMPS = ("S", "H", "D", "C", "NT")
JOKER = "JK"
PLAIN_CARDS = tuple(r + s for s in SUITS for r in RANKS if r + s not in ("6S", "6C"))
DECK = (*PLAIN_CARDS, JOKER, JOKER)

_SUIT_OF_SIGN = dict(zip("♠♥♦♣", SUITS, strict=True))
_POSITION = {card: i for i, card in enumerate((*PLAIN_CARDS, JOKER))}


def strength(card: str) -> int:
    """Height of a plain card within its suit: six 0 to ace 8."""
    return RANKS.index(card[0])


def read_suit(text: str) -> str | None:
    """Suit letter of a letter or a sign, None where the text is neither."""
    return text if len(text) == 1 and text in SUITS else _SUIT_OF_SIGN.get(text)


def read_trump(text: object) -> str | None:
    """Canonical trump, None where the value is none."""
    if not isinstance(text, str):
        return None
    return "NT" if text == "NT" else read_suit(text)


def read_card(text: object) -> str | None:
    """Canonical card, None where the value is no card."""
    if not isinstance(text, str):
        return None
    if text == JOKER:
        return JOKER
    suit = read_suit(text[-1:])
    rank = "T" if text[:-1] == "10" else text[:-1]
    card = f"{rank}{suit}"
    return card if card in PLAIN_CARDS else None


def read_play(text: object) -> str | None:
    """Canonical play, None where the value is no play in the notation."""
    if not isinstance(text, str) or not text.startswith(JOKER):
        return read_card(text)
    body, at, place = text.partition("@")
    level, suit = body[2:3], body[3:]
    if level not in ("+", "-") or (at and (len(place) != 1 or place not in "01234")):
        return None
    if suit:
        letter = read_suit(suit)
        if letter is None:
            return None
        suit = letter
    return f"{JOKER}{level}{suit}{at}{place}"


def is_joker(play: str) -> bool:
    """Whether a card or a play is a joker's."""
    return play.startswith(JOKER)


def is_high(play: str) -> bool:
    """Whether a play is a joker declared HIGH."""
    return play.startswith("JK+")


def named_suit(play: str) -> str:
    """Suit that a led joker names."""
    return play[3]


def place_of(play: str) -> int | None:
    """Place on the table that a joker's play leaves, None for the hand or a plain card."""
    return int(play[-1]) if "@" in play else None


def card_of(play: str) -> str:
    """Card that a play lays down."""
    return JOKER if is_joker(play) else play


def play_order(play: str) -> tuple[int, int, int, int]:
    """Key that sorts plays as `legal` lists them."""
    if not is_joker(play):
        return (_POSITION[play], 0, 0, 0)
    body, _, place = play.partition("@")
    suit = SUITS.index(body[3]) if len(body) > 3 else 0
    return (_POSITION[JOKER], int(body[2] == "+"), suit, int(place) + 1 if place else 0)


def sorted_plays(plays: Iterable[str]) -> list[str]:
    """Different plays in the order of a record's `legal`."""
    return sorted(set(plays), key=play_order)
