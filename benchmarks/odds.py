"""How long odds of bids take: one position, a fresh process, and a thousand positions in a batch.

    python -m benchmarks.odds [--positions 1000] [--singles 20] [--policies basic book]

Positions are nine-card bids from self-play of the policy, the bidder's place in turn. Single ones
are asked as they stand and with the bids before as evidence; the batch holds the evidence. Writes
measured/odds.json.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import tempfile
from pathlib import Path
from typing import Any, Final

import pandas as pd

import jokersim as js
from benchmarks import commands, results
from benchmarks.measure import Spread, seconds
from jokersim.table.dealt import write_hand

SEED: Final = 41
NINE: Final = 9
NINES: Final = 8
SINGLE: Final = 0.01
BATCH: Final = 0.02
ENDED_SHORT: Final = 3

Position = dict[str, Any]


def positions(policy: str, n: int) -> list[Position]:
    """Take bids at nine cards out of games that the policy plays against itself, one a game."""
    deals = js.simulate("classic", games=n, seed=SEED, policies=policy, tables=["deals"]).deals()
    found = []
    for game, rows in deals[deals["hand_size"] == NINE].groupby("game"):
        of_deal = rows[rows["deal"] == rows["deal"].unique()[int(game) // 4 % NINES]]
        by_place = sorted(
            of_deal.itertuples(), key=lambda row: (int(row.seat) - int(row.dealer) - 1) % 4
        )
        place = int(game) % 4
        own = by_place[place]
        found.append(
            {
                "id": len(found),
                "hand": write_hand(int(own.hand)),
                "trump": str(own.trump),
                "position": place,
                "bids": [int(row.bid) for row in by_place[:place]],
            }
        )
    return found


def singles(policy: str, asked: list[Position], condition: str) -> Spread:
    """Time positions one by one, each P(made) to ±1 %, in this process."""

    def ask(position: Position) -> None:
        said = {key: value for key, value in position.items() if key != "id"}
        with contextlib.suppress(js.PrecisionError):  # too few worlds agree: the longest of all
            js.bid_odds(**said, policy=policy, precision=SINGLE, condition=condition)

    ask(asked[0])
    return Spread.of([seconds(lambda position=position: ask(position)) for position in asked])


def fresh(policy: str, position: Position) -> float:
    """Time one position of a process of its own."""
    arguments = [
        "odds", "bid", "--hand", " ".join(position["hand"]), "--trump", position["trump"],
        "--position", str(position["position"]), "--policy", policy,
        "--precision", str(SINGLE), "--condition", "none", "--json",
    ]  # fmt: skip
    if position["bids"]:
        arguments += ["--bids", ",".join(map(str, position["bids"]))]
    return commands.jokersim(arguments).seconds


def batch(policy: str, asked: list[Position]) -> dict[str, float]:
    """Time the whole command over all positions, each P(made) to ±2 %, bids before as evidence."""
    with tempfile.TemporaryDirectory() as folder:
        lines = Path(folder) / "positions.jsonl"
        lines.write_text("".join(json.dumps(position) + "\n" for position in asked))
        out = Path(folder) / "answers.parquet"
        ran = commands.jokersim(
            ["odds", "bid", str(lines), "--policy", policy, "--precision", str(BATCH),
             "--out", str(out)],
            accepted=(0, ENDED_SHORT),
        )  # fmt: skip
        answers = pd.read_parquet(out)
    short = answers.loc[answers["error"].notna(), "id"].nunique()
    return {"seconds": ran.seconds, "processor_seconds": ran.processor_seconds, "short": short}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--positions", type=int, default=1000, help="in the batch")
    parser.add_argument("--singles", type=int, default=20, help="asked one by one")
    parser.add_argument("--policies", nargs="*", default=["basic", "book"])
    asked = parser.parse_args()
    found: dict[str, Any] = {}
    for policy in asked.policies:
        drawn = positions(policy, asked.positions)
        some = drawn[: asked.singles]
        fresh(policy, some[0])  # compiles
        processes = [fresh(policy, position) for position in some[:5]]
        row = {
            "one": singles(policy, some, "none").to_json(),
            "one, with evidence": singles(policy, some, "bids").to_json(),
            "fresh process": Spread.of(processes).to_json(),
            "batch": batch(policy, drawn),
        }
        found[policy] = row | {"positions": len(drawn)}
        for what in ("one", "one, with evidence", "fresh process"):
            times = row[what]
            print(
                f"{policy:<6} {what:<20} {times['median']:.3f} s"
                f" ({times['low']:.3f} to {times['high']:.3f})"
            )
        whole = row["batch"]
        print(
            f"{policy:<6} {len(drawn)} in a batch {whole['seconds']:.1f} s,"
            f" {whole['processor_seconds']:.1f} s of processor, {whole['short']} ended short",
            flush=True,
        )
    results.keep("odds", found)


if __name__ == "__main__":
    main()
