import logging
import math
import warnings

from jokersim.cli.output import Notes, notes, print_json
from jokersim.cli.progress import Progress


class Terminal(Notes):
    def __init__(self, *, quiet=False, on_terminal=True):
        super().__init__(quiet=quiet)
        self.on_terminal = on_terminal


def test_json_is_strict(capfdbinary):
    print_json({"a": math.inf, "b": [math.nan, 1.5, {"c": (-math.inf,)}], "ქ": "♠"})
    output = capfdbinary.readouterr().out.decode()
    assert "".join(output.split()) == '{"a":null,"b":[null,1.5,{"c":[null]}],"ქ":"♠"}'


def test_the_librarys_warnings_are_remarks(capsys):
    with notes(quiet=False):
        warnings.simplefilter("always")
        warnings.warn("no folder\ncan be written", RuntimeWarning, stacklevel=1)
        logging.getLogger("jokersim.store").warning("taken over %s", "a lock")
    logging.getLogger("jokersim.store").debug("not heard")
    assert capsys.readouterr().err.splitlines() == [
        "jokersim: warning: no folder can be written",
        "jokersim: taken over a lock",
    ]


def test_to_be_quiet_is_to_say_nothing(capsys):
    with notes(quiet=True) as own:
        own.say("compiling")
        warnings.warn("no folder can be written", RuntimeWarning, stacklevel=1)
        logging.getLogger("jokersim.store").warning("taken over")
    assert capsys.readouterr().err == ""
    assert logging.getLogger("jokersim").handlers == []


def test_progress_is_a_line_that_goes_away(capsys):
    with Progress(Terminal()) as progress:
        progress(100, 1000)
    shown = capsys.readouterr().err
    assert "100 of 1,000 games" in shown
    assert "\n" not in shown
    assert shown.endswith("\r")
    assert shown.split("\r")[-2].strip() == ""


def test_progress_is_shown_a_few_times_a_second(capsys):
    with Progress(Terminal()) as progress:
        for done in range(1, 1000):
            progress(done, 1_000_000)
    assert capsys.readouterr().err.count("of 1,000,000 games") < 100


def test_progress_needs_a_terminal_and_someone_who_looks(capsys):
    for own in (Terminal(on_terminal=False), Terminal(quiet=True)):
        with Progress(own) as progress:
            progress(1, 2)
    assert capsys.readouterr().err == ""
