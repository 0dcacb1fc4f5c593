"""Choices as text and as the kernels' numbers, and why one is refused.

What a number means follows from the kind of decision: a trump 0..4, a bid, an action of davi, or a
play coded as in `jokersim.cards`. Knows no state of a game.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from jokersim.cards import JOKER_PLAY, SUITS, TRUMPS, format_play, parse_play, parse_trump
from jokersim.rules.options import shown

__all__ = [
    "ACTIONS",
    "KINDS",
    "PLAY_OF_TEXT",
    "PLURALS",
    "TEXT_OF_PLAY",
    "read_choice",
    "reply_refusal",
    "write_choices",
]

KINDS: Final = ("trump", "bid", "play", None, "davi")
"""Kinds of decision, by the kernels' numbers; None where none is due."""
PLURALS: Final = {"trump": "trumps", "bid": "bids", "play": "plays", "davi": "actions"}
ACTIONS: Final = ("offer", "accept", "decline", "counter", "lead")
"""Davi actions, by the kernels' numbers."""


class _Plays(dict[str, int]):
    """Plays by their text, however it is written; what was read once is looked up."""

    def __missing__(self, text: str) -> int:
        play = parse_play(text)
        self[text] = play
        return play


PLAY_OF_TEXT: Final = _Plays()
"""Play of each text: ``PLAY_OF_TEXT[text]`` raises ``ValueError`` for what is no play."""

TEXT_OF_PLAY: Final = tuple(format_play(play) for play in range(JOKER_PLAY + 10 * 6))
"""Canonical text of each play."""


def read_choice(kind: str, text: str) -> int:
    """Read a choice as the number that its kind of decision gives it.

    Raises ``ValueError`` with a sentence for what is no choice of that kind.

    >>> read_choice("trump", "NT"), read_choice("bid", "3"), read_choice("play", "10♦")
    (4, 3, 22)
    """
    if kind == "trump":
        return parse_trump(text)
    if kind == "bid":
        if len(text) != 1 or text not in "0123456789":
            raise ValueError(f"{shown(text)} is no bid: a bid is a number 0..9")
        return int(text)
    if kind == "davi":
        if text not in ACTIONS:
            raise ValueError(f"{shown(text)} is no davi action")
        return ACTIONS.index(text)
    return PLAY_OF_TEXT[text]


def write_choices(kind: str | None, choices: Sequence[int]) -> list[str | int]:
    """Write choices as a record's ``legal`` does: texts, or numbers for bids.

    >>> write_choices("davi", [0, 4]), write_choices("bid", [0, 2])
    (['offer', 'lead'], [0, 2])
    """
    if kind == "bid":
        return list(choices)
    names = {"trump": TRUMPS, "davi": ACTIONS}.get(kind or "play", TEXT_OF_PLAY)
    return [names[choice] for choice in choices]


def reply_refusal(play: int, led: int, trump: int, high: bool, legal: Collection[int]) -> str:
    """Say why a play that a seat holds is not legal in reply, by the suits of those that are.

    >>> reply_refusal(8, led=1, trump=2, high=True, legal=[17])
    'has to follow H, with the highest, and may not play AS'
    """
    text = TEXT_OF_PLAY[play]
    if play >= JOKER_PLAY:
        return f"may not play {text} in reply"
    suits = {choice // 9 for choice in legal if choice < JOKER_PLAY}
    if suits == {led}:
        return f"has to follow {SUITS[led]}{', with the highest,' * high} and may not play {text}"
    if suits == {trump}:
        return f"has to trump {SUITS[led]} and may not play {text}"
    return f"may not play {text}"
