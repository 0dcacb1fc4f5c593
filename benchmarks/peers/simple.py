"""Classic Joker with random players in plain Python, written as the rules read and not for speed.

The same game as `plain` plays, in objects and lists: what a program looks like whose author wants
to see that it is right. Cards are suits and ranks, legal plays are listed, a trick is decided once
it is complete.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from random import Random
from typing import Final

from benchmarks.peers.plain import PLAYS_A_GAME, PULKAS, score

Suit = Enum("Suit", ["SPADES", "HEARTS", "DIAMONDS", "CLUBS"])
SEATS: Final = 4
RANKS: Final = range(6, 15)
NINE: Final = 9


@dataclass(frozen=True)
class Card:
    """A card of the pack of 36; the black sixes are the jokers, and have no suit."""

    suit: Suit | None
    rank: int

    @property
    def is_joker(self) -> bool:
        return self.suit is None


@dataclass(frozen=True)
class Play:
    """A card on the table; with a joker, whether it is to win, and the suit that it leads."""

    card: Card
    high: bool = False
    named: Suit | None = None

    @property
    def led(self) -> Suit | None:
        """The suit that others follow where this play leads."""
        return self.named if self.card.is_joker else self.card.suit


BLACK_SIXES: Final = ((Suit.SPADES, 6), (Suit.CLUBS, 6))
PACK: Final = [
    Card(None if (suit, rank) in BLACK_SIXES else suit, rank) for suit in Suit for rank in RANKS
]


def legal_leads(hand: Sequence[Card]) -> list[Play]:
    """List what may lead: any card, a joker in eight ways."""
    plays = [Play(card) for card in hand if not card.is_joker]
    joker = next((card for card in hand if card.is_joker), None)
    if joker is not None:
        plays += [Play(joker, high, suit) for high in (False, True) for suit in Suit]
    return plays


def legal_replies(hand: Sequence[Card], lead: Play, trump: Suit | None) -> list[Play]:
    """List what may follow a lead: its suit, else a trump, else anything; a joker always."""
    cards = [card for card in hand if card.suit is lead.led]
    if cards and lead.card.is_joker and lead.high:
        cards = [max(cards, key=lambda card: card.rank)]
    if not cards and trump is not None:
        cards = [card for card in hand if card.suit is trump]
    if not cards:
        cards = [card for card in hand if not card.is_joker]
    plays = [Play(card) for card in cards]
    joker = next((card for card in hand if card.is_joker), None)
    if joker is not None:
        plays += [Play(joker, high) for high in (False, True)]
    return plays


def beats(play: Play, other: Play, lead: Play, trump: Suit | None) -> bool:
    """Tell whether a play beats one that lay there before it."""
    if play.card.is_joker:
        return play.high
    if other.card.is_joker:
        if other is not lead:
            return False  # only a HIGH one can be the best so far
        if other.high:
            return play.card.suit is trump and lead.led is not trump
        return play.card.suit in (lead.led, trump)
    if play.card.suit is other.card.suit:
        return play.card.rank > other.card.rank
    return play.card.suit is trump


def play_trick(hands: list[list[Card]], leader: int, trump: Suit | None, random: Random) -> int:
    """Play a trick at random; answer the seat that takes it."""
    lead = random.choice(legal_leads(hands[leader]))
    hands[leader].remove(lead.card)
    taker, best = leader, lead
    for k in range(1, SEATS):
        seat = (leader + k) % SEATS
        play = random.choice(legal_replies(hands[seat], lead, trump))
        hands[seat].remove(play.card)
        if beats(play, best, lead, trump):
            taker, best = seat, play
    return taker


def legal_bids(size: int, said: Sequence[int]) -> list[int]:
    """List the bids: the last of them may not make the sum the number of tricks."""
    bids = range(size + 1)
    if len(said) < SEATS - 1:
        return list(bids)
    return [bid for bid in bids if sum(said) + bid != size]


def play_deal(size: int, dealer: int, random: Random) -> tuple[list[int], list[int]]:
    """Deal, bid and play; answer the bids and the tricks taken, by seat."""
    pack = random.sample(PACK, len(PACK))
    hands = [pack[seat * size : (seat + 1) * size] for seat in range(SEATS)]
    trump = random.choice([*Suit, None]) if size == NINE else pack[SEATS * size].suit
    bids: dict[int, int] = {}
    for k in range(1, SEATS + 1):
        bids[(dealer + k) % SEATS] = random.choice(legal_bids(size, list(bids.values())))
    taken = [0] * SEATS
    leader = (dealer + 1) % SEATS
    for _ in range(size):
        leader = play_trick(hands, leader, trump, random)
        taken[leader] += 1
    return [bids[seat] for seat in range(SEATS)], taken


def play_game(random: Random) -> list[int]:
    """Play a game; answer the totals."""
    totals = [0] * SEATS
    dealer = random.randrange(SEATS)
    for sizes in PULKAS:
        points: list[list[int]] = [[] for _ in range(SEATS)]
        made = [True] * SEATS
        for size in sizes:
            bids, taken = play_deal(size, dealer, random)
            for seat in range(SEATS):
                points[seat].append(score(size, bids[seat], taken[seat]))
                made[seat] = made[seat] and bids[seat] == taken[seat]
            dealer = (dealer + 1) % SEATS
        for seat in range(SEATS):
            totals[seat] += sum(points[seat]) + (max(points[seat]) if made[seat] else 0)
    return totals


def prepare() -> Callable[[], int]:
    """Answer a work that plays some games and tells how many cards were played."""
    random = Random(1)

    def work(games: int = 20) -> int:
        for _ in range(games):
            play_game(random)
        return games * PLAYS_A_GAME

    return work
