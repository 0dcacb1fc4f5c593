"""Names, documents and plans of a dataset's folder: run.json, the parts and their commit markers.

Owns what stands where and what the small JSON files say. Knows neither Parquet nor the simulation.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from jokersim.errors import InputError
from jokersim.schema import Tables
from jokersim.store import files
from jokersim.store.remote import Place

__all__ = [
    "DEFAULT_PART",
    "GROUP_ROWS",
    "Marker",
    "Run",
    "TableFacts",
    "canonical",
    "default_part",
    "differences",
    "load_run",
    "marker_path",
    "parse_part",
    "part_name",
    "table_path",
    "trusted_marker",
    "trusted_markers",
]

RUN_FORMAT: Final = "joker-dataset/1"
MARKER_FORMAT: Final = "joker-part/1"

#: Rows of a row group, but for the last one of a file.
GROUP_ROWS: Final = 122_880

#: Games a part, by the largest table written, so that a table's part stays within 10 million rows.
DEFAULT_PART: Final = {"plays": 10_000, "deals": 100_000, "games": 1_000_000}

_PART: Final = re.compile(r"part-(\d{12,})-(\d{12,})")
_TABLE: Final = re.compile(r"[a-z][a-z_]*")


def default_part(tables: Iterable[str]) -> int:
    """Answer how many games a part holds unless told otherwise.

    >>> default_part(["games", "deals"])
    100000
    """
    return min((DEFAULT_PART[name] for name in tables), default=DEFAULT_PART["games"])


def canonical(value: Any) -> bytes:
    """Write a value as JSON in the one form that is hashed.

    >>> canonical({"b": [1, 2], "a": "♠"}).decode()
    '{"a":"♠","b":[1,2]}'
    """
    text = json.dumps(
        value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    )
    return text.encode()


def readable(value: Any) -> bytes:
    """Write a value as indented JSON that ends in a line break."""
    return (json.dumps(value, indent=1, ensure_ascii=False, allow_nan=False) + "\n").encode()


def _sorted(value: Any) -> Any:
    """Sort the keys of nested objects, so that equal values give equal bytes."""
    return json.loads(canonical(value))


def part_name(start: int, stop: int) -> str:
    """Name the part of games ``start`` to ``stop - 1``.

    >>> part_name(0, 1_000_000)
    'part-000000000000-000000999999'
    """
    return f"part-{start:012d}-{stop - 1:012d}"


def parse_part(name: str, suffix: str) -> tuple[int, int] | None:
    """Read a part's file name back into its range, or None where it is no such name.

    >>> parse_part("part-000000000000-000000999999.json", ".json")
    (0, 1000000)
    """
    found = _PART.fullmatch(name.removesuffix(suffix)) if name.endswith(suffix) else None
    if found is None:
        return None
    start, stop = int(found[1]), int(found[2]) + 1
    return (start, stop) if start < stop and name == part_name(start, stop) + suffix else None


def table_path(folder: Place, table: str, start: int, stop: int) -> Place:
    """Answer where a table's part stands."""
    return folder / table / f"{part_name(start, stop)}.parquet"


def marker_path(folder: Place, start: int, stop: int) -> Place:
    """Answer where a part's commit marker stands."""
    return folder / "parts" / f"{part_name(start, stop)}.json"


@dataclass(frozen=True, slots=True)
class Run:
    """What run.json says.

    Attributes
    ----------
    spec : dict
        All that decides the rows: rules, policies, seed, stream scheme, tables, filter, part.
    games : int
        Games of the whole run, all shards together.
    span : tuple of int
        First game of this folder and the one after its last: (0, games) unless it is a shard.
    columns : dict
        Type of each column of each table, in order.
    versions : dict
        Versions of the software that began the run. They are no part of the spec.
    """

    spec: dict[str, Any]
    games: int
    span: tuple[int, int]
    columns: dict[str, dict[str, str]]
    versions: dict[str, str]

    @property
    def run_id(self) -> str:
        """The sha256 of the canonical JSON of the spec."""
        return hashlib.sha256(canonical(self.spec)).hexdigest()

    @property
    def part(self) -> int:
        """Games a part."""
        return int(self.spec["part"])

    def to_bytes(self) -> bytes:
        """Write run.json."""
        return readable(
            {
                "format": RUN_FORMAT,
                "run_id": self.run_id,
                "spec": _sorted(self.spec),
                "games": self.games,
                "range": list(self.span),
                "columns": self.columns,
                "versions": _sorted(self.versions),
            }
        )


def columns_of(tables: Tables) -> dict[str, dict[str, str]]:
    """Answer the type of each column of each table, in order."""
    return {
        table: {column.name: str(column.type) for column in columns}
        for table, columns in tables.items()
    }


def load_run(folder: Place) -> Run:
    """Read run.json; refuses with :class:`InputError` what is not a dataset of this package.

    That the run id fits the spec is not asked here: an edited run.json is for ``check`` to find,
    and a resume compares specs.
    """
    path = folder / "run.json"
    if not files.exists(path):
        raise InputError(f"{folder} is no jokersim dataset: it holds no run.json")
    with files.reported(InputError, f"read {path}"):
        data = files.read(path)
    try:
        found = json.loads(data)
        if found["format"] != RUN_FORMAT:
            raise ValueError(found["format"])
        start, stop = (int(bound) for bound in found["range"])
        columns = {
            str(table): {str(name): str(kind) for name, kind in types.items()}
            for table, types in found["columns"].items()
        }
        # Table names become folder names, also of what is deleted: nothing else may pass.
        if not all(_TABLE.fullmatch(table) for table in columns) or int(found["spec"]["part"]) < 1:
            raise ValueError("columns")
        versions = {str(name): str(text) for name, text in found["versions"].items()}
        return Run(dict(found["spec"]), int(found["games"]), (start, stop), columns, versions)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise InputError(
            f"{path} is not what jokersim writes (format {RUN_FORMAT}): restore it from a copy, "
            "or choose another folder"
        ) from error


def differences(asked: Any, there: Any, place: str = "") -> list[str]:
    """Name each field in which a spec differs from the one that stands, with both values.

    >>> differences({"seed": 1, "rules": {"hook": "none"}}, {"seed": 1, "rules": {}})
    ['rules.hook (asked "none", there absent)']
    """
    if isinstance(asked, dict) and isinstance(there, dict):
        return [
            line
            for key in sorted(asked.keys() | there.keys())
            for line in differences(
                asked.get(key, _ABSENT), there.get(key, _ABSENT), f"{place}.{key}" if place else key
            )
        ]
    if _ABSENT not in (asked, there) and canonical(asked) == canonical(there):
        return []
    return [f"{place} (asked {_leaf(asked)}, there {_leaf(there)})"]


_ABSENT: Final = object()
_LEAF: Final = 80  # characters of a value in a sentence


def _leaf(value: Any) -> str:
    if value is _ABSENT:
        return "absent"
    text = canonical(value).decode()
    return text if len(text) <= _LEAF else f"{text[: _LEAF - 1]}…"


@dataclass(frozen=True, slots=True)
class TableFacts:
    """What a marker says of one table of its part.

    ``content`` is the hash of the rows' values, which no version of a library changes; ``sha256``
    and ``size`` are those of the file.
    """

    rows: int
    size: int
    sha256: str
    content: str


@dataclass(frozen=True, slots=True)
class Marker:
    """A commit marker: the part of games ``start`` to ``stop - 1`` stands, whole.

    ``sums`` is the caller's: a JSON object of integers, from which the summary follows.
    """

    run_id: str
    start: int
    stop: int
    tables: dict[str, TableFacts]
    sums: dict[str, Any]

    def to_bytes(self) -> bytes:
        """Write the marker's file, with a hash over itself at the end."""
        body = self._body()
        whole = body | {"sha256": hashlib.sha256(canonical(body)).hexdigest()}
        # A line a key: what it adds up to is long, and indented it would take ten times as long.
        lines = (f" {json.dumps(key)}: {json.dumps(whole[key])}" for key in whole)
        return ("{\n" + ",\n".join(lines) + "\n}\n").encode()

    def _body(self) -> dict[str, Any]:
        facts = {
            name: {key: getattr(table, key) for key in TableFacts.__slots__}
            for name, table in self.tables.items()
        }
        return {
            "format": MARKER_FORMAT,
            "run_id": self.run_id,
            "start": self.start,
            "stop": self.stop,
            "tables": facts,
            "sums": self.sums,
        }

    @classmethod
    def from_bytes(cls, data: bytes) -> Marker:
        """Read a marker; raises ``ValueError`` where it is not what was written."""
        try:
            found = json.loads(data)
            tables = {str(k): TableFacts(**facts) for k, facts in found["tables"].items()}
            marker = cls(
                found["run_id"], found["start"], found["stop"], tables, dict(found["sums"])
            )
            written = found["sha256"]
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            raise ValueError("it is no commit marker") from error
        if hashlib.sha256(canonical(marker._body())).hexdigest() != written:
            raise ValueError("it was changed after it was written")
        return marker


def plain_sums(value: Any) -> Any:
    """Turn numpy integers and arrays inside a JSON object into plain ones; floats are refused."""
    if isinstance(value, Mapping):
        return {str(key): plain_sums(item) for key, item in value.items()}
    if isinstance(value, np.ndarray):
        return plain_sums(value.tolist())
    if isinstance(value, list) and all(type(item) is int for item in value):
        return value  # thousands of pairs are
    if isinstance(value, list | tuple):
        return [plain_sums(item) for item in value]
    if isinstance(value, np.integer):
        return int(value)
    if value is None or isinstance(value, str | int):
        return value
    raise TypeError(f"a marker's sums are integers, not {type(value).__name__}")


def markers_in(folder: Place) -> Iterator[tuple[str, Marker | str]]:
    """Read every file of parts/: its name with the marker, or with what is wrong with it."""
    for name in files.names_in(folder / "parts"):
        span = parse_part(name, ".json")
        if span is None:
            yield name, "it is not named like a commit marker"
            continue
        try:
            marker = Marker.from_bytes(files.read(folder / "parts" / name))
        except ValueError as error:
            yield name, str(error)
            continue
        if (marker.start, marker.stop) != span:
            yield name, "it is the marker of another part"
            continue
        yield name, marker


def trusted_markers(folder: Place, run: Run) -> dict[tuple[int, int], Marker]:
    """Read the markers of this run whose files all stand in the right size."""
    run_id = run.run_id
    return {
        (marker.start, marker.stop): marker
        for _, marker in markers_in(folder)
        if isinstance(marker, Marker) and _trusted(folder, run, run_id, marker)
    }


def trusted_marker(folder: Place, run: Run, span: tuple[int, int]) -> Marker | None:
    """Read the marker of one part, if it is one that :func:`trusted_markers` would answer."""
    path = marker_path(folder, *span)
    if not files.exists(path):
        return None
    try:
        marker = Marker.from_bytes(files.read(path))
    except ValueError:
        return None
    trusted = (marker.start, marker.stop) == span and _trusted(folder, run, run.run_id, marker)
    return marker if trusted else None


def _trusted(folder: Place, run: Run, run_id: str, marker: Marker) -> bool:
    return (
        marker.run_id == run_id
        and marker.tables.keys() == run.columns.keys()
        and all(
            files.size_of(table_path(folder, table, marker.start, marker.stop)) == facts.size
            for table, facts in marker.tables.items()
        )
    )
