"""What is said of a record that breaks a rule: one place, one sentence."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from jokersim.errors import CheckError
from jokersim.table import DealError

__all__ = ["RecordError", "deal_errors_at"]


class RecordError(CheckError):
    """A record breaks a rule.

    Attributes
    ----------
    place : str
        Where, such as ``deals[3].plays[2][1]``; empty for what is no record at all.
    message : str
        What was wrong and what would have been legal.
    """

    def __init__(self, place: str, message: str) -> None:
        super().__init__(f"{place}: {message}" if place else message)
        self.place = place
        self.message = message


@contextmanager
def deal_errors_at(prefix: str) -> Iterator[None]:
    """Turn a fault within a deal into the error of the record that the deal stands in."""
    try:
        yield
    except DealError as error:
        raise RecordError(f"{prefix}.{error.place}", error.message) from None
