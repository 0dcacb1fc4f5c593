"""Deals that a run is given, in place of those of its seed: read from records, kept as arrays.

Game i of the run is record i. The hash of the deals is part of the run's specification.
"""

from __future__ import annotations

import hashlib
from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from jokersim.cards import NO_CARD, format_card, mask_of
from jokersim.errors import InputError
from jokersim.records.deals import dealt_of, rules_of
from jokersim.records.error import RecordError
from jokersim.records.lines import check_text, numbered_lines
from jokersim.records.replay import parse_line
from jokersim.rules import Rules, format_value
from jokersim.rules import rules as make_rules
from jokersim.rules.options import shown
from jokersim.table.dealt import write_hand

__all__ = ["Deals", "GivenDeals", "read_deals"]

_BATCH: Final = 256
_NINE: Final = 9
_PACKET: Final = 3

Deals = str | Path | Iterable[Mapping[str, Any]]
"""A record file, or records."""

Ints = NDArray[np.int64]


class GivenDeals:
    """The deals of the games `start` … `stop` - 1 of a run.

    Attributes
    ----------
    rules : Rules
        The rule set that all records name.
    sha256 : str
        The hash of all deals of the run, whichever are held here: of who begins and of the cards,
        not of how they are written.
    start, stop : int
        The games whose deals are held.
    """

    def __init__(
        self, rules: Rules, arrays: Mapping[str, Ints], sha256: str = "", start: int = 0
    ) -> None:
        self.rules = rules
        self.start = start
        self.stop = start + len(arrays["first"])
        self._arrays = {name: np.array(values, np.int64) for name, values in arrays.items()}
        self.sha256 = sha256 or self._hash()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, GivenDeals) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    @property
    def _key(self) -> tuple[str, int, int]:
        return self.sha256, self.start, self.stop

    def __reduce__(self) -> Any:
        """Be made anew where it is sent: arrays that come over a wire cannot be written to."""
        return GivenDeals, (self.rules, self._arrays, self.sha256, self.start)

    def __len__(self) -> int:
        return self.stop - self.start

    def _hash(self) -> str:
        digest = hashlib.sha256(self.rules.family.encode())
        for name, values in sorted(self._arrays.items()):
            digest.update(f"{name} {values.shape}".encode())
            digest.update(np.ascontiguousarray(values, "<i8").data)
        return digest.hexdigest()

    def of_four(self, start: int, stop: int) -> Any:
        """Answer the deals of games of four as kernels take them."""
        from jokersim.kernels.given import GivenFour

        return GivenFour(**self._between(start, stop))

    def of_two(self, start: int, stop: int) -> Any:
        """Answer the deals of parties of two as kernels take them."""
        from jokersim.kernels.given import GivenTwo

        return GivenTwo(**self._between(start, stop))

    def span(self, start: int, stop: int) -> GivenDeals:
        """Answer the deals of some of the games alone."""
        return GivenDeals(self.rules, self._between(start, stop), self.sha256, start)

    def _between(self, start: int, stop: int) -> dict[str, Ints]:
        if not self.start <= start <= stop <= self.stop:
            raise ValueError(f"games {start} to {stop - 1} are not among these deals")
        games = slice(start - self.start, stop - self.start)
        if "begin" not in self._arrays:
            return {name: values[games] for name, values in self._arrays.items()}
        begin = self._arrays["begin"][games.start : games.stop + 1]
        rows = slice(int(begin[0]), int(begin[-1]))
        found = {name: values[rows] for name, values in self._arrays.items()}
        return found | {"first": self._arrays["first"][games], "begin": begin - begin[0]}

    def first(self, game: int) -> int:
        """Answer the seat that begins in a game."""
        return int(self._arrays["first"][game - self.start])

    def cards(self, game: int) -> list[dict[str, Any]]:
        """Write the cards of a game's deals as records do."""
        one = self._between(game, game + 1)
        if "begin" in one:
            return [_two_cards(one, row) for row in range(len(one["hands"]))]
        return [
            _four_cards(one, deal, (self.first(game) + deal + 1) % 4)
            for deal in range(one["hands"].shape[1])
        ]


def _four_cards(one: Mapping[str, Ints], deal: int, chooser: int) -> dict[str, Any]:
    packet, turned = int(one["packet"][0, deal]), int(one["turned"][0, deal])
    hands = [
        write_hand(hand, packet if seat == chooser else 0)
        for seat, hand in enumerate(one["hands"][0, deal].tolist())
    ]
    return {"hands": hands} | ({} if turned == NO_CARD else {"turned": format_card(turned)})


def _two_cards(one: Mapping[str, Ints], row: int) -> dict[str, Any]:
    pairs = zip(one["hands"][row].tolist(), one["packets"][row].tolist(), strict=True)
    cards: dict[str, Any] = {"hands": [write_hand(hand, packet) for hand, packet in pairs]}
    for name in ("up", "down"):
        cards[name] = [[format_card(card) for card in own] for own in one[name][row].tolist()]
    declarer = int(one["declarer"][row])
    return cards | ({} if declarer < 0 else {"declarer": declarer})


def read_deals(source: Deals | GivenDeals, rules: Rules | str | None = None) -> GivenDeals:
    """Read the deals of records, which all name one rule set.

    Parameters
    ----------
    source : path, or iterable of mapping
        A record file (RECORDS.md; blank lines are skipped, but counted), or records. Of each are
        taken the rules, who begins and the cards of the deals; what was played is passed over.
    rules : rule set or str, optional
        What every record must name; by default what the first one names.

    Returns
    -------
    GivenDeals

    Raises
    ------
    InputError
        The file cannot be read, holds no record, or a record is not what it must be; the sentence
        names the line and the place.

    Examples
    --------
    >>> record = {
    ...     "format": "joker-record/1",
    ...     "game": "nines",
    ...     "rules": {"schedule": [[1]]},
    ...     "first_dealer": 2,
    ...     "deals": [{"hands": [["AS"], ["7H"], ["JK"], ["9D"]], "turned": "KC"}],
    ... }
    >>> deals = read_deals([record, record])
    >>> len(deals), deals.first(1), deals.cards(0)[0]["turned"]
    (2, 2, 'KC')
    """
    if isinstance(source, GivenDeals):
        if rules is not None:
            with _reported("deals"):
                _check_same(source.rules, _rules(rules))
        return source
    gathered = _Gathered(None if rules is None else _rules(rules))
    if isinstance(source, str | Path):
        name = str(source)
        for number, text in _lines(Path(source)):
            with _reported(f"line {number} of {name}"):
                gathered.add(parse_line(text))
    else:
        name = "the iterable"
        for number, record in enumerate(source):
            with _reported(f"record {number} of deals"):
                gathered.add(record)
    if not gathered.games:
        raise InputError(f"{name} holds no record: deals are given a game a line")
    return gathered.deals()


class _Gathered:
    """Records as they are read: flat arrays, since lists of cards would take many times as much."""

    def __init__(self, rules: Rules | None) -> None:
        self.rules = rules
        self.games = 0
        self._known: tuple[Any, Any, Any] | None = None
        self._begin = 0
        self._values: dict[str, array[int]] = defaultdict(lambda: array("q"))

    def add(self, record: Any) -> None:
        """Take the deals of a record."""
        if not isinstance(record, Mapping):
            raise RecordError("", f"a record is a JSON object, not {shown(record)}")
        given = record.get("format"), record.get("game"), record.get("rules")
        if self.rules is None or given != self._known:
            named = rules_of(record)
            self.rules = self.rules or named
            _check_same(named, self.rules)
            self._known = given
        first, dealt = dealt_of(record, self.rules)
        self.games += 1
        values = self._values
        values["first"].append(first)
        if self.rules.family == "four":
            for deal, one in enumerate(dealt):
                chosen = one.hands[(first + deal + 1) % 4]
                values["hands"].extend(map(mask_of, one.hands))
                values["turned"].append(one.turned)
                values["packet"].append(mask_of(chosen[:_PACKET]) if len(chosen) == _NINE else 0)
            return
        values["begin"].append(self._begin)
        self._begin += len(dealt)
        for one in dealt:
            values["declarer"].append(one.declarer)
            values["hands"].extend(map(mask_of, one.hands))
            values["packets"].extend(mask_of(hand[:_PACKET]) for hand in one.hands)
            for name, rows in (("up", one.up), ("down", one.down)):
                for row in rows:
                    values[name].extend(row)

    def deals(self) -> GivenDeals:
        """Answer what was read."""
        assert self.rules is not None
        found = {name: np.array(values, np.int64) for name, values in self._values.items()}
        if self.rules.family == "four":
            n = self.rules.n_deals
            shapes = {"hands": (-1, n, 4), "turned": (-1, n), "packet": (-1, n)}
        else:
            found["begin"] = np.append(found["begin"], self._begin)
            shapes = {"hands": (-1, 2), "packets": (-1, 2), "up": (-1, 2, 5), "down": (-1, 2, 5)}
        for name, shape in shapes.items():
            found[name] = found[name].reshape(shape)
        return GivenDeals(self.rules, found)


def _rules(given: Rules | str) -> Rules:
    return make_rules(given) if isinstance(given, str) else given


def _check_same(named: Rules, rules: Rules) -> None:
    """Refuse a record of another rule set than the run's."""
    if named.family != rules.family:
        raise RecordError(
            "game", f"{named.name} is played by {named.seats}, and this run by {rules.seats}"
        )
    here, there = named.options(), rules.options()
    for option, value in there.items():
        if here[option] != value:
            raise RecordError(
                f"rules.{option}",
                f"{option} is {format_value(here[option])} by this record and "
                f"{format_value(value)} in this run: all deals of a run are of its rule set",
            )


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    """Answer the lines of a record file that are not blank, with their numbers."""
    name = str(path)
    try:
        stream = path.open("rb")
    except OSError as error:
        raise InputError(f"{name} cannot be read: {error.strerror or error}") from None
    with stream:
        if path.is_file():
            check_text(stream, name)
        for lines in numbered_lines(stream, name, _BATCH):
            yield from lines


@contextmanager
def _reported(where: str) -> Iterator[None]:
    """Refuse, naming the line or the record, what is wrong with it."""
    try:
        yield
    except RecordError as error:
        place = f", {error.place}" if error.place else ""
        raise InputError(f"{where}{place}: {error.message}") from None
