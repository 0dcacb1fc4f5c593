"""What the import contracts in pyproject.toml cannot say."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
HEAVY = ("numba", "pandas", "pyarrow")


def imported(path: Path) -> set[str]:
    """Return the modules that a file imports, anywhere in it."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            found.add(node.module or "")
    return found


def test_the_slow_twin_owes_nothing_to_the_package():
    files = list((ROOT / "tests" / "oracle").glob("**/*.py"))
    assert files
    for path in files:
        assert not {name for name in imported(path) if name.split(".")[0] == "jokersim"}, path


@pytest.mark.parametrize("module", ["jokersim", "jokersim.cards", "jokersim.rules"])
def test_nothing_heavy_is_imported_on_start(module):
    code = f"import sys, {module}; print([name for name in {HEAVY} if name in sys.modules])"
    shown = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert shown.stdout == "[]\n"


def test_play_at_random_loads_no_more_than_it_needs():
    # A start takes as long as what it imports.
    others = (
        "pandas",
        "pyarrow",
        "jokersim.book",
        "jokersim.kernels.game",
        "jokersim.records",
        "jokersim.search",
        "jokersim.simulate.where",
        "jokersim.store",
        "jokersim.table",
    )
    arguments = ["simulate", "--game", "nines", "--games", "1", "--policy", "random", "--quiet"]
    code = (
        "import sys; from jokersim.cli import main; "
        f"code = main({arguments}); "
        f"print([code, *(name for name in {others} if name in sys.modules)])"
    )
    shown = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert shown.stdout.splitlines()[-1] == "[0]"


def test_writing_a_dataset_loads_no_pandas(tmp_path):
    arguments = ["simulate", "--games", "1", "--policy", "random", "--quiet"]
    code = (
        "import sys; from jokersim.cli import main; "
        f"code = main([*{arguments}, '--out', {str(tmp_path / 'run')!r}]); "
        "print(code, 'pandas' in sys.modules)"
    )
    shown = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert shown.stdout.splitlines()[-1] == "0 False"
