"""Completes a record of either family, or answers its first fault."""

from __future__ import annotations

import json
from typing import Any

from tests.oracle.fault import Fault
from tests.oracle.four import replay_four
from tests.oracle.options import read_options
from tests.oracle.two import replay_two


def complete_record(record: Any) -> dict[str, Any]:
    """Complete a record; raises `Fault` with the place of the first thing that cannot stand."""
    if not isinstance(record, dict):
        raise Fault("", "a record is a JSON object")
    if record.get("format") != "joker-record/1":
        raise Fault("format", "the format is joker-record/1")
    options = read_options(record.get("game"), record.get("rules"))
    four = "schedule" in options
    replay_family = replay_four if four else replay_two
    return replay_family(record, options)


def replay(record: Any, line: int = 1) -> dict[str, Any]:
    """Complete a record, or answer ``{"error": {"line", "place", "message"}}``."""
    try:
        return complete_record(record)
    except Fault as fault:
        return {"error": {"line": line, "place": fault.place, "message": fault.message}}


def replay_line(text: str, line: int = 1) -> dict[str, Any]:
    """Replay one line of a file."""
    try:
        record = json.loads(text)
    except ValueError:
        record = None
    return replay(record, line)
