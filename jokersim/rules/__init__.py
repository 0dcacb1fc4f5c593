"""Rule sets as frozen data: presets, options, their validation, and how they are read.

A rule set is `FourRules` (Classic, Nines) or `TwoRules` (Japanese Joker), made by `rules`. It knows
nothing of cards, kernels or records.
"""

from jokersim.rules.build import Rules, find_option, read_rules_toml, rules, rules_from
from jokersim.rules.describe import OptionRow, PresetRow, option_rows, preset_rows
from jokersim.rules.four import FourRules
from jokersim.rules.options import Option, format_value
from jokersim.rules.presets import PRESETS, Preset
from jokersim.rules.two import TwoRules

__all__ = [
    "PRESETS",
    "FourRules",
    "Option",
    "OptionRow",
    "Preset",
    "PresetRow",
    "Rules",
    "TwoRules",
    "find_option",
    "format_value",
    "option_rows",
    "preset_rows",
    "read_rules_toml",
    "rules",
    "rules_from",
]
