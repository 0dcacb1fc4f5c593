"""Cards, plays and rows as a page writes them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from click import style

from jokersim.cards import (
    NO_TRUMP,
    SUIT_MASKS,
    SUIT_SIGNS,
    TRUMPS,
    cards_of,
    mask_of,
    parse_card,
    parse_play,
    parse_trump,
    pretty_card,
    pretty_play,
)
from jokersim.cli.texttable import Head, aligned, bold, dim

__all__ = [
    "card",
    "grid",
    "hand_rows",
    "heading",
    "leaders",
    "play",
    "pretty",
    "ranked",
    "seat_names",
    "trump_sign",
]

NOTHING: Final = "·"
_RED: Final = "♥♦"


def coloured(text: str) -> str:
    """Colour what names a red suit, on a terminal."""
    return style(text, fg="red") if any(sign in text for sign in _RED) else text


def card(text: str) -> str:
    """Write a card of a record, with its suit's sign.

    >>> import click
    >>> click.unstyle(card("TD"))
    '10♦'
    """
    return coloured(pretty_card(parse_card(text)))


def play(text: str, *, leads: bool, takes: bool) -> str:
    """Write a play of a record, marked where it led and where it took the trick."""
    shown = coloured(pretty_play(parse_play(text)))
    return ("›" if leads else " ") + (bold(shown) + " ●" if takes else shown)


def trump_sign(text: str) -> str:
    """Write what is trump: a suit's sign, or that there is none.

    >>> trump_sign("S"), trump_sign("NT")
    ('trump ♠', 'no trump')
    """
    trump = parse_trump(text)
    return "no trump" if trump == NO_TRUMP else f"trump {coloured(SUIT_SIGNS[trump])}"


def pretty(choice: Any, kind: str) -> str:
    """Write a legal choice of a record."""
    if kind == "play":
        return coloured(pretty_play(parse_play(choice)))
    if kind == "trump" and choice != TRUMPS[NO_TRUMP]:
        return coloured(SUIT_SIGNS[parse_trump(choice)])
    return str(choice)


def hand_rows(hands: Sequence[Sequence[str]]) -> list[tuple[str, list[str]]]:
    """Write hands by suit, a row a suit and one for jokers; highest cards first."""
    rows = []
    jokers = [sum(text == "JK" for text in hand) for hand in hands]
    masks = [mask_of(parse_card(text) for text in hand if text != "JK") for hand in hands]
    for suit, sign in enumerate(SUIT_SIGNS):
        cells = []
        for mask in masks:
            cards = reversed(cards_of(mask & SUIT_MASKS[suit]))
            cells.append(" ".join(pretty_card(one)[:-1] for one in cards) or NOTHING)
        rows.append((coloured(sign), cells))
    if any(jokers):
        rows.append(("joker", [" ".join(["JK"] * n) or NOTHING for n in jokers]))
    return rows


def grid(names: Sequence[str], rows: Sequence[tuple[str, Sequence[str]]]) -> str:
    """Lay out rows with a label and a cell a seat."""
    heads = [Head("", left=True), *(Head(f" {name}", left=True) for name in names)]
    # A space before each cell: plays have the leader's mark there.
    laid = [
        [label, *(cell if cell[:1] in {" ", "›"} else f" {cell}" for cell in cells)]
        for label, cells in rows
    ]
    return aligned(heads, laid)


def seat_names(seats: int, players: Any) -> list[str]:
    """Name the seats; with their players, if there are as many names.

    >>> seat_names(2, ["Nino", "Gia"])
    ['seat 0 Nino', 'seat 1 Gia']
    """
    named = (
        isinstance(players, list | tuple)
        and len(players) == seats
        and all(isinstance(name, str) for name in players)
    )
    return [f"seat {seat}" + (f" {players[seat]}" if named else "") for seat in range(seats)]


def ranked(number: int) -> str:
    """Write a rank.

    >>> [ranked(n) for n in (1, 2, 3, 4)]
    ['1st', '2nd', '3rd', '4th']
    """
    return f"{number}" + {1: "st", 2: "nd", 3: "rd"}.get(number, "th")


def heading(*parts: str) -> str:
    """Write the line above a deal."""
    return bold(parts[0]) + "".join(dim("  ·  ") + part for part in parts[1:])


def leaders(takers: Sequence[int], first: int) -> list[int]:
    """Answer who led each trick and who leads the next: the first leader, then every taker."""
    return [first, *takers]
