"""Rows that describe presets and options, for tables, help and documents.

Made from the declarations alone, so that what is printed is what is checked. Prints nothing.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from jokersim.rules.build import RULE_SETS, Rules, rules
from jokersim.rules.options import options_of
from jokersim.rules.presets import PRESETS, Family

__all__ = ["OptionRow", "PresetRow", "option_rows", "preset_rows"]


class PresetRow(NamedTuple):
    """One preset; `changes` are its differences from the family's defaults, JSON-ready."""

    name: str
    seats: int
    family: Family
    meaning: str
    changes: dict[str, Any]


class OptionRow(NamedTuple):
    """One option of a rule set; `default` and `value` are JSON-ready."""

    option: str
    value: Any
    default: Any
    allowed: str
    meaning: str
    source: str


def preset_rows() -> list[PresetRow]:
    """List every preset.

    >>> [row.name for row in preset_rows() if row.seats == 2][:2]
    ['japanese', 'japanese-1']
    """
    rows = []
    for found in PRESETS.values():
        options = rules(found.name).options()
        changes = {name: options[name] for name in options if name in found.changes}
        seats = RULE_SETS[found.family].seats
        rows.append(PresetRow(found.name, seats, found.family, found.meaning, changes))
    return rows


def option_rows(rule_set: Rules | str) -> list[OptionRow]:
    """List every option of a rule set, or of the preset of that name.

    >>> option_rows("japanese-7")[2][:4]
    ('target', 7, 11, 'an integer 1..1000')
    """
    own = rules(rule_set) if isinstance(rule_set, str) else rule_set
    defaults = rules("classic" if own.family == "four" else "japanese").options()
    values = own.options()
    return [
        OptionRow(o.name, values[o.name], defaults[o.name], o.kind.allowed, o.meaning, o.source)
        for o in options_of(type(own)).values()
    ]
