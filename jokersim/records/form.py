"""The form of records: which keys hold what, before any rule of a game is looked at.

Also the comparison of a given value with the one that follows.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jokersim.cards import TRUMPS, parse_trump
from jokersim.errors import InputError, OptionError
from jokersim.records.error import RecordError
from jokersim.rules import Rules, rules
from jokersim.rules.options import shown
from jokersim.table import Record
from jokersim.table.base import FORMAT

__all__ = [
    "check_derived",
    "deals_of",
    "first_of",
    "is_integer",
    "is_seat",
    "rows_of",
    "rules_of",
    "trump_of",
]


def rules_of(record: Mapping[str, Any]) -> Rules:
    """Read a record's format, game and rules."""
    if record.get("format") != FORMAT:
        raise RecordError("format", f'format is "{FORMAT}", {_not(record.get("format"))}')
    game = record.get("game")
    try:
        rules(game)  # type: ignore[arg-type]
    except InputError as error:
        raise RecordError("game", str(error)) from None
    options = record.get("rules")
    if options is None:
        options = {}
    if not isinstance(options, dict):
        raise RecordError("rules", f"rules is an object of options, {_not(options)}")
    try:
        return rules(game, **options)  # type: ignore[arg-type]
    except OptionError as error:
        raise RecordError(f"rules.{error.option}", str(error)) from None


def first_of(record: Mapping[str, Any], rule_set: Rules) -> int:
    """Read the seat that begins, as the rule set allows."""
    key = "first_dealer" if rule_set.family == "four" else "first_declarer"
    first = record.get(key)
    if not is_seat(first, rule_set.seats):
        raise RecordError(key, f"{key} is a seat 0..{rule_set.seats - 1}, {_not(first)}")
    named = getattr(rule_set, "first_dealer", "random")
    if not isinstance(named, str) and first != named:
        raise RecordError(key, f"the rule set names seat {named} as the first dealer, not {first}")
    return int(first)  # type: ignore[arg-type]


def deals_of(record: Mapping[str, Any]) -> list[Record]:
    """Read the list of deals, each an object."""
    deals = record.get("deals")
    if not isinstance(deals, list | tuple):
        raise RecordError("deals", f"deals is a list of objects, one a deal, {_not(deals)}")
    for i, deal in enumerate(deals):
        if not isinstance(deal, dict):
            raise RecordError(f"deals[{i}]", f"a deal is an object, not {shown(deal)}")
    return list(deals)


def rows_of(deal: Record, at: str) -> list[list[object]]:
    """Read a deal's `plays`: a list of tricks, each a list."""
    plays = deal.get("plays")
    if plays is None:
        return []
    if not isinstance(plays, list | tuple):
        raise RecordError(f"{at}.plays", f"plays is a list of tricks, not {shown(plays)}")
    for t, row in enumerate(plays):
        if not isinstance(row, list | tuple):
            raise RecordError(
                f"{at}.plays[{t}]", f"a trick is a list of plays in order, not {shown(row)}"
            )
    return list(plays)


def trump_of(deal: Record, at: str) -> int | None:
    """Read a deal's `trump`, None where it is not given."""
    given = deal.get("trump")
    if given is None:
        return None
    try:
        if isinstance(given, str):
            return parse_trump(given)
    except ValueError:
        pass
    raise RecordError(f"{at}.trump", f"{shown(given)} is no trump: it is one of {' '.join(TRUMPS)}")


def is_seat(value: object, seats: int) -> bool:
    """Tell whether a value is the number of a seat."""
    return is_integer(value) and value in range(seats)


def is_integer(value: object) -> bool:
    """Tell whether a value is a JSON integer: true is none, nor is 1.0."""
    return isinstance(value, int) and not isinstance(value, bool)


def check_derived(
    given: Mapping[str, Any], derived: Record, keys: tuple[str, ...], at: str
) -> None:
    """Compare what is given under `keys` with what follows; null counts as not given."""
    for key in keys:
        value = given.get(key)
        if value is None:
            continue
        follows = derived.get(key)
        if not same(value, follows, 1e-9 if key == "payoff" else 0):
            raise RecordError(at + key, f"{key} {_is(key, follows)}, not {shown(value)}")


def _is(key: str, follows: object) -> str:
    if follows is None:
        return "is not known at this point of the game"
    if key == "next" and isinstance(follows, dict):
        legal = ", ".join(map(str, follows["legal"]))
        return f"is a {follows['kind']} decision of seat {follows['seat']}, legal {legal}"
    return f"is {shown(follows)}"


def same(a: object, b: object, within: float = 0) -> bool:
    """Tell whether two values are equal as JSON: true is not 1, but 1 and 1.0 are one number."""
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if isinstance(a, list | tuple) and isinstance(b, list | tuple):
        return len(a) == len(b) and all(same(x, y, within) for x, y in zip(a, b, strict=True))
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same(a[key], b[key], within) for key in a)
    if within and isinstance(a, int | float) and isinstance(b, int | float):
        return abs(a - b) <= within
    return a == b


def _not(value: object) -> str:
    return "and it is missing" if value is None else f"not {shown(value)}"
