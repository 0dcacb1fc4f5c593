"""What is laid out is read back by others, whatever the values; and it is laid out as it should."""

import os
import subprocess
import sys
from pathlib import Path

import duckdb
import numpy as np
import polars as pl
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from jokersim.store import GROUP_ROWS, files, parquet, parquet_file
from jokersim.store.encode import CODES, PLAIN, PLANES, Encoder
from jokersim.store.table_writer import TableWriter

LIMITS = {"int8": (-128, 127), "int16": (-(2**15), 2**15 - 1), "int32": (-(2**31), 2**31 - 1)}
LIMITS["int64"] = (-(2**63), 2**63 - 1)


def write(path, kinds, columns):
    path.unlink(missing_ok=True)
    writer = TableWriter(files.OutputFile(path), kinds, {})
    writer.write(columns)
    writer.close()


def check(path, kind, values):
    """Write a column beside a sorted one, and have three readers read it."""
    columns = {"game": np.arange(len(values)), "x": values}
    write(path, {"game": "int64", "x": kind}, columns)
    back = pq.read_table(path, page_checksum_verification=True).column("x").to_numpy()
    assert back.dtype == values.dtype
    np.testing.assert_array_equal(back, values)
    np.testing.assert_array_equal(pl.read_parquet(path)["x"].to_numpy(), values)
    found = duckdb.sql(f"select x from '{path}' order by game").fetchnumpy()["x"]
    np.testing.assert_array_equal(found, values)


def shapes(kind, n=200_000):
    """Make columns that differ in spread, in number of values, and in how long they keep."""
    draw = np.random.default_rng(5)
    low, high = LIMITS[kind]
    dtype = np.dtype(kind)
    top = min(high, 70_000)
    near = draw.integers(max(low, -100), min(high, 99), n, dtype)
    yield "one value", np.full(1000, 7, dtype)
    yield "one row", np.full(1, low, dtype)
    yield "two values", draw.integers(0, 1, n, dtype, endpoint=True)
    yield "small", near
    yield "limits", np.array([low, high] * 5, dtype)
    yield "sorted", np.sort(near)
    yield "runs of four", np.repeat(near[: n // 4], 4)
    yield "far apart", draw.integers(low, high, n, dtype, endpoint=True)
    yield "many", draw.integers(max(low, -1000), top, n, dtype, endpoint=True)
    yield "hundreds", draw.choice(np.linspace(max(low, -5000), top, 300).astype(dtype), n)
    yield "runs of hundreds", np.repeat(np.linspace(max(low, -5000), top, 400).astype(dtype), 500)
    yield "mostly none", np.where(draw.random(n) < 0.001, near, dtype.type(-1))


@pytest.mark.parametrize("kind", LIMITS)
def test_readers_see_the_values_of_any_column(tmp_path, kind):
    for name, values in shapes(kind):
        try:
            check(tmp_path / "x.parquet", kind, values)
        except AssertionError as error:
            raise AssertionError(f"{kind}: {name}") from error


@given(
    st.sampled_from(list(LIMITS)).flatmap(
        lambda kind: hnp.arrays(
            kind, st.integers(1, 40), elements=st.integers(*LIMITS[kind]), fill=st.nothing()
        )
    )
)
def test_few_rows_come_back(tmp_path_factory, values):
    path = tmp_path_factory.mktemp("few") / "x.parquet"
    kinds = {"game": "int64", "x": str(values.dtype)}
    write(path, kinds, {"game": np.arange(len(values)), "x": values})
    np.testing.assert_array_equal(pq.read_table(path).column("x").to_numpy(), values)


@pytest.mark.parametrize("n", [4096, 4097])
def test_a_dictionary_has_an_end(n):
    values = np.resize(np.arange(n, dtype=np.int32) * 15, 50_000)
    found = Encoder().encode(values, "int32")
    assert found.encoding == (CODES if n == 4096 else PLANES)


def test_flags_and_floats_have_no_dictionary(tmp_path):
    flags = np.random.default_rng(1).random(1003) < 0.5
    assert Encoder().encode(flags, "bool").encoding == PLAIN
    money = np.array([0.1, -0.0, np.inf, 1e300] * 99)
    assert Encoder().encode(money, "float64").encoding == PLANES
    check(tmp_path / "x.parquet", "bool", flags)
    check(tmp_path / "x.parquet", "float64", money)


def test_what_keeps_takes_next_to_nothing():
    values = np.repeat(np.arange(1280), 96)
    found = Encoder().encode(values, "int64")
    assert found.encoding == CODES
    assert len(found.data) <= 5 * 1280
    assert len(Encoder().encode(np.zeros(122_880, np.int32), "int32").data) < 8


def test_small_numbers_take_their_bits():
    values = np.random.default_rng(2).integers(0, 10, 80_000, dtype=np.int8)
    found = Encoder().encode(values, "int8")
    assert len(found.data) == 4 + 80_000 * 4 // 8
    assert found.dictionary.tolist() == list(range(10))


def test_columns_that_repeat_are_written_as_others_are(tmp_path, monkeypatch):
    # Group by group: the same, the same but for one row, the first one again.
    one = np.random.default_rng(3).integers(0, 9, GROUP_ROWS, dtype=np.int8)
    other = one.copy()
    other[-1] = 9
    columns = {
        "game": np.repeat(np.arange(4), GROUP_ROWS),
        "same": np.tile(one, 4),
        "again": np.concatenate([one, other, one, one]),
    }
    kinds = {"game": "int64", "same": "int8", "again": "int8"}
    laid_out = []
    encode = Encoder.encode
    monkeypatch.setattr(Encoder, "encode", lambda *a: (laid_out.append(a[1][-1]), encode(*a))[1])
    write(tmp_path / "x.parquet", kinds, columns)
    assert len(laid_out) == 4 + 1 + 4, "game, same and again: only what comes again is not"
    # The same file where nothing is taken for the same.
    anew = iter(range(99))
    monkeypatch.setattr(parquet_file, "_digest", lambda _: bytes([next(anew)]))
    write(tmp_path / "y.parquet", kinds, columns)
    assert len(laid_out) == 9 + 12
    assert (tmp_path / "x.parquet").read_bytes() == (tmp_path / "y.parquet").read_bytes()
    found = pq.read_table(tmp_path / "x.parquet", page_checksum_verification=True)
    for name, values in columns.items():
        np.testing.assert_array_equal(found.column(name).to_numpy(), values)


def test_columns_are_laid_out_without_a_compiler(tmp_path):
    # In a process of its own, on what plain integers and those of numpy differ in: the limits.
    code = """
import sys
import numpy as np
from tests.store.test_encode import LIMITS, check
from pathlib import Path

for kind, (low, high) in LIMITS.items():
    for values in ([low, high, 0] * 5, [low] * 90 + [high] * 90, [7] * 9, range(100)):
        check(Path(sys.argv[1]), kind, np.array(values, kind))
"""
    subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "x.parquet")],
        cwd=Path(__file__).resolve().parent.parent.parent,
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        check=True,
    )


def test_a_flipped_bit_is_found(tmp_path):
    values = np.random.default_rng(4).integers(0, 2**40, 5000)
    write(tmp_path / "x.parquet", {"game": "int64"}, {"game": np.sort(values)})
    data = bytearray((tmp_path / "x.parquet").read_bytes())
    data[len(data) // 2] ^= 1
    (tmp_path / "x.parquet").write_bytes(data)
    with pytest.raises(OSError, match="CRC"):
        list(parquet.batches(tmp_path / "x.parquet", {"game": "int64"}))


def test_ranges_of_the_sort_key_let_readers_skip(tmp_path):
    games = np.repeat(np.arange(3000), 96)
    write(tmp_path / "x.parquet", {"game": "int64"}, {"game": games})
    footer = pq.read_metadata(tmp_path / "x.parquet")
    told = [footer.row_group(i).column(0).statistics for i in range(footer.num_row_groups)]
    assert [(one.min, one.max) for one in told] == [(0, 1279), (1280, 2559), (2560, 2999)]
    found = duckdb.sql(
        f"select stats_min_value, stats_max_value from parquet_metadata('{tmp_path / 'x.parquet'}')"
    ).fetchall()
    assert found == [("0", "1279"), ("1280", "2559"), ("2560", "2999")]
