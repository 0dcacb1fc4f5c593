"""When `basic` raises the stake: a small model of its chance to win the party, and its answers.

The chance comes from two tables. `RACE` [points I need][points the other needs] is the chance to
win from a deal's start between equals, worked out from `DIFFERENCES`, the outcomes of deals between
two `basic` players; needs above 32 points are scaled down. `SPREAD` [tricks left][level][taken] is
how many of the tricks left I take, binomial with the chance level / 32. The level comes from the
expected difference, which a regression over deals between two `basic` players gives as 2.4 for each
worth of a trick that is in my reach beyond the other's, 0.6 if I lead, less 1.2; it explains the
outcome up to about what a binomial leaves open. Everything is integers: chances in 1024ths.

To decline loses m for sure, so that a last offer to m + 1 is worth accepting from a chance of
1 / (2 (m + 1)) on, earlier ones from a little less; this and the other limits are the best of those
tried in parties between two `basic` players.
"""

from __future__ import annotations

from math import comb

import numpy as np

from jokersim.kernels import trick
from jokersim.kernels.bits import first_index, popcount
from jokersim.kernels.dealing import DECK
from jokersim.kernels.jit import kernel, leaf
from jokersim.kernels.policies.basic_two import JOKER_WORTH, ONE, WEIGHTS, worth
from jokersim.kernels.state import ACCEPT, COUNTER, DECLINE, LEAD, N_PAIRS, OFFER

MAX_NEED = 32
N_STEPS = 32
_FINE = 20

# Of 1020 deals between two `basic` players, how many end with half this difference, 0..9.
DIFFERENCES = (136, 248, 224, 180, 122, 68, 30, 10, 2, 0)

# The expected difference of pairs, in 1024ths, by hundredths of a trick of worth and so on.
WORTH_SLOPE = 25
LEAD_SHIFT = 620
UNSEEN_SHIFT = -1270

# Columns of LIMITS, chances in 1024ths.
OFFER_FROM = 0
LAST_OFFER_FROM = 1
COUNTER_FROM = 2
ACCEPT_SHARE = 3
"""The chance from which an offer to m + 1 is accepted, times m + 1."""

LIMITS = np.array([720, 640, 720, 400], dtype=np.int64)


def _race() -> np.ndarray:
    """Work out the chance to win a race of deals between equals, needs 0..32 each."""
    table = np.zeros((MAX_NEED + 1, MAX_NEED + 1), dtype=np.int64)
    table[0, 1:] = ONE << _FINE
    for mine in range(1, MAX_NEED + 1):
        for theirs in range(1, MAX_NEED + 1):
            total = sum(
                n * int(table[max(0, mine - 2 * k), theirs] + table[mine, max(0, theirs - 2 * k)])
                for k, n in enumerate(DIFFERENCES)
                if k
            )
            table[mine, theirs] = total // (2 * sum(DIFFERENCES[1:]))
    return table >> _FINE


def _spread() -> np.ndarray:
    """Tabulate binomial chances [tricks left][level][tricks taken]."""
    table = np.zeros((N_PAIRS + 1, N_STEPS + 1, N_PAIRS + 1), dtype=np.int64)
    for left, level, taken in np.ndindex(table.shape):
        if taken <= left:
            ways = comb(left, taken) * level**taken * (N_STEPS - level) ** (left - taken)
            table[left, level, taken] = (ways << _FINE) // N_STEPS**left
    return table


RACE = _race()
SPREAD = _spread()


@leaf
def total_worth(cards, out, trump, weights):
    """Worth of all cards, jokers included, while `out` are out against them."""
    total = weights[JOKER_WORTH] * popcount(cards & trick.JOKERS)
    cards &= trick.PLAIN
    while cards:
        bit = cards & -cards
        cards ^= bit
        total += worth(first_index(bit), bit, out, trump, weights)
    return total


@kernel
def expected_level(view, left, weights):
    """Level of the tricks left that the seat of the view may expect, in 32nds of them."""
    seat = view.seat
    other = 1 - seat
    live = DECK & ~view.played
    mine = view.hand | view.open[seat]
    theirs = view.open[other]
    unseen = live & ~mine & ~theirs
    gap = total_worth(mine, live & ~mine, view.trump, weights)
    gap -= total_worth(theirs, live & ~theirs, view.trump, weights)
    if view.n_hand[other]:
        hidden = total_worth(unseen, live, view.trump, weights)
        gap -= hidden * view.n_hand[other] // popcount(unseen)
    difference = WORTH_SLOPE * gap + UNSEEN_SHIFT
    if view.leader == seat:
        difference += LEAD_SHIFT
    return level_of(difference, left)


@leaf
def level_of(difference, left):
    """Level of the tricks left for an expected difference, in 1024ths of a pair."""
    level = (ONE * left + difference) * N_STEPS // (2 * ONE * left)
    return min(max(level, np.int64(1)), np.int64(N_STEPS - 1))


@leaf
def race(need, other_needs):
    """Chance to win from a deal's start, the points needed given."""
    most = max(need, other_needs)
    if need <= 0:
        return np.int64(ONE)
    if other_needs <= 0:
        return np.int64(0)
    if most > MAX_NEED:
        need = (need * MAX_NEED + most - 1) // most
        other_needs = (other_needs * MAX_NEED + most - 1) // most
    return RACE[need, other_needs]


@kernel
def winning_chance(view, weights):
    """Chance of the seat of the view to win the party, before a lead, in 1024ths."""
    return chance_at(view, expected_level(view, N_PAIRS - view.trick, weights))


@kernel
def chance_at(view, level):
    """Chance of the seat of the view to win the party, by its level of the tricks left."""
    seat = view.seat
    other = 1 - seat
    need = view.target - view.points[seat]
    other_needs = view.target - view.points[other]
    left = N_PAIRS - view.trick
    ahead = view.pairs[seat] - view.pairs[other] - left
    total = np.int64(0)
    for taken in range(left + 1):
        difference = ahead + 2 * taken
        won = max(difference, np.int64(0))
        lost = max(-difference, np.int64(0))
        total += SPREAD[left, level, taken] * race(need - won, other_needs - lost)
    return total >> _FINE


@kernel
def davi_with(view, legal, weights, limits):
    """Offer or lead; accept, decline or counter: by the chance to win the party."""
    return action_at(view, legal, winning_chance(view, weights), limits)


@leaf
def action_at(view, legal, chance, limits):
    """Choose a davi action by the chance to win the party."""
    m = view.multiplier
    if legal & (1 << OFFER):
        last = m + 1 == view.davi_cap
        enough = chance >= limits[LAST_OFFER_FROM if last else OFFER_FROM]
        return np.int64(OFFER) if enough else np.int64(LEAD)
    if legal & (1 << COUNTER) and chance >= limits[COUNTER_FROM]:
        return np.int64(COUNTER)
    accepts = chance * (m + 1) >= limits[ACCEPT_SHARE]
    return np.int64(ACCEPT) if accepts else np.int64(DECLINE)


@kernel
def davi(view, legal, streams):
    """Choose one of the davi actions of the mask `legal`."""
    return davi_with(view, legal, WEIGHTS, LIMITS)
