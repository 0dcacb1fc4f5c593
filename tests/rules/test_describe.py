"""Rows for tables and help, made from the declarations."""

import json
import subprocess
import sys

from jokersim.rules import PRESETS, option_rows, preset_rows, rules


def test_preset_rows_list_every_preset_with_its_changes():
    rows = {row.name: row for row in preset_rows()}
    assert list(rows) == list(PRESETS)
    assert rows["classic"].changes == {}
    assert rows["nines-900"].changes == {"schedule": [[9] * 4] * 4, "khishti": -900}
    assert (rows["japanese-davi"].seats, rows["japanese-davi"].family) == (2, "two")
    assert rows["japanese-davi"].changes == {"davi": "party", "davi_cap": 6}


def test_preset_changes_make_the_preset_from_its_family():
    for row in preset_rows():
        family = "classic" if row.seats == 4 else "japanese"
        assert rules(family, **row.changes).options() == rules(row.name).options()


def test_option_rows_show_this_rule_set():
    rows = {row.option: row for row in option_rows("classic-speci")}
    assert list(rows) == list(rules("classic").options())
    assert rows["khishti"].default == -200
    assert rows["khishti"].value == [-100 * n for n in range(1, 10)]
    changed = {row.option: row for row in option_rows(rules("japanese", davi="party"))}
    assert (changed["davi"].default, changed["davi"].value) == ("off", "party")


def test_rows_are_json_ready_and_every_text_is_one_line():
    rows = [*preset_rows(), *(row for name in PRESETS for row in option_rows(name))]
    for row in rows:
        json.dumps(row._asdict(), allow_nan=False)
        assert row.meaning
        assert "\n" not in row.meaning
    assert {r.source.split(";")[0] for r in option_rows("classic")} == {"source text", "gap"}


def test_rules_import_neither_numpy_nor_toml():
    code = (
        "import sys, jokersim.rules as r; print({'numpy', 'tomllib', 'numba'} & set(sys.modules))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "set()"
