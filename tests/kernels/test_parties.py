"""Whole parties: what always holds, and that every way of playing one gives the same party."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import jokersim as js
from jokersim.cards import ALL_CARDS, TRUMPS, cards_of, format_card, format_play, mask_of
from jokersim.kernels import party_stepping as step
from jokersim.kernels import party_sums as ps
from jokersim.kernels import state
from jokersim.kernels.jit import JIT_DISABLED
from jokersim.kernels.party_random import N_LANES
from jokersim.kernels.policies import BASIC, RANDOM
from tests.kernels.parties_played import ACTIONS, Board, party_numbers, run, run_in_step
from tests.oracle.replay import replay

Json = dict[str, Any]
OPTIONS: list[Json] = [
    {},
    {"target": 3, "table_open": "both_first_trick", "declarer_rotation": "winner"},
    {"target": 7, "table_open": "none", "must_trump": False, "declarer_rotation": "random"},
    {"davi": "party", "davi_cap": 2, "declarer_rotation": "loser"},
    {"davi": "party", "davi_cap": 6, "target": 21, "declarer_rotation": "fixed"},
]
POLICIES = [(RANDOM, RANDOM), (BASIC, RANDOM), (BASIC, BASIC)]


def texts(cards: Any) -> list[str]:
    return [format_card(int(card)) for card in cards]


def dealt(board: Board, packet: int) -> Json:
    """The deal just drawn as a record writes it, the declarer's packet first."""
    hands = []
    for seat in range(2):
        first = packet if seat == board.declarer else 0
        hands.append(texts(cards_of(first) + cards_of(int(board.hands[seat]) & ~first)))
    return {
        "declarer": int(board.declarer),
        "hands": hands,
        "up": [texts(pile) for pile in board.up],
        "down": [texts(pile) for pile in board.down],
    }


def assert_hidden_is_hidden(board: Board) -> None:
    """No covered card is seen or played, and the view's account of the table is true."""
    view = board.view
    if view.kind == state.CHOOSE_TRUMP:
        assert (view.up == -1).all()
        assert view.open.tolist() == view.covered.tolist() == [0, 0]
        assert view.may_hold.tolist() == [ALL_CARDS, ALL_CARDS]
        assert view.n_hand.tolist() == [3, 3]
        return
    covered = mask_of(int(card) for card in board.down.ravel() if card >= 0)
    shown = int(view.open[0] | view.open[1])
    assert shown == mask_of(int(card) for card in view.up.ravel() if card >= 0)
    assert covered & (shown | int(view.played)) == 0
    hands = int(board.hands[0] | board.hands[1])
    assert covered | shown | int(view.played) | hands == ALL_CARDS
    for seat in range(2):
        places = sum(1 << p for p in range(5) if board.down[seat, p] >= 0)
        assert view.covered[seat] == places
        assert view.n_hand[seat] == int(board.hands[seat]).bit_count()
        assert int(board.hands[seat]) & ~int(view.may_hold[seat]) == 0


def stepped(index: int, policies: tuple[int, int], seed: int = 1, **options: Any) -> Json:
    """Play a party of a run step by step, every invariant checked on the way; answer its record."""
    board = Board(party_numbers(**options))
    view = board.view
    record: Json = {
        "format": "joker-record/1",
        "game": "japanese",
        "rules": options,
        "first_declarer": int(step.draw_declarer(seed, index, 0)),
        "deals": [],
    }
    last_offer = -1
    while board.winner < 0:
        packet = board.draw(seed, index)
        deal = dealt(board, packet) | {"davi": [], "plays": []}
        record["deals"].append(deal)
        before = view.points.tolist()
        exchanges = set()
        while view.kind != state.NO_DECISION:
            assert_hidden_is_hidden(board)
            legal = board.legal()
            assert len(set(legal)) == len(legal) >= 1
            kind, seat, trick = int(view.kind), int(view.turn), int(view.trick)
            choice = step.decide(
                board.views, board.hands, board.streams, seed, index, policies[seat], 0
            )
            assert choice in legal
            if kind == state.CHOOSE_TRUMP:
                assert policies[seat] == RANDOM or view.hand == packet
                deal["trump"] = TRUMPS[choice]
            elif kind == state.DAVI and choice != state.LEAD:
                deal["davi"].append({"trick": trick, "seat": seat, "action": ACTIONS[choice]})
                if choice in (state.OFFER, state.COUNTER):
                    assert seat != last_offer
                    last_offer = seat
                if choice == state.OFFER:
                    assert trick not in exchanges
                    exchanges.add(trick)
            elif kind == state.PLAY:
                if view.position == 0:
                    deal["plays"].append([])
                deal["plays"][-1].append(format_play(choice))
            assert board.choose(choice)
            assert 1 <= view.multiplier <= view.davi_cap
        assert_hidden_is_hidden(board)
        board.end()
        assert all(np.greater_equal(view.points, before))
        if view.declined_by < 0:
            assert view.pairs.sum() == 18
            assert view.played == ALL_CARDS
    return record


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("policies", POLICIES, ids=["random", "mixed", "basic"])
def test_a_run_a_table_and_the_slow_twin_play_the_same_party(
    policies: tuple[int, int], options: Json
) -> None:
    n = 6
    played = run(n, policies, deals=1000, plays=36000, **options)
    games, deals, plays = played["games"], played["deals"], played["plays"]
    for index in range(n):
        record = stepped(index, policies, **options)
        answer = replay(record)
        assert "error" not in answer, answer
        assert answer["complete"]
        assert answer["winner"] == games.winner[index]
        assert answer["totals"] == games.points[:, index].tolist()
        assert answer["multiplier"] == games.multiplier[index]
        assert len(answer["deals"]) == games.deals[index]
        assert record["first_declarer"] == games.first_declarer[index]
        entries = [e for deal in record["deals"] for e in deal["davi"]]
        offers = [e["seat"] for e in entries if e["action"] in ("offer", "counter")]
        assert len(offers) == games.davi_offers[index]
        declined = [e["seat"] for e in entries if e["action"] == "decline"]
        assert (declined or [-1]) == [games.declined_by[index]]
        rows = plays.game == index
        cards = [p[:2] for d in record["deals"] for row in d["plays"] for p in row]
        assert texts(plays.card[rows]) == cards
        takers = [t for d in answer["deals"] for t in d["takers"] for _ in range(2)]
        assert plays.taker[rows].tolist() == takers
        mine = deals.game == index
        for seat in range(2):
            pairs = [d["pairs"][seat] for d in answer["deals"]]
            assert deals.pairs[mine][seat::2].tolist() == pairs
            points = [(d.get("points") or [0, 0])[seat] for d in answer["deals"]]
            assert deals.points[mine][seat::2].tolist() == points
            hands = [sorted(d["hands"][seat]) for d in record["deals"]]
            assert [sorted(texts(cards_of(int(m)))) for m in deals.hand[mine][seat::2]] == hands


def test_plays_say_where_each_card_lay() -> None:
    played = run(8, deals=1000, plays=36000)
    deals, plays = played["deals"], played["plays"]
    for i in range(0, len(deals.game), 2):
        rows = (plays.game == deals.game[i]) & (plays.deal == deals.deal[i])
        assert mask_of(plays.card[rows].tolist()) == ALL_CARDS
        piles = [deals.hand[i : i + 2], deals.open[i : i + 2], deals.covered[i : i + 2]]
        for card, seat, place in zip(
            plays.card[rows], plays.seat[rows], plays.place[rows], strict=True
        ):
            pile = piles[0][seat] if place < 0 else piles[1][seat] | piles[2][seat]
            assert int(pile) >> int(card) & 1
        for seat in range(2):
            of_seat = plays.place[rows][plays.seat[rows] == seat]
            assert np.bincount(of_seat + 1).tolist() == [8, 2, 2, 2, 2, 2]


@pytest.mark.parametrize(
    "options",
    [
        *({"table_open": rule} for rule in ("leader_first_lead", "both_first_trick", "none")),
        {"must_trump": False, "table_open": "none", "declarer_rotation": "winner", "target": 1},
        {"must_trump": False, "declarer_rotation": "random", "target": 40},
        {"declarer_rotation": "loser", "failure_rate": 0.2},
        {"declarer_rotation": "fixed", "table_open": "both_first_trick", "failure_rate": 1.0},
    ],
    ids=str,
)
@pytest.mark.parametrize("n", [1, N_LANES - 1, N_LANES, 6 * N_LANES + 1])
def test_parties_in_step_are_those_played_one_by_one(n: int, options: Json) -> None:
    """Whatever the neighbours: rows of lanes begun, full, and refilled as parties end."""
    n = min(n, 9) if JIT_DISABLED else n
    alone = run(n, start=5, deals=200 * n, **options)
    rows = 2 * np.cumsum(np.append(0, alone["games"].deals), dtype=np.int64)
    for begins in (rows, rows[:0]):
        in_step = run_in_step(n, begins, start=5, **options)
        for name in ("games", "deals"):
            for a, b in zip(alone[name], in_step[name], strict=True):
                assert np.array_equal(a, b) or len(b) == 0
        assert np.array_equal(alone["sums"], in_step["sums"])
        assert np.array_equal(alone["party"], in_step["party"])


def test_a_run_asks_for_either_way_and_answers_the_same() -> None:
    games = 5 if JIT_DISABLED else 300
    runs = [
        js.simulate("japanese", games=games, seed=4, policies="random", tables=tables, chunk=100)
        for tables in (["games", "deals"], ["games", "deals", "plays"])
    ]
    assert runs[0].games().equals(runs[1].games())
    assert runs[0].deals().equals(runs[1].deals())
    assert runs[0].sums.to_json() == runs[1].sums.to_json()


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_chunks_do_not_matter(options: Json) -> None:
    whole = run(60, (BASIC, RANDOM), deals=9000, plays=160_000, **options)
    parts = [
        run(n, (BASIC, RANDOM), start=start, deals=9000, plays=160_000, **options)
        for start, n in ((0, 1), (1, 24), (25, 35))
    ]
    for name in ("games", "deals", "plays"):
        for columns in zip(whole[name], *(part[name] for part in parts), strict=True):
            assert np.array_equal(columns[0], np.concatenate(columns[1:], axis=-1))
    for name in ("sums", "party"):
        assert np.array_equal(whole[name], sum(part[name] for part in parts))


def test_full_columns_are_gone_on_from() -> None:
    whole = run(40, deals=2000, plays=36_000)
    start, rows, sums = 0, [], 0
    while start < 40:
        part = run(40 - start, start=start, deals=2000, plays=36 * 25)
        assert part["stop"] > start
        start = part["stop"]
        rows.append(part["plays"].card)
        sums = sums + part["party"]
    assert len(rows) > 5
    assert np.array_equal(np.concatenate(rows), whole["plays"].card)
    assert np.array_equal(sums, whole["party"])
    assert run(40, deals=2, plays=36_000)["stop"] <= 1


def test_sums_say_what_the_columns_say() -> None:
    played = run(300, deals=9000, **OPTIONS[4], failure_rate=0.1)
    games, deals, sums, party = (played[k] for k in ("games", "deals", "sums", "party"))
    void = games.winner < 0
    assert party[ps.PARTIES] == 300
    assert party[ps.VOID] == void.sum() > 0
    assert party[ps.DEALS] == games.deals.sum() == len(deals.game) // 2
    assert party[ps.DEALS_2] == (games.deals.astype(int) ** 2).sum()
    whole = deals.pairs[::2] + deals.pairs[1::2] == 18
    assert party[ps.COMPLETE] == whole.sum() < len(whole)
    gap = np.abs(deals.pairs[::2].astype(int) - deals.pairs[1::2])[whole] // 2
    counted = party[ps.DIFFERENCE : ps.DIFFERENCE + ps.N_BINS]
    assert counted.tolist() == np.bincount(gap, minlength=ps.N_BINS).tolist()
    declarers = np.where(deals.declarer[::2] == 0, deals.pairs[::2], deals.pairs[1::2])[whole]
    counted = party[ps.DECLARED : ps.DECLARED + ps.N_DIFFERENCES]
    assert counted.tolist() == np.bincount(declarers, minlength=ps.N_DIFFERENCES).tolist()
    complete = np.bincount(deals.game[::2][whole], minlength=300)
    for axis in range(2):
        for place in range(2):
            seat = (place + axis * games.first_declarer) & 1
            to = sums[axis, place]
            points = games.points[seat, np.arange(300)].astype(int)
            assert to[ps.POINTS] == points.sum()
            assert to[ps.POINTS_2] == (points**2).sum()
            assert to[ps.POINTS_X] == (points * complete).sum()
            assert to[ps.DECLINES] == (games.declined_by == seat).sum() > 0
            for m in range(1, 7):
                at_m = games.multiplier == m
                assert to[ps.WON_1 + m - 1] == (at_m & (games.winner == seat)).sum()
                assert to[ps.LOST_1 + m - 1] == (at_m & (games.winner == 1 - seat)).sum()
    for seat in range(2):
        pairs = np.where(whole, deals.pairs[seat::2], 0).astype(int)
        by_party = np.bincount(deals.game[::2], weights=pairs, minlength=300).astype(int)
        assert sums[0, seat, ps.PAIRS] == pairs.sum()
        assert sums[0, seat, ps.PAIRS_2] == (by_party**2).sum()
        assert sums[0, seat, ps.PAIRS_X] == (by_party * complete).sum()
        assert sums[0, seat, ps.OFFERS] == deals.davi_offers[seat::2].sum()
        assert sums[0, seat, ps.DEALS_WON] == (pairs > 9).sum()
    assert np.array_equal(sums[0].sum(axis=0), sums[1].sum(axis=0))


def test_a_failure_rate_aborts_parties_and_changes_nothing_else() -> None:
    sure = run(400, deals=6000)["games"]
    games = run(400, deals=6000, failure_rate=0.2)["games"]
    void = games.winner < 0
    # Each of D deals of a party stands with chance 0.8, so 1 - 0.8^D of the parties are void.
    expected = (1 - 0.8 ** sure.deals.astype(float)).sum()
    assert abs(void.sum() - expected) < 4 * np.sqrt(400 * 0.25)
    assert np.array_equal(games.points[:, ~void], sure.points[:, ~void])
    assert (games.deals[void] < sure.deals[void]).all()


def test_offers_that_are_accepted_move_no_card() -> None:
    """The same deals and points with davi off and on, when nobody declines."""
    raised = 0
    for index in range(5):
        plain = stepped(index, (BASIC, BASIC))
        board = Board(party_numbers(davi="party", davi_cap=6))
        got = []
        while board.winner < 0:
            board.draw(1, index)
            while board.view.kind != state.NO_DECISION:
                if board.view.kind == state.DAVI:
                    legal = board.legal()
                    choice = state.ACCEPT if state.ACCEPT in legal else legal[0]
                    raised += choice == state.ACCEPT
                else:
                    choice = step.decide(
                        board.views, board.hands, board.streams, 1, index, BASIC, 0
                    )
                assert board.choose(choice)
            got.append(board.end())
        points = [deal.get("points") for deal in replay(plain)["deals"]]
        assert got == points
    assert raised == 5 * 5


def test_declining_the_first_offer_loses_at_the_present_multiplier() -> None:
    board = Board(party_numbers(davi="party", davi_cap=3))
    board.draw(1, 0)
    leader = int(board.view.turn)
    for choice in (2, state.OFFER, state.COUNTER, state.DECLINE):
        assert board.choose(choice)
    board.end()
    assert (board.winner, board.view.multiplier) == (1 - leader, 2)


def test_random_is_uniform_over_the_entries_of_the_list() -> None:
    """A lead with a joker in hand and one on the table: each place is an entry of its own."""
    board = Board(party_numbers(table_open="none"))
    rest = [card for card in range(36) if card not in (0, 27)]
    board.hands[:] = [mask_of([0, *rest[:7]]), mask_of(rest[7:15])]
    board.up[:] = [[27, *rest[15:19]], rest[19:24]]
    board.down[:] = [rest[24:29], rest[29:34]]
    step.begin_deal(board.views, 0)
    assert board.choose(4)
    legal = board.legal()
    assert len(legal) == 11 + 8
    n = 19_000
    counts = dict.fromkeys(legal, 0)
    rng = np.random.default_rng(3)
    for key in rng.integers(0, 2**63, n // 6 + 1).tolist():
        board.streams[0] = (key, 0, 0, 0)
        for _ in range(6):
            counts[step.decide(board.views, board.hands, board.streams, 1, 0, RANDOM, 0)] += 1
    total = sum(counts.values())
    chi_square = sum((c - total / 19) ** 2 for c in counts.values()) / (total / 19)
    assert chi_square < 42.3  # 0.999 quantile with 18 degrees of freedom


def test_every_card_is_as_likely_in_every_place() -> None:
    board = Board(party_numbers())
    n = 7200
    seen = np.zeros((22, 36), np.int64)
    for index in range(n):
        step.draw_deal(board.hands, board.up, board.down, board.streams, 5, index, 0, 0)
        for k, card in enumerate([*board.up.ravel(), *board.down.ravel()]):
            seen[k, card] += 1
        for seat in range(2):
            seen[20 + seat, cards_of(int(board.hands[seat]))] += 1
    assert seen.sum(axis=0).tolist() == [n] * 36
    expected = np.array([n / 36] * 20 + [n * 8 / 36] * 2)[:, None]
    chi_square = ((seen - expected) ** 2 / expected).sum(axis=1)
    assert (chi_square < 80.1).all()  # 0.99998 quantile with 35 degrees of freedom
