"""The slow twin against tricks, scores and records worked out by hand."""

import pytest

from tests import oracle

# Trump: the trick from its leader on -> who takes (1 = leader). LOW is JK-, HIGH is JK+.
TRICKS = """
S : 9H AH 7H KH -> 2        highest of the led suit
S : 9H AD KC QD -> 1        nobody follows
S : 9H AH 7S KH -> 3        a ruff
S : 9H 8S QS AH -> 3        an overruff
NT: 9H 8S QS 7H -> 1        no trump, no ruff
S : 9H JK+ AH 7S -> 2       a HIGH joker beats ace and trump
S : 9H JK+ JK+ 7S -> 3      the second of two HIGH jokers
S : 9H JK- AD KC -> 1       a LOW joker competes for nothing
S : 9H JK+ JK- AS -> 2
S : 9H JK- JK+ AS -> 3
S : JK+H AH 7S KH -> 3      a led HIGH joker, cut
S : JK+S AS 7S KD -> 1      a led HIGH joker naming trump is not cut
NT: JK+H AH 7S KH -> 1
S : JK+H 7S JK+ AH -> 3     a HIGH joker beats the cut
S : JK+H JK+ 7S AH -> 2     ... before it too
S : JK+H JK- AH KH -> 1
S : JK+H JK- 7S KH -> 3
S : JK-H 7H 9H AD -> 3      a led LOW joker: the highest of its suit
S : JK-H 7H 9H 8S -> 4      ... or a trump
S : JK-H AD KC QD -> 1      ... or the joker, as the lowest of its suit
S : JK-S AD 7S QD -> 3
S : JK-H JK+ AS KH -> 2
"""
CUT_STANDS = """
S : JK+H 7S JK+ AH -> 2
S : JK+H JK+ 7S AH -> 3
S : JK+H JK+ 7S 9S -> 4
S : JK+S 7S JK+ AH -> 3     trump was named: no cut
NT: JK+H 7S JK+ AH -> 3
S : JK-H 7S JK+ AH -> 3     led LOW: no cut
S : 9H 7S JK+ AH -> 3
"""


def tricks(text):
    table = []
    for line in text.strip().splitlines():
        trump, rest = line.split(":", 1)
        plays, who = rest.split("->")
        table.append((trump.strip(), plays.split(), int(who.split()[0]) - 1))
    return table


@pytest.mark.parametrize(("trump", "plays", "who"), tricks(TRICKS))
def test_the_right_player_takes_the_trick(trump, plays, who):
    assert oracle.taker(plays, trump) == who


@pytest.mark.parametrize(("trump", "plays", "who"), tricks(CUT_STANDS))
def test_a_cut_stands_where_the_option_says_so(trump, plays, who):
    assert oracle.taker(plays, trump, "trump") == who


LEAD = "9S KS AD JK-S JK-H JK-D JK-C JK+S JK+H JK+D JK+C"


@pytest.mark.parametrize(
    ("hand", "lead", "trump", "legal", "legal_without_duty"),
    [
        ("AD JK 9S KS", None, "S", LEAD, LEAD),
        ("AD JK 9S KS", "7S", "D", "9S KS JK- JK+", "9S KS JK- JK+"),
        ("AD JK 9S KS", "JK-S", "D", "9S KS JK- JK+", "9S KS JK- JK+"),
        ("AD JK 9S KS", "JK+S", "D", "KS JK- JK+", "KS JK- JK+"),
        ("AD JK 9S KS", "7H", "S", "9S KS JK- JK+", "9S KS AD JK- JK+"),
        ("AD JK 9S KS", "JK-H", "S", "9S KS JK- JK+", "9S KS AD JK- JK+"),
        ("AD JK 9S KS", "JK+H", "S", "9S KS JK- JK+", "9S KS JK- JK+"),
        ("AD JK 9S KS", "JK+H", "C", "9S KS AD JK- JK+", "9S KS AD JK- JK+"),
        ("AD JK 9S KS", "7H", "NT", "9S KS AD JK- JK+", "9S KS AD JK- JK+"),
        ("AD 9S KS", "JK+H", "H", "9S KS AD", "9S KS AD"),
        ("JK JK", "7H", "S", "JK- JK+", "JK- JK+"),
        ("6D AD TD", "JK+D", "D", "AD", "AD"),
    ],
)
def test_legal_plays_at_a_table_of_four(hand, lead, trump, legal, legal_without_duty):
    assert oracle.legal_plays(hand.split(), lead, trump) == legal.split()
    assert oracle.legal_plays(hand.split(), lead, trump, False) == legal_without_duty.split()


@pytest.mark.parametrize(
    ("hand", "table", "lead", "legal"),
    [
        ("9S JK", {2: "JK", 4: "AS"}, "7S", "9S AS JK+ JK+@2"),
        ("9S JK", {2: "JK", 4: "AS"}, "JK+S", "AS JK+ JK+@2"),
        ("9S", {0: "JK", 4: "JK"}, "7H", "9S JK+@0 JK+@4"),
        ("9D JK JK", {}, None, "9D JK+S JK+H JK+D JK+C"),
        ("9D", {1: "KD", 3: "8H"}, "7H", "8H"),
    ],
)
def test_legal_plays_at_a_table_of_two(hand, table, lead, legal):
    assert oracle.legal_plays_two(hand.split(), table, lead, "S") == legal.split()


def options(game="classic", **changes):
    return oracle.read_options(game, changes)


@pytest.mark.parametrize(
    ("size", "bid", "taken", "points"),
    [
        *((5, 2, 2, 150), (5, 5, 5, 500), (1, 1, 1, 100), (9, 9, 9, 900), (9, 8, 8, 450)),
        *((5, 0, 0, 50), (5, 0, 3, 30), (5, 3, 1, 10), (9, 2, 9, 90)),
        *((5, 1, 0, -200), (9, 9, 0, -200)),
    ],
)
def test_score_of_a_deal(size, bid, taken, points):
    assert oracle.deal_score(options(), size, bid, taken) == points


def test_score_of_a_deal_under_options():
    assert oracle.deal_score(options("classic-speci"), 4, 1, 0) == -400
    assert oracle.deal_score(options("classic-200-500"), 8, 1, 0) == -200
    assert oracle.deal_score(options("classic-200-500"), 9, 1, 0) == -500
    assert oracle.deal_score(options("nines-900"), 9, 3, 0) == -900
    assert oracle.deal_score(options(khishti=0), 9, 3, 0) == 0
    assert oracle.deal_score(options(full_bid_bonus="nine_only"), 8, 8, 8) == 450
    assert oracle.deal_score(options(full_bid_bonus="nine_only"), 9, 9, 9) == 900
    assert oracle.deal_score(options(full_bid_bonus="none"), 9, 9, 9) == 500


# A pulka of three deals. Seats 0 and 2 make every bid; 1 and 3 miss their first.
BIDS = [[1, 2, 0, 1], [0, 1, 3, 0], [2, 1, 0, 0]]
TAKEN = [[1, 0, 0, 2], [0, 1, 3, 0], [2, 1, 0, 0]]
SCORES = [[100, -200, 50, 20], [50, 100, 400, 50], [150, 110, 50, 60]]


@pytest.mark.parametrize(
    ("changes", "premium"),
    [
        ({}, [150, 0, 400, 0]),
        ({"premium": "none"}, [0, 0, 0, 0]),
        ({"premium_exclude_last": True}, [100, 0, 400, 0]),
        ({"erase": "all_others"}, [150, -110, 400, -60]),
        ({"erase": "all_others", "erase_exclude_last": True}, [150, -100, 400, -50]),
        ({"erase": "all_others", "premium": "none"}, [0, -110, 0, -60]),
        ({"erase": "all_others_if_single"}, [150, 0, 400, 0]),
        ({"erase": "left_neighbour"}, [150, -110, 400, -60]),
    ],
)
def test_premium_of_a_pulka(changes, premium):
    assert oracle.pulka_premium(options(**changes), BIDS, TAKEN, SCORES) == premium


def test_a_single_earner_erases_the_others():
    taken = [[1, 0, 1, 2], *TAKEN[1:]]
    single = options(erase="all_others_if_single")
    assert oracle.pulka_premium(single, BIDS, taken, SCORES) == [150, -110, -400, -60]


def test_two_earners_erase_their_common_left_neighbour_once():
    # Seats 1 and 2 earn: the nearest to their left who did not is seat 3 for both.
    bids, taken = [[1, 0, 0, 1]], [[0, 0, 0, 2]]
    scores = [[-200, 50, 50, 20]]
    left = options(erase="left_neighbour")
    assert oracle.pulka_premium(left, bids, taken, scores) == [0, 50, 50, -20]


def test_nothing_is_lost_without_a_positive_score_and_nobody_is_left_of_four_earners():
    bids, taken = [[1, 0, 0, 1]], [[0, 0, 0, 1]]
    scores = [[-200, 50, 50, 100]]
    assert oracle.pulka_premium(options(erase="all_others"), bids, taken, scores)[0] == 0
    left = options(erase="left_neighbour")
    assert oracle.pulka_premium(left, taken, taken, scores) == [0, 50, 50, 100]


@pytest.mark.parametrize("erase", ["all_others", "left_neighbour"])
def test_a_pulka_of_one_deal_has_no_candidate_where_the_last_is_excluded(erase):
    rules = options(erase=erase, premium_exclude_last=True, erase_exclude_last=True)
    assert oracle.pulka_premium(rules, [[0, 1, 1, 0]], [[0, 0, 2, 0]], [[50, -200, 20, 50]]) == (
        [0, 0, 0, 0]
    )


def test_ties_share_the_rank():
    assert oracle.ranks([500, 700, 500, -10]) == [2, 1, 2, 4]
    assert oracle.ranks([0, 0, 0, 0]) == [1, 1, 1, 1]


@pytest.mark.parametrize(
    ("said", "hook", "legal"),
    [
        ([], "dealer", [0, 1, 2, 3]),
        ([1, 1, 0], "dealer", [0, 2, 3]),
        ([0, 0, 0], "dealer", [0, 1, 2]),
        ([3, 3, 3], "dealer", [0, 1, 2, 3]),
        ([1, 1, 0], "none", [0, 1, 2, 3]),
    ],
)
def test_only_the_dealer_is_hooked(said, hook, legal):
    assert oracle.legal_bids(3, said, hook) == legal


def test_points_declarer_and_payoff_of_two():
    assert oracle.points_two([11, 7]) == [4, 0]
    assert oracle.points_two([9, 9]) == [0, 0]
    for rotation, after_win, after_tie in [
        ("alternate", 1, 1),
        ("winner", 0, 0),
        ("loser", 1, 0),
        ("fixed", 0, 0),
        ("random", None, None),
    ]:
        assert oracle.next_declarer(rotation, 0, [11, 7]) == after_win
        assert oracle.next_declarer(rotation, 0, [9, 9]) == after_tie
    staked = options("japanese", stake=5, rake=0.1)
    assert oracle.payoff(staked, 1, 3) == pytest.approx([-15, 12])


def test_the_schedules_of_the_presets():
    assert [n for pulka in options()["schedule"] for n in pulka] == (
        [1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 9, 9, 8, 7, 6, 5, 4, 3, 2, 1, 9, 9, 9, 9]
    )
    assert options("nines")["schedule"] == [[9, 9, 9, 9]] * 4
