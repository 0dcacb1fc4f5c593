"""The policy `book`: its tables out of their file, its parameters, and how it comes to a table.

The tables are made by ``scripts/build_book.py``; `about` answers what made those that are shipped.
How they are used is in `jokersim.kernels.policies.book`; nothing is compiled before the book sits.
"""

from __future__ import annotations

import hashlib
import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from jokersim.errors import InputError

if TYPE_CHECKING:
    from jokersim.kernels.policies.native_rows import NativeRow

__all__ = ["Book", "about"]

FILE: Final = Path(__file__).with_name("book_four.npz")
VERSION: Final = 2
MOST_KHISHTI: Final = 10**6

_SOURCES: Final = ("book.py", "book_index.py", "basic.py")


def about() -> dict[str, Any]:
    """Answer what made the tables: script, rule set, seed, rounds, versions.

    Examples
    --------
    >>> about()["made_by"]
    'scripts/build_book.py'
    """
    import numpy as np

    with np.load(FILE, allow_pickle=False) as tables:
        told: dict[str, Any] = json.loads(str(tables["about"]))
    return told


class Book:
    """The policy `book`, as seats take it (the same members as a user's policy has).

    Parameters
    ----------
    khishti : int, optional
        What a khishti counts in its bids and plays, whatever the rule set in force says.
    premium : bool
        Whether the premium is taken into account.

    Attributes
    ----------
    name : str
        Its canonical text.
    source : str
        A hash of its code and tables.

    Examples
    --------
    >>> Book(khishti=-500).name
    'book:khishti=-500'
    """

    compiled: Final = True

    def __init__(self, *, khishti: int | None = None, premium: bool = True) -> None:
        self.khishti = khishti
        self.premium = premium
        parameters = [] if khishti is None else [f"khishti={khishti}"]
        parameters += [] if premium else ["premium=blind"]
        self.name = ":".join(["book", ";".join(parameters)]) if parameters else "book"

    @classmethod
    def parse(cls, parameters: str) -> Book:
        """Make one of its parameters as a text, ``key=value[;key=value]``.

        Raises
        ------
        InputError
            A parameter is unknown or its value is bad.

        Examples
        --------
        >>> Book.parse("premium=blind").premium
        False
        """
        given: dict[str, Any] = {}
        for parameter in parameters.split(";") if parameters else ():
            key, _, value = parameter.partition("=")
            if key == "khishti":
                given[key] = _khishti(value)
            elif key == "premium":
                if value not in ("aware", "blind"):
                    raise InputError(f"book: premium is aware or blind, not {value!r}")
                given[key] = value == "aware"
            else:
                raise InputError(f"policy 'book' takes khishti and premium, not {parameter!r}")
        return cls(**given)

    @property
    def source(self) -> str:
        """A hash of its code and tables."""
        return _source_hash()

    def check(self, family: str) -> None:
        """Raise `InputError` if it cannot play games of this family."""
        if family != "four":
            raise InputError("policy 'book' plays the games of four: classic and nines")

    def row(self, family: str) -> NativeRow:
        """Make what kernels ask it by."""
        from jokersim.kernels.policies import book
        from jokersim.kernels.policies.native_rows import NativeRow
        from jokersim.kernels.state import BID, CHOOSE_TRUMP, FOUR_VIEW, PLAY

        self.check(family)
        functions = {CHOOSE_TRUMP: book.trump_by, BID: book.bid_by, PLAY: book.play_by}
        return NativeRow(functions, FOUR_VIEW, _tables(self.khishti, self.premium))


def _khishti(text: str) -> int:
    try:
        value = int(text)
    except ValueError:
        value = MOST_KHISHTI + 1
    if abs(value) > MOST_KHISHTI:
        raise InputError(
            f"book: khishti is a whole number of at most {MOST_KHISHTI:,} either way, not {text!r}"
        )
    return value


@cache
def _tables(khishti: int | None, premium: bool) -> Any:
    """Answer the tables as a record array of one, which kernels read by its address."""
    import numpy as np

    from jokersim.kernels.policies.book_index import BOOK

    books = np.zeros(1, dtype=BOOK).view(np.recarray)
    one = books[0]
    with np.load(FILE, allow_pickle=False) as tables:
        version = json.loads(str(tables["about"]))["version"]
        if version != VERSION:
            raise InputError(f"{FILE}: tables of version {version}, where {VERSION} is read")
        for name in tables.files:
            if name != "about":
                one[name] = tables[name]
    one["blind"] = not premium
    if khishti is not None:
        one["own_khishti"] = 1
        one["khishti"] = khishti
    return books


@cache
def _source_hash() -> str:
    folder = Path(__file__).parent / "kernels" / "policies"
    digest = hashlib.sha256(FILE.read_bytes())
    for file in _SOURCES:
        digest.update((folder / file).read_bytes())
    return digest.hexdigest()[:16]
