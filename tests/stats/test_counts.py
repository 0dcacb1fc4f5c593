"""Counts against a plain Counter, near and far apart."""

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from jokersim.stats.counts import Counts

NUMBERS = st.lists(
    st.one_of(st.integers(-50, 50), st.sampled_from([-(2**40), 2**20 - 51, 2**40])), min_size=1
)


@given(st.lists(NUMBERS, min_size=1, max_size=5))
def test_counts_add_up(groups):
    found, expected = Counts(), Counter()
    for group in groups:
        one = Counts.of(np.array(group))
        assert dict(one) == Counter(group)
        found.add(one)
        expected.update(group)
        assert dict(one) == Counter(group), "what is added stays as it is"
    assert found == expected
    assert list(found) == sorted(expected)
    assert found.pairs() == [[number, expected[number]] for number in sorted(expected)]
    assert len(found) == len(expected)
    assert found.get(7, 0) == expected[7]
    assert Counts(expected.items()) == found


def test_nothing_counted_is_empty():
    nothing = Counts()
    nothing.add(Counts())
    assert (len(nothing), nothing.pairs(), dict(nothing)) == (0, [], {})
    one = Counts.of(np.array([5]))
    one.add(nothing)
    assert dict(one) == {5: 1}
