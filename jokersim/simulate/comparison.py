"""`compare`: two datasets, or two rule sets or policies on the same deals, figure by figure."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from jokersim.errors import InputError
from jokersim.policies import Given
from jokersim.rules import Rules
from jokersim.simulate.compare import check_families, compare_datasets, compare_setups
from jokersim.simulate.run import check_counts, plan
from jokersim.simulate.work import Progress

__all__ = ["compare"]


def compare(
    a: Rules | str | Path,
    b: Rules | str | Path,
    *,
    games: int | None = None,
    seed: int | None = None,
    policies: Given = "basic",
    against_policies: Given | None = None,
    level: float = 0.95,
    threads: int | None = None,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Show every figure of the summary as a difference, the first less the second.

    Parameters
    ----------
    a, b : rule set, str or path
        With `games` two rule sets, or presets by name, which are played on the same deals; without,
        the folders (or URIs) of two datasets, which are paired game by game where they hold the
        same deals.
    games : int, optional
        The number of games to play under both.
    seed : int, optional
        Of those games; drawn from the system when absent.
    policies, against_policies : policy or sequence of policy
        Who plays under `a` and under `b`; by default the same.
    level : float
        The level of the intervals, between 0 and 1.
    threads : int, optional
        By default the usable processors.
    progress : callable, optional
        Called with the games done and all games.

    Returns
    -------
    dict
        The document that ``jokersim compare --json`` prints. Each figure of `seats`, `places` (and
        of `parties`) is ``{a, b, difference, low, high, method}``: both values, their difference,
        and the ends of its interval, over pairs of games where there are such.

    Raises
    ------
    InputError
        A folder is no dataset, or the games are of two and of four players.

    Examples
    --------
    What does a larger khishti do to a seat's mean score, the deals being the same?

    >>> import jokersim as js
    >>> milder = js.rules("nines", khishti=-100)
    >>> document = compare("nines", milder, games=200, seed=1, policies="random")
    >>> seat = document["seats"][0]["mean_score"]
    >>> seat["difference"] < 0, document["paired"]
    (True, True)
    """
    if not 0 < level < 1:
        raise InputError(f"a level lies between 0 and 1, and {level} does not")
    if games is None:
        for folder in (a, b):
            if not isinstance(folder, str | Path):
                raise InputError("games is missing: two rule sets are compared over games")
        return compare_datasets(a, b, level=level, threads=threads, progress=progress)  # type: ignore[arg-type]
    check_counts(games=games, threads=threads)
    for rules in (a, b):
        if isinstance(rules, Path):
            raise InputError(f"games is for rule sets, and {rules} is a path")
    ours = plan(a, policies, seed)  # type: ignore[arg-type]
    theirs = plan(b, policies if against_policies is None else against_policies, ours.seed)  # type: ignore[arg-type]
    check_families(ours.rules, theirs.rules)
    return compare_setups(ours, theirs, games, level=level, threads=threads, progress=progress)
