from types import SimpleNamespace
from typing import get_args

import pytest

from jokersim import schema
from jokersim.rules import rules

PRESETS = ["classic", "nines", "japanese", "japanese-davi"]


@pytest.mark.parametrize("name", PRESETS)
def test_columns_have_distinct_names_signed_types_and_a_meaning(name):
    for table, columns in schema.tables(rules(name)).items():
        found = [column.name for column in columns]
        assert len(set(found)) == len(found)
        assert found[0] == "game"
        assert table in schema.TABLE_MEANINGS
        for column in columns:
            assert column.type in get_args(schema.ColumnType)
            assert column.meaning
            assert "{" not in column.name + column.meaning


def names(rule_set, table):
    return " ".join(column.name for column in schema.tables(rule_set)[table])


def test_the_columns_that_scripts_rely_on():
    assert names(rules("classic"), "deals").startswith(
        "game deal pulka hand_size dealer seat trump turned bid taken score premium erased "
    )
    assert names(rules("classic"), "games").startswith(
        "game first_dealer total_0 total_1 total_2 total_3 rank_0 rank_1 rank_2 rank_3 "
        "premium_0 premium_1 premium_2 premium_3 erased_0 erased_1 erased_2 erased_3 "
    )
    assert names(rules("japanese"), "games").startswith(
        "game first_declarer winner void multiplier deals points_0 points_1 payoff_0 payoff_1 "
    )
    assert names(rules("japanese"), "deals").startswith(
        "game deal declarer seat trump pairs points multiplier "
    )


@pytest.mark.parametrize("n_pulkas", [1, 4, 64])
def test_games_have_the_premiums_of_every_pulka(n_pulkas):
    rule_set = SimpleNamespace(family="four", schedule=((9,),) * n_pulkas)
    found = names(rule_set, "games").split()
    assert len(found) == 18 + 8 * n_pulkas
    assert found[-1] == f"pulka_{n_pulkas - 1}_erased_3"


def test_only_two_player_plays_have_a_place():
    places = {
        name: "place" in {column.name for column in schema.tables(rules(name))["plays"]}
        for name in ("nines", "japanese")
    }
    assert places == {"nines": False, "japanese": True}


@pytest.mark.parametrize("name", PRESETS)
def test_the_description_holds_every_column(name):
    told = schema.describe(rules(name), name)
    assert told["version"] == schema.SCHEMA_VERSION
    assert told["game"] == name
    for table, columns in schema.tables(rules(name)).items():
        found = [schema.Column(**column) for column in told["tables"][table]["columns"]]
        assert found == list(columns)
