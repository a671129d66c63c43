"""A small drawing of the part of the map that an offence is about, as SVG in the text of a page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape
from math import hypot

from ...model.game import StepRef
from ..printable import printable
from ..reports.atlas import Atlas, Crop
from ..reports.drawing import number, outline, polyline, side_stroke, terrain_colour, way_stroke
from ..reports.map_scene import MapScene


class Cutout:
    """Draws parts of one scene, which holds no more than its readers may see."""

    def __init__(self, scene: MapScene) -> None:
        self._atlas = Atlas(scene)

    def of(self, hexes: Iterable[str], path: Iterable[str], at: StepRef) -> str:
        """The part of the map around ``hexes`` and ``path`` as it was after step ``at``; "": they are on no
        map."""
        shown = tuple(dict.fromkeys((*path, *hexes)))
        crop = self._atlas.crop(shown, self._atlas.stop(at))
        if crop is None or not crop.cells:
            return ""
        left, top, width, height = crop.box
        body = "".join(self._drawn(crop, path))
        label = escape(printable(f"the map around {', '.join(shown[:6])}"), quote=True)
        return (
            f'<svg class="cutout" viewBox="{number(left)} {number(top)} {number(width)} {number(height)}"'
            f' role="img" aria-label="{label}">{body}</svg>'
        )

    def _drawn(self, crop: Crop, path: Iterable[str]) -> Iterator[str]:
        a_map = self._atlas.scene.maps[crop.map]
        names = {cell.name for cell in crop.cells}
        size = hypot(*crop.cells[0].corners[0]) if crop.cells else 40.0
        for cell in crop.cells:
            yield (
                f'<path d="{outline((cell,))}" fill="{terrain_colour(cell)}" stroke="#8a8f80"'
                f' stroke-width="{number(size * 0.02)}"/>'
            )
        centres = {cell.name: (cell.x, cell.y) for cell in crop.cells}
        for way in a_map.ways:
            for a, b in zip(way.hexes, way.hexes[1:], strict=False):
                if a in names and b in names:
                    yield _stroked(polyline((centres[a], centres[b])), way_stroke(way.kind), size)
        for side in a_map.hexsides:
            if names.issuperset(side.between):
                yield _stroked(polyline(side.ends), side_stroke(side.kinds), size)
        for cell in crop.cells:
            yield _text(cell.x, cell.y + size * 0.75, cell.name, size * 0.26, "#3d4238")
        way_taken = [centres[name] for name in path if name in centres]
        if len(way_taken) > 1:
            yield (
                f'<path d="{polyline(way_taken)}" fill="none" stroke="#c2185b" stroke-linejoin="round"'
                f' stroke-width="{number(size * 0.1)}" stroke-opacity="0.85"/>'
            )
            x, y = way_taken[0]
            yield f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(size * 0.12)}" fill="#c2185b"/>'
        for drawn in crop.counters:
            colour = self._atlas.colour(drawn.counter)
            half = size * 0.42
            yield (
                f'<rect x="{number(drawn.x - half)}" y="{number(drawn.y - half)}" width="{number(2 * half)}"'
                f' height="{number(2 * half)}" rx="{number(half * 0.15)}" fill="{colour}" stroke="#222"/>'
            )
            yield _text(drawn.x, drawn.y, drawn.counter.name[:9], size * 0.2, "#ffffff")


def _stroked(path: str, stroke: tuple[str, float, str], size: float) -> str:
    colour, width, dashes = stroke
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
    return (
        f'<path d="{path}" fill="none" stroke="{colour}" stroke-linecap="round"'
        f' stroke-width="{number(max(1.0, size * width / 60))}"{dashed}/>'
    )


def _text(x: float, y: float, text: str, size: float, colour: str) -> str:
    return (
        f'<text x="{number(x)}" y="{number(y)}" font-size="{number(size)}" text-anchor="middle"'
        f' fill="{colour}">{escape(printable(text))}</text>'
    )
