"""How kernels are compiled and where compiled code is kept. No bare ``@njit`` stands elsewhere.

Three decorators: `leaf` for helpers that disappear into their caller, `kernel` for functions that
kernels call, `entry` for what Python calls (releases the GIL, kept on disk between processes).

Compiled code lives in a folder named by a hash of the package's sources, since numba's own cache
sees edits of the decorated file alone: ``JOKERSIM_CACHE_DIR``, else the user's cache folder, else a
private folder of the system's temporary one, else memory alone with one warning.
"""

from __future__ import annotations

import hashlib
import os
import stat
import sys
import tempfile
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import numba
from numba import njit

JIT_DISABLED = bool(numba.config.DISABLE_JIT)

_OPTIONS: dict[str, Any] = {"error_model": "numpy"}
# Most of the time that a small function takes to compile goes into wrappers for callers from
# Python.
_WRAPPERS: dict[str, Any] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
_INNER: dict[str, Any] = _OPTIONS | _WRAPPERS


def leaf(function: Callable[..., Any]) -> Any:
    """Compile a helper that is inlined into every caller."""
    return njit(forceinline=True, **_INNER)(function)


def kernel(function: Callable[..., Any]) -> Any:
    """Compile a function that other kernels call."""
    return njit(**_INNER)(function)


def exposed(function: Any) -> Any:
    """Compile a leaf or kernel once more, so that Python may call it; for tests and inspection."""
    return function if JIT_DISABLED else njit(**_OPTIONS)(function.py_func)


_BINDING = threading.RLock()


@contextmanager
def _kept_in(folder: Path) -> Iterator[None]:
    """Set numba's folder only while it binds a function to its cache.

    So a program that uses jokersim keeps its own setting. The setting is one for all threads, and
    several of them may meet a user's policy at once.
    """
    with _BINDING:
        before = numba.config.CACHE_DIR
        numba.config.CACHE_DIR = str(folder)
        try:
            yield
        finally:
            numba.config.CACHE_DIR = before


def entry(function: Callable[..., Any]) -> Any:
    """Compile, on its first call, a function that Python calls from threads; keep it on disk."""
    if JIT_DISABLED:
        return function
    folder = cache_folder()
    if folder is None:
        return njit(nogil=True, **_OPTIONS)(function)
    with _kept_in(folder):
        return njit(nogil=True, cache=True, **_OPTIONS)(function)


def outside(function: Callable[..., Any], key: str, signature: Any = None) -> Any:
    """Compile a function that a user wrote, checked as Python would: bounds, division by zero.

    It is kept on disk under `key`, which names its sources, where it comes from a file.
    """
    options = {"nogil": True, "boundscheck": True, "error_model": "python"} | _WRAPPERS
    arguments = () if signature is None else (signature,)
    folder = cache_folder()
    if folder is not None:
        try:
            with _kept_in(folder / f"user-{key}"):
                return njit(*arguments, cache=True, **options)(function)
        except RuntimeError:
            pass  # numba finds no file to name the code by: a prompt, or text that was executed
    return njit(*arguments, **options)(function)


def source_hash() -> str:
    """Hash the sources of all that is compiled, so that edited kernels never meet stale code.

    That is this folder, the constants of `jokersim.cards`, and the compiler's version.
    """
    kernels = Path(__file__).resolve().parent
    digest = hashlib.sha256(numba.__version__.encode())
    for path in [kernels.parent / "cards.py", *sorted(kernels.rglob("*.py"))]:
        digest.update(path.relative_to(kernels.parent).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


@cache
def cache_folder() -> Path | None:
    """Answer the folder that keeps compiled code, made if need be; None if none can be written."""
    folder = _find_folder()
    if folder is None:
        warnings.warn(
            "no folder can be written for compiled code, so each process compiles again; "
            "set JOKERSIM_CACHE_DIR to a folder that can",
            RuntimeWarning,
            stacklevel=2,
        )
    return folder


def is_warm() -> bool:
    """Tell whether compiled code of these very sources is on disk already."""
    folder = cache_folder()
    return folder is not None and any(folder.rglob("*.nbi"))


def _find_folder() -> Path | None:
    name = f"kernels-{source_hash()}"
    chosen = os.environ.get("JOKERSIM_CACHE_DIR")
    if chosen:
        return _writable(Path(chosen) / name)
    home = _user_cache()
    return (home and _writable(home / "jokersim" / name)) or _private_temporary(name)


def _user_cache() -> Path | None:
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA")
        return Path(base) if base else None
    chosen = os.environ.get("XDG_CACHE_HOME")
    if chosen and Path(chosen).is_absolute():
        return Path(chosen)
    home = os.environ.get("HOME")
    if not home or not Path(home).is_dir():
        return None
    return Path(home) / ("Library/Caches" if sys.platform == "darwin" else ".cache")


def _private_temporary(name: str) -> Path | None:
    """Find a temporary folder that nobody else can write: numba's cache is pickled code."""
    user = os.getuid() if hasattr(os, "getuid") else 0
    folder = Path(tempfile.gettempdir()) / f"jokersim-{user}"
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        found = folder.lstat()
    except OSError:
        return None
    owned = stat.S_ISDIR(found.st_mode) and found.st_uid == user
    if not owned or stat.S_IMODE(found.st_mode) & 0o077:
        return None
    return _writable(folder / name)


def _writable(folder: Path) -> Path | None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError:
        return None
