"""Duplicate matches: one policy against another over the same deals, in every arrangement of seats.

Knows games only through the players of chunks. A *block* is the same game index played once in each
arrangement; blocks are the unit of every interval.
"""

from jokersim.match.result import Match
from jokersim.match.run import match
from jokersim.match.sums import MatchSums

__all__ = ["Match", "MatchSums", "match"]
