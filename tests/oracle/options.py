"""Presets and options of the rule sets, and what a record may say of them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from tests.oracle.fault import Fault

COMMON = {"must_trump": True, "second_high_vs_cut": "joker"}
CLASSIC: dict[str, Any] = COMMON | {
    "schedule": [list(range(1, 9)), [9] * 4, list(range(8, 0, -1)), [9] * 4],
    "first_dealer": "random",
    "hook": "dealer",
    "khishti": -200,
    "full_bid_bonus": "all",
    "premium": "double_best",
    "premium_exclude_last": False,
    "erase": "none",
    "erase_exclude_last": False,
}
NINES = CLASSIC | {"schedule": [[9] * 4] * 4}
JAPANESE: dict[str, Any] = COMMON | {
    "declarer_rotation": "alternate",
    "table_open": "leader_first_lead",
    "target": 11,
    "stake": 1.0,
    "rake": 0,
    "davi": "off",
    "davi_cap": 2,
    "failure_rate": 0,
}
LEFT = {
    "first_dealer": "ace_draw",
    "premium_exclude_last": True,
    "erase": "left_neighbour",
    "erase_exclude_last": True,
}
PRESETS: dict[str, dict[str, Any]] = {
    "classic": CLASSIC,
    "classic-200-500": CLASSIC | {"khishti": [-200] * 8 + [-500]},
    "classic-speci": CLASSIC | {"khishti": [-100 * n for n in range(1, 10)]},
    "classic-moshla": CLASSIC | {"erase": "all_others_if_single"},
    "classic-left": CLASSIC | LEFT,
    "nines": NINES,
    "nines-500": NINES | {"khishti": -500},
    "nines-900": NINES | {"khishti": -900},
    "japanese": JAPANESE,
    "japanese-1": JAPANESE | {"target": 1},
    "japanese-3": JAPANESE | {"target": 3},
    "japanese-7": JAPANESE | {"target": 7},
    "japanese-21": JAPANESE | {"target": 21},
    "japanese-davi": JAPANESE | {"davi": "party", "davi_cap": 6},
}


def is_whole(value: object, low: int, high: int) -> bool:
    """Whether a JSON value is an integer (never true or false) from `low` to `high`."""
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


def _is_number(value: object) -> bool:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return number and math.isfinite(value)  # type: ignore[arg-type]


def _is_list(value: object, low: int, high: int, each: Callable[[Any], bool]) -> bool:
    return isinstance(value, list) and low <= len(value) <= high and all(map(each, value))


def _one_of(*texts: str) -> tuple[Callable[[Any], bool], str]:
    return (lambda value: isinstance(value, str) and value in texts), " or ".join(texts)


_BOOLEAN = (lambda value: isinstance(value, bool)), "true or false"
_MILLION = 10**6

#: Option -> a test of its value, and the words that say what would be right.
ALLOWED: dict[str, tuple[Callable[[Any], bool], str]] = {
    "must_trump": _BOOLEAN,
    "second_high_vs_cut": _one_of("joker", "trump"),
    "schedule": (
        lambda value: _is_list(
            value, 1, 64, lambda pulka: _is_list(pulka, 1, 64, lambda n: is_whole(n, 1, 9))
        ),
        "a list of 1 to 64 pulkas, each a list of 1 to 64 hand sizes 1..9",
    ),
    "first_dealer": (
        lambda value: (
            is_whole(value, 0, 3) or (isinstance(value, str) and value in ("random", "ace_draw"))
        ),
        "random, ace_draw or a seat 0..3",
    ),
    "hook": _one_of("dealer", "none"),
    "khishti": (
        lambda value: (
            is_whole(value, -_MILLION, _MILLION)
            or _is_list(value, 9, 9, lambda n: is_whole(n, -_MILLION, _MILLION))
        ),
        "an integer or a list of nine integers, each within a million",
    ),
    "full_bid_bonus": _one_of("all", "nine_only", "none"),
    "premium": _one_of("double_best", "none"),
    "premium_exclude_last": _BOOLEAN,
    "erase": _one_of("none", "all_others", "all_others_if_single", "left_neighbour"),
    "erase_exclude_last": _BOOLEAN,
    "declarer_rotation": _one_of("alternate", "winner", "loser", "random", "fixed"),
    "table_open": _one_of("leader_first_lead", "both_first_trick", "none"),
    "target": (lambda value: is_whole(value, 1, 1000), "an integer 1..1000"),
    "stake": (lambda value: _is_number(value) and value > 0, "a number above 0"),
    "rake": (lambda value: _is_number(value) and 0 <= value < 1, "a number from 0, below 1"),
    "davi": _one_of("off", "party"),
    "davi_cap": (lambda value: is_whole(value, 2, 6), "an integer 2..6"),
    "failure_rate": (
        lambda value: _is_number(value) and 0 <= value < 1,
        "a number from 0, below 1",
    ),
}


def read_options(game: object, changes: object) -> dict[str, Any]:
    """All options of a record, from its `game` and `rules`."""
    if not isinstance(game, str) or game not in PRESETS:
        raise Fault("game", f"{game!r} is no preset; there are {', '.join(PRESETS)}")
    preset = PRESETS[game]
    if changes is None:
        return dict(preset)
    if not isinstance(changes, dict):
        raise Fault("rules", "the rules are an object of options")
    for name, value in changes.items():
        if name not in preset:
            raise Fault(f"rules.{name}", f"{game} has no option {name}; it has {', '.join(preset)}")
        good, words = ALLOWED[name]
        if not good(value):
            raise Fault(f"rules.{name}", f"{name} is {value!r}, and must be {words}")
    return preset | changes
