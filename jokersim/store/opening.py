"""Opening a folder to write a run: what may be begun, gone on with or replaced, and what may not.

Refuses before anything is touched; a refusal or a failure here leaves the folder as it was.
"""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Callable, Mapping
from importlib.metadata import version
from typing import Any, Final

from jokersim.errors import InputError, SpecError
from jokersim.schema import Tables
from jokersim.store import files, layout
from jokersim.store.heartbeat import BeatingLock
from jokersim.store.layout import Run
from jokersim.store.lock import Lock
from jokersim.store.remote import Place, Remote, located
from jokersim.store.remote_lock import RemoteLock
from jokersim.store.writer import Writer

__all__ = ["Warn", "attach", "create_or_open", "open_run", "refuse_used"]

Warn = Callable[[str], None]

# On whose versions the bytes of files depend.
_LIBRARIES: Final = ("pyarrow", "zstandard")

_log = logging.getLogger("jokersim.store")


def _versions() -> dict[str, str]:
    """Answer the versions on which the bytes of files depend."""
    from zstandard import ZSTD_VERSION

    found = {library: version(library) for library in _LIBRARIES}
    found["zstandard"] += f" (zstd {'.'.join(map(str, ZSTD_VERSION))})"
    return found


def create_or_open(
    path: str | Place,
    spec: Mapping[str, Any],
    games: int,
    tables: Tables,
    *,
    span: tuple[int, int] | None = None,
    versions: Mapping[str, str] | None = None,
    resume: bool = False,
    overwrite: bool = False,
    warn: Warn = _log.warning,
) -> Writer:
    """Open a folder for writing a run, and lock it.

    Parameters
    ----------
    path : path
        The dataset's folder; made with its parents where it does not stand.
    spec : mapping
        All that decides the rows, as plain JSON values; ``part`` is the number of games a part.
    games : int
        Games of the whole run.
    tables : dict of str to tuple of Column
        The tables to write and their columns.
    span : tuple of int, optional
        First game and the one after the last, where this folder is a shard; else (0, games).
    versions : mapping, optional
        Versions to note in run.json; those of the libraries that files are made with are added.
    resume : bool
        Go on with the run that the folder holds; a folder that holds none is begun.
    overwrite : bool
        Delete the run that the folder holds and begin again.
    warn : callable
        Told of a lock taken over and of other libraries; the default logs.

    Raises
    ------
    InputError
        The folder is used, not ours, or cannot be written.
    SpecError
        The run there differs (each field is named), its range is longer, or it is locked.
    """
    if resume and overwrite:
        raise InputError("--resume and --overwrite exclude each other: give one of them")
    run = Run(
        dict(spec),
        games,
        span or (0, games),
        layout.columns_of(tables),
        dict(versions or {}) | _versions(),
    )
    return open_run(located(path), run, resume=resume, overwrite=overwrite, warn=warn)


def open_run(folder: Place, run: Run, *, resume: bool, overwrite: bool, warn: Warn) -> Writer:
    """Open a folder for the run given; see :func:`create_or_open`."""
    with files.reported(InputError, f"write in {folder}"):
        used = _used(folder, resume, overwrite)
        made = [step for step in (folder / "tmp", folder) if not files.exists(step)]
        lock: BeatingLock[Any] | None = None
        try:
            files.make_folder(folder / "tmp")
            lock = _lock(folder, warn)
            if _used(folder, resume, overwrite) != used:
                raise SpecError(f"{folder} was begun by another process just now; try again")
            if used and overwrite:
                _delete_run(folder, layout.load_run(folder))
            if used and resume:
                run = _resumed(folder, run, warn)
            _clean_tmp(folder)
            # run.json comes first: a folder without one, but for tmp, is somebody else's.
            files.write_whole(folder / "run.json", run.to_bytes(), folder)
            for name in (*run.columns, "parts"):
                files.make_folder(folder / name)
            writer = Writer(folder, run, lock)
            writer.remove_strays()
            return writer
        except BaseException:
            if lock is not None:
                lock.release()
            if not used and lock is not None:
                with contextlib.suppress(OSError):
                    (folder / "run.json").unlink(missing_ok=True)
                made = [folder / name for name in (*run.columns, "parts")] + made
            for step in made:
                with contextlib.suppress(OSError):
                    step.rmdir()
            raise


def attach(path: str | Place) -> Writer:
    """Open a folder that another process has locked, to write parts of its run.

    For workers: they may write and commit parts, and nothing else. Publishing the same part twice
    is harmless.
    """
    folder = located(path)
    with files.reported(InputError, f"read {folder}"):
        # Other parts are no concern of a worker: it looks for the marker of its own alone.
        return Writer(folder, layout.load_run(folder), None, {})


def refuse_used(path: str | Place, *, resume: bool = False, overwrite: bool = False) -> None:
    """Refuse a folder that may not be written into, long before :func:`create_or_open` does.

    Raises
    ------
    InputError
        As :func:`create_or_open` would.
    """
    if resume and overwrite:
        raise InputError("--resume and --overwrite exclude each other: give one of them")
    folder = located(path)
    with files.reported(InputError, f"write in {folder}"):
        _used(folder, resume, overwrite)


def _lock(folder: Place, warn: Warn) -> BeatingLock[Any]:
    return RemoteLock(folder, warn) if isinstance(folder, Remote) else Lock(folder, warn)


def _used(folder: Place, resume: bool, overwrite: bool) -> bool:
    """Tell whether the folder holds a run; refuse what may not be written into."""
    if not files.exists(folder):
        return False
    if not folder.is_dir():
        raise InputError(f"{folder} is a file: --out names a folder")
    # tmp alone is what a process leaves that ended before it wrote run.json.
    if not set(files.names_in(folder)) - {"tmp"}:
        return False
    try:
        layout.load_run(folder)
    except InputError as error:
        raise InputError(
            f"{folder} is used by something else ({error}): choose an empty or new folder"
        ) from None
    if not (resume or overwrite):
        raise InputError(
            f"{folder} holds a run already: --resume goes on with it, --overwrite replaces it"
        )
    return True


def _resumed(folder: Place, run: Run, warn: Warn) -> Run:
    """Answer the run to go on with; refuses one that is not the same run, or longer."""
    old = layout.load_run(folder)
    differing = layout.differences(run.spec, old.spec)
    if not differing:
        differing = layout.differences(run.columns, old.columns, "columns")
    if differing:
        raise SpecError(
            f"{folder} holds another run, it differs in {'; '.join(differing)}: "
            "give the same options, or choose another folder"
        )
    if run.span[0] != old.span[0] or run.span[1] < old.span[1] or run.games < old.games:
        raise SpecError(
            f"{folder} holds games {old.span[0]} to {old.span[1] - 1} of {old.games}, asked are "
            f"{run.span[0]} to {run.span[1] - 1} of {run.games}: "
            "a run may be extended at its end, not shortened or moved"
        )
    for library in _LIBRARIES:
        now, then = (
            f"{library} {versions[library]}" if library in versions else f"another than {library}"
            for versions in (run.versions, old.versions)
        )
        if now != then:
            warn(
                f"{folder} was begun with {then} and goes on with {now}: "
                "rows stay the same, bytes of new parts may differ"
            )
    if (run.span, run.games) != (old.span, old.games):
        files.remove(folder / "_SUCCESS")
        files.remove(folder / "summary.json")
    return Run(old.spec, run.games, run.span, old.columns, old.versions)


def _delete_run(folder: Place, old: Run) -> None:
    """Delete a run's parts, markers first, and nothing that is not its own.

    run.json stays until the new one replaces it: whenever this ends, the folder is still ours.
    """
    for name in ("_SUCCESS", "summary.json"):
        files.remove(folder / name)
    for name in files.names_in(folder / "parts"):
        if layout.parse_part(name, ".json"):
            files.remove(folder / "parts" / name)
    for table in old.columns:
        for name in files.names_in(folder / table):
            if layout.parse_part(name, ".parquet"):
                files.remove(folder / table / name)
        with contextlib.suppress(OSError):  # a folder with something else in it stays
            (folder / table).rmdir()


def _clean_tmp(folder: Place) -> None:
    for name in files.names_in(folder / "tmp"):
        if name != "lock":
            files.remove(folder / "tmp" / name)
