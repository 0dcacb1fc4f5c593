"""Replays a record of Classic or Nines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tests.oracle.dealt import Deck, Json, deals_of, decision, read_legal, rows_of_plays
from tests.oracle.fault import Fault, complete
from tests.oracle.notation import JOKER, TRUMPS, card_of, read_trump
from tests.oracle.options import is_whole
from tests.oracle.scoring import deal_score, pulka_premium, ranks
from tests.oracle.trick import legal_plays, taker


@dataclass
class PlayedDeal:
    """One deal as far as it went."""

    answer: Json
    bids: list[int | None]
    taken: list[int]
    scores: list[int] | None
    due: Json | None


def legal_bids(size: int, said: list[int], hook: str) -> list[int]:
    """Bids open to the next bidder, after the bids `said` (the dealer is the fourth)."""
    barred = size - sum(said) if len(said) == 3 and hook == "dealer" else None
    return [bid for bid in range(size + 1) if bid != barred]


def _turned(deal: Json, where: str, size: int, deck: Deck) -> str | None:
    turned = deal.get("turned")
    if size == 9:
        if turned is not None:
            raise Fault(f"{where}.turned", "no card is turned at nine cards, the trump is named")
        return None
    if turned is None:
        raise Fault(f"{where}.turned", "below nine cards the turned card is given")
    return deck.take(turned, f"{where}.turned")


def _trump(deal: Json, where: str, turned: str | None) -> str | None:
    given = deal.get("trump")
    trump = read_trump(given)
    if given is not None and trump is None:
        raise Fault(f"{where}.trump", f"{given!r} is no trump: it is one of {' '.join(TRUMPS)}")
    if turned is None:
        return trump
    right = "NT" if turned == JOKER else turned[1]
    if trump not in (None, right):
        raise Fault(f"{where}.trump", f"trump is {given!r}, and the turned card makes it {right}")
    return right


def _bids(
    deal: Json, where: str, size: int, dealer: int, hook: str, due: Json | None
) -> tuple[list[int | None], Json | None]:
    """The bids by seat, and what is due after them (`due` is what was due before them)."""
    given = deal.get("bids")
    given = [None] * 4 if given is None else given
    if not isinstance(given, list) or len(given) != 4:
        raise Fault(f"{where}.bids", "bids are a list of four, null where not yet said")
    said: list[int] = []
    for seat in ((dealer + k) % 4 for k in (1, 2, 3, 4)):
        bid = given[seat]
        legal = legal_bids(size, said, hook)
        if bid is None:
            due = due or decision(seat, "bid", legal)
            continue
        place = f"{where}.bids[{seat}]"
        if due:
            raise Fault(place, f"this bid comes too early: a {due['kind']} is due first")
        if not is_whole(bid, 0, size) or bid not in legal:
            raise Fault(place, f"{bid!r} cannot be bid here, legal is {legal}")
        said.append(bid)
    return given, due


def replay_deal(deal: Json, where: str, options: Json, size: int, dealer: int) -> PlayedDeal:
    """Check one deal and complete it."""
    rows = rows_of_plays(deal, where)
    deck = Deck()
    hands = deck.take_piles(deal, "hands", where, 4, size)
    turned = _turned(deal, where, size, deck)
    complete(deal, {"dealer": dealer}, f"{where}.")
    trump = _trump(deal, where, turned)
    due = None if trump else decision((dealer + 1) % 4, "trump", TRUMPS)
    bids, due = _bids(deal, where, size, dealer, options["hook"], due)
    takers, due = _plays(rows, where, options, hands, trump, (dealer + 1) % 4, due)
    taken = [takers.count(seat) for seat in range(4)]
    scores = None
    if len(takers) == size:
        scores = [deal_score(options, size, bids[s], taken[s]) for s in range(4)]  # type: ignore[arg-type]
    given = deal | {"trump": trump} if deal.get("trump") is not None else deal
    derived = {
        "dealer": dealer,
        "trump": trump,
        "takers": takers,
        "taken": taken,
        "scores": scores,
    }
    return PlayedDeal(complete(given, derived, f"{where}."), bids, taken, scores, due)


def _plays(
    rows: list[list[object]],
    where: str,
    options: Json,
    hands: list[list[str]],
    trump: str | None,
    leader: int,
    due: Json | None,
) -> tuple[list[int], Json | None]:
    """The takers of the complete tricks, and what is due after the plays."""
    size = len(hands[0])
    takers: list[int] = []
    trick: list[str] = []
    for t, row in enumerate(rows):
        for k, text in enumerate(row):
            place = f"{where}.plays[{t}][{k}]"
            if due:
                raise Fault(place, f"this play comes too early: a {due['kind']} is due first")
            if len(takers) == size:
                raise Fault(place, "all cards of this deal are played")
            if t != len(takers):
                raise Fault(place, "this play belongs to a trick that is complete or not begun")
            assert trump is not None
            seat = (leader + k) % 4
            legal = legal_plays(
                hands[seat], trick[0] if trick else None, trump, options["must_trump"]
            )
            play = read_legal(text, place, legal)
            hands[seat].remove(card_of(play))
            trick.append(play)
            if len(trick) == 4:
                leader = (leader + taker(trick, trump, options["second_high_vs_cut"])) % 4
                takers.append(leader)
                trick = []
    if due is None and len(takers) < size:
        assert trump is not None
        seat = (leader + len(trick)) % 4
        lead = trick[0] if trick else None
        due = decision(seat, "play", legal_plays(hands[seat], lead, trump, options["must_trump"]))
    return takers, due


def replay_four(record: Json, options: Json) -> Json:
    """Check a four-player record from its `first_dealer` on, and complete it."""
    first: Any = record.get("first_dealer")
    if not is_whole(first, 0, 3):
        raise Fault("first_dealer", "the first dealer is given, a seat 0..3")
    if options["first_dealer"] not in ("random", "ace_draw", first):
        raise Fault("first_dealer", f"the rule set names seat {options['first_dealer']}")
    deals = deals_of(record)
    sizes = [size for pulka in options["schedule"] for size in pulka]
    played: list[PlayedDeal] = []
    for i, deal in enumerate(deals):
        if i == len(sizes) or (played and played[-1].scores is None):
            why = "the game is over" if i == len(sizes) else "the deal before is unfinished"
            raise Fault(f"deals[{i}]", f"no deal can follow here: {why}")
        played.append(replay_deal(deal, f"deals[{i}]", options, sizes[i], (first + i) % 4))
    finished = [deal for deal in played if deal.scores is not None]
    premiums: list[list[int]] = []
    start = 0
    for pulka in options["schedule"]:
        part = finished[start : start + len(pulka)]
        start += len(pulka)
        if len(part) == len(pulka):
            columns: list[Any] = [
                [getattr(d, name) for d in part] for name in ("bids", "taken", "scores")
            ]
            premiums.append(pulka_premium(options, *columns))
    totals = [
        sum(scores[s] for d in played if (scores := d.scores)) + sum(p[s] for p in premiums)
        for s in range(4)
    ]
    over = len(finished) == len(sizes)
    derived = {
        "premiums": premiums,
        "totals": totals,
        "complete": over,
        "ranks": ranks(totals) if over else None,
        "next": played[-1].due if played else None,
    }
    answer = complete(record, derived, always=("next",))
    return answer | {"deals": [deal.answer for deal in played]}
