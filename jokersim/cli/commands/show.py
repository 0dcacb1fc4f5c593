"""``jokersim show``: one game of a run, as a page or as a record."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click
from click.core import ParameterSource

from jokersim.cli.options import (
    deals_option,
    named_rules,
    policy_option,
    quiet_option,
    rules_options,
    the_notes,
)
from jokersim.cli.output import print_line, print_text
from jokersim.cli.settings import config_option, setting
from jokersim.cli.types import SEED, Count, PlaceType
from jokersim.errors import InputError, SpecError

if TYPE_CHECKING:
    from jokersim.policies import Policy
    from jokersim.rules import Rules
    from jokersim.simulate import Run
    from jokersim.simulate.given import GivenDeals

__all__ = ["command"]

_OF_THE_RUN = ("game", "rules_file", "sets", "policy", "seed")


class Game(NamedTuple):
    """What a game is a function of."""

    rules: Rules
    policies: tuple[Policy, ...]
    seed: int
    number: int
    """Its index in the run."""
    deals: GivenDeals | None = None
    """The deals of the run, where they were given."""


@click.command("show")
@click.argument("folder", metavar="[DIR]", required=False, type=PlaceType("DIR"))
@setting("--index", type=Count(0, 10**12 - 1, name="I"), required=True, help="Which game, from 0.")
@rules_options
@policy_option
@deals_option
@setting("--seed", type=SEED, help="Seed of the run; needed without DIR.")
@setting(
    "--format",
    "form",
    type=click.Choice(["text", "jsonl"]),
    default="text",
    show_default=True,
    help="A page to read, or the record, which `replay` returns byte for byte.",
)
@quiet_option
@config_option
def command(
    folder: Path | str | None,
    index: int,
    game: str | None,
    rules_file: Path | None,
    sets: tuple[str, ...],
    policy: str,
    deals: Path | None,
    seed: int | None,
    form: str,
) -> None:
    """Show one game: of the dataset in DIR, or of the run that the options of `simulate` name.

    The game is played alone, without those before it.
    """
    if folder is not None:
        wanted = _of_dataset(folder, index, deals)
    else:
        rules = named_rules(game, rules_file, sets, default=deals is None)
        wanted = _of_options(rules, policy, seed, index, deals)

    from jokersim.cli.compiling import compile_first
    from jokersim.policies import seated
    from jokersim.table import play_game

    def play() -> dict[str, Any]:
        seats = seated(wanted.policies, wanted.rules.family)
        seats.check(wanted.seed, wanted.number)

        def played(numbers: Any, index: int) -> dict[str, Any]:
            given: dict[str, Any] = {}
            if wanted.deals is not None:
                given = {"first": wanted.deals.first(index), "deals": wanted.deals.cards(index)}
            return play_game(wanted.rules, numbers.tolist(), wanted.seed, index, **given)

        record = played(seats.numbers, wanted.number)
        if seats.failed:
            raise seats.failure(wanted.seed, wanted.number, played)
        return record

    record = compile_first(the_notes(), play, "the kernels that play one game")
    if form == "jsonl":
        from jokersim.records import dump

        print_line(dump(record))
        return
    from jokersim.cli.pages import game_page

    title = f"seed {wanted.seed}, game {wanted.number}"
    print_text(game_page(record, title=title, players=[one.name for one in wanted.policies]))


def _of_options(
    rules: Rules | None, policy: str, seed: int | None, index: int, deals: Path | None
) -> Game:
    from jokersim.simulate import plan
    from jokersim.simulate.given import read_deals

    if seed is None:
        raise click.UsageError("--seed is missing: give the run's, or the DIR of its dataset")
    given = None if deals is None else read_deals(deals, rules)
    if given is not None and index >= len(given):
        raise InputError(f"--index: {deals} gives the deals of {len(given)} games, from 0")
    setup = plan(rules, policy, seed, deals=given)
    return Game(setup.rules, setup.policies, setup.seed, index, given)


def _of_dataset(folder: Path | str, index: int, deals: Path | None) -> Game:
    ctx = click.get_current_context()
    for option in ctx.command.params:
        named = ctx.get_parameter_source(option.name or "") is ParameterSource.COMMANDLINE
        if named and option.name in _OF_THE_RUN:
            raise click.UsageError(
                f"{option.opts[0]} is for a run without a dataset: {folder} says its own"
            )
    from jokersim.simulate.given import read_deals
    from jokersim.simulate.stored import check_deals, read

    run = read(folder)
    games = run.stored.games if run.stored is not None else run.n_games
    if index >= games:
        raise InputError(f"--index: {folder} holds the games 0 to {games - 1}, not {index}")
    given = None if deals is None else read_deals(deals, run.rules)
    policies = _same_policies(folder, run)
    check_deals(run, given)
    return Game(run.rules, policies, run.seed, index, given)


def _same_policies(folder: Path | str, run: Run) -> tuple[Policy, ...]:
    """Answer the policies of a run; refuse those that would play its games differently now."""
    from jokersim.kernels.streams import SCHEME
    from jokersim.policies import parse_policies

    now = parse_policies(
        [policy.name for policy in run.policies], run.rules.family, run.rules.seats
    )
    spec = run.stored.spec if run.stored is not None else {}
    if spec.get("streams") != SCHEME:
        raise SpecError(
            f"{folder} was dealt by the streams {spec.get('streams')}, not by {SCHEME}: "
            "show it with the version of jokersim that wrote it"
        )
    for was, policy in zip(run.policies, now, strict=True):
        if was.source != policy.source:
            raise SpecError(
                f"{folder} was played by another version of the policy {policy.name}: "
                "show it with the version of jokersim that wrote it"
            )
    return now
