"""Davi and its money: exact expectations of scripted policies, by a slow twin of the exchanges.

The parties have target 1, and their cards are played by a script that never looks at the stake. So
who leads each trick and who would win is fixed, and what is left is a small tree of offers and
answers, which is summed up in fractions: once by stepping a table through every branch, once by
`expected`, written from the rules.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import accumulate
from typing import Any, NamedTuple

import pytest

import jokersim as js
from jokersim.kernels.jit import JIT_DISABLED
from jokersim.kernels.state import ACCEPT, COUNTER, DECLINE, LEAD, OFFER
from tests.simulate.figures import exact_money

SEED = 11
GAMES = 3 if JIT_DISABLED else 3000
STAKE, RAKE = Fraction(5, 2), Fraction(1, 20)
ACTIONS = ("offer", "accept", "decline", "counter", "lead")
SIDES = 6
"""The scripted policies throw a die."""
EVERY = 6
"""They offer before every sixth trick at most, so that the tree stays small."""

Seats = tuple[Any, Any]


class _Script:
    """Plays the first of the legal cards; the next leads with what is dealt."""

    @staticmethod
    def trump(obs, legal, draw):
        return obs.deal % 5

    @staticmethod
    def play(obs, legal, draw):
        return (obs.trick + obs.position) % len(legal)


@js.policy
class Bold(_Script):
    """Offers four times in six; to an offer: three accepts, one decline, two counters."""

    @staticmethod
    def davi(obs, legal, draw):
        if obs.trick % EVERY:
            return len(legal) - 1 if legal[0] == OFFER else 0
        side = draw(SIDES)
        if legal[0] == OFFER:
            return 0 if side < 4 else 1
        if side < 2 and len(legal) == 3:
            return 2
        return 1 if side == 5 else 0


@js.policy
class Meek(_Script):
    """Offers once in six; to an offer: two accepts, three declines, one counter."""

    @staticmethod
    def davi(obs, legal, draw):
        if obs.trick % EVERY:
            return len(legal) - 1 if legal[0] == OFFER else 0
        side = draw(SIDES)
        if legal[0] == OFFER:
            return 0 if side < 1 else 1
        if side < 1 and len(legal) == 3:
            return 2
        return 1 if side > 2 else 0


@js.policy
class Raises(_Script):
    """Offers and counters wherever it may, else accepts."""

    @staticmethod
    def davi(obs, legal, draw):
        return 2 if len(legal) == 3 else 0


@js.policy
class Declines(_Script):
    """Never offers, declines every offer."""

    @staticmethod
    def davi(obs, legal, draw):
        return 1


@js.policy
class Regrets(_Script):
    """Offers wherever it may, and declines every offer and counter."""

    @staticmethod
    def davi(obs, legal, draw):
        return 0 if legal[0] == OFFER else 1


class Party(NamedTuple):
    """What the cards alone decide: who leads each trick of all deals, and who wins."""

    leaders: tuple[tuple[int, int], ...]
    """Index of the trick in its deal, and its leader; only where a script may offer."""
    winner: int


@cache
def rules(davi_cap: int, target: int = 1) -> Any:
    davi = {"davi": "party", "davi_cap": davi_cap} if davi_cap > 1 else {}
    return js.rules("japanese", target=target, stake=2.5, rake=0.05, **davi)


@cache
def chances(policy: Any, trick: int, legal: tuple[int, ...]) -> dict[int, Fraction]:
    """Answer how likely each action is, by throwing every side of the die."""
    obs = type("Observation", (), {"trick": trick})()
    found = Counter(
        legal[policy.given.davi(obs, legal, lambda n, side=side: side % n)] for side in range(SIDES)
    )
    return {action: Fraction(n, SIDES) for action, n in found.items()}


def names(policies: Any) -> str:
    return policies if isinstance(policies, str) else "-".join(p.given.__name__ for p in policies)


Ends = dict[tuple[int, int], Fraction]
"""By winner and multiplier at the end, the chance."""


@cache
def expected(
    party: Party, cap: int, policies: Seats, *,
    lost: Callable[[int], int] = lambda m: m, accepted: int = 1, countered: int = 1,
) -> Ends:  # fmt: skip
    """Sum up all exchanges of a party by the rules.

    What a decline pays at m and the steps that an accept and a counter are can be made wrong.
    """
    ends: defaultdict[tuple[int, int], Fraction] = defaultdict(Fraction)

    def lead(k: int, m: int, last: int, chance: Fraction) -> None:
        if k == len(party.leaders):
            ends[party.winner, m] += chance
            return
        trick, leader = party.leaders[k]
        if m + 1 > cap or last == leader:
            lead(k + 1, m, last, chance)
            return
        for action, share in chances(policies[leader], trick, (OFFER, LEAD)).items():
            if action == OFFER:
                answer(k, m, leader, chance * share)
            else:
                lead(k + 1, m, last, chance * share)

    def answer(k: int, m: int, offered: int, chance: Fraction) -> None:
        other = 1 - offered
        legal = (ACCEPT, DECLINE, COUNTER) if m + 2 <= cap else (ACCEPT, DECLINE)
        for action, share in chances(policies[other], party.leaders[k][0], legal).items():
            if action == ACCEPT:
                lead(k + 1, m + accepted, offered, chance * share)
            elif action == DECLINE:
                ends[offered, lost(m)] += chance * share
            else:
                answer(k, m + countered, other, chance * share)

    lead(0, 1, -1, Fraction(1))
    return dict(ends)


def walked(table: js.Table, policies: Seats) -> Ends:
    """Sum up all exchanges by stepping a table through every branch."""
    while table.kind in ("trump", "play"):
        obs, legal = table.observation(table.seat), table.choices()
        policy = policies[table.seat].given
        table.apply((policy.trump if table.kind == "trump" else policy.play)(obs, legal, None))
    if table.kind is None:
        record = table.record()
        assert table.complete
        return {(record["winner"], record["multiplier"]): Fraction(1)}
    ends: defaultdict[tuple[int, int], Fraction] = defaultdict(Fraction)
    policy, trick = policies[table.seat], table.observation(table.seat).trick
    for action, share in chances(policy, trick, tuple(table.choices())).items():
        branch = table.copy()
        branch.apply(ACTIONS[action])
        for end, chance in walked(branch, policies).items():
            ends[end] += share * chance
    return dict(ends)


@cache
def without_davi() -> Any:
    return js.simulate(
        rules(1), games=GAMES, seed=SEED, policies=Meek, tables=["games", "deals", "plays"]
    )


@cache
def parties() -> list[Party]:
    """Answer the parties of a run without davi."""
    plays = without_davi().plays()
    leads = plays[(plays.position == 0) & (plays.trick % EVERY == 0)]
    leaders: list[list[tuple[int, int]]] = [[] for _ in range(GAMES)]
    for game, trick, seat in zip(leads.game, leads.trick, leads.seat, strict=True):
        leaders[game].append((trick, seat))
    winners = without_davi().games().winner.tolist()
    return [Party(tuple(own), winner) for own, winner in zip(leaders, winners, strict=True)]


def payoff(ends: Ends, cap: int, power: int = 1) -> Fraction:
    """Answer the expected net money of seat 0, or of its square."""
    return sum(
        (p * rules(cap).exact_payoffs(winner, m)[0] ** power for (winner, m), p in ends.items()),
        Fraction(0),
    )


@pytest.mark.parametrize("cap", [2, 3, 6])
@pytest.mark.parametrize("policies", [(Bold, Meek), (Meek, Bold), (Bold, Bold)], ids=names)
def test_expectations_of_scripted_policies_are_exact(policies, cap):
    for index, party in enumerate(parties()[:3]):
        ends = walked(js.Table(rules(cap), seed=SEED, index=index), policies)
        assert ends == expected(party, cap, policies)
        assert sum(ends.values()) == 1
        assert len(ends) > 2
        assert max(m for _, m in ends) <= cap
        # Whatever is raised, the house keeps its share of the pot and nothing else is lost.
        pot = sum(p * m for (_, m), p in ends.items()) * 2 * STAKE
        both = [
            sum(p * rules(cap).exact_payoffs(w, m)[seat] for (w, m), p in ends.items())
            for seat in (0, 1)
        ]
        assert sum(both) == -RAKE * pot


def z_score(run: js.Run, cap: int, policies: Seats, **wrong: Any) -> float:
    """Answer how far the money of a run is from the sum of its parties' exact expectations."""
    mean, variance = Fraction(0), Fraction(0)
    for party, n in Counter(parties()).items():
        ends = expected(party, cap, policies, **wrong)
        mean += n * payoff(ends, cap)
        variance += n * (payoff(ends, cap, 2) - payoff(ends, cap) ** 2)
    return float(exact_money(run)[0] - mean) / math.sqrt(variance)


@pytest.mark.skipif(JIT_DISABLED, reason="plays thousands of parties")
@pytest.mark.parametrize("cap", [2, 6])
def test_runs_earn_what_the_exact_expectation_says(cap):
    policies = (Bold, Meek)
    run = js.simulate(rules(cap), games=GAMES, seed=SEED, policies=policies, tables=["games"])
    for game, party in zip(run.games().itertuples(), parties()[:100], strict=False):
        assert (game.winner, game.multiplier) in expected(party, cap, policies)
    assert abs(z_score(run, cap, policies)) < 4
    # A decline that costs a step more would not pass for the same money.
    assert abs(z_score(run, cap, policies, lost=lambda m: m + 1)) > 8


@pytest.mark.parametrize(
    "wrong",
    [{"lost": lambda m: m + 1}, {"lost": lambda _: 1}, {"accepted": 2}, {"countered": 2}],
    ids=["declines pay what was offered", "declines pay one", "accepts", "counters"],
)
def test_a_wrong_multiplier_is_another_expectation(wrong):
    policies = (Bold, Meek)
    table = js.Table(rules(6), seed=SEED, index=0)
    assert walked(table, policies) != expected(parties()[0], 6, policies, **wrong)


# --- policies that leave nothing to chance -------------------------------------------------------


def simulated(cap: int, policies: Any, target: int = 11) -> Any:
    return js.simulate(
        rules(cap, target), games=min(GAMES, 60), seed=SEED, policies=policies,
        tables=["games", "deals", "plays"],
    )  # fmt: skip


@pytest.mark.parametrize("cap", [2, 6])
def test_accepted_offers_move_no_card_and_no_point(cap):
    """The same deals, plays and points with davi off and on when nobody declines."""
    plain, raised = simulated(1, Raises), simulated(cap, Raises)
    assert (raised.games().multiplier == cap).all()
    assert raised.plays().equals(plain.plays())
    for table, davi in (
        ("deals", ["multiplier", "davi_offers"]),
        ("games", ["multiplier", "davi_offers", "payoff_0", "payoff_1"]),
    ):
        on, off = (getattr(run, table)().drop(columns=davi) for run in (raised, plain))
        assert on.equals(off)
    for seat in ("payoff_0", "payoff_1"):
        assert (raised.games()[seat] == cap * plain.games()[seat]).all()


@pytest.mark.parametrize("cap", [2, 5])
def test_who_always_declines_loses_the_stake_at_the_first_offer(cap):
    run = simulated(cap, (Raises, Declines))
    games = run.games()
    # Where seat 0 never leads before the party's end, nobody offers.
    offered = games[games.davi_offers > 0]
    assert len(offered) > len(games) / 2
    assert (offered.davi_offers == 1).all()
    assert (offered.declined_by == 1).all()
    assert (offered.winner == 0).all()
    assert (offered.multiplier == 1).all()
    assert (offered.payoff_0 == float(STAKE * (1 - 2 * RAKE))).all()
    assert (offered.payoff_1 == -float(STAKE)).all()
    last = run.deals().groupby(["game", "seat"], as_index=False).last()
    cut_short = last[last.game.isin(offered.game)]
    assert (cut_short.davi_offers == (cut_short.seat == 0)).all()
    assert (cut_short.points == 0).all()


def test_who_declines_a_counter_loses_the_doubled_stake():
    """A counter accepts the offer, so that its own is countered at 2; the other's it declines."""
    games = simulated(3, (Raises, Regrets)).games()
    assert (games.declined_by == 1).all()
    assert (games.winner == 0).all()
    assert (games.multiplier == 1 + games.first_declarer).all()
    assert (games.davi_offers == games.multiplier).all()
    assert (games.payoff_1 == -games.multiplier * float(STAKE)).all()


@pytest.mark.parametrize("policies", ["random", "basic", (Bold, Meek)], ids=names)
@pytest.mark.parametrize("cap", [2, 4, 6])
def test_offers_and_multipliers_agree_in_the_columns(policies, cap):
    run = simulated(cap, policies)
    games, deals = run.games(), run.deals()
    declined = (games.declined_by != -1).astype(int)
    assert (games.multiplier == 1 + games.davi_offers - declined).all()
    assert games.multiplier.between(1, cap).all()
    for game, own in deals.groupby("game"):
        by_seat = [own[own.seat == seat] for seat in (0, 1)]
        offers = [rows.davi_offers.tolist() for rows in by_seat]
        # Offers go to and fro over the whole party.
        assert abs(sum(offers[0]) - sum(offers[1])) <= 1
        at_end = [1 + made for made in accumulate(map(sum, zip(*offers, strict=True)))]
        at_end[-1] -= declined[game]
        for rows in by_seat:
            assert rows.multiplier.tolist() == at_end
            assert rows.points.min() >= 0
