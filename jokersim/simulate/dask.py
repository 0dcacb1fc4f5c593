"""Dask: the games of a run on the workers of a cluster, one part of a dataset a task.

The only module that knows `distributed`, which comes with the extra ``jokersim[dask]``. Tasks are
idempotent: a part that stands already is left as it is, so a task may be repeated, be lost with its
worker, or end after its client. Only the client locks the folder.
"""

from __future__ import annotations

import os
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol, TypeVar
from urllib.parse import urlsplit

from jokersim.errors import InputError, JokersimError, RunError, SpecError
from jokersim.policies import Policy
from jokersim.rules import Rules
from jokersim.simulate.chunk import Chunk, Player, Setup
from jokersim.simulate.given import GivenDeals
from jokersim.simulate.pipeline import ChunkSizes, cut
from jokersim.simulate.work import Progress, Span, write_part

if TYPE_CHECKING:
    from jokersim.store import Writer

__all__ = ["Cluster", "Made", "Recipe", "check_sources", "connected", "mapped", "warm_up"]

T = TypeVar("T")
R = TypeVar("R")

_RETRIES: Final = 3
_AHEAD: Final = 3
_ALLOCATOR: Final = ("MALLOC_TRIM_THRESHOLD_", "MALLOC_MMAP_THRESHOLD_")
"""What tells glibc from how much free memory on to give it back; other systems do not look."""
_KEPT_BYTES: Final = str(1 << 30)

_one_at_a_time = threading.Lock()


class Made(NamedTuple):
    """What plays on a worker."""

    player: Player
    rows: int
    """Rows of a game that are in memory at once."""
    in_python: bool
    """Whether one thread at a time must play, since a policy is asked in Python."""


class Recipe(NamedTuple):
    """A setup as it travels: policies by name, with the hash that their sources must have."""

    rules: Rules
    policies: tuple[str, ...]
    sources: tuple[str, ...]
    seed: int
    tables: tuple[str, ...]
    where: str | None
    deals: GivenDeals | None

    @classmethod
    def of(cls, setup: Setup) -> Recipe:
        """Answer the recipe of a setup."""
        names, sources = zip(*((one.name, one.source) for one in setup.policies), strict=True)
        return cls(setup.rules, names, sources, setup.seed, setup.tables, setup.where, setup.deals)

    def of_games(self, start: int, stop: int) -> Recipe:
        """Answer the recipe of a range: deals that are given travel with the games they are of."""
        return self if self.deals is None else self._replace(deals=self.deals.span(start, stop))

    def made(self) -> Made:
        """Make what plays."""
        from jokersim.simulate.run import make_player

        setup = _setup(self._replace(deals=None))
        player = make_player(replace(setup, deals=self.deals))
        rows = sum(player.rows_a_game(table) for table in self.tables)
        return Made(player, rows, setup.in_python)


class Cookable(Hashable, Protocol):
    """A recipe of whatever plays chunks: it travels to workers, and is made there once."""

    def of_games(self, start: int, stop: int) -> Any:
        """Answer the recipe of a range of games."""

    def made(self) -> Made:
        """Make what plays."""


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

        with _keeping_memory():
            cluster = distributed.LocalCluster(
                n_workers=int(rest),
                threads_per_worker=1,
                dashboard_address=":0",
                silence_logs="ERROR",
            )
        with cluster:
            yield cluster
    elif "://" in address:
        yield address
    else:
        raise InputError(f"{address!r} is no Dask address: it is tcp://HOST:PORT, or local:N")


@contextmanager
def _keeping_memory() -> Iterator[None]:
    """Let the workers that are started meanwhile keep the memory of a part for the next.

    Dask has its workers give memory back at once; to fetch it again page by page costs a part of
    `games` a tenth of its time. What the user has set stays.
    """
    added = {name: _KEPT_BYTES for name in _ALLOCATOR if name not in os.environ}
    os.environ.update(added)
    try:
        yield
    finally:
        for name in added:
            del os.environ[name]


class Cluster:
    """Plays a recipe on the workers of a client; see `jokersim.simulate.work.Workers`."""

    def __init__(
        self, client: Any, recipe: Cookable, games: int, progress: Progress | None
    ) -> None:
        self.seconds = 0.0
        self._client = client
        self._recipe = recipe
        self._games = games
        self._progress = progress
        self._sizes: ChunkSizes | None = None

    def chunks(self, spans: Iterable[Span], done: int = 0) -> Generator[Chunk[Any], None, None]:
        """Play the spans and answer their chunks in order, telling the progress."""
        self._warm_up()
        assert self._sizes is not None
        pieces = cut(iter(spans), self._sizes)
        tasks = ((self._recipe.of_games(*piece), *piece) for piece in pieces)
        for chunk, seconds in self._timed(_timed_play, tasks):
            self._sizes.note(chunk.stop - chunk.start, seconds)
            done += chunk.stop - chunk.start
            self._tell(done)
            yield chunk

    def write(self, writer: Writer, spans: Sequence[Span], done: int = 0) -> None:
        """Play and commit parts, each by a task of its own."""
        folder = writer.address
        tasks = ((self._recipe.of_games(start, stop), folder, start, stop) for start, stop in spans)
        for start, stop in self._timed(_write, tasks):
            done += stop - start
            self._tell(done)
            writer.check_lock()
        writer.refresh()
        pending = writer.pending()
        if missing := [span for span in spans if span in pending]:
            raise RunError(
                f"{writer.path}: games from {missing[0][0]} on were written by a worker and are "
                "not there: is the folder shared by all hosts?"
            )

    def _tell(self, done: int) -> None:
        if self._progress is not None:
            self._progress(done, self._games)

    def _timed(self, task: Callable[..., R], tasks: Iterable[tuple[Any, ...]]) -> Iterator[R]:
        self._warm_up()
        began = time.perf_counter()
        try:
            yield from mapped(self._client, task, tasks)
        finally:
            self.seconds += time.perf_counter() - began

    def _warm_up(self) -> None:
        if self._sizes is None:
            rows = warm_up(self._client, _begin, (self._recipe.of_games(0, 1),))
            self._sizes = ChunkSizes(rows)


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


def warm_up(client: Any, task: Callable[..., R], arguments: tuple[Any, ...]) -> R:
    """Let one worker of each host compile what the others then find in the cache.

    Answers what the task answers, which is called once on every worker.
    """
    first: dict[str | None, str] = {}
    addresses = list(client.nthreads())
    for address in addresses:
        first.setdefault(urlsplit(address).hostname, address)
    if not first:
        raise RunError("the Dask cluster has no workers: start some, then try again")
    answers: list[R] = []
    for some in (list(first.values()), addresses):
        ready = [client.submit(task, *arguments, workers=[one], pure=False) for one in some]
        answers += [_result(future) for future in ready]
    return answers[0]


# What follows runs in workers.


@lru_cache(maxsize=8)
def _made(recipe: Cookable) -> Made:
    return recipe.made()


def _begin(recipe: Cookable) -> int:
    """Play the first game, so that all is compiled and loaded, and answer the rows of a game."""
    from jokersim.store import parquet

    del parquet
    _play(recipe, 0, 1)
    return _made(recipe).rows


@lru_cache(maxsize=8)
def _setup(recipe: Recipe) -> Setup:
    from jokersim.simulate.run import plan

    setup = plan(recipe.rules, recipe.policies, recipe.seed, recipe.tables, recipe.where)
    check_sources(setup.policies, recipe.sources)
    return setup


def check_sources(policies: Sequence[Policy], sources: Sequence[str]) -> None:
    """Refuse a worker whose policies are not those of the client."""
    for policy, source in zip(policies, sources, strict=True):
        if policy.source != source:
            raise SpecError(
                f"a Dask worker has another version of the policy {policy.name}: install the same "
                "jokersim, and the same policy, on every host"
            )


def _play(recipe: Cookable, start: int, stop: int) -> Chunk[Any]:
    made = _made(recipe)
    with _one_at_a_time if made.in_python else nullcontext():
        return made.player.play(start, stop)


def _timed_play(recipe: Cookable, start: int, stop: int) -> tuple[Chunk[Any], float]:
    began = time.perf_counter()
    return _play(recipe, start, stop), time.perf_counter() - began


def _write(recipe: Recipe, folder: str, start: int, stop: int) -> Span:
    from jokersim import store

    writer = store.attach(folder)
    if writer.standing(start, stop) is None:
        write_part(writer, start, stop, _pieces(recipe, start, stop))
    return start, stop


def _pieces(recipe: Recipe, start: int, stop: int) -> Iterator[Chunk[Any]]:
    """Play a part piece by piece, so that memory stays flat."""
    sizes = ChunkSizes(_made(recipe).rows)
    at = start
    while at < stop:
        end = min(at + sizes.next(at - start), stop)
        began = time.perf_counter()
        yield _play(recipe, at, end)
        sizes.note(end - at, time.perf_counter() - began)
        at = end
