"""What a user's compiled policy costs: `basic` once more, written as a user writes it, by turns.

    python -m benchmarks.users [--games 3000] [--repeats 15]

Both play the very same games, which is checked. Processor time of whole games on one thread, the
fastest of the repeats; writes measured/users.json.
"""

from __future__ import annotations

import argparse
import sys
import time
from functools import partial
from typing import Any, Final

import jokersim as js
from benchmarks import results
from benchmarks.measure import interleaved
from jokersim.kernels.policies import basic, basic_two, stakes

MOST: Final = 2.0
"""How many times as long as the same policy built in a user's may take."""


@js.policy
class Four:
    """`basic` of four: masks made of the lists, indices of the answers."""

    @staticmethod
    def trump(obs, legal, draw):
        return basic.trump(obs, None)

    @staticmethod
    def bid(obs, legal, draw):
        mask = 0
        for choice in legal:
            mask |= 1 << choice
        bid = basic.bid(obs, mask, None)
        index = 0
        while legal[index] != bid:
            index += 1
        return index

    @staticmethod
    def play(obs, legal, draw):
        mask = 0
        for choice in legal:
            if choice < 36:
                mask |= 1 << choice
        play = basic.play(obs, mask, None)
        index = 0
        while legal[index] != play:
            index += 1
        return index


@js.policy
class Two:
    """`basic` of two."""

    @staticmethod
    def trump(obs, legal, draw):
        return basic_two.trump(obs, None)

    @staticmethod
    def play(obs, legal, draw):
        mask = 0
        places = 0
        for choice in legal:
            if choice < 36:
                mask |= 1 << choice
            else:
                places |= 1 << ((choice - 36) // 10)
        play = basic_two.play(obs, mask, places, None)
        index = 0
        while legal[index] != play:
            index += 1
        return index

    @staticmethod
    def davi(obs, legal, draw):
        mask = 0
        for choice in legal:
            mask |= 1 << choice
        action = stakes.davi(obs, mask, None)
        index = 0
        while legal[index] != action:
            index += 1
        return index


USERS: Final = {"classic": Four, "nines": Four, "japanese": Two, "japanese-davi": Two}


def played(game: str, policy: Any, games: int) -> list[float]:
    """Play games on one thread: the means of the seats."""
    run = js.simulate(game, games=games, seed=1, policies=policy, threads=1)
    return [seat["mean_score"] for seat in run.summary()["seats"]]


def main() -> None:
    """Compare in every game; exit code 3 where a user's policy takes more than twice as long."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=3000)
    parser.add_argument("--repeats", type=int, default=15)
    asked = parser.parse_args()
    found = {}
    for game, user in USERS.items():
        if played(game, "basic", 200) != played(game, user, 200):
            raise SystemExit(f"{game}: both are to play the same games, and they do not")
        works = {
            "basic": partial(played, game, "basic", asked.games),
            "user": partial(played, game, user, asked.games),
        }
        times = interleaved(works, asked.repeats, time.process_time)
        ratio = min(times["user"]) / min(times["basic"])
        found[game] = {"ratio": ratio, "games": asked.games, "repeats": asked.repeats}
        print(f"{game:<14} {ratio:.2f} times the built-in policy")
    results.keep("users", found)
    sys.exit(3 if any(one["ratio"] > MOST for one in found.values()) else 0)


if __name__ == "__main__":
    main()
