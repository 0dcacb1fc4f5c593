"""Odds: what to bid, what to call trump, what to play, and how sure that is.

A position is judged by playing it out over worlds, deals of the unseen cards that agree with what
was shown; see `jokersim.kernels.worlds`. Where the worlds are few, all are taken.
"""

from jokersim.odds.bid import bid_odds
from jokersim.odds.open_cards import open_values
from jokersim.odds.plan import ShortfallError
from jokersim.odds.play import play_odds
from jokersim.odds.trump import trump_odds

__all__ = ["ShortfallError", "bid_odds", "open_values", "play_odds", "trump_odds"]
