"""Policies by name: what a seat's player is called, which kernel it is, and what its code was.

Reads ``NAME[:key=value[;key=value]]``; commas separate seats. Plays no card: the decisions of the
built-in policies are kernels.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from jokersim.errors import InputError

__all__ = ["BUILT_IN", "Policy", "parse_policies"]

BUILT_IN: Final = {"random": 0, "basic": 1}
"""Name and number of each built-in policy; the numbers are those of `jokersim.kernels.policies`."""

_SOURCES: Final = {
    ("random", "four"): ("chance.py",),
    ("random", "two"): ("chance.py",),
    ("basic", "four"): ("basic.py",),
    ("basic", "two"): ("basic_two.py",),
}


@dataclass(frozen=True, slots=True)
class Policy:
    """A seat's player: its canonical text, its number in kernels, the hash of its sources."""

    name: str
    number: int
    source: str

    def spec(self) -> dict[str, Any]:
        """Answer what a dataset's specification says of the policy."""
        return {"policy": self.name, "source": self.source}


def parse_policies(given: str | Sequence[str], family: str, seats: int) -> tuple[Policy, ...]:
    """Read one policy for all seats, or one a seat.

    Parameters
    ----------
    given : str or sequence of str
        Names, as one comma-separated text or apart.
    family : {"four", "two"}
        The games that they play.
    seats : int
        The number of seats.

    Raises
    ------
    InputError
        A policy is unknown, or their number is neither 1 nor `seats`.

    Examples
    --------
    >>> [policy.name for policy in parse_policies("basic,random,random,random", "four", 4)]
    ['basic', 'random', 'random', 'random']
    """
    texts = given.split(",") if isinstance(given, str) else list(given)
    policies = tuple(_parse(text.strip(), family) for text in texts)
    if len(policies) == 1:
        return policies * seats
    if len(policies) != seats:
        raise InputError(
            f"{len(policies)} policies were given for {seats} seats: "
            f"give one for all, or {seats} separated by commas"
        )
    return policies


def _parse(text: str, family: str) -> Policy:
    name, colon, parameters = text.partition(":")
    number = BUILT_IN.get(name)
    if number is None:
        raise InputError(f"{text!r} is no policy: the policies are {', '.join(BUILT_IN)}")
    if colon:
        raise InputError(f"policy {name!r} takes no parameters, so not {parameters!r}")
    return Policy(name, number, _source_hash(name, family))


@cache
def _source_hash(name: str, family: str) -> str:
    """Hash the code that decides, so that a dataset says which player it was."""
    folder = Path(__file__).parent / "kernels" / "policies"
    digest = hashlib.sha256()
    for file in _SOURCES[name, family]:
        digest.update((folder / file).read_bytes())
    return digest.hexdigest()[:16]
