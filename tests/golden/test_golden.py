"""Golden games stay, however the kernels are compiled."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from jokersim.kernels.jit import JIT_DISABLED
from jokersim.kernels.streams import SCHEME
from tests import golden, oracle

ROOT = Path(__file__).resolve().parent.parent.parent
# Enough for every decision of every kind, by games of four and parties of two.
SAMPLE = [
    "classic:basic,random,random,basic:2",
    "classic-left:random:1",
    "nines:basic:1",
    "japanese-davi:random:3",
    "japanese:basic:2",
    "classic-moshla:book,basic,book,basic:1",
    "japanese-davi:book:2",
]


def digests_elsewhere(sample, **environment):
    """Play the same games in another process, with another environment."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", "tests.golden", *sample],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)} | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def digests_here(sample):
    asked = [text.split(":") for text in sample]
    return [golden.digest(golden.play(name, policy, int(n))) for name, policy, n in asked]


def test_every_preset_and_policy_has_golden_games():
    held = golden.expected()
    assert (held["streams"], held["seed"], held["games"]) == (SCHEME, golden.SEED, golden.GAMES)
    names = {(name, policy) for name, found in held["digests"].items() for policy in found}
    assert names == set(golden.cases())


@pytest.mark.skipif(JIT_DISABLED, reason="plays hundreds of games")
@pytest.mark.parametrize(("preset", "policy"), golden.cases())
def test_golden_games_stay(preset, policy):
    """Where this fails on purpose: scripts/golden, and say so in the changelog."""
    found = golden.digest(golden.play(preset, policy))
    assert found == golden.expected()["digests"][preset][policy]


@pytest.mark.skipif(JIT_DISABLED, reason="takes minutes without the compiler")
@pytest.mark.parametrize("preset", golden.SEARCHED)
def test_golden_games_of_search_stay(preset):
    found = golden.digest(golden.play(preset, golden.SEARCH, golden.SEARCHED[preset]))
    assert found == golden.expected()[golden.SEARCH][preset]


@pytest.mark.skipif(JIT_DISABLED, reason="takes minutes without the compiler")
@pytest.mark.parametrize("policy", ["random", "basic", "book"])
def test_golden_odds_stay(policy):
    assert golden.odds_digest(policy) == golden.expected()["odds"][policy]


@pytest.mark.parametrize(("preset", "policy"), golden.READABLE)
def test_readable_games_stay_and_keep_the_rules(preset, policy):
    text = golden.readable_path(preset, policy).read_text(encoding="utf-8")
    assert golden.readable(preset, policy) == text
    record = json.loads(text)
    assert oracle.complete_record(record) == record


def test_every_readable_game_is_one_of_those_listed():
    listed = {golden.readable_path(*names) for names in golden.READABLE}
    assert {path for path in golden.FOLDER.glob("*.json") if path.name != "digests.json"} == listed


@pytest.mark.parametrize(("name", "changed"), [("schedule", [[1]]), ("khishti", -201)])
def test_a_digest_sees_a_change(name, changed):
    run = golden.play("classic", "random", 1)
    assert golden.digest(run) != golden.digest(
        golden.play("classic", "random", 1, **{name: changed})
    )


@pytest.mark.skipif(JIT_DISABLED, reason="compares with compiled kernels")
def test_the_interpreter_plays_the_same_games():
    assert digests_elsewhere(SAMPLE, NUMBA_DISABLE_JIT="1") == digests_here(SAMPLE)


@pytest.mark.slow
@pytest.mark.skipif(JIT_DISABLED, reason="compares with compiled kernels")
def test_a_generic_processor_plays_the_same_games():
    """Without the processor's bit instructions and whatever else the compiler finds here."""
    assert digests_elsewhere(SAMPLE, NUMBA_CPU_NAME="generic") == digests_here(SAMPLE)


@pytest.mark.slow
@pytest.mark.skipif(JIT_DISABLED, reason="compares with compiled kernels")
def test_no_kernel_reaches_beyond_an_array(tmp_path):
    """Bounds are checked at every access, and nothing was compiled before."""
    sample = [f"{preset}:{policy}:20" for preset, policy in golden.cases()]
    found = digests_elsewhere(sample, NUMBA_BOUNDSCHECK="1", JOKERSIM_CACHE_DIR=str(tmp_path))
    held = golden.expected()["digests"]
    assert found == [held[preset][policy] for preset, policy in golden.cases()]
