import numpy as np
import pytest

from jokersim import store
from jokersim.errors import InputError
from tests.store.small import SPEC, rows, write


def test_a_dataset_tells_what_was_asked_and_what_is_there(tmp_path):
    write(tmp_path, 25)
    found = store.read(tmp_path)
    assert (found.spec, found.games, found.tables) == (SPEC, 25, ("games", "deals"))
    assert found.complete
    assert found.summary() == {"games": 25}
    assert [(marker.start, marker.stop) for marker in found.markers()] == [
        (0, 10),
        (10, 20),
        (20, 25),
    ]


@pytest.mark.parametrize("span", [(0, 25), (3, 4), (9, 21), (24, 99), (25, 30)])
def test_a_range_of_games_is_read_alone(tmp_path, span):
    write(tmp_path, 25)
    table = store.read(tmp_path).table("deals", span=span)
    expected = rows("deals", min(span[0], 25), min(span[1], 25))
    for name in ("game", "bid", "hand"):
        np.testing.assert_array_equal(table.column(name).to_numpy(), expected[name])


def test_columns_are_read_alone(tmp_path):
    write(tmp_path, 25)
    table = store.read(tmp_path).table("deals", columns=["seat", "game"])
    assert table.column_names == ["seat", "game"]


def test_a_part_without_a_marker_is_not_read(tmp_path):
    write(tmp_path, 25)
    for path in (tmp_path / "parts").glob("part-000000000010-*"):
        path.unlink()
    found = store.read(tmp_path)
    assert not found.complete
    assert found.table("games").column("game").to_pylist() == [*range(10), *range(20, 25)]


def test_what_is_no_dataset_is_refused(tmp_path):
    with pytest.raises(InputError, match="no folder"):
        store.read(tmp_path / "absent")
    with pytest.raises(InputError, match=r"holds no run\.json"):
        store.read(tmp_path)
    write(tmp_path / "run", 5)
    with pytest.raises(InputError, match="no table 'plays': it has games, deals"):
        store.read(tmp_path / "run").table("plays")
    (tmp_path / "run" / "run.json").write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match="is not what jokersim writes"):
        store.read(tmp_path / "run")
