"""The exceptions of the package, each with the exit code that the command line gives it.

The lowest module: it imports nothing. Every message is one sentence that names the thing, the place
and what would be right; nothing below the command line prints or exits.
"""

from __future__ import annotations

__all__ = [
    "CheckError",
    "InputError",
    "JokersimError",
    "OptionError",
    "PrecisionError",
    "RunError",
    "SpecError",
]


class JokersimError(Exception):
    """Base of every error that jokersim raises on purpose."""

    exit_code = 1


class RunError(JokersimError):
    """Something failed while running: a disk full or lost, a user policy that failed."""


class InputError(JokersimError, ValueError):
    """Something was refused before the start: usage, invalid input, a used or unwritable folder."""

    exit_code = 2


class OptionError(InputError):
    """A rule option, its value or a combination of options is refused; `option` names it."""

    def __init__(self, option: str, message: str) -> None:
        super().__init__(message)
        self.option = option


class CheckError(JokersimError):
    """A check failed: a record breaks a rule, a dataset is not what its markers say."""

    exit_code = 3


class SpecError(JokersimError):
    """A folder holds a run of another specification, or another process holds its lock."""

    exit_code = 4


class PrecisionError(JokersimError):
    """The precision asked for was not reached within the number of units allowed."""

    exit_code = 5
