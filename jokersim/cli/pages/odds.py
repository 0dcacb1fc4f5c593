"""Answers of odds as tables with small bars."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from click import style

from jokersim.cards import TRUMPS, parse_card, pretty_card
from jokersim.cli.pages.marks import pretty
from jokersim.cli.texttable import Head, aligned, bold, count, dim, percent, points, spread

__all__ = ["odds_page", "open_page"]

_BAR: Final = 20
_LISTS: Final = {"bids": "bid", "calls": "trump", "plays": "play"}


def odds_page(document: Mapping[str, Any], *, on_terminal: bool) -> str:
    """Lay out odds of bids, calls or plays, the document that ``--json`` prints, as a page."""
    key = next(key for key in _LISTS if key in document)
    label = _LISTS[key]
    entries = document[key]
    four = "p_made" in entries[0]
    chance = "p_made" if four else "p_win"
    heads = [
        Head(label, left=True),
        Head("made" if four else "win"),
        Head("", left=True),
        Head("", left=True),
        Head("score" if four else "pairs"),
        Head("", left=True),
    ]
    heads += [Head("khishti"), Head("tricks, most likely first", left=True)] if four else []
    rows = []
    for entry in entries:
        best = entry[label] == document["best"]
        row = [
            _name(entry[label]),
            percent(entry[chance]),
            _margin(entry, chance, document),
            _bar(entry[chance], on_terminal),
            points(entry["score"]),
            "" if document["exact"] else spread(entry["score_low"], entry["score_high"]),
        ]
        if four:
            row += [percent(entry["p_khishti"]), _tricks(entry["tricks"])]
        rows.append([bold(cell) for cell in row] + [bold("best")] if best else [*row, ""])
    heads.append(Head("", left=True))
    parts = [_facts(document), aligned(heads, rows, gap="  ")]
    parts.append(_verdict(document, label))
    parts.append(dim(_how(document)))
    return "\n\n".join(parts)


def _facts(document: Mapping[str, Any]) -> str:
    rows = [["game", document["game"]]]
    cards = document.get("hand") or document.get("cards")
    if cards:
        rows.append(["cards", " ".join(pretty_card(parse_card(card)) for card in cards)])
    if document.get("turned"):
        rows.append(["turned", pretty_card(parse_card(document["turned"]))])
    elif document.get("trump"):
        rows.append(["trump", document["trump"]])
    if "position" in document:
        before = ", ".join(map(str, document["bids_before"])) or "none"
        rows.append(["position", f"{document['position']}, bids given before: {before}"])
    if "seat" in document:
        rows.append(["seat", f"{document['seat']}, deal {document['deal']}"])
    named = f"{document['policy']}, evidence: {document['condition']}"
    if "condition_policy" in document:
        named += f" as {document['condition_policy']} would"
    return aligned(
        [Head("", left=True), Head("", left=True)], [*rows, ["policy", named]]
    )  # fmt: skip


def _name(label: Any) -> str:
    """Write a candidate: a bid, a trump or a play."""
    is_play = isinstance(label, str) and label not in TRUMPS
    return pretty(label, "play") if is_play else str(label)


def _margin(entry: Mapping[str, Any], name: str, document: Mapping[str, Any]) -> str:
    if document["exact"]:
        return ""
    return f"± {50 * (entry[f'{name}_high'] - entry[f'{name}_low']):.2f}"


def _bar(share: float, on_terminal: bool) -> str:
    """Draw a share as a bar; in plain signs where no terminal shows it.

    >>> _bar(0.25, False)
    '#####'
    """
    if not on_terminal:
        return "#" * round(_BAR * share)
    whole, eighths = divmod(round(8 * _BAR * share), 8)
    return style("█" * whole + " ▏▎▍▌▋▊▉"[eighths].strip(), fg="cyan")


def _tricks(shares: list[float]) -> str:
    order = sorted(range(len(shares)), key=lambda taken: -shares[taken])[:3]
    return ", ".join(f"{taken}: {100 * shares[taken]:.0f} %" for taken in order if shares[taken])


def _verdict(document: Mapping[str, Any], label: str) -> str:
    margin = document["best_margin"]
    best = f"best {label}: {_name(document['best'])}"
    if margin is None:
        return f"{best}, the only one"
    text = f"{best}, over {_name(margin['over'])} by {points(margin['difference'])}"
    if document["exact"]:
        return text
    return f"{text} {spread(margin['low'], margin['high'])} ({percent(margin['sure'])} sure)"


def _how(document: Mapping[str, Any]) -> str:
    n = count(document["n"])
    if document["exact"]:
        return f"exact: all {n} worlds enumerated"
    text = f"{n} worlds, seed {document['seed']}, {100 * document['level']:g} % intervals"
    if document["attempts"] > document["n"]:
        text += f"; {count(document['attempts'])} drawn, the others disagreed with what was seen"
    if document["effective_n"] < document["n"]:
        text += f"; weighted, as good as {document['effective_n']:,.0f}"
    return text


def open_page(document: Mapping[str, Any]) -> str:
    """Lay out the values of open cards."""
    if "values" in document:
        heads = [Head("trump", left=True), Head("seat 0 more than seat 1"), Head("nodes")]
        rows = [
            [value["trump"], _bounds(value, "difference", "low", "high"), count(value["nodes"])]
            for value in document["values"]
        ]
        what = "pairs at the deal's end under perfect play, all cards known"
    else:
        heads = [Head("seat"), Head("most"), Head("fewest"), Head("nodes")]
        rows = [
            [
                str(seat["seat"]),
                _bounds(seat, "most", "most_low", "most_high"),
                _bounds(seat, "fewest", "fewest_low", "fewest_high"),
                count(seat["nodes"]),
            ]
            for seat in document["seats"]
        ]
        what = "tricks that a seat can force against the three others, all cards known"
    note = "exact" if document["exact"] else "bounds where the nodes did not suffice"
    return "\n\n".join([bold(f"open cards: {what}"), aligned(heads, rows), dim(note)])


def _bounds(entry: Mapping[str, Any], name: str, low: str, high: str) -> str:
    if entry[name] is not None:
        return str(entry[name])
    return f"{entry[low]} … {entry[high]}"
