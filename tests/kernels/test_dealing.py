"""Dealing is fair, and a pure function of seed, game and deal.

All bounds hold with a chance of 1 - 10^-6 for a fair deal; seeds are fixed.
"""

from collections import Counter
from fractions import Fraction
from itertools import combinations, product
from math import comb, prod
from operator import le

import numpy as np
import pytest
from scipy import stats

from jokersim.cards import ALL_CARDS, JOKERS, N_CARDS, SUIT_MASKS, mask_of
from jokersim.kernels import dealing
from jokersim.kernels.jit import JIT_DISABLED
from jokersim.kernels.state import DEALER_ACE_DRAW, DEALER_RANDOM
from tests.kernels import entries

P = 1e-6
N = 2_000 if JIT_DISABLED else 1_000_000
SIZES = range(1, 10)


def dealt(size, *, seed=1, start=0, n=N, deal=0):
    """Hands [4, n] and turned cards [n] of the games from `start` on."""
    hands = np.empty((n, 4), np.int64)
    turned = np.empty(n, np.int64)
    entries.deals(seed, start, start + n, deal, size, hands, turned)
    return hands.T, turned


def within(counts, n, share, tests):
    """Whether counts are as binomial ones of n trials, all of them together."""
    low, high = stats.binom.interval(1 - P / tests, n, share)
    return ((low <= counts) & (counts <= high)).all()


def as_expected(counts, expected):
    """Whether the chi-square of independent draws stays in its bounds, on both sides."""
    counts, expected = np.ravel(counts), np.ravel(expected)
    freedom = len(counts) - 1
    found = ((counts - expected) ** 2 / expected).sum()
    return stats.chi2.ppf(P / 2, freedom) < found < stats.chi2.isf(P / 2, freedom)


def piles_of(size, deals):
    """All 36 cards of each deal in piles [piles, n] of a fixed size: hands, turned card, rest."""
    hands, turned = deals
    shown = np.int64(1) << np.maximum(turned, 0) if size < 9 else np.zeros_like(turned)
    rest = ALL_CARDS ^ shown ^ np.bitwise_or.reduce(hands, axis=0)
    piles = [(pile, size) for pile in hands] + [(shown, 1), (rest, 35 - 4 * size)]
    piles = [(pile, n) for pile, n in piles if size < 9 or n == 9]
    return np.ascontiguousarray([pile for pile, n in piles if n]), [n for _, n in piles if n]


def cards_by_pile(piles):
    counts = np.zeros((len(piles), N_CARDS), np.int64)
    entries.tabulate(piles, counts)
    return counts


def assert_fair(piles, sizes):
    """Each card is in each pile as often as a fair deal of all 36 puts it there.

    Cards of one deal are not independent: as every card goes to one place and every place takes its
    number, the sum over cards and piles of (count - expected)^2 / expected is 36/35 times a
    chi-square of 35 (piles - 1) degrees of freedom.
    """
    n = piles.shape[1]
    counts = cards_by_pile(piles)
    shares = np.array(sizes) / N_CARDS
    expected = n * shares[:, None]
    found = ((counts - expected) ** 2 / expected).sum() * 35 / 36
    freedom = 35 * (len(sizes) - 1)
    assert stats.chi2.ppf(P / 2, freedom) < found < stats.chi2.isf(P / 2, freedom)
    assert within(counts, n, shares[:, None], counts.size)


@pytest.mark.parametrize("size", SIZES)
def test_every_card_is_dealt_once_and_every_hand_has_its_size(size):
    hands, turned = dealt(size, n=min(N, 20_000))
    assert (np.bitwise_count(hands) == size).all()
    shown = np.int64(1) << np.maximum(turned, 0) if size < 9 else np.zeros_like(turned)
    assert (turned == -1).all() == (size == 9)
    assert (np.bitwise_count(np.bitwise_or.reduce([*hands, shown])) == 4 * size + (size < 9)).all()
    assert (np.bitwise_or.reduce(hands) < 1 << N_CARDS).all()


@pytest.mark.parametrize("size", SIZES)
def test_every_card_comes_to_every_pile(size):
    """Card by hand, turned card and rest, over 10^6 deals of 36 cards."""
    assert_fair(*piles_of(size, dealt(size, deal=size)))


@pytest.mark.parametrize("chooser", range(4))
def test_every_card_comes_to_the_choosers_first_three(chooser):
    """Card by packet, the rest of the chooser's hand and the other hands, at nine cards."""
    hands, _ = dealt(9, start=chooser * N, deal=8)
    three = np.empty(N, np.int64)
    entries.packets(1, chooser * N, 8, np.ascontiguousarray(hands[chooser]), three)
    assert (np.bitwise_count(three) == 3).all()
    assert not (three & ~hands[chooser]).any()
    others = [hands[seat] for seat in range(4) if seat != chooser]
    assert_fair(np.ascontiguousarray([three, hands[chooser] ^ three, *others]), [3, 6, 9, 9, 9])


def test_the_first_three_are_any_three_of_the_hand():
    n = max(N // 5, 20_000)
    hand = mask_of(range(3, 12))
    three = np.empty(n, np.int64)
    entries.packets(3, 0, 8, np.full(n, hand), three)
    found, counts = np.unique(three, return_counts=True)
    assert len(found) == comb(9, 3)
    assert as_expected(counts, np.full(comb(9, 3), n / comb(9, 3)))


# What is drawn: k of m cards, and how those come to be drawn.
DRAWN = sorted(
    {(35, 4 * n) for n in range(1, 9)}
    | {(4 * n, 2 * n) for n in range(1, 10)}
    | {(2 * n, n) for n in range(1, 10)}
    | {(9, 3), (8, 3)}
)


@pytest.mark.parametrize(("m", "k"), DRAWN)
def test_cards_split_over_the_dozens_with_exact_chances(m, k):
    """The alias tables give each split of k cards the share of the subsets that have it."""
    begin, n = int(dealing.ALIAS_BEGIN[m, k]), int(dealing.ALIAS_LENGTH[m, k])
    sizes = [min(12, max(0, m - 12 * i)) for i in range(3)]
    begins = dealing.BEGIN_OF_COUNT.tolist()
    got = Counter()
    for entry in range(begin, begin + n):
        row = dealing.ALIAS_PARTS[entry].tolist()
        counts = tuple(begins.index(first) for first in row[1::2])
        assert row[::2] == [*map(comb, sizes * 2, counts)]
        stay = Fraction(int(dealing.ALIAS_STAY[entry]) + 1, 1 << 64)
        got[counts[:3]] += stay / n
        got[counts[3:]] += (1 - stay) / n
    expected = {
        split: Fraction(prod(map(comb, sizes, split)), comb(m, k))
        for split in product(range(13), repeat=3)
        if sum(split) == k and all(map(le, split, sizes))
    }
    assert got.keys() == expected.keys()
    assert all(abs(got[split] - expected[split]) < Fraction(1, 1 << 60) for split in expected)


@pytest.mark.parametrize(("m", "k"), [(m, k) for m, k in DRAWN if comb(m, k) < 1000])
def test_every_subset_is_as_likely(m, k):
    n = 20 * comb(m, k) if JIT_DISABLED else N // 5
    # Spread over the deck, with its first and its last card.
    cards = np.linspace(0, 35, m).astype(int).tolist()
    keys = np.random.default_rng(m).integers(0, 1 << 64, n, dtype=np.uint64)
    out = np.empty(n, np.int64)
    entries.subsets(keys, mask_of(cards), m, k, out)
    found, counts = np.unique(out, return_counts=True)
    assert found.tolist() == sorted(mask_of(chosen) for chosen in combinations(cards, k))
    assert as_expected(counts, np.full(len(found), n / len(found)))


def hypergeometric(cards, special, size):
    """Chances of 0 … size special ones among `size` of `cards` cards."""
    return [
        Fraction(comb(special, k) * comb(cards - special, size - k), comb(cards, size))
        for k in range(min(special, size) + 1)
    ]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    "special", [int(dealing.ACES), JOKERS, SUIT_MASKS[1]], ids=["aces", "jokers", "hearts"]
)
def test_numbers_in_one_hand_are_hypergeometric(size, special):
    hands, _ = dealt(size, start=N)
    chances = np.array(hypergeometric(N_CARDS, special.bit_count(), size), float)
    for hand in hands:
        counts = np.bincount(np.bitwise_count(hand & special), minlength=len(chances))
        assert within(counts, N, chances, 4 * len(chances))


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("special", [int(dealing.ACES), SUIT_MASKS[1]], ids=["aces", "hearts"])
def test_two_hands_together_are_as_of_one_deal(size, special):
    """Special cards in each two of the hands: the joint distribution, not the single ones alone.

    Cards that stand together in the deck tell whether two draws share their randomness.
    """
    hands, _ = dealt(size, start=2 * N)
    total = special.bit_count()
    width = min(total, size) + 1
    joint = np.zeros((width, width))
    for i, chance in enumerate(hypergeometric(N_CARDS, total, size)):
        left = hypergeometric(N_CARDS - size, total - i, size)
        joint[i, : len(left)] = [float(chance * other) for other in left]
    assert joint.sum() == pytest.approx(1)
    held = np.bitwise_count(hands & special).astype(np.int64)
    for a, b in combinations(range(4), 2):
        counts = np.bincount(width * held[a] + held[b], minlength=width**2)
        assert within(counts.reshape(width, width), N, joint, 6 * width**2)


@pytest.mark.parametrize("size", [2, 5, 8, 9])
def test_every_two_cards_meet_in_one_hand_as_often(size):
    n = N // 5
    hands, _ = dealt(size, start=3 * N, n=n)
    share = 4 * comb(size, 2) / comb(N_CARDS, 2)
    pairs = np.zeros((N_CARDS, N_CARDS), np.int64)
    entries.tabulate_pairs(np.ascontiguousarray(hands), pairs)
    counts = pairs[np.tril_indices(N_CARDS, -1)]
    assert within(counts, n, share, len(counts))


def test_a_turned_card_does_not_tell_who_has_the_jokers():
    hands, turned = dealt(1, start=4 * N)
    for card in (0, 8, 27):
        shown = turned == card
        left = 2 - (card in (0, 27))
        got = np.array([np.count_nonzero(hand[shown] & JOKERS) for hand in hands])
        assert within(got, np.count_nonzero(shown), left / 35, 12)


# --- who deals first --------------------------------------------------------------------------


def dealers(rule, *, seed=1, n=N):
    out = np.empty(n, np.int64)
    entries.first_dealers(seed, 0, n, rule, out)
    return out


def ace_draw_chances():
    """Chances by seat, by counting where the first of four aces lies in the deck."""
    chances = [Fraction(0)] * 4
    for place in range(33):
        chances[place % 4] += Fraction(comb(35 - place, 3), comb(36, 4))
    return chances


def test_the_ace_falls_to_the_seats_as_the_rules_say():
    chances = ace_draw_chances()
    assert sum(chances) == 1
    assert [f"{float(chance):.4f}" for chance in chances] == [
        "0.2947",
        "0.2632",
        "0.2343",
        "0.2078",
    ]
    counts = np.bincount(dealers(DEALER_ACE_DRAW), minlength=4)
    assert within(counts, N, np.array(chances, float), 4)


def test_a_drawn_dealer_is_any_seat():
    counts = np.bincount(dealers(DEALER_RANDOM), minlength=4)
    assert len(counts) == 4
    assert within(counts, N, 0.25, 4)


@pytest.mark.parametrize("seat", range(4))
def test_a_fixed_dealer_is_that_seat(seat):
    assert (dealers(seat, n=1000) == seat).all()


def test_who_deals_first_tells_nothing_of_the_cards():
    hands, _ = dealt(9, n=N // 5)
    first = dealers(DEALER_RANDOM, n=N // 5)
    owner = np.argmax((hands & 1) != 0, axis=0)
    counts = np.bincount(4 * owner + first, minlength=16)
    assert as_expected(counts, np.full(16, N / 5 / 16))


# --- what is shared between runs --------------------------------------------------------------


def fingerprints(seed, games, deals, size):
    """A 64-bit fingerprint of every deal [games, deals]; chance alone makes two alike in 2^64."""
    out = np.empty((games, len(deals)), np.uint64)
    for column, deal in enumerate(deals):
        hands, turned = dealt(size, seed=seed, n=games, deal=deal)
        mixed = turned.astype(np.uint64)
        for hand in hands[:3]:
            mixed = (mixed ^ hand.astype(np.uint64)) * np.uint64(0x9E3779B97F4A7C15)
            mixed ^= mixed >> np.uint64(29)
        out[:, column] = mixed
    return out


NINES = [8, 9, 10, 11, 20, 21, 22, 23]
GAMES = 1_000 if JIT_DISABLED else 100_000


@pytest.mark.parametrize(
    ("seed", "games"), [(1, GAMES), ((1 << 32) - 1, GAMES // 5), ((1 << 63) - 2, GAMES // 5)]
)
def test_adjacent_seeds_share_no_nine_card_deal(seed, games):
    """Nor does a seed deal one twice, over all nine-card deals of Classic."""
    both = np.concatenate([fingerprints(s, games, NINES, 9) for s in (seed, seed + 1)])
    assert len(np.unique(both)) == both.size


def test_adjacent_seeds_share_no_game():
    """No two games have even their deals of six, seven and eight cards alike."""
    games = []
    for seed in (1, 2, 3):
        deals = np.hstack([fingerprints(seed, GAMES, [size - 1], size) for size in (6, 7, 8)])
        games.append(deals[:, 0] * np.uint64(3) ^ deals[:, 1] * np.uint64(5) ^ deals[:, 2])
    assert len(np.unique(np.concatenate(games))) == 3 * GAMES


def test_a_deal_is_the_same_whichever_games_are_dealt_before():
    hands, turned = dealt(7, n=500, deal=6)
    for game in (0, 1, 77, 499):
        one, shown = dealt(7, start=game, n=1, deal=6)
        assert one[:, 0].tolist() == hands[:, game].tolist()
        assert shown[0] == turned[game]


def test_games_far_out_are_dealt_too():
    """The index is 63 bits wide: games 2^32 apart are not the same."""
    far = [dealt(9, start=start, n=1, deal=8)[0][:, 0].tolist() for start in (0, 1 << 32, 1 << 62)]
    assert len({tuple(hands) for hands in far}) == 3
