"""Whether odds of bids come true: the chances predicted for said bids against what happened.

Games that policies have played give the positions: what each bidder knew, what he said, whether he
made it. Each bid is then judged in worlds of its own that agree with all calls and bids before it,
as `bid_odds` judges it, by a kernel that goes through many positions.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from jokersim.cards import TRUMPS
from jokersim.errors import InputError
from jokersim.numbers import four_numbers
from jokersim.odds.plan import processors
from jokersim.odds.players import read_players
from jokersim.rules import FourRules
from jokersim.stats import Interval, ratio_interval

if TYPE_CHECKING:
    from jokersim.kernels.odds_bids import SaidBids
    from jokersim.simulate import Run

__all__ = ["KNOWN", "Judged", "bins_of", "judge_said_bids", "said_bids"]

KNOWN: Final = ("table", "hand")
"""What positions tell of the pulka so far: who has made all his bids and the best scores, as at a
table; or nothing, as where `bid_odds` is told only the hand and the bids."""

SEATS = 4
BINS: Final = 10
_MILLION: Final = 1_000_000
_SPAN: Final = 64
ATTEMPTS_A_WORLD: Final = 100
FEWEST: Final = 20
"""Worlds that must agree for a bid to be compared."""

Numbers = NDArray[np.int64]


class Judged(NamedTuple):
    """In how many worlds said bids were made."""

    made: Numbers
    agreed: Numbers
    """Worlds judged: fewer than asked for where too few of those drawn agreed."""
    drawn: Numbers


def said_bids(run: Run, seed: int, known: str = "table") -> tuple[SaidBids, Numbers]:
    """Answer all bids of a run as positions, and whether each was made; game by game.

    Parameters
    ----------
    run : Run
        Games of four with their ``deals``.
    seed : int
        The worlds of position i are those of the seed ``seed + i``.
    known : {"table", "hand"}
        See `KNOWN`.

    Returns
    -------
    SaidBids, int64 array
        A row a bid, ``games * deals * 4`` of them, in the order in which they were said.
    """
    from jokersim.kernels.odds_bids import SaidBids

    deals = run.deals()
    n_deals = len(deals) // (run.n_games * SEATS)
    shape = (run.n_games, n_deals, SEATS)

    def column(name: str) -> Numbers:
        found: Numbers = deals[name].to_numpy().astype(np.int64).reshape(shape)
        return found

    bids, made = column("bid"), column("bid") == column("taken")
    alive, best = _pulka_before(column("pulka")[0, :, 0], made, column("score"))
    if known == "hand":
        alive, best = np.zeros_like(alive), np.zeros_like(best)
    # By place after the dealer, not by seat.
    order = (column("dealer") + 1 + np.arange(SEATS)) % SEATS

    def placed(rows: NDArray[Any]) -> Numbers:
        found: Numbers = np.take_along_axis(rows.astype(np.int64), order, 2).reshape(-1, SEATS)
        return found

    def repeated(rows: NDArray[Any]) -> Numbers:
        return np.repeat(placed(rows), SEATS, axis=0)

    trump = np.array([TRUMPS.index(text) for text in deals["trump"].cat.categories], np.int64)
    said = SaidBids(
        deal=np.tile(np.repeat(np.arange(n_deals), SEATS), run.n_games),
        seat=np.tile(np.arange(SEATS), run.n_games * n_deals),
        hand=placed(column("hand")).reshape(-1),
        turned=column("turned").reshape(-1),
        trump=trump[deals["trump"].cat.codes.to_numpy()],
        bids=repeated(bids),
        made=repeated(alive),
        best=repeated(best),
        seed=seed + np.arange(bids.size),
    )
    return said, placed(made).reshape(-1)


def _pulka_before(
    pulka: Numbers, made: NDArray[np.bool_], score: Numbers
) -> tuple[NDArray[np.bool_], Numbers]:
    """Answer, before each deal and by seat, who has made all bids of the pulka, and best scores."""
    alive, best = np.ones_like(made), np.zeros_like(score)
    for deal in range(1, len(pulka)):
        if pulka[deal] == pulka[deal - 1]:
            alive[:, deal] = alive[:, deal - 1] & made[:, deal - 1]
            best[:, deal] = np.maximum(best[:, deal - 1], score[:, deal - 1])
    return alive, best


def judge_said_bids(
    rules: FourRules, policy: Any, said: SaidBids, samples: int, threads: int | None = None
) -> Judged:
    """Judge said bids in worlds of their own; the policy bids and plays, at all seats.

    Parameters
    ----------
    rules : FourRules
    policy : str
        One policy, which is not asked in Python; calls and bids before are evidence as it sees it.
    said : SaidBids
    samples : int
        Worlds a bid; fewer where 100 times as many that are drawn do not hold them.
    threads : int, optional
        By default the usable processors; never changes an answer.
    """
    players = read_players(policy, "bids")
    if players.in_python:
        raise InputError("policy: calibration takes policies that are compiled")
    n = len(said.seat)
    judged = Judged(*(np.zeros(n, np.int64) for _ in Judged._fields))

    def judge(start: int) -> None:
        from jokersim.kernels import odds as kernel
        from jokersim.kernels.odds_auction import new_auctions
        from jokersim.kernels.odds_bids import count_made
        from jokersim.kernels.odds_worlds import new_memory
        from jokersim.kernels.state import FOUR_VIEW, new_views

        players.ask(
            0,
            0,
            lambda playing, evidence: count_made(
                four_numbers(rules), said, playing, evidence, start, min(start + _SPAN, n),
                samples, ATTEMPTS_A_WORLD * samples, new_memory(), new_views(FOUR_VIEW),
                new_auctions(), kernel.no_columns(), *judged,
            ),
        )  # fmt: skip

    with ThreadPoolExecutor(threads or processors(), thread_name_prefix="jokersim-odds") as pool:
        list(pool.map(judge, range(0, n, _SPAN)))
    return judged


def bins_of(
    judged: Judged, made: Numbers, bids_a_game: int, level: float = 0.95
) -> list[dict[str, Any]]:
    """Sort bids into ten bins of equal size by predicted P(made), and compare with what happened.

    Answers a list of ``{n, from, to, predicted, made, made_low, made_high, difference, low,
    high}`` in shares, ``difference`` what happened less what was predicted; normal intervals over
    games. Bids of which fewer than 20 worlds agreed are left out.
    """
    compared = np.flatnonzero(judged.agreed >= FEWEST)
    predicted = judged.made / np.maximum(judged.agreed, 1)
    order = compared[np.argsort(predicted[compared], kind="stable")]
    game = np.arange(len(made)) // bids_a_game
    found = []
    for chosen in np.array_split(order, BINS):
        happened = _over_games(made[chosen], game[chosen], level)
        difference = _over_games(made[chosen] - predicted[chosen], game[chosen], level)
        found.append(
            {
                "n": len(chosen),
                "from": float(predicted[chosen[0]]),
                "to": float(predicted[chosen[-1]]),
                "predicted": float(predicted[chosen].mean()),
                "made": happened.value,
                "made_low": happened.low,
                "made_high": happened.high,
                "difference": difference.value,
                "low": difference.low,
                "high": difference.high,
            }
        )
    return found


def _over_games(values: NDArray[Any], game: Numbers, level: float) -> Interval:
    """Estimate a mean whose values come in games; in whole millionths, so that sums are exact."""
    top = np.bincount(game, weights=np.rint(values * _MILLION)).astype(np.int64).tolist()
    n = np.bincount(game).tolist()
    pairs = list(zip(top, n, strict=True))
    squares = (
        sum(a * a for a, _ in pairs),
        sum(a * b for a, b in pairs),
        sum(b * b for _, b in pairs),
    )
    return ratio_interval(sum(top), sum(n), squares, len(n), level).scaled(_MILLION)
