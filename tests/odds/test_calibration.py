"""Calibration: said bids are judged as `bid_odds` judges them, and come true."""

import numpy as np
import pytest

from jokersim.cards import JOKERS, cards_of, format_card
from jokersim.kernels.jit import JIT_DISABLED
from jokersim.odds import bid_odds
from jokersim.odds.calibration import BINS, Judged, bins_of, judge_said_bids, said_bids
from jokersim.rules import rules
from jokersim.simulate import simulate
from tests.odds.uncompiled import without_compiler

SEED = 500
SAMPLES = 25


def played(games, policy="basic", **changes):
    rule_set = rules("classic", **changes)
    return rule_set, simulate(rule_set, games=games, seed=4, policies=policy, tables=["deals"])


def some_bids_and_their_odds():
    """Chances of some bids, by the kernel of many positions and by `bid_odds`."""
    rule_set, run = played(1, schedule=[[3, 9, 2]])
    said, _ = said_bids(run, SEED, known="hand")
    judged = judge_said_bids(rule_set, "basic", said, SAMPLES, threads=1)
    found = []
    for i in range(len(said.seat)):
        # Which joker it is decides how worlds are numbered, and a text does not say.
        if said.hand[i] & JOKERS:
            continue
        nine = said.turned[i] < 0
        odds = bid_odds(
            rule_set,
            hand=[format_card(card) for card in cards_of(int(said.hand[i]))],
            position=int(said.seat[i]),
            turned=None if nine else format_card(int(said.turned[i])),
            trump="SHDC"[said.trump[i]] if nine and said.trump[i] < 4 else "NT" if nine else None,
            bids=said.bids[i, : said.seat[i]].tolist(),
            samples=SAMPLES,
            seed=SEED + i,
            threads=1,
        )
        (entry,) = [e for e in odds["bids"] if e["bid"] == said.bids[i, said.seat[i]]]
        ours = [int(column[i]) for column in judged]
        found.append((ours, [round(entry["p_made"] * SAMPLES), odds["n"], odds["attempts"]]))
    return found


def test_a_said_bid_is_judged_as_bid_odds_judges_it():
    found = without_compiler(some_bids_and_their_odds)
    assert len(found) >= 4
    for ours, theirs in found:
        assert ours == theirs


def test_positions_know_the_pulka_so_far():
    _, run = played(6, policy="random", schedule=[[2, 2, 2], [1, 1]])
    said, made = said_bids(run, SEED)
    deals = run.deals()
    order = [(game, deal, (dealer + 1 + k) % 4)
             for game, deal, dealer in deals[["game", "deal", "dealer"]].drop_duplicates().values
             for k in range(4)]  # fmt: skip
    rows = deals.set_index(["game", "deal", "seat"])
    for i, (game, deal, seat) in enumerate(order):
        row = rows.loc[game, deal, seat]
        assert (said.deal[i], said.hand[i]) == (deal, row.hand)
        assert said.bids[i, said.seat[i]] == row.bid
        assert made[i] == (row.bid == row.taken)
        before = [rows.loc[game, d, seat] for d in range(3 * (deal > 2), deal)]
        assert said.made[i, said.seat[i]] == all(b.bid == b.taken for b in before)
        assert said.best[i, said.seat[i]] == max([0, *(b.score for b in before)])
    hidden, _ = said_bids(run, SEED, known="hand")
    assert not hidden.made.any()
    assert not hidden.best.any()


def test_bins_compare_what_was_predicted_with_what_happened():
    # 40 games of 50 bids; those predicted 0.9 and more come true one time in ten less.
    rng = np.random.default_rng(1)
    chance = rng.random(2000).round(2)
    happened = (np.arange(2000) % 10) / 10 < np.where(chance >= 0.9, chance - 0.1, chance)
    agreed = np.full(2000, 100)
    agreed[:100] = 3
    judged = Judged(np.rint(chance * agreed).astype(np.int64), agreed, agreed)
    bins = bins_of(judged, happened.astype(np.int64), 50)
    assert len(bins) == BINS
    assert sum(row["n"] for row in bins) == 1900
    for row in bins:
        assert row["from"] <= row["predicted"] <= row["to"]
        assert row["made"] - row["predicted"] == pytest.approx(row["difference"], abs=1e-5)
        assert row["low"] < row["difference"] < row["high"]
    assert bins[9]["high"] < 0


@pytest.mark.slow
@pytest.mark.skipif(JIT_DISABLED, reason="takes thousands of worlds")
@pytest.mark.parametrize("policy", ["basic", "book"])
def test_odds_come_true(policy):
    rule_set, run = played(300, policy=policy)
    said, made = said_bids(run, 10**6)
    judged = judge_said_bids(rule_set, policy, said, 200)
    for row in bins_of(judged, made, 96, level=1 - 1e-6):
        # Bids are sorted by chances that 200 worlds give: up to a point of what sets them apart.
        assert row["low"] - 0.01 <= 0 <= row["high"] + 0.01
