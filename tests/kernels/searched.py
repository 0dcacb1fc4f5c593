"""Entry points that lead the tests to the worlds of `search`."""

from __future__ import annotations

import numpy as np

from jokersim.kernels import belief as beliefs
from jokersim.kernels import past as pasts
from jokersim.kernels import race, rollout, search_two, worlds
from jokersim.kernels import streams as st
from jokersim.kernels.jit import entry
from jokersim.kernels.state import CHOOSE_TRUMP


@entry
def worlds_of(views, hand, key, settings, hands, counts):
    """Fill hands [n, 4] and counts with the worlds that the seat whose turn it is plays in.

    Answers how many, and whether the others' play was foreseen.
    """
    view = views[0]
    view.seat = view.turn
    view.hand = hand
    belief = beliefs.new_belief(len(counts))
    stream, _ = st.philox(key, 0, 0, st.WORLDS)
    n = beliefs.survey(belief, view, stream, settings[0])
    for i in range(n):
        counts[i], _ = beliefs.next_world(belief, i, view, stream, settings[0], hands[i])
        hands[i, view.turn] = hand
    return n, beliefs.are_foreseen(belief, settings[0])


@entry
def bits_of(views, hands, settings, bits):
    """Fill bits [4] with what the hands cost their seats: how often the others decided."""
    past = pasts.new_past()
    n = pasts.recall(past[0], views[0])
    for seat in range(4):
        bits[seat] = pasts.cost_of(past[0], seat, hands[seat], np.int64(1 << 30), settings[0])
    return n


@entry
def bits_within(views, seat, hands, limits, settings, bits):
    """Fill bits with what hands of a seat cost, asked one after the other, each up to its limit."""
    past = pasts.new_past()
    pasts.recall(past[0], views[0])
    for i in range(len(hands)):
        bits[i] = pasts.cost_of(past[0], seat, hands[i], limits[i], settings[0])


@entry
def finish(views, hands, policy):
    """Play what is left of a deal as a rollout does."""
    rollout.finish_deal(views[0], hands, policy)


@entry
def dropped(choices, sums, worths, done, spread, worlds_asked):
    """Drop the worse choices, which stand in the rows of worths in their order: how many stay."""
    racing = race.Race(choices, sums, np.arange(len(choices)), worths)
    return race.drop_worse(racing, len(choices), done, spread, worlds_asked)


@entry
def repeats(views, hand, key, settings, hands, repeated):
    """Fill hands [n, 4] with worlds and repeated with whether each is said to be one of before."""
    view = views[0]
    view.seat = view.turn
    view.hand = hand
    belief = beliefs.new_belief(len(repeated))
    stream, _ = st.philox(key, 0, 0, st.WORLDS)
    n = beliefs.survey(belief, view, stream, settings[0])
    for i in range(n):
        beliefs.next_world(belief, i, view, stream, settings[0], hands[i])
        repeated[i] = beliefs.is_repeated(belief, i)
    return n


@entry
def bits_of_all(space, views, hand, settings, hands, bits):
    """Fill hands [total, 4] with all worlds and bits with what they cost: the total."""
    view = views[0]
    view.hand = hand
    past = pasts.new_past()
    pasts.recall(past[0], view)
    total = worlds.survey_view(space, view, hand, np.zeros(3, np.int64), np.zeros(3, np.int64))
    for i in range(min(total, len(bits))):
        worlds.fill_world(space, i, hands[i])
        hands[i, view.turn] = hand
        bits[i] = 0
        for k in range(1, 4):
            seat = (view.turn + k) & 3
            bits[i] += pasts.cost_of(past[0], seat, hands[i, seat], np.int64(1 << 30), settings[0])
    return total


@entry
def worlds_of_two(views, hand, key, settings, hands, downs):
    """Fill hands [n, 2] and downs [n, 2, 5] with drawn worlds of the seat whose turn it is."""
    view = views[0]
    view.seat = view.turn
    view.hand = hand
    memory = search_two.new_memory(settings[0], np.empty(0, np.int64))
    total = np.int64(0)
    if view.kind != CHOOSE_TRUMP:
        total = worlds.survey_two(view, hand, view.turn)
    stream, _ = st.philox(key, 0, 0, st.WORLDS)
    for i in range(len(hands)):
        search_two.draw_world(view, stream, i, total, False, memory)
        for seat in range(2):
            hands[i, seat] = memory.hands[0, seat]
            for place in range(5):
                downs[i, seat, place] = memory.down[0, seat, place]
