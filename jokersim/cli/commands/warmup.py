"""``jokersim warmup``: compile the kernels and keep them for later runs."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import click

from jokersim.cli.options import json_option, quiet_option, the_notes
from jokersim.cli.output import print_json, print_text
from jokersim.cli.settings import config_option
from jokersim.cli.texttable import Head, aligned, duration

__all__ = ["command"]

_GAMES_WRITTEN: Final = 300
_GAMES: Final = ("classic", "japanese")
"""A game of each family: kernels are compiled for all rule sets of a family at once."""


@click.command("warmup")
@json_option
@quiet_option
@config_option
def command(as_json: bool) -> None:
    """Compile the kernels and keep them, and say how long it took: later runs start at once."""
    from jokersim.cli.foreground import wait_for
    from jokersim.kernels import jit
    from jokersim.kernels.watch import watched

    notes = the_notes()
    rows: list[dict[str, Any]] = []
    for game in _GAMES:
        for what, call in _work(game).items():
            began = time.perf_counter()
            with watched(lambda: notes.say("compiling the kernels, once")) as watch:
                wait_for(call)
            rows.append(
                {
                    "game": game,
                    "kernels": what,
                    "seconds": time.perf_counter() - began,
                    "compiled": watch.seconds,
                }
            )
    folder = jit.cache_folder()
    if as_json:
        print_json(
            {
                "schema": {"name": "jokersim/warmup", "version": 1},
                "folder": None if folder is None else str(folder),
                "kernels": rows,
            }
        )
        return
    print_text(
        aligned(
            [Head("game", left=True), Head("kernels", left=True), Head("")],
            [[row["game"], row["kernels"], _said(row)] for row in rows],
        )
    )
    print_text(f"kept in {folder}" if folder else "kept in memory alone: no folder can be written")


def _said(row: dict[str, Any]) -> str:
    if row["compiled"]:
        return f"compiled in {duration(row['compiled'])}"
    return f"ready, loaded in {duration(row['seconds'])}"


def _work(game: str) -> dict[str, Callable[[], object]]:
    """Answer one small call for each set of kernels of a game's family."""
    from jokersim.records import replay
    from jokersim.simulate import make_player, plan, simulate
    from jokersim.table import play_game

    setup = plan(game, "random", 0)
    numbers = [policy.number for policy in setup.policies]

    def odds() -> object:
        from jokersim.odds import bid_odds, trump_odds

        if setup.rules.family == "two":
            return trump_odds(game, cards="AS KS QS", samples=1)
        return bid_odds(game, hand="AS KS", turned="9H", position=1, bids=[1], samples=1)

    def dataset() -> object:
        # So many games have columns of every kind in their tables.
        with TemporaryDirectory() as folder:
            return simulate(
                game, games=_GAMES_WRITTEN, seed=0, policies="random", out=Path(folder) / "run"
            )

    return {
        "simulation": lambda: make_player(setup).play(0, 1),
        "dataset": dataset,
        "records": lambda: replay(play_game(setup.rules, numbers, 0, 0)),
        "odds": odds,
    }
