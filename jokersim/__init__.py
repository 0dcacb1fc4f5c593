"""Monte Carlo simulation of the Joker card games.

>>> import jokersim as js
>>> run = js.simulate(js.rules("classic", khishti=-500), games=20, seed=1, policies="random")
>>> run.n_games
20

Importing the package imports nothing else: each name below is fetched when it is first used.
"""

from __future__ import annotations

import importlib
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final

from jokersim._version import __version__

if TYPE_CHECKING:
    from jokersim.errors import (
        CheckError,
        InputError,
        JokersimError,
        OptionError,
        PrecisionError,
        RunError,
        SpecError,
    )
    from jokersim.match import Match, match
    from jokersim.odds import ShortfallError, bid_odds, open_values, play_odds, trump_odds
    from jokersim.policy_check import check_policy
    from jokersim.records import RecordError, replay
    from jokersim.rules import FourRules, Rules, TwoRules, rules
    from jokersim.simulate import Run, simulate
    from jokersim.simulate.comparison import compare
    from jokersim.simulate.merge import merge
    from jokersim.simulate.stored import read
    from jokersim.simulate.verify import Verification, verify
    from jokersim.table import Table
    from jokersim.user_policies import policy

__all__ = [
    "CheckError",
    "FourRules",
    "InputError",
    "JokersimError",
    "Match",
    "OptionError",
    "PrecisionError",
    "RecordError",
    "Rules",
    "Run",
    "RunError",
    "ShortfallError",
    "SpecError",
    "Table",
    "TwoRules",
    "Verification",
    "__version__",
    "bid_odds",
    "check_policy",
    "compare",
    "match",
    "merge",
    "open_values",
    "play_odds",
    "policy",
    "read",
    "replay",
    "rules",
    "simulate",
    "trump_odds",
    "verify",
]

_HOMES: Final = {
    "jokersim.errors": (
        "CheckError",
        "InputError",
        "JokersimError",
        "OptionError",
        "PrecisionError",
        "RunError",
        "SpecError",
    ),
    "jokersim.match": ("Match", "match"),
    "jokersim.odds": ("ShortfallError", "bid_odds", "open_values", "play_odds", "trump_odds"),
    "jokersim.policy_check": ("check_policy",),
    "jokersim.records": ("RecordError", "replay"),
    "jokersim.rules": ("FourRules", "Rules", "TwoRules", "rules"),
    "jokersim.simulate": ("Run", "simulate"),
    "jokersim.simulate.comparison": ("compare",),
    "jokersim.simulate.merge": ("merge",),
    "jokersim.simulate.stored": ("read",),
    "jokersim.simulate.verify": ("Verification", "verify"),
    "jokersim.table": ("Table",),
    "jokersim.user_policies": ("policy",),
}
_HOME_OF: Final = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    """Fetch a public name from the module that owns it."""
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


class _Package(ModuleType):
    """The package's own module: a public function keeps its name where a submodule bears it too.

    An import of ``jokersim.simulate`` would else put the module in the place of the function.
    """

    def __setattr__(self, name: str, value: object) -> None:
        if not (name in _HOME_OF and isinstance(value, ModuleType)):
            super().__setattr__(name, value)

    def __reduce__(self) -> tuple[Any, ...]:
        """Be pickled by name, as plain modules are by those who pickle functions by value."""
        return importlib.import_module, (self.__name__,)


sys.modules[__name__].__class__ = _Package
