"""A Parquet file being written: row groups of columns, then the indexes and the footer.

pyarrow's own writer takes several times as long for the small integers of these tables, so that
files, not games, would set the pace; compression and checksums are libraries'. What is written
here, any reader of Parquet reads.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import xxhash
from zstandard import ZstdCompressionParameters, ZstdCompressor

from jokersim.cards import TRUMPS
from jokersim.store import parquet_format as fmt
from jokersim.store.encode import Encoder
from jokersim.store.files import OutputFile

__all__ = ["ParquetFile"]

# Packed codes repeat little but what comes straight again: a small table of what was met finds that
# in two thirds of the time.
_COMPRESSION: Final = ZstdCompressionParameters.from_level(1, hash_log=6)
# Row groups laid out and not written yet: neither thread waits for the other all the time.
_MOST_WAITING: Final = 8
# As they lie in a file: small integers are 32 bits wide there.
_WIDTHS: Final = {"int8": "<i4", "int16": "<i4", "int32": "<i4", "int64": "<i8"}


@dataclass(frozen=True, slots=True, eq=False)
class _Laid:
    """A column of a row group, laid out but not compressed."""

    name: str
    rows: int
    encoding: int
    dictionary: npt.NDArray[np.int64] | None
    data: bytes
    bounds: tuple[bytes, bytes] | None


class ParquetFile:
    """Writes row groups of a table that is sorted by its first column, an int64.

    Row groups are compressed and written by a thread of its own while the next ones are laid out;
    both let the interpreter go for the most part. Columns that are the same in row groups after the
    first, as the schedule fixes some, are laid out and compressed once.
    """

    def __init__(
        self, output: OutputFile, columns: Mapping[str, str], metadata: Mapping[str, bytes]
    ) -> None:
        self._output = output
        self._columns = dict(columns)
        self._sorted = next(iter(columns))
        self._metadata = dict(metadata)
        self._encoder = Encoder()
        self._begun = False
        # What the first row group held, by the hash of the values, as long as it comes again.
        self._first: dict[str, tuple[bytes, _Laid]] = {}
        self._beside = ThreadPoolExecutor(1, thread_name_prefix="jokersim-write")
        self._writing: deque[Future[None]] = deque()
        # The thread's own.
        self._compress = ZstdCompressor(compression_params=_COMPRESSION).compress
        self._packed: dict[str, tuple[_Laid, fmt.Chunk, list[bytes]]] = {}
        self._groups: list[fmt.Group] = []
        output.write(fmt.MAGIC)

    def write_group(self, columns: Iterable[tuple[str, npt.NDArray[Any]]]) -> None:
        """Write a row group: every column in its order and declared type, contiguous, of rows.

        The values may be reused when this returns. What goes wrong with the file may show later.
        """
        laid = [self._lay(name, values) for name, values in columns]
        self._begun = True
        self._wait(_MOST_WAITING)
        self._writing.append(self._beside.submit(self._write, laid))

    def _lay(self, name: str, values: npt.NDArray[Any]) -> _Laid:
        if not self._begun:
            laid = self._encoded(name, values)
            self._first[name] = _digest(values), laid
            return laid
        if name in self._first:
            digest, laid = self._first[name]
            if digest == _digest(values):
                return laid
            del self._first[name]
        return self._encoded(name, values)

    def _encoded(self, name: str, values: npt.NDArray[Any]) -> _Laid:
        try:
            found = self._encoder.encode(values, self._columns[name])
        except ValueError as error:
            raise ValueError(f"column {name}: {error}") from None
        bounds = None
        if name == self._sorted:
            bounds = values[0].tobytes(), values[-1].tobytes()
        data = bytes(found.data)
        return _Laid(name, len(values), found.encoding, found.dictionary, data, bounds)

    def _wait(self, most: int) -> None:
        """Wait until at most so many row groups are to be written; raises what went wrong."""
        while len(self._writing) > most or (self._writing and self._writing[0].done()):
            self._writing.popleft().result()

    def _write(self, columns: list[_Laid]) -> None:
        chunks: list[fmt.Chunk] = []
        whole: list[bytes] = []
        at = self._output.size
        for laid in columns:
            before, chunk, pieces = self._packed.get(laid.name, (None, None, None))
            if before is not laid or chunk is None or pieces is None:
                chunk, pieces = self._compressed(laid)
                self._packed[laid.name] = laid, chunk, pieces
            chunks.append(replace(chunk, begin=at))
            at += chunk.size
            whole += pieces
        self._output.write(b"".join(whole))
        self._groups.append(fmt.Group(columns[0].rows, chunks))

    def _compressed(self, laid: _Laid) -> tuple[fmt.Chunk, list[bytes]]:
        chunk = fmt.Chunk(laid.name, self._columns[laid.name], laid.encoding, laid.rows)
        chunk.bounds = laid.bounds
        pieces: list[bytes] = []
        if laid.dictionary is not None:
            plain = _dictionary(laid.dictionary, chunk.kind)
            packed = self._compress(plain)
            header = fmt.dictionary_page(len(laid.dictionary), len(plain), packed)
            pieces += header, packed
            chunk.data_at = chunk.size = len(header) + len(packed)
            chunk.plain_size = len(header) + len(plain)
        packed = self._compress(laid.data)
        header = fmt.data_page(laid.rows, laid.encoding, len(laid.data), packed)
        pieces += header, packed
        chunk.size += len(header) + len(packed)
        chunk.plain_size += len(header) + len(laid.data)
        return chunk, pieces

    def close(self) -> None:
        """Write the indexes and the footer; the output stays open."""
        self._wait(0)
        self._beside.shutdown()
        chunks = [chunk for group in self._groups for chunk in group.chunks]
        at = self._output.size
        pieces = []
        for chunk in chunks:
            if chunk.bounds is not None:
                pieces.append(fmt.column_index(chunk))
                chunk.column_index = at, len(pieces[-1])
                at += len(pieces[-1])
        for chunk in chunks:
            pieces.append(fmt.offset_index(chunk))
            chunk.offset_index = at, len(pieces[-1])
            at += len(pieces[-1])
        footer = fmt.footer(self._columns, self._groups, self._metadata)
        pieces += footer, len(footer).to_bytes(4, "little"), fmt.MAGIC
        self._output.write(b"".join(pieces))

    def discard(self) -> None:
        """Write no more; the output is the caller's to remove."""
        self._beside.shutdown(cancel_futures=True)


def _digest(values: npt.NDArray[Any]) -> bytes:
    return xxhash.xxh3_128_digest(values.view(np.uint8).data)


def _dictionary(values: npt.NDArray[np.int64], kind: str) -> bytes:
    if kind == "string":
        return fmt.texts(TRUMPS[value] for value in values.tolist())
    return values.astype(_WIDTHS[kind]).tobytes()
