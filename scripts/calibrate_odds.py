"""Check that odds of bids come true, and write the table and the figure of it.

``python scripts/calibrate_odds.py`` plays games by each policy, judges every bid of them in 200
worlds of its own, by the same policy and with the calls and bids before it as evidence, and sorts
the bids by the predicted chance to be made into ten bins of equal size. It takes some minutes on
two cores, and writes ``NAME.json``, with all figures, for each policy, and for all of them
``calibration.md`` and ``calibration.svg`` from the files that are there, and the README's table.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from pathlib import Path
from typing import Any

from jokersim.odds.calibration import FEWEST, KNOWN, bins_of, judge_said_bids, said_bids
from jokersim.rules import rules
from jokersim.simulate import simulate

ROOT = Path(__file__).resolve().parent.parent
OUT = ROOT / "data" / "calibration"
MARKS = ("<!-- calibration: written by scripts/calibrate_odds.py -->\n", "<!-- /calibration -->")
POLICIES = ("basic", "book")
WORLD_SEEDS = 1 << 40
"""The worlds of bid i are those of the seed WORLD_SEEDS + i, which no games have."""


def main() -> None:
    """Read the arguments, judge, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=_Plain)
    parser.add_argument("--policies", nargs="+", default=POLICIES, metavar="POLICY")
    parser.add_argument("--game", default="classic", help="a preset of four players")
    parser.add_argument("--games", type=int, default=2200, help="games that give the bids")
    parser.add_argument("--samples", type=int, default=200, help="worlds a bid")
    parser.add_argument("--seed", type=int, default=2026, help="of the games")
    parser.add_argument("--known", choices=KNOWN, default="table", help="of the pulka so far")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--out", type=Path, default=OUT)
    asked = parser.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    for policy in asked.policies:
        began = time.perf_counter()
        found = calibrate(asked, policy)
        path = asked.out / f"{policy.replace(':', '-')}.json"
        path.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
        print(f"{path}: worst bin {100 * found['worst']:.2f} points off, "
              f"{time.perf_counter() - began:.0f} s")  # fmt: skip
    write_up(asked.out)


class _Plain(argparse.RawDescriptionHelpFormatter, argparse.ArgumentDefaultsHelpFormatter):
    """Shows the text above as it stands, and defaults."""


def calibrate(asked: argparse.Namespace, policy: str) -> dict[str, Any]:
    """Play, judge and compare for one policy."""
    rule_set = rules(asked.game)
    run = simulate(
        rule_set, games=asked.games, seed=asked.seed, policies=policy, tables=["deals"],
        threads=asked.threads,
    )  # fmt: skip
    said, made = said_bids(run, WORLD_SEEDS, asked.known)
    judged = judge_said_bids(rule_set, policy, said, asked.samples, asked.threads)
    bins = bins_of(judged, made, len(made) // asked.games)
    return {
        "schema": {"name": "jokersim/odds-calibration", "version": 1},
        "game": asked.game,
        "policy": policy,
        "seed": asked.seed,
        "games": asked.games,
        "known": asked.known,
        "worlds": asked.samples,
        "level": 0.95,
        "bids": sum(row["n"] for row in bins),
        "left_out": int((judged.agreed < FEWEST).sum()),
        "with_all_worlds": int((judged.agreed == asked.samples).sum()),
        "agreeing": float(judged.agreed.sum() / judged.drawn.sum()),
        "worst": max(abs(row["difference"]) for row in bins),
        "bins": bins,
    }


# --- the write-up ---------------------------------------------------------------------------------


def write_up(folder: Path) -> None:
    """Write the table and the figure of all policies that have been judged."""
    found = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.json"))]
    if found:
        (folder / "calibration.md").write_text(table(found), encoding="utf-8")
        draw(found, folder / "calibration.svg")
    if found and folder == OUT:
        readme = ROOT / "README.md"
        text = readme.read_text(encoding="utf-8")
        before, after = text.index(MARKS[0]) + len(MARKS[0]), text.index(MARKS[1])
        readme.write_text(text[:before] + table(found) + text[after:], encoding="utf-8")


def table(found: list[dict[str, Any]]) -> str:
    """Lay the bins of all policies out side by side, in Markdown."""
    heads = ["tenth of the bids"]
    for one in found:
        heads += [f"`{one['policy']}`: predicted", "made", "difference, points"]
    lines = ["| " + " | ".join(heads) + " |", "| ---: " * len(heads) + "|"]
    for k in range(10):
        cells = [str(k + 1)]
        for one in found:
            row = one["bins"][k]
            cells += [
                f"{100 * row['predicted']:.1f} %",
                f"{100 * row['made']:.1f} %",
                f"{100 * row['difference']:+.2f} ± {50 * (row['high'] - row['low']):.2f}",
            ]
        lines.append("| " + " | ".join(cells) + " |")
    bids = " and ".join(f"{one['bids']:,} bids of `{one['policy']}`" for one in found)
    one = found[0]
    played = f"{one['games']:,} games of {one['game']} a policy (seed {one['seed']})"
    lines += [
        "",
        f"{bids}, from {played}; {one['worlds']} worlds a bid; intervals at 95 % over games.",
    ]
    return "\n".join(lines) + "\n"


def draw(found: list[dict[str, Any]], path: Path) -> None:
    """Draw what was made against what was predicted, and the differences below."""
    from matplotlib import rc_context
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    # Equal figures give equal files, and text stays text.
    with rc_context({"svg.hashsalt": "jokersim", "svg.fonttype": "none"}):
        figure = Figure(figsize=(4 * len(found), 5.4), layout="constrained")
        FigureCanvasSVG(figure)
        axes = figure.subplots(2, len(found), height_ratios=(3, 1.3), squeeze=False)
        for column, one in enumerate(found):
            x = [100 * row["predicted"] for row in one["bins"]]
            y = [100 * row["made"] for row in one["bins"]]
            off = [100 * row["difference"] for row in one["bins"]]
            reach = [50 * (row["high"] - row["low"]) for row in one["bins"]]
            upper, lower = axes[0][column], axes[1][column]
            upper.plot([0, 100], [0, 100], color="#bbbbbb", lw=1)
            upper.plot(x, y, "o", color="#1b6ca8", ms=5)
            upper.set_title(f"{one['policy']}: {one['bids']:,} bids", fontsize=10)
            upper.set(xlim=(0, 100), ylim=(0, 100), aspect="equal", ylabel="made, %")
            lower.axhspan(-2, 2, color="#eef3f7")
            lower.axhline(0, color="#bbbbbb", lw=1)
            lower.errorbar(x, off, yerr=reach, fmt="o", color="#1b6ca8", ms=4, capsize=2)
            lower.set(xlim=(0, 100), ylim=(-4, 4), xlabel="predicted, %", ylabel="off, points")
            for axis in (upper, lower):
                axis.spines[["top", "right"]].set_visible(False)
        figure.savefig(path, format="svg", metadata={"Date": None})


if __name__ == "__main__":
    main()
