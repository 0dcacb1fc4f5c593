"""Records made by hand, and what was shown in them."""

import copy

import pytest

from tests import oracle

ONE_DEAL = {
    "format": "joker-record/1",
    "game": "classic",
    "rules": {"schedule": [[2]], "khishti": -500},
    "first_dealer": 2,
    "deals": [
        {
            "hands": [["A♠", "7H"], ["8H", "KH"], ["JK", "9C"], ["9D", "10H"]],
            "turned": "K♣",
            "bids": [1, 0, 2, 0],
            "plays": [["10H", "7H", "KH", "JK+"], ["9C", "9D", "AS", "8H"]],
        }
    ],
}


def test_a_game_of_one_deal():
    answer = oracle.replay(ONE_DEAL)
    deal = answer["deals"][0]
    assert (deal["dealer"], deal["trump"]) == (2, "C")
    assert (deal["takers"], deal["taken"]) == ([2, 2], [0, 0, 2, 0])
    assert deal["scores"] == [-500, 50, 200, 50]
    assert deal["plays"] == ONE_DEAL["deals"][0]["plays"]
    assert answer["premiums"] == [[0, 50, 200, 50]]
    assert answer["totals"] == [-500, 100, 400, 100]
    assert answer["ranks"] == [4, 2, 1, 2]
    assert (answer["complete"], answer["next"]) == (True, None)


def cut(**changes):
    record = copy.deepcopy(ONE_DEAL)
    record["deals"][0].update(changes)
    return record


@pytest.mark.parametrize(
    ("changes", "due"),
    [
        ({"bids": None, "plays": None}, (3, "bid", [0, 1, 2])),
        ({"bids": [1, 0, None, 0], "plays": []}, (2, "bid", [0, 2])),
        ({"plays": [["TH", "7H"]]}, (1, "play", ["8H", "KH"])),
        ({"plays": [["TH", "7H", "KH"]]}, (2, "play", ["9C", "JK-", "JK+"])),
        ({"plays": [["TH", "7H", "KH", "JK-"], []]}, (1, "play", ["8H"])),
    ],
)
def test_what_is_due_in_a_prefix(changes, due):
    answer = oracle.replay(cut(**changes))
    assert answer["next"] == dict(zip(("seat", "kind", "legal"), due, strict=True))
    assert answer["complete"] is False
    assert "ranks" not in answer
    assert "scores" not in answer["deals"][0]


@pytest.mark.parametrize(
    ("changes", "place"),
    [
        ({"hands": None}, "deals[0].hands"),
        ({"turned": None}, "deals[0].turned"),
        ({"turned": "AS"}, "deals[0].turned"),
        ({"dealer": 3}, "deals[0].dealer"),
        ({"trump": "NT"}, "deals[0].trump"),
        ({"bids": [1, 0, 1, 0]}, "deals[0].bids[2]"),
        ({"bids": [1, 0, 2.0, 0]}, "deals[0].bids[2]"),
        ({"bids": [True, 0, 2, 0]}, "deals[0].bids[0]"),
        ({"bids": [1, 0, None, 0]}, "deals[0].plays[0][0]"),
        ({"bids": [1, 0, 2]}, "deals[0].bids"),
        ({"plays": [["9D", "AS", "8H"], ["9C"]]}, "deals[0].plays[1][0]"),
        ({"plays": [["9D", "AS", "8H", "JK+C"]]}, "deals[0].plays[0][3]"),
        ({"plays": [["9D", "AS", "8H", "JK+@1"]]}, "deals[0].plays[0][3]"),
        ({"plays": [[], ["9D"]]}, "deals[0].plays[1][0]"),
        ({"plays": ["9D"], "hands": []}, "deals[0].plays[0]"),
        ({"taken": [0, 1, 1, 0]}, "deals[0].taken"),
    ],
)
def test_the_place_of_a_fault(changes, place):
    assert oracle.replay(cut(**changes))["error"]["place"] == place


def test_a_line_that_is_no_object_is_a_fault_without_a_place():
    for text in ("[]", "{", "1", '"x"'):
        error = oracle.replay_line(text, 7)["error"]
        assert (error["line"], error["place"]) == (7, "")


UP = [["AH", "7C", "8C", "9C", "TC"], ["6H", "7D", "8D", "9D", "TD"]]
PARTY = {
    "format": "joker-record/1",
    "game": "japanese-davi",
    "rules": {"stake": 10, "rake": 0.05},
    "first_declarer": 1,
    "deals": [
        {
            "hands": [
                ["7S", "8S", "9S", "TS", "JS", "QS", "KS", "AS"],
                ["7H", "8H", "9H", "TH", "JH", "QH", "KH", "JK"],
            ],
            "up": UP,
            "down": [["JK", "JC", "QC", "KC", "AC"], ["6D", "JD", "QD", "KD", "AD"]],
            "trump": "D",
            "davi": [
                {"trick": 0, "seat": 1, "action": "offer"},
                {"trick": 0, "seat": 0, "action": "counter"},
                {"trick": 0, "seat": 1, "action": "accept"},
            ],
            "plays": [["7H", "AH"]],
        }
    ],
}


def test_a_covered_joker_is_turned_up_and_led_from_its_place():
    answer = oracle.replay(PARTY)
    assert answer["multiplier"] == 3
    assert answer["deals"][0]["takers"] == [0]
    legal = answer["next"]["legal"]
    assert [play for play in legal if play.startswith("JK")] == [
        *("JK+S@0", "JK+H@0", "JK+D@0", "JK+C@0")
    ]


def party(davi, plays):
    record = copy.deepcopy(PARTY)
    entries = (dict(zip(("trick", "seat", "action"), entry, strict=True)) for entry in davi)
    record["deals"][0].update(davi=list(entries), plays=plays)
    return record


@pytest.mark.parametrize(
    ("davi", "plays", "due"),
    [
        ([], [], (1, "davi", ["offer", "lead"])),
        ([(0, 1, "offer")], [], (0, "davi", ["accept", "decline", "counter"])),
        ([(0, 1, "offer"), (0, 0, "counter")], [], (1, "davi", ["accept", "decline", "counter"])),
        ([(0, 1, "offer"), (0, 0, "accept")], [["7H", "AH"]], (0, "davi", ["offer", "lead"])),
    ],
)
def test_the_davi_that_is_due(davi, plays, due):
    answer = oracle.replay(party(davi, plays))
    assert answer["next"] == dict(zip(("seat", "kind", "legal"), due, strict=True))


def test_who_offered_last_may_not_offer_again():
    # Seat 0 countered, takes the trick and leads: the lead is due at once, not an offer.
    answer = oracle.replay(PARTY)
    assert answer["next"]["kind"] == "play"


def test_a_declined_offer_ends_the_party_at_the_present_stake():
    answer = oracle.replay(party([(0, 1, "offer"), (0, 0, "counter"), (0, 1, "decline")], []))
    assert (answer["complete"], answer["winner"], answer["multiplier"]) == (True, 0, 2)
    assert answer["payoff"] == pytest.approx([18, -20])
    assert answer["totals"] == [0, 0]
    assert answer["next"] is None
    assert "points" not in answer["deals"][0]


def test_a_void_party_returns_the_stakes():
    answer = oracle.replay(PARTY | {"void": True})
    assert (answer["complete"], answer["winner"], answer["payoff"]) == (False, None, [0, 0])
    assert (answer["multiplier"], answer["next"]) == (3, None)
    over = party([(0, 1, "offer"), (0, 0, "decline")], []) | {"void": True}
    assert oracle.replay(over)["error"]["place"] == "void"


NINE = {
    "format": "joker-record/1",
    "game": "nines",
    "rules": {"schedule": [[9]], "first_dealer": 0},
    "first_dealer": 0,
    "deals": [
        {
            "hands": [
                ["6H", "7H", "8H", "9H", "TH", "JH", "QH", "KH", "JK"],
                ["6D", "7D", "8D", "9D", "TD", "JD", "QD", "KD", "JK"],
                ["7S", "8S", "9S", "TS", "JS", "QS", "KS", "AS", "AH"],
                ["7C", "8C", "9C", "TC", "JC", "QC", "KC", "AC", "AD"],
            ],
            "turned": None,
            "trump": "♥",
            "bids": [9, 1, 0, 0],
            "plays": [["JK+♥", "AH", "7C", "KH"], [], []],
        }
    ],
}


def nine(**changes):
    record = copy.deepcopy(NINE)
    record["deals"][0].update(changes)
    return record


def test_signs_are_read_kept_in_plays_and_answered_as_letters_in_trump():
    answer = oracle.replay(NINE)
    deal = answer["deals"][0]
    assert (deal["trump"], deal["plays"], deal["takers"]) == ("H", NINE["deals"][0]["plays"], [1])
    assert answer["next"]["seat"] == 1
    signed = copy.deepcopy(ONE_DEAL)
    signed["deals"][0]["trump"] = "♣"
    assert oracle.replay(signed)["deals"][0]["trump"] == "C"


def test_the_chooser_names_trump_before_anybody_bids():
    due = {"seat": 1, "kind": "trump", "legal": ["S", "H", "D", "C", "NT"]}
    answer = oracle.replay(nine(trump=None, bids=None, plays=None))
    assert answer["next"] == due
    assert oracle.replay(nine(trump=None))["error"]["place"] == "deals[0].bids[1]"
    assert oracle.replay(nine(trump=None, bids=None))["error"]["place"] == "deals[0].plays[0][0]"
    assert oracle.replay(nine(turned="JK"))["error"]["place"] == "deals[0].turned"


@pytest.mark.parametrize(
    ("changes", "place"),
    [
        ({"format": "joker-record/2", "game": "whist"}, "format"),
        ({"game": "whist", "rules": 1}, "game"),
        ({"rules": [], "first_dealer": 4}, "rules"),
        ({"rules": {"first_dealer": 1}, "deals": None}, "first_dealer"),
        ({"first_dealer": None}, "first_dealer"),
        ({"first_dealer": True}, "first_dealer"),
        ({"first_dealer": 4}, "first_dealer"),
        ({"deals": None}, "deals"),
        ({"deals": [{"hands": 1}, 5]}, "deals[1]"),
        ({"totals": [0, 0, 0, 1], "complete": True}, "totals"),
        ({"ranks": [1, 1, 1, 1]}, "ranks"),
    ],
)
def test_the_place_of_a_fault_in_the_record(changes, place):
    assert oracle.replay(NINE | changes)["error"]["place"] == place


@pytest.mark.parametrize("off", [0.0, 5e-10, 1e-6])
def test_given_money_is_checked_within_a_billionth(off):
    record = party([(0, 1, "offer"), (0, 0, "decline")], []) | {"payoff": [-10 + off, 9]}
    error = oracle.replay(record).get("error")
    assert (error is not None) == (off > 1e-9)


def test_a_value_that_is_not_known_yet_may_be_null_but_not_given():
    empty = {"ranks": None, "next": None, "totals": None}
    assert oracle.replay(NINE | empty)["totals"] == [0, 0, 0, 0]
    deal = oracle.replay(nine(scores=None))["deals"][0]
    assert deal["scores"] is None
    assert oracle.replay(nine(scores=[0, 0, 0, 0]))["error"]["place"] == "deals[0].scores"
