"""What a person gives for a position: cards, suits and numbers, checked with their place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from jokersim.cards import TRUMPS, parse_trump
from jokersim.errors import InputError
from jokersim.rules import FourRules, Rules, TwoRules
from jokersim.rules import rules as make_rules
from jokersim.rules.options import shown
from jokersim.table.dealt import DealError, Pack

__all__ = ["read_bids", "read_hand", "read_rules", "read_trump", "whole"]


def read_rules(given: Rules | str, options: Mapping[str, Any] | None = None) -> Rules:
    """Read a rule set: itself, or a preset's name with options that differ from it."""
    if isinstance(given, FourRules | TwoRules):
        if options:
            raise InputError("rules: options are given with a preset's name, not with a rule set")
        return given
    if not isinstance(given, str):
        raise InputError(f"game: a game is a preset's name, not {shown(given)}")
    if options is not None and not isinstance(options, Mapping):
        raise InputError(f"rules: rules are options with their values, not {shown(options)}")
    return make_rules(given, **dict(options or {}))


def read_hand(pack: Pack, name: str, given: object) -> list[int]:
    """Read cards from one text with spaces between them, or from a list of texts: their ids.

    >>> read_hand(Pack(), "hand", "AS 10♦ JK")
    [8, 22, 0]
    """
    texts = given.replace(",", " ").split() if isinstance(given, str) else given
    if not isinstance(texts, list | tuple):
        raise DealError(
            name, f"cards are a text such as 'AS KS 7H JK', or a list, not {shown(given)}"
        )
    return [pack.card(f"{name}[{k}]", text) for k, text in enumerate(texts)]


def read_trump(given: object) -> int:
    """Read a trump: 0..4."""
    try:
        if isinstance(given, str):
            return parse_trump(given)
    except ValueError:
        pass
    raise DealError("trump", f"trump is one of {' '.join(TRUMPS)}, not {shown(given)}")


def read_bids(given: object, size: int) -> list[int]:
    """Read bids from a text with commas between them, or from a list of whole numbers."""
    parts: Any = given
    if isinstance(given, str):
        parts = [part.strip() for part in given.split(",")] if given.strip() else []
    if not isinstance(parts, Sequence):
        raise DealError("bids", f"bids are numbers with commas between them, not {shown(given)}")
    bids = []
    for i, part in enumerate(parts):
        number = part
        if isinstance(part, str) and part.isascii() and part.isdigit():
            number = int(part[:9])
        if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number <= size:
            cards = "card" if size == 1 else "cards"
            raise DealError(
                f"bids[{i}]",
                f"a bid is a number from 0 to {size} with {size} {cards}, not {shown(part)}",
            )
        bids.append(number)
    return bids


def whole(name: str, given: object, low: int, high: int, meaning: str) -> int:
    """Read a whole number within bounds."""
    if isinstance(given, bool) or not isinstance(given, int) or not low <= given <= high:
        raise DealError(name, f"{name} is {meaning}, not {shown(given)}")
    return given
