"""The program: its commands, and the one place where what went wrong becomes an exit code."""

from __future__ import annotations

import atexit
import contextlib
import errno
import gc
import importlib
import io
import os
import signal
import sys
import traceback
from collections.abc import Callable, Sequence
from types import FrameType
from typing import Any, Final

import click

from jokersim._version import __version__
from jokersim.cli import foreground
from jokersim.cli.output import complain, one_line
from jokersim.errors import InputError, JokersimError

__all__ = ["COMMANDS", "main", "program"]

COMMANDS: Final = {
    "simulate": "Play games, print their summary and write them as a dataset.",
    "replay": "Check and complete game records.",
    "show": "Show one game of a run, as a page or as a record.",
    "summary": "Print the summary of a dataset.",
    "verify": "Check a dataset, and play its games again.",
    "compare": "Compare two datasets, or two rule sets on the same deals.",
    "merge": "Join the shards of a run into one dataset.",
    "match": "Say by how much one policy beats another.",
    "odds": "Say what to bid, call and play, and how sure that is.",
    "rules": "List presets, or a preset's options with their meaning.",
    "schema": "List the columns of tables, or the fields of observations.",
    "warmup": "Compile the kernels and keep them for later runs.",
}
"""The commands and what each does; a module of the same name in `jokersim.cli.commands` has it."""

_DEBUG: Final = "JOKERSIM_DEBUG"
_INTERRUPTED: Final = 130
_AGAIN: Final = 0.01
"""Seconds until a signal that could not be heard is given again."""
_SIGNALS: Final = {
    int(signal.SIGINT): (_INTERRUPTED, "interrupted"),
    int(signal.SIGTERM): (143, "terminated"),
}


class Commands(click.Group):
    """A group that imports a command when it is called."""

    def main(  # type: ignore[override]
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        *,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:
        """Run the program; unless it is told not to stand alone, it ends with its exit code."""

        def call() -> Any:
            return super(Commands, self).main(args, prog_name, standalone_mode=False, **extra)

        if not standalone_mode:
            return call()
        return sys.exit(run(call))

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """Name the commands in the order in which help lists them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import a command."""
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"jokersim.cli.commands.{cmd_name}")
        command: click.Command = module.command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Write the list of commands without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.command(
    "jokersim",
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="A long option has a default in the environment (JOKERSIM_SEED) and in the file that "
    "--config names. A flag goes before the environment, the environment before the file.",
)
@click.version_option(__version__, prog_name="jokersim", message="%(prog)s %(version)s")
def program() -> None:
    """Monte Carlo simulation of the Joker card games: Classic, Nines and Japanese."""


class Stopped(BaseException):
    """The process was asked to end by a signal; like a KeyboardInterrupt, no error."""

    def __init__(self, exit_code: int, word: str) -> None:
        super().__init__(word)
        self.exit_code = exit_code


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and answer its exit code.

    Parameters
    ----------
    arguments : sequence of str, optional
        What follows the program's name; by default the process's own arguments.
    """
    _listen()
    # Memory goes with the process. A last search for garbage in all that was loaded would take up
    # to a sixth of a short run.
    atexit.register(gc.freeze)
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A page has signs that not every locale can write.
        sys.stdout.reconfigure(errors="replace")
    code = _flushed(
        run(lambda: program.main(arguments, prog_name="jokersim", standalone_mode=False))
    )
    if foreground.left_behind():
        # A compilation cannot be stopped, and would hold up or break an orderly end.
        os._exit(code)
    return code


def run(call: Callable[[], Any]) -> int:
    """Call and answer the exit code; what went wrong is said in one sentence."""
    try:
        answer = call()
    except JokersimError as error:
        complain(str(error))
        return error.exit_code
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        return InputError.exit_code
    except click.ClickException as error:
        complain(_usage(error))
        return InputError.exit_code
    except Stopped as stop:
        complain(str(stop))
        return stop.exit_code
    except (KeyboardInterrupt, click.Abort):
        complain("interrupted")
        return _INTERRUPTED
    except Exception as error:  # noqa: BLE001 - the last resort, which words whatever it is
        return _unexpected(error)
    return answer if isinstance(answer, int) else 0


def _usage(error: click.ClickException) -> str:
    if isinstance(error, click.BadParameter) and error.param is not None:
        name = (
            error.param.opts[0]
            if isinstance(error.param, click.Option)
            else error.param.human_readable_name
        )
        if isinstance(error, click.MissingParameter):
            return f"{name} is missing: give it, see --help"
        return f"{name}: {one_line(error.message)}"
    text = one_line(error.format_message())
    return text[:1].lower() + text[1:]


def _unexpected(error: Exception) -> int:
    if isinstance(error, OSError) and error.errno == errno.EPIPE:
        return JokersimError.exit_code  # whoever read the output has seen enough
    if os.environ.get(_DEBUG, "0") not in {"", "0"}:
        traceback.print_exception(error)
    if isinstance(error, MemoryError):
        complain("the memory is used up: ask for fewer tables, games in memory or threads")
    elif isinstance(error, OSError) and error.strerror:
        named = f" ({error.filename})" if error.filename else ""
        complain(f"{error.strerror.lower()}{named}")
    else:
        what = one_line(str(error))
        complain(
            f"unexpected {type(error).__name__}{': ' if what else ''}{what} "
            f"({_DEBUG}=1 shows where it came from)"
        )
    return JokersimError.exit_code


def _flushed(code: int) -> int:
    """Write what is still buffered; a reader that has gone, or a full disk, shows itself here."""
    try:
        sys.stdout.flush()
    except OSError as error:
        # Python flushes again at its end, and would complain there.
        with contextlib.suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return code or _unexpected(error)
    return code


def _listen() -> None:
    """Let SIGINT and SIGTERM end the main thread's work in order."""

    def stop(number: int, frame: FrameType | None) -> None:
        if _is_destroying(frame):
            # Python drops what a destructor raises, so the signal comes again when that is over.
            signal.signal(signal.SIGALRM, lambda _, later: stop(number, later))
            signal.setitimer(signal.ITIMER_REAL, _AGAIN)
            return
        raise Stopped(*_SIGNALS[number])

    for number in _SIGNALS:
        # A shell starts what runs in the background with SIGINT ignored, and it stays so.
        if signal.getsignal(number) is not signal.SIG_IGN:
            with contextlib.suppress(ValueError):  # only the main thread may, and is interrupted
                signal.signal(number, stop)


def _is_destroying(frame: FrameType | None) -> bool:
    """Tell whether a destructor is among the calls that a signal interrupts."""
    while frame is not None:
        if frame.f_code.co_name == "__del__":
            return True
        frame = frame.f_back
    return False
