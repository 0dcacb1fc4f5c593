"""Runs on a Dask cluster: the same bytes as by threads, whoever is lost on the way."""

import os
import signal
import threading
import time
from pathlib import Path

import pytest

import jokersim as js
from jokersim import store
from jokersim.errors import InputError
from jokersim.odds.batch import answer_lines
from jokersim.simulate import plan
from jokersim.simulate.dask import Cluster, Recipe, connected, mapped
from jokersim.table import play_game
from tests.cli.calls import finished, start
from tests.store.small import contents

distributed = pytest.importorskip("distributed")

# Sockets and processes of a cluster are closed when they are collected, if not before.
pytestmark = pytest.mark.filterwarnings("ignore")

RULES = js.rules("nines", schedule=[[4, 4]])
ASKED = {"games": 20_000, "seed": 9, "policies": "random", "part": 1_000}


@pytest.fixture(scope="module")
def client():
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs="CRITICAL"
        ) as cluster,
        distributed.Client(cluster) as own,
    ):
        yield own


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    folder = tmp_path_factory.mktemp("threads") / "run"
    js.simulate(RULES, **ASKED, out=folder)
    return contents(folder)


def test_a_dataset_is_the_same_as_by_threads(client, tmp_path, whole):
    told = []
    run = js.simulate(
        RULES, **ASKED, out=tmp_path / "run", client=client,
        progress=lambda done, games: told.append((done, games)),
    )  # fmt: skip
    assert contents(tmp_path / "run") == whole
    assert run.n_games == 20_000
    assert told == [(done, 20_000) for done in range(1_000, 20_001, 1_000)]


@pytest.mark.parametrize(("game", "policy"), [("japanese", "random"), ("nines", "book")])
def test_without_a_dataset(client, game, policy):
    asked = {"games": 500, "seed": 9, "policies": policy, "tables": ["games", "deals"]}
    far, near = (js.simulate(game, **asked, client=own) for own in (client, None))
    assert far.sums == near.sums
    assert far.deals().equals(near.deals())


def test_a_run_goes_on_and_stops_at_a_precision(client, tmp_path):
    asked = {**ASKED, "precision": "mean_score=5", "out": tmp_path / "far"}
    far = js.simulate(RULES, **asked, client=client)
    near = js.simulate(RULES, **(asked | {"out": tmp_path / "near"}))
    assert far.n_games == near.n_games < 20_000
    assert contents(tmp_path / "far") == contents(tmp_path / "near")
    more = {**ASKED, "resume": True}
    js.simulate(RULES, **more, out=tmp_path / "far", client=client)
    js.simulate(RULES, **more, out=tmp_path / "near")
    assert contents(tmp_path / "far") == contents(tmp_path / "near")


def test_a_worker_is_killed_and_the_run_is_complete(client, tmp_path, whole):
    victim = min(client.run(os.getpid).values())
    killed = []

    def kill(done, games):
        if done >= 3_000 and not killed:
            killed.append(victim)
            os.kill(victim, signal.SIGKILL)

    js.simulate(RULES, **ASKED, out=tmp_path / "run", client=client, progress=kill)
    assert killed == [victim]
    left = contents(tmp_path / "run")
    assert {name: data for name, data in left.items() if not name.startswith("tmp/")} == whole
    assert len(store.read(tmp_path / "run").markers()) == 20
    client.wait_for_workers(2, timeout=60)


@pytest.mark.slow
def test_the_client_is_killed_and_the_run_goes_on(client, tmp_path, whole):
    folder = tmp_path / "run"
    process = start(
        "simulate", "--game", "nines", "--set", "schedule=[[4,4]]", "--games", 20_000, "--seed", 9,
        "--policy", "random", "--part", 1_000, "--out", folder, "--quiet",
        "--dask", client.scheduler.address,
    )  # fmt: skip
    while not list(folder.glob("parts/*.json")):
        assert process.poll() is None, process.communicate()
        time.sleep(0.01)
    process.kill()
    finished(process)
    # Its tasks may still be under way while the next client begins.
    js.simulate(RULES, **ASKED, out=folder, client=client, resume=True)
    left = contents(folder)
    assert {name: data for name, data in left.items() if not name.startswith("tmp/")} == whole


def test_given_deals_travel_with_their_games(client, tmp_path):
    given = [play_game(RULES, [0] * 4, 7, index) for index in range(60)]
    asked = {"deals": given, "seed": 9, "policies": "basic", "part": 20}
    js.simulate(**asked, out=tmp_path / "far", client=client)
    js.simulate(**asked, out=tmp_path / "near")
    assert contents(tmp_path / "far") == contents(tmp_path / "near")


@pytest.mark.parametrize(("game", "seats"), [(RULES, "2v2"), ("japanese", None)])
def test_a_match(client, game, seats):
    asked = {"games": 300, "seed": 3, "seats": seats, "precision": 1e-9}
    far, near = (js.match(game, "basic", "random", **asked, client=own) for own in (client, None))
    assert far.sums == near.sums
    assert (far.difference, far.reached) == (near.difference, False)


def test_a_batch_of_odds(client):
    lines = [
        '{"id": 1, "hand": "AS", "turned": "7H", "position": 0, "samples": 50}',
        '{"id": 2, "hand": "AS KS", "turned": "9S", "position": 3, "bids": "0,0,1"}',
        '{"id": 3, "hand": "AS AS", "turned": "9S", "position": 0}',
        "[]",
    ]
    asked = {"defaults": {"policy": "random", "samples": 40}}
    far, near = (
        list(answer_lines(enumerate(lines, 1), **asked, client=own)) for own in (client, None)
    )
    assert far == near
    assert ["error" in answer for answer in far] == [False, False, True, True]
    assert list(answer_lines([], client=client)) == []


def fail_once(folder, number):
    """Fail when a number comes for the first time."""
    path = Path(folder) / str(number)
    if not path.exists():
        path.touch()
        raise OSError(5, "Input/output error")
    return number


def test_tasks_are_tried_again_and_answered_in_order(client, tmp_path):
    tasks = [(str(tmp_path), number) for number in range(12)]
    assert list(mapped(client, fail_once, tasks)) == list(range(12))


def always_fail(number):
    raise ValueError(f"no {number}")


def test_a_task_that_always_fails_is_said(client):
    with pytest.raises(js.RunError, match="a Dask task failed 4 times, at last with ValueError"):
        list(mapped(client, always_fail, [(1,)]))


def test_a_run_can_be_interrupted(client, tmp_path, whole):
    class Ended(Exception):
        pass

    def end(done, games):
        if done >= 5_000:
            raise Ended

    with pytest.raises(Ended):
        js.simulate(RULES, **ASKED, out=tmp_path / "run", client=client, progress=end)
    js.simulate(RULES, **ASKED, out=tmp_path / "run", client=client, resume=True)
    left = contents(tmp_path / "run")
    assert {name: data for name, data in left.items() if not name.startswith("tmp/")} == whole


def test_another_policy_on_a_worker_is_refused(client):
    setup = plan(RULES, "random", 1)
    cluster = Cluster(client, Recipe.of(setup), 10, None)
    cluster._recipe = cluster._recipe._replace(sources=("0" * 16,) * 4)
    with pytest.raises(js.SpecError, match="another version of the policy random"):
        list(cluster.chunks([(0, 10)]))


@pytest.mark.slow
def test_local_workers_by_name():
    before = threading.active_count()
    run = js.simulate(RULES, games=30, seed=1, policies="random", client="local:1")
    assert run.sums == js.simulate(RULES, games=30, seed=1, policies="random").sums
    assert threading.active_count() <= before + 5


@pytest.mark.parametrize(
    "address", ["local", "local:0", "local:x", "host", "", "tcp://127.0.0.1:9"]
)
def test_what_is_no_cluster_is_refused(address, monkeypatch):
    with pytest.raises(InputError, match="Dask"):
        js.simulate(RULES, games=5, seed=1, policies="random", client=address)


def test_local_workers_keep_memory_and_the_caller_does_not_notice(monkeypatch):
    monkeypatch.setenv("MALLOC_MMAP_THRESHOLD_", "123456")
    monkeypatch.delenv("MALLOC_TRIM_THRESHOLD_", raising=False)
    names = ("MALLOC_TRIM_THRESHOLD_", "MALLOC_MMAP_THRESHOLD_")
    with connected("local:1") as client:
        found = client.submit(lambda: [os.environ.get(name) for name in names]).result()
    assert found == [str(1 << 30), "123456"]
    assert "MALLOC_TRIM_THRESHOLD_" not in os.environ
