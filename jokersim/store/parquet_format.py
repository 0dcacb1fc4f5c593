"""The structures of a Parquet file: page headers, chunks of columns, row groups, indexes, footer.

Owns the numbers of the format (github.com/apache/parquet-format) as far as tables of this package
need them: flat columns without nulls, zstd, pages of the first version with checksums. Knows
nothing of how values are laid out.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from jokersim.store.thrift import (
    BINARY,
    BOOL,
    I8,
    I16,
    I32,
    I64,
    LIST,
    STOP,
    STRUCT,
    integers,
    struct,
    written,
)

__all__ = [
    "MAGIC",
    "PHYSICAL",
    "Chunk",
    "Group",
    "column_index",
    "data_page",
    "dictionary_page",
    "footer",
    "offset_index",
    "texts",
]

MAGIC: Final = b"PAR1"
#: Physical type of each type of a schema.
PHYSICAL: Final = {
    "bool": 0, "int8": 1, "int16": 1, "int32": 1, "int64": 2, "float64": 5, "string": 6,
}  # fmt: skip
_VERSION: Final = 2
_WRITER: Final = b"jokersim version 1.0.0"
"""Who wrote the file, as readers ask. It counts changes of what is written, not the package's."""

_PLAIN: Final = 0
_RUNS: Final = 3
_ZSTD: Final = 6
_DATA_PAGE: Final = 0
_DICTIONARY_PAGE: Final = 2
_ASCENDING: Final = 1
_REQUIRED: Final = 0
_MOST_ORDINALS: Final = 1 << 15
# Converted and logical types: small integers and text.
_CONVERTED: Final = {"int8": 15, "int16": 16, "string": 0}
_LOGICAL: Final = {
    "int8": struct((10, STRUCT, struct((1, I8, 8), (2, BOOL, True)))),
    "int16": struct((10, STRUCT, struct((1, I8, 16), (2, BOOL, True)))),
    "string": struct((1, STRUCT, struct())),
}


@dataclass(slots=True)
class Chunk:
    """A column of a row group as it lies in the file: a dictionary page or none, a data page."""

    name: str
    kind: str
    encoding: int
    rows: int
    begin: int = 0
    data_at: int = 0
    """Where the data page begins in the chunk; a dictionary page stands before it."""
    size: int = 0
    plain_size: int = 0
    """Bytes before compression; both sizes count the pages' headers."""
    bounds: tuple[bytes, bytes] | None = None
    """Smallest and largest value, where they are told."""
    offset_index: tuple[int, int] | None = None
    """Where it lies and how long it is, once it is written."""
    column_index: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Group:
    """One row group."""

    rows: int
    chunks: list[Chunk]


def data_page(rows: int, encoding: int, plain: int, packed: bytes) -> bytes:
    """Write the header of a data page of so many bytes before compression."""
    first = _PAGE(_DATA_PAGE, plain, len(packed), _checksum(packed))
    return first + _told_of_data(rows, encoding)


_PAGE: Final = integers(0, (1, I32), (2, I32), (3, I32), (4, I32))


@cache
def _told_of_data(rows: int, encoding: int) -> bytes:
    told = struct((1, I32, rows), (2, I32, encoding), (3, I32, _RUNS), (4, I32, _RUNS))
    return written(4, (5, STRUCT, told)) + STOP


def dictionary_page(values: int, plain: int, packed: bytes) -> bytes:
    """Write the header of a dictionary page."""
    first = _PAGE(_DICTIONARY_PAGE, plain, len(packed), _checksum(packed))
    return first + _told_of_dictionary(values)


@cache
def _told_of_dictionary(values: int) -> bytes:
    return written(4, (7, STRUCT, struct((1, I32, values), (2, I32, _PLAIN)))) + STOP


def _checksum(packed: bytes) -> int:
    """Answer the CRC of a page as the format keeps it, which has a sign."""
    found = zlib.crc32(packed)
    return found - (1 << 32) if found >> 31 else found


def texts(values: Iterable[str]) -> bytes:
    """Write a dictionary of texts.

    >>> texts(["S", "NT"]).hex()
    '0100000053020000004e54'
    """
    coded = [value.encode() for value in values]
    return b"".join(len(value).to_bytes(4, "little") + value for value in coded)


def column_index(chunk: Chunk) -> bytes:
    """Write the smallest and the largest value of a chunk's page."""
    assert chunk.bounds is not None
    low, high = chunk.bounds
    return struct(
        (1, LIST, (BOOL, [False])),
        (2, LIST, (BINARY, [low])),
        (3, LIST, (BINARY, [high])),
        (4, I32, _ASCENDING),
        (5, LIST, (I64, [0])),
    )


def offset_index(chunk: Chunk) -> bytes:
    """Write where a chunk's page lies."""
    place = _PLACE(chunk.begin + chunk.data_at, chunk.size - chunk.data_at, 0)
    return _ONE_PLACE + place + STOP + STOP


# A list of one struct, which begins the only field.
_ONE_PLACE: Final = written(0, (1, LIST, (STRUCT, [b""])))
_PLACE: Final = integers(0, (1, I64), (2, I32), (3, I64))


def footer(
    columns: Mapping[str, str], groups: Sequence[Group], metadata: Mapping[str, bytes]
) -> bytes:
    """Write the footer of a table that is sorted by its first column."""
    root = struct((4, BINARY, b"schema"), (5, I32, len(columns)))
    by_type = struct((1, STRUCT, struct()))
    texts_of = [struct((1, BINARY, key.encode()), (2, BINARY, metadata[key])) for key in metadata]
    return struct(
        (1, I32, _VERSION),
        (2, LIST, (STRUCT, [root, *(_leaf(name, columns[name]) for name in columns)])),
        (3, I64, sum(group.rows for group in groups)),
        (4, LIST, (STRUCT, [_group(group, i) for i, group in enumerate(groups)])),
        (5, LIST, (STRUCT, texts_of)),
        (6, BINARY, _WRITER),
        (7, LIST, (STRUCT, [by_type] * len(columns))),
    )


def _leaf(name: str, kind: str) -> bytes:
    return struct(
        (1, I32, PHYSICAL[kind]),
        (3, I32, _REQUIRED),
        (4, BINARY, name.encode()),
        (6, I32, _CONVERTED.get(kind)),
        (10, STRUCT, _LOGICAL.get(kind)),
    )


def _group(group: Group, ordinal: int) -> bytes:
    sorted_by_first = struct((1, I32, 0), (2, BOOL, False), (3, BOOL, False))
    return struct(
        (1, LIST, (STRUCT, [_chunk(chunk) for chunk in group.chunks])),
        (2, I64, sum(chunk.plain_size for chunk in group.chunks)),
        (3, I64, group.rows),
        (4, LIST, (STRUCT, [sorted_by_first])),
        (5, I64, group.chunks[0].begin),
        (6, I64, sum(chunk.size for chunk in group.chunks)),
        (7, I16, ordinal if ordinal < _MOST_ORDINALS else None),
    )


def _chunk(chunk: Chunk) -> bytes:
    assert chunk.offset_index is not None
    pieces = [_OF_CHUNK, _chunk_metadata(chunk), _OFFSETS(*chunk.offset_index)]
    if chunk.column_index is not None:
        pieces.append(_COLUMNS(*chunk.column_index))
    pieces.append(STOP)
    return b"".join(pieces)


_OF_CHUNK: Final = written(0, (2, I64, 0), (3, STRUCT, b""))
_OFFSETS: Final = integers(3, (4, I64), (5, I32))
_COLUMNS: Final = integers(5, (6, I64), (7, I32))


def _chunk_metadata(chunk: Chunk) -> bytes:
    pieces = [
        _described(chunk.name, chunk.kind, chunk.encoding, chunk.data_at > 0),
        _SIZES(chunk.rows, chunk.plain_size, chunk.size, chunk.begin + chunk.data_at),
    ]
    last = 9
    if chunk.data_at:
        pieces.append(_DICTIONARY_AT(chunk.begin))
        last = 11
    if chunk.bounds is not None:
        low, high = chunk.bounds
        told = struct(
            (3, I64, 0), (5, BINARY, high), (6, BINARY, low), (7, BOOL, True), (8, BOOL, True)
        )
        pieces.append(written(last, (12, STRUCT, told)))
    pieces.append(STOP)
    return b"".join(pieces)


_SIZES: Final = integers(4, (5, I64), (6, I64), (7, I64), (9, I64))
_DICTIONARY_AT: Final = integers(9, (11, I64))


@cache
def _described(name: str, kind: str, encoding: int, has_dictionary: bool) -> bytes:
    """Write what is said of every chunk of a column: fields 1 to 4."""
    encodings = [_PLAIN, _RUNS, encoding] if has_dictionary else [encoding]
    return written(
        0,
        (1, I32, PHYSICAL[kind]),
        (2, LIST, (I32, encodings)),
        (3, LIST, (BINARY, [name.encode()])),
        (4, I32, _ZSTD),
    )
