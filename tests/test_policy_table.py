"""The README's table of policies is what was measured."""

from __future__ import annotations

import importlib.util
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def table():
    """Load the script that makes the table."""
    path = ROOT / "scripts" / "policy_table.py"
    spec = importlib.util.spec_from_file_location("policy_table", path)
    assert spec is not None and spec.loader is not None  # noqa: PT018
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_readme_holds_what_was_measured():
    script = table()
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    held = text.partition(script.BEGIN)[2].partition(script.END)[0]
    assert held.strip() == script.render(script.read()).strip()


def test_a_row_is_measured_in_parts(tmp_path, monkeypatch):
    script = table()
    monkeypatch.setattr(script, "RESULTS", tmp_path / "policies.json")
    for part in script.parts_of("classic", "random"):
        script.keep("classic", "basic", part, script.measure("classic", "basic", part, 4, 1))
    found = script.read()["classic"]["basic"]
    assert set(found) == {"self", "1v3", "2v2", "time"}
    assert found["1v3"]["against"] == "random"
    (row,) = [line for line in script.render(script.read()).splitlines() if "`basic`" in line]
    assert row.count("±") == 7
    assert all(cell.strip() for cell in row.strip("|").split("|"))
