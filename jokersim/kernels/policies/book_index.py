"""The record that holds the tables of `book`, and where in them a position stands.

Every table is indexed by what a seat knows, coarsened; kept apart from the decisions, since
learning the tables needs the same places.
"""

from __future__ import annotations

import numpy as np

from jokersim.cards import NO_TRUMP
from jokersim.kernels import trick
from jokersim.kernels.bits import either, last_bit, popcount
from jokersim.kernels.jit import leaf

PLAIN = trick.PLAIN
MASKS = trick.MASKS
JOKERS = trick.JOKERS

ONE = np.int64(4096)
"""A certainty, and one trick."""

# Stages of a deal: hand size and cards left, as one number.
N_STAGES = 20


def _stages() -> np.ndarray:
    table = np.zeros((10, 10), dtype=np.int64)
    bounds = {
        1: (1,),
        2: (1, 2),
        3: (1, 2, 4),
        5: (1, 2, 4, 6),
        7: (1, 2, 4, 8),
        9: (1, 2, 4, 6, 9),
    }
    first = 0
    for smallest, uppers in bounds.items():
        for size in (smallest,) if smallest in (1, 2, 9) else (smallest, smallest + 1):
            for left in range(1, size + 1):
                table[size, left] = first + sum(left > upper for upper in uppers)
        first += len(uppers)
    return table


STAGES = _stages()

# By card, the higher cards of its suit.
ABOVE = np.array([(0x1FF & -(2 << card % 9)) << (card - card % 9) for card in range(36)], np.int64)

# Numbers of the four suits, of 16 bits each, are packed into one.
EACH_SUIT = 0x0001000100010001
OF_TRUMP = np.array([7, 7 << 16, 7 << 32, 7 << 48, 0], np.int64)
"""By trump, the lowest bits of its number."""

# Kinds of a card in hand: a trump, without and with a void to ruff; another while others may hold
# trumps, by how many of its suit are held (1, 2, more); else.
N_WORTH_KINDS = 6
# Ways to contest a trick.
LEAD = 0
REPLY = 3
LEAD_HIGH = 11
LEAD_LOW = 13
REPLY_HIGH = 15
N_WAYS = 16
N_HIGHER = 6
N_SUITED = 9
N_SUITS = 7
# Cards of a suit that others hold, coarsened.
SUITED = np.array((0, 1, 2, 3, 4, 4, 5, 5, 6, 6), dtype=np.int64)
N_WANTING = 4
N_DEMANDS = 6
N_NEEDS = 10
N_EDGES = 40
EDGE = 9
"""An edge is an eighth of a trick more or less than needed: so many bits of a 4096th."""
N_SPREADS = 3

WORTH_SHAPE = (N_WORTH_KINDS, N_STAGES, N_HIGHER, N_SUITED, N_DEMANDS)
TAKES_SHAPE = (N_WAYS, N_STAGES, N_HIGHER, N_SUITS, N_WANTING, 3)
ENDS_SHAPE = (9, N_NEEDS, 2, N_DEMANDS, 3, N_SPREADS, N_EDGES)

# Tables of bids: a row for each hand size and quarter of a trick that the hand is worth, then the
# bids so far by place, jokers and top trump, and four numbers from `lowest_bid` on.
N_CONTROLS = 6
N_NUMBERS = 4
N_CONTEXTS = 37
FIRST_CONTEXT = np.array((0, 1, 11, 23), dtype=np.int64)
MOST_SAID = np.array((0, 9, 11, 13), dtype=np.int64)
FIRST_ROW = np.array([2 * n * (n + 1) - 4 for n in range(1, 12)], dtype=np.int64)
"""Row of the weakest hand, by hand size less one."""
BIDS_SHAPE = (216, N_CONTEXTS, N_CONTROLS, N_NUMBERS, 10)

BOOK = np.dtype(
    [
        ("own_khishti", np.int64),
        ("blind", np.int64),
        ("caution", np.int64),
        ("tidy", np.int64),
        ("learned_khishti", np.int64),
        ("feared", np.int64),
        ("no_trump", np.int64),
        ("khishti", np.int64, (10,)),
        ("keeps", np.int64, (65,)),
        ("calls", np.int64, (3, 10)),
        ("jokers", np.int64, (2, 10)),
        ("holdings", np.int16, (3, 10, 512)),
        ("ruffs", np.int16, (10, 10, 5)),
        ("worth", np.int16, (int(np.prod(WORTH_SHAPE)),)),
        ("takes", np.int16, (int(np.prod(TAKES_SHAPE)),)),
        ("made", np.int16, (int(np.prod(ENDS_SHAPE)),)),
        ("none", np.int16, (int(np.prod(ENDS_SHAPE)),)),
        ("bids", np.uint8, (int(np.prod(BIDS_SHAPE)),)),
    ],
    align=True,
)
"""The book. By field:

- own_khishti, khishti: 1 if a khishti counts so much, by hand size, whatever the rule set in force
- blind: 1 if the premium is left out of account
- caution: points that a bid's value loses for each trick of it
- tidy: points that a play's value loses for each trick's worth of variance that it leaves in hand
- learned_khishti, feared: what a khishti counted where the tables were learned; how much of what a
  dearer one costs beyond that counts at a bid, in 256ths
- keeps: chance, in 4096ths, to make all of so many more bids of a pulka
- calls, no_trump: worth of a card at a trump choice, [kind][rank, then joker]; what no trump adds
- jokers, holdings, ruffs: worth in 64ths of a trick of a joker [beside trumps, at no trump][row],
  of a suit's cards [kind][row][mask of ranks], of the shape [row][trumps held][side suits held];
  a row is the hand size, or 0 for one card that does not lead
- worth, takes: chance that a card takes a trick in the rest of the deal, that a play takes this one
- made, none: chance to end on the bid, to take no more trick
- bids: of 100, how often so many tricks were taken
"""


@leaf
def lane_of(cards, suit):
    """Ranks of a suit in a mask of cards, as a mask of 9 bits."""
    return (cards >> (9 * suit)) & 0x1FF


@leaf
def n_higher(card, cards):
    """Count those of `cards` that stand above a card in its suit."""
    return popcount(cards & ABOVE[np.uint64(card)])


@leaf
def of_suit(packed, suit):
    """Number of a suit out of four numbers of 16 bits that are packed into one."""
    return (packed >> (16 * suit)) & 0xFFFF


@leaf
def strength(hand, row, trump, data):
    """Worth of a hand in 64ths of a trick."""
    plain = hand & PLAIN
    suited = np.int64(1 + (trump == NO_TRUMP))
    total = popcount(hand & JOKERS) * data.jokers[np.uint64(suited - 1), np.uint64(row)]
    sides = np.int64(0)
    for suit in range(4):
        kind = np.int64(0) if trump == suit else suited
        lane = lane_of(plain, suit)
        total += np.int64(data.holdings[np.uint64(kind), np.uint64(row), np.uint64(lane)])
        sides += np.int64((lane != 0) & (suit != trump))
    return total + np.int64(data.ruffs[row, popcount(plain & MASKS[trump]), sides])


@leaf
def lowest_bid(size, row):
    """Lowest of the numbers that the book knows of, for a hand of that strength `row`."""
    return min(max(((row - 2) >> 2) - 1, 0), max(size - (N_NUMBERS - 1), 0))


@leaf
def holds_top_trump(view):
    """1 if the seat holds the highest trump that is not the turned card: it can hardly not win."""
    trumps = MASKS[view.trump]
    if view.turned >= 0:
        trumps &= ~(np.int64(1) << view.turned)
    return np.int64((view.hand & last_bit(trumps)) != 0)


@leaf
def bid_place(view, data):
    """Where the view stands in the tables of bids: its index there, and the lowest number."""
    size = view.size
    place = (view.seat - view.dealer - 1) & 3
    said = np.int64(0)
    for other in range(4):
        said += max(view.bids[other], 0)
    row = size if size > 1 or place == 0 else np.int64(0)
    total = strength(view.hand, row, view.trump, data)
    quarter = min(max((total + 32) >> 4, 0), 4 * size + 3)
    context = FIRST_CONTEXT[place] + min(said, MOST_SAID[place])
    at = (FIRST_ROW[size - 1] + quarter) * N_CONTEXTS + context
    at = at * N_CONTROLS + 2 * popcount(view.hand & JOKERS) + holds_top_trump(view)
    return at * N_NUMBERS * 10, lowest_bid(size, quarter)


@leaf
def takes_index(way, stage, higher, suited, wanting, jokers_out):
    """Index into `takes`."""
    return takes_at(takes_place(way, stage, suited), higher, wanting, jokers_out)


@leaf
def ends_place(left, need, leads, demand, jokers):
    """Where what is left after a play begins in `made` and `none`; see `ends_at`."""
    at = ((left * N_NEEDS + need) * 2 + leads) * N_DEMANDS + demand
    return (at * 3 + jokers) * (N_SPREADS * N_EDGES)


@leaf
def ends_edge(need, jokers):
    """How many 4096ths of a trick stand between the first edge and what is needed."""
    return jokers * 2048 + 10240 - need * ONE


@leaf
def ends_at(place, spread, edges):
    """Index into `made` and `none` of so many edges in a row that begins at `place`."""
    wide = np.int64(spread > 1434) + np.int64(spread > 3277)
    return place + wide * N_EDGES + min(max(edges, 0), N_EDGES - 1)


@leaf
def ends_index(left, need, leads, demand, jokers, total, spread):
    """Index into `made` and `none`; `total` and `spread` in 4096ths."""
    edges = (total + ends_edge(need, jokers)) >> EDGE
    return ends_at(ends_place(left, need, leads, demand, jokers), spread, edges)


@leaf
def n_by_suit(cards):
    """Count the plain cards of each suit, packed."""
    packed = popcount(lane_of(cards, 0)) | popcount(lane_of(cards, 1)) << 16
    return packed | popcount(lane_of(cards, 2)) << 32 | popcount(lane_of(cards, 3)) << 48


@leaf
def has_void(mine, theirs, trump):
    """1 if a hand lacks a suit that others hold, trumps aside; by numbers of cards, packed."""
    held = (mine + 15 * EACH_SUIT) >> 4
    out = (theirs + 15 * EACH_SUIT) >> 4
    return np.int64((out & ~held & EACH_SUIT & ~OF_TRUMP[np.uint64(trump)]) != 0)


@leaf
def worth_places(mine, theirs, trump, outside, voids, stage):
    """Where the cards of each suit stand in `worth`, packed; see `worth_at`.

    By how many cards the hand has of each and how many the others, packed; `outside` 1 if others
    may hold trumps, `voids` as `has_void` answers. All suits at once: no number leaves its 16 bits.
    """
    many = (mine >> 2 | mine >> 3) & EACH_SUIT
    ruffable = EACH_SUIT + ((mine | 3 * many) & 3 * EACH_SUIT)
    of_trump = OF_TRUMP[np.uint64(trump)]
    kinds = either(outside, ruffable, 5 * EACH_SUIT) & ~of_trump | voids * EACH_SUIT & of_trump
    return (kinds * N_STAGES + stage * EACH_SUIT) * (N_HIGHER * N_SUITED) + at_most_8(theirs)


@leaf
def at_most_8(numbers):
    """Numbers up to 9, packed, with 8 for 9."""
    return numbers - (numbers >> 3 & numbers & EACH_SUIT)


@leaf
def worth_at(place, higher, demand):
    """Index into `worth` of a card of a suit that stands there, below so many of the others'."""
    return (place + min(higher, N_HIGHER - 1) * N_SUITED) * N_DEMANDS + demand


@leaf
def takes_place(way, stage, suited):
    """Where a way to contest a trick begins in `takes`, in 16 bits; see `takes_at`."""
    return (way * N_STAGES + stage) * (N_HIGHER * N_SUITS) + SUITED[np.uint64(suited)]


@leaf
def takes_at(place, higher, wanting, jokers_out):
    """Index into `takes` of a play whose way stands at that place."""
    return ((place + min(higher, N_HIGHER - 1) * N_SUITS) * N_WANTING + wanting) * 3 + jokers_out
