"""Entry points that lead the tests to kernels too small to be called from Python one by one.

They are kept with the other compiled code, so that the suite compiles them once.
"""

from __future__ import annotations

import numpy as np

from jokersim.kernels import bits, dealing, game, scoring, streams, trick
from jokersim.kernels import deal as table
from jokersim.kernels.jit import entry
from jokersim.kernels.state import BID, CHOOSE_TRUMP


@entry
def bit_facts(masks, n, facts):
    """Fill facts [9, masks]: count, first, last index, first, last, n-th bit, n-th portably.

    Then the highest bit alone of every mask whose n is odd, and that or else n.
    """
    for i in range(len(masks)):
        mask = masks[i]
        facts[0, i] = bits.popcount(mask)
        facts[1, i] = bits.first_index(mask)
        facts[2, i] = bits.last_index(mask)
        facts[3, i] = bits.first_bit(mask)
        facts[4, i] = bits.last_bit(mask)
        facts[5, i] = bits.nth_bit(mask, n[i])
        facts[6, i] = bits.nth_bit_portable(mask, n[i])
        facts[7, i] = bits.highest_if(n[i] & 1, mask)
        facts[8, i] = bits.either(facts[7, i], facts[7, i], n[i])


@entry
def deposits(sources, masks, laid):
    """Fill laid [2, masks]: the sources' bits laid on the masks, and so portably."""
    for i in range(len(masks)):
        laid[0, i] = bits.deposit(sources[i], masks[i])
        laid[1, i] = bits.deposit_portable(sources[i], masks[i])


@entry
def philox(seeds, games, deals, purposes, blocks):
    """Fill blocks [n, 2] with a Philox block for each row of the arguments."""
    for i in range(len(seeds)):
        blocks[i, 0], blocks[i, 1] = streams.philox(seeds[i], games[i], deals[i], purposes[i])


@entry
def words(key, out):
    """Fill `out` with the first words of the stream of `key`."""
    for i in range(len(out)):
        out[i] = streams.word(key, i + 1)


@entry
def draws(rows, row, few, bounds, out):
    """Draw below each of the bounds from a row of streams, with `few` or with `draw`."""
    for i in range(len(bounds)):
        if few:
            out[i] = streams.few(rows, row, bounds[i])
        else:
            out[i] = streams.draw(rows, row, bounds[i])


@entry
def policy_streams(rows, seed, game, deal, seats):
    """Start the policy streams of a deal of four or of two."""
    if seats == 4:
        streams.open_policy_streams(rows, seed, game, deal)
    else:
        streams.open_two_policy_streams(rows, seed, game, deal)


@entry
def deals(seed, start, stop, deal, size, hands, turned):
    """Deal games start … stop-1: hands [games, 4], turned [games]."""
    for i in range(stop - start):
        turned[i] = dealing.deal_four(hands[i], seed, start + i, deal, size)


@entry
def packets(seed, start, deal, hands, out):
    """Draw from each hand the three cards that its owner saw first; the games start at `start`."""
    for i in range(len(hands)):
        out[i] = dealing.packet(hands[i], seed, start + i, deal)


@entry
def subsets(keys, mask, m, k, out):
    """Draw with each key k of the m cards of `mask`."""
    for i in range(len(keys)):
        out[i] = dealing.subset(mask, m, k, keys[i], 1)


@entry
def first_dealers(seed, start, stop, rule, out):
    """Draw the first dealers of the games start … stop-1."""
    for i in range(stop - start):
        out[i] = dealing.first_dealer(seed, start + i, rule)


@entry
def tabulate(piles, counts):
    """Count how often each of the piles [piles, deals] holds each card: counts [piles, 36]."""
    for pile in range(len(piles)):
        for i in range(piles.shape[1]):
            cards = piles[pile, i]
            while cards:
                counts[pile, bits.first_index(cards)] += np.int64(1)
                cards &= cards - 1


@entry
def tabulate_pairs(piles, counts):
    """Count how often the cards a > b lie in one pile: counts [36, 36], at [a, b]."""
    for pile in range(len(piles)):
        for i in range(piles.shape[1]):
            cards = piles[pile, i]
            while cards:
                lower = cards & (cards - 1)
                first = bits.first_index(cards)
                cards = lower
                while lower:
                    counts[bits.first_index(lower), first] += np.int64(1)
                    lower &= lower - 1


@entry
def list_plays(cards, lead, trump, must_trump, plays, laid, indices):
    """List the legal plays of `cards` to a lead (-1: to lead), each with its card and its index.

    The card comes from choosing by index and once more from the play, which is to be the same: laid
    [2, plays]. Answers the number of plays.
    """
    declarations = trick.LED_DECLARATIONS
    base = np.int64(0)
    legal = cards & trick.PLAIN
    if lead >= 0:
        declarations = trick.REPLIED_DECLARATIONS
        base = np.int64(trick.REPLY_BASE)
        high = trick.led_high(lead)
        duty = trick.duty_mask(must_trump, trump, high)
        legal = trick.follow_mask(cards, trick.MASKS[trick.led_suit(lead)], duty, high)
    jokers = cards & trick.JOKERS
    n = trick.n_choices(legal, jokers, declarations)
    for i in range(n):
        laid[0, i] = trick.chosen_bit(legal, jokers, i)
        plays[i] = trick.chosen_play(legal, laid[0, i], i, base)
        laid[1, i] = trick.card_of_play(plays[i], cards)
        indices[i] = trick.index_of_play(legal, plays[i], base)
    return n


@entry
def takers(tricks, trumps, joker_beats_cut, out):
    """Take each of the tricks [n, 4] of plays: the taker's position."""
    for i in range(len(tricks)):
        lead = tricks[i, 0]
        led = trick.led_suit(lead)
        row = trick.strength_row(joker_beats_cut, trumps[i], led, trick.led_high(lead))
        best = trick.strength(row, lead)
        out[i] = 0
        for position in range(1, 4):
            strength = trick.strength(row, tricks[i, position])
            if strength >= best:
                best = strength
                out[i] = position


@entry
def shown(may_hold, play, lead, trump, must_trump):
    """What a seat may still hold after its reply to a lead."""
    high = trick.led_high(lead)
    duty = trick.duty_mask(must_trump, trump, high)
    return trick.may_hold_after(may_hold, play, trick.MASKS[trick.led_suit(lead)], duty, high)


@entry
def score_game(views, numbers, bids, taken, scores, premium, erased, totals):
    """Score a game whose bids and tricks are given: everything [deals, 4] but the totals."""
    view = views[0]
    table.begin_game(view, numbers)
    for deal in range(len(numbers.sizes)):
        table.begin_deal(view, numbers, deal & 3, np.int64(-1))
        for seat in range(4):
            view.bids[seat] = bids[deal, seat]
            view.taken[seat] = taken[deal, seat]
        table.end_deal(view, numbers, scores[deal], premium[deal], erased[deal])
    for seat in range(4):
        totals[seat] = view.totals[seat]


@entry
def rank_all(totals, ranks):
    """Rank each row of totals."""
    for i in range(len(totals)):
        scoring.rank(totals[i], ranks[i])


@entry
def finish(views, hands, policies, streams, tracked):
    """Bid and play what is left of a deal, noting no cards."""
    none = np.empty(0, np.int8)
    columns = game.PlayColumns(none, none, none, none)
    game.finish_deal(views[0], hands, policies, streams, tracked, columns, 0)


@entry
def decisions(views, hands, rows, seed, policy, kind, out):
    """Ask a policy again and again for the decision due, as in many games of a run."""
    view = views[0]
    for i in range(len(out)):
        streams.open_policy_streams(rows, seed, i, view.deal)
        if kind == CHOOSE_TRUMP:
            out[i] = game.decide_trump(view, hands, seed, i, policy, rows)
        elif kind == BID:
            out[i] = game.decide_bid(view, hands, policy, rows)
        else:
            out[i], _ = game.decide_play(view, hands, policy, rows)
