"""The slow twin: the rules of the three games in plain Python, for reading and for testing.

Written from the text of the rules with lists, sets and dicts; it imports nothing of the package,
and holds cards and plays as text (`tests.oracle.notation`). What tests use of it:

- `legal_plays`, `legal_plays_two`, `taker`: one trick;
- `legal_bids`, `deal_score`, `pulka_premium`, `ranks`, `points_two`, `next_declarer`, `payoff`;
- `replay`: completes a record or answers its first fault; `replay_line` does so for one line;
- `could_hold`, `consistent`: what a seat may still hold after all that was shown.
"""

from tests.oracle.four import legal_bids
from tests.oracle.options import PRESETS, read_options
from tests.oracle.replay import complete_record, replay, replay_line
from tests.oracle.scoring import (
    deal_score,
    next_declarer,
    payoff,
    points_two,
    pulka_premium,
    ranks,
)
from tests.oracle.shown import consistent, could_hold, situation
from tests.oracle.trick import legal_plays, legal_plays_two, taker

__all__ = [
    "PRESETS",
    "complete_record",
    "consistent",
    "could_hold",
    "deal_score",
    "legal_bids",
    "legal_plays",
    "legal_plays_two",
    "next_declarer",
    "payoff",
    "points_two",
    "pulka_premium",
    "ranks",
    "read_options",
    "replay",
    "replay_line",
    "situation",
    "taker",
]
