"""Deals of two in which both play at random without davi, many parties in step.

As `deal_random` does for four, and for the same reason: a step is taken for a row of parties before
the next begins. Nobody looks at a view, so a seat is the cards that it can reach (its hand and its
open table cards), and what a card covers comes into reach behind it without a search. The draws are
those of the policy `random` at a table, and so are the results; tests pin them to the general path.
"""

from __future__ import annotations

import numpy as np

from jokersim.cards import N_CARDS, NO_TRUMP
from jokersim.kernels import dealing, streams, trick
from jokersim.kernels.bits import either, first_bit, first_index, nth_bit, popcount
from jokersim.kernels.jit import leaf
from jokersim.kernels.state import (
    N_PAIRS,
    N_PLACES,
    N_PLAYERS,
    OPEN_BOTH_FIRST_TRICK,
    OPEN_NONE,
)

N_LANES = 64
"""Parties in step: as many as keep all they need in the fastest memory of a processor."""

_DEAL_KEY = N_PLAYERS
_HAND_WORD = 2 * N_PLAYERS + 1
# Under a card that covers none lies this one, which no deck holds and no mask of plays asks for.
_NOTHING = N_CARDS


# One deal of each of the parties in step: see `deal_random.LANES`.
LANES = np.dtype(
    [
        # Indices of the parties and of their deals, and who declares.
        ("games", np.int64, N_LANES),
        ("deals", np.int64, N_LANES),
        ("declarers", np.int64, N_LANES),
        # Keys of the seats' streams and of the dealing, and what the seats have left of the words
        # that they draw from.
        ("keys", np.uint64, (N_PLAYERS + 1, N_LANES)),
        ("fractions", np.uint64, (N_LANES, N_PLAYERS)),
        # Cards not dealt yet; ids of the open table cards by seat and place; by card, what is under
        # it; and as masks by seat, open and covered table cards and hands as dealt.
        ("decks", np.int64, N_LANES),
        ("up", np.uint8, (N_LANES, N_PLAYERS, N_PLACES)),
        ("covers", np.uint8, (N_LANES, N_CARDS)),
        ("open", np.int64, (N_LANES, N_PLAYERS)),
        ("covered", np.int64, (N_LANES, N_PLAYERS)),
        ("hands", np.int64, (N_LANES, N_PLAYERS)),
        # Cards that a seat may play.
        ("reach", np.int64, (N_LANES, N_PLAYERS)),
        # Where a seat reaches two jokers apart, that of the lower place. Both jokers, or -1 where
        # they are in one hand, and so one entry of the list of plays.
        ("first_joker", np.int64, N_LANES),
        ("apart", np.int64, N_LANES),
        ("trumps", np.int64, N_LANES),
        ("leaders", np.int64, N_LANES),
        ("leads", np.int64, N_LANES),
        # Tricks taken by seat 1.
        ("pairs_of_1", np.int64, N_LANES),
    ],
    align=True,
)


@leaf
def draw_keys(lanes, n, seed):
    """Key the streams of every party's deal, and open those of the seats."""
    for lane in range(n):
        game = lanes.games[lane]
        deal = lanes.deals[lane]
        lanes.keys[0, lane], lanes.keys[1, lane] = streams.philox(
            seed, game, deal, streams.POLICY_01
        )
        lanes.keys[_DEAL_KEY, lane], _ = streams.philox(seed, game, deal, streams.DEALING)
    for lane in range(n):
        for seat in range(N_PLAYERS):
            lanes.fractions[lane, seat] = streams.word(lanes.keys[seat, lane], 1)


@leaf
def deal_open(lanes, n, seat):
    """Lay a seat's open table cards."""
    for lane in range(n):
        left = np.int64(N_CARDS - N_PLACES * seat)
        deck = lanes.decks[lane]
        fraction = streams.word(lanes.keys[_DEAL_KEY, lane], seat + 1)
        before = deck
        for place in range(N_PLACES):
            bit, fraction = dealing.next_card(deck, left - place, fraction)
            deck ^= bit
            lanes.up[lane, seat, place] = first_index(bit)
        lanes.open[lane, seat] = before ^ deck
        lanes.decks[lane] = deck


@leaf
def deal_covered(lanes, n, seat):
    """Lay a seat's covered table cards under its open ones."""
    for lane in range(n):
        left = np.int64(N_CARDS - N_PLACES * (N_PLAYERS + seat))
        deck = lanes.decks[lane]
        fraction = streams.word(lanes.keys[_DEAL_KEY, lane], N_PLAYERS + seat + 1)
        first_joker = lanes.first_joker[lane]
        before = deck
        for place in range(N_PLACES):
            bit, fraction = dealing.next_card(deck, left - place, fraction)
            deck ^= bit
            above = lanes.up[lane, seat, place]
            lanes.covers[lane, above] = first_index(bit)
            here = (bit | (np.int64(1) << np.int64(above))) & trick.JOKERS
            first_joker = either(first_joker, first_joker, here)
        lanes.first_joker[lane] = first_joker
        lanes.covered[lane, seat] = before ^ deck
        lanes.decks[lane] = deck


@leaf
def deal_hands(lanes, n):
    """Deal the hands, the two halves of the rest, and look how the jokers lie."""
    for lane in range(n):
        deck = lanes.decks[lane]
        hand = dealing.subset(deck, 16, 8, lanes.keys[_DEAL_KEY, lane], _HAND_WORD)
        other = deck ^ hand
        lanes.hands[lane, 0] = hand
        lanes.hands[lane, 1] = other
        # A seat lists what is in its hand before its table.
        in_hands = deck & trick.JOKERS
        lanes.first_joker[lane] = either(in_hands, in_hands, lanes.first_joker[lane])
        together = ((hand & trick.JOKERS) == trick.JOKERS) | (
            (other & trick.JOKERS) == trick.JOKERS
        )
        lanes.apart[lane] = np.int64(-1) if together else trick.JOKERS


@leaf
def deal_all(lanes, n, seed):
    """Deal to every party, `games` and `deals` given."""
    draw_keys(lanes, n, seed)
    for lane in range(n):
        lanes.decks[lane] = dealing.DECK
        lanes.first_joker[lane] = 0
        for card in range(N_CARDS):
            lanes.covers[lane, card] = _NOTHING
    for seat in range(N_PLAYERS):
        deal_open(lanes, n, seat)
    for seat in range(N_PLAYERS):
        deal_covered(lanes, n, seat)
    deal_hands(lanes, n)


@leaf
def begin_play(lanes, n, table_open):
    """The declarers name trump and lead; say which cards the first trick may use."""
    for lane in range(n):
        declarer = lanes.declarers[lane] & 1
        other = 1 - declarer
        fraction = lanes.fractions[lane, declarer]
        lanes.trumps[lane] = streams.below(fraction, NO_TRUMP + 1)
        lanes.fractions[lane, declarer] = streams.rest(fraction, NO_TRUMP + 1)
        lanes.leaders[lane] = declarer
        lanes.pairs_of_1[lane] = 0
        opened = lanes.open[lane, declarer] if table_open == OPEN_NONE else np.int64(0)
        lanes.reach[lane, declarer] = lanes.hands[lane, declarer] | opened
        opened = lanes.open[lane, other] if table_open != OPEN_BOTH_FIRST_TRICK else np.int64(0)
        lanes.reach[lane, other] = lanes.hands[lane, other] | opened


@leaf
def open_tables(lanes, n, table_open):
    """After the first trick: what it might not use is in reach."""
    for lane in range(n):
        declarer = lanes.declarers[lane] & 1
        if table_open != OPEN_NONE:
            lanes.reach[lane, declarer] |= lanes.open[lane, declarer]
        if table_open == OPEN_BOTH_FIRST_TRICK:
            lanes.reach[lane, 1 - declarer] |= lanes.open[lane, 1 - declarer]


@leaf
def open_words(lanes, n, number):
    """Before trick `number`, give those seats a new word that have drawn all they may from theirs.

    Everybody has made `number` plays, and the declarer has named trump besides.
    """
    drawn = number + 1
    if drawn % streams.FEW_A_WORD == 0:
        k = 1 + drawn // streams.FEW_A_WORD
        for lane in range(n):
            seat = lanes.declarers[lane] & 1
            lanes.fractions[lane, seat] = streams.word(lanes.keys[seat, lane], k)
    if number > 0 and number % streams.FEW_A_WORD == 0:
        k = 1 + number // streams.FEW_A_WORD
        for lane in range(n):
            seat = 1 - (lanes.declarers[lane] & 1)
            lanes.fractions[lane, seat] = streams.word(lanes.keys[seat, lane], k)


@leaf
def play(lanes, lane, seat, legal, jokers, declared, declared_apart):
    """A seat plays at random a legal plain card or a declared joker: answers the play.

    What the card covered is in reach from the next trick on, and its own seat looks no sooner.
    """
    other = jokers ^ lanes.apart[lane]
    choices = legal | either(other, either(jokers, declared, 0), declared_apart)
    fraction = lanes.fractions[lane, seat]
    n = popcount(choices)
    bit = nth_bit(choices, streams.below(fraction, n))
    lanes.fractions[lane, seat] = streams.rest(fraction, n)
    at = first_index(bit)
    first = lanes.first_joker[lane]
    joker = either(other, first_bit(jokers), either(at & 1, trick.JOKERS ^ first, first))
    card = either(bit >> N_CARDS, joker, bit)
    under = np.int64(1) << np.int64(lanes.covers[lane, first_index(card)])
    lanes.reach[lane, seat] = (lanes.reach[lane, seat] ^ card) | under
    return trick.play_of_bit(at)


@leaf
def play_leads(lanes, n):
    """Lead to one trick of every party."""
    for lane in range(n):
        seat = lanes.leaders[lane] & 1
        cards = lanes.reach[lane, seat]
        lanes.leads[lane] = play(
            lanes,
            lane,
            seat,
            cards & trick.PLAIN,
            cards & trick.JOKERS,
            trick.LED_HIGH_DECLARED,
            trick.LED_HIGH_APART,
        )


@leaf
def play_replies(lanes, n, must_trump):
    """Reply to the leads, and give the tricks to their takers, who lead next."""
    for lane in range(n):
        trump = lanes.trumps[lane]
        leader = lanes.leaders[lane] & 1
        lead = lanes.leads[lane]
        led = trick.led_suit(lead)
        high = trick.led_high(lead)
        row = trick.strength_row(1, trump, led, high)
        duty = trick.duty_mask(must_trump, trump, high)
        seat = 1 - leader
        cards = lanes.reach[lane, seat]
        reply = play(
            lanes,
            lane,
            seat,
            trick.follow_mask(cards, trick.MASKS[led], duty, high),
            cards & trick.JOKERS,
            trick.REPLIED_HIGH_DECLARED,
            trick.REPLIED_HIGH_APART,
        )
        takes = np.int64(trick.strength(row, reply) >= trick.strength(row, lead))
        taker = leader ^ takes
        lanes.leaders[lane] = taker
        lanes.pairs_of_1[lane] += taker


@leaf
def play_all(lanes, n, numbers):
    """Play a deal of every party, its cards dealt and `declarers` given."""
    begin_play(lanes, n, numbers.table_open)
    for number in range(N_PAIRS):
        open_words(lanes, n, number)
        play_leads(lanes, n)
        play_replies(lanes, n, numbers.must_trump)
        if number == 0:
            open_tables(lanes, n, numbers.table_open)
