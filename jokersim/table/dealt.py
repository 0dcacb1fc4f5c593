"""Reading the cards of a deal as somebody gives them, and saying what is wrong with them.

Knows lists of card texts and where each stands; nothing of hand sizes, trump or play.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from jokersim.cards import (
    JOKER_IDS,
    N_CARDS,
    NO_CARD,
    RANKS,
    SUIT_SIGNS,
    SUITS,
    format_card,
    parse_card,
)
from jokersim.errors import InputError
from jokersim.rules.options import shown

__all__ = ["DealError", "Pack", "read_four", "read_two", "write_hand"]

_NINE: Final = 9
_EIGHT: Final = 8
_FIVE: Final = 5


class DealError(InputError):
    """Something given for a game cannot stand: `place` says where, `message` what would be right.

    The place is that of a record, seen from the deal: ``hands[2][0]``, ``turned``, ``bids[1]``.
    """

    def __init__(self, place: str, message: str) -> None:
        super().__init__(f"{place}: {message}" if place else message)
        self.place = place
        self.message = message


_CARD_OF_TEXT: Final = {
    rank + suit: card
    for card in range(N_CARDS)
    if card not in JOKER_IDS
    for rank in (RANKS[card % 9], *(["10"] if RANKS[card % 9] == "T" else []))
    for suit in (SUITS[card // 9], SUIT_SIGNS[card // 9])
}


class Pack:
    """The cards of one deal as they are read: each once, the first joker met as the lower id."""

    def __init__(self) -> None:
        self._met: dict[int, str] = {}

    def groups(self, name: str, given: object, seats: int, size: int) -> list[list[int]]:
        """Read a list of hands (or of rows of table cards), one a seat, of `size` cards each."""
        if not isinstance(given, list | tuple) or len(given) != seats:
            raise DealError(
                name,
                f"{name} is a list of {seats} lists of cards, one a seat, {_not_so(given)}",
            )
        return [self._group(f"{name}[{seat}]", cards, size) for seat, cards in enumerate(given)]

    def _group(self, place: str, given: object, size: int) -> list[int]:
        if not isinstance(given, list | tuple) or len(given) != size:
            cards = "card" if size == 1 else "cards"
            raise DealError(
                place, f"a list of {size} {cards} stands here in this deal, {_not_so(given)}"
            )
        met = self._met
        ids = []
        for k, text in enumerate(given):
            card = _CARD_OF_TEXT.get(text, -1) if isinstance(text, str) else -1
            if card < 0 or card in met:
                card = self.card(f"{place}[{k}]", text)
            else:
                met[card] = place
            ids.append(card)
        return ids

    def card(self, place: str, text: object) -> int:
        """Read one card that has not been met yet."""
        if not isinstance(text, str):
            raise DealError(place, f"a card is a text such as AS, 10D or JK, not {shown(text)}")
        try:
            card = parse_card(text)
        except ValueError as error:
            raise DealError(place, str(error)) from None
        if card in JOKER_IDS:
            if all(joker in self._met for joker in JOKER_IDS):
                raise DealError(place, "this is a third joker, and the deck has two")
            card = JOKER_IDS[1] if JOKER_IDS[0] in self._met else JOKER_IDS[0]
        elif card in self._met:
            raise DealError(
                place,
                f"{format_card(card)} stands in {self._met[card]} already, "
                "and each card is dealt once",
            )
        self._met[card] = place
        return card


def read_four(cards: Mapping[str, Any], size: int) -> tuple[list[list[int]], int]:
    """Read a deal of four as a record gives it: hands of `size` cards and the turned one, -1 none.

    >>> read_four({"hands": [["AS"], ["7H"], ["JK"], ["9D"]], "turned": "JK"}, 1)
    ([[8], [10], [0], [21]], 27)
    """
    pack = Pack()
    hands = pack.groups("hands", cards.get("hands"), 4, size)
    turned = cards.get("turned")
    if size == _NINE:
        if turned is not None:
            raise DealError("turned", "nothing is left to turn in a deal of nine cards a hand")
        return hands, NO_CARD
    if turned is None:
        raise DealError("turned", f"a deal of {size} cards a hand has a turned card here, or JK")
    return hands, pack.card("turned", turned)


def read_two(
    cards: Mapping[str, Any],
) -> tuple[list[list[int]], list[list[int]], list[list[int]]]:
    """Read a deal of two as a record gives it: hands of eight, five open and five covered cards."""
    pack = Pack()
    hands = pack.groups("hands", cards.get("hands"), 2, _EIGHT)
    up = pack.groups("up", cards.get("up"), 2, _FIVE)
    return hands, up, pack.groups("down", cards.get("down"), 2, _FIVE)


def write_hand(mask: int, first: int = 0) -> list[str]:
    """List the cards of a mask as texts: by suit, then rank, then jokers; those of `first` before.

    >>> write_hand(0b1000000001100000001, first=0b100000000)
    ['AS', '6H', '6D', 'JK']
    """

    def order(card: int) -> tuple[bool, bool, int]:
        return (not first >> card & 1, card in JOKER_IDS, card)

    cards = sorted((card for card in range(N_CARDS) if mask >> card & 1), key=order)
    return [format_card(card) for card in cards]


def _not_so(given: object) -> str:
    if isinstance(given, Sequence) and not isinstance(given, str):
        return f"and here are {len(given)}"
    return "which is missing" if given is None else f"not {shown(given)}"
