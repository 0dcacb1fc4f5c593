"""What an option of a rule set is: its allowed values, default, meaning and source.

Owns the kinds of values, their exact check and their text. An option is declared once, as a field
of the rule set's dataclass whose metadata `declared` writes; help, tables and error sentences are
made from that declaration. Knows no option by name, and nothing of presets or files.
"""

from __future__ import annotations

import json
import math
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from decimal import Decimal
from typing import Any, Final, get_args

from jokersim.errors import OptionError

__all__ = [
    "GAP",
    "SOURCE_TEXT",
    "Kind",
    "Option",
    "declared",
    "flag",
    "format_value",
    "integer",
    "integer_or_list",
    "list_of_lists",
    "number",
    "one_of",
    "options_of",
    "shown",
]

SOURCE_TEXT: Final = "source text"
GAP: Final = "gap"

_SHOWN_CHARACTERS: Final = 80
_SHOWN_ITEMS: Final = 12
_SHOWN_DEPTH: Final = 3


@dataclass(frozen=True, slots=True)
class Kind:
    """The values that an option takes: what they are, in words, and how one is read.

    `read` answers the value in its one stored form and raises ``ValueError`` for any other value.
    """

    allowed: str
    read: Callable[[object], object]


@dataclass(frozen=True, slots=True)
class Option:
    """One declared option of a rule set."""

    name: str
    kind: Kind
    default: Any
    meaning: str
    source: str

    def read(self, value: object) -> Any:
        """Answer `value` in its stored form, or raise `OptionError` with the allowed values."""
        try:
            return self.kind.read(value)
        except ValueError:
            raise OptionError(
                self.name, f"{self.name} is {self.kind.allowed}, not {shown(value)}"
            ) from None


def declared(kind: Kind, meaning: str, source: str) -> Mapping[str, object]:
    """Write the metadata of a dataclass field that is an option."""
    return {"kind": kind, "meaning": meaning, "source": source}


def options_of(rule_set: type) -> Mapping[str, Option]:
    """List the options that a rule set's class declares, by name, in order of declaration."""
    return {
        f.name: Option(f.name, default=f.default, **f.metadata)
        for f in fields(rule_set)
        if "kind" in f.metadata
    }


# Kinds. A bool is never read as a number, nor a float as an integer: records and files are held to
# the types that RULES.md and RECORDS.md give.


def flag() -> Kind:
    """Take true and false."""

    def read(value: object) -> bool:
        if not isinstance(value, bool):
            raise ValueError
        return value

    return Kind("true or false", read)


def one_of(words: object, *, or_integer: range | None = None, called: str = "") -> Kind:
    """Take the words of a ``Literal`` and, if asked, the integers of a range `called` so."""
    choices: tuple[str, ...] = get_args(words)

    def read(value: object) -> str | int:
        if isinstance(value, str):
            return choices[choices.index(value)]
        if or_integer is None:
            raise ValueError
        return _integer(value, or_integer.start, or_integer.stop - 1)

    names = list(choices)
    if or_integer is not None:
        names.append(f"{called} {or_integer.start}..{or_integer.stop - 1}")
    return Kind(f"{', '.join(names[:-1])} or {names[-1]}", read)


def integer(low: int, high: int) -> Kind:
    """Take the integers from `low` to `high`."""
    return Kind(f"an integer {low}..{high}", lambda value: _integer(value, low, high))


def integer_or_list(low: int, high: int, length: int, per: str) -> Kind:
    """Take an integer from `low` to `high`, or a list of `length` of them, one per `per`."""

    def read(value: object) -> int | tuple[int, ...]:
        if isinstance(value, list | tuple):
            if len(value) != length:
                raise ValueError
            return tuple(_integer(item, low, high) for item in value)
        return _integer(value, low, high)

    return Kind(f"an integer {low}..{high}, or a list of {length} of them, one per {per}", read)


def list_of_lists(low: int, high: int, longest: int, outer: str, inner: str) -> Kind:
    """Take 1 to `longest` lists, each of 1 to `longest` integers from `low` to `high`."""

    def read_items(value: object) -> tuple[object, ...]:
        if not isinstance(value, list | tuple) or not 1 <= len(value) <= longest:
            raise ValueError
        return tuple(value)

    def read(value: object) -> tuple[tuple[int, ...], ...]:
        return tuple(
            tuple(_integer(item, low, high) for item in read_items(row))
            for row in read_items(value)
        )

    allowed = (
        f"a list of 1 to {longest} {outer}, "
        f"each a list of 1 to {longest} {inner} from {low} to {high}"
    )
    return Kind(allowed, read)


def number(allowed: str, accepts: Callable[[float], bool]) -> Kind:
    """Take finite numbers that `accepts` accepts; integers count as numbers here."""

    def read(value: object) -> int | float:
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise ValueError
        try:
            stored = float(value)
        except OverflowError:
            raise ValueError from None
        if not math.isfinite(stored) or not accepts(stored):
            raise ValueError
        # A float is read as the decimal that it is written as; an integer that no float is written
        # as (2**53 + 1) stays one, so that nothing is rounded unseen.
        if isinstance(value, int) and Decimal(repr(stored)) != value:
            return int(value)
        return stored + 0.0  # -0.0 becomes 0.0, which is written in one way

    return Kind(allowed, read)


def _integer(value: object, low: int, high: int) -> int:
    """Answer an integer within bounds; numpy's integers are integers too."""
    if isinstance(value, bool):
        raise ValueError
    try:
        stored = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        raise ValueError from None
    if not low <= stored <= high:
        raise ValueError
    return stored


# Values as text.


def shown(value: object) -> str:
    """Write any value for an error sentence: as in JSON where it can be, on one short line.

    >>> shown(True), shown("flat"), shown([[1, 10]])
    ('true', '"flat"', '[[1, 10]]')
    """
    text = _shown(value, _SHOWN_DEPTH)
    return text if len(text) <= _SHOWN_CHARACTERS else text[: _SHOWN_CHARACTERS - 1] + "…"


def _shown(value: object, depth: int) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value[: _SHOWN_CHARACTERS + 1], ensure_ascii=not value.isprintable())
    if isinstance(value, list | tuple):
        if depth == 0:
            return "[…]"
        items = [_shown(item, depth - 1) for item in value[:_SHOWN_ITEMS]]
        return f"[{', '.join(items + ['…'] * (len(value) > _SHOWN_ITEMS))}]"
    if isinstance(value, Mapping):
        return "a table of keys and values"
    try:
        return repr(value)
    except ValueError:  # Python writes no integer of more than some thousand digits
        return "an integer of thousands of digits"


def format_value(value: object) -> str:
    """Write an option's value as ``--set`` reads it.

    >>> format_value("dealer"), format_value(False), format_value(((9, 9), (1,)))
    ('dealer', 'false', '[[9,9],[1]]')
    """
    return value if isinstance(value, str) else json.dumps(value, separators=(",", ":"))
