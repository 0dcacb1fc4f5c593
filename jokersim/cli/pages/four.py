"""The deals of a four-player record, each as a grid with a column a seat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from jokersim.cli.pages.marks import (
    card,
    grid,
    hand_rows,
    heading,
    leaders,
    play,
    ranked,
    trump_sign,
)
from jokersim.cli.texttable import Head, aligned, bold, count
from jokersim.rules import FourRules

__all__ = ["LEGEND", "deals", "result"]

LEGEND: Final = "› leads   ● takes the trick   ✓ bid made   ✗ khishti"

Record = Mapping[str, Any]
Rows = list[tuple[str, list[str]]]

SEATS: Final = 4
NINE: Final = 9


def deals(record: Record, rules: FourRules, names: Sequence[str]) -> list[str]:
    """Lay out every deal, with the running totals."""
    pages = []
    totals = [0] * SEATS
    for i, deal in enumerate(record["deals"]):
        rows = [*hand_rows(deal["hands"]), *_play_rows(deal)]
        if deal.get("scores") is not None:
            booked = _booked(record, rules, i)
            totals = [
                total + score + (booked[seat] if booked else 0)
                for seat, (total, score) in enumerate(zip(totals, deal["scores"], strict=True))
            ]
            rows += _score_rows(deal, booked, totals)
        pages.append(heading(*_heading(deal, rules, i)) + "\n" + grid(names, rows))
    return pages


def result(record: Record, names: Sequence[str]) -> list[str]:
    """Write the ranks of a finished game, best first."""
    ranks = record.get("ranks")
    if ranks is None:
        return []
    order = sorted(range(SEATS), key=lambda seat: (ranks[seat], seat))
    rows = [
        [bold(ranked(ranks[seat])), names[seat], count(record["totals"][seat])] for seat in order
    ]
    return [aligned([Head("", left=True), Head("", left=True), Head("")], rows)]


def _heading(deal: Record, rules: FourRules, i: int) -> list[str]:
    size = rules.deal_sizes[i]
    parts = [
        f"Deal {i + 1} of {rules.n_deals}",
        f"pulka {rules.pulka_of_deal[i] + 1}",
        f"{size} card{'s' * (size > 1)}",
        f"seat {deal['dealer']} deals",
    ]
    trump = deal.get("trump")
    if trump is None:
        return [*parts, "trump not named yet"]
    if size < NINE:
        return [*parts, f"{trump_sign(trump)} ({card(deal['turned'])} turned)"]
    chooser = (deal["dealer"] + 1) % SEATS
    seen = " ".join(card(text) for text in deal["hands"][chooser][:3])
    return [*parts, f"{trump_sign(trump)} (seat {chooser} on {seen})"]


def _play_rows(deal: Record) -> Rows:
    bids = deal.get("bids") or [None] * SEATS
    rows: Rows = [("bid", ["" if bid is None else str(bid) for bid in bids])]
    takers = deal["takers"]
    led_by = leaders(takers, (deal["dealer"] + 1) % SEATS)
    for trick, plays in enumerate(deal.get("plays") or []):
        cells = [""] * SEATS
        for position, text in enumerate(plays):
            seat = (led_by[trick] + position) % SEATS
            takes = trick < len(takers) and takers[trick] == seat
            cells[seat] = play(text, leads=position == 0, takes=takes)
        rows.append((f"trick {trick + 1}", cells))
    return rows


def _score_rows(deal: Record, booked: Sequence[int] | None, totals: Sequence[int]) -> Rows:
    took, scores = [], []
    for bid, taken, score in zip(deal["bids"], deal["taken"], deal["scores"], strict=True):
        took.append(f"{taken} ✓" if bid == taken else f"{taken}")
        scores.append(count(score) + (" ✗" if bid and not taken else ""))
    rows: Rows = [("took", took), ("score", scores)]
    if booked is not None and any(booked):
        rows.append(("premium", [f"{points:+,}" if points else "" for points in booked]))
    rows.append(("total", [bold(count(total)) for total in totals]))
    return rows


def _booked(record: Record, rules: FourRules, i: int) -> Sequence[int] | None:
    """Answer what a pulka's end added or took, where deal `i` is its last."""
    pulka = rules.pulka_of_deal[i]
    ends = i + 1 == rules.n_deals or rules.pulka_of_deal[i + 1] != pulka
    booked: Sequence[int] | None = record["premiums"][pulka] if ends else None
    return booked
