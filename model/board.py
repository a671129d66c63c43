"""The map as the rules see it: hexes, hexsides, roads, kinds of edges. It has no pixels or pictures."""

from __future__ import annotations

from collections.abc import Container, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations
from types import MappingProxyType

from .hexgrid import Axial, distance, neighbours

Edge = tuple[str, str]
"""A hexside: the names of the two hexes beside it, sorted (see :func:`edge`)."""

LAYERS = ("terrain", "hexsides", "lines", "levels")
"""The layers of a board that can be known completely; see :attr:`Board.complete`."""

Names = frozenset[str] | None
"""Names of features or lines that may be in a place besides those listed there. Empty: none, the place is
known completely. None: any."""
NONE: frozenset[str] = frozenset()
NOT_LOOKED_UP = frozenset(("",))
MOST_COMPLETED = 4
"""If more features than this may be in a hex, :meth:`Board.completions` treats its terrain as unknown."""


def may_be(name: str, names: Names) -> bool:
    """Whether the thing called ``name`` may be in a place."""
    return names is None or name in names


def edge(a: str, b: str) -> Edge:
    """The hexside between hexes ``a`` and ``b``, in either order."""
    return (a, b) if a <= b else (b, a)


@dataclass(frozen=True, slots=True)
class Hex:
    """One hex.

    ``terrain``: the terrains in it (a ruleset says which of several counts); None: not known.
    ``level``: its height in levels; None: not known. ``features``: towns, forts and the like.
    ``sheet``: hexes are neighbours only on the same sheet (usually a VASSAL map).
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


@dataclass(frozen=True)
class Exceptions:
    """The cells of a board to which :attr:`Board.complete` does not apply.

    ``hexes``: what may be in a hex besides its terrain and features. ``sides``: what may be on a hexside
    besides its features. ``lines``: the kinds of lines that may cross a hexside besides those drawn. An
    empty set: the cell is known completely, though its layer is not. None: anything may be there, though
    the layer is complete. ``levels``: hexes whose level is not known, though the layer is complete.
    """

    hexes: Mapping[str, Names] = field(default_factory=lambda: MappingProxyType({}))
    sides: Mapping[Edge, Names] = field(default_factory=lambda: MappingProxyType({}))
    lines: Mapping[Edge, Names] = field(default_factory=lambda: MappingProxyType({}))
    levels: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.hexes or self.sides or self.lines or self.levels)


_NO_SIDES: Mapping[Edge, tuple[str, ...]] = MappingProxyType({})


@dataclass(frozen=True)
class Board:
    """All hexes of a game, by name.

    ``sides``: what lies on a hexside (``river``, ``bridge``), by :func:`edge`. ``lines``: roads and
    the like. ``links``: pairs of hexes that are adjacent although the geometry does not say so
    (folded maps), ``barriers``: pairs that are not although it does. ``complete``: the
    :data:`LAYERS` that are known completely; in other layers, what is not listed is unknown, not absent.
    ``exceptions``: the cells to which this does not apply. ``sides_known`` and the other methods consider
    both.
    """

    name: str
    hexes: Mapping[str, Hex]
    sides: Mapping[Edge, tuple[str, ...]] = field(default_factory=lambda: _NO_SIDES)
    lines: tuple[Line, ...] = ()
    links: frozenset[Edge] = frozenset()
    barriers: frozenset[Edge] = frozenset()
    complete: frozenset[str] = frozenset(LAYERS)
    exceptions: Exceptions = field(default_factory=Exceptions)

    def maybe_on(self, side: Edge) -> Names:
        """What may lie on a hexside besides its features."""
        return self.exceptions.sides.get(side, self._unless("hexsides"))

    def maybe_across(self, side: Edge) -> Names:
        """The kinds of lines that may cross a hexside besides those drawn."""
        return self.exceptions.lines.get(side, self._unless("lines"))

    def maybe_in(self, name: str) -> Names:
        """What may be in a hex besides its terrain and features. A hex with terrain is known completely
        unless it is an exception."""
        if self.hexes[name].terrain is None:
            return None
        return self.exceptions.hexes.get(name, NONE)

    def _unless(self, layer: str) -> Names:
        return NONE if layer in self.complete else None

    def sides_known(self, side: Edge) -> bool:
        """Whether a hexside certainly has no features besides those listed."""
        return self.maybe_on(side) == NONE

    def lines_known(self, side: Edge) -> bool:
        """Whether certainly no lines cross a hexside besides those drawn."""
        return self.maybe_across(side) == NONE

    def hex_known(self, name: str) -> bool:
        """Whether a hex certainly has no terrain and features besides those listed."""
        return self.maybe_in(name) == NONE

    def hex_told(self, name: str) -> bool:
        """Whether a hex has terrain, and the terrain layer is complete or the hex is an exception."""
        told = "terrain" in self.complete or name in self.exceptions.hexes
        return told and self.hexes[name].terrain is not None

    def has(self, name: str, names: Iterable[str]) -> bool | None:
        """Whether one of ``names`` is among the terrain and features of a hex; None: not known."""
        here, wanted = self.hexes[name], frozenset(names)
        if not wanted.isdisjoint((*(here.terrain or ()), *here.features)):
            return True
        maybe = self.maybe_in(name)
        return None if wanted and (maybe is None or not wanted.isdisjoint(maybe)) else False

    def completions(self, name: str, names: Container[str]) -> tuple[Hex, ...]:
        """All states that a hex may have, as far as ``names`` matter: with and without each feature that may
        be there besides those listed. ``terrain`` None in the only state: the hex may hold anything."""
        here = self.hexes[name]
        maybe = self.maybe_in(name)
        if maybe == NONE:
            return (here,)
        if maybe is None:
            return (replace(here, terrain=None),)
        told = (*(here.terrain or ()), *here.features)
        more = [word for word in sorted(maybe) if word in names and word not in told]
        if len(more) > MOST_COMPLETED:
            return (replace(here, terrain=None),)
        every = (c for size in range(len(more) + 1) for c in combinations(more, size))
        return tuple(replace(here, features=(*here.features, *added)) for added in every)

    def level_of(self, name: str) -> int | None:
        """The level of a hex. 0: the layer is complete and gives none. None: not known."""
        level = self.hexes[name].level
        whole = "levels" in self.complete and name not in self.exceptions.levels
        return 0 if level is None and whole else level

    @cached_property
    def all_sides_known(self) -> bool:
        """Whether no hexside has features besides those listed."""
        return self._all("hexsides", self.exceptions.sides)

    @cached_property
    def all_lines_known(self) -> bool:
        """Whether there are no other lines than those drawn."""
        return self._all("lines", self.exceptions.lines)

    def _all(self, layer: str, exceptions: Mapping[Edge, Names]) -> bool:
        if any(names != NONE for names in exceptions.values()):
            return False
        return layer in self.complete or self._every_side <= exceptions.keys()

    @cached_property
    def every_side(self) -> tuple[Edge, ...]:
        """Every hexside between two hexes, in order."""
        return tuple(sorted({edge(a, b) for a in self.hexes for b in self.neighbours(a)}))

    @cached_property
    def _every_side(self) -> frozenset[Edge]:
        return frozenset(self.every_side)

    @cached_property
    def line_kinds(self) -> frozenset[str]:
        """The kinds of lines that are drawn on the board, or that its exceptions name."""
        named = (names or NONE for names in self.exceptions.lines.values())
        return frozenset(line.kind for line in self.lines).union(*named)

    def lines_maybe_in(self, name: str) -> Names:
        """The kinds of lines that may cross a hexside of a hex, besides those drawn."""
        if not self.exceptions.lines:
            return self._unless("lines")
        known = self._lines_maybe.get(name, NOT_LOOKED_UP)
        if known is NOT_LOOKED_UP:
            known = self._lines_maybe[name] = self._look_up_lines(name)
        return known

    @cached_property
    def _lines_maybe(self) -> dict[str, Names]:
        return {}

    def _look_up_lines(self, name: str) -> Names:
        found = [self.maybe_across(edge(name, near)) for near in self.neighbours(name)]
        return None if None in found else NONE.union(*(names or NONE for names in found))

    @cached_property
    def one_of_each_kind(self) -> tuple[Hex, ...]:
        """One hex of each kind. Hexes are of one kind if their terrain, features and what else may be in them
        are equal."""
        found: dict[object, Hex] = {}
        for here in self.hexes.values():
            found.setdefault((here.terrain, here.features, self.maybe_in(here.name)), here)
        return tuple(found.values())

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
        """The distance from ``a`` to ``b`` in hexes; None if they lie on different sheets."""
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

    def same_places(self, other: Board) -> bool:
        """Whether both boards have the same hexes in the same places with the same neighbours."""
        if self.links != other.links or self.barriers != other.barriers:
            return False
        return self._by_place is other._by_place or [*self._by_place.items()] == [
            *other._by_place.items()
        ]

    def with_cells(
        self,
        hexes: Mapping[str, Hex],
        sides: Mapping[Edge, tuple[str, ...]],
        lines: tuple[Line, ...],
        exceptions: Exceptions,
        complete: frozenset[str] | None = None,
    ) -> Board:
        """This board with other cells in the same places. Cached values that depend on the places alone are
        kept. ``complete`` None: the same layers."""
        whole = self.complete if complete is None else complete
        board = replace(
            self, hexes=hexes, sides=sides, lines=lines, exceptions=exceptions, complete=whole
        )
        kept = [name for name in _OF_PLACES if name in self.__dict__]
        if lines is self.lines and "lines_by_edge" in self.__dict__:
            kept.append("lines_by_edge")
        same_hexes = hexes is self.hexes and exceptions.hexes is self.exceptions.hexes
        if same_hexes and "one_of_each_kind" in self.__dict__:
            kept.append("one_of_each_kind")
        board.__dict__.update((name, self.__dict__[name]) for name in kept)
        return board


_OF_PLACES = ("_by_place", "_linked", "_near", "every_side", "_every_side")
"""Cached values of a board that depend on the places of its hexes alone."""


Kind = int
"""The number of a kind of edge; edges that differ only in their place have the same number."""


class EdgeKinds:
    """The kinds of the edges of one board, computed on demand.

    Two edges are of one kind if their hexes have the same terrain, features, level and kinds of lines, if the
    same features and lines are on the hexside, and if the same facts of all these are unknown. Lines without
    junctions count one by one. ``numbers``: the kinds of another board; edges of one kind then have the same
    number on both boards if the same is known of all hexsides and lines."""

    def __init__(self, board: Board, numbers: dict[Hashable, Kind] | None = None) -> None:
        self._board = board
        self._told = board.all_sides_known, board.all_lines_known
        self._hexes: dict[str, Kind] = {}
        self._numbers = {} if numbers is None else numbers
        self._lines: dict[str, set[str]] = {}
        for line in board.lines:
            for name in line.hexes:
                self._lines.setdefault(name, set()).add(line.kind)

    def of(self, here: str, to: str) -> Kind:
        """The kind of the edge from a hex to its neighbour."""
        ends = self.of_hex(here), self.of_hex(to)
        return self._number((ends, self.of_side(here, to)))

    def of_side(self, here: str, to: str) -> Kind:
        """The kind of a hexside by itself."""
        board, side = self._board, (here, to) if here <= to else (to, here)
        crossing = board.lines_by_edge.get(side, ())
        lines = tuple(
            (line.kind, None if line.junctions else board.lines.index(line)) for line in crossing
        )
        maybe = board.maybe_on(side), board.maybe_across(side)
        return self._number((board.sides.get(side), lines, maybe, self._told))

    def of_hex(self, name: str) -> Kind:
        """The kind of a hex by itself."""
        found = self._hexes.get(name)
        if found is None:
            board, here = self._board, self._board.hexes[name]
            lines = frozenset(self._lines.get(name, ()))
            levels = here.level, board.level_of(name)
            maybe = board.maybe_in(name), board.lines_maybe_in(name), board.hex_told(name)
            alike = here.terrain, here.features, levels, lines, maybe, self._told
            found = self._hexes[name] = self._number(alike)
        return found

    def _number(self, alike: Hashable) -> Kind:
        return self._numbers.setdefault(alike, len(self._numbers))
