"""``jokersim simulate``: play games, print the summary, write the dataset."""

from __future__ import annotations

from pathlib import Path

import click

from jokersim.cli.options import (
    dask_option,
    deals_option,
    json_option,
    level_option,
    named_rules,
    policy_option,
    quiet_option,
    rules_options,
    seed_option,
    the_notes,
    threads_option,
)
from jokersim.cli.output import print_json, print_text
from jokersim.cli.settings import config_option, setting
from jokersim.cli.types import Count, Names, PlaceType, Text
from jokersim.errors import PrecisionError

__all__ = ["command"]


@click.command("simulate")
@rules_options
@setting(
    "--games", type=Count(1, 10**12),
    help="How many games (parties) to play; with --deals by default all that are given.",
)  # fmt: skip
@policy_option
@seed_option
@setting("--out", type=PlaceType("DIR"), help="Write the games as a dataset into this folder.")
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
@setting(
    "--where", type=Text("EXPR"),
    help="Keep only the deals for which this holds, such as "
    "'hand_size == 9 and jokers >= 1 and bid in 2..4'.",
)  # fmt: skip
@setting(
    "--precision", type=Text("STAT=E"),
    help="Stop when the interval of STAT has half-width E in every seat, such as mean_score=0.5; "
    "--games is the most to play.",
)  # fmt: skip
@deals_option
@dask_option
@threads_option
@level_option
@json_option
@quiet_option
@config_option
def command(
    game: str | None,
    rules_file: Path | None,
    sets: tuple[str, ...],
    games: int | None,
    policy: str,
    seed: int | None,
    out: Path | str | None,
    tables: tuple[str, ...] | None,
    resume: bool,
    overwrite: bool,
    chunk: int | None,
    part: int | None,
    shard: str | None,
    where: str | None,
    precision: str | None,
    deals: Path | None,
    dask: str | None,
    threads: int | None,
    level: float,
    as_json: bool,
) -> None:
    """Play games, print their summary and write them as a dataset.

    A game is a pure function of rules, policies, seed and its index: threads, chunks and parts
    never change a result.
    """
    if games is None and deals is None:
        raise click.UsageError("--games is missing: give it, see --help")
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
    from jokersim.simulate.precision import parse_precision
    from jokersim.simulate.run import default_tables, games_to_play

    # Whatever is refused is refused before anything is compiled or written.
    named = named_rules(game, rules_file, sets, default=deals is None)
    given = None
    if deals is not None:
        from jokersim.simulate.given import read_deals

        given = read_deals(deals, named)
    setup = plan(named, policy, seed, tables or default_tables(out), where, given)
    rules = setup.rules
    games = games_to_play(games, given)
    if precision is not None:
        parse_precision(precision, rules)
    if out is not None:
        from jokersim import store

        store.refuse_used(out, resume=resume, overwrite=overwrite)
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
            where=where,
            precision=precision,
            deals=given,
            client=dask,
            progress=progress,
        )
    if as_json:
        print_json(run.summary())
    else:
        print_text(summary_page(run.summary(), rules.family, drawn=seed is None))
    if run.reached is False:
        raise PrecisionError(
            f"{precision} was not reached within {run.n_games} games: allow more with --games"
        )


def _refuse_without_out(**given: object) -> None:
    for name, value in given.items():
        if value:
            raise click.UsageError(f"--{name} is about a dataset: name its folder with --out")
