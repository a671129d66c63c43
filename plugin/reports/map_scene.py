"""The table as a picture needs it: maps in pixels, hexes with their outlines, counters and their places.

A scene is made for one viewer and holds only what he may see, so anything drawn from it may be shown. Pixels
are the map's own if the module says where its hexes lie, else those of a regular grid.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from ...model.board import Edge
from ...model.game import StepRef
from ...model.problem import Problem

Point = tuple[float, float]
Corners = tuple[Point, Point, Point, Point, Point, Point]
"""The corners of a hex seen from its centre, in pixels: corner *i* and *i* + 1 bound the hexside towards
neighbour *i* of :data:`~vassal_umpire.model.hexgrid.DIRECTIONS`."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A hex on a map: the pixel of its centre, what is known about it, and its outline."""

    name: str
    x: float
    y: float
    corners: Corners
    terrain: tuple[str, ...] | None = None
    level: int | None = None
    features: tuple[str, ...] = ()

    @property
    def told(self) -> str:
        """The hex in words: ``0407: woods, level 1``."""
        parts = [*(self.terrain or ())] if self.terrain is not None else ["terrain not known"]
        parts += self.features
        if self.level is not None:
            parts.append(f"level {self.level}")
        return f"{self.name}: {', '.join(parts)}" if parts else self.name


@dataclass(frozen=True, slots=True)
class Picture:
    """An image on a map, ``data`` as a data URI. ``turned``: upside down. ``named``: hex names are, or may
    be, printed on it."""

    x: float
    y: float
    width: float
    height: float
    data: str = field(repr=False)
    turned: bool = False
    named: bool = True


@dataclass(frozen=True, slots=True)
class While:
    """The steps during which something on the board holds: from ``since`` (None: the beginning) until before
    ``until`` (None: the end)."""

    since: StepRef | None = None
    until: StepRef | None = None

    def holds(self, at: StepRef) -> bool:
        """Whether it holds after a step."""
        return (self.since is None or self.since <= at) and (self.until is None or at < self.until)


ALWAYS = While()


@dataclass(frozen=True, slots=True)
class Hexside:
    """The features of one hexside, with its ends in pixels."""

    between: Edge
    kinds: tuple[str, ...]
    ends: tuple[Point, Point]
    while_: While = ALWAYS


@dataclass(frozen=True, slots=True)
class Way:
    """A road or the like, by the centres of its hexes."""

    kind: str
    hexes: tuple[str, ...]
    while_: While = ALWAYS


@dataclass(frozen=True, slots=True)
class MapPicture:
    """A map to draw. ``box``: left, top, width and height in pixels. ``changed``: hexes that for some steps
    differ from ``cells``."""

    name: str
    box: tuple[float, float, float, float]
    cells: tuple[Cell, ...]
    hexsides: tuple[Hexside, ...] = ()
    ways: tuple[Way, ...] = ()
    pictures: tuple[Picture, ...] = ()
    changed: tuple[tuple[Cell, While], ...] = ()

    @property
    def is_named(self) -> bool:
        """Whether a reader can read the names of hexes off its pictures."""
        return bool(self.pictures) and all(picture.named for picture in self.pictures)


@dataclass(frozen=True, slots=True)
class Counter:
    """A counter. ``picture``: a data URI; "" if it is to be drawn. ``stays``: the steps at which its hex
    changed, with the new hex (None: on no map); the opening first."""

    unit: str
    name: str
    side: str | None
    marker: bool
    stays: tuple[tuple[StepRef, str | None], ...]
    picture: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class MovedBetween:
    """A counter whose hex at the opening of a log is not that at the end of the log before. ``at``: step 0 of
    the later log. ``hexes``: before and after."""

    at: StepRef
    name: str
    hexes: tuple[str, str]


@dataclass(frozen=True)
class MapScene:
    """Everything to draw. ``steps``: every step in which something happened, in order. ``phases``: from which
    step on which turn, phase and side it is; "" if not known, as before the first. ``between``: counters
    moved between logs, from hex to hex."""

    maps: tuple[MapPicture, ...]
    counters: tuple[Counter, ...]
    steps: tuple[StepRef, ...]
    sides: tuple[str, ...] = ()
    homes: Mapping[str, tuple[int, int]] = field(default_factory=lambda: MappingProxyType({}))
    """Hex by name → its map and cell, as indices."""
    phases: tuple[tuple[StepRef, str], ...] = ()
    between: tuple[MovedBetween, ...] = ()
    problems: tuple[Problem, ...] = ()
    """Problems with the module's pictures."""

    def cell(self, hex_name: str) -> Cell | None:
        """The cell of a hex; None if it is on no map."""
        home = self.homes.get(hex_name)
        return None if home is None else self.maps[home[0]].cells[home[1]]
