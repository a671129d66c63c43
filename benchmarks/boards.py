"""Boards whose truth is known, for the suggestions: pictures, grids, and what lies where.

They belong to others and are not part of the project; where they are not on this machine, what needs
them says so. UMPIRE_CORPUS names the folder that holds ``boards``.
"""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont
from vassal_umpire.plugin.suggest.cells import Bytes, Cells, Edge, Side
from vassal_umpire.plugin.suggest.survey import Survey

PROJECT = Path(__file__).resolve().parent.parent

TUNED_ON = ("bd81", "bd38", "bd57", "bdBFPD", "bd08", "bdv")
"""Boards that the constants are fitted to: every second one in the order of their list, ..."""

REPORTED_ON = ("bd72", "bdBFPDW2a", "bdBFPDW7a", "bd05", "bdw", "bdn")
"""... and those that the figures are told of."""

NOTHING = {"none", "no", "water-along"}
"""What the truth calls a side with nothing along it, or no road over it."""


@dataclass(frozen=True)
class Board:
    """A board with its truth; ``hexes``, ``along`` and ``across`` tell of whole hexes only."""

    name: str
    scan: bool
    survey: Survey
    hexes: dict[str, str]
    looks: dict[str, str]
    along: dict[Side, str | None]
    across: dict[Side, str | None]

    @property
    def title(self) -> str:
        return f"{self.name} {'scan' if self.scan else 'clean'}"

    @cached_property
    def kinds(self) -> list[str]:
        return sorted(set(self.hexes.values()))


def folder() -> Path | None:
    """Where the boards are; None where they are not on this machine."""
    named = os.environ.get("UMPIRE_CORPUS")
    corpus = Path(named) if named else PROJECT.parent / "shared" / "corpus"
    return corpus / "boards" if (corpus / "boards" / "README.md").is_file() else None


def boards(names: tuple[str, ...]) -> Iterator[Board]:
    """The boards with these names, clean and as scans."""
    where = folder()
    if where is None:
        raise SystemExit("skipped: the boards are not on this machine (set UMPIRE_CORPUS)")
    for name in names:
        for scan in (False, True):
            yield board(where / name, scan=scan)


def board(where: Path, *, scan: bool) -> Board:
    """The board in the folder ``where``."""
    grid = json.loads((where / "grid.json").read_text("utf-8"))
    size = 0.6 if scan else 1.0
    centres = {each["hex"]: (each["x"] * size, each["y"] * size) for each in grid["hexes"]}
    edges = tuple(
        Edge(each["a"], each["b"], *((x * size, y * size) for x, y in each["ends"]))
        for each in grid["sides"]
    )
    hexes = [row for row in _rows(where / "hexes.csv") if row["edge"] == "no"]
    sides = [row for row in _rows(where / "sides.csv") if row["edge"] == "no"]
    image = where / (f"{where.name}-scan.jpg" if scan else f"{where.name}.png")
    return Board(
        where.name,
        scan,
        Survey(picture(image), Cells(centres, edges)),
        {row["hex"]: row["game_class"] for row in hexes},
        {row["hex"]: f"{row['game_class']} at level {row['level']}" for row in hexes},
        {(row["a"], row["b"]): _feature(row["feature"]) for row in sides},
        {(row["a"], row["b"]): _feature(row["road"], "road") for row in sides},
    )


def degraded(board: Board, seed: int) -> Board:
    """The board as another bad scan: smaller, each colour with a tone curve of its own, noise, JPEG."""
    lot = np.random.default_rng([seed, *board.name.encode()])
    size = lot.uniform(0.5, 0.9)
    whole = Image.fromarray(board.survey.picture)
    small = whole.resize(
        (round(whole.width * size), round(whole.height * size)), Image.Resampling.BICUBIC
    )
    tone = np.asarray(small, dtype=np.float32) / 255
    dark, light = lot.uniform(0.0, 0.1, 3), lot.uniform(0.85, 1.05, 3)
    tone = dark + (light - dark) * tone ** np.exp(lot.normal(0, 0.18, 3))
    noisy = 255 * tone + lot.normal(0, lot.uniform(2, 7), tone.shape)
    file = io.BytesIO()
    made = Image.fromarray(np.clip(noisy, 0, 255).astype(np.uint8))
    made.save(file, "JPEG", quality=int(lot.integers(45, 80)))
    cells = board.survey.cells
    centres = {name: (x * size, y * size) for name, (x, y) in cells.centres.items()}
    edges = tuple(
        Edge(e.a, e.b, (e.start[0] * size, e.start[1] * size), (e.end[0] * size, e.end[1] * size))
        for e in cells.edges
    )
    return replace(board, scan=True, survey=Survey(picture(file), Cells(centres, edges)))


def printed(board: Board, seed: int) -> Board:
    """The board with what other maps print over their terrain: names, dots and black lines."""
    lot = np.random.default_rng([seed, *board.name.encode()])
    image = Image.fromarray(board.survey.picture)
    pen = ImageDraw.Draw(image)
    cells = board.survey.cells
    ink = tuple(int(each) for each in lot.integers(0, 50, 3))
    letters = "aaabcdeeeefghiiklmnnooprrssttuuvwy"
    centres = list(cells.centres.values())
    for _ in range(max(1, len(centres) // 60)):  # lines over half of the map
        x, y = centres[lot.integers(len(centres))]
        way = lot.uniform(0, 2 * np.pi)
        points = []
        for _ in range(24):
            points.append((x, y))
            way += lot.normal(0, 0.35)
            x, y = x + 0.4 * cells.pitch * np.cos(way), y + 0.4 * cells.pitch * np.sin(way)
        pen.line(points, fill=ink, width=int(lot.integers(1, 4)))
    for x, y in centres:
        if lot.random() < 0.6:
            name = "".join(lot.choice(list(letters), int(lot.integers(3, 13)))).title()
            size = cells.pitch * lot.uniform(0.14, 0.22)
            at = lot.normal(0, 0.2 * cells.pitch, 4)
            pen.text((x + at[0], y + at[1]), name, fill=ink, font=_font(size), anchor="mm")
            dot = cells.pitch * lot.uniform(0.03, 0.08)
            x, y = x + at[2], y + at[3]
            pen.ellipse((x - dot, y - dot, x + dot, y + dot), fill=ink)
    return replace(board, survey=Survey(np.asarray(image), cells))


def _font(size: float) -> ImageFont.FreeTypeFont:
    font = ImageFont.load_default(round(size))
    assert isinstance(font, ImageFont.FreeTypeFont)
    return font


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def _feature(value: str, called: str | None = None) -> str | None:
    return None if value in NOTHING else called or value


def picture(path: Path | io.BytesIO) -> Bytes:
    """The picture as an array, without transparency."""
    with Image.open(path) as image:
        return np.asarray(image.convert("RGB"))
