"""Runs of parties of two: tables that agree with each other, a summary that follows from them."""

import numpy as np
import pandas as pd
import pytest

import jokersim as js
from jokersim.cards import ALL_CARDS
from jokersim.kernels.jit import JIT_DISABLED
from tests.simulate.figures import exact_money, figures, interval, share

TABLES = ["games", "deals", "plays"]
GAMES = 6 if JIT_DISABLED else 120


@js.policy
class Looks:
    """Answers no index at a choice of trump that shows a card of the table."""

    @staticmethod
    def trump(obs, legal, draw):
        shown = obs.open[0] | obs.open[1] | obs.covered[0] | obs.covered[1]
        for seat in range(2):
            shown |= ~obs.may_hold[seat] & ALL_CARDS
            for place in range(5):
                shown |= obs.up[seat, place] + 1
        return draw(len(legal)) if shown == 0 and obs.n_hand[0] == 3 else -7

    @staticmethod
    def play(obs, legal, draw):
        return draw(len(legal)) if obs.open[0] | obs.open[1] or obs.trick > 4 else -7

    @staticmethod
    def davi(obs, legal, draw):
        return draw(len(legal))


class PlainLooks:
    """The same, asked in Python."""

    trump = staticmethod(Looks.trump)
    play = staticmethod(Looks.play)
    davi = staticmethod(Looks.davi)


@pytest.fixture(
    scope="module",
    params=[
        ("japanese", {}),
        ("japanese-davi", {"stake": 2.5, "rake": 0.05}),
        ("japanese-7", {"failure_rate": 0.2, "declarer_rotation": "loser"}),
    ],
    ids=lambda given: given[0],
)
def two(request):
    name, changes = request.param
    return js.simulate(
        js.rules(name, **changes), games=GAMES, seed=4, policies="random", tables=TABLES
    )


def test_parties_agree_with_their_deals(two):
    games, deals = two.games(), two.deals()
    by_game = deals.groupby(["game", "seat"]).agg(
        points=("points", "sum"), offers=("davi_offers", "sum")
    )
    points = by_game.points.unstack().reindex(games.game, fill_value=0)
    for seat in (0, 1):
        assert points[seat].tolist() == games[f"points_{seat}"].tolist()
    offers = by_game.offers.groupby("game").sum().reindex(games.game, fill_value=0)
    assert offers.tolist() == games.davi_offers.tolist()
    assert (games.void == (games.winner == -1)).all()
    assert (games.payoff_0[games.void] == 0).all()
    won = games[~games.void & (games.declined_by == -1)]
    target = two.rules.target
    best = won[["points_0", "points_1"]].to_numpy()
    assert (best.max(axis=1) >= target).all()
    assert (best.min(axis=1) < target).all()
    assert (best.argmax(axis=1) == won.winner).all()
    declined = games[games.declined_by != -1]
    assert (declined.winner == 1 - declined.declined_by).all()


def test_money_follows_from_winner_and_multiplier(two):
    games, rules = two.games(), two.rules
    for row in games.itertuples():
        expected = [0.0, 0.0]
        if not row.void:
            stakes = rules.stake * row.multiplier
            expected = [-stakes, -stakes]
            expected[row.winner] = stakes * (1 - 2 * rules.rake)
        assert [row.payoff_0, row.payoff_1] == pytest.approx(expected, abs=1e-12)


def test_both_payoffs_of_a_party_sum_to_the_rake_of_the_pot(two):
    games, rules = two.games(), two.rules
    finished = games[~games.void]
    pot = 2 * rules.exact_stake * int(finished.multiplier.sum())
    first, second = exact_money(two)
    assert first + second == -rules.exact_rake * pot
    taken = -2 * rules.rake * finished.multiplier * rules.stake
    both = (finished.payoff_0 + finished.payoff_1).to_numpy()
    assert both == pytest.approx(taken.to_numpy(), abs=1e-15 * rules.stake * 6)
    for own, money in zip(two.summary()["seats"], (first, second), strict=True):
        assert own["payoff"] == float(money / len(games))
        assert own["return"] == pytest.approx(float(money / len(games) / rules.exact_stake))


def test_the_cards_of_parties(two):
    deals, plays = two.deals(), two.plays()
    hands = deals[["hand", "open", "covered"]]
    assert (np.bitwise_count(hands.hand) == 8).all()
    assert (np.bitwise_count(hands.open) == 5).all()
    assert (np.bitwise_count(hands.covered) == 5).all()
    assert (hands.sum(axis=1).groupby([deals.game, deals.deal]).sum() == ALL_CARDS).all()
    # In a deal that was played to its end every seat played all of its cards.
    played = np.int64(1) << plays.card.astype(np.int64)
    masks = played.groupby([plays.game, plays.deal, plays.seat]).agg(["sum", "size"])
    full = masks[masks["size"] == 18]
    held = hands.sum(axis=1)
    held.index = pd.MultiIndex.from_frame(deals[["game", "deal", "seat"]])
    assert len(full) > len(masks) / 2 or two.rules.davi == "party"
    assert full["sum"].tolist() == held.reindex(full.index).tolist()
    pairs = plays[plays.position == 0].groupby(["game", "deal", "taker"]).size()
    rows = pd.MultiIndex.from_frame(deals[["game", "deal", "seat"]])
    assert pairs.reindex(rows, fill_value=0).tolist() == deals.pairs.tolist()


def test_the_summary_of_parties_follows_from_the_tables(two):
    games, summary = two.games(), two.summary()
    n, level = len(games), summary["level"]
    for seat, own in enumerate(summary["seats"]):
        score = [own["mean_score"], own["low"], own["high"]]
        assert score == pytest.approx(interval(games[f"points_{seat}"], level))
        payoffs = interval(games[f"payoff_{seat}"], level)
        assert figures(own, "payoff") == pytest.approx(payoffs)
        assert figures(own, "return") == pytest.approx(np.array(payoffs) / two.rules.stake)
        won = share(int((games.winner == seat).sum()), n, level)
        assert figures(own, "won") == pytest.approx(won)
    for place, own in enumerate(summary["places"]):
        seat = (games.first_declarer + place) % 2
        points = np.where(seat == 0, games.points_0, games.points_1)
        assert own["mean_score"] == pytest.approx(points.mean())
        assert own["won"] == pytest.approx((games.winner == seat).mean())
    parties = summary["parties"]
    assert figures(parties, "deals") == pytest.approx(interval(games.deals, level))
    assert parties["void"] == games.void.mean()
    assert parties["declined"] == (games.declined_by != -1).mean()
    shares = games.multiplier.value_counts(normalize=True)
    assert {own["multiplier"]: own["share"] for own in parties["multipliers"] if own["share"]} == (
        pytest.approx(shares.to_dict())
    )
    assert sum(own["share"] for own in parties["multipliers"]) == pytest.approx(1)
    deals = two.deals()
    pairs = deals.pivot(index=["game", "deal"], columns="seat", values="pairs").astype(int)
    complete = pairs[pairs.sum(axis=1) == 18]
    gaps = (complete[0] - complete[1]).abs().value_counts(normalize=True)
    assert [own["difference"] for own in parties["differences"]] == list(range(0, 20, 2))
    for own in parties["differences"]:
        assert own["share"] == pytest.approx(gaps.get(own["difference"], 0.0))
        assert own["share_low"] <= own["share"] <= own["share_high"]
    # A rate of deals is a ratio over parties, whose interval counts each party once.
    at_0 = (complete[0] == complete[1]).groupby("game").agg(["sum", "size"])
    at_0 = at_0.reindex(games.game, fill_value=0)
    rate = at_0["sum"].sum() / at_0["size"].sum()
    errors = (at_0["sum"] - rate * at_0["size"]) / at_0["size"].mean()
    low, high = np.array(interval(errors, level)[1:]) + rate
    assert figures(parties["differences"][0], "share") == pytest.approx([rate, low, high], rel=1e-9)
    declarers = np.where(deals.declarer == deals.seat, deals.pairs, 0)
    declarers = pd.Series(declarers).groupby([deals.game, deals.deal]).sum().loc[complete.index]
    assert parties["declarer_pairs"] == pytest.approx(declarers.mean())


@pytest.mark.parametrize("policies", [("basic", "random"), ("basic", "basic")], ids="-".join)
def test_the_return_of_a_policy_is_that_of_its_seats(policies):
    rules = js.rules("japanese-davi", stake=2.5, rake=0.05)
    run = js.simulate(rules, games=GAMES, seed=4, policies=policies, tables=["games"])
    games, summary = run.games(), run.summary()
    payoffs = {name: [] for name in policies}
    for seat, name in enumerate(policies):
        payoffs[name].append(games[f"payoff_{seat}"])
    assert [own["policy"] for own in summary["by_policy"]] == list(payoffs)
    for own in summary["by_policy"]:
        # One policy in both seats: a party is one observation, the mean of its two payoffs.
        of_party = sum(payoffs[own["policy"]]) / len(payoffs[own["policy"]])
        money = interval(of_party, summary["level"])
        assert figures(own, "payoff") == pytest.approx(money)
        assert figures(own, "return") == pytest.approx(np.array(money) / rules.stake)


@pytest.mark.parametrize("policy", [Looks, PlainLooks()], ids=["compiled", "plain"])
@pytest.mark.parametrize("game", ["japanese", "japanese-davi"])
def test_no_policy_sees_the_table_before_trump_is_named(game, policy):
    """A policy that looks fails the run; it plays as `random` does, since it sees nothing."""
    games = 2 if policy is not Looks or JIT_DISABLED else 20
    looked = js.simulate(game, games=games, seed=4, policies=policy, tables=["plays"])
    random = js.simulate(game, games=games, seed=4, policies="random", tables=["plays"])
    assert looked.plays().equals(random.plays())
