"""Policies by name, and what is refused."""

import pytest

import jokersim as js
from jokersim.errors import InputError
from jokersim.policies import BUILT_IN, parse_policies, seated


@pytest.mark.parametrize("family", ["four", "two"])
@pytest.mark.parametrize("name", ["random", "basic"])
def test_one_name_is_for_all_seats(family, name):
    seats = 4 if family == "four" else 2
    policies = parse_policies(name, family, seats)
    assert [policy.name for policy in policies] == [name] * seats
    assert seated(policies, family).numbers.tolist() == [BUILT_IN[name]] * seats


def test_names_are_by_seat_as_one_text_or_apart():
    apart = parse_policies(["basic", "random", "random", "basic"], "four", 4)
    assert parse_policies("basic, random,random ,basic", "four", 4) == apart
    assert [policy.number for policy in apart] == [1, 0, 0, 1]


def test_the_source_is_that_of_the_family():
    assert parse_policies("basic", "four", 4)[0].spec() == {
        "policy": "basic",
        "source": parse_policies("basic", "four", 4)[1].source,
    }
    assert (
        parse_policies("basic", "four", 4)[0].source != parse_policies("basic", "two", 2)[0].source
    )


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ("", "is no policy"),
        ("brilliant", "the policies are random, basic"),
        ("basic,basic", "for 4 seats"),
        ("basic," * 5, "is no policy"),
        ("random:tables=3", "takes no parameters"),
        ([], "for 4 seats"),
        (3, "has no trump and no bid and no play"),
    ],
)
def test_what_is_no_policy_is_refused(given, why):
    with pytest.raises(InputError, match=why):
        parse_policies(given, "four", 4)


class First:
    trump = bid = play = davi = staticmethod(lambda obs, legal, draw: 0)


def test_a_users_policy_has_a_number_only_when_it_is_seated():
    policy = parse_policies(First, "four", 4)[0]
    with pytest.raises(InputError, match="cannot be asked here"):
        _ = policy.number
    assert (seated([policy] * 4, "four").numbers > max(BUILT_IN.values())).all()


def test_a_user_of_four_needs_a_bid():
    class NoBid:
        trump = play = davi = First.play

    with pytest.raises(InputError, match=r"has no bid\(obs, legal, draw\)"):
        parse_policies(NoBid, "four", 4)
    assert parse_policies(NoBid, "two", 2)[0].user is not None


def test_a_users_policy_counts_as_one_seat():
    with pytest.raises(InputError):
        js.simulate("classic", games=1, seed=1, policies=["basic", First])
