"""Golden games: what a seed gives for every preset and policy, to the last card.

A changed golden value is a changed product: the commit says so, and the changelog flags it. Written
anew by ``scripts/golden``.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pandas as pd

import jokersim as js
from jokersim import policies, schema
from jokersim.kernels.streams import SCHEME
from jokersim.rules import PRESETS
from jokersim.table import play_game

FOLDER = Path(__file__).parent
SEED = 1
GAMES = 20
TABLES = ("games", "deals", "plays")
#: Games to read: game 0 of the seed, by preset and policies.
READABLE = (
    ("classic", "basic"),
    ("classic", "random"),
    ("classic-left", "basic,random,basic,random"),
    ("nines", "basic"),
    ("japanese-davi", "random"),
)

#: Games of `search`, which takes too long for more: by preset, how many.
SEARCHED = {"classic": 1, "nines": 1, "japanese-davi": 3}
SEARCH = "search:worlds=2"

#: What to bid, by policy: with unknown turned cards, and bids before as evidence.
ODDS: tuple[dict[str, Any], ...] = (
    {"hand": "AS KS QS TS AH 9H 8D JK KC", "trump": "S", "position": 2, "bids": [3, 1]},
    {"hand": "AS KS 7H", "trump": "D", "position": 1, "bids": [1]},
    {"hand": "AS KS 7H", "turned": "9D", "position": 3, "bids": [1, 0, 2]},
)
WORLDS = 300


def cases() -> list[tuple[str, str]]:
    """List every preset with every policy but `search`, which would take too long."""
    names = (*policies.BUILT_IN, policies.BOOK)
    return [(preset, policy) for preset in PRESETS for policy in names]


def play(preset: str, policy: str, games: int = GAMES, **options: Any) -> js.Run:
    """Play the first games of the seed, keeping all tables."""
    return js.simulate(
        js.rules(preset, **options),
        games=games,
        seed=SEED,
        policies=policy,
        threads=1,
        tables=TABLES,
    )


def digest(run: js.Run) -> str:
    """Hash every value of every table, column by column."""
    found = hashlib.sha256()
    for table, columns in schema.tables(run.rules).items():
        frame = getattr(run, table)()
        for column in columns:
            values = frame[column.name]
            if isinstance(values.dtype, pd.CategoricalDtype):
                values = values.cat.codes
            kind = "int8" if column.type == "string" else column.type
            assert values.dtype == kind, column.name
            found.update(column.name.encode())
            found.update(values.to_numpy().astype(values.dtype.newbyteorder("<")).tobytes())
    return found.hexdigest()[:32]


def odds_digest(policy: str) -> str:
    """Hash what sampled odds count: worlds, and the tricks taken under each bid."""
    found = []
    for asked in ODDS:
        odds = js.bid_odds(**asked, policy=policy, seed=SEED, samples=WORLDS, exact=False)
        tricks = [[round(share * odds["n"]) for share in bid["tricks"]] for bid in odds["bids"]]
        found.append([odds["n"], odds["attempts"], tricks])
    return hashlib.sha256(json.dumps(found).encode()).hexdigest()[:32]


def digests() -> dict[str, Any]:
    """Answer what ``digests.json`` holds."""
    found: dict[str, dict[str, str]] = {}
    for preset, policy in cases():
        found.setdefault(preset, {})[policy] = digest(play(preset, policy))
    searched = {name: digest(play(name, SEARCH, games)) for name, games in SEARCHED.items()}
    odds = {policy: odds_digest(policy) for policy in (*policies.BUILT_IN, policies.BOOK)}
    return {
        "streams": SCHEME,
        "seed": SEED,
        "games": GAMES,
        "digests": found,
        SEARCH: searched,
        "odds": odds,
    }


def readable(preset: str, policy: str) -> str:
    """Write game 0 as the record that it is, with a line a deal."""
    rules = js.rules(preset)
    players = policies.parse_policies(policy, rules.family, rules.seats)
    record = dict(play_game(rules, [player.number for player in players], SEED, 0))
    deals = ",\n".join(f"  {json.dumps(deal)}" for deal in record.pop("deals"))
    return f'{json.dumps(record)[:-1]}, "deals": [\n{deals}\n]}}\n'


def readable_path(preset: str, policy: str) -> Path:
    """Answer where a readable game lies."""
    return FOLDER / f"{preset}-{policy.replace(',', '-')}.json"


def write() -> None:
    """Write all golden files anew."""
    (FOLDER / "digests.json").write_text(json.dumps(digests(), indent=1) + "\n", encoding="utf-8")
    for preset, policy in READABLE:
        readable_path(preset, policy).write_text(readable(preset, policy), encoding="utf-8")


def expected() -> dict[str, Any]:
    """Read ``digests.json``."""
    document: dict[str, Any] = json.loads((FOLDER / "digests.json").read_text(encoding="utf-8"))
    return document
