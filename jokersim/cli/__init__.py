"""The command line: one command a file, and what they share.

The only part of the package that knows click, prints or exits. Commands are imported when they are
called, and import what they need when they run, so that ``jokersim --help`` answers at once.
"""

from jokersim.cli.program import main

__all__ = ["main"]
