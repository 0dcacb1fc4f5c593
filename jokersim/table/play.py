"""One game of a run, played alone from its seed and index."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from jokersim.rules import Rules
from jokersim.table.base import Table
from jokersim.table.logs import Record

__all__ = ["play_game"]


def play_game(
    rules: Rules,
    policies: Sequence[int],
    seed: int,
    index: int,
    *,
    first: int | None = None,
    deals: Sequence[Mapping[str, Any]] | None = None,
) -> Record:
    """Play game `index` of a run without those before it, and answer its completed record.

    Parameters
    ----------
    rules : FourRules | TwoRules
        The rule set.
    policies : sequence of int
        The number of each seat's built-in policy (`jokersim.policies.Policy.number`).
    seed, index : int
        The run's seed and the game's index in it.
    first, deals : optional
        Who begins, and the cards, where the run was given them; see `Table`.

    Returns
    -------
    dict
        The record (RECORDS.md), which `jokersim.records.replay` answers unchanged.

    Raises
    ------
    InputError
        The seed or the index is out of range.

    Examples
    --------
    >>> from jokersim.rules import rules
    >>> record = play_game(rules("nines", schedule=[[1]]), [0, 0, 0, 0], seed=1, index=5)
    >>> record["complete"], len(record["deals"][0]["plays"][0])
    (True, 4)
    """
    table = Table(rules, seed=seed, index=index, first=first, deals=deals)
    while (seat := table.seat) is not None:
        table.decide(policies[seat])
    return table.record()
