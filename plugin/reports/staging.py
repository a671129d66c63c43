"""Make a scene from a game: what a viewer sees of the board and the counters, in pixels."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise, zip_longest
from math import sqrt
from types import MappingProxyType
from typing import TypeVar

from ...model.board import Board, Edge, Hex, Line, edge
from ...model.boards import BoardChange, parts
from ...model.finding import PhaseView
from ...model.game import Displacement, Game, PhaseStart, StepRef
from ...model.hexgrid import DIRECTIONS, Axial, direction
from ...model.problem import Problem
from ...model.viewer import Viewer
from ...validators.unseen import seen_game
from .map_scene import (
    ALWAYS,
    Cell,
    Corners,
    Counter,
    Hexside,
    MapPicture,
    MapScene,
    MovedBetween,
    Picture,
    Point,
    Way,
    While,
)

T = TypeVar("T")


class BoardCourse:
    """The states of a board's cells, with the steps of each. If a board changes more than once in a step,
    only its state after the step counts."""

    def __init__(self, game: Game) -> None:
        self._board = game.board
        changes = [(i, e) for i, e in enumerate(game.events) if isinstance(e, BoardChange)]
        hexes = {h.name for _, change in changes for h in change.hexes}
        sides = {side for _, change in changes for side in change.sides}
        crossed = {side for _, change in changes for side in change.touched_sides()}
        self._starts: list[StepRef | None] = []
        self._hexes: dict[str, list[Hex]] = {name: [] for name in sorted(hexes)}
        self._sides: dict[Edge, list[tuple[str, ...]]] = {side: [] for side in sorted(sides)}
        self._crossed: dict[Edge, list[tuple[str, ...]]] = {side: [] for side in sorted(crossed)}
        self._note(None, game.board)
        for number, (index, change) in enumerate(changes):
            if number + 1 == len(changes) or changes[number + 1][1].at != change.at:
                self._note(change.at, game.on_board(index + 1, index + 1).board)

    def _note(self, since: StepRef | None, board: Board) -> None:
        self._starts.append(since)
        for name, held in self._hexes.items():
            held.append(board.hexes[name])
        for side, had in self._sides.items():
            had.append(board.sides.get(side, ()))
        for side, kinds in self._crossed.items():
            lines = board.lines_by_edge.get(side, ())
            kinds.append(tuple(sorted({line.kind for line in lines})))

    def _spells(self, told: list[T]) -> Iterator[tuple[T, While]]:
        """The successive distinct states, each with its steps."""
        kept = [0, *(n for n in range(1, len(told)) if told[n] != told[n - 1])]
        for here, following in pairwise([*kept, len(told)]):
            until = self._starts[following] if following < len(told) else None
            yield told[here], While(self._starts[here], until)

    def sides(self) -> Iterator[tuple[Edge, tuple[str, ...], While]]:
        """Features on hexsides."""
        for side, kinds in self._board.sides.items():
            if side not in self._sides:
                yield side, kinds, ALWAYS
        for side, had in self._sides.items():
            yield from ((side, kinds, while_) for kinds, while_ in self._spells(had) if kinds)

    def lines(self) -> Iterator[tuple[Line, While]]:
        """Roads and the like. A part that changes is drawn hexside by hexside."""
        for line in self._board.lines:
            if self._crossed.keys().isdisjoint(line.edges()):
                yield line, ALWAYS
            else:
                kept = {side for side in line.edges() if side not in self._crossed}
                yield from ((part, ALWAYS) for part in parts(line, kept))
        for side, drawn in self._crossed.items():
            for kinds, while_ in self._spells(drawn):
                yield from ((Line(kind, side), while_) for kind in kinds)

    def hexes(self) -> Iterator[tuple[Hex, While]]:
        """Hexes that differ from the opening, with the steps for which they do."""
        for name, held in self._hexes.items():
            for here, while_ in self._spells(held):
                if here != self._board.hexes[name]:
                    yield here, while_


OPENING = StepRef(1, 0)


@dataclass(frozen=True)
class Art:
    """What a module contributes: where hexes lie (map and pixel), the pictures of each map and of each
    counter (data URIs), and problems with pictures."""

    centres: Mapping[str, tuple[str, float, float]] = field(
        default_factory=lambda: MappingProxyType({})
    )
    pictures: Mapping[str, tuple[Picture, ...]] = field(
        default_factory=lambda: MappingProxyType({})
    )
    counters: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    problems: tuple[Problem, ...] = ()


NO_ART = Art()


def stage(game: Game, viewer: Viewer, art: Art = NO_ART) -> MapScene:
    """The scene of a game as ``viewer`` sees it. Units that he may not know of are left out."""
    spots = dict(_spots(game.board, art.centres))
    outlines = _outlines(game.board, spots)
    maps = tuple(_maps(game, spots, outlines, art))
    homes = {
        cell.name: (m, c) for m, a_map in enumerate(maps) for c, cell in enumerate(a_map.cells)
    }
    return MapScene(
        maps=maps,
        counters=tuple(_counters(game, viewer, art)),
        steps=_steps(game, viewer),
        sides=game.sides,
        homes=homes,
        phases=tuple(_phases(game)),
        between=tuple(_between(game, viewer)),
        problems=art.problems,
    )


def _phases(game: Game) -> Iterator[tuple[StepRef, str]]:
    """The phase from each step on. A phase whose last step is known ends with it."""
    starts = [event for event in game.events if isinstance(event, PhaseStart)]
    for start, following in zip_longest(starts, starts[1:]):
        view = PhaseView(start.turn, start.phase, start.active)
        yield start.at, "" if view == PhaseView() else str(view)
        if start.last is not None:
            over = StepRef(start.last.log, start.last.step + 1)
            if following is None or following.at > over:
                yield over, ""


def _between(game: Game, viewer: Viewer) -> Iterator[MovedBetween]:
    """Counters moved between logs from one hex to another, as far as this viewer may know of it."""
    for gap in game.gaps:
        unit = game.units.get(gap.unit)
        ends = [None if place is None else place.hex for place in (gap.before, gap.after)]
        before, after = ends
        if before is None or after is None or before == after:
            continue
        if unit is None or viewer.may_see(unit.seen_by):
            yield MovedBetween(StepRef(gap.log, 0), gap.name, (before, after))


def _steps(game: Game, viewer: Viewer) -> tuple[StepRef, ...]:
    """Every step in which something happens that this viewer may know of."""
    between = (moved.at for moved in _between(game, viewer))
    seen = (event.at for event in seen_game(game, viewer).events)
    return tuple(sorted({OPENING, *between, *seen}))


_Spot = tuple[str, float, float]


def _spots(board: Board, centres: Mapping[str, _Spot]) -> Iterator[tuple[str, _Spot]]:
    """Map and pixel of every hex: the module's, or those of a regular grid."""
    for name, cell in board.hexes.items():
        known = centres.get(name)
        yield name, known if known is not None else (cell.sheet, *regular_centre(cell.at))


def _outlines(board: Board, spots: Mapping[str, _Spot]) -> dict[str, Corners]:
    by_sheet: dict[str, dict[Axial, Point]] = {}
    for name, cell in board.hexes.items():
        by_sheet.setdefault(cell.sheet, {})[cell.at] = spots[name][1:]
    return {sheet: corners_of(centres) for sheet, centres in by_sheet.items()}


def _maps(
    game: Game, spots: Mapping[str, _Spot], outlines: Mapping[str, Corners], art: Art
) -> Iterator[MapPicture]:
    board, course = game.board, BoardCourse(game)
    on: dict[str, list[Cell]] = {}
    for name, cell in board.hexes.items():
        a_map, x, y = spots[name]
        on.setdefault(a_map, []).append(_cell(cell, x, y, outlines[cell.sheet]))
    for a_map, cells in on.items():
        names = {cell.name for cell in cells}
        pictures = art.pictures.get(a_map, ())
        yield MapPicture(
            a_map or board.name,
            _box(cells, pictures),
            tuple(cells),
            tuple(
                Hexside(edge(a, b), kinds, _ends(board, a, b, spots, outlines), while_)
                for (a, b), kinds, while_ in course.sides()
                if a in names and b in board.hexes
            ),
            tuple(
                Way(line.kind, line.hexes, while_)
                for line, while_ in course.lines()
                if any(name in names for name in line.hexes)
            ),
            pictures,
            tuple(
                (_cell(here, *spots[here.name][1:], outlines[here.sheet]), while_)
                for here, while_ in course.hexes()
                if here.name in names
            ),
        )


def _cell(cell: Hex, x: float, y: float, corners: Corners) -> Cell:
    return Cell(cell.name, x, y, corners, cell.terrain, cell.level, cell.features)


def _box(cells: Iterable[Cell], pictures: Iterable[Picture]) -> tuple[float, float, float, float]:
    xs, ys = [], []
    for cell in cells:
        xs += [cell.x + dx for dx, _ in cell.corners]
        ys += [cell.y + dy for _, dy in cell.corners]
    for picture in pictures:
        xs += [picture.x, picture.x + picture.width]
        ys += [picture.y, picture.y + picture.height]
    left, top = min(xs, default=0.0), min(ys, default=0.0)
    width, height = max(xs, default=REGULAR) - left, max(ys, default=REGULAR) - top
    return round(left, 2), round(top, 2), round(width, 2), round(height, 2)


def _ends(
    board: Board, a: str, b: str, spots: Mapping[str, _Spot], outlines: Mapping[str, Corners]
) -> tuple[Point, Point]:
    """From corner to corner; across a seam of two sheets, at right angles to the line between the centres."""
    one, other = board.hexes[a], board.hexes[b]
    _, x, y = spots[a]
    towards = direction(one.at, other.at) if one.sheet == other.sheet else None
    if towards is not None:
        corners = outlines[one.sheet]
        (ax, ay), (bx, by) = corners[towards], corners[(towards + 1) % 6]
        return (x + ax, y + ay), (x + bx, y + by)
    _, ox, oy = spots[b]
    mx, my, dx, dy = (x + ox) / 2, (y + oy) / 2, (oy - y) * 0.289, (x - ox) * 0.289
    return (mx - dx, my - dy), (mx + dx, my + dy)


def _counters(game: Game, viewer: Viewer, art: Art) -> Iterator[Counter]:
    stays: dict[str, list[tuple[StepRef, str | None]]] = {
        unit: [(OPENING, place.hex)] for unit, place in game.opening.items()
    }
    for event in game.events:
        if isinstance(event, Displacement):
            stays.setdefault(event.unit, []).append((event.at, event.target.hex))
    for name, unit in game.units.items():
        on_a_map = any(where is not None for _, where in stays.get(name, ()))
        if on_a_map and viewer.may_see(unit.seen_by):
            marker = unit.kind == "marker"
            picture = art.counters.get(name, "")
            yield Counter(name, unit.name, unit.side, marker, tuple(stays[name]), picture)


REGULAR = 40.0
"""Pixels from the centre to a corner if the size of a hex is not known."""


def regular_centre(at: Axial) -> Point:
    """The centre of a hex on a regular grid of upright columns."""
    return REGULAR * 1.5 * at.q, REGULAR * sqrt(3) * (at.r + at.q / 2)


def corners_of(centres: Mapping[Axial, Point]) -> Corners:
    """The outline of the hexes of a sheet with these centres: each corner is the middle of three
    centres that meet there. A direction in which no two hexes lie is made from the two beside it."""
    towards = _towards(centres)
    found = []
    for i in range(6):
        (ax, ay), (bx, by) = towards[i - 1], towards[i]
        found.append((round((ax + bx) / 3, 2), round((ay + by) / 3, 2)))
    return found[0], found[1], found[2], found[3], found[4], found[5]


def _towards(centres: Mapping[Axial, Point]) -> list[Point]:
    """Centre to centre, for each of the six directions."""
    known: list[Point | None] = [None] * 6
    for i in range(3):
        dq, dr = DIRECTIONS[i]
        for at, (x, y) in centres.items():
            other = centres.get(Axial(at.q + dq, at.r + dr))
            if other is not None:
                known[i] = (other[0] - x, other[1] - y)
                known[i + 3] = (x - other[0], y - other[1])
                break
    for _ in range(2):
        for i in range(6):
            before, after = known[i - 1], known[(i + 1) % 6]
            if known[i] is None and before is not None and after is not None:
                known[i] = (before[0] + after[0], before[1] + after[1])
                known[(i + 3) % 6] = (-before[0] - after[0], -before[1] - after[1])
    return [
        point if point is not None else regular_centre(DIRECTIONS[i])
        for i, point in enumerate(known)
    ]
