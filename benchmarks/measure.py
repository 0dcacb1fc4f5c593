"""Timing that survives a noisy machine: interleaved repeats, medians, ratios taken in one run."""

from __future__ import annotations

import os
import platform
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

Work = Callable[[], object]


@dataclass(frozen=True, slots=True)
class Spread:
    """The median of some repeats, and the smallest and largest of them."""

    median: float
    low: float
    high: float
    n: int

    @classmethod
    def of(cls, values: Sequence[float]) -> Spread:
        return cls(statistics.median(values), min(values), max(values), len(values))

    def to_json(self) -> dict[str, float]:
        return {"median": self.median, "low": self.low, "high": self.high, "n": self.n}


def seconds(work: Work, clock: Callable[[], float] = time.perf_counter) -> float:
    start = clock()
    work()
    return clock() - start


def interleaved(
    works: Mapping[str, Work], repeats: int, clock: Callable[[], float] = time.perf_counter
) -> dict[str, list[float]]:
    """Time each of the works once a round, so that a slow minute of the machine meets them all.

    Every work runs once before, unmeasured: compiled code is loaded and caches are filled.
    """
    for work in works.values():
        work()
    times: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(repeats):
        for name, work in works.items():
            times[name].append(seconds(work, clock))
    return times


def ratio_of_best(reference: Work, work: Work, repeats: int) -> float:
    """Answer how many times as long as the reference a work takes, both at their best.

    The two take turns. Whatever else the machine does can only slow a repeat down, so the fastest
    of many short ones is what the code itself takes, and the least noisy figure there is.
    """
    times = interleaved({"reference": reference, "work": work}, repeats)
    return min(times["work"]) / min(times["reference"])


def processor() -> str:
    """Name this machine's processor, as the system tells it."""
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        facts = dict(line.split(":", 1) for line in cpuinfo.read_text().splitlines() if ":" in line)
        stripped = {key.strip(): value.strip() for key, value in facts.items()}
        if "model name" in stripped:
            family, model = stripped.get("cpu family", "?"), stripped.get("model", "?")
            return f"{stripped['model name']}, family {family} model {model}"
    return platform.processor() or platform.machine()


def machine() -> dict[str, Any]:
    """Answer what the figures were taken on."""
    return {
        "processor": processor(),
        "processors": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else None,
        "system": platform.system(),
        "python": platform.python_version(),
        "numba": version("numba"),
        "numpy": version("numpy"),
        "pyarrow": version("pyarrow"),
    }
