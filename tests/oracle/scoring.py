"""Points: a deal, a pulka and a game of four; a deal and a party of two."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Options = Mapping[str, Any]


def deal_score(options: Options, size: int, bid: int, taken: int) -> int:
    """Points of one seat in a deal of `size` cards."""
    if taken == bid:
        if bid == 0:
            return 50
        bonus = options["full_bid_bonus"]
        full = bid == size and (bonus == "all" or (bonus == "nine_only" and size == 9))
        return 100 * size if full else 50 * bid + 50
    if taken == 0:
        khishti = options["khishti"]
        return int(khishti[size - 1] if isinstance(khishti, list) else khishti)
    return 10 * taken


def earners(bids: Sequence[Sequence[int]], taken: Sequence[Sequence[int]]) -> set[int]:
    """Seats that made every bid of a pulka; both arguments are a list of four numbers a deal."""
    return {
        seat
        for seat in range(4)
        if all(b[seat] == t[seat] for b, t in zip(bids, taken, strict=True))
    }


def erased_seats(erase: str, earned: set[int]) -> set[int]:
    """Seats that lose their best score of the pulka to those who earned the premium."""
    others = {0, 1, 2, 3} - earned
    if erase == "all_others" and earned:
        return others
    if erase == "all_others_if_single" and len(earned) == 1:
        return others
    if erase == "left_neighbour":
        return {
            next(s for s in ((seat + k) % 4 for k in (1, 2, 3)) if s in others)
            for seat in earned
            if others
        }
    return set()


def pulka_premium(
    options: Options,
    bids: Sequence[Sequence[int]],
    taken: Sequence[Sequence[int]],
    scores: Sequence[Sequence[int]],
) -> list[int]:
    """By seat, what premium and erasure of one complete pulka add or take."""

    def best(seat: int, exclude_last: bool) -> int:
        candidates = scores[:-1] if exclude_last else scores
        return max([0, *(deal[seat] for deal in candidates)])

    change = [0, 0, 0, 0]
    earned = earners(bids, taken)
    if options["premium"] == "double_best":
        for seat in earned:
            change[seat] += best(seat, options["premium_exclude_last"])
    for seat in erased_seats(options["erase"], earned):
        change[seat] -= best(seat, options["erase_exclude_last"])
    return change


def ranks(totals: Sequence[int]) -> list[int]:
    """Places from the highest total down; a tie shares the place."""
    return [1 + sum(other > total for other in totals) for total in totals]


def points_two(pairs: Sequence[int]) -> list[int]:
    """Points of a complete deal of two: the difference to who took more."""
    return [max(0, pairs[0] - pairs[1]), max(0, pairs[1] - pairs[0])]


def next_declarer(rotation: str, declarer: int, pairs: Sequence[int]) -> int | None:
    """Declarer after a deal; None where the rule set draws him at random."""
    if rotation == "random":
        return None
    if rotation == "alternate":
        return 1 - declarer
    if rotation == "fixed" or pairs[0] == pairs[1]:
        return declarer
    winner = 0 if pairs[0] > pairs[1] else 1
    return winner if rotation == "winner" else 1 - winner


def payoff(options: Options, winner: int, multiplier: int) -> list[float]:
    """Net money by seat of a party that was won."""
    stakes = options["stake"] * multiplier
    result = [-stakes, -stakes]
    result[winner] = stakes * (1 - 2 * options["rake"])
    return result
