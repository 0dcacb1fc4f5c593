"""What was measured, kept as JSON beside the scripts: the README's tables are rendered from it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from benchmarks.measure import machine

FOLDER: Final = Path(__file__).with_name("measured")


def keep(name: str, found: dict[str, Any]) -> None:
    """Write results with the machine that they were taken on."""
    FOLDER.mkdir(exist_ok=True)
    document = {"machine": machine(), "results": found}
    (FOLDER / f"{name}.json").write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")


def read(name: str) -> dict[str, Any]:
    """Read results that were kept."""
    return json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
