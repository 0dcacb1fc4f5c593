"""The filter language against plain Python over rows, and what a filtered dataset holds."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import jokersim as js
from jokersim.cards import JOKERS, TRUMPS
from jokersim.errors import InputError
from jokersim.simulate import make_player, plan
from jokersim.simulate.verify import verify
from jokersim.simulate.where import parse_where
from tests.store.small import contents

FOUR, TWO = js.rules("classic"), js.rules("japanese")
ROWS = make_player(plan(FOUR, "random", 11, ("deals",))).play(0, 12).tables["deals"]


def as_dicts():
    names = list(ROWS)
    listed = zip(*(ROWS[name].tolist() for name in names), strict=True)
    rows = [dict(zip(names, row, strict=True)) for row in listed]
    for row in rows:
        row["trump"] = TRUMPS[row["trump"]]
        row["jokers"] = (row["hand"] & JOKERS).bit_count()
        row["position"] = (row["seat"] - row["dealer"] - 1) % 4
        row["made"] = row["bid"] == row["taken"]
        row["khishti"] = row["bid"] > 0 and row["taken"] == 0
    return rows


PLAIN = as_dicts()

columns = st.sampled_from(["hand_size", "bid", "taken", "seat", "dealer", "deal", "jokers", "pulka",
                           "position", "score"])  # fmt: skip
values = st.integers(-300, 300) | st.integers(0, 9)
signs = st.sampled_from(["==", "!=", "<", "<=", ">", ">="])
comparisons = st.one_of(
    st.tuples(columns, signs, values | columns).map(lambda t: f"{t[0]} {t[1]} {t[2]}"),
    st.tuples(columns, values, values).map(lambda t: f"{t[0]} in {t[1]}..{t[2]}"),
    st.tuples(columns, st.lists(values, min_size=1, max_size=4)).map(
        lambda t: f"{t[0]} in {{{', '.join(map(str, t[1]))}}}"
    ),
    st.sampled_from(["made", "khishti", "trump == S", "trump != NT", "trump in {H, NT}"]),
)
expressions = st.recursive(
    comparisons,
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(["and", "or"]), inner).map(" ".join),
        inner.map(lambda text: f"not ({text})"),
        inner.map(lambda text: f"({text})"),
    ),
    max_leaves=6,
)


def python_of(text):
    """Turn a filter into Python: ranges become ranges, trumps become texts."""
    words = text.replace("{", "( ").replace("}", " ,)").replace(",)", ", )").split()
    out = []
    for word in words:
        low, dots, high = word.partition("..")
        if dots:
            closing = high[len(high.rstrip(")")) :]
            out.append(f"range({low}, {high.rstrip(')')} + 1){closing}")
        elif (bare := word.strip("(),")) in TRUMPS:
            out.append(word.replace(bare, repr(bare)))
        else:
            out.append(word)
    return " ".join(out)


@given(expressions)
def test_a_filter_means_what_python_would(text):
    where = parse_where(text, FOUR)
    code = compile(python_of(text), text, "eval")
    expected = [bool(eval(code, {"__builtins__": {"range": range}}, row)) for row in PLAIN]
    found = np.broadcast_to(where(ROWS), len(PLAIN))
    assert found.tolist() == expected


@given(expressions)
def test_the_canonical_text_is_a_fixed_point(text):
    where = parse_where(text, FOUR)
    again = parse_where(where.text, FOUR)
    assert again.text == where.text
    assert np.array_equal(again(ROWS), where(ROWS))
    assert parse_where(text.replace(" ", "  "), FOUR).text == where.text


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "its end at character 1"),
        ("bid", "'=='"),
        ("bid = 2", "cannot be read from '= 2' on"),
        ("bid == x", "a whole number"),
        ("bids == 2", "one of game, deal,"),
        ("bid in 2", "'..'"),
        ("bid in {2", "',' or '}'"),
        ("trump < S", "have no order"),
        ("trump == X", "a trump (S H D C NT)"),
        ("trump == bid", "a trump"),
        ("bid == trump", "a whole number"),
        ("bid == 2 or", "its end"),
        ("(bid == 2", "')'"),
        ("bid == 2 bid == 3", "'and', 'or' or the end"),
        ("__import__('os')", "cannot be read"),
        ("bid == 99999999999999999999", "cannot be read"),
        ("not " * 60 + "made", "less nesting"),
        ("and", "the name of a column"),
    ],
)
def test_what_is_no_filter_is_refused_with_the_place(text, complaint):
    with pytest.raises(InputError) as raised:
        parse_where(text, FOUR)
    assert complaint in str(raised.value)
    assert "\n" not in str(raised.value)


def test_two_players_have_columns_of_their_own():
    assert parse_where("declarer == seat and jokers >= 1", TWO).text
    with pytest.raises(InputError, match="one of game, deal, declarer"):
        parse_where("made", TWO)


@pytest.mark.parametrize(
    ("rules", "text"),
    [(js.rules("nines"), "jokers == 2 and bid >= 2"), (TWO, "declarer == seat and pairs >= 12")],
)
def test_a_filtered_dataset_holds_the_rows_and_counts_the_others(tmp_path, rules, text):
    asked = {"games": 60, "seed": 4, "policies": "random", "tables": ("games", "deals", "plays")}
    whole = js.simulate(rules, **asked)
    run = js.simulate(rules, **asked, where=text, out=tmp_path / "d", part=25, chunk=7)
    assert run.games().equals(whole.games())

    deals = whole.deals()
    code = text.replace("jokers", "jokers_")
    if rules.family == "four":
        deals["jokers_"] = [(hand & JOKERS).bit_count() for hand in deals["hand"].tolist()]
    expected = deals.query(code)
    kept = run.deals()
    assert 0 < len(kept) < len(deals)
    assert kept.equals(expected[kept.columns].reset_index(drop=True))
    wanted = set(zip(expected["game"], expected["deal"], strict=True))
    plays = whole.plays()
    mine = [pair in wanted for pair in zip(plays["game"], plays["deal"], strict=True)]
    assert run.plays().equals(plays[mine].reset_index(drop=True))

    figures = js.read(tmp_path / "d").summary()["kept"]
    assert (figures["rows"], figures["kept"]) == (len(deals), len(kept))
    assert figures["share_low"] < figures["share"] < figures["share_high"]
    assert figures["share"] == len(kept) / len(deals)
    spec = json.loads((tmp_path / "d" / "run.json").read_text())["spec"]
    assert spec["where"] == text
    assert verify(tmp_path / "d", every=True).findings == ()


def test_plays_alone_may_be_filtered_and_nothing_may_be_kept(tmp_path):
    asked = {"games": 20, "seed": 4, "policies": "random", "tables": ("plays",)}
    run = js.simulate("nines", **asked, where="bid == 9 and taken == 9", out=tmp_path / "d")
    assert len(run.plays()) == 0
    assert verify(tmp_path / "d", every=True).findings == ()


def test_a_filter_needs_deals_or_plays():
    with pytest.raises(InputError, match="ask for the table deals or plays"):
        js.simulate("nines", games=5, seed=1, tables=["games"], where="made")


def test_another_filter_is_another_run(tmp_path):
    asked = {"games": 20, "seed": 4, "policies": "random", "out": tmp_path / "d"}
    js.simulate("nines", **asked, where="made  and bid>=1")
    before = contents(tmp_path / "d")
    js.simulate("nines", **asked, where="made and bid >= 1", resume=True)
    assert contents(tmp_path / "d") == before
    with pytest.raises(js.SpecError, match="where"):
        js.simulate("nines", **asked, where="made", resume=True)
