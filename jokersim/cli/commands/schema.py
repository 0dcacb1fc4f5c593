"""``jokersim schema``: the columns of the tables, and the fields that a policy sees."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import click

from jokersim.cli.options import chosen_rules, json_option, quiet_option, rules_options
from jokersim.cli.output import print_json, print_text
from jokersim.cli.settings import config_option
from jokersim.cli.texttable import Head, aligned, bold
from jokersim.cli.types import Text
from jokersim.errors import InputError

__all__ = ["command"]

OBSERVATION: Final = "observation"


@click.command("schema")
@click.argument("table", metavar="[TABLE|observation]", required=False, type=Text("TABLE"))
@rules_options
@json_option
@quiet_option
@config_option
def command(
    table: str | None,
    game: str | None,
    rules_file: Path | None,
    sets: tuple[str, ...],
    as_json: bool,
) -> None:
    """List the columns of the tables (games, deals, plays) with their types and meaning.

    With `observation`, the fields that a policy sees. Both depend on the game.
    """
    from jokersim import schema

    rules = chosen_rules(game, rules_file, sets)
    described = schema.describe(rules, rules.name)
    tables: dict[str, Any] = described["tables"]
    if table is None or table == OBSERVATION:
        shown = {OBSERVATION: _observation(rules.family)}
        shown = tables | shown if table is None else shown
    elif table in tables:
        shown = {table: tables[table]}
    else:
        raise InputError(
            f"{table!r} is no table: name one of {', '.join(tables)}, or {OBSERVATION}"
        )
    if as_json:
        print_json(
            {
                "schema": {"name": "jokersim/schema", "version": described["version"]},
                "game": rules.name,
                "tables": shown,
            }
        )
    else:
        print_text("\n\n".join(_page(name, content) for name, content in shown.items()))


def _observation(family: str) -> dict[str, Any]:
    from jokersim.kernels import state

    fields = state.FOUR_FIELDS if family == "four" else state.TWO_FIELDS
    return {
        "meaning": "what a policy sees of the game when it decides",
        "columns": [
            {"name": field.name, "type": _shaped(field.shape), "meaning": field.meaning}
            for field in fields
        ],
    }


def _shaped(shape: tuple[int, ...]) -> str:
    return f"int64[{','.join(map(str, shape))}]" if shape else "int64"


def _page(name: str, content: Mapping[str, Any]) -> str:
    rows = [[c["name"], c["type"], c["meaning"]] for c in content["columns"]]
    heads = [Head(text, left=True) for text in ("column", "type", "meaning")]
    return f"{bold(name)}: {content['meaning']}\n{aligned(heads, rows, gap='  ', width=100)}"
