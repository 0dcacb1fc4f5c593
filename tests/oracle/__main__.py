"""Answers each line of a JSON Lines file of records: ``python -m tests.oracle FILE``."""

import json
import sys
from pathlib import Path

from tests.oracle.replay import replay_line


def main(path: str) -> None:
    """Answer every line that is not blank."""
    text = Path(path).read_text(encoding="utf-8")
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            sys.stdout.write(json.dumps(replay_line(line, number), ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main(sys.argv[1])
