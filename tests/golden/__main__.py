"""Write the golden files, or print digests of runs given as PRESET:POLICY:GAMES."""

import json
import sys

from tests import golden


def main(arguments: list[str]) -> None:
    """Write, or print a JSON list of the digests asked for."""
    if not arguments:
        golden.write()
        return
    asked = [argument.split(":") for argument in arguments]
    runs = [golden.play(preset, policy, int(games)) for preset, policy, games in asked]
    json.dump([golden.digest(run) for run in runs], sys.stdout)


if __name__ == "__main__":
    main(sys.argv[1:])
