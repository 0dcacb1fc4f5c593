"""Small runs for the tests of the store: made-up rows whose every value follows from its game."""

from types import SimpleNamespace

import numpy as np

from jokersim import schema, store

FOUR = SimpleNamespace(family="four", schedule=((1, 2), (9,)))
TWO = SimpleNamespace(family="two")
TABLES = schema.tables(FOUR)
SPEC = {"rules": {"khishti": -200, "hook": "dealer"}, "seed": 1, "part": 10}
NAMES = ("games", "deals")


def tables(names=NAMES):
    return {name: TABLES[name] for name in names}


def rows(table, start, stop, each=3):
    """Make the rows of games start to stop - 1; deals have ``each`` rows a game."""
    repeat = 1 if table == "games" else each
    game = np.repeat(np.arange(start, stop, dtype=np.int64), repeat)
    order = np.arange(start * repeat, stop * repeat)
    columns = {"game": game}
    for number, column in enumerate(TABLES[table][1:], 1):
        kind = "int8" if column.type == "string" else column.type
        size = 5 if column.type == "string" else 100
        columns[column.name] = ((order * (2 * number + 1) + number) % size).astype(kind)
    return columns


def write_part(writer, start, stop, batch=4):
    """Write and commit one part in batches of ``batch`` games."""
    with writer.part(start, stop) as part:
        for at in range(start, stop, batch):
            for table in writer.run.columns:
                part.write(table, rows(table, at, min(stop, at + batch)))
        return part.commit(sums(start, stop))


def sums(start, stop):
    return {"games": stop - start, "game": sum(range(start, stop))}


def write(folder, games=25, *, spec=SPEC, names=NAMES, batch=4, span=None, stop=None, **options):
    """Write a run, or go on with it, up to game ``stop``; finished when nothing is left."""
    with store.create_or_open(folder, spec, games, tables(names), span=span, **options) as writer:
        for start, end in writer.pending():
            if stop is None or end <= stop:
                write_part(writer, start, end, batch)
        if not writer.pending():
            writer.finish(summary(writer.markers()))
        return writer


def summary(markers):
    return {"games": sum(marker.sums["games"] for marker in markers)}


def contents(folder):
    """Answer every file below a folder with its bytes."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
