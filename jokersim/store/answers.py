"""Answers of a batch as one Parquet file: a row an answer and bid, null where there is nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from uuid import uuid4

import pyarrow as pa
import pyarrow.parquet as pq

from jokersim.errors import RunError

__all__ = ["write_answers"]

_FIGURES = (
    "p_made", "p_made_low", "p_made_high", "score", "score_low", "score_high",
    "p_khishti", "p_khishti_low", "p_khishti_high",
)  # fmt: skip

SCHEMA = pa.schema(
    [
        ("id", pa.string()),
        ("error", pa.string()),
        ("best", pa.int8()),
        ("exact", pa.bool_()),
        ("bid", pa.int8()),
        *((name, pa.float64()) for name in _FIGURES),
        ("tricks", pa.list_(pa.float64())),
        ("n", pa.int64()),
    ]
)


def write_answers(rows: Sequence[Mapping[str, Any]], path: Path) -> None:
    """Write rows, whole or not at all; a file that stands there is replaced.

    Raises
    ------
    RunError
        The file cannot be written.
    """
    table = pa.Table.from_pylist([dict(row) for row in rows], schema=SCHEMA)
    part = path.with_name(f".{path.name}.{uuid4().hex}")
    try:
        pq.write_table(table, part, compression="zstd")
        part.replace(path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise RunError(f"{path} cannot be written: {error.strerror or error}") from None
