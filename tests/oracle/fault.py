"""The one thing that a record can do wrong, and where; comparison of given values."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any


class Fault(Exception):
    """A record breaks a rule at `place`."""

    def __init__(self, place: str, message: str) -> None:
        super().__init__(message)
        self.place = place
        self.message = message


def alike(a: Any, b: Any, tolerance: float = 0.0) -> bool:
    """Whether two JSON values are equal; true is no 1, numbers may differ by `tolerance`."""
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if isinstance(a, int | float) and isinstance(b, int | float):
        return a == b or abs(a - b) <= tolerance
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(alike(x, y, tolerance) for x, y in zip(a, b, strict=True))
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(alike(a[key], b[key], tolerance) for key in a)
    return type(a) is type(b) and bool(a == b)


def complete(
    given: Mapping[str, Any],
    derived: Mapping[str, Any],
    where: str = "",
    always: Collection[str] = (),
) -> dict[str, Any]:
    """Check the derived values that are given, and add the others; null counts as not given.

    A value of `derived` that is None is one that is not known: a given one is then the fault. It is
    left out, but for the keys in `always`, which are answered as null.
    """
    answer = dict(given)
    for key, value in derived.items():
        if given.get(key) is not None:
            tolerance = 1e-9 if key == "payoff" else 0.0
            if value is None or not alike(given[key], value, tolerance):
                right = "not given yet" if value is None else repr(value)
                raise Fault(f"{where}{key}", f"{key} is {given[key]!r}, and should be {right}")
        elif value is not None or key in always:
            answer[key] = value
    return answer
