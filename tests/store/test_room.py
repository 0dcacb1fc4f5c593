"""The disk is looked at before each part: a run ends in order, and can go on."""

import pytest

from jokersim.errors import RunError
from jokersim.store import files
from tests.store.small import contents, write


def test_a_part_that_the_disk_has_no_room_for_is_not_begun(tmp_path, monkeypatch):
    left = [10**9, 10**9, 5_000_000]
    monkeypatch.setattr(files, "free_bytes", lambda path: left.pop(0) if left else 10**9)
    with pytest.raises(RunError) as raised:
        write(tmp_path / "run", 40)
    message = str(raised.value)
    assert "the disk has 5 MB left" in message
    assert message.endswith("free space, then go on with --resume")
    assert raised.value.exit_code == 1
    names = [name for name in contents(tmp_path / "run") if name.startswith("games/")]
    assert names == [
        "games/part-000000000000-000000000009.parquet",
        "games/part-000000000010-000000000019.parquet",
    ]
    write(tmp_path / "run", 40, resume=True)
    write(tmp_path / "whole", 40)
    assert contents(tmp_path / "run") == contents(tmp_path / "whole")


def test_the_estimate_follows_the_largest_part(tmp_path):
    writer = write(tmp_path / "run", 20, stop=0)
    assert writer.needed(1000) == 616_000
    writer = write(tmp_path / "run", 20, resume=True)
    largest = max(sum(f.size for f in marker.tables.values()) for marker in writer.markers())
    assert writer.needed(1000) == largest * 100


def test_a_lost_folder_is_said(tmp_path, monkeypatch):
    def lost(path):
        raise FileNotFoundError(2, "No such file or directory", str(path))

    monkeypatch.setattr(files, "free_bytes", lost)
    with pytest.raises(RunError, match="it is not there; was the folder moved"):
        write(tmp_path / "run", 10)
