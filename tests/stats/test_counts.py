"""Counts against a plain Counter, near and far apart."""

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from jokersim.stats.counts import Counts

NEAR = st.lists(st.integers(-50, 50), min_size=1)
FAR = st.lists(
    st.one_of(st.integers(-50, 50), st.sampled_from([-(2**40), 2**20 - 51, 2**40])), min_size=1
)


# Apart, since a number far away ends what a table does with those that are near.
@given(st.one_of(*(st.lists(one, min_size=1, max_size=5) for one in (NEAR, FAR))))
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


def test_a_table_grows_to_both_sides():
    found = Counts.of(np.array([5, 5]))
    for values in ([-3, 5], [9], [0], [-10, 20]):
        found.add(Counts.of(np.array(values)))
    assert dict(found) == {-10: 1, -3: 1, 0: 1, 5: 3, 9: 1, 20: 1}
