"""Random legal playouts by everyone, one core, in one run: who plays how many cards a second.

    python -m benchmarks.peers.compare [--repeats 7]

Writes measured/peers.json. The works take turns, round by round; rates are card plays by processor
time, ratios are taken within a round and their median stands. What cannot be imported is said and
left out.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Final

from benchmarks import results
from benchmarks.measure import Spread
from benchmarks.peers import openspiel, others, plain, simple

Played = Callable[[], int]


def ours(game: str, plays: int, games: int) -> Callable[[], Played]:
    """Prepare our own work: whole games in memory, dealing, bidding and scoring included."""

    def prepare() -> Played:
        from benchmarks.guard import games as chunk

        work = chunk(game, "random", games)

        def play() -> int:
            work()
            return games * plays

        return play

    return prepare


# Name: package, what is played, how to prepare it.
PEERS: Final[dict[str, tuple[str, str, Callable[[], Played]]]] = {
    "jokersim": ("jokersim", plain.WHAT, ours("classic", plain.PLAYS_A_GAME, 20_000)),
    "plain Python, tuned": ("", plain.WHAT, plain.prepare),
    "plain Python, as the rules read": ("", plain.WHAT, simple.prepare),
    "OpenSpiel, C++ core": ("open_spiel", openspiel.WHAT, openspiel.prepare_inside),
    "OpenSpiel, from Python": ("open_spiel", openspiel.WHAT, openspiel.prepare_stepped),
    "OpenSpiel, as its example": ("open_spiel", openspiel.WHAT, openspiel.prepare_as_shown),
    "colver": ("colver", others.COLVER, others.prepare_colver),
    "jass-kit": ("jass-kit", others.JASS, others.prepare_jass),
    "RLCard": ("rlcard", others.RLCARD, others.prepare_rlcard),
}


def release(package: str) -> str:
    """Answer the version of a peer, if it is a package."""
    try:
        return version(package) if package and package != "jokersim" else ""
    except PackageNotFoundError:
        return ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=7)
    asked = parser.parse_args()
    works: dict[str, Played] = {}
    missing: dict[str, str] = {}
    for name, (_, _, prepare) in PEERS.items():
        try:
            works[name] = prepare()
        except ImportError as error:
            missing[name] = str(error)
            print(f"{name} left out: {error}")
    rates: dict[str, list[float]] = {name: [] for name in works}
    for work in works.values():
        work()
    for _ in range(asked.repeats):
        for name, work in works.items():
            start = time.process_time()
            plays = work()
            rates[name].append(plays / (time.process_time() - start))
    found: dict[str, Any] = {}
    for name, values in rates.items():
        package, what, _ = PEERS[name]
        ratios = [own / value for own, value in zip(rates["jokersim"], values, strict=True)]
        found[name] = {
            "what": what,
            "version": release(package),
            "plays_per_second": Spread.of(values).to_json(),
            "jokersim_is_times": Spread.of(ratios).to_json(),
        }
        print(
            f"{name:<32} {what:<48} {found[name]['plays_per_second']['median']:>14,.0f} plays a"
            f" second, jokersim {found[name]['jokersim_is_times']['median']:,.1f} times"
        )
    results.keep("peers", found | {"missing": missing} if missing else found)


if __name__ == "__main__":
    main()
