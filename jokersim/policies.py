"""Policies by name: what a seat's player is called, which kernel it is, and what its code was.

Reads ``NAME[:key=value[;key=value]]``, or ``module:attribute`` for a user's; commas separate seats.
Plays no card: the decisions of the built-in policies are kernels.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from jokersim.errors import InputError
from jokersim.user_policies import Seats, UserPolicy, load, user_policy

__all__ = ["BUILT_IN", "Given", "Policy", "parse_policies", "seated"]

Given = Any
"""What is given as a policy: a text, what `js.policy` made, or an object with the same methods."""

BUILT_IN: Final = {"random": 0, "basic": 1}
"""Name and number of each built-in policy; the numbers are those of `jokersim.kernels.policies`."""

BOOK: Final = "book"
SEARCH: Final = "search"
"""Built-in policies that come to a table as a user's does, with parameters of their own."""

USERS: Final = -1
"""What stands for the number of a user's policy, which has one only at a table; see `seated`."""

_SOURCES: Final = {
    ("random", "four"): ("chance.py",),
    ("random", "two"): ("chance.py",),
    ("basic", "four"): ("basic.py",),
    ("basic", "two"): ("basic_two.py", "stakes.py"),
}


@dataclass(frozen=True, slots=True)
class Policy:
    """A seat's player: its canonical text, its number in kernels, the hash of its sources."""

    name: str
    built_in: int
    source: str
    user: UserPolicy | None = None

    @property
    def number(self) -> int:
        """The number by which kernels know a built-in policy; a user's has one once seated."""
        if self.user is not None or self.built_in == USERS:
            raise InputError(f"{self.name} is a user's policy, which cannot be asked here")
        return self.built_in

    def spec(self) -> dict[str, Any]:
        """Answer what a dataset's specification says of the policy."""
        return {"policy": self.name, "source": self.source}


def seated(policies: Sequence[Policy], family: str) -> Seats:
    """Seat policies for one call of a kernel."""
    numbers = [policy.number if policy.user is None else USERS for policy in policies]
    return Seats(numbers, [policy.user for policy in policies], family)


def parse_policies(given: Given | Sequence[Given], family: str, seats: int) -> tuple[Policy, ...]:
    """Read one policy for all seats, or one a seat.

    Parameters
    ----------
    given : str, policy, or sequence of them
        Names, as one comma-separated text or apart; a user's policy as ``module:attribute`` or
        itself.
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
    if isinstance(given, str):
        given = given.split(",")
    elif not isinstance(given, Sequence):
        given = [given]
    policies = tuple(_policy(one, family) for one in given)
    if len(policies) == 1:
        return policies * seats
    if len(policies) != seats:
        raise InputError(
            f"{len(policies)} policies were given for {seats} seats: "
            f"give one for all, or {seats} separated by commas"
        )
    return policies


def _policy(given: Given, family: str) -> Policy:
    if isinstance(given, Policy):
        return given
    if isinstance(given, str):
        return _parse(given.strip(), family)
    return _users(user_policy(given), family)


def _users(user: Any, family: str) -> Policy:
    user.check(family)
    return Policy(user.name, USERS, user.source, user)


def _parse(text: str, family: str) -> Policy:
    name, colon, parameters = text.partition(":")
    # Each is imported where it is named: no other policy waits for it.
    if name == BOOK:
        from jokersim.book import Book

        return _users(Book.parse(parameters, family), family)
    if name == SEARCH:
        from jokersim.search import Search

        return _users(Search.parse(family, parameters), family)
    number = BUILT_IN.get(name)
    if number is None:
        if colon:
            return _users(load(text), family)
        raise InputError(
            f"{text!r} is no policy: the policies are {', '.join(BUILT_IN)}, {BOOK}, {SEARCH}, "
            "and yours as module:name"
        )
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
