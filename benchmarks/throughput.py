"""Games a minute of the whole command, per game, policy and table set, and what start-up takes.

    python -m benchmarks.throughput [--repeats 5] [--only TEXT]

Writes measured/throughput.json. Every repeat runs all rows once, so that ratios between rows come
from the same minutes of the machine.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from benchmarks import commands, results
from benchmarks.measure import Spread

# Card plays of a game of four: nines deal all 36 cards 16 times, classic is the sum of its sizes.
PLAYS: Final = {"classic": 576, "nines": 576}


@dataclass(frozen=True, slots=True)
class Row:
    game: str
    policy: str
    games: int
    threads: int
    tables: str | None = None

    @property
    def name(self) -> str:
        where = self.tables or "memory"
        return f"{self.game} {self.policy} {where} threads={self.threads}"


ROWS: Final = (
    Row("classic", "random", 1_000_000, 1),
    Row("classic", "random", 2_000_000, 2),
    Row("classic", "random", 1_000_000, 1, "games"),
    Row("classic", "random", 2_000_000, 2, "games"),
    Row("classic", "random", 1_000_000, 1, "games,deals"),
    Row("classic", "random", 1_000_000, 2, "games,deals"),
    Row("classic", "random", 100_000, 2, "games,deals,plays"),
    Row("classic", "basic", 200_000, 1),
    Row("classic", "basic", 400_000, 2),
    Row("classic", "book", 60_000, 1),
    Row("classic", "book", 100_000, 2),
    Row("nines", "random", 1_000_000, 1),
    Row("nines", "basic", 200_000, 1),
    Row("nines", "book", 60_000, 1),
    Row("japanese", "random", 2_000_000, 1),
    Row("japanese", "random", 4_000_000, 2),
    Row("japanese", "basic", 60_000, 1),
)


def play(row: Row) -> dict[str, float]:
    outcome = commands.simulate(row.game, row.policy, row.games, row.threads, row.tables)
    found = outcome.document
    if row.game in PLAYS:
        plays = PLAYS[row.game] * row.games
    else:
        plays = round(36 * found["parties"]["deals"] * row.games)
    return {
        "games_per_minute": found["games_per_minute"],
        "plays_per_second": plays / found["seconds"],
        "peak_megabytes": outcome.peak_bytes / 1e6,
    }


def start_up(cache: str) -> dict[str, Callable[[], float]]:
    """Answer what to time of starting: help, a warm first game, a cold one (once: it fills)."""
    environment = {"JOKERSIM_CACHE_DIR": cache}
    first = partial(commands.simulate, "classic", "random", 1, 1, None, environment)
    return {
        "help": lambda: commands.jokersim(["--help"]).seconds,
        "warm start": lambda: first().seconds,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--only", default="", help="rows whose name holds this text")
    asked = parser.parse_args()
    rows = [row for row in ROWS if asked.only in row.name]
    for row in rows:  # loads or compiles
        commands.simulate(row.game, row.policy, 1, 1)
    taken: dict[str, list[dict[str, float]]] = {row.name: [] for row in rows}
    for _ in range(asked.repeats):
        for row in rows:
            taken[row.name].append(play(row))
    # Rows measured alone stand beside those that are there.
    found: dict[str, Any] = results.read("throughput")["results"] if asked.only else {}
    for name, runs in taken.items():
        found[name] = {key: Spread.of([run[key] for run in runs]).to_json() for key in runs[0]}
        rate = found[name]["games_per_minute"]
        print(
            f"{name:<48} {rate['median']:>14,.0f} games a minute"
            f" ({rate['low']:,.0f} to {rate['high']:,.0f}),"
            f" {found[name]['plays_per_second']['median'] / 1e6:.1f} M plays a second"
        )
    if not asked.only:
        with tempfile.TemporaryDirectory() as cache:
            cold = commands.simulate(
                "classic", "random", 1, 1, None, {"JOKERSIM_CACHE_DIR": cache}
            ).seconds
            found["cold compile"] = {"seconds": Spread.of([cold]).to_json()}
            for name, work in start_up(cache).items():
                times = [work() for _ in range(asked.repeats)]
                found[name] = {"seconds": Spread.of(times).to_json()}
        for name in ("cold compile", "help", "warm start"):
            print(f"{name:<48} {found[name]['seconds']['median']:.2f} s")
    results.keep("throughput", found)


if __name__ == "__main__":
    main()
