"""A picture of odds, by matplotlib, which is imported when a picture is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from jokersim.errors import InputError, RunError

__all__ = ["check_plot", "plot_odds"]

_COLOURS: Final = {"best": "#1b6ca8", "other": "#9db7c9"}
_LISTS: Final = {"bids": "bid", "calls": "trump", "plays": "play"}


def check_plot(path: Path) -> None:
    """Check that a picture can be drawn into a file, before anything is computed.

    Raises
    ------
    InputError
        The file's name ends in neither .svg nor .png, its folder is missing, or matplotlib is.
    """
    if path.suffix not in {".svg", ".png"}:
        raise InputError(f"a picture is a .svg or a .png file, and {path} is neither")
    if not path.parent.is_dir():
        raise InputError(f"{path} cannot be written: there is no folder {path.parent}")
    if find_spec("matplotlib") is None:
        raise InputError("pictures need matplotlib: install it with pip install 'jokersim[plot]'")


def plot_odds(document: Mapping[str, Any], path: Path) -> None:
    """Draw the answer of an odds question: the chances and the expected score, with intervals.

    Raises
    ------
    InputError
        See `check_plot`.
    RunError
        The file cannot be written.
    """
    check_plot(path)
    from matplotlib import rc_context
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    key = next(key for key in _LISTS if key in document)
    entries = document[key]
    labels = [str(entry[_LISTS[key]]) for entry in entries]
    chance = "p_made" if "p_made" in entries[0] else "p_win"
    best = [_COLOURS["best" if label == str(document["best"]) else "other"] for label in labels]
    figure = Figure(figsize=(8, 4.5), layout="constrained")
    FigureCanvasAgg(figure)
    for axis, name, title in zip(
        figure.subplots(1, 2),
        (chance, "score"),
        ("chance that the bid is made" if chance == "p_made" else "chance to win", "mean score"),
        strict=True,
    ):
        values = [entry[name] for entry in entries]
        reach = [
            [max(0.0, entry[name] - entry[f"{name}_low"]) for entry in entries],
            [max(0.0, entry[f"{name}_high"] - entry[name]) for entry in entries],
        ]
        axis.bar(labels, values, color=best, yerr=reach, capsize=3, ecolor="#444444")
        axis.set_title(title)
        axis.set_xlabel(_LISTS[key])
        axis.spines[["top", "right"]].set_visible(False)
    figure.suptitle(_title(document))
    try:
        # Equal answers give equal files: nothing in them tells of a time.
        metadata = {"Date": None} if path.suffix == ".svg" else {"Software": None}
        with rc_context({"svg.hashsalt": "jokersim"}):
            figure.savefig(path, metadata=metadata)
    except OSError as error:
        raise RunError(f"{path} cannot be written: {error.strerror or error}") from None


def _title(document: Mapping[str, Any]) -> str:
    cards = document.get("hand") or document.get("cards") or []
    parts = [document["game"], " ".join(cards), f"policy {document['policy']}"]
    if document.get("trump"):
        parts.insert(2, f"trump {document['trump']}")
    return ", ".join(part for part in parts if part)
