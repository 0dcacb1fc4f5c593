"""Rule sets turned into the plain numbers that kernels take.

The only place that knows both a rule set's words and a kernel's numbers.
"""

from __future__ import annotations

import numpy as np

from jokersim.kernels.state import (
    DEALER_ACE_DRAW,
    DEALER_RANDOM,
    ERASE_ALL_OTHERS,
    ERASE_IF_SINGLE,
    ERASE_LEFT,
    ERASE_NONE,
    OPEN_BOTH_FIRST_TRICK,
    OPEN_LEADER_FIRST_LEAD,
    OPEN_NONE,
    ROTATION_ALTERNATE,
    ROTATION_FIXED,
    ROTATION_LOSER,
    ROTATION_RANDOM,
    ROTATION_WINNER,
    FourNumbers,
    PartyNumbers,
)
from jokersim.rules import FourRules, TwoRules

__all__ = ["four_numbers", "two_numbers"]

_ERASE = {
    "none": ERASE_NONE,
    "all_others": ERASE_ALL_OTHERS,
    "all_others_if_single": ERASE_IF_SINGLE,
    "left_neighbour": ERASE_LEFT,
}
_DRAWN_DEALER = {"random": DEALER_RANDOM, "ace_draw": DEALER_ACE_DRAW}
_ROTATION = {
    "alternate": ROTATION_ALTERNATE,
    "winner": ROTATION_WINNER,
    "loser": ROTATION_LOSER,
    "random": ROTATION_RANDOM,
    "fixed": ROTATION_FIXED,
}
_TABLE_OPEN = {
    "leader_first_lead": OPEN_LEADER_FIRST_LEAD,
    "both_first_trick": OPEN_BOTH_FIRST_TRICK,
    "none": OPEN_NONE,
}


def four_numbers(rules: FourRules) -> FourNumbers:
    """Answer a four-player rule set as numbers and small tables.

    >>> from jokersim.rules import rules
    >>> numbers = four_numbers(rules("nines"))
    >>> numbers.sizes.tolist()[:4], numbers.pulka_last.tolist()[:5]
    ([9, 9, 9, 9], [3, 3, 3, 3, 7])
    """
    lengths = [len(pulka) for pulka in rules.schedule]
    firsts = np.cumsum([0, *lengths[:-1]])
    pulka = np.array(rules.pulka_of_deal, dtype=np.int64)
    first_dealer = rules.first_dealer
    return FourNumbers(
        sizes=np.array(rules.deal_sizes, dtype=np.int64),
        pulka=pulka,
        pulka_first=firsts[pulka].astype(np.int64),
        pulka_last=(firsts + lengths - 1)[pulka].astype(np.int64),
        score=rules.score_table(),
        first_dealer=(
            _DRAWN_DEALER[first_dealer] if isinstance(first_dealer, str) else first_dealer
        ),
        hook=int(rules.hook == "dealer"),
        must_trump=int(rules.must_trump),
        joker_beats_cut=int(rules.second_high_vs_cut == "joker"),
        premium=int(rules.premium == "double_best"),
        premium_exclude_last=int(rules.premium_exclude_last),
        erase=_ERASE[rules.erase],
        erase_exclude_last=int(rules.erase_exclude_last),
    )


def two_numbers(rules: TwoRules) -> PartyNumbers:
    """Answer a two-player rule set as numbers; stake and rake are money, which no kernel needs.

    >>> from jokersim.rules import rules
    >>> two_numbers(rules("japanese-davi"))[:5]
    (11, 0, 0, 1, 6)
    """
    return PartyNumbers(
        target=rules.target,
        rotation=_ROTATION[rules.declarer_rotation],
        table_open=_TABLE_OPEN[rules.table_open],
        must_trump=int(rules.must_trump),
        davi_cap=rules.max_multiplier,
        failure=int(rules.failure_rate * 2**53),
    )
