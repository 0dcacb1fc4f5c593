"""Tables to Parquet and back: encodings, row groups, the content hash, footers.

Imports pyarrow at its top and is itself imported only when a file is written or read. Knows nothing
of parts, markers or folders.

A row group is always 122,880 rows (the last one of a file: the rest), whatever the batches given:
batches are copied into a block, so how the simulation cuts its work never shows in the bytes.

The content hash is sha256 over the JSON list of ``[column, type, sha256 of its values]``: their
little-endian bytes in the column's own width, a ``string`` column's the int8 index into
the trumps. It depends on the rows alone.
"""

from __future__ import annotations

import contextlib
import hashlib
import inspect
import json
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from jokersim.cards import TRUMPS
from jokersim.schema import SCHEMA_VERSION
from jokersim.store.files import OutputFile
from jokersim.store.layout import canonical
from jokersim.store.remote import Place, Remote

__all__ = [
    "GROUP_ROWS",
    "ContentHash",
    "Footer",
    "TableWriter",
    "arrow_schema",
    "arrow_table",
    "batches",
    "footer",
    "joined",
]

GROUP_ROWS: Final = 122_880
PAGE_ROWS: Final = GROUP_ROWS // 2
_LEVEL: Final = 1

# Few distinct values in no order: a dictionary packs them to some bits. Everything else is split
# into byte planes, which costs a third of a dictionary's hashing and lets zstd drop the planes that
# are constant (sorted indices, small numbers, mostly-zero premiums, the high bytes of a mask).
_DICTIONARY: Final = (
    "first_dealer",
    "first_declarer",
    "rank_",
    "score",
    "total_",
    "trump",
    "turned",
    "winner",
)

# Larger pages than pyarrow's newer default of 20,000 rows cost 7 % less; older ones know no limit.
_PAGES: Final[dict[str, Any]] = (
    {"max_rows_per_page": PAGE_ROWS}
    if "max_rows_per_page" in inspect.signature(pq.ParquetWriter.__init__).parameters
    else {}
)

_DTYPES: Final = {
    "int8": "<i1",
    "int16": "<i2",
    "int32": "<i4",
    "int64": "<i8",
    "float64": "<f8",
    "bool": "?",
    "string": "<i1",
}
_TRUMP_TYPE: Final = pa.dictionary(pa.int8(), pa.string())
_TRUMP_VALUES: Final = pa.array(TRUMPS, pa.string())

Columns = Mapping[str, npt.NDArray[Any]]


def arrow_schema(
    columns: Mapping[str, str], metadata: Mapping[str, str] | None = None
) -> pa.Schema:
    """Make the schema of a table: every column required, nothing nullable."""
    fields = [
        pa.field(
            name,
            _TRUMP_TYPE if kind == "string" else pa.from_numpy_dtype(np.dtype(_DTYPES[kind])),
            nullable=False,
        )
        for name, kind in columns.items()
    ]
    return pa.schema(fields, metadata=dict(metadata) if metadata else None)


def file_metadata(table: str, run_id: str, columns: Mapping[str, str]) -> dict[str, str]:
    """Make the key-value metadata that every file of a table carries."""
    schema = {"table": table, "version": SCHEMA_VERSION, "columns": dict(columns)}
    return {"jokersim.run_id": run_id, "jokersim.schema": json.dumps(schema)}


def arrow_table(schema: pa.Schema, block: Columns) -> pa.Table:
    """Make a table of arrays, without copying them where pyarrow can."""
    arrays = []
    for field in schema:
        values = pa.array(block[field.name])
        if field.type == _TRUMP_TYPE:
            codes = block[field.name]
            if len(codes) and (codes.min() < 0 or codes.max() >= len(TRUMPS)):
                raise ValueError(f"column {field.name} holds no trump: codes are 0 to 4")
            values = pa.DictionaryArray.from_arrays(values, _TRUMP_VALUES)
        arrays.append(values)
    return pa.Table.from_arrays(arrays, schema=schema)


def joined(columns: Mapping[str, str], batches: Sequence[Columns]) -> pa.Table:
    """Join batches of arrays to one table; the arrays are copied."""
    block = {
        name: np.concatenate([np.empty(0, _DTYPES[kind]), *(batch[name] for batch in batches)])
        for name, kind in columns.items()
    }
    return arrow_table(arrow_schema(columns), block)


class ContentHash:
    """The running content hash of a table; blocks of any length give the same answer."""

    def __init__(self, columns: Mapping[str, str]) -> None:
        self._columns = dict(columns)
        self._hashes = {name: hashlib.sha256() for name in columns}

    def update(self, block: Columns) -> None:
        """Add rows; each column is contiguous, in its declared type."""
        for name, running in self._hashes.items():
            running.update(block[name].view(np.uint8).data)

    def hexdigest(self) -> str:
        """Answer the hash of all rows so far."""
        found = [
            [name, kind, self._hashes[name].hexdigest()] for name, kind in self._columns.items()
        ]
        return hashlib.sha256(canonical(found)).hexdigest()


class TableWriter:
    """Writes batches of columns to one Parquet file, in row groups of one size.

    Not safe for two threads at once; any one thread at a time will do. Arrays given to
    :meth:`write` may be reused as soon as it returns.
    """

    def __init__(
        self, output: OutputFile, columns: Mapping[str, str], metadata: Mapping[str, str]
    ) -> None:
        self.rows = 0
        self._output = output
        self._dtypes = {name: np.dtype(_DTYPES[kind]) for name, kind in columns.items()}
        self._schema = arrow_schema(columns, metadata)
        self._content = ContentHash(columns)
        # Hashing and encoding let the interpreter go: a block is hashed while it is encoded.
        self._beside = ThreadPoolExecutor(1, thread_name_prefix="jokersim-hash")
        self._block = {name: np.empty(0, dtype) for name, dtype in self._dtypes.items()}
        self._filled = 0
        dictionary = [name for name in columns if name.startswith(_DICTIONARY)]
        split = [
            name
            for name, kind in columns.items()
            if name not in dictionary and kind not in ("bool", "string")
        ]
        self._writer = pq.ParquetWriter(
            output,
            self._schema,
            version="2.6",
            compression="zstd",
            compression_level=_LEVEL,
            use_dictionary=dictionary,
            use_byte_stream_split=split,
            # Of the sort key alone: only its ranges tell one row group or page from another, and
            # those of all columns would cost a quarter of the time.
            write_statistics=[next(iter(columns))],
            write_page_index=True,
            write_page_checksum=True,
            **_PAGES,
            sorting_columns=[pq.SortingColumn(0)],
        )

    def write(self, batch: Columns) -> None:
        """Add rows: every declared column, in its declared type, all of one length."""
        rows = self._checked(batch)
        at = 0
        while at < rows:
            take = min(GROUP_ROWS - self._filled, rows - at)
            if take == GROUP_ROWS:
                self._flush({name: batch[name][at : at + take] for name in self._dtypes}, take)
            else:
                self._keep(batch, at, take)
            at += take
        self.rows += rows

    def _checked(self, batch: Columns) -> int:
        if batch.keys() != self._dtypes.keys():
            wrong = sorted(batch.keys() ^ self._dtypes.keys())
            raise ValueError(f"columns missing or not declared: {', '.join(wrong)}")
        lengths = {len(column) for column in batch.values()}
        if len(lengths) > 1:
            raise ValueError(f"columns of one batch differ in length: {sorted(lengths)}")
        for name, dtype in self._dtypes.items():
            if batch[name].dtype != dtype or batch[name].ndim != 1:
                found = batch[name].dtype
                raise ValueError(f"column {name} is declared one-dimensional {dtype}, not {found}")
        return lengths.pop()

    def _keep(self, batch: Columns, at: int, take: int) -> None:
        """Copy rows into the block, and write it when it is full."""
        if self._block_rows < self._filled + take:
            self._grow(self._filled + take)
        for name, column in self._block.items():
            column[self._filled : self._filled + take] = batch[name][at : at + take]
        self._filled += take
        if self._filled == GROUP_ROWS:
            self._flush(self._block, GROUP_ROWS)
            self._filled = 0

    @property
    def _block_rows(self) -> int:
        return len(next(iter(self._block.values())))

    def _grow(self, rows: int) -> None:
        """Make room in the block: a small run never pays for a whole row group."""
        room = min(GROUP_ROWS, max(rows, 2 * self._block_rows))
        for name, column in self._block.items():
            wider = np.empty(room, self._dtypes[name])
            wider[: self._filled] = column[: self._filled]
            self._block[name] = wider

    def _flush(self, block: Columns, rows: int) -> None:
        block = {name: np.ascontiguousarray(block[name][:rows]) for name in self._dtypes}
        hashed = self._beside.submit(self._content.update, block)
        try:
            table = arrow_table(self._schema, block)
            self._writer.write_table(table, row_group_size=GROUP_ROWS)
        finally:
            hashed.result()  # the block is filled anew after this

    def close(self) -> str:
        """Write what is left and the footer; answers the content hash."""
        if self._filled:
            self._flush(self._block, self._filled)
            self._filled = 0
        self._beside.shutdown()
        self._writer.close()
        self._output.close()
        return self._content.hexdigest()

    def discard(self) -> None:
        """Give the file up and remove it."""
        self._beside.shutdown()
        self._output.discard()
        self._writer.is_open = False  # its destructor would write a footer


class Footer:
    """What a Parquet file says of itself."""

    def __init__(self, source: Any) -> None:
        found = pq.read_metadata(source)
        self.rows: int = found.num_rows
        self.schema: pa.Schema = found.schema.to_arrow_schema()
        self.metadata = {
            key.decode(errors="replace"): value.decode(errors="replace")
            for key, value in (found.metadata or {}).items()
        }
        self.groups = [found.row_group(i).num_rows for i in range(found.num_row_groups)]

    def complaint(self, rows: int, columns: Mapping[str, str], run_id: str) -> str | None:
        """Say what is not as it should be, or None."""
        if self.metadata.get("jokersim.run_id") != run_id:
            return "it belongs to another run"
        if self.rows != rows or sum(self.groups) != rows:
            return f"its footer counts {self.rows} rows, its marker {rows}"
        if not self.schema.equals(arrow_schema(columns)):
            return "its columns are not those of run.json"
        return None


def opened(path: Place) -> contextlib.AbstractContextManager[Any]:
    """Answer what pyarrow reads a file from, open as long as the block."""
    return path.open() if isinstance(path, Remote) else contextlib.nullcontext(path)


def footer(path: Place) -> Footer | None:
    """Read a file's footer, or None where it is no Parquet file."""
    try:
        with opened(path) as source:
            return Footer(source)
    except (pa.ArrowException, ValueError):
        return None
    except OSError as error:
        if error.errno is None:  # how pyarrow tells of bytes it cannot parse
            return None
        raise


def batches(
    path: Place, columns: Mapping[str, str], span: tuple[int, int] | None = None
) -> Iterator[dict[str, npt.NDArray[Any]]]:
    """Read a file block by block as the arrays that were written; page checksums are verified.

    With a span only the rows of its games, whose column is the first; blocks without any are not
    read.
    """
    with opened(path) as place, pq.ParquetFile(place, page_checksum_verification=True) as source:
        for group in range(source.num_row_groups):
            if span is not None:
                games = source.metadata.row_group(group).column(0).statistics
                if games is not None and (games.max < span[0] or games.min >= span[1]):
                    continue
            table = source.read_row_group(group, columns=list(columns))
            block = {name: to_numpy(table.column(name), kind) for name, kind in columns.items()}
            if span is not None:
                first, last = np.searchsorted(block["game"], span)
                block = {name: values[first:last] for name, values in block.items()}
            yield block


def to_numpy(column: pa.ChunkedArray, kind: str) -> npt.NDArray[Any]:
    """Turn a column back into the array that was written."""
    if kind != "string":
        return np.ascontiguousarray(column.to_numpy().astype(_DTYPES[kind], copy=False))
    chunks = []
    for chunk in column.chunks:
        code_of = np.array([TRUMPS.index(text) for text in chunk.dictionary.to_pylist()], np.int8)
        chunks.append(code_of[chunk.indices.to_numpy()])
    return np.concatenate(chunks) if chunks else np.empty(0, np.int8)


def content_of(path: Place, columns: Mapping[str, str]) -> str:
    """Compute the content hash of a file."""
    content = ContentHash(columns)
    for block in batches(path, columns):
        content.update(block)
    return content.hexdigest()
