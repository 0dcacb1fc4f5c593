"""Whole records: replayed deal by deal, completed, and written as lines of JSON."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from importlib import import_module
from typing import Any, NoReturn

from jokersim.records.error import RecordError
from jokersim.records.form import check_derived, deals_of, first_of, rules_of
from jokersim.rules.options import shown
from jokersim.table import Record, Table

__all__ = ["dump", "parse_line", "read", "replay", "replay_line"]


def replay(record: Mapping[str, Any]) -> Record:
    """Check a record and complete it with everything that follows from it.

    Parameters
    ----------
    record : mapping
        A record as JSON gives it (RECORDS.md): a whole game or the beginning of one. It stays as
        it is.

    Returns
    -------
    dict
        The same record with the derived keys added, after its own; what was given is kept as it
        was written, and lists are shared with it.

    Raises
    ------
    RecordError
        The record breaks a rule; ``place`` says where, ``message`` what would have been legal.

    Examples
    --------
    >>> record = {
    ...     "format": "joker-record/1",
    ...     "game": "classic",
    ...     "first_dealer": 2,
    ...     "deals": [
    ...         {"hands": [["AS"], ["7H"], ["JK"], ["9D"]], "turned": "KC", "bids": [0, 0, 1, 1]}
    ...     ],
    ... }
    >>> replay(record)["next"]
    {'seat': 3, 'kind': 'play', 'legal': ['9D']}
    """
    return read(record).completed(record)


def read(record: Mapping[str, Any]) -> Table:
    """Set a table where a record stops, checking all of it as `replay` does."""
    if not isinstance(record, Mapping):
        raise RecordError("", f"a record is a JSON object, not {shown(record)}")
    rule_set = rules_of(record)
    first = first_of(record, rule_set)
    deals = deals_of(record)
    table = Table(rule_set, first=first)
    # The family's module loads kernels, so it is met only now.
    family = import_module(f"jokersim.records.{rule_set.family}")
    for i, deal in enumerate(deals):
        at = f"deals[{i}]"
        if table.complete:
            raise RecordError(at, f"the game is over after deal {i - 1}: no deal follows")
        if not table.awaits_cards:
            raise RecordError(at, f"deal {i - 1} is unfinished, so that no deal follows")
        family.replay_deal(table, deal, at)
    family.check_end(table, record)
    derived = {**table.derived(), "next": table.due()}
    check_derived(record, derived, family.DERIVED, "")
    return table


def replay_line(line: str | bytes, number: int) -> Record:
    """Answer one line of a record file: the completed record, or what is wrong with it.

    Parameters
    ----------
    line : str or bytes
        The line, UTF-8.
    number : int
        Its number in the file, from 1.

    Returns
    -------
    dict
        The completed record or ``{"error": {"line", "place", "message"}}``.

    Examples
    --------
    >>> replay_line("[]", 3)
    {'error': {'line': 3, 'place': '', 'message': 'a record is a JSON object, not []'}}
    """
    try:
        return replay(parse_line(line))
    except RecordError as error:
        return {"error": {"line": number, "place": error.place, "message": error.message}}


def dump(record: Mapping[str, Any]) -> str:
    r"""Write a record, or an error, as one line of JSON, without the line's end.

    >>> dump({"id": "ქ", "totals": [0, 50]})
    '{"id": "ქ", "totals": [0, 50]}'
    """
    text = json.dumps(record, ensure_ascii=False)
    # Half of a surrogate pair can stand in a JSON text as an escape, not as UTF-8.
    return text if _encodable(text) else json.dumps(record)


def _encodable(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def parse_line(line: str | bytes) -> Any:
    """Read a line of JSON; `RecordError` where it is none."""
    try:
        return json.loads(line, parse_constant=_no_constant, parse_float=_finite)
    except RecursionError:
        raise RecordError("", "the line is nested too deeply for a record") from None
    except ValueError as error:
        raise RecordError("", f"the line is no JSON object: {error}") from None


def _no_constant(text: str) -> NoReturn:
    raise ValueError(f"{text} is no number of JSON")


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{text[:20]} is beyond the numbers of this program")
    return number
