"""`trump_odds`: what each call of trump is worth to who has seen three cards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from jokersim.cards import NO_CARD, TRUMPS, mask_of
from jokersim.errors import InputError
from jokersim.odds.given import read_hand, read_rules
from jokersim.odds.judge import judge
from jokersim.odds.plan import Plan, make_plan
from jokersim.odds.players import read_players
from jokersim.odds.question import WON, four_case
from jokersim.odds.question_two import MORE_PAIRS, two_case
from jokersim.odds.result import VERSION, finished, listed, named, outcomes, provenance, the_best
from jokersim.rules import FourRules, Rules, TwoRules
from jokersim.table.dealt import DealError, Pack, write_hand

__all__ = ["trump_odds"]

PACKET = 3
NINE = 9
DEALER = 3
CALLS = range(len(TRUMPS))


def trump_odds(
    game: Rules | str = "classic",
    *,
    cards: str | Sequence[str],
    rules: Mapping[str, Any] | None = None,
    policy: str | Sequence[str] = "basic",
    samples: int | None = None,
    precision: float | None = None,
    seed: int = 0,
    level: float = 0.95,
    threads: int | None = None,
) -> dict[str, Any]:
    """Answer what each of the five calls of trump is worth.

    Four players: to the chooser of a nine-card deal, left of the dealer. Two: to the declarer. The
    calls are tried on the same worlds, in which the policy bids and plays.

    Parameters
    ----------
    game : rule set or str
        What `jokersim.rules` answers, or a preset's name.
    cards : str or sequence of str
        The three cards seen.
    rules : mapping, optional
        Options that differ from the preset that `game` names.
    policy : str or sequence of str
        Who plays, for all seats or one a place, the caller first; see `jokersim.policies`.
    samples : int, optional
        The number of worlds, by default 10,000, with `search` 200.
    precision : float, optional
        Instead of `samples`, the half-width at `level` that each P(win) must reach.
    seed, level, threads
        As for `bid_odds`.

    Returns
    -------
    dict
        ``calls``, a list of ``{trump, score, score_low, score_high, p_win, p_win_low, p_win_high,
        n}``, with four players also ``p_made``, ``tricks`` and ``p_khishti``; ``best`` and
        ``best_margin`` as for `bid_odds`. The score is in points of the deal, with two players
        pairs more than the other's. The deal is won by who scores most in it, ties included; with
        two players by who takes more pairs.

    Raises
    ------
    InputError
        The cards cannot be, or the game calls no trump; the message says where.

    Examples
    --------
    >>> odds = trump_odds("nines", cards="AS KS QS", samples=200)
    >>> odds["best"], [call["trump"] for call in odds["calls"]]
    ('S', ['S', 'H', 'D', 'C', 'NT'])
    """
    plan = make_plan(samples, precision, seed, level, threads)
    rule_set = read_rules(game, rules)
    packet = read_hand(Pack(), "cards", cards)
    if len(packet) != PACKET:
        raise DealError("cards", f"trump is called from three cards, and here are {len(packet)}")
    document = {
        "schema": {"name": "jokersim/odds-trump", "version": VERSION},
        "game": rule_set.name,
        "rules": rule_set.changes(),
        "cards": write_hand(mask_of(packet)),
    }
    if isinstance(rule_set, FourRules):
        return document | _four(rule_set, mask_of(packet), policy, plan)
    return document | _two(rule_set, mask_of(packet), policy, plan)


def _four(rules: FourRules, packet: int, policy: Any, plan: Plan) -> dict[str, Any]:
    if NINE not in rules.deal_sizes:
        raise InputError(f"game: {rules.name} has no deal of nine cards, in which trump is called")
    players = read_players(policy, "none")
    case = four_case(
        rules,
        players,
        deal=rules.deal_sizes.index(NINE),
        dealer=DEALER,
        seat=0,
        hand=packet,
        turned=[],
        candidates=CALLS,
        goal=WON,
    )
    judged = judge(case, plan)
    tally = judged.tally
    figures = [
        outcomes(tally, NINE, call) | named("p_win", tally.share(call, WON)) for call in CALLS
    ]
    return finished(
        {
            **players.described("none"),
            "calls": listed("trump", TRUMPS, figures),
            **the_best(tally, lambda call: TRUMPS[call]),
            **provenance(judged, plan),
        },
        judged,
    )


def _two(rules: TwoRules, packet: int, policy: Any, plan: Plan) -> dict[str, Any]:
    players = read_players(policy, "none", family="two")
    fields = {"hand": packet, "kind": 0, "turn": 0, "seat": 0, "declarer": 0, "trump": NO_CARD}
    case = two_case(rules, players, CALLS, fields)
    judged = judge(case, plan)
    tally = judged.tally
    figures = [
        {
            **named("score", tally.score(call)),
            **named("p_win", tally.share(call, MORE_PAIRS)),
            "n": int(tally.worlds[call]),
        }
        for call in CALLS
    ]
    return finished(
        {
            **players.described("none"),
            "calls": listed("trump", TRUMPS, figures),
            **the_best(tally, lambda call: TRUMPS[call]),
            **provenance(judged, plan),
        },
        judged,
    )
