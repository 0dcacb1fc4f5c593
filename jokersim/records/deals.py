"""The deals of records without what was played in them: who begins and which cards lie where.

What follows the cards in a record (bids, trump, plays and all that is derived from them) is not
read here, but for a dealer given wrong, which tells of hands in another order.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from jokersim.records.error import RecordError, deal_errors_at
from jokersim.records.form import check_derived, deals_of, first_of, is_seat, rules_of
from jokersim.rules import FourRules, Rules, TwoRules
from jokersim.rules.options import shown
from jokersim.table.dealt import read_four, read_two

__all__ = ["Dealt", "dealt_of", "rules_of"]

NOT_GIVEN = -1


class Dealt(NamedTuple):
    """The cards of a deal as ids, in the order in which they were given."""

    hands: list[list[int]]
    turned: int
    """Four players, below nine cards: the turned card; else -1."""
    up: list[list[int]]
    """Two players: the open cards by seat and place."""
    down: list[list[int]]
    """Two players: the covered ones."""
    declarer: int
    """Two players: the declarer where the rules draw him, else -1, since play decides on him."""


def dealt_of(record: Mapping[str, Any], rules: Rules) -> tuple[int, list[Dealt]]:
    """Read who begins, and the cards of every deal.

    A game of four gives all deals of its schedule; of a party of two, those that there are.

    Raises
    ------
    RecordError
        Something is not what a record says there; ``place`` tells where.
    """
    first = first_of(record, rules)
    deals = deals_of(record)
    if isinstance(rules, FourRules):
        return first, _four(deals, rules, first)
    if not deals and record.get("void") is not True:
        raise RecordError("deals", "a party has at least one deal, and here is none")
    return first, [_two(deal, rules, i) for i, deal in enumerate(deals)]


def _four(deals: list[dict[str, Any]], rules: FourRules, first: int) -> list[Dealt]:
    sizes = rules.deal_sizes
    if len(deals) != len(sizes):
        place = f"deals[{min(len(deals), len(sizes))}]"
        raise RecordError(place, f"the schedule has {len(sizes)} deals, and {len(deals)} are given")
    found = []
    for i, (deal, size) in enumerate(zip(deals, sizes, strict=True)):
        with deal_errors_at(f"deals[{i}]"):
            hands, turned = read_four(deal, size)
        check_derived(deal, {"dealer": (first + i) % 4}, ("dealer",), f"deals[{i}].")
        found.append(Dealt(hands, turned, [], [], NOT_GIVEN))
    return found


def _two(deal: dict[str, Any], rules: Rules, i: int) -> Dealt:
    with deal_errors_at(f"deals[{i}]"):
        hands, up, down = read_two(deal)
    declarer = NOT_GIVEN
    if i and isinstance(rules, TwoRules) and rules.declarer_rotation == "random":
        given = deal.get("declarer")
        if not is_seat(given, 2):
            raise RecordError(
                f"deals[{i}].declarer",
                f"the rule set draws the declarer: he is a seat, 0 or 1, not {shown(given)}",
            )
        declarer = int(given)  # type: ignore[arg-type]
    return Dealt(hands, -1, up, down, declarer)
