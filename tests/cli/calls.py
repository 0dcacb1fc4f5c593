"""Calls of the command line, in this process and as a real one."""

import os
import signal
import subprocess
import sys
from pathlib import Path

from click.testing import CliRunner

from jokersim.cli.program import program

ROOT = Path(__file__).resolve().parent.parent.parent
CODE = "import sys; from jokersim.cli import main; sys.exit(main())"

# One deal of one card: played in no time, compiled as any other game.
SHORT = ("--policy", "random", "--set", "schedule=[[1]]")


def call(*arguments, given=None, environment=None):
    """Call the program; nothing but what it is meant to raise may come through."""
    runner = CliRunner(env=environment)
    return runner.invoke(
        program, [str(part) for part in arguments], input=given, prog_name="jokersim"
    )


def refused(result, code=2):
    """Answer the one sentence of a call that failed with the code and printed no result."""
    assert result.exit_code == code, (result.exit_code, result.stdout, result.stderr)
    assert result.stdout == ""
    lines = result.stderr.splitlines()
    assert len(lines) == 1, result.stderr
    assert lines[0].startswith("jokersim: ")
    assert "JOKERSIM_DEBUG" not in lines[0]
    return lines[0].removeprefix("jokersim: ")


def start(*arguments, code=CODE, **options):
    """Start the program as a process of its own."""
    environment = os.environ | {"PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"}
    return subprocess.Popen(
        [sys.executable, "-P", "-c", code, *map(str, arguments)],
        stdout=options.pop("stdout", subprocess.PIPE),
        stderr=subprocess.PIPE,
        encoding="utf-8",
        env=environment | options.pop("env", {}),
        preexec_fn=_hear_interrupts,  # noqa: PLW1509 - it takes no lock
        **options,
    )


def _hear_interrupts():
    """Undo what a shell does to the jobs in its background, which may be where the tests run."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def finished(process):
    """Wait for a process: its exit code, output and remarks."""
    output, remarks = process.communicate(timeout=300)
    return process.returncode, output, remarks
