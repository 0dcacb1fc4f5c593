"""What each game comes to, from its rows: the figures that summaries are made of, an entry a game.

Knows the columns of tables; where they come from (a chunk, a file) is the caller's. Verification
adds the entries up again, a comparison pairs them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from jokersim.rules import FourRules, Rules
from jokersim.simulate.chunk import Columns
from jokersim.stats.two import MAX_MULTIPLIER, N_DIFFERENCES

__all__ = ["PerGame", "add_up", "empty", "take_deals", "take_games", "whole_games", "with_places"]

PAIRS_A_DEAL: Final = 18

PerGame = dict[str, NDArray[np.int64]]
"""Arrays by figure, each [games] or [seats, games]."""


def empty(rules: Rules, games: int, *, deals: bool) -> PerGame:
    """Make zeros for a number of games; without `deals`, only what the table `games` tells."""
    of_game, of_seat, of_deals = _NAMES[rules.family]
    shapes: dict[str, tuple[int, ...]] = dict.fromkeys(of_game, (games,))
    shapes |= dict.fromkeys(of_seat, (rules.seats, games))
    if deals:
        shapes |= dict.fromkeys(of_deals, (rules.seats, games))
        if rules.family == "two":
            shapes |= {"complete": (games,), "declarer_pairs": (games,)}
            shapes["differences"] = (N_DIFFERENCES, games)
    return {name: np.zeros(shape, np.int64) for name, shape in shapes.items()}


_NAMES: Final[Mapping[str, tuple[tuple[str, ...], ...]]] = {
    "four": (("first",), ("total", "rank"), ("made", "khishti", "premium")),
    "two": (
        ("first", "winner", "multiplier", "deals", "declined_by"),
        ("points",),
        ("pairs", "deals_won", "offers"),
    ),
}


def take_games(rules: Rules, into: PerGame, start: int, rows: Columns) -> None:
    """Take rows of the table `games`; entry 0 is game `start`."""
    at = rows["game"] - start
    if rules.family == "four":
        into["first"][at] = rows["first_dealer"]
        names: tuple[str, ...] = ("total", "rank")
    else:
        into["first"][at] = rows["first_declarer"]
        for name in ("winner", "multiplier", "deals", "declined_by"):
            into[name][at] = rows[name]
        names = ("points",)
    for name in names:
        for seat in range(rules.seats):
            into[name][seat, at] = rows[f"{name}_{seat}"]


def take_deals(rules: Rules, into: PerGame, start: int, rows: Columns) -> None:
    """Take rows of the table `deals`, whole games or pieces that do not part a deal's rows."""
    if isinstance(rules, FourRules):
        _take_four(rules, into, start, rows)
    else:
        _take_two(into, start, rows)


def _take_four(rules: FourRules, into: PerGame, start: int, rows: Columns) -> None:
    n = into["total"].shape[1]
    made = rows["bid"] == rows["taken"]
    cell = rows["seat"].astype(np.int64) * n + (rows["game"] - start)
    _count(into["made"], cell, made)
    _count(into["khishti"], cell, (rows["bid"] > 0) & (rows["taken"] == 0))
    # A premium is earned by making every bid of a pulka: count what lacks to that, pulka by pulka.
    sizes = np.bincount(np.asarray(rules.pulka_of_deal))
    for pulka, size in enumerate(sizes.tolist()):
        here = rows["pulka"] == pulka
        if here.any():
            all_made = np.bincount(cell[here & made], minlength=4 * n) == size
            into["premium"] += all_made.reshape(4, n)


def _take_two(into: PerGame, start: int, rows: Columns) -> None:
    n = into["deals"].shape[0]
    game, seat, pairs = rows["game"] - start, rows["seat"].astype(np.int64), rows["pairs"]
    cell = seat * n + game
    _count(into["offers"], cell, rows["davi_offers"])
    # The two rows of a deal stand together; a deal that a decline cut short is not complete.
    both = pairs[0::2].astype(np.int64) + pairs[1::2]
    complete = np.repeat(both == PAIRS_A_DEAL, 2)
    _count(into["pairs"], cell, np.where(complete, pairs, 0))
    _count(into["deals_won"], cell, complete & (2 * pairs > PAIRS_A_DEAL))
    declarer = complete & (seat == rows["declarer"])
    _count(into["complete"], game, declarer)
    _count(into["declarer_pairs"], game, np.where(declarer, pairs, 0))
    half = np.abs(pairs.astype(np.int64) - PAIRS_A_DEAL // 2)
    _count(into["differences"], half * n + game, declarer)


def _count(into: NDArray[np.int64], cell: NDArray[np.int64], weight: NDArray[Any]) -> None:
    """Add weights into the cells of an array, exactly: each is a small whole number."""
    keep = np.flatnonzero(weight)
    found = np.bincount(cell[keep], weights=weight[keep], minlength=into.size)
    into += found.astype(np.int64).reshape(into.shape)


def whole_games(blocks: Iterable[Columns]) -> Iterator[Columns]:
    """Cut blocks of rows anew, so that no game is parted."""
    held: Columns | None = None
    for block in blocks:
        rows = block
        if held is not None:
            rows = {name: np.concatenate([held[name], block[name]]) for name in block}
        cut = int(np.searchsorted(rows["game"], rows["game"][-1])) if len(rows["game"]) else 0
        if cut:
            yield {name: values[:cut] for name, values in rows.items()}
        held = {name: values[cut:] for name, values in rows.items()}
    if held is not None and len(held["game"]):
        yield held


def with_places(rules: Rules, values: NDArray[np.int64], first: NDArray[np.int64]) -> Any:
    """Turn figures by seat into figures by place: distance from the first dealer or declarer."""
    seats = rules.seats
    return values[(np.arange(seats)[:, None] + first) % seats, np.arange(len(first))]


def add_up(rules: Rules, games: PerGame) -> dict[str, Any]:
    """Add up games as a marker's sums do: the same keys, but for what the figures do not tell."""
    by_place = {
        name: with_places(rules, values, games["first"])
        for name, values in games.items()
        if values.shape[0] == rules.seats and values.ndim == 2
    }
    if rules.family == "four":
        return {
            "games": len(games["first"]),
            "seats": [_four_seat(games, seat) for seat in range(4)],
            "places": [_four_seat(by_place, place) for place in range(4)],
        }
    first, seats = games["first"], np.arange(2)[:, None]
    games = games | {"won": (games["winner"] == seats).astype(np.int64)}
    games["declines"] = (games["declined_by"] == seats).astype(np.int64)
    by_place = {
        name: with_places(rules, games[name], first)
        for name in (*by_place, "won", "declines")
    }  # fmt: skip
    shared = {name: games[name] for name in ("winner", "multiplier", "complete") if name in games}
    return {
        "games": len(first),
        "seats": [_two_seat(games, seat) for seat in range(2)],
        "places": [_two_seat(by_place | shared, place) for place in range(2)],
        "parties": _parties(games),
    }


def _squared(name: str, values: NDArray[np.int64]) -> dict[str, int]:
    return {name: int(values.sum()), f"{name}_2": int((values * values).sum())}


def _four_seat(games: PerGame, seat: int) -> dict[str, Any]:
    values, counts = np.unique(games["total"][seat], return_counts=True)
    ranks = np.bincount(games["rank"][seat], minlength=5)[1:5]
    sums: dict[str, Any] = _squared("total", games["total"][seat])
    for name in ("made", "khishti", "premium"):
        if name in games:
            sums |= _squared(name, games[name][seat])
    totals = [[int(v), int(c)] for v, c in zip(values, counts, strict=True)]
    return sums | {"ranks": ranks.tolist(), "totals": totals}


def _two_seat(games: PerGame, seat: int) -> dict[str, Any]:
    won, multiplier = games["won"][seat] > 0, games["multiplier"]
    lost = ~won & (games["winner"] >= 0)
    sums: dict[str, Any] = _squared("points", games["points"][seat])
    sums["declines"] = int(games["declines"][seat].sum())
    sums |= {"won": _by_multiplier(multiplier[won]), "lost": _by_multiplier(multiplier[lost])}
    if "complete" in games:
        sums |= _squared("offers", games["offers"][seat])
        sums["points_x"] = int((games["points"][seat] * games["complete"]).sum())
        for name in ("pairs", "deals_won"):
            values = games[name][seat]
            sums |= _squared(name, values)
            sums[f"{name}_x"] = int((values * games["complete"]).sum())
    return sums


def _parties(games: PerGame) -> dict[str, Any]:
    void = games["winner"] < 0
    sums: dict[str, Any] = {"void": int(void.sum())} | _squared("deals", games["deals"])
    sums["void_multiplier"] = _by_multiplier(games["multiplier"][void])
    if "complete" in games:
        complete = games["complete"]
        sums |= _squared("complete", complete)
        sums |= _squared("declarer_pairs", games["declarer_pairs"])
        sums["declarer_pairs_x"] = int((games["declarer_pairs"] * complete).sum())
        differences = games["differences"]
        sums["differences"] = differences.sum(axis=1).tolist()
        sums["differences_2"] = (differences * differences).sum(axis=1).tolist()
        sums["differences_x"] = (differences * complete).sum(axis=1).tolist()
    return sums


def _by_multiplier(multipliers: NDArray[np.int64]) -> list[int]:
    found: Iterable[int] = np.bincount(multipliers, minlength=MAX_MULTIPLIER + 1).tolist()
    return list(found)[1 : MAX_MULTIPLIER + 1]
