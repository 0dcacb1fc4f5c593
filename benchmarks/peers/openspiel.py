"""OpenSpiel's `oh_hell`, our nearest relative, on Classic Joker's schedule of hand sizes.

Oh Hell has no jokers, declarations, premiums or khishti, so a card of it is less work. It needs a
card to turn after every deal: nine-card deals get a deck of forty.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, Final

from benchmarks.peers.plain import PLAYS_A_GAME, PULKAS

WHAT: Final = "Oh Hell on Classic's schedule"


def games() -> list[Any]:
    """Load the games of the schedule, one a deal."""
    import pyspiel

    loaded = {
        size: pyspiel.load_game(
            "oh_hell",
            {
                "players": 4,
                "num_suits": 4,
                "num_cards_per_suit": 9 if size < 9 else 10,
                "num_tricks_fixed": size,
            },
        )
        for size in range(1, 10)
    }
    return [loaded[size] for sizes in PULKAS for size in sizes]


def prepare_inside() -> Callable[[], int]:
    """Play inside the C++ core, with its uniform random bots."""
    import pyspiel

    schedule = games()
    bots = [pyspiel.make_uniform_random_bot(seat, seat + 1) for seat in range(4)]
    seed = 0

    def work(schedules: int = 150) -> int:
        nonlocal seed
        for _ in range(schedules):
            for game in schedule:
                seed += 1
                pyspiel.evaluate_bots(game.new_initial_state(), bots, seed)
        return schedules * PLAYS_A_GAME

    return work


def prepare_stepped() -> Callable[[], int]:
    """Play by stepping the states from Python with as few calls as will do."""
    schedule = games()
    choose = random.Random(1).choice

    def work(schedules: int = 20) -> int:
        for _ in range(schedules):
            for game in schedule:
                state = game.new_initial_state()
                while not state.is_terminal():
                    # Chance here is uniform: a card of those left.
                    state.apply_action(choose(state.legal_actions()))
        return schedules * PLAYS_A_GAME

    return work


def prepare_as_shown() -> Callable[[], int]:
    """Step the states as OpenSpiel's own example in Python does: chance by its listed outcomes."""
    import numpy as np

    schedule = games()
    generator = random.Random(1)

    def work(schedules: int = 4) -> int:
        for _ in range(schedules):
            for game in schedule:
                state = game.new_initial_state()
                while not state.is_terminal():
                    if state.is_chance_node():
                        actions, chances = zip(*state.chance_outcomes(), strict=True)
                        state.apply_action(np.random.choice(actions, p=chances))  # noqa: NPY002
                    else:
                        player = state.current_player()
                        state.apply_action(generator.choice(state.legal_actions(player)))
        return schedules * PLAYS_A_GAME

    return work
