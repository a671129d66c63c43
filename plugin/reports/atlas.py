"""The drawable parts of a scene: terrains, roads, hexsides, paths, counters, and crops of maps."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import hypot

from ...model.game import StepRef
from .drawing import NO_SIDE, Stroke, side_colours, side_stroke, terrain_colour, way_stroke
from .map_scene import Cell, Counter, MapPicture, MapScene, MovedBetween, Point, While

Stops = tuple[int, int | None]

BLOCK = 16
"""Hexes across a block. A block is painted or skipped as a whole."""

AROUND = 2.2
"""Hexes shown around the place of a finding."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """A counter at its place: the index of its unit, and the pixel of its centre."""

    unit: int
    counter: Counter
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Crop:
    """The part of a map around a finding. ``box``: left, top, width, height."""

    map: int
    box: tuple[float, float, float, float]
    cells: tuple[Cell, ...]
    counters: tuple[Drawn, ...]
    stop: int = 0


class Atlas:
    """Draws one scene."""

    def __init__(self, scene: MapScene) -> None:
        self.scene = scene
        self.colours = side_colours(scene.sides)

    def stop(self, step: StepRef) -> int:
        """The stop of the slider that shows the table after ``step``."""
        return max(0, bisect_right(self.scene.steps, step) - 1)

    def first(self, step: StepRef) -> int:
        """The first stop of the slider at or after ``step``."""
        return bisect_left(self.scene.steps, step)

    def reach(self, a_map: MapPicture) -> float:
        """The mean distance in pixels from the centre of a hex of ``a_map`` to its corners."""
        if not a_map.cells:
            return 40.0
        corners = a_map.cells[0].corners
        return sum(hypot(dx, dy) for dx, dy in corners) / len(corners)

    def blocks(self, a_map: MapPicture) -> list[list[Cell]]:
        """The hexes of a map in square blocks. Of a big map only the blocks in view are painted."""
        size = BLOCK * 2 * self.reach(a_map) or 1.0
        found: dict[tuple[int, int], list[Cell]] = {}
        for cell in a_map.cells:
            found.setdefault((int(cell.x // size), int(cell.y // size)), []).append(cell)
        return [cells for _, cells in sorted(found.items())]

    def terrains(self, cells: Iterable[Cell]) -> list[tuple[str, list[Cell]]]:
        """Hexes by colour. One SVG path draws all hexes of a colour."""
        found: dict[str, list[Cell]] = {}
        for cell in cells:
            found.setdefault(terrain_colour(cell), []).append(cell)
        return sorted(found.items())

    def ways(
        self, a_map: MapPicture, crop: Crop | None = None
    ) -> Iterator[tuple[Stroke, list[Point], Stops]]:
        """Roads and the like, the widest first, with the stops of the slider that show them. ``crop``: only
        those that touch its hexes, at its stop."""
        names = None if crop is None else {cell.name for cell in crop.cells}
        strokes = sorted(
            ((way_stroke(way.kind), way) for way in a_map.ways), key=lambda s: -s[0].width
        )
        for stroke, way in strokes:
            if crop is None or self._is_so(way.while_, crop.stop):
                for chain in _runs(way.hexes, names):
                    points = self._points(chain)
                    if len(points) > 1:
                        yield stroke, points, self.stops(way.while_)

    def hexsides(
        self, a_map: MapPicture, crop: Crop | None = None
    ) -> Iterator[tuple[Stroke, tuple[Point, Point], Stops]]:
        """Features on hexsides; ``crop`` as in :meth:`ways`."""
        names = None if crop is None else {cell.name for cell in crop.cells}
        for side in a_map.hexsides:
            inside = names is None or not names.isdisjoint(side.between)
            if inside and (crop is None or self._is_so(side.while_, crop.stop)):
                yield side_stroke(side.kinds), side.ends, self.stops(side.while_)

    def drawn_lines(self, a_map: MapPicture) -> list[tuple[Stroke, list[Sequence[Point]], Stops]]:
        """All ways, then all hexside features, grouped by stroke and stops."""
        found: dict[tuple[Stroke, Stops], list[Sequence[Point]]] = {}
        for stroke, points, stops in (*self.ways(a_map), *self.hexsides(a_map)):
            found.setdefault((stroke, stops), []).append(points)
        return [(stroke, parts, stops) for (stroke, stops), parts in found.items()]

    def stops(self, while_: While) -> Stops:
        """The first stop of the slider at which something holds, and the first at which it no longer does
        (None: it holds to the end)."""
        since = 0 if while_.since is None else self.stop(while_.since)
        return since, None if while_.until is None else self.stop(while_.until)

    def _is_so(self, while_: While, stop: int) -> bool:
        since, until = self.stops(while_)
        return since <= stop and (until is None or stop < until)

    def _points(self, hexes: tuple[str, ...]) -> list[Point]:
        cells = [self.scene.cell(name) for name in hexes]
        return [(cell.x, cell.y) for cell in cells if cell is not None]

    def path(self, hexes: Iterable[str]) -> tuple[int, list[Point]] | None:
        """The index of the map that a path is drawn on (the map it ends on) and its points in pixels; None if
        its hexes are on no map."""
        homes = [(name, self.scene.homes[name]) for name in hexes if name in self.scene.homes]
        if not homes:
            return None
        on = homes[-1][1][0]
        return on, self._points(tuple(name for name, home in homes if home[0] == on))

    def moved_between(self, number: int) -> Iterator[tuple[MovedBetween, list[Point], Stops]]:
        """Counters moved between logs on map ``number``: their points in pixels, and the stop of the slider
        that shows the opening of the later log."""
        for moved in self.scene.between:
            drawn = self.path(moved.hexes)
            if drawn is not None and drawn[0] == number and len(drawn[1]) == 2:
                stop = self.stop(moved.at)
                yield moved, drawn[1], (stop, stop + 1)

    def placed(self) -> list[Drawn]:
        """Every counter at its opening place; counters that come later wait at the corner of the first
        map."""
        lying = dict(self.lying(0))
        drawn = {d.unit: d for d in self._drawn(tuple(lying.items()))}
        return [
            drawn.get(index) or Drawn(index, counter, -1e5, -1e5)
            for index, counter in enumerate(self.scene.counters)
        ]

    def map_of(self, drawn: Drawn) -> int:
        """The map a counter is drawn on first."""
        homes = (self.scene.homes.get(name or "") for _, name in drawn.counter.stays)
        return next((home[0] for home in homes if home is not None), 0)

    def colour(self, counter: Counter) -> str:
        """The colour of the counter's side."""
        return self.colours.get(counter.side or "", NO_SIDE)

    @property
    def plain_colours(self) -> dict[str, str]:
        """The colours of sides with counters that are drawn without a picture."""
        plain = {counter.side for counter in self.scene.counters if not counter.picture}
        return {side: colour for side, colour in self.colours.items() if side in plain}

    @cached_property
    def faces(self) -> list[str]:
        """The distinct pictures of counters."""
        return list(dict.fromkeys(c.picture for c in self.scene.counters if c.picture))

    def face(self, counter: Counter) -> int:
        """The index of a counter's picture; -1 if it has none."""
        return self._face_numbers.get(counter.picture, -1)

    @cached_property
    def _face_numbers(self) -> dict[str, int]:
        return {face: number for number, face in enumerate(self.faces)}

    def crop(self, hexes: Iterable[str], stop: int) -> Crop | None:
        """The part of a map around ``hexes`` at a stop of the slider; None if they are on no map."""
        homes = [
            self.scene.homes[name] for name in dict.fromkeys(hexes) if name in self.scene.homes
        ]
        if not homes:
            return None
        on = homes[0][0]
        a_map = self.scene.maps[on]
        cells = [a_map.cells[c] for m, c in homes if m == on]
        pad = AROUND * self.reach(a_map)
        left, right = min(c.x for c in cells) - pad, max(c.x for c in cells) + pad
        top, bottom = min(c.y for c in cells) - pad, max(c.y for c in cells) + pad
        inside = tuple(
            c
            for c in a_map.cells
            if left - pad < c.x < right + pad and top - pad < c.y < bottom + pad
        )
        shown = {cell.name for cell in inside}
        counters = tuple(lying for lying in self.lying(stop) if lying[1] in shown)
        box = (round(left, 1), round(top, 1), round(right - left, 1), round(bottom - top, 1))
        now = {c.name: c for c, while_ in a_map.changed if self._is_so(while_, stop)}
        inside = tuple(now.get(c.name, c) for c in inside)
        return Crop(on, box, inside, tuple(self._drawn(counters)), stop)

    def lying(self, step: int) -> list[tuple[int, str]]:
        """The index of every unit that is in a hex after stop ``step`` of the slider, with that hex."""
        at = self.scene.steps[step] if self.scene.steps else StepRef(1, 0)
        found = []
        for index, counter in enumerate(self.scene.counters):
            where = None
            for since, hex_name in counter.stays:
                if since > at:
                    break
                where = hex_name
            if where is not None:
                found.append((index, where))
        return found

    def _drawn(self, lying: tuple[tuple[int, str], ...]) -> Iterator[Drawn]:
        """Counters of one hex, slightly offset as VASSAL stacks them."""
        height: dict[str, int] = {}
        for index, name in lying:
            cell = self.scene.cell(name)
            if cell is not None:
                up = height[name] = height.get(name, -1) + 1
                shift = up * 0.11 * hypot(*cell.corners[0])
                yield Drawn(index, self.scene.counters[index], cell.x + shift, cell.y - shift)


def _runs(hexes: tuple[str, ...], names: set[str] | None) -> Iterator[tuple[str, ...]]:
    """The parts of a chain that touch ``names``, with one hex beyond at each end."""
    if names is None:
        yield hexes
        return
    run: list[str] = []
    for one, other in pairwise(hexes):
        if one in names or other in names:
            run = run or [one]
            run.append(other)
        elif run:
            yield tuple(run)
            run = []
    if run:
        yield tuple(run)
