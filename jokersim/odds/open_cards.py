"""`open_values`: what perfect play comes to when all cards are known; no odds, but a measure."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

import numpy as np

from jokersim.cards import JOKER_IDS, JOKER_PLAY, TRUMPS, mask_of, parse_card
from jokersim.errors import InputError
from jokersim.odds.plan import check_whole, processors
from jokersim.odds.result import VERSION
from jokersim.table import Table

__all__ = ["NODES", "open_values"]

NODES: Final = 50_000_000
"""Nodes that one search may visit, some million a second."""

SEATS = 4
N_PAIRS = 18
_STORE = 1 << 22
_SMALL_STORE = 1 << 20


def open_values(
    position: Table | Mapping[str, Any], *, nodes: int = NODES, threads: int | None = None
) -> dict[str, Any]:
    """Answer what a deal comes to under perfect play with all cards known.

    Two players: the difference of pairs at the deal's end. Four players: for each seat the most
    and the fewest tricks that it can force against the three others together; the most that it can
    force is also what they can hold it to.

    Parameters
    ----------
    position : Table or mapping
        A table, or the record of a game that stops where a play is due; two players: or a call of
        trump, of which all five are answered.
    nodes : int
        Nodes that each search may visit. Within the default, of 100 random deals from the first
        lead on, all of four players with up to eight cards were exact and 93 with nine, and 84 of
        Japanese Joker (``python -m benchmarks.open_cards`` counts and times them).
    threads : int, optional
        By default the usable processors.

    Returns
    -------
    dict
        Two players: ``values``, a list of ``{trump, difference, low, high, exact, nodes}``, pairs
        of seat 0 more than of seat 1, those taken included; ``difference`` is None where the bounds
        differ. Four: ``seats``, a list of ``{seat, most, most_low, most_high, fewest, fewest_low,
        fewest_high, exact, nodes}`` in tricks, those taken included. ``exact`` says if all is.

    Raises
    ------
    InputError
        No play is due.

    Examples
    --------
    >>> from jokersim.rules import rules
    >>> table = Table(rules("classic"), first=3)
    >>> table.deal([["AS"], ["7H"], ["JK"], ["9D"]], turned="KC")
    >>> for bid in "1", "0", "1", "0":
    ...     table.apply(bid)
    >>> [(seat["most"], seat["fewest"]) for seat in open_values(table)["seats"]]
    [(0, 1), (0, 0), (1, 0), (0, 0)]
    """
    check_whole("nodes", nodes, 1, 10**12)
    table = position.copy() if isinstance(position, Table) else Table.from_record(position)
    if table.kind == "davi" and "lead" in table.legal():
        table.apply("lead")
    two = table.rules.family == "two"
    if table.kind != "play" and not (two and table.kind == "trump"):
        raise InputError("open cards are searched where a play is due, and none is here")
    found = _two(table, nodes, threads) if two else _four(table, nodes, threads)
    return {
        "schema": {"name": "jokersim/odds-open", "version": VERSION},
        "game": table.rules.name,
        "rules": table.rules.changes(),
        "deal": table.n_deals - 1,
        "seat": table.seat,
        **found,
    }


def _shared(threads: int | None) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(threads or processors(), thread_name_prefix="jokersim-open")


# --- two players ----------------------------------------------------------------------------------


def _two(table: Table, nodes: int, threads: int | None) -> dict[str, Any]:
    from jokersim.kernels.state import TWO_VIEW, new_views

    if table.kind == "trump":
        trumps = list(range(len(TRUMPS)))
        named = []
        for trump in TRUMPS:
            one = table.copy()
            one.apply(trump)
            if one.kind == "davi":
                one.apply("lead")
            named.append(one)
    else:
        trumps = [table.observation(0).trump]
        named = [table]
    with _shared(threads) as pool:
        found = list(pool.map(lambda one: _difference(one, new_views(TWO_VIEW), nodes), named))
    values = [{"trump": TRUMPS[t]} | value for t, value in zip(trumps, found, strict=True)]
    return {"values": values, "exact": all(value["exact"] for value in values)}


def _difference(table: Table, views: Any, nodes: int) -> dict[str, Any]:
    from jokersim.kernels import open_two as kernel

    seen = [table.observation(seat) for seat in range(2)]
    obs = seen[0]
    for name, value in obs._asdict().items():
        views[name][0] = value
    hands = np.array([one.hand for one in seen], dtype=np.int64)
    down = covered_of(table)
    facts = np.zeros(kernel.N_FACTS, np.int64)
    facts[kernel.TRUMP] = obs.trump
    facts[kernel.MUST_TRUMP] = obs.must_trump
    facts[kernel.IN_HAND] = hands[0] | hands[1]
    facts[kernel.MAX_NODES] = nodes
    for seat in range(2):
        facts[kernel.WHOLE + seat] = hands[seat] | obs.open[seat] | mask_of(down[seat].values())
        for place, card in down[seat].items():
            if obs.up[seat][place] >= 0:
                facts[kernel.COVERS + obs.up[seat][place]] = 1 << card
    usable, later = np.zeros(2, np.int64), np.zeros(2, np.int64)
    kernel.find_reach(views, hands, usable, later)
    lead = -1
    if obs.position:
        lead = obs.plays[obs.leader]
        if lead >= JOKER_PLAY:
            lead = JOKER_PLAY + (lead - JOKER_PLAY) % 10
        if obs.lifted[obs.leader] in down[obs.leader]:
            # Turned up after this trick.
            later[obs.leader] |= 1 << down[obs.leader][obs.lifted[obs.leader]]
    left = N_PAIRS - obs.trick
    bounds = np.array([0, left], dtype=np.int64)
    store = np.zeros(_STORE if left > 6 else _SMALL_STORE >> 4, np.int64)
    kernel.bound_pairs(
        facts, store, obs.played, usable, later, obs.leader, lead, left, bounds
    )  # fmt: skip
    ends = [2 * int(taken) - left for taken in bounds]
    if obs.leader == 1:
        ends = [-ends[1], -ends[0]]
    low, high = (obs.pairs[0] - obs.pairs[1] + end for end in ends)
    return _bounded("difference", low, high) | {"nodes": int(facts[kernel.NODES])}


def covered_of(table: Table) -> list[dict[int, int]]:
    """Answer the ids of the cards that still lie covered, by seat and place."""
    obs = table.observation(0)
    hands = [table.observation(seat).hand for seat in range(2)]
    down = table.record()["deals"][-1]["down"]
    gone = hands[0] | hands[1] | obs.open[0] | obs.open[1] | obs.played
    jokers = [joker for joker in JOKER_IDS if not gone >> joker & 1]
    covered: list[dict[int, int]] = [{}, {}]
    for seat in range(2):
        for place, text in enumerate(down[seat]):
            if obs.covered[seat] >> place & 1:
                card = parse_card(text)
                covered[seat][place] = jokers.pop() if card in JOKER_IDS else card
    return covered


# --- four players ---------------------------------------------------------------------------------


def _four(table: Table, nodes: int, threads: int | None) -> dict[str, Any]:
    seen = [table.observation(seat) for seat in range(SEATS)]
    asked = [(seat, many) for seat in range(SEATS) for many in (1, 0)]
    with _shared(threads) as pool:
        found = list(pool.map(lambda ask: _forced(seen, ask[0], ask[1], nodes), asked))
    seats = []
    for seat in range(SEATS):
        most, fewest = found[2 * seat], found[2 * seat + 1]
        seats.append(
            {
                "seat": seat,
                "most": most["tricks"],
                "most_low": most["low"],
                "most_high": most["high"],
                "fewest": fewest["tricks"],
                "fewest_low": fewest["low"],
                "fewest_high": fewest["high"],
                "exact": most["exact"] and fewest["exact"],
                "nodes": most["nodes"] + fewest["nodes"],
            }
        )
    return {
        "trump": TRUMPS[seen[0].trump],
        "seats": seats,
        "exact": all(seat["exact"] for seat in seats),
    }


def _forced(seen: list[Any], seat: int, many: int, nodes: int) -> dict[str, Any]:
    from jokersim.kernels import open_four as kernel

    obs = seen[seat]
    facts = np.zeros(kernel.N_FACTS, np.int64)
    facts[kernel.TRUMP] = obs.trump
    facts[kernel.MUST_TRUMP] = obs.must_trump
    facts[kernel.JOKER_BEATS_CUT] = obs.joker_beats_cut
    facts[kernel.SEAT] = seat
    facts[kernel.FOR_MANY] = many
    facts[kernel.MAX_NODES] = nodes
    facts[kernel.WHOLE : kernel.WHOLE + SEATS] = [one.hand for one in seen]
    laid = mask_of(play for play in obs.plays if 0 <= play < JOKER_PLAY) if obs.position else 0
    left = obs.size - obs.trick
    bounds = np.array([0, left], dtype=np.int64)
    store = np.zeros(_SMALL_STORE if left > 4 else _SMALL_STORE >> 6, np.int64)
    kernel.bound_tricks(
        facts, store, obs.played, laid, obs.leader, obs.position, max(obs.led, 0), obs.high,
        obs.row, obs.winner, obs.strength, left, bounds,
    )  # fmt: skip
    low, high = (obs.taken[seat] + int(bound) for bound in bounds)
    return _bounded("tricks", low, high) | {"nodes": int(facts[kernel.NODES])}


def _bounded(name: str, low: int, high: int) -> dict[str, Any]:
    return {
        name: low if low == high else None,
        "low": low,
        "high": high,
        "exact": low == high,
    }
