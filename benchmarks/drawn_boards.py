"""Boards drawn here: terrain by texture, rivers along sides, roads across them, all by lot."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from PIL import Image, ImageDraw
from vassal_umpire.plugin.suggest.cells import Bytes, Cells, Edge, Side

Key = TypeVar("Key", str, Side)

KINDS = {
    "open": ((186, 204, 140), 6, 0),
    "woods": ((88, 128, 72), 12, 14),
    "marsh": ((150, 178, 160), 8, 7),
    "hills": ((190, 156, 104), 10, 4),
    "town": ((150, 140, 138), 14, 9),
}
"""Colour, grain of the paper, number of blots."""

_ROADS = (222, 200, 150)
_RIVER = (60, 110, 180)


@dataclass(frozen=True)
class Drawn:
    """A drawn board and the truth about it."""

    picture: Bytes
    cells: Cells
    terrain: dict[str, str]
    along: dict[Side, str | None]
    across: dict[Side, str | None]


def cells(columns: int, rows: int, side: float) -> Cells:
    """A grid of flat-topped hexes."""
    height = side * math.sqrt(3)
    centres = {
        f"{c + 1:03}.{r + 1:03}": (side * (1.2 + 1.5 * c), height * (0.7 + r + 0.5 * (c % 2)))
        for c in range(columns)
        for r in range(rows)
    }
    near = [(0, 1), (1, 0), (1, -1)], [(0, 1), (1, 1), (1, 0)]
    edges = []
    for c in range(columns):
        for r in range(rows):
            for dc, dr in near[c % 2]:
                a, b = f"{c + 1:03}.{r + 1:03}", f"{c + dc + 1:03}.{r + dr + 1:03}"
                if b in centres:
                    edges.append(_edge(a, b, centres, side))
    return Cells(centres, tuple(edges))


def _edge(a: str, b: str, centres: dict[str, tuple[float, float]], side: float) -> Edge:
    (ax, ay), (bx, by) = centres[a], centres[b]
    length = math.hypot(bx - ax, by - ay)
    ox, oy = -(by - ay) / length * side / 2, (bx - ax) / length * side / 2
    x, y = (ax + bx) / 2, (ay + by) / 2
    return Edge(a, b, (x - ox, y - oy), (x + ox, y + oy))


def board(columns: int, rows: int, side: float, seed: int, kinds: int = 4) -> Drawn:
    """A board with ``kinds`` kinds of terrain in patches, drawn by lot."""
    lot = np.random.default_rng(seed)
    grid = cells(columns, rows, side)
    names = list(KINDS)[:kinds]
    middles = lot.uniform(0, 1, (max(kinds, columns * rows // 9), 2))
    middles *= [columns * 1.5 * side, rows * math.sqrt(3) * side]
    whose = np.concatenate([np.arange(kinds), lot.integers(0, kinds, len(middles) - kinds)])
    terrain = {}
    for name, (x, y) in grid.centres.items():
        nearest = int(((middles - [x, y]) ** 2).sum(axis=1).argmin())
        terrain[name] = names[whose[nearest]]
    roads = lot.uniform(0, 1, len(grid.edges)) < 0.08
    rivers = (lot.uniform(0, 1, len(grid.edges)) < 0.08) & ~roads
    picture = _drawn(grid, terrain, roads, rivers, side, lot)
    keys = [edge.key for edge in grid.edges]
    return Drawn(
        picture,
        grid,
        terrain,
        {key: "river" if flag else None for key, flag in zip(keys, rivers, strict=True)},
        {key: "road" if flag else None for key, flag in zip(keys, roads, strict=True)},
    )


def _drawn(
    grid: Cells,
    terrain: dict[str, str],
    roads: np.ndarray,
    rivers: np.ndarray,
    side: float,
    lot: np.random.Generator,
) -> Bytes:
    width = max(x for x, _ in grid.centres.values()) + 1.2 * side
    height = max(y for _, y in grid.centres.values()) + 1.2 * side
    image = Image.new("RGB", (round(width), round(height)), (255, 255, 255))
    pen = ImageDraw.Draw(image)
    grain = np.zeros((image.height, image.width), dtype=np.float32)
    for name, (x, y) in grid.centres.items():
        colour, rough, blots = KINDS[terrain[name]]
        corners = [
            (x + side * math.cos(k * math.pi / 3), y + side * math.sin(k * math.pi / 3))
            for k in range(6)
        ]
        pen.polygon(corners, fill=colour)
        dark = tuple(value * 3 // 5 for value in colour)
        for _ in range(blots):
            bx, by = x + side * lot.uniform(-0.6, 0.6), y + side * lot.uniform(-0.6, 0.6)
            pen.ellipse([bx - side / 10, by - side / 10, bx + side / 10, by + side / 10], fill=dark)
        top, left = max(0, round(y - side)), max(0, round(x - side))
        grain[top : round(y + side), left : round(x + side)] = rough
        pen.line([*corners, corners[0]], fill=(30, 30, 30), width=1)
    for edge, road, river in zip(grid.edges, roads, rivers, strict=True):
        if road:
            (ax, ay), (bx, by) = grid.centres[edge.a], grid.centres[edge.b]
            pen.line([(ax, ay), (bx, by)], fill=_ROADS, width=max(3, round(side / 5)))
        if river:
            pen.line([edge.start, edge.end], fill=_RIVER, width=max(3, round(side / 7)))
    noise = lot.normal(0, 1, grain.shape)[..., None] * grain[..., None]
    return np.clip(np.asarray(image) + noise, 0, 255).astype(np.uint8)


def shown(truth: Mapping[Key, str | None], number: int) -> dict[Key, str | None]:
    """The first ``number`` of each kind, as examples."""
    out: dict[Key, str | None] = {}
    counts: dict[str | None, int] = {}
    for key, kind in truth.items():
        counts[kind] = counts.get(kind, 0) + 1
        if counts[kind] <= number:
            out[key] = kind
    return out
