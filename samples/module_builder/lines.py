"""How roads, rivers and the like look. ``WAYS`` are drawn from hex to hex, ``SIDES`` along hexsides.

Widths are in percent of half a hex's height.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from zlib import crc32

from .canvas import Canvas, Colour, Point, along, beside, distance
from .ground import INK, SHORE, WATER
from .hexes import Grid


@dataclass(frozen=True)
class Band:
    """One stroke of a line: its width, its colour; ``dash`` and ``gap`` where it is broken."""

    width: int
    colour: Colour
    dash: int = 0
    gap: int = 0


CASING: Colour = (92, 66, 44, 255)
# Lines from hex to hex by style, the best first; of each the widest band first.
WAYS: dict[str, tuple[Band, ...]] = {
    "autobahn": (Band(22, INK), Band(17, (222, 152, 62, 255)), Band(3, INK)),
    "highway": (Band(18, CASING), Band(13, (214, 88, 60, 255))),
    "primary road": (Band(16, CASING), Band(11, (206, 74, 54, 255))),
    "primary": (Band(16, CASING), Band(11, (206, 74, 54, 255))),
    "main road": (Band(16, CASING), Band(11, (214, 108, 66, 255))),
    "road": (Band(14, CASING), Band(9, (236, 200, 120, 255))),
    "secondary": (Band(12, CASING), Band(7, (236, 200, 120, 255))),
    "secondary road": (Band(12, CASING), Band(7, (244, 236, 206, 255))),
    "minor road": (Band(9, CASING), Band(5, (244, 236, 206, 255))),
    "track": (Band(6, CASING, 22, 12),),
    "trail": (Band(5, CASING, 12, 10),),
    "path": (Band(4, CASING, 6, 8),),
    "railroad": (Band(5, INK), Band(16, INK, 4, 16)),
    "railway": (Band(5, INK), Band(16, INK, 4, 16)),
    "light railroad": (Band(3, INK), Band(12, INK, 3, 22)),
    "dashed": (Band(6, (172, 52, 44, 255), 16, 12),),
    "ferry": (Band(4, SHORE, 10, 8),),
}
RANK = (*reversed(WAYS),)
"""The better roads are drawn over the lesser ones."""


COURSES: dict[str, tuple[Band, ...]] = {
    "river": (Band(44, SHORE), Band(38, WATER)),
    "canal": (Band(34, INK), Band(28, WATER)),
    "stream": (Band(16, SHORE), Band(11, WATER)),
    "gully": (Band(26, (170, 140, 98, 255)), Band(14, (120, 94, 64, 255))),
    "balka": (Band(26, (170, 140, 98, 255)), Band(14, (120, 94, 64, 255))),
    "wadi": (Band(28, (198, 168, 118, 255)), Band(20, (222, 198, 146, 255), 8, 5)),
}
"""Terrains that run through hexes: each is joined to the hexes beside it that have the same."""


def course(sheet: Canvas, grid: Grid, name: str, joined: Sequence[str], band: Band) -> None:
    """One hex of a course, bent from hexside to hexside; where it ends, it ends in the middle."""
    middle, unit = grid.centre(name), grid.dy // 2
    ends = [along(middle, grid.centre(other), 1, 2) for other in joined]
    if len(ends) == 2:
        points = [
            (
                _bent(ends[0][0], middle[0], ends[1][0], t),
                _bent(ends[0][1], middle[1], ends[1][1], t),
            )
            for t in range(9)
        ]
        _band(sheet, points, band, unit)
        return
    for end in ends or [middle]:
        _band(sheet, [middle, end], band, unit)


def _bent(a: int, b: int, c: int, t: int) -> int:
    """The ``t``-th of eight parts of a curve from ``a`` to ``c``, drawn towards ``b``."""
    return (a * (8 - t) ** 2 + 2 * b * t * (8 - t) + c * t * t) // 64


def way(sheet: Canvas, grid: Grid, path: Sequence[str], bands: Iterable[Band]) -> None:
    """A road through the middles of the hexes of ``path``, bent smoothly."""
    points = smooth([grid.centre(name) for name in path])
    for band in bands:
        _band(sheet, points, band, grid.dy // 2)


def _band(sheet: Canvas, points: Sequence[Point], band: Band, unit: int) -> None:
    width = max(band.width * unit // 100, 1)
    if band.dash:
        dash, gap = (max(part * unit // 100, 1) for part in (band.dash, band.gap))
        sheet.dashes(points, width, band.colour, dash, gap)
    else:
        sheet.stroke(points, width, band.colour)


def smooth(points: Sequence[Point], parts: int = 8) -> list[Point]:
    """A curve through ``points`` (Catmull-Rom), ``parts`` steps from each to the next."""
    if len(points) < 3:
        return list(points)
    padded = [points[0], *points, points[-1]]
    found = [points[0]]
    for a, b, c, d in zip(padded, padded[1:], padded[2:], padded[3:], strict=False):
        for step in range(1, parts + 1):
            found.append(
                (
                    _curve(a[0], b[0], c[0], d[0], step, parts),
                    _curve(a[1], b[1], c[1], d[1], step, parts),
                )
            )
    return found


def _curve(a: int, b: int, c: int, d: int, t: int, n: int) -> int:
    cubed = (-a + 3 * b - 3 * c + d) * t**3
    squared = (2 * a - 5 * b + 4 * c - d) * t * t * n
    return (cubed + squared + (c - a) * t * n * n + 2 * b * n**3) // (2 * n**3)


Side = tuple[Point, Point]


def meander(ends: Side, sway: int) -> list[Point]:
    """A hexside drawn as water runs; the same whichever way its ends are named."""
    a, b = sorted(ends)
    length = distance(a, b)
    points = [a]
    for part in (1, 2, 3):
        x, y = along(a, b, part * length // 4, length)
        off = crc32(f"{a} {b} {part}".encode()) % (2 * sway + 1) - sway
        dx, dy = beside(a, b, off)
        points.append((x + dx, y + dy))
    return smooth([*points, b], 4)


def _water(width: int, sway: int, rim: Colour = SHORE, fill: Colour = WATER) -> SideStyle:
    def draw(sheet: Canvas, sides: Sequence[Side], unit: int) -> None:
        courses = [meander(side, max(sway * unit // 100, 1)) for side in sides]
        for course in courses:
            sheet.stroke(course, (width + 5) * unit // 100, rim)
        for course in courses:
            sheet.stroke(course, max(width * unit // 100, 1), fill)

    return draw


def _straight(*bands: Band) -> SideStyle:
    def draw(sheet: Canvas, sides: Sequence[Side], unit: int) -> None:
        for band in bands:
            for side in sides:
                _band(sheet, side, band, unit)

    return draw


def _canal(sheet: Canvas, sides: Sequence[Side], unit: int) -> None:
    _straight(Band(20, INK), Band(15, WATER))(sheet, sides, unit)


def _cliff(sheet: Canvas, sides: Sequence[Side], unit: int) -> None:
    """A brown edge with teeth."""
    brown: Colour = (96, 66, 40, 255)
    for side in sides:
        a, b = sorted(side)
        sheet.stroke([a, b], 8 * unit // 100, brown)
        length, step = distance(a, b), 14 * unit // 100
        for at in range(step // 2, length, step):
            x, y = along(a, b, at, length)
            dx, dy = beside(a, b, 15 * unit // 100)
            sheet.stroke([(x, y), (x + dx, y + dy)], 5 * unit // 100, brown)


def _beads(colour: Colour, radius: int, gap: int, ground: Colour | None = None) -> SideStyle:
    """Bushes or stones in a row."""
    rim: Colour = (colour[0] * 2 // 3, colour[1] * 2 // 3, colour[2] * 2 // 3, 255)

    def draw(sheet: Canvas, sides: Sequence[Side], unit: int) -> None:
        r = radius * unit // 100
        for a, b in sides:
            length = distance(a, b)
            spots = [along(a, b, at, length) for at in range(0, length + 1, gap * unit // 100)]
            if ground is not None:
                sheet.stroke([a, b], 2 * r, ground)
            for spot in spots:
                sheet.disc(spot, r, rim)
            for x, y in spots:
                sheet.disc((x - 1, y - 1), r * 3 // 4, colour)

    return draw


def _teeth(sheet: Canvas, sides: Sequence[Side], unit: int) -> None:
    """Tank obstacles: a row of blocks."""
    grey: Colour = (88, 86, 84, 255)
    for a, b in sides:
        length, half = distance(a, b), 6 * unit // 100
        for at in range(half, length, 20 * unit // 100):
            x, y = along(a, b, at, length)
            sheet.polygon([(x - half, y + half), (x, y - half - 2), (x + half, y + half)], grey)


SideStyle = Callable[[Canvas, Sequence[Side], int], None]
SIDES: dict[str, SideStyle] = {
    "stream": _water(5, 7, SHORE, SHORE),
    "river": _water(17, 6),
    "minor river": _water(10, 7),
    "major river": _water(26, 4),
    "lake": _straight(Band(30, SHORE), Band(26, WATER)),
    "deep stream": _water(9, 6, SHORE, SHORE),
    "wadi": _straight(Band(12, (150, 122, 84, 255)), Band(8, (222, 198, 146, 255))),
    "canal": _canal,
    "gully": _straight(Band(10, (140, 112, 78, 255), 12, 6)),
    "ditch": _straight(Band(8, (120, 96, 66, 255))),
    "slope": _straight(Band(8, (168, 128, 78, 255), 6, 6)),
    "crest": _straight(Band(7, (120, 88, 52, 255))),
    "cliff": _cliff,
    "ridge": _cliff,
    "hedgerow": _beads((70, 112, 54, 255), 11, 12, (126, 104, 70, 255)),
    "hedge": _beads((94, 138, 66, 255), 8, 11),
    "bocage": _beads((70, 112, 54, 255), 12, 13, (126, 104, 70, 255)),
    "wall": _beads((176, 170, 160, 255), 7, 13, (112, 106, 98, 255)),
    "fence": _straight(Band(3, (120, 88, 52, 255)), Band(9, (120, 88, 52, 255), 3, 14)),
    "wire": _straight(Band(3, INK), Band(10, INK, 3, 8)),
    "dashed": _straight(Band(8, (172, 52, 44, 255), 14, 9)),
    "border": _straight(Band(6, (150, 60, 110, 255), 16, 8)),
    "constricted": _straight(Band(8, (172, 52, 44, 255), 14, 9)),
    "fortified": _teeth,
    "west wall": _teeth,
}
"""Styles of hexsides. Each draws all sides of its kind at once, so that no rim crosses a fill."""

CROSSINGS = ("bridge", "light bridge", "heavy bridge", "railroad bridge", "ford", "dam", "ferry")
"""Things on a hexside that are drawn across it."""


def crossing(sheet: Canvas, grid: Grid, a: str, b: str, kind: str) -> None:
    """A bridge, or a ford, over the hexside between two hexes."""
    (ax, ay), (bx, by) = grid.centre(a), grid.centre(b)
    unit = grid.dy // 2
    length = distance((ax, ay), (bx, by))
    near, far = length // 2 - 17 * unit // 100, length // 2 + 17 * unit // 100
    ends = along((ax, ay), (bx, by), near, length), along((ax, ay), (bx, by), far, length)
    if kind == "ford":
        sheet.dashes(ends, 22 * unit // 100, (240, 232, 200, 255), 5 * unit // 100, 5 * unit // 100)
        return
    if kind == "dam":
        sheet.stroke(grid.side(a, b), 10 * unit // 100, (120, 116, 110, 255))
        return
    deck: Colour = (240, 232, 206, 255) if kind != "railroad bridge" else (190, 186, 180, 255)
    wide = {"light bridge": 9, "heavy bridge": 17}.get(kind, 13)
    sheet.polygon(_slab(*ends, wide * unit // 100), deck)
    for hand in (1, -1):
        dx, dy = beside(*ends, hand * wide * unit // 100)
        rail = [(x + dx, y + dy) for x, y in ends]
        sheet.stroke(rail, (6 if kind == "heavy bridge" else 4) * unit // 100, INK)


def span(sheet: Canvas, grid: Grid, name: str, around: Sequence[str]) -> None:
    """A bridge that is the terrain of a hex, under the road from and to the hexes ``around``."""
    unit, middle = grid.dy // 2, grid.centre(name)
    for other in around:
        end = along(middle, grid.centre(other), 3, 10)
        sheet.polygon(_slab(middle, end, 20 * unit // 100), (240, 232, 206, 255))
        for hand in (1, -1):
            dx, dy = beside(middle, end, hand * 20 * unit // 100)
            rail = [(x + dx, y + dy) for x, y in (middle, end)]
            sheet.stroke(rail, 5 * unit // 100, INK)


def _slab(a: Point, b: Point, half: int) -> list[Point]:
    dx, dy = beside(a, b, half)
    return [
        (a[0] + dx, a[1] + dy),
        (b[0] + dx, b[1] + dy),
        (b[0] - dx, b[1] - dy),
        (a[0] - dx, a[1] - dy),
    ]
