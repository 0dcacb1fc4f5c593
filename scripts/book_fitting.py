"""From what was counted to tables: rates shrunk to those of wider classes, least squares by sweeps.

A `Model` holds chances and worths as floats, which `record` rounds into the record that the policy
reads. The first model is made of rules of thumb, only to have something to learn from.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from book_learning import HAND, PACKET, PLACE, SAID, SIZE, TAKEN, TRUMP

from jokersim.kernels.policies import basic
from jokersim.kernels.policies import book_index as index

RANKS = (np.arange(512)[:, None] >> np.arange(9)) & 1
JOKER_BITS = (1 << 0) | (1 << 27)
SHRINK = 8.0
"""Games' worth of evidence that a wider class counts for, in a narrower one."""


@dataclass
class Model:
    """Worths in tricks, chances as shares."""

    holdings: np.ndarray
    """[3 kinds][10 rows][512 masks]"""
    ruffs: np.ndarray
    """[10 rows][10 trumps][5 side suits]"""
    jokers: np.ndarray
    """[2][10 rows]"""
    calls: np.ndarray
    """[3 kinds][10]"""
    no_trump: float
    worth: np.ndarray
    takes: np.ndarray
    made: np.ndarray
    none: np.ndarray
    bids: np.ndarray
    """`BIDS_SHAPE`: shares of tricks taken."""


def first_model():
    """Answer rules of thumb."""
    weights = basic.HOLDINGS / 64
    jokers = basic._JOKER / 64  # noqa: SLF001
    calls = np.zeros((3, 10))
    calls[:, :9] = weights[:, 9][:, 1 << np.arange(9)]
    calls[:2, 9] = jokers[:, 9]
    kind, _, higher, _, _ = np.indices(index.WORTH_SHAPE)
    worth = np.select([kind <= 1, kind < 5], [0.9 * 0.72**higher, 0.7 * 0.4**higher])
    worth = np.where(kind == 5, 0.85 * 0.5**higher, worth)
    way, _, higher, _, _, _ = np.indices(index.TAKES_SHAPE)
    takes = np.select([way < index.LEAD_HIGH, way < index.LEAD_LOW], [0.85 * 0.6**higher, 0.9])
    takes = np.where(way >= index.LEAD_LOW, np.where(way == index.REPLY_HIGH, 0.95, 0.1), takes)
    _, need, _, _, _, _, edge = np.indices(index.ENDS_SHAPE)
    over = (edge + 0.5) / 8 - 2.5
    made = np.clip(0.65 - 0.3 * np.abs(over), 0.02, 1)
    none = np.clip(0.5 - 0.3 * (over + need), 0, 1)
    model = Model(
        weights, np.zeros((10, 10, 5)), jokers, calls, 0.0, worth, takes, made, none, first_bids()
    )
    settle_ends(model)
    return model


def first_bids():
    """Answer shares of tricks taken that fall off by a half with each trick from the strength."""
    bids = np.zeros(index.BIDS_SHAPE)
    for size in range(1, 10):
        for quarter in range(4 * size + 4):
            mean = (quarter - 1.5) / 4 + 0.02 * (9 - size)
            for context in range(index.N_CONTEXTS):
                place = np.searchsorted(index.FIRST_CONTEXT, context, side="right") - 1
                more = context - index.FIRST_CONTEXT[place] - size * place / 4
                shares = 0.3 ** np.abs(np.arange(10) - (mean + 0.3 - 0.15 * more))
                shares[size + 1 :] = 0
                bids[index.FIRST_ROW[size - 1] + quarter, context] = shares / shares.sum()
    return bids


def settle_ends(model):
    """Write what is certain: with no card left, and with more tricks needed than cards."""
    left, need = np.indices(index.ENDS_SHAPE[:2])
    shape = left.shape + (1,) * 5
    left, need = left.reshape(shape), need.reshape(shape)
    model.made = np.where(left == 0, need == 0, np.where(need > left, 0, model.made))
    model.none = np.where(left == 0, 1, model.none)


def rates(met, true, shape, chain, prior):
    """Shares true / met, each shrunk to that of a wider class: `chain` says over which axes."""
    met = met.reshape(shape).astype(float)
    true = true.reshape(shape).astype(float)
    for axes in chain:
        wide = met.sum(axis=axes, keepdims=True) if axes else met
        prior = ((true.sum(axis=axes, keepdims=True) if axes else true) + SHRINK * prior) / (
            wide + SHRINK
        )
    return np.broadcast_to(prior, shape)


def fit_plays(model, counts):
    """Fit what plays are judged by."""
    worth = ((1, 3, 4), (3, 4), (4,), ())
    model.worth = rates(*counts.worth, index.WORTH_SHAPE, worth, 0.3)
    takes = ((1, 3, 4, 5), (3, 4, 5), (4, 5), (4,), ())
    model.takes = rates(*counts.takes, index.TAKES_SHAPE, takes, 0.5)
    ends = ((2, 3, 4, 5), (2, 3, 5), (3, 5), (5,), ())
    met, made, none = counts.ends
    model.made = rates(met, made, index.ENDS_SHAPE, ends, model.made)
    model.none = rates(met, none, index.ENDS_SHAPE, ends, model.none)
    settle_ends(model)


def blurred(counts, axis, share):
    """Add to each entry a share of its neighbours."""
    counts = np.moveaxis(counts, axis, 0)
    out = counts.copy()
    out[1:] += share * counts[:-1]
    out[:-1] += share * counts[1:]
    return np.moveaxis(out, 0, axis)


def fit_bids(model, counts):
    """Fit shares of tricks taken: blurred over strength and bids so far, then shrunk."""
    for size in range(1, 10):
        first = index.FIRST_ROW[size - 1]
        quarters = np.arange(4 * size + 4)
        lowest = np.clip(((quarters - 2) >> 2) - 1, 0, max(size - index.N_NUMBERS + 1, 0))
        numbers = np.minimum(lowest[:, None] + np.arange(index.N_NUMBERS), 9)
        part = counts.bids.reshape(index.BIDS_SHAPE)[first : first + len(quarters)]
        # By number itself, since neighbouring strengths have other lowest numbers.
        full = np.zeros((*part.shape[:3], 10, 10))
        row = quarters[:, None]
        full[row, :, :, numbers] = np.moveaxis(part, 3, 1)
        full = blurred(full, 0, 0.35)
        for place in range(4):
            stop = index.N_CONTEXTS if place == 3 else index.FIRST_CONTEXT[place + 1]
            block = slice(index.FIRST_CONTEXT[place], stop)
            full[:, block] = blurred(full[:, block], 1, 0.35)
        shares = full.sum(axis=(0, 1, 3)) + 1e-9
        shares = (shares / shares.sum(axis=-1, keepdims=True))[None, :]
        shares = shrunk(full.sum(axis=(1, 3)), shares, 5.0)[:, :, None]
        shares = shrunk(full.sum(axis=1), shares, 30.0)
        fitted = np.empty_like(full)
        for place in range(4):
            stop = index.N_CONTEXTS if place == 3 else index.FIRST_CONTEXT[place + 1]
            block = slice(index.FIRST_CONTEXT[place], stop)
            placed = shrunk(full[:, block].sum(axis=1), shares, 30.0)
            fitted[:, block] = shrunk(full[:, block], placed[:, None], 30.0)
        model.bids[first : first + len(quarters)] = np.moveaxis(fitted[row, :, :, numbers], 1, 3)


def shrunk(counts, shares, weight):
    """Shares of counts along the last axis, shrunk to `shares`."""
    return (counts + weight * shares) / (counts.sum(axis=-1, keepdims=True) + weight)


def fit_strength(model, rows, sweeps=14, ridge=20.0):
    """Fit worths of holdings, shape and jokers to tricks taken, but for place and bids so far."""
    for row in range(10):
        of_row = rows[rows[:, SIZE] == max(row, 1)]
        if row <= 1:
            of_row = of_row[(of_row[:, PLACE] > 0) == (row == 0)]
        hand, trump, place = of_row[:, HAND], of_row[:, TRUMP], of_row[:, PLACE]
        lanes = np.stack([((hand & ~JOKER_BITS) >> (9 * suit)) & 0x1FF for suit in range(4)], 1)
        jokers = (hand & 1) + (hand >> 27 & 1)
        bare = (trump == 4).astype(int)
        own = trump[:, None] == np.arange(4)
        holding = np.where(own, 0, 1 + bare[:, None]) * 512 + lanes
        n_trumps = RANKS.sum(1)[np.where(own, lanes, 0).sum(1)]
        shape = n_trumps * 5 + ((lanes != 0) & ~own).sum(1)
        more = of_row[:, SAID] - max(row, 1) * place / 4
        by_holding = model.holdings[:, row].reshape(-1).copy()
        by_shape = model.ruffs[row].reshape(-1).copy()
        by_joker = model.jokers[:, row].copy()
        by_place, by_more = np.zeros(4), np.zeros(4)

        def left_over():
            fit = by_holding[holding].sum(1) + by_shape[shape] + jokers * by_joker[bare]  # noqa: B023
            return of_row[:, TAKEN] - fit - by_place[place] - by_more[place] * more  # noqa: B023

        n_holding = np.bincount(holding.ravel(), minlength=1536)
        damping = np.where(np.arange(1536) < 512, 0.6, 0.4)
        for _ in range(sweeps):
            rest = left_over()
            for p in np.unique(place):
                at = place == p
                by_place[p] += rest[at].mean()
                by_more[p] += 0.7 * (rest[at] @ more[at]) / max(more[at] @ more[at], 1)
            rest = left_over()
            for kind in range(2):
                at = (bare == kind) & (jokers > 0)
                by_joker[kind] += (rest[at] @ jokers[at]) / (jokers[at] @ jokers[at] + ridge)
            rest = left_over()
            by_holding += (
                damping
                * np.bincount(holding.ravel(), np.repeat(rest, 4), 1536)
                / (n_holding + ridge)
            )
            rest = left_over()
            by_shape += (
                0.6 * np.bincount(shape, rest, 50) / (np.bincount(shape, minlength=50) + ridge)
            )
        # What a place adds on average belongs to the hand.
        by_holding += by_place[place].mean() / 4
        model.holdings[:, row] = by_holding.reshape(3, 512)
        model.ruffs[row] = by_shape.reshape(10, 5)
        model.jokers[:, row] = by_joker


def fit_calls(model, rows):
    """Fit what a card adds to the chooser's tricks, by ridge regression on the three cards seen."""
    rows = rows[(rows[:, SIZE] == 9) & (rows[:, PLACE] == 0)]
    seen = ((rows[:, PACKET][:, None] >> np.arange(36)) & 1).astype(float)
    jokers = seen[:, 0] + seen[:, 27]
    seen[:, [0, 27]] = 0
    suits = seen.reshape(-1, 4, 9)
    trump = rows[:, TRUMP]
    bare = trump == 4
    own = np.where(bare[:, None], 0, suits[np.arange(len(rows)), np.minimum(trump, 3)])
    other = suits.sum(1) - own
    with_trump = ~bare[:, None]
    columns = [own, other * with_trump, other * bare[:, None]]
    columns += [(jokers * ~bare)[:, None], (jokers * bare)[:, None]]
    columns += [np.ones((len(rows), 1)), bare[:, None].astype(float)]
    x = np.concatenate(columns, axis=1)
    fitted = np.linalg.solve(x.T @ x + 5 * np.eye(x.shape[1]), x.T @ rows[:, TAKEN])
    model.calls[:, :9] = fitted[:27].reshape(3, 9)
    model.calls[:2, 9] = fitted[27:29]
    model.no_trump = fitted[30]


def record(model, khishti, tuned):
    """Round a model into a record array of one."""
    books = np.zeros(1, dtype=index.BOOK)
    one = books[0]
    one["learned_khishti"] = khishti
    one["caution"] = tuned.caution
    one["tidy"] = tuned.tidy
    one["feared"] = round(256 * tuned.feared)
    one["keeps"] = np.floor(4096 * tuned.keeps ** np.arange(65))
    one["calls"] = np.round(1000 * model.calls)
    one["no_trump"] = round(1000 * model.no_trump)
    one["jokers"] = np.round(64 * model.jokers)
    one["holdings"] = np.round(64 * model.holdings)
    one["ruffs"] = np.round(64 * model.ruffs)
    for name in ("worth", "takes", "made", "none"):
        one[name] = np.round(4096 * getattr(model, name)).reshape(-1)
    one["bids"] = np.round(100 * model.bids).reshape(-1)
    return books.view(np.recarray)
