"""Shards of one run into the dataset that one run would have written."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from jokersim.simulate.chunk import Setup
from jokersim.simulate.dataset import finish
from jokersim.simulate.result import Run
from jokersim.simulate.stored import read

__all__ = ["merge"]


def merge(
    out: str | Path,
    folders: Sequence[str | Path],
    *,
    resume: bool = False,
    overwrite: bool = False,
    level: float = 0.95,
) -> Run:
    """Join shards that `simulate` wrote; the files are those of the run without shards.

    Parameters
    ----------
    out : path or URI
        The folder to write.
    folders : sequence of path or URI
        The shards, in any order; together they hold every game of the run once.
    resume, overwrite : bool
        Go on with what `out` holds of this run, or replace it.
    level : float
        The level of the intervals of the run's summary.

    Returns
    -------
    Run
        The whole run, as `read` answers it.

    Raises
    ------
    InputError
        A game is missing or held twice, or a folder is no dataset.
    SpecError
        The shards are not of one run; each differing field is named.
    CheckError
        A part is not what its marker says.

    Examples
    --------
    >>> import tempfile
    >>> import jokersim as js
    >>> folder = tempfile.TemporaryDirectory()
    >>> shards = [f"{folder.name}/{k}" for k in (1, 2)]
    >>> asked = {"games": 20, "seed": 1, "policies": "random", "part": 10}
    >>> for k, shard in enumerate(shards, 1):
    ...     run = js.simulate("nines", **asked, shard=(k, 2), out=shard)
    >>> merge(f"{folder.name}/all", shards).n_games
    20
    >>> folder.cleanup()
    """
    from jokersim import store

    with store.merge(out, folders, resume=resume, overwrite=overwrite) as writer:
        run = read(out)
        tables = tuple(writer.run.columns)
        finish(Setup(run.rules, run.policies, run.seed, tables, run.where), writer)
    return read(out, level=level)
