"""Boards laid out on a map: which board, zone, cell and name a map pixel has."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

from .board_finder import BoardFinder
from .grids import BoardGrid, CellGrid, HexGrid, Point, Size, Zone, ZonedGrid
from .grids.java import java_round
from .module import BoardChoice, BoardDefinition, MapDefinition

OFFBOARD = "offboard"
"""The English engine's name of a pixel without a name; such a pixel may be on a board."""
_FEW_BOARDS = 16
"""Up to this number, boards are searched one by one."""


@dataclass(frozen=True, slots=True)
class PlacedBoard:
    """A board in its place. ``x``, ``y``, ``width``, ``height`` in map pixels.

    ``grid`` is laid for this board's size. A board of unknown size has width and height 0.
    """

    definition: BoardDefinition
    x: int
    y: int
    width: int
    height: int
    reversed: bool
    grid: BoardGrid | None

    @property
    def name(self) -> str:
        """The board's name."""
        return self.definition.name

    def contains(self, x: int, y: int) -> bool:
        """Whether a map pixel lies on the board."""
        return self.x <= x < self.x + self.width and self.y <= y < self.y + self.height

    def local(self, x: int, y: int) -> Point:
        """A map pixel in the board's own, unreversed pixels (Board.localCoordinates)."""
        x, y = x - self.x, y - self.y
        if self.reversed:
            x, y = self.width - x, self.height - y
        magnification = self.definition.magnification
        if magnification != 1.0:
            x, y = java_round(x / magnification), java_round(y / magnification)
        return x, y

    def on_map(self, point: Point) -> Point:
        """A board's own pixel in map pixels (Board.globalCoordinates)."""
        x, y = point
        magnification = self.definition.magnification
        if magnification != 1.0:
            x, y = java_round(x * magnification), java_round(y * magnification)
        if self.reversed:
            x, y = self.width - x, self.height - y
        return x + self.x, y + self.y

    def exactly_on_map(self, x: float, y: float) -> tuple[float, float]:
        """The same, not rounded."""
        x, y = x * self.definition.magnification, y * self.definition.magnification
        if self.reversed:
            x, y = self.width - x, self.height - y
        return x + self.x, y + self.y

    def grid_at(self, x: int, y: int) -> tuple[Zone | None, CellGrid | None]:
        """Zone and grid in force at an own pixel."""
        if isinstance(self.grid, ZonedGrid):
            zone = self.grid.zone_at(x, y)
            return zone, self.grid.grid_of(zone)
        return None, self.grid


@dataclass(frozen=True, slots=True)
class Place:
    """A cell of a layout: index of the board, the zone whose own grid it is in, raw index.

    ``zone`` is the zone's index on the board, None for the board's or background grid (zones that
    use the parent's grid share its cells). ``column``, ``row`` are raw: independent of numbering.
    """

    board: int
    zone: int | None
    column: int
    row: int


class MapLayout:
    """The boards in use on one map, laid out for one game.

    ``choices``: boards in use, by default the map's own layout; names the map does not have are
    left out. ``lender``: the layout of the map whose boards this one shows (``borrows_boards``).
    """

    def __init__(
        self,
        definition: MapDefinition,
        choices: Sequence[BoardChoice] | None = None,
        lender: MapLayout | None = None,
    ) -> None:
        self.definition = definition
        self.lender = lender
        self.edge: Size = (definition.edge_width, definition.edge_height)
        self.boards: tuple[PlacedBoard, ...]
        if lender is not None:
            self.boards, self.edge = lender.boards, lender.edge
        else:
            wanted = definition.default_layout if choices is None else choices
            self.boards = _place(definition, wanted, self.edge)
        self.boards_elsewhere: bool = (
            definition.boards_elsewhere if lender is None else lender.boards_elsewhere
        )
        self.is_known: bool = all(b.width > 0 and b.height > 0 for b in self.boards)
        """Whether all its boards have a size; if not, no board's place or names are known."""
        self._finder: BoardFinder | None = None
        self._by_name: dict[str, PlacedBoard] = {}
        for board in self.boards:
            self._by_name.setdefault(board.name, board)
        self._piles = self._pile_names()

    # -- boards and zones ----------------------------------------------------------------------

    @property
    def size(self) -> Size:
        """Width and height of the map in pixels, edge buffer included (Map.mapSize)."""
        right = max((board.x + board.width for board in self.boards), default=0)
        bottom = max((board.y + board.height for board in self.boards), default=0)
        return right + self.edge[0], bottom + self.edge[1]

    def find_board(self, x: int, y: int) -> PlacedBoard | None:
        """The first board that holds a map pixel."""
        number = self._number_at(x, y)
        return None if number is None else self.boards[number]

    def _number_at(self, x: int, y: int) -> int | None:
        """The number of that board, from 0."""
        if len(self.boards) > _FEW_BOARDS:
            if self._finder is None:
                self._finder = BoardFinder(
                    [(b.x, b.y, b.x + b.width, b.y + b.height) for b in self.boards]
                )
            return self._finder.first_at(x, y)
        return next((n for n, board in enumerate(self.boards) if board.contains(x, y)), None)

    def board_named(self, name: str) -> PlacedBoard | None:
        """The first board in use of this name."""
        return self._by_name.get(name)

    def zone(self, x: int, y: int) -> Zone | None:
        """The zone whose grid names a map pixel."""
        board = self.find_board(x, y)
        return None if board is None else board.grid_at(*board.local(x, y))[0]

    def current_zone(self, x: int, y: int) -> Zone | None:
        """The zone that the engine gives as CurrentZone (Map.findZone).

        It forgets to turn reversed boards: there it can differ from ``zone``.
        """
        board = self.find_board(x, y)
        if board is None or not isinstance(board.grid, ZonedGrid):
            return None
        return board.grid.zone_at(x - board.x, y - board.y)

    # -- names and snapping --------------------------------------------------------------------

    def location_name(self, x: int, y: int) -> str:
        """The engine's name of a map pixel; ``offboard`` if it has no name; empty if not known."""
        pile = self._piles.get((x, y))
        if pile is not None:
            return pile
        board = self.find_board(x, y)
        if board is None:
            return "" if self.boards_elsewhere else OFFBOARD
        if board.grid is None:  # the code of a module's own board may make a grid
            return OFFBOARD if board.definition.component == "Board" else ""
        name = board.grid.location_name(*board.local(x, y))
        return OFFBOARD if name is None else name

    def snap(self, x: int, y: int, *, force: bool = False, centre: bool = False) -> Point:
        """The map pixel to which a piece dropped on a pixel snaps (Map.snapTo).

        ``force``: even where the grid does not snap; ``centre``: centres only.
        """
        board = self.find_board(x, y)
        if board is None:
            return x, y
        x, y = self._snap_on(board, x, y, force, centre)
        landed = self.find_board(x, y)
        if landed is not None and landed is not board:
            x, y = self._snap_on(landed, x, y, force, centre)
        if self.find_board(x, y) is None:
            # one pixel off the edge: back onto the board
            x = board.x + _pulled_in(x - board.x, board.width)
            y = board.y + _pulled_in(y - board.y, board.height)
        return x, y

    def _snap_on(self, board: PlacedBoard, x: int, y: int, force: bool, centre: bool) -> Point:
        if board.grid is None:
            return x, y
        local = board.local(x, y)
        spot = board.grid.snap(*local, force=force, centre=centre)
        return board.on_map(spot)

    # -- cells ---------------------------------------------------------------------------------

    def place(self, x: int, y: int) -> Place | None:
        """The cell of a map pixel, by true hexagons; None: there is no grid."""
        number = self._number_at(x, y)
        if number is None:
            return None
        board = self.boards[number]
        local = board.local(x, y)
        zone, grid = board.grid_at(*local)
        cell = None if grid is None else grid.cell_at(*local)
        return None if cell is None else Place(number, _own(board, zone), *cell)

    def grid_of(self, place: Place) -> CellGrid:
        """The grid a cell belongs to."""
        grid = self.boards[place.board].grid
        if isinstance(grid, ZonedGrid):
            found = grid.background if place.zone is None else grid.zones[place.zone].grid
        else:
            found = grid
        if found is None:
            raise LookupError(f"{place} is in no grid")
        return found

    def centre(self, place: Place) -> Point:
        """Centre of a cell in map pixels: where a piece snapped to it lies."""
        cell = (place.column, place.row)
        return self.boards[place.board].on_map(self.grid_of(place).centre(cell))

    def corners(self, place: Place) -> tuple[tuple[float, float], ...]:
        """The corners of a hex in map pixels, not rounded, in order; empty if the cell is not a hex."""
        grid, board = self.grid_of(place), self.boards[place.board]
        if not isinstance(grid, HexGrid):
            return ()
        local = grid.corners((place.column, place.row))
        return tuple(board.exactly_on_map(x, y) for x, y in local)

    def neighbours(self, place: Place) -> tuple[Place, ...]:
        """Adjacent cells whose centres lie on a board.

        Where a neighbour's centre falls into another grid (the next board, another zone), that
        grid's cell there is the neighbour.
        """
        cells = self.grid_of(place).neighbours((place.column, place.row))
        arrived = (self._arrived(Place(place.board, place.zone, *cell)) for cell in cells)
        return tuple(dict.fromkeys(one for one in arrived if one is not None))

    def _arrived(self, beside: Place) -> Place | None:
        """The cell at another cell's centre: itself, if the same grid is in force there."""
        found = self.place(*self.centre(beside))
        same = found is not None and (found.board, found.zone) == (beside.board, beside.zone)
        return beside if same else found

    # -- decks ---------------------------------------------------------------------------------

    def is_pile(self, x: int, y: int) -> bool:
        """Whether the module defines a deck at a map pixel, which gives the pixel its name."""
        return (x, y) in self._piles

    def _pile_names(self) -> Mapping[Point, str]:
        piles: dict[Point, str] = {}
        for pile in self.definition.draw_piles:
            board = self.board_named(pile.owning_board) if pile.owning_board else None
            origin = self.edge if board is None else (board.x, board.y)
            piles.setdefault((pile.x + origin[0], pile.y + origin[1]), pile.name)
        return piles


def lay_out(
    maps: Sequence[MapDefinition],
    choices: Mapping[str, Sequence[BoardChoice]] | None = None,
    before: Mapping[str, MapLayout] | None = None,
    chosen: Container[str] = (),
) -> dict[str, MapLayout]:
    """Layouts of all maps by internal id (``Map0``), borrowed boards resolved.

    ``choices`` by internal id; other maps take their default. ``before``: existing layouts; only the maps in
    ``chosen``, and maps that show these maps' boards, are laid out again.
    """
    laid: dict[str, MapLayout] = {}
    named: dict[str, MapLayout] = {}
    for definition in maps:
        lender = named.get(definition.borrows_boards)
        lender = lender if definition.borrows_boards else None
        old = (before or {}).get(definition.id)
        if old is not None and definition.id not in chosen and old.lender is lender:
            laid[definition.id] = old
        else:
            laid[definition.id] = MapLayout(definition, (choices or {}).get(definition.id), lender)
        named.setdefault(definition.name, laid[definition.id])
    return laid


def layouts_by_name(
    maps: Sequence[MapDefinition], choices: Mapping[str, Sequence[BoardChoice]] | None = None
) -> dict[str, MapLayout]:
    """As :func:`lay_out`, but by the name that commands use; the first map of a name counts."""
    laid, found = lay_out(maps, choices), dict[str, MapLayout]()
    for definition in maps:
        found.setdefault(definition.identifier, laid[definition.id])
    return found


def _place(
    definition: MapDefinition, choices: Sequence[BoardChoice], edge: Size
) -> tuple[PlacedBoard, ...]:
    """Boards in their places: each is offset by the sizes of those before it in its row and column."""
    known: list[tuple[BoardChoice, BoardDefinition, Size]] = []
    by_name: dict[str, BoardDefinition] = {}
    for defined in definition.boards:
        by_name.setdefault(defined.name, defined)
    for choice in choices:
        board = by_name.get(choice.name)
        if board is not None:
            known.append((choice, board, _size(board)))
    at = {(choice.column, choice.row): size for choice, _, size in known}
    rows, columns = _Lines(), _Lines()
    for (column, row), size in at.items():
        rows.add(row, column, size[0])
        columns.add(column, row, size[1])
    grids: dict[tuple[str, Size], BoardGrid | None] = {}
    placed = []
    for choice, board, size in known:
        x = rows.before(choice.row, choice.column)
        y = columns.before(choice.column, choice.row)
        if (board.name, size) not in grids:
            grids[board.name, size] = None if board.grid is None else board.grid.sized(size)
        placed.append(
            PlacedBoard(
                board,
                x + edge[0],
                y + edge[1],
                *size,
                choice.reversed and board.reversible,
                grids[board.name, size],
            )
        )
    return tuple(placed)


class _Lines:
    """Lengths at places of lines (rows or columns), summed from place 0."""

    def __init__(self) -> None:
        self._lengths: dict[int, dict[int, int]] = {}
        self._sums: dict[int, tuple[list[int], list[int]]] = {}

    def add(self, line: int, place: int, length: int) -> None:
        if place >= 0:
            self._lengths.setdefault(line, {})[place] = length

    def before(self, line: int, place: int) -> int:
        """The sum of the lengths before a place of a line. Call it only after all are added."""
        if line not in self._sums:
            lengths = sorted(self._lengths.get(line, {}).items())
            sums = accumulate((length for _, length in lengths), initial=0)
            self._sums[line] = [at for at, _ in lengths], list(sums)
        places, sums_before = self._sums[line]
        return sums_before[bisect_left(places, place)]


def _size(board: BoardDefinition) -> Size:
    if board.width is None or board.height is None:
        return 0, 0
    return int(board.width * board.magnification), int(board.height * board.magnification)


def _own(board: PlacedBoard, zone: Zone | None) -> int | None:
    if zone is None or zone.use_parent_grid:
        return None
    assert isinstance(board.grid, ZonedGrid)
    return next(i for i, z in enumerate(board.grid.zones) if z is zone)


def _pulled_in(value: int, length: int) -> int:
    return length - 1 if value == length else 0 if value == -1 else value
