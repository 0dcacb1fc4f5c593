"""Records as tables: the rows that the simulation of the same games writes."""

import json

import numpy as np
import pytest

import jokersim as js
from jokersim.cards import JOKERS
from jokersim.errors import InputError
from jokersim.records import replay
from jokersim.simulate.recorded import Recorder
from jokersim.simulate.verify import verify
from jokersim.table import play_game

GAMES = 25
RULES = {
    "classic": js.rules("classic"),
    "nines": js.rules("nines", khishti=-500),
    "japanese": js.rules("japanese"),
    "davi": js.rules("japanese", davi="party", davi_cap=6, target=5),
    "void": js.rules("japanese", failure_rate=0.2),
}


def without_jokers(frame):
    """Forget which joker is which: a record does not say."""
    frame = frame.copy()
    for name in ("hand", "open", "covered"):
        if name in frame:
            masks = frame[name].to_numpy()
            frame[name] = (masks & ~JOKERS) | (
                np.bitwise_count(masks & JOKERS).astype(np.int64) << 40
            )
    for name in ("card", "turned"):
        if name in frame:
            frame[name] = frame[name].replace(27, 0)
    return frame


@pytest.mark.parametrize("name", RULES)
def test_records_give_the_rows_of_the_games(tmp_path, name):
    rules = RULES[name]
    numbers = [0] * rules.seats
    with Recorder(tmp_path / "d", "test") as recorder:
        for index in range(GAMES):
            recorder.add(replay(json.loads(json.dumps(play_game(rules, numbers, 7, index)))))
    tables = ["games", "deals", "plays"]
    expected = js.simulate(rules, games=GAMES, seed=7, policies="random", tables=tables)
    found = js.read(tmp_path / "d")
    for table in tables:
        mine, theirs = (without_jokers(getattr(run, table)()) for run in (found, expected))
        assert mine.equals(theirs), (table, mine.compare(theirs))
    assert found.sums == expected.sums
    summary = found.summary()
    assert (summary["seed"], summary["policies"][0]) == (None, "recorded")
    checked = verify(tmp_path / "d", every=True)
    assert (checked.findings, checked.replayed) == ((), 0)


def test_what_is_not_over_or_of_other_rules_is_left_out_and_counted(tmp_path):
    one, other = js.rules("nines", schedule=[[1]]), js.rules("classic", schedule=[[1]])
    record = play_game(one, [0] * 4, 1, 0)
    begun = json.loads(json.dumps(record))
    begun["deals"][0]["plays"] = begun["deals"][0]["plays"][:0]
    for key in ("totals", "complete", "ranks", "premiums", "next"):
        del begun[key]
    for key in ("takers", "taken", "scores"):
        del begun["deals"][0][key]
    with Recorder(tmp_path / "d", "test") as recorder:
        for each in (replay(begun), record, play_game(other, [0] * 4, 1, 0), record):
            recorder.add(each)
    assert (recorder.games, recorder.unfinished, recorder.others) == (2, 1, 1)
    assert js.read(tmp_path / "d").n_games == 2


def test_no_game_at_all_is_refused(tmp_path):
    with (
        pytest.raises(InputError, match="no record is a game that is over"),
        Recorder(tmp_path / "d", "test"),
    ):
        pass
    assert not (tmp_path / "d").exists()
