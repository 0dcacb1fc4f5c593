"""How long perfect play takes with all cards known, and how often it is exact within the nodes.

``python benchmarks/open_cards.py`` prints the median and the worst time, and the share of exact
values, over random deals: full deals of Japanese Joker, from the first lead on with the trump that
`basic` calls, and deals of four by hand size, all eight values of each. Bids are those of `basic`.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable

from jokersim.odds import open_values
from jokersim.rules import rules
from jokersim.table import Table

BASIC = 1


def dealt(table: Table) -> Table:
    """Go on to the first lead of the first deal, as `basic` calls, bids and answers."""
    while table.kind != "play":
        table.decide(BASIC)
    return table


def measure(what: str, n: int, table: Callable[[int], Table], threads: int | None) -> None:
    """Print times and shares over n deals."""
    took, exact = [], 0
    for index in range(n):
        began = time.perf_counter()
        exact += open_values(table(index), threads=threads)["exact"]
        took.append(time.perf_counter() - began)
    print(
        f"{what}: {n} deals, median {statistics.median(took):.2f} s, worst {max(took):.1f} s, "
        f"exact {exact}",
        flush=True,
    )


def main() -> None:
    """Read the arguments, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--deals", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sizes", type=int, nargs="*", default=[6, 7, 8, 9])
    parser.add_argument("--threads", type=int)
    asked = parser.parse_args()
    japanese = rules("japanese")
    open_values(dealt(Table(japanese, seed=asked.seed)), nodes=10)
    measure(
        "japanese, 18 pairs",
        asked.deals,
        lambda index: dealt(Table(japanese, seed=asked.seed, index=index)),
        asked.threads,
    )
    for size in asked.sizes:
        four = rules("classic", schedule=[[size]])
        open_values(dealt(Table(four, seed=asked.seed)), nodes=10)
        measure(
            f"four players, {size} cards",
            asked.deals,
            lambda index, four=four: dealt(Table(four, seed=asked.seed, index=index)),
            asked.threads,
        )


if __name__ == "__main__":
    main()
