import json

import pytest

import jokersim as js
from jokersim import schema
from tests.cli.calls import call, refused


@pytest.mark.parametrize("game", ["classic", "japanese"])
def test_every_column_and_field_is_listed(game):
    flat = " ".join(call("schema", "--game", game).stdout.split())
    for columns in schema.tables(js.rules(game)).values():
        for column in columns:
            assert f"{column.name} {column.type} {column.meaning}" in flat
    assert "observation:" in flat
    assert "the decision due" in flat


def test_one_table_alone():
    output = call("schema", "deals").stdout
    assert output.startswith("deals: ")
    assert "hand_size" in output
    assert "rank_0" not in output


def test_columns_follow_the_schedule():
    output = call("schema", "games", "--set", "schedule=[[1]]").stdout
    assert "pulka_0_premium_0" in output
    assert "pulka_1_premium_0" not in output


def test_as_json():
    document = json.loads(call("schema", "observation", "--game", "japanese", "--json").stdout)
    assert document["schema"]["name"] == "jokersim/schema"
    assert list(document["tables"]) == ["observation"]
    types = {c["name"]: c["type"] for c in document["tables"]["observation"]["columns"]}
    assert types["up"] == "int64[2,5]"
    assert types["hand"] == "int64"


def test_an_unknown_table_is_refused():
    assert "observation" in refused(call("schema", "tricks"))
