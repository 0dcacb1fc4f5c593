"""A line a minute where stderr is no terminal."""

from jokersim.cli import progress
from jokersim.cli.output import Notes


def test_a_line_a_minute(capsys, monkeypatch):
    now = [1000.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    with progress.Progress(Notes(quiet=False)) as shown:
        for done in range(0, 1_000_001, 10_000):
            shown(done, 1_000_000)
            now[0] += 2
    lines = capsys.readouterr().err.splitlines()
    assert lines == [
        f"jokersim: {done:,} of 1,000,000 games, 300,000 a minute, {left} left"
        for done, left in ((300_000, "2 min 20 s"), (600_000, "1 min 20 s"), (900_000, "20.0 s"))
    ]


def test_nothing_to_be_quiet_and_nothing_of_a_short_run(capsys, monkeypatch):
    now = [1000.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    for quiet, step in ((True, 100), (False, 5)):
        with progress.Progress(Notes(quiet=quiet)) as shown:
            for done in range(10):
                shown(done, 10)
                now[0] += step
    assert capsys.readouterr().err == ""
