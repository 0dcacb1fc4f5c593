"""``jokersim rules``: presets, and the options of one with their meaning."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

import click

from jokersim.cli.options import json_option, quiet_option
from jokersim.cli.output import print_json, print_text
from jokersim.cli.settings import config_option
from jokersim.cli.texttable import Head, aligned, bold, dim, wrapped
from jokersim.cli.types import Text

if TYPE_CHECKING:
    from jokersim.rules import OptionRow, PresetRow

__all__ = ["command"]

_WIDTH = 92
_INDENT = "    "


@click.command("rules")
@click.argument("name", required=False, type=Text("NAME"))
@json_option
@quiet_option
@config_option
def command(name: str | None, as_json: bool) -> None:
    """List the presets, or the options of the preset NAME with their values and meaning."""
    from jokersim.rules import option_rows, preset_rows

    presets = preset_rows()
    if name is None:
        if as_json:
            print_json(_document(presets=[row._asdict() for row in presets]))
        else:
            print_text(_preset_page(presets))
        return
    options = option_rows(name)
    own = next(row for row in presets if row.name == name)
    if as_json:
        print_json(_document(preset=own._asdict(), options=[row._asdict() for row in options]))
    else:
        print_text(_option_page(own, options))


def _document(**content: Any) -> dict[str, Any]:
    return {"schema": {"name": "jokersim/rules", "version": 1}} | content


def _preset_page(presets: list[PresetRow]) -> str:
    rows = [[row.name, str(row.seats), row.meaning] for row in presets]
    heads = [Head("preset", left=True), Head("seats"), Head("meaning", left=True)]
    return (
        aligned(heads, rows, width=100)
        + "\n\n"
        + dim("jokersim rules NAME lists the options of a preset")
    )


def _option_page(preset: PresetRow, options: list[OptionRow]) -> str:
    from jokersim.rules import format_value

    about = wrapped(f"{preset.name}, {preset.seats} players: {preset.meaning}", _INDENT, _WIDTH)
    parts = [about.replace(preset.name, bold(preset.name), 1)]
    for row in options:
        lines = [f"{bold(row.option)} = {format_value(row.value)}"]
        lines += _indented(row.meaning)
        if row.value != row.default:
            lines += _indented(f"default: {format_value(row.default)}")
        lines += _indented(f"allowed: {row.allowed}")
        lines += _indented(f"from: {row.source}")
        parts.append("\n".join(lines))
    parts.append(dim("change one with --set option=value"))
    return "\n\n".join(parts)


def _indented(text: str) -> list[str]:
    return textwrap.wrap(text, _WIDTH, initial_indent=_INDENT, subsequent_indent=_INDENT)
