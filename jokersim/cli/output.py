"""What is said where: results on stdout, everything else on stderr."""

from __future__ import annotations

import contextlib
import json
import math
import os
import sys
import warnings
from collections.abc import Iterator, Mapping
from typing import Any

import click

__all__ = ["Notes", "complain", "notes", "one_line", "print_json", "print_line", "print_text"]


def print_text(text: str) -> None:
    """Print a page for people; colours stay only on a terminal whose user wants them."""
    click.echo(text, color=False if os.environ.get("NO_COLOR") else None)


def print_json(document: Mapping[str, Any]) -> None:
    """Print one JSON document, strictly: a number that is not finite becomes null."""
    text = json.dumps(_finite(document), indent=2, ensure_ascii=False, allow_nan=False)
    click.echo(text.encode())


def print_line(line: str) -> None:
    """Print one line of JSON Lines, in UTF-8 whatever the locale."""
    click.echo(line.encode())


def complain(sentence: str) -> None:
    """Say on stderr what went wrong."""
    click.echo(f"jokersim: {one_line(sentence)}", err=True)


def one_line(text: str) -> str:
    """Join lines and runs of spaces.

    >>> one_line("no such option: --gamez   Did you mean --games?")
    'no such option: --gamez Did you mean --games?'
    """
    return " ".join(text.split())


def _finite(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return value


class Notes:
    """Remarks on stderr, which ``--quiet`` silences."""

    def __init__(self, *, quiet: bool) -> None:
        self.quiet = quiet
        self.on_terminal = sys.stderr.isatty()

    def say(self, sentence: str) -> None:
        """Say something, unless to be quiet."""
        if not self.quiet:
            complain(sentence)


@contextlib.contextmanager
def notes(*, quiet: bool) -> Iterator[Notes]:
    """Answer `Notes`, as which the library's warnings and log appear too, while this lasts."""
    import logging

    own = Notes(quiet=quiet)

    def show_warning(message: Warning | str, *_: Any, **__: Any) -> None:
        own.say(f"warning: {message}")

    class Handler(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            own.say(record.getMessage())

    logger, handler = logging.getLogger("jokersim"), Handler()
    logger.addHandler(handler)
    try:
        with warnings.catch_warnings():
            if quiet:
                warnings.simplefilter("ignore")
            warnings.showwarning = show_warning
            yield own
    finally:
        logger.removeHandler(handler)
