"""Dask: the games of a run on the workers of a cluster, one part of a dataset a task.

The only module that knows `distributed`, which comes with the extra ``jokersim[dask]``. Tasks are
idempotent: a part that stands already is left as it is, so a task may be repeated, be lost with its
worker, or end after its client. Only the client locks the folder.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar
from urllib.parse import urlsplit

from jokersim.errors import InputError, JokersimError, RunError, SpecError
from jokersim.rules import Rules
from jokersim.simulate.chunk import Chunk, Player, Setup
from jokersim.simulate.pipeline import ChunkSizes
from jokersim.simulate.work import Progress, Span, write_part

if TYPE_CHECKING:
    from jokersim.store import Writer

__all__ = ["Cluster", "connected", "mapped"]

T = TypeVar("T")
R = TypeVar("R")

_RETRIES: Final = 3
_AHEAD: Final = 3
_GAMES_A_TASK: Final = 20_000

_one_at_a_time = threading.Lock()


class Recipe(NamedTuple):
    """A setup as it travels: policies by name, with the hash that their sources must have."""

    rules: Rules
    policies: tuple[str, ...]
    sources: tuple[str, ...]
    seed: int
    tables: tuple[str, ...]
    where: str | None

    @classmethod
    def of(cls, setup: Setup) -> Recipe:
        """Answer the recipe of a setup."""
        names, sources = zip(*((one.name, one.source) for one in setup.policies), strict=True)
        return cls(setup.rules, names, sources, setup.seed, setup.tables, setup.where)


@contextmanager
def connected(client: Any) -> Iterator[Any]:
    """Answer a client of `distributed`: the one given, or one for ``tcp://…`` or ``local:N``.

    Raises
    ------
    InputError
        `distributed` is not installed, the address is none, or nobody answers there.
    """
    if not isinstance(client, str):
        yield client
        return
    try:
        import distributed
    except ImportError:
        raise InputError("Dask is not installed: pip install 'jokersim[dask]'") from None
    with _cluster(client) as address:
        try:
            own = distributed.Client(address, timeout=10)
        except (OSError, ValueError, TimeoutError) as error:
            raise InputError(f"no Dask scheduler answers at {client}: {error}") from None
        with own:
            yield own


@contextmanager
def _cluster(address: str) -> Iterator[Any]:
    """Answer what a client connects to; ``local:N`` starts N processes and ends them."""
    kind, _, rest = address.partition(":")
    if kind == "local":
        if not rest.isascii() or not rest.isdigit() or int(rest) < 1:
            raise InputError(f"{address!r} is no Dask address: local:N starts N local workers")
        import distributed

        with distributed.LocalCluster(
            n_workers=int(rest), threads_per_worker=1, dashboard_address=None, silence_logs="ERROR"
        ) as cluster:
            yield cluster
    elif "://" in address:
        yield address
    else:
        raise InputError(f"{address!r} is no Dask address: it is tcp://HOST:PORT, or local:N")


class Cluster:
    """Plays a setup on the workers of a client; see `jokersim.simulate.work.Workers`."""

    def __init__(self, client: Any, setup: Setup, games: int, progress: Progress | None) -> None:
        self.seconds = 0.0
        self._client = client
        self._recipe = Recipe.of(setup)
        self._games = games
        self._progress = progress
        self._warm = False

    def chunks(self, spans: Iterable[Span], done: int = 0) -> Generator[Chunk[Any], None, None]:
        """Play the spans and answer their chunks in order, telling the progress."""
        pieces = (
            (at, min(at + _GAMES_A_TASK, stop))
            for start, stop in spans
            for at in range(start, stop, _GAMES_A_TASK)
        )
        for chunk in self._timed(_play, pieces):
            done += chunk.stop - chunk.start
            self._tell(done)
            yield chunk

    def write(self, writer: Writer, spans: Sequence[Span], done: int = 0) -> None:
        """Play and commit parts, each by a task of its own."""
        folder = str(writer.path.resolve())
        tasks = ((folder, start, stop) for start, stop in spans)
        for start, stop in self._timed(_write, tasks):
            done += stop - start
            self._tell(done)
            writer.check_lock()
        writer.refresh()
        if missing := [span for span in spans if span in writer.pending()]:
            raise RunError(
                f"{writer.path}: games from {missing[0][0]} on were written by a worker and are "
                "not there: is the folder shared by all hosts?"
            )

    def _tell(self, done: int) -> None:
        if self._progress is not None:
            self._progress(done, self._games)

    def _timed(self, task: Callable[..., R], tasks: Iterable[tuple[Any, ...]]) -> Iterator[R]:
        if not self._warm:
            _warm_up_hosts(self._client, self._recipe)
            self._warm = True
        began = time.perf_counter()
        try:
            yield from mapped(self._client, task, ((self._recipe, *own) for own in tasks))
        finally:
            self.seconds += time.perf_counter() - began


def mapped(
    client: Any, task: Callable[..., R], arguments: Iterable[tuple[Any, ...]]
) -> Iterator[R]:
    """Call a function on the workers of a client, and answer the results in order.

    A few tasks a thread are under way at a time. What is lost with a worker is repeated, what fails
    is tried again some times; closing the iterator cancels what is left.

    Raises
    ------
    RunError
        A task failed again and again.
    """
    waiting: deque[Any] = deque()
    try:
        for own in arguments:
            waiting.append(client.submit(task, *own, pure=False, retries=_RETRIES))
            if len(waiting) >= _AHEAD * max(1, sum(client.nthreads().values())):
                yield _result(waiting.popleft())
        while waiting:
            yield _result(waiting.popleft())
    finally:
        if waiting:
            client.cancel(list(waiting))


def _result(future: Any) -> Any:
    try:
        return future.result()
    except JokersimError:
        raise
    except Exception as error:
        what = " ".join(str(error).split())
        raise RunError(
            f"a Dask task failed {_RETRIES + 1} times, at last with {type(error).__name__}: {what}"
        ) from error


def _warm_up_hosts(client: Any, recipe: Recipe) -> None:
    """Let one worker of each host compile what the others then find in the cache."""
    first: dict[str | None, str] = {}
    addresses = list(client.nthreads())
    for address in addresses:
        first.setdefault(urlsplit(address).hostname, address)
    if not first:
        raise RunError("the Dask cluster has no workers: start some, then try again")
    for some in (list(first.values()), addresses):
        ready = [client.submit(_play, recipe, 0, 1, workers=[one], pure=False) for one in some]
        for future in ready:
            _result(future)


# What follows runs in workers.


@lru_cache(maxsize=8)
def _player(recipe: Recipe) -> tuple[Setup, Player]:
    from jokersim.simulate.run import make_player, plan

    setup = plan(recipe.rules, recipe.policies, recipe.seed, recipe.tables, recipe.where)
    for policy, source in zip(setup.policies, recipe.sources, strict=True):
        if policy.source != source:
            raise SpecError(
                f"a Dask worker has another version of the policy {policy.name}: install the same "
                "jokersim, and the same policy, on every host"
            )
    return setup, make_player(setup)


def _play(recipe: Recipe, start: int, stop: int) -> Chunk[Any]:
    setup, player = _player(recipe)
    with _one_at_a_time if setup.in_python else nullcontext():
        return player.play(start, stop)


def _write(recipe: Recipe, folder: str, start: int, stop: int) -> Span:
    from jokersim import store

    writer = store.attach(Path(folder))
    if writer.standing(start, stop) is None:
        write_part(writer, start, stop, _pieces(recipe, start, stop))
    return start, stop


def _pieces(recipe: Recipe, start: int, stop: int) -> Iterator[Chunk[Any]]:
    """Play a part piece by piece, so that memory stays flat."""
    _, player = _player(recipe)
    sizes = ChunkSizes(sum(player.rows_a_game(table) for table in recipe.tables))
    at = start
    while at < stop:
        end = min(at + sizes.next(), stop)
        began = time.perf_counter()
        yield _play(recipe, at, end)
        sizes.note(end - at, time.perf_counter() - began)
        at = end
