"""``jokersim replay``: check and complete game records, a line each."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final

import click

from jokersim.cli.options import quiet_option, the_notes
from jokersim.cli.output import print_line, print_text
from jokersim.cli.settings import config_option, setting
from jokersim.cli.types import PathType, PlaceType
from jokersim.errors import CheckError, InputError
from jokersim.records.lines import check_text, numbered_lines

if TYPE_CHECKING:
    from jokersim.simulate.recorded import Recorder

__all__ = ["command"]

_BATCH: Final = 64


@click.command("replay")
@click.argument("file", metavar="FILE|-", type=PathType("FILE"))
@setting(
    "--format",
    "form",
    type=click.Choice(["jsonl", "text"]),
    default="jsonl",
    show_default=True,
    help="The completed records, or a page for each.",
)
@setting("--out", type=PlaceType("DIR"), help="Write the games that are over as a dataset.")
@setting("--resume", is_flag=True, help="Go on with the dataset in --out, written from FILE.")
@setting("--overwrite", is_flag=True, help="Delete the dataset in --out and begin again.")
@quiet_option
@config_option
def command(file: Path, form: str, out: Path | str | None, resume: bool, overwrite: bool) -> None:
    """Check and complete the game records in FILE (JSON Lines), or on the standard input (-).

    Each record is answered by its completed form, or by what is wrong with it and where. Blank
    lines are skipped, but counted. With --out the good games that are over are written as tables,
    numbered in the order in which they come; games of other rules than the first are left out.
    """
    from jokersim.cli.compiling import compile_first
    from jokersim.records import dump, replay_line

    notes = the_notes()
    total = failed = 0
    with _opened(file) as (stream, batch), _recorder(file, out, resume, overwrite) as recorder:
        for lines in numbered_lines(stream, str(file), batch):
            answers = compile_first(
                notes,
                lambda lines=lines: [replay_line(text, number) for number, text in lines],  # type: ignore[misc]
                "the kernels that check records",
            )
            for answer in answers:
                total += 1
                failed += "error" in answer
                if recorder is not None and "error" not in answer:
                    recorder.add(answer)
                if form == "jsonl":
                    print_line(dump(answer))
                else:
                    _print_page(answer, total)
    if form == "text":
        print_text(f"\n{total} record{'s' * (total != 1)}, {total - failed} right, {failed} wrong")
    if recorder is not None:
        left_out = f"{recorder.unfinished} not over, {recorder.others} of other rules"
        notes.say(f"{recorder.games} games written to {out}; left out: {left_out}")
    if failed:
        raise CheckError(f"{failed} of {total} records in {file} failed")


def _print_page(answer: dict[str, object], number: int) -> None:
    from jokersim.cli.pages import error_line, game_page

    if number > 1:
        print_text("")
    print_text(error_line(answer) if "error" in answer else game_page(answer))


def _recorder(
    file: Path, out: Path | str | None, resume: bool, overwrite: bool
) -> contextlib.AbstractContextManager[Recorder | None]:
    """Answer what writes the dataset, or nothing."""
    if out is None:
        if resume or overwrite:
            name = "--resume" if resume else "--overwrite"
            raise click.UsageError(f"{name} is about a dataset: name its folder with --out")
        return contextlib.nullcontext()
    import hashlib

    from jokersim.simulate.recorded import Recorder

    if resume and not file.is_file():
        raise InputError(f"--resume: {file} is no file, so what it held before cannot be had again")
    source = str(file)
    if file.is_file():
        with file.open("rb") as stream:
            source = hashlib.file_digest(stream, "sha256").hexdigest()[:16]
    return Recorder(out, source, resume=resume, overwrite=overwrite)


@contextmanager
def _opened(file: Path) -> Iterator[tuple[BinaryIO, int]]:
    """Open the file, and say how many lines may be answered at once: of a pipe, one at a time."""
    if str(file) == "-":
        yield sys.stdin.buffer, 1
        return
    try:
        stream = file.open("rb")
    except OSError as error:
        raise InputError(f"{file} cannot be read: {error.strerror or error}") from None
    with stream:
        if file.is_file():
            check_text(stream, str(file))
            yield stream, _BATCH
        else:
            yield stream, 1
