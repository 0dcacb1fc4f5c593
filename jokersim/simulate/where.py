"""Filters on deals: which rows of `deals`, and which deals of `plays`, a dataset keeps.

A small language of its own, read here and applied to columns::

    hand_size == 9 and jokers >= 1 and bid in 2..4
    not (made or khishti) and trump in {S, NT}
    taken > bid and (dealer == seat or deal in {0, 23})

Nothing of it is ever evaluated as Python.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from jokersim import schema
from jokersim.cards import JOKERS, TRUMPS
from jokersim.errors import InputError
from jokersim.rules import Rules
from jokersim.simulate.chunk import Columns

__all__ = ["Where", "parse_where"]

Mask = NDArray[np.bool_]
Test = Callable[[Columns], Mask]
Value = Callable[[Columns], Any]

_TOKEN: Final = re.compile(
    r"\s*(?:(?P<number>-?\d{1,18}(?!\d))|(?P<name>[A-Za-z_]\w*)"
    r"|(?P<sign>\.\.|==|!=|<=|>=|[<>(){},]))",
    re.ASCII,
)
_COMPARE: Final[Mapping[str, Callable[[Any, Any], Any]]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_WORDS: Final = frozenset({"and", "or", "not", "in"})
_DEEPEST: Final = 50


@dataclass(frozen=True, slots=True)
class Where:
    """A filter: `text` in its one form, and the test that it is.

    Examples
    --------
    >>> import jokersim as js
    >>> where = parse_where("bid in 2..4 and  jokers>=1", js.rules("classic"))
    >>> where.text
    'bid in 2..4 and jokers >= 1'
    """

    text: str
    test: Test

    def __call__(self, deals: Columns) -> Mask:
        """Answer which rows of `deals` are kept."""
        return self.test(deals)


def parse_where(text: str, rules: Rules) -> Where:
    """Read a filter on the rows of `deals` that games under a rule set have.

    Parameters
    ----------
    text : str
        Comparisons (``== != < <= > >=``) of columns of `deals`, whole numbers and trumps;
        ``in 2..4`` (both ends count) and ``in {1, 3}``; claims such as ``made``; joined by
        ``not``, ``and``, ``or`` and parentheses.
    rules : rule set
        Its family decides the columns.

    Raises
    ------
    InputError
        The text is no filter; the sentence says where it goes wrong.
    """
    return _Parser(text, _fields(rules), _claims(rules)).whole()


def _count(column: str, mask: int) -> Value:
    def value(rows: Columns) -> NDArray[np.int64]:
        counts: NDArray[np.int64] = np.bitwise_count(rows[column] & mask).astype(np.int64)
        return counts

    return value


def _fields(rules: Rules) -> dict[str, Value]:
    """List what may be compared: the columns of `deals`, and what follows from them."""
    fields: dict[str, Value] = {
        column.name: operator.itemgetter(column.name) for column in schema.tables(rules)["deals"]
    }
    if rules.family == "four":
        fields["jokers"] = _count("hand", JOKERS)
        # 0 is the seat to the dealer's left, 3 the dealer.
        fields["position"] = lambda rows: (rows["seat"] - rows["dealer"] - 1) & 3
    else:
        parts = [_count(column, JOKERS) for column in ("hand", "open", "covered")]
        fields["jokers"] = lambda rows: parts[0](rows) + parts[1](rows) + parts[2](rows)
    return fields


def _claims(rules: Rules) -> dict[str, Test]:
    """List what may stand alone, true or not."""
    if rules.family == "two":
        return {}
    return {
        "made": lambda rows: rows["bid"] == rows["taken"],
        "khishti": lambda rows: (rows["bid"] > 0) & (rows["taken"] == 0),
    }


@dataclass(slots=True)
class _Token:
    kind: str
    text: str
    at: int


def _tokens(text: str) -> Iterator[_Token]:
    at, end = 0, len(text.rstrip())
    while at < end:
        found = _TOKEN.match(text, at)
        if found is None:
            raise InputError(f"the filter {text!r} cannot be read from {text[at:].strip()!r} on")
        kind = found.lastgroup or ""
        yield _Token(kind, found[kind], found.start(kind))
        at = found.end()
    yield _Token("end", "", len(text))


class _Parser:
    """Reads by descent; every method answers a test and its canonical text."""

    def __init__(self, text: str, fields: Mapping[str, Value], claims: Mapping[str, Test]) -> None:
        self._text = text
        self._fields = fields
        self._claims = claims
        self._tokens = list(_tokens(text))
        self._at = 0
        self._depth = 0

    def whole(self) -> Where:
        test, text = self._either()
        if self._next.kind != "end":
            raise self._wrong("'and', 'or' or the end")
        return Where(text, test)

    @property
    def _next(self) -> _Token:
        return self._tokens[self._at]

    def _take(self, *texts: str) -> str | None:
        """Pass the next token if it is one of these."""
        token = self._next
        if token.text in texts and token.kind != "end":
            self._at += 1
            return token.text
        return None

    def _wrong(self, wanted: str) -> InputError:
        token = self._next
        found = repr(token.text) if token.kind != "end" else "its end"
        return InputError(
            f"the filter {self._text!r} has {found} at character {token.at + 1}, "
            f"where {wanted} would be right"
        )

    def _either(self) -> tuple[Test, str]:
        test, text = self._both()
        while self._take("or"):
            more, its_text = self._both()
            test, text = _joined(np.logical_or, test, more), f"{text} or {its_text}"
        return test, text

    def _both(self) -> tuple[Test, str]:
        test, text = self._single()
        while self._take("and"):
            more, its_text = self._single()
            test, text = _joined(np.logical_and, test, more), f"{text} and {its_text}"
        return test, text

    def _single(self) -> tuple[Test, str]:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise self._wrong("less nesting")
        try:
            if self._take("not"):
                test, text = self._single()
                return (lambda rows: ~test(rows)), f"not {text}"
            if self._take("("):
                test, text = self._either()
                if not self._take(")"):
                    raise self._wrong("')'")
                return test, f"({text})"
            return self._comparison()
        finally:
            self._depth -= 1

    def _comparison(self) -> tuple[Test, str]:
        token = self._next
        if token.kind == "name" and token.text in self._claims:
            self._at += 1
            return self._claims[token.text], token.text
        if token.kind == "name" and token.text not in self._fields and token.text not in _WORDS:
            known = ", ".join([*self._fields, *self._claims])
            raise self._wrong(f"one of {known}")
        name = token.text
        left = self._fields.get(name) if token.kind == "name" else None
        if left is None:
            raise self._wrong("the name of a column")
        self._at += 1
        if self._take("in"):
            return self._member(name, left)
        sign = self._take(*_COMPARE)
        if sign is None:
            raise self._wrong("'==', '!=', '<', '<=', '>', '>=' or 'in'")
        if name == "trump" and sign not in ("==", "!="):
            self._at -= 1
            raise self._wrong("'==', '!=' or 'in', since trumps have no order,")
        compare = _COMPARE[sign]
        right, text = self._operand(name)
        return (lambda rows: compare(left(rows), right(rows))), f"{name} {sign} {text}"

    def _operand(self, name: str) -> tuple[Value, str]:
        """Read what a column is compared with: a value, or another column."""
        other = self._next
        columns = self._fields.keys() - {"trump"} if name != "trump" else set()
        if other.kind == "name" and other.text in columns:
            self._at += 1
            return self._fields[other.text], other.text
        value, text = self._value(name)
        return (lambda _: value), text

    def _value(self, name: str) -> tuple[int, str]:
        token = self._next
        if name == "trump":
            if token.kind == "name" and token.text in TRUMPS:
                self._at += 1
                return TRUMPS.index(token.text), token.text
            raise self._wrong(f"a trump ({' '.join(TRUMPS)})")
        if token.kind != "number":
            raise self._wrong("a whole number")
        self._at += 1
        return int(token.text), str(int(token.text))

    def _member(self, name: str, left: Value) -> tuple[Test, str]:
        if self._take("{"):
            values = [self._value(name)]
            while self._take(","):
                values.append(self._value(name))
            if not self._take("}"):
                raise self._wrong("',' or '}'")
            found = sorted(set(values))
            among = np.array([value for value, _ in found])
            listed = ", ".join(text for _, text in found)
            return (lambda rows: np.isin(left(rows), among)), f"{name} in {{{listed}}}"
        if name == "trump":
            raise self._wrong("'{', such as in {S, NT},")
        low, low_text = self._value(name)
        if not self._take(".."):
            raise self._wrong("'..', such as in 2..4 (a list stands in braces),")
        high, high_text = self._value(name)

        def between(rows: Columns) -> Mask:
            values = left(rows)
            inside: Mask = (low <= values) & (values <= high)
            return inside

        return between, f"{name} in {low_text}..{high_text}"


def _joined(join: Callable[[Mask, Mask], Mask], one: Test, other: Test) -> Test:
    return lambda rows: join(one(rows), other(rows))
