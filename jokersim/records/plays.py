"""The plays of a deal, trick by trick as a record writes them, carried out at a table."""

from __future__ import annotations

from collections.abc import Sequence

from jokersim.records.error import RecordError
from jokersim.rules.options import shown
from jokersim.table import Table
from jokersim.table.choices import PLAY_OF_TEXT

__all__ = ["replay_plays"]


def replay_plays(table: Table, rows: Sequence[Sequence[object]], first: int, at: str) -> None:
    """Carry out the plays of some tricks, the first of them of index `first`; complete up to there.

    Raises
    ------
    RecordError
        At the first play that comes too early, cannot be read or is not legal.
    """
    seats = table.rules.seats
    plays: list[int] = []
    wrong: tuple[int, int] | None = None
    for t, row in enumerate(rows):
        for p, text in enumerate(row):
            play = _play(text)
            if play < 0 or len(plays) != seats * t + p or p >= seats:
                wrong = (t, p)
                break
            plays.append(play)
        if wrong:
            break
    done = table.advance_plays(plays)
    if done < len(plays):
        t, p = divmod(done, seats)
        refused = table.kind == "play"
        message = table.refusal(plays[done]) if refused else _too_early(table)
        raise RecordError(f"{at}.plays[{first + t}][{p}]", message)
    if wrong:
        t, p = wrong
        raise RecordError(f"{at}.plays[{first + t}][{p}]", _explain(table, rows, t, p, len(plays)))


def _play(text: object) -> int:
    if not isinstance(text, str):
        return -1
    try:
        return PLAY_OF_TEXT[text]
    except ValueError:
        return -1


def _too_early(table: Table) -> str:
    if table.kind is None:
        return "all tricks of this deal are played"
    return f"this play comes too early; {table.allowed()}"


def _explain(table: Table, rows: Sequence[Sequence[object]], t: int, p: int, played: int) -> str:
    """Say what is wrong with the play `rows[t][p]`, that no kernel has seen."""
    seats = table.rules.seats
    if table.kind not in ("play", "davi"):
        return _too_early(table)
    if p >= seats:
        return f"this trick has its {seats} plays already; the next one is led by seat {table.seat}"
    if played != seats * t + p:
        return f"the trick before this one is not complete; {table.allowed()}"
    text = rows[t][p]
    if not isinstance(text, str):
        return f"a play is a text such as AS or JK+H, not {shown(text)}; {table.allowed()}"
    try:
        PLAY_OF_TEXT[text]
    except ValueError as error:
        return f"{error}; {table.allowed()}"
    raise AssertionError(text)
