"""Hands of worlds follow the laws of dealing, within exact binomial bounds."""

from math import comb

import pytest
from scipy.stats import binomtest

from jokersim.cards import JOKERS
from jokersim.odds import bid_odds

N = 2000
AS = 1 << 8


class Watcher:
    """Bids 0 and plays the first legal card; notes the hands that it bids with, by place."""

    def __init__(self):
        self.hands = {place: [] for place in range(4)}

    def trump(self, obs, legal, draw):
        return 0

    def bid(self, obs, legal, draw):
        self.hands[(obs.seat - obs.dealer - 1) % 4].append(int(obs.hand))
        return 0

    def play(self, obs, legal, draw):
        return 0


def hands_seen(**asked):
    """Hands of the three others in N worlds of a bidder at place 0."""
    watcher = Watcher()
    odds = bid_odds(position=0, samples=N, policy=watcher, condition="none", **asked)
    # They bid again for each of his bids, with the same hands.
    each = len(odds["bids"])
    return [watcher.hands[place][::each] for place in range(1, 4)]


@pytest.mark.parametrize(
    ("asked", "unseen", "size"),
    [({"hand": "KS 7H", "turned": "9H"}, 33, 2), ({"hand": "KS 7H 7D", "trump": "H"}, 33, 3)],
)
def test_jokers_and_named_cards_lie_where_chance_puts_them(asked, unseen, size):
    # With trump alone, one of the unseen cards has been turned, which is not the ace of spades.
    unseen -= 0 if "turned" in asked else 1
    hands = hands_seen(**asked)
    out = [not (one | two | three) & AS for one, two, three in zip(*hands, strict=True)]
    facts = [(sum(out), 1 - 3 * size / unseen)]
    holding = 1 - comb(unseen - 2, size) / comb(unseen, size)
    facts += [(sum(bool(hand & JOKERS) for hand in seat), holding) for seat in hands]
    both = 2 * size**2 / (unseen * (unseen - 1))
    facts.append(
        (sum(bool(a & JOKERS and b & JOKERS) for a, b in zip(*hands[:2], strict=True)), both)
    )
    for count, chance in facts:
        assert binomtest(count, N, chance).pvalue > 1e-6


def test_hands_are_dealt_apart():
    for one, two, three in zip(*hands_seen(hand="KS 7H", turned="9H"), strict=True):
        assert [hand.bit_count() for hand in (one, two, three)] == [2, 2, 2]
        assert (one | two | three).bit_count() == 6
