"""Learn the tables of `book` for two: rounds of trying out, then what cards in reach come to."""

from __future__ import annotations

import sys
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from book_two_learning import MOST_MET, count_margins, learn

from jokersim.kernels import state
from jokersim.kernels.policies import BASIC, book_two
from jokersim.kernels.policies import book_two_index as index
from jokersim.kernels.policies.native_rows import NativeRow
from jokersim.numbers import two_numbers
from jokersim.rules import rules

SHARDS = 4
"""Parts that a round is learned in, apart, whose corrections are averaged: as many for any number
of threads."""
RIDGE = 50.0


class TwoRound(NamedTuple):
    """One round of learning."""

    deals: int
    strays: int
    """Decisions in a hundred that are any choice."""
    slows: float
    """How much slower than at first entries move that have been met often."""


TWO_ROUNDS = (
    TwoRound(20000, 20, 1),
    TwoRound(20000, 15, 1),
    TwoRound(40000, 12, 1),
    TwoRound(60000, 10, 1),
    TwoRound(80000, 10, 4),
    TwoRound(100000, 10, 16),
    TwoRound(100000, 8, 64),
)
MARGIN_DEALS = 40000


def two_record(values, margins):
    """Round tables into a record array of one."""
    books = np.zeros(1, dtype=index.BOOK_TWO)
    books[0]["values"] = np.clip(np.round(1024 * values), -32768, 32767)
    books[0]["margins"] = np.round(1024 * margins)
    return books.view(np.recarray)


def two_row(books):
    """Answer the book as rounds ask it."""
    functions = {
        state.CHOOSE_TRUMP: book_two.trump_by,
        state.PLAY: book_two.play_by,
        state.DAVI: book_two.davi_by,
    }
    return NativeRow(functions, state.TWO_VIEW, books)


def _shares(start, n):
    """Cut a range into one for each shard."""
    cuts = [start + n * k // SHARDS for k in range(SHARDS + 1)]
    return list(pairwise(cuts))


def _round(numbers, policies, seed, start, plan, values, met, pool):
    """Learn a round: the values and how often entries were met in it, and the mean error."""

    def work(part):
        own, counted = values.copy(), np.minimum(met, MOST_MET * plan.slows)
        before = counted.copy()
        totals = np.zeros(2)
        views = state.new_views(state.TWO_VIEW, 2)
        learn(numbers, policies, seed, *part, plan.strays, own, counted, views, totals)
        return own, counted - before, totals

    parts = list(pool.map(work, _shares(start, plan.deals)))
    counted = sum(part[1] for part in parts)
    moved = sum((part[0] - values) * part[1] for part in parts) / np.maximum(counted, 1)
    totals = sum(part[2] for part in parts)
    return values + moved, met + counted, totals[1] / totals[0]


def _margins(numbers, policies, seed, start, n, pool):
    """Fit what is in reach to the pairs that are still to come."""

    def work(part):
        products = np.zeros((index.N_MARGINS, index.N_MARGINS))
        sums = np.zeros(index.N_MARGINS)
        views = state.new_views(state.TWO_VIEW)
        count_margins(numbers, policies, seed, *part, products, sums, views)
        return products, sums

    parts = list(pool.map(work, _shares(start, n)))
    products = sum(part[0] for part in parts) + RIDGE * np.eye(index.N_MARGINS)
    return np.linalg.solve(products, sum(part[1] for part in parts))


def build_two(seed, scale, threads):
    """Learn tables from nothing."""
    numbers = two_numbers(rules("japanese"))
    values, met = np.zeros(index.N_TABLE), np.zeros(index.N_TABLE)
    margins = np.zeros(index.N_MARGINS)
    row = None
    start = 0
    with ThreadPoolExecutor(threads) as pool:
        for i, whole in enumerate(TWO_ROUNDS):
            plan = whole._replace(deals=max(int(whole.deals * scale), SHARDS))
            number = BASIC if row is None else row.number
            policies = np.full(2, number, np.int64)
            began = time.monotonic()
            values, met, error = _round(numbers, policies, seed, start, plan, values, met, pool)
            start += plan.deals
            print(
                f"round {i + 1} of {len(TWO_ROUNDS)}: mean square {error:.3f} of a choice's "
                f"pairs, {plan.deals} deals in {time.monotonic() - began:.0f} s",
                file=sys.stderr,
                flush=True,
            )
            row = two_row(two_record(values, margins))
        policies = np.full(2, row.number, np.int64)
        n = max(int(MARGIN_DEALS * scale), SHARDS)
        margins = _margins(numbers, policies, seed, start, n, pool)
    return two_record(values, margins)
