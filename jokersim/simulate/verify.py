"""Verification of a dataset: its files, the sums in its markers, and its games played again.

Files are the store's to check; here rows are compared with what their games must be.
"""

from __future__ import annotations

import random
import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from jokersim.rules import Rules
from jokersim.simulate import per_game
from jokersim.simulate.chunk import Columns, Player, Setup
from jokersim.simulate.given import Deals, GivenDeals, read_deals
from jokersim.simulate.pipeline import ChunkSizes, chunks, usable_processors
from jokersim.simulate.stored import RECORDED, read, setup_of
from jokersim.simulate.work import Progress, Span
from jokersim.store import Dataset, Finding, Marker

__all__ = ["Verification", "verify"]

SAMPLE: Final = 200


@dataclass(frozen=True, slots=True)
class Verification:
    """What a verification found; nothing, where the dataset is what it should be.

    Attributes
    ----------
    findings
        What is wrong, each with its file.
    games
        Committed games of the dataset.
    replayed
        Games that were played again and compared row by row.
    complete
        Whether every game asked for is there.
    """

    findings: tuple[Finding, ...]
    games: int
    replayed: int
    complete: bool


def verify(
    path: str | Path,
    *,
    every: bool = False,
    sample: int = SAMPLE,
    seed: int | None = None,
    deals: Deals | GivenDeals | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Verification:
    """Check a dataset against its markers, its markers against its rows, its rows against the game.

    Parameters
    ----------
    path : path or URI
        The dataset's folder. Of a run that is not finished, the committed parts are verified.
    every : bool
        Play every game again, instead of a sample.
    sample : int
        How many games of the dataset are drawn to be played again.
    seed : int, optional
        Of the draw; by default from the system, so that each verification sees other games.
    deals : path, or iterable of mapping, optional
        What the run was given as `deals`: its games cannot be played again without. With
        ``sample=0`` none are.
    threads : int, optional
        Threads that play, by default the usable processors.
    progress : callable, optional
        Called with the games played again and all of them.

    Returns
    -------
    Verification
        Findings name the file, and the game whose rows differ. Where files are damaged, games are
        not played.

    Raises
    ------
    InputError
        The folder is no dataset, nothing in it is committed yet, or its deals are missing.
    SpecError
        Another version of jokersim played the games, or the deals are other ones.

    Examples
    --------
    >>> import tempfile
    >>> import jokersim as js
    >>> folder = tempfile.TemporaryDirectory()
    >>> run = js.simulate("nines", games=20, seed=1, policies="random", out=f"{folder.name}/run")
    >>> found = verify(f"{folder.name}/run", every=True)
    >>> found.findings, found.replayed, found.complete
    ((), 20, True)
    >>> folder.cleanup()
    """
    from jokersim import store

    dataset = store.read(path)
    markers = dataset.markers()
    findings = list(store.check(dataset))
    games = sum(marker.stop - marker.start for marker in markers)
    replayed = 0
    if not findings:
        run = read(path)
        for marker in markers:
            findings += _sum_findings(run.rules, dataset, marker)
        # Games that people played cannot be played again.
        if dataset.spec["streams"] != RECORDED and (every or sample):
            given = None if deals is None else read_deals(deals, run.rules)
            again = _Again(setup_of(run, given), dataset, threads or usable_processors(), progress)
            if every:
                spans = [(marker, [(marker.start, marker.stop)]) for marker in markers]
            else:
                draw = random.Random(secrets.randbits(64) if seed is None else seed)
                spans = _drawn(markers, min(sample, games), draw)
            replayed = again.total = sum(b - a for _, own in spans for a, b in own)
            for marker, own in spans:
                findings += again.findings(marker, own, sums=every)
    return Verification(tuple(findings), games, replayed, dataset.complete)


def _drawn(
    markers: list[Marker], sample: int, draw: random.Random
) -> list[tuple[Marker, list[Span]]]:
    """Draw games: of each part, the spans of one game each."""
    ends = np.cumsum([marker.stop - marker.start for marker in markers])
    chosen: list[list[Span]] = [[] for _ in markers]
    for number in sorted(draw.sample(range(int(ends[-1])), sample)):
        part = int(np.searchsorted(ends, number, side="right"))
        game = markers[part].stop - (int(ends[part]) - number)
        chosen[part].append((game, game + 1))
    return [(marker, spans) for marker, spans in zip(markers, chosen, strict=True) if spans]


def _sum_findings(rules: Rules, dataset: Dataset, marker: Marker) -> Iterator[Finding]:
    """Add up a part's rows, and compare with the sums of its marker."""
    if "games" not in dataset.tables:
        return
    with_deals = "deals" in dataset.tables and dataset.spec["where"] is None
    figures = per_game.empty(rules, marker.stop - marker.start, deals=with_deals)
    for block in dataset.blocks("games", marker):
        per_game.take_games(rules, figures, marker.start, block)
    if with_deals:
        for rows in per_game.whole_games(dataset.blocks("deals", marker)):
            per_game.take_deals(rules, figures, marker.start, rows)
    wrong = _unequal(per_game.add_up(rules, figures), marker.sums)
    if wrong is not None:
        name = f"parts/{_part(marker)}.json"
        yield Finding(name, f"its sums are not those of the rows: {wrong} differs")


def _joined(pieces: list[Columns]) -> Columns:
    return {name: np.concatenate([piece[name] for piece in pieces]) for name in pieces[0]}


def _unequal(found: Any, stated: Any, place: str = "") -> str | None:
    """Name the first of the sums found that is stated otherwise."""
    if isinstance(found, dict) and isinstance(stated, dict):
        for key, value in found.items():
            wrong = _unequal(value, stated.get(key), f"{place}.{key}" if place else key)
            if wrong is not None:
                return wrong
        return None
    if isinstance(found, list) and found and isinstance(found[0], dict):
        if not isinstance(stated, list) or len(stated) != len(found):
            return place
        pairs = enumerate(zip(found, stated, strict=True))
        return next(
            (wrong for k, (a, b) in pairs if (wrong := _unequal(a, b, f"{place}[{k}]"))), None
        )
    return None if found == stated else place


def _part(marker: Marker) -> str:
    return f"part-{marker.start:012d}-{marker.stop - 1:012d}"


class _Again:
    """Plays games again and compares their rows with those stored."""

    def __init__(
        self, setup: Setup, dataset: Dataset, threads: int, progress: Progress | None
    ) -> None:
        from jokersim.simulate.run import make_player

        self.total = 0
        self._done = 0
        self._dataset = dataset
        self._threads = threads
        self._progress = progress
        self._player: Player = make_player(setup)
        self._rows = sum(self._player.rows_a_game(table) for table in setup.tables)

    def findings(self, marker: Marker, spans: list[Span], *, sums: bool) -> Iterator[Finding]:
        """Find what differs in a part: of each table the first row, and of all games the sums."""
        stored = {table: _Stream(self._dataset, table, marker) for table in self._dataset.tables}
        # A single game is a call of its own; whole parts are played like a run.
        sizes = ChunkSizes(self._rows, None if sums else 1)
        total: Any = None
        for chunk in chunks(self._player, iter(spans), self._threads, sizes):
            for table, stream in list(stored.items()):
                wrong = stream.compare((chunk.start, chunk.stop), chunk.tables[table])
                if wrong is not None:
                    name = f"{table}/{_part(marker)}.parquet"
                    yield Finding(name, f"{wrong} is not what playing it again gives")
                    del stored[table]
            if total is None:
                total = chunk.sums
            else:
                total.add(chunk.sums)
            self._done += chunk.stop - chunk.start
            if self._progress is not None:
                self._progress(self._done, self.total)
        if sums and total.to_json() != marker.sums:
            name = f"parts/{_part(marker)}.json"
            yield Finding(name, "its sums are not what playing the games again gives")


class _Stream:
    """The rows of a part's table, taken span by span, upward."""

    def __init__(self, dataset: Dataset, table: str, marker: Marker) -> None:
        self._dataset = dataset
        self._table = table
        self._marker = marker
        self._blocks: Iterator[Columns] | None = None
        self._held: list[Columns] = []
        self._from = marker.start

    def compare(self, span: Span, rows: Columns) -> str | None:
        """Compare the rows of some games; answers the first game and column that differ."""
        stored = self._take(span)
        if stored is None:
            return None if len(rows["game"]) == 0 else f"game {rows['game'][0]}"
        n = min(len(stored["game"]), len(rows["game"]))
        first, column = n, ""
        for name, values in rows.items():
            at = _first_difference(values[:n], stored[name][:n])
            if at < first:
                first, column = at, name
        if first < n:
            game = min(int(rows["game"][first]), int(stored["game"][first]))
            return f"game {game} (column {column})"
        if len(stored["game"]) != len(rows["game"]):
            longer = stored if len(stored["game"]) > n else rows
            return f"game {longer['game'][n]} (number of rows)"
        return None

    def _take(self, span: Span) -> Columns | None:
        """Answer the rows of the span; blocks before it are passed over."""
        if self._blocks is None or span[0] != self._from:
            # A jump: blocks in between are not read.
            self._blocks = self._dataset.blocks(
                self._table, self._marker, (span[0], self._marker.stop)
            )
            self._held = []
        self._from = span[1]
        pieces: list[Columns] = []
        for block in chain(self._held, self._blocks):
            cut = int(np.searchsorted(block["game"], span[1]))
            if cut:
                pieces.append({name: values[:cut] for name, values in block.items()})
            if cut < len(block["game"]):
                self._held = [{name: values[cut:] for name, values in block.items()}]
                break
        else:
            self._held = []
        return _joined(pieces) if pieces else None


def _first_difference(a: NDArray[Any], b: NDArray[Any]) -> int:
    different = a != b
    return int(different.argmax()) if different.any() else len(a)
