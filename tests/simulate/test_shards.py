"""Shards: whole parts, every game once, and together the files of one run."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

import jokersim as js
from jokersim.errors import InputError, SpecError
from jokersim.simulate.merge import merge
from jokersim.simulate.shards import Shard, parse_shard, shard_span
from tests.store.small import contents


@given(
    games=st.integers(1, 10**6), part=st.integers(1, 10**5), of=st.integers(1, 50), data=st.data()
)
def test_shards_are_whole_parts_and_hold_every_game_once(games, part, of, data):
    parts = -(-games // part)
    of = min(of, parts)
    spans = [shard_span(Shard(k, of), games, part) for k in range(1, of + 1)]
    assert spans[0][0] == 0
    assert spans[-1][1] == games
    assert all(a[1] == b[0] and a[1] % part == 0 for a, b in itertools.pairwise(spans))
    sizes = {-(-(stop - start) // part) for start, stop in spans}
    assert max(sizes) - min(sizes) <= 1
    assert min(sizes) >= 1


@pytest.mark.parametrize("text", ["0/3", "4/3", "1", "1/0", "-1/3", "a/b", "1/2/3", ""])
def test_what_is_no_shard_is_refused(text):
    with pytest.raises(InputError, match="is no shard: it is k/n"):
        parse_shard(text)


def test_more_shards_than_parts_are_refused():
    with pytest.raises(InputError, match="too few for 4 shards"):
        shard_span(Shard(1, 4), 300, 100)


@pytest.mark.parametrize("rules", ["nines", "japanese"])
def test_merged_shards_are_the_run_without_shards(tmp_path, rules):
    asked = {"games": 95, "seed": 2, "policies": "random", "part": 10}
    whole = js.simulate(rules, **asked, out=tmp_path / "whole")
    shards = [tmp_path / str(k) for k in (1, 2, 3)]
    for k, out in enumerate(shards, 1):
        js.simulate(rules, **asked, out=out, shard=(k, 3), level=0.5)
    run = merge(tmp_path / "all", shards[::-1])
    assert contents(tmp_path / "all") == contents(tmp_path / "whole")
    expected = whole.summary()
    del expected["seconds"], expected["games_per_minute"]
    assert run.summary() == expected


def test_a_missing_shard_a_double_one_and_a_strange_one_are_named(tmp_path):
    def shard(name, k, seed=2):
        js.simulate("nines", games=40, seed=seed, policies="random", part=10,
                    tables=["games"], out=tmp_path / name, shard=f"{k}/2")  # fmt: skip
        return tmp_path / name

    one, two, other = shard("one", 1), shard("two", 2), shard("other", 2, seed=3)
    with pytest.raises(InputError, match="games 20 to 39 of 40 are in none of the shards"):
        merge(tmp_path / "all", [one])
    with pytest.raises(InputError, match="once more"):
        merge(tmp_path / "all", [one, one, two])
    with pytest.raises(SpecError, match=r"differs in seed \(asked 2, there 3\)"):
        merge(tmp_path / "all", [one, other])
    assert not (tmp_path / "all").exists()


def test_shards_are_about_a_dataset():
    with pytest.raises(InputError, match="name its folder"):
        js.simulate("nines", games=10, seed=1, shard="1/2")
