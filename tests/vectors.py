"""Test vectors: records and the answers that an independent implementation of the rules gives.

See ``tests/data/vectors/README.md``.
"""

from __future__ import annotations

import json
import lzma
from pathlib import Path
from typing import Any

NAMES = ("classic", "nines", "variants", "japanese", "prefixes", "errors")
FOLDER = Path(__file__).parent / "data" / "vectors"

#: What an answer repeats of the record, what replaying adds to it, and to each of its deals.
ECHOED = (
    "format",
    "game",
    "rules",
    "first_dealer",
    "first_declarer",
    "void",
    "id",
    "players",
    "source",
)
OF_RECORD = (
    "premiums",
    "totals",
    "complete",
    "ranks",
    "multiplier",
    "winner",
    "payoff",
    "next",
)
OF_DEAL = ("dealer", "declarer", "trump", "takers", "taken", "scores", "pairs", "points")

Json = dict[str, Any]


def load(name: str) -> list[Json]:
    """Read the vectors of one of `NAMES`: objects with ``id``, ``input`` and ``expect``."""
    with lzma.open(FOLDER / f"{name}.jsonl.xz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def differences(expect: Json, got: Any) -> list[str]:
    """Name every key in which an answer is not the expected one; an absent key equals null.

    Numbers are compared exactly, money within 1e-9; of an error only the place counts.
    """
    if not isinstance(got, dict):
        return [f"no object: {got!r}"]
    wanted, found = _place(expect), _place(got)
    if wanted is not None or found is not None:
        return [] if wanted == found else [f"error: expected at {wanted!r}, got {got.get('error')}"]
    out = [text for key in (*ECHOED, *OF_RECORD) for text in _differ(key, expect, got, "")]
    deals = got.get("deals") or []
    if len(deals) != len(expect["deals"]):
        return [*out, f"deals: expected {len(expect['deals'])}, got {len(deals)}"]
    for i, (a, b) in enumerate(zip(expect["deals"], deals, strict=True)):
        out += [text for key in OF_DEAL for text in _differ(key, a, b, f"deals[{i}].")]
    return out


def _place(answer: Json) -> str | None:
    error = answer.get("error")
    return None if error is None else str(error["place"])


def _differ(key: str, expect: Json, got: Json, where: str) -> list[str]:
    a, b = expect.get(key), got.get(key)
    if _same(a, b, 1e-9 if key == "payoff" else 0):
        return []
    return [f"{where}{key}: expected {a!r}, got {b!r}"]


def _same(a: Any, b: Any, within: float) -> bool:
    """Equal as JSON: true is not 1, but 1 and 1.0 are one number."""
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(_same(x, y, within) for x, y in zip(a, b, strict=True))
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(_same(a[key], b[key], within) for key in a)
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if isinstance(a, (int, float)) and isinstance(b, (int, float)):
        return abs(a - b) <= within
    return bool(a == b)
