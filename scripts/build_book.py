"""Learn the tables of the policy `book` by self-play and write them into the package.

``python scripts/build_book.py`` makes them, those shipped, in some minutes a core: for four players
and for two, or one of them with ``--only``. The files say with which seed, scale, games and
versions they were made. The rounds: play, count, fit, and play by what was fitted, with less noise
each time.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import numba
import numpy as np
from book_fitting import (
    first_model,
    fit_bids,
    fit_calls,
    fit_plays,
    fit_strength,
    record,
)
from book_learning import N_COLUMNS, learn, new_counts
from book_two_building import MARGIN_DEALS, TWO_ROUNDS, build_two

import jokersim
from jokersim.kernels import state
from jokersim.numbers import four_numbers
from jokersim.rules import rules

OUT = Path(jokersim.__file__).parent
VERSIONS = {"four": 2, "two": 1}
CHUNK = 5000


class Round(NamedTuple):
    """One round of learning."""

    games: int
    noise: int
    """Amplitude of the noise in plays' values, in points."""
    strays: int
    """Bids and trumps in a hundred that are not the book's choice."""
    fits: str
    """What is fitted: p plays, s strength and calls, b bids."""
    memory: float
    """Weight of what the rounds before counted."""


ROUNDS = (
    Round(20000, 24, 40, "ps", 0.0),
    Round(30000, 24, 30, "ps", 0.0),
    Round(40000, 20, 30, "psb", 0.0),
    Round(40000, 16, 30, "psb", 0.0),
    Round(50000, 12, 20, "pb", 0.0),
    Round(60000, 8, 15, "pb", 0.5),
    Round(80000, 8, 12, "pb", 0.6),
    Round(120000, 6, 10, "pb", 0.6),
    Round(160000, 6, 10, "pb", 0.6),
)


class Tuned(NamedTuple):
    """What was tuned by hand."""

    caution: int = 7
    """Points that a bid's value loses for each trick of it."""
    tidy: int = 40
    """Points that a play's value loses for each trick's worth of variance left in hand."""
    feared: float = 0.4
    """Share of what a khishti costs beyond the learned one that counts at a bid."""
    keeps: float = 0.63
    """Chance to make one more bid of a pulka."""


def played(numbers, books, seed, plan, threads):
    """Play a round in chunks: counts, and rows of bids. Threads make no difference."""
    starts = range(0, plan.games, CHUNK)
    counts = [new_counts() for _ in range(threads)]
    rows = {}

    def work(thread):
        for start in starts[thread::threads]:
            stop = min(start + CHUNK, plan.games)
            # Enough rows for the fits; more would only cost memory.
            noted = (stop - start) * 96 if "s" in plan.fits and start < 25000 else 0
            rows[start] = np.empty((noted, N_COLUMNS), np.int64)
            learn(
                numbers, books, seed, start, stop, plan.noise * 4096, plan.strays,
                counts[thread], rows[start], state.new_views(state.FOUR_VIEW),
            )  # fmt: skip

    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(work, range(threads)))
    total = counts[0]
    for other in counts[1:]:
        add(total, other, 1)
    return total, np.concatenate([rows[start] for start in starts])


def add(counts, others, weight):
    """Add other counts, weighted, in place."""
    for mine, theirs in zip(counts, others, strict=True):
        np.add(mine, (weight * theirs).astype(mine.dtype), out=mine)


def report(text, counts, seconds):
    """Say on stderr how the book did."""
    points, made, khishti, games = counts.totals.tolist()
    deals = games * 96
    print(
        f"{text}: {points / games / 4:.1f} points, {made / deals:.4f} made, "
        f"{khishti / deals:.4f} khishti, {games} games in {seconds:.0f} s",
        file=sys.stderr,
        flush=True,
    )


def build(seed, scale, threads):
    """Learn tables from nothing."""
    numbers = four_numbers(rules("classic"))
    khishti = numbers.score[1, 1, 0]
    model = first_model()
    before = None
    for i, whole in enumerate(ROUNDS):
        plan = whole._replace(games=max(int(whole.games * scale), 100))
        books = record(model, khishti, Tuned())
        began = time.monotonic()
        counts, rows = played(numbers, books, seed + i, plan, threads)
        report(f"round {i + 1} of {len(ROUNDS)}", counts, time.monotonic() - began)
        if plan.memory:
            add(counts, before, plan.memory)
        before = counts
        fit_plays(model, counts)
        if "s" in plan.fits:
            fit_strength(model, rows)
            fit_calls(model, rows)
        if "b" in plan.fits:
            fit_bids(model, counts)
    books = record(model, khishti, Tuned())
    check = Round(max(int(20000 * scale), 100), 0, 0, "", 0.0)
    began = time.monotonic()
    counts, _ = played(numbers, books, seed + len(ROUNDS), check, threads)
    report("without noise", counts, time.monotonic() - began)
    return books


def write(path, books, about):
    """Write the tables with what made them; those that a run sets itself are left out."""
    one = books[0]
    own = ("own_khishti", "blind", "khishti")
    tables = {name: one[name] for name in books.dtype.names if name not in own}
    np.savez_compressed(path, about=np.array(json.dumps(about)), **tables)


def told(family, options):
    """Say what made a family's tables."""
    about = {"version": VERSIONS[family], "made_by": "scripts/build_book.py"}
    if family == "four":
        about |= {"rules": "classic", "tuned": Tuned()._asdict()}
        rounds = ROUNDS
    else:
        about |= {"rules": "japanese", "margin_deals": MARGIN_DEALS}
        rounds = TWO_ROUNDS
    return about | {
        "seed": options.seed,
        "scale": options.scale,
        "rounds": [plan._asdict() for plan in rounds],
        "versions": {
            "jokersim": jokersim.__version__,
            "numba": numba.__version__,
            "numpy": np.__version__,
        },
    }


BUILDERS = {"four": build, "two": build_two}


def main():
    """Read the options, learn, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=20240)
    parser.add_argument("--scale", type=float, default=1.0, help="games of each round, as a factor")
    parser.add_argument("--threads", type=int, default=2, help="makes no difference to the tables")
    parser.add_argument("--only", choices=BUILDERS, help="make the tables of one family alone")
    parser.add_argument("--out", type=Path, default=OUT, help="the folder for the files")
    options = parser.parse_args()
    for family in [options.only] if options.only else BUILDERS:
        books = BUILDERS[family](options.seed, options.scale, options.threads)
        path = options.out / f"book_{family}.npz"
        write(path, books, told(family, options))
        print(f"{path}: {path.stat().st_size:,} bytes", file=sys.stderr)


if __name__ == "__main__":
    main()
