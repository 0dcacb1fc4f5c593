"""Runs of games of four: tables that agree with each other, a summary that follows from them."""

import numpy as np
import pandas as pd
import pytest

import jokersim as js
from jokersim.cards import ALL_CARDS
from jokersim.kernels.jit import JIT_DISABLED
from tests.simulate.figures import figures, interval, share

TABLES = ["games", "deals", "plays"]
FOURS = ["classic", "nines-500", "classic-moshla", "classic-left"]
SEATS = range(4)
GAMES = 6 if JIT_DISABLED else 120


def run_of(preset, games=GAMES, policies="basic,random,basic,random", **options):
    return js.simulate(preset, games=games, seed=4, policies=policies, tables=TABLES, **options)


@pytest.fixture(scope="module", params=FOURS)
def four(request):
    return run_of(request.param)


def by_seat(games, name):
    return games[[f"{name}_{seat}" for seat in SEATS]].to_numpy()


# --- tables of four ---------------------------------------------------------------------------


def test_a_score_is_the_table_at_size_bid_and_tricks(four):
    deals = four.deals()
    table = four.rules.score_table()
    assert deals.score.tolist() == table[deals.hand_size, deals.bid, deals.taken].tolist()


def test_a_total_is_scores_and_premiums_less_what_was_erased(four):
    games, deals = four.games(), four.deals()
    sums = deals.groupby(["game", "seat"])[["score", "premium", "erased"]].sum().unstack()
    assert (sums.score + sums.premium - sums.erased).to_numpy().tolist() == (
        by_seat(games, "total").tolist()
    )
    for name in ("premium", "erased"):
        assert sums[name].to_numpy().tolist() == by_seat(games, name).tolist()
        in_pulkas = sum(by_seat(games, f"pulka_{p}_{name}") for p in range(four.rules.n_pulkas))
        assert in_pulkas.tolist() == by_seat(games, name).tolist()
        pulkas = deals.groupby(["game", "pulka", "seat"])[name].sum().unstack(["pulka", "seat"])
        for (pulka, seat), values in pulkas.items():
            assert values.tolist() == games[f"pulka_{pulka}_{name}_{seat}"].tolist()
    last = [sum(map(len, four.rules.schedule[: p + 1])) - 1 for p in range(four.rules.n_pulkas)]
    assert not deals[~deals.deal.isin(last)][["premium", "erased"]].to_numpy().any()


def test_ranks_count_who_is_better(four):
    totals = by_seat(four.games(), "total")
    better = (totals[:, None, :] > totals[:, :, None]).sum(axis=2)
    assert by_seat(four.games(), "rank").tolist() == (better + 1).tolist()


def test_deals_follow_the_schedule(four):
    deals, games = four.deals(), four.games()
    n = four.rules.n_deals
    assert len(deals) == 4 * n * len(games)
    assert deals[["game", "deal", "seat"]].equals(
        deals[["game", "deal", "seat"]].sort_values(["game", "deal", "seat"])
    )
    one = deals[deals.game == 0]
    assert one.hand_size.tolist() == np.repeat(four.rules.deal_sizes, 4).tolist()
    assert one.pulka.tolist() == np.repeat(four.rules.pulka_of_deal, 4).tolist()
    first = deals.game.map(games.set_index("game").first_dealer)
    assert deals.dealer.tolist() == ((first + deals.deal) % 4).tolist()


def test_tricks_taken_are_those_that_plays_say(four):
    deals, plays = four.deals(), four.plays()
    keys = ["game", "deal", "seat"]
    lead = plays[plays.position == 0].rename(columns={"taker": "by"})
    taken = lead.groupby(["game", "deal", "by"]).size()
    found = taken.reindex(pd.MultiIndex.from_frame(deals[keys]), fill_value=0)
    assert found.tolist() == deals.taken.tolist()
    per_deal = deals.groupby(["game", "deal"])
    assert per_deal.taken.sum().tolist() == per_deal.hand_size.first().tolist()
    # The taker of a trick leads the next.
    same = lead.deal.eq(lead.deal.shift()) & lead.game.eq(lead.game.shift())
    assert lead.seat[same].tolist() == lead.by.shift()[same].astype(int).tolist()


def test_every_card_of_a_hand_is_played_once_by_its_seat(four):
    deals, plays = four.deals(), four.plays()
    played = np.int64(1) << plays.card.astype(np.int64)
    masks = played.groupby([plays.game, plays.deal, plays.seat]).agg(["sum", "size"])
    assert masks["sum"].tolist() == deals.hand.tolist()
    assert masks["size"].tolist() == deals.hand_size.tolist()
    union = deals.groupby(["game", "deal"]).hand.sum()
    nines = deals.groupby(["game", "deal"]).hand_size.first() == 9
    assert (union[nines] == ALL_CARDS).all()
    small = deals[deals.hand_size < 9]
    assert (small.turned >= 0).all()
    assert not (small.hand.to_numpy() >> small.turned.to_numpy() & 1).any()
    assert (deals.turned[deals.hand_size == 9] == -1).all()


def test_declarations_are_said_over_jokers_alone(four):
    plays = four.plays()
    jokers = plays.card.isin([0, 27])
    assert (plays.declaration[~jokers] == -1).all()
    leads = jokers & (plays.position == 0)
    assert set(plays.declaration[leads]) <= set(range(8))
    assert set(plays.declaration[jokers & ~leads]) <= {8, 9}


def test_trump_is_the_turned_cards_suit(four):
    deals = four.deals()
    small = deals[deals.hand_size < 9]
    suit = np.where(small.turned.isin([0, 27]), 4, small.turned // 9)
    assert small.trump.cat.codes.tolist() == suit.tolist()
    assert list(deals.trump.cat.categories) == ["S", "H", "D", "C", "NT"]


# --- the summary of four ----------------------------------------------------------------------


@pytest.mark.parametrize("level", [0.95, 0.8])
def test_the_summary_of_seats_and_places_follows_from_the_tables(four, level):
    run = run_of(four.rules, level=level)
    games, deals, summary = run.games(), run.deals(), run.summary()
    rules = run.rules
    assert summary["level"] == level
    counts = pd.DataFrame(
        {
            "made": deals.bid == deals.taken,
            "khishti": (deals.bid > 0) & (deals.taken == 0),
            "pulka": deals.pulka,
            "game": deals.game,
            "seat": deals.seat,
        }
    )
    every = counts.groupby(["game", "seat", "pulka"]).made.all()
    by_game = {
        "made": counts.groupby(["game", "seat"]).made.mean(),
        "khishti": counts.groupby(["game", "seat"]).khishti.mean(),
        "premium": every.groupby(["game", "seat"]).mean(),
    }
    by_game = {name: values.unstack().to_numpy() for name, values in by_game.items()}
    totals, ranks = by_seat(games, "total"), by_seat(games, "rank")
    index = np.arange(len(games))
    for kind in ("seats", "places"):
        for own, number in zip(summary[kind], SEATS, strict=True):
            assert own[kind[:-1]] == number
            shift = games.first_dealer.to_numpy() if kind == "places" else 0
            at = (index, (number + shift) % 4)
            score = [own["mean_score"], own["low"], own["high"]]
            assert score == pytest.approx(interval(totals[at], level))
            for name, values in by_game.items():
                assert figures(own, name) == pytest.approx(interval(values[at], level)), name
            first = share(int((ranks[at] == 1).sum()), len(games), level)
            assert figures(own, "first") == pytest.approx(first)
    for own, number in zip(summary["places"], SEATS, strict=True):
        at = (index, (number + games.first_dealer.to_numpy()) % 4)
        assert own["ranks"] == [float((ranks[at] == rank).mean()) for rank in range(1, 5)]
        assert own["quantiles"] == {
            str(q): int(np.quantile(totals[at], q, method="inverted_cdf"))
            for q in (0.05, 0.25, 0.5, 0.75, 0.95)
        }
    assert rules.n_deals == deals.deal.max() + 1


def test_sums_are_those_of_the_columns(four):
    games, sums = four.games(), four.sums
    totals = by_seat(games, "total")
    assert sums.games == len(games) == four.n_games
    for seat, own in enumerate(sums.seats):
        assert own.total == int(totals[:, seat].sum())
        assert own.total_2 == sum(value * value for value in totals[:, seat].tolist())
        assert own.totals == pd.Series(totals[:, seat]).value_counts().to_dict()
        assert sum(own.ranks) == len(games)


def test_huge_totals_add_up_exactly():
    """Scores of a million each: squares pass 2^63 many times over."""
    rules = js.rules("classic", schedule=[[1] * 64] * 64, khishti=10**6)
    run = js.simulate(rules, games=3, seed=1, policies="random", tables=["games"])
    for seat, own in enumerate(run.sums.seats):
        values = run.games()[f"total_{seat}"].tolist()
        assert max(values) > 2**28
        assert own.total == sum(values)
        assert own.total_2 == sum(value * value for value in values)


def test_seats_are_alike_and_places_are_by_the_first_dealer():
    """With one policy all around, a fixed first dealer makes seats and places the same thing."""
    rules = js.rules("classic", first_dealer=2)
    sums = js.simulate(rules, games=50, seed=1, policies="random").sums.to_json()
    for place in SEATS:
        assert sums["places"][place] == sums["seats"][(place + 2) % 4]
    drawn = js.simulate("classic", games=50, seed=1, policies="random").sums.to_json()
    assert drawn["places"] != drawn["seats"]
    assert sum(own["total"] for own in drawn["places"]) == sum(
        own["total"] for own in drawn["seats"]
    )
