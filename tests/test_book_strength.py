"""How strong `book` is: targets on a seed fixed beforehand, by the lower end of the interval."""

from __future__ import annotations

import pytest

import jokersim as js
from jokersim.kernels.jit import JIT_DISABLED

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(JIT_DISABLED, reason="plays many thousands of games"),
]

SEED = 777001
BLOCKS = 20_000


def low(rules: js.Rules | str, policy: str, against: str, blocks: int = BLOCKS) -> float:
    return js.match(rules, policy, against, games=blocks, seed=SEED).low


def test_it_beats_three_basic_by_550_points() -> None:
    assert low("classic", "book", "basic") >= 550


@pytest.mark.parametrize("khishti", [-500, -900])
def test_it_plays_by_the_khishti_in_force(khishti: int) -> None:
    rules = js.rules("classic", khishti=khishti)
    assert low(rules, "book", "book:khishti=-200", 8_000) > 0


def test_the_premium_is_worth_looking_at() -> None:
    assert low("classic", "book", "book:premium=blind") > 0


@pytest.mark.parametrize("game", ["nines", "japanese", "japanese-davi"])
def test_it_beats_basic_in_every_game(game: str) -> None:
    """By more than an interval of 99.9 %."""
    assert js.match(game, "book", "basic", games=BLOCKS, seed=SEED, level=0.999).low > 0
