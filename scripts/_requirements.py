"""List or check the packages that a set of the environment needs, as pyproject.toml states them.

``_requirements.py list SET`` prints a requirement a line; ``check SET`` exits with 1, naming the
package, if one of the set cannot be found or used. SET is ``run``, or an extra on top of it. Runs
in a bare environment: standard library only.
"""

import importlib
import importlib.metadata
import re
import sys
import tomllib
from pathlib import Path


def requirements(extra: str) -> tuple[list[str], list[str]]:
    """Return the requirements of running, and those that the extra adds."""
    path = Path(__file__).resolve().parent.parent / "pyproject.toml"
    project = tomllib.loads(path.read_text(encoding="utf-8"))["project"]
    extras = {"run": [], **project["optional-dependencies"]}
    return project["dependencies"], extras[extra]


def name(requirement: str) -> str:
    """Return the package that a requirement is about."""
    return re.split(r"[^A-Za-z0-9._-]", requirement, maxsplit=1)[0]


def check(extra: str) -> str | None:
    """Return what is wrong with the installed packages, None if nothing is."""
    needed, added = requirements(extra)
    for requirement in needed + added:
        try:
            importlib.metadata.version(name(requirement))
        except importlib.metadata.PackageNotFoundError:
            return f"{name(requirement)} is not installed"
    # Each of these is imported by the name that it is installed by. An import finds what a list of
    # installed packages does not: files gone, a library of the system missing.
    for requirement in needed:
        try:
            importlib.import_module(name(requirement))
        except ImportError as error:
            return f"{name(requirement)} cannot be used: {error}"
    return None


def main(action: str, extra: str) -> None:
    """Do what the command line asks for."""
    if action == "list":
        needed, added = requirements(extra)
        print("\n".join(needed + added))
    elif fault := check(extra):
        raise SystemExit(f"jokersim: {fault}")


if __name__ == "__main__":
    main(*sys.argv[1:])
