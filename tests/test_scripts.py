"""The set-up scripts, with an interpreter whose `venv` and `pip` only pretend."""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

# Real Python for all but what would need time or a network. Each call is a line of $LOG; an
# environment is its bin/python, which is this script again.
INTERPRETER = f"""#!/usr/bin/env bash
echo "$*" | head -n 1 >>"$LOG"
case "$*" in
"-I -m venv "*) mkdir -p "$4/bin" && cp "$0" "$4/bin/python" ;;
"-I -m pip "*) sleep "${{PIP_SECONDS:-0}}" && exit "${{PIP_STATUS:-0}}" ;;
*"_requirements.py check "*) [[ ! -e $(dirname "$0")/broken ]] ;;
"-m ruff check"*) exit "${{RUFF_STATUS:-0}}" ;;
"-m pytest"*) printf '<%s>' "$@" >>"$LOG"; exit "${{PYTEST_STATUS:-0}}" ;;
"-m "* | *importlinter*) ;;
*) exec {sys.executable} "$@" ;;
esac
"""

COMMAND_LINE = """
import sys
def main():
    print(sys.argv)
    return 5 if "fail" in sys.argv else 0
"""


class Checkout:
    """A copy of the scripts beside a command line that prints its arguments."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "check out"
        shutil.copytree(ROOT / "scripts", self.root / "scripts")
        shutil.copy(ROOT / "pyproject.toml", self.root)
        (self.root / "jokersim").mkdir()
        (self.root / "jokersim" / "__init__.py").touch()
        (self.root / "jokersim" / "cli.py").write_text(COMMAND_LINE)
        self.elsewhere = folder / "elsewhere"
        self.home = folder / "home"
        self.tmp = folder / "tmp"
        for made in (self.elsewhere, self.home, self.tmp):
            made.mkdir()
        interpreter = folder / "python3"
        interpreter.write_text(INTERPRETER)
        interpreter.chmod(0o755)
        self.log = folder / "log"
        self.log.touch()
        self.env = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.home),
            "TMPDIR": str(self.tmp),
            "LOG": str(self.log),
            "PYTHON": str(interpreter),
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        self.venv = self.root / ".venv"

    def start(self, *arguments: str, script: str = "jokersim", **env: str) -> subprocess.Popen[str]:
        command = [*UNPRIVILEGED, str(self.root / "scripts" / script), *arguments]
        return subprocess.Popen(
            command,
            cwd=self.elsewhere,
            env=self.env | env,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def run(self, *arguments: str, **options: str) -> tuple[int, str, list[str]]:
        """Return the exit code, stdout and the lines of stderr."""
        process = self.start(*arguments, **options)
        out, err = process.communicate(timeout=60)
        return process.returncode, out, err.splitlines()

    def calls(self, part: str) -> int:
        return sum(part in line for line in self.log.read_text().splitlines())

    def make_read_only(self) -> None:
        self.root.chmod(0o555)
        probe = subprocess.run([*UNPRIVILEGED, "test", "-w", str(self.root)], check=False)
        if probe.returncode == 0:
            pytest.skip("this user writes where it is not allowed to, and setpriv is not there")


# Root writes anywhere; without its capabilities it meets permissions like everyone else.
UNPRIVILEGED = (
    ["setpriv", "--bounding-set=-all", "--inh-caps=-all"]
    if os.geteuid() == 0 and shutil.which("setpriv")
    else []
)


@pytest.fixture
def checkout(tmp_path):
    made = Checkout(tmp_path)
    yield made
    made.root.chmod(0o755)


def test_first_use_sets_up_and_says_so_in_one_line(checkout):
    code, out, err = checkout.run("simulate", "two words", "", "--x=*")
    assert code == 0
    assert out == "['jokersim', 'simulate', 'two words', '', '--x=*']\n"
    assert len(err) == 1
    assert str(checkout.venv) in err[0]


def test_second_use_runs_nothing_but_the_program(checkout):
    checkout.run()
    checkout.log.write_text("")
    code, _, err = checkout.run("--help")
    assert (code, err) == (0, [])
    assert len(checkout.log.read_text().splitlines()) == 1


def test_exit_code_is_the_programs(checkout):
    assert checkout.run("fail")[0] == 5


def test_current_folder_shadows_nothing(checkout):
    (checkout.elsewhere / "jokersim.py").write_text("raise SystemExit('wrong jokersim')")
    (checkout.elsewhere / "pip.py").write_text("raise SystemExit('wrong pip')")
    assert checkout.run()[0] == 0


def test_script_may_be_linked_to(checkout):
    link = checkout.root / "scripts" / "linked"
    link.symlink_to(checkout.root / "scripts" / "jokersim")
    shutil.move(link, checkout.elsewhere / "linked")
    assert checkout.run(script=str(checkout.elsewhere / "linked"))[0] == 0


def test_two_at_once_set_up_once(checkout):
    both = [checkout.start(PIP_SECONDS="0.5") for _ in range(2)]
    for process in both:
        out, _ = process.communicate(timeout=60)
        assert (process.returncode, out) == (0, "['jokersim']\n")
    assert checkout.calls("-m pip") == 1


def test_half_built_environment_is_rebuilt(checkout):
    process = checkout.start(PIP_SECONDS="60")
    while not checkout.calls("-m pip"):
        assert process.poll() is None
        time.sleep(0.02)
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    left = checkout.venv / "left"
    left.touch()
    code, out, err = checkout.run()
    assert (code, out, len(err)) == (0, "['jokersim']\n", 1)
    assert not left.exists()


def test_broken_environment_is_rebuilt(checkout):
    checkout.run()
    (checkout.venv / ".stamp-run").unlink()
    (checkout.venv / "bin" / "broken").touch()
    assert checkout.run()[0] == 0
    assert not (checkout.venv / "bin" / "broken").exists()


def test_lost_interpreter_means_rebuilding(checkout):
    checkout.run()
    (checkout.venv / "bin" / "python").unlink()
    assert checkout.run()[0] == 0


def test_environment_without_stamp_is_completed_not_thrown_away(checkout):
    checkout.run()
    (checkout.venv / ".stamp-run").unlink()
    (checkout.venv / "mine").touch()
    assert checkout.run()[0] == 0
    assert (checkout.venv / "mine").exists()
    assert checkout.calls("-m pip") == 2


def test_changed_dependencies_are_installed(checkout):
    checkout.run()
    with (checkout.root / "pyproject.toml").open("a") as file:
        file.write("\n# changed\n")
    assert checkout.run()[0] == 0
    assert checkout.calls("-m pip") == 2
    assert checkout.calls("-m venv") == 1


def test_failed_install_is_told_and_tried_again(checkout):
    code, out, err = checkout.run(PIP_STATUS="1")
    assert (code, out) == (1, "")
    assert err[-1].startswith(f"jokersim: could not set up {checkout.venv}: ")
    assert checkout.run()[0] == 0


def test_python_that_is_not_there_is_refused(checkout):
    code, out, err = checkout.run(PYTHON="python-of-nobody")
    assert (code, out, len(err)) == (2, "", 1)
    assert "python-of-nobody" in err[0]
    assert "3.11" in err[0]


def test_read_only_checkout_uses_the_cache_folder(checkout):
    before = sorted(checkout.root.rglob("*"))
    checkout.make_read_only()
    code, out, err = checkout.run()
    assert (code, out) == (0, "['jokersim']\n")
    assert str(checkout.home) in err[0]
    assert sorted(checkout.root.rglob("*")) == before
    assert checkout.run()[2] == []


def test_read_only_checkout_uses_the_environment_that_it_has(checkout):
    checkout.run()
    checkout.make_read_only()
    assert checkout.run() == (0, "['jokersim']\n", [])
    assert list(checkout.home.iterdir()) == []


@pytest.mark.parametrize("home", ["", "/home-of-nobody"])
def test_without_a_home_a_private_temporary_folder_serves(checkout, home):
    checkout.make_read_only()
    assert checkout.run(HOME=home)[:2] == (0, "['jokersim']\n")
    (private,) = checkout.tmp.iterdir()
    assert private.stat().st_mode & 0o777 == 0o700
    assert checkout.run(HOME=home)[2] == []


def test_temporary_folder_open_to_others_is_refused(checkout):
    checkout.make_read_only()
    checkout.run(HOME="")
    (private,) = checkout.tmp.iterdir()
    private.chmod(0o777)
    code, out, err = checkout.run(HOME="")
    assert (code, out, len(err)) == (2, "", 1)
    assert "set HOME" in err[0]


def test_test_script_runs_every_check_and_fails_as_the_first_did(checkout):
    code, out, _ = checkout.run(script="test", RUFF_STATUS="3", PYTEST_STATUS="4")
    assert code == 3
    assert out.splitlines()[-1] == "failed: lint tests"
    for part in ("ruff check", "ruff format --check", "mypy", "importlinter", "pytest"):
        assert checkout.calls(part), part


def test_test_script_passes_arguments_on(checkout):
    code, out, _ = checkout.run("-k", "a or b", "--all", script="test")
    assert code == 0
    assert out.splitlines()[-1] == "all checks passed"
    assert "<-k><a or b><-m><>" in checkout.log.read_text()


def test_speed_is_checked_with_all_alone(checkout):
    checkout.run(script="test")
    assert checkout.calls("benchmarks.guard") == 0
    checkout.run("--all", script="test")
    assert checkout.calls("-m benchmarks.guard") == 1


@pytest.mark.parametrize("asked", [(), ("--chekc",)])
def test_bench_script_says_what_it_takes(checkout, asked):
    code, out, err = checkout.run(*asked, script="bench")
    assert (code, out, len(err)) == (2, "", 1)
    assert "--check" in err[0]


def test_test_tools_are_added_to_the_environment_at_hand(checkout):
    checkout.run()
    checkout.run(script="test")
    assert checkout.calls("-m venv") == 1
    assert checkout.run()[2] == []
    checkout.run(script="test")
    assert checkout.calls("-m pip") == 2


def ask_requirements(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(root / "scripts" / "_requirements.py"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_requirements_are_those_of_the_project():
    run = ask_requirements(ROOT, "list", "run").stdout.splitlines()
    test = ask_requirements(ROOT, "list", "test").stdout.splitlines()
    assert any(line.startswith("numba>=") for line in run)
    assert test[: len(run)] == run
    assert any(line.startswith("pytest>=") for line in test[len(run) :])
    assert ask_requirements(ROOT, "check", "run").returncode == 0


def test_missing_requirement_is_named(checkout):
    path = checkout.root / "pyproject.toml"
    path.write_text('[project]\ndependencies = ["of-nobody>=1"]\noptional-dependencies = {}\n')
    answer = ask_requirements(checkout.root, "check", "run")
    assert answer.returncode == 1
    assert answer.stderr == "jokersim: of-nobody is not installed\n"
