"""Worlds judged over threads: drawn until enough agree, or taken one and all where they are few.

Which thread judges a world never shows: worlds count in their order, and are added up in blocks
that the numbers of worlds alone decide.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from jokersim.odds.plan import ATTEMPTS_A_WORLD, Plan, ShortfallError
from jokersim.odds.question import Case
from jokersim.odds.tally import Tally

__all__ = ["Judged", "judge"]

_BLOCK: Final = 1 << 16
_SMALLEST_SPAN: Final = 64
_LARGEST_SPAN: Final = 4096
_EXACT_WORLDS: Final = 1 << 20
_EXACT_WAYS: Final = 12_000_000
_EXACT_SPAN: Final = 2048


class Players(NamedTuple):
    """Policies as kernels know them, by seat."""

    playing: NDArray[np.int64]
    """Those that play on."""
    evidence: NDArray[np.int64]
    """Those that the deal so far is held against."""
    enumerable: bool
    """Whether all of them are `random` or draw nothing."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A tally, and how it came about."""

    tally: Tally
    attempts: int
    """Worlds drawn; those that disagreed with what was seen do not count in the tally."""
    shortfall: int
    """Worlds missing to what was asked for."""


class Rows(NamedTuple):
    """Judged worlds, a row each and a column a candidate; made by a kernel."""

    weights: NDArray[np.float64]
    bids: NDArray[np.int8]
    taken: NDArray[np.int8]
    won: NDArray[np.int8]

    def part(self, which: NDArray[np.int64] | slice) -> Rows:
        """Answer some of the rows."""
        return Rows(*(array[which] for array in self))  # type: ignore[arg-type]


def judge(case: Case, players: Players, plan: Plan, exact: bool | None = None) -> Judged:
    """Judge the candidates of a case.

    `exact` None enumerates where that is small, False never does.

    Raises
    ------
    ShortfallError
        No world at all agreed with what was seen.
    """
    if exact is not False and players.enumerable and not _hides_a_packet(case, players):
        tally = _enumerate(case, players, plan)
        if tally is not None:
            return Judged(tally, int(tally.worlds[0]), 0)
    return _sample(case, players, plan)


def _hides_a_packet(case: Case, players: Players) -> bool:
    """Tell whether what a deterministic chooser of trump saw would have to be drawn."""
    chooser = (case.question.dealer + 1) % 4
    return case.tests_trump and players.evidence[chooser] != 0


# --- sampling -------------------------------------------------------------------------------------


def _sample(case: Case, players: Players, plan: Plan) -> Judged:
    tally = Tally(case.values, len(case.candidates), plan.level)
    live = np.arange(len(case.candidates))
    attempts = n = 0
    unit: float | None = None
    with _pool(plan.threads) as submit:
        for look in plan.looks():
            most = ATTEMPTS_A_WORLD * look
            blocks = _accepted(case, players, plan, live, attempts, n, look, most, submit)
            for block, at in blocks:
                attempts = at
                weights = block.weights
                if unit is None and len(weights):
                    # Where all weights are equal, as with deterministic policies, all are 1.
                    unit = float(weights[0])
                tally.add(live, weights / (unit or 1.0), block.bids, block.taken, block.won)
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
            live = _unsettled(tally, plan.precision)
            if len(live) == 0:
                break
    return Judged(tally, attempts, 0)


def _unsettled(tally: Tally, precision: float) -> NDArray[np.int64]:
    """List the candidates to go on with: those too wide, and while there are any the best two."""
    wide = []
    for candidate in range(len(tally.worlds)):
        made = tally.p_made(candidate)
        if (made.high - made.low) / 2 > precision:
            wide.append(candidate)
    if wide:
        wide += [candidate for candidate in tally.best() if candidate is not None]
    return np.array(sorted(set(wide)), dtype=np.int64)


def _accepted(
    case: Case,
    players: Players,
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
    candidates = case.candidates[live]
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
                future = submit(_judge_span, case, players, candidates, plan.seed, next_world, span)
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


def _judge_span(
    case: Case,
    players: Players,
    candidates: NDArray[np.int64],
    seed: int,
    start: int,
    n: int,
) -> Rows:
    from jokersim.kernels import odds as kernel
    from jokersim.kernels.state import FOUR_VIEW, new_views

    shape = (n, len(candidates))
    rows = Rows(
        np.zeros(n), np.zeros(shape, np.int8), np.zeros(shape, np.int8), np.zeros(shape, np.int8)
    )
    kernel.judge_worlds(
        case.numbers, case.question, players.playing, players.evidence, candidates, seed,
        start, start + n, kernel.new_memory(), new_views(FOUR_VIEW, 2), kernel.no_columns(), *rows,
    )  # fmt: skip
    return rows


# --- enumeration ----------------------------------------------------------------------------------


def _enumerate(case: Case, players: Players, plan: Plan) -> Tally | None:
    """Take all worlds, and all draws of `random`; None if there are too many."""
    from jokersim.kernels import odds as kernel

    total = kernel.count_worlds(kernel.new_memory(), case.question)
    if total == 0:
        raise ShortfallError("no deal of the unseen cards agrees with what was seen")
    if total * len(case.candidates) > _EXACT_WORLDS:
        return None
    spans = [(at, min(at + _EXACT_SPAN, total)) for at in range(0, total, _EXACT_SPAN)]
    sums = np.zeros((len(case.candidates), 10, 10, 2))
    left = _EXACT_WAYS
    with _pool(plan.threads) as submit:
        futures: deque[Future[tuple[int, NDArray[np.float64]]]] = deque()
        for span in (*spans, None):
            if span is not None:
                futures.append(submit(_enumerate_span, case, players, *span))
            while futures and (span is None or len(futures) > 2 * plan.threads):
                ways, part = futures.popleft().result()
                left -= ways
                if ways < 0 or left < 0:
                    for future in futures:
                        future.cancel()
                    return None
                sums += part
    weight = float(sums[0].sum())
    if weight == 0:
        raise ShortfallError(
            f"none of all {total:,} worlds agrees with what was seen: "
            "condition none ignores the calls and bids before"
        )
    tally = Tally(case.values, len(case.candidates), plan.level, exact=True)
    tested = players.evidence[0] != 0 and case.question.tested.any()
    tally.add_exactly(sums, round(weight) if tested else total)
    return tally


def _enumerate_span(
    case: Case, players: Players, start: int, stop: int
) -> tuple[int, NDArray[np.float64]]:
    from jokersim.kernels import odds as kernel
    from jokersim.kernels.state import FOUR_VIEW, new_views

    sums = np.zeros((len(case.candidates), 10, 10, 2))
    ways = kernel.enumerate_worlds(
        case.numbers, case.question, players.playing, players.evidence, case.candidates,
        start, stop, _EXACT_WAYS, kernel.new_memory(), new_views(FOUR_VIEW), sums,
    )  # fmt: skip
    return int(ways), sums


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
