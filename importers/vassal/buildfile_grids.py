"""Grids, zones and numberings of a build file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from ...model.problem import Problem
from . import sequence
from .components import Component
from .formats import NOT_KNOWN, Format, parse_format
from .grids import (
    Axis,
    BoardGrid,
    CellGrid,
    Claim,
    HexGrid,
    Numbering,
    Point,
    Region,
    RegionGrid,
    SquareGrid,
    Zone,
    ZonedGrid,
)
from .grids.hexgrid import DEFAULT_DX, DEFAULT_DY
from .grids.java import parse_int

_NUMBERINGS = ("HexGridNumbering", "ObliqueHexGridNumbering", "SquareGridNumbering")
_CELL_GRIDS = ("HexGrid", "SquareGrid", "RegionGrid")
NAMED_ALIKE = ("TerrainHexGrid", "AvlTerrainHexGrid", "TdcHexGrid")
"""Modules' own grid classes that differ from the engine's only in what they draw and record."""
_NAMING = """
locationName localizedLocationName getName getRow getColumn getRawRow getRawColumn getMaxRows getMaxColumns
slantRow rotate rotateIfSideways isSideways getHexSize getHexWidth getDx getDy getOrigin getContainer getGrid
getGridNumbering getSize findZone findRegion getRegion contains localCoordinates globalCoordinates bounds
first sep hType vType hLeading vLeading hOff vOff hDescending vDescending locationFormat format stagger origin
dx dy sideways numbering gridNumbering useParentGrid name myPolygon
"""
NAMING = frozenset(_NAMING.split())
"""Methods and fields of the engine's numberings, grids, zones and boards that make the name of a place. A
class of the module's own without any of them names places as the engine does."""

T = TypeVar("T")


class AttributeReader:
    """Typed attributes of one component; an invalid one becomes a Problem and the default."""

    def __init__(self, component: Component, problems: list[Problem]) -> None:
        self.component, self.problems = component, problems

    def integer(self, name: str, default: int) -> int:
        """A whole number."""
        return self._read(name, default, parse_int, "a whole number")

    def number(self, name: str, default: float) -> float:
        """A positive or negative decimal number."""
        return self._read(name, default, _java_double, "a number")

    def flag(self, name: str, default: bool) -> bool:
        """``true`` in any case is true, any other text false (Boolean.valueOf)."""
        text = self.component.attributes.get(name)
        return default if text is None else text.lower() == "true"

    def _read(self, name: str, default: T, read: Callable[[str], T | None], what: str) -> T:
        text = self.component.attributes.get(name)
        if text is None:
            return default
        value = read(text)
        if value is None:
            self.problems.append(
                Problem(
                    "bad-attribute",
                    f"attribute {name}={text[:40]!r} is not {what}; {default} is used instead",
                    where(self.component),
                )
            )
            return default
        return value


def where(component: Component) -> str:
    """A component's place, for messages."""
    return " / ".join(f"{cls} {name}".strip() for cls, name in component.path()) or component.short


def read_board_grid(parent: Component, problems: list[Problem]) -> BoardGrid | None:
    """The grid of a board: the last one given wins (Board.setGrid).

    Code of the module's own (of the board, a grid, a zone, a numbering) may name places differently. Then the
    names are open and a Problem says so, unless its class file shows that it does not.
    """
    grid: BoardGrid | None = None
    on_board = _Namer(problems).within(parent)
    for child in parent.of("ZonedGrid", *_CELL_GRIDS):
        named = on_board.within(child)
        grid = _zoned_grid(child, named) if child.kind == "ZonedGrid" else _cell_grid(child, named)
    return grid


@dataclass(frozen=True, slots=True)
class _Namer:
    """Where problems go, and ``owner``: class and place of the component whose own code names the places
    here; None: the engine names them."""

    problems: list[Problem]
    owner: tuple[str, str] | None = None

    @property
    def own(self) -> bool:
        return self.owner is not None

    def within(self, component: Component) -> _Namer:
        """The same inside a component, which may be of a class of the module's own."""
        if self.own or not component.is_custom or component.short in NAMED_ALIKE:
            return self
        if component.members is not None and not component.members & NAMING:
            return self
        self.problems.append(
            Problem(
                "names-by-own-code",
                f"places here are named by {component.cls}, Java code of the module's own; their names are "
                "not known",
                where(component),
            )
        )
        return _Namer(self.problems, (component.cls, where(component)))


def _last_cell_grid(parent: Component, named: _Namer) -> CellGrid | None:
    grids = [_cell_grid(child, named.within(child)) for child in parent.of(*_CELL_GRIDS)]
    return grids[-1] if grids else None


def _cell_grid(component: Component, named: _Namer) -> CellGrid:
    if component.kind == "HexGrid":
        return _hex_grid(component, named)
    if component.kind == "SquareGrid":
        return _square_grid(component, named)
    regions = []
    for child in component.of("Region"):
        attributes = AttributeReader(child, named.problems)
        regions.append(
            Region(
                child.get("name"),
                attributes.integer("originx", 0),
                attributes.integer("originy", 0),
            )
        )
    # RegionGrid compares with the exact text, in lower case only
    snap_to = component.get("snapto", "true") == "true"
    return RegionGrid(tuple(regions), snap_to=snap_to, names_open=named.own)


def _hex_grid(component: Component, named: _Namer) -> HexGrid:
    attributes = AttributeReader(component, named.problems)
    dx = _cell_size(attributes, "dx", DEFAULT_DX)
    dy = _cell_size(attributes, "dy", DEFAULT_DY)
    # the engine sets dx before dy, and a dy makes a default dx fit it
    if dx == DEFAULT_DX and "dy" in component.attributes:
        dx = (3.0**0.5) / 2.0 * dy
    numbering, claim, names_open = _numbering(component, named)
    return HexGrid(
        x0=attributes.integer("x0", 0),
        y0=attributes.integer("y0", 32),
        dx=dx,
        dy=dy,
        sideways=attributes.flag("sideways", False),
        snap_to=attributes.flag("snapTo", True),
        edges_legal=attributes.flag("edgesLegal", False),
        corners_legal=attributes.flag("cornersLegal", False),
        snap_scale=attributes.integer("snapscale", 0),
        numbering=numbering,
        names_open=names_open,
        claim=claim,
    )


def _square_grid(component: Component, named: _Namer) -> SquareGrid:
    attributes = AttributeReader(component, named.problems)
    numbering, _, names_open = _numbering(component, named)
    return SquareGrid(
        x0=attributes.integer("x0", 24),
        y0=attributes.integer("y0", 24),
        dx=_cell_size(attributes, "dx", 48.0),
        dy=_cell_size(attributes, "dy", 48.0),
        snap_to=attributes.flag("snapTo", True),
        edges_legal=attributes.flag("edgesLegal", False),
        corners_legal=attributes.flag("cornersLegal", False),
        manhattan=component.get("range", "Metric") != "Metric",
        numbering=numbering,
        names_open=names_open,
    )


def _cell_size(attributes: AttributeReader, name: str, default: float) -> float:
    """A cell size. The engine divides by it, so a size below one pixel is refused."""
    value = attributes.number(name, default)
    if value >= 1:
        return value
    attributes.problems.append(
        Problem(
            "bad-attribute",
            f"cell size {name}={value} is less than a pixel; {default:g} is used instead",
            where(attributes.component),
        )
    )
    return default


def _numbering(grid: Component, named: _Namer) -> tuple[Numbering | None, Claim | None, bool]:
    """The last numbering of a grid if it is the engine's, the :class:`Claim` of one that is not, and whether
    the names are open."""
    components = list(grid.of(*_NUMBERINGS))
    named = named.within(components[-1]) if components else named
    if not components:
        return None, None, named.own
    component = components[-1]
    attributes = AttributeReader(component, named.problems)
    form = _location_format(
        component, "$gridLocation$", ("gridLocation", "row", "column"), named.problems
    )
    if not form.known:
        return None, None, True
    numbering = Numbering(
        horizontal=_axis(attributes, "h"),
        vertical=_axis(attributes, "v"),
        column_first=component.get("first", "H")[:1] == "H",
        separator=component.get("sep"),
        stagger=attributes.flag("stagger", True) and component.kind != "SquareGridNumbering",
        oblique=component.kind == "ObliqueHexGridNumbering",
        location_format=form,
        drawn=attributes.flag("visible", False),
    )
    if named.owner is not None:
        return None, Claim(numbering, *named.owner), True
    return numbering, None, False


def _axis(attributes: AttributeReader, side: str) -> Axis:
    return Axis(
        letters=attributes.component.get(side + "Type", "N")[:1] == "A",
        leading=attributes.integer(side + "Leading", 1),
        offset=attributes.integer(side + "Off", 1),
        descending=attributes.flag(side + "Descend", False),
    )


def _location_format(
    component: Component, default: str, known: tuple[str, ...], problems: list[Problem]
) -> Format:
    form = parse_format(component.get("locationFormat", default))
    if not form.known:
        problems.append(
            Problem(
                "expression-not-evaluated",
                "the location format is an expression, which this reader does not run; "
                "names of places here are unknown",
                where(component),
            )
        )
    elif others := sorted(set(form.names) - set(known)):
        problems.append(
            Problem(
                "location-format-uses-property",
                f"the location format uses {', '.join(others)}; expected only {', '.join(known)}",
                where(component),
            )
        )
    return form


def _zoned_grid(component: Component, named: _Namer) -> ZonedGrid:
    zones = tuple(_zone(child, named.within(child)) for child in component.of("Zone"))
    return ZonedGrid(zones, _last_cell_grid(component, named))


def _zone(component: Component, named: _Namer) -> Zone:
    known = ("name", "gridLocation")
    path, bad = read_path(component.get("path"))
    if bad:
        named.problems.append(
            Problem(
                "bad-path",
                f"{len(bad)} of the points of this zone's path, first {bad[0][:40]!r}, are not two whole "
                "numbers with a comma between; they are left out",
                where(component),
            )
        )
    return Zone(
        name=component.get("name"),
        path=path,
        location_format=NOT_KNOWN
        if named.own
        else _location_format(component, "$name$", known, named.problems),
        use_parent_grid=component.get("useParentGrid") == "true",
        grid=_last_cell_grid(component, named),
    )


def read_path(text: str) -> tuple[tuple[Point, ...], list[str]]:
    """Vertices of a polygon, ``x,y`` joined with ``;``, and the texts of those that do not parse."""
    points: list[Point] = []
    bad: list[str] = []
    for token in sequence.split(text, ";"):
        numbers = [parse_int(number.strip()) for number in sequence.split(token, ",")[:2]]
        if len(numbers) == 2 and numbers[0] is not None and numbers[1] is not None:
            points.append((numbers[0], numbers[1]))
        elif token.strip():
            bad.append(token)
    return tuple(points), bad


def _java_double(text: str) -> float | None:
    """``Double.valueOf``; None where it throws, and for values that no map can have."""
    try:
        value = float(text.strip().rstrip("dDfF"))
    except ValueError:
        return None
    return value if abs(value) < 1e9 and "_" not in text else None
