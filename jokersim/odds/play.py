"""`play_odds`: what each legal choice of the seat to move is worth, seeing only what it may."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from jokersim.cards import JOKER_IDS, JOKER_PLAY, JOKERS, TRUMPS, parse_play
from jokersim.errors import InputError
from jokersim.odds.judge import Judged, judge
from jokersim.odds.plan import Plan, make_plan
from jokersim.odds.players import Players, read_players
from jokersim.odds.question import WON, FourCase, four_case
from jokersim.odds.question_two import MORE_PAIRS, two_case
from jokersim.odds.result import VERSION, finished, listed, named, outcomes, provenance, the_best
from jokersim.rules import FourRules, TwoRules
from jokersim.table import Table

__all__ = ["play_odds"]

SEATS = 4
NINE = 9
CONDITIONS = ("none", "bids", "plays")


def play_odds(
    position: Table | Mapping[str, Any],
    *,
    policy: str | Sequence[str] = "basic",
    condition: str = "none",
    samples: int | None = None,
    precision: float | None = None,
    seed: int = 0,
    level: float = 0.95,
    threads: int | None = None,
    exact: bool | None = None,
) -> dict[str, Any]:
    """Answer what each legal choice of the seat to move is worth.

    The seat sees what it may: its own cards, what was said and played, and what that shows of
    other hands (a void, no trump either, the highest under a HIGH joker). Each choice is tried on
    the same worlds, in which the policies play on.

    Parameters
    ----------
    position : Table or mapping
        A table, or the record of a game that stops where a play, bid or call is due.
    policy : str or sequence of str
        Who plays, for all seats or one a seat; see `jokersim.policies`.
    condition : {"none", "bids", "plays"}
        What is evidence of cards besides what was shown: nothing, the others' calls and bids, or
        their plays too; worlds count in which `policy` does the same, for `search` `book`. Two
        players: always nothing.
    samples, precision, seed, level, threads, exact
        As for `bid_odds`; the precision is that of P(made), with two players of P(win).

    Returns
    -------
    dict
        ``plays``, a list like the ``bids`` of `bid_odds` with ``play`` in place of ``bid`` and
        ``p_win`` besides; with two players ``{play, score, score_low, score_high, p_win, …, n}`` in
        pairs more than the other's. A premium that the deal decides is counted. Then ``best`` and
        so on, as for `bid_odds`.

    Raises
    ------
    InputError
        No choice is due.
    RecordError
        The record breaks a rule.
    PrecisionError
        Too few worlds agreed with what was seen.

    Examples
    --------
    >>> from jokersim.rules import rules
    >>> table = Table(rules("classic"), first=3)
    >>> table.deal([["AS"], ["7H"], ["JK"], ["9D"]], turned="KC")
    >>> for choice in "1", "0", "1", "0", "AS", "7H":
    ...     table.apply(choice)
    >>> [(entry["play"], entry["p_made"]) for entry in play_odds(table)["plays"]]
    [('JK-', 0.0), ('JK+', 1.0)]
    """
    plan = make_plan(samples, precision, seed, level, threads)
    if condition not in CONDITIONS:
        raise InputError(
            f"{condition!r} is no condition: it is one of {', '.join(CONDITIONS)}"
        )  # fmt: skip
    table = position.copy() if isinstance(position, Table) else Table.from_record(position)
    if table.kind == "davi" and "lead" in table.legal():
        table.apply("lead")
    if table.seat is None:
        raise InputError("no choice is due where this game stands")
    if table.kind == "davi":
        raise InputError("an answer to a davi offer is due, and odds are of plays, bids and calls")
    document = {
        "schema": {"name": "jokersim/odds-play", "version": VERSION},
        "game": table.rules.name,
        "rules": table.rules.changes(),
        "deal": table.n_deals - 1,
        "seat": table.seat,
        "kind": table.kind,
    }
    if isinstance(table.rules, FourRules):
        return document | _four(table, table.rules, policy, condition, plan, exact)
    assert isinstance(table.rules, TwoRules)
    return document | _two(table, table.rules, policy, plan, exact)


# --- four players ---------------------------------------------------------------------------------


def _four(
    table: Table, rules: FourRules, policy: Any, condition: str, plan: Plan, exact: bool | None
) -> dict[str, Any]:
    players = read_players(policy, condition, CONDITIONS)
    case = four_case_at(table, rules, players, condition)
    labels = table.legal()
    judged = judge(case, plan, exact)
    tally = judged.tally
    figures = [
        outcomes(tally, case.size, i) | named("p_win", tally.share(i, WON))
        for i in range(len(labels))
    ]
    return _answered(players.described(condition), labels, figures, judged, plan)


def _answered(
    described: dict[str, Any],
    labels: Sequence[Any],
    figures: Sequence[dict[str, Any]],
    judged: Judged,
    plan: Plan,
) -> dict[str, Any]:
    document = {
        **described,
        "plays": listed("play", labels, figures),
        **the_best(judged.tally, lambda i: labels[i]),
        **provenance(judged, plan),
    }
    return finished(document, judged)


def four_case_at(table: Table, rules: FourRules, players: Players, condition: str) -> FourCase:
    """Put the decision due at a table of four into the form that kernels take."""
    seat = table.seat
    assert seat is not None
    obs = table.observation(seat)
    deal = table.record()["deals"][-1]
    tricks = [[parse_play(text) for text in row] for row in deal["plays"]]
    leaders = [(obs.dealer + 1) % SEATS, *deal["takers"]]
    by = [(leaders[t] + i) % SEATS for t, row in enumerate(tricks) for i in range(len(row))]
    plays = [play for row in tricks for play in row]
    bidders = [(obs.dealer + 1 + i) % SEATS for i in range(SEATS)]
    said = [(other, obs.bids[other]) for other in bidders if obs.bids[other] >= 0]
    # Trump, bids and plays in their order, each with its seat and the condition that holds it.
    events = [(bidders[0], obs.trump, "bids")] if obs.size == NINE and obs.trump >= 0 else []
    events += [(other, bid, "bids") for other, bid in said]
    events += [(other, play, "plays") for other, play in zip(by, plays, strict=True)]
    held = {"bids": ("bids",), "plays": ("bids", "plays"), "none": ()}[condition]
    played = _played(by, plays, obs.played)
    last = obs.deal == obs.pulka_last
    return four_case(
        rules,
        players,
        deal=obs.deal,
        dealer=obs.dealer,
        seat=seat,
        hand=obs.hand | played[seat],
        turned=[obs.turned] if obs.turned >= 0 else [],
        candidates=_candidates(table),
        history=[choice for _, choice, _ in events],
        tested=[other != seat and what in held for other, _, what in events],
        played=played,
        may_hold=[obs.may_hold[(seat + 1 + j) % SEATS] for j in range(3)],
        standing=(obs.made, obs.best, obs.totals),
        pulka_last=obs.pulka_last,
        earns=last and bool(obs.made[seat]),
    )


def _played(by: Sequence[int], plays: Sequence[int], all_played: int) -> list[int]:
    """Answer the cards that each seat has played; which joker was which makes no difference."""
    jokers = [joker for joker in JOKER_IDS if all_played & JOKERS & 1 << joker]
    played = [0] * SEATS
    for seat, play in zip(by, plays, strict=True):
        played[seat] |= 1 << (jokers.pop() if play >= JOKER_PLAY else play)
    return played


def _candidates(table: Table) -> list[int]:
    legal = table.legal()
    if table.kind == "trump":
        return [TRUMPS.index(str(text)) for text in legal]
    if table.kind == "bid":
        return [int(bid) for bid in legal]
    return [parse_play(str(text)) for text in legal]


# --- two players ----------------------------------------------------------------------------------


def _two(
    table: Table, rules: TwoRules, policy: Any, plan: Plan, exact: bool | None
) -> dict[str, Any]:
    players = read_players(policy, "none", family="two")
    obs = table.observation(table.seat or 0)
    case = two_case(rules, players, _candidates(table), obs._asdict())
    labels = table.legal()
    judged = judge(case, plan, exact)
    tally = judged.tally
    figures = [
        {
            **named("score", tally.score(i)),
            **named("p_win", tally.share(i, MORE_PAIRS)),
            "n": int(tally.worlds[i]),
        }
        for i in range(len(labels))
    ]
    return _answered(players.described("none"), labels, figures, judged, plan)
