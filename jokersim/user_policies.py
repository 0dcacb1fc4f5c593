"""Policies that users write: what counts as one, where its code is, and how it comes to a table.

A policy has `trump`, `bid` and `play`, and `davi` for two players, each ``(obs, legal, draw) ->
index into legal``. `policy` makes one of a class of static functions, which are compiled and asked
inside the kernels; any object with such methods is one too, asked in Python, some thousand times
slower. The fields of `obs` are those of ``jokersim schema observation``; masks, plays and trumps
are coded as in `jokersim.cards`.
"""

from __future__ import annotations

import importlib
import inspect
import sys
import weakref
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import FunctionType
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from jokersim.errors import InputError, RunError
from jokersim.user_sources import python_code, source_hash

if TYPE_CHECKING:
    from jokersim.kernels.policies.rows import Compiled, PythonRow, Row

__all__ = ["METHODS", "PolicyFaultError", "Seats", "UserPolicy", "load", "policy", "user_policy"]

METHODS: Final[Mapping[str, Mapping[str, int]]] = {
    "four": {"trump": 0, "bid": 1, "play": 2},
    "two": {"trump": 0, "play": 2, "davi": 4},
}
"""By family of games, what a policy is asked for, with the kernels' number of that decision."""

_ASKED: Final = ("trump", "bid", "play", "", "davi")
_SIGNATURE: Final = "(obs, legal, draw)"

Function = Callable[[Any, Any, Any], Any]


class PolicyFaultError(Exception):
    """A policy cannot be asked at all; the message says what is wrong with which function."""


class UserPolicy:
    """A policy that a user wrote; made by `policy`, or of an object by `user_policy`.

    Attributes
    ----------
    name : str
        ``module:attribute``, by which the command line finds it.
    compiled : bool
        Whether its functions are compiled, or asked in Python.
    source : str
        A hash of its code, and of whatever code and constants of the user's it refers to.
    """

    def __init__(self, given: Any, name: str, *, compiled: bool) -> None:
        self.given = given
        self.name = name
        self.compiled = compiled
        self._addresses: dict[str, dict[int, Compiled]] = {}
        functions = [getattr(given, method, None) for method in ("trump", "bid", "play", "davi")]
        self.source = source_hash([f for f in functions if f is not None])

    def __getattr__(self, name: str) -> Any:
        """Reach the functions of the class that was decorated."""
        if name == "given":
            raise AttributeError(name)
        return getattr(self.given, name)

    def __repr__(self) -> str:
        return f"<policy {self.name}>"

    def check(self, family: str) -> None:
        """Raise `InputError` if a function is missing that a family of games asks for.

        One that only davi needs may be missing: rule sets without davi never ask for it.
        """
        missing = [
            method
            for method in METHODS[family]
            if method != "davi" and not callable(getattr(self.given, method, None))
        ]
        if missing:
            raise InputError(
                f"{self.name} is no policy: it has no {' and no '.join(missing)}{_SIGNATURE}"
            )

    def function(self, method: str) -> Function:
        """Answer one of its functions as Python code."""
        function = getattr(self.given, method, None)
        if function is None:
            return _never
        code: Function = python_code(function)
        return code

    def row(self, family: str) -> Row:
        """Make what kernels ask the policy by; one a thread.

        Raises
        ------
        PolicyFaultError
            A function takes other arguments, or cannot be compiled.
        """
        from jokersim.kernels.jit import JIT_DISABLED
        from jokersim.kernels.policies.rows import Row

        if not self.compiled or JIT_DISABLED:
            return self.python_row(family)
        if family not in self._addresses:
            self._addresses[family] = {
                kind: self._compile(method, family) for method, kind in METHODS[family].items()
            }
        return Row(self._addresses[family])

    def python_row(self, family: str) -> PythonRow:
        """Make a row that asks in Python even what is compiled."""
        from jokersim.kernels.policies.rows import PythonRow

        functions = {kind: self.function(method) for method, kind in METHODS[family].items()}
        for kind, function in functions.items():
            _check_arguments(_ASKED[kind], function)
        return PythonRow(family, functions)

    def _compile(self, method: str, family: str) -> Compiled:
        from jokersim.kernels.policies.rows import NotCompiledError, compile_function

        function = self.function(method)
        _check_arguments(method, function)
        try:
            return compile_function(function, family, self.source)
        except NotCompiledError as error:
            raise PolicyFaultError(f"its {method} cannot be compiled, {error}") from error


def policy(given: type) -> UserPolicy:
    """Make a compiled policy of a class of static functions.

    They are compiled by numba when games first ask for them, and kept on disk under a hash of their
    sources. They may call functions that numba has compiled (``numba.njit``) and read constants;
    nothing that they are given can be written to. Bounds are checked, and an exception ends the
    run.

    Parameters
    ----------
    given : class
        With `trump`, `bid` and `play` (two players: `trump`, `play`, and `davi` where the rules
        have it), each ``(obs, legal, draw)``: what the seat knows, its legal choices in the order
        of records as an int64 array (trumps 0..4, bids, plays, davi actions), and its own stream,
        ``draw(n)`` one of 0 … n-1. Each answers an index into `legal`.

    Returns
    -------
    UserPolicy
        To be given to `jokersim.simulate` and the like, or named there as ``module:name``.

    Raises
    ------
    InputError
        It is no class, or has none of the functions.

    Examples
    --------
    >>> @policy
    ... class Cautious:
    ...     @staticmethod
    ...     def trump(obs, legal, draw):
    ...         return draw(len(legal))
    ...
    ...     @staticmethod
    ...     def bid(obs, legal, draw):
    ...         return 0
    ...
    ...     @staticmethod
    ...     def play(obs, legal, draw):
    ...         return draw(len(legal))
    >>> from jokersim.simulate import simulate
    >>> run = simulate("classic", games=20, seed=1, policies=[Cautious, "random", "basic", "basic"])
    >>> run.n_games
    20
    """
    if not isinstance(given, type):
        raise InputError(f"js.policy decorates a class of static functions, not {given!r}")
    made = UserPolicy(given, f"{given.__module__}:{given.__qualname__}", compiled=True)
    if not any(hasattr(given, method) for method in ("trump", "bid", "play")):
        raise InputError(f"{made.name} is no policy: it has no trump, bid and play{_SIGNATURE}")
    return made


def user_policy(given: Any, name: str | None = None) -> UserPolicy:
    """Answer an object as a policy; a class whose functions want an instance gets one."""
    if isinstance(given, UserPolicy):
        return given
    kind = given if isinstance(given, type) else type(given)
    if isinstance(given, type) and _wants_self(given):
        given = given()
    return UserPolicy(given, name or f"{kind.__module__}:{kind.__qualname__}", compiled=False)


def load(text: str) -> UserPolicy:
    """Load the policy ``module:attribute``; the current folder is importable.

    Raises
    ------
    InputError
        The module cannot be imported, or has no such attribute.
    """
    module_name, _, attribute = text.partition(":")
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        found: Any = importlib.import_module(module_name)
        for part in attribute.split("."):
            found = getattr(found, part)
        return user_policy(found, text)
    except InputError:
        raise
    except Exception as error:
        raise InputError(
            f"policy {text!r} cannot be loaded: {type(error).__name__}, {error}"
        ) from error


class Seats:
    """Who sits at a table, for one call of a kernel: built-in policies and users' alike.

    Parameters
    ----------
    numbers : sequence of int
        By seat, the number of a built-in policy; where `users` has one, anything.
    users : sequence of UserPolicy or None
        By seat, the user's policy if it is one.
    family : {"four", "two"}
        The games that they play.

    Attributes
    ----------
    numbers : ndarray of int64
        The policies as kernels take them, good as long as this array lives.
    """

    def __init__(
        self, numbers: Sequence[int], users: Sequence[UserPolicy | None], family: str
    ) -> None:
        self.numbers: NDArray[np.int64] = np.array(numbers, dtype=np.int64)
        self._users = tuple(users)
        self._family = family
        self._rows: dict[int, Row] = {}
        # Numbers are addresses of rows: whoever holds the array keeps them.
        kept = weakref.finalize(self.numbers, dict.clear, self._rows)
        kept.atexit = False
        self._fault: tuple[int, str] | None = None
        for seat, user in enumerate(self._users):
            if user is not None:
                self._seat(seat, user)

    def _seat(self, seat: int, user: UserPolicy) -> None:
        try:
            row = user.row(self._family)
        except PolicyFaultError as fault:
            self._fault = self._fault or (seat, str(fault))
            return
        self._rows[seat] = row
        self.numbers[seat] = row.number

    def check(self, seed: int, game: int) -> None:
        """Raise `RunError` if a policy cannot be asked; `game` is the one about to begin."""
        if self._fault is not None:
            seat, what = self._fault
            raise RunError(self._sentence(seed, game, 0, seat, what))

    @property
    def failed(self) -> bool:
        """Whether a policy has failed since."""
        return any(row.failure is not None for row in self._rows.values())

    def failure(
        self, seed: int, game: int, play: Callable[[NDArray[np.int64], int], object]
    ) -> RunError:
        """Answer, as an exception, how a policy failed in a game.

        `play` plays a game with other numbers: a compiled policy is asked again in Python, which
        can tell what was raised.
        """
        seat, row = next((s, row) for s, row in self._rows.items() if row.failure is not None)
        failure = row.failure
        assert failure is not None
        asked = _ASKED[failure.kind]
        cause: BaseException | None = None
        user = self._users[seat]
        if user is not None and not hasattr(user.given, asked):
            what = f"it has no {asked}{_SIGNATURE}"
        elif failure.raised:
            cause = self._raised(seat, row, game, play)
            what = f"{asked} raised an exception"
            if cause is not None:
                what = f"{asked} raised {type(cause).__name__}, {cause}"
        else:
            what = (
                f"{asked} answered {failure.answer}, which is no index 0..{failure.n_legal - 1} "
                "into the legal choices"
            )
        error = RunError(self._sentence(seed, game, failure.deal, seat, what))
        error.__cause__ = cause
        return error

    def _raised(
        self, seat: int, row: Row, game: int, play: Callable[[NDArray[np.int64], int], object]
    ) -> BaseException | None:
        from jokersim.kernels.policies.rows import PythonRow

        if isinstance(row, PythonRow):
            return row.error
        user = self._users[seat]
        assert user is not None
        again = user.python_row(self._family)
        others = Seats(self.numbers.tolist(), self._users, self._family)
        others.numbers[seat] = again.number
        play(others.numbers, game)
        return again.error

    def _sentence(self, seed: int, game: int, deal: int, seat: int, what: str) -> str:
        user = self._users[seat]
        name = user.name if user is not None else ""
        where = f"game {game}, deal {deal}, seat {seat}"
        return f"policy {name} failed with seed {seed} in {where}: {what}"


def _never(_obs, _legal, _draw):  # type: ignore[no-untyped-def]  # compiled, so without types
    return -1


def _check_arguments(method: str, function: Function) -> None:
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return  # a builtin does not say
    try:
        signature.bind(None, None, None)
    except TypeError:
        raise PolicyFaultError(
            f"its {method} takes {signature}, where {_SIGNATURE} is given"
        ) from None


def _wants_self(given: type) -> bool:
    """Tell whether a class's functions take an instance first."""
    for method in ("trump", "play"):
        function = inspect.getattr_static(given, method, None)
        if isinstance(function, FunctionType) and len(inspect.signature(function).parameters) == 4:
            return True
    return False
