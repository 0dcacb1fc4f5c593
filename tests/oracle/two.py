"""Replays a record of Japanese Joker."""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.oracle.dealt import Deck, Json, deals_of, decision, read_legal, rows_of_plays
from tests.oracle.fault import Fault, complete
from tests.oracle.notation import JOKER, TRUMPS, is_joker, place_of, read_trump
from tests.oracle.options import is_whole
from tests.oracle.scoring import next_declarer, payoff, points_two
from tests.oracle.trick import legal_plays_two, taker

TRICKS = 18
ACTIONS = ("offer", "accept", "decline", "counter", "lead")


@dataclass
class Stake:
    """The davi of one party: what the stake is multiplied by, and who offered last."""

    options: Json
    multiplier: int = 1
    last_offer: int | None = None
    unanswered: bool = False
    loser: int | None = None

    def can_offer(self, leader: int) -> bool:
        """Whether the player about to lead may offer the next step."""
        on = self.options["davi"] == "party" and self.loser is None and not self.unanswered
        below_cap = self.multiplier + 1 <= self.options["davi_cap"]
        return on and below_cap and self.last_offer != leader

    def due(self) -> Json:
        """The answer that an offer waits for."""
        assert self.last_offer is not None
        counter = self.multiplier + 2 <= self.options["davi_cap"]
        legal = ["accept", "decline", "counter"] if counter else ["accept", "decline"]
        return decision(1 - self.last_offer, "davi", legal)

    def act(self, seat: int, action: str) -> None:
        """Take over one legal action."""
        if action == "decline":
            self.loser = seat
        elif action in ("accept", "counter"):
            self.multiplier += 1
        self.unanswered = action in ("offer", "counter")
        if self.unanswered:
            self.last_offer = seat


@dataclass
class Layout:
    """The cards of one deal where they lie: two hands, five open places a seat, covers."""

    hands: list[list[str]]
    up: list[dict[int, str]]
    down: list[list[str]]
    played_places: list[tuple[int, int]] = field(default_factory=list)

    def usable_table(self, seat: int, trick: int, leads: bool, table_open: str) -> dict[int, str]:
        """Open table cards that `seat` may use now."""
        closed = trick == 0 and (
            table_open == "both_first_trick" or (table_open == "leader_first_lead" and leads)
        )
        return {} if closed else self.up[seat]

    def play(self, seat: int, play: str) -> None:
        """Take a played card from the hand or the table."""
        place = place_of(play)
        if is_joker(play) and place is None:
            self.hands[seat].remove(JOKER)
            return
        if play in self.hands[seat]:
            self.hands[seat].remove(play)
            return
        if place is None:
            place = next(at for at, card in self.up[seat].items() if card == play)
        del self.up[seat][place]
        self.played_places.append((seat, place))

    def turn_up(self) -> None:
        """After a trick, turn up the cards under the table cards played in it."""
        for seat, place in self.played_places:
            cover = self.down[seat][place]
            if cover:
                self.up[seat][place] = cover
                self.down[seat][place] = ""
        self.played_places.clear()


@dataclass
class PlayedDeal:
    """One deal as far as it went."""

    answer: Json
    declarer: int
    pairs: list[int]
    points: list[int] | None
    due: Json | None


def davi_entries(deal: Json, where: str) -> list[Json]:
    """The entries of `davi`, found to have the form of entries."""
    entries = deal.get("davi")
    if entries is None:
        return []
    if not isinstance(entries, list):
        raise Fault(f"{where}.davi", "davi is a list of entries")
    for k, entry in enumerate(entries):
        if not (
            isinstance(entry, dict)
            and is_whole(entry.get("trick"), 0, TRICKS - 1)
            and is_whole(entry.get("seat"), 0, 1)
            and entry.get("action") in ACTIONS[:4]
        ):
            raise Fault(
                f"{where}.davi[{k}]",
                "an entry has trick 0..17, seat 0 or 1 and an action offer accept decline counter",
            )
    return entries


def replay_deal(
    deal: Json, where: str, options: Json, declarer: int | None, stake: Stake
) -> PlayedDeal:
    """Check one deal and complete it; `declarer` is None where the record must say who it is."""
    entries = davi_entries(deal, where)
    rows = rows_of_plays(deal, where)
    deck = Deck()
    hands = deck.take_piles(deal, "hands", where, 2, 8)
    up = [dict(enumerate(pile)) for pile in deck.take_piles(deal, "up", where, 2, 5)]
    down = deck.take_piles(deal, "down", where, 2, 5)
    if declarer is None:
        declarer = deal.get("declarer")
        if not is_whole(declarer, 0, 1):
            raise Fault(f"{where}.declarer", "the declarer is drawn at random, so he is given")
    assert declarer is not None
    complete(deal, {"declarer": declarer}, f"{where}.")
    trump = read_trump(deal.get("trump"))
    if deal.get("trump") is not None and trump is None:
        raise Fault(f"{where}.trump", f"this is no trump: it is one of {' '.join(TRUMPS)}")
    walk = _Walk(where, options, Layout(hands, up, down), trump, declarer, stake)
    walk.run(entries, rows)
    pairs = [walk.takers.count(seat) for seat in range(2)]
    points = points_two(pairs) if len(walk.takers) == TRICKS else None
    given = deal | {"trump": trump} if trump else deal
    derived = {
        "declarer": declarer,
        "trump": trump,
        "takers": walk.takers,
        "pairs": pairs,
        "points": points,
    }
    answer = complete(given, derived, f"{where}.")
    return PlayedDeal(answer, declarer, pairs, points, walk.due())


@dataclass
class _Walk:
    """The events of one deal after the naming of trump, in their order."""

    where: str
    options: Json
    layout: Layout
    trump: str | None
    leader: int
    stake: Stake
    takers: list[int] = field(default_factory=list)
    trick: list[str] = field(default_factory=list)
    spoke_in: int = -1

    def run(self, entries: list[Json], rows: list[list[object]]) -> None:
        """Go through the davi entries and the plays."""
        k = 0
        for t in range(len(rows) + 1):
            while k < len(entries) and entries[k]["trick"] <= t:
                self.speak(entries[k], f"{self.where}.davi[{k}]", t)
                k += 1
            for n, text in enumerate(rows[t] if t < len(rows) else []):
                self.lay(text, f"{self.where}.plays[{t}][{n}]", t)
        if k < len(entries):
            raise Fault(f"{self.where}.davi[{k}]", "this entry's trick is not reached")

    def speak(self, entry: Json, place: str, t: int) -> None:
        """One davi entry, met before the lead of trick `t`."""
        if entry["trick"] != t:
            raise Fault(place, "entries stand in the order of their tricks")
        due = self.due()
        legal = due["legal"] if due and due["kind"] == "davi" else []
        at_hand = due is not None and t == len(self.takers) and entry["seat"] == due["seat"]
        if not at_hand or entry["action"] not in legal:
            words = f"due is {due['kind']} of seat {due['seat']}" if due else "nothing is due"
            raise Fault(place, f"{entry['action']} cannot stand here: {words} {' '.join(legal)}")
        self.stake.act(entry["seat"], entry["action"])
        self.spoke_in = t

    def lay(self, text: object, place: str, t: int) -> None:
        """One play in the row of trick `t`."""
        self.spoke_in = max(self.spoke_in, t)
        due = self.due()
        if due is None or due["kind"] != "play" or t != len(self.takers):
            words = f"a {due['kind']} of seat {due['seat']} is due" if due else "nothing is due"
            raise Fault(place, f"no play can stand here: {words} in trick {len(self.takers)}")
        play = read_legal(text, place, due["legal"])
        self.layout.play(due["seat"], play)
        self.trick.append(play)
        if len(self.trick) == 2:
            assert self.trump is not None
            self.leader = (self.leader + taker(self.trick, self.trump)) % 2
            self.takers.append(self.leader)
            self.trick = []
            self.layout.turn_up()

    def due(self) -> Json | None:
        """The decision that is due now."""
        if self.trump is None:
            return decision(self.leader, "trump", TRUMPS)
        if self.stake.loser is not None or len(self.takers) == TRICKS:
            return None
        if self.stake.unanswered:
            return self.stake.due()
        t = len(self.takers)
        if not self.trick and self.spoke_in < t and self.stake.can_offer(self.leader):
            return decision(self.leader, "davi", ["offer", "lead"])
        seat = (self.leader + len(self.trick)) % 2
        table = self.layout.usable_table(seat, t, not self.trick, self.options["table_open"])
        lead = self.trick[0] if self.trick else None
        hand = self.layout.hands[seat]
        legal = legal_plays_two(hand, table, lead, self.trump, self.options["must_trump"])
        return decision(seat, "play", legal)


def replay_two(record: Json, options: Json) -> Json:
    """Check a two-player record from its `first_declarer` on, and complete it."""
    declarer: int | None = record.get("first_declarer")
    if not is_whole(declarer, 0, 1):
        raise Fault("first_declarer", "the first declarer is given, seat 0 or 1")
    stake = Stake(options)
    totals = [0, 0]
    winner: int | None = None
    played: list[PlayedDeal] = []
    for i, deal in enumerate(deals_of(record)):
        place = f"deals[{i}]"
        if winner is not None:
            raise Fault(place, "no deal can follow here: the party is over")
        if played:
            if played[-1].points is None:
                raise Fault(place, "no deal can follow here: the deal before is unfinished")
            before = played[-1]
            declarer = next_declarer(options["declarer_rotation"], before.declarer, before.pairs)
        played.append(replay_deal(deal, place, options, declarer, stake))
        points = played[-1].points or [0, 0]
        totals = [totals[0] + points[0], totals[1] + points[1]]
        if stake.loser is not None:
            winner = 1 - stake.loser
        elif max(totals) >= options["target"]:
            winner = totals.index(max(totals))
    void = record.get("void")
    if void is not None and not isinstance(void, bool):
        raise Fault("void", "void is true or false")
    if void and winner is not None:
        raise Fault("void", "a party that is over cannot be void")
    if void:
        money: list[float] | None = [0, 0]
    else:
        money = None if winner is None else payoff(options, winner, stake.multiplier)
    derived = {
        "totals": totals,
        "complete": winner is not None,
        "multiplier": stake.multiplier,
        "winner": winner,
        "payoff": money,
        "next": played[-1].due if played and winner is None and not void else None,
    }
    answer = complete(record, derived, always=("winner", "next"))
    return answer | {"deals": [deal.answer for deal in played]}
