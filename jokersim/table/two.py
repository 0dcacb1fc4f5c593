"""A table of two (Japanese Joker): one party step by step on the kernels of the simulation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from jokersim.cards import JOKER_PLAY, format_card, mask_of
from jokersim.errors import InputError
from jokersim.kernels import party_stepping as stepping
from jokersim.kernels.state import (
    DAVI,
    LEAD,
    N_PAIRS,
    N_PLACES,
    N_PLAYERS,
    NO_DECISION,
    NOT_YET,
    TWO_FIELDS,
)
from jokersim.kernels.streams import N_COLUMNS
from jokersim.numbers import two_numbers
from jokersim.rules import TwoRules
from jokersim.rules.options import shown
from jokersim.table.base import Table
from jokersim.table.choices import ACTIONS, PLAY_OF_TEXT, TEXT_OF_PLAY
from jokersim.table.dealt import DealError, read_two, write_hand
from jokersim.table.logs import Record, TwoDeal
from jokersim.table.views import Memory

__all__ = ["TwoTable"]

MAX_PLAYS: Final = N_PLAYERS * N_PAIRS


class TwoTable(Table):
    """A `Table` of two seats."""

    rules: TwoRules
    _deals: list[TwoDeal]  # type: ignore[assignment]
    _own_arrays = ("_hands", "_up", "_down", "_streams", "_buffer", "_takers", "_credit")

    def _set_up(self) -> None:
        self._numbers = two_numbers(self.rules)
        self._memory = Memory(TWO_FIELDS)
        self._hands = np.zeros(N_PLAYERS, np.int64)
        self._up = np.zeros((N_PLAYERS, N_PLACES), np.int64)
        self._down = np.zeros((N_PLAYERS, N_PLACES), np.int64)
        self._streams = np.zeros((N_PLAYERS, N_COLUMNS), np.uint64)
        self._buffer = np.zeros(MAX_PLAYS + 1, np.int64)
        self._takers = np.zeros(N_PAIRS, np.int64)
        self._credit = np.zeros(N_PLAYERS, np.int64)
        self._deals = []
        self._winner = self._next_declarer = NOT_YET
        self.void = False
        stepping.begin_party(self._memory.array, self._numbers)

    # --- the state -------------------------------------------------------------------------------

    @property
    def complete(self) -> bool:
        """Whether the party is won; one that is void never is."""
        return self._winner != NOT_YET

    @property
    def awaits_cards(self) -> bool:
        """Whether the next event of the party is a deal, which somebody has to give."""
        return self.kind is None and not self.complete and not self.void

    @property
    def totals(self) -> tuple[int, ...]:
        """Points by seat after the deals that are complete."""
        return tuple(self._memory.row("points"))

    def abort(self) -> None:
        """Break the party off by a technical failure: it is void, and every stake returns.

        Raises
        ------
        InputError
            The party is over.
        """
        if self.complete or self.void:
            raise InputError("a party that is over cannot be aborted")
        self.void = True
        self._memory.put("kind", NO_DECISION)
        self._legal = None

    # --- dealing ---------------------------------------------------------------------------------

    def _named_first(self) -> int | None:
        return None

    def _drawn_first(self) -> int:
        return int(stepping.draw_declarer(self.seed, self.index, 0))

    def declarer_of_next(self) -> int:
        """Answer the declarer of the next deal, -1 where the rule set draws him at random."""
        return self._next_declarer if self._deals else self.first

    def _begin(self, cards: Mapping[str, Any]) -> None:
        if "turned" in cards:
            raise InputError("turned is of four-player games, and this is one of two")
        hands, up, down = read_two(cards)
        declarer = self._read_declarer(cards.get("declarer"))
        self._hands[:] = [mask_of(hand) for hand in hands]
        self._up[:] = up
        self._down[:] = down
        texts = [[list(row) for row in cards[key]] for key in ("hands", "up", "down")]
        packet = mask_of(hands[declarer][:3])
        self._start(TwoDeal(declarer, texts[0], texts[1], texts[2], packet))

    def _read_declarer(self, given: object) -> int:
        follows = self.declarer_of_next()
        if given is None and follows == NOT_YET:
            raise DealError("declarer", "the rule set draws the declarer: a seat, 0 or 1, is due")
        if follows != NOT_YET:
            if given is not None and (isinstance(given, bool) or given != follows):
                raise DealError("declarer", f"declarer is {follows}, not {shown(given)}")
            return follows
        if isinstance(given, bool) or not isinstance(given, int) or given not in range(N_PLAYERS):
            raise DealError("declarer", f"declarer is a seat, 0 or 1, not {shown(given)}")
        return given

    def _deal_on(self) -> None:
        deal = len(self._deals)
        if self.seed is None or self.complete:
            return
        if stepping.party_fails(self.seed, self.index, deal, self._numbers.failure):
            self.abort()
            return
        declarer = self.declarer_of_next()
        if declarer == NOT_YET:
            declarer = int(stepping.draw_declarer(self.seed, self.index, deal))
        packet = int(
            stepping.draw_deal(
                self._hands,
                self._up,
                self._down,
                self._streams,
                self.seed,
                self.index,
                deal,
                declarer,
            )
        )
        if self._given is not None and deal < len(self._given):
            self._begin(self._given[deal])
            return
        hands = [
            write_hand(hand, packet if seat == declarer else 0)
            for seat, hand in enumerate(self._hands.tolist())
        ]
        up, down = (
            [[format_card(card) for card in row] for row in cards.tolist()]
            for cards in (self._up, self._down)
        )
        self._start(TwoDeal(declarer, hands, up, down, packet))

    def _start(self, deal: TwoDeal) -> None:
        stepping.begin_deal(self._memory.array, deal.declarer)
        deal.davi = None if self.rules.davi == "off" else []
        self._legal = None
        self._deals.append(deal)

    # --- choosing --------------------------------------------------------------------------------

    def advance(self, choices: Sequence[int]) -> int:
        """Carry out choices of one kind up to the first illegal one; see `Table.advance`."""
        kind = self.kind
        if kind is None or not choices:
            return 0
        if kind == "davi":
            return self._act(choices[0])
        # One more than a deal has plays is refused, so that the rest need not be looked at.
        n = min(len(choices), MAX_PLAYS + 1)
        done = self._step(choices[:n])
        deal = self._deals[-1]
        if kind == "trump":
            deal.trump = self._memory.get("trump")
            return done
        deal.plays.extend(choices[:done])
        if len(deal.takers) != self.trick:
            deal.takers = self._takers[: self.trick].tolist()
            deal.pairs = self._memory.row("pairs")
        if self._memory.get("kind") == NO_DECISION:
            self._end_deal()
        return done

    def _act(self, action: int) -> int:
        """Carry out one action of davi."""
        entry = {"trick": self._memory.get("trick"), "seat": self.seat, "action": ACTIONS[action]}
        if not self._step((action,)):
            return 0
        log = self._deals[-1].davi
        if action != LEAD and log is not None:
            log.append(entry)
        if self._memory.get("kind") == NO_DECISION:
            self._end_deal()
        return 1

    def _step(self, choices: Sequence[int]) -> int:
        n = len(choices)
        self._legal = None
        self._buffer[:n] = choices
        done: int = stepping.advance(
            self._memory.array, self._hands, self._up, self._down, self._buffer[:n], self._takers
        )
        return done

    def advance_plays(self, plays: Sequence[int]) -> int:
        """Carry out plays, going on without an offer of davi where one is possible."""
        done = 0
        while done < len(plays) and self.kind is not None:
            n = len(plays) - done
            if self._memory.get("davi_cap") > 1:
                n = min(n, N_PLAYERS - self._memory.get("position"))
            if self.kind == "davi" and not self.advance((LEAD,)):
                break
            if self.kind != "play":
                break
            carried = self.advance(plays[done : done + n])
            done += carried
            if carried < n:
                break
        return done

    def _apply_text(self, text: str) -> None:
        if self._memory.get("kind") != DAVI or text in ACTIONS:
            super()._apply_text(text)
            return
        try:
            play = PLAY_OF_TEXT[text]
        except ValueError as error:
            raise InputError(f"{error}; {self.allowed()}") from None
        state = self._memory.copy()
        if not self.advance((LEAD,)):
            raise InputError(f"the offer is to be answered before {text} is led; {self.allowed()}")
        if not self.advance((play,)):
            refusal = self.refusal(play)
            self._memory, self._legal = state, None
            raise InputError(refusal)

    def _end_deal(self) -> None:
        winner, following = stepping.end_deal(self._memory.array, self._credit)
        self._winner, self._next_declarer = int(winner), int(following)
        if self._memory.get("trick") == N_PAIRS:
            self._deals[-1].points = self._credit.tolist()
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

    @property
    def trick(self) -> int:
        """Index of the trick that is being played, or that is due."""
        return self._memory.get("trick")

    def why_no_davi(self) -> str:
        """Say why no action of davi is due, as the end of a sentence."""
        get = self._memory.get
        if self.kind in (None, "trump") or get("position"):
            return self.allowed()
        if get("davi_cap") == 1:
            return "davi is off"
        if get("multiplier") == get("davi_cap"):
            return f"the multiplier is at its cap, {get('davi_cap')}"
        if get("last_offer") == get("leader"):
            return f"seat {get('leader')} leads, who made the last offer"
        return "one exchange of offers a trick is over, and the leader leads"

    def _why_none(self) -> str:
        return "the party is void" if self.void else super()._why_none()

    def _play_refusal(self, play: int) -> str:
        text = TEXT_OF_PLAY[play]
        seat = self._memory.get("turn")
        if play < JOKER_PLAY:
            held = int(self._hands[seat]) | self._memory.row("open")[seat]
            if not held >> play & 1:
                return f"does not hold {text} and has it not open on the table"
            if not self._usable(play):
                return f"may not use table cards yet, so not {text}"
        elif text.startswith("JK-"):
            return f"may not play {text}, as a joker is always HIGH (+) here"
        elif not any(choice >= JOKER_PLAY for choice in self.choices()):
            return f"has no joker to use for {text}"
        return super()._play_refusal(play)

    def _usable(self, card: int) -> bool:
        first = self._memory.get("trick") == 0
        return not first or bool(int(self._hands[self._memory.get("turn")]) >> card & 1)

    # --- records ---------------------------------------------------------------------------------

    def _given_end(self) -> Record:
        return {"void": True} if self.void else {}

    def derived(self) -> Record:
        """Answer what follows for the whole party; see `Table.derived`."""
        multiplier = self._memory.get("multiplier")
        derived: Record = {
            "totals": list(self.totals),
            "complete": self.complete,
            "multiplier": multiplier,
            "winner": self._winner if self.complete else None,
        }
        if self.complete or self.void:
            derived["payoff"] = list(self.rules.payoffs(self._winner, multiplier, self.void))
        return derived
