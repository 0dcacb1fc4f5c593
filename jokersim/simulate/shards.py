"""Shards: which games of a run one of several jobs plays, in whole parts."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from jokersim.errors import InputError

__all__ = ["Shard", "parse_shard", "shard_span"]

_SHARD: Final = re.compile(r"(\d{1,9})/(\d{1,9})", re.ASCII)


class Shard(NamedTuple):
    """Job `number` of `of`, counted from 1."""

    number: int
    of: int


def parse_shard(text: str | tuple[int, int]) -> Shard:
    """Read ``k/n``.

    >>> parse_shard("3/10")
    Shard(number=3, of=10)
    """
    if isinstance(text, str):
        found = _SHARD.fullmatch(text.strip())
        shard = Shard(int(found[1]), int(found[2])) if found else Shard(0, 0)
    else:
        shard = Shard(*text)
    if not 1 <= shard.number <= shard.of:
        raise InputError(
            f"{text!r} is no shard: it is k/n, job k of n, with k from 1 to n, such as 3/10"
        )
    return shard


def shard_span(shard: Shard, games: int, part: int) -> tuple[int, int]:
    """Answer the games of a shard: whole parts, as many as any other shard's or one more.

    >>> [shard_span(Shard(k, 3), 950, 100) for k in (1, 2, 3)]
    [(0, 300), (300, 600), (600, 950)]
    """
    parts = -(-games // part)
    if shard.of > parts:
        raise InputError(
            f"{games:,} games in parts of {part:,} are {parts:,} part{'s' * (parts != 1)}, too few "
            f"for {shard.of:,} shards: ask for smaller parts (--part) or fewer shards"
        )
    first, last = ((number * parts) // shard.of for number in (shard.number - 1, shard.number))
    return first * part, min(last * part, games)
