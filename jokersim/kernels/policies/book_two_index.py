"""The record that holds the tables of `book` for two, and which of their entries judge a choice.

Every choice is worth the sum of `N_ENTRIES` entries of one table, each indexed by some of what a
seat knows, coarsened. Kept apart from the decisions, since learning the table needs the same
places.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from jokersim.cards import NO_TRUMP
from jokersim.kernels import trick
from jokersim.kernels.bits import first_index, last_bit, popcount
from jokersim.kernels.dealing import DECK
from jokersim.kernels.jit import kernel, leaf
from jokersim.kernels.policies.basic_two import NONE_OF
from jokersim.kernels.state import N_PAIRS

MASKS = trick.MASKS
JOKERS = trick.JOKERS
PLAIN = trick.PLAIN

N_ENTRIES = 7
"""Entries that a choice has; those that a kind of choice does not need are the entry 0."""

# Stages of a deal, by tricks left; kinds of a suit: the trump, another, any at no trump.
N_STAGES = 7
_STAGES = np.array(
    [0, 0, 0, 1, 1, 2, 2, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 6], dtype=np.int64
)  # fmt: skip
N_BASES = 3 * N_STAGES


def _starts(sizes: dict[str, int]) -> tuple[dict[str, int], int]:
    """Lay blocks of so many entries one after another, behind entry 0."""
    starts = {}
    at = 1
    for name, size in sizes.items():
        starts[name] = at
        at += size
    return starts, at


_STARTS, N_TABLE = _starts(
    {
        "call": 3 * 512,
        "call_jokers": 2 * 3,
        "lead_take": N_BASES * 9 * 3 * 3,
        "lead_own": N_BASES * 6 * 9,
        "lead_place": N_BASES * 3 * 4,
        "lead_void": N_BASES * 3 * 3 * 6,
        "lead_trumps": N_BASES * 48,
        "lead_jokers": N_BASES * 18 * 3,
        "lead_out": N_BASES * 6 * 5 * 3 * 3,
        "reply_own": N_BASES * 2 * 6 * 9,
        "reply_place": N_BASES * 2 * 3 * 4 * 3,
        "reply_suit": N_BASES * 2 * 3 * 2 * 3,
        "reply_trumps": N_BASES * 2 * 48,
        "reply_jokers": N_BASES * 2 * 18,
        "joker_lead_suit": N_BASES * 4 * 4 * 4,
        "joker_lead_place": N_STAGES * 3 * 18,
        "joker_lead_cut": N_BASES * 3 * 3 * 4,
        "joker_lead_own": N_BASES * 4 * 4,
        "joker_reply_place": N_STAGES * 3 * 18,
        "joker_reply_else": N_STAGES * 2 * 7,
        "joker_reply_trumps": N_STAGES * 48,
    }
)
_CALL = _STARTS["call"]
_CALL_JOKERS = _STARTS["call_jokers"]
_LEAD_TAKE = _STARTS["lead_take"]
_LEAD_OWN = _STARTS["lead_own"]
_LEAD_PLACE = _STARTS["lead_place"]
_LEAD_VOID = _STARTS["lead_void"]
_LEAD_TRUMPS = _STARTS["lead_trumps"]
_LEAD_JOKERS = _STARTS["lead_jokers"]
_LEAD_OUT = _STARTS["lead_out"]
_REPLY_OWN = _STARTS["reply_own"]
_REPLY_PLACE = _STARTS["reply_place"]
_REPLY_SUIT = _STARTS["reply_suit"]
_REPLY_TRUMPS = _STARTS["reply_trumps"]
_REPLY_JOKERS = _STARTS["reply_jokers"]
_JOKER_LEAD_SUIT = _STARTS["joker_lead_suit"]
_JOKER_LEAD_PLACE = _STARTS["joker_lead_place"]
_JOKER_LEAD_CUT = _STARTS["joker_lead_cut"]
_JOKER_LEAD_OWN = _STARTS["joker_lead_own"]
_JOKER_REPLY_PLACE = _STARTS["joker_reply_place"]
_JOKER_REPLY_ELSE = _STARTS["joker_reply_else"]
_JOKER_REPLY_TRUMPS = _STARTS["joker_reply_trumps"]

# What is in reach: cards of mine, the other's open ones, those that may be in his hand, by kind (as
# of a suit, 3 a joker), how many are out above them, and stage; then who leads, by stage.
MINE = 0
THEIRS = 1
HIDDEN = 2
_N_ABOVE = 6
_N_REACH = 4 * _N_ABOVE * N_STAGES
N_MARGINS = 3 * _N_REACH + 2 * N_STAGES
MOST_IN_REACH = 40

BOOK_TWO = np.dtype(
    [("values", np.int16, (N_TABLE,)), ("margins", np.int16, (N_MARGINS,))], align=True
)
"""The book for two. By field, in 1024ths of a pair:

- values: what an entry adds to the difference of pairs that a choice comes to
- margins: what a card in reach, or the lead, adds to the difference that is still to come
"""


class Sight(NamedTuple):
    """What all choices of one play have in common."""

    mine: np.int64
    """Cards that I hold or that lie open before me."""
    out: np.int64
    """Cards that are neither mine nor played."""
    theirs: np.int64
    """Plain cards that lie open before the other."""
    hidden: np.int64
    """Cards that may be in the other's hand."""
    stage: np.int64
    trumps: np.int64
    """The other's trumps, open and perhaps in hand, and mine, as one number of 48."""
    my_trumps: np.int64
    """Mine alone, at most 3."""
    cut: np.int64
    """Chance, in 1024ths, that the other has a trump."""
    jokers: np.int64
    """Mine, the other's open ones, those unseen, as one number of 18."""
    held: np.int64
    """Cards in the other's hand."""
    n_hidden: np.int64


@leaf
def look(view):
    """Answer what a seat sees at a play."""
    seat = view.seat
    other = 1 - seat
    mine = view.hand | view.open[seat]
    out = DECK & ~view.played & ~mine
    theirs = view.open[other] & PLAIN
    unseen = out & ~view.open[other]
    hidden = unseen & view.may_hold[other]
    trumps = MASKS[view.trump]
    held = view.n_hand[other]
    n_hidden = popcount(hidden)
    theirs_trumps = popcount(theirs & trumps)
    hidden_trumps = popcount(hidden & trumps)
    my_trumps = min(popcount(mine & trumps), 3)
    cut = np.int64(1024) if theirs_trumps else 1024 - NONE_OF[n_hidden, held, hidden_trumps]
    in_sight = np.int64((view.open[other] & JOKERS) != 0)
    jokers = popcount(mine & JOKERS) * 6 + in_sight * 3 + popcount(unseen & JOKERS)
    return Sight(
        mine,
        out,
        theirs,
        hidden,
        _STAGES[N_PAIRS - view.trick],
        (min(theirs_trumps, 2) * 4 + min(hidden_trumps, 3)) * 4 + my_trumps,
        my_trumps,
        cut,
        jokers,
        held,
        n_hidden,
    )


@leaf
def base_of(sight, suit, trump):
    """Kind of a suit and stage, as one number."""
    kind = np.int64(2) if trump == NO_TRUMP else np.int64(suit != trump)
    return kind * N_STAGES + sight.stage


@leaf
def place_kind(view, bit):
    """Whence a card leaves: 0 the hand, 1 the table, 2 the table with a card under it."""
    seat = view.seat
    kind = np.int64(0)
    if view.open[seat] & bit:
        kind = np.int64(1)
        for place in range(5):
            here = view.up[seat, place]
            if here >= 0 and (np.int64(1) << here) & bit:
                kind += view.covered[seat] >> place & 1
    return kind


@leaf
def beside(mine, bit, suit_mask):
    """My cards of the suit above and below a card, two at most each, as one number of 9."""
    above = mine & suit_mask & -(bit << 1)
    below = mine & suit_mask & (bit - 1)
    return min(popcount(above), 2) * 3 + min(popcount(below), 2)


@kernel
def lead_entries(view, sight, card):
    """Entries that judge the lead of a plain card."""
    bit = np.int64(1) << card
    suit = card // 9
    suit_mask = MASKS[suit]
    higher = suit_mask & -(bit << 1)
    base = base_of(sight, suit, view.trump)
    seen = sight.theirs & suit_mask
    hidden = sight.hidden & suit_mask
    beats = popcount(seen & higher)
    lower = min(popcount(seen & ~higher), 2)
    hidden_above = popcount(hidden & higher)
    hidden_below = popcount(hidden) - hidden_above
    cut = np.int64(0)
    if seen == 0 and suit != view.trump:
        cut = NONE_OF[sight.n_hidden, sight.held, popcount(hidden)] * sight.cut >> 10
    take = np.int64(0)
    if beats == 0:
        take = NONE_OF[sight.n_hidden, sight.held, hidden_above] - cut
        take = 1 + min(max(take, 0) >> 7, 7)
    out_above = min(popcount(sight.out & higher), 5)
    place = place_kind(view, bit)
    left = min(popcount(sight.mine & suit_mask) - 1, 2)
    could = min(popcount(seen), 1) * 3 + min(popcount(hidden), 2)
    few_trumps = (sight.my_trumps + 1) >> 1
    coarse = np.int64(take > 0) + np.int64(take > 4)
    return (
        _LEAD_TAKE + ((base * 9 + take) * 3 + lower) * 3 + min(beats, 2),
        _LEAD_OWN + (base * 6 + out_above) * 9 + beside(sight.mine, bit, suit_mask),
        _LEAD_PLACE + (base * 3 + place) * 4 + sight.my_trumps,
        _LEAD_VOID + ((base * 3 + left) * 3 + few_trumps) * 6 + could,
        _LEAD_TRUMPS + base * 48 + sight.trumps,
        _LEAD_JOKERS + (base * 18 + sight.jokers) * 3 + coarse,
        _LEAD_OUT
        + (((base * 6 + out_above) * 5 + min(hidden_above, 4)) * 3 + min(beats, 2)) * 3
        + min(hidden_below, 2),
    )


@kernel
def reply_entries(view, sight, card):
    """Entries that judge a plain card in reply."""
    bit = np.int64(1) << card
    suit = card // 9
    suit_mask = MASKS[suit]
    higher = suit_mask & -(bit << 1)
    takes = np.int64(trick.strength(view.row, card) >= view.strength)
    base = base_of(sight, suit, view.trump) * 2 + takes
    seen = sight.theirs & suit_mask
    hidden = sight.hidden & suit_mask
    out_above = min(popcount(sight.out & higher), 5)
    left = min(popcount(sight.mine & suit_mask) - 1, 2)
    place = place_kind(view, bit)
    beaten = np.int64((seen & higher) != 0)
    return (
        _REPLY_OWN + (base * 6 + out_above) * 9 + beside(sight.mine, bit, suit_mask),
        _REPLY_PLACE + ((base * 3 + place) * 4 + sight.my_trumps) * 3 + left,
        _REPLY_SUIT
        + ((base * 3 + min(popcount(seen), 2)) * 2 + beaten) * 3
        + min(popcount(hidden & higher), 2),
        _REPLY_TRUMPS + base * 48 + sight.trumps,
        _REPLY_JOKERS + base * 18 + sight.jokers,
        np.int64(0),
        np.int64(0),
    )


@kernel
def joker_lead_entries(view, sight, suit, bit):
    """Entries that judge the lead of a joker that names a suit."""
    suit_mask = MASKS[suit]
    base = base_of(sight, suit, view.trump)
    seen = sight.theirs & suit_mask
    hidden = sight.hidden & suit_mask
    own = sight.mine & suit_mask
    out = sight.out & suit_mask
    # The card that is pulled at least: how many others are above it.
    over = min(popcount(out & ~seen & -(last_bit(seen) << 1)), 2) if seen else np.int64(3)
    above_mine = popcount(out & -(last_bit(own) << 1)) if own else popcount(out)
    hides = min(popcount(hidden), 3)
    cut_seen = np.int64((sight.theirs & MASKS[view.trump]) != 0) + np.int64(sight.cut > 512)
    return (
        _JOKER_LEAD_SUIT + ((base * 4 + over) * 4 + hides) * 4 + min(popcount(seen), 3),
        _JOKER_LEAD_PLACE + (sight.stage * 3 + place_kind(view, bit)) * 18 + sight.jokers,
        _JOKER_LEAD_CUT + ((base * 3 + cut_seen) * 3 + min(popcount(seen), 2)) * 4 + hides,
        _JOKER_LEAD_OWN + (base * 4 + min(popcount(own), 3)) * 4 + min(above_mine, 3),
        np.int64(0),
        np.int64(0),
        np.int64(0),
    )


@kernel
def joker_reply_entries(view, sight, legal, bit):
    """Entries that judge a joker in reply, where the plain cards `legal` might be played."""
    cards = legal
    cheapest = np.int64(6)
    while cards:
        card = first_index(cards)
        cards &= cards - 1
        if trick.strength(view.row, card) >= view.strength:
            suit_mask = MASKS[card // 9]
            out_above = popcount(sight.out & suit_mask & -(np.int64(2) << card))
            cheapest = min(cheapest, 5 - min(out_above, 5))
    follows = np.int64((sight.mine & MASKS[view.led]) != 0)
    return (
        _JOKER_REPLY_PLACE + (sight.stage * 3 + place_kind(view, bit)) * 18 + sight.jokers,
        _JOKER_REPLY_ELSE + (sight.stage * 2 + follows) * 7 + cheapest,
        _JOKER_REPLY_TRUMPS + sight.stage * 48 + sight.trumps,
        np.int64(0),
        np.int64(0),
        np.int64(0),
        np.int64(0),
    )


@kernel
def call_entries(packet, call):
    """Entries that judge a trump, by the lanes of the packet and its jokers."""
    plain = packet & PLAIN
    bare = np.int64(call == NO_TRUMP)
    here = np.int64(0) if bare else call
    first = plain >> (9 * here) & 0x1FF
    second = plain >> (9 * ((here + 1) & 3)) & 0x1FF
    third = plain >> (9 * ((here + 2) & 3)) & 0x1FF
    fourth = plain >> (9 * ((here + 3) & 3)) & 0x1FF
    side = _CALL + 512 * (1 + bare)
    return (
        (side if bare else _CALL) + first,
        side + second,
        side + third,
        side + fourth,
        _CALL_JOKERS + bare * 3 + popcount(packet & JOKERS),
        np.int64(0),
        np.int64(0),
    )


@leaf
def play_entries(view, sight, legal, play):
    """Entries that judge a play."""
    if play < 36:
        if view.position == 0:
            return lead_entries(view, sight, play)
        return reply_entries(view, sight, play)
    at = trick.place_bit(play)
    bit = view.hand & JOKERS
    if at:
        bit = np.int64(1) << view.up[view.seat, at - 1]
    if view.position == 0:
        return joker_lead_entries(view, sight, (trick.without_place(play) - 36) & 3, bit)
    return joker_reply_entries(view, sight, legal, bit)


@kernel
def margin_entries(view, part, cards, against, entries, n):
    """Add entries of `margins` for `cards`, some of which `against` are above them: how many now.

    `part` says whose they are.
    """
    stage = _STAGES[N_PAIRS - view.trick]
    while cards:
        bit = cards & -cards
        cards ^= bit
        kind = np.int64(3)
        above = np.int64(0)
        if bit & PLAIN:
            suit = first_index(bit) // 9
            kind = np.int64(2) if view.trump == NO_TRUMP else np.int64(suit != view.trump)
            above = min(popcount(against & MASKS[suit] & -(bit << 1)), _N_ABOVE - 1)
        entries[n] = ((part * 4 + kind) * _N_ABOVE + above) * N_STAGES + stage
        n += 1
    return n


@kernel
def reach(view, entries, ends):
    """List the entries of `margins` before a lead: mine, theirs and hidden ones up to `ends` [3].

    Who leads comes first. The answer is how many cards may be hidden in the other's hand.
    """
    seat = view.seat
    other = 1 - seat
    mine = view.hand | view.open[seat]
    theirs = view.open[other]
    live = DECK & ~view.played
    hidden = live & ~mine & ~theirs & view.may_hold[other]
    leads = np.int64(view.leader == seat)
    entries[0] = 3 * _N_REACH + leads * N_STAGES + _STAGES[N_PAIRS - view.trick]
    ends[0] = margin_entries(view, np.int64(MINE), mine, live & ~mine, entries, 1)
    ends[1] = margin_entries(view, np.int64(THEIRS), theirs, live & ~theirs, entries, ends[0])
    ends[2] = margin_entries(view, np.int64(HIDDEN), hidden, mine, entries, ends[1])
    return popcount(hidden)
