"""The policies of an odds question: who plays on, and what the deal so far is held against."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from jokersim.errors import InputError
from jokersim.odds.plan import SAMPLES, SAMPLES_SEARCHED
from jokersim.policies import Policy, parse_policies, seated
from jokersim.user_policies import UserPolicy

__all__ = ["CONDITIONS", "Players", "read_players"]

CONDITIONS: Final = ("bids", "none")
RANDOM: Final = 0
DRAW_NOTHING: Final = {"basic", "book"}
STANDS_FOR: Final = {"four": "book", "two": "basic"}
"""What stands for `search` when the deal so far is held against it: it would take too long."""

Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Players:
    """Policies by seat: those that play on, and those that the deal so far is held against."""

    playing: tuple[Policy, ...]
    evidence: tuple[Policy, ...]
    family: Literal["four", "two"]

    @property
    def enumerable(self) -> bool:
        """Whether each of them is `random`, whose draws are even, or draws nothing."""
        return all(_kind(policy) in DRAW_NOTHING | {"random"} for policy in self.playing)

    @property
    def usual_samples(self) -> int:
        """How many worlds to judge where nobody says: few with `search`, which takes its time."""
        searched = any(_kind(policy) == "search" for policy in self.playing)
        return SAMPLES_SEARCHED if searched else SAMPLES

    @property
    def draws(self) -> bool:
        """Whether any of them draws from its stream."""
        return any(_kind(policy) not in DRAW_NOTHING for policy in self.playing)

    @property
    def in_python(self) -> bool:
        """Whether any is asked in Python, by one thread alone."""
        users = [policy.user for policy in self.playing]
        return any(user is not None and not user.compiled for user in users)

    def holds_random(self, seat: int) -> bool:
        """Tell whether `random` is what a seat's choices so far are held against."""
        return self.evidence[seat].built_in == RANDOM

    def ask(self, seed: int, world: int, call: Callable[[Numbers, Numbers], Any]) -> Any:
        """Call a kernel with the numbers of those that play and of the evidence.

        Raises
        ------
        RunError
            A user's policy failed; the game named is the first world of the call.
        """
        seats = seated(self.playing, self.family)
        seats.check(seed, world)
        same = self.evidence == self.playing
        others = seats.numbers if same else seated(self.evidence, self.family).numbers
        answer = call(seats.numbers, others)
        if seats.failed:
            raise seats.failure(
                seed, world, lambda numbers, _: call(numbers, numbers if same else others)
            )
        return answer

    def described(self, condition: str) -> dict[str, Any]:
        """Answer what a document says of policies and condition."""
        said = {"policy": _text(self.playing), "condition": condition}
        if condition != "none" and self.evidence != self.playing:
            said["condition_policy"] = _text(self.evidence)
        return said


def read_players(
    given: Any,
    condition: str,
    allowed: Sequence[str] = CONDITIONS,
    family: Literal["four", "two"] = "four",
) -> Players:
    """Read policies for all seats.

    Raises
    ------
    InputError
        A policy or the condition is unknown.
    """
    if condition not in allowed:
        raise InputError(f"{condition!r} is no condition: it is one of {', '.join(allowed)}")
    playing = parse_policies(given, family, 4 if family == "four" else 2)
    return Players(playing, tuple(_stand_in(policy, family) for policy in playing), family)


def _text(policies: tuple[Policy, ...]) -> str:
    names = [policy.name for policy in policies]
    return names[0] if len(set(names)) == 1 else ",".join(names)


def _kind(policy: Policy) -> str:
    """Name a built-in policy without its parameters; empty for a user's."""
    return "" if isinstance(policy.user, UserPolicy) else policy.name.partition(":")[0]


def _stand_in(policy: Policy, family: Literal["four", "two"]) -> Policy:
    if _kind(policy) != "search":
        return policy
    return parse_policies(STANDS_FOR[family], family, 1)[0]
