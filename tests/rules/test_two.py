"""The two-player rule set: money, read as decimals and paid exactly."""

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jokersim.rules import rules

money = st.decimals("0.01", "1000000", places=2)
shares = st.decimals("0", "0.999", places=3)


@pytest.mark.parametrize(
    ("options", "multiplier", "net", "loss"),
    [
        ({}, 1, 1.0, -1.0),
        ({"stake": 5}, 3, 15.0, -15.0),
        ({"stake": 0.1}, 3, 0.3, -0.3),  # 0.1 * 3 in floats is 0.30000000000000004
        ({"stake": 0.2, "rake": 0.05}, 3, 0.54, -0.6),
        ({"stake": 100, "rake": 0.5}, 1, 0.0, -100.0),
        ({"stake": 2.5, "rake": 0.99}, 2, -4.9, -5.0),
    ],
)
def test_payoffs(options, multiplier, net, loss):
    made = rules("japanese-davi", **options)
    assert made.payoffs(0, multiplier) == (net, loss)
    assert made.payoffs(1, multiplier) == (loss, net)


@given(money, shares, st.integers(1, 6), st.integers(0, 1))
def test_payoffs_are_exact_in_decimals(stake, rake, multiplier, winner):
    made = rules("japanese-davi", stake=float(stake), rake=float(rake))
    assert (made.exact_stake, made.exact_rake) == (Fraction(stake), Fraction(rake))
    exact = made.exact_payoffs(winner, multiplier)
    assert exact[winner] == Fraction(stake * multiplier * (1 - 2 * rake))
    assert exact[1 - winner] == -Fraction(stake * multiplier)
    assert sum(exact) == -2 * Fraction(rake) * multiplier * Fraction(stake)
    expected = [float(stake * multiplier * (1 - 2 * rake)), -float(stake * multiplier)]
    assert list(made.payoffs(winner, multiplier)) == expected[:: 1 - 2 * winner]


def test_void_party_returns_every_stake():
    made = rules("japanese-davi", stake=5, rake=0.1)
    assert made.payoffs(winner=-1, multiplier=4, void=True) == (0.0, 0.0)
    assert made.payoffs(winner=1, multiplier=6, void=True) == (0.0, 0.0)


@pytest.mark.parametrize("winner", [-1, 2])
def test_party_without_a_winner_has_no_payoff(winner):
    with pytest.raises(ValueError, match="won by seat 0 or 1"):
        rules("japanese").payoffs(winner)


def test_no_rake_leaves_nothing_out():
    first, second = rules("japanese", stake=0.7).payoffs(0)
    assert first + second == 0


@pytest.mark.parametrize("stake", [1e23, 10**23, 2**53 + 1, 1e-7, 123456789.125, 5e-324])
def test_stake_is_the_decimal_that_it_is_written_as(stake):
    assert rules("japanese", stake=stake).exact_stake == Fraction(Decimal(repr(stake)))


def test_highest_multiplier():
    assert rules("japanese", davi_cap=5).max_multiplier == 1
    assert rules("japanese", davi="party").max_multiplier == 2
    assert rules("japanese-davi").max_multiplier == 6
