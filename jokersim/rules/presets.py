"""The named presets: which family of games each belongs to and what it changes.

Plain data. A preset holds only what differs from its family's defaults, which stand beside the
options' declarations. Knows nothing of how options are checked.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, Literal

from jokersim.errors import InputError
from jokersim.rules.options import shown

__all__ = ["CLASSIC_SCHEDULE", "PRESETS", "Family", "Preset", "preset"]

Family = Literal["four", "two"]

_UP: Final = (1, 2, 3, 4, 5, 6, 7, 8)
_NINES: Final = (9, 9, 9, 9)
CLASSIC_SCHEDULE: Final = (_UP, _NINES, _UP[::-1], _NINES)


@dataclass(frozen=True, slots=True)
class Preset:
    """A named rule set: the options that differ from the defaults of its family."""

    name: str
    family: Family
    meaning: str
    changes: Mapping[str, object] = field(default_factory=lambda: MappingProxyType({}))


def _named(name: str, family: Family, meaning: str, **changes: object) -> Preset:
    return Preset(name, family, meaning, MappingProxyType(changes))


_ALL_PRESETS: Final = (
    _named("classic", "four", "24 deals in four pulkas: 1 to 8 cards, nines, 8 to 1 card, nines"),
    _named("nines", "four", "16 deals in four pulkas, nine cards each", schedule=(_NINES,) * 4),
    _named(
        "classic-200-500",
        "four",
        "Classic with a khishti of -200, and -500 at nine cards",
        khishti=(-200,) * 8 + (-500,),
    ),
    _named(
        "classic-speci",
        "four",
        "Classic with a khishti of -100 a card of the hand (speci)",
        khishti=tuple(-100 * n for n in range(1, 10)),
    ),
    _named(
        "nines-500", "four", "Nines with a khishti of -500", schedule=(_NINES,) * 4, khishti=-500
    ),
    _named(
        "nines-900", "four", "Nines with a khishti of -900", schedule=(_NINES,) * 4, khishti=-900
    ),
    _named(
        "classic-moshla",
        "four",
        "Classic where a lone premium erases the best score of all others",
        erase="all_others_if_single",
    ),
    _named(
        "classic-left",
        "four",
        "Classic where a premium erases to the left, the first dealer is drawn by ace, "
        "and the last deal of a pulka is no candidate",
        first_dealer="ace_draw",
        premium_exclude_last=True,
        erase="left_neighbour",
        erase_exclude_last=True,
    ),
    _named("japanese", "two", "Japanese Joker to 11 points"),
    *(
        _named(f"japanese-{target}", "two", f"Japanese Joker to {points}", target=target)
        for target, points in ((1, "1 point"), (3, "3 points"), (7, "7 points"), (21, "21 points"))
    ),
    _named(
        "japanese-davi",
        "two",
        "Japanese Joker to 11 points with party davi up to six times the stake",
        davi="party",
        davi_cap=6,
    ),
)

PRESETS: Final[Mapping[str, Preset]] = MappingProxyType({p.name: p for p in _ALL_PRESETS})


def preset(name: object) -> Preset:
    """Look a preset up by its exact name.

    Raises `InputError` listing the presets for any other value.

    >>> preset("nines-500").family
    'four'
    """
    found = PRESETS.get(name) if isinstance(name, str) else None
    if found is None:
        raise InputError(f"no game is called {shown(name)}: the presets are {', '.join(PRESETS)}")
    return found
