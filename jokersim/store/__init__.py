"""Datasets on disk: the only part of the package that knows pyarrow, imported when first needed.

A dataset is a folder::

    run.json       what was asked: spec, games, columns, versions; the run id hashes the spec
    games/ deals/ plays/    part-FIRST-LAST.parquet, by game
    parts/         commit markers, one a part for all its tables, written last
    tmp/           what is being written
    summary.json _SUCCESS

:func:`create_or_open` writes one, :func:`read` reads it, :func:`check` compares it with its
markers, :func:`merge` joins shards. Policies, rules and the meaning of the sums belong to
the callers.
"""

from __future__ import annotations

from jokersim.store.check import Finding, check
from jokersim.store.layout import GROUP_ROWS, Marker, Run, TableFacts, default_part
from jokersim.store.merge import merge
from jokersim.store.opening import attach, create_or_open, refuse_used
from jokersim.store.reader import Dataset, holds_run, read, to_arrow
from jokersim.store.remote import Place, Remote, located
from jokersim.store.writer import Part, Writer

__all__ = [
    "GROUP_ROWS",
    "Dataset",
    "Finding",
    "Marker",
    "Part",
    "Place",
    "Remote",
    "Run",
    "TableFacts",
    "Writer",
    "attach",
    "check",
    "create_or_open",
    "default_part",
    "holds_run",
    "located",
    "merge",
    "read",
    "refuse_used",
    "to_arrow",
]
