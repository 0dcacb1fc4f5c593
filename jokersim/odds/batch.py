"""Many positions at once: JSON Lines in, answers in the same order, one line's seed its own."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Final

from jokersim.errors import JokersimError
from jokersim.odds.bid import bid_odds
from jokersim.odds.plan import ShortfallError, processors
from jokersim.rules.options import shown

__all__ = ["answer_line", "answer_lines"]

KEYS: Final = (
    "game", "rules", "hand", "turned", "trump", "position", "bids", "policy", "condition",
    "samples", "precision", "made_so_far", "pulka_best", "seed", "level",
)  # fmt: skip
"""What a line may hold besides `id`: the keyword arguments of `bid_odds`."""

_AHEAD: Final = 64
"""So many lines a thread are begun before the first of them is answered: one that takes long, since
few worlds agree with its bids, lets the others go on, and answers do not fill the memory."""

Answer = dict[str, Any]


def answer_lines(
    lines: Iterable[tuple[int, str]],
    *,
    defaults: Mapping[str, Any] | None = None,
    threads: int | None = None,
    client: Any = None,
) -> Iterator[Answer]:
    """Answer positions, a JSON object a line, in their order; lines are played over threads.

    Parameters
    ----------
    lines : iterable of (int, str)
        The lines with their numbers.
    defaults : mapping, optional
        Arguments of `bid_odds` for what a line does not say.
    threads : int, optional
        By default the usable processors.
    client : distributed.Client or str, optional
        Answer the lines on a Dask cluster: a client, ``"tcp://…"`` or ``"local:N"``.

    Yields
    ------
    dict
        What `bid_odds` answers, with the line's ``id`` (None without one) in front; or ``{id,
        error}`` where ``error`` is ``{line, place, message}``. An answer from too few worlds has
        both.
    """
    if client is not None:
        yield from _on_a_cluster(client, lines, defaults or {})
        return
    n = threads or processors()
    waiting: deque[Future[Answer]] = deque()
    pool = ThreadPoolExecutor(n, thread_name_prefix="jokersim-lines")
    try:
        for number, text in lines:
            waiting.append(pool.submit(answer_line, text, number, defaults or {}))
            while len(waiting) >= _AHEAD * n or (waiting and waiting[0].done()):
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _on_a_cluster(
    client: Any, lines: Iterable[tuple[int, str]], defaults: Mapping[str, Any]
) -> Iterator[Answer]:
    """Answer lines on the workers of a cluster, each by a task of its own."""
    from jokersim.simulate.dask import connected, mapped, warm_up

    tasks = ((text, number, defaults) for number, text in lines)
    with connected(client) as own:
        first = next(tasks, None)
        if first is not None:
            yield warm_up(own, answer_line, first)
            yield from mapped(own, answer_line, tasks)


def answer_line(text: str, number: int, defaults: Mapping[str, Any]) -> Answer:
    """Answer one line; whatever is wrong with it is in the answer.

    >>> answer_line('{"id": 7, "hand": "AS", "position": 0, "colour": 1}', 3, {})["error"]["place"]
    'colour'
    """
    try:
        given = json.loads(text)
    except (ValueError, RecursionError) as error:
        return _fault(None, number, "", f"the line is no JSON: {error}")
    if not isinstance(given, dict):
        return _fault(None, number, "", f"a line is a JSON object, not {shown(given)}")
    name = given.pop("id", None)
    for key in given:
        if key not in KEYS:
            return _fault(
                name, number, key, f"{shown(key)} is no key: a line has {', '.join(KEYS)}"
            )
    for key in ("hand", "position"):
        if given.get(key) is None:
            return _fault(name, number, key, f"{key} is missing: each line has one")
    asked = {key: value for key, value in (dict(defaults) | given).items() if value is not None}
    if "precision" in given and "samples" not in given:
        asked.pop("samples", None)
    if "samples" in given and "precision" not in given:
        asked.pop("precision", None)
    try:
        return {"id": name} | bid_odds(asked.pop("game", "classic"), **asked, threads=1)
    except ShortfallError as error:
        return {"id": name} | (error.result or {}) | _error(number, "", str(error))
    except JokersimError as error:
        place = str(getattr(error, "place", "") or getattr(error, "option", ""))
        return _fault(name, number, place, str(getattr(error, "message", "") or error))


def _fault(name: Any, number: int, place: str, message: str) -> Answer:
    return {"id": name} | _error(number, place, message)


def _error(number: int, place: str, message: str) -> Answer:
    return {"error": {"line": number, "place": place, "message": message}}


def rows_of(answers: Iterable[Answer]) -> list[dict[str, Any]]:
    """Lay answers out as flat rows, one a bid: for a table that other tools read.

    ``id`` is text, ``tricks`` a list; an answer with an error has one row, with bid -1.
    """
    rows = []
    for answer in answers:
        base = {
            "id": None if answer["id"] is None else str(answer["id"]),
            "error": answer.get("error", {}).get("message"),
            "best": answer.get("best", -1),
            "exact": answer.get("exact", False),
        }
        rows += [base | bid for bid in answer.get("bids", [{"bid": -1}])]
    return rows
