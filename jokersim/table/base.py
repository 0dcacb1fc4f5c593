"""One game, step by step: what a table of two and one of four have in common.

Owns how a choice is read and refused, and how a record is put together from what a family of games
derives. The rules of play are the kernels'; the families are in `four` and `two`.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, SupportsIndex

from jokersim.cards import JOKER_PLAY, SUITS, TRUMPS, format_play, parse_play, parse_trump
from jokersim.errors import InputError
from jokersim.rules import Rules
from jokersim.rules.options import shown

if TYPE_CHECKING:
    from jokersim.table.views import Memory

__all__ = ["ACTIONS", "FORMAT", "PLAY_OF_TEXT", "TEXT_OF_PLAY", "Hands", "Record", "Table"]

Record = dict[str, Any]
Hands = Sequence[Sequence[str]]
"""Card texts by seat."""

FORMAT: Final = "joker-record/1"
ACTIONS: Final = ("offer", "accept", "decline", "counter", "lead")
"""Davi actions, by the kernels' numbers."""

_KINDS: Final = ("trump", "bid", "play", None, "davi")
_PLURALS: Final = {"trump": "trumps", "bid": "bids", "play": "plays", "davi": "actions"}
_MAX: Final = 2**63 - 1


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


class Table:
    """The state of one game, step by step: see what is legal, choose, write the record.

    With a `seed` the cards are those of game `index` of a run with that seed, dealt by themselves,
    so that the decisions which the policies of a run make give that very game. Without one, cards
    are given deal by deal (`deal`).

    Parameters
    ----------
    rules : FourRules | TwoRules
        The rule set; it decides whether this is a table of four or of two.
    seed : int, optional
        Seed of a run, 0 … 2^63-1.
    index : int
        Index of the game in that run, from 0.
    first : int, optional
        The seat of the first dealer (two players: of the first declarer), where there is no seed
        and the rule set does not name it.

    Raises
    ------
    InputError
        A seed, index or seat is out of range, or it is not said who begins.

    Examples
    --------
    >>> from jokersim.rules import rules
    >>> table = Table(rules("classic", schedule=[[1]]), first=3)
    >>> table.deal([["AS"], ["7H"], ["JK"], ["9D"]], turned="KC")
    >>> table.seat, table.kind, table.legal()
    (0, 'bid', [0, 1])
    >>> for bid in "1001":
    ...     table.apply(bid)
    >>> table.apply("A♠")
    >>> table.apply("7H")
    >>> table.legal()
    ['JK-', 'JK+']
    >>> table.apply(1)
    >>> table.apply("9D")
    >>> table.complete, table.totals
    (True, (-200, 100, 10, -200))
    """

    rules: Rules
    seed: int | None
    index: int
    first: int
    _memory: Memory
    _legal: list[int] | None = None
    """The legal choices once they are listed; None after every change."""

    def __new__(cls, rules: Rules | None = None, **_: Any) -> Table:
        """Choose the table of the rule set's family."""
        if cls is not Table or rules is None:
            return object.__new__(cls)
        # Kernels are loaded by the first table, not by the import of this module.
        if rules.family == "four":
            from jokersim.table.four import FourTable

            return object.__new__(FourTable)
        from jokersim.table.two import TwoTable

        return object.__new__(TwoTable)

    def __init__(
        self,
        rules: Rules,
        *,
        seed: int | None = None,
        index: int = 0,
        first: int | None = None,
    ) -> None:
        self.rules = rules
        self.seed = None if seed is None else _number("seed", seed)
        self.index = _number("index", index)
        self._set_up()
        self.first = self._who_begins(first)
        self._deal_on()

    def _who_begins(self, given: int | None) -> int:
        if self.seed is not None:
            if given is not None:
                raise InputError("first is not given with a seed, which decides who begins")
            return self._drawn_first()
        named = self._named_first()
        if given is None:
            if named is None:
                seats = self.rules.seats
                raise InputError(f"first names a seat 0..{seats - 1} where no seed is given")
            return named
        first = _number("first", given, self.rules.seats - 1)
        if named not in (None, first):
            raise InputError(f"first is seat {named} by the rule set, not {first}")
        return first

    # --- what a family of games provides (a subclass answers each of these) ----------------------

    def _set_up(self) -> None:
        """Make the state before the first deal."""
        raise NotImplementedError

    def _named_first(self) -> int | None:
        """Answer the seat that the rule set lets begin, None if it is drawn."""
        raise NotImplementedError

    def _drawn_first(self) -> int:
        """Answer the seat that begins in this game of a run."""
        raise NotImplementedError

    def _deal_on(self) -> None:
        """Deal the next deal of a game of a run, if there is one; without a seed, nothing."""
        raise NotImplementedError

    def _begin(self, cards: Mapping[str, Any]) -> None:
        """Begin the next deal with cards that somebody gives."""
        raise NotImplementedError

    def _unshare(self) -> None:
        """Part from the table that this one is a copy of."""
        raise NotImplementedError

    def advance(self, choices: Sequence[int]) -> int:
        """Carry out choices of one kind, as numbers, up to the first illegal one; answer how many.

        Numbers are the kernels': a trump 0..4, a bid, a play coded as in `jokersim.cards`, an
        index into `ACTIONS`.
        """
        raise NotImplementedError

    def _choices(self) -> list[int]:
        """List the legal choices as numbers, in the order of records."""
        raise NotImplementedError

    def _decide(self, policy: int) -> int:
        """Ask a built-in policy, by its number, for the decision due: its choice as a number."""
        raise NotImplementedError

    def _given_deal(self, deal: int) -> Record:
        """Write what a record is given of a deal."""
        raise NotImplementedError

    def _given_end(self) -> Record:
        """Write what a record is given of the end of a game."""
        return {}

    def derived_deal(self, deal: int) -> Record:
        """Answer what follows for a deal, by key; what is not known yet has no key."""
        raise NotImplementedError

    def derived(self) -> Record:
        """Answer what follows for the whole game, by key, `next` left out."""
        raise NotImplementedError

    @property
    def n_deals(self) -> int:
        """Deals begun so far."""
        raise NotImplementedError

    @property
    def complete(self) -> bool:
        """Whether the game is over."""
        raise NotImplementedError

    @property
    def awaits_cards(self) -> bool:
        """Whether the next event of the game is a deal, which somebody has to give."""
        raise NotImplementedError

    @property
    def totals(self) -> tuple[int, ...]:
        """Points by seat after the deals that are complete, premiums included."""
        raise NotImplementedError

    def observation(self, seat: int) -> Any:
        """Answer all that a seat knows now, as a named tuple of plain numbers.

        The fields are those of a policy's `obs`: the seat's own cards in ``hand``, nobody else's
        anywhere. Before trump is named, the seat that names it knows its first three cards, and
        the other seats none.

        Raises
        ------
        InputError
            There is no such seat, or no deal has begun.
        """
        raise NotImplementedError

    # --- the state -------------------------------------------------------------------------------

    @property
    def kind(self) -> str | None:
        """The decision due: ``trump``, ``bid``, ``play`` or ``davi``; None where none is."""
        return _KINDS[self._memory.get("kind")]

    @property
    def seat(self) -> int | None:
        """The seat whose decision is due, None where none is."""
        return None if self.kind is None else self._memory.get("turn")

    def copy(self) -> Table:
        """Answer a table in the same state, which goes its own way."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        other._unshare()
        return other

    __copy__ = copy

    def deal(
        self,
        hands: Hands,
        *,
        turned: str | None = None,
        up: Hands | None = None,
        down: Hands | None = None,
        declarer: int | None = None,
    ) -> None:
        """Give the cards of the next deal, at a table without a seed.

        Parameters
        ----------
        hands : a sequence of card texts a seat
            Where trump is named, the first three cards of the seat that names it stand first.
        turned : str, optional
            Four players: the turned card, below nine cards; at nine there is none.
        up, down : a sequence of five card texts a seat
            Two players: the cards on the table, ``down[p][i]`` under ``up[p][i]``.
        declarer : int, optional
            Two players: the declarer, where the rule set draws him; else he follows.

        Raises
        ------
        DealError
            The cards are not those of a deal; ``place`` says where.
        InputError
            No deal is due, or the table deals its own cards.
        """
        if self.seed is not None:
            raise InputError("a table with a seed deals its own cards")
        if not self.awaits_cards:
            raise InputError(f"no deal is due: {self.allowed()}")
        given = {"turned": turned, "up": up, "down": down, "declarer": declarer}
        self._begin({"hands": hands, **{key: v for key, v in given.items() if v is not None}})

    # --- choosing --------------------------------------------------------------------------------

    def legal(self) -> list[str | int]:
        """List the legal choices, as a record's ``next.legal`` does: texts, or numbers for bids.

        Empty where no decision is due.
        """
        return self._written(self.choices())

    def choices(self) -> list[int]:
        """List the legal choices as numbers, in the order of `legal`; see `advance`."""
        if self._legal is None:
            self._legal = self._choices()
        return self._legal

    def apply(self, choice: str | SupportsIndex) -> None:
        """Carry out the decision due.

        Parameters
        ----------
        choice : str or int
            A text in the notation of records, a bid in digits (``"3"``); or an *index* into
            `legal()`, at a bid too: where the dealer may not bid 1, index 1 is the bid 2. A play
            given as text where a davi offer is possible goes on without one (``lead``).

        Raises
        ------
        InputError
            No decision is due, or the choice is not legal; the message lists what is. The table
            stays as it was.
        """
        if self.kind is None:
            raise InputError(f"{shown(choice)} answers no decision: {self._why_none()}")
        if isinstance(choice, str):
            self._apply_text(choice)
        else:
            self.advance((self._at_index(choice),))

    def _apply_text(self, text: str) -> None:
        try:
            number = self._read(text)
        except ValueError as error:
            raise InputError(f"{error}; {self.allowed()}") from None
        if not self.advance((number,)):
            raise InputError(self.refusal(number))

    def _at_index(self, choice: SupportsIndex) -> int:
        choices = self.choices()
        try:
            index = -1 if isinstance(choice, bool) else operator.index(choice)
        except TypeError:
            index = -1
        if not 0 <= index < len(choices):
            raise InputError(
                f"{shown(choice)} is no index 0..{len(choices) - 1} into the legal choices; "
                f"{self.allowed()}"
            )
        return choices[index]

    def advance_plays(self, plays: Sequence[int]) -> int:
        """Carry out plays, going on without an offer of davi where one is possible."""
        return self.advance(plays) if self.kind == "play" else 0

    def decide(self, policy: int) -> str | int:
        """Let a built-in policy, by its number, make the decision due; answer what it chose.

        It draws from the seat's stream of this game of a run, so only a table with a seed has it.
        """
        if self.seed is None:
            raise InputError("a policy decides at a table with a seed, whose streams it draws from")
        if self.kind is None:
            raise InputError(f"no policy can decide: {self._why_none()}")
        number = self._decide(policy)
        (chosen,) = self._written((number,))
        self.advance((number,))
        return chosen

    def _read(self, text: str) -> int:
        """Read a choice as the number that the kind of decision gives it."""
        kind = self.kind
        if kind == "trump":
            return parse_trump(text)
        if kind == "bid":
            if not (text.isascii() and text.isdigit()):
                raise ValueError(f"{shown(text)} is no bid: a bid is a number")
            return int(text[-1]) if len(text) == 1 else 99
        if kind == "davi":
            if text not in ACTIONS:
                raise ValueError(f"{shown(text)} is no davi action")
            return ACTIONS.index(text)
        return PLAY_OF_TEXT[text]

    def _written(self, choices: Sequence[int]) -> list[str | int]:
        kind = self.kind
        if kind == "bid":
            return list(choices)
        names = {"trump": TRUMPS, "davi": ACTIONS}.get(kind or "play", TEXT_OF_PLAY)
        return [names[choice] for choice in choices]

    # --- words -----------------------------------------------------------------------------------

    def allowed(self) -> str:
        """Say what would be legal now, as the end of a sentence."""
        if self.kind is None:
            return self._why_none()
        legal = ", ".join(map(str, self.legal()))
        return f"seat {self.seat}'s legal {_PLURALS[self.kind]}: {legal}"

    def _why_none(self) -> str:
        """Say why no decision is due."""
        return "the game is over" if self.complete else "the cards of the next deal are due"

    def refusal(self, choice: int) -> str:
        """Say why a choice, as a number, is not legal here and what would be."""
        kind = self.kind
        if kind == "play":
            what = self._play_refusal(choice)
        elif kind == "bid":
            what = f"may not bid {choice}"
        else:
            what = f"may not choose {self._written((choice,))[0]}"
        return f"seat {self.seat} {what}; {self.allowed()}"

    def _play_refusal(self, play: int) -> str:
        """Say what is wrong with a play of the seat whose turn it is."""
        text = TEXT_OF_PLAY[play]
        if self._memory.get("position") == 0:
            return f"may not lead {text}"
        if play >= JOKER_PLAY:
            return f"may not play {text} in reply"
        led, trump = self._memory.get("led"), self._memory.get("trump")
        suits = {choice // 9 for choice in self.choices() if choice < JOKER_PLAY}
        if suits == {led}:
            highest = ", with the highest," if self._memory.get("high") else ""
            return f"has to follow {SUITS[led]}{highest} and may not play {text}"
        if suits == {trump}:
            return f"has to trump {SUITS[led]} and may not play {text}"
        return f"may not play {text}"

    # --- records ---------------------------------------------------------------------------------

    def record(self) -> Record:
        """Write the game so far as a completed record (RECORDS.md), ``next`` included."""
        changes = self.rules.changes()
        given: Record = {
            "format": FORMAT,
            "game": self.rules.name,
            **({"rules": changes} if changes else {}),
            "first_dealer" if self.rules.family == "four" else "first_declarer": self.first,
            "deals": [self._given_deal(deal) for deal in range(self.n_deals)],
            **self._given_end(),
        }
        return self.completed(given)

    def completed(self, record: Mapping[str, Any]) -> Record:
        """Answer a record of this very game with everything added that follows from it.

        Keys stay in their order, new ones come after; lists that do not change are shared.
        """
        whole = dict(record)
        whole["deals"] = [
            {**deal, **self.derived_deal(i)} for i, deal in enumerate(record["deals"])
        ]
        whole.update(self.derived())
        whole["next"] = self.due()
        return whole

    def due(self) -> Record | None:
        """Answer the decision due as a record's ``next``: seat, kind and what is legal."""
        if self.kind is None:
            return None
        return {"seat": self.seat, "kind": self.kind, "legal": self.legal()}

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Table:
        """Set a table where a record of a game stops.

        Raises
        ------
        RecordError
            The record breaks a rule.
        """
        from jokersim.records import read

        return read(record)


def _number(name: str, value: object, highest: int = _MAX) -> int:
    try:
        number = -1 if isinstance(value, bool) else operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        number = -1
    if not 0 <= number <= highest:
        most = "2^63-1" if highest == _MAX else str(highest)
        raise InputError(f"{name} is an integer 0..{most}, not {shown(value)}")
    return number
