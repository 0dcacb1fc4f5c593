"""What changes from one run to another: every figure of the summary as a paired difference.

Two rule sets or policies on the same deals are common random numbers: the same seed and game index
deal the same cards, so that the difference game by game is known far better than either figure.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from jokersim.errors import InputError
from jokersim.rules import Rules, TwoRules
from jokersim.simulate import per_game
from jokersim.simulate.chunk import Chunk, Setup
from jokersim.simulate.dataset import added
from jokersim.simulate.per_game import PerGame
from jokersim.simulate.pipeline import ChunkSizes, usable_processors
from jokersim.simulate.result import Run
from jokersim.simulate.run import make_player
from jokersim.simulate.stored import read
from jokersim.simulate.work import Progress, Span, Threads
from jokersim.stats import Interval
from jokersim.stats.counts import Counts
from jokersim.stats.paired import BLOCKS, PairedSums, independent
from jokersim.stats.two import MAX_MULTIPLIER, N_DIFFERENCES
from jokersim.store import Dataset

__all__ = ["check_families", "compare_datasets", "compare_setups"]

_QUANTILES: Final = (0.05, 0.25, 0.5, 0.75, 0.95)
_BLOCK: Final = 10_000

Key = tuple[str, int, str]
Source = Callable[[int, int], PerGame]
"""Answers what each game of a range comes to."""


def compare_setups(
    a: Setup,
    b: Setup,
    games: int,
    *,
    level: float = 0.95,
    threads: int | None = None,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Play the same deals under two setups of one seed, and compare them game by game.

    Returns
    -------
    dict
        The document that ``jokersim compare --json`` prints. Each figure of `seats`, `places` (and
        of `parties`) is ``{a, b, difference, low, high, method}``: both values, the first less the
        second, and the ends of the difference's interval.
    """
    check_families(a.rules, b.rules)
    if a.seed != b.seed:
        raise InputError("two rule sets are compared on the same deals: give both the same seed")
    sources = _played(a), _played(b)
    sums = _summed(a.rules, b.rules, sources, [(0, games)], threads, progress)
    header = {"a": _described(a, games), "b": _described(b, games), "games": games}
    return header | _document(sums, None, level)


def compare_datasets(
    a: str | Path,
    b: str | Path,
    *,
    level: float = 0.95,
    threads: int | None = None,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Compare two datasets; game by game where both hold the same deals.

    Runs of one seed are paired by game, over the games that both hold. Otherwise, and for figures
    that one of them cannot give game by game (its deals were not stored, or filtered), the
    difference of the two summaries is taken, as of independent runs.

    Returns
    -------
    dict
        See `compare_setups`; `method` says of each figure which of the two it is.
    """
    runs = read(a, level=level), read(b, level=level)
    one, other = runs
    assert one.stored is not None
    assert other.stored is not None
    check_families(one.rules, other.rules)
    if one.deals_sha256 is None and other.deals_sha256 is None:
        of_run = [(run.seed, run.stored.spec["streams"]) for run in runs]  # type: ignore[union-attr]
        same_deals = of_run[0] == of_run[1]
    else:
        same_deals = one.deals_sha256 == other.deals_sha256
    spans = _common(one.stored, other.stored) if same_deals else []
    sums = None
    if spans and "games" in one.stored.tables and "games" in other.stored.tables:
        with_deals = all("deals" in run.stored.tables and run.where is None for run in runs)  # type: ignore[union-attr]
        sources = tuple(_stored(run, deals=with_deals) for run in runs)
        sums = _summed(one.rules, other.rules, sources, spans, threads, progress)
    header = {
        "a": {"path": str(a), **_of_run(one)},
        "b": {"path": str(b), **_of_run(other)},
        "games": 0 if sums is None else sums.games,
    }
    return header | _document(sums, (one.summary(), other.summary()), level)


def check_families(a: Rules, b: Rules) -> None:
    """Refuse to compare games of two with games of four."""
    if a.family != b.family:
        raise InputError(
            f"{a.name} is played by {a.seats} and {b.name} by {b.seats}: compare games of as many "
            "players"
        )


def _described(setup: Setup, games: int) -> dict[str, Any]:
    return {
        "game": setup.rules.name,
        "rules": setup.rules.changes(),
        "policies": [policy.name for policy in setup.policies],
        "seed": setup.seed,
        "games": games,
    }


def _of_run(run: Run) -> dict[str, Any]:
    return {
        "game": run.rules.name,
        "rules": run.rules.changes(),
        "policies": [policy.name for policy in run.policies],
        "seed": run.seed,
        "games": run.n_games,
    }


def _common(a: Dataset, b: Dataset) -> list[Span]:
    """List the ranges of games that both hold, in pieces that fit in memory."""
    spans: list[Span] = []
    ours, theirs = ([(m.start, m.stop) for m in dataset.markers()] for dataset in (a, b))
    at = 0
    for start, stop in ours:
        while at < len(theirs) and theirs[at][1] <= start:
            at += 1
        k = at
        while k < len(theirs) and theirs[k][0] < stop:
            spans.append((max(start, theirs[k][0]), min(stop, theirs[k][1])))
            k += 1
    return spans


def _played(setup: Setup) -> Source:
    """Answer a source that plays the games."""
    everything = Setup(setup.rules, setup.policies, setup.seed, ("games", "deals"))
    player = make_player(everything)

    def play(start: int, stop: int) -> PerGame:
        chunk = player.play(start, stop)
        figures = per_game.empty(setup.rules, stop - start, deals=True)
        per_game.take_games(setup.rules, figures, start, chunk.tables["games"])
        per_game.take_deals(setup.rules, figures, start, chunk.tables["deals"])
        return figures

    return play


def _stored(run: Run, *, deals: bool) -> Source:
    """Answer a source that reads the games of a dataset."""
    dataset, rules = run.stored, run.rules
    assert dataset is not None
    markers = dataset.markers()

    def load(start: int, stop: int) -> PerGame:
        figures = per_game.empty(rules, stop - start, deals=deals)
        for marker in markers:
            if marker.start < stop and marker.stop > start:
                for block in dataset.blocks("games", marker, (start, stop)):
                    per_game.take_games(rules, figures, start, block)
                if deals:
                    blocks = dataset.blocks("deals", marker, (start, stop))
                    for rows in per_game.whole_games(blocks):
                        per_game.take_deals(rules, figures, start, rows)
        return figures

    return load


class _Pairs:
    """Plays both runs as one player, whose sums are those of pairs."""

    def __init__(
        self, rules: tuple[Rules, Rules], sources: tuple[Source, ...], games: int, first: int
    ) -> None:
        self._rules = rules
        self._sources = sources
        self._games = games
        self._first = first

    def rows_a_game(self, table: str) -> int:
        """Answer 1: nothing is kept."""
        del table
        return 1

    def play(self, start: int, stop: int) -> Chunk[PairedSums]:
        """Play a range of games in both runs."""
        runs = [source(start, stop) for source in self._sources]
        sides = [_vectors(rules, run) for rules, run in zip(self._rules, runs, strict=True)]
        keys = tuple(sides[0][0])
        sums = PairedSums.of(keys, sides[0][1], sides[1][1])
        if self._rules[0].family == "four":
            self._count(sums, runs, start, stop)
        return Chunk(start, stop, {}, sums)

    def _count(self, sums: PairedSums, runs: list[PerGame], start: int, stop: int) -> None:
        """Count the totals of places, by block of games."""
        games = np.arange(start, stop) - self._first
        block = np.minimum(games * BLOCKS // self._games, BLOCKS - 1)
        cuts = [0, *(np.flatnonzero(np.diff(block)) + 1).tolist(), stop - start]
        for run, figures in enumerate(runs):
            totals = per_game.with_places(self._rules[run], figures["total"], figures["first"])
            for place in range(4):
                at = sums.keys.index(("places", place, "mean_score"))
                for a, b in itertools.pairwise(cuts):
                    sums.values[at, run, int(block[a])] = Counter(
                        Counts.of(totals[place, a:b]).counted()
                    )


def _summed(
    a: Rules,
    b: Rules,
    sources: tuple[Source, ...],
    spans: list[Span],
    threads: int | None,
    progress: Progress | None,
) -> PairedSums:
    first, last = spans[0][0], spans[-1][1]
    player = _Pairs((a, b), sources, last - first, first)
    games = sum(stop - start for start, stop in spans)
    sizes = ChunkSizes(2_000_000 // _BLOCK)
    workers = Threads(player, threads or usable_processors(), sizes, games, progress)
    sums: Any = None
    with closing(workers.chunks(spans)) as played:
        for chunk in played:
            sums = added(sums, chunk.sums)
    result: PairedSums = sums
    return result


def _vectors(rules: Rules, games: PerGame) -> tuple[list[Key], NDArray[np.float64]]:
    """List the figures of a run's games, and [figures, 2, games]: numerator and denominator."""
    n = len(games["first"])
    one = np.ones(n)
    keys: list[Key] = []
    values: list[tuple[NDArray[Any], NDArray[Any]]] = []

    def put(group: str, row: int, name: str, top: NDArray[Any], bottom: NDArray[Any]) -> None:
        keys.append((group, row, name))
        values.append((top, bottom))

    seats = _two_seats(rules, games) if isinstance(rules, TwoRules) else _four_seats(rules, games)
    for group in ("seats", "places"):
        for name, (top, bottom) in seats.items():
            if group == "seats" and name.startswith("rank_"):
                continue
            own = top if group == "seats" else per_game.with_places(rules, top, games["first"])
            for row in range(rules.seats):
                put(group, row, name, own[row], one if bottom is None else bottom)
    if isinstance(rules, TwoRules):
        for name, (top, bottom) in _parties(rules, games, seats["payoff"][0]).items():
            put("parties", 0, name, top, one if bottom is None else bottom)
    return keys, np.array(values, np.float64)


Figures = dict[str, tuple[NDArray[Any], NDArray[Any] | None]]


def _four_seats(rules: Any, games: PerGame) -> Figures:
    n = len(games["first"])
    figures: Figures = {"mean_score": (games["total"], None)}
    chances = {"made": rules.n_deals, "khishti": rules.n_deals, "premium": rules.n_pulkas}
    for name, number in chances.items():
        if name in games:
            figures[name] = (games[name], np.full(n, number))
    figures["first"] = (games["rank"] == 1, None)
    return figures | {f"rank_{k}": (games["rank"] == k, None) for k in range(1, 5)}


def _two_seats(rules: TwoRules, games: PerGame) -> Figures:
    money = np.zeros((3, MAX_MULTIPLIER + 1, 2))
    for won, m in np.ndindex(2, rules.max_multiplier):
        money[won, m + 1] = rules.payoffs(won, m + 1)
    payoff = money[games["winner"], games["multiplier"]].T
    figures: Figures = {
        "mean_score": (games["points"], None),
        "payoff": (payoff, None),
        "return": (payoff / float(rules.exact_stake), None),
        "won": (games["winner"] == np.arange(2)[:, None], None),
    }
    if "complete" in games:
        figures["pairs"] = (games["pairs"], games["complete"])
        figures["deals_won"] = (games["deals_won"], games["complete"])
        figures["offers"] = (games["offers"], None)
    return figures


def _parties(rules: TwoRules, games: PerGame, payoff: NDArray[Any]) -> Figures:
    figures: Figures = {
        "return": (payoff.mean(axis=0) / float(rules.exact_stake), None),
        "deals": (games["deals"], None),
        "void": (games["winner"] < 0, None),
        "declined": (games["declined_by"] >= 0, None),
    }
    for m in range(1, MAX_MULTIPLIER + 1):
        figures[f"multiplier_{m}"] = (games["multiplier"] == m, None)
    if "complete" in games:
        figures["declarer_pairs"] = (games["declarer_pairs"], games["complete"])
        for k in range(N_DIFFERENCES):
            figures[f"difference_{2 * k}"] = (games["differences"][k], games["complete"])
    return figures


def _document(
    sums: PairedSums | None, summaries: tuple[dict[str, Any], dict[str, Any]] | None, level: float
) -> dict[str, Any]:
    """Lay out the differences as a summary is: lists of rows of figures."""
    rows: dict[tuple[str, int], dict[str, Any]] = {}
    for figure, (group, row, name) in enumerate(sums.keys if sums is not None else ()):
        assert sums is not None
        found = {**sums.difference(figure, level), "method": "paired"}
        rows.setdefault((group, row), {})[name] = found
        if (group, name) == ("places", "mean_score") and sums.values:
            rows[group, row]["quantiles"] = {
                str(q): {**sums.quantile_difference(figure, q, level), "method": "blocks"}
                for q in _QUANTILES
            }
    if summaries is not None:
        for group in ("seats", "places"):
            for k, pair in enumerate(zip(*(s[group] for s in summaries), strict=True)):
                own = rows.setdefault((group, k), {})
                for name in _estimates(pair[0]):
                    if name not in own:
                        own[name] = independent(*(_interval(row, name) for row in pair))
    document: dict[str, Any] = {
        "schema": {"name": "jokersim/compare", "version": 1},
        "paired": sums is not None,
        "level": level,
    }
    for group, label in (("seats", "seat"), ("places", "place")):
        document[group] = [
            {label: k} | figures for (own, k), figures in sorted(rows.items()) if own == group
        ]
    if ("parties", 0) in rows:
        document["parties"] = rows["parties", 0]
    return document


def _estimates(row: dict[str, Any]) -> list[str]:
    """Name the figures of a summary's row that have an interval."""
    return ["mean_score", *(name for name in row if f"{name}_low" in row)]


def _interval(row: dict[str, Any], name: str) -> Interval:
    prefix = "" if name == "mean_score" else f"{name}_"
    return Interval(row[name], row[f"{prefix}low"], row[f"{prefix}high"])
