"""Simulation of many games: what is asked, the loop over chunks, and what becomes of the rows.

Knows the store as a place that takes columns, and kernels only through the players of chunks.
"""

from jokersim.simulate.chunk import Chunk, Setup
from jokersim.simulate.result import Run, describe_run
from jokersim.simulate.run import make_player, plan, simulate

__all__ = ["Chunk", "Run", "Setup", "describe_run", "make_player", "plan", "simulate"]
