"""The policies of an odds question: who plays on, and what the deal so far is held against."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from jokersim.errors import InputError
from jokersim.odds.question import Players
from jokersim.policies import Policy, parse_policies

__all__ = ["CONDITIONS", "describe_players", "read_players", "read_two_players"]

CONDITIONS: Final = ("bids", "none")
ENUMERABLE: Final = {"random", "basic", "book"}
"""Policies that draw nothing, and the one whose draws are even over the legal choices."""
STANDS_FOR: Final = {"search": "book"}
"""What stands for a policy when the deal so far is held against it: it would take too long."""


def read_players(
    given: str | Sequence[str], condition: str, allowed: Sequence[str] = CONDITIONS
) -> tuple[Players, tuple[Policy, ...], tuple[Policy, ...]]:
    """Read policies for four seats: as kernels know them, those that play, and the evidence.

    Raises
    ------
    InputError
        A policy or the condition is unknown.
    """
    if condition not in allowed:
        raise InputError(
            f"{condition!r} is no condition: it is one of {', '.join(allowed)}"
        )  # fmt: skip
    if not isinstance(given, str | list | tuple) or not all(isinstance(p, str) for p in given):
        raise InputError(f"policy is a name or one a seat, not {given!r}")
    playing = parse_policies(given, "four", 4)
    evidence = tuple(_stand_in(policy) for policy in playing)
    players = Players(
        np.array([policy.number for policy in playing], dtype=np.int64),
        np.array([policy.number for policy in evidence], dtype=np.int64),
        all(_family(policy) in ENUMERABLE for policy in playing),
    )
    return players, playing, evidence


def read_two_players(given: str | Sequence[str]) -> tuple[list[int], str, bool]:
    """Read policies for two seats: their numbers, what a document says of them, if any draws."""
    policies = parse_policies(given, "two", 2)
    draws = any(_family(policy) not in ENUMERABLE - {"random"} for policy in policies)
    return [policy.number for policy in policies], _text(policies), draws


def describe_players(
    playing: tuple[Policy, ...], evidence: tuple[Policy, ...], condition: str
) -> dict[str, Any]:
    """Answer what a document says of policies and condition."""
    described = {"policy": _text(playing), "condition": condition}
    if condition != "none" and evidence != playing:
        described["condition_policy"] = _text(evidence)
    return described


def _text(policies: tuple[Policy, ...]) -> str:
    names = [policy.name for policy in policies]
    return names[0] if len(set(names)) == 1 else ",".join(names)


def _family(policy: Policy) -> str:
    return policy.name.partition(":")[0]


def _stand_in(policy: Policy) -> Policy:
    other = STANDS_FOR.get(_family(policy))
    return policy if other is None else parse_policies(other, "four", 4)[0]
