"""The page of one game: what stands above and below its deals, whatever the family."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from jokersim.cli.pages import four, two
from jokersim.cli.pages.marks import pretty, seat_names
from jokersim.cli.texttable import bold, dim, wrapped
from jokersim.rules import Rules, format_value, rules

__all__ = ["error_line", "game_page"]

Record = Mapping[str, Any]

_DEALS: Final[Mapping[str, Callable[[Record, Any, Sequence[str]], list[str]]]] = {
    "four": four.deals,
    "two": two.deals,
}
_RESULTS: Final[Mapping[str, Callable[[Record, Sequence[str]], list[str]]]] = {
    "four": four.result,
    "two": two.result,
}
_LEGENDS: Final = {"four": four.LEGEND, "two": two.LEGEND}
_DUE: Final = {"trump": "names trump", "bid": "bids", "play": "plays", "davi": "answers or leads"}


def game_page(record: Record, *, title: str = "", players: Sequence[str] = ()) -> str:
    """Lay out a completed record.

    Parameters
    ----------
    record : mapping
        What replaying a record answers.
    title : str
        What is said of the game beside its rules, such as its run.
    players : sequence of str
        Who sits where; by default the record's own ``players``, if it names them.
    """
    rule_set = rules(record["game"], **(record.get("rules") or {}))
    names = seat_names(rule_set.seats, players or record.get("players"))
    family = rule_set.family
    parts = [_header(rule_set, record, title), *_DEALS[family](record, rule_set, names)]
    parts.append("\n".join(_RESULTS[family](record, names) + _due(record, names)))
    return "\n\n".join(part for part in parts if part)


def error_line(answer: Record) -> str:
    """Write what replaying answered to a bad line, as one line.

    >>> error_line({"error": {"line": 3, "place": "deals[0].bids[1]", "message": "no bid"}})
    'line 3, deals[0].bids[1]: no bid'
    """
    error = answer["error"]
    place = f", {error['place']}" if error["place"] else ""
    return f"line {error['line']}{place}: {error['message']}"


def _header(rule_set: Rules, record: Record, title: str) -> str:
    changes = [f"{name}={format_value(value)}" for name, value in rule_set.changes().items()]
    about = [bold(rule_set.name)]
    if isinstance(record.get("id"), str | int):
        about.append(f"id {record['id']}")
    about += [title] if title else []
    lines = ["  ·  ".join(about), wrapped(" ".join(changes)), dim(_LEGENDS[rule_set.family])]
    return "\n".join(line for line in lines if line)


def _due(record: Record, names: Sequence[str]) -> list[str]:
    due = record["next"]
    if due is None:
        return [] if record["complete"] else [dim("unfinished")]
    legal = " ".join(pretty(choice, due["kind"]) for choice in due["legal"])
    text = f"next: {names[due['seat']]} {_DUE[due['kind']]}, one of {legal}"
    return [wrapped(text, " " * len("next: "))]
