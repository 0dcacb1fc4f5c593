import json

import pytest

from tests.cli.calls import SHORT, call, refused


def seed_of(*arguments, **options):
    result = call("simulate", "--games", 2, *SHORT, "--json", "--quiet", *arguments, **options)
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)["seed"]


@pytest.fixture
def config(tmp_path):
    def write(text):
        path = tmp_path / "run.toml"
        path.write_text(text, encoding="utf-8")
        return path

    return write


def test_a_flag_goes_before_the_environment_and_that_before_the_file(config):
    path = config("seed = 3")
    environment = {"JOKERSIM_SEED": "2"}
    assert seed_of("--config", path) == 3
    assert seed_of("--config", path, environment=environment) == 2
    assert seed_of("--config", path, "--seed", 1, environment=environment) == 1
    assert seed_of(environment=environment | {"JOKERSIM_CONFIG": str(path)}) == 2
    assert seed_of(environment={"JOKERSIM_CONFIG": str(path)}) == 3


def test_every_option_may_come_from_the_file(config, tmp_path):
    path = config(
        f"""
games = 3
policy = "random"
seed = 5
level = 0.9
json = true
quiet = true
threads = 1
chunk = 2
part = 2
out = "{tmp_path / "run"}"
tables = ["games"]
game = "nines"
[rules]
schedule = [[2]]
khishti = -500
"""
    )
    result = call("simulate", "--config", path)
    assert (result.exit_code, result.stderr) == (0, "")
    document = json.loads(result.stdout)
    assert (document["games"], document["seed"], document["level"]) == (3, 5, 0.9)
    assert document["game"] == "nines"
    assert document["rules"] == {"schedule": [[2]], "khishti": -500}
    assert [p.name for p in (tmp_path / "run").iterdir() if p.name == "deals"] == []
    assert len(list((tmp_path / "run" / "games").iterdir())) == 2


def test_set_goes_before_the_files_rules(config):
    path = config("[rules]\nkhishti = -500\nhook = 'none'")
    result = call(
        "simulate",
        "--games",
        1,
        *SHORT,
        "--json",
        "--quiet",
        "--config",
        path,
        "--set",
        "khishti=-1",
    )
    assert json.loads(result.stdout)["rules"] == {
        "schedule": [[1]],
        "hook": "none",
        "khishti": -1,
    }


def test_one_file_serves_several_commands(config):
    path = config('seed = 3\nindex = 0\npolicy = "random"\n[rules]\nschedule = [[1]]')
    assert seed_of("--config", path) == 3
    shown = call("show", "--config", path, "--format", "jsonl", "--quiet")
    assert shown.exit_code == 0, shown.stderr
    assert json.loads(shown.stdout)["rules"] == {"schedule": [[1]]}


def test_rule_options_are_not_read_from_the_environment():
    environment = {"JOKERSIM_SET": "khishti=-1", "JOKERSIM_KHISHTI": "-1"}
    result = call("simulate", "--games", 1, *SHORT, "--json", "--quiet", environment=environment)
    assert json.loads(result.stdout)["rules"] == {"schedule": [[1]]}


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("seeds = 3", "'seeds'"),
        ("seed = 1.5", "--seed"),
        ("seed = true", "--seed"),
        ("seed = -1", "--seed"),
        ("games = '3 games'", "--games"),
        ("policy = 3", "--policy"),
        ("tables = [1]", "--tables"),
        ("out = 3", "--out"),
        ("level = 'high'", "--level"),
        ("quiet = 'perhaps'", "--quiet"),
        ("seed = ", "not valid TOML"),
        ("[rules]\nkhishto = 3", "khishto"),
        ("[rules]\nhook = 3", "hook"),
    ],
)
def test_a_wrong_file_is_refused_by_name(config, text, named):
    path = config(text)
    # A flag would go before the file.
    flags = [part for part in ("--games=1", "--policy=random") if part[:5] not in f"--{text}"]
    sentence = refused(call("simulate", *flags, "--config", path))
    assert named in sentence
    assert "[rules]" in text or str(path) in sentence


def test_a_file_that_cannot_be_read_is_refused(tmp_path):
    assert "cannot be read" in refused(call("simulate", "--config", tmp_path / "none.toml"))
    binary = tmp_path / "binary.toml"
    binary.write_bytes(b"\xff\xfe")
    assert "UTF-8" in refused(call("simulate", "--config", binary))


def test_a_wrong_value_of_the_environment_is_refused_by_name():
    sentence = refused(call("simulate", "--games", 1, environment={"JOKERSIM_THREADS": "many"}))
    assert "--threads" in sentence
    assert "JOKERSIM_THREADS" in sentence
