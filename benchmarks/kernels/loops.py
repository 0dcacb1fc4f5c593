"""Loops over kernels too small to be called from Python one by one: each sums what it is given.

A loop costs an addition and a load more than the kernel alone.
"""

from __future__ import annotations

import numpy as np

from jokersim.kernels import bits, dealing, scoring, streams, trick
from jokersim.kernels.jit import entry


@entry
def nth_bits(masks, n, portable):
    """Select a set bit of each mask."""
    total = np.int64(0)
    for i in range(len(masks)):
        if portable:
            total += bits.nth_bit_portable(masks[i], n[i])
        else:
            total += bits.nth_bit(masks[i], n[i])
    return total


@entry
def philox_blocks(seed, games, purpose):
    """Make a block a game."""
    total = np.uint64(0)
    for game in range(games):
        low, high = streams.philox(seed, game, 0, purpose)
        total += low ^ high
    return total


@entry
def words(key, n):
    """Take words of one stream."""
    total = np.uint64(0)
    for k in range(n):
        total += streams.word(key, k)
    return total


@entry
def deals(seed, games, size, hands):
    """Deal hands of a size to four."""
    total = np.int64(0)
    for game in range(games):
        total += dealing.deal_four(hands, seed, game, 0, size)
    return total


@entry
def replies(hands, leads, trump):
    """Work out legal cards, strength and the better of two plays."""
    total = np.int64(0)
    for i in range(len(hands)):
        lead = leads[i]
        led = trick.led_suit(lead)
        high = trick.led_high(lead)
        duty = trick.duty_mask(np.int64(1), trump, high)
        row = trick.strength_row(np.int64(1), trump, led, high)
        legal = trick.follow_mask(hands[i], trick.MASKS[led], duty, high)
        best = trick.strength(row, lead)
        if legal:
            best = max(best, trick.strength(row, bits.first_index(legal)))
        total += best
    return total


@entry
def ranks(totals, places):
    """Rank the totals of each game."""
    for i in range(len(totals)):
        scoring.rank(totals[i], places)
    return places[0]
