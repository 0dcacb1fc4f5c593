"""Odds without the compiler: the same answers."""

import pytest

from jokersim.kernels.jit import JIT_DISABLED
from jokersim.odds import bid_odds, play_odds, trump_odds
from jokersim.rules import rules
from jokersim.table import Table
from tests.odds.uncompiled import without_compiler


def some_answers():
    """A sampled and an enumerated bid, a call for two, a play with plays as evidence."""
    table = Table(rules("classic", schedule=[[3]]), seed=3)
    for _ in range(4 + 6):
        table.decide(1)
    few = {"samples": 8, "threads": 1}
    return [
        bid_odds(hand="AS KS 7D", trump="S", position=2, bids=[1], **few),
        bid_odds(hand="AS KS QS TS AH 9H 8D JK KC", trump="S", position=1, bids=[2], **few),
        trump_odds("japanese", cards="AS KS 7D", **few),
        play_odds(table, condition="plays", exact=False, **few),
    ]


@pytest.mark.skipif(JIT_DISABLED, reason="compares with compiled kernels")
def test_the_interpreter_gives_the_same_odds():
    assert without_compiler(some_answers) == some_answers()
