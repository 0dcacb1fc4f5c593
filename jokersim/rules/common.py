"""What the rule sets of all games share: a name, the common options, and how options come and go.

Owns the check of a whole rule set; a frozen rule set that exists is valid, however it was made.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from jokersim.errors import InputError
from jokersim.rules.options import GAP, declared, flag, one_of, options_of, shown
from jokersim.rules.presets import PRESETS, Family, preset

__all__ = ["BaseRules"]

SecondHighVsCut = Literal["joker", "trump"]


@dataclass(frozen=True, slots=True)
class BaseRules:
    """The common part of `FourRules` and `TwoRules`; made by `jokersim.rules.rules`.

    `name` is the preset that the rule set started from; every option is an attribute. Rule sets
    are equal when their names and all their options are.
    """

    family: ClassVar[Family]
    seats: ClassVar[int]

    name: str
    must_trump: bool = field(
        default=True,
        metadata=declared(
            flag(),
            "a player void in the led suit must trump (always under a led HIGH joker)",
            "source text; gap for two players",
        ),
    )
    second_high_vs_cut: SecondHighVsCut = field(
        default="joker",
        metadata=declared(
            one_of(SecondHighVsCut),
            "what takes a led HIGH joker's trick that has both a trump and a HIGH joker in reply "
            "(no effect with two players)",
            GAP,
        ),
    )

    def __post_init__(self) -> None:
        """Check every option and keep it in its one stored form."""
        own = preset(self.name)
        if own.family != self.family:
            names = ", ".join(p.name for p in PRESETS.values() if p.family == self.family)
            raise InputError(
                f"{shown(self.name)} is no game of {self.seats} players: the presets are {names}"
            )
        for option in options_of(type(self)).values():
            object.__setattr__(self, option.name, option.read(getattr(self, option.name)))
        self._check_combinations()

    def _check_combinations(self) -> None:
        """Refuse options that are allowed alone but not together."""

    def options(self) -> dict[str, Any]:
        """List every option and its value, JSON-ready (lists for tuples).

        >>> from jokersim.rules import rules
        >>> rules("japanese-7").options()["target"]
        7
        """
        return {name: _json_ready(getattr(self, name)) for name in options_of(type(self))}

    def changes(self) -> dict[str, Any]:
        """List the options that differ from the preset, JSON-ready.

        ``rules(r.name, **r.changes())`` equals ``r``.

        >>> from jokersim.rules import rules
        >>> rules("nines-500", khishti=-500, hook="none").changes()
        {'hook': 'none'}
        """
        started_from = _preset_values(type(self), self.name)
        return {
            name: _json_ready(value)
            for name, usual in started_from.items()
            if (value := getattr(self, name)) != usual
        }


def _preset_values(rule_set: type[BaseRules], name: str) -> Mapping[str, object]:
    changes = PRESETS[name].changes
    return {
        option.name: option.read(changes.get(option.name, option.default))
        for option in options_of(rule_set).values()
    }


def _json_ready(value: object) -> object:
    return [_json_ready(item) for item in value] if isinstance(value, tuple) else value
