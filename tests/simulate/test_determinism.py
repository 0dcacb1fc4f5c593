"""A game is a function of rules, policies, seed and index: nothing else shows in any result."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import jokersim as js
from jokersim.kernels.jit import JIT_DISABLED

ROOT = Path(__file__).resolve().parent.parent.parent
GAMES = 12 if JIT_DISABLED else 130
RUNS = {
    "four": ("classic", "basic,random,random,basic"),
    "two": ("japanese-davi", "random"),
}
TABLES = ["games", "deals", "plays"]


def contents(folder):
    """Every file below a folder with its bytes."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def written(folder, family, **options):
    preset, policies = RUNS[family]
    js.simulate(
        preset,
        games=GAMES,
        seed=9,
        policies=policies,
        tables=TABLES,
        out=folder,
        part=50,
        **options,
    )
    return contents(folder)


@pytest.mark.parametrize("family", RUNS)
def test_neither_threads_nor_chunks_change_a_byte(family, tmp_path):
    first = written(tmp_path / "0", family, threads=1)
    assert {Path(name).suffix for name in first} >= {".parquet", ".json"}
    for i, (threads, chunk) in enumerate([(1, 7), (1, 50), (2, None), (2, 1), (2, 64)], 1):
        found = written(tmp_path / str(i), family, threads=threads, chunk=chunk)
        assert found.keys() == first.keys()
        assert [name for name in first if found[name] != first[name]] == []


CODE = """
import sys
import jokersim as js
js.simulate({preset!r}, games={games}, seed=9, policies={policies!r}, tables={tables!r},
            out=sys.argv[1], part=50, threads=2)
"""


@pytest.mark.parametrize("family", RUNS)
def test_another_process_writes_the_same_bytes(family, tmp_path):
    preset, policies = RUNS[family]
    code = CODE.format(preset=preset, policies=policies, tables=TABLES, games=GAMES)
    subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "there")],
        cwd=ROOT,
        env=os.environ | {"PYTHONHASHSEED": "7", "TZ": "UTC+7", "LC_ALL": "C"},
        check=True,
    )
    assert contents(tmp_path / "there") == written(tmp_path / "here", family, threads=1)


@pytest.mark.parametrize("family", RUNS)
def test_a_longer_run_begins_with_the_shorter_one(family):
    preset, policies = RUNS[family]
    short, long = (
        js.simulate(preset, games=n, seed=9, policies=policies, tables=TABLES, threads=2, chunk=3)
        for n in (GAMES // 3, GAMES)
    )
    for table in TABLES:
        few, many = getattr(short, table)(), getattr(long, table)()
        assert few.equals(many[many.game < GAMES // 3])


@pytest.mark.parametrize("family", RUNS)
def test_another_seed_is_another_run(family):
    preset, policies = RUNS[family]
    one, other = (
        js.simulate(preset, games=10, seed=seed, policies=policies, tables=["deals"]).deals()
        for seed in (9, 10)
    )
    assert not np.array_equal(one.hand[:40], other.hand[:40])


def test_memory_and_dataset_hold_the_same_rows(tmp_path):
    for family, (preset, policies) in RUNS.items():
        options = {"games": GAMES, "seed": 9, "policies": policies, "tables": TABLES}
        kept = js.simulate(preset, **options)
        stored = js.simulate(preset, **options, out=tmp_path / family, part=40)
        read = js.read(tmp_path / family)
        for table in TABLES:
            frame = getattr(kept, table)()
            assert frame.equals(getattr(stored, table)())
            assert frame.equals(getattr(read, table)())
            assert kept.dataset(table).schema.equals(read.dataset(table).schema)
        assert kept.sums.to_json() == stored.sums.to_json() == read.sums.to_json()
