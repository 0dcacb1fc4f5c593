"""Hypothesis strategies: a preset of either family and some of its options."""

from hypothesis import strategies as st

from jokersim.rules import PRESETS

FOUR_PRESETS = [name for name, found in PRESETS.items() if found.family == "four"]
TWO_PRESETS = [name for name, found in PRESETS.items() if found.family == "two"]

sizes = st.integers(1, 9)
scores = st.integers(-(10**6), 10**6)
shares = st.floats(0, 1, exclude_max=True)
FOUR_OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        "must_trump": st.booleans(),
        "second_high_vs_cut": st.sampled_from(["joker", "trump"]),
        "schedule": st.lists(st.lists(sizes, min_size=1, max_size=9), min_size=1, max_size=5),
        "first_dealer": st.sampled_from(["random", "ace_draw", 0, 1, 2, 3]),
        "hook": st.sampled_from(["dealer", "none"]),
        "khishti": scores | st.lists(scores, min_size=9, max_size=9),
        "full_bid_bonus": st.sampled_from(["all", "nine_only", "none"]),
        "premium": st.sampled_from(["double_best", "none"]),
        "premium_exclude_last": st.booleans(),
        "erase": st.sampled_from(["none", "all_others", "all_others_if_single", "left_neighbour"]),
        "erase_exclude_last": st.booleans(),
    },
)
TWO_OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        "must_trump": st.booleans(),
        "second_high_vs_cut": st.sampled_from(["joker", "trump"]),
        "target": st.integers(1, 1000),
        "declarer_rotation": st.sampled_from(["alternate", "winner", "loser", "random", "fixed"]),
        "table_open": st.sampled_from(["leader_first_lead", "both_first_trick", "none"]),
        "stake": st.floats(0, 1e300, exclude_min=True) | st.integers(1, 10**30),
        "rake": shares,
        "davi": st.sampled_from(["off", "party"]),
        "davi_cap": st.integers(2, 6),
        "failure_rate": shares | st.just(0),
    },
)
RULE_SETS = st.one_of(
    st.tuples(st.sampled_from(FOUR_PRESETS), FOUR_OPTIONS),
    st.tuples(st.sampled_from(TWO_PRESETS), TWO_OPTIONS),
)
