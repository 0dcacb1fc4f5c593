"""Users' policies: compiled or plain, in every seat, and what is said of those that fail."""

import gc
import importlib.util
import os
import subprocess
import sys
import weakref
from pathlib import Path

import numpy as np
import pytest

import jokersim as js
from jokersim.errors import InputError, RunError
from jokersim.kernels.jit import JIT_DISABLED
from jokersim.kernels.policies import user
from jokersim.policies import parse_policies, seated
from jokersim.user_policies import load, policy, user_policy

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "tests" / "data"
# Whole games with the compiler off take their time; one is enough to see a difference.
GAMES = 1 if JIT_DISABLED else 20


def example():
    spec = importlib.util.spec_from_file_location("example_policies", DATA / "example_policies.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["example_policies"] = module
    spec.loader.exec_module(module)
    return module


users = example()


def plays(policies, game="classic", games=GAMES, **options):
    return js.simulate(
        game,
        games=games,
        seed=7,
        policies=policies,
        tables=["games", "plays"],
        threads=2,
        **options,
    )


@pytest.mark.parametrize("game", ["classic", "nines", "japanese"])
@pytest.mark.parametrize("user", [users.Uniform, users.plain], ids=["compiled", "plain"])
def test_a_user_draws_as_the_built_in_random_does(game, user):
    games = min(GAMES, 5)
    expected = plays("random", game, games).plays()
    assert plays(user, game, games).plays().equals(expected)


@pytest.mark.parametrize("seats", [(0,), (1, 3), (0, 1, 2)])
def test_users_and_built_in_policies_sit_at_one_table(seats):
    policies = [users.Uniform if seat in seats else "random" for seat in range(4)]
    policies[seats[0]] = users.plain
    assert plays(policies).plays().equals(plays("random").plays())


def test_a_compiled_policy_plays_as_its_python_does():
    compiled = plays(users.Steady, games=min(GAMES, 5)).plays()
    assert compiled.equals(plays(users.PlainSteady, games=min(GAMES, 5)).plays())
    assert not compiled.equals(plays("random", games=min(GAMES, 5)).plays())


def test_threads_and_chunks_do_not_matter():
    expected = plays(users.Steady).plays()
    assert plays(users.Steady, chunk=3).plays().equals(expected)


def test_draws_are_the_seats_own_stream_whatever_their_size():
    seen = []

    class Draws:
        def trump(self, obs, legal, draw):
            return 0

        def bid(self, obs, legal, draw):
            seen.append([draw(n) for n in (1, 32, 33, 2**31 - 1)])
            return 0

        def play(self, obs, legal, draw):
            return 0

    js.simulate("classic", games=1, seed=3, policies=[Draws(), "random", "random", "random"])
    alone, seen[:] = list(seen), []
    js.simulate("classic", games=1, seed=3, policies=[Draws(), "basic", "random", "random"])
    assert seen == alone
    low = np.min(seen, axis=0)
    high = np.max(seen, axis=0)
    assert low[0] == high[0] == 0
    assert high[1] > 16 < high[2] <= 32
    assert high[3] > 2**30


def test_what_is_seen_can_only_be_read():
    tried = []

    class Curious:
        def trump(self, obs, legal, draw):
            return 0

        def bid(self, obs, legal, draw):
            for write in (
                lambda: setattr(obs, "hand", 0),
                lambda: obs.bids.__setitem__(0, 1),
                lambda: obs.score.__setitem__((1, 1, 1), 9),
                lambda: legal.__setitem__(0, 9),
            ):
                with pytest.raises((AttributeError, ValueError)):
                    write()
            tried.append(obs)
            return 0

        def play(self, obs, legal, draw):
            return 0

    js.simulate("classic", games=1, seed=3, policies=[Curious(), "random", "random", "random"])
    assert len(tried) == 24
    # What was kept is what was seen then, not what the game has become.
    assert [obs.deal for obs in tried] == list(range(24))


def test_a_seat_sees_its_three_cards_when_it_names_trump():
    held = []

    class Looks:
        def trump(self, obs, legal, draw):
            held.append((obs.hand.bit_count(), list(legal)))
            return 4

        def bid(self, obs, legal, draw):
            assert obs.hand.bit_count() == obs.size
            return 0

        def play(self, obs, legal, draw):
            assert obs.hand.bit_count() == obs.size - obs.trick
            return 0

    js.simulate("classic", games=1, seed=3, policies=Looks())
    assert held == [(3, [0, 1, 2, 3, 4])] * 8


FAILURES = {
    "Divides": "game 0, deal 8, seat 2: play raised ZeroDivisionError",
    "OutOfRange": "game 0, deal 2, seat 2: play answered",
    "TooFew": "game 0, deal 0, seat 2: its bid takes (obs, legal)",
    "Writes": "game 0, deal 0, seat 2: ",
    "Text": "game 0, deal 0, seat 2: ",
}


@pytest.mark.parametrize("name", FAILURES)
def test_a_failure_names_seed_game_deal_and_seat(name):
    with pytest.raises(RunError) as raised:
        plays(["basic", "random", getattr(users, name), "random"])
    text = str(raised.value)
    assert text.startswith(f"policy example_policies:{name} failed with seed 7 in ")
    assert FAILURES[name] in text
    assert "\n" not in text


@pytest.mark.parametrize("answer", [-1, 5, 2**40, 2**70, 1.0, None, "0"])
def test_an_answer_that_is_no_index_is_refused(answer):
    class Answers:
        def trump(self, obs, legal, draw):
            return 0

        def bid(self, obs, legal, draw):
            return answer if obs.deal == 3 else 0

        def play(self, obs, legal, draw):
            return 0

    with pytest.raises(RunError, match=r"seed 7 in game 0, deal 3, seat 1: bid "):
        plays(["random", Answers(), "random", "random"])


def test_the_game_that_failed_is_named_and_not_the_first_of_its_chunk():
    class Late:
        games = 0

        def trump(self, obs, legal, draw):
            return 0

        def bid(self, obs, legal, draw):
            self.games += obs.deal == 0
            return 9 if self.games == 12 else 0

        def play(self, obs, legal, draw):
            return 0

    rules = js.rules("classic", schedule=[[1]])
    with pytest.raises(RunError, match=r"seed 7 in game 11, deal 0, seat 3: bid answered 9"):
        plays(["random", "random", "random", Late()], rules, games=40)


def test_nothing_of_a_part_that_failed_is_written(tmp_path):
    with pytest.raises(RunError):
        js.simulate(
            "classic", games=2, seed=7, policies=users.OutOfRange, out=tmp_path / "run", part=1
        )
    assert not list((tmp_path / "run").glob("**/*.parquet"))


class First:
    """Takes the first choice, and knows no davi."""

    trump = bid = play = staticmethod(lambda obs, legal, draw: 0)


@pytest.mark.parametrize("user", [First, policy(First)], ids=["plain", "compiled"])
def test_davi_is_asked_for_only_where_there_is_davi(user):
    assert plays(user, "japanese", games=1).n_games == 1
    with pytest.raises(RunError, match=r"seed 7 in game 0, deal 0, seat \d: it has no davi\(obs"):
        plays(user, js.rules("japanese", davi="party"), games=1)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("nowhere_at_all:X", "ModuleNotFoundError"),
        ("example_policies:Nobody", "AttributeError"),
        ("example_policies:FAILING", "AttributeError"),
        ("example_policies:njit", "has no trump"),
        ("brilliant", "is no policy"),
    ],
)
def test_what_is_no_policy_is_refused_before_the_start(text, why):
    with pytest.raises(InputError, match=why):
        plays(text)


def test_only_a_class_is_decorated():
    with pytest.raises(InputError, match="decorates a class"):
        policy(users.plain)
    with pytest.raises(InputError, match="has no trump"):
        policy(type("Empty", (), {}))


def test_a_class_with_methods_gets_an_instance():
    assert isinstance(user_policy(users.PlainUniform).given, users.PlainUniform)
    assert user_policy(users.PlainSteady).given is users.PlainSteady


def test_a_policy_is_found_by_its_text():
    found = load("example_policies:Uniform")
    assert found is users.Uniform
    assert found.name == "example_policies:Uniform"


def test_the_source_hash_follows_the_code_and_its_helpers(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    helper = tmp_path / "a_users_helper.py"
    module = tmp_path / "a_users_module.py"
    module.write_text(
        "from a_users_helper import HEIGHT, choose\n"
        "class Bot:\n"
        "    def trump(obs, legal, draw): return 0\n"
        "    def bid(obs, legal, draw): return choose(legal)\n"
        "    def play(obs, legal, draw): return 0\n"
    )

    def hashed(text):
        helper.write_text(text)
        for name in ("a_users_helper", "a_users_module"):
            sys.modules.pop(name, None)
        importlib.invalidate_caches()
        return load("a_users_module:Bot").source

    first = hashed("HEIGHT = 1\ndef choose(legal): return 0\n")
    assert hashed("HEIGHT = 1\ndef choose(legal): return 0\n") == first
    assert hashed("HEIGHT = 1\ndef choose(legal): return 00 + 1\n") != first
    assert hashed("HEIGHT = 22\ndef choose(legal): return 0\n") != first


@pytest.mark.skipif(JIT_DISABLED, reason="nothing is compiled")
def test_compiled_policies_are_found_again_by_the_next_process(tmp_path):
    code = (
        "import sys, numba; sys.path.insert(0, sys.argv[1])\n"
        "from numba.core import event\n"
        "import example_policies as users\n"
        "with event.install_recorder('numba:compile') as recorder:\n"
        "    users.Uniform.row('four')\n"
        "print(len(recorder.buffer))\n"
    )
    environment = os.environ | {"PYTHONPATH": str(ROOT), "JOKERSIM_CACHE_DIR": str(tmp_path)}

    def compilations():
        command = [sys.executable, "-c", code, str(DATA)]
        shown = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
        return int(shown.stdout)

    assert compilations() > 0
    assert compilations() == 0


def test_rows_live_as_long_as_the_numbers_that_name_them():
    seats = seated(parse_policies(users.plain, "four", 4), "four")
    row = weakref.ref(seats._rows[0])
    numbers = seats.numbers
    del seats
    gc.collect()
    assert row() is not None
    assert (numbers >= user.FIRST).all()
    del numbers
    gc.collect()
    assert row() is None


def test_a_dataset_of_a_users_policy_names_it_and_its_source(tmp_path):
    js.simulate("classic", games=2, seed=1, policies=users.plain, out=tmp_path / "run")
    policy = js.read(tmp_path / "run").policies[0]
    assert (policy.name, policy.source) == ("example_policies:PlainUniform", users.Uniform.source)
    with pytest.raises(InputError, match="cannot be asked here"):
        seated([policy] * 4, "four")
