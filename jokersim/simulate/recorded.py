"""Real games into the tables of simulated ones: completed records as a dataset.

Knows records as `jokersim.records` completes them, and the columns of tables. A dataset of records
has no seed: its games cannot be played again, its files and sums are verified like any other's.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Self

import numpy as np

from jokersim import schema
from jokersim._version import __version__
from jokersim.cards import (
    JOKER_IDS,
    JOKER_PLAY,
    TRUMPS,
    mask_of,
    parse_card,
    parse_play,
    play_declaration,
    play_place,
)
from jokersim.errors import InputError
from jokersim.policies import Policy
from jokersim.rules import FourRules, Rules
from jokersim.rules import rules as make_rules
from jokersim.simulate import per_game
from jokersim.simulate.chunk import Columns, Setup
from jokersim.simulate.dataset import finish
from jokersim.simulate.stored import NO_SEED, RECORDED
from jokersim.stats.two import N_DECLARED

if TYPE_CHECKING:
    from jokersim.store import Writer

__all__ = ["Recorder"]

PART: Final = 10_000
TABLES: Final = ("games", "deals", "plays")
PAIRS_A_DEAL: Final = 18

Record = Mapping[str, Any]
Rows = dict[str, list[tuple[Any, ...]]]


class Recorder:
    """Writes completed records as a dataset; use it in a ``with`` block.

    The first complete game decides the rule set; games of another one, and games that are not over,
    are not written. Games are numbered from 0 in the order in which they come.

    Parameters
    ----------
    out : path
        The folder of the dataset to write.
    source : str
        What the records are, such as the sha256 of their file; it is part of the specification.
    resume, overwrite : bool
        Go on with the dataset that `out` holds of these records, or replace it. To go on, all
        records are added again, from the first on: games that stand are passed over.

    Attributes
    ----------
    games, unfinished, others : int
        Games written; games left out because they are not over; because of other rules.

    Raises
    ------
    InputError
        `out` is used, or is no folder; before any record is taken.
    """

    def __init__(
        self, out: str | Path, source: str, *, resume: bool = False, overwrite: bool = False
    ) -> None:
        from jokersim import store

        store.refuse_used(out, resume=resume, overwrite=overwrite)
        self.games = self.unfinished = self.others = 0
        self._resume = resume
        self._out = out
        self._source = source
        self._overwrite = overwrite
        self._rules: Rules | None = None
        self._given: tuple[Any, Any] = (None, None)
        self._writer: Writer | None = None
        self._rows: Rows = {}

    def add(self, record: Record) -> None:
        """Take a completed record."""
        if not record["complete"] and not record.get("void"):
            self.unfinished += 1
            return
        given = (record["game"], record.get("rules") or {})
        if self._rules is None:
            self._rules, self._given = make_rules(given[0], **given[1]), given
            self._begin(self._rules)
        elif given != self._given and make_rules(given[0], **given[1]) != self._rules:
            self.others += 1
            return
        if isinstance(self._rules, FourRules):
            _four(self._rules, record, self.games, self._rows)
        else:
            _two(record, self.games, self._rows)
        self.games += 1
        if self.games % PART == 0:
            self._write()

    def close(self) -> None:
        """Write what is left, and finish the dataset."""
        if self._rules is None:
            raise InputError(f"no record is a game that is over: nothing to write in {self._out}")
        assert self._writer is not None
        if self.games % PART:
            self._write()
        finish(self._setup(self._rules), self._writer)

    def _setup(self, rules: Rules) -> Setup:
        return Setup(rules, _policies(rules, self._source), NO_SEED, TABLES)

    def _begin(self, rules: Rules) -> None:
        from jokersim import store

        self._rows = {table: [] for table in TABLES}
        spec = {
            "game": rules.name,
            "rules": rules.options(),
            "policies": [one.spec() for one in _policies(rules, self._source)],
            "seed": None,
            "streams": RECORDED,
            "tables": list(TABLES),
            "where": None,
            "part": PART,
            "schema_version": schema.SCHEMA_VERSION,
        }
        games = 1
        if self._resume and store.holds_run(self._out):
            games = store.read(self._out).games
        self._writer = store.create_or_open(
            self._out, spec, games, schema.tables(rules), versions={"jokersim": __version__},
            resume=self._resume, overwrite=self._overwrite,
        )  # fmt: skip

    def _write(self) -> None:
        """Write the games since the last part as the next one."""
        assert self._rules is not None
        assert self._writer is not None
        start = (self.games - 1) // PART * PART
        if self.games > self._writer.run.games:
            self._writer.extend(self.games)
        rows, self._rows = self._rows, {table: [] for table in TABLES}
        if self._writer.standing(start, self.games) is None:
            self._commit(rows, start)

    def _commit(self, written: Rows, start: int) -> None:
        assert self._rules is not None
        assert self._writer is not None
        declared = schema.tables(self._rules)
        columns = {table: _columns(declared[table], rows) for table, rows in written.items()}
        figures = per_game.empty(self._rules, self.games - start, deals=True)
        per_game.take_games(self._rules, figures, start, columns["games"])
        per_game.take_deals(self._rules, figures, start, columns["deals"])
        sums = per_game.add_up(self._rules, figures)
        if self._rules.family == "two":
            sums["parties"]["declared"] = _declared(columns["deals"])
        with self._writer.part(start, self.games) as part:
            for table, rows in columns.items():
                part.write(table, rows)
            part.commit(sums)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            if kind is None:
                self.close()
        finally:
            if self._writer is not None:
                self._writer.close()


def _policies(rules: Rules, source: str) -> tuple[Policy, ...]:
    return (Policy(RECORDED, -1, source),) * rules.seats


def _columns(declared: tuple[schema.Column, ...], rows: list[tuple[Any, ...]]) -> Columns:
    """Turn rows, in the order of the columns, into arrays."""
    kinds = [np.int8 if column.type == "string" else column.type for column in declared]
    values = zip(*rows, strict=True) if rows else [()] * len(declared)
    return {
        column.name: np.array(own, dtype=kind)
        for column, kind, own in zip(declared, kinds, values, strict=True)
    }


def _declared(deals: Columns) -> list[int]:
    """Count complete deals by the pairs of their declarer."""
    pairs = deals["pairs"].astype(np.int64)
    complete = np.repeat(pairs[0::2] + pairs[1::2] == PAIRS_A_DEAL, 2)
    own = pairs[complete & (deals["seat"] == deals["declarer"])]
    counts: list[int] = np.bincount(own, minlength=N_DECLARED).tolist()
    return counts


class _Cards:
    """Reads the cards of a deal as ids; the first joker met is the lower one."""

    def __init__(self) -> None:
        self._jokers = 0

    def ids(self, texts: list[str]) -> list[int]:
        """Read cards in their order."""
        found = []
        for text in texts:
            card = parse_card(text)
            if card in JOKER_IDS:
                card = JOKER_IDS[min(self._jokers, 1)]
                self._jokers += 1
            found.append(card)
        return found


def _four(rules: FourRules, record: Record, game: int, rows: Rows) -> None:
    premium = [[max(0, net) for net in pulka] for pulka in record["premiums"]]
    erased = [[max(0, -net) for net in pulka] for pulka in record["premiums"]]
    by_pulka = [
        value for pair in zip(premium, erased, strict=True) for own in pair for value in own
    ]
    rows["games"].append(
        (
            game, record["first_dealer"], *record["totals"], *record["ranks"],
            *map(sum, zip(*premium, strict=True)), *map(sum, zip(*erased, strict=True)),
            *by_pulka,
        )
    )  # fmt: skip
    last = {pulka: deal for deal, pulka in enumerate(rules.pulka_of_deal)}
    for index, deal in enumerate(record["deals"]):
        cards = _Cards()
        hands = [cards.ids(hand) for hand in deal["hands"]]
        turned = cards.ids([deal["turned"]])[0] if deal.get("turned") else -1
        pulka, trump = rules.pulka_of_deal[index], TRUMPS.index(deal["trump"])
        closes = last[pulka] == index
        for seat in range(4):
            rows["deals"].append(
                (
                    game, index, pulka, len(hands[seat]), deal["dealer"], seat, trump, turned,
                    deal["bids"][seat], deal["taken"][seat], deal["scores"][seat],
                    premium[pulka][seat] if closes else 0, erased[pulka][seat] if closes else 0,
                    mask_of(hands[seat]),
                )
            )  # fmt: skip
        leader = (deal["dealer"] + 1) % 4
        jokers = [[card for card in hand if card in JOKER_IDS] for hand in hands]
        for trick, (plays, taker) in enumerate(zip(deal["plays"], deal["takers"], strict=False)):
            for position, text in enumerate(plays):
                seat, play = (leader + position) % 4, parse_play(text)
                card, declaration = play, -1
                if play >= JOKER_PLAY:
                    card, declaration = jokers[seat].pop(0), play_declaration(play)
                rows["plays"].append((game, index, trick, position, seat, card, declaration, taker))
            leader = taker


def _two(record: Record, game: int, rows: Rows) -> None:
    void = bool(record.get("void"))
    multiplier, offers, declined = 1, 0, -1
    for index, deal in enumerate(record["deals"]):
        made = [0, 0]
        for entry in deal.get("davi") or ():
            action, seat = entry["action"], entry["seat"]
            made[seat] += action in ("offer", "counter")
            multiplier += action in ("accept", "counter")
            if action == "decline":
                declined = seat
        offers += sum(made)
        cards = _Cards()
        hands, up, down = ([cards.ids(own) for own in deal[key]] for key in ("hands", "up", "down"))
        if deal.get("trump"):
            trump = TRUMPS.index(deal["trump"])
            for seat in range(2):
                rows["deals"].append(
                    (
                        game, index, deal["declarer"], seat, trump, deal["pairs"][seat],
                        (deal.get("points") or (0, 0))[seat], multiplier, made[seat],
                        *(mask_of(own[seat]) for own in (hands, up, down)),
                    )
                )  # fmt: skip
        rows["plays"] += _two_plays(game, index, deal, hands, up, down)
    totals = record["totals"]
    winner = -1 if record.get("winner") is None else record["winner"]
    rows["games"].append(
        (
            game, record["first_declarer"], winner, void, record["multiplier"],
            len(record["deals"]), *totals, *record["payoff"], offers, declined,
        )
    )  # fmt: skip


def _two_plays(
    game: int,
    index: int,
    deal: Record,
    hands: list[list[int]],
    up: list[list[int]],
    down: list[list[int]],
) -> list[tuple[Any, ...]]:
    found: list[tuple[Any, ...]] = []
    leader, takers = deal["declarer"], deal["takers"]
    held = [[card for card in hand if card in JOKER_IDS] for hand in hands]
    for trick, plays in enumerate(deal.get("plays") or ()):
        taker = takers[trick] if trick < len(takers) else -1
        for position, text in enumerate(plays):
            seat, play = (leader + position) % 2, parse_play(text)
            if play < JOKER_PLAY:
                card, declaration = play, -1
                table = [k for k in range(5) if card in (up[seat][k], down[seat][k])]
                place = table[0] if table else -1
            else:
                place, declaration = play_place(play), play_declaration(play)
                card = held[seat].pop(0) if place < 0 else _table_joker(up[seat], down[seat], place)
            found.append((game, index, trick, position, seat, card, declaration, place, taker))
        leader = taker
    return found


def _table_joker(up: list[int], down: list[int], place: int) -> int:
    """Take the joker at a place, from above before below."""
    for row in (up, down):
        if row[place] in JOKER_IDS:
            card, row[place] = row[place], -1
            return card
    raise ValueError(f"no joker lies at place {place}")
