"""The policy `search`: its parameters, and how it comes to a table.

How it decides is in `jokersim.kernels.search` and `search_two`; nothing is compiled before it sits.
"""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from jokersim.book import Book
from jokersim.errors import InputError

if TYPE_CHECKING:
    from jokersim.kernels.policies.native_rows import NativeRow

__all__ = ["ROLLOUTS", "Search"]

ROLLOUTS: Final = {"four": ("book", "basic"), "two": ("basic", "book")}
"""Policies that may play out, the one that does by default first; they draw nothing."""

MOST_WORLDS: Final = 4096

# The best of those tried: how many times the worlds asked for are looked at, to be picked from;
# points by which a choice must beat the rollout policy's own; how well a bid suits a hand for which
# that policy bids 0, 1, 2, … more or less.
_TRIES: Final = 32
_MARGIN: Final = 3
_SUITS: Final = (64, 6, 1, 1, 1, 1, 1, 1, 1, 1)

_SOURCES: Final = {
    "four": ("search.py", "worlds.py", "odds.py", "policies/basic.py"),
    "two": ("search.py", "search_two.py", "worlds.py", "odds_two.py", "policies/basic_two.py",
            "policies/stakes.py"),
}  # fmt: skip


class Search:
    """The policy `search`, as seats take it (the same members as a user's policy has).

    Parameters
    ----------
    family : {"four", "two"}
        The games that it plays.
    worlds : int
        In how many worlds choices are played out on average, about, 1 … 4,096: the worse ones are
        dropped after half as many, the last ones go through three times as many.
    rollout : str, optional
        The policy that plays out: ``"book"`` by default, ``"basic"`` for two players.

    Attributes
    ----------
    name : str
        Its canonical text.
    source : str
        A hash of its code, and of that of the policy that plays out.

    Examples
    --------
    >>> Search("four").name
    'search:worlds=32'
    """

    compiled: Final = True

    def __init__(self, family: str, *, worlds: int = 32, rollout: str | None = None) -> None:
        self.family = family
        self.worlds = worlds
        usual = ROLLOUTS[family][0]
        self.rollout = rollout or usual
        chosen = [] if self.rollout == usual else [f"rollout={rollout}"]
        self.name = ";".join([f"search:worlds={worlds}", *chosen])

    def __eq__(self, other: object) -> bool:
        """Whether both decide alike."""
        return isinstance(other, Search) and self._key == other._key

    def __hash__(self) -> int:
        """Hash what makes it decide as it does."""
        return hash(self._key)

    @property
    def _key(self) -> tuple[str, int, str]:
        return self.family, self.worlds, self.rollout

    @classmethod
    def parse(cls, family: str, parameters: str) -> Search:
        """Make one of its parameters as a text, ``key=value[;key=value]``.

        Raises
        ------
        InputError
            A parameter is unknown or its value is bad.
        """
        given: dict[str, Any] = {}
        for parameter in parameters.split(";") if parameters else ():
            key, _, value = parameter.partition("=")
            if key == "worlds":
                given[key] = _worlds(value)
            elif key == "rollout":
                allowed = ROLLOUTS[family]
                if value not in allowed:
                    raise InputError(f"search: rollout is {' or '.join(allowed)}, not {value!r}")
                given[key] = value
            else:
                raise InputError(f"policy 'search' takes worlds and rollout, not {parameter!r}")
        return cls(family, **given)

    @property
    def source(self) -> str:
        """A hash of its code, and of that of the policy that plays out."""
        return _source_hash(self.family, self.rollout)

    def check(self, family: str) -> None:
        """Raise `InputError` if it cannot play games of this family."""

    def settings(self, rollout: int) -> Any:
        """Answer what kernels are told, as a record array of one; `rollout` as they number it."""
        import numpy as np

        from jokersim.kernels.search import SETTINGS

        told = np.zeros(1, SETTINGS).view(np.recarray)
        told["worlds"] = self.worlds
        told["rollout"] = rollout
        told["tries"] = _TRIES
        told["margin"] = _MARGIN
        told["suits"] = _SUITS
        return told

    def row(self, family: str) -> NativeRow:
        """Make what kernels ask it by."""
        from jokersim.kernels import state
        from jokersim.kernels.policies import BASIC
        from jokersim.kernels.policies.native_rows import NativeRow

        if family == "four":
            from jokersim.kernels.search import choose_by

            kinds, view = (state.CHOOSE_TRUMP, state.BID, state.PLAY), state.FOUR_VIEW
        else:
            from jokersim.kernels.search_two import choose_by

            kinds, view = (state.CHOOSE_TRUMP, state.PLAY, state.DAVI), state.TWO_VIEW
        functions = dict.fromkeys(kinds, choose_by)
        book = Book(family).row(family) if self.rollout == "book" else None
        settings = self.settings(BASIC if book is None else book.number)
        return NativeRow(functions, view, settings, draws=True, keeps=book)


def _worlds(text: str) -> int:
    if text.isascii() and text.isdigit() and 1 <= int(text) <= MOST_WORLDS:
        return int(text)
    raise InputError(f"search: worlds is a whole number from 1 to {MOST_WORLDS:,}, not {text!r}")


@cache
def _source_hash(family: str, rollout: str) -> str:
    folder = Path(__file__).parent / "kernels"
    digest = hashlib.sha256(Path(__file__).read_bytes())
    for file in _SOURCES[family]:
        digest.update((folder / file).read_bytes())
    if rollout == "book":
        digest.update(Book(family).source.encode())
    return digest.hexdigest()[:16]
