"""What the guard makes of its ratios; the ratios themselves are measured by `scripts/bench`."""

from __future__ import annotations

import json
from itertools import repeat

import pytest

from benchmarks import guard


@pytest.fixture
def recorded(monkeypatch, tmp_path):
    path = tmp_path / "recorded.json"
    path.write_text(json.dumps({guard.key(): dict.fromkeys(guard.KERNELS, 2.0)}))
    monkeypatch.setattr(guard, "RECORD", path)
    return path


def given(monkeypatch, ratios):
    monkeypatch.setattr(guard, "measured", lambda name: next(ratios))


def test_within_the_tolerance_passes(monkeypatch, recorded):
    given(monkeypatch, repeat(2.19))
    assert guard.check() == 0


def test_slower_fails_and_is_named(monkeypatch, recorded, capsys):
    given(monkeypatch, repeat(2.21))
    assert guard.check() == 3
    assert "classic random takes 10% longer" in capsys.readouterr().err


def test_noise_is_measured_again(monkeypatch, recorded):
    given(monkeypatch, iter([9.0, 2.0] * len(guard.KERNELS)))
    assert guard.check() == 0


def test_kernel_without_a_record_fails(monkeypatch, recorded):
    given(monkeypatch, repeat(2.0))
    monkeypatch.setitem(guard.KERNELS, "new kernel", None)
    assert guard.check() == 3


def test_other_processor_compares_nothing(monkeypatch, recorded, capsys):
    monkeypatch.setattr(guard, "key", lambda: "another")
    assert guard.check() == 0
    assert "no record for another" in capsys.readouterr().out


def test_a_kernel_to_be_recorded_is_said(monkeypatch, recorded, capsys):
    ratios = dict.fromkeys(guard.KERNELS, 2.0) | {"packing deals": None}
    recorded.write_text(json.dumps({guard.key(): ratios}))
    given(monkeypatch, repeat(2.0))
    assert guard.check() == 0
    told = capsys.readouterr().out
    assert "packing deals      is not recorded for" in told
    assert "classic random        2.000 of the reference" in told


def test_record_keeps_those_of_other_processors(monkeypatch, recorded):
    given(monkeypatch, repeat(1.5))
    monkeypatch.setattr(guard, "key", lambda: "another")
    guard.record()
    kept = json.loads(recorded.read_text())
    assert set(kept["another"].values()) == {1.5}
    assert len(kept) == 2


def test_every_kernel_of_the_guard_has_a_record():
    for ratios in guard.read().values():
        assert set(ratios) == set(guard.KERNELS)
