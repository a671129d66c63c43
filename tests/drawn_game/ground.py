"""The board of the drawn module: 41 × 32 hexes, drawn by lot from a seed and painted as a map of four sheets.

Terrain comes in patches, two rivers run along hexsides, and roads join the towns and cross the rivers by
bridges.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from random import Random

from module_builder.canvas import Canvas
from module_builder.hexes import Grid
from module_builder.sheet import Sheet, Side, Way

COLUMNS, ROWS = 41, 32
LEGEND = {".": ("clear",), "w": ("woods",), "h": ("hills",), "m": ("marsh",), "T": ("town",)}
LETTERS = {kinds[0]: letter for letter, kinds in LEGEND.items()}
PATCHES = {"woods": 46, "hills": 30, "marsh": 12}
"""How many patches of each kind of terrain there are."""
TOWNS = 12
NAMES = (
    "ALT",
    "BECK",
    "DORN",
    "EBER",
    "FURT",
    "GRUND",
    "HAIN",
    "KAMP",
    "LINZ",
    "MARK",
    "ORT",
    "ULM",
)
SEAM = 21
"""The column, and the row, before which one sheet of the map is laid on the next."""


@dataclass(frozen=True)
class Ground:
    """What lies in each hex, across which hexsides a river runs, and the hexes of each road in order."""

    terrain: dict[str, str]
    rivers: frozenset[frozenset[str]]
    roads: tuple[tuple[str, ...], ...]
    towns: dict[str, str]

    @cached_property
    def steps(self) -> frozenset[frozenset[str]]:
        """The hexsides that a road crosses."""
        return frozenset(frozenset(pair) for road in self.roads for pair in pairwise(road))

    @property
    def bridges(self) -> frozenset[frozenset[str]]:
        return self.steps & self.rivers

    @cached_property
    def sheet(self) -> Sheet:
        """The same as a sheet of the samples, which can be painted and told to a pack."""
        rows = "\n".join(
            "".join(LETTERS[self.terrain[f"{c:02}{r:02}"]] for c in range(1, COLUMNS + 1))
            for r in range(1, ROWS + 1)
        )
        lines = [
            *(Way("road", " ".join(road)) for road in self.roads),
            Side("river", _sides(self.rivers)),
            Side("bridge", _sides(self.bridges)),
        ]
        return Sheet(rows, LEGEND, lines, self.towns, dx=44, dy=50)

    def picture(self) -> bytes:
        """The map as a PNG file: where two sheets meet, a pale fold, and the lower ones a shade darker."""
        canvas = self.sheet.picture()
        across, down = (at * step for at, step in ((SEAM, 44), (SEAM // 2 + 5, 50)))
        _darken(canvas, down)
        canvas.box(across, 0, across + 2, canvas.height, (246, 243, 230, 255))
        canvas.box(0, down, canvas.width, down + 2, (246, 243, 230, 255))
        return canvas.png()


def draw_ground(random: Random) -> Ground:
    """A board by lot."""
    grid = Grid(COLUMNS, ROWS, 44, 50, 33, 24)
    terrain = dict.fromkeys(grid.names, "clear")
    for kind, count in PATCHES.items():
        for _ in range(count):
            for name in _patch(random, grid, 3 + random.randrange(7)):
                terrain[name] = kind
    rivers = _rivers(random, grid)
    towns = _towns(random, grid)
    terrain |= dict.fromkeys(towns, "town")
    roads = _roads(grid, terrain, rivers, list(towns))
    return Ground(terrain, rivers, roads, towns)


def _patch(random: Random, grid: Grid, size: int) -> set[str]:
    found = [random.choice(grid.names)]
    while len(found) < size:
        found.append(random.choice(grid.neighbours(random.choice(found))))
    return set(found)


def _rivers(random: Random, grid: Grid) -> frozenset[frozenset[str]]:
    """One from the left edge to the right, one that runs into it from the top."""
    bank, row = {}, ROWS // 2
    for column in range(1, COLUMNS + 1):
        row = min(max(row + random.choice((-1, 0, 0, 1)), 10), ROWS - 10)
        bank[column] = row
    side, column = {}, COLUMNS // 3
    for down in range(1, ROWS + 1):
        column = min(max(column + random.choice((-1, 0, 0, 1)), 6), COLUMNS - 6)
        side[down] = column

    def low(name: str) -> bool:
        return int(name[2:]) > bank[int(name[:2])]

    def right(name: str) -> bool:
        return int(name[:2]) > side[int(name[2:])]

    return frozenset(
        frozenset((a, b))
        for a in grid.names
        for b in grid.neighbours(a)
        if low(a) != low(b) or (not low(a) and right(a) != right(b))
    )


def _towns(random: Random, grid: Grid) -> dict[str, str]:
    """Hexes at least six apart, with their names."""
    found: list[str] = []
    while len(found) < TOWNS:
        name = random.choice(grid.names)
        column, row = int(name[:2]), int(name[2:])
        inside = 2 < column < COLUMNS - 1 and 2 < row < ROWS - 1
        if inside and all(len(grid.way(name, other)) > 6 for other in found):
            found.append(name)
    return dict(zip(found, NAMES, strict=True))


def _roads(
    grid: Grid, terrain: dict[str, str], rivers: frozenset[frozenset[str]], towns: list[str]
) -> tuple[tuple[str, ...], ...]:
    """Each town is joined to the nearest of those before it; three more roads close circles."""
    weight = {"clear": 2, "town": 1, "woods": 4, "hills": 5, "marsh": 20}
    built: set[frozenset[str]] = set()

    def cost(a: str, b: str) -> int:
        pair = frozenset((a, b))
        return 1 if pair in built else weight[terrain[b]] + 10 * (pair in rivers)

    def road(here: str, there: str) -> tuple[str, ...]:
        path = _path(grid, cost, here, there)
        built.update(map(frozenset, pairwise(path)))
        return path

    wanted = []
    for number, town in enumerate(towns[1:], 1):
        wanted.append((town, min(towns[:number], key=lambda other: len(grid.way(town, other)))))
    wanted += [(towns[0], towns[-1]), (towns[1], towns[-2]), (towns[2], towns[-3])]
    return tuple(dict.fromkeys(road(*pair) for pair in wanted))


def _path(grid: Grid, cost: Callable[[str, str], int], here: str, there: str) -> tuple[str, ...]:
    """The cheapest way."""
    come: dict[str, tuple[str, ...]] = {}
    waiting = [(0, here, (here,))]
    while there not in come:
        spent, name, path = heapq.heappop(waiting)
        if name in come:
            continue
        come[name] = path
        for other in grid.neighbours(name):
            heapq.heappush(waiting, (spent + cost(name, other), other, (*path, other)))
    return come[there]


def _sides(sides: frozenset[frozenset[str]]) -> str:
    return " ".join(sorted("/".join(sorted(side)) for side in sides))


def _darken(canvas: Canvas, top: int) -> None:
    """Sheets of one map are never of quite the same colour."""
    shade = bytes(max(value - 6, 0) for value in range(256))
    start = 4 * canvas.width * top
    lower = bytearray(canvas.pixels[start:])
    for channel in range(3):
        lower[channel::4] = lower[channel::4].translate(shade)
    canvas.pixels[start:] = lower
