"""``jokersim summary``: what a run printed, from the markers of its dataset."""

from __future__ import annotations

from pathlib import Path

import click

from jokersim.cli.options import json_option, level_option, quiet_option, the_notes
from jokersim.cli.output import print_json, print_text
from jokersim.cli.settings import config_option
from jokersim.cli.types import PlaceType

__all__ = ["command"]


@click.command("summary")
@click.argument("folder", metavar="DIR", type=PlaceType("DIR"))
@level_option
@json_option
@quiet_option
@config_option
def command(folder: Path | str, level: float, as_json: bool) -> None:
    """Print the summary of the dataset in DIR, from the integer sums in its markers alone.

    It is what the run printed, but for the wall time, which no file holds.
    """
    from jokersim.cli.summary_page import summary_page
    from jokersim.cli.texttable import count
    from jokersim.simulate.stored import read

    run = read(folder, level=level)
    asked = run.n_games
    if run.stored is not None:
        start, stop = run.stored.run.span
        asked = stop - start
    missing = asked - run.n_games
    if missing:
        the_notes().say(
            f"{folder} is not complete: {count(missing)} of {count(asked)} games are missing, "
            "simulate --resume plays them"
        )
    if as_json:
        print_json(run.summary())
        return
    note = f" of {count(asked)}" if missing else ""
    print_text(summary_page(run.summary(), run.rules.family, note=note))
