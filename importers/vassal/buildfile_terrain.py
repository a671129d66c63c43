"""The terrain a module records: its ``TerrainDefinitions``, and the files in ``terrainMaps/``."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence

from ...model.problem import Problem, Unreadable
from .archive import Archive
from .buildfile_grids import NAMED_ALIKE
from .components import Component
from .grids import BoardGrid, HexGrid, ZonedGrid
from .limits import MIB
from .module import BoardDefinition, MapDefinition
from .terrain_map import MOST_RECORDS, MOST_TOLD, Definitions, Kind, RecordedTerrain, read_records

FOLDER, SUFFIX = "terrainMaps/", ".txt"
MOST_BYTES = 32 * MIB
"""Limit on all files together; those of the largest maps have less than one."""
_OF_TERRAIN: Mapping[str, Kind] = {
    "HexTerrain": "hex",
    "HexAttributeTerrain": "hex",
    "EdgeTerrain": "hexside",
    "LineTerrain": "line",
    "AttributeTerrain": "attribute",
}
_DEFINITIONS = {f"{name}Definitions": kind for name, kind in _OF_TERRAIN.items()}
READ = frozenset((*NAMED_ALIKE, "TerrainDefinitions", *_OF_TERRAIN, *_DEFINITIONS))
"""Modules' own classes that are read, without package: terrain here, grids as VASSAL's own."""


def read_terrain(
    components: Iterable[Component],
    maps: Iterable[MapDefinition],
    archives: Sequence[Archive],
    problems: list[Problem],
    *,
    whole: bool = True,
) -> tuple[RecordedTerrain, ...]:
    """The recorded terrain of each board, in the boards' order.

    A module's file goes before one of the same name in an extension, as in ``DataArchive``. ``whole`` False:
    this is an extension by itself, whose boards and definitions may be in its module.
    """
    entries = _entries(archives)
    if not entries:
        return ()
    definitions = terrain_definitions(components) if whole else {}
    found: list[RecordedTerrain] = []
    left, lines = MOST_BYTES, MOST_RECORDS
    places = _boards(maps)
    if not whole:
        for entry in entries:
            places.setdefault(entry[len(FOLDER) : -len(SUFFIX)], [])
    for name, boards in places.items():
        at = entries.pop(_composed(FOLDER + name + SUFFIX), None)
        if at is None:
            continue
        archive, entry = at
        file, size = f"{archive.where}: {entry}", archive.size(entry)
        if size > left:
            message = (
                f"expected no more than {MOST_BYTES // MIB} MiB of terrainMaps; it is left out"
            )
            problems.append(Problem("terrain-map", message, file, "error"))
            continue
        left -= size
        try:
            text = archive.read(entry).decode("utf-8", "replace")
        except Unreadable as error:
            problems.append(Problem("terrain-map", f"{error.what}; it is left out", file, "error"))
            continue
        grid = next((g for b in boards if (g := recorded_grid(b.grid)) is not None), None)
        if grid is None and boards:
            problems.append(Problem("terrain-map", _no_grid(boards), file))
        sideways = None if grid is None else grid[1].sideways
        records, faults = read_records(text, file, definitions, sideways, lines)
        lines -= len(records)
        problems.extend(faults)
        found.append(RecordedTerrain(name, file, records))
    problems.extend(_of_no_board(entries.values()))
    return tuple(found)


def terrain_definitions(components: Iterable[Component]) -> Definitions:
    """The names of hex, edge and line terrain and of tags that a module defines."""
    found: dict[Kind, set[str]] = {}
    for component in components:
        within = component.parent.short if component.parent is not None else ""
        kind = _OF_TERRAIN.get(component.short) or _DEFINITIONS.get(within)
        if kind is not None and component.is_custom and component.get("name"):
            found.setdefault(kind, set()).add(component.get("name"))
    return {kind: frozenset(names) for kind, names in found.items()}


def recorded_grid(grid: BoardGrid | None) -> tuple[int | None, HexGrid] | None:
    """The grid of a board whose hexes are recorded, and its zone (None: the board's own grid, or the one
    behind its zones). None: it is not clear which grid is meant, or none is a hex grid."""
    if not isinstance(grid, ZonedGrid):
        return (None, grid) if isinstance(grid, HexGrid) else None
    if grid.background is not None:
        return (None, grid.background) if isinstance(grid.background, HexGrid) else None
    own = [
        (index, zone.grid)
        for index, zone in enumerate(grid.zones)
        if isinstance(zone.grid, HexGrid) and not zone.use_parent_grid
    ]
    return own[0] if len(own) == 1 else None


def _no_grid(boards: Sequence[BoardDefinition]) -> str:
    return (
        f"expected one hex grid on the board {boards[0].name}; found none, or several: which hexes the"
        " records mean is not known"
    )


def _boards(maps: Iterable[MapDefinition]) -> dict[str, list[BoardDefinition]]:
    found: dict[str, list[BoardDefinition]] = {}
    for a_map in maps:
        for board in a_map.boards:
            found.setdefault(board.name, []).append(board)
    return found


def _entries(archives: Sequence[Archive]) -> dict[str, tuple[Archive, str]]:
    """The files of ``terrainMaps/`` by name, composed: names may be stored decomposed."""
    found: dict[str, tuple[Archive, str]] = {}
    for archive in archives:
        for name in archive.names:
            if name.startswith(FOLDER) and name.endswith(SUFFIX):
                found.setdefault(_composed(name), (archive, name))
    return found


def _composed(name: str) -> str:
    return unicodedata.normalize("NFC", name)


def _of_no_board(left: Iterable[tuple[Archive, str]]) -> list[Problem]:
    waiting = [f"{archive.where}: {entry}" for archive, entry in left]
    message = "expected terrain of a board; found none of this name, so it is left out"
    told = [Problem("terrain-map", message, where) for where in waiting[:MOST_TOLD]]
    if len(waiting) > MOST_TOLD:
        more = "more files of terrainMaps belong to no board"
        told.append(Problem("terrain-map", more, count=len(waiting) - MOST_TOLD))
    return told
