"""Classic Joker with random players in plain Python, written to be fast without being strange.

It plays what ``jokersim simulate --game classic --policy random`` plays: 24 deals, uniform legal
bids under the hook, uniform legal plays with the jokers' declarations, scores and premiums. Cards
are the ids of `jokersim.cards`; the rules are written anew: the tests hold the two side by side.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Final

WHAT: Final = "Classic, full games"
PLAYS_A_GAME: Final = 576

PULKAS: Final = (tuple(range(1, 9)), (9,) * 4, tuple(range(8, 0, -1)), (9,) * 4)
SUIT: Final = tuple(4 if card in (0, 27) else card // 9 for card in range(36))
JOKER: Final = 4
NO_TRUMP: Final = 4
# Strengths: a trump over a card of the led suit over all else; a HIGH joker in reply over them all.
TRUMP, LED, HIGH_REPLY = 200, 100, 1000
NEXT: Final = ((1, 2, 3), (2, 3, 0), (3, 0, 1), (0, 1, 2))


def play_trick(hands: list[list[int]], leader: int, trump: int, draw: Callable[[], float]) -> int:
    """Play a trick at random; answer the seat that takes it."""
    hand = hands[leader]
    plain = [card for card in hand if SUIT[card] != JOKER]
    joker = len(plain) < len(hand)
    pick = int(draw() * (len(plain) + 8 * joker))
    high = False
    if pick < len(plain):
        card = plain[pick]
        led = SUIT[card]
        best = card + (TRUMP if led == trump else LED)
    else:
        declared = pick - len(plain)
        card = 0 if 0 in hand else 27
        led = declared & 3
        high = declared >= 4
        # Led HIGH it loses to trumps alone, led LOW to whatever competes.
        best = (LED + 50 if led != trump else TRUMP + 50) if high else 50
    hand.remove(card)
    taker = leader
    for seat in NEXT[leader]:
        hand = hands[seat]
        plain = [card for card in hand if SUIT[card] == led]
        if not plain:
            plain = [card for card in hand if SUIT[card] == trump]
            if not plain:
                plain = [card for card in hand if SUIT[card] != JOKER]
        elif high:
            plain = [max(plain)]
        joker = 0 in hand or 27 in hand
        pick = int(draw() * (len(plain) + 2 * joker))
        if pick < len(plain):
            card = plain[pick]
            suit = SUIT[card]
            strength = card + TRUMP if suit == trump else card + LED if suit == led else 0
        else:
            strength = HIGH_REPLY if pick > len(plain) else 0
            card = 0 if 0 in hand else 27
        hand.remove(card)
        if strength > best or strength == HIGH_REPLY:
            best = strength
            taker = seat
    return taker


def score(size: int, bid: int, taken: int) -> int:
    """Score a deal."""
    if bid == taken:
        return 100 * bid if bid == size else 50 + 50 * bid
    return 10 * taken if taken else -200


def play_deal(size: int, dealer: int, random: Random) -> tuple[list[int], list[int]]:
    """Deal, bid and play; answer the bids and the tricks taken."""
    draw = random.random
    cards = random.sample(range(36), 4 * size + (size < 9))
    hands = [cards[seat * size : (seat + 1) * size] for seat in range(4)]
    trump = SUIT[cards[-1]] if size < 9 else int(draw() * 5)
    leader = (dealer + 1) & 3
    bids = [0] * 4
    for seat in (leader, *NEXT[leader][:2]):
        bids[seat] = int(draw() * (size + 1))
    barred = size - sum(bids)
    last = int(draw() * (size + 1 - (barred >= 0)))
    bids[dealer] = last + (0 <= barred <= last)
    taken = [0] * 4
    for _ in range(size):
        leader = play_trick(hands, leader, trump, draw)
        taken[leader] += 1
    return bids, taken


def play_game(random: Random) -> list[int]:
    """Play a game; answer the totals."""
    totals = [0] * 4
    dealer = int(random.random() * 4)
    for sizes in PULKAS:
        made = [True] * 4
        best = [0] * 4
        for size in sizes:
            bids, taken = play_deal(size, dealer, random)
            for seat in range(4):
                points = score(size, bids[seat], taken[seat])
                totals[seat] += points
                made[seat] &= bids[seat] == taken[seat]
                best[seat] = max(best[seat], points)
            dealer = (dealer + 1) & 3
        for seat in range(4):
            totals[seat] += best[seat] * made[seat]
    return totals


def prepare() -> Callable[[], int]:
    """Answer a work that plays some games and tells how many cards were played."""
    random = Random(1)

    def work(games: int = 60) -> int:
        for _ in range(games):
            play_game(random)
        return games * PLAYS_A_GAME

    return work
