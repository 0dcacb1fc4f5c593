"""Rule sets from the command line: preset, file, then each ``--set``."""

import pytest
from hypothesis import given

from jokersim.errors import InputError, OptionError
from jokersim.rules import format_value, read_rules_toml, rules, rules_from
from tests.rules.strategies import RULE_SETS


@pytest.fixture
def rules_file(tmp_path):
    def write(content):
        path = tmp_path / "my.toml"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


def test_nothing_given_is_classic():
    assert rules_from() == rules("classic")


def test_file_then_sets_in_order(rules_file):
    file = rules_file(
        'game = "nines"\n[rules]\nkhishti = -500\nhook = "none"\nschedule = [[9, 9], [1]]\n'
    )
    made = rules_from(None, file, ["khishti=-300", "erase=all_others", "khishti=-100"])
    assert made == rules(
        "nines", khishti=-100, hook="none", erase="all_others", schedule=[[9, 9], [1]]
    )
    assert rules_from("nines", str(file)).changes()["khishti"] == -500


def test_file_gives_options_to_the_preset_asked_for(rules_file):
    file = rules_file("[rules]\ntarget = 5\n")
    assert rules_from("japanese-davi", file) == rules("japanese-davi", target=5)


def test_configuration_stands_between_preset_and_file(rules_file):
    file = rules_file("[rules]\nhook = 'none'\n")
    config = {"hook": "dealer", "khishti": -1, "erase": "all_others"}
    made = rules_from("classic", file, ["khishti=-2"], config=config)
    assert made.changes() == {"hook": "none", "khishti": -2, "erase": "all_others"}


@pytest.mark.parametrize("content", ["", "# nothing\n", "[rules]\n", 'game = "classic"\n'])
def test_file_may_change_nothing(rules_file, content):
    assert rules_from(None, rules_file(content)) == rules("classic")


@pytest.mark.parametrize(
    ("text", "changes"),
    [
        ("must_trump=false", {"must_trump": False}),
        ("hook=none", {"hook": "none"}),
        ('hook="none"', {"hook": "none"}),
        (" hook = none ", {"hook": "none"}),
        ("khishti=-1_000", {"khishti": -1000}),
        (
            "khishti=[-100,-200,-300,-400,-500,-600,-700,-800,-900]",
            {"khishti": [-100, -200, -300, -400, -500, -600, -700, -800, -900]},
        ),
        ("schedule=[[9,9],[1]]", {"schedule": [[9, 9], [1]]}),
        ("first_dealer=2", {"first_dealer": 2}),
        ("first_dealer=ace_draw", {"first_dealer": "ace_draw"}),
    ],
)
def test_set_takes_a_toml_value_else_a_string(text, changes):
    assert rules_from("classic", sets=[text]).changes() == changes


@given(RULE_SETS)
def test_every_value_can_be_given_by_set(given_rules):
    name, options = given_rules
    made = rules(name, **options)
    sets = [f"{option}={format_value(value)}" for option, value in made.options().items()]
    assert rules_from(name, sets=sets) == made


@pytest.mark.parametrize(
    ("text", "option", "said"),
    [
        ("khishti=flat", "khishti", '"flat"'),
        ("khishti=", "khishti", '""'),
        ("khishti=-200.0", "khishti", "-200.0"),
        ("khishti=[1, 2", "khishti", '"[1, 2"'),
        ("khishti=" + "[" * 5000, "khishti", '"[[['),
        ("khishti=" + "9" * 5000, "khishti", '"999'),
        ("must_trump=True", "must_trump", '"True"'),
        ("must_trump=1", "must_trump", "1"),
        ("first_dealer='2'", "first_dealer", '"2"'),
        ("khishti=-1\nhook='none'", "khishti", '"-1'),
        ("khishti=1979-05-27", "khishti", "1979"),
        ("khishti={a=1}", "khishti", "a table"),
        ("khishty=-200", "khishty", "its options are"),
        ("target=3", "target", "games of 2 players"),
        ("hook.a=none", "hook.a", "its options are"),
    ],
)
def test_bad_set_is_refused_by_option(text, option, said):
    with pytest.raises(OptionError) as caught:
        rules_from("classic", sets=[text])
    assert caught.value.option == option
    message = str(caught.value)
    assert message.startswith("--set: ")
    assert said in message
    assert "\n" not in message


def test_stake_and_rake_by_set():
    with pytest.raises(OptionError, match=r"^--set: rake is a number from 0 to below 1, not nan"):
        rules_from("japanese", sets=["rake=nan"])
    with pytest.raises(OptionError, match=r"^--set: stake is a finite number above 0, not inf"):
        rules_from("japanese", sets=["stake=inf"])


def test_value_that_a_later_one_replaces_must_be_right_too():
    with pytest.raises(OptionError):
        rules_from("classic", sets=["khishti=flat", "khishti=-200"])


@pytest.mark.parametrize("text", ["khishti", "", "=3", "khishti:-200"])
def test_set_without_option_and_value_is_refused(text):
    with pytest.raises(InputError, match="--set takes option=value"):
        rules_from("classic", sets=[text])


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("[rules\n", "is not valid TOML"),
        ("[rules]\nkhishti = 1\nkhishti = 2\n", "is not valid TOML"),
        ("[rules]\nkhishti = " + "[" * 5000, "is not valid TOML"),
        (b"[rules]\nhook = '\xff'\n", "is not UTF-8"),
        (b"\x00\x01\x02", "is not valid TOML"),
        ("khishti = -500\n", 'unknown key "khishti".*under \\[rules\\]'),
        ("rules = 3\n", "rules is a table of options, not 3"),
        ("[[rules]]\nkhishti = 3\n", "rules is a table of options"),
        ("game = 3\n", "game is the name of a preset, not 3"),
        ('game = "Classic"\n', 'no game is called "Classic"'),
        ('game = "nines"\n', 'game "nines".*agree.*"classic"'),
    ],
)
def test_bad_file_is_refused_in_one_sentence_that_names_it(rules_file, content, said):
    file = rules_file(content)
    with pytest.raises(InputError, match=said) as caught:
        rules_from("classic", file)
    assert "my.toml" in str(caught.value)
    assert "\n" not in str(caught.value)
    assert caught.value.exit_code == 2


def test_bad_option_of_a_file_is_refused_with_file_and_option(rules_file):
    file = rules_file("[rules]\nhook = 'chooser'\n")
    with pytest.raises(OptionError, match=r"my\.toml: hook is dealer or none") as caught:
        rules_from("classic", file)
    assert caught.value.option == "hook"


def test_bad_option_of_a_configuration_is_refused():
    with pytest.raises(OptionError, match=r"^\[rules\]: hook is dealer or none"):
        rules_from("classic", config={"hook": True})


def test_file_that_cannot_be_read_is_refused(tmp_path):
    for path in (tmp_path / "none.toml", tmp_path, f"{tmp_path}/a\0b.toml"):
        with pytest.raises(InputError, match="cannot be read"):
            rules_from("classic", path)


@pytest.mark.parametrize("game", ["", "Classic"])
def test_unknown_game_is_refused(game):
    with pytest.raises(InputError, match="the presets are classic"):
        rules_from(game)


def test_text_of_a_rules_file():
    assert read_rules_toml("", "x") == (None, {})
    assert read_rules_toml("[rules]\nhook = 3", "x") == (None, {"hook": 3})
