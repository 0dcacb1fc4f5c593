import json

import pytest

from jokersim.rules import PRESETS, option_rows
from tests.cli.calls import call, refused


def test_every_preset_is_listed():
    result = call("rules")
    assert (result.exit_code, result.stderr) == (0, "")
    for preset in PRESETS.values():
        assert preset.name in result.stdout
    assert max(map(len, result.stdout.splitlines())) <= 100


@pytest.mark.parametrize("name", PRESETS)
def test_every_option_is_listed_with_its_meaning(name):
    result = call("rules", name)
    flat = " ".join(result.stdout.split())
    assert ("default: " in flat) == (name not in {"classic", "japanese"})
    for row in option_rows(name):
        assert f"{row.option} = " in flat
        assert row.meaning in flat
        assert row.allowed in flat
    assert max(map(len, result.stdout.splitlines())) <= 100


def test_as_json():
    document = json.loads(call("rules", "--json").stdout)
    assert document["schema"] == {"name": "jokersim/rules", "version": 1}
    assert [row["name"] for row in document["presets"]] == list(PRESETS)
    document = json.loads(call("rules", "classic-speci", "--json").stdout)
    options = {row["option"]: row for row in document["options"]}
    assert options["khishti"]["value"] == [-100 * n for n in range(1, 10)]
    assert options["khishti"]["default"] == -200


def test_an_unknown_preset_is_refused():
    assert "classic" in refused(call("rules", "poker"))
