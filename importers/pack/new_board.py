"""The maps of a module that are played on hex by hex, and the places on them that are not hexes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ...model.patterns import PatternError, compile_pattern
from ..vassal.grids import BoardGrid, HexGrid, ZonedGrid
from ..vassal.layout import MapLayout, PlacedBoard
from ..vassal.module import Module
from ..vassal.places import named_places
from .board import unnumbered_hexes

LONGEST_PATTERN = 1500
_SPECIAL = re.compile(r"[.^$*+?{}\[\]\\|()]")
_TRACK = re.compile(
    r"track|deck|hand|display|chart|pile|dead|eliminat|casualt|turn|box", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class NewSheet:
    """A map to be played on. ``board``: only this one of its boards; None: all in use. ``prefix``: put before
    hex names that another sheet also has. ``hexes``: how many there are; 0: not known, as the board's
    picture is missing. ``numbered``: whether the module's grid names them, as in ``examples``."""

    map: str
    board: str | None
    prefix: str
    hexes: int
    numbered: bool
    examples: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NewBox:
    """Zones of a map that have no hexes, by a pattern for their names; None: the whole map."""

    map: str
    zones: str | None = None


@dataclass(frozen=True, slots=True)
class NewBoard:
    """The sheets and boxes of a module's maps, for a pack."""

    sheets: tuple[NewSheet, ...]
    boxes: tuple[NewBox, ...]


def hex_grids(grid: BoardGrid | None) -> tuple[HexGrid, ...]:
    """The hex grids of a board: its own, or those of its zones and the grid behind them."""
    if isinstance(grid, HexGrid):
        return (grid,)
    if not isinstance(grid, ZonedGrid):
        return ()
    every = (grid.background, *(zone.grid for zone in grid.zones if not zone.use_parent_grid))
    return tuple(one for one in every if isinstance(one, HexGrid))


def no_hexes(module: Module) -> str:
    """Why no move of a game is judged whose first boards have no hexes; it names the module's boards that
    have some."""
    boards = (board for a_map in module.maps for board in a_map.boards if hex_grids(board.grid))
    names = list(dict.fromkeys(board.name for board in boards))
    more = f" … ({len(names)})" if len(names) > 3 else ""
    others = f" (in the module, {', '.join(names[:3])}{more} {'have' if names[1:] else 'has'} one)"
    why = "moves are judged on hexes only, and no board that this game opens with has a hex grid"
    return why + others * bool(names)


def new_board(layouts: Mapping[str, MapLayout]) -> NewBoard:
    """The sheets and boxes of the maps in ``layouts``, by the name commands call the map. Hands and other
    windows of single players are never sheets."""
    sheets: list[NewSheet] = []
    boxes: list[NewBox] = []
    taken: set[str] = set()
    for name, layout in layouts.items():
        boards = [board for board in layout.boards if hex_grids(board.grid)]
        open_to_all = layout.definition.kind not in ("PrivateMap", "PlayerHand")
        if not boards or not name or not open_to_all:
            if name and _TRACK.search(name):
                boxes.append(NewBox(name))
            continue
        for sheet, names in _sheets_of(name, layout, boards, taken):
            sheets.append(sheet)
            taken |= names
        boxes.extend(_zones(name, boards))
    return NewBoard(tuple(sheets), tuple(boxes))


def _sheets_of(
    name: str, layout: MapLayout, boards: list[PlacedBoard], taken: set[str]
) -> Iterator[tuple[NewSheet, set[str]]]:
    """The sheets of one map: one, or one for each board where their hexes are called alike."""
    by_board: dict[int, list[str]] = {}
    numbers = {i for i, board in enumerate(layout.boards) if board in boards}
    for place in named_places(layout):
        if place.place is None or not place.dependable or place.board not in numbers:
            continue
        if isinstance(layout.grid_of(place.place), HexGrid):
            by_board.setdefault(place.board, []).append(place.name)
    for number in numbers:
        unnumbered = unnumbered_hexes(layout, number)
        raw = (name for name, _, grid in unnumbered if grid.numbering is None)
        by_board.setdefault(number, []).extend(raw)
    counts = Counter(hex_ for names in by_board.values() for hex_ in set(names))
    apart = len(numbers) > 1 and any(n > 1 for n in counts.values())
    every = [name for number in sorted(by_board) for name in by_board[number]]
    parts: list[tuple[str | None, list[str]]] = [(None, every)]
    if apart:
        parts = [(layout.boards[number].name, by_board[number]) for number in sorted(numbers)]
    for of_board, names in parts:
        prefix = ""
        if taken & set(names):
            prefix = f"{of_board or name} "
        numbered = any(
            grid.numbering is not None for board in boards for grid in hex_grids(board.grid)
        )
        shown = tuple(prefix + n for n in (names[:1] + names[len(names) // 2 :][:1] + names[-1:]))
        whole = {prefix + n for n in names}
        yield (
            NewSheet(name, of_board, prefix, len(whole), numbered, tuple(dict.fromkeys(shown))),
            whole,
        )


def _zones(name: str, boards: list[PlacedBoard]) -> Iterator[NewBox]:
    """The zones of a map that have no hexes of their own nor those of the board."""
    names = dict.fromkeys(
        zone.name
        for board in boards
        if isinstance(board.grid, ZonedGrid)
        for zone in board.grid.zones
        if zone.name and not isinstance(board.grid.grid_of(zone), HexGrid)
    )
    pattern = ""
    for zone in names:
        one = literal(zone)
        if len(one) > LONGEST_PATTERN or not _takes(one):
            continue
        if pattern and len(pattern) + len(one) > LONGEST_PATTERN:
            yield NewBox(name, pattern)
            pattern = ""
        pattern = f"{pattern}|{one}" if pattern else one
    if pattern:
        yield NewBox(name, pattern)


def literal(text: str) -> str:
    """A pattern for just this text."""
    return _SPECIAL.sub(r"\\\g<0>", text)


def _takes(pattern: str) -> bool:
    try:
        compile_pattern(pattern)
    except PatternError:
        return False
    return True
