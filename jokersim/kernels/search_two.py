"""The policy `search` at a table of two: rolls out every choice in worlds that may be the case.

As `search` for four, with these differences: hidden are the other's hand and every covered card (to
a declarer who names trump all but his three cards); worlds are drawn evenly; and what counts at a
deal's end is the chance to win the party from there, times the stake, by the table of `stakes`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from jokersim.kernels import odds_two, parties, party, race, search, trick, worlds
from jokersim.kernels import streams as st
from jokersim.kernels.bits import popcount
from jokersim.kernels.jit import JIT_DISABLED, entry, kernel, leaf
from jokersim.kernels.policies import stakes
from jokersim.kernels.state import (
    CHOOSE_TRUMP,
    DAVI,
    N_PLACES,
    N_PLAYERS,
    PLAY,
    TWO_VIEW,
    new_views,
)

# A chance to win weighs so much more than a point, which is there to part equal chances.
_SCALE = np.int64(64)
# Before the worlds tell, two choices are taken to differ by an eighth of the stake in a world.
_SPREAD_SHIFT = 3


class Memory(NamedTuple):
    """What one decision works in; whoever allocates it must pass it on, see `search`."""

    views: np.ndarray
    hands: np.ndarray
    """int64 [2, 2]: of the world, and while it is played out"""
    up: np.ndarray
    down: np.ndarray
    """int64 [2, 2, 5] likewise"""
    policies: np.ndarray
    streams: np.ndarray
    keys: np.ndarray
    racing: race.Race
    credit: np.ndarray


if JIT_DISABLED:

    def _scratch():
        """Allocate a view to play out in."""
        return new_views(TWO_VIEW)

else:

    @leaf
    def _scratch():
        """Allocate a view to play out in."""
        return np.empty(1, TWO_VIEW)


@leaf
def _copy_party(to, source):
    """Copy what stays the same within a party."""
    to.target = source.target
    to.rotation = source.rotation
    to.table_open = source.table_open
    to.must_trump = source.must_trump
    to.davi_cap = source.davi_cap


@leaf
def _copy_state(to, source):
    """Copy what changes within a deal."""
    odds_two.copy_deal(to, source)
    to.deal = source.deal
    to.multiplier = source.multiplier
    to.last_offer = source.last_offer
    to.declined_by = source.declined_by


@leaf
def _value(view, seat, credit):
    """Worth of a deal played out to a seat: its chance to win, times the stake, then its points."""
    other = 1 - seat
    if view.declined_by >= 0:
        won = np.int64(-stakes.ONE if view.declined_by == seat else stakes.ONE)
        return _SCALE * view.multiplier * won
    party.end_deal(view, credit)
    chance = stakes.race(view.target - view.points[seat], view.target - view.points[other])
    gap = credit[seat] - credit[other]
    return _SCALE * view.multiplier * (2 * chance - stakes.ONE) + gap


@leaf
def _apply(view, hands, down, up, choice):
    """Carry out a choice of the seat whose turn it is."""
    if view.kind == PLAY:
        bit = party.card_of_play(view, hands[view.turn], choice)
        party.make_play(view, hands, down, choice, bit)
    elif view.kind == DAVI:
        party.make_davi(view, choice)
    else:
        party.name_trump(view, choice, up)


@kernel
def new_memory(settings, choices):
    """Allocate what one decision between some choices works in."""
    return Memory(
        _scratch(),
        np.zeros((2, N_PLAYERS), np.int64),
        np.zeros((N_PLAYERS, N_PLACES), np.int64),
        np.zeros((2, N_PLAYERS, N_PLACES), np.int64),
        np.full(N_PLAYERS, settings.rollout),
        np.zeros((N_PLAYERS, st.N_COLUMNS), np.uint64),
        np.zeros(3, np.uint64),
        race.new_race(choices, settings.worlds * settings.stretch),
        np.zeros(N_PLAYERS, np.int64),
    )


@kernel
def _best(view, key, settings, choices, n):
    """The best of n choices of the seat that looks."""
    if n == 1:
        return choices[0]
    return _judge(view, key, settings, n, new_memory(settings, choices))


@kernel
def draw_world(view, stream, i, total, every, memory):
    """Write the i-th world into the first half of the memory's hands and covered cards."""
    hands, down, keys = memory.hands[0], memory.down[0], memory.keys
    if view.kind == CHOOSE_TRUMP:
        for k in range(3):
            keys[k] = st.word(stream, 3 * i + k + 1)
        odds_two.deal_after_packet(view.hand, view.turn, keys, hands, memory.up, down)
        return
    number = np.int64(i)
    if not every:
        number = worlds.draw_number(st.word(stream, i + 1), total)
    worlds.fill_world_two(view, view.hand, view.turn, number, hands, down)


@kernel
def _judge(view, key, settings, n, memory):
    """As `search` does."""
    seat = view.turn
    played = memory.views[0]
    hands, down, racing = memory.hands[1], memory.down[1], memory.racing
    spread = (_SCALE * view.multiplier * stakes.ONE) >> _SPREAD_SHIFT
    chooses = view.kind == CHOOSE_TRUMP
    _copy_party(played, view)
    total = np.int64(0)
    if not chooses:
        total = worlds.survey_two(view, view.hand, seat)
    n_worlds = settings.worlds * settings.stretch
    every = not chooses and total <= n_worlds
    if every:
        n_worlds = total
    moment = (popcount(view.played) * 8 + view.multiplier) * 2 + view.offer_pending
    stream, _ = st.philox(key, moment * 8 + view.kind, 0, st.WORLDS)
    alive = n
    step = race.stride(n_worlds)
    for turn in range(n_worlds):
        i = turn * step % n_worlds
        draw_world(view, stream, i, total, every, memory)
        for c in range(alive):
            for player in range(N_PLAYERS):
                hands[player] = memory.hands[0, player]
                for place in range(N_PLACES):
                    down[player, place] = memory.down[0, player, place]
            _copy_state(played, view)
            _apply(played, hands, down, memory.up, racing.choices[c])
            parties.finish_deal(played, hands, down, memory.policies, memory.streams)
            race.note(racing, c, turn, _value(played, seat, memory.credit), 1)
        if not every:
            done = turn + 1
            alive = race.drop_worse(racing, alive, done, spread, settings.worlds)
            if race.is_over(racing, alive, done, settings.worlds):
                break
    return race.best_choice(racing, alive)


@entry
def choose_by(view, legal, key, data):
    """Choose a trump, a play or a davi action; as `policies.native` calls it."""
    choices = np.empty(race.MAX_CHOICES, np.int64)
    n = race.list_bits(choices, legal)
    if view.kind == PLAY:
        cards = party.usable_cards(view, view.hand)
        places = party.joker_places(view, view.hand, cards)
        base = party.play_base(view)
        for i in range(n, party.n_plays(view, legal, places)):
            choices[i] = trick.placed_play(legal, places, base, i)
        n = party.n_plays(view, legal, places)
    return _best(view, key, search.settings_at(data), choices, n)
