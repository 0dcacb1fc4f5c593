"""The summary of a run as a page: what each family of games shows is data here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from jokersim.cli.texttable import (
    Head,
    aligned,
    bold,
    count,
    dim,
    duration,
    large,
    percent,
    points,
    spread,
)

__all__ = ["summary_page"]

Row = Mapping[str, Any]


class Figure(NamedTuple):
    """A column of a table: its head, and its text in a row of the summary."""

    head: str
    text: Callable[[Row], str]
    left: bool = False


class View(NamedTuple):
    """A table of the page: its title, the summary's list that its rows are, its columns."""

    title: str
    key: str
    figures: tuple[Figure, ...]


def _share(head: str, key: str) -> Figure:
    return Figure(head, lambda row: percent(row[key]))


def _mean(head: str, key: str, low: str, high: str) -> tuple[Figure, Figure]:
    return (
        Figure(head, lambda row: points(row[key])),
        Figure("", lambda row: spread(row[low], row[high]), left=True),
    )


def _name(key: str) -> Figure:
    return Figure(key, lambda row: str(row[key]), left=True)


_SCORE: Final = _mean("mean score", "mean_score", "low", "high")
_RATES: Final = (_share("made", "made"), _share("khishti", "khishti"), _share("premium", "premium"))
_PAYOFF: Final = (*_mean("payoff", "payoff", "payoff_low", "payoff_high"), _share("won", "won"))


def _rank(place: int, head: str) -> Figure:
    return Figure(head, lambda row: percent(row["ranks"][place]))


def _quantile(share: str, head: str) -> Figure:
    return Figure(head, lambda row: points(row["quantiles"][share], 0))


VIEWS: Final = {
    "four": (
        View("by seat", "seats", (_name("seat"), *_SCORE, *_RATES, _share("first", "first"))),
        View(
            "by place after the first dealer (place 0)",
            "places",
            (_name("place"), *_SCORE, *_RATES),
        ),
        View(
            "places: shares of ranks, quantiles of totals",
            "places",
            (
                _name("place"),
                *(_rank(i, head) for i, head in enumerate(("1st", "2nd", "3rd", "4th"))),
                *(
                    _quantile(share, head)
                    for share, head in (
                        ("0.05", "5 %"), ("0.25", "25 %"), ("0.5", "median"),
                        ("0.75", "75 %"), ("0.95", "95 %"),
                    )
                ),
            ),
        ),
    ),
    "two": (
        View("by seat", "seats", (_name("seat"), *_SCORE, *_PAYOFF)),
        View(
            "by place: first declarer (place 0) or not",
            "places",
            (_name("place"), *_SCORE, *_PAYOFF),
        ),
    ),
}  # fmt: skip
"""The tables of each family's summary, in order."""


def summary_page(
    document: Mapping[str, Any], family: str, *, drawn: bool = False, note: str = ""
) -> str:
    """Lay out a summary, the document that ``--json`` prints, as a page of some 90 columns.

    `drawn` says that the seed was drawn from the system; `note` follows the number of games.
    """
    parts = [_header(document, drawn, note)]
    for view in VIEWS[family]:
        heads = [Head(figure.head, figure.left) for figure in view.figures]
        rows = [[figure.text(row) for figure in view.figures] for row in document[view.key]]
        parts.append(bold(view.title) + "\n" + aligned(heads, rows, gap="  "))
    parts.append(dim(f"± half of the {100 * document['level']:g} % interval over games"))
    return "\n\n".join(parts)


def _header(document: Mapping[str, Any], drawn: bool, note: str) -> str:
    rows = [
        ["game", document["game"]],
        ["games", count(document["games"]) + note],
        ["seed", str(document["seed"]) + (" (drawn)" if drawn else "")],
        ["policies", _policies(document["policies"])],
    ]
    changes = document.get("rules") or {}
    if changes:
        from jokersim.rules import format_value

        rows.insert(
            1, ["rules", ", ".join(f"{name}={format_value(changes[name])}" for name in changes)]
        )
    if document.get("seconds") is not None:
        rate = document["games_per_minute"]
        speed = "" if rate is None else f", {large(rate)} games a minute"
        rows.append(["wall time", duration(document["seconds"]) + speed])
    return "\n".join(f"{bold(name.ljust(9))}  {value}" for name, value in rows)


def _policies(names: list[str]) -> str:
    return names[0] + " in every seat" if len(set(names)) == 1 else ", ".join(names)
