"""Render the README's tables of speed from what was measured, between their markers.

    python -m benchmarks.tables [--check]

``--check`` writes nothing and exits with 3 if a table in the README is not the rendered one.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from benchmarks import results

README: Final = Path(__file__).resolve().parent.parent / "README.md"


def table(head: list[str], rows: list[list[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def spread(found: dict[str, float], scale: float, form: str) -> str:
    low, median, high = (found[key] / scale for key in ("low", "median", "high"))
    return f"{median:{form}} ({low:{form}} to {high:{form}})"


def times(found: dict[str, float]) -> str:
    return spread(found, 1, ".1f" if found["median"] < 100 else ",.0f")


def speed() -> str:
    """Rates of the whole command, and start-up."""
    found = results.read("throughput")["results"]
    rows = []
    for name, row in found.items():
        if "seconds" in row:
            rows.append([name, "", spread(row["seconds"], 1, ".2f") + " s", ""])
            continue
        game, policy, where, threads = name.rsplit(" ", 3)
        rate = row["games_per_minute"]
        unit, scale = (" M", 1e6) if rate["median"] >= 1e5 else ("", 1)
        rows.append([
            f"{game}, `{policy}`, {'in memory' if where == 'memory' else f'writes `{where}`'}",
            threads.removeprefix("threads="),
            spread(rate, scale, ".2f" if unit else ",.0f") + unit,
            f"{row['plays_per_second']['median'] / 1e6:.1f} M",
        ])  # fmt: skip
    return table(["what", "threads", "games a minute", "card plays a second"], rows)


def peers() -> str:
    """Ratios to the other engines."""
    found = results.read("peers")["results"]
    missing = found.pop("missing", {})
    rows = []
    for name, row in found.items():
        if name == "jokersim":
            continue
        rows.append([
            f"{name} {row['version']}".strip(),
            row["what"],
            f"{row['plays_per_second']['median']:,.0f}",
            times(row["jokersim_is_times"]) + " ×",
        ])  # fmt: skip
    rows += [[name, f"not measured: {why}", "", ""] for name, why in missing.items()]
    own = found["jokersim"]["plays_per_second"]["median"]
    head = ["engine", "what it plays", "card plays a second", "jokersim is faster"]
    rows.insert(0, ["jokersim", found["jokersim"]["what"], f"{own:,.0f}", "1"])
    return table(head, rows)


def odds() -> str:
    """Times of questions what to bid."""
    found = results.read("odds")["results"]
    rows = []
    for policy, row in found.items():
        whole = row["batch"]
        rows.append([
            f"`{policy}`",
            *(spread(row[what], 1, ".2f") + " s" for what in ("one", "one, with evidence")),
            spread(row["fresh process"], 1, ".1f") + " s",
            f"{whole['seconds']:.0f} s ({whole['processor_seconds']:.0f} of processor)",
            str(whole["short"]),
        ])  # fmt: skip
    n = next(iter(found.values()))["positions"]
    head = [
        "policy",
        "one bid, ±1 %",
        "with the bids before",
        "as a process",
        f"{n:,}, ±2 %",
        "of them short",
    ]
    return table(head, rows)


TABLES: Final[dict[str, Callable[[], str]]] = {"odds": odds, "speed": speed, "peers": peers}


def rendered(text: str, render: dict[str, Any]) -> str:
    """Answer the text with what stands between each pair of markers made anew."""
    for name, make in render.items():
        pattern = rf"(<!-- {name}: [^>]*-->\n).*?(<!-- end -->)"
        if not re.search(pattern, text, re.DOTALL):
            raise SystemExit(f"README.md has no markers for the table {name}")
        made = make()
        text = re.sub(
            pattern, lambda found, made=made: f"{found[1]}{made}\n{found[2]}", text, flags=re.DOTALL
        )
    return text


def main() -> None:
    before = README.read_text(encoding="utf-8")
    after = rendered(before, TABLES)
    if "--check" in sys.argv[1:]:
        if before != after:
            print("README.md: a table of speed is not what was measured", file=sys.stderr)
            raise SystemExit(3)
        return
    README.write_text(after, encoding="utf-8")


if __name__ == "__main__":
    main()
