"""The summary of a run as a page: what each family of games shows is data here."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from operator import itemgetter
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
    percent_spread,
    points,
    spread,
    wrapped,
)

__all__ = ["summary_page"]

Row = Mapping[str, Any]


class Figure(NamedTuple):
    """A column of a table: its head, and its text in a row of the summary."""

    head: str
    text: Callable[[Row], str]
    left: bool = False


class View(NamedTuple):
    """A table of the page: its title, its rows in the summary (none: no table), its columns."""

    title: str
    rows: Callable[[Row], Sequence[Row]]
    figures: tuple[Figure, ...]


def _listed(key: str) -> Callable[[Row], Sequence[Row]]:
    return lambda document: document[key]


def _share(head: str, key: str) -> Figure:
    return Figure(head, lambda row: percent(row[key]))


def _mean(head: str, key: str, low: str, high: str, digits: int = 2) -> tuple[Figure, Figure]:
    return (
        Figure(head, lambda row: points(row[key], digits)),
        Figure("", lambda row: spread(row[low], row[high], digits), left=True),
    )


def _name(key: str) -> Figure:
    return Figure(key, lambda row: str(row[key]), left=True)


_SCORE: Final = _mean("mean score", "mean_score", "low", "high")
_RATES: Final = (_share("made", "made"), _share("khishti", "khishti"), _share("premium", "premium"))
_RETURN: Final = (
    Figure("payoff", lambda row: points(row["payoff"], 4)),
    _share("return", "return"),
    Figure("", lambda row: percent_spread(row["return_low"], row["return_high"]), left=True),
)
_PARTY: Final = (
    *_RETURN,
    _share("won", "won"),
    Figure("pairs", lambda row: points(row["pairs"])),
    _share("deals won", "deals_won"),
)


def _rank(place: int, head: str) -> Figure:
    return Figure(head, lambda row: percent(row["ranks"][place]))


def _quantile(share: str, head: str) -> Figure:
    return Figure(head, lambda row: points(row["quantiles"][share], 0))


def _party_rows(document: Row) -> list[Row]:
    """Answer the figures of parties, a row each; a party's own value or its share."""
    parties = document["parties"]

    def row(label: str, key: str, write: Callable[[float], str]) -> Row:
        low, high = parties[f"{key}_low"], parties[f"{key}_high"]
        return {
            "figure": label,
            "value": write(parties[key]),
            "low": write(low),
            "high": write(high),
        }

    return [
        row("deals a party", "deals", points),
        row("pairs of the declarer, a deal", "declarer_pairs", points),
        row("parties ended by a decline", "declined", percent),
        row("void parties", "void", percent),
    ]


def _multipliers(document: Row) -> Sequence[Row]:
    rows: Sequence[Row] = document["parties"]["multipliers"]
    return rows if len(rows) > 1 else []


_QUANTILES: Final = (
    ("0.05", "5 %"), ("0.25", "25 %"), ("0.5", "median"), ("0.75", "75 %"), ("0.95", "95 %"),
)  # fmt: skip

VIEWS: Final = {
    "four": (
        View(
            "by seat",
            _listed("seats"),
            (_name("seat"), *_SCORE, *_RATES, _share("first", "first")),
        ),
        View(
            "by place after the first dealer (place 0)",
            _listed("places"),
            (_name("place"), *_SCORE, *_RATES),
        ),
        View(
            "by place: shares of ranks, quantiles of totals",
            _listed("places"),
            (
                _name("place"),
                *(_rank(i, head) for i, head in enumerate(("1st", "2nd", "3rd", "4th"))),
                *(_quantile(share, head) for share, head in _QUANTILES),
            ),
        ),
    ),
    "two": (
        View("by seat, a party", _listed("seats"), (_name("seat"), *_SCORE, *_PARTY)),
        View(
            "by place: the first declarer (place 0) or not",
            _listed("places"),
            (_name("place"), *_SCORE, *_PARTY),
        ),
        View("by policy", _listed("by_policy"), (_name("policy"), *_RETURN)),
        View(
            "parties",
            _party_rows,
            (
                _name("figure"),
                *(Figure(key, itemgetter(key)) for key in ("value", "low", "high")),
            ),
        ),
        View(
            "deals by difference of pairs",
            lambda document: document["parties"]["differences"],
            (_name("difference"), _share("share", "share")),
        ),
        View(
            "parties by multiplier of the stake",
            _multipliers,
            (_name("multiplier"), _share("share", "share")),
        ),
    ),
}
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
        rows = [[figure.text(row) for figure in view.figures] for row in view.rows(document)]
        if not rows:
            continue
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
            1, ["rules", " ".join(f"{name}={format_value(changes[name])}" for name in changes)]
        )
    if "deals" in document:
        rows.append(["deals", f"given, sha256 {document['deals'][:16]}…"])
    if "kept" in document:
        kept = document["kept"]
        share = f"{percent(kept['share'])} of {count(kept['rows'])} rows of deals"
        rows.append(["where", document.get("where", "")])
        rows.append(["kept", f"{count(kept['kept'])}, {share}"])
    if document.get("seconds") is not None:
        rate = document["games_per_minute"]
        speed = "" if rate is None else f", {large(rate)} games a minute"
        rows.append(["wall time", duration(document["seconds"]) + speed])
    return "\n".join(
        f"{bold(name.ljust(9))}  {wrapped(value, ' ' * 11, 84)}" for name, value in rows
    )


def _policies(names: list[str]) -> str:
    return names[0] + " in every seat" if len(set(names)) == 1 else ", ".join(names)
