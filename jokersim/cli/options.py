"""The options that commands share, as decorators, and what they stand for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from jokersim.cli.output import Notes, notes
from jokersim.cli.settings import config_rules, setting
from jokersim.cli.types import LEVEL, SEED, Count, PathType, Text

if TYPE_CHECKING:
    from jokersim.rules import Rules

__all__ = [
    "chosen_rules",
    "dask_option",
    "deals_option",
    "json_option",
    "level_option",
    "named_rules",
    "policy_option",
    "quiet_option",
    "rules_options",
    "seed_option",
    "the_notes",
    "threads_option",
]

F = TypeVar("F", bound=Callable[..., Any])

_NOTES = "jokersim.notes"


def rules_options(function: F) -> F:
    """Add ``--game``, ``--rules`` and ``--set``, as ``game``, ``rules_file`` and ``sets``."""
    for decorate in (
        setting(
            "--set", "sets", multiple=True, type=Text("OPTION=VALUE"), environment=False,
            help="A rule option, such as khishti=-500 or hook=none; may be repeated.",
        ),
        setting(
            "--rules", "rules_file", type=PathType("FILE"), environment=False,
            help="Rule options from a TOML file, under [rules].",
        ),
        setting(
            "--game", type=Text("NAME"),
            help="The preset to play, see `jokersim rules`.  [default: classic]",
        ),
    ):  # fmt: skip
        function = decorate(function)
    return function


def chosen_rules(game: str | None, rules_file: Path | None, sets: Sequence[str]) -> Rules:
    """Answer the rule set that the options of `rules_options` and the configuration ask for."""
    from jokersim.rules import rules_from

    return rules_from(game, rules_file, sets, config=config_rules())


def named_rules(
    game: str | None, rules_file: Path | None, sets: Sequence[str], *, default: bool
) -> Rules | None:
    """Answer `chosen_rules`; None where none are asked for and there is to be no default."""
    if default or game or rules_file or sets or config_rules():
        return chosen_rules(game, rules_file, sets)
    return None


def dask_option(function: F) -> F:
    """Add ``--dask``."""
    return setting(
        "--dask", type=Text("ADDRESS"),
        help="Play on a Dask cluster: tcp://HOST:PORT, or local:N for N processes here.",
    )(function)  # fmt: skip


def deals_option(function: F) -> F:
    """Add ``--deals``."""
    return setting(
        "--deals", type=PathType("FILE"),
        help="Play the deals of these game records, game i those of record i; they name the rules.",
    )(function)  # fmt: skip


def policy_option(function: F) -> F:
    """Add ``--policy``."""
    return setting(
        "--policy", type=Text("P"), default="basic", show_default=True,
        help="Who plays: one policy for all seats, or one a seat, separated by commas.",
    )(function)  # fmt: skip


def seed_option(function: F) -> F:
    """Add ``--seed``."""
    return setting(
        "--seed", type=SEED, help="Seed of the run; drawn from the system when absent."
    )(function)  # fmt: skip


def threads_option(function: F) -> F:
    """Add ``--threads``."""
    return setting(
        "--threads", type=Count(1, 4096), help="Threads; by default the usable processors."
    )(function)


def level_option(function: F) -> F:
    """Add ``--level``."""
    return setting(
        "--level", type=LEVEL, default=0.95, show_default=True, help="Level of the intervals."
    )(function)


def json_option(function: F) -> F:
    """Add ``--json``, as ``as_json``."""
    return setting("--json", "as_json", is_flag=True, help="Print one JSON document.")(function)


def quiet_option(function: F) -> F:
    """Add ``--quiet``: nothing on stderr but what went wrong; see `the_notes`."""
    return setting(
        "--quiet", is_flag=True, expose_value=False, callback=_open_notes,
        help="Say nothing on stderr unless something goes wrong.",
    )(function)  # fmt: skip


def _open_notes(ctx: click.Context, _: click.Parameter, quiet: bool) -> None:
    ctx.meta[_NOTES] = ctx.with_resource(notes(quiet=quiet))


def the_notes() -> Notes:
    """Answer the remarks of the command that runs, made by `quiet_option`."""
    own: Notes = click.get_current_context().meta[_NOTES]
    return own
