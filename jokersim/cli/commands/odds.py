"""``jokersim odds``: what to bid, call and play, and how sure that is."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any, TypeVar

import click
from click.core import ParameterSource

from jokersim.cli.options import (
    chosen_rules,
    dask_option,
    json_option,
    level_option,
    policy_option,
    quiet_option,
    rules_options,
    the_notes,
    threads_option,
)
from jokersim.cli.output import print_json, print_line, print_text
from jokersim.cli.settings import config_option, setting
from jokersim.cli.types import SEED, Count, PathType, Text
from jokersim.errors import CheckError, InputError, PrecisionError
from jokersim.records.lines import check_text, numbered_lines

__all__ = ["command"]

F = TypeVar("F", bound=Callable[..., Any])

_MOST = 10**9


@click.group("odds", context_settings={"help_option_names": ["-h", "--help"]})
def command() -> None:
    """Say what to bid, what to call trump, what to play, and how sure that is."""


def _common(function: F) -> F:
    """Add what all questions share, but for the position itself."""
    for decorate in (
        config_option,
        quiet_option,
        json_option,
        setting("--plot", type=PathType("FILE"), help="Draw the answer into a .svg or .png file."),
        level_option,
        threads_option,
        setting(
            "--seed", type=SEED, default=0, show_default=True, help="Seed of the worlds drawn."
        ),
        setting(
            "--precision", type=Text("E"),
            help="Stop once every chance is known to a half-width of E, such as 0.01.",
        ),
        setting(
            "--samples", type=Count(1, _MOST),
            help="Worlds to judge.  [default: 10,000; 200 with search]",
        ),
        policy_option,
    ):  # fmt: skip
        function = decorate(function)
    return function


@command.command("bid")
@click.argument("batch", metavar="[FILE|-]", required=False, type=PathType("FILE"))
@rules_options
@setting("--hand", type=Text("CARDS"), help="The hand, such as 'AS KS 7H JK'.")
@setting("--turned", type=Text("CARD"), help="The turned card, below nine cards.")
@setting(
    "--trump", type=Text("SUIT"),
    help="Trump S, H, D, C or NT: at nine cards the one called; below, instead of --turned.",
)  # fmt: skip
@setting("--position", type=Count(0, 3), help="0, left of the dealer, to 3, the dealer.")
@setting("--bids", type=Text("B,B,…"), help="Bids of the first bidders; others are the policy's.")
@setting(
    "--condition", type=click.Choice(["bids", "none"]), default="bids", show_default=True,
    help="Whether calls and bids before are evidence of cards.",
)  # fmt: skip
@setting(
    "--made-so-far",
    is_flag=True,
    help="Every bid of the pulka was made so far, and this deal, its last, earns the premium.",
)
@setting("--pulka-best", type=Count(0, _MOST), help="The pulka's best score so far.")
@setting("--out", type=PathType("FILE.parquet"), help="Write a batch's answers as Parquet.")
@dask_option
@_common
def bid(
    batch: Path | None,
    game: str | None,
    rules_file: Path | None,
    sets: tuple[str, ...],
    **asked: Any,
) -> None:
    """Say what each legal bid is worth with a hand, given what was said before.

    With FILE (or - for the standard input), answer a batch: a JSON object a line with hand, turned,
    trump, position, bids, game, rules, policy, samples or precision, seed and id; one line comes
    back for each.
    """
    out, dask = asked.pop("out"), asked.pop("dask")
    if batch is not None:
        if game is None and not rules_file and not sets:
            rules: Any = "classic"
        else:
            rules = chosen_rules(game, rules_file, sets)
        _answer_batch(batch, rules, asked, out, dask)
        return
    if out is not None:
        raise InputError("--out is for a batch: name its FILE, or - for the standard input")
    source = click.get_current_context().get_parameter_source("dask")
    if dask is not None and source is ParameterSource.COMMANDLINE:
        raise InputError("--dask is for a batch: name its FILE, or - for the standard input")
    for name in ("hand", "position"):
        if asked[name] is None:
            raise InputError(f"--{name} is missing: give it, see --help")
    asked["rules_"] = chosen_rules(game, rules_file, sets)

    from jokersim.odds import bid_odds

    given = _given(asked)
    _answer(lambda: bid_odds(given.pop("rules_"), **given), asked)


@command.command("trump")
@rules_options
@setting("--cards", type=Text("CARDS"), required=True, help="The three cards seen: 'AS KS JK'.")
@_common
def trump(game: str | None, rules_file: Path | None, sets: tuple[str, ...], **asked: Any) -> None:
    """Say what each of the five calls of trump is worth to who has seen three cards."""
    rules = chosen_rules(game, rules_file, sets)

    from jokersim.odds import trump_odds

    given = _given(asked)
    _answer(lambda: trump_odds(rules, **given), asked)


@command.command("play")
@click.argument("record", metavar="RECORD|-", type=PathType("RECORD"))
@setting(
    "--condition", type=click.Choice(["none", "bids", "plays"]), default="none", show_default=True,
    help="What is evidence of cards besides what was shown: the others' bids, their plays too.",
)  # fmt: skip
@_common
def play(record: Path, **asked: Any) -> None:
    """Say what each legal choice of the seat to move is worth, where the game RECORD stops.

    RECORD is a file with one game record (its first line that is not blank), or - for the standard
    input.
    """
    position = _read_record(record)

    from jokersim.odds import play_odds

    given = _given(asked)
    _answer(lambda: play_odds(position, **given), asked)


@command.command("open")
@click.argument("record", metavar="RECORD|-", type=PathType("RECORD"))
@setting("--nodes", type=Count(1, 10**12), help="Nodes a search may visit.  [default: 50,000,000]")
@threads_option
@json_option
@quiet_option
@config_option
def open_cards(record: Path, nodes: int | None, threads: int | None, as_json: bool) -> None:
    """Search what perfect play comes to with all cards known, where the game RECORD stops.

    Two players: the pairs more that seat 0 takes. Four: the most and the fewest tricks that each
    seat can force against the three others.
    """
    position = _read_record(record)

    from jokersim.cli.compiling import compile_first
    from jokersim.cli.pages.odds import open_page
    from jokersim.odds import open_values

    asked: dict[str, Any] = {"threads": threads} | ({} if nodes is None else {"nodes": nodes})
    document = compile_first(
        the_notes(), lambda: open_values(position, **asked), "the search kernels"
    )
    if as_json:
        print_json(document)
    else:
        print_text(open_page(document))


def _given(asked: Mapping[str, Any]) -> dict[str, Any]:
    """Answer the arguments of a question: what was given, numbers read."""
    given = {key: value for key, value in asked.items() if value is not None}
    for output in ("as_json", "plot"):
        given.pop(output, None)
    if "precision" in given:
        given["precision"] = _half_width(given["precision"])
    return given


def _half_width(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise InputError(f"--precision: {text!r} is no half-width, a number such as 0.01") from None


def _answer(ask: Callable[[], dict[str, Any]], asked: Mapping[str, Any]) -> None:
    """Ask, and print what there is; too few worlds end in their exit code after it."""
    from jokersim.cli.compiling import compile_first
    from jokersim.odds import ShortfallError
    from jokersim.odds.plot import check_plot, plot_odds

    if asked["plot"] is not None:
        check_plot(asked["plot"])
    short: ShortfallError | None = None
    try:
        document = compile_first(the_notes(), ask, "the kernels of odds")
    except ShortfallError as error:
        if error.result is None:
            raise
        document, short = error.result, error
    if asked["plot"] is not None:
        plot_odds(document, asked["plot"])
    if asked["as_json"]:
        print_json(document)
    else:
        from jokersim.cli.pages.odds import odds_page

        print_text(odds_page(document, on_terminal=sys.stdout.isatty()))
    if short is not None:
        raise PrecisionError(str(short))


def _answer_batch(
    batch: Path, rules: Any, asked: Mapping[str, Any], out: Path | None, dask: str | None
) -> None:
    from jokersim.odds.batch import answer_lines, rows_of

    for name in ("hand", "turned", "trump", "position", "bids", "plot"):
        if asked[name] is not None:
            raise InputError(
                f"--{name} is for one position, and the lines of a batch name their own"
            )
    threads = asked["threads"]
    defaults = {key: value for key, value in _given(asked).items() if key != "threads"}
    rows: list[dict[str, Any]] = []
    failed = total = 0
    with ExitStack() as stack:
        if str(batch) == "-":
            stream = sys.stdin.buffer
        else:
            stream = stack.enter_context(_opened(batch))
            check_text(stream, str(batch))
        lines = (line for lines in numbered_lines(stream, str(batch), 1) for line in lines)
        answers = answer_lines(
            lines, defaults={"game": rules} | defaults, threads=threads, client=dask
        )
        for answer in answers:
            total += 1
            failed += "error" in answer
            if out is None:
                print_line(json.dumps(answer, ensure_ascii=False))
            else:
                rows += rows_of([answer])
    if out is not None:
        from jokersim.store.answers import write_answers

        write_answers(rows, out)
    if failed:
        raise CheckError(f"{failed} of {total} lines of {batch} have an error in their answer")


def _opened(path: Path) -> Any:
    try:
        return path.open("rb")
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}") from None


def _read_record(path: Path) -> Any:
    """Read the first record of a file, or of the standard input, as a table."""
    from jokersim.cli.compiling import compile_first
    from jokersim.records import read

    with ExitStack() as stack:
        stream = sys.stdin.buffer if str(path) == "-" else stack.enter_context(_opened(path))
        lines = next(numbered_lines(stream, str(path), 1), None)
    if lines is None:
        raise InputError(f"{path} holds no game record: a record is one line of JSON")
    try:
        record = json.loads(lines[0][1])
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path} is no JSON: {error}") from None
    if not isinstance(record, dict):
        raise InputError(f"{path} holds no game record: a record is a JSON object")
    return compile_first(the_notes(), lambda: read(record), "the kernels that check records")
