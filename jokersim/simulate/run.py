"""`simulate`: checks what is asked, plays the games, keeps or writes their rows."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from math import gcd
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from jokersim import schema
from jokersim.errors import InputError
from jokersim.policies import parse_policies
from jokersim.rules import FourRules, Rules
from jokersim.rules import rules as make_rules
from jokersim.simulate.chunk import Columns, Player, Setup, Sums
from jokersim.simulate.dataset import (
    Target,
    added,
    describe,
    games_of,
    write_dataset,
    write_until,
)
from jokersim.simulate.pipeline import ChunkSizes, usable_processors
from jokersim.simulate.precision import Precision, looks, parse_precision
from jokersim.simulate.result import Run
from jokersim.simulate.shards import parse_shard
from jokersim.simulate.work import Progress, Threads, Workers

if TYPE_CHECKING:
    from jokersim.simulate.given import Deals, GivenDeals

__all__ = ["MAX_GAMES", "MAX_SEED", "Progress", "check_counts", "make_player", "plan", "simulate"]

MAX_SEED: Final = 2**63 - 1
MAX_GAMES: Final = 10**12


def simulate(
    rules: Rules | str | None = None,
    *,
    games: int | None = None,
    seed: int | None = None,
    policies: str | Sequence[str] = "basic",
    out: str | Path | None = None,
    tables: Iterable[str] | None = None,
    threads: int | None = None,
    chunk: int | None = None,
    part: int | None = None,
    shard: str | tuple[int, int] | None = None,
    resume: bool = False,
    overwrite: bool = False,
    level: float = 0.95,
    where: str | None = None,
    precision: str | Mapping[str, float] | None = None,
    deals: Deals | GivenDeals | None = None,
    client: Any = None,
    progress: Progress | None = None,
) -> Run:
    """Play games, and keep or write their tables.

    Parameters
    ----------
    rules : rule set or str, optional
        What `jokersim.rules` answers, or a preset's name; by default what `deals` name, else
        ``"classic"``.
    games : int
        The number of games (two players: parties), at least 1; their indices are 0 … games - 1.
        With `deals` it may be left out: all that are given.
    seed : int, optional
        0 … 2^63 - 1; drawn from the system when absent. A game is a pure function of the rules, the
        policies, the seed and its index: threads, chunks and parts never change a result.
    policies : str or sequence of str
        One policy for all seats, or one a seat; see `jokersim.policies`.
    out : path or URI, optional
        The folder of the dataset to write: a path, or the URI of a file system that pyarrow or
        fsspec knows, such as ``"s3://bucket/run"``.
    tables : iterable of str, optional
        Of ``games``, ``deals`` and ``plays``. With `out` the default is games and deals; without,
        only the tables asked for are kept, in memory, and the default is none.
    threads : int, optional
        The number of threads, by default the usable processors.
    chunk, part : int, optional
        Games a unit of work, and games a part of the dataset; by default chosen.
    shard : str or tuple of int, optional
        ``"k/n"``, job k of n (from 1): `out` gets its share of the parts; see `merge`.
    resume, overwrite : bool
        Go on with the run that `out` holds, or replace it.
    level : float
        The level of the summary's intervals, between 0 and 1.
    where : str, optional
        Keep in `deals` only the rows for which this filter holds, such as
        ``"hand_size == 9 and jokers >= 1 and bid in 2..4"``, and in `plays` only their deals; the
        summary says how many rows it chose from. See `jokersim.simulate.where`.
    precision : str or mapping, optional
        ``"mean_score=0.5"`` or ``{"mean_score": 0.5}``: play no more games, of at most `games`,
        than it takes for the interval of this statistic to have this half-width in every seat. The
        widths are looked at after 1,000 games, then at doublings; `Run.reached` says how it ended.
    deals : path, or iterable of mapping, optional
        Records (RECORDS.md) whose deals are played, a file of them or themselves: game i has the
        first dealer, hands and turned cards (two players: the table cards too) of record i. All
        name the rules of the run; what was bid and played is passed over, the policies play. A
        party of two that is not over after the deals of its record goes on with the seed's.
    client : distributed.Client or str, optional
        Play on a Dask cluster, which needs ``jokersim[dask]``: a client, a scheduler's address
        (``"tcp://…"``), or ``"local:N"`` for N processes of this machine. Each part is a task that
        may be repeated; `out` must be a folder that all hosts share.
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
    asked = tables if tables is not None else default_tables(out)
    given = None
    if deals is not None:
        # Not at the top: records and tables take a while to import, and most runs deal by the seed.
        from jokersim.simulate.given import read_deals

        given = read_deals(deals, rules)
    setup = plan(rules, policies, seed, asked, where, given)
    games = games_to_play(games, given)
    check_counts(games=games, threads=threads, chunk=chunk, part=part)
    if not 0 < level < 1:
        raise InputError(f"a level lies between 0 and 1, and {level} does not")
    wanted = None if precision is None else parse_precision(precision, setup.rules)
    target, own = None, games
    if out is not None:
        job = None if shard is None else parse_shard(shard)
        target = Target(out, part, job, resume, overwrite)
        own = games_of(setup, games, target)
    elif resume or overwrite or part or shard:
        raise InputError(
            "resume, overwrite, part and shard are about a dataset: name its folder, out"
        )
    with _workers(setup, client, own, threads, chunk, progress) as workers:
        if target is None:
            return _in_memory(setup, workers, games, level, wanted)
        if wanted is None:
            return write_dataset(setup, workers, games, target, level)
        return write_until(setup, workers, games, target, level, wanted)


@contextmanager
def _workers(
    setup: Setup,
    client: Any,
    games: int,
    threads: int | None,
    chunk: int | None,
    progress: Progress | None,
) -> Iterator[Workers]:
    """Answer who plays: threads of this process, or a Dask cluster."""
    if client is not None:
        from jokersim.simulate.dask import Cluster, Recipe, connected

        with connected(client) as own:
            yield Cluster(own, Recipe.of(setup), games, progress)
        return
    player = make_player(setup)
    n_threads = 1 if setup.in_python else threads or usable_processors()
    rows = [player.rows_a_game(table) for table in setup.tables]
    sizes = ChunkSizes(sum(rows), chunk, _games_in_full_groups(max(rows, default=0)))
    yield Threads(player, n_threads, sizes, games, progress)


def _games_in_full_groups(rows: int) -> int:
    """Answer after how many games of so many rows a file's row groups are full.

    A chunk that ends there is written as it is; the rest of others is copied until the next comes.
    """
    if rows == 0:
        return 1
    from jokersim.store import GROUP_ROWS

    return GROUP_ROWS // gcd(GROUP_ROWS, rows)


def plan(
    rules: Rules | str | None,
    policies: str | Sequence[str],
    seed: int | None,
    tables: Iterable[str] = (),
    where: str | None = None,
    deals: GivenDeals | None = None,
) -> Setup:
    """Check what decides the games of a run, and answer it in its one form."""
    if rules is None:
        rules = "classic" if deals is None else deals.rules
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
    if where is not None:
        if not asked & {"deals", "plays"}:
            raise InputError("a filter chooses among deals: ask for the table deals or plays too")
        from jokersim.simulate.where import parse_where

        where = parse_where(where, rules).text
    return Setup(
        rules,
        parse_policies(policies, rules.family, rules.seats),
        seed,
        tuple(table for table in known if table in asked),
        where,
        deals,
    )


def make_player(setup: Setup) -> Player:
    """Answer what plays the chunks of a setup, for the family of its game."""
    if setup.where is not None:
        from jokersim.simulate.filtered import FilteredPlayer
        from jokersim.simulate.where import parse_where

        everything = replace(setup, tables=(*setup.tables, "deals"), where=None)
        where = parse_where(setup.where, setup.rules)
        return FilteredPlayer(make_player(everything), where, setup.tables)
    if isinstance(setup.rules, FourRules):
        from jokersim.simulate.four import FourPlayer

        return FourPlayer(setup)
    from jokersim.simulate.two import TwoPlayer

    return TwoPlayer(setup)


def _is_whole(value: object) -> bool:
    """Tell whether a value that callers may have given is an integer, and no truth value."""
    return isinstance(value, int) and not isinstance(value, bool)


def default_tables(out: str | Path | None) -> tuple[str, ...]:
    """Answer the tables of a run for which none were asked."""
    return () if out is None else ("games", "deals")


def games_to_play(games: int | None, deals: GivenDeals | None) -> int:
    """Answer how many games are played; refuses more than there are deals for."""
    if games is None:
        if deals is None:
            raise InputError("games is missing: say how many games to play")
        return len(deals)
    if deals is not None and _is_whole(games) and games > len(deals):
        raise InputError(
            f"deals are given for {len(deals):,} games, and {games:,} are asked for: give a record "
            "a game, or ask for fewer"
        )
    return games


def check_counts(games: int, **others: int | None) -> None:
    """Refuse numbers of games and the like that are none."""
    for name, value in {"games": games, **others}.items():
        if value is None:
            continue
        if not _is_whole(value) or value < 1:
            raise InputError(f"{name} is a whole number of at least 1, and {value!r} is not")
    if games > MAX_GAMES:
        raise InputError(f"games is at most {MAX_GAMES:,}, and {games:,} is more")


def _in_memory(
    setup: Setup, workers: Workers, games: int, level: float, precision: Precision | None
) -> Run:
    kept: dict[str, list[Columns]] = {table: [] for table in setup.tables}
    sums: Sums | None = None
    reached: bool | None = None
    at = 0
    for look in looks(games) if precision is not None else (games,):
        with closing(workers.chunks([(at, look)], at)) as played:
            for chunk in played:
                for table, batches in kept.items():
                    batches.append(chunk.tables[table])
                sums = added(sums, chunk.sums)
        at = look
        if precision is not None:
            reached = precision.reached(describe(setup, sums, level))
            if reached:
                break
    assert sums is not None
    return Run(
        setup.rules, setup.policies, setup.seed, sums, workers.seconds, level, kept,
        where=setup.where, reached=reached, deals_sha256=setup.deals_sha256,
    )  # fmt: skip
