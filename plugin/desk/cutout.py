"""A small drawing of the part of the map that an offence is about, as SVG in the text of a page."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from html import escape
from itertools import pairwise
from math import hypot

from ...model.game import StepRef
from ..printable import printable
from ..reports.atlas import Atlas, Crop
from ..reports.drawing import number, outline, polyline, side_stroke, terrain_colour, way_stroke
from ..reports.map_scene import MapPicture, MapScene
from .ground import Ground


class Cutout:
    """Draws parts of one scene, which holds no more than its readers may see: on the module's own map
    (``ground``), and where that has no picture on the terrain as the pack has it."""

    def __init__(self, scene: MapScene, ground: Ground | None = None) -> None:
        self._atlas = Atlas(scene)
        self._ground = ground

    def of(self, hexes: Iterable[str], path: Iterable[str], at: StepRef) -> str:
        """The part of the map around ``hexes`` and ``path`` as it was after step ``at``; "": they are on no
        map."""
        way = tuple(path)
        shown = tuple(dict.fromkeys((*way, *hexes)))
        crop = self._atlas.crop(shown, self._atlas.stop(at))
        if crop is None or not crop.cells:
            return ""
        left, top, width, height = crop.box
        a_map = self._atlas.scene.maps[crop.map]
        picture = self._ground.part(a_map.name, crop.box) if self._ground is not None else ""
        size = hypot(*crop.cells[0].corners[0])
        parts = (
            *(_photo(picture, crop, shown, size) if picture else _terrain(a_map, crop, size)),
            *_way(crop, way, size),
            *self._counters(crop, size),
        )
        label = escape(printable(f"the map around {', '.join(shown[:6])}"), quote=True)
        return (
            f'<svg class="cutout" viewBox="{number(left)} {number(top)} {number(width)} {number(height)}"'
            f' role="img" aria-label="{label}">{"".join(parts)}</svg>'
        )

    def _counters(self, crop: Crop, size: float) -> Iterator[str]:
        for drawn in crop.counters:
            half = size * 0.42
            place = (
                f'x="{number(drawn.x - half)}" y="{number(drawn.y - half)}" width="{number(2 * half)}"'
                f' height="{number(2 * half)}"'
            )
            name = escape(printable(drawn.counter.name))
            if drawn.counter.picture:
                href = escape(drawn.counter.picture, quote=True)
                yield f'<image href="{href}" {place}><title>{name}</title></image>'
                continue
            colour = self._atlas.colour(drawn.counter)
            yield f'<rect {place} rx="{number(half * 0.15)}" fill="{colour}" stroke="#222"/>'
            yield _text(drawn.x, drawn.y, drawn.counter.name[:9], size * 0.2, "#ffffff")


def _photo(picture: str, crop: Crop, shown: Container[str], size: float) -> Iterator[str]:
    """The module's map, and on it the hexes that it is about with their names."""
    left, top, width, height = (number(one) for one in crop.box)
    yield (
        f'<image href="{picture}" x="{left}" y="{top}" width="{width}" height="{height}"'
        ' preserveAspectRatio="none"/>'
    )
    for cell in crop.cells:
        if cell.name in shown:
            yield (
                f'<path d="{outline((cell,))}" fill="none" stroke="#c2185b"'
                f' stroke-width="{number(size * 0.04)}"/>'
            )
            yield _text(cell.x, cell.y + size * 0.78, cell.name, size * 0.28, "#111111", halo=True)


def _terrain(a_map: MapPicture, crop: Crop, size: float) -> Iterator[str]:
    """The hexes as the pack has them, each with its name."""
    names = {cell.name for cell in crop.cells}
    for cell in crop.cells:
        yield (
            f'<path d="{outline((cell,))}" fill="{terrain_colour(cell)}" stroke="#8a8f80"'
            f' stroke-width="{number(size * 0.02)}"/>'
        )
    centres = {cell.name: (cell.x, cell.y) for cell in crop.cells}
    for way in a_map.ways:
        for a, b in pairwise(way.hexes):
            if a in names and b in names:
                yield _stroked(polyline((centres[a], centres[b])), way_stroke(way.kind), size)
    for side in a_map.hexsides:
        if names.issuperset(side.between):
            yield _stroked(polyline(side.ends), side_stroke(side.kinds), size)
    for cell in crop.cells:
        yield _text(cell.x, cell.y + size * 0.75, cell.name, size * 0.26, "#3d4238")


def _way(crop: Crop, path: Iterable[str], size: float) -> Iterator[str]:
    centres = {cell.name: (cell.x, cell.y) for cell in crop.cells}
    taken = [centres[name] for name in path if name in centres]
    if len(taken) > 1:
        yield (
            f'<path d="{polyline(taken)}" fill="none" stroke="#c2185b" stroke-linejoin="round"'
            f' stroke-width="{number(size * 0.1)}" stroke-opacity="0.85"/>'
        )
        x, y = taken[0]
        yield f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(size * 0.12)}" fill="#c2185b"/>'


def _stroked(path: str, stroke: tuple[str, float, str], size: float) -> str:
    colour, width, dashes = stroke
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
    return (
        f'<path d="{path}" fill="none" stroke="{colour}" stroke-linecap="round"'
        f' stroke-width="{number(max(1.0, size * width / 60))}"{dashed}/>'
    )


def _text(x: float, y: float, text: str, size: float, colour: str, *, halo: bool = False) -> str:
    around = (
        f' stroke="#ffffff" stroke-width="{number(size * 0.25)}" paint-order="stroke"'
        if halo
        else ""
    )
    return (
        f'<text x="{number(x)}" y="{number(y)}" font-size="{number(size)}" text-anchor="middle"'
        f' fill="{colour}"{around}>{escape(printable(text))}</text>'
    )
