"""A small drawing of the part of the map that an offence is about: inline SVG over the module's own map."""

from __future__ import annotations

import base64
import io
from bisect import bisect_left
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from html import escape
from itertools import pairwise
from math import hypot
from types import MappingProxyType

from PIL import Image

from ...importers.vassal.layout import MapLayout
from ...importers.vassal.limits import Limits
from ...model.game import StepRef
from ...model.vouching import side_of
from ..art import Gallery
from ..auditing import Opened
from ..printable import printable
from ..reports.atlas import Atlas, Crop
from ..reports.drawing import number, outline, polyline, side_stroke, terrain_colour, way_stroke
from ..reports.map_scene import Counter, MapPicture, MapScene

MOST_SIDE = 560
"""Pixels of the longer side of a part."""
MOST_BOARD = 4000
"""A board's picture is scaled down so that its longer side has this many pixels before it is cut."""
_QUALITY = 70

Box = tuple[float, float, float, float]


class Ground:
    """Cuts the pictures of one game's maps; each part is made once."""

    def __init__(self, opened: Opened, limits: Limits) -> None:
        found = opened.backdrop
        self._layouts = found.layouts if found is not None else {}
        self._gallery = Gallery(found.module, limits) if found is not None else None
        self._counters: dict[str, str] = {}
        self._parts: dict[tuple[str, Box, int], str] = {}
        self._board = lru_cache(maxsize=2)(self._decoded)

    def part(self, a_map: str, box: Box, side: int = MOST_SIDE) -> str:
        """The part of a map in ``box`` (left, top, width, height in map pixels) as a data URI; "" if no
        picture can be shown there. ``side``: the most pixels that the longer side of the result may have."""
        key = a_map, box, side
        if key not in self._parts:
            layout = self._layouts.get(a_map)
            drawn = self._cut(layout, box, side) if layout is not None else None
            self._parts[key] = "" if drawn is None else _uri(drawn)
        return self._parts[key]

    def counter(self, face: str) -> str:
        """A counter's picture by its name, as a data URI; "" if none can be shown."""
        if face and face not in self._counters and self._gallery is not None:
            self._counters[face] = self._gallery.counters({face}).get(face, "")
        return self._counters.get(face, "")

    def _cut(self, layout: MapLayout, box: Box, side: int) -> Image.Image | None:
        left, top, width, height = box
        scale = min(1.0, side / max(width, height))
        whole = Image.new(
            "RGB", (max(1, round(width * scale)), max(1, round(height * scale))), "white"
        )
        seen = False
        for board in layout.boards:
            inner = (
                max(left, board.x),
                max(top, board.y),
                min(left + width, board.x + board.width),
                min(top + height, board.y + board.height),
            )
            if inner[2] <= inner[0] or inner[3] <= inner[1]:
                continue
            picture = self._board(board.definition.image, board.reversed)
            if picture is None:
                continue
            across, down = picture.width / board.width, picture.height / board.height
            source = (
                (inner[0] - board.x) * across,
                (inner[1] - board.y) * down,
                (inner[2] - board.x) * across,
                (inner[3] - board.y) * down,
            )
            size = (
                max(1, round((inner[2] - inner[0]) * scale)),
                max(1, round((inner[3] - inner[1]) * scale)),
            )
            part = picture.resize(size, Image.Resampling.BICUBIC, box=source)
            whole.paste(part, (round((inner[0] - left) * scale), round((inner[1] - top) * scale)))
            seen = True
        return whole if seen else None

    def _decoded(self, name: str, turned: bool) -> Image.Image | None:
        """A board's picture on a white ground; None if it cannot be drawn."""
        image = self._gallery.picture(name, MOST_BOARD) if self._gallery is not None else None
        if image is None:
            return None
        plain = Image.new("RGB", image.size, "white")
        plain.paste(image, mask=image.getchannel("A"))
        return plain.transpose(Image.Transpose.ROTATE_180) if turned else plain


def _uri(image: Image.Image) -> str:
    written = io.BytesIO()
    image.save(written, "WEBP", quality=_QUALITY, method=5)
    return f"data:image/webp;base64,{base64.b64encode(written.getvalue()).decode('ascii')}"


LOOK_SIDE = 700
"""Pixels of the longer side of a part of the map that a player is asked to look at."""


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
    """Draws parts of a scene that holds only what its readers may see: on the module's own map (``ground``),
    or on the pack's terrain where that has no picture. ``faces``: by unit, the picture that these readers
    see."""

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
        """The part of the map around ``hexes`` and ``path``, as it was after step ``at``; "" if no map has
        them."""
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
        """The map around ``hexes`` without counters, with the pack's terrain over it in the group ``pack``;
        "" if no map has them."""
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

    def place(self, key: str) -> str:
        """The module's map around the hex or hexside of a missing fact (its ``key``); "" if the fact is about
        neither, or the map has no picture there."""
        kind, _, about = key.partition(" ")
        name = about.rpartition(" ")[0]
        cells = {cell.name for a_map in self._atlas.scene.maps for cell in a_map.cells}
        hexes: tuple[str, ...] = (name,) if kind == "hex" and name in cells else ()
        if kind == "hexside":
            hexes = side_of(name, cells) or ()
        crop = self._atlas.crop(hexes, 0) if hexes else None
        if crop is None or not crop.cells or self._ground is None:
            return ""
        picture = self._ground.part(self._atlas.scene.maps[crop.map].name, crop.box, LOOK_SIDE)
        size = hypot(*crop.cells[0].corners[0])
        return _svg(crop, hexes, _photo(picture, crop, hexes, size)) if picture else ""

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
    """The module's map (``picture``; "": none) and the names of the hexes in question on it."""
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
    """The pack's hexes, each with its name."""
    yield from _ground_of(a_map, crop, size)
    for cell in crop.cells:
        yield _text(cell.x, cell.y + size * 0.75, cell.name, size * 0.26, "#3d4238")


def _held(a_map: MapPicture, crop: Crop, shown: Container[str], size: float) -> Iterator[str]:
    """The pack's hexes; those in ``shown`` have their terrain in words."""
    yield from _ground_of(a_map, crop, size, edged=True)
    for cell in crop.cells:
        told = cell.told.removeprefix(cell.name).removeprefix(":").split(",")
        for line, part in enumerate(told if cell.name in shown else ()):
            down = (line - len(told) / 2) * size * 0.24
            yield _text(cell.x, cell.y + down, part.strip(), size * 0.22, "#111111", halo=True)


def _ground_of(a_map: MapPicture, crop: Crop, size: float, *, edged: bool = False) -> Iterator[str]:
    """Terrain, lines and hexsides. ``edged``: draw white edges around lines, to tell them from printed
    ones."""
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
