"""``jokersim match``: by how much one policy beats another, on the same games."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import click

from jokersim.cli.options import (
    chosen_rules,
    dask_option,
    json_option,
    level_option,
    quiet_option,
    rules_options,
    seed_option,
    the_notes,
    threads_option,
)
from jokersim.cli.output import print_json, print_text
from jokersim.cli.settings import config_option, setting
from jokersim.cli.texttable import Head, aligned, bold, count, dim, percent, points, spread
from jokersim.cli.types import Count, Text
from jokersim.errors import InputError, PrecisionError

__all__ = ["command"]


@click.command("match")
@rules_options
@setting("--policy", type=Text("A"), default="basic", show_default=True, help="The policy to rate.")
@setting(
    "--against", type=Text("B"), default="random", show_default=True,
    help="The policy that takes the other seats.",
)  # fmt: skip
@setting(
    "--games", type=Count(1, 10**12), required=True,
    help="Game indices (blocks), each played in every arrangement of the seats.",
)  # fmt: skip
@setting(
    "--seats", type=Text("1v3|2v2"),
    help="How many seats of four the policy takes.  [default: 1v3]",
)  # fmt: skip
@setting(
    "--precision", type=Text("E"),
    help="Stop when the difference's interval has this half-width; --games is the most to play.",
)  # fmt: skip
@seed_option
@setting("--chunk", type=Count(), help="Blocks a unit of work; never shows in a result.")
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
    policy: str,
    against: str,
    games: int,
    seats: str | None,
    precision: str | None,
    seed: int | None,
    chunk: int | None,
    dask: str | None,
    threads: int | None,
    level: float,
    as_json: bool,
) -> None:
    """Play the same games with policy A and policy B in every arrangement of the seats.

    Says by how much A beats B: points a game and seat, for two players stakes a party. Two copies
    of one policy tie exactly.
    """
    rules = chosen_rules(game, rules_file, sets)

    from jokersim.cli.compiling import compile_first
    from jokersim.cli.progress import Progress
    from jokersim.match import match
    from jokersim.match.run import plan_match

    half_width = None if precision is None else _half_width(precision)
    _, sides, drawn_seed, _ = plan_match(rules, policy, against, seed, seats)

    def play(blocks: int, **options: Any) -> Any:
        return match(
            rules, *sides, games=blocks, seed=drawn_seed, seats=seats, level=level, **options
        )

    notes = the_notes()
    compile_first(notes, lambda: play(1, threads=1))
    with Progress(notes) as progress:
        result = play(
            games,
            precision=half_width,
            threads=threads,
            chunk=chunk,
            client=dask,
            progress=progress,
        )
    document = result.summary()
    if as_json:
        print_json(document)
    else:
        print_text(match_page(document, drawn=seed is None))
    if result.reached is False:
        raise PrecisionError(
            f"a half-width of {precision} was not reached within {count(result.games)} games: "
            "allow more with --games"
        )


def _half_width(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 < value < float("inf"):
        raise InputError(f"--precision: {text!r} is no half-width, a positive number")
    return value


_FOUR: Final = (
    ("points a game", "mean_score", points),
    ("bids made", "made", percent),
    ("khishti", "khishti", percent),
    ("premiums", "premium", percent),
    ("premium points a game", "premium_points", points),
    ("points erased a game", "erased_points", points),
)
_TWO: Final = (
    ("payoff in stakes", "payoff", lambda value: points(value, 4)),
    ("parties won", "won", percent),
    ("points a party", "mean_score", points),
)


def match_page(document: Mapping[str, Any], *, drawn: bool = False) -> str:
    """Lay out a match, the document that ``--json`` prints, as a page."""
    ours, theirs = document["sides"]
    two = "hand_sizes" not in document
    digits = 4 if two else 2
    level = f"{100 * document['level']:g} %"
    facts = [
        ["game", document["game"]],
        ["match", f"{ours['policy']} against {theirs['policy']}, {document['seats']}"],
        ["games", f"{count(document['games'])}, each in every arrangement of the seats"],
        ["seed", str(document["seed"]) + (" (drawn)" if drawn else "")],
        [
            bold("difference"),
            bold(points(document["difference"], digits))
            + f" {spread(document['low'], document['high'], digits)}"
            + (" stakes a party" if two else " points a game and seat"),
        ],
        [
            "won / tied / lost",
            " / ".join(count(document[key]) for key in ("won", "tied", "lost")) + " games",
        ],
    ]
    parts = [aligned([Head("", left=True), Head("", left=True)], facts)]
    rows = [
        [label, write(ours[key]), write(theirs[key])]
        for label, key, write in (_TWO if two else _FOUR)
    ]
    heads = [Head("a seat", left=True), Head(ours["policy"]), Head(theirs["policy"])]
    parts.append(aligned(heads, rows))
    if not two:
        parts.append(_hand_sizes(document, ours["policy"], theirs["policy"]))
    parts.append(dim(f"± half of the {level} interval of paired differences over games"))
    return "\n\n".join(parts)


def _hand_sizes(document: Mapping[str, Any], ours: str, theirs: str) -> str:
    heads = [
        Head("cards"), Head(ours), Head(theirs), Head("difference"), Head("", left=True),
    ]  # fmt: skip
    rows = [
        [
            str(row["hand_size"]),
            points(row["score"]),
            points(row["against"]),
            points(row["difference"]),
            spread(row["difference_low"], row["difference_high"]),
        ]
        for row in document["hand_sizes"]
    ]
    return bold("points a deal by hand size") + "\n" + aligned(heads, rows)
