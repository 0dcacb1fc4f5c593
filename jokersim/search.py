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

ROLLOUTS: Final = {"four": ("book", "basic"), "two": ("book", "basic")}
"""Policies that may play out, the one that does by default first; they draw nothing."""

MOST_WORLDS: Final = 4096
RIVALRY: Final = 33
"""What another's point counts against one's own by default: as much as a third, so that the aim is
to be ahead of the others' mean."""

_TOLD: Final = {
    "stretch": 2,
    "margin": 3,
    "spread": 100,
    "tries": 8,
    "first_steps": 24,
    "steps": 6,
    "play_bits": 2,
    "bid_bits": (0, 3, 6, 6, 6, 6, 6, 6, 6, 6),
    "evidence": 6,
    "doubt": 2,
}
"""What kernels are told beside what was asked for, see `kernels.search.SETTINGS`: the best of those
tried."""

_SOURCES: Final = {
    "four": ("search.py", "belief.py", "past.py", "race.py", "rollout.py", "worth.py",
             "worlds.py", "odds.py", "policies/basic.py"),
    "two": ("search.py", "search_two.py", "race.py", "worlds.py", "odds_two.py",
            "policies/basic_two.py", "policies/stakes.py"),
}  # fmt: skip


class Search:
    """The policy `search`, as seats take it (the same members as a user's policy has).

    Parameters
    ----------
    family : {"four", "two"}
        The games that it plays.
    worlds : int
        In how many worlds choices are played out on average, about, 1 … 4,096: one that is behind
        by more than chance explains is dropped, those that stay close go through twice as many.
    rollout : str, optional
        The policy that plays out: ``"book"`` by default, or ``"basic"``.
    rivalry : int, optional
        At a table of four, what a point of another seat counts against one of its own, in
        hundredths, 0 … 100; 33 by default. It counts in full while the others bid and play as the
        policy that plays out would with some hands, and not once they do not: only whose play can
        be foreseen is worth spoiling.

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

    def __init__(
        self,
        family: str,
        *,
        worlds: int = 32,
        rollout: str | None = None,
        rivalry: int = RIVALRY,
    ) -> None:
        self.family = family
        self.worlds = worlds
        self.rivalry = rivalry
        usual = ROLLOUTS[family][0]
        self.rollout = rollout or usual
        chosen = [] if self.rollout == usual else [f"rollout={rollout}"]
        chosen += [] if rivalry == RIVALRY else [f"rivalry={rivalry}"]
        self.name = ";".join([f"search:worlds={worlds}", *chosen])

    def __eq__(self, other: object) -> bool:
        """Whether both decide alike."""
        return isinstance(other, Search) and self._key == other._key

    def __hash__(self) -> int:
        """Hash what makes it decide as it does."""
        return hash(self._key)

    @property
    def _key(self) -> tuple[str, int, str, int]:
        return self.family, self.worlds, self.rollout, self.rivalry

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
                given[key] = _whole("worlds", value, 1, MOST_WORLDS)
            elif key == "rivalry" and family == "four":
                given[key] = _whole("rivalry", value, 0, 100)
            elif key == "rollout":
                allowed = ROLLOUTS[family]
                if value not in allowed:
                    raise InputError(f"search: rollout is {' or '.join(allowed)}, not {value!r}")
                given[key] = value
            else:
                takes = "worlds, rollout and rivalry" if family == "four" else "worlds and rollout"
                raise InputError(f"policy 'search' takes {takes}, not {parameter!r}")
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
        told["rivalry"] = self.rivalry
        for name, value in _TOLD.items():
            told[name] = value
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


def _whole(name: str, text: str, least: int, most: int) -> int:
    if text.isascii() and text.isdigit() and least <= int(text) <= most:
        return int(text)
    raise InputError(f"search: {name} is a whole number from {least} to {most:,}, not {text!r}")


@cache
def _source_hash(family: str, rollout: str) -> str:
    folder = Path(__file__).parent / "kernels"
    digest = hashlib.sha256(Path(__file__).read_bytes())
    for file in _SOURCES[family]:
        digest.update((folder / file).read_bytes())
    if rollout == "book":
        digest.update(Book(family).source.encode())
    return digest.hexdigest()[:16]
