"""Deals of four where every seat plays at random, many games in step.

Nobody looks at a view there, and all games of a run have the same schedule. So a step (keys, hands,
bids, one trick, scores) is taken for a row of games before the next step begins: the games do not
wait for each other, and a processor that works ahead is busy with several of them where a single
game would have it wait for the leader of the next trick. Steps are free of branches that depend on
cards. The draws are those of the policy `random` at a table, in the same order from the same
streams, and so are the results; tests pin them to the general path.
"""

from __future__ import annotations

import numpy as np

from jokersim.cards import NO_TRUMP
from jokersim.kernels import deal as table
from jokersim.kernels import dealing, streams, trick
from jokersim.kernels.bits import first_index, nth_bit, popcount
from jokersim.kernels.jit import leaf
from jokersim.kernels.state import MAX_SIZE, N_SEATS

N_LANES = 64
"""Games in step: as many as keep all they need in the fastest memory of a processor."""

_DEAL_KEY = N_SEATS


# One deal of each of the games in step. A record has all in one place and at fixed distances, and
# costs nothing to hand on. The unsigned small numbers index tables as they are.
LANES = np.dtype(
    [
        # Keys of the seats' streams and of the dealing, and what the seats have left of the words
        # that they draw from.
        ("keys", np.uint64, (N_SEATS + 1, N_LANES)),
        ("fractions", np.uint64, (N_LANES, N_SEATS)),
        ("hands", np.int64, (N_LANES, N_SEATS)),
        # The seat that leads the first trick, and names trump at nine cards; that of the next
        # trick; and what it led.
        ("choosers", np.int64, N_LANES),
        ("leaders", np.int64, N_LANES),
        ("leads", np.int64, N_LANES),
        ("trumps", np.int64, N_LANES),
        # Ids of the turned cards, -1 at nine cards.
        ("turned", np.int64, N_LANES),
        ("bids", np.uint8, (N_LANES, N_SEATS)),
        ("taken", np.uint8, (N_LANES, N_SEATS)),
    ],
    align=True,
)


@leaf
def draw_keys(lanes, n, seed, start, deal):
    """Key the streams of a deal of the games from `start` on."""
    for lane in range(n):
        lanes.keys[0, lane], lanes.keys[1, lane] = streams.philox(
            seed, start + lane, deal, streams.POLICY_01
        )
    for lane in range(n):
        lanes.keys[2, lane], lanes.keys[3, lane] = streams.philox(
            seed, start + lane, deal, streams.POLICY_23
        )
    for lane in range(n):
        lanes.keys[_DEAL_KEY, lane], _ = streams.philox(seed, start + lane, deal, streams.DEALING)


@leaf
def deal_hands(lanes, n, seed, start, deal, size):
    """Deal to the n games from `start` on, and open the seats' streams."""
    draw_keys(lanes, n, seed, start, deal)
    for lane in range(n):
        key = lanes.keys[_DEAL_KEY, lane]
        turned, first, second, third, fourth = dealing.four_hands(key, size)
        lanes.hands[lane, 0] = first
        lanes.hands[lane, 1] = second
        lanes.hands[lane, 2] = third
        lanes.hands[lane, 3] = fourth
        lanes.turned[lane] = turned
        if size < MAX_SIZE:
            lanes.trumps[lane] = table.turned_trump(turned)
        for seat in range(N_SEATS):
            lanes.fractions[lane, seat] = streams.word(lanes.keys[seat, lane], 1)
            lanes.taken[lane, seat] = 0


@leaf
def name_trumps(lanes, n):
    """At nine cards the seat that leads names trump."""
    for lane in range(n):
        seat = lanes.leaders[lane] & 3
        fraction = lanes.fractions[lane, seat]
        lanes.trumps[lane] = streams.below(fraction, NO_TRUMP + 1)
        lanes.fractions[lane, seat] = streams.rest(fraction, NO_TRUMP + 1)


@leaf
def make_bids(lanes, n, size, hook):
    """Make the four bids, from the leader on."""
    for lane in range(n):
        said = np.int64(0)
        for order in range(N_SEATS):
            seat = (lanes.leaders[lane] + order) & 3
            legal = table.bid_mask(size, hook if order == N_SEATS - 1 else 0, said)
            fraction = lanes.fractions[lane, seat]
            choices = popcount(legal)
            bid = first_index(nth_bit(legal, streams.below(fraction, choices)))
            lanes.fractions[lane, seat] = streams.rest(fraction, choices)
            lanes.bids[lane, seat] = bid
            said += bid


@leaf
def open_words(lanes, n, number, chooses):
    """Before trick `number`, give those seats a new word that have drawn all they may from theirs.

    Everybody has made a bid and `number` plays; the chooser of a deal of nine has named trump
    besides, so a word ends for him one trick sooner.
    """
    drawn = number + 1
    if chooses and (drawn + 1) % streams.FEW_A_WORD == 0:
        k = 1 + (drawn + 1) // streams.FEW_A_WORD
        for lane in range(n):
            seat = lanes.choosers[lane] & 3
            lanes.fractions[lane, seat] = streams.word(lanes.keys[seat, lane], k)
    if drawn % streams.FEW_A_WORD == 0:
        k = 1 + drawn // streams.FEW_A_WORD
        for lane in range(n):
            chooser = lanes.choosers[lane] if chooses else np.int64(-1)
            for seat in range(N_SEATS):
                fraction = streams.word(lanes.keys[seat, lane], k)
                kept = lanes.fractions[lane, seat]
                lanes.fractions[lane, seat] = kept if seat == chooser else fraction


@leaf
def play(lanes, lane, seat, choices, jokers):
    """A seat plays at random one of its choices, a mask of plays: answers the play."""
    fraction = lanes.fractions[lane, seat]
    n = popcount(choices)
    bit = nth_bit(choices, streams.below(fraction, n))
    lanes.fractions[lane, seat] = streams.rest(fraction, n)
    lanes.hands[lane, seat] ^= trick.card_of_bit(bit, jokers)
    return first_index(bit)


@leaf
def play_leads(lanes, n):
    """Lead to one trick of every game."""
    for lane in range(n):
        seat = lanes.leaders[lane] & 3
        cards = lanes.hands[lane, seat]
        jokers = cards & trick.JOKERS
        choices = trick.plays_mask(cards & trick.PLAIN, jokers, trick.LED_DECLARED)
        lanes.leads[lane] = play(lanes, lane, seat, choices, jokers)


@leaf
def play_replies(lanes, n, must_trump, joker_beats_cut):
    """Reply to the leads, and give the tricks to their takers, who lead next."""
    for lane in range(n):
        trump = lanes.trumps[lane]
        leader = lanes.leaders[lane] & 3
        lead = lanes.leads[lane]
        led = trick.led_suit(lead)
        high = trick.led_high(lead)
        row = trick.strength_row(joker_beats_cut, trump, led, high)
        led_mask = trick.MASKS[led]
        duty = trick.duty_mask(must_trump, trump, high)
        best = trick.ranked(row, lead, 0)
        for position in range(1, N_SEATS):
            seat = (leader + position) & 3
            cards = lanes.hands[lane, seat]
            jokers = cards & trick.JOKERS
            legal = trick.follow_mask(cards, led_mask, duty, high)
            choices = trick.plays_mask(legal, jokers, trick.REPLIED_DECLARED)
            reply = play(lanes, lane, seat, choices, jokers)
            best = max(best, trick.ranked(row, reply, position))
        taker = (leader + trick.position_of(best)) & 3
        lanes.taken[lane, taker] += 1
        lanes.leaders[lane] = taker


@leaf
def play_deal(lanes, n, size, numbers):
    """Bid and play a deal of the first n lanes, its hands dealt."""
    chooses = size == MAX_SIZE
    for lane in range(n):
        lanes.leaders[lane] = lanes.choosers[lane]
    if chooses:
        name_trumps(lanes, n)
    make_bids(lanes, n, size, numbers.hook)
    for number in range(size):
        open_words(lanes, n, number, chooses)
        play_leads(lanes, n)
        play_replies(lanes, n, numbers.must_trump, numbers.joker_beats_cut)
