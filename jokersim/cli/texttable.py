"""Aligned tables in plain text, and the numbers in them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from textwrap import wrap
from typing import NamedTuple

from click import style, unstyle

__all__ = [
    "Head",
    "aligned",
    "bold",
    "count",
    "dim",
    "duration",
    "large",
    "percent",
    "points",
    "spread",
    "wrapped",
]

_NONE = "–"


class Head(NamedTuple):
    """The head of a column; numbers stand to the right, words to the left."""

    text: str
    left: bool = False


def aligned(
    heads: Sequence[Head], rows: Sequence[Sequence[str]], gap: str = "   ", width: int | None = None
) -> str:
    """Lay out a table; the row of heads is left away where all are empty.

    Cells may be styled. With a `width`, what is too long of the last column goes to further lines.

    >>> table = aligned([Head("seat", left=True), Head("score")], [["0", "1,200"], ["1", "-90"]])
    >>> print(unstyle(table))
    seat   score
    0      1,200
    1        -90
    """
    widths = [
        max(_width(line) for line in (head.text, *(row[i] for row in rows)))
        for i, head in enumerate(heads)
    ]
    before = sum(widths[:-1]) + len(gap) * (len(widths) - 1)
    lines = []
    if any(head.text for head in heads):
        lines.append(_laid(heads, widths, [dim(head.text) for head in heads], gap))
    for row in rows:
        last = [row[-1]] if width is None else wrap(row[-1], max(20, width - before)) or [""]
        lines.append(_laid(heads, widths, [*row[:-1], last[0]], gap))
        lines += [" " * before + line for line in last[1:]]
    return "\n".join(lines)


def _laid(heads: Sequence[Head], widths: Sequence[int], cells: Sequence[str], gap: str) -> str:
    laid = []
    for head, cell, width in zip(heads, cells, widths, strict=True):
        room = " " * (width - _width(cell))
        laid.append(cell + room if head.left else room + cell)
    return gap.join(laid).rstrip()


def _width(text: str) -> int:
    return len(unstyle(text))


def wrapped(text: str, indent: str = "", width: int = 96) -> str:
    """Break a long line between words; further lines are indented.

    >>> print(wrapped("one two three", "  ", 10))
    one two
      three
    """
    lines = wrap(
        text, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )
    return "\n".join(lines)


def bold(text: str) -> str:
    """Make a text stand out, on a terminal."""
    return style(text, bold=True)


def dim(text: str) -> str:
    """Make a text stand back, on a terminal."""
    return style(text, dim=True)


def count(number: int) -> str:
    """Write a whole number in groups of three digits.

    >>> count(1_000_000)
    '1,000,000'
    """
    return f"{number:,}"


def large(number: float) -> str:
    """Write a number that is known to three digits or so.

    >>> large(4_017_869), large(912_345.6)
    ('4.02 million', '912,346')
    """
    return count(round(number)) if number < 1e6 else f"{number / 1e6:.2f} million"


def points(value: float | None, digits: int = 2) -> str:
    """Write a score or an amount.

    >>> points(-1234.567), points(None)
    ('-1,234.57', '–')
    """
    if value is None or not math.isfinite(value):
        return _NONE
    return f"{value:,.{digits}f}"


def percent(share: float | None) -> str:
    """Write a share as per cent.

    >>> percent(0.25)
    '25.00 %'
    """
    return _NONE if share is None or not math.isfinite(share) else f"{100 * share:.2f} %"


def spread(low: float | None, high: float | None, digits: int = 2) -> str:
    """Write half of an interval's width.

    >>> spread(9.5, 10.5)
    '± 0.50'
    """
    if low is None or high is None or not math.isfinite(high - low):
        return f"± {_NONE}"
    return f"± {(high - low) / 2:,.{digits}f}"


def percent_spread(low: float | None, high: float | None) -> str:
    """Write half of the width of a share's interval.

    >>> percent_spread(0.24, 0.26)
    '± 1.00 %'
    """
    if low is None or high is None or not math.isfinite(high - low):
        return f"± {_NONE}"
    return f"± {percent((high - low) / 2)}"


def duration(seconds: float) -> str:
    """Write a time in the unit that suits it.

    >>> duration(0.034), duration(7.25), duration(200), duration(7300)
    ('34 ms', '7.2 s', '3 min 20 s', '2 h 1 min')
    """
    if seconds < 0.1:
        return f"{1000 * seconds:.0f} ms"
    if seconds < 60:
        return f"{seconds:.1f} s"
    if seconds < 3600:
        return f"{int(seconds) // 60} min {int(seconds) % 60} s"
    return f"{int(seconds) // 3600} h {int(seconds) % 3600 // 60} min"
