"""Odds: what to bid, what to call trump, what to play, and how sure that is.

A position is judged by playing it out over worlds, deals of the unseen cards that agree with what
was shown; see `jokersim.kernels.worlds`. Where the worlds are few, all are taken.
"""

from jokersim.odds.bid import bid_odds
from jokersim.odds.plan import ShortfallError

__all__ = ["ShortfallError", "bid_odds"]
