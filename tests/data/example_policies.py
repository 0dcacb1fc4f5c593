"""Policies as users write them, for the tests: compiled ones, plain ones, and ones that fail."""

from numba import njit

import jokersim as js


@js.policy
class Uniform:
    """The built-in `random`, written by a user."""

    @staticmethod
    def trump(obs, legal, draw):
        return draw(len(legal))

    @staticmethod
    def bid(obs, legal, draw):
        return draw(len(legal))

    @staticmethod
    def play(obs, legal, draw):
        return draw(len(legal))

    @staticmethod
    def davi(obs, legal, draw):
        return draw(len(legal))


class PlainUniform:
    """The same as a plain object's methods."""

    def trump(self, obs, legal, draw):
        return draw(len(legal))

    def bid(self, obs, legal, draw):
        return draw(len(legal))

    def play(self, obs, legal, draw):
        return draw(len(legal))

    def davi(self, obs, legal, draw):
        return draw(len(legal))


plain = PlainUniform()


@njit
def lowest_that_scores(obs, legal):
    """Index of the bid that would score most if a quarter of the tricks is taken."""
    best = 0
    taken = obs.size // 4
    for i in range(len(legal)):
        if obs.score[obs.size, legal[i], taken] > obs.score[obs.size, legal[best], taken]:
            best = i
    return best


@js.policy
class Steady:
    """Looks at fields of every shape: bids a quarter of the tricks, plays by the masks."""

    @staticmethod
    def trump(obs, legal, draw):
        return 4 if obs.hand & 0x8000001 else draw(4)

    @staticmethod
    def bid(obs, legal, draw):
        return lowest_that_scores(obs, legal)

    @staticmethod
    def play(obs, legal, draw):
        short = obs.bids[obs.seat] > obs.taken[obs.seat]
        return len(legal) - 1 if short and obs.position < 3 else 0


class PlainSteady:
    """The same, asked in Python."""

    trump = staticmethod(Steady.trump)
    bid = staticmethod(Steady.bid)
    play = staticmethod(Steady.play)


@js.policy
class Divides:
    """Fails with an exception in the first deal of nine cards."""

    trump = staticmethod(lambda obs, legal, draw: 0)
    bid = staticmethod(lambda obs, legal, draw: 0)

    @staticmethod
    def play(obs, legal, draw):
        return len(legal) // (9 - obs.size) * 0


@js.policy
class OutOfRange:
    """Answers a play's code, not its index."""

    trump = staticmethod(lambda obs, legal, draw: 0)
    bid = staticmethod(lambda obs, legal, draw: 0)

    @staticmethod
    def play(obs, legal, draw):
        return legal[0] if obs.deal == 2 else 0


@js.policy
class TooFew:
    """Takes too few arguments."""

    trump = staticmethod(lambda obs, legal, draw: 0)
    bid = staticmethod(lambda obs, legal: 0)
    play = staticmethod(lambda obs, legal, draw: 0)


@js.policy
class Writes:
    """Tries to change the game."""

    trump = staticmethod(lambda obs, legal, draw: 0)
    bid = staticmethod(lambda obs, legal, draw: 0)

    @staticmethod
    def play(obs, legal, draw):
        obs.taken[obs.seat] = 9
        return 0


@js.policy
class Text:
    """Answers no number."""

    trump = staticmethod(lambda obs, legal, draw: 0)
    bid = staticmethod(lambda obs, legal, draw: "1")
    play = staticmethod(lambda obs, legal, draw: 0)
