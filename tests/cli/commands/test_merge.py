import pytest

from tests.cli.calls import SHORT, call, refused
from tests.store.small import contents


def simulated(out, *options):
    made = call(
        "simulate", "--games", 50, "--seed", 8, *SHORT, "--out", out, "--part", 10, "--quiet",
        *options,
    )  # fmt: skip
    assert made.exit_code == 0, made.stderr
    return made.stdout


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    folder = tmp_path_factory.mktemp("merged")
    for k in (1, 2):
        simulated(folder / f"shard-{k}", "--shard", f"{k}/2")
    return folder


def test_the_merged_shards_are_the_whole_run(folders):
    printed = simulated(folders / "whole")
    result = call("merge", folders / "all", folders / "shard-2", folders / "shard-1")
    assert (result.exit_code, result.stderr) == (0, "")
    expected = [line for line in printed.splitlines() if not line.startswith("wall time")]
    assert result.stdout.splitlines() == expected
    assert contents(folders / "all") == contents(folders / "whole")


def test_a_shard_is_complete_in_itself(folders):
    result = call("summary", folders / "shard-1")
    assert (result.exit_code, result.stderr) == (0, "")
    assert "20" in result.stdout.splitlines()[2]


def test_refusals(folders, tmp_path):
    one = folders / "shard-1"
    assert "are in none of the shards" in refused(call("merge", tmp_path / "a", one))
    assert "holds no run.json" in refused(call("merge", tmp_path / "a", one, tmp_path))
    assert "--shard is about a dataset" in refused(
        call("simulate", "--games", 5, "--shard", "1/2", *SHORT)
    )
    assert "is no shard" in refused(
        call("simulate", "--games", 5, "--shard", "0/2", *SHORT, "--out", tmp_path / "b")
    )


def test_help_shows_a_job_array():
    assert "--shard $SLURM_ARRAY_TASK_ID/10" in call("merge", "--help").stdout
