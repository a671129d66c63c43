"""The content of a VASSAL file as plain JSON values (``umpire schema inspection``)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from math import isfinite
from typing import Any

from ..importers.vassal.grids import BoardGrid, HexGrid, RegionGrid, SquareGrid, ZonedGrid
from ..importers.vassal.module import BoardDefinition, MapDefinition, Module
from ..importers.vassal.terrain_map import RecordedTerrain
from ..importers.vassal.turns import CounterLevel, TurnLevel
from ..model.problem import Problem
from ..model.table import LogHistory, Piece
from ..model.viewer import Viewer
from ..model.visibility import knows_name, look, presence_open
from .json_text import picked
from .narrative import log_problems, step_told
from .reports.json import problems_plain
from .reports.phrases import counted

FORMAT = "vassal-umpire inspection"
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
        "turn_trackers": [
            {"name": tracker.name, "levels": [_level(level) for level in tracker.levels]}
            for tracker in module.turn_trackers
        ],
        "prototypes": sorted(module.prototypes),
        "slots": len(module.slots),
        "pieces_at_start": _pieces_at_start(module),
        "global_properties": len(module.global_properties),
        "dice": [die.name for die in module.dice] + [die.name for die in module.symbolic_dice],
        "setups": [setup.name for setup in module.predefined_setups if not setup.is_menu],
        "extensions": [
            picked(e, "file=file_name version id=extension_id sha256") for e in module.extensions
        ],
        "custom_components": [picked(one, "class=name count") for one in module.custom_components],
        "recorded_terrain": [_terrain(terrain) for terrain in module.terrain],
        "problems": problems_plain(module.problems),
    }


def save_document(history: LogHistory, kind: str, encoding: str, viewer: Viewer) -> dict[str, Any]:
    """A save or log (``kind`` says which), as far as ``viewer`` may see its table.

    What lies in a deck is counted with the pieces, since everybody sees how thick a deck is; hidden
    pieces are not, unless the reader may know of them. ``moves`` counts each piece of a moved stack.
    """
    opening = history.opening
    seen = [p for p in opening.pieces.values() if _countable(p, viewer)]
    told = [step_told(step, viewer) for step in history.steps]
    moved = [
        m for step in told for m in step["moves"] if m["from"] is not None and m["to"] is not None
    ]
    return {
        "format": FORMAT,
        "version": VERSION,
        "file": history.source,
        "kind": kind,
        "sha256": history.sha256,
        "encoding": encoding,
        "title": history.module_name,
        "module_version": history.module_version,
        "vassal_version": history.vassal_version,
        "eyes": str(viewer),
        "players": [
            {"player": player.name or player.label, "side": player.side or None}
            for player in opening.players
        ],
        "turns": dict(opening.turns),
        "maps": _pieces_by_map(seen),
        "pieces": len(seen),
        "stacks": len({p.holder for p in seen if p.holder and p.holder in opening.stacks}),
        "decks": len(opening.decks),
        "steps": len(history.steps),
        "moves": len(moved),
        "dice": sum(len(step["dice"]) for step in told),
        "chat": sum(len(step["chat"]) for step in told),
        "undone": sum(step["undo"] is not None for step in told),
        "problems": problems_plain(log_problems(history, viewer))
        + _doubtful_names(seen, viewer)
        + _step_problems(problem for step in told for problem in step["problems"]),
    }


def _countable(piece: Piece, viewer: Viewer) -> bool:
    kinds = {concealment.kind for concealment in piece.concealments}
    return presence_open(piece, viewer) or kinds == {"deck"}


def _pieces_by_map(pieces: Iterable[Piece]) -> list[dict[str, Any]]:
    numbers = Counter(piece.spot.map for piece in pieces)
    ordered = sorted(numbers.items(), key=lambda item: (item[0] is None, item[0] or ""))
    return [{"name": name, "pieces": number} for name, number in ordered]


def _doubtful_names(seen: Iterable[Piece], viewer: Viewer) -> list[dict[str, Any]]:
    """The number of pieces whose name at the opening is not known."""
    sights = ((piece, look(piece, viewer)) for piece in seen)
    number = sum(not knows_name(piece, viewer, visibility) for piece, visibility in sights)
    if not number:
        return []
    message = (
        f"{counted(number, 'name')} of pieces at the opening depend on an expression, or on something that"
        " no file says, and are not known"
    )
    return problems_plain([Problem("names-not-known", message, severity="note")])


def _step_problems(texts: Iterable[str]) -> list[dict[str, Any]]:
    """Steps that do not follow from the table before them; ``show`` reports each in its place."""
    number = sum(1 for _ in texts)
    if not number:
        return []
    message = "something in a step does not follow from the table before it; 'show' says where"
    return problems_plain([Problem("step", message, count=number)])


def _pieces_at_start(module: Module) -> int:
    on_maps = sum(len(stack.slots) for _, stack in module.setup_stacks)
    return on_maps + sum(len(pile.slots) for _, pile in module.draw_piles)


def _map(a_map: MapDefinition) -> dict[str, Any]:
    return {
        **picked(a_map, "name=identifier kind class=component owners"),
        "boards": [_board(board) for board in a_map.boards],
        "setup_stacks": len(a_map.setup_stacks),
        "decks": [pile.name for pile in a_map.draw_piles],
    }


def _board(board: BoardDefinition) -> dict[str, Any]:
    return {
        **picked(board, "name width height reversible"),
        "grid": _grid(board.grid, board.width, board.height),
    }


def _terrain(terrain: RecordedTerrain) -> dict[str, Any]:
    counts = Counter(record.kind for record in terrain.records)
    return {
        "board": terrain.board,
        "file": terrain.file,
        "hexes": counts["hex"],
        "hexsides": counts["hexside"],
        "lines": counts["line"],
        "attributes": counts["attribute"],
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
    """Spacing in pixels, and roughly how many columns and rows fit the board."""
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
    """Roughly how many cells there are; a broken module may have any spacing."""
    return None if length is None or not 0 < spacing < 1e9 else int(min(length / spacing, 1e9))


def _level(level: TurnLevel) -> dict[str, Any]:
    found: dict[str, Any] = {"name": level.property}
    if isinstance(level, CounterLevel):
        found["starts_at"] = level.start
    else:
        found["values"] = list(level.values)
    found["levels"] = [_level(inner) for inner in level.children]
    return found
