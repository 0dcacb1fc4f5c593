"""The plain simulators that speed is set beside play the same game: twins of the rules."""

from __future__ import annotations

import math
import statistics
from random import Random

import pytest

import jokersim as js
from benchmarks.peers import plain, simple

GAMES = 1_500


@pytest.mark.parametrize("peer", [plain, simple])
def test_mean_of_a_seat_is_that_of_the_kernel(peer):
    random = Random(7)
    own = [sum(peer.play_game(random)) / 4 for _ in range(GAMES)]
    kernel = js.simulate("classic", games=10 * GAMES, seed=7, policies="random", tables=["games"])
    totals = kernel.games().filter(like="total_").mean(axis=1)
    error = math.hypot(statistics.stdev(own) / GAMES**0.5, totals.std() / len(totals) ** 0.5)
    assert abs(statistics.mean(own) - totals.mean()) < 4 * error
    assert 0.8 < statistics.stdev(own) / totals.std() < 1.25
