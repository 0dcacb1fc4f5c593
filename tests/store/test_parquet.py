import hashlib
import json

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest
import xxhash

from jokersim import schema, store
from jokersim.cards import TRUMPS
from jokersim.store import files, parquet
from jokersim.store.content import ContentHash
from jokersim.store.table_writer import TableWriter
from tests.store.small import SPEC, TABLES, TWO, rows, write

COLUMNS = {"game": "int64", "trump": "string", "bid": "int8", "void": "bool", "pay": "float64"}


def make(n, seed=0):
    draw = np.random.default_rng(seed)
    return {
        "game": np.arange(n, dtype=np.int64),
        "trump": draw.integers(0, 5, n, dtype=np.int8),
        "bid": draw.integers(0, 10, n, dtype=np.int8),
        "void": draw.integers(0, 2, n).astype(bool),
        "pay": draw.normal(size=n),
    }


def write_file(path, columns, cuts, kinds=COLUMNS):
    output = files.OutputFile(path)
    writer = TableWriter(output, kinds, {"jokersim.run_id": "x"})
    for begin, end in zip([0, *cuts], [*cuts, None], strict=True):
        writer.write({name: column[begin:end] for name, column in columns.items()})
    return writer.close()


@pytest.mark.parametrize("cuts", [[], [1], [5, 5, 122_880], [122_879, 200_000], [250_000]])
def test_batches_of_any_length_give_the_same_bytes(tmp_path, cuts):
    columns = make(300_000)
    one = write_file(tmp_path / "a", columns, [100_000, 200_000])
    two = write_file(tmp_path / "b", columns, cuts)
    assert one == two
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_row_groups_have_one_size(tmp_path):
    write_file(tmp_path / "a", make(300_000), [7])
    assert parquet.Footer(tmp_path / "a").groups == [122_880, 122_880, 54_240]


def test_arrays_may_be_reused_after_write(tmp_path):
    columns = make(1000)
    output = files.OutputFile(tmp_path / "a")
    writer = TableWriter(output, COLUMNS, {})
    scratch = {name: column.copy() for name, column in columns.items()}
    writer.write(scratch)
    for column in scratch.values():
        column[:] = 0
    writer.close()
    back = list(parquet.batches(tmp_path / "a", COLUMNS))
    assert len(back) == 1
    for name, column in columns.items():
        np.testing.assert_array_equal(back[0][name], column)


def test_content_hash_is_of_the_rows_and_the_names(tmp_path):
    columns = make(1000)
    found = write_file(tmp_path / "a", columns, [])
    assert parquet.content_of(tmp_path / "a", COLUMNS, found) == found
    changed = columns | {"bid": columns["bid"].copy()}
    changed["bid"][-1] = 9 - changed["bid"][-1]
    assert write_file(tmp_path / "b", changed, []) != found
    renamed = {("paid" if name == "pay" else name): kind for name, kind in COLUMNS.items()}
    moved = {("paid" if name == "pay" else name): column for name, column in columns.items()}
    assert write_file(tmp_path / "c", moved, [], renamed) != found


def test_the_content_hash_is_this_one_for_ever(tmp_path):
    # Also the promise to datasets written before: a change here makes them fail their check.
    columns = {"game": np.arange(3, dtype=np.int64), "trump": np.array([0, 4, 1], np.int8)}
    kinds = {"game": "int64", "trump": "string"}
    values = {"game": bytes([0] * 8 + [1] + [0] * 7 + [2] + [0] * 7), "trump": bytes([0, 4, 1])}

    def expected(new):
        game, trump = (new(values[name]).hexdigest() for name in kinds)
        text = f'[["game","int64","{game}"],["trump","string","{trump}"]]'
        return new(text.encode()).hexdigest()

    first = expected(hashlib.sha256)
    now = f"xxh3:{expected(xxhash.xxh3_128)}"
    assert write_file(tmp_path / "a", columns, [], kinds) == now
    assert parquet.content_of(tmp_path / "a", kinds, now) == now
    assert parquet.content_of(tmp_path / "a", kinds, first) == first


@pytest.mark.parametrize("like", ["xxh3:0", "0"])
def test_a_content_hash_does_not_depend_on_blocks(like):
    columns = make(1000)
    one, two = ContentHash(COLUMNS, like), ContentHash(COLUMNS, like)
    one.update(columns)
    for begin, end in ((0, 1), (1, 700), (700, 1000)):
        two.update({name: values[begin:end] for name, values in columns.items()})
    assert one.hexdigest() == two.hexdigest()


def test_columns_are_required_checked_zstd_and_indexed(tmp_path):
    write_file(tmp_path / "a", make(1000), [])
    footer = pq.read_metadata(tmp_path / "a")
    for i, name in enumerate(COLUMNS):
        chunk = footer.row_group(0).column(i)
        assert chunk.path_in_schema == name
        assert chunk.compression == "ZSTD"
        assert chunk.has_column_index is (chunk.path_in_schema == "game")
        assert chunk.has_offset_index
        assert footer.schema.column(i).max_definition_level == 0
    assert footer.schema.to_arrow_schema().field("trump").type == pa.dictionary(
        pa.int8(), pa.string()
    )


def test_run_id_and_schema_are_in_the_metadata(tmp_path):
    writer = write(tmp_path, 5)
    path = tmp_path / "games" / "part-000000000000-000000000004.parquet"
    metadata = parquet.Footer(path).metadata
    assert metadata["jokersim.run_id"] == writer.run_id
    told = json.loads(metadata["jokersim.schema"])
    assert told["table"] == "games"
    assert list(told["columns"].items()) == [(c.name, c.type) for c in TABLES["games"]]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda c: c.pop("bid"), "missing or not declared: bid"),
        (lambda c: c.update(extra=c["bid"]), "missing or not declared: extra"),
        (lambda c: c.update(bid=c["bid"][:-1]), "differ in length"),
        (lambda c: c.update(bid=c["bid"].astype(np.int64)), "column bid is declared"),
        (lambda c: c.update(bid=c["bid"].view(np.uint8)), "column bid is declared"),
    ],
)
def test_columns_other_than_declared_are_refused(tmp_path, change, message):
    output = files.OutputFile(tmp_path / "a")
    writer = TableWriter(output, COLUMNS, {})
    columns = make(10)
    change(columns)
    with pytest.raises(ValueError, match=message):
        writer.write(columns)
    writer.discard()
    assert not list(tmp_path.iterdir())


def test_a_trump_that_is_none_is_refused(tmp_path):
    output = files.OutputFile(tmp_path / "a")
    writer = TableWriter(output, COLUMNS, {})
    columns = make(10)
    columns["trump"][3] = -1
    writer.write(columns)
    with pytest.raises(ValueError, match="holds no trump"):
        writer.close()
    writer.discard()


def four_readers(folder, name):
    return {
        "pyarrow": ds.dataset(folder / name).to_table().to_pandas(),
        "pandas": pd.read_parquet(folder / name),
        "polars": pl.read_parquet(folder / name / "*.parquet").to_pandas(),
        "duckdb": duckdb.sql(f"select * from '{folder / name}/*.parquet'").df(),
    }


@pytest.mark.parametrize("name", ["games", "deals", "plays"])
def test_four_readers_see_the_same_rows(tmp_path, name):
    write(tmp_path, 25, names=("games", "deals", "plays"))
    expected = rows(name, 0, 25)
    assert (tmp_path / name).is_dir()
    for reader, frame in four_readers(tmp_path, name).items():
        found = frame.sort_values("game", kind="stable")
        assert list(found.columns) == list(expected), reader
        for column, values in expected.items():
            if column == "trump":
                wanted = [TRUMPS[code] for code in values]
                assert found[column].astype(str).tolist() == wanted, reader
            else:
                assert found[column].dtype == values.dtype, (reader, column)
                np.testing.assert_array_equal(found[column].to_numpy(), values, reader)


def test_four_readers_see_the_same_parties(tmp_path):
    games = {"games": schema.tables(TWO)["games"]}
    spec = SPEC | {"part": 100}
    columns = {
        column.name: (np.arange(100) % 2).astype(column.type) for column in games["games"][1:]
    }
    columns = {"game": np.arange(100), **columns}
    columns["payoff_0"] = np.linspace(-1, 1, 100)
    with store.create_or_open(tmp_path, spec, 100, games) as writer, writer.part(0, 100) as part:
        part.write("games", columns)
        part.commit({})
    for reader, frame in four_readers(tmp_path, "games").items():
        for column, values in columns.items():
            assert frame[column].dtype == values.dtype, (reader, column)
            np.testing.assert_array_equal(frame[column].to_numpy(), values, reader)


def test_an_empty_table_is_a_table(tmp_path):
    names = {"games": TABLES["games"], "plays": TABLES["plays"]}
    with store.create_or_open(tmp_path, SPEC, 10, names) as writer, writer.part(0, 10) as part:
        part.write("games", rows("games", 0, 10))
        part.commit({})
    for reader, frame in four_readers(tmp_path, "plays").items():
        assert frame.shape == (0, len(TABLES["plays"])), reader
    assert store.check(store.read(tmp_path)) == []
