"""`check_policy`: plays games with a policy and looks whether it keeps to what a policy must be.

Knows policies as what a table asks; every question goes through the kernels that simulate.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jokersim.cards import ALL_CARDS, cards_of, mask_of
from jokersim.errors import CheckError, InputError, RunError
from jokersim.policies import Given, Policy, parse_policies, seated
from jokersim.rules import FourRules, Rules
from jokersim.rules import rules as make_rules
from jokersim.table import Table

__all__ = ["PolicyReport", "check_policy"]


@dataclass(frozen=True, slots=True)
class PolicyReport:
    """What a policy was asked, and found to answer as a policy must.

    Attributes
    ----------
    policy, game : str
        The policy's name and the preset's.
    games : int
        Games (parties) that it played, in all seats.
    decisions : mapping
        Decisions by kind: each answered alike three times and once more in a second run.
    """

    policy: str
    game: str
    games: int
    decisions: Mapping[str, int]


def check_policy(
    policy: Given, rules: Rules | str = "classic", games: int = 10, seed: int = 0
) -> PolicyReport:
    """Check that a policy is legal, determined by what it is given, and sees no hidden card.

    It plays whole games in all seats. Every decision is asked for again with the same observation
    and the same draws, and once more with the cards that the seat cannot know dealt otherwise; then
    all games are played a second time, last one first, so that what a policy remembers of other
    games shows. Not everything can be seen so: a policy that looks at the clock once a day passes.

    Parameters
    ----------
    policy : policy
        A user's policy or a name, one for all seats.
    rules : rule set or str
        The rules to play by, or a preset's name.
    games : int
        How many games to play, at least 1.
    seed : int
        Their seed.

    Returns
    -------
    PolicyReport

    Raises
    ------
    CheckError
        The policy failed, answered no legal choice, or answered otherwise when asked again; the
        message names the game, deal and seat.
    InputError
        It is no policy at all.

    Examples
    --------
    >>> from jokersim.rules import rules
    >>> report = check_policy("basic", rules("nines", schedule=[[2]]), games=2)
    >>> report.decisions["bid"], report.decisions["play"]
    (8, 16)
    """
    if isinstance(rules, str):
        rules = make_rules(rules)
    if games < 1:
        raise InputError(f"games is a whole number of at least 1, and {games!r} is not")
    players = parse_policies(policy, rules.family, rules.seats)
    if len(set(players)) > 1:
        raise InputError("one policy is checked at a time, in all seats")
    check = _Check(rules, players, seed)
    decisions: Counter[str] = Counter()
    first = {}
    for index in range(games):
        first[index] = tuple(check.played(index, decisions))
    for index in reversed(range(games)):
        for (place, before), (_, now) in zip(
            first[index], check.played(index, Counter()), strict=False
        ):
            if before != now:
                raise CheckError(
                    f"policy {players[0].name} answered {before} and, when the same game was "
                    f"played again, {now} {place}"
                )
    return PolicyReport(players[0].name, rules.name, games, dict(decisions))


class _Check:
    """Plays games with one policy in all seats and asks it again and again."""

    def __init__(self, rules: Rules, players: tuple[Policy, ...], seed: int) -> None:
        self._rules = rules
        self._players = players
        self._seed = seed

    def played(self, index: int, decisions: Counter[str]) -> Iterator[tuple[str, Any]]:
        """Play a game: the place of each decision, in words, and its choice."""
        seats = seated(self._players, self._rules.family)
        table = Table(self._rules, seed=self._seed, index=index)
        try:
            seats.check(self._seed, index)
            while (seat := table.seat) is not None:
                number = int(seats.numbers[seat])
                kind = table.kind or ""
                decisions[kind] += 1
                before = table.copy()
                alike = [table.copy().decide(number) for _ in range(2)]
                hidden = _with_other_cards(table, seat, decisions.total()).decide(number)
                choice = table.decide(number)
                if seats.failed:
                    again = partial(_decide_once, before, seat)
                    raise seats.failure(self._seed, index, again)
                place = f"in game {index} of seed {self._seed}, deal {before.n_deals - 1}, "
                place += f"seat {seat}"
                for other in alike:
                    self._compare(kind, place, choice, other, "with the same observation and draws")
                self._compare(kind, place, choice, hidden, "where only hidden cards differ")
                yield place, choice
        except RunError as error:
            raise CheckError(str(error)) from error.__cause__

    def _compare(self, kind: str, place: str, choice: Any, other: Any, how: str) -> None:
        if choice != other:
            raise CheckError(
                f"policy {self._players[0].name} answered {choice} and {other} to one {kind} "
                f"{how}, {place}"
            )


def _decide_once(table: Table, seat: int, numbers: NDArray[np.int64], _: int) -> None:
    table.copy().decide(int(numbers[seat]))


def _with_other_cards(table: Any, seat: int, key: int) -> Any:
    """Answer a copy of a table in which the cards that a seat cannot know are dealt otherwise."""
    other = table.copy()
    order = random.Random(key)
    if isinstance(table.rules, FourRules):
        _redeal_four(other, seat, order)
    else:
        _redeal_two(other, seat, order)
    return other


def _redeal_four(table: Any, seat: int, order: random.Random) -> None:
    seen = table.observation(seat)
    hands = table._hands  # noqa: SLF001 - nobody else may move hidden cards
    turned = 0 if seen.turned < 0 else 1 << seen.turned
    unknown = cards_of(ALL_CARDS & ~int(hands[seat]) & ~seen.played & ~turned)
    order.shuffle(unknown)
    for other in range(len(hands)):
        if other != seat:
            n = int(hands[other]).bit_count()
            hands[other] = mask_of(unknown[:n])
            del unknown[:n]


def _redeal_two(table: Any, seat: int, order: random.Random) -> None:
    hands, down = table._hands, table._down  # noqa: SLF001 - as above
    other = 1 - seat
    covered = [
        (s, place) for s in range(2) for place in range(down.shape[1]) if down[s, place] >= 0
    ]
    unknown = cards_of(int(hands[other])) + [int(down[at]) for at in covered]
    n = int(hands[other]).bit_count()
    order.shuffle(unknown)
    hands[other] = mask_of(unknown[:n])
    for at, card in zip(covered, unknown[n:], strict=True):
        down[at] = card
