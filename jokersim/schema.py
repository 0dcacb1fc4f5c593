"""The columns of the tables that a run writes, declared once.

Owns names, types and meanings; documents, help, the store and the data frames are made from here.
Knows nothing of files: a type is a word, and what it becomes in a file is the store's.

No column is ever null: -1 means "none" in an integer column. Indices count from 0, cards are the
ids of :mod:`jokersim.cards`, sets of cards are masks of 36 bits. A ``string`` column holds one of
the :data:`jokersim.cards.TRUMPS`; in arrays it travels as an int8 index into them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, Protocol

__all__ = [
    "SCHEMA_VERSION",
    "TABLE_MEANINGS",
    "Column",
    "ColumnType",
    "Tables",
    "describe",
    "tables",
]

SCHEMA_VERSION: Final = 1

ColumnType = Literal["int8", "int16", "int32", "int64", "float64", "bool", "string"]


class HasTables(Protocol):
    """What the columns depend on in a rule set."""

    @property
    def family(self) -> Literal["four", "two"]: ...


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a table: its name, its type and what a value means."""

    name: str
    type: ColumnType
    meaning: str


Tables = dict[str, tuple[Column, ...]]

TABLE_MEANINGS: Final = {
    "games": "one row a game (two players: a party), sorted by game",
    "deals": "one row a deal and seat, sorted by game, deal, seat",
    "plays": "one row a card played, sorted by game, deal, trick, position",
}

_GAME: Final = Column("game", "int64", "index of the game in its run")
_SEAT: Final = Column("seat", "int8", "seat that the row is about")
_TRUMP: Final = Column("trump", "string", "trump suit S H D C, or NT")
_HAND: Final = Column("hand", "int64", "mask of the cards dealt to the seat's hand")


def tables(rules: HasTables) -> Tables:
    """List the columns of every table that games under a rule set are written to.

    Parameters
    ----------
    rules : a rule set
        Its family decides the columns; for four players, the number of pulkas as well.

    Returns
    -------
    dict of str to tuple of Column
        ``games``, ``deals`` and ``plays``, each in the order of its columns.

    Examples
    --------
    >>> import jokersim as js
    >>> [column.name for column in tables(js.rules("classic"))["games"]][:4]
    ['game', 'first_dealer', 'total_0', 'total_1']
    """
    if rules.family == "two":
        return _two_tables()
    schedule: Sequence[Any] = rules.schedule  # type: ignore[attr-defined]
    return _four_tables(len(schedule))


def describe(rules: HasTables, game: str) -> dict[str, Any]:
    """Describe the tables of a rule set as plain data, ready for JSON, help and documents.

    Examples
    --------
    >>> import jokersim as js
    >>> text = describe(js.rules("classic"), "classic")
    >>> text["tables"]["deals"]["columns"][1]
    {'name': 'deal', 'type': 'int16', 'meaning': 'index of the deal in its game'}
    """
    return {
        "schema": "joker-schema",
        "version": SCHEMA_VERSION,
        "game": game,
        "tables": {
            name: {
                "meaning": TABLE_MEANINGS[name],
                "columns": [
                    {"name": column.name, "type": column.type, "meaning": column.meaning}
                    for column in columns
                ],
            }
            for name, columns in tables(rules).items()
        },
    }


def _by_seat(name: str, kind: ColumnType, meaning: str, seats: int = 4) -> tuple[Column, ...]:
    """Declare one column a seat; ``{}`` in the name and in the meaning becomes the seat."""
    return tuple(
        Column(name.format(seat), kind, meaning.format(f"seat {seat}")) for seat in range(seats)
    )


def _four_tables(n_pulkas: int) -> Tables:
    games = (
        _GAME,
        Column("first_dealer", "int8", "seat that dealt first"),
        *_by_seat("total_{}", "int64", "final score of {}: deals plus premiums less erasures"),
        *_by_seat("rank_{}", "int8", "place of {}, 1 is first; ties share the better place"),
        *_by_seat("premium_{}", "int64", "premiums credited to {} over the game"),
        *_by_seat("erased_{}", "int64", "points erased from {} over the game, 0 or more"),
    )
    for pulka in range(n_pulkas):
        in_pulka = f"in pulka {pulka}"
        games += _by_seat(
            f"pulka_{pulka}_premium_{{}}", "int32", f"premium credited to {{}} {in_pulka}"
        )
        games += _by_seat(
            f"pulka_{pulka}_erased_{{}}", "int32", f"points erased from {{}} {in_pulka}, 0 or more"
        )
    return {
        "games": games,
        "deals": (
            _GAME,
            Column("deal", "int16", "index of the deal in its game"),
            Column("pulka", "int8", "index of the pulka that the deal belongs to"),
            Column("hand_size", "int8", "cards a hand in this deal, 1 to 9"),
            Column("dealer", "int8", "seat that dealt"),
            _SEAT,
            _TRUMP,
            Column("turned", "int8", "card turned for trump (0 or 27: a joker), -1 at nine cards"),
            Column("bid", "int8", "tricks that the seat bid, 0 is a pass"),
            Column("taken", "int8", "tricks that the seat took"),
            Column("score", "int32", "points of the deal, without premium and erasure"),
            Column("premium", "int32", "premium credited; only on the pulka's last deal, else 0"),
            Column("erased", "int32", "points erased; only on the pulka's last deal, else 0"),
            _HAND,
        ),
        "plays": (
            _GAME,
            Column("deal", "int16", "index of the deal in its game"),
            *_play_columns(n_seats=4),
        ),
    }


def _two_tables() -> Tables:
    return {
        "games": (
            _GAME,
            Column("first_declarer", "int8", "seat that named trump in the first deal"),
            Column("winner", "int8", "seat that won the party, -1 when it is void"),
            Column("void", "bool", "aborted by a technical failure; every stake returns"),
            Column("multiplier", "int8", "stakes played for at the end, 1 without davi"),
            Column("deals", "int32", "deals played to the end"),
            *_by_seat("points_{}", "int32", "points of {} at the end of the party", 2),
            *_by_seat("payoff_{}", "float64", "net money of {}, in the unit of the stake", 2),
            Column("davi_offers", "int32", "davi offers and counters of the party"),
            Column("declined_by", "int8", "seat that declined a davi and lost so, -1 for none"),
        ),
        "deals": (
            _GAME,
            Column("deal", "int32", "index of the deal in its party"),
            Column("declarer", "int8", "seat that named trump and led first"),
            _SEAT,
            _TRUMP,
            Column("pairs", "int8", "tricks (pairs) that the seat took, of 18"),
            Column("points", "int32", "points credited to the seat in this deal"),
            Column("multiplier", "int8", "stakes played for at the end of the deal"),
            Column("davi_offers", "int16", "davi offers and counters of the seat in this deal"),
            _HAND,
            Column("open", "int64", "mask of the seat's face-up table cards as dealt"),
            Column("covered", "int64", "mask of the seat's face-down table cards as dealt"),
        ),
        "plays": (
            _GAME,
            Column("deal", "int32", "index of the deal in its party"),
            *_play_columns(n_seats=2),
        ),
    }


def _play_columns(n_seats: int) -> tuple[Column, ...]:
    place = Column("place", "int8", "table place 0 to 4 that the card left, -1 for the hand")
    return (
        Column("trick", "int8", "index of the trick in its deal"),
        Column("position", "int8", "order in the trick, 0 is the lead"),
        Column("seat", "int8", "seat that played the card"),
        Column("card", "int8", "card id; 0 and 27 are the jokers"),
        Column(
            "declaration",
            "int8",
            "of a joker: 0-3 led LOW and 4-7 led HIGH naming S H D C, 8 LOW or 9 HIGH in reply; "
            "-1 for a plain card",
        ),
        *((place,) if n_seats == 2 else ()),
        Column("taker", "int8", "seat that took the trick"),
    )
