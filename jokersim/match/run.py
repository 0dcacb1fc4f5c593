"""`match`: checks what is asked, plays the blocks, and says by how much a policy beats another."""

from __future__ import annotations

from contextlib import ExitStack, closing
from typing import Any, Final

from jokersim.errors import InputError
from jokersim.match.blocks import SEATINGS
from jokersim.match.recipe import MatchRecipe
from jokersim.match.result import SIDES, Match
from jokersim.match.sums import MatchSums
from jokersim.policies import Given, Policy, parse_policies
from jokersim.rules import FourRules, Rules
from jokersim.simulate.pipeline import ChunkSizes, usable_processors
from jokersim.simulate.precision import looks
from jokersim.simulate.run import plan
from jokersim.simulate.work import Progress, Threads, Workers

__all__ = ["match", "plan_match"]

_MAX_BLOCKS: Final = 10**12


def match(
    rules: Rules | str = "classic",
    policy: Given = "basic",
    against: Given = "random",
    *,
    games: int,
    seed: int | None = None,
    seats: str | None = None,
    precision: float | None = None,
    threads: int | None = None,
    chunk: int | None = None,
    level: float = 0.95,
    client: Any = None,
    progress: Progress | None = None,
) -> Match:
    """Play a duplicate match: the same games in every arrangement of the seats.

    Parameters
    ----------
    rules : rule set or str
        What `jokersim.rules` answers, or a preset's name.
    policy, against : policy
        A and B: a policy's name, or a user's policy.
    games : int
        The number of blocks, at least 1. A block is one game index played in every arrangement: 4
        games for ``"1v3"``, 6 for ``"2v2"``, 2 for two players.
    seed : int, optional
        0 … 2^63 - 1; drawn from the system when absent.
    seats : {"1v3", "2v2"}, optional
        How many seats A has; for four players alone, by default one against three.
    precision : float, optional
        Play no more blocks, of at most `games`, than it takes for the difference's interval to have
        this half-width. It is looked at after 1,000 blocks, then at doublings.
    threads, chunk : int, optional
        Threads, and blocks a unit of work; neither changes a result.
    level : float
        The level of the intervals, between 0 and 1.
    client : distributed.Client or str, optional
        Play on a Dask cluster: a client, ``"tcp://…"`` or ``"local:N"``; see `jokersim.simulate`.
    progress : callable, optional
        Called with the blocks done and all blocks.

    Returns
    -------
    Match
        Equal policies tie exactly: sums stay integers until the last division.

    Raises
    ------
    InputError
        Something asked for is refused before the start.
    RunError
        A user's policy failed.

    Examples
    --------
    >>> played = match("nines", "random", "random", games=5, seed=1)
    >>> played.difference, played.won, played.tied, played.lost
    (0.0, 0, 5, 0)
    """
    rules, sides, seed, seats = plan_match(rules, policy, against, seed, seats)
    _check(games, threads, chunk, level, precision)
    recipe = MatchRecipe.of(rules, sides, seed, seats)
    with ExitStack() as stack:
        workers: Workers
        if client is None:
            made = recipe.made(sides)
            n = 1 if made.in_python else threads or usable_processors()
            workers = Threads(made.player, n, ChunkSizes(made.rows, chunk), games, progress)
        else:
            from jokersim.simulate.dask import Cluster, connected

            workers = Cluster(stack.enter_context(connected(client)), recipe, games, progress)
        return _played(workers, recipe, sides, games, precision, level)


def _played(
    workers: Workers,
    recipe: MatchRecipe,
    sides: tuple[Policy, Policy],
    games: int,
    precision: float | None,
    level: float,
) -> Match:
    """Play blocks, until the precision is reached if one is asked for."""
    sums = MatchSums()
    rules, seats, seed = recipe.rules, recipe.seats, recipe.seed
    at = 0
    for look in looks(games) if precision is not None else (games,):
        with closing(workers.chunks([(at, look)], at)) as played:
            for one in played:
                sums.add(one.sums)
        at = look
        result = Match(rules, *sides, seats, seed, sums, level, workers.seconds)
        if precision is not None and _narrow(result, precision):
            break
    if precision is None:
        return result
    return Match(
        rules, *sides, seats, seed, sums, level, workers.seconds, _narrow(result, precision)
    )  # fmt: skip


def plan_match(
    rules: Rules | str, policy: Given, against: Given, seed: int | None, seats: str | None
) -> tuple[Rules, tuple[Policy, Policy], int, str]:
    """Check what decides the blocks of a match: rules, A and B, seed and seating."""
    setup = plan(rules, policy, seed)
    rules = setup.rules
    ours = setup.policies
    theirs = parse_policies(against, rules.family, rules.seats)
    for name, policies in zip(SIDES, (ours, theirs), strict=True):
        if len(set(policies)) > 1:
            raise InputError(f"{name} is one policy, whatever seats it takes, not {len(policies)}")
    if not isinstance(rules, FourRules):
        if seats is not None:
            raise InputError(f"seats is a choice at a table of four, and {rules.name} has two")
        return rules, (ours[0], theirs[0]), setup.seed, "1v1"
    seats = seats or "1v3"
    if seats not in SEATINGS:
        raise InputError(f"{seats!r} is no seating: it is one of {', '.join(SEATINGS)}")
    return rules, (ours[0], theirs[0]), setup.seed, seats


def _narrow(result: Match, precision: float) -> bool:
    """Tell whether the interval is narrow enough; where no block differed it says little."""
    if result.sums.difference.squares == 0 and result.policy != result.against:
        return False
    return (result.high - result.low) / 2 <= precision


def _check(
    games: int,
    threads: int | None,
    chunk: int | None,
    level: float,
    precision: float | None,
) -> None:
    for name, value in {"games": games, "threads": threads, "chunk": chunk}.items():
        if value is None and name != "games":
            continue
        if isinstance(value, bool) or not isinstance(value, int) or value < 1:
            raise InputError(f"{name} is a whole number of at least 1, and {value!r} is not")
    if games > _MAX_BLOCKS:
        raise InputError(f"games is at most {_MAX_BLOCKS:,}, and {games:,} is more")
    if not 0 < level < 1:
        raise InputError(f"a level lies between 0 and 1, and {level} does not")
    if precision is not None and not 0 < precision < float("inf"):
        raise InputError(
            f"a precision is the half-width of the interval, a positive number, not {precision}"
        )
