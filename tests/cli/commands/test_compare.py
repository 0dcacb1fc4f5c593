import json

from tests.cli.calls import SHORT, call, refused

OTHER = "classic:schedule=[[1]];khishti=-700"


def test_two_rule_sets_on_the_same_deals():
    asked = ("--games", 300, "--seed", 2, *SHORT, "--against", OTHER, "--quiet")
    document = json.loads(call("compare", *asked, "--json").stdout)
    assert (document["games"], document["paired"]) == (300, True)
    assert document["b"]["rules"]["khishti"] == -700
    row = document["seats"][0]
    assert row["mean_score"]["difference"] > 0
    assert row["made"]["difference"] == 0
    page = call("compare", *asked)
    assert (page.exit_code, page.stderr) == (0, "")
    assert "khishti=-700" in page.stdout
    assert "300 pairs of games on the same deals" in page.stdout


def test_two_policies():
    document = json.loads(
        call("compare", "--games", 20, "--seed", 2, *SHORT, "--against", "classic:schedule=[[1]]",
             "--against-policy", "basic", "--json", "--quiet").stdout
    )  # fmt: skip
    assert [document[run]["policies"][0] for run in "ab"] == ["random", "basic"]


def test_two_datasets(tmp_path):
    for name, value in (("a", -100), ("b", -200)):
        call("simulate", "--games", 50, "--seed", 8, *SHORT, "--set", f"khishti={value}",
             "--out", tmp_path / name, "--quiet")  # fmt: skip
    result = call("compare", tmp_path / "a", tmp_path / "b", "--quiet")
    assert result.exit_code == 0
    assert "50 pairs of games" in result.stdout


def test_refusals(tmp_path):
    assert "--against is missing" in refused(call("compare", "--games", 5))
    assert "--games is missing" in refused(call("compare", "--against", "nines"))
    assert "two folders are compared" in refused(call("compare", tmp_path))
    assert "not for datasets" in refused(call("compare", tmp_path, tmp_path, "--games", 5))
    assert "no folder" in refused(call("compare", tmp_path / "a", tmp_path / "b"))
    message = refused(call("compare", "--games", 5, "--against", "japanese"))
    assert "as many players" in message
