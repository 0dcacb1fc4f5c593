"""`bid_odds`: what each legal bid is worth, given a hand and what was said before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from jokersim.cards import JOKERS, NO_TRUMP, SUIT_MASKS, TRUMPS, cards_of, format_card, mask_of
from jokersim.errors import InputError
from jokersim.odds.given import read_bids, read_hand, read_rules, read_trump, whole
from jokersim.odds.judge import judge
from jokersim.odds.plan import make_plan
from jokersim.odds.players import Players, read_players
from jokersim.odds.question import FourCase, four_case
from jokersim.odds.result import VERSION, finished, listed, outcomes, provenance, the_best
from jokersim.rules import FourRules, Rules
from jokersim.rules.options import shown
from jokersim.table.dealt import DealError, Pack, write_hand

__all__ = ["bid_odds"]

NINE = 9
DEALER = 3
BY_POLICY = -1


def bid_odds(
    game: Rules | str = "classic",
    *,
    hand: str | Sequence[str],
    position: int,
    turned: str | None = None,
    trump: str | None = None,
    bids: str | Sequence[int] = (),
    rules: Mapping[str, Any] | None = None,
    policy: str | Sequence[str] = "basic",
    condition: str = "bids",
    samples: int | None = None,
    precision: float | None = None,
    made_so_far: bool = False,
    pulka_best: int = 0,
    seed: int = 0,
    level: float = 0.95,
    threads: int | None = None,
    exact: bool | None = None,
) -> dict[str, Any]:
    """Answer, for each legal bid, how likely it is made and what it is worth.

    The unseen cards are any that agree with what is known, each way as likely. Of those, worlds are
    drawn in which the policy calls and bids as was given; in each, every bid is tried on the same
    cards, and the policy bids and plays on for all four seats.

    Parameters
    ----------
    game : rule set or str
        What `jokersim.rules` answers, or a preset's name.
    hand : str or sequence of str
        The cards, as ``"AS KS 7H JK"``; their number is the hand size.
    position : int
        Where the seat bids: 0, left of the dealer, to 3, the dealer.
    turned, trump : str, optional
        Below nine cards exactly one of them; with `trump` the turned card is any unseen card of
        that suit (no trump: a joker). At nine cards `trump`, which position 0 has called.
    bids : str or sequence of int
        Bids of the first bidders, at most `position` many; the policy makes the others. The dealer
        whom the rules bar from a bid gives all three.
    rules : mapping, optional
        Options that differ from the preset that `game` names.
    policy : str or sequence of str
        Who plays, for all seats or one a position; see `jokersim.policies`.
    condition : {"bids", "none"}
        Whether calls and bids before are evidence of cards. For `search`, `book` stands in here,
        and the answer says so (``condition_policy``).
    samples : int, optional
        The number of worlds, by default 10,000; with `search`, which takes some 30 ms a world and
        bid, 200.
    precision : float, optional
        Instead of `samples`, the half-width at `level` that each P(made) must reach: looked at
        after 1,000 worlds, and then after as many as the widest interval seems to need, but twice
        as many at most. Bids that are there already rest, save the best two.
    made_so_far : bool
        Every bid of the pulka was made so far, and this deal is its last: making the bid earns the
        premium.
    pulka_best : int
        The best score of the pulka so far, where `made_so_far`.
    seed : int
        World i is a function of the seed and i.
    level : float
        Level of the intervals, between 0 and 1.
    threads : int, optional
        By default the usable processors; never changes an answer.
    exact : bool, optional
        False samples even where all worlds could be enumerated, which is else done.

    Returns
    -------
    dict
        ``bids``, a list of ``{bid, p_made, p_made_low, p_made_high, tricks, score, score_low,
        score_high, p_khishti, p_khishti_low, p_khishti_high, n}`` with shares 0..1, points and the
        worlds judged; ``best`` and ``best_margin`` (``over``, ``difference``, ``low``, ``high``,
        ``sure``); ``level method n effective_n attempts exact seed policy condition``.

    Raises
    ------
    InputError
        The position cannot be; the message says where.
    PrecisionError
        Too few of 1,000 times as many worlds agreed with what was given; `result` on it holds the
        answer from those that did.

    Examples
    --------
    >>> odds = bid_odds("classic", hand="JK", turned="6H", position=3, bids=[0, 0, 0])
    >>> odds["exact"], [entry["bid"] for entry in odds["bids"]], odds["bids"][0]["p_made"]
    (True, [0], 1.0)
    """
    plan = make_plan(samples, precision, seed, level, threads)
    rule_set = read_rules(game, rules)
    if not isinstance(rule_set, FourRules):
        raise InputError(f"game: bids are of four-player games, and {rule_set.name} has none")
    position_read = _read_position(rule_set, hand, position, turned, trump, bids)
    premium = _read_premium(made_so_far, pulka_best)
    players = read_players(policy, condition)
    case = _case(rule_set, players, position_read, condition, premium)
    judged = judge(case, plan, exact)
    tally, numbers = judged.tally, case.candidates.tolist()
    figures = [outcomes(tally, case.size, i) for i in range(len(numbers))]
    document = {
        "schema": {"name": "jokersim/odds-bid", "version": VERSION},
        "game": rule_set.name,
        "rules": rule_set.changes(),
        **position_read.described(),
        "premium": None if premium is None else {"made_so_far": True, "pulka_best": premium},
        **players.described(condition),
        "bids": listed("bid", numbers, figures),
        **the_best(tally, lambda i: numbers[i]),
        **provenance(judged, plan),
    }
    return finished(document, judged)


@dataclass(frozen=True, slots=True)
class Position:
    """A bidder's position, checked."""

    hand: list[int]
    position: int
    turned: int | None
    trump: int
    bids: list[int]

    def described(self) -> dict[str, Any]:
        """Answer what a document says of it."""
        return {
            "hand": write_hand(mask_of(self.hand)),
            "turned": None if self.turned is None else format_card(self.turned),
            "trump": TRUMPS[self.trump],
            "position": self.position,
            "bids_before": self.bids,
        }


def _read_position(
    rules: FourRules, hand: object, position: object, turned: object, trump: object, bids: object
) -> Position:
    pack = Pack()
    cards = read_hand(pack, "hand", hand)
    size = len(cards)
    if not 1 <= size <= NINE:
        raise DealError("hand", f"a hand has 1 to 9 cards, and here are {size}")
    if size not in rules.deal_sizes:
        raise DealError("hand", f"{rules.name} has no deal of {size} cards a hand")
    turned_card, suit = _read_turned(pack, size, turned, trump)
    seat = whole(
        "position", position, 0, 3, "a number from 0, left of the dealer, to 3, the dealer"
    )
    said = read_bids(bids, size)
    if len(said) > seat:
        raise DealError(
            "bids", f"at most {seat} can stand before position {seat}, and here are {len(said)}"
        )
    if seat == DEALER and rules.hook == "dealer" and len(said) < DEALER:
        raise DealError(
            "bids",
            f"which bid the dealer may not make follows from all three before his, "
            f"and here are {len(said)}",
        )
    return Position(cards, seat, turned_card, suit, said)


def _read_turned(pack: Pack, size: int, turned: object, trump: object) -> tuple[int | None, int]:
    if size == NINE:
        if turned is not None:
            raise DealError("turned", "nothing is left to turn in a deal of nine cards a hand")
        if trump is None:
            raise DealError(
                "trump", "at nine cards a hand trump is what position 0 has called: give it"
            )
        return None, read_trump(trump)
    if (turned is None) == (trump is None):
        both = "both are given" if turned is not None else "neither is given"
        raise DealError("turned", f"below nine cards give the turned card or trump, where {both}")
    if turned is None:
        return None, read_trump(trump)
    card = pack.card("turned", turned)
    return card, NO_TRUMP if 1 << card & JOKERS else card // 9


def _read_premium(made_so_far: object, pulka_best: object) -> int | None:
    if not isinstance(made_so_far, bool):
        raise DealError("made_so_far", f"made_so_far is true or false, not {shown(made_so_far)}")
    best = whole("pulka_best", pulka_best, 0, 10**9, "a score of at least 0")
    if best and not made_so_far:
        raise DealError("pulka_best", "the pulka's best score counts where made_so_far is said")
    return best if made_so_far else None


def _case(
    rules: FourRules, players: Players, asked: Position, condition: str, premium: int | None
) -> FourCase:
    size, seat = len(asked.hand), asked.position
    deal = rules.deal_sizes.index(size)
    hand = mask_of(asked.hand)
    held = condition == "bids"
    history, tested = [], []
    if size == NINE:
        history, tested = [asked.trump], [held and seat > 0]
        turned = []
    elif asked.turned is not None:
        turned = [asked.turned]
    else:
        turned = cards_of((JOKERS if asked.trump == NO_TRUMP else SUIT_MASKS[asked.trump]) & ~hand)
        if not turned:
            raise DealError("trump", "no card of that suit is left that could have been turned")
    missing = seat - len(asked.bids)
    history += asked.bids + [BY_POLICY] * missing
    tested += [held] * len(asked.bids) + [False] * missing
    # The dealer sits at seat 3, so that seats are positions.
    made = [int(premium is not None and other == seat) for other in range(4)]
    best = [(premium or 0) if other == seat else 0 for other in range(4)]
    barred = size - sum(asked.bids) if seat == DEALER and rules.hook == "dealer" else -1
    return four_case(
        rules,
        players,
        deal=deal,
        dealer=DEALER,
        seat=seat,
        hand=hand,
        turned=turned,
        candidates=[bid for bid in range(size + 1) if bid != barred],
        history=history,
        tested=tested,
        standing=(made, best, [0] * 4),
        pulka_last=deal if premium is not None else None,
        earns=premium is not None,
    )
