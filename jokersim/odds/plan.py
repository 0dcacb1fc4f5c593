"""How much is to be sampled: what a caller may ask for, checked, and when enough is enough."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import Any, Final

from jokersim.errors import InputError, PrecisionError

__all__ = ["MAX_SEED", "Plan", "ShortfallError", "check_whole", "make_plan", "processors"]

MAX_SEED: Final = 2**63 - 1
MAX_SAMPLES: Final = 10**9
FIRST_LOOK: Final = 1_000
LEAST_STEP: Final = 100
SAMPLES: Final = 10_000
SAMPLES_SEARCHED: Final = 200
ATTEMPTS_A_WORLD: Final = 1_000


class ShortfallError(PrecisionError):
    """Too few worlds agreed with what was seen; `result` holds what there is, None if nothing."""

    def __init__(self, message: str, result: dict[str, Any] | None = None) -> None:
        super().__init__(message)
        self.result = result


@dataclass(frozen=True, slots=True)
class Plan:
    """A number of worlds or a half-width to reach, from which seed, at which level, how fast."""

    samples: int | None
    """None: as many as is usual for the policies."""
    precision: float | None
    seed: int
    level: float
    threads: int

    def first_look(self, usual: int = SAMPLES) -> int:
        """Answer the number of worlds at which to look first, without a precision the only one."""
        return FIRST_LOOK if self.precision is not None else self.samples or usual

    def next_look(self, n: int, widest: float) -> int:
        """Answer the number of worlds at which to look after `n`, where half-widths reach `widest`.

        They narrow with the root of the number. No more than twice as many, since by then other
        candidates may rest; and some more than seem to do, so that it is not too few by a hair.
        """
        if self.precision is None:
            raise ValueError("without a precision there is one look")
        enough = ceil(1.02 * n * (widest / self.precision) ** 2)
        return min(max(enough, n + LEAST_STEP), 2 * n)


def make_plan(
    samples: int | None,
    precision: float | None,
    seed: int,
    level: float,
    threads: int | None,
) -> Plan:
    """Check what is asked for.

    Raises
    ------
    InputError
        A number is out of its range, or both samples and precision are given.

    Examples
    --------
    >>> make_plan(500, None, 0, 0.95, 1).first_look()
    500
    >>> make_plan(None, 0.02, 0, 0.95, 1).next_look(1_000, 0.026)
    1724
    """
    if samples is not None and precision is not None:
        raise InputError("samples and precision are two ways to say when to stop: give one of them")
    if samples is not None:
        check_whole("samples", samples, 1, MAX_SAMPLES)
    if precision is not None and not (_is_number(precision) and 0 < precision <= 0.5):
        raise InputError(f"precision is a half-width above 0 and at most 0.5, not {precision!r}")
    check_whole("seed", seed, 0, MAX_SEED)
    if not (_is_number(level) and 0 < level < 1):
        raise InputError(f"level lies between 0 and 1, and {level!r} does not")
    if threads is not None:
        check_whole("threads", threads, 1, 4096)
    return Plan(
        samples,
        None if precision is None else float(precision),
        int(seed),
        float(level),
        threads or processors(),
    )


def check_whole(name: str, value: object, low: int, high: int) -> None:
    """Refuse what is no whole number within bounds."""
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        most = "2^63 - 1" if high == MAX_SEED else f"{high:,}"
        raise InputError(f"{name} is a whole number from {low} to {most}, not {value!r}")


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def processors() -> int:
    """Answer the number of processors that this process may use."""
    from jokersim.simulate.pipeline import usable_processors

    return usable_processors()
