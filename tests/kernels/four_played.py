"""Games of four for the tests: a table to step through, and records of the games of a run."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from jokersim.cards import JOKER_IDS, TRUMPS, cards_of, format_card, format_play, parse_card
from jokersim.kernels import stepping, streams
from jokersim.kernels.state import BID, CHOOSE_TRUMP, FOUR_VIEW, PLAY, FourNumbers, new_views
from jokersim.numbers import four_numbers
from jokersim.rules import FourRules, rules
from tests import oracle
from tests.oracle.notation import DECK, JOKER, card_of

Json = dict[str, Any]
KINDS = {CHOOSE_TRUMP: "trump", BID: "bid", PLAY: "play"}


def ids_of(texts: Sequence[str]) -> list[int]:
    """Answer the ids of the cards of one deal, the first joker met being that of the lower id."""
    jokers = iter(JOKER_IDS)
    return [next(jokers) if text == JOKER else parse_card(text) for text in texts]


@dataclass
class Board:
    """A game that is stepped through, with the cards that its seats do not see."""

    numbers: FourNumbers
    views: Any = field(default_factory=lambda: new_views(FOUR_VIEW))
    hands: Any = field(default_factory=lambda: np.zeros(4, np.int64))
    streams: Any = field(default_factory=lambda: np.zeros((4, streams.N_COLUMNS), np.uint64))
    takers: Any = field(default_factory=lambda: np.full(9, -1, np.int64))

    def __post_init__(self) -> None:
        stepping.begin_game(self.views, self.numbers)

    @property
    def view(self) -> Any:
        """The one view."""
        return self.views[0]

    def number(self, name: str) -> int:
        """One number of the view."""
        return int(self.views[name][0])

    def copy(self) -> Board:
        """Answer the same position, to be played on apart."""
        other = Board(self.numbers)
        for name in ("views", "hands", "streams", "takers"):
            getattr(other, name)[:] = getattr(self, name)
        return other

    def draw(self, seed: int, index: int, dealer: int) -> int:
        """Deal as a run does; answer the chooser's packet."""
        deal = self.number("deal") + 1
        turned, packet = stepping.draw_deal(
            self.hands, self.streams, seed, index, deal, self.numbers.sizes[deal], (dealer + 1) % 4
        )
        stepping.begin_deal(self.views, self.numbers, dealer, turned)
        return int(packet)

    def lay(self, hands: Sequence[Sequence[str]], turned: str | None, dealer: int) -> None:
        """Lay out given cards for the next deal."""
        shown = [] if turned is None else [turned]
        ids = iter(ids_of([*shown, *(card for hand in hands for card in hand)]))
        card = next(ids) if shown else -1
        self.hands[:] = [sum(1 << next(ids) for _ in hand) for hand in hands]
        stepping.begin_deal(self.views, self.numbers, dealer, card)

    def legal(self) -> list[int]:
        """List the legal choices."""
        choices = np.zeros(20, np.int64)
        return choices[: stepping.list_legal(self.views, self.hands, choices)].tolist()

    def text(self, choice: int) -> int | str:
        """Write a choice of the decision due as records do."""
        kind = self.number("kind")
        if kind == BID:
            return choice
        return TRUMPS[choice] if kind == CHOOSE_TRUMP else format_play(choice)

    def choose(self, choice: int) -> bool:
        """Carry out a choice, if it is legal."""
        choices = np.array([choice], np.int64)
        return stepping.advance(self.views, self.hands, choices, self.takers) == 1

    def decide(self, seed: int, index: int, policy: int) -> int:
        """Ask a built-in policy for the decision due."""
        return int(stepping.decide(self.views, self.hands, self.streams, seed, index, policy, 0))

    def end_deal(self) -> list[list[int]]:
        """Score the deal: scores, premiums, scores erased and ranks by seat."""
        results = np.zeros((4, 4), np.int64)
        stepping.end_deal(self.views, self.numbers, results)
        return results.tolist()


def deal_cards(rng: random.Random, size: int) -> tuple[list[list[str]], str | None]:
    """Deal at random: hands and turned card, jokers far more often than by chance."""
    deck = list(DECK)
    rng.shuffle(deck)
    if rng.random() < 0.7:
        deck.sort(key=lambda card: card != JOKER)
        head = deck[: 4 * size]
        rng.shuffle(head)
        deck[: 4 * size] = head
    hands = [deck[seat * size : (seat + 1) * size] for seat in range(4)]
    return hands, deck[4 * size] if size < 9 else None


class Twin:
    """One deal as the slow twin sees it, decision by decision."""

    def __init__(self, options: Json, hands: Sequence[Sequence[str]], turned: str | None) -> None:
        self.options = options
        self.hands = [list(hand) for hand in hands]
        self.size = len(hands[0])
        self.deal: Json = {"hands": [list(hand) for hand in hands], "plays": []}
        self.trump: str | None = None
        if turned is not None:
            self.deal["turned"] = turned
            self.trump = "NT" if turned == JOKER else turned[1]

    def start(self, dealer: int) -> Twin:
        """Set who deals."""
        self.leader = (dealer + 1) % 4
        self.bids: list[int] = []
        self.trick: list[str] = []
        self.takers: list[int] = []
        return self

    def due(self) -> tuple[str, int, list[Any]] | None:
        """Answer kind, seat and legal choices of what is due."""
        if self.trump is None:
            return "trump", self.leader, list(TRUMPS)
        if len(self.bids) < 4:
            seat = (self.leader + len(self.bids)) % 4
            return "bid", seat, oracle.legal_bids(self.size, self.bids, self.options["hook"])
        if len(self.takers) == self.size:
            return None
        leader = self.takers[-1] if self.takers else self.leader
        seat = (leader + len(self.trick)) % 4
        lead = self.trick[0] if self.trick else None
        duty = self.options["must_trump"]
        return "play", seat, oracle.legal_plays(self.hands[seat], lead, self.trump, duty)

    def choose(self, choice: Any) -> None:
        """Carry out a legal choice."""
        kind, seat, _ = self.due() or ("", 0, [])
        if kind == "trump":
            self.trump = self.deal["trump"] = choice
        elif kind == "bid":
            self.bids.append(choice)
            said = self.deal.setdefault("bids", [None] * 4)
            said[seat] = choice
        else:
            self.hands[seat].remove(card_of(choice))
            if not self.trick:
                self.deal["plays"].append([])
            self.trick.append(choice)
            self.deal["plays"][-1].append(choice)
            if len(self.trick) == 4:
                leader = self.takers[-1] if self.takers else self.leader
                assert self.trump is not None
                won = oracle.taker(self.trick, self.trump, self.options["second_high_vs_cut"])
                self.takers.append((leader + won) % 4)
                self.trick = []


def step_through(
    rng: random.Random, changes: Json, *, look: Any = None
) -> tuple[Json, list[list[list[int]]], Board]:
    """Play a game at random on a board and on the slow twin, which must agree at every decision.

    `look` is called with board, twin and record so far before each decision. Answers the record,
    what each deal booked, and the board at the end.
    """
    options = oracle.read_options("classic", changes)
    rule_set = rules("classic", **changes)
    assert isinstance(rule_set, FourRules)
    board = Board(four_numbers(rule_set))
    first = rng.randrange(4)
    record: Json = {
        "format": "joker-record/1",
        "game": "classic",
        "rules": changes,
        "first_dealer": first,
        "deals": [],
    }
    booked = []
    for number, size in enumerate(rule_set.deal_sizes):
        hands, turned = deal_cards(rng, size)
        dealer = (first + number) % 4
        board.lay(hands, turned, dealer)
        twin = Twin(options, hands, turned).start(dealer)
        record["deals"].append(twin.deal)
        while due := twin.due():
            kind, seat, legal = due
            found = board.legal()
            assert (KINDS[board.number("kind")], board.number("turn")) == (kind, seat)
            assert [board.text(choice) for choice in found] == legal
            if look is not None:
                look(board, twin, record)
            choice = rng.choice(found)
            twin.choose(board.text(choice))
            assert board.choose(choice)
        assert board.legal() == []
        assert board.takers[:size].tolist() == twin.takers
        booked.append(board.end_deal())
    return record, booked, board


def records(run: Any) -> list[Json]:
    """Write the games of a run that kept its tables as records, without what follows from them."""
    deals, plays = run.deals(), run.plays()
    played = {
        key: frame[["card", "declaration"]].to_numpy().tolist()
        for key, frame in plays.groupby(["game", "deal"])
    }
    texts: dict[int, list[Json]] = {}
    for (game, number), rows in deals.groupby(["game", "deal"]):
        size, turned = int(rows.hand_size.iloc[0]), int(rows.turned.iloc[0])
        cards = [
            format_card(card) if declaration < 0 else format_play(36 + declaration)
            for card, declaration in played[game, number]
        ]
        deal: Json = {
            "hands": [list(map(format_card, cards_of(hand))) for hand in rows.hand.tolist()],
            **(
                {"trump": str(rows.trump.iloc[0])} if size == 9 else {"turned": format_card(turned)}
            ),
            "bids": rows.bid.tolist(),
            "plays": [cards[i : i + 4] for i in range(0, 4 * size, 4)],
        }
        texts.setdefault(game, []).append(deal)
    first = dict(run.games()[["game", "first_dealer"]].itertuples(index=False))
    return [
        {
            "format": "joker-record/1",
            "game": run.rules.name,
            "rules": run.rules.changes(),
            "first_dealer": int(first[game]),
            "deals": deals,
        }
        for game, deals in texts.items()
    ]
