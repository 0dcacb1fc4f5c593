"""One game of a run or of somebody's, step by step, on the kernels that simulate.

`Table` is the state of a game; `play_game` is one game of a run from beginning to end. Kernels
are loaded when the first table is made.
"""

from jokersim.table.base import Table
from jokersim.table.dealt import DealError
from jokersim.table.logs import Record
from jokersim.table.play import play_game

__all__ = ["DealError", "Record", "Table", "play_game"]
