"""Worlds judged over threads: drawn until enough agree, or taken one and all where they are few.

Which thread judges a world never shows: worlds count in their order, and are added up in blocks
that the numbers of worlds alone decide.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, Final, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from jokersim.odds.plan import ATTEMPTS_A_WORLD, Plan, ShortfallError
from jokersim.odds.tally import Tally

__all__ = ["Case", "Judged", "Rows", "judge"]

_BLOCK: Final = 1 << 16
_SMALLEST_SPAN: Final = 64
_LARGEST_SPAN: Final = 4096
_EXACT_WORLDS: Final = 1 << 20
_EXACT_WAYS: Final = 12_000_000
_EXACT_SPAN: Final = 2048


class Rows(NamedTuple):
    """Judged worlds, a row each."""

    weights: NDArray[np.float64]
    """0 where a world does not agree with what was seen."""
    cells: NDArray[np.int16]
    """The outcome of each candidate, a column each."""

    def part(self, which: NDArray[np.int64] | slice) -> Rows:
        """Answer some of the rows."""
        return Rows(self.weights[which], self.cells[which])


class Case(Protocol):
    """A decision, its candidates, and how worlds judge them."""

    @property
    def in_python(self) -> bool:
        """Whether a policy is asked in Python, by one thread alone."""

    @property
    def usual_samples(self) -> int:
        """How many worlds to judge where nobody says."""

    @property
    def n_candidates(self) -> int:
        """How many choices there are to judge."""

    @property
    def values(self) -> NDArray[np.float64]:
        """Worth of each outcome."""

    @property
    def goal(self) -> NDArray[np.bool_]:
        """The outcomes whose share is to reach the precision asked for."""

    def judge(self, live: NDArray[np.int64], seed: int, start: int, stop: int) -> Rows:
        """Judge some of the candidates in drawn worlds."""

    def n_worlds(self) -> int | None:
        """Count the worlds, if they can be enumerated."""

    def enumerate(self, start: int, stop: int, budget: int) -> tuple[int, NDArray[np.float64]]:
        """Take worlds by number: the ways they can go, -1 if too many, and the sums of weights."""

    def n_agreeing(self, weight: float, worlds: int) -> int:
        """Answer how many worlds agree with what was seen, by the weight of the first sum."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A tally, and how it came about."""

    tally: Tally
    attempts: int
    """Worlds drawn; those that disagreed with what was seen do not count in the tally."""
    shortfall: int
    """Worlds missing to what was asked for."""


def judge(case: Case, plan: Plan, exact: bool | None = None) -> Judged:
    """Judge the candidates of a case.

    `exact` None enumerates where that is small, False never does.

    Raises
    ------
    ShortfallError
        No world at all agreed with what was seen.
    """
    if case.in_python:
        plan = replace(plan, threads=1)
    if exact is not False:
        tally = _enumerate(case, plan)
        if tally is not None:
            return Judged(tally, int(tally.worlds[0]), 0)
    return _sample(case, plan)


# --- sampling -------------------------------------------------------------------------------------


def _sample(case: Case, plan: Plan) -> Judged:
    tally = Tally(case.values, case.n_candidates, plan.level)
    live = np.arange(case.n_candidates)
    attempts = n = 0
    unit: float | None = None
    with _pool(plan.threads) as submit:
        look = plan.first_look(case.usual_samples)
        while True:
            most = ATTEMPTS_A_WORLD * look
            blocks = _accepted(case, plan, live, attempts, n, look, most, submit)
            for block, at in blocks:
                attempts = at
                weights = block.weights
                if unit is None and len(weights):
                    # Where all weights are equal, as with deterministic policies, all are 1.
                    unit = float(weights[0])
                tally.add(live, weights / (unit or 1.0), block.cells)
                n += len(weights)
            if n < look:
                if n == 0:
                    raise ShortfallError(
                        f"none of {attempts:,} worlds agreed with what was seen: "
                        "condition none ignores the calls and bids before"
                    )
                return Judged(tally, attempts, look - n)
            if plan.precision is None:
                break
            live, widest = _unsettled(tally, case.goal, plan.precision)
            if len(live) == 0:
                break
            look = plan.next_look(n, widest)
    return Judged(tally, attempts, 0)


def _unsettled(
    tally: Tally, goal: NDArray[np.bool_], precision: float
) -> tuple[NDArray[np.int64], float]:
    """List the candidates to go on with: those too wide, and while there are any the best two.

    The largest half-width comes too.
    """
    shares = [tally.share(candidate, goal) for candidate in range(len(tally.worlds))]
    widths = [(share.high - share.low) / 2 for share in shares]
    wide = [candidate for candidate, width in enumerate(widths) if width > precision]
    if wide:
        wide += [candidate for candidate in tally.best() if candidate is not None]
    return np.array(sorted(set(wide)), dtype=np.int64), max(widths)


def _accepted(
    case: Case,
    plan: Plan,
    live: NDArray[np.int64],
    start: int,
    have: int,
    wanted: int,
    most: int,
    submit: Callable[..., Future[Rows]],
) -> Iterator[tuple[Rows, int]]:
    """Answer blocks of agreeing worlds from world `start` on, each with the worlds drawn by then.

    Ends with the world that is number `wanted`, or once `most` worlds are drawn.
    """
    waiting: deque[tuple[Future[Rows], int]] = deque()
    kept: list[Rows] = []
    n, next_world, at = have, start, start
    try:
        while n < wanted and (waiting or next_world < most):
            while next_world < most and len(waiting) < 2 * plan.threads:
                # As many worlds as are needed if they agree as often as those before.
                need = (wanted - n) * max(1, at - start) / max(1, n - have) - (next_world - at)
                if waiting and need <= 0:
                    break
                span = _span(need, plan.threads, most - next_world)
                future = submit(case.judge, live, plan.seed, next_world, next_world + span)
                waiting.append((future, span))
                next_world += span
            future, span = waiting.popleft()
            rows = future.result()
            agreeing = np.flatnonzero(rows.weights)[: wanted - n]
            n += len(agreeing)
            at = at + span if n < wanted else at + int(agreeing[-1]) + 1
            kept.append(rows.part(agreeing))
            if sum(len(rows.weights) for rows in kept) >= _BLOCK:
                joined = _joined(kept)
                yield joined.part(slice(_BLOCK)), at
                kept = [joined.part(slice(_BLOCK, None))]
        if kept:
            yield _joined(kept), at
    finally:
        for future, _ in waiting:
            future.cancel()


def _joined(kept: Sequence[Rows]) -> Rows:
    return Rows(*(np.concatenate(arrays) for arrays in zip(*kept, strict=True)))


def _span(need: float, threads: int, most: int) -> int:
    """Choose a span: a share of what is needed, never more than it where that is little."""
    share = max(_SMALLEST_SPAN, min(_LARGEST_SPAN, int(need / (4 * threads)) + 1))
    return max(1, min(share, int(need) + 1, most))


# --- enumeration ----------------------------------------------------------------------------------


def _enumerate(case: Case, plan: Plan) -> Tally | None:
    """Take all worlds, and all draws of `random`; None if there are too many."""
    total = case.n_worlds()
    if total == 0:
        raise ShortfallError("no deal of the unseen cards agrees with what was seen")
    if total is None or total * case.n_candidates > _EXACT_WORLDS:
        return None
    sums = np.zeros((case.n_candidates, len(case.values)))
    left = _EXACT_WAYS
    waiting: deque[Future[tuple[int, NDArray[np.float64]]]] = deque()
    starts = iter(range(0, total, _EXACT_SPAN))
    with _pool(plan.threads) as submit:
        while True:
            for start in islice(starts, 2 * plan.threads - len(waiting)):
                stop = min(start + _EXACT_SPAN, total)
                waiting.append(submit(case.enumerate, start, stop, _EXACT_WAYS))
            if not waiting:
                break
            ways, part = waiting.popleft().result()
            left -= ways
            if ways < 0 or left < 0:
                return None
            sums += part
    weight = float(sums[0].sum())
    if weight == 0:
        raise ShortfallError(
            f"none of all {total:,} worlds agrees with what was seen: "
            "condition none ignores the calls and bids before"
        )
    tally = Tally(case.values, case.n_candidates, plan.level, exact=True)
    tally.add_exactly(sums, case.n_agreeing(weight, total))
    return tally


# --- threads --------------------------------------------------------------------------------------


@contextmanager
def _pool(threads: int) -> Iterator[Callable[..., Future[Any]]]:
    """Lend a way to call functions in threads; with one thread they are called at once."""
    if threads == 1:
        yield _at_once
        return
    pool = ThreadPoolExecutor(threads, thread_name_prefix="jokersim-odds")
    try:
        yield pool.submit
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _at_once(call: Callable[..., Any], *arguments: Any) -> Future[Any]:
    done: Future[Any] = Future()
    done.set_result(call(*arguments))
    return done
