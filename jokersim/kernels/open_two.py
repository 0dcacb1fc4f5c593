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
from jokersim.kernels.open_cards import PENDING, UNKNOWN, beating, distinct, slot_of

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


# Columns of a frame, one a trick: the state, the bounds known of it, and how far its leads and the
# replies to the present lead are tried.
_PLAYED = 0
_MINE = 1
_THEIRS = 2
_MY_LATER = 3
_THEIR_LATER = 4
_LEADER = 5
_LEFT = 6
_NEED = 7
_KNOWN_LEAST = 8
_KNOWN_MOST = 9
_N_LEADS = 10
_LEAD_AT = 11
_GONE = 12
_AFTER = 13
_N_REPLIES = 14
_REPLY_AT = 15
_KEYED = 16
_TAKES = 17
_N_COLUMNS = 18

_MAX_CHOICES = 32
_MAX_TRICKS = 19


@kernel
def _list_replies(facts, frame, replies, lead):
    """List the replies to a lead that are worth trying: cheap winners, low losers, jokers.

    A card that takes the trick stands as itself, one that does not as its complement.
    """
    led = trick.led_suit(lead)
    high = trick.led_high(lead)
    row = trick.strength_row(1, facts[TRUMP], led, high)
    theirs = frame[_THEIRS]
    duty = trick.duty_mask(facts[MUST_TRUMP], facts[TRUMP], high)
    legal = trick.follow_mask(theirs, trick.MASKS[led], duty, high)
    remaining = (facts[WHOLE] | facts[WHOLE + 1]) & ~frame[_GONE]
    if lead < JOKER_PLAY:
        # The led card still parts what beats it from what does not.
        remaining |= np.int64(1) << lead
    tried = distinct(legal, facts[IN_HAND], remaining)
    winners = beating(tried, row, trick.strength(row, lead))
    losers = tried & ~winners
    n = 0
    while winners:
        replies[n] = first_index(winners)
        winners &= winners - 1
        n += 1
    while losers:
        replies[n] = ~first_index(losers)
        losers &= losers - 1
        n += 1
    jokers = theirs & trick.JOKERS
    if jokers & ~facts[IN_HAND] == 0:
        jokers = first_bit(jokers)
    while jokers:
        replies[n] = first_index(jokers)
        jokers &= jokers - 1
        n += 1
    frame[_N_REPLIES] = n
    frame[_REPLY_AT] = 0


@kernel
def _lay_lead(facts, frame, replies, lead):
    """Lay a lead down, and list the replies to it."""
    mine = frame[_MINE]
    if lead < JOKER_PLAY:
        bit = np.int64(1) << lead
    else:
        # Of two jokers in different places the second stands with a place, whichever it is.
        bit = first_bit(mine & trick.JOKERS)
        if lead >= trick.N_PLAYS:
            bit ^= mine & trick.JOKERS
        lead = trick.without_place(lead)
    frame[_GONE] = frame[_PLAYED] | bit
    frame[_AFTER] = _uncovered(facts, mine, bit) | frame[_MY_LATER]
    _list_replies(facts, frame, replies, lead)


@kernel
def _list_leads(facts, frame, leads, first):
    """List the leads that are worth trying: what was best, top cards, low cards, jokers."""
    mine = frame[_MINE]
    played = frame[_PLAYED]
    n = 0
    if first != _NO_PLAY:
        leads[0] = first
        n = 1
    remaining = (facts[WHOLE] | facts[WHOLE + 1]) & ~played
    plain = distinct(mine & trick.PLAIN, facts[IN_HAND], remaining)
    if first < JOKER_PLAY:
        plain &= ~(np.int64(1) << first)
    their_all = facts[WHOLE + 1 - frame[_LEADER]] & ~played
    bosses = np.int64(0)
    rest = plain
    while rest:
        bit = first_bit(rest)
        rest ^= bit
        if not their_all & trick.MASKS[first_index(bit) // 9] & -bit:
            bosses |= bit
    plain ^= bosses
    while bosses:
        bit = last_bit(bosses)
        bosses ^= bit
        leads[n] = first_index(bit)
        n += 1
    while plain:
        leads[n] = first_index(plain)
        plain &= plain - 1
        n += 1
    jokers = mine & trick.JOKERS
    if jokers:
        apart = jokers == trick.JOKERS and jokers & ~facts[IN_HAND] != 0
        for i in range(8 if apart else 4):
            lead = np.int64(JOKER_PLAY + 4 + (i & 3) + (10 if i > 3 else 0))
            if lead != first:
                leads[n] = lead
                n += 1
    frame[_N_LEADS] = n
    frame[_LEAD_AT] = 0


@kernel
def _enter(facts, store, frame, leads, replies):
    """Begin a state: 1 or 0 where that is known already, UNKNOWN without nodes, else PENDING."""
    left = frame[_LEFT]
    need = frame[_NEED]
    if need <= 0:
        return 1
    if need > left:
        return 0
    played = frame[_PLAYED]
    leader = frame[_LEADER]
    if frame[_KEYED]:
        if _sure(facts, frame[_MINE], facts[WHOLE + 1 - leader] & ~played) >= need:
            return 1
        # The other takes this trick with a joker in reach, then leads the next.
        if left - popcount(frame[_THEIRS] & trick.JOKERS) < need:
            return 0
    facts[NODES] += 1
    if facts[NODES] > facts[MAX_NODES]:
        return UNKNOWN
    frame[_KNOWN_LEAST] = 0
    frame[_KNOWN_MOST] = left
    first = np.int64(_NO_PLAY)
    if frame[_KEYED]:
        key = played * 2 + leader
        kept = store[slot_of(key, len(store))]
        if kept & _KEY == key:
            frame[_KNOWN_LEAST] = kept >> _LEAST & _COUNT
            frame[_KNOWN_MOST] = kept >> _MOST & _COUNT
            first = kept >> _FIRST & _PLAY
            if frame[_KNOWN_LEAST] >= need:
                return 1
            if frame[_KNOWN_MOST] < need:
                return 0
    _list_leads(facts, frame, leads, first)
    _lay_lead(facts, frame, replies, leads[0])
    return PENDING


@kernel
def _descend(facts, frame, child, reply):
    """Lay a reply down: the state of the next trick."""
    takes = reply >= 0
    bit = np.int64(1) << (reply if takes else ~reply)
    after = _uncovered(facts, frame[_THEIRS], bit) | frame[_THEIR_LATER]
    frame[_TAKES] = takes
    child[_PLAYED] = frame[_GONE] | bit
    child[_LEFT] = frame[_LEFT] - 1
    child[_MY_LATER] = 0
    child[_THEIR_LATER] = 0
    child[_KEYED] = 1
    if takes:
        child[_LEADER] = 1 - frame[_LEADER]
        child[_MINE] = after
        child[_THEIRS] = frame[_AFTER]
        child[_NEED] = frame[_LEFT] - frame[_NEED]
    else:
        child[_LEADER] = frame[_LEADER]
        child[_MINE] = frame[_AFTER]
        child[_THEIRS] = after
        child[_NEED] = frame[_NEED] - 1


@kernel
def _keep(store, frame, good, lead):
    """Keep in the table what a state has shown."""
    least = frame[_NEED] if good else frame[_KNOWN_LEAST]
    most = frame[_KNOWN_MOST] if good else frame[_NEED] - 1
    key = frame[_PLAYED] * 2 + frame[_LEADER]
    store[slot_of(key, len(store))] = key | least << _LEAST | most << _MOST | lead << _FIRST


@kernel
def _search(facts, store, frames, leads, replies):
    """Whether the leader of frame 0, begun already, can take what it needs: 1, 0, or UNKNOWN.

    The stack holds a frame a trick.
    """
    at = 0
    found = PENDING
    while True:
        frame = frames[at]
        if found == PENDING:
            if frame[_REPLY_AT] < frame[_N_REPLIES]:
                _descend(facts, frame, frames[at + 1], replies[at, frame[_REPLY_AT]])
                found = _enter(facts, store, frames[at + 1], leads[at + 1], replies[at + 1])
                if found == PENDING:
                    at += 1
                    continue
            else:
                # No reply keeps the leader from it.
                if frame[_KEYED]:
                    _keep(store, frame, 1, leads[at, frame[_LEAD_AT]])
                if at == 0:
                    return 1
                at -= 1
                frame = frames[at]
                found = 1
        # The next trick's answer, seen from its own leader.
        if found == UNKNOWN:
            return UNKNOWN
        good = 1 - found if frame[_TAKES] else found
        if good:
            frame[_REPLY_AT] += 1
            found = PENDING
            continue
        frame[_LEAD_AT] += 1
        if frame[_LEAD_AT] < frame[_N_LEADS]:
            _lay_lead(facts, frame, replies[at], leads[at, frame[_LEAD_AT]])
            found = PENDING
            continue
        if frame[_KEYED]:
            _keep(store, frame, 0, leads[at, 0])
        if at == 0:
            return 0
        at -= 1
        found = 0


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
    frames = np.zeros((_MAX_TRICKS, _N_COLUMNS), np.int64)
    leads = np.zeros((_MAX_TRICKS, _MAX_CHOICES), np.int64)
    replies = np.zeros((_MAX_TRICKS, _MAX_CHOICES), np.int64)
    root = frames[0]
    other = 1 - leader
    while bounds[0] < bounds[1]:
        need = (bounds[0] + bounds[1] + 1) >> 1
        root[_PLAYED] = played
        root[_MINE] = hands[leader]
        root[_THEIRS] = hands[other]
        root[_MY_LATER] = later[leader]
        root[_THEIR_LATER] = later[other]
        root[_LEADER] = leader
        root[_LEFT] = left
        root[_NEED] = need
        root[_KEYED] = 0
        if lead >= 0:
            root[_N_LEADS] = 1
            root[_LEAD_AT] = 0
            root[_GONE] = played
            root[_AFTER] = hands[leader] | later[leader]
            _list_replies(facts, root, replies[0], lead)
            good = _search(facts, store, frames, leads, replies)
        else:
            good = _enter(facts, store, root, leads[0], replies[0])
            if good == PENDING:
                good = _search(facts, store, frames, leads, replies)
        if good == UNKNOWN:
            return 0
        if good:
            bounds[0] = need
        else:
            bounds[1] = need - 1
    return 1
