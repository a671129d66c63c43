"""A map sheet: written as text, drawn as a picture, and told to the pack as spreadsheets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from . import lines
from .canvas import Canvas, letters_width
from .ground import INK, LEVELS, lay
from .hexes import Grid

Terrain = tuple[str, ...]
BARE = ("open", "clear", "hill", "hills")
"""Ground that takes the colour of its level."""


@dataclass(frozen=True)
class Way:
    """A line from hex to hex. ``path``: hexes parted by blanks; where two are no neighbours, the
    straight way between them is meant."""

    kind: str
    path: str
    name: str = ""


@dataclass(frozen=True)
class Bank:
    """What lies on every hexside between the hexes of ``left`` and those of ``right`` (paths as of a
    :class:`Way`): rivers, walls."""

    kind: str
    left: str
    right: str
    name: str = ""


@dataclass(frozen=True)
class Side:
    """What lies on hexsides named one by one: ``0605/0705 0606/0706``."""

    kind: str
    sides: str
    name: str = ""


Line = Way | Bank | Side


@dataclass(frozen=True)
class Sheet:
    """``rows``: one letter a hex, one line a row, even columns half a hex lower.

    ``legend``: letter → terrains; none at all: not known. ``places``: hex → name of a town.
    ``looks``: kind of line or terrain → the style in which it is drawn (see ``module_builder.lines`` and
    ``module_builder.ground``), where its own name is not that of a style.
    ``works``: hex → what has been built there, a feature for the pack, drawn in the style of that name.
    ``levels``: heights as a second text like ``rows``, one digit a hex; empty: all is flat.
    """

    rows: str
    legend: Mapping[str, Terrain]
    lines: Sequence[Line] = ()
    places: Mapping[str, str] = field(default_factory=dict)
    looks: Mapping[str, str] = field(default_factory=dict)
    works: Mapping[str, str] = field(default_factory=dict)
    levels: str = ""
    dx: int = 66
    dy: int = 76

    @property
    def grid(self) -> Grid:
        """No middle of a hex beyond the edge lies on the sheet: VASSAL would count it as a hex."""
        text = self.rows.split()
        return Grid(
            len(text[0]), len(text), self.dx, self.dy, 2 * self.dx // 3 + 4, self.dy // 2 - 1
        )

    def terrain(self, name: str) -> Terrain:
        return self.legend[_letter(self.rows, name)]

    def level(self, name: str) -> int:
        return int(_letter(self.levels, name)) if self.levels else 0

    def chain(self, path: str) -> list[str]:
        """The hexes of a path, the straight ways filled in."""
        named = path.split()
        found = named[:1]
        for there in named[1:]:
            found += self.grid.way(found[-1], there)[1:]
        return found

    def sides(self, line: Bank | Side) -> list[tuple[str, str]]:
        """The hexsides of a line, each by its two hexes."""
        if isinstance(line, Side):
            return [(side[:4], side[5:]) for side in line.sides.split()]
        right = set(self.chain(line.right))
        return [
            (here, there)
            for here in self.chain(line.left)
            for there in self.grid.neighbours(here)
            if there in right
        ]

    # -- the pack ---------------------------------------------------------------------------------

    def spreadsheets(self) -> dict[str, str]:
        """``hexes.csv`` and ``lines.csv`` of the pack."""
        level = ",level" if self.levels else ""
        rows = [f"hex,terrain{level},features"]
        for name in self.grid.names:
            height = f",{self.level(name)}" if self.levels else ""
            features = "+".join(at[name] for at in (self.works, self.places) if name in at)
            rows.append(f"{name},{'+'.join(self.terrain(name)) or '?'}{height},{features}")
        ways = ["kind,path,name"]
        for line in self.lines:
            if isinstance(line, Way):
                path = " ".join(self.chain(line.path))
            else:
                path = " ".join(f"{a}/{b}" for a, b in self.sides(line))
            ways.append(f"{line.kind},{path},{line.name}")
        return {name: "".join(f"{row}\n" for row in text)
                for name, text in (("hexes.csv", rows), ("lines.csv", ways))}  # fmt: skip

    # -- the picture ------------------------------------------------------------------------------

    def picture(self) -> Canvas:
        """The board, drawn twice as large and halved."""
        grid = self.grid
        width = 2 * grid.x0 + grid.dx * (grid.columns - 1)
        height = grid.y0 + grid.dy * grid.rows
        sheet, large = Canvas(2 * width, 2 * height, (236, 231, 212, 255)), grid.scaled(2)
        for name in grid.names:
            lay(sheet, large, name, self._shown(name))
        for name in grid.names:
            corners = large.corners(name)
            sheet.stroke([*corners, corners[0]], 2, (128, 122, 100, 255))
        self._draw_courses(sheet, large)
        self._draw_heights(sheet, large)
        self._draw_sides(sheet, large)
        self._draw_ways(sheet, large)
        for name in grid.names:
            self._label(sheet, large, name)
        return sheet.half()

    def _shown(self, name: str) -> Terrain:
        terrain = self.terrain(name)
        built = (self.works[name],) if name in self.works else ()
        ground = tuple(self.looks.get(kind, kind) for kind in (*terrain, *built))
        height = min(self.level(name), len(LEVELS) - 1)
        if ground and height and ground[0] in BARE:
            return (f"level {height}", *ground[1:])
        return ground

    def _look(self, kind: str) -> str:
        return self.looks.get(kind, kind.replace("-", " "))

    def _draw_courses(self, sheet: Canvas, grid: Grid) -> None:
        """Streams and gullies that are terrain of hexes."""
        for kind, bands in lines.COURSES.items():
            run = [name for name in grid.names if kind in self.terrain(name)]
            for band in bands:
                for name in run:
                    joined = [other for other in grid.neighbours(name) if other in run]
                    lines.course(sheet, grid, name, joined, band)

    def _draw_heights(self, sheet: Canvas, grid: Grid) -> None:
        """A brown edge wherever the level changes, the broader the higher the step."""
        for name in grid.names:
            for other in grid.neighbours(name):
                step = self.level(name) - self.level(other)
                if step > 0:
                    width = (3 + 3 * step) * grid.dy // 200
                    sheet.stroke(grid.side(name, other), width, (122, 90, 56, 255))

    def _draw_sides(self, sheet: Canvas, grid: Grid) -> None:
        """Hexside features, kind by kind in the order they are named; crossings come last."""
        found: dict[str, list[lines.Side]] = {}
        for line in self.lines:
            if not isinstance(line, Way) and self._look(line.kind) in lines.SIDES:
                ends = [grid.side(*pair) for pair in self.sides(line)]
                found.setdefault(self._look(line.kind), []).extend(ends)
        for look, ends in found.items():
            lines.SIDES[look](sheet, ends, grid.dy // 2)

    def _draw_ways(self, sheet: Canvas, grid: Grid) -> None:
        """Bridges, then roads over them: all of a style's widest bands first, so that roads join."""
        for line in self.lines:
            if not isinstance(line, Way) and self._look(line.kind) in lines.CROSSINGS:
                for pair in self.sides(line):
                    lines.crossing(sheet, grid, *pair, self._look(line.kind))
        looks: dict[str, list[Way]] = {}
        for line in self.lines:
            if isinstance(line, Way):
                self._draw_spans(sheet, grid, self.chain(line.path))
                looks.setdefault(self._look(line.kind), []).append(line)
        for look in sorted(looks, key=lambda look: lines.RANK.index(look)):
            for band in lines.WAYS[look]:
                for line in looks[look]:
                    lines.way(sheet, grid, self.chain(line.path), (band,))

    def _draw_spans(self, sheet: Canvas, grid: Grid, chain: Sequence[str]) -> None:
        for at, name in enumerate(chain):
            if "bridge" in (*self.terrain(name), self.works.get(name)):
                around = [*chain[max(0, at - 1) : at], *chain[at + 1 : at + 2]]
                lines.span(sheet, grid, name, around)

    def _label(self, sheet: Canvas, grid: Grid, name: str) -> None:
        x, y = grid.centre(name)
        half = grid.dy // 2
        sheet.letters(x, y - half + 8, name, (84, 80, 66, 255), 2)
        if name in self.places:
            wide, top = letters_width(self.places[name], 3) // 2 + 6, y + half - 34
            sheet.box(x - wide, top - 5, x + wide, top + 26, (250, 247, 232, 255))
            sheet.frame(x - wide, top - 5, x + wide, top + 26, 1, INK)
            sheet.letters(x, top, self.places[name], INK, 3)


def _letter(text: str, name: str) -> str:
    return text.split()[int(name[2:]) - 1][int(name[:2]) - 1]
