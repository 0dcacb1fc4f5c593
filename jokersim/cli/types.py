"""The kinds of values that options take.

Each reads the text of a flag or of the environment, and the typed value of a configuration file;
neither is guessed at: ``true`` is no number and 1.5 no whole one.
"""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Any, Final

import click

__all__ = ["LEVEL", "SEED", "Count", "Level", "Names", "PathType", "PlaceType", "Text"]

_INTEGER: Final = re.compile(r"[+-]?\d+(_\d+)*", re.ASCII)
_MAX_DIGITS: Final = 40
_URI: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")


class Kind(click.ParamType):  # type: ignore[type-arg]  # generic only since click 8.4
    """A kind of value with a name of its own."""

    def __init__(self, name: str) -> None:
        self.name = name


class Count(Kind):
    """A whole number within bounds."""

    def __init__(
        self, low: int = 1, high: int | None = None, called: str = "", name: str = "N"
    ) -> None:
        super().__init__(name)
        self._low = low
        self._high = high
        bounds = f"of at least {low}" if high is None else f"from {low} to {high}"
        self._called = called or f"whole number {bounds}"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Read a whole number."""
        number = _whole(value)
        if number is None or number < self._low or (self._high is not None and number > self._high):
            self.fail(f"{_shown(value)} is no {self._called}", param, ctx)
        return number


class Level(Kind):
    """A confidence level."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Read a number between 0 and 1."""
        try:
            level = math.nan if isinstance(value, bool) else float(value)
        except (TypeError, ValueError):
            level = math.nan
        if not 0 < level < 1:
            self.fail(f"{_shown(value)} is no level between 0 and 1, such as 0.95", param, ctx)
        return level


class Text(Kind):
    """A text; a configuration file may not give anything else for it."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Take a text."""
        if not isinstance(value, str):
            self.fail(f"{_shown(value)} is no text", param, ctx)
        return value


class Names(Kind):
    """Names separated by commas, or a list of them in a configuration file."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, ...]:
        """Split at commas."""
        parts = value.split(",") if isinstance(value, str) else value
        if not isinstance(parts, list | tuple) or not all(isinstance(part, str) for part in parts):
            self.fail(f"{_shown(value)} is no list of names separated by commas", param, ctx)
        names = tuple(part.strip() for part in parts)
        if not all(names):
            self.fail(f"{_shown(value)} has an empty name in it", param, ctx)
        return names


class PathType(Kind):
    """The path of a file or folder; whether something stands there is the command's to ask."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """Take a path."""
        if isinstance(value, Path):
            return value
        if not isinstance(value, str) or not value or "\0" in value:
            self.fail(f"{_shown(value)} is no path", param, ctx)
        return Path(value)


class PlaceType(PathType):
    """The folder of a dataset: a path, or the URI of a file system (``s3://bucket/run``)."""

    def convert(  # type: ignore[override]
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> Path | str:
        """Take a path, or a URI as it is."""
        if isinstance(value, str) and _URI.match(value) and "\0" not in value:
            return value
        return super().convert(value, param, ctx)


LEVEL: Final = Level("P")
SEED: Final = Count(0, 2**63 - 1, "seed, a whole number from 0 to 2^63 - 1", "S")


def _whole(value: Any) -> int | None:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, str) and len(value) <= _MAX_DIGITS and _INTEGER.fullmatch(value.strip()):
        return int(value)
    return None


def _shown(value: Any) -> str:
    text = value if isinstance(value, str) and value else repr(value)
    return text if len(text) <= 2 * _MAX_DIGITS else text[: 2 * _MAX_DIGITS] + "…"
