"""Chunks of two-player parties: buffers out to the kernel, columns and sums back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from jokersim.numbers import two_numbers
from jokersim.rules import TwoRules
from jokersim.simulate.chunk import Chunk, Columns, Setup, buffers
from jokersim.stats.two import MAX_MULTIPLIER, FormatSums, PlayerSums, TwoSums

__all__ = ["TwoPlayer"]

SEATS: Final = 2
_CARDS_A_DEAL: Final = 36
# A deal is worth four to five points on average; a guess too small costs one more kernel call.
_POINTS_A_DEAL: Final = 4

_DEAL_TYPES: Final[Mapping[str, type]] = {
    "game": np.int64,
    "deal": np.int32,
    "declarer": np.int8,
    "trump": np.int8,
    "pairs": np.int8,
    "points": np.int32,
    "multiplier": np.int8,
    "davi_offers": np.int16,
    "hand": np.int64,
    "open": np.int64,
    "covered": np.int64,
}
_PLAY_TYPES: Final[Mapping[str, type]] = {"game": np.int64, "deal": np.int32} | dict.fromkeys(
    ("trick", "position", "seat", "card", "declaration", "place", "taker"), np.int8
)


class TwoPlayer:
    """Plays chunks of parties of one setup; safe to be used by several threads."""

    def __init__(self, setup: Setup) -> None:
        if not isinstance(setup.rules, TwoRules):
            raise TypeError(f"{setup.rules.name} is no game of two players")
        self._rules = setup.rules
        self._setup = setup
        self._numbers = two_numbers(setup.rules)
        self._deals_a_party = 2 + 2 * setup.rules.target // _POINTS_A_DEAL

    def rows_a_game(self, table: str) -> int:
        """Answer the rows of a table that a party makes, about."""
        deals = self._deals_a_party
        return {"games": 1, "deals": SEATS * deals, "plays": _CARDS_A_DEAL * deals}[table]

    def play(self, start: int, stop: int) -> Chunk[TwoSums]:
        """Play the parties start … stop-1.

        Their deals are as many as come: where the buffers do not hold them all, the kernel says how
        far it came, and goes on from there into new ones. `RunError` if a user's policy fails.
        """
        from jokersim.kernels import party_sums

        seats = self._setup.seated()
        seats.check(self._setup.seed, start)
        if self._in_step(seats.numbers):
            return self._play_in_step(start, stop)
        sums, format_sums = party_sums.new_sums()
        pieces: list[dict[str, Columns]] = []
        at, scale = start, 1
        while at < stop:
            before = at
            at, piece = self._piece(
                seats.numbers, at, stop, scale, sums, format_sums, self._setup.tables
            )
            if piece is None:
                raise seats.failure(self._setup.seed, at, self._play_alone)
            pieces.append(piece)
            # Not one party fitted: it is a very long one.
            scale = 2 * scale if at == before else 1
        tables = {table: _joined([piece[table] for piece in pieces]) for table in pieces[0]}
        return Chunk(start, stop, tables, _two_sums(sums, format_sums))

    def _in_step(self, policies: NDArray[np.int64]) -> bool:
        """Tell whether both seats play at random and nothing asks for one party after the other."""
        from jokersim.kernels.policies import RANDOM

        setup = self._setup
        by_one = self._numbers.davi_cap > 1 or "plays" in setup.tables or setup.deals is not None
        return not (by_one or np.any(policies != RANDOM))

    def _play_in_step(self, start: int, stop: int) -> Chunk[TwoSums]:
        """Play the parties start … stop-1, many at once; twice where `deals` is wanted."""
        from jokersim.kernels import party_sums
        from jokersim.kernels.parties_random import new_memory, run_random_parties

        n = stop - start
        wanted = self._setup.tables
        games = _games_buffers(n, n if wanted else 0)
        sums = party_sums.new_sums()
        seed, memory = self._setup.seed, new_memory()
        rows = np.empty(0, np.int64)
        deals = _deals_buffers(0)
        run_random_parties(self._numbers, seed, start, stop, games, deals, rows, *sums, *memory)
        tables: dict[str, Columns] = {}
        if "games" in wanted:
            tables["games"] = self._game_columns(start, n, games)
        if "deals" in wanted:
            ends = SEATS * np.cumsum(games.deals, dtype=np.int64)
            deals, rows = _deals_buffers(int(ends[-1])), ends - SEATS * games.deals
            again = party_sums.new_sums()
            run_random_parties(
                self._numbers, seed, start, stop, games, deals, rows, *again, *memory
            )
            tables["deals"] = _patterned(deals._asdict(), int(ends[-1]))
        return Chunk(start, stop, tables, _two_sums(*sums))

    def _play_alone(self, policies: NDArray[np.int64], game: int) -> None:
        from jokersim.kernels import party_sums

        self._piece(policies, game, game + 1, 1, *party_sums.new_sums(), ())

    def _piece(
        self,
        policies: NDArray[np.int64],
        start: int,
        stop: int,
        scale: int,
        sums: NDArray[np.int64],
        format_sums: NDArray[np.int64],
        tables: tuple[str, ...],
    ) -> tuple[int, dict[str, Columns] | None]:
        """Play parties: which comes next, and the tables; None if a policy failed there."""
        from jokersim.kernels import parties as kernel
        from jokersim.kernels.state import TWO_VIEW, new_views

        n = stop - start
        games = _games_buffers(n, n if "games" in tables else 0)
        rows = {
            table: n * scale * self.rows_a_game(table) if table in tables else 0
            for table in ("deals", "plays")
        }
        deals = _deals_buffers(rows["deals"])
        plays = kernel.PartyPlayColumns(**buffers(_PLAY_TYPES, rows["plays"]))
        reached, deal_rows, play_rows = kernel.run_parties(
            self._numbers, policies, self._setup.seed, start, stop, self._given(start, stop),
            games, deals, plays, sums, format_sums, new_views(TWO_VIEW),
        )  # fmt: skip
        if deal_rows < 0:
            return reached, None
        piece: dict[str, Columns] = {}
        if "games" in tables:
            piece["games"] = self._game_columns(start, reached - start, games)
        if "deals" in tables:
            piece["deals"] = _patterned(deals._asdict(), deal_rows)
        if "plays" in tables:
            piece["plays"] = {name: values[:play_rows] for name, values in plays._asdict().items()}
        return reached, piece

    def _given(self, start: int, stop: int) -> Any:
        from jokersim.kernels.given import no_two

        deals = self._setup.deals
        return no_two() if deals is None else deals.of_two(start, stop)

    def _game_columns(self, start: int, n: int, games: Any) -> Columns:
        winner, multiplier = games.winner[:n], games.multiplier[:n]
        columns: Columns = {
            "game": np.arange(start, start + n, dtype=np.int64),
            "first_declarer": games.first_declarer[:n],
            "winner": winner,
            "void": winner < 0,
            "multiplier": multiplier,
            "deals": games.deals[:n],
        }
        columns |= {f"points_{seat}": games.points[seat, :n] for seat in range(SEATS)}
        # Exact money for each winner and multiplier, rounded once; void parties pay nothing.
        paid = np.zeros((SEATS + 1, MAX_MULTIPLIER + 1, SEATS))
        for won, m in np.ndindex(SEATS, self._rules.max_multiplier):
            paid[won, m + 1] = self._rules.payoffs(won, m + 1)
        columns |= {f"payoff_{seat}": paid[winner, multiplier, seat] for seat in range(SEATS)}
        columns["davi_offers"] = games.davi_offers[:n]
        columns["declined_by"] = games.declined_by[:n]
        return columns


def _games_buffers(n: int, kept: int) -> Any:
    from jokersim.kernels.parties import PartyColumns

    return PartyColumns(
        first_declarer=np.empty(kept, np.int8),
        winner=np.empty(kept, np.int8),
        multiplier=np.empty(kept, np.int8),
        deals=np.empty(kept, np.int32),
        points=np.empty((SEATS, n), np.int32),
        davi_offers=np.empty(kept, np.int32),
        declined_by=np.empty(kept, np.int8),
    )


def _deals_buffers(rows: int) -> Any:
    from jokersim.kernels.parties import PartyDealColumns

    return PartyDealColumns(**buffers(_DEAL_TYPES, rows))


def _patterned(deals: Columns, rows: int) -> Columns:
    columns = {name: values[:rows] for name, values in deals.items()}
    return columns | {"seat": np.tile(np.arange(SEATS, dtype=np.int8), rows // SEATS)}


def _joined(pieces: Sequence[Columns]) -> Columns:
    if len(pieces) == 1:
        return pieces[0]
    return {name: np.concatenate([piece[name] for piece in pieces]) for name in pieces[0]}


def _two_sums(sums: NDArray[np.int64], format_sums: NDArray[np.int64]) -> TwoSums:
    from jokersim.kernels import party_sums as at

    values = format_sums.tolist()
    parties = FormatSums(
        void=values[at.VOID],
        deals=values[at.DEALS],
        deals_2=values[at.DEALS_2],
        complete=values[at.COMPLETE],
        complete_2=values[at.COMPLETE_2],
        declarer_pairs=values[at.DECLARER_PAIRS],
        declarer_pairs_2=values[at.DECLARER_PAIRS_2],
        declarer_pairs_x=values[at.DECLARER_PAIRS_X],
        void_multiplier=values[at.VOID_1 : at.DECLARED],
        declared=values[at.DECLARED : at.DIFFERENCE],
        differences=values[at.DIFFERENCE : at.DIFFERENCE_2],
        differences_2=values[at.DIFFERENCE_2 : at.DIFFERENCE_X],
        differences_x=values[at.DIFFERENCE_X : at.N_PARTY_SUMS],
    )
    seats, places = (
        [_player_sums(sums[axis, seat].tolist()) for seat in range(SEATS)] for axis in range(2)
    )
    return TwoSums(values[at.PARTIES], seats, places, parties)


# The counts of a seat in the order in which the kernel keeps them.
_COUNTS: Final = (
    "points", "points_2", "points_x", "pairs", "pairs_2", "pairs_x",
    "deals_won", "deals_won_2", "deals_won_x", "offers", "offers_2", "declines",
)  # fmt: skip


def _player_sums(values: list[int]) -> PlayerSums:
    from jokersim.kernels import party_sums as at

    counts = dict(zip(_COUNTS, values[: at.WON_1], strict=True))
    return PlayerSums.from_json(
        {**counts, "won": values[at.WON_1 : at.LOST_1], "lost": values[at.LOST_1 : at.N_SEAT_SUMS]}
    )
