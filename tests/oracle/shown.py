"""What everybody at the table has seen in the last deal of a record, and what follows from it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from tests.oracle.dealt import Json
from tests.oracle.notation import (
    DECK,
    PLAIN_CARDS,
    card_of,
    is_high,
    is_joker,
    read_card,
    read_play,
    strength,
)
from tests.oracle.options import read_options
from tests.oracle.replay import complete_record, replay
from tests.oracle.trick import suit_of_trick
from tests.oracle.two import Layout


@dataclass
class Situation:
    """The last deal of a record: what is hidden now, and what was played."""

    record: Json  # completed
    dealt: list[list[str]]
    hands: list[list[str]]
    covered: list[list[str]]  # by place, "" where nothing lies covered; none for four players
    plays: list[tuple[int, str]]

    @property
    def deal(self) -> Json:
        """The last deal."""
        last: Json = self.record["deals"][-1]
        return last

    def public(self) -> Counter[str]:
        """Cards that everybody knows: played, turned, lying open."""
        if self.covered:
            known = Counter(DECK)
            for pile in self.hands + self.covered:
                known -= Counter(pile)
            return known
        turned = self.deal.get("turned")
        return Counter([*_cards([turned] if turned else []), *(card_of(p) for _, p in self.plays)])


def situation(record: Json) -> Situation:
    """Where the last deal of a record stands."""
    full = complete_record(record)
    deal = full["deals"][-1]
    dealt = [_cards(hand) for hand in deal["hands"]]
    up = [dict(enumerate(_cards(pile))) for pile in deal.get("up") or [[]] * len(dealt)]
    covered = [_cards(pile) for pile in deal.get("down") or []]
    layout = Layout([list(hand) for hand in dealt], up, covered)
    plays = list(_plays(deal))
    for n, (seat, play) in enumerate(plays, start=1):
        layout.play(seat, play)
        if covered and n % 2 == 0:
            layout.turn_up()
    return Situation(full, dealt, layout.hands, layout.down, plays)


def could_hold(now: Situation | Json, seat: int, viewer: int | None = None) -> set[str]:
    """Cards that `seat` may still have in hand, by what was shown in a record's last deal.

    Shown are: the cards played, turned or lying open; that who did not follow is void; that who
    played neither suit nor trump under the duty to trump has no trump; that under a led HIGH joker
    nothing higher than the card that followed is left. `viewer` sees his own hand besides.

    No more can be known: whether a play was legal depends on its player's cards alone, and every
    breach is one card that he should not have. So the worlds that are `consistent` are exactly
    those in which each seat holds cards of its set.
    """
    now = now if isinstance(now, Situation) else situation(now)
    if seat == viewer or not now.hands[seat]:
        return set(now.hands[seat])
    unseen = Counter(DECK) - now.public()
    if viewer is not None:
        unseen -= Counter(now.hands[viewer])
    return set(unseen) - _excluded(now, seat)


def consistent(
    now: Situation | Json,
    hands: Sequence[Sequence[str]],
    down: Sequence[Sequence[str]] | None = None,
) -> bool:
    """Whether a sampled world could have led to all that was shown in a record's last deal.

    `hands` are the cards that each seat still holds; for two players `down` is every covered card
    as dealt. The deal is replayed with them: each card once, every play legal at its time.
    """
    now = now if isinstance(now, Situation) else situation(now)
    left_hand = [Counter(a) - Counter(b) for a, b in zip(now.dealt, now.hands, strict=True)]
    world: Json = {
        key: now.deal[key]
        for key in ("turned", "trump", "bids", "plays", "davi", "declarer", "up", "down")
        if key in now.deal
    }
    world["hands"] = [[*h, *left.elements()] for h, left in zip(hands, left_hand, strict=True)]
    if down is not None:
        world["down"] = said = [_cards(pile) for pile in down]
        for was, still, pile in zip(now.deal["down"], now.covered, said, strict=True):
            for place, card in enumerate(_cards(was)):
                if not still[place] and pile[place] != card:
                    return False  # this one was turned up, and everybody saw it
    given = ("format", "game", "rules", "first_dealer", "first_declarer")
    start = {key: now.record[key] for key in given if key in now.record}
    return "error" not in replay(start | {"deals": [*now.record["deals"][:-1], world]})


def _cards(texts: Sequence[Any]) -> list[str]:
    """Canonical cards of a valid record."""
    return [card for text in texts if (card := read_card(text))]


def _plays(deal: Json) -> Iterator[tuple[int, str]]:
    """Seat and play, in their order."""
    seats = len(deal["hands"])
    leader = (deal["dealer"] + 1) % 4 if seats == 4 else deal["declarer"]
    for row, taker in zip(deal.get("plays") or [], [*deal["takers"], None], strict=False):
        for k, text in enumerate(row):
            play = read_play(text)
            assert play is not None
            yield (leader + k) % seats, play
        leader = taker


def _excluded(now: Situation, seat: int) -> set[str]:
    """Plain cards that the plays of `seat` show him not to hold."""
    must_trump = read_options(now.record["game"], now.record.get("rules"))["must_trump"]
    trump = now.deal.get("trump")
    gone: set[str] = set()
    lead = ""
    for k, (who, play) in enumerate(now.plays):
        if k % len(now.hands) == 0:
            lead = play
        elif who == seat and not is_joker(play):
            suit = suit_of_trick(lead)
            if play[1] != suit:
                gone |= {card for card in PLAIN_CARDS if card[1] == suit}
                if play[1] != trump and (must_trump or is_high(lead)):
                    gone |= {card for card in PLAIN_CARDS if card[1] == trump}
            elif is_high(lead):
                same_suit = {card for card in PLAIN_CARDS if card[1] == suit}
                gone |= {card for card in same_suit if strength(card) > strength(play)}
    return gone
