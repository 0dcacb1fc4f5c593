"""How time and memory grow with the number of games: linear and flat, or not.

    python -m benchmarks.scaling [--most 100000000] [--tables games]

Writes measured/scaling.json. Each size is run by the whole command on all processors; small sizes
several times, since start-up and noise weigh more there.
"""

from __future__ import annotations

import argparse
import os
from typing import Any

from benchmarks import commands, results
from benchmarks.measure import Spread


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--most", type=int, default=100_000_000)
    parser.add_argument("--tables", default=None)
    asked = parser.parse_args()
    threads = os.cpu_count() or 1
    commands.simulate("classic", "random", 1, 1)
    found: dict[str, Any] = {}
    games = 10_000
    while games <= asked.most:
        runs = [
            commands.simulate("classic", "random", games, threads, asked.tables)
            for _ in range(5 if games <= 1_000_000 else 1)
        ]
        rates = Spread.of([run.document["games_per_minute"] for run in runs])
        peak = max(run.peak_bytes for run in runs) / 1e6
        wall = Spread.of([run.seconds for run in runs])
        found[str(games)] = {
            "games_per_minute": rates.to_json(),
            "seconds": wall.to_json(),
            "peak_megabytes": peak,
        }
        print(
            f"{games:>12,} games {wall.median:>9.2f} s {rates.median:>14,.0f} games a minute"
            f" {peak:>7.0f} MB",
            flush=True,
        )
        games *= 10
    results.keep(f"scaling-{asked.tables}" if asked.tables else "scaling", found)


if __name__ == "__main__":
    main()
