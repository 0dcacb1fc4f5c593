"""One deal of a four-player record, replayed at a table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from jokersim.cards import TRUMPS
from jokersim.records.error import RecordError, deal_errors_at
from jokersim.records.form import check_derived, is_integer, rows_of, trump_of
from jokersim.records.plays import replay_plays
from jokersim.rules.options import shown
from jokersim.table import Record, Table
from jokersim.table.four import FourTable

__all__ = ["DERIVED", "check_end", "replay_deal"]

DERIVED: Final = ("premiums", "totals", "complete", "ranks", "next")
"""Derived keys of a record, in the order in which they are checked."""

SEATS: Final = 4
_OF_DEAL: Final = ("takers", "taken", "scores")


def replay_deal(table: Table, deal: Record, at: str) -> None:
    """Replay a deal and check what it gives; `at` is its place in the record."""
    assert isinstance(table, FourTable)
    rows = rows_of(deal, at)
    index = table.n_deals
    with deal_errors_at(at):
        table.deal(deal.get("hands"), turned=deal.get("turned"))  # type: ignore[arg-type]
    dealer = table.dealer_of(index)
    check_derived(deal, {"dealer": dealer}, ("dealer",), f"{at}.")
    _trump(table, deal, at)
    _say_bids(table, _bids_of(deal, at), dealer, at)
    replay_plays(table, rows, 0, at)
    check_derived(deal, table.derived_deal(), _OF_DEAL, f"{at}.")


def check_end(table: Table, record: Mapping[str, Any]) -> None:
    """Check what a record says of the end besides derived values: nothing, for four players."""


def _bids_of(deal: Record, at: str) -> list[object]:
    bids = deal.get("bids")
    if bids is None:
        return [None] * SEATS
    if not isinstance(bids, list | tuple) or len(bids) != SEATS:
        raise RecordError(
            f"{at}.bids", f"bids is a list of four, by seat, null where not said, not {shown(bids)}"
        )
    return list(bids)


def _trump(table: FourTable, deal: Record, at: str) -> None:
    """Name trump at nine cards if it is given; below, compare it with the turned card's."""
    trump = trump_of(deal, at)
    if trump is None:
        return
    if table.kind == "trump":
        table.advance((trump,))
        return
    turned = table.derived_deal()["trump"]
    if TRUMPS[trump] != turned:
        raise RecordError(
            f"{at}.trump", f"the turned card makes {turned} trump, not {TRUMPS[trump]}"
        )


def _say_bids(table: FourTable, bids: list[object], dealer: int, at: str) -> None:
    missing = False
    for i in range(SEATS):
        seat = (dealer + 1 + i) % SEATS
        bid = bids[seat]
        if bid is None:
            missing = True
            continue
        place = f"{at}.bids[{seat}]"
        if missing or table.kind != "bid":
            raise RecordError(place, f"this bid comes too early; {table.allowed()}")
        if not is_integer(bid):
            raise RecordError(place, f"a bid is an integer, not {shown(bid)}; {table.allowed()}")
        if not table.advance((_bounded(bid),)):
            raise RecordError(place, f"seat {seat} may not bid {shown(bid)}; {table.allowed()}")


def _bounded(bid: object) -> int:
    """Answer a bid, or one that nobody may say: kernels take no number beyond 64 bits."""
    return bid if isinstance(bid, int) and 0 <= bid <= 9 else -1
