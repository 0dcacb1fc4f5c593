"""Parties of two for the tests: rule sets as numbers, tables to step through, runs with columns."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from jokersim.cards import mask_of, parse_card, parse_play, parse_trump
from jokersim.kernels import parties, parties_random, state
from jokersim.kernels import party_stepping as step
from jokersim.kernels.given import no_two
from jokersim.kernels.jit import entry
from jokersim.kernels.party_sums import new_sums
from jokersim.kernels.policies import stakes
from jokersim.kernels.policies.basic_two import WEIGHTS

ACTIONS = ("offer", "accept", "decline", "counter", "lead")
ROTATIONS = ("alternate", "winner", "loser", "random", "fixed")
TABLE_OPEN = ("leader_first_lead", "both_first_trick", "none")


def party_numbers(**options: Any) -> state.PartyNumbers:
    """Answer the numbers of a rule set given by its options."""
    return state.PartyNumbers(
        target=options.get("target", 11),
        rotation=ROTATIONS.index(options.get("declarer_rotation", "alternate")),
        table_open=TABLE_OPEN.index(options.get("table_open", "leader_first_lead")),
        must_trump=int(options.get("must_trump", True)),
        davi_cap=options.get("davi_cap", 2) if options.get("davi") == "party" else 1,
        failure=round(options.get("failure_rate", 0.0) * 2**53),
    )


@entry
def winning_chance(views):  # type: ignore[no-untyped-def]
    """What `basic` holds for the chance of the seat that looks, in 1024ths."""
    return stakes.winning_chance(views[0], WEIGHTS)


@dataclass
class Board:
    """A party that is stepped through, with the cards that its seats do not see."""

    numbers: state.PartyNumbers
    views: np.recarray = field(default_factory=lambda: state.new_views(state.TWO_VIEW))
    hands: np.ndarray = field(default_factory=lambda: np.zeros(2, np.int64))
    up: np.ndarray = field(default_factory=lambda: np.zeros((2, 5), np.int64))
    down: np.ndarray = field(default_factory=lambda: np.zeros((2, 5), np.int64))
    streams: np.ndarray = field(default_factory=lambda: np.zeros((2, 4), np.uint64))
    takers: np.ndarray = field(default_factory=lambda: np.zeros(18, np.int64))
    winner: int = -1
    declarer: int = -1

    def __post_init__(self) -> None:
        step.begin_party(self.views, self.numbers)

    @property
    def view(self) -> Any:
        """The one view."""
        return self.views[0]

    def draw(self, seed: int, index: int) -> int:
        """Deal the next deal of a party of a run; answer the packet."""
        deal = int(self.view.deal) + 1
        if self.declarer < 0:
            self.declarer = step.draw_declarer(seed, index, deal)
        packet = step.draw_deal(
            self.hands, self.up, self.down, self.streams, seed, index, deal, self.declarer
        )
        step.begin_deal(self.views, self.declarer)
        return packet

    def lay(self, deal: dict[str, Any], declarer: int) -> None:
        """Lay out a deal of a record."""
        jokers = iter((0, 27))

        def ids(texts: list[str]) -> list[int]:
            return [next(jokers) if text == "JK" else parse_card(text) for text in texts]

        self.hands[:] = [mask_of(ids(hand)) for hand in deal["hands"]]
        self.up[:] = [ids(pile) for pile in deal["up"]]
        self.down[:] = [ids(pile) for pile in deal["down"]]
        step.begin_deal(self.views, declarer)

    def legal(self) -> list[int]:
        """List the legal choices."""
        choices = np.zeros(step.N_CHOICES, np.int64)
        return choices[: step.list_legal(self.views, self.hands, choices)].tolist()

    def choose(self, choice: int) -> bool:
        """Take a choice; False if it is not legal."""
        one = np.array([choice], np.int64)
        return bool(step.advance(self.views, self.hands, self.up, self.down, one, self.takers))

    def end(self) -> list[int]:
        """End the deal; answer the points credited."""
        credit = np.zeros(2, np.int64)
        self.winner, self.declarer = step.end_deal(self.views, credit)
        return credit.tolist()


def events(deal: dict[str, Any], davi: bool) -> list[tuple[int, int]]:
    """List the decisions of a record's deal as (kind, choice), `lead` where no offer stands."""
    out = []
    if deal.get("trump"):
        out.append((state.CHOOSE_TRUMP, parse_trump(deal["trump"])))
    entries = deal.get("davi") or []
    rows = deal.get("plays") or []
    for t in range(18):
        out += [(state.DAVI, ACTIONS.index(e["action"])) for e in entries if e["trick"] == t]
        plays = rows[t] if t < len(rows) else []
        if plays and davi:
            out.append((state.DAVI, state.LEAD))
        out += [(state.PLAY, parse_play(play)) for play in plays]
    return out


def run(
    n: int,
    policies: tuple[int, int] = (0, 0),
    seed: int = 1,
    start: int = 0,
    deals: int = 0,
    plays: int = 0,
    **options: Any,
) -> dict[str, Any]:
    """Play parties; `deals` and `plays` are the rows to make room for."""
    i8, i32, i64 = np.int8, np.int32, np.int64
    games, deal_columns = _new_games(n), _new_deals(deals)
    types = (i64, i32, i8, i8, i8, i8, i8, i8, i8)
    play_columns = parties.PartyPlayColumns(*(np.full(plays, -9, t) for t in types))
    sums, party_sums = new_sums()
    stop, deal_rows, play_rows = parties.run_parties(
        party_numbers(**options),
        np.array(policies, i64),
        seed,
        start,
        start + n,
        no_two(),
        games,
        deal_columns,
        play_columns,
        sums,
        party_sums,
        state.new_views(state.TWO_VIEW),
    )
    return {
        "games": parties.PartyColumns(*(column[..., : stop - start] for column in games)),
        "deals": parties.PartyDealColumns(*(column[:deal_rows] for column in deal_columns)),
        "plays": parties.PartyPlayColumns(*(column[:play_rows] for column in play_columns)),
        "sums": sums,
        "party": party_sums,
        "stop": stop,
    }


def run_in_step(n: int, rows: Any, *, start: int = 0, **options: Any) -> dict[str, Any]:
    """Play parties at random in step; `rows` says where each one's rows of `deals` begin and end.

    Without `rows`, there are no deals.
    """
    games, sums = _new_games(n), new_sums()
    deals = _new_deals(int(rows[-1]) if len(rows) else 0)
    parties_random.run_random_parties(
        party_numbers(**options), 1, start, start + n, games, deals, rows, *sums,
        *parties_random.new_memory(),
    )  # fmt: skip
    return {"games": games, "deals": deals, "sums": sums[0], "party": sums[1]}


def _new_games(n: int) -> parties.PartyColumns:
    i8, i32 = np.int8, np.int32
    return parties.PartyColumns(
        *(np.full(n, -9, t) for t in (i8, i8, i8, i32)),
        np.zeros((2, n), i32),
        *(np.full(n, -9, t) for t in (i32, i8)),
    )


def _new_deals(rows: int) -> parties.PartyDealColumns:
    i8, i16, i32, i64 = np.int8, np.int16, np.int32, np.int64
    types = (i64, i32, i8, i8, i8, i32, i8, i16, i64, i64, i64)
    return parties.PartyDealColumns(*(np.full(rows, -9, t) for t in types))
