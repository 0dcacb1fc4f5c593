"""One game, step by step: what a table of two and one of four have in common.

Owns how a choice is read and refused, and how a record is put together from what a family of games
derives. The rules of play are the kernels'; the families are in `four` and `two`.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from typing import Any, Final, SupportsIndex

from jokersim.errors import InputError
from jokersim.rules import Rules
from jokersim.rules.options import shown
from jokersim.table.choices import (
    KINDS,
    PLURALS,
    TEXT_OF_PLAY,
    read_choice,
    reply_refusal,
    write_choices,
)
from jokersim.table.family import Family
from jokersim.table.logs import Record

__all__ = ["FORMAT", "Hands", "Table"]

Hands = Sequence[Sequence[str]]
"""Card texts by seat."""

FORMAT: Final = "joker-record/1"

_MAX: Final = 2**63 - 1


class Table(Family):
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
    deals : sequence of mapping, optional
        At a table with a seed, the cards of its deals as a record gives them, in place of those
        that the seed deals; `first` is then given too. The seed gives the policies' streams, and a
        party of two more deals where these are used up.

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
        deals: Sequence[Mapping[str, Any]] | None = None,
    ) -> None:
        self.rules = rules
        self._given = deals
        self.seed = None if seed is None else _number("seed", seed)
        self.index = _number("index", index)
        self._set_up()
        self.first = self._who_begins(first)
        self._deal_on()

    def _who_begins(self, given: int | None) -> int:
        if self.seed is None and self._given is not None:
            raise InputError("deals are given all at once to a table with a seed; see deal")
        if self.seed is not None and self._given is None:
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

    # --- the state -------------------------------------------------------------------------------

    @property
    def kind(self) -> str | None:
        """The decision due: ``trump``, ``bid``, ``play`` or ``davi``; None where none is."""
        return KINDS[self._memory.get("kind")]

    @property
    def seat(self) -> int | None:
        """The seat whose decision is due, None where none is."""
        return None if self.kind is None else self._memory.get("turn")

    @property
    def n_deals(self) -> int:
        """Deals begun so far."""
        return len(self._deals)

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
        seats = self.rules.seats
        if seat not in range(seats):
            raise InputError(f"there is no seat {seat!r}: the seats are 0..{seats - 1}")
        if not self._deals:
            raise InputError("no deal has begun, so that there is nothing to see")
        hand = int(self._hands[seat])
        if self.kind == "trump":
            # Which cards the others hold so far is drawn with the rest of their hands.
            hand = self._deals[-1].packet if seat == self.seat else 0
        return self._memory.observation({"seat": int(seat), "hand": hand})

    def copy(self) -> Table:
        """Answer a table in the same state, which goes its own way."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        other._memory = self._memory.copy()
        for name in self._own_arrays:
            setattr(other, name, getattr(self, name).copy())
        other._deals = [*self._deals[:-1], *(deal.copy() for deal in self._deals[-1:])]
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
        return write_choices(self.kind, self.choices())

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
            number = read_choice(self.kind or "play", text)
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
        (chosen,) = write_choices(self.kind, (number,))
        self.advance((number,))
        return chosen

    # --- words -----------------------------------------------------------------------------------

    def allowed(self) -> str:
        """Say what would be legal now, as the end of a sentence."""
        if self.kind is None:
            return self._why_none()
        legal = ", ".join(map(str, self.legal()))
        return f"seat {self.seat}'s legal {PLURALS[self.kind]}: {legal}"

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
            what = f"may not choose {write_choices(kind, (choice,))[0]}"
        return f"seat {self.seat} {what}; {self.allowed()}"

    def _play_refusal(self, play: int) -> str:
        """Say what is wrong with a play of the seat whose turn it is."""
        get = self._memory.get
        if get("position") == 0:
            return f"may not lead {TEXT_OF_PLAY[play]}"
        high = bool(get("high"))
        return reply_refusal(play, get("led"), get("trump"), high, self.choices())

    # --- records ---------------------------------------------------------------------------------

    def record(self) -> Record:
        """Write the game so far as a completed record (RECORDS.md), ``next`` included."""
        changes = self.rules.changes()
        given: Record = {
            "format": FORMAT,
            "game": self.rules.name,
            **({"rules": changes} if changes else {}),
            "first_dealer" if self.rules.family == "four" else "first_declarer": self.first,
            "deals": [deal.given() for deal in self._deals],
            **self._given_end(),
        }
        return self.completed(given)

    def completed(self, record: Mapping[str, Any]) -> Record:
        """Answer a record of this very game with everything added that follows from it.

        Keys stay in their order, new ones come after; lists that do not change are shared.
        """
        whole = dict(record)
        whole["deals"] = [
            {**deal, **log.derived()}
            for deal, log in zip(record["deals"], self._deals, strict=True)
        ]
        whole.update(self.derived())
        whole["next"] = self.due()
        return whole

    def derived_deal(self) -> Record:
        """Answer what follows for the last deal begun, by key; what is not known has no key."""
        return self._deals[-1].derived()

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
