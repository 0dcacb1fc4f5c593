"""``jokersim merge``: the shards of a run into one dataset."""

from __future__ import annotations

from pathlib import Path

import click

from jokersim.cli.options import json_option, level_option, quiet_option
from jokersim.cli.output import print_json, print_text
from jokersim.cli.settings import config_option, setting
from jokersim.cli.types import PlaceType

__all__ = ["command"]

_ARRAY = """A job array of ten shards, each a run of whole parts into a folder of its own, and the
job that joins them (Slurm):

\b
    sbatch --array=1-10 --wrap 'jokersim simulate --games 2000000000 --seed 1
      --shard $SLURM_ARRAY_TASK_ID/10 --out runs/shard-$SLURM_ARRAY_TASK_ID --resume'
    jokersim merge runs/all runs/shard-*

A job that was interrupted goes on where it stopped when it is sent again."""


@click.command("merge", epilog=_ARRAY)
@click.argument("out", metavar="OUT", type=PlaceType("OUT"))
@click.argument("folders", metavar="DIR...", nargs=-1, required=True, type=PlaceType("DIR"))
@setting("--resume", is_flag=True, help="Go on with the merge in OUT.")
@setting("--overwrite", is_flag=True, help="Delete the run in OUT and begin again.")
@level_option
@json_option
@quiet_option
@config_option
def command(
    out: Path | str,
    folders: tuple[Path | str, ...],
    resume: bool,
    overwrite: bool,
    level: float,
    as_json: bool,
) -> None:
    """Join the shards in each DIR into the dataset OUT, and print its summary.

    The shards are those of `simulate --shard`, in any order; together they must hold every game
    once. OUT is what the run without shards would have written.
    """
    from jokersim.cli.summary_page import summary_page
    from jokersim.simulate.merge import merge

    run = merge(out, folders, resume=resume, overwrite=overwrite, level=level)
    if as_json:
        print_json(run.summary())
        return
    print_text(summary_page(run.summary(), run.rules.family))
