"""A small drawing of the part of the map that an offence is about, as SVG in the text of a page."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from itertools import pairwise
from math import hypot
from types import MappingProxyType

from ...model.game import StepRef
from ..printable import printable
from ..reports.atlas import Atlas, Crop
from ..reports.drawing import number, outline, polyline, side_stroke, terrain_colour, way_stroke
from ..reports.map_scene import Counter, MapPicture, MapScene
from .ground import Ground

LOOK_SIDE = 700
"""Pixels of the longer side of a part of the map that somebody is asked to look at."""


@dataclass(frozen=True)
class CounterShown:
    """A counter as a picture (``picture``: a data URI), its name, and where it lay."""

    picture: str
    name: str
    hex: str

    @property
    def told(self) -> str:
        return f"{self.name}, {self.hex}" if self.hex else self.name


class Cutout:
    """Draws parts of one scene, which holds no more than its readers may see: on the module's own map
    (``ground``), and where that has no picture on the terrain as the pack has it. ``faces``: the names of the
    pictures of counters as these readers see them, by unit."""

    def __init__(
        self,
        scene: MapScene,
        ground: Ground | None = None,
        faces: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self._atlas = Atlas(scene)
        self._ground = ground
        self._faces = faces

    def of(self, hexes: Iterable[str], path: Iterable[str], at: StepRef) -> str:
        """The part of the map around ``hexes`` and ``path`` as it was after step ``at``; "": they are on no
        map."""
        way = tuple(path)
        shown = tuple(dict.fromkeys((*way, *hexes)))
        crop = self._atlas.crop(shown, self._atlas.stop(at))
        if crop is None or not crop.cells:
            return ""
        a_map = self._atlas.scene.maps[crop.map]
        picture = self._ground.part(a_map.name, crop.box) if self._ground is not None else ""
        size = hypot(*crop.cells[0].corners[0])
        parts = (
            *(_photo(picture, crop, shown, size) if picture else _terrain(a_map, crop, size)),
            *_way(crop, way, size),
            *self._counters(crop, size),
        )
        return _svg(crop, shown, parts)

    def look(self, hexes: tuple[str, ...]) -> str:
        """The map around ``hexes``, without counters, and over it in the group ``pack`` all that the pack
        holds there; "": they are on no map."""
        crop = self._atlas.crop(hexes, 0)
        if crop is None or not crop.cells:
            return ""
        a_map = self._atlas.scene.maps[crop.map]
        picture = self._ground.part(a_map.name, crop.box, LOOK_SIDE) if self._ground else ""
        size = hypot(*crop.cells[0].corners[0])
        parts = (
            *_photo(picture, crop, hexes, size),
            f'<g class="pack{" drawn" if picture else ""}">{"".join(_held(a_map, crop, hexes, size))}</g>',
        )
        return _svg(crop, hexes, parts)

    def counters(self, units: Iterable[str], at: StepRef | None) -> Iterator[CounterShown]:
        """The counters of ``units`` that have a picture, and where each lay before step ``at`` (None: at the
        end)."""
        for counter in map(self._by_unit.get, units):
            picture = self._picture(counter) if counter is not None else ""
            if counter is not None and picture:
                steps = [step for step, _ in counter.stays]
                after = len(steps) if at is None else max(1, bisect_left(steps, at))
                where = counter.stays[after - 1][1] or ""
                yield CounterShown(picture, counter.name, where)

    def _picture(self, counter: Counter) -> str:
        if counter.picture or self._ground is None:
            return counter.picture
        return self._ground.counter(self._faces.get(counter.unit, ""))

    @cached_property
    def _by_unit(self) -> Mapping[str, Counter]:
        return {counter.unit: counter for counter in self._atlas.scene.counters}

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


def _svg(crop: Crop, shown: Sequence[str], parts: Iterable[str]) -> str:
    left, top, width, height = (number(one) for one in crop.box)
    label = escape(printable(f"the map around {', '.join(shown[:6])}"), quote=True)
    return (
        f'<svg class="cutout" viewBox="{left} {top} {width} {height}" role="img" aria-label="{label}">'
        f"{''.join(parts)}</svg>"
    )


def _photo(picture: str, crop: Crop, shown: Container[str], size: float) -> Iterator[str]:
    """The module's map (``picture``; "": it has none), and on it the hexes that it is about with their
    names."""
    left, top, width, height = (number(one) for one in crop.box)
    if picture:
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
    yield from _ground_of(a_map, crop, size)
    for cell in crop.cells:
        yield _text(cell.x, cell.y + size * 0.75, cell.name, size * 0.26, "#3d4238")


def _held(a_map: MapPicture, crop: Crop, shown: Container[str], size: float) -> Iterator[str]:
    """The hexes as the pack has them, those ``shown`` with their terrain in words."""
    yield from _ground_of(a_map, crop, size, edged=True)
    for cell in crop.cells:
        told = cell.told.removeprefix(cell.name).removeprefix(":").split(",")
        for line, part in enumerate(told if cell.name in shown else ()):
            down = (line - len(told) / 2) * size * 0.24
            yield _text(cell.x, cell.y + down, part.strip(), size * 0.22, "#111111", halo=True)


def _ground_of(a_map: MapPicture, crop: Crop, size: float, *, edged: bool = False) -> Iterator[str]:
    """Terrain, lines and hexsides. ``edged``: lines have white edges, to be told from those printed below."""
    names = {cell.name for cell in crop.cells}
    for cell in crop.cells:
        yield (
            f'<path class="hex" d="{outline((cell,))}" fill="{terrain_colour(cell)}" stroke="#8a8f80"'
            f' stroke-width="{number(size * 0.02)}"/>'
        )
    centres = {cell.name: (cell.x, cell.y) for cell in crop.cells}
    for way in a_map.ways:
        for a, b in pairwise(way.hexes):
            if a in names and b in names:
                yield _stroked(
                    polyline((centres[a], centres[b])), way_stroke(way.kind), size, edged=edged
                )
    for side in a_map.hexsides:
        if names.issuperset(side.between):
            yield _stroked(polyline(side.ends), side_stroke(side.kinds), size, edged=edged)


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


def _stroked(path: str, stroke: tuple[str, float, str], size: float, *, edged: bool = False) -> str:
    colour, width, dashes = stroke
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
    broad = max(1.0, size * width / 60)
    around = '<path d="{}" fill="none" stroke="#ffffff" stroke-width="{}"/>' if edged else ""
    return (
        f"{around.format(path, number(broad + size * 0.08))}"
        f'<path d="{path}" fill="none" stroke="{colour}" stroke-linecap="round"'
        f' stroke-width="{number(broad)}"{dashed}/>'
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
