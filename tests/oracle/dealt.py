"""What records of two and of four players have in common: cards dealt, rows of plays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from tests.oracle.fault import Fault
from tests.oracle.notation import JOKER, read_card, read_play

Json = dict[str, Any]


class Deck:
    """The cards met so far in one deal, so that none comes twice and no third joker."""

    def __init__(self) -> None:
        self.met: Counter[str] = Counter()

    def take(self, text: object, place: str) -> str:
        """Read a card of the deal."""
        card = read_card(text)
        if card is None:
            raise Fault(place, f"{text!r} is no card, such as AS, TD or JK")
        self.met[card] += 1
        if self.met[card] > (2 if card == JOKER else 1):
            raise Fault(place, f"{text!r} was dealt already, every card is dealt once")
        return card

    def take_piles(
        self, deal: Json, key: str, where: str, seats: int, size: int
    ) -> list[list[str]]:
        """Read a list a seat of `size` cards each."""
        piles = deal.get(key)
        if not isinstance(piles, list) or len(piles) != seats:
            raise Fault(f"{where}.{key}", f"{key} are {seats} lists of cards, one a seat")
        return [self.take_pile(pile, f"{where}.{key}[{s}]", size) for s, pile in enumerate(piles)]

    def take_pile(self, pile: object, place: str, size: int) -> list[str]:
        """Read one list of `size` cards."""
        if not isinstance(pile, list) or len(pile) != size:
            raise Fault(place, f"this is a list of exactly {size} cards in this deal")
        return [self.take(text, f"{place}[{k}]") for k, text in enumerate(pile)]


def deals_of(record: Json) -> list[Json]:
    """The deals of a record, found to be objects."""
    deals = record.get("deals")
    if not isinstance(deals, list):
        raise Fault("deals", "deals are a list, which may be empty")
    for i, deal in enumerate(deals):
        if not isinstance(deal, dict):
            raise Fault(f"deals[{i}]", "a deal is a JSON object")
    return deals


def rows_of_plays(deal: Json, where: str) -> list[list[object]]:
    """The rows of `plays`, found to have the form of rows."""
    rows = deal.get("plays")
    if rows is None:
        return []
    if not isinstance(rows, list):
        raise Fault(f"{where}.plays", "plays are a list of tricks")
    for t, row in enumerate(rows):
        if not isinstance(row, list):
            raise Fault(f"{where}.plays[{t}]", "a trick is a list of plays")
    return rows


def read_legal(text: object, place: str, legal: Sequence[str]) -> str:
    """Read a play and find it among the legal ones."""
    play = read_play(text)
    if play not in legal:
        raise Fault(place, f"{text!r} cannot be played here, legal is {' '.join(legal)}")
    return play  # type: ignore[return-value]


def decision(seat: int, kind: str, legal: Sequence[object]) -> Json:
    """A value of `next`."""
    return {"seat": seat, "kind": kind, "legal": list(legal)}
