"""Perfect play of two with all cards known: how many of the pairs left the leader can take.

Between tricks a state is the set of cards played and who leads: what lies covered is in reach once
the card over it is gone. The search asks yes or no, can the leader take at least so many pairs, and
keeps for each state the bounds that answers give. Which plays are legal and who takes is for
`trick` to say. `facts` int64 [64] is the deal, see the constants; `store` int64 [a power of two]
the table.
"""

from __future__ import annotations

import numpy as np

from jokersim.cards import JOKER_PLAY
from jokersim.kernels import party, trick
from jokersim.kernels.bits import first_bit, first_index, last_bit, popcount
from jokersim.kernels.jit import entry, kernel, leaf

UNKNOWN = -1
"""Answer of a search that ran out of nodes."""

# Facts of a deal: trump, the duty to trump, all cards of each seat that were not played at the
# start (covered ones too), those in hands (of which neighbours are worth the same), nodes visited
# and allowed; then by card what lies under it, a mask.
TRUMP = 0
MUST_TRUMP = 1
WHOLE = 2
IN_HAND = 4
NODES = 5
MAX_NODES = 6
COVERS = 8
N_FACTS = 64

_KEY = (1 << 38) - 1
_LEAST = 38
_MOST = 43
_FIRST = 48
_COUNT = 31
_PLAY = 127
_NO_PLAY = 127


@leaf
def slot_of(key, n):
    """Place of a key in a table of n, a power of two: a multiplicative hash."""
    return ((key * np.int64(-7046029254386353131)) >> 24) & (n - 1)


@leaf
def _uncovered(facts, cards, bit):
    """Cards in reach after one of them was played: it goes, what it covered comes."""
    return (cards ^ bit) | facts[COVERS + first_index(bit)]


@kernel
def _sure(facts, cards, theirs):
    """Pairs that a leader with `cards` in reach takes at least, `theirs` all cards of the other.

    While the other has no joker: jokers naming trump, trumps over all of his, and where he has no
    trump (or there is none) what is over all of his in its suit.
    """
    if theirs & trick.JOKERS:
        return np.int64(0)
    sure = popcount(cards & trick.JOKERS)
    trump = facts[TRUMP]
    ruffs = (theirs & trick.MASKS[trump]) != 0
    for suit in range(4):
        if ruffs and suit != trump:
            continue
        own = cards & trick.MASKS[suit]
        top = last_bit(theirs & trick.MASKS[suit])
        sure += popcount(own & -(top << 1)) if top else popcount(own)
    return sure


@leaf
def distinct(legal, in_hand, remaining):
    """Plain cards of `legal` that are worth trying: of neighbours in one hand the lowest."""
    alike = legal & in_hand
    tried = legal
    rest = alike
    while rest:
        bit = first_bit(rest)
        rest ^= bit
        suit = trick.MASKS[first_index(bit) // 9]
        tried &= ~(first_bit(remaining & suit & -(bit << 1)) & alike)
    return tried


@leaf
def beating(plain, row, best):
    """Plain cards that take a trick of that row from a play of that strength."""
    winners = np.int64(0)
    rest = plain
    while rest:
        bit = first_bit(rest)
        rest ^= bit
        if trick.strength(row, first_index(bit)) >= best:
            winners |= bit
    return winners


@kernel
def _replied(facts, store, played, mine, theirs, their_later, leader, left, need, lead):
    """Whether the leader takes `need` of the `left` pairs whatever the reply to his lead.

    `mine` is in his reach after the lead, `theirs` in the other's for this trick, `their_later`
    more from the next trick on.
    """
    led = trick.led_suit(lead)
    high = trick.led_high(lead)
    row = trick.strength_row(1, facts[TRUMP], led, high)
    duty = trick.duty_mask(facts[MUST_TRUMP], facts[TRUMP], high)
    legal = trick.follow_mask(theirs, trick.MASKS[led], duty, high)
    remaining = (facts[WHOLE] | facts[WHOLE + 1]) & ~played
    if lead < JOKER_PLAY:
        # The led card still parts what beats it from what does not.
        remaining |= np.int64(1) << lead
    tried = distinct(legal, facts[IN_HAND], remaining)
    winners = beating(tried, row, trick.strength(row, lead))
    losers = tried & ~winners
    jokers = theirs & trick.JOKERS
    while winners | losers | jokers:
        if winners:
            reply = first_bit(winners)
            winners ^= reply
            takes = True
        elif losers:
            reply = first_bit(losers)
            losers ^= reply
            takes = False
        else:
            reply = first_bit(jokers)
            takes = True
            # Two jokers in one hand are one choice.
            jokers = np.int64(0) if jokers & ~facts[IN_HAND] == 0 else jokers ^ reply
        after = _uncovered(facts, theirs, reply) | their_later
        if takes:
            found = can_take(
                facts, store, played | reply, after, mine, 1 - leader, left - 1, left - need
            )
            if found != 0:
                return np.int64(0) if found == 1 else found
        else:
            found = can_take(facts, store, played | reply, mine, after, leader, left - 1, need - 1)
            if found != 1:
                return found
    return np.int64(1)


@kernel
def _led(facts, store, played, mine, theirs, my_later, their_later, leader, left, need, lead):
    """Whether a lead lets the leader take `need` of the `left` pairs, whatever the reply."""
    if lead < JOKER_PLAY:
        bit = np.int64(1) << lead
        bare = lead
    else:
        # Of two jokers in different places the second stands with a place, whichever it is.
        bit = first_bit(mine & trick.JOKERS)
        if lead >= trick.N_PLAYS:
            bit ^= mine & trick.JOKERS
        bare = trick.without_place(lead)
    after = _uncovered(facts, mine, bit) | my_later
    return _replied(
        facts, store, played | bit, after, theirs, their_later, leader, left, need, bare
    )


@kernel
def _some_lead(
    facts, store, played, mine, theirs, my_later, their_later, leader, left, need, first
):
    """Whether some lead lets the leader take `need`: the answer, and the lead."""
    if first != _NO_PLAY:
        good = _led(
            facts, store, played, mine, theirs, my_later, their_later, leader, left, need, first
        )
        if good != 0:
            return good, first
    remaining = (facts[WHOLE] | facts[WHOLE + 1]) & ~played
    plain = distinct(mine & trick.PLAIN, facts[IN_HAND], remaining)
    their_all = facts[WHOLE + 1 - leader] & ~played
    bosses = np.int64(0)
    rest = plain
    while rest:
        bit = first_bit(rest)
        rest ^= bit
        if not their_all & trick.MASKS[first_index(bit) // 9] & -bit:
            bosses |= bit
    plain &= ~bosses
    while bosses | plain:
        bit = last_bit(bosses) if bosses else first_bit(plain)
        bosses &= ~bit
        plain &= ~bit
        lead = first_index(bit)
        if lead == first:
            continue
        good = _led(
            facts, store, played, mine, theirs, my_later, their_later, leader, left, need, lead
        )
        if good != 0:
            return good, lead
    jokers = mine & trick.JOKERS
    if jokers:
        n = 8 if jokers == trick.JOKERS and jokers & ~facts[IN_HAND] else 4
        for i in range(n):
            lead = np.int64(JOKER_PLAY + 4 + (i & 3) + (10 if i > 3 else 0))
            if lead == first:
                continue
            good = _led(
                facts, store, played, mine, theirs, my_later, their_later, leader, left, need, lead
            )
            if good != 0:
                return good, lead
    return np.int64(0), first


@kernel
def can_take(facts, store, played, mine, theirs, leader, left, need):
    """Whether the leader can take at least `need` of the `left` pairs: 1, 0, or UNKNOWN.

    `mine` and `theirs` are the cards in reach of the leader and of the other.
    """
    if need <= 0:
        return np.int64(1)
    if need > left:
        return np.int64(0)
    if _sure(facts, mine, facts[WHOLE + 1 - leader] & ~played) >= need:
        return np.int64(1)
    # The other takes this trick with a joker in reach, then leads the next.
    if left - popcount(theirs & trick.JOKERS) < need:
        return np.int64(0)
    facts[NODES] += 1
    if facts[NODES] > facts[MAX_NODES]:
        return np.int64(UNKNOWN)
    key = played * 2 + leader
    slot = slot_of(key, len(store))
    kept = store[slot]
    least = np.int64(0)
    most = left
    first = np.int64(_NO_PLAY)
    if kept & _KEY == key:
        least = kept >> _LEAST & _COUNT
        most = kept >> _MOST & _COUNT
        first = kept >> _FIRST & _PLAY
        if least >= need:
            return np.int64(1)
        if most < need:
            return np.int64(0)
    zero = np.int64(0)
    good, lead = _some_lead(
        facts, store, played, mine, theirs, zero, zero, leader, left, need, first
    )
    if good != UNKNOWN:
        if good:
            least = need
        else:
            most = need - 1
        store[slot] = key | least << _LEAST | most << _MOST | lead << _FIRST
    return good


@entry
def find_reach(views, hands, usable, later):
    """Fill by seat what can be used in this trick, and what more from the next one on; [2] each.

    `views` is one view at a lead or at a reply; of who has led already, all is in `usable`.
    """
    view = views[0]
    leader = view.leader
    usable[leader] = hands[leader] | view.open[leader]
    for position in range(view.position, 2):
        seat = leader if position == 0 else 1 - leader
        view.position = position
        view.turn = seat
        usable[seat] = party.usable_cards(view, hands[seat])
    for seat in range(2):
        later[seat] = view.open[seat] & ~usable[seat]


@entry
def bound_pairs(facts, store, played, hands, later, leader, lead, left, bounds):
    """Narrow `bounds` int64 [2], the least and most of the `left` pairs that `leader` can take.

    `hands` [2] are the cards in reach by seat in this trick, `later` [2] what more is from the next
    trick on; `lead` is a lead that lies there already, -1 if none does. Answers 1 once the bounds
    meet, 0 where the nodes do not suffice.
    """
    low = bounds[0]
    high = bounds[1]
    other = 1 - leader
    while low < high:
        need = (low + high + 1) >> 1
        if lead >= 0:
            mine = hands[leader] | later[leader]
            good = _replied(
                facts, store, played, mine, hands[other], later[other], leader, left, need, lead
            )
        else:
            good, _ = _some_lead(
                facts, store, played, hands[leader], hands[other], later[leader], later[other],
                leader, left, need, np.int64(_NO_PLAY),
            )  # fmt: skip
        if good == UNKNOWN:
            return 0
        if good:
            low = need
        else:
            high = need - 1
        bounds[0] = low
        bounds[1] = high
    return 1
