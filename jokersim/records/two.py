"""One deal of a two-player record, replayed at a table, and the end of a party."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from jokersim.records.error import RecordError, deal_errors_at
from jokersim.records.form import check_derived, is_integer, is_seat, rows_of, trump_of
from jokersim.records.plays import replay_plays
from jokersim.rules.options import shown
from jokersim.table import Record, Table
from jokersim.table.choices import ACTIONS
from jokersim.table.two import TwoTable

__all__ = ["DERIVED", "check_end", "replay_deal"]

DERIVED: Final = ("totals", "complete", "multiplier", "winner", "payoff", "next")
"""Derived keys of a record, in the order in which they are checked."""

SEATS: Final = 2
N_PAIRS: Final = 18
_OF_DEAL: Final = ("takers", "pairs", "points")
_ENTRY: Final = 'an entry of davi is {"trick", "seat", "action"}'
_WRITTEN: Final = ACTIONS[:-1]


def replay_deal(table: Table, deal: Record, at: str) -> None:
    """Replay a deal and check what it gives; `at` is its place in the record."""
    assert isinstance(table, TwoTable)
    davi = _davi_of(deal, at)
    rows = rows_of(deal, at)
    given: dict[str, Any] = {key: deal.get(key) for key in ("hands", "up", "down", "declarer")}
    with deal_errors_at(at):
        table.deal(**given)
    trump = trump_of(deal, at)
    if trump is not None:
        table.advance((trump,))
    _davi_and_plays(table, davi, rows, at)
    check_derived(deal, table.derived_deal(), _OF_DEAL, f"{at}.")


def check_end(table: Table, record: Mapping[str, Any]) -> None:
    """Check a record's `void` and abort the party by it."""
    assert isinstance(table, TwoTable)
    void = record.get("void")
    if void is None or void is False:
        return
    if void is not True:
        raise RecordError("void", f"void is true or false, not {shown(void)}")
    if table.complete:
        raise RecordError(
            "void", "the party is over and cannot be aborted: void is false or absent"
        )
    table.abort()


def _davi_of(deal: Record, at: str) -> list[Record]:
    davi = deal.get("davi")
    if davi is None:
        return []
    if not isinstance(davi, list | tuple):
        raise RecordError(f"{at}.davi", f"davi is a list of entries, not {shown(davi)}")
    for k, entry in enumerate(davi):
        place = f"{at}.davi[{k}]"
        if not isinstance(entry, dict):
            raise RecordError(place, f"{_ENTRY}, not {shown(entry)}")
        trick, seat, action = (entry.get(key) for key in ("trick", "seat", "action"))
        if not is_integer(trick) or trick not in range(N_PAIRS):
            raise RecordError(place, f"{_ENTRY}, trick 0..{N_PAIRS - 1}, not {shown(trick)}")
        if not is_seat(seat, SEATS):
            raise RecordError(place, f"{_ENTRY}, seat 0 or 1, not {shown(seat)}")
        if action not in _WRITTEN:
            actions = ", ".join(_WRITTEN)
            raise RecordError(place, f"{_ENTRY}, action one of {actions}, not {shown(action)}")
    return list(davi)


def _davi_and_plays(table: TwoTable, davi: list[Record], rows: list[list[object]], at: str) -> None:
    """Carry out entries and tricks as they fall: an entry of a trick stands before its lead."""
    k = done = 0
    while k < len(davi):
        # Tricks before the entry's own, then the entry; one of an earlier trick comes too late.
        stop = min(max(davi[k]["trick"], done), len(rows))
        replay_plays(table, rows[done:stop], done, at)
        done = stop
        _act(table, davi[k], f"{at}.davi[{k}]")
        k += 1
    replay_plays(table, rows[done:], done, at)


def _act(table: TwoTable, entry: Record, place: str) -> None:
    trick, seat, action = entry["trick"], entry["seat"], entry["action"]
    if table.kind != "davi":
        raise RecordError(place, f"seat {seat} may not {action} here: {table.why_no_davi()}")
    if trick != table.trick:
        raise RecordError(place, f"trick {table.trick} is due, not {trick}; {table.allowed()}")
    if seat != table.seat:
        raise RecordError(place, f"seat {seat} may not {action} now; {table.allowed()}")
    if not table.advance((ACTIONS.index(action),)):
        raise RecordError(place, f"seat {seat} may not {action} here; {table.allowed()}")
