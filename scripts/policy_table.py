"""Measure the built-in policies, and write the table of them into the README.

``python scripts/policy_table.py`` measures everything, for hours: rows and parts may be measured
apart, in any order, since each is kept in ``data/policies.json`` once it is there.

    python scripts/policy_table.py --only classic/book --only nines/book
    python scripts/policy_table.py --only classic/search:worlds=128 --part 1v3 --blocks 500
    python scripts/policy_table.py --render
"""

from __future__ import annotations

import argparse
import json
import time
from math import sqrt
from pathlib import Path
from statistics import NormalDist, median

import numpy as np

import jokersim as js

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "data" / "policies.json"
README = ROOT / "README.md"
BEGIN, END = "<!-- policies: scripts/policy_table.py -->", "<!-- end of policies -->"

GAMES = {"classic": "Classic", "nines": "Nines", "japanese": "Japanese Joker"}
# By policy, the weaker one that it is measured against, and how many games or blocks at least.
POLICIES = {
    "random": (None, 20_000),
    "basic": ("random", 20_000),
    "book": ("basic", 20_000),
    "search:worlds=8": ("book", 2_000),
    "search:worlds=32": ("book", 2_000),
    "search:worlds=128": ("book", 500),
}
SEED = 777001
LEVEL = 0.95


def mean(values):
    """Answer mean and half-width over games."""
    spread = NormalDist().inv_cdf((1 + LEVEL) / 2) * values.std(ddof=1) / sqrt(len(values))
    return [float(values.mean()), float(spread)]


def four_self(rules, policy, games, threads):
    """Play a table of one policy: figures a game and seat, each with its half-width."""
    run = js.simulate(
        rules, games=games, seed=SEED, policies=policy, threads=threads, tables=["games", "deals"]
    )
    totals = run.games().filter(regex=r"^total_\d").to_numpy()
    deals = run.deals()
    bid, taken = deals["bid"].to_numpy(), deals["taken"].to_numpy()
    made = (bid == taken).reshape(games, -1, 4)
    pulka = deals["pulka"].to_numpy().reshape(games, -1, 4)[0, :, 0]
    starts = np.flatnonzero(np.diff(pulka, prepend=-1))
    premiums = np.logical_and.reduceat(made, starts, axis=1)
    khishti = ((bid > 0) & (taken == 0)).reshape(games, -1)
    return {
        "points": mean(totals.mean(axis=1)),
        "made": mean(made.reshape(games, -1).mean(axis=1)),
        "khishti": mean(khishti.mean(axis=1)),
        "premiums": mean(premiums.sum(axis=(1, 2)) / 4),
    }


def two_self(rules, policy, games, threads):
    """Play parties between two of one policy."""
    run = js.simulate(
        rules, games=games, seed=SEED, policies=policy, threads=threads, tables=["games"]
    )
    played = run.games()
    points = played[["points_0", "points_1"]].to_numpy()
    return {"points": mean(points.mean(axis=1)), "deals": mean(played["deals"].to_numpy())}


def decisions(rules, run):
    """Count the decisions of a run, forced ones too."""
    if rules.seats == 2:
        return int(run.games()["deals"].sum()) * 37
    sizes = rules.deal_sizes
    return run.n_games * (4 * len(sizes) + 4 * sum(sizes) + sizes.count(9))


def timed(rules, policy, games):
    """Measure processor time on one thread: the whole of a game, dealing and scoring included.

    The median of three times, since what else a machine does shows in each.
    """
    tables = ["games"] if rules.seats == 2 else []
    js.simulate(rules, games=1, seed=SEED, policies=policy, threads=1, tables=tables)
    taken = []
    for _ in range(3):
        began = time.process_time()
        run = js.simulate(rules, games=games, seed=SEED, policies=policy, threads=1, tables=tables)
        taken.append(time.process_time() - began)
    seconds = median(taken)
    return {
        "nanoseconds": seconds / decisions(rules, run) * 1e9,
        "games_a_minute": 60 * games / seconds,
    }


def matched(rules, policy, weaker, seats, blocks, threads):
    """Play a duplicate match against the weaker policy."""
    played = js.match(
        rules, policy, weaker, games=blocks, seed=SEED, seats=seats, threads=threads, level=LEVEL
    ).summary()
    kept = {name: played[name] for name in ("difference", "low", "high", "won", "tied", "lost")}
    own = played["sides"][0]
    for name, key in (("mean", "mean_score"), ("made", "made")):
        if key in own:
            kept[name] = [own[f"{key}{end}"] for end in ("", "_low", "_high")]
    return kept


def parts_of(game, weaker):
    """List the parts of a row."""
    arrangements = ("1v1",) if game == "japanese" else ("1v3", "2v2")
    return ("self", *(arrangements if weaker else ()), "time")


def measure(game, policy, part, games, threads):
    """Measure one part of a row."""
    rules = js.rules(game)
    weaker = POLICIES[policy][0]
    if part == "self":
        play = two_self if game == "japanese" else four_self
        found = play(rules, policy, games, threads)
    elif part == "time":
        found = timed(rules, policy, max(games // 20, 2) if weaker == "book" else games)
    else:
        seats = None if part == "1v1" else part
        found = {"against": weaker} | matched(rules, policy, weaker, seats, games, threads)
    return {"n": games, "seed": SEED, "version": js.__version__} | found


def read():
    """Read what has been measured."""
    return json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}


def keep(game, policy, part, found):
    """Add a part to what has been measured."""
    results = read()
    results.setdefault(game, {}).setdefault(policy, {})[part] = found
    ordered = {
        name: {rung: results[name][rung] for rung in POLICIES if rung in results[name]}
        for name in GAMES
        if name in results
    }
    RESULTS.write_text(json.dumps(ordered, indent=1) + "\n", encoding="utf-8")


def figure(row, part, name, form, factor=1):
    """Write a figure with its half-width."""
    if part not in row or name not in row[part]:
        return ""
    value, spread = (factor * x for x in row[part][name])
    return f"{value:{form}} ± {spread:{form}}"


def against(row, part, form):
    """Write a difference with its interval."""
    if part not in row:
        return ""
    found = row[part]
    return f"{found['difference']:+{form}} ± {(found['high'] - found['low']) / 2:{form}}"


def made_against(row):
    """Write the share of bids that one makes against three of the weaker."""
    if "made" not in row.get("1v3", {}):
        return ""
    value, low, high = (100 * x for x in row["1v3"]["made"])
    return f"{value:.2f} ± {(high - low) / 2:.2f}"


def cost(row):
    """Write what a decision and a game take."""
    if "time" not in row:
        return "", ""
    nanoseconds, games = row["time"]["nanoseconds"], row["time"]["games_a_minute"]
    return f"{nanoseconds:,.0f}", f"{games:,.0f}" if games < 1e5 else f"{games / 1e6:.2f} M"


def four_row(policy, row):
    """Write a row of a game of four."""
    return [
        f"`{policy}`",
        figure(row, "self", "made", ".2f", 100),
        figure(row, "self", "khishti", ".2f", 100),
        figure(row, "self", "premiums", ".3f"),
        figure(row, "self", "points", ",.1f"),
        against(row, "1v3", ",.1f"),
        made_against(row),
        against(row, "2v2", ",.1f"),
        *cost(row),
    ]


def two_row(policy, row):
    """Write a row of the game of two."""
    return [
        f"`{policy}`",
        figure(row, "self", "points", ".2f"),
        figure(row, "self", "deals", ".2f"),
        against(row, "1v1", ".3f"),
        *cost(row),
    ]


FOUR_HEAD = (
    "policy", "bids made, %", "khishti, % of deals", "premiums a game", "points a game",
    "one against three", "bids made there, %", "two against two", "ns a decision", "games a minute",
)  # fmt: skip
TWO_HEAD = (
    "policy", "points a party", "deals a party", "against the weaker, stakes a party",
    "ns a decision", "parties a minute",
)  # fmt: skip


def render(results):
    """Write the tables as Markdown."""
    lines = []
    for game, title in GAMES.items():
        if game not in results:
            continue
        head, row_of = (TWO_HEAD, two_row) if game == "japanese" else (FOUR_HEAD, four_row)
        rows = [head, ["---"] * len(head)]
        rows += [row_of(policy, row) for policy, row in results[game].items()]
        lines += [f"**{title}**", "", *("| " + " | ".join(row) + " |" for row in rows), ""]
    return "\n".join(lines)


def write_readme(results):
    """Put the tables between their marks."""
    text = README.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    README.write_text(f"{before}{BEGIN}\n\n{render(results)}\n{END}{after}", encoding="utf-8")


def main():
    """Read the options, measure what is asked for, render."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    rows = [f"{game}/{policy}" for game in GAMES for policy in POLICIES]
    parser.add_argument("--only", action="append", choices=rows, metavar="GAME/POLICY")
    parser.add_argument(
        "--part", action="append", choices=("self", "1v3", "2v2", "1v1", "time"),
        help="self-play, matches against the weaker policy, processor time",
    )  # fmt: skip
    parser.add_argument("--blocks", type=int, help="games of self-play and blocks of matches")
    parser.add_argument("--threads", type=int)
    parser.add_argument("--render", action="store_true", help="measure nothing")
    options = parser.parse_args()
    for row in [] if options.render else options.only or rows:
        game, policy = row.split("/")
        weaker, games = POLICIES[policy]
        for part in parts_of(game, weaker):
            if options.part is None or part in options.part:
                began = time.monotonic()
                found = measure(game, policy, part, options.blocks or games, options.threads)
                keep(game, policy, part, found)
                print(f"{row} {part}: {time.monotonic() - began:.0f} s", flush=True)
    write_readme(read())


if __name__ == "__main__":
    main()
