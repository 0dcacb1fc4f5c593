"""Game records (RECORDS.md): read, checked, completed and written.

`replay` completes a record or says what is wrong with it; `read` sets a table where it stops. The
rules are the kernels'; here stand the form of records and the order in which faults are found.
"""

from jokersim.records.error import RecordError
from jokersim.records.replay import dump, read, replay, replay_line

__all__ = ["RecordError", "dump", "read", "replay", "replay_line"]
