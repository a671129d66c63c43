"""Colours of terrains, lines and sides, and SVG paths."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from .map_scene import Cell, Corners, Point

# Words of terrain names, first match wins. A terrain that none of them is in gets a quiet grey-green.
_TERRAIN = (
    (("sea", "lake", "ocean", "water", "pond"), "#9cc3df"),
    (("swamp", "marsh", "bog", "fen"), "#a9bf9d"),
    (("jungle", "forest", "wood", "orchard"), "#93ba7f"),
    (("mountain", "alpine"), "#b39c82"),
    (("hill", "rough", "broken", "ridge", "slope"), "#d3bf97"),
    (("city", "town", "village", "urban", "building"), "#c8b6ac"),
    (("desert", "sand", "dune"), "#ecdcb0"),
    (("clear", "open", "plain", "field", "grass"), "#eef0dd"),
)
_OTHER = "#dfe3d3"
_UNKNOWN = "#f4f4f4"

_LINES = (
    (("major", "primary", "highway"), ("#8d5a2b", 5.0, "")),
    (("rail",), ("#444444", 2.5, "8 4")),
    (("trail", "track", "path"), ("#a07a4b", 2.0, "6 4")),
    (("secondary",), ("#a9743f", 3.0, "")),
    (("road", "street"), ("#8d5a2b", 3.5, "")),
)
_SIDES = (
    (("lake", "sea", "water", "shore"), ("#5f9dc9", 7.0, "")),
    (("river", "canal"), ("#4a8fc4", 5.5, "")),
    (("stream", "creek", "brook"), ("#6aa7d2", 3.0, "")),
    (("bridge", "ford"), ("#5b4636", 4.0, "3 2")),
    (("cliff", "escarp", "slope", "ridge"), ("#8a6a4a", 4.0, "2 2")),
    (("hedge", "bocage"), ("#4f7d3a", 3.5, "")),
    (("wall",), ("#6d6d6d", 3.5, "")),
    (("border", "wadi"), ("#a36f9b", 3.0, "5 4")),
)
_PLAIN = ("#7a7a7a", 2.5, "4 3")

_NAMED_SIDES = (
    (("german", "axis", "wehrmacht"), "#5d6b72"),
    (("blue", "french", "union", "finn"), "#3a6ea8"),
    (("red", "soviet", "russian", "ussr", "communist"), "#a8382f"),
    (("american", "allied", "allies", "us", "usa"), "#5a7040"),
    (("british", "commonwealth", "uk"), "#a08246"),
    (("japan",), "#b3702f"),
)
_OTHER_SIDES = ("#3a6ea8", "#a8382f", "#5a7040", "#8a5a9e", "#b3702f", "#35807c")
NO_SIDE = "#77736b"


class Stroke(NamedTuple):
    """The style of a line: colour, width in hundredths of a hex, dash pattern ("": solid)."""

    colour: str
    width: float
    dashes: str


def terrain_colour(cell: Cell) -> str:
    """The colour of a hex, by its most characteristic terrain; near white if the terrain is not known."""
    if cell.terrain is None:
        return _UNKNOWN
    names = [name.lower() for name in (*cell.terrain, *cell.features)]
    for words, colour in _TERRAIN:
        if any(word in name for name in names for word in words):
            return colour
    return _OTHER


def way_stroke(kind: str) -> Stroke:
    """The stroke of a road or railway."""
    return _stroke(kind, _LINES)


def side_stroke(kinds: Iterable[str]) -> Stroke:
    """The stroke of a hexside: of several features, the widest."""
    return max(
        (_stroke(kind, _SIDES) for kind in kinds), key=lambda s: s.width, default=Stroke(*_PLAIN)
    )


def _stroke(kind: str, table: tuple[tuple[tuple[str, ...], tuple[str, float, str]], ...]) -> Stroke:
    name = kind.lower()
    return next(
        (Stroke(*style) for words, style in table if any(word in name for word in words)),
        Stroke(*_PLAIN),
    )


def side_colours(sides: Iterable[str]) -> dict[str, str]:
    """A colour for each side: the one its name suggests, else the next free one."""
    found: dict[str, str] = {}
    for side in sides:
        words = side.lower().replace("-", " ").split()
        hint = next((c for names, c in _NAMED_SIDES if any(w.startswith(names) for w in words)), "")
        taken = set(found.values())
        free = [colour for colour in _OTHER_SIDES if colour not in taken] or list(_OTHER_SIDES)
        found[side] = hint if hint and hint not in taken else free[0]
    return found


def number(value: float) -> str:
    """A coordinate in SVG, rounded to visible precision."""
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def outline(cells: Iterable[Cell]) -> str:
    """One SVG path that outlines each of the cells."""
    return "".join(
        f"M{_point((cell.x + cell.corners[0][0], cell.y + cell.corners[0][1]))}{_around(cell.corners)}"
        for cell in cells
    )


@cache
def _around(corners: Corners) -> str:
    """Around a hex from its first corner, in steps."""
    steps = ((bx - ax, by - ay) for (ax, ay), (bx, by) in pairwise(corners))
    return f"l{' '.join(map(_point, steps))}z"


def polyline(points: Iterable[Point]) -> str:
    """An SVG path from point to point."""
    exact = [(round(x, 1), round(y, 1)) for x, y in points]
    steps = [_point((bx - ax, by - ay)) for (ax, ay), (bx, by) in pairwise(exact)]
    return f"M{_point(exact[0])}l{' '.join(steps)}" if steps else f"M{_point(exact[0])}"


def _point(point: Point) -> str:
    return f"{number(point[0])} {number(point[1])}"
