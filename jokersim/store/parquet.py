"""Tables as pyarrow has them: schemas, tables of arrays, and Parquet files read back.

Imports pyarrow at its top and is itself imported only when a file is written or read. Knows nothing
of parts, markers or folders.
"""

from __future__ import annotations

import base64
import contextlib
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from jokersim.cards import TRUMPS
from jokersim.schema import SCHEMA_VERSION
from jokersim.store.content import ContentHash
from jokersim.store.remote import Place, Remote

__all__ = [
    "DTYPES",
    "Footer",
    "arrow_metadata",
    "arrow_schema",
    "arrow_table",
    "batches",
    "content_of",
    "file_metadata",
    "footer",
    "joined",
]

#: How a column of each type of a schema lies in an array.
DTYPES: Final = {
    "int8": "<i1",
    "int16": "<i2",
    "int32": "<i4",
    "int64": "<i8",
    "float64": "<f8",
    "bool": "?",
    "string": "<i1",
}
_TRUMP_TYPE: Final = pa.dictionary(pa.int8(), pa.string())

Columns = Mapping[str, npt.NDArray[Any]]


def arrow_schema(columns: Mapping[str, str]) -> pa.Schema:
    """Make the schema of a table: every column required, nothing nullable."""
    fields = [
        pa.field(
            name,
            _TRUMP_TYPE if kind == "string" else pa.from_numpy_dtype(np.dtype(DTYPES[kind])),
            nullable=False,
        )
        for name, kind in columns.items()
    ]
    return pa.schema(fields)


def file_metadata(table: str, run_id: str, columns: Mapping[str, str]) -> dict[str, str]:
    """Make the key-value metadata that every file of a table carries."""
    schema = {"table": table, "version": SCHEMA_VERSION, "columns": dict(columns)}
    return {"jokersim.run_id": run_id, "jokersim.schema": json.dumps(schema)}


def arrow_metadata(columns: Mapping[str, str]) -> dict[str, bytes]:
    """Make the metadata from which pyarrow tells the types that Parquet has no word for."""
    return {"ARROW:schema": base64.b64encode(arrow_schema(columns).serialize())}


def arrow_table(schema: pa.Schema, block: Columns) -> pa.Table:
    """Make a table of arrays, without copying them where pyarrow can."""
    arrays = []
    # Made here: its first array has pyarrow import pandas, which writing does without.
    trumps = pa.array(TRUMPS, pa.string())
    for field in schema:
        values = pa.array(block[field.name])
        if field.type == _TRUMP_TYPE:
            codes = block[field.name]
            if len(codes) and (codes.min() < 0 or codes.max() >= len(TRUMPS)):
                raise ValueError(f"column {field.name} holds no trump: codes are 0 to 4")
            values = pa.DictionaryArray.from_arrays(values, trumps)
        arrays.append(values)
    return pa.Table.from_arrays(arrays, schema=schema)


def joined(columns: Mapping[str, str], batches: Sequence[Columns]) -> pa.Table:
    """Join batches of arrays to one table; the arrays are copied."""
    block = {
        name: np.concatenate([np.empty(0, DTYPES[kind]), *(batch[name] for batch in batches)])
        for name, kind in columns.items()
    }
    return arrow_table(arrow_schema(columns), block)


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
        return np.ascontiguousarray(column.to_numpy().astype(DTYPES[kind], copy=False))
    chunks = []
    for chunk in column.chunks:
        code_of = np.array([TRUMPS.index(text) for text in chunk.dictionary.to_pylist()], np.int8)
        chunks.append(code_of[chunk.indices.to_numpy()])
    return np.concatenate(chunks) if chunks else np.empty(0, np.int8)


def content_of(path: Place, columns: Mapping[str, str], like: str) -> str:
    """Compute the content hash of a file, of the kind that `like` is of."""
    content = ContentHash(columns, like)
    for block in batches(path, columns):
        content.update(block)
    return content.hexdigest()
