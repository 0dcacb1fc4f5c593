"""``jokersim compare``: what changes from one run to another, figure by figure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

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
from jokersim.cli.types import Count, PlaceType, Text

if TYPE_CHECKING:
    from jokersim.rules import Rules

__all__ = ["command"]

_SHARES: Final = frozenset({"made", "khishti", "premium", "first", "won", "deals_won", "return",
                            "void", "declined"})  # fmt: skip


@click.command("compare")
@click.argument("folders", metavar="[DIR DIR]", nargs=-1, type=PlaceType("DIR"))
@rules_options
@setting(
    "--against", type=Text("B"),
    help="The rules to compare with: a preset, or NAME:option=value[;option=value].",
)  # fmt: skip
@setting("--games", type=Count(1, 10**12), help="How many games to play under both.")
@policy_option
@setting(
    "--against-policy", type=Text("P"), help="Who plays under --against.  [default: as --policy]"
)
@seed_option
@threads_option
@level_option
@json_option
@quiet_option
@config_option
def command(
    folders: tuple[Path | str, ...],
    game: str | None,
    rules_file: Path | None,
    sets: tuple[str, ...],
    against: str | None,
    games: int | None,
    policy: str,
    against_policy: str | None,
    seed: int | None,
    threads: int | None,
    level: float,
    as_json: bool,
) -> None:
    """Show every figure of the summary as a difference, the first less the second.

    Of two datasets, paired game by game where they were dealt from one seed; or of two rule sets or
    policies on the same deals, which are played as needed: --game A --against B --games N.
    """
    from jokersim.cli.progress import Progress
    from jokersim.simulate import compare

    if folders:
        if len(folders) != 2:
            raise click.UsageError(f"two folders are compared, and {len(folders)} was given")
        if against is not None or games is not None:
            raise click.UsageError("--against and --games are for rule sets, not for datasets")
        with Progress(the_notes()) as progress:
            document = compare.compare_datasets(
                *folders, level=level, threads=threads, progress=progress
            )
    else:
        if against is None:
            raise click.UsageError("--against is missing: give it, or two folders of datasets")
        if games is None:
            raise click.UsageError("--games is missing: give it, see --help")
        document = _played(
            chosen_rules(game, rules_file, sets), _against(against), games,
            (policy, against_policy or policy), seed, threads, level,
        )  # fmt: skip
    if as_json:
        print_json(document)
    else:
        print_text(_page(document))


def _against(text: str) -> Rules:
    from jokersim.rules import rules_from

    name, _, options = text.partition(":")
    return rules_from(name, None, [part for part in options.split(";") if part.strip()])


def _played(
    rules: Rules,
    against: Rules,
    games: int,
    policies: tuple[str, str],
    seed: int | None,
    threads: int | None,
    level: float,
) -> dict[str, Any]:
    from jokersim.cli.compiling import compile_first
    from jokersim.cli.progress import Progress
    from jokersim.simulate import compare, make_player, plan

    compare.check_families(rules, against)
    a = plan(rules, policies[0], seed)
    b = plan(against, policies[1], a.seed)
    notes = the_notes()
    compile_first(notes, lambda: [make_player(setup).play(0, 1) for setup in (a, b)])
    with Progress(notes) as progress:
        return compare.compare_setups(
            a, b, games, level=level, threads=threads, progress=progress
        )  # fmt: skip


def _page(document: Mapping[str, Any]) -> str:
    from jokersim.cli.texttable import Head, aligned, count, dim

    heads = [Head("", left=True), Head("a", left=True), Head("b", left=True)]
    keys = ("path", "game", "games", "seed", "rules", "policies")
    rows = [
        [key, *(_plain(document[run][key]) for run in "ab")]
        for key in keys
        if key in document["a"] and (key != "rules" or any(document[run][key] for run in "ab"))
    ]
    parts = [aligned(heads, rows, width=96)]
    for group, label in (("seats", "seat"), ("places", "place")):
        table = [line for row in document[group] for line in _lines(row, f"{label} {row[label]}")]
        parts.append(_table(f"by {label}", table))
    if "parties" in document:
        parts.append(_table("parties", _lines(document["parties"], "")))
    how = (
        f"{count(document['games'])} pairs of games on the same deals"
        if document["paired"]
        else "independent runs: their seeds differ, or they have no games in common"
    )
    parts.append(
        dim(f"a less b, ± half of the {100 * document['level']:g} % interval; * beyond it\n{how}")
    )
    return "\n\n".join(parts)


def _table(title: str, lines: Sequence[Sequence[str]]) -> str:
    from jokersim.cli.texttable import Head, aligned, bold

    heads = [Head("", left=True), Head("", left=True), Head("a"), Head("b"), Head("a - b"),
             Head("", left=True), Head("", left=True)]  # fmt: skip
    return bold(title) + "\n" + aligned(heads, lines, gap="  ")


def _lines(row: Mapping[str, Any], name: str) -> list[list[str]]:
    lines = []
    for key, figure in row.items():
        if key == "quantiles":
            named = {f"{float(share):.0%} quantile": own for share, own in figure.items()}
            lines += [_line(own, label, 0) for label, own in named.items()]
        elif isinstance(figure, dict):
            lines.append(_line(figure, key, 2))
    if lines:
        lines[0][0] = name
    return lines


def _line(figure: Mapping[str, Any], name: str, digits: int) -> list[str]:
    from jokersim.cli.texttable import percent, points, spread

    share = name in _SHARES or name.startswith(("rank_", "multiplier_", "difference_"))
    text = percent if share else lambda value: points(value, digits)
    scale = 100 if share else 1
    beyond = not figure["low"] <= 0 <= figure["high"]
    return ["", name, text(figure["a"]), text(figure["b"]), text(figure["difference"]),
            spread(scale * figure["low"], scale * figure["high"]), "*" * beyond]  # fmt: skip


def _plain(value: Any) -> str:
    from jokersim.cli.texttable import count
    from jokersim.rules import format_value

    if isinstance(value, dict):
        return " ".join(f"{name}={format_value(own)}" for name, own in value.items()) or "-"
    if isinstance(value, list):
        return value[0] if len(set(value)) == 1 else ",".join(value)
    return value if isinstance(value, str) else count(value)
