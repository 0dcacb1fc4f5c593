"""Has a kernel become slower? Each is timed against a frozen reference kernel, in one process.

    python -m benchmarks.guard            compare with the record, exit 3 if one is over 10 % worse
    python -m benchmarks.guard --record   write the record for this processor anew

A record is a ratio, so that the machine's mood cancels out; it holds for one model of processor and
one minor version of numba, since another pair weighs the kernels differently. Without a record for
this pair nothing is compared, and that is said.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Final

from benchmarks.measure import Work, processor, ratio_of_best
from benchmarks.reference import STRENGTHS, reference

RECORD: Final = Path(__file__).with_name("recorded.json")
TOLERANCE: Final = 1.10
REPEATS: Final = 50
# A ratio that looks worse is taken again: noise passes, a slower kernel stays.
ATTEMPTS: Final = 3


def games(name: str, policy: str, n: int, **options: Any) -> Work:
    """Answer a chunk of so many games, summed up, no table kept."""
    from jokersim.policies import parse_policies
    from jokersim.rules import rules
    from jokersim.simulate.chunk import Setup
    from jokersim.simulate.four import FourPlayer
    from jokersim.simulate.two import TwoPlayer

    chosen = rules(name, **options)
    policies = parse_policies(policy, chosen.family, chosen.seats)
    setup = Setup(rules=chosen, policies=policies, seed=1, tables=())
    player = (FourPlayer if chosen.family == "four" else TwoPlayer)(setup)
    return partial(player.play, 0, n)


def bid_odds(policy: str, n: int) -> Work:
    """Answer the odds of a nine-card bid from so many worlds."""
    import jokersim as js

    return partial(
        js.bid_odds,
        hand="AS KS 7H 9H TC QC 8D JD JK",
        trump="S",
        position=2,
        policy=policy,
        samples=n,
        seed=1,
        threads=1,
    )


def packing(n: int) -> Work:
    """Answer the columns of `deals` of so many games, laid out for a file, not compressed."""
    from jokersim.policies import parse_policies
    from jokersim.rules import rules
    from jokersim.schema import tables
    from jokersim.simulate.chunk import Setup
    from jokersim.simulate.four import FourPlayer
    from jokersim.store.encode import Encoder

    chosen = rules("classic")
    setup = Setup(chosen, parse_policies("random", "four", 4), seed=1, tables=("deals",))
    columns = FourPlayer(setup).play(0, n).tables["deals"]
    encoder = Encoder()

    def pack() -> None:
        for column in tables(chosen)["deals"]:
            encoder.encode(columns[column.name], column.type)

    return pack


# Sizes give each some 5 to 20 ms: long beside what a chunk costs to set up, short beside the
# machine's moods.
KERNELS: Final[dict[str, Callable[[], Work]]] = {
    "classic random": partial(games, "classic", "random", 1_500),
    "nines random": partial(games, "nines", "random", 1_500),
    "japanese random": partial(games, "japanese", "random", 5_000),
    "classic basic": partial(games, "classic", "basic", 400),
    "japanese basic": partial(games, "japanese", "basic", 800),
    "classic book": partial(games, "classic", "book", 150),
    "classic search": partial(games, "classic", "search:worlds=8", 1, schedule=((3,),)),
    "bid odds basic": partial(bid_odds, "basic", 200),
    "packing deals": partial(packing, 1_280),
}


def measured(name: str) -> float:
    return ratio_of_best(partial(reference, STRENGTHS, 50_000), KERNELS[name](), REPEATS)


def key() -> str:
    import numba

    return f"{processor()}, numba {'.'.join(numba.__version__.split('.')[:2])}"


def read() -> dict[str, Any]:
    return json.loads(RECORD.read_text(encoding="utf-8")) if RECORD.exists() else {}


def record() -> int:
    ratios = {name: round(min(measured(name) for _ in range(ATTEMPTS)), 4) for name in KERNELS}
    RECORD.write_text(json.dumps(read() | {key(): ratios}, indent=2, sort_keys=True) + "\n")
    print(f"recorded for {key()}: {ratios}")
    return 0


def check() -> int:
    known = read().get(key())
    if known is None:
        print(f"no record for {key()}: nothing compared; --record writes one")
        return 0
    slower = []
    for name in KERNELS:
        if name not in known:
            slower.append(f"{name} has no record")
            continue
        if known[name] is None:  # added on another processor: null until this one is recorded
            print(f"{name:<18} is not recorded for {key()} yet; --record does it")
            continue
        best = min(attempts(name, known[name]))
        change = best / known[name] - 1
        print(f"{name:<18} {best:8.3f} of the reference, recorded {known[name]:.3f}: {change:+.1%}")
        if best > TOLERANCE * known[name]:
            slower.append(f"{name} takes {change:.0%} longer than recorded")
    if slower:
        print("slower: " + "; ".join(slower), file=sys.stderr)
        return 3
    return 0


def attempts(name: str, recorded: float) -> list[float]:
    found: list[float] = []
    while len(found) < ATTEMPTS and all(ratio > TOLERANCE * recorded for ratio in found):
        found.append(measured(name))
    return found


if __name__ == "__main__":
    sys.exit(record() if "--record" in sys.argv[1:] else check())
