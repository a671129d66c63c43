"""The pack that tells all of the drawn module, and the facts of its game: what a director would end with."""

from __future__ import annotations

from pathlib import Path

from .module import NORTH, SOUTH, DrawnGame, file_of

PACK = """
[pack]
name = "two-rivers"
version = "1.0"
ruleset = "generic"
[fits]
modules = ["Two Rivers"]
[board]
complete = ["hexsides", "lines", "levels"]
changes = "none"
[[board.sheet]]
map = "Main Map"
[[box]]
map = "Eliminated"
[[units.are]]
listed = true
[units]
side = { column = "side" }
complete = ["units"]
[units.attributes]
ma = { column = "ma", number = true }
class = { column = "class" }
[[phase]]
name = "Movement"
movers = "active"
forms = ["move"]
complete = true
[[phase]]
name = "Combat"
movers = "none"
[[form]]
name = "move"
[rules]
complete = ["classes", "allowance", "terrain", "hexsides", "roads", "zoc", "enemy_hex", "stacking",
  "order", "entering"]
levels = "none"
surcharges = "none"
steps = "none"
lacks = "none"
[rules.classes]
attribute = "class"
names = ["foot", "motor"]
[rules.allowance]
attribute = "ma"
[rules.terrain.costs]
clear = 1
town = 1
hills = 2
woods = { foot = 2, motor = 3 }
marsh = { foot = 3, motor = "prohibited" }
[rules.hexsides.river]
cost = { foot = 2, motor = "prohibited" }
[rules.roads.road]
cost = { foot = 1, motor = "1/2" }
cancels = ["terrain", "hexsides"]
[rules.zoc]
stop = true
[rules.stacking]
limit = 2
checked = "phase-end"
"""


def write_whole_pack(game: DrawnGame, folder: Path) -> Path:
    """Write it, and ``facts.toml`` beside it; the facts file."""
    folder.mkdir()
    (folder / "pack.toml").write_text(PACK, "utf-8")
    sheet = game.ground.sheet.spreadsheets()
    (folder / "hexes.csv").write_text(sheet["hexes.csv"], "utf-8")
    kept = [row for row in sheet["lines.csv"].splitlines() if not row.startswith("bridge")]
    (folder / "lines.csv").write_text("\n".join(kept), "utf-8")
    rows = ["image,side,class,ma"]
    rows += [f"{file_of(u)},{u.side},{u.movement},{u.allowance}" for u in game.units.values()]
    (folder / "units.csv").write_text("\n".join(rows), "utf-8")
    facts = folder / "facts.toml"
    stretches = []
    for number, side in enumerate((NORTH, SOUTH) * 2, 1):
        log, (first, last) = game.logs[number - 1].name, game.movement[number - 1]
        stretches.append(
            f'[[phase]]\nlog = "{log}"\nsteps = "{first}-{last}"\nturn = "{(number + 1) // 2}"\n'
            f'phase = "Movement"\nactive = "{side}"\n'
        )
    facts.write_text("\n".join(stretches), "utf-8")
    return facts
