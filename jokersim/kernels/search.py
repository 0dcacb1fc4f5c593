"""The policy `search` at a table of four: rolls out every choice in worlds that may be the case.

In each world that `belief` finds, every choice is played out with a rollout policy at all seats;
the one of most worth on average is taken. It is a race: a choice that is behind by more than chance
explains is dropped, and those that stay close go through `stretch` times as many worlds as asked
for. What the others lose counts too, but only while they do what is foreseen of them:
where nobody can be led to fail, spoiling costs its owner more than it brings.

Asked by address (see `policies.native`), so that nothing of it is compiled where it does not play.
Integers only. Draws from the seat's own stream of worlds, which nothing else uses.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from jokersim.cards import JOKER_PLAY
from jokersim.kernels import belief as beliefs
from jokersim.kernels import deal as table
from jokersim.kernels import game as games
from jokersim.kernels import race, rollout, trick
from jokersim.kernels import streams as st
from jokersim.kernels.bits import first_index, popcount
from jokersim.kernels.jit import entry, kernel, leaf
from jokersim.kernels.odds import copy_state
from jokersim.kernels.past import copy_rest
from jokersim.kernels.policies.book_index import holds_top_trump
from jokersim.kernels.policies.native import one_of, record_at
from jokersim.kernels.rollout import NO_KEY
from jokersim.kernels.state import (
    BID,
    CHOOSE_TRUMP,
    N_SEATS,
    NOT_YET,
    PLAY,
    VIEW,
)
from jokersim.kernels.worth import SCALE, worth

SETTINGS = np.dtype(
    [
        ("worlds", np.int64),
        ("stretch", np.int64),
        ("rollout", np.int64),
        ("margin", np.int64),
        ("spread", np.int64),
        ("tries", np.int64),
        ("first_steps", np.int64),
        ("steps", np.int64),
        ("play_bits", np.int64),
        ("bid_bits", np.int64, (10,)),
        ("rivalry", np.int64),
        ("evidence", np.int64),
        ("doubt", np.int64),
    ],
    align=True,
)
"""What a search is told. By field:

- worlds: in how many worlds choices are played out on average, more or less
- stretch: in so many times that number the choices that are left at the end
- rollout: number, for kernels, of the policy that plays out at all seats; it draws nothing
- margin: points by which a choice must beat what the rollout policy would do
- spread: standard deviation, in points, of what one choice does better than another in a world,
  as taken before the worlds tell
- tries: worlds looked at for one to start a walk from
- first_steps, steps: of a walk to its first world, and from world to world
- play_bits, bid_bits: what a play costs that the rollout policy would not make with a hand, and a
  bid that is so much more or less than its own
- rivalry: what a point of another seat counts against a point of one's own, in hundredths, where
  the others do what is foreseen
- evidence, doubt: from how many of the others' decisions on that can be told; from how many bits
  on in the likeliest world they do not
"""

settings_at = record_at(SETTINGS)

DESK = np.dtype(
    [
        ("played", VIEW),
        ("hands", np.int64, (N_SEATS,)),
        ("played_hands", np.int64, (N_SEATS,)),
        ("pulka", np.int64, (4, N_SEATS)),
    ],
    align=True,
)
"""Where choices are played out. By field:

- played: the view of the deal that is played out
- hands, played_hands: of a world, and while it is played out
- pulka: memory of `worth`
"""

_new_desk = one_of(DESK)


class Memory(NamedTuple):
    """What one decision works in.

    Who allocates it must pass it on: a record lives only as long as somebody holds its array.
    """

    desk: np.ndarray
    """One record of `DESK`."""
    belief: beliefs.Belief
    racing: race.Race


@kernel
def new_memory(settings, choices):
    """Allocate what one decision between some choices works in."""
    return Memory(
        _new_desk(),
        beliefs.new_belief(settings.worlds * settings.stretch),
        race.new_race(choices, settings.worlds * settings.stretch),
    )


@kernel
def _best(view, key, settings, choices, n):
    """The best of n choices of the seat that looks."""
    if n == 1:
        return choices[0]
    return _judge(view, key, settings, n, new_memory(settings, choices))


@kernel
def _play_out(view, choice, rivalry, policy, desk):
    """Worth of a choice in the world of the hands on the desk."""
    played = desk.played
    here = desk.played_hands
    copy_state(played, view)
    for seat in range(N_SEATS):
        here[seat] = desk.hands[seat]
    table.make_choice(played, here, choice)
    rollout.finish_deal(played, here, policy)
    return worth(played, view.turn, rivalry, desk.pulka)


@kernel
def _judge(view, key, settings, n, memory):
    """Play the choices out in the worlds; those that fall behind are dropped."""
    belief, racing, desk = memory.belief, memory.racing, memory.desk[0]
    hands = desk.hands
    stream, _ = st.philox(key, popcount(view.played) * 8 + view.kind, 0, st.WORLDS)
    n_worlds = beliefs.survey(belief, view, stream, settings)
    rivalry = settings.rivalry if beliefs.are_foreseen(belief, settings) else np.int64(0)
    spread = SCALE * settings.spread
    copy_rest(desk.played, view)
    alive = n
    weight = np.int64(0)
    for turn in range(n_worlds):
        counts, rest = beliefs.next_world(belief, turn, view, stream, settings, hands)
        # The chooser of trump has six cards to come, which are what nobody else has.
        hands[view.turn] = view.hand | rest if view.kind == CHOOSE_TRUMP else view.hand
        weight += counts
        repeated = beliefs.is_repeated(belief, turn)
        for c in range(alive):
            if repeated:
                value = race.noted(racing, c, turn - beliefs.N_WALKS)
            else:
                value = _play_out(view, racing.choices[c], rivalry, settings.rollout, desk)
            race.note(racing, c, turn, value, counts)
        # Where all worlds are taken they are few, and count differently.
        if not beliefs.takes_all(belief):
            done = turn + 1
            alive = race.drop_worse(racing, alive, done, spread, settings.worlds)
            if race.is_over(racing, alive, done, settings.worlds):
                break
    best = race.best_choice(racing, alive)
    if view.kind == CHOOSE_TRUMP:
        return best
    margin = SCALE * settings.margin * weight
    return race.usual_unless_worse(racing, alive, _usual(view, settings, desk), best, margin)


@kernel
def _usual(view, settings, desk):
    """What the rollout policy would do: it is told no other hand."""
    played = desk.played
    copy_state(played, view)
    if view.kind == BID:
        return games.quiet_bid(played, view.hand, settings.rollout, NO_KEY)
    legal = table.legal_cards(played, view.hand)
    play, _ = games.quiet_play(played, view.hand, legal, settings.rollout, NO_KEY, view.turn)
    if play >= JOKER_PLAY:
        return play
    # The highest of its equals is what was played out.
    suited = view.hand & trick.MASKS[play // 9]
    return first_index(without_equals(view, suited) & -(np.int64(1) << play))


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
def without_pass(view, legal):
    """Leave out a pass for a seat that holds a sure winner and may not bid one.

    It would have to lose that trick on purpose; a joker or the top trump is worth a bid of two.
    """
    barred = (legal & 0b11) == 0b01 and legal > 1
    if barred and (view.hand & trick.JOKERS or holds_top_trump(view)):
        return legal ^ 1
    return legal


@entry
def choose_by(view, legal, key, data):
    """Choose a trump, a bid or a play; as `policies.native` calls it.

    One function for all, since most of what it compiles is the playing out.
    """
    choices = np.empty(race.MAX_CHOICES, np.int64)
    if view.kind == PLAY:
        legal = without_equals(view, legal)
    elif view.kind == BID:
        legal = without_pass(view, legal)
    n = race.list_bits(choices, legal)
    if view.kind == PLAY and view.hand & trick.JOKERS:
        leads = view.position == 0
        first = 0 if leads else trick.REPLY_BASE
        for i in range(trick.LED_DECLARATIONS if leads else trick.REPLIED_DECLARATIONS):
            choices[n] = JOKER_PLAY + first + i
            n += 1
    return _best(view, key, settings_at(data), choices, n)
