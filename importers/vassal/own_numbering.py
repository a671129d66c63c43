"""The names that a numbering of the module's own gives, derived from the old places stored in pieces.

The engine writes into a moved piece where it was: ``OldMap``, ``OldX``, ``OldY`` and ``OldLocationName``, the
name that the module's own code gave this pixel [Decorator.putOldProperties]. A way of counting is accepted
only if it fits all these names and no other way does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product

from ...model.problem import Problem
from ...model.table import LogHistory
from ...model.viewer import EVERYONE
from ...model.visibility import identity_open
from .grids import BoardGrid, Cell, Claim, Count, HexGrid, Numbering, Zone, ZonedGrid
from .grids.hexgrid import axial
from .layout import MapLayout
from .module import BoardDefinition, Module
from .numbers import number

Played = tuple[Mapping[str, MapLayout], LogHistory]
"""The layouts of a log, by the maps' names in commands, and the replayed log."""
_FEWEST = 4
"""The least number of remembered hexes for a suspicion."""
_CODE = "names-by-own-code"


@dataclass(frozen=True, slots=True)
class Remembered:
    """The ``name`` that the engine gave a pixel of a map, as stored in a piece that was there."""

    map: str
    x: int
    y: int
    name: str


def remembered(history: LogHistory) -> set[Remembered]:
    """The old places stored in the pieces of a log that everyone may know."""
    found: set[Remembered] = set()
    for piece in history.appearances():
        kept = piece.properties
        name, on = kept.get("OldLocationName"), kept.get("OldMap")
        x, y = number(kept.get("OldX", "")), number(kept.get("OldY", ""))
        if not (name and on and isinstance(x, int) and isinstance(y, int)):
            continue
        if identity_open(piece, EVERYONE):
            found.add(Remembered(on, x, y, name))
    return found


def has_claims(module: Module) -> bool:
    """Whether code of the module's own numbers hexes of a board."""
    boards = (board for a_map in module.maps for board in a_map.boards)
    return any(grid.claim is not None for board in boards for _, grid in _hex_grids(board.grid))


def named_by_pieces(module: Module, played: Iterable[Played]) -> Module:
    """The module with the names derived from the pieces of a game. A Problem for each numbering of its own
    says how many places agree, or why its names stay open."""
    evidence: dict[_Key, _Evidence] = {}
    for layouts, history in played:
        for one in sorted(remembered(history), key=lambda r: (r.map, r.x, r.y, r.name)):
            found = _testified(layouts.get(one.map), one)
            if found is not None:
                key, grid, cell, name = found
                evidence.setdefault(key, _Evidence(grid)).names.setdefault(cell, set()).add(name)
    counts: dict[_Key, Count] = {}
    said: dict[str, Problem] = {}
    for key, of_grid in evidence.items():
        claim = of_grid.grid.claim
        if claim is not None:
            count, problem = _fitted(claim, of_grid.names)
            said[claim.where] = problem
            if count is not None:
                counts[key] = count
    maps = tuple(
        replace(
            a_map,
            boards=tuple(
                _counted(board, (a_map.identifier, board.name), counts) for board in a_map.boards
            ),
        )
        for a_map in module.maps
    )
    problems = tuple(
        said.get(problem.where, problem) if problem.code == _CODE else problem
        for problem in module.problems
    )
    return replace(module, maps=maps, problems=problems)


def named_otherwise(played: Iterable[Played]) -> list[Problem]:
    """A suspicion for each map on which most remembered hexes had other names than in the module: the game
    was played with another version, or on another board."""
    names: dict[str, dict[Remembered, str]] = {}
    for layouts, history in played:
        for one in remembered(history):
            layout = layouts.get(one.map)
            if layout is not None and _is_plain(layout, one):
                names.setdefault(one.map, {})[one] = layout.location_name(one.x, one.y)
    found: list[Problem] = []
    for on, told in sorted(names.items()):
        wrong = sorted((one.name, now) for one, now in told.items() if one.name != now)
        if len(wrong) >= _FEWEST and 2 * len(wrong) > len(told):
            was, now = wrong[0]
            message = (
                f"{len(wrong):,} of {len(told):,} hexes where pieces were had other names than this module"
                f" gives them, such as {was[:40]!r}, here {now[:40]!r}: the game was played with another"
                " version of the module or on another board; expected those of the log"
            )
            found.append(Problem("names-not-as-played", message, on))
    return found


def calls_alike(played: Sequence[Played]) -> bool:
    """Whether the module's names fit most remembered places of the game. If none is remembered: whether it
    has every map that pieces were on, with a chosen board."""
    told = [
        one.map in layouts and layouts[one.map].location_name(one.x, one.y) == one.name
        for layouts, history in played
        for one in remembered(history)
    ]
    if told:
        return 2 * sum(told) > len(told)
    lay = [
        piece.spot.map in layouts and bool(layouts[piece.spot.map].boards)
        for layouts, history in played
        for piece in history.appearances()
        if piece.spot.map
    ]
    return bool(lay) and all(lay)


# -- what was remembered of which grid ---------------------------------------------------------

_Key = tuple[str, str, int | None]
"""Map, board, and the zone whose own grid it is."""
_Names = dict[Cell, set[str]]


@dataclass(slots=True)
class _Evidence:
    """A grid, and the names that its numbering gave to raw cells."""

    grid: HexGrid
    names: _Names = field(default_factory=dict)


def _is_plain(layout: MapLayout, one: Remembered) -> bool:
    """Whether a numbering known here names the pixel, and the hex there is not in doubt."""
    place = layout.place(one.x, one.y)
    grid = None if place is None else layout.grid_of(place)
    if place is None or not isinstance(grid, HexGrid) or grid.numbering is None:
        return False
    return _is_certain(layout, one, grid) and layout.location_name(one.x, one.y) != ""


def _is_certain(layout: MapLayout, one: Remembered, grid: HexGrid) -> bool:
    """Whether the hex that names a pixel is the hex of a piece there, and no deck is there."""
    board = layout.find_board(one.x, one.y)
    if board is None or layout.is_pile(one.x, one.y):
        return False
    local = board.local(one.x, one.y)
    return grid.raw_index(*local) == grid.cell_at(*local)


def _testified(layout: MapLayout | None, one: Remembered) -> tuple[_Key, HexGrid, Cell, str] | None:
    """The grid whose numbering named a pixel, its raw cell there and the numbering's text. None: the
    numbering is known, or its text cannot be separated from the name."""
    place = None if layout is None else layout.place(one.x, one.y)
    if layout is None or place is None:
        return None
    grid, board = layout.grid_of(place), layout.boards[place.board]
    if not isinstance(grid, HexGrid) or grid.claim is None or not _is_certain(layout, one, grid):
        return None
    zone = board.grid_at(*board.local(one.x, one.y))[0]
    name = one.name
    if zone is not None and isinstance(board.grid, ZonedGrid):
        inner = _inside(board.grid, zone, name)
        if inner is None:
            return None
        name = inner
    return (one.map, board.name, place.zone), grid, (place.column, place.row), name


def _inside(zoned: ZonedGrid, zone: Zone, name: str) -> str | None:
    """The grid's name within the name that a zone gave; None if it cannot be separated."""
    before, mark, after = zoned.zone_name(zone, "\0").partition("\0")
    fits = mark and "\0" not in after and name.startswith(before) and name.endswith(after)
    return name[len(before) : len(name) - len(after)] if fits else None


# -- how it counts -----------------------------------------------------------------------------


def _fitted(claim: Claim, names: _Names) -> tuple[Count | None, Problem]:
    """How a numbering counts (None: open), and a Problem about it."""
    best, agree = best_counts(claim.numbering, names)
    whole = len(names)
    of_all = f"{agree:,} of {whole:,} hexes where pieces were"
    head = f"places here are named by {claim.cls}, Java code of the module's own"
    if agree == whole and len(best) == 1:
        told = f"how it counts is worked out from where pieces were: {agree:,} of {whole:,} agree"
        return best[0], Problem("names-by-pieces", f"{head}; {told}", claim.where, "note")
    if agree == whole:
        told = (
            f"{of_all} fit several ways of counting; their names are not known before more pieces have moved"
            " in other rows and columns"
        )
    elif whole >= _FEWEST and 2 * agree > whole:
        told = (
            f"{of_all} agree about how it counts, the others do not: perhaps the game was played with another"
            " version of the module or on another board; their names are not known"
        )
    else:
        told = f"{of_all} fit no way of counting known here; their names are not known"
    return None, Problem(_CODE, f"{head}; {told}", claim.where)


def best_counts(numbering: Numbering, names: _Names) -> tuple[list[Count], int]:
    """The distinct ways of counting that fit most names, and how many names fit."""
    read = [
        (axial(cell), set(_pairs(numbering, next(iter(called)))))
        for cell, called in names.items()
        if len(called) == 1
    ]
    most, best = 0, dict[tuple[tuple[int, int], ...], Count]()
    for shape in _SHAPES:
        shifts: Counter[tuple[int, int]] = Counter()
        for (q, r), pairs in read:
            column, row = shape.of(q, r)
            shifts.update({(c - column, w - row) for c, w in pairs})
        for (columns, rows), agree in shifts.items():
            if agree < most:
                continue
            if agree > most:
                most, best = agree, {}
            c, f = (rows, columns) if shape.rows_first else (columns, rows)
            count = replace(shape, c=c, f=f)
            best.setdefault(_signature(count), count)
    return list(best.values()), most


def _signature(count: Count) -> tuple[tuple[int, int], ...]:
    """Equal for two ways of counting only if they are the same: all repeat after two rows or columns."""
    return tuple(count.of(q, r) for q, r in product(range(4), repeat=2))


def _shapes() -> Iterator[Count]:
    """All ways of counting, without their offsets: straight, staggered, slanting or by twos, along any of
    the three directions of a hex grid."""
    ones, twos = (-1, 0, 1), (-2, -1, 0, 1, 2)
    halves = ((0, 0), (1, 0), (1, 1), (-1, 0), (-1, 1))
    for a, b, d, e, (half, odd), first in product(ones, ones, twos, twos, halves, (False, True)):
        if a * e - b * d:
            yield Count(a, b, 0, d, e, 0, half, odd, first)


_SHAPES = tuple(_shapes())


def _pairs(numbering: Numbering, name: str) -> Iterator[tuple[int, int]]:
    """The columns and rows, before offsets, for which the numbering writes ``name``."""
    marks = ("\0", "\1") if numbering.column_first else ("\1", "\0")
    values = {"gridLocation": numbering.separator.join(marks), "column": "\0", "row": "\1"}
    written = numbering.location_format.render(values, localized=True) or ""
    if written.count("\0") != 1 or written.count("\1") != 1:
        return
    column_first = written.index("\0") < written.index("\1")
    before, between, after = written.replace("\1", "\0").split("\0")
    if not (name.startswith(before) and name.endswith(after)):
        return
    core = name[len(before) : len(name) - len(after)]
    for at in range(1, len(core) - len(between)):
        if core.startswith(between, at):
            parts = core[:at], core[at + len(between) :]
            across, down = parts if column_first else reversed(parts)
            column, row = numbering.horizontal.index(across), numbering.vertical.index(down)
            if column is not None and row is not None:
                yield column, row


# -- the module again --------------------------------------------------------------------------


def _hex_grids(grid: BoardGrid | None) -> Iterator[tuple[int | None, HexGrid]]:
    """The hex grids of a board: the background's, and those of its zones by number."""
    if isinstance(grid, HexGrid):
        yield None, grid
    elif isinstance(grid, ZonedGrid):
        for index, part in (
            (None, grid.background),
            *((i, z.grid) for i, z in enumerate(grid.zones)),
        ):
            if isinstance(part, HexGrid):
                yield index, part


def _counted(
    board: BoardDefinition, at: tuple[str, str], counts: Mapping[_Key, Count]
) -> BoardDefinition:
    """A board whose grids have the counts that were found."""
    grid = board.grid
    for index, one in _hex_grids(grid):
        count = counts.get((*at, index))
        if count is None or one.claim is None:
            continue
        numbering = replace(one.claim.numbering, count=count)
        known = replace(one, numbering=numbering, names_open=False, claim=None)
        if not isinstance(grid, ZonedGrid):
            grid = known
        elif index is None:
            grid = replace(grid, background=known)
        else:
            zones = list(grid.zones)
            zones[index] = replace(zones[index], grid=known)
            grid = replace(grid, zones=tuple(zones))
    return replace(board, grid=grid)
