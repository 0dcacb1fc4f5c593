"""Legal plays and the taker of a trick, as section 1 of the rules words them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from tests.oracle.notation import (
    JOKER,
    SUITS,
    is_high,
    is_joker,
    named_suit,
    sorted_plays,
    strength,
)


def suit_of_trick(lead: str) -> str:
    """Suit that the others must follow."""
    return named_suit(lead) if is_joker(lead) else lead[1]


def highest(cards: Iterable[str]) -> str:
    """Highest of some plain cards of one suit."""
    return max(cards, key=strength)


def allowed_plain(
    usable: Iterable[str], lead: str | None, trump: str, must_trump: bool = True
) -> set[str]:
    """Plain cards of `usable` that may be played (to `lead`, or as a lead where it is None)."""
    plain = {card for card in usable if not is_joker(card)}
    if lead is None:
        return plain
    suit = suit_of_trick(lead)
    following = {card for card in plain if card[1] == suit}
    if following:
        return {highest(following)} if is_high(lead) else following
    trumps = {card for card in plain if card[1] == trump}
    if trumps and trump != suit and (must_trump or is_high(lead)):
        return trumps
    return plain


def legal_plays(
    hand: Iterable[str], lead: str | None, trump: str, must_trump: bool = True
) -> list[str]:
    """Legal plays at a table of four, sorted: `lead` is the first play of the trick or None."""
    cards = list(hand)
    plays = allowed_plain(cards, lead, trump, must_trump)
    if JOKER in cards:
        suits = SUITS if lead is None else [""]
        plays |= {f"{JOKER}{level}{suit}" for level in "-+" for suit in suits}
    return sorted_plays(plays)


def legal_plays_two(
    hand: Iterable[str],
    table: Mapping[int, str],
    lead: str | None,
    trump: str,
    must_trump: bool = True,
) -> list[str]:
    """Legal plays at a table of two: `table` holds the usable table cards by their place."""
    cards = list(hand)
    plays = allowed_plain([*cards, *table.values()], lead, trump, must_trump)
    places = [""] if JOKER in cards else []
    places += [f"@{place}" for place, card in table.items() if card == JOKER]
    suits = SUITS if lead is None else [""]
    plays |= {f"{JOKER}+{suit}{place}" for suit in suits for place in places}
    return sorted_plays(plays)


def taker(plays: Sequence[str], trump: str, second_high_vs_cut: str = "joker") -> int:
    """Position (0 = leader) of the play that takes a complete trick."""
    lead = plays[0]
    suit = suit_of_trick(lead)
    trumps = {card for card in plays if not is_joker(card) and card[1] == trump}
    cut = is_high(lead) and suit != trump and bool(trumps)
    if cut and second_high_vs_cut == "trump":
        return plays.index(highest(trumps))
    later_high = [i for i, play in enumerate(plays) if i > 0 and is_high(play)]
    if later_high:
        return later_high[-1]
    if is_high(lead):
        return plays.index(highest(trumps)) if cut else 0
    following = {card for card in plays if not is_joker(card) and card[1] == suit}
    best = trumps or following
    return plays.index(highest(best)) if best else 0
