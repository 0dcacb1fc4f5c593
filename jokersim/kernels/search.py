"""The policy `search` at a table of four: rolls out every choice in worlds that may be the case.

Worlds are drawn evenly among those that agree with what was shown, then picked by how well the
others' bids suit their hands there. In each, every choice is played out with a rollout policy at
all seats; the one with the most points on average is taken, what the premium and erasure are worth
included. It is a race: after so many worlds for every choice the better ones go on, the last ones
through `STRETCH` times as many as asked for. Where the worlds are few, all are taken.

Asked by address (see `policies.native`), so that nothing of it is compiled where it does not play.
Integers only. Draws from the seat's own stream of worlds, which nothing else uses.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from jokersim.cards import JOKER_PLAY
from jokersim.kernels import deal as table
from jokersim.kernels import game as games
from jokersim.kernels import streams as st
from jokersim.kernels import trick, worlds
from jokersim.kernels.bits import first_index, popcount
from jokersim.kernels.jit import JIT_DISABLED, entry, kernel, leaf
from jokersim.kernels.odds import copy_state
from jokersim.kernels.policies.native import record_at
from jokersim.kernels.scoring import close_pulka
from jokersim.kernels.state import (
    BID,
    CHOOSE_TRUMP,
    FOUR_VIEW,
    N_SEATS,
    NOT_YET,
    PLAY,
    new_views,
)

SETTINGS = np.dtype(
    [
        ("worlds", np.int64),
        ("rollout", np.int64),
        ("tries", np.int64),
        ("margin", np.int64),
        ("suits", np.int64, (10,)),
    ],
    align=True,
)
"""What a search is told. By field:

- worlds: in how many worlds choices are played out on average, more or less
- rollout: number, for kernels, of the policy that plays out at all seats; it draws nothing
- tries: so many times `worlds` are looked at, to be picked from by the others' bids
- margin: points by which a choice must beat what the rollout policy would do
- suits: how well a bid suits a hand for which the rollout policy bids so much more or less
"""

settings_at = record_at(SETTINGS)

MAX_CHOICES = 32
STRETCH = 3
"""The choices that are left at the end are played out in so many times the worlds asked for."""
# Coprime to all numbers of worlds that there may be, one of them.
_STEPS = (37, 41, 43)
# Chance, in 4096ths, to make all of so many more bids.
_KEEPS = np.array([round(4096 * 0.68**n) for n in range(65)], dtype=np.int64)
# What the best score of a pulka is taken to become if it is not better yet.
_USUAL_BEST = np.int64(300)

if JIT_DISABLED:

    def _scratch():
        """Allocate two views to play out in."""
        return new_views(FOUR_VIEW, 2)

else:

    @leaf
    def _scratch():
        """Allocate two views to play out in."""
        return np.empty(2, FOUR_VIEW)


@kernel
def copy_rest(to, source):
    """Copy what stays the same within a deal."""
    to.deal = source.deal
    to.n_deals = source.n_deals
    to.pulka = source.pulka
    to.pulka_first = source.pulka_first
    to.pulka_last = source.pulka_last
    to.size = source.size
    to.dealer = source.dealer
    to.turned = source.turned
    to.hook = source.hook
    to.must_trump = source.must_trump
    to.joker_beats_cut = source.joker_beats_cut
    to.premium = source.premium
    to.premium_exclude_last = source.premium_exclude_last
    to.erase = source.erase
    to.erase_exclude_last = source.erase_exclude_last
    for seat in range(N_SEATS):
        to.totals[seat] = source.totals[seat]
        to.made[seat] = source.made[seat]
        to.best[seat] = source.best[seat]
    size = source.size
    for bid in range(size + 1):
        for taken in range(size + 1):
            to.score[size, bid, taken] = source.score[size, bid, taken]


@kernel
def _prospect(view, seat, points):
    """What the premium is worth, in points, to a seat that has just made a bid within a pulka."""
    if not view.premium or not view.made[seat] or view.bids[seat] != view.taken[seat]:
        return np.int64(0)
    best = max(view.best[seat], points, _USUAL_BEST)
    return (best * _KEEPS[min(view.pulka_last - view.deal, 64)]) >> 12


@kernel
def _value(view, seat, memory):
    """Points of a seat for a deal played out, and what they are worth in the pulka."""
    size = view.size
    points = view.score[size, view.bids[seat], view.taken[seat]]
    if view.deal < view.pulka_last:
        return points + _prospect(view, seat, points)
    made, best = memory.made, memory.best
    for other in range(N_SEATS):
        bid = view.bids[other]
        taken = view.taken[other]
        made[other] = view.made[other] & np.int64(bid == taken)
        best[other] = max(view.best[other], view.score[size, bid, taken])
    close_pulka(made, best, view.best, view, memory.premium, memory.erased)
    return points + memory.premium[seat] - memory.erased[seat]


@leaf
def _apply(view, hands, choice):
    """Carry out a choice of the seat whose turn it is."""
    if view.kind == PLAY:
        table.make_play(view, hands, choice, trick.card_of_play(choice, hands[view.turn]))
    elif view.kind == BID:
        table.make_bid(view, choice)
    else:
        table.name_trump(view, choice)


@kernel
def _suits_bids(asked, view, hands, policies, streams, by_gap):
    """How well the others' bids suit their hands in a world: a product over the seats."""
    for seat in range(N_SEATS):
        asked.bids[seat] = NOT_YET
    weight = np.int64(1)
    for k in range(1, N_SEATS + 1):
        seat = (view.dealer + k) & 3
        bid = view.bids[seat]
        if bid < 0:
            break
        if seat != view.turn:
            asked.turn = seat
            left = hands[seat]
            hands[seat] = left | view.laid[seat]
            own = games.decide_bid(asked, hands, policies[seat], streams)
            hands[seat] = left
            weight *= by_gap[abs(own - bid)]
        asked.bids[seat] = bid
    return weight


@leaf
def _n_said(view):
    """How many others have bid."""
    said = np.int64(0)
    for seat in range(N_SEATS):
        said += np.int64((view.bids[seat] >= 0) & (seat != view.turn))
    return said


@kernel
def find_worlds(view, stream, settings, memory):
    """Fill the numbers of the worlds to play in, and how much each counts: how many."""
    space, numbers, counts, weights = memory.space, memory.numbers, memory.counts, memory.weights
    total = worlds.survey_view(space, view, view.hand, memory.may_hold, memory.needs)
    said = _n_said(view)
    wanted = settings.worlds * STRETCH
    tries = max(settings.worlds * settings.tries, wanted) if said > 0 else wanted
    every = total <= tries
    if every:
        tries = total
    asked = memory.views[1]
    for i in range(tries):
        number = np.int64(i)
        if not every:
            number = worlds.draw_number(st.word(stream, i + 1), total)
        numbers[i] = number
        weight = np.int64(1)
        if said > 0:
            worlds.fill_world(space, number, memory.hands)
            weight = _suits_bids(
                asked, view, memory.hands, memory.policies, memory.streams, settings.suits
            )
        weights[i] = weight
    if tries > wanted:
        return pick(stream, wanted, tries, numbers, counts, weights)
    for i in range(tries):
        counts[i] = weights[i]
    return tries


@kernel
def pick(stream, n, tries, numbers, counts, weights):
    """Pick n of the worlds by weight, from a drawn start on in equal steps: how many differ."""
    total = np.int64(0)
    for i in range(tries):
        total += weights[i]
    start = worlds.draw_number(st.word(stream, 0), total)
    picked = np.int64(0)
    upto = np.int64(0)
    last = np.int64(-1)
    i = np.int64(0)
    for k in range(n):
        target = (start + k * total) // n
        while upto + weights[i] <= target:
            upto += weights[i]
            i += 1
        if i == last:
            counts[picked - 1] += 1
        else:
            last = i
            numbers[picked] = numbers[i]
            counts[picked] = 1
            picked += 1
    return picked


class Memory(NamedTuple):
    """What one decision works in.

    Who allocates it must pass it on: a view lives only as long as somebody holds its array.
    """

    views: np.ndarray
    """Two: one to play out in, one to ask for bids in."""
    space: worlds.Space
    numbers: np.ndarray
    counts: np.ndarray
    weights: np.ndarray
    """Worlds by number, how much each counts, how well it suits the bids, int64 [tries]."""
    sums: np.ndarray
    """Points by choice, int64 [choices]."""
    hands: np.ndarray
    here: np.ndarray
    """Hands of a world, and while it is played out, int64 [4]."""
    policies: np.ndarray
    streams: np.ndarray
    """Who plays out, and streams from which nobody draws."""
    columns: games.PlayColumns
    may_hold: np.ndarray
    needs: np.ndarray
    made: np.ndarray
    best: np.ndarray
    premium: np.ndarray
    erased: np.ndarray


@kernel
def new_memory(settings):
    """Allocate what one decision works in."""
    nothing = np.empty(0, np.int8)
    n_tries = settings.worlds * max(settings.tries, STRETCH)
    return Memory(
        _scratch(),
        worlds.Space(
            np.empty(8, np.int64),
            np.empty(worlds.N_NUMBERS, np.int64),
            np.empty((worlds.MAX_ROWS, worlds.N_COLUMNS), np.int64),
            np.empty(worlds.MAX_ROWS, np.int64),
        ),
        np.empty(n_tries, np.int64),
        np.empty(n_tries, np.int64),
        np.empty(n_tries, np.int64),
        np.zeros(MAX_CHOICES, np.int64),
        np.zeros(N_SEATS, np.int64),
        np.zeros(N_SEATS, np.int64),
        np.full(N_SEATS, settings.rollout),
        np.zeros((N_SEATS, st.N_COLUMNS), np.uint64),
        games.PlayColumns(nothing, nothing, nothing, nothing),
        np.zeros(3, np.int64),
        np.zeros(3, np.int64),
        np.zeros(N_SEATS, np.int64),
        np.zeros(N_SEATS, np.int64),
        np.zeros(N_SEATS, np.int64),
        np.zeros(N_SEATS, np.int64),
    )


@kernel
def _best(view, key, settings, choices, n):
    """The best of n choices of the seat that looks."""
    if n == 1:
        return choices[0]
    return _judge(view, key, settings, choices, n, new_memory(settings))


@kernel
def _judge(view, key, settings, choices, n, memory):
    """Play the choices out in the worlds; those that fall behind are dropped, the order changes."""
    seat = view.turn
    hands, here, counts, sums = memory.hands, memory.here, memory.counts, memory.sums
    for i in range(2):
        copy_rest(memory.views[i], view)
        copy_state(memory.views[i], view)
    memory.views[1].kind = BID
    stream, _ = st.philox(key, popcount(view.played) * 8 + view.kind, 0, st.WORLDS)
    n_worlds = find_worlds(view, stream, settings, memory)
    played = memory.views[0]
    alive = n
    weight = np.int64(0)
    step = stride(n_worlds)
    for turn in range(n_worlds):
        i = turn * step % n_worlds
        rest = worlds.fill_world(memory.space, memory.numbers[i], hands)
        # The chooser of trump has six cards to come, which are what nobody else has.
        hands[seat] = view.hand | rest if view.kind == CHOOSE_TRUMP else view.hand
        weight += counts[i]
        for c in range(alive):
            copy_state(played, view)
            for other in range(N_SEATS):
                here[other] = hands[other]
            _apply(played, here, choices[c])
            games.finish_deal(
                played, here, memory.policies, memory.streams, True, memory.columns, 0
            )
            sums[c] += counts[i] * _value(played, seat, memory)
        alive = drop_worse(choices, sums, alive, turn + 1, settings.worlds)
    best = first_best(choices, sums, alive)
    if view.kind == CHOOSE_TRUMP:
        return best
    usual = _usual(view, settings, memory)
    if view.kind == PLAY and usual < JOKER_PLAY:
        # The highest of its equals is what was played out.
        equals = without_equals(view, trick.MASKS[usual // 9] & view.hand) & -(np.int64(1) << usual)
        usual = first_index(equals)
    return _usual_unless_worse(choices, sums, alive, usual, best, settings.margin * weight)


@kernel
def _usual(view, settings, memory):
    """What the rollout policy would do: it is told no other hand."""
    played = memory.views[0]
    copy_state(played, view)
    for seat in range(N_SEATS):
        memory.here[seat] = 0
    memory.here[view.turn] = view.hand
    if view.kind == BID:
        return games.decide_bid(played, memory.here, settings.rollout, memory.streams)
    play, _ = games.decide_play(played, memory.here, settings.rollout, memory.streams)
    return play


@leaf
def stride(n):
    """A step that leads through all of n numbers, far from their order."""
    for step in _STEPS:
        if n % step:
            return np.int64(step)
    return np.int64(1)


@kernel
def drop_worse(choices, sums, n, done, worlds_asked):
    """After half of the worlds asked for and all of them, keep the better half: how many.

    Of two none is dropped: the race is between them.
    """
    first = max(worlds_asked >> 1, 8)
    if n <= 2 or (done != first and done != 2 * first):
        return n
    kept = max((n + 1) >> 1, 2)
    for i in range(kept):
        best = i
        for j in range(i + 1, n):
            better = sums[j] > sums[best] or (sums[j] == sums[best] and choices[j] < choices[best])
            best = j if better else best
        choices[i], choices[best] = choices[best], choices[i]
        sums[i], sums[best] = sums[best], sums[i]
    return kept


@leaf
def _usual_unless_worse(choices, sums, n, usual, best, margin):
    """The usual choice, unless it was dropped or the best is worth more by the margin."""
    most = np.int64(0)
    for c in range(n):
        most = sums[c] if choices[c] == best else most
    for c in range(n):
        if choices[c] == usual and most - sums[c] <= margin:
            return usual
    return best


@leaf
def first_best(choices, sums, n):
    """The choice of the highest sum, of equals the first in the order of records."""
    best = np.int64(0)
    for c in range(1, n):
        better = sums[c] > sums[best] or (sums[c] == sums[best] and choices[c] < choices[best])
        best = c if better else best
    return choices[best]


@kernel
def without_equals(view, legal):
    """Leave out of legal plain cards those equal to a higher one: no card in play lies between."""
    between = table.DECK & ~view.hand & ~view.played
    for seat in range(N_SEATS):
        if view.plays[seat] != NOT_YET and view.plays[seat] < JOKER_PLAY:
            between |= np.int64(1) << view.plays[seat]
    if view.turned >= 0:
        between &= ~(np.int64(1) << view.turned)
    kept = np.int64(0)
    for suit in range(4):
        cards = legal & trick.MASKS[suit]
        while cards:
            bit = cards & -cards
            cards ^= bit
            up = cards & -cards
            if not up or between & (up - (bit << 1)):
                kept |= bit
    return kept


@leaf
def list_bits(choices, mask):
    """List the indices of a mask's bits: how many."""
    n = np.int64(0)
    while mask:
        choices[n] = first_index(mask)
        mask &= mask - 1
        n += 1
    return n


@entry
def choose_by(view, legal, key, data):
    """Choose a trump, a bid or a play; as `policies.native` calls it.

    One function for all, since most of what it compiles is the playing out.
    """
    choices = np.empty(MAX_CHOICES, np.int64)
    n = list_bits(choices, without_equals(view, legal) if view.kind == PLAY else legal)
    if view.kind == PLAY and view.hand & trick.JOKERS:
        leads = view.position == 0
        first = 0 if leads else trick.REPLY_BASE
        for i in range(trick.LED_DECLARATIONS if leads else trick.REPLIED_DECLARATIONS):
            choices[n] = JOKER_PLAY + first + i
            n += 1
    return _best(view, key, settings_at(data), choices, n)
