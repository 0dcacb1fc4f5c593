"""Lines of a text file, numbered, streamed; what is no text is refused."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from typing import BinaryIO, Final

from jokersim.errors import InputError

__all__ = ["check_text", "numbered_lines"]

_BLOCK: Final = 1 << 20
_LONGEST: Final = 64 << 20

Line = tuple[int, str]


def check_text(stream: BinaryIO, name: str) -> None:
    """Refuse a file that is not UTF-8 before anything of it is answered; rewinds it."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        while block := stream.read(_BLOCK):
            decoder.decode(block)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        raise InputError(f"{name} is not UTF-8: a record file is JSON Lines in UTF-8") from None
    except OSError as error:
        raise InputError(f"{name} cannot be read: {error.strerror or error}") from None
    stream.seek(0)


def numbered_lines(stream: BinaryIO, name: str, batch: int) -> Iterator[list[Line]]:
    """Answer the lines that are not blank with their numbers from 1, up to `batch` at a time."""
    lines: list[Line] = []
    number = 0
    while line := stream.readline(_LONGEST + 1):
        number += 1
        if len(line) > _LONGEST:
            raise InputError(
                f"line {number} of {name} is longer than {_LONGEST >> 20} MiB: "
                "a record file has a game a line"
            )
        if not line.strip():
            continue
        lines.append((number, _decoded(line, number, name)))
        if len(lines) == batch:
            yield lines
            lines = []
    if lines:
        yield lines


def _decoded(line: bytes, number: int, name: str) -> str:
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError:
        raise InputError(
            f"line {number} of {name} is not UTF-8: a record file is JSON Lines in UTF-8"
        ) from None
