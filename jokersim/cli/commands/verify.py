"""``jokersim verify``: a dataset against its markers, and its rows against the game."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from jokersim.cli.options import (
    deals_option,
    json_option,
    quiet_option,
    seed_option,
    the_notes,
    threads_option,
)
from jokersim.cli.output import print_json, print_text
from jokersim.cli.settings import config_option, setting
from jokersim.cli.types import Count, PlaceType
from jokersim.errors import CheckError

__all__ = ["command"]


@click.command("verify")
@click.argument("folder", metavar="DIR", type=PlaceType("DIR"))
@setting("--all", "every", is_flag=True, help="Play every game again, instead of a sample.")
@setting(
    "--sample", type=Count(0), default=200, show_default=True,
    help="How many games are drawn to be played again.",
)  # fmt: skip
@deals_option
@seed_option
@threads_option
@json_option
@quiet_option
@config_option
def command(
    folder: Path | str,
    every: bool,
    sample: int,
    deals: Path | None,
    seed: int | None,
    threads: int | None,
    as_json: bool,
) -> None:
    """Check the dataset in DIR: checksums, counts, columns, sums, and games played again.

    A sample of games (its --seed is drawn when absent), or --all, is simulated anew and compared
    row by row; where the run was given deals, that needs their file (--deals). What is wrong is
    named with its file and game, and the exit code is 3.
    """
    from jokersim.cli.progress import Progress
    from jokersim.cli.texttable import count
    from jokersim.simulate.verify import verify

    with Progress(the_notes()) as progress:
        found = verify(
            folder,
            every=every,
            sample=sample,
            seed=seed,
            deals=deals,
            threads=threads,
            progress=progress,
        )
    if as_json:
        print_json(
            {
                "schema": {"name": "jokersim/verify", "version": 1},
                "games": found.games,
                "replayed": found.replayed,
                "complete": found.complete,
                "findings": [_plain(finding) for finding in found.findings],
            }
        )
    else:
        for finding in found.findings:
            print_text(str(finding))
        whole = "" if found.complete else ", the run is not finished"
        print_text(
            f"{count(found.games)} games{whole}, {count(found.replayed)} played again, "
            f"{len(found.findings)} finding{'s' * (len(found.findings) != 1)}"
        )
    if found.findings:
        raise CheckError(f"{folder} is not what it should be: {found.findings[0]}")


def _plain(finding: Any) -> dict[str, str]:
    return {"file": finding.file, "message": finding.message}
