"""What a file of VASSAL holds, as plain JSON values (``umpire schema inspection``)."""

from __future__ import annotations

from collections.abc import Iterable
from math import isfinite
from typing import Any

from ..importers.vassal.grids import BoardGrid, HexGrid, RegionGrid, SquareGrid, ZonedGrid
from ..importers.vassal.module import BoardDefinition, MapDefinition, Module
from ..importers.vassal.turns import CounterLevel, TurnLevel, TurnTracker
from ..model.problem import Problem

FORMAT = "vassal-umpire-inspection"
VERSION = 1


def module_document(module: Module, kind: str) -> dict[str, Any]:
    """A module or extension; ``kind`` says which."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "file": module.file_name,
        "kind": kind,
        "sha256": module.sha256,
        "title": module.name,
        "module_version": module.version,
        "vassal_version": module.vassal_version,
        "description": module.description,
        "sides": list(module.sides),
        "maps": [_map(a_map) for a_map in module.maps],
        "turn_trackers": [_tracker(tracker) for tracker in module.turn_trackers],
        "prototypes": sorted(module.prototypes),
        "slots": len(module.slots),
        "pieces_at_start": _pieces_at_start(module),
        "global_properties": len(module.global_properties),
        "dice": [die.name for die in module.dice] + [die.name for die in module.symbolic_dice],
        "setups": [setup.name for setup in module.predefined_setups if not setup.is_menu],
        "extensions": [
            {"file": e.file_name, "version": e.version, "id": e.extension_id, "sha256": e.sha256}
            for e in module.extensions
        ],
        "custom_components": [
            {"class": custom.name, "count": custom.count} for custom in module.custom_components
        ],
        "problems": problems(module.problems),
    }


def problems(found: Iterable[Problem]) -> list[dict[str, Any]]:
    """Problems met, as plain values."""
    return [
        {
            "code": p.code,
            "severity": p.severity,
            "where": p.where,
            "message": p.message,
            "count": p.count,
        }
        for p in found
    ]


def _pieces_at_start(module: Module) -> int:
    on_maps = sum(len(stack.slots) for _, stack in module.setup_stacks)
    return on_maps + sum(len(pile.slots) for _, pile in module.draw_piles)


def _map(a_map: MapDefinition) -> dict[str, Any]:
    return {
        "name": a_map.identifier,
        "kind": a_map.kind,
        "class": a_map.component,
        "owners": list(a_map.owners),
        "boards": [_board(board) for board in a_map.boards],
        "setup_stacks": len(a_map.setup_stacks),
        "decks": [pile.name for pile in a_map.draw_piles],
    }


def _board(board: BoardDefinition) -> dict[str, Any]:
    return {
        "name": board.name,
        "width": board.width,
        "height": board.height,
        "reversible": board.reversible,
        "grid": _grid(board.grid, board.width, board.height),
    }


def _grid(grid: BoardGrid | None, width: int | None, height: int | None) -> dict[str, Any] | None:
    if grid is None:
        return None
    found: dict[str, Any] = {"kind": grid.kind}
    if isinstance(grid, ZonedGrid):
        found["zones"] = [zone.name for zone in grid.zones]
        found["background"] = _grid(grid.background, width, height)
    elif isinstance(grid, RegionGrid):
        found["regions"] = len(grid.regions)
    else:
        found.update(_cells(grid, width, height))
    return found


def _cells(grid: HexGrid | SquareGrid, width: int | None, height: int | None) -> dict[str, Any]:
    """Spacing in pixels, and about how many columns and rows fit the board."""
    sideways = isinstance(grid, HexGrid) and grid.sideways
    across, down = (height, width) if sideways else (width, height)
    return {
        "dx": grid.dx if isfinite(grid.dx) else None,
        "dy": grid.dy if isfinite(grid.dy) else None,
        "sideways": sideways,
        "columns": _fit(across, grid.dx),
        "rows": _fit(down, grid.dy),
        "numbered": grid.numbering is not None,
    }


def _fit(length: int | None, spacing: float) -> int | None:
    """About how many cells there are; a broken module may have any spacing."""
    return None if length is None or not 0 < spacing < 1e9 else int(min(length / spacing, 1e9))


def _tracker(tracker: TurnTracker) -> dict[str, Any]:
    return {"name": tracker.name, "levels": [_level(level) for level in tracker.levels]}


def _level(level: TurnLevel) -> dict[str, Any]:
    found: dict[str, Any] = {"name": level.property}
    if isinstance(level, CounterLevel):
        found["starts_at"] = level.start
    else:
        found["values"] = list(level.values)
    found["levels"] = [_level(inner) for inner in level.children]
    return found
