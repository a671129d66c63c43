"""Modules drawn here, as large as wanted: maps of numbered hexes with a picture, and a pack for them."""

from __future__ import annotations

import io
import random
import zipfile
from collections.abc import Sequence
from pathlib import Path
from xml.sax.saxutils import quoteattr

from PIL import Image, ImageDraw

V = "VASSAL.build.module"
DX, DY = 48.0, 56.0
GROUNDS = ("#c8d2a0", "#8fae78", "#b7c8c0", "#c9ae84", "#d8d0b0")


def write_module(
    file: Path, maps: Sequence[tuple[str, int, int]], name: str = "Drawn", *, plain: bool = False
) -> None:
    """A module with these maps, each a name, columns and rows of hexes numbered ``0101``; with more than 99
    of either ``001001``. ``plain``: pictures of one colour."""
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as zipped:
        text = "".join(_map(n, *one) for n, one in enumerate(maps))
        zipped.writestr(
            "buildFile.xml",
            f'<?xml version="1.0"?><VASSAL.build.GameModule name={quoteattr(name)} version="1">'
            f"<{V}.PlayerRoster><entry>Blue</entry><entry>Red</entry></{V}.PlayerRoster>"
            f"{text}</VASSAL.build.GameModule>",
        )
        for number, (_, columns, rows) in enumerate(maps):
            zipped.writestr(f"images/map{number}.png", _picture(columns, rows, plain))


def write_pack(
    folder: Path, maps: Sequence[tuple[str, int, int]], board: str = "", tables: str = ""
) -> None:
    """A pack of the ruleset ``generic`` for such a module, which says nothing about the board. ``board`` and
    ``tables``: lines of ``[board]``, and behind everything."""
    folder.mkdir(parents=True, exist_ok=True)
    sheets = "".join(
        f"[[board.sheet]]\nmap = {_toml(name)}\n{_prefix(number)}"
        for number, (name, _, _) in enumerate(maps)
    )
    text = f'[pack]\nname = "drawn"\nversion = "1"\nruleset = "generic"\n[board]\n{board}\n{sheets}{tables}'
    (folder / "pack.toml").write_text(text, "utf-8")


def _prefix(number: int) -> str:
    return f'prefix = "{chr(65 + number)}"\n' if number else ""


def _toml(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def size(columns: int, rows: int) -> tuple[int, int]:
    """Pixels of the picture of a map."""
    return round(DX * (columns - 1) + DX * 4 / 3), round(DY * (rows + 0.5))


def centre(column: int, row: int) -> tuple[float, float]:
    """The pixel of the centre of a hex, both counted from 0."""
    return DX * 2 / 3 + DX * column, DY / 2 + DY * row + (DY / 2 if column % 2 else 0)


def hex_name(column: int, row: int, columns: int, rows: int) -> str:
    """Its name, without the prefix of a second map."""
    digits = 2 if max(columns, rows) < 100 else 3
    return f"{column + 1:0{digits}}{row + 1:0{digits}}"


def _map(number: int, name: str, columns: int, rows: int) -> str:
    digits = 1 if max(columns, rows) < 100 else 2
    numbers = (
        f'<{V}.map.boardPicker.board.mapgrid.HexGridNumbering first="H" sep="" hType="N" vType="N" '
        f'hOff="1" vOff="1" hLeading="{digits}" vLeading="{digits}" stagger="false"/>'
    )
    x0, y0 = round(DX * 2 / 3), round(DY / 2)
    grid = (
        f'<{V}.map.boardPicker.board.HexGrid dx="{DX}" dy="{DY}" x0="{x0}" y0="{y0}" snapTo="true">'
        f"{numbers}</{V}.map.boardPicker.board.HexGrid>"
    )
    return (
        f"<{V}.Map mapName={quoteattr(name)}><{V}.map.BoardPicker>"
        f'<{V}.map.boardPicker.Board name="Board {number}" image="map{number}.png">{grid}'
        f"</{V}.map.boardPicker.Board></{V}.map.BoardPicker></{V}.Map>"
    )


def _picture(columns: int, rows: int, plain: bool) -> bytes:
    image = Image.new("RGB", size(columns, rows), GROUNDS[0])
    draw, lot = ImageDraw.Draw(image), random.Random(columns * 1000 + rows)
    for column in range(0 if plain else columns):
        for row in range(rows):
            x, y = centre(column, row)
            a, b, c = DX / 3, DX * 2 / 3, DY / 2
            corners = [
                *((x - a, y - c), (x + a, y - c), (x + b, y)),
                *((x + a, y + c), (x - a, y + c), (x - b, y)),
            ]
            draw.polygon(corners, fill=lot.choice(GROUNDS), outline="#70705c")
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()
