"""One deal and one game at a table of four, decision by decision and run to the end.

The same steps (`begin_deal`, `name_trump`, `make_bid`, `make_play`, `end_deal`) serve the
simulation, a table that a person steps through, replay of records, and rollouts from any decision
on. A `view` is one record of `state.FOUR_VIEW`; `hands` int64 [4]; `streams` uint64 [4, 4], a row a
seat.
"""

from __future__ import annotations

import numpy as np

from jokersim.cards import NO_TRUMP
from jokersim.kernels import trick
from jokersim.kernels.dealing import DECK
from jokersim.kernels.jit import kernel, leaf
from jokersim.kernels.scoring import close_pulka
from jokersim.kernels.state import (
    BID,
    CHOOSE_TRUMP,
    LINE_BITS,
    MAX_SIZE,
    N_SEATS,
    NO_DECISION,
    NOT_YET,
    PLAY,
)


@kernel
def begin_game(view, numbers):
    """Write what stays the same for a whole game, and the state before its first deal."""
    view.n_deals = len(numbers.sizes)
    view.hook = numbers.hook
    view.must_trump = numbers.must_trump
    view.joker_beats_cut = numbers.joker_beats_cut
    view.premium = numbers.premium
    view.premium_exclude_last = numbers.premium_exclude_last
    view.erase = numbers.erase
    view.erase_exclude_last = numbers.erase_exclude_last
    # Cell by cell: assigning arrays as a whole compiles seconds of code for errors of shape.
    score = view.score
    for size in range(MAX_SIZE + 1):
        for bid in range(MAX_SIZE + 1):
            for taken in range(MAX_SIZE + 1):
                score[size, bid, taken] = numbers.score[size, bid, taken]
    restart_game(view)


@leaf
def restart_game(view):
    """Go back to the state before the first deal of a game of the same rule set."""
    view.deal = NOT_YET
    view.kind = NO_DECISION
    for seat in range(N_SEATS):
        view.totals[seat] = 0


@leaf
def turned_trump(turned):
    """Trump that a turned card makes."""
    return NO_TRUMP if (np.int64(1) << turned) & trick.JOKERS else turned // 9


@leaf
def begin_deal(view, numbers, dealer, turned):
    """Start the next deal: `turned` a card id, or -1 at nine cards, where the chooser decides."""
    deal = view.deal + 1
    view.deal = deal
    view.size = numbers.sizes[deal]
    view.pulka = numbers.pulka[deal]
    view.pulka_first = numbers.pulka_first[deal]
    view.pulka_last = numbers.pulka_last[deal]
    if deal == view.pulka_first:
        for seat in range(N_SEATS):
            view.made[seat] = 1
            view.best[seat] = 0
    lay_out(view, dealer, turned)


@leaf
def lay_out(view, dealer, turned):
    """Write the state of a deal before its first decision; which deal it is has been written."""
    view.dealer = dealer
    view.turned = turned
    view.played = 0
    view.trick = 0
    view.position = 0
    view.led = NOT_YET
    view.high = 0
    left = (dealer + 1) & 3
    view.leader = left
    view.turn = left
    shown = np.int64(0) if turned < 0 else np.int64(1) << turned
    for seat in range(N_SEATS):
        view.bids[seat] = NOT_YET
        view.taken[seat] = 0
        view.plays[seat] = NOT_YET
        view.laid[seat] = 0
        view.line[seat] = 0
        view.may_hold[seat] = DECK & ~shown
    if turned < 0:
        view.trump = NOT_YET
        view.kind = CHOOSE_TRUMP
    else:
        view.trump = turned_trump(turned)
        view.kind = BID


@leaf
def name_trump(view, trump):
    """The chooser names trump."""
    view.trump = trump
    view.kind = BID


@leaf
def bid_mask(size, hooked, said):
    """Bids that may be made, as a mask of numbers; `hooked`: 1 if the sum may not be `size`."""
    legal = (np.int64(1) << (size + 1)) - 1
    if hooked and said <= size:
        legal ^= np.int64(1) << (size - said)
    return legal


@leaf
def legal_bids(view):
    """Bids that the seat whose turn it is may make, as a mask of numbers."""
    said = np.int64(0)
    for seat in range(N_SEATS):
        said += max(view.bids[seat], np.int64(0))
    return bid_mask(view.size, view.hook & np.int64(view.turn == view.dealer), said)


@leaf
def make_bid(view, bid):
    """The seat whose turn it is bids."""
    seat = view.turn
    view.bids[seat] = bid
    view.turn = (seat + 1) & 3
    if seat == view.dealer:
        view.kind = PLAY


@leaf
def legal_cards(view, cards):
    """Legal plain cards of the seat whose turn it is, holding `cards`; jokers are legal besides."""
    if view.position == 0:
        return cards & trick.PLAIN
    duty = trick.duty_mask(view.must_trump, view.trump, view.high)
    return trick.follow_mask(cards, trick.MASKS[view.led], duty, view.high)


@leaf
def note_lead(view, led, high, row):
    """Write what a lead decides for its trick, and clear the plays of the trick before."""
    view.led = led
    view.high = high
    view.row = row
    for seat in range(N_SEATS):
        view.plays[seat] = NOT_YET


@leaf
def note_shown(view, seat, play, led_mask, duty, high):
    """Write what a reply shows of the seat's hand."""
    view.may_hold[seat] = trick.may_hold_after(view.may_hold[seat], play, led_mask, duty, high)


@leaf
def note_play(view, seat, play, bit, position, winner, strength):
    """Write a play, how many cards now lie in the trick, and who takes it as it stands."""
    view.plays[seat] = play
    view.played |= bit
    view.laid[seat] |= bit
    view.line[seat] |= play << (LINE_BITS * view.trick)
    view.position = position
    view.turn = (seat + 1) & 3
    view.winner = winner
    view.strength = strength


@leaf
def note_trick(view, winner, number):
    """Write that a trick is complete: its taker leads the next, if there is one."""
    view.trick = number
    view.leader = winner
    view.turn = winner
    view.position = 0
    view.led = NOT_YET
    view.high = 0


@leaf
def make_play(view, hands, play, bit):
    """The seat whose turn it is plays; `bit` is the card. Closes the trick after the fourth."""
    seat = view.turn
    hands[seat] ^= bit
    position = view.position
    if position == 0:
        led = trick.led_suit(play)
        high = trick.led_high(play)
        row = trick.strength_row(view.joker_beats_cut, view.trump, led, high)
        note_lead(view, led, high, row)
        winner = seat
        best = trick.strength(row, play)
    else:
        strength = trick.strength(view.row, play)
        takes = strength >= view.strength
        winner = seat if takes else view.winner
        best = strength if takes else view.strength
        duty = trick.duty_mask(view.must_trump, view.trump, view.high)
        note_shown(view, seat, play, trick.MASKS[view.led], duty, view.high)
    note_play(view, seat, play, bit, position + 1, winner, best)
    if position == N_SEATS - 1:
        view.taken[winner] += 1
        note_trick(view, winner, view.trick + 1)
        if view.trick == view.size:
            view.kind = NO_DECISION


@leaf
def make_choice(view, hands, choice):
    """Carry out a choice of the seat whose turn it is, whatever its kind."""
    if view.kind == PLAY:
        make_play(view, hands, choice, trick.card_of_play(choice, hands[view.turn]))
    elif view.kind == BID:
        make_bid(view, choice)
    else:
        name_trump(view, choice)


@kernel
def end_deal(view, numbers, scores, premium, erased):
    """Score the deal, and a pulka with its last: fill the arrays by seat, add to the totals."""
    last = view.deal == view.pulka_last
    best_before = (view.best[0], view.best[1], view.best[2], view.best[3])
    for seat in range(N_SEATS):
        bid = view.bids[seat]
        taken = view.taken[seat]
        points = numbers.score[view.size, bid, taken]
        scores[seat] = points
        premium[seat] = 0
        erased[seat] = 0
        view.totals[seat] += points
        view.made[seat] &= np.int64(bid == taken)
        view.best[seat] = max(view.best[seat], points)
    if last:
        close_pulka(view.made, view.best, best_before, numbers, premium, erased)
        for seat in range(N_SEATS):
            view.totals[seat] += premium[seat] - erased[seat]
