"""A table of four (Classic, Nines): one game step by step on the kernels of the simulation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

import numpy as np

from jokersim.cards import JOKER_PLAY, JOKERS, NO_CARD, format_card, mask_of
from jokersim.errors import InputError
from jokersim.kernels import stepping
from jokersim.kernels.state import FOUR_FIELDS, N_SEATS, NO_DECISION, FourNumbers
from jokersim.kernels.streams import N_COLUMNS
from jokersim.numbers import four_numbers
from jokersim.rules import FourRules
from jokersim.table.base import Table
from jokersim.table.choices import TEXT_OF_PLAY
from jokersim.table.dealt import read_four, write_hand
from jokersim.table.logs import FourDeal, Record
from jokersim.table.views import Memory

__all__ = ["FourTable"]

NINE: Final = 9
MAX_PLAYS: Final = N_SEATS * NINE


class FourTable(Table):
    """A `Table` of four seats."""

    rules: FourRules
    _deals: list[FourDeal]  # type: ignore[assignment]
    _own_arrays = ("_hands", "_streams", "_buffer", "_takers", "_results", "_premiums")

    def _set_up(self) -> None:
        self._numbers = _numbers_of(self.rules)
        self._memory = Memory(FOUR_FIELDS)
        self._hands = np.zeros(N_SEATS, np.int64)
        self._streams = np.zeros((N_SEATS, N_COLUMNS), np.uint64)
        self._buffer = np.zeros(MAX_PLAYS + 1, np.int64)
        self._takers = np.zeros(NINE, np.int64)
        self._results = np.zeros((4, N_SEATS), np.int64)
        self._deals = []
        self._premiums: list[list[int]] = []
        stepping.begin_game(self._memory.array, self._numbers)

    # --- the state -------------------------------------------------------------------------------

    @property
    def complete(self) -> bool:
        """Whether the game is over."""
        return len(self._deals) == self.rules.n_deals and self.kind is None

    @property
    def awaits_cards(self) -> bool:
        """Whether the next event of the game is a deal, which somebody has to give."""
        return self.kind is None and len(self._deals) < self.rules.n_deals

    @property
    def totals(self) -> tuple[int, ...]:
        """Points by seat after the deals that are complete, premiums included."""
        return tuple(self._memory.row("totals"))

    # --- dealing ---------------------------------------------------------------------------------

    def _named_first(self) -> int | None:
        named = self.rules.first_dealer
        return None if isinstance(named, str) else named

    def _drawn_first(self) -> int:
        return int(stepping.first_dealer(self.seed, self.index, self._numbers.first_dealer))

    def dealer_of(self, deal: int) -> int:
        """Answer the seat that deals a deal, by its index."""
        return (self.first + deal) % N_SEATS

    def _begin(self, cards: Mapping[str, Any]) -> None:
        for key in ("up", "down", "declarer"):
            if key in cards:
                raise InputError(f"{key} is of two-player games, and this is one of four")
        deal = len(self._deals)
        dealer = self.dealer_of(deal)
        size = self.rules.deal_sizes[deal]
        hands, turned = read_four(cards, size)
        self._hands[:] = [mask_of(hand) for hand in hands]
        packet = mask_of(hands[(dealer + 1) % N_SEATS][:3]) if size == NINE else 0
        texts = [list(hand) for hand in cards["hands"]]
        self._start(FourDeal(dealer, texts, cards.get("turned"), packet), turned)

    def _deal_on(self) -> None:
        deal = len(self._deals)
        if self.seed is None or deal == self.rules.n_deals:
            return
        dealer = self.dealer_of(deal)
        chooser = (dealer + 1) % N_SEATS
        size = self.rules.deal_sizes[deal]
        # Also opens the streams that policies draw from, whoever deals.
        turned, packet = stepping.draw_deal(
            self._hands, self._streams, self.seed, self.index, deal, size, chooser
        )
        if self._given is not None:
            self._begin(self._given[deal])
            return
        texts = [
            write_hand(hand, packet if seat == chooser else 0)
            for seat, hand in enumerate(self._hands.tolist())
        ]
        text = None if turned == NO_CARD else format_card(turned)
        self._start(FourDeal(dealer, texts, text, int(packet)), turned)

    def _start(self, deal: FourDeal, turned: int) -> None:
        stepping.begin_deal(self._memory.array, self._numbers, deal.dealer, turned)
        self._legal = None
        deal.trump = self._memory.get("trump")
        self._deals.append(deal)

    # --- choosing --------------------------------------------------------------------------------

    def advance(self, choices: Sequence[int]) -> int:
        """Carry out choices of one kind up to the first illegal one; see `Table.advance`."""
        get = self._memory.get
        kind, seat = self.kind, get("turn")
        if kind is None or not choices:
            return 0
        self._legal = None
        # One more than a deal has plays is refused, so that the rest need not be looked at.
        n = min(len(choices), MAX_PLAYS + 1)
        self._buffer[:n] = choices[:n]
        done: int = stepping.advance(
            self._memory.array, self._hands, self._buffer[:n], self._takers
        )
        deal = self._deals[-1]
        if kind == "play":
            deal.plays.extend(choices[:done])
            if len(deal.takers) != get("trick"):
                deal.takers = self._takers[: get("trick")].tolist()
                deal.taken = self._memory.row("taken")
            if get("kind") == NO_DECISION:
                self._end_deal(deal)
        elif kind == "bid":
            for i in range(done):
                deal.bids[(seat + i) % N_SEATS] = choices[i]
        else:
            deal.trump = get("trump")
        return done

    def _end_deal(self, deal: FourDeal) -> None:
        stepping.end_deal(self._memory.array, self._numbers, self._results)
        scores, premium, erased, _ = self._results.tolist()
        deal.scores = scores
        if self._memory.get("deal") == self._memory.get("pulka_last"):
            self._premiums.append([a - b for a, b in zip(premium, erased, strict=True)])
        self._deal_on()

    def _choices(self) -> list[int]:
        n = stepping.list_legal(self._memory.array, self._hands, self._buffer)
        choices: list[int] = self._buffer[:n].tolist()
        return choices

    def _decide(self, policy: int) -> int:
        array = self._memory.array
        return int(
            stepping.decide(
                array,
                self._hands,
                self._streams,
                self.seed,
                self.index,
                policy,
                self._deals[-1].packet,
            )
        )

    def _play_refusal(self, play: int) -> str:
        text = TEXT_OF_PLAY[play]
        if "@" in text:
            return f"may not play {text}, as places are of two-player games"
        held = int(self._hands[self._memory.get("turn")])
        if not held & (JOKERS if play >= JOKER_PLAY else 1 << play):
            return f"does not hold {text[:2]}"
        return super()._play_refusal(play)

    # --- records ---------------------------------------------------------------------------------

    def derived(self) -> Record:
        """Answer what follows for the whole game; see `Table.derived`."""
        derived: Record = {
            "premiums": [premiums.copy() for premiums in self._premiums],
            "totals": list(self.totals),
            "complete": self.complete,
        }
        if self.complete:
            derived["ranks"] = self._results[3].tolist()
        return derived


@lru_cache(maxsize=32)
def _numbers_of(rules: FourRules) -> FourNumbers:
    return four_numbers(rules)
