"""Batches of columns into one Parquet file: row groups of one size, and the content hash.

A row group is always 122,880 rows (the last one of a file: the rest), whatever the batches given:
what does not fill one is copied into a block, so how the simulation cuts its work never shows in
the bytes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from jokersim.store.content import ContentHash
from jokersim.store.files import OutputFile
from jokersim.store.layout import GROUP_ROWS
from jokersim.store.parquet import DTYPES, arrow_metadata
from jokersim.store.parquet_file import ParquetFile

__all__ = ["TableWriter"]

Columns = Mapping[str, npt.NDArray[Any]]


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
        self._dtypes = {name: np.dtype(DTYPES[kind]) for name, kind in columns.items()}
        self._content = ContentHash(columns)
        self._block: dict[str, npt.NDArray[Any]] = {}
        self._filled = 0
        told = {name: text.encode() for name, text in metadata.items()} | arrow_metadata(columns)
        self._file = ParquetFile(output, columns, told)

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
        if not self._block:
            # Memory that is not touched costs nothing: a small run never pays for a whole group.
            self._block = {name: np.empty(GROUP_ROWS, kind) for name, kind in self._dtypes.items()}
        for name, column in self._block.items():
            column[self._filled : self._filled + take] = batch[name][at : at + take]
        self._filled += take
        if self._filled == GROUP_ROWS:
            self._flush(self._block, GROUP_ROWS)
            self._filled = 0

    def _flush(self, block: Columns, rows: int) -> None:
        self._file.write_group(self._hashed(block, rows))

    def _hashed(self, block: Columns, rows: int) -> Iterator[tuple[str, npt.NDArray[Any]]]:
        """Answer the columns, each hashed just before it is encoded: it is near then."""
        for name in self._dtypes:
            values = np.ascontiguousarray(block[name][:rows])
            self._content.add(name, values)
            yield name, values

    def close(self) -> str:
        """Write what is left and the footer; answers the content hash."""
        if self._filled:
            self._flush(self._block, self._filled)
            self._filled = 0
        self._file.close()
        self._output.close()
        return self._content.hexdigest()

    def discard(self) -> None:
        """Give the file up and remove it."""
        self._file.discard()
        self._output.discard()
