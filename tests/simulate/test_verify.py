"""Verification: rows that are whole, consistent and wrong are found by playing again."""

import json
from contextlib import closing

import numpy as np
import pytest

import jokersim as js
from jokersim.errors import SpecError
from jokersim.simulate import make_player, plan
from jokersim.simulate.dataset import Target, opened, write_dataset
from jokersim.simulate.pipeline import ChunkSizes
from jokersim.simulate.verify import verify
from jokersim.simulate.work import Threads

TABLES = ("games", "deals", "plays")


class Doctored:
    """A player that alters one value of one game before anybody sees it."""

    def __init__(self, setup, table, column, game):
        self.player = make_player(setup)
        self.table, self.column, self.game = table, column, game

    def rows_a_game(self, table):
        return self.player.rows_a_game(table)

    def play(self, start, stop):
        chunk = self.player.play(start, stop)
        rows = chunk.tables[self.table]
        at = np.flatnonzero(rows["game"] == self.game)
        if len(at):
            rows[self.column] = rows[self.column].copy()
            rows[self.column][at[-1]] += 1
        return chunk


def write_doctored(out, rules, table, column, game, part=40):
    setup = plan(rules, "random", 7, TABLES)
    player = Doctored(setup, table, column, game)
    workers = Threads(player, 2, ChunkSizes(1, 16), 100, None)
    return write_dataset(setup, workers, 100, Target(out, part), 0.95)


@pytest.mark.parametrize("rules", ["nines", "japanese"])
def test_a_sound_dataset_has_no_findings(tmp_path, rules):
    js.simulate(rules, games=100, seed=7, policies="random", out=tmp_path / "d", tables=TABLES,
                part=40)  # fmt: skip
    found = verify(tmp_path / "d", every=True)
    assert found.findings == ()
    assert (found.games, found.replayed, found.complete) == (100, 100, True)
    assert verify(tmp_path / "d", sample=9, seed=1).replayed == 9


@pytest.mark.parametrize(
    ("rules", "table", "column"),
    [
        ("nines", "games", "erased_2"),
        ("nines", "deals", "turned"),
        ("nines", "plays", "declaration"),
        ("japanese", "games", "davi_offers"),
        ("japanese", "deals", "open"),
        ("japanese", "plays", "taker"),
    ],
)
def test_one_wrong_value_is_found_with_its_file_and_game(tmp_path, rules, table, column):
    write_doctored(tmp_path / "d", rules, table, column, game=57)
    for found in (verify(tmp_path / "d", every=True), verify(tmp_path / "d", sample=100)):
        assert [str(finding) for finding in found.findings] == [
            (
                f"{table}/part-000000000040-000000000079.parquet: game 57 (column {column}) "
                "is not what playing it again gives"
            )
        ]


def test_sums_that_are_not_those_of_the_rows_are_named(tmp_path):
    setup = plan("nines", "random", 7, ("games", "deals"))
    workers = Threads(make_player(setup), 1, ChunkSizes(1, 10), 20, None)
    target = Target(tmp_path / "d", 20)
    with opened(setup, 20, target) as writer, writer.part(0, 20) as part:
        with closing(workers.chunks([(0, 20)])) as played:
            for chunk in played:
                for table, columns in chunk.tables.items():
                    part.write(table, columns)
        sums = make_player(setup).play(0, 20).sums.to_json()
        sums["places"][3]["khishti"] += 1
        part.commit(sums)
    messages = [str(finding) for finding in verify(tmp_path / "d", every=True).findings]
    marker = "parts/part-000000000000-000000000019.json"
    assert messages == [
        f"{marker}: its sums are not those of the rows: places[3].khishti differs",
        f"{marker}: its sums are not what playing the games again gives",
    ]


def test_damaged_files_are_told_and_nothing_is_played(tmp_path):
    js.simulate("nines", games=20, seed=7, policies="random", out=tmp_path / "d")
    path = next((tmp_path / "d" / "deals").iterdir())
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    found = verify(tmp_path / "d")
    assert [finding.file for finding in found.findings] == [f"deals/{path.name}"]
    assert found.replayed == 0


def test_a_run_that_is_not_finished_is_verified_as_far_as_it_is(tmp_path):
    setup = plan("nines", "random", 7, ("games",))
    with opened(setup, 30, Target(tmp_path / "d", 10)) as writer:
        Threads(make_player(setup), 1, ChunkSizes(1), 30, None).write(writer, [(0, 10)])
    found = verify(tmp_path / "d")
    assert (found.findings, found.games, found.complete) == ((), 10, False)


def test_games_of_another_policy_version_are_refused(tmp_path):
    """A spec of another policy: its run id is made to fit, as that version would have."""
    from jokersim import schema, store
    from jokersim.simulate.dataset import spec_of

    setup = plan("nines", "random", 7, ("games",))
    spec = json.loads(json.dumps(spec_of(setup, 10)))
    spec["policies"][2]["source"] = "0123456789abcdef"
    tables = {"games": schema.tables(setup.rules)["games"]}
    with store.create_or_open(tmp_path / "d", spec, 10, tables) as writer:
        Threads(make_player(setup), 1, ChunkSizes(1), 10, None).write(writer, [(0, 10)])
    with pytest.raises(SpecError, match="another version of the policy random"):
        verify(tmp_path / "d")
