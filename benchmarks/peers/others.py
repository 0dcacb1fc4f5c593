"""Other trick-taking engines that a package index offers, each at its own game."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Final

COLVER: Final = "belote contrée, the play of 32 cards, in Rust"
RLCARD: Final = "bridge, bidding and 52 cards"
JASS: Final = "jass (Schieber), 36 cards"


def prepare_colver() -> Callable[[], int]:
    """Play out one deal at random, over and over, inside the Rust core: no deal, no auction."""
    import colver

    state = colver.Env.deal(dealer=0, seed=1)
    state.set_contract(trump=0, value=80, team=0, coinche=0)
    state.set_phase_playing()

    def work(rollouts: int = 60_000) -> int:
        state.rollout(rollouts)
        return rollouts * 32

    return work


def prepare_rlcard() -> Callable[[], int]:
    """Run the environment with its random agents."""
    import rlcard
    from rlcard.agents import RandomAgent

    environment = rlcard.make("bridge", {"seed": 1})
    environment.set_agents([RandomAgent(environment.num_actions) for _ in range(4)])

    def work(games: int = 15) -> int:
        for _ in range(games):
            environment.run(is_training=False)
        return games * 52

    return work


def prepare_jass() -> Callable[[], int]:
    """Step the simulator with random legal cards."""
    import numpy as np
    from jass.game.game_sim import GameSim
    from jass.game.game_util import deal_random_hand
    from jass.game.rule_schieber import RuleSchieber

    rule = RuleSchieber()
    choose = random.Random(1).choice
    np.random.seed(1)  # noqa: NPY002 - the package draws its deals from there

    def work(games: int = 60) -> int:
        for dealer in range(games):
            simulator = GameSim(rule=rule)
            simulator.init_from_cards(deal_random_hand(), dealer & 3)
            simulator.action_trump(choose(range(6)))
            while not simulator.is_done():
                valid = rule.get_valid_cards_from_obs(simulator.get_observation())
                simulator.action_play_card(int(choose(np.flatnonzero(valid))))
        return games * 36

    return work
