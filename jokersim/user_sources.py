"""Where a user's code is: a hash of the files, and of the constants, that functions depend on.

Follows names as far as they lead to the user's own modules; what is installed is not the user's.
"""

from __future__ import annotations

import hashlib
import os
import sys
import sysconfig
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

__all__ = ["python_code", "source_hash"]


def python_code(function: Any) -> Any:
    """Answer the Python function behind one that numba has compiled."""
    return getattr(function, "py_func", function)


def source_hash(functions: Sequence[Any]) -> str:
    """Hash the files and constants that functions depend on, as far as names in them lead."""
    found: dict[str, bytes] = {}
    seen: set[int] = set()
    for function in functions:
        _gather(function, found, seen)
    digest = hashlib.sha256()
    for name in sorted(found):
        digest.update(name.encode())
        digest.update(found[name])
    return digest.hexdigest()[:16]


def _gather(function: Any, found: dict[str, bytes], seen: set[int]) -> None:
    function = getattr(function, "__func__", python_code(function))
    if id(function) in seen or not isinstance(function, FunctionType):
        if not isinstance(function, FunctionType):
            _gather_file(type(function).__module__, found)
        return
    seen.add(id(function))
    if not _gather_file(function.__module__, found):
        found[f"code {function.__qualname__}"] = _code_bytes(function.__code__)
    for name in sorted(set(_names(function.__code__))):
        value = function.__globals__.get(name)
        if isinstance(value, ModuleType):
            _gather_file(value.__name__, found)
        elif callable(value) and not isinstance(value, type):
            if _is_users(getattr(value, "__module__", None)):
                _gather(value, found, seen)
        elif isinstance(value, np.ndarray):
            found[f"array {name}"] = value.tobytes()
        elif isinstance(value, int | float | str | tuple):
            found[f"constant {name}"] = repr(value).encode()


def _gather_file(module: str | None, found: dict[str, bytes]) -> bool:
    """Add a module's file if it is the user's; tell whether there is such a file."""
    if not _is_users(module):
        return False
    path = getattr(sys.modules.get(str(module)), "__file__", None)
    if path is None or not Path(path).is_file():
        return False
    found[f"file {module}"] = Path(path).read_bytes()
    return True


def _is_users(module: str | None) -> bool:
    """Tell whether a module is neither Python's, nor installed, nor of this package."""
    if not module or module.split(".")[0] == "jokersim":
        return False
    path = getattr(sys.modules.get(module), "__file__", None)
    if path is None:
        return module == "__main__" or module not in sys.builtin_module_names
    installed = {sysconfig.get_path(name) for name in ("stdlib", "purelib", "platlib")}
    return not any(Path(path).is_relative_to(os.fspath(folder)) for folder in installed)


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


def _code_bytes(code: CodeType) -> bytes:
    nested = b"".join(_code_bytes(c) for c in code.co_consts if isinstance(c, CodeType))
    plain = [c for c in code.co_consts if not isinstance(c, CodeType)]
    return code.co_code + repr((plain, code.co_names)).encode() + nested
