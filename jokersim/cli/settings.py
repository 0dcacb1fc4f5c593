"""Options with defaults from the environment and from a configuration file.

A flag goes before the environment (``JOKERSIM_SEED`` for ``--seed``, one name for all commands),
the environment before the file that ``--config`` names. The file is TOML: long option names with
``_``, and the options of the rules under ``[rules]``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, TypeVar

import click
from click.core import ParameterSource

from jokersim.cli.types import PathType
from jokersim.errors import InputError

__all__ = ["Setting", "config_option", "config_rules", "setting"]

F = TypeVar("F", bound=Callable[..., Any])

_RULES: Final = "jokersim.config.rules"
_FILE: Final = "jokersim.config.file"
_SOURCE: Final = "jokersim.source"


class Setting(click.Option):
    """An option whose default the environment and the configuration file may give.

    `environment` is False for what stands for rule options, which the environment never gives.
    """

    def __init__(self, *args: Any, environment: bool = True, **attributes: Any) -> None:
        super().__init__(*args, **attributes)
        if environment:
            self.envvar = "JOKERSIM_" + self.key.upper()

    @property
    def key(self) -> str:
        """The option's long name with ``_``, as the file and the environment spell it."""
        return max(self.opts, key=len).lstrip("-").replace("-", "_")

    def consume_value(self, ctx: click.Context, opts: Mapping[str, Any]) -> Any:
        """Find a value, and keep where it came from: click tells only after it was read."""
        value, source = super().consume_value(ctx, opts)
        ctx.meta[f"{_SOURCE}.{self.name}"] = source
        return value, source

    def process_value(self, ctx: click.Context, value: Any) -> Any:
        """Read a value, and say where a refused one came from, unless from a flag."""
        try:
            return super().process_value(ctx, value)
        except click.BadParameter as error:
            source = ctx.meta[f"{_SOURCE}.{self.name}"]
            if source is ParameterSource.ENVIRONMENT:
                origin = f"{error.message} (from {self.envvar})"
            elif source is ParameterSource.DEFAULT_MAP:
                origin = f"{error.message} (from {ctx.meta.get(_FILE)})"
            else:
                raise
            raise click.BadParameter(origin, ctx, self) from None


def setting(*names: str, **attributes: Any) -> Callable[[F], F]:
    """Declare a `Setting`."""
    return click.option(*names, cls=Setting, **attributes)


def config_option(function: F) -> F:
    """Add ``--config``."""
    return setting(
        "--config",
        type=PathType("FILE"),
        is_eager=True,
        expose_value=False,
        callback=_read_config,
        help="Defaults of these options, and rules under [rules], from a TOML file.",
    )(function)


def config_rules() -> Mapping[str, Any]:
    """Answer the ``[rules]`` of the configuration file."""
    found: Mapping[str, Any] = click.get_current_context().meta.get(_RULES, {})
    return found


def _read_config(ctx: click.Context, _: click.Parameter, path: Path | None) -> None:
    if path is None:
        return
    given = _load(path)
    ctx.meta[_FILE] = path
    if isinstance(given.get("rules"), dict):
        ctx.meta[_RULES] = given.pop("rules")
    own = {option.key: option.name for option in ctx.command.params if isinstance(option, Setting)}
    for key in given:
        if key not in own and key not in _keys_of_all():
            raise InputError(
                f"{path} has the unknown key {key!r}: it holds long option names with _, "
                "and [rules]"
            )
    ctx.default_map = {own[key]: value for key, value in given.items() if key in own}


def _load(path: Path) -> dict[str, Any]:
    import tomllib

    try:
        return tomllib.loads(path.read_bytes().decode("utf-8"))
    except OSError as error:
        raise InputError(
            f"the configuration file {path} cannot be read: {error.strerror or error}"
        ) from None
    except UnicodeDecodeError as error:
        raise InputError(
            f"{path} is not UTF-8 (byte {error.start}): a configuration file is TOML in UTF-8"
        ) from None
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path} is not valid TOML: {error}") from None


def _keys_of_all() -> set[str]:
    """List the settings of all commands: one file may serve several."""
    from jokersim.cli.program import program

    ctx = click.Context(program)
    found = set()
    for name in program.list_commands(ctx):
        command = program.get_command(ctx, name)
        if isinstance(command, click.Group):
            for one in command.commands.values():
                found |= _keys_of(one)
        elif command is not None:
            found |= _keys_of(command)
    return found


def _keys_of(command: click.Command) -> set[str]:
    return {option.key for option in command.params if isinstance(option, Setting)}
