import errno

import pytest

from jokersim import store
from jokersim.errors import CheckError, InputError, RunError, SpecError
from jokersim.store import files
from tests.store.small import SPEC, contents, summary, write

SPANS = [(0, 20), (20, 40), (40, 45)]


@pytest.fixture
def shards(tmp_path):
    for number, span in enumerate(SPANS):
        write(tmp_path / f"shard{number}", 45, span=span)
    return [tmp_path / f"shard{number}" for number in range(len(SPANS))]


def merge(out, folders, **options):
    with store.merge(out, folders, **options) as writer:
        writer.finish(summary(writer.markers()))


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 0, 1)])
def test_merged_shards_are_the_run(tmp_path, shards, order):
    merge(tmp_path / "merged", [shards[number] for number in order])
    write(tmp_path / "run", 45)
    assert contents(tmp_path / "merged") == contents(tmp_path / "run")


def test_a_shard_knows_its_range(shards):
    found = store.read(shards[1])
    assert (found.games, found.run.span) == (45, (20, 40))
    assert found.complete
    assert store.check(found) == []


@pytest.mark.parametrize(
    ("chosen", "games"), [((1, 2), "0 to 19"), ((0, 2), "20 to 39"), ((0, 1), "40 to 44")]
)
def test_a_missing_shard_is_named_by_its_games(tmp_path, shards, chosen, games):
    with pytest.raises(InputError, match=f"games {games} of 45 are in none of the shards"):
        merge(tmp_path / "merged", [shards[number] for number in chosen])
    assert not (tmp_path / "merged").exists()


def test_a_shard_named_twice_is_refused(tmp_path, shards):
    with pytest.raises(InputError, match="holds games 20 to 29 once more"):
        merge(tmp_path / "merged", [*shards, shards[1]])


def test_shards_of_two_runs_are_refused_naming_the_field(tmp_path, shards):
    write(tmp_path / "other", 45, span=(40, 45), spec=SPEC | {"seed": 2})
    with pytest.raises(SpecError, match=r"seed \(asked 1, there 2\)"):
        merge(tmp_path / "merged", [*shards[:2], tmp_path / "other"])


def test_shards_of_runs_of_two_lengths_are_refused(tmp_path, shards):
    write(tmp_path / "other", 50, span=(40, 50))
    with pytest.raises(SpecError, match=r"games \(asked 45, there 50\)"):
        merge(tmp_path / "merged", [*shards[:2], tmp_path / "other"])


def test_no_shards_are_refused(tmp_path):
    with pytest.raises(InputError, match="at least one"):
        merge(tmp_path / "merged", [])


def test_a_damaged_part_is_not_copied_on(tmp_path, shards):
    path = next((shards[1] / "deals").iterdir())
    data = bytearray(path.read_bytes())
    data[50] ^= 1
    path.write_bytes(data)
    with pytest.raises(CheckError, match="is not what its marker says"):
        merge(tmp_path / "merged", shards)


def test_a_merge_that_failed_goes_on(tmp_path, shards, monkeypatch):
    left = 60

    def fault(name, path):
        nonlocal left
        left -= 1
        if left < 0:
            raise OSError(errno.ENOSPC, "No space left on device", str(path))

    monkeypatch.setattr(files, "fault", fault)
    with pytest.raises(RunError, match="the disk is full"):
        merge(tmp_path / "merged", shards)
    monkeypatch.setattr(files, "fault", None)
    assert store.read(tmp_path / "merged").markers()
    assert store.check(store.read(tmp_path / "merged")) == []
    merge(tmp_path / "merged", shards, resume=True)
    write(tmp_path / "run", 45)
    assert contents(tmp_path / "merged") == contents(tmp_path / "run")
