"""The deals of a two-player record, each as a grid with a column a seat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from jokersim.cli.pages.marks import card, grid, hand_rows, heading, leaders, play, trump_sign
from jokersim.cli.texttable import bold, count, points
from jokersim.rules import TwoRules

__all__ = ["LEGEND", "deals", "result"]

LEGEND: Final = "› leads   ● takes the pair   A♠ / 7♦ open card on covered card"

Record = Mapping[str, Any]
Rows = list[tuple[str, list[str]]]

SEATS: Final = 2
PLACES: Final = 5


def deals(record: Record, rules: TwoRules, names: Sequence[str]) -> list[str]:
    """Lay out every deal, with the running points."""
    pages = []
    totals = [0] * SEATS
    for i, deal in enumerate(record["deals"]):
        rows = [*hand_rows(deal["hands"]), *_table_rows(deal), *_play_rows(deal)]
        gained = deal.get("points")
        if gained is not None:
            totals = [total + gain for total, gain in zip(totals, gained, strict=True)]
            rows.append(("points", [f"{gain:+,}" if gain else "" for gain in gained]))
            rows.append(("total", [bold(f"{count(total)} of {rules.target}") for total in totals]))
        pages.append(heading(*_heading(deal, i)) + "\n" + grid(names, rows))
    return pages


def result(record: Record, names: Sequence[str]) -> list[str]:
    """Write who won a finished party, and what it pays."""
    if record.get("void"):
        return [bold("void: every stake returns")]
    winner = record.get("winner")
    if winner is None:
        return []
    score = " : ".join(count(total) for total in record["totals"])
    multiplier = record.get("multiplier", 1)
    times = f", {multiplier} times the stake" if multiplier > 1 else ""
    paid = " and ".join(
        f"{points(amount)} to {name}" for amount, name in zip(record["payoff"], names, strict=True)
    )
    how = " by a decline" if _declined(record) else ""
    return [f"{bold(names[winner])} wins{how}, {score}{times}; pays {paid}"]


def _declined(record: Record) -> bool:
    offers = record["deals"][-1].get("davi")
    return bool(offers) and offers[-1]["action"] == "decline"


def _heading(deal: Record, i: int) -> list[str]:
    parts = [f"Deal {i + 1}"]
    declarer = deal.get("declarer")
    if declarer is None:
        return parts
    trump = deal.get("trump")
    seen = " ".join(card(text) for text in deal["hands"][declarer][:3])
    named = "trump not named yet" if trump is None else trump_sign(trump)
    return [*parts, f"seat {declarer} declares", f"{named} (on {seen})"]


def _table_rows(deal: Record) -> Rows:
    return [
        (
            f"place {place}",
            [
                f"{card(deal['up'][s][place])} / {card(deal['down'][s][place])}"
                for s in range(SEATS)
            ],
        )
        for place in range(PLACES)
    ]


def _play_rows(deal: Record) -> Rows:
    rows: Rows = []
    takers = deal["takers"]
    plays = deal.get("plays") or []
    led_by = leaders(takers, deal["declarer"])
    offers = deal.get("davi") or []
    last = max([len(plays), *(entry["trick"] + 1 for entry in offers)])
    for trick in range(last):
        rows += [
            ("davi", [entry["action"] if entry["seat"] == seat else "" for seat in range(SEATS)])
            for entry in offers
            if entry["trick"] == trick
        ]
        if trick >= len(plays) or not plays[trick]:
            continue
        cells = [""] * SEATS
        for position, text in enumerate(plays[trick]):
            seat = (led_by[trick] + position) % SEATS
            takes = trick < len(takers) and takers[trick] == seat
            cells[seat] = play(text, leads=position == 0, takes=takes)
        rows.append((f"pair {trick + 1}", cells))
    rows.append(("pairs", [str(taken) for taken in deal["pairs"]]))
    return rows
