"""The public list: what it names is there, typed, and stays what it is."""

import ast
import importlib
import pickle
import subprocess
import sys
from pathlib import Path

import jokersim

SOURCE = ast.parse(Path(jokersim.__file__).read_text(encoding="utf-8"))


def test_every_public_name_is_there():
    for name in jokersim.__all__:
        assert getattr(jokersim, name) is not None
    assert set(jokersim.__all__) <= set(dir(jokersim))
    assert not hasattr(jokersim, "no_such_name")


def test_type_checkers_are_told_the_same_list():
    told = {
        (node.module, alias.name)
        for block in ast.walk(SOURCE)
        if isinstance(block, ast.If)
        for node in ast.walk(block)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert told == {(home, name) for home, names in jokersim._HOMES.items() for name in names}
    assert {name for _, name in told} | {"__version__"} == set(jokersim.__all__)
    assert jokersim.__all__ == sorted(jokersim.__all__)


def test_a_function_is_not_hidden_by_the_module_of_its_name():
    for home, names in jokersim._HOMES.items():
        module = importlib.import_module(home)
        for name in names:
            assert getattr(jokersim, name) is getattr(module, name)


def test_that_holds_whatever_is_imported_first():
    code = """
import jokersim.simulate.run, jokersim.rules
import jokersim as js
from jokersim import rules, simulate
assert callable(js.simulate) and callable(js.rules)
assert simulate is js.simulate and rules is js.rules
"""
    root = Path(__file__).resolve().parent.parent
    subprocess.run([sys.executable, "-c", code], cwd=root, check=True)


def test_the_package_is_pickled_by_name():
    # Who pickles functions by value (numba's cache, Dask) pickles the modules that they name.
    assert pickle.loads(pickle.dumps(jokersim)) is jokersim
