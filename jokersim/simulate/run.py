"""`simulate`: checks what is asked, plays the games, keeps or writes their rows."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from jokersim import schema
from jokersim._version import __version__
from jokersim.errors import InputError
from jokersim.policies import parse_policies
from jokersim.rules import FourRules, Rules
from jokersim.rules import rules as make_rules
from jokersim.simulate.chunk import Chunk, Columns, Player, Setup, Sums
from jokersim.simulate.pipeline import ChunkSizes, chunks, usable_processors
from jokersim.simulate.result import Run, describe_run

if TYPE_CHECKING:
    from jokersim.store import Dataset, Writer

__all__ = ["MAX_GAMES", "MAX_SEED", "Progress", "make_player", "plan", "simulate"]

MAX_SEED: Final = 2**63 - 1
MAX_GAMES: Final = 10**12

Progress = Callable[[int, int], None]
"""Told the games done and the games of the whole run, a few times a second."""


def simulate(
    rules: Rules | str = "classic",
    *,
    games: int,
    seed: int | None = None,
    policies: str | Sequence[str] = "basic",
    out: str | Path | None = None,
    tables: Iterable[str] | None = None,
    threads: int | None = None,
    chunk: int | None = None,
    part: int | None = None,
    resume: bool = False,
    overwrite: bool = False,
    level: float = 0.95,
    progress: Progress | None = None,
) -> Run:
    """Play games, and keep or write their tables.

    Parameters
    ----------
    rules : rule set or str
        What `jokersim.rules` answers, or a preset's name.
    games : int
        The number of games (two players: parties), at least 1; their indices are 0 … games - 1.
    seed : int, optional
        0 … 2^63 - 1; drawn from the system when absent. A game is a pure function of the rules, the
        policies, the seed and its index: threads, chunks and parts never change a result.
    policies : str or sequence of str
        One policy for all seats, or one a seat; see `jokersim.policies`.
    out : path, optional
        The folder of the dataset to write.
    tables : iterable of str, optional
        Of ``games``, ``deals`` and ``plays``. With `out` the default is games and deals; without,
        only the tables asked for are kept, in memory, and the default is none.
    threads : int, optional
        The number of threads, by default the usable processors.
    chunk, part : int, optional
        Games a unit of work, and games a part of the dataset; by default chosen.
    resume, overwrite : bool
        Go on with the run that `out` holds, or replace it.
    level : float
        The level of the summary's intervals, between 0 and 1.
    progress : callable, optional
        Called with the games done and all games; an exception in it ends the run.

    Returns
    -------
    Run

    Raises
    ------
    InputError
        Something asked for is refused before the start.
    SpecError
        `out` holds another run, or another process writes there.
    RunError
        The dataset could not be written to its end; what is committed stays.

    Examples
    --------
    >>> run = simulate("nines", games=50, seed=1, policies="random", tables=["games"])
    >>> run.n_games, len(run.games())
    (50, 50)
    """
    setup = plan(rules, policies, seed, tables if tables is not None else _default_tables(out))
    _check_counts(games=games, threads=threads, chunk=chunk, part=part)
    if not 0 < level < 1:
        raise InputError(f"a level lies between 0 and 1, and {level} does not")
    player = make_player(setup)
    n_threads = threads or usable_processors()
    sizes = ChunkSizes(sum(player.rows_a_game(table) for table in setup.tables), chunk)
    work = _Work(player, n_threads, sizes, games, progress)
    if out is None:
        if resume or overwrite or part:
            raise InputError("resume, overwrite and part are about a dataset: name its folder, out")
        return _in_memory(setup, work, level)
    return _to_dataset(setup, work, Path(out), part, level, resume=resume, overwrite=overwrite)


def plan(
    rules: Rules | str, policies: str | Sequence[str], seed: int | None, tables: Iterable[str] = ()
) -> Setup:
    """Check what decides the games of a run, and answer it in its one form."""
    if isinstance(rules, str):
        rules = make_rules(rules)
    if seed is None:
        seed = secrets.randbelow(MAX_SEED + 1)
    if not _is_whole(seed) or not 0 <= seed <= MAX_SEED:
        raise InputError(f"a seed is a whole number from 0 to 2^63 - 1, and {seed} is not")
    known = tuple(schema.tables(rules))
    asked = set(tables)
    for table in sorted(asked - set(known)):
        raise InputError(f"{table!r} is no table: the tables are {', '.join(known)}")
    return Setup(
        rules,
        parse_policies(policies, rules.family, rules.seats),
        seed,
        tuple(table for table in known if table in asked),
    )


def make_player(setup: Setup) -> Player:
    """Answer what plays the chunks of a setup, for the family of its game."""
    if isinstance(setup.rules, FourRules):
        from jokersim.simulate.four import FourPlayer

        return FourPlayer(setup)
    from jokersim.simulate.two import TwoPlayer

    return TwoPlayer(setup)


def _is_whole(value: object) -> bool:
    """Tell whether a value that callers may have given is an integer, and no truth value."""
    return isinstance(value, int) and not isinstance(value, bool)


def _default_tables(out: str | Path | None) -> tuple[str, ...]:
    return () if out is None else ("games", "deals")


def _check_counts(games: int, **others: int | None) -> None:
    for name, value in {"games": games, **others}.items():
        if value is None:
            continue
        if not _is_whole(value) or value < 1:
            raise InputError(f"{name} is a whole number of at least 1, and {value!r} is not")
    if games > MAX_GAMES:
        raise InputError(f"games is at most {MAX_GAMES:,}, and {games:,} is more")


class _Work:
    """The loop over chunks, with its progress; one a call of `simulate`."""

    def __init__(
        self,
        player: Player,
        threads: int,
        sizes: ChunkSizes,
        games: int,
        progress: Progress | None,
    ) -> None:
        self.games = games
        self.seconds = 0.0
        self._player = player
        self._threads = threads
        self._sizes = sizes
        self._progress = progress

    def chunks(
        self, spans: Iterable[tuple[int, int]], done: int = 0
    ) -> Generator[Chunk[Any], None, None]:
        """Play the spans, telling the progress; adds the wall time to `seconds`."""
        began = time.perf_counter()
        try:
            with closing(
                chunks(self._player, iter(spans), self._threads, self._sizes)
            ) as played:  # fmt: skip
                for chunk in played:
                    yield chunk
                    done += chunk.stop - chunk.start
                    if self._progress is not None:
                        self._progress(done, self.games)
        finally:
            self.seconds += time.perf_counter() - began


def _in_memory(setup: Setup, work: _Work, level: float) -> Run:
    kept: dict[str, list[Columns]] = {table: [] for table in setup.tables}
    sums: Sums | None = None
    with closing(work.chunks([(0, work.games)])) as played:
        for chunk in played:
            for table, batches in kept.items():
                batches.append(chunk.tables[table])
            if sums is None:
                sums = chunk.sums
            else:
                sums.add(chunk.sums)
    assert sums is not None
    return Run(setup.rules, setup.policies, setup.seed, sums, work.seconds, level, kept)


def _to_dataset(
    setup: Setup,
    work: _Work,
    out: Path,
    part: int | None,
    level: float,
    *,
    resume: bool,
    overwrite: bool,
) -> Run:
    from jokersim import stats, store

    if not setup.tables:
        raise InputError("a dataset has at least one table: games, deals or plays")
    declared = schema.tables(setup.rules)
    spec = _spec(setup, part or store.default_part(setup.tables))
    with store.create_or_open(
        out,
        spec,
        work.games,
        {table: declared[table] for table in setup.tables},
        versions={"jokersim": __version__},
        resume=resume,
        overwrite=overwrite,
    ) as writer:
        _write_parts(writer, work)
        sums = stats.added(setup.rules, (marker.sums for marker in writer.markers()))
        writer.finish(describe_run(setup.rules, setup.policies, setup.seed, sums, level))
    dataset: Dataset = store.read(out)
    return Run(
        setup.rules, setup.policies, setup.seed, sums, work.seconds, level, stored=dataset
    )  # fmt: skip


def _write_parts(writer: Writer, work: _Work) -> None:
    """Play and commit the pending parts; an interrupted part is dropped, those before it stand."""
    pending = writer.pending()
    done = work.games - sum(stop - start for start, stop in pending)
    with closing(work.chunks(pending, done)) as played:
        for start, stop in pending:
            sums: Sums | None = None
            with writer.part(start, stop) as part:
                for chunk in played:
                    for table, columns in chunk.tables.items():
                        part.write(table, columns)
                    if sums is None:
                        sums = chunk.sums
                    else:
                        sums.add(chunk.sums)
                    if chunk.stop == stop:
                        break
                assert sums is not None
                part.commit(sums.to_json())


def _spec(setup: Setup, part: int) -> dict[str, Any]:
    from jokersim.kernels.streams import SCHEME

    return {
        "game": setup.rules.name,
        "rules": setup.rules.options(),
        "policies": [policy.spec() for policy in setup.policies],
        "seed": setup.seed,
        "streams": SCHEME,
        "tables": list(setup.tables),
        "where": None,
        "part": part,
        "schema_version": schema.SCHEMA_VERSION,
    }
