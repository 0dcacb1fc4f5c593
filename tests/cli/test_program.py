import errno
import importlib
import signal

import click
import pytest

from jokersim import __version__, errors
from jokersim.cli.program import COMMANDS, Stopped, program, run
from tests.cli.calls import CODE, call, finished, refused, start

HEAVY = ("numba", "numpy", "pandas", "pyarrow", "jokersim.rules", "jokersim.kernels")


def test_help_lists_every_command():
    result = call("--help")
    assert result.exit_code == 0
    assert result.stderr == ""
    for name, line in COMMANDS.items():
        assert name in result.stdout
        assert line in result.stdout


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help(name):
    result = call(name, "--help")
    assert result.exit_code == 0
    assert result.stdout.startswith(f"Usage: jokersim {name}")
    command = importlib.import_module(f"jokersim.cli.commands.{name}").command
    assert command.name == name


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["simulate", "--help"]])
def test_help_imports_nothing_that_it_does_not_need(arguments):
    code = f"""
import sys
from jokersim.cli import main
code = main()
print([name for name in {HEAVY} if name in sys.modules], file=sys.stderr)
sys.exit(code)
"""
    assert finished(start(*arguments, code=code))[::2] == (0, "[]\n")


def test_version():
    result = call("--version")
    assert (result.exit_code, result.stdout) == (0, f"jokersim {__version__}\n")


def test_no_arguments_ask_for_help_on_stderr():
    result = call()
    assert result.exit_code == 2
    assert result.stdout == ""
    assert "Commands:" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["simulat"], "simulat"),
        (["simulate", "--gamez", "3"], "--gamez"),
        (["simulate"], "--games"),
        (["simulate", "--games"], "--games"),
        (["simulate", "--games", "3", "extra"], "extra"),
        (["show", "--index", "1", "--seed", "1", "--format", "xml"], "xml"),
        (["summary"], "DIR"),
    ],
)
def test_wrong_usage_is_one_sentence(arguments, named):
    assert named in refused(call(*arguments))


@pytest.mark.parametrize(
    ("raised", "code"),
    [
        (errors.RunError("the disk is full"), 1),
        (errors.InputError("no such preset"), 2),
        (errors.OptionError("hook", "hook is dealer or none"), 2),
        (errors.CheckError("1 of 2 records failed"), 3),
        (errors.SpecError("another run"), 4),
        (errors.PrecisionError("not reached"), 5),
        (click.UsageError("no\nsuch thing"), 2),
        (KeyboardInterrupt(), 130),
        (click.Abort(), 130),
        (Stopped(143, "terminated"), 143),
        (MemoryError(), 1),
        (OSError(errno.ENOSPC, "No space left on device"), 1),
        (ZeroDivisionError("division\nby zero"), 1),
    ],
)
def test_what_goes_wrong_is_one_sentence_and_a_code(raised, code, capsys):
    def fail():
        raise raised

    assert run(fail) == code
    output, remarks = capsys.readouterr()
    assert output == ""
    assert len(remarks.splitlines()) == 1
    assert "Traceback" not in remarks


def test_an_unexpected_error_shows_its_origin_on_request(monkeypatch, capsys):
    def fail():
        raise ZeroDivisionError("division by zero")

    monkeypatch.setenv("JOKERSIM_DEBUG", "1")
    assert run(fail) == 1
    remarks = capsys.readouterr().err
    assert "Traceback" in remarks
    assert "in fail" in remarks


def test_a_reader_that_has_gone_is_no_news(capsys):
    def fail():
        raise BrokenPipeError(errno.EPIPE, "Broken pipe")

    assert run(fail) == 1
    assert capsys.readouterr().err == ""


def test_the_program_can_be_called_within_another():
    with pytest.raises(errors.InputError):
        program.main(["rules", "poker"], prog_name="jokersim", standalone_mode=False)


def test_as_a_process():
    code, output, remarks = finished(start("rules", "--json"))
    assert (code, remarks) == (0, "")
    assert '"jokersim/rules"' in output
    code, output, remarks = finished(start("rules", "poker"))
    assert (code, output) == (2, "")
    assert len(remarks.splitlines()) == 1


def test_a_full_disk_behind_stdout_is_one_sentence(tmp_path):
    try:
        full = open("/dev/full", "w")  # noqa: PTH123, SIM115
    except OSError:
        pytest.skip("this system has no /dev/full")
    with full:
        code, _, remarks = finished(start("rules", stdout=full))
    assert (code, remarks) == (1, "jokersim: no space left on device\n")


def test_a_closed_pipe_behind_stdout_is_quiet():
    # The reader is gone before the program prints.
    code = "import sys, os; sys.stdin.read(); " + CODE
    process = start("rules", code=code, stdin=-1)
    process.stdout.close()
    process.stdin.close()
    remarks = process.stderr.read()
    assert process.wait(timeout=60) == 1
    process.stderr.close()
    assert remarks == ""


IN_A_DESTRUCTOR = """
import sys, time
from jokersim.cli import program

class Slow:
    def __del__(self):
        print("destroying", flush=True)
        end = time.monotonic() + 1
        while time.monotonic() < end:
            pass

def call():
    Slow()
    time.sleep(200)

program._listen()
sys.exit(program.run(call))
"""


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_in_a_destructor_is_not_lost(number, code):
    process = start(code=IN_A_DESTRUCTOR)
    assert process.stdout.readline() == "destroying\n"
    process.send_signal(number)
    assert finished(process)[0] == code
