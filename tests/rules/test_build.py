"""Making rule sets: presets, refusals by name, round trips."""

import copy
import json
import pickle
from dataclasses import FrozenInstanceError, fields, replace

import numpy as np
import pytest
from hypothesis import given

from jokersim.errors import InputError, OptionError
from jokersim.rules import PRESETS, FourRules, TwoRules, find_option, rules
from tests.rules.strategies import RULE_SETS, TWO_PRESETS


def test_options_are_those_of_the_rules():
    common = {"must_trump", "second_high_vs_cut"}
    four = {
        *("schedule", "first_dealer", "hook", "khishti", "full_bid_bonus", "premium"),
        *("premium_exclude_last", "erase", "erase_exclude_last"),
    }
    two = {
        *("target", "declarer_rotation", "table_open", "stake", "rake", "davi", "davi_cap"),
        "failure_rate",
    }
    assert set(rules("classic").options()) == common | four
    assert set(rules("japanese").options()) == common | two


def test_every_field_but_the_name_is_a_declared_option():
    for own in (FourRules, TwoRules):
        declared = [f.name for f in fields(own) if {"kind", "meaning", "source"} <= set(f.metadata)]
        assert [f.name for f in fields(own)] == ["name", *declared]


def test_default_rule_set_is_classic():
    assert rules() == rules("classic")


@pytest.mark.parametrize("name", PRESETS)
def test_preset_changes_nothing_of_itself(name):
    assert rules(name).changes() == {}
    assert rules(name).name == name


UP = [1, 2, 3, 4, 5, 6, 7, 8]
NINES = [9, 9, 9, 9]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (
            "classic",
            {
                "must_trump": True,
                "second_high_vs_cut": "joker",
                "schedule": [UP, NINES, UP[::-1], NINES],
                "first_dealer": "random",
                "hook": "dealer",
                "khishti": -200,
                "full_bid_bonus": "all",
                "premium": "double_best",
                "premium_exclude_last": False,
                "erase": "none",
                "erase_exclude_last": False,
            },
        ),
        ("nines", {"schedule": [NINES] * 4, "khishti": -200}),
        ("classic-200-500", {"khishti": [-200] * 8 + [-500]}),
        ("classic-speci", {"khishti": [-100, -200, -300, -400, -500, -600, -700, -800, -900]}),
        ("nines-500", {"schedule": [NINES] * 4, "khishti": -500}),
        ("nines-900", {"schedule": [NINES] * 4, "khishti": -900}),
        ("classic-moshla", {"erase": "all_others_if_single", "erase_exclude_last": False}),
        (
            "classic-left",
            {
                "first_dealer": "ace_draw",
                "premium_exclude_last": True,
                "erase": "left_neighbour",
                "erase_exclude_last": True,
            },
        ),
        (
            "japanese",
            {
                "must_trump": True,
                "second_high_vs_cut": "joker",
                "target": 11,
                "declarer_rotation": "alternate",
                "table_open": "leader_first_lead",
                "stake": 1.0,
                "rake": 0.0,
                "davi": "off",
                "davi_cap": 2,
                "failure_rate": 0.0,
            },
        ),
        ("japanese-1", {"target": 1, "davi": "off"}),
        ("japanese-3", {"target": 3}),
        ("japanese-7", {"target": 7}),
        ("japanese-21", {"target": 21}),
        ("japanese-davi", {"target": 11, "davi": "party", "davi_cap": 6}),
    ],
)
def test_preset_holds_what_the_rules_say(name, expected):
    options = rules(name).options()
    family = "japanese" if name in TWO_PRESETS else "classic"
    assert options == {**rules(family).options(), **expected}


def test_both_families_are_told_apart():
    assert [(r.seats, r.family) for r in (rules("nines"), rules("japanese-7"))] == [
        (4, "four"),
        (2, "two"),
    ]
    assert isinstance(rules("nines-900"), FourRules)
    assert isinstance(rules("japanese-davi"), TwoRules)


@given(RULE_SETS)
def test_changes_and_options_round_trip_through_json(given_rules):
    name, options = given_rules
    made = rules(name, **options)
    for view in (made.changes(), made.options()):
        again = rules(made.name, **json.loads(json.dumps(view)))
        assert again == made
        assert hash(again) == hash(made)
        assert again.options() == made.options()
    assert set(made.changes()) <= set(options)
    for option, value in options.items():
        assert made.options()[option] == value


@given(RULE_SETS)
def test_pickle_and_copy_round_trip(given_rules):
    name, options = given_rules
    made = rules(name, **options)
    assert pickle.loads(pickle.dumps(made)) == made
    assert copy.deepcopy(made) == made


def test_equality_is_of_name_and_options():
    assert rules("classic", khishti=-500) != rules("classic")
    assert rules("nines-500") != rules("nines", khishti=-500)
    assert rules("nines-500").options() == rules("nines", khishti=-500).options()
    assert rules("classic", khishti=-200) == rules("classic")
    assert rules("japanese", stake=5) == rules("japanese", stake=5.0)
    assert len({rules("classic"), rules("classic", hook="dealer"), rules("nines")}) == 2


def test_one_value_has_one_written_form():
    options = rules("japanese", stake=5, rake=-0.0, failure_rate=0).options()
    assert json.dumps([options[o] for o in ("stake", "rake", "failure_rate")]) == "[5.0, 0.0, 0.0]"
    assert rules("classic", khishti=np.int64(-300)).options()["khishti"] == -300
    json.dumps(rules("classic", khishti=np.int64(-300)).options())


def test_rule_sets_are_frozen():
    made = rules("classic")
    with pytest.raises(FrozenInstanceError):
        made.khishti = 0
    with pytest.raises((AttributeError, TypeError)):
        made.khishty = 0
    made.options()["schedule"].clear()
    assert made.n_deals == 24


def test_a_rule_set_is_checked_however_it_is_made():
    with pytest.raises(OptionError) as caught:
        FourRules("classic", hook="chooser")
    assert caught.value.option == "hook"
    with pytest.raises(OptionError) as caught:
        replace(rules("japanese"), target=0)
    assert caught.value.option == "target"
    with pytest.raises(InputError, match="no game of 4 players: the presets are classic, nines"):
        FourRules("japanese")


@pytest.mark.parametrize(
    ("name", "option", "value"),
    [
        ("classic", "schedule", [[9]] * 64),
        ("classic", "schedule", [[1] * 64]),
        ("classic", "schedule", ((1,), (9, 2))),
        ("classic", "khishti", 10**6),
        ("classic", "khishti", -(10**6)),
        ("classic", "khishti", [0] * 9),
        ("classic", "first_dealer", 0),
        ("classic", "first_dealer", 3),
        ("japanese", "target", 1),
        ("japanese", "target", 1000),
        ("japanese", "davi_cap", 6),
        ("japanese", "rake", 0),
        ("japanese", "rake", 0.99),
        ("japanese", "failure_rate", 0.999),
        ("japanese", "stake", 2**53 + 1),
        ("japanese", "stake", 5e-324),
        ("japanese", "stake", 1.7e308),
        ("japanese", "second_high_vs_cut", "trump"),
    ],
)
def test_value_at_a_bound_is_taken(name, option, value):
    taken = rules(name, **{option: value}).options()[option]
    assert taken == json.loads(json.dumps(value))


NAN, INF = float("nan"), float("inf")
REFUSALS = [
    ("classic", "must_trump", ["yes", 1, 0, None, "true", [True]], "true or false"),
    ("japanese", "must_trump", ["yes", 1, 0.0], "true or false"),
    ("classic", "second_high_vs_cut", ["jokers", True, "", "Joker"], "joker or trump"),
    ("japanese", "second_high_vs_cut", ["high"], "joker or trump"),
    (
        "classic",
        "schedule",
        [
            *([], [[]], [[1], []], [[1, 10]], [[0]], [[-1]], [1, 2], [[True]], [[1.0]], [["1"]]),
            *([[1]] * 65, [[1] * 65], "classic", 9, None, {"0": [1]}, [[[1]]]),
        ],
        "a list of 1 to 64 pulkas, each a list of 1 to 64 hand sizes from 1 to 9",
    ),
    (
        "classic",
        "first_dealer",
        [4, -1, True, False, 1.0, "2", "Random", "ace", None, [0]],
        "random, ace_draw or a seat 0..3",
    ),
    ("nines", "hook", ["chooser", False, None, "Dealer"], "dealer or none"),
    (
        "classic",
        "khishti",
        [
            *("flat", "-200", -200.0, True, None, 10**6 + 1, -(10**6) - 1, 10**5000, [-200, -500]),
            *([-200] * 10, [], [-200] * 8 + [True], [-200] * 8 + [-500.0], [-(10**7)] * 9, NAN),
        ],
        "an integer -1000000..1000000, or a list of 9 of them, one per hand size 1..9",
    ),
    ("classic", "full_bid_bonus", ["nine", True, 9], "all, nine_only or none"),
    ("classic", "premium", ["double", True, None], "double_best or none"),
    ("classic", "premium_exclude_last", ["no", 0], "true or false"),
    (
        "classic",
        "erase",
        [True, "all", "left"],
        "none, all_others, all_others_if_single or left_neighbour",
    ),
    ("classic", "erase_exclude_last", [1], "true or false"),
    ("japanese", "target", [0, -1, 1001, 11.0, True, "11", None], "an integer 1..1000"),
    (
        "japanese",
        "declarer_rotation",
        ["first", 1, None],
        "alternate, winner, loser, random or fixed",
    ),
    (
        "japanese",
        "table_open",
        ["both", True],
        "leader_first_lead, both_first_trick or none",
    ),
    (
        "japanese",
        "stake",
        [0, 0.0, -1, NAN, INF, -INF, True, "5", None, 10**400],
        "a finite number above 0",
    ),
    ("japanese", "rake", [1, 1.0, -0.01, NAN, INF, True, "0"], "a number from 0 to below 1"),
    ("japanese", "davi", [True, "on", "Party"], "off or party"),
    ("japanese", "davi_cap", [1, 7, 2.0, True, "3"], "an integer 2..6"),
    ("japanese", "failure_rate", [1, -0.1, NAN, True, "0"], "a number from 0 to below 1"),
]


@pytest.mark.parametrize(
    ("name", "option", "value", "allowed"),
    [(name, option, value, ok) for name, option, values, ok in REFUSALS for value in values],
    ids=lambda value: str(value)[:20] if not isinstance(value, int) else "",
)
def test_value_is_refused_by_option_with_what_is_allowed(name, option, value, allowed):
    with pytest.raises(OptionError) as caught:
        rules(name, **{option: value})
    assert caught.value.option == option
    assert caught.value.exit_code == 2
    message = str(caught.value)
    assert message.startswith(f"{option} is {allowed}, not ")
    assert "\n" not in message
    assert len(message) < 300


def test_refusals_cover_every_option():
    refused = {option for _, option, _, _ in REFUSALS}
    assert refused == {*rules("classic").options(), *rules("japanese").options()}


@pytest.mark.parametrize(
    ("name", "option"),
    [
        ("classic", "khishty"),
        ("classic", "davi"),
        ("classic", "name"),
        ("classic", ""),
        ("nines", "target"),
        ("japanese", "khishti"),
        ("japanese-davi", "schedule"),
        ("japanese", "family"),
    ],
)
def test_option_that_the_game_does_not_have_is_refused(name, option):
    with pytest.raises(OptionError, match=f"^{name} has no option .*: its options are ") as caught:
        rules(name, **{option: 1})
    assert caught.value.option == option
    for own in rules(name).options():
        assert own in str(caught.value)


def test_option_of_the_other_games_is_pointed_out():
    with pytest.raises(OptionError, match="games of 2 players have it"):
        find_option("classic", "davi")
    with pytest.raises(OptionError, match="games of 4 players have it"):
        find_option("japanese", "khishti")


def test_first_fault_in_the_order_given_is_named():
    with pytest.raises(OptionError) as caught:
        rules("classic", erase="all", khishti=True, nonsense=1)
    assert caught.value.option == "erase"
    with pytest.raises(OptionError) as caught:
        rules("classic", nonsense=1, erase="all")
    assert caught.value.option == "nonsense"


@pytest.mark.parametrize("name", ["Classic", "", "klassik", "classic ", None, 3, ["classic"], True])
def test_unknown_preset_is_refused_with_the_list(name):
    with pytest.raises(InputError) as caught:
        rules(name)
    assert not isinstance(caught.value, OptionError)
    for preset in PRESETS:
        assert preset in str(caught.value)


def test_stake_must_stay_finite_at_the_highest_multiplier():
    assert rules("japanese", stake=1e308).payoffs(0) == (1e308, -1e308)
    assert rules("japanese", stake=1e308, davi_cap=6).max_multiplier == 1
    with pytest.raises(OptionError, match="stake times the highest multiplier, 2") as caught:
        rules("japanese", stake=1e308, davi="party")
    assert caught.value.option == "stake"


def test_davi_cap_may_be_given_while_davi_is_off():
    assert rules("japanese", davi_cap=4).davi_cap == 4
