"""Reading a dataset back as the `Run` that wrote it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from jokersim.errors import InputError, SpecError
from jokersim.policies import BUILT_IN, Policy, parse_policies
from jokersim.rules import rules
from jokersim.simulate.chunk import Setup
from jokersim.simulate.result import Run

if TYPE_CHECKING:
    from jokersim.simulate.given import GivenDeals

__all__ = ["NO_SEED", "RECORDED", "check_deals", "read", "setup_of"]

RECORDED: Final = "recorded"
"""In the place of streams and policies, where games were recorded and not simulated."""

NO_SEED: Final = -1
"""The seed of a run of recorded games."""


def read(path: str | Path, *, level: float = 0.95) -> Run:
    """Read a dataset that `simulate` wrote.

    Parameters
    ----------
    path : path or URI
        The dataset's folder. Of a run that was not finished, the committed games are read.
    level : float
        The level of the summary's intervals, between 0 and 1.

    Returns
    -------
    Run
        Without its wall time, which no file holds. Tables are read when they are asked for.

    Raises
    ------
    InputError
        The folder is no dataset, or nothing in it is committed yet.
    """
    from jokersim import stats, store

    if not 0 < level < 1:
        raise InputError(f"a level lies between 0 and 1, and {level} does not")
    dataset = store.read(path)
    spec, markers = dataset.spec, dataset.markers()
    try:
        rule_set = rules(spec["game"], **spec["rules"])
        policies = tuple(_policy(given) for given in spec["policies"])
        seed = NO_SEED if spec["streams"] == RECORDED else int(spec["seed"])
        sums = stats.added(rule_set, (marker.sums for marker in markers))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise InputError(
            f"{path} holds no run of this version of jokersim: its run.json or its markers "
            "lack what a simulation writes"
        ) from error
    if sums.games == 0:
        raise InputError(f"{path} holds no committed game yet: go on with --resume")
    return Run(
        rule_set, policies, seed, sums, level=level, stored=dataset, where=spec["where"],
        deals_sha256=spec.get("deals"),
    )  # fmt: skip


def setup_of(run: Run, deals: GivenDeals | None = None) -> Setup:
    """Answer what plays the games of a dataset again, for all of its tables.

    `deals` are those that the run was given, if any.

    Raises
    ------
    InputError
        The deals that the run was given are missing.
    SpecError
        This version of jokersim would deal or play them otherwise, or the deals are other ones.
    """
    from jokersim.kernels.streams import SCHEME

    assert run.stored is not None
    path, spec = run.stored.path, run.stored.spec
    if spec["streams"] == RECORDED:
        raise SpecError(f"{path} holds recorded games, which cannot be played again")
    if spec["streams"] != SCHEME:
        raise SpecError(
            f"{path} was dealt by the streams {spec['streams']}, not by {SCHEME}: "
            "take the version of jokersim that wrote it"
        )
    check_deals(run, deals)
    names = [policy.name for policy in run.policies]
    now = parse_policies(names, run.rules.family, run.rules.seats)
    for was, policy in zip(run.policies, now, strict=True):
        if was.source != policy.source:
            raise SpecError(
                f"{path} was played by another version of the policy {policy.name}: "
                "take the version of jokersim that wrote it"
            )
    return Setup(run.rules, now, run.seed, tuple(spec["tables"]), spec["where"], deals)


def check_deals(run: Run, deals: GivenDeals | None) -> None:
    """Refuse to play games of a dataset again without the deals that they were played with."""
    assert run.stored is not None
    path = run.stored.path
    if run.deals_sha256 is None:
        if deals is not None:
            raise SpecError(f"{path} was dealt by its seed: give no deals")
        return
    if deals is None:
        raise InputError(
            f"{path} was played with given deals: name their record file with --deals, "
            "so that its games can be played again"
        )
    if deals.sha256 != run.deals_sha256:
        raise SpecError(
            f"{path} was played with other deals: theirs have the sha256 {run.deals_sha256[:16]}…, "
            f"these {deals.sha256[:16]}…"
        )


def _policy(given: dict[str, Any]) -> Policy:
    """Answer a policy as it was: its source is that of then, and it need not exist any more."""
    name = str(given["policy"])
    return Policy(name, BUILT_IN.get(name.partition(":")[0], -1), str(given["source"]))
