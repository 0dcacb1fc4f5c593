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

FILES: Final = {
    family: Path(__file__).with_name(f"book_{family}.npz") for family in ("four", "two")
}
VERSIONS: Final = {"four": 2, "two": 1}
MOST_KHISHTI: Final = 10**6

_SOURCES: Final = {
    "four": ("book.py", "book_bids.py", "book_index.py", "basic.py"),
    "two": ("book_two.py", "book_two_index.py", "basic_two.py", "stakes.py"),
}


def about(family: str = "four") -> dict[str, Any]:
    """Answer what made the tables: script, rule set, seed, rounds, versions.

    Examples
    --------
    >>> about()["made_by"], about("two")["rules"]
    ('scripts/build_book.py', 'japanese')
    """
    import numpy as np

    with np.load(FILES[family], allow_pickle=False) as tables:
        told: dict[str, Any] = json.loads(str(tables["about"]))
    return told


class Book:
    """The policy `book`, as seats take it (the same members as a user's policy has).

    Parameters
    ----------
    family : {"four", "two"}
        The games that it plays; those of two have neither khishti nor premium.
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

    def __init__(
        self, family: str = "four", *, khishti: int | None = None, premium: bool = True
    ) -> None:
        self.family = family
        self.khishti = khishti
        self.premium = premium
        parameters = [] if khishti is None else [f"khishti={khishti}"]
        parameters += [] if premium else ["premium=blind"]
        self.name = ":".join(["book", ";".join(parameters)]) if parameters else "book"

    def __eq__(self, other: object) -> bool:
        """Whether both decide alike."""
        return isinstance(other, Book) and (self.family, self.name) == (other.family, other.name)

    def __hash__(self) -> int:
        """Hash what makes it decide as it does."""
        return hash((self.family, self.name))

    @classmethod
    def parse(cls, parameters: str, family: str = "four") -> Book:
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
        if parameters and family == "two":
            raise InputError(f"policy 'book' takes no parameters for two, so not {parameters!r}")
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
        return cls(family, **given)

    @property
    def source(self) -> str:
        """A hash of its code and tables."""
        return _source_hash(self.family)

    def check(self, family: str) -> None:
        """Raise `InputError` if it cannot play games of this family."""
        if family != self.family:
            raise InputError(f"this book plays the games of {self.family}, not of {family}")

    def row(self, family: str) -> NativeRow:
        """Make what kernels ask it by."""
        from jokersim.kernels.policies.native_rows import NativeRow
        from jokersim.kernels.state import (
            BID,
            CHOOSE_TRUMP,
            DAVI,
            FOUR_VIEW,
            PLAY,
            TWO_VIEW,
        )

        self.check(family)
        if family == "two":
            from jokersim.kernels.policies import book_two as two

            functions = {CHOOSE_TRUMP: two.trump_by, PLAY: two.play_by, DAVI: two.davi_by}
            return NativeRow(functions, TWO_VIEW, _two_tables())

        from jokersim.kernels.policies import book

        functions = {CHOOSE_TRUMP: book.trump_by, BID: book.bid_by, PLAY: book.play_by}
        return NativeRow(functions, FOUR_VIEW, _four_tables(self.khishti, self.premium))


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


def _read(family: str, dtype: Any) -> Any:
    """Read a family's tables into a record array of one, which kernels read by its address."""
    import numpy as np

    books = np.zeros(1, dtype=dtype).view(np.recarray)
    path, version = FILES[family], VERSIONS[family]
    with np.load(path, allow_pickle=False) as tables:
        found = json.loads(str(tables["about"]))["version"]
        if found != version:
            raise InputError(f"{path}: tables of version {found}, where {version} is read")
        for name in tables.files:
            if name != "about":
                books[0][name] = tables[name]
    return books


@cache
def _two_tables() -> Any:
    from jokersim.kernels.policies.book_two_index import BOOK_TWO

    return _read("two", BOOK_TWO)


@cache
def _four_tables(khishti: int | None, premium: bool) -> Any:
    from jokersim.kernels.policies.book_index import BOOK

    books = _read("four", BOOK)
    one = books[0]
    one["blind"] = not premium
    if khishti is not None:
        one["own_khishti"] = 1
        one["khishti"] = khishti
    return books


@cache
def _source_hash(family: str) -> str:
    folder = Path(__file__).parent / "kernels" / "policies"
    digest = hashlib.sha256(FILES[family].read_bytes())
    for file in _SOURCES[family]:
        digest.update((folder / file).read_bytes())
    return digest.hexdigest()[:16]
