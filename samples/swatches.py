"""Draws every style that the module builder has, with its name: ``python samples/swatches.py FILE.png``."""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE)]

from module_builder import counter, lines  # noqa: E402
from module_builder.canvas import Canvas  # noqa: E402
from module_builder.ground import GROUND, INK, lay  # noqa: E402
from module_builder.hexes import Grid  # noqa: E402

WIDE, HIGH, ACROSS = 200, 200, 12


def ground(sheet: Canvas, name: str, x: int, y: int) -> None:
    grid = Grid(1, 1, 132, 152, x, y)
    lay(sheet, grid, "0101", ("open", name) if GROUND[name].colour is None else (name,))


def way(sheet: Canvas, name: str, x: int, y: int) -> None:
    grid = Grid(3, 2, 60, 120, x - 60, y - 30)
    lines.way(sheet, grid, ["0101", "0201", "0301"], lines.WAYS[name])


def side(sheet: Canvas, name: str, x: int, y: int) -> None:
    for ends in (((x - 70, y + 20), (x, y - 20)), ((x, y - 20), (x + 70, y + 20))):
        lines.SIDES[name](sheet, [ends], 76)


def crossing(sheet: Canvas, name: str, x: int, y: int) -> None:
    grid = Grid(1, 2, 132, 152, x, y - 76)
    lines.SIDES["river"](sheet, [grid.side("0101", "0102")], 76)
    lines.crossing(sheet, grid, "0101", "0102", name)


def symbol(sheet: Canvas, name: str, x: int, y: int) -> None:
    face = counter.Face(name[:12], name, "II", ("4", "6"))
    sheet.paste(counter.draw(counter.Livery((170, 176, 140, 255)), face), x - 25, y - 25)


def main(file: Path) -> None:
    rows = [(ground, name) for name in GROUND] + [(way, name) for name in lines.WAYS]
    rows += [(side, name) for name in lines.SIDES] + [(crossing, name) for name in lines.CROSSINGS]
    rows += [(symbol, name) for name in counter.SYMBOLS]
    high = -(-len(rows) // ACROSS)
    sheet = Canvas(WIDE * ACROSS, HIGH * high, (236, 231, 212, 255))
    for i, (draw, name) in enumerate(rows):
        x, y = WIDE * (i % ACROSS) + WIDE // 2, HIGH * (i // ACROSS) + 84
        draw(sheet, name, x, y)
        sheet.letters(x, y + 88, name[:16], INK, 2)
    file.write_bytes(sheet.png())


if __name__ == "__main__":
    main(Path(sys.argv[1]))
