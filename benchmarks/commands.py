"""Whole commands, each in a process of its own: what a user waits for, and what it takes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parent.parent


@dataclass(frozen=True, slots=True)
class Outcome:
    """A command that succeeded: its document, what it took, and the process's peak of memory."""

    document: dict[str, Any]
    seconds: float
    processor_seconds: float
    peak_bytes: int


def jokersim(
    arguments: Sequence[str],
    environment: Mapping[str, str] | None = None,
    accepted: Container[int] = (0,),
) -> Outcome:
    """Run the command line; raise if it exits with a code that is not accepted."""
    with tempfile.TemporaryFile() as out:
        start = time.perf_counter()
        process = subprocess.Popen(
            [sys.executable, "-m", "jokersim", *arguments],
            cwd=ROOT,
            env={**os.environ, **(environment or {})},
            stdout=out,
            stderr=subprocess.DEVNULL,
        )
        _, status, usage = os.wait4(process.pid, 0)
        taken = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode not in accepted:
            raise RuntimeError(f"jokersim {' '.join(arguments)} exited with {process.returncode}")
        out.seek(0)
        text = out.read().decode()
    unit = 1 if sys.platform == "darwin" else 1024
    document = json.loads(text) if text.startswith("{") else {}
    busy = usage.ru_utime + usage.ru_stime
    return Outcome(document, taken, busy, usage.ru_maxrss * unit)


def simulate(
    game: str,
    policy: str,
    games: int,
    threads: int,
    tables: str | None = None,
    environment: Mapping[str, str] | None = None,
) -> Outcome:
    """Simulate in memory, or into a folder that is thrown away where tables are named."""
    arguments = [
        "simulate", "--game", game, "--policy", policy, "--games", str(games), "--seed", "1",
        "--threads", str(threads), "--json", "--quiet",
    ]  # fmt: skip
    if tables is None:
        return jokersim(arguments, environment)
    with tempfile.TemporaryDirectory() as folder:
        out = str(Path(folder) / "run")
        return jokersim([*arguments, "--out", out, "--tables", tables], environment)
