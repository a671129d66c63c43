"""Fixed tables of the number of hexes that units reach, as chess programs count moves (perft).

    python tests/play/reached.py RULESET          prints the table the walker gives
    python tests/play/reached.py RULESET --write  writes it to tests/play/reached/RULESET.toml

Once written and looked over the table stands: neither walker nor search may change it.
"""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

HERE = Path(__file__).resolve().parent
if __name__ == "__main__":
    sys.path.insert(0, str(HERE.parent))

from play.kit import Kit, Phase, Table, kits

FOLDER = HERE / "reached"
BOARDS = 4
"""The seeds of the boards, which have the size of real games."""


def reach(kit: Kit, seed: int) -> dict[str, int]:
    """Unit → the number of hexes that it reaches by the walker, in the first phase of its side."""
    setup = kit.setup(Random(seed), big=True)
    table = Table(setup)
    counts = {}
    for side in setup.sides:
        table.apply(Phase(1, kit.sequence[0], side))
        for unit in table.on_map(side):
            counts[unit] = len(kit.routes(table, unit, kit.forms[0]))
    return counts


def page(kit: Kit) -> str:
    """The table as TOML."""
    lines = [
        "# How many hexes each unit reaches on the board of a seed; see tests/play/reached.py.\n"
    ]
    for seed in range(1, BOARDS + 1):
        lines.append(f'["{seed}"]')
        lines += [f'"{unit}" = {count}' for unit, count in reach(kit, seed).items()]
        lines.append("")
    return "\n".join(lines)


if __name__ == "__main__":
    text = page(kits()[sys.argv[1]])
    if "--write" in sys.argv:
        FOLDER.mkdir(exist_ok=True)
        (FOLDER / f"{sys.argv[1]}.toml").write_text(text, encoding="utf-8")
    else:
        print(text)
