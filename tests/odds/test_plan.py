"""How many worlds an answer of a precision takes."""

from __future__ import annotations

from jokersim.odds.plan import make_plan


def test_the_next_look_is_what_the_widest_interval_needs():
    plan = make_plan(None, 0.02, 0, 0.95, 1)
    assert plan.first_look() == 1000
    # Three tenths too wide: 1.69 times as many, and two hundredths for luck.
    assert plan.next_look(1000, 0.026) == 1724


def test_the_next_look_is_twice_as_many_at_most_and_some_more_at_least():
    plan = make_plan(None, 0.01, 0, 0.95, 1)
    assert plan.next_look(1000, 0.031) == 2000
    assert plan.next_look(9600, 0.0101) == 9989
    assert plan.next_look(1000, 0.0100001) == 1100


def test_without_a_precision_there_is_one_look():
    assert make_plan(300, None, 0, 0.95, 1).first_look() == 300
    assert make_plan(None, None, 0, 0.95, 1).first_look(200) == 200
