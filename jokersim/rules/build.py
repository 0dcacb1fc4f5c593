"""Makes rule sets: from a preset and options, and from what the command line gives.

Owns the order in which presets, files and ``--set`` follow one another, and the reading of TOML.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from jokersim.errors import InputError, OptionError
from jokersim.rules.four import FourRules
from jokersim.rules.options import Option, options_of, shown
from jokersim.rules.presets import Family, preset
from jokersim.rules.two import TwoRules

__all__ = ["RULE_SETS", "Rules", "find_option", "read_rules_toml", "rules", "rules_from"]

Rules = FourRules | TwoRules

RULE_SETS: Mapping[Family, type[FourRules] | type[TwoRules]] = {"four": FourRules, "two": TwoRules}
_OTHER_FAMILY: Mapping[Family, Family] = {"four": "two", "two": "four"}


def find_option(game: str, name: str) -> Option:
    """Look up an option of a preset by name.

    Raises `InputError` for an unknown preset and `OptionError`, listing the preset's options, for
    an option that it does not have.

    >>> find_option("japanese", "davi_cap").default
    2
    """
    family = preset(game).family
    own = options_of(RULE_SETS[family])
    if name in own:
        return own[name]
    other = RULE_SETS[_OTHER_FAMILY[family]]
    hint = f" (games of {other.seats} players have it)" if name in options_of(other) else ""
    raise OptionError(
        name, f"{game} has no option {shown(name)}{hint}: its options are {', '.join(own)}"
    )


def rules(name: str = "classic", /, **options: object) -> Rules:
    """Make a rule set: a preset and the options that differ from it.

    Parameters
    ----------
    name : str
        A preset, such as ``classic``, ``nines-500`` or ``japanese-davi``.
    **options
        Options of that game (RULES.md; ``jokersim rules NAME`` lists them) and their values, held
        to the exact types: a bool is no integer and 1.0 is none either.

    Returns
    -------
    FourRules | TwoRules
        Frozen and hashable, with every option as an attribute.

    Raises
    ------
    InputError
        For an unknown preset.
    OptionError
        For an unknown option or a value that it does not take; its ``option`` names it. With
        several faults the first one, in the order given, is raised.

    >>> rules("classic", khishti=-500).changes()
    {'khishti': -500}
    """
    found = preset(name)
    values = dict(found.changes)
    values.update({key: find_option(name, key).read(value) for key, value in options.items()})
    return RULE_SETS[found.family](name, **values)  # type: ignore[arg-type]


def rules_from(
    game: str | None = None,
    file: str | os.PathLike[str] | None = None,
    sets: Sequence[str] = (),
    *,
    config: Mapping[str, object] | None = None,
) -> Rules:
    """Make a rule set from what the command line gives.

    The preset `game` comes first (else the one that `file` names, else ``classic``), then the
    options of a configuration's ``[rules]``, then those of a rules file, then each ``--set``. What
    comes later wins, a repeated ``--set`` too; what it replaces must be right all the same.

    Parameters
    ----------
    game : str, optional
        A preset's name; a rules file that names a game must name this one.
    file : path, optional
        A TOML file: options under ``[rules]``, optional ``game``.
    sets : sequence of str
        Each ``option=value``, the value in TOML, else a string.
    config : mapping, optional
        The ``[rules]`` table of a configuration file.

    Raises
    ------
    InputError
        For a file that cannot be read or used, games that disagree, a text without ``=``.
    OptionError
        As `rules`.

    >>> rules_from("classic", sets=["hook=none", "schedule=[[9,9],[1]]"]).changes()
    {'schedule': [[9, 9], [1]], 'hook': 'none'}
    """
    file_game, file_options = (None, {}) if file is None else _read_file(file)
    if game is not None and file_game is not None and game != file_game:
        raise InputError(
            f"{os.fspath(file or '')} is for the game {shown(file_game)}, "
            f"which must agree with the game asked for, {shown(game)}"
        )
    chosen = file_game if game is None else game
    name = preset("classic" if chosen is None else chosen).name
    values: dict[str, object] = {}
    values |= _checked(name, config or {}, "[rules]")
    values |= _checked(name, file_options, os.fspath(file or ""))
    for text in sets:
        option, value = _read_set(text)
        values |= _checked(name, {option: value}, "--set")
    return rules(name, **values)


def read_rules_toml(text: str, where: str) -> tuple[str | None, dict[str, object]]:
    r"""Read a rules file's text: the game that it names, if any, and its options, unchecked.

    `where` names the file in the `InputError` that bad TOML, an unknown key or a wrong type raises.

    >>> read_rules_toml('game = "nines"\n[rules]\nkhishti = -500', "my.toml")
    ('nines', {'khishti': -500})
    """
    try:
        document = _parse_toml(text)
    except ValueError as error:
        raise InputError(f"{where} is not valid TOML: {error}") from None
    for key in document:
        if key not in ("game", "rules"):
            raise InputError(
                f"{where} has the unknown key {shown(key)}: a rules file holds game and, "
                "under [rules], options"
            )
    game, options = document.get("game"), document.get("rules", {})
    if game is not None and not isinstance(game, str):
        raise InputError(f"{where}: game is the name of a preset, not {shown(game)}")
    if not isinstance(options, dict):
        raise InputError(f"{where}: rules is a table of options, not {shown(options)}")
    return game, options


def _read_file(file: str | os.PathLike[str]) -> tuple[str | None, dict[str, object]]:
    where = os.fspath(file)
    try:
        content = Path(file).read_bytes()
    except OSError as error:
        raise InputError(
            f"the rules file {where} cannot be read: {error.strerror or error}"
        ) from None
    except ValueError:  # a NUL in the path
        raise InputError(f"the rules file {shown(where)} cannot be read: no such path") from None
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(
            f"{where} is not UTF-8 (byte {error.start}): a rules file is TOML in UTF-8"
        ) from None
    game, options = read_rules_toml(text, where)
    if game is not None:
        try:
            preset(game)
        except InputError as error:
            raise InputError(f"{where}: {error}") from None
    return game, options


def _read_set(text: str) -> tuple[str, object]:
    """Split ``option=value``; the value is read as TOML, else kept as a string."""
    option, equals, value = text.partition("=")
    option, value = option.strip(), value.strip()
    if not equals or not option:
        raise InputError(f"--set takes option=value, such as khishti=-500, not {shown(text)}")
    try:
        document = _parse_toml(f"value = {value}")
    except ValueError:
        return option, value
    # More keys than one: a line break in the text, which is no TOML value.
    return option, document["value"] if len(document) == 1 else value


def _parse_toml(text: str) -> dict[str, object]:
    import tomllib

    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def _checked(game: str, options: Mapping[str, object], where: str) -> dict[str, object]:
    """Read options and say where a refused one came from."""
    try:
        return {key: find_option(game, key).read(value) for key, value in options.items()}
    except OptionError as error:
        raise OptionError(error.option, f"{where}: {error}") from None
