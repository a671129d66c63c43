"""The map as the rules see it: hexes, hexsides, roads; no pixels, no pictures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType

from .hexgrid import Axial, distance, neighbours

Edge = tuple[str, str]
"""A hexside, by the names of the two hexes it parts, in sorted order (see :func:`edge`)."""

LAYERS = ("terrain", "hexsides", "lines", "levels")
"""The layers of a board that can be known whole; see :attr:`Board.complete`."""


def edge(a: str, b: str) -> Edge:
    """The hexside between hexes ``a`` and ``b``, whichever way round they are named."""
    return (a, b) if a <= b else (b, a)


@dataclass(frozen=True, slots=True)
class Hex:
    """One hex.

    ``terrain``: the terrains in it (a ruleset says which of several counts); None: not known.
    ``level``: its height in levels; None: not known. ``features``: towns, forts and the like.
    ``sheet``: hexes are neighbours only on one sheet (a VASSAL map, as a rule).
    """

    name: str
    at: Axial
    terrain: tuple[str, ...] | None = None
    level: int | None = None
    features: tuple[str, ...] = ()
    sheet: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """A road, railway or the like: a chain of hexes, each next to the one before.

    Two lines of one kind that share a hex meet there (``junctions`` False: they do not).
    """

    kind: str
    hexes: tuple[str, ...]
    name: str = ""
    junctions: bool = True

    def edges(self) -> Iterator[Edge]:
        """The hexsides the line crosses."""
        return (edge(a, b) for a, b in zip(self.hexes, self.hexes[1:], strict=False))


_NO_SIDES: Mapping[Edge, tuple[str, ...]] = MappingProxyType({})


@dataclass(frozen=True)
class Board:
    """All hexes of a game, by name.

    ``sides``: what lies on a hexside (``river``, ``bridge``), by :func:`edge`. ``lines``: roads and
    the like. ``links``: pairs of hexes that are adjacent although the geometry does not say so
    (folded maps), ``barriers``: pairs that are not although it does. ``complete``: which
    :data:`LAYERS` are known whole; where one is not, what is absent from it is unknown, not absent.
    """

    name: str
    hexes: Mapping[str, Hex]
    sides: Mapping[Edge, tuple[str, ...]] = field(default_factory=lambda: _NO_SIDES)
    lines: tuple[Line, ...] = ()
    links: frozenset[Edge] = frozenset()
    barriers: frozenset[Edge] = frozenset()
    complete: frozenset[str] = frozenset(LAYERS)

    @cached_property
    def _by_place(self) -> Mapping[tuple[str, Axial], str]:
        return {(h.sheet, h.at): h.name for h in self.hexes.values()}

    @cached_property
    def _linked(self) -> Mapping[str, tuple[str, ...]]:
        linked: dict[str, list[str]] = {}
        for a, b in sorted(self.links):
            linked.setdefault(a, []).append(b)
            linked.setdefault(b, []).append(a)
        return {name: tuple(others) for name, others in linked.items()}

    def neighbours(self, name: str) -> tuple[str, ...]:
        """The names of the hexes next to hex ``name``; KeyError if there is no such hex."""
        known = self._near.get(name)
        if known is None:
            known = self._near[name] = self._look_around(name)
        return known

    @cached_property
    def _near(self) -> dict[str, tuple[str, ...]]:
        return {}

    def _look_around(self, name: str) -> tuple[str, ...]:
        here = self.hexes[name]
        around = ((here.sheet, at) for at in neighbours(here.at))
        found = [self._by_place[place] for place in around if place in self._by_place]
        if self.barriers:
            found = [other for other in found if edge(name, other) not in self.barriers]
        return (*found, *self._linked.get(name, ()))

    def at(self, sheet: str, at: Axial) -> str | None:
        """The name of the hex at axial ``at`` on ``sheet``; None if there is none."""
        return self._by_place.get((sheet, at))

    def distance(self, a: str, b: str) -> int | None:
        """Hexes from ``a`` to ``b`` as the crow flies; None if they lie on different sheets."""
        one, other = self.hexes[a], self.hexes[b]
        return distance(one.at, other.at) if one.sheet == other.sheet else None

    @cached_property
    def lines_by_edge(self) -> Mapping[Edge, tuple[Line, ...]]:
        """The lines that cross each hexside."""
        crossing: dict[Edge, list[Line]] = {}
        for line in self.lines:
            for side in line.edges():
                crossing.setdefault(side, []).append(line)
        return {side: tuple(lines) for side, lines in crossing.items()}
