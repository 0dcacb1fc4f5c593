"""Reading a dataset: what it was asked, what is committed, and its tables.

Only committed parts are read: a part without a marker is whole, but not promised to stay.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy.typing as npt

from jokersim.errors import InputError
from jokersim.schema import Column
from jokersim.store import files, layout
from jokersim.store.gaps import gaps
from jokersim.store.layout import Marker, Run
from jokersim.store.remote import Place, Remote, located

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.dataset as ds

__all__ = ["Dataset", "holds_run", "read", "to_arrow"]


def read(path: str | Place) -> Dataset:
    """Open a dataset for reading.

    Raises :class:`InputError` where the folder is no dataset of this package.
    """
    folder = located(path)
    with files.reported(InputError, f"read {folder}"):
        there = folder.is_dir()
    if not there:
        raise InputError(f"{folder} is no folder: name one that simulate --out wrote")
    return Dataset(folder, layout.load_run(folder))


def holds_run(path: str | Place) -> bool:
    """Tell whether a folder holds a dataset, or what may be one."""
    return files.exists(located(path) / "run.json")


def to_arrow(
    columns: Sequence[Column], batches: Sequence[Mapping[str, npt.NDArray[Any]]]
) -> pa.Table:
    """Join batches of arrays that were kept in memory to the table that a dataset would give.

    A ``string`` column comes as int8 indices into the trumps.
    """
    from jokersim.store import parquet

    return parquet.joined({column.name: str(column.type) for column in columns}, batches)


class Dataset:
    """A dataset on disk; made by :func:`read`.

    Attributes
    ----------
    path : Path
        Its folder.
    run : Run
        What run.json says.
    """

    def __init__(self, path: Place, run: Run) -> None:
        self.path = path
        self.run = run

    @property
    def spec(self) -> dict[str, Any]:
        """All that decides the rows."""
        return self.run.spec

    @property
    def games(self) -> int:
        """Games of the whole run."""
        return self.run.games

    @property
    def tables(self) -> tuple[str, ...]:
        """Names of the tables."""
        return tuple(self.run.columns)

    @property
    def complete(self) -> bool:
        """Whether every game asked for is committed and the run was finished."""
        return files.exists(self.path / "_SUCCESS") and not gaps(
            self.run.span, [(marker.start, marker.stop) for marker in self.markers()], self.run.part
        )

    def markers(self) -> list[Marker]:
        """List the markers of the committed parts, by game."""
        with files.reported(InputError, f"read the markers of {self.path}"):
            found = layout.trusted_markers(self.path, self.run)
        return [found[span] for span in sorted(found)]

    def summary(self) -> dict[str, Any] | None:
        """Answer what summary.json says, or None while the run is not finished."""
        path = self.path / "summary.json"
        if not files.exists(path):
            return None
        with files.reported(InputError, f"read {path}"):
            data = files.read(path)
        try:
            return dict(json.loads(data))
        except (ValueError, TypeError) as error:
            raise InputError(f"{path} is no JSON object: write it anew with --resume") from error

    def dataset(self, name: str, span: tuple[int, int] | None = None) -> ds.Dataset:
        """Answer a table as a pyarrow dataset, of the parts that hold games of ``span``."""
        import pyarrow.dataset as ds

        from jokersim.store import parquet

        columns = self._columns(name)
        start, stop = span or self.run.span
        paths = [
            layout.table_path(self.path, name, marker.start, marker.stop)
            for marker in self.markers()
            if marker.start < stop and start < marker.stop
        ]
        schema = parquet.arrow_schema(columns)
        system = self.path.system if isinstance(self.path, Remote) else None
        names = [path.path if isinstance(path, Remote) else str(path) for path in paths]
        return ds.dataset(names, schema=schema, format="parquet", filesystem=system)

    def table(
        self, name: str, *, columns: list[str] | None = None, span: tuple[int, int] | None = None
    ) -> pa.Table:
        """Read a table as a pyarrow table, sorted by game.

        Whole, or only the given columns, or only the games from ``span[0]`` to before ``span[1]``.
        """
        import pyarrow.dataset as ds

        source = self.dataset(name, span)
        game = ds.field("game")
        wanted = None if span is None else (game >= span[0]) & (game < span[1])
        with files.reported(InputError, f"read {name} of {self.path}"):
            return source.to_table(columns=columns, filter=wanted)

    def blocks(
        self, name: str, marker: Marker, span: tuple[int, int] | None = None
    ) -> Iterator[dict[str, npt.NDArray[Any]]]:
        """Read a part's rows of a table as arrays, some thousands at a time, in their order.

        A trump comes as int8 index. With ``span`` only the rows of its games.
        """
        from jokersim.store import parquet

        columns = self._columns(name)
        path = layout.table_path(self.path, name, marker.start, marker.stop)
        with files.reported(InputError, f"read {path}"):
            yield from parquet.batches(path, columns, span)

    def _columns(self, name: str) -> dict[str, str]:
        found = self.run.columns.get(name)
        if found is None:
            raise InputError(f"{self.path} has no table {name!r}: it has {', '.join(self.tables)}")
        return found
