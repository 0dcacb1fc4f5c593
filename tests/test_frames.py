import numpy as np
import pandas as pd
import pytest

from jokersim import frames, store
from jokersim.cards import TRUMPS
from tests.store.small import TABLES, rows, write


@pytest.mark.parametrize("name", ["games", "deals", "plays"])
def test_kept_columns_and_stored_ones_are_the_same_frame(tmp_path, name):
    write(tmp_path, 25, names=("games", name))
    stored = frames.to_pandas(store.read(tmp_path).table(name))
    batches = [rows(name, 0, 7), rows(name, 7, 7), rows(name, 7, 25)]
    kept = frames.columns_to_pandas(TABLES[name], batches)
    pd.testing.assert_frame_equal(stored, kept)
    through_arrow = frames.to_pandas(store.to_arrow(TABLES[name], batches))
    pd.testing.assert_frame_equal(stored, through_arrow)


def test_types_are_those_declared_and_trumps_are_words():
    frame = frames.columns_to_pandas(TABLES["deals"], [rows("deals", 0, 9)])
    for column in TABLES["deals"]:
        if column.type == "string":
            assert list(frame[column.name].cat.categories) == list(TRUMPS)
            codes = rows("deals", 0, 9)[column.name]
            assert frame[column.name].tolist() == [TRUMPS[code] for code in codes]
        else:
            assert frame[column.name].dtype == column.type


def test_no_rows_still_have_columns_and_categories():
    kept = frames.columns_to_pandas(TABLES["deals"], [])
    arrow = frames.to_pandas(store.to_arrow(TABLES["deals"], []))
    pd.testing.assert_frame_equal(kept, arrow)
    assert list(kept.columns) == [column.name for column in TABLES["deals"]]
    assert list(kept["trump"].cat.categories) == list(TRUMPS)


def test_the_frame_does_not_hold_the_arrays():
    batch = rows("games", 0, 5)
    frame = frames.columns_to_pandas(TABLES["games"], [batch])
    batch["game"][:] = 99
    np.testing.assert_array_equal(frame["game"], np.arange(5))
