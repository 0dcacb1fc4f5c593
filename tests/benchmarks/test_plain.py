"""The plain simulator that speed is set beside plays the same game: one more twin of the rules."""

from __future__ import annotations

import math
import statistics
from random import Random

import jokersim as js
from benchmarks.peers import plain

GAMES = 1_500


def test_mean_of_a_seat_is_that_of_the_kernel():
    random = Random(7)
    own = [sum(plain.play_game(random)) / 4 for _ in range(GAMES)]
    kernel = js.simulate("classic", games=10 * GAMES, seed=7, policies="random", tables=["games"])
    totals = kernel.games().filter(like="total_").mean(axis=1)
    error = math.hypot(statistics.stdev(own) / GAMES**0.5, totals.std() / len(totals) ** 0.5)
    assert abs(statistics.mean(own) - totals.mean()) < 4 * error
    assert 0.8 < statistics.stdev(own) / totals.std() < 1.25
