"""``jokersim simulate``: play games, print the summary, write the dataset."""

from __future__ import annotations

from pathlib import Path

import click

from jokersim.cli.options import (
    chosen_rules,
    json_option,
    level_option,
    policy_option,
    quiet_option,
    rules_options,
    seed_option,
    the_notes,
    threads_option,
)
from jokersim.cli.output import print_json, print_text
from jokersim.cli.settings import config_option, setting
from jokersim.cli.types import Count, Names, PathType, Text

__all__ = ["command"]


@click.command("simulate")
@rules_options
@setting("--games", type=Count(1, 10**12), required=True, help="How many games (parties) to play.")
@policy_option
@seed_option
@setting("--out", type=PathType("DIR"), help="Write the games as a dataset into this folder.")
@setting(
    "--tables",
    type=Names("TABLES"),
    help="Which of games, deals and plays to write.  [default: games,deals with --out]",
)
@setting("--resume", is_flag=True, help="Go on with the run in --out, or extend it.")
@setting("--overwrite", is_flag=True, help="Delete the run in --out and begin again.")
@setting("--chunk", type=Count(), help="Games a unit of work; never shows in a result.")
@setting("--part", type=Count(), help="Games a part of the dataset, one file a table.")
@setting(
    "--shard", type=Text("K/N"),
    help="Play the K-th of N shares of the parts into --out; `merge` joins them.",
)  # fmt: skip
@threads_option
@level_option
@json_option
@quiet_option
@config_option
def command(
    game: str | None,
    rules_file: Path | None,
    sets: tuple[str, ...],
    games: int,
    policy: str,
    seed: int | None,
    out: Path | None,
    tables: tuple[str, ...] | None,
    resume: bool,
    overwrite: bool,
    chunk: int | None,
    part: int | None,
    shard: str | None,
    threads: int | None,
    level: float,
    as_json: bool,
) -> None:
    """Play games, print their summary and write them as a dataset.

    A game is a pure function of rules, policies, seed and its index: threads, chunks and parts
    never change a result.
    """
    rules = chosen_rules(game, rules_file, sets)
    if out is None:
        _refuse_without_out(
            tables=tables, resume=resume, overwrite=overwrite, part=part, shard=shard
        )
    if resume and overwrite:
        raise click.UsageError("--resume and --overwrite exclude each other: give one of them")

    from jokersim.cli.compiling import compile_first
    from jokersim.cli.progress import Progress
    from jokersim.cli.summary_page import summary_page
    from jokersim.simulate import make_player, plan, simulate

    # Whatever is refused is refused before anything is compiled or written.
    setup = plan(rules, policy, seed, tables or ())
    notes = the_notes()
    compile_first(notes, lambda: make_player(setup).play(0, 1))
    with Progress(notes) as progress:
        run = simulate(
            rules,
            games=games,
            seed=setup.seed,
            policies=policy,
            out=out,
            tables=tables,
            threads=threads,
            chunk=chunk,
            part=part,
            shard=shard,
            resume=resume,
            overwrite=overwrite,
            level=level,
            progress=progress,
        )
    if as_json:
        print_json(run.summary())
        return
    print_text(summary_page(run.summary(), rules.family, drawn=seed is None))


def _refuse_without_out(**given: object) -> None:
    for name, value in given.items():
        if value:
            raise click.UsageError(f"--{name} is about a dataset: name its folder with --out")
