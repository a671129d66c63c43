"""The board of a game, made from the map layouts of a module; and where a pixel lies on it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from copy import copy
from dataclasses import dataclass, replace
from math import dist

from ...model.board import Board, Edge, Hex, edge
from ...model.game import NOWHERE
from ...model.game import Place as GamePlace
from ...model.hexgrid import Axial, from_offset
from ...model.problem import Problem
from ...model.table import Spot
from ..vassal.grids import BoardGrid, HexGrid, Numbering, ZonedGrid
from ..vassal.layout import OFFBOARD, MapLayout, Place
from ..vassal.own_numbering import best_counts
from ..vassal.places import bounded, named_places
from .pack import BoardSheet, Box, Pack


@dataclass(frozen=True, slots=True)
class _Cell:
    """A hex of a layout before it becomes one of the board."""

    name: str
    place: Place
    grid: HexGrid


class Places:
    """Where map pixels lie on the board: hexes, boxes, neither.

    A piece lies in the hex it would snap to. If the engine's name of the pixel is that of another hex
    (off-centre near a hexside), the place is unclear.
    """

    def __init__(self, pack: Pack, layouts: Mapping[str, MapLayout]) -> None:
        self._layouts = layouts
        self._sheets = {sheet.map: sheet for sheet in pack.sheets}
        self._boxes = _boxes_by_map(pack)
        self._hexes: dict[tuple[str, Place], str] = {}
        self._unnumbered: set[tuple[str, Place]] = set()
        self._known: dict[Spot, GamePlace] = {}
        self._names: dict[tuple[str, int, int], str] = {}
        self._strange: set[GamePlace] = set()
        self.relaid: Collection[str] = ()
        """The maps on which other boards are laid in play: what lies there is not known."""

    def afresh(self, pack: Pack) -> Places:
        """A copy for another table, or a ``pack`` with the same board and boxes, without the places found so
        far that are neither hexes nor boxes."""
        found = copy(self)
        found._boxes = _boxes_by_map(pack)
        found._known, found._strange = {}, set()
        return found

    def add(self, map_name: str, place: Place, name: str, numbered: bool) -> None:
        """Say that a cell of a map's layout is the hex ``name``."""
        self._hexes[map_name, place] = name
        if not numbered:
            self._unnumbered.add((map_name, place))

    def hex_at(self, map_name: str, place: Place) -> str | None:
        """The hex of a cell of a map's layout; None if the board does not have it."""
        return self._hexes.get((map_name, place))

    def hexes_of(self, map_name: str, board: int, zone: int | None) -> Iterator[str]:
        """The hexes of one grid: of a board of a map, by its number, or of a zone of that board."""
        return (
            name
            for (on, place), name in self._hexes.items()
            if (on, place.board, place.zone) == (map_name, board, zone)
        )

    def homes(self) -> Iterator[tuple[str, Place, str]]:
        """Every cell of a layout that is a hex: map, cell, name; where sheets overlap, a hex has several."""
        return ((on, place, name) for (on, place), name in self._hexes.items())

    @property
    def centres(self) -> dict[str, Spot]:
        """The map and pixel of the centre of every hex of the board."""
        return {
            name: Spot(on, *self._layouts[on].centre(place))
            for (on, place), name in reversed(self._hexes.items())  # the first that had the name
        }

    def of(self, spot: Spot | None, location: str = "") -> GamePlace:
        """The place of a spot; nowhere if it is None or on no map.

        ``location`` is the replay's name of the spot, if any. If it differs from ours, the map has
        other boards by then, and the place is unclear.
        """
        if spot is None or spot.map is None:
            return NOWHERE
        other = bool(location) and location != self._called(spot.map, spot.x, spot.y)
        if other or (spot.map in self.relaid and spot.map in self._sheets):
            return GamePlace("unclear", location or spot.map)
        found = self._known.get(spot)
        if found is None:
            found = self._known[spot] = self._find(spot.map, spot.x, spot.y)
        return found

    def near(self, spot: Spot | None) -> tuple[str, str, bool] | None:
        """(the hex to which a spot would snap; its neighbour by whose name the engine calls the spot; whether
        the hexside between the two is the nearest). None if there is no such neighbour, one of the two is not
        on the board, or other boards are laid there in play."""
        if spot is None or spot.map is None or spot.map in self.relaid:
            return None
        layout = self._layouts.get(spot.map)
        if layout is None:
            return None
        called, at = self._called(spot.map, spot.x, spot.y), (spot.x, spot.y)
        cell = layout.place(*layout.snap(*at, force=True, centre=True))
        if cell is None:
            return None
        around = sorted(layout.neighbours(cell), key=lambda one: dist(layout.centre(one), at))
        for number, beside in enumerate(around):
            if layout.location_name(*layout.centre(beside)) == called:
                here, there = (self._hexes.get((spot.map, one)) for one in (cell, beside))
                return None if here is None or there is None else (here, there, number == 0)
        return None

    def _called(self, on: str, x: int, y: int) -> str:
        key = (on, x, y)
        name = self._names.get(key)
        if name is None:
            layout = self._layouts.get(on)
            name = self._names[key] = "" if layout is None else layout.location_name(x, y)
        return name

    def _find(self, on: str, x: int, y: int) -> GamePlace:
        layout = self._layouts.get(on)
        box = self._box(on, layout, x, y)
        if box is not None:
            return box
        if on not in self._sheets or layout is None:
            return self._called_nothing(on)
        location = layout.location_name(x, y)
        snapped = layout.snap(x, y, force=True, centre=True)
        cell = layout.place(*snapped)
        name = None if cell is None else self._hexes.get((on, cell))
        if cell is None or name is None:
            if location in ("", OFFBOARD):
                return GamePlace("unclear", on)
            return self._called_nothing(location)
        if (on, cell) in self._unnumbered:
            same = layout.place(x, y) == cell
        else:
            same = location == layout.location_name(*snapped)
        return GamePlace("hex", name) if same else GamePlace("unclear", location)

    def _called_nothing(self, name: str) -> GamePlace:
        """A place on a map that the pack calls neither a hex nor a box; rules take it for a box."""
        place = GamePlace("box", name)
        self._strange.add(place)
        return place

    def is_strange(self, place: GamePlace) -> bool:
        """Whether the pack calls ``place`` neither a hex nor a box."""
        return place in self._strange

    def _box(self, on: str, layout: MapLayout | None, x: int, y: int) -> GamePlace | None:
        for box in self._boxes.get(on, ()):
            zone = None if layout is None or box.zone is None else layout.zone(x, y)
            location = "" if layout is None else layout.location_name(x, y)
            zone_name = "" if zone is None else zone.name
            if box.zone is not None and not (zone_name and box.zone.fullmatch(zone_name)):
                continue
            named = layout is None or location
            if box.location is not None and not (named and box.location.fullmatch(location)):
                continue
            if box.is_unread:
                return GamePlace("box", f"{on} {x},{y}" if location in ("", OFFBOARD) else location)
            if box.name:
                return GamePlace("box", box.name)
            return GamePlace("box", location if box.location else zone_name if box.zone else on)
        return None


def _boxes_by_map(pack: Pack) -> dict[str, list[Box]]:
    found: dict[str, list[Box]] = {}
    for box in pack.boxes:
        found.setdefault(box.map, []).append(box)
    return found


def bind_board(
    pack: Pack, layouts: Mapping[str, MapLayout]
) -> tuple[Board, Places, tuple[Problem, ...]]:
    """The bare board (no terrain) and its places; faults as problems of severity error.

    ``layouts`` by the name maps are called in commands. Hexes of one surface are neighbours by their
    raw index; where boards or zones of a map abut, by the pixels of their centres.
    """
    places = Places(pack, layouts)
    problems: list[Problem] = []
    hexes: dict[str, Hex] = {}
    taken: dict[tuple[str, Axial], str] = {}
    for index, sheet in enumerate(pack.sheets):
        layout = layouts.get(sheet.map)
        key = f"board.sheet[{index + 1}]"
        if layout is None:
            known = ", ".join(sorted(layouts)) or "none"
            problems.append(
                _fault(f"{key}.map: expected a map of the module ({known}); found {sheet.map}")
            )
            continue
        if sheet.board is not None and layout.board_named(sheet.board) is None:
            known = ", ".join(board.name for board in layout.boards) or "none"
            message = f"{key}.board: expected a board in use ({known}); found {sheet.board}"
            problems.append(_fault(message))
            continue
        found = list(_cells(pack, sheet, layout, places))
        if sheet.numbers:
            found, fault = _by_numbers(sheet, found, list(_unnumbered(sheet, layout, places)))
            problems += [_fault(f"{key}.numbers: {fault}")] if fault else []
        if not found:
            problems.append(_fault(f"{key}: {_why_none(layout, sheet.map)}"))
        problems.extend(_settle(sheet, found, hexes, taken, places))
    problems.extend(_pairs(pack, hexes))
    links = _across(layouts, places, hexes)
    links |= {edge(a, b) for a, b in pack.links}
    barriers = {edge(a, b) for a, b in pack.barriers}
    board = Board(
        name=pack.board_name,
        hexes=hexes,
        links=frozenset(links - barriers),
        barriers=frozenset(barriers),
        complete=pack.complete,
    )
    return board, places, tuple(problems)


def _fault(message: str) -> Problem:
    return Problem("pack", message, "pack.toml", "error")


def _why_none(layout: MapLayout, name: str) -> str:
    bare = [board.name for board in layout.boards if not (board.width and board.height)]
    if bare:
        return (
            f"expected a module with its pictures: that of the board {bare[0]} is not in it, so how big"
            " the board is, and which hexes it has, is not known"
        )
    return f"expected a map with a hex grid whose hexes fit; found none on {name}"


def _pairs(pack: Pack, hexes: Mapping[str, Hex]) -> Iterator[Problem]:
    for key, pairs in (("links", pack.links), ("barriers", pack.barriers)):
        for index, pair in enumerate(pairs):
            for name in pair:
                if name not in hexes:
                    yield _fault(
                        f"board.{key}[{index + 1}]: expected a hex of the board; found {name}"
                    )


def _cells(pack: Pack, sheet: BoardSheet, layout: MapLayout, places: Places) -> Iterator[_Cell]:
    """The named hexes of a sheet, without those in zones that are boxes. Hexes whose numbering was derived
    from the pieces of a game have raw column and row as names in an older pack."""
    worked_out: list[_Cell] = []
    for named in named_places(layout, sheet.board):
        if named.place is None or not named.dependable:
            continue
        grid = layout.grid_of(named.place)
        if not isinstance(grid, HexGrid):
            continue
        name = _hex_name(sheet, named.name)
        if name is not None and places._box(sheet.map, layout, *named.point) is None:
            cell = _Cell(name, named.place, grid)
            if grid.is_worked_out:
                worked_out.append(cell)
            else:
                yield cell
    raw = list(_unnumbered(sheet, layout, places))
    yield from (cell for cell in raw if cell.grid.numbering is None)
    by_pieces = [cell for cell in raw if cell.grid.is_worked_out]
    names = {row.get("hex") for row in pack.hexes.rows} if pack.hexes is not None else set[str]()
    older = len(names & {c.name for c in by_pieces}) > len(names & {c.name for c in worked_out})
    yield from by_pieces if older else worked_out


def _unnumbered(sheet: BoardSheet, layout: MapLayout, places: Places) -> Iterator[_Cell]:
    for number, board in enumerate(layout.boards):
        if sheet.board is None or board.name == sheet.board:
            for name, place, grid in unnumbered_hexes(layout, number):
                if places._box(sheet.map, layout, *layout.centre(place)) is None:
                    yield _Cell(sheet.prefix + name, place, grid)


def _by_numbers(sheet: BoardSheet, named: list[_Cell], raw: list[_Cell]) -> tuple[list[_Cell], str]:
    """The hexes of a sheet, with those in ``raw`` named by the count that the pack's numbers imply; and what
    is wrong with the numbers ("": nothing)."""
    by_name = {cell.name.removeprefix(sheet.prefix): cell for cell in raw}
    strange = sorted(sheet.numbers.keys() - by_name.keys())
    if strange:
        return (
            named,
            f"expected hexes that the module does not name, such as 07.03; found {strange[0]}",
        )
    grids = {
        (by_name[n].place.board, by_name[n].place.zone): by_name[n].grid for n in sheet.numbers
    }
    if len(grids) > 1:
        return named, "expected hexes of one board or zone: give each a sheet of its own"
    ((surface, grid),) = grids.items()
    numbering = grid.claim.numbering if grid.claim is not None else grid.numbering or Numbering()
    places = {name: by_name[name].place for name in sheet.numbers}
    told = {(p.column, p.row): {sheet.numbers[name]} for name, p in places.items()}
    ways, agree = best_counts(replace(numbering, count=None), told)
    if agree < len(told):
        return named, f"only {agree} of {len(told)} fit one way of counting; expected all of them"
    if len(ways) > 1:
        return (
            named,
            f"fit {len(ways):,} ways of counting; expected more, in other columns and rows",
        )
    counted = replace(grid, numbering=replace(numbering, count=ways[0]))
    own = [cell for cell in raw if (cell.place.board, cell.place.zone) == surface]
    rest = [cell for cell in named if cell.place not in {one.place for one in own}]
    names = ((cell, counted.cell_name((cell.place.column, cell.place.row)) or "") for cell in own)
    return [*rest, *(replace(c, name=name) for c, n in names if (name := _hex_name(sheet, n)))], ""


def unnumbered_hexes(layout: MapLayout, number: int) -> Iterator[tuple[str, Place, HexGrid]]:
    """The hexes of a board (by its number) that the module does not name, as far as known: by their name in a
    pack, their cells and grids. The name is the raw column and row, after the zone's name (``North 07.03``)
    if the grid is a zone's own."""
    grid = layout.boards[number].grid
    parts: list[tuple[str, int | None, BoardGrid | None]] = [("", None, grid)]
    if isinstance(grid, ZonedGrid):
        parts = [("", None, grid.background)]
        parts += [(f"{z.name} ", i, z.grid) for i, z in enumerate(grid.zones)]
    for prefix, zone, part in parts:
        if not isinstance(part, HexGrid):
            continue
        if part.numbering is not None and not part.is_worked_out:
            continue
        reach = part
        if zone is not None and isinstance(grid, ZonedGrid) and (path := grid.zones[zone].path):
            reach = part.sized((max(x for x, _ in path), max(y for _, y in path)))
        for cell in bounded(reach.cells(), "hexes", layout):
            place = Place(number, zone, *cell)
            if layout.place(*layout.centre(place)) == place:
                yield f"{prefix}{cell[0]:02d}.{cell[1]:02d}", place, part


def _hex_name(sheet: BoardSheet, location: str) -> str | None:
    if sheet.hex is None:
        return sheet.prefix + location
    found = sheet.hex.fullmatch(location)
    if found is None:
        return None
    picked = found[1] if sheet.hex.groups else found.whole
    return sheet.prefix + picked if picked else None


def _settle(
    sheet: BoardSheet,
    found: list[_Cell],
    hexes: dict[str, Hex],
    taken: dict[tuple[str, Axial], str],
    places: Places,
) -> Iterator[Problem]:
    """Put the cells of a sheet onto the board. Two sheets that overlap share the hex that was first."""
    doubled: dict[str, int] = {}
    several = len({(cell.place.board, cell.place.zone) for cell in found}) > 1
    for cell in found:
        if places.hex_at(sheet.map, cell.place) is not None:
            continue
        surface = sheet.name
        if several:
            surface = f"{sheet.name} {cell.place.board + 1}.{cell.place.zone or 0}"
        shift = from_offset(*sheet.offset)
        raw = from_offset(cell.place.column, cell.place.row)
        at = Axial(raw.q + shift.q, raw.r + shift.r)
        name = taken.get((surface, at), cell.name)
        if name == cell.name and name in hexes:
            doubled[name] = doubled.get(name, 1) + 1
            continue
        if name not in hexes:
            hexes[name] = Hex(name, at, sheet=surface)
            taken[surface, at] = name
        places.add(sheet.map, cell.place, name, cell.grid.numbering is not None)
    if doubled:
        shown = ", ".join(sorted(doubled)[:5])
        message = (
            f"{len(doubled):,} names stand for several hexes of {sheet.map} ({shown}); expected each "
            "once: give the sheets a prefix, or a pattern for hex"
        )
        yield Problem("hex-twice", message, "pack.toml", "warning")


def _across(
    layouts: Mapping[str, MapLayout], places: Places, hexes: Mapping[str, Hex]
) -> set[Edge]:
    """Neighbours over the seams of boards and zones of one map."""
    links: set[Edge] = set()
    one_grid: dict[str, set[tuple[int, int | None]]] = {}
    for on, place, _ in places.homes():
        one_grid.setdefault(on, set()).add((place.board, place.zone))
    mixed = {on for on, grids in one_grid.items() if len(grids) > 1}
    for on, place, name in places.homes():
        if on not in mixed:
            continue
        for other in layouts[on].neighbours(place):
            there = places.hex_at(on, other)
            foreign = (other.board, other.zone) != (place.board, place.zone)
            if there is not None and foreign and hexes[there].sheet != hexes[name].sheet:
                links.add(edge(name, there))
    return links
