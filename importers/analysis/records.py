"""Module and table as records: the rows of the tables and the entries of the analysis document's lists.

Only this file leaves out what ``viewer`` may not see. ``docs/analysis-format.md`` describes the columns.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from ...model.table import (
    Displaced,
    LogHistory,
    Piece,
    PieceChange,
    Step,
    Table,
    TableHistory,
)
from ...model.viewer import Viewer
from ...model.visibility import Visibility, deck_open, identity_open, look
from ..vassal.actors import actors_seen
from ..vassal.buildfile_terrain import recorded_grid
from ..vassal.grids import Cell
from ..vassal.layout import MapLayout
from ..vassal.module import BoardDefinition, Module
from ..vassal.places import named_places
from ..vassal.prototypes import base_of
from ..vassal.terrain_map import cell_of as record_cell
from .holdings import Holdings, name_told, spot

Record = dict[str, Any]
Layouts = Mapping[str, MapLayout]

_ID = re.compile(r"'([^']*)'")


def map_records(module: Module) -> Iterator[Record]:
    """One record for each map window."""
    for a_map in module.maps:
        boards = [_board(board) for board in a_map.boards]
        record: Record = {"id": a_map.id, "name": a_map.name, "kind": a_map.kind, "boards": boards}
        if a_map.owners:
            record["private_to"] = list(a_map.owners)
        yield record


def _board(board: BoardDefinition) -> Record:
    return {
        "name": board.name,
        "width": board.width,
        "height": board.height,
        "image": board.image,
        "reversible": board.reversible,
        "grid": board.grid.kind if board.grid is not None else None,
    }


def hex_records(layouts: Layouts) -> Iterator[Record]:
    """One record for each named cell of the boards in use, with its centre in map pixels."""
    for map_name, layout in layouts.items():
        for named in named_places(layout):
            if named.place is None or not named.dependable:
                continue
            x, y = named.centre
            board = layout.boards[named.board].name
            yield {"map": map_name, "board": board, "name": named.name, "x": x, "y": y}


def terrain_records(module: Module, layouts: Layouts | None = None) -> Iterator[Record]:
    """One record for each record of terrain in the module. ``layouts``: the boards in use, whose hexes are
    also named."""
    names = _cell_names(layouts or {})
    for terrain in module.terrain:
        for one in terrain.records:
            found: Record = {"board": terrain.board, "kind": one.kind}
            for prefix, at in (("", one.at), ("to_", one.to)):
                if at is not None:
                    found |= {f"{prefix}column": at[0], f"{prefix}row": at[1]}
                    name = names.get((terrain.board, at))
                    found |= {f"{prefix}hex": name} if name is not None else {}
            found["name"] = one.name
            yield {**found, "value": one.value} if one.kind == "attribute" else found


def _cell_names(layouts: Layouts) -> dict[tuple[str, Cell], str]:
    """The names of the hexes in records of terrain, by board and the record's column and row."""
    found: dict[tuple[str, Cell], str] = {}
    for layout in layouts.values():
        grids = [recorded_grid(board.grid) for board in layout.boards]
        for named in named_places(layout) if any(grids) else ():
            recorded, place = grids[named.board], named.place
            if recorded is None or place is None or not named.dependable:
                continue
            zone, grid = recorded
            if place.zone == zone:
                at = record_cell(grid, (place.column, place.row))
                found.setdefault((layout.boards[named.board].name, at), named.name)
    return found


def slot_records(module: Module) -> Iterator[Record]:
    """One record for each piece that the module defines."""
    for slot in module.slots:
        path = "/".join(f"{cls}:{name}" if name else cls for cls, name in slot.path)
        record = {
            "gpid": slot.gpid,
            "entry": slot.entry_name,
            "component": slot.component,
            "path": path,
        }
        base = base_of(slot)
        yield {**record, "image": base.image} if base is not None and base.image else record


def piece_records(log: LogHistory, viewer: Viewer) -> Iterator[Record]:
    """One record for each piece of the opening that the viewer sees, in the order of the table."""
    table, places = log.opening, Holdings(log, viewer).places()
    for piece in table.pieces.values():
        visibility = look(piece, viewer)
        if visibility.present:
            yield _piece(piece, table, viewer, visibility, places.get(piece.id))


def _piece(
    piece: Piece, table: Table, viewer: Viewer, visibility: Visibility, position: int | None
) -> Record:
    record: Record = {
        "id": piece.id if visibility.known else "",
        **name_told(piece, viewer, visibility),
        "at": spot(piece.spot),
    }
    if piece.location:
        record["location"] = piece.location
    if piece.holder:
        record["holder"] = piece.holder
        record["holder_kind"] = "deck" if piece.holder in table.decks else "stack"
        if position is not None:
            record["position"] = position
    kinds = {concealment.kind for concealment in piece.concealments}
    if "masked" in kinds:
        record["masked"] = True
    if "hidden" in kinds:
        record["hidden"] = True
    if visibility.known:
        if piece.facts.knows("BasicName"):
            record["basic_name"] = piece.basic_name
        if piece.gpid:
            record["gpid"] = piece.gpid
        if piece.image:
            record["image"] = piece.image
        properties = dict(piece.properties)
        if properties:
            record["properties"] = properties
        unknown = sorted(piece.facts.unknown_properties())
        if unknown:
            record["unknown"] = unknown
    return record


def deck_records(table: Table, viewer: Viewer) -> Iterator[Record]:
    """One record for each deck, without decks on maps that the viewer may not look at. It has the number of
    cards, not the cards."""
    for deck in (deck for deck in table.decks.values() if deck_open(deck, viewer)):
        yield {
            "id": deck.id,
            "name": deck.name,
            "at": spot(deck.spot),
            "cards": len(deck.members),
        }


class StepRecords:
    """The steps of one log as records. Follows which pieces the viewer may not know, to leave out the texts
    of problems that name them."""

    def __init__(self, log: LogHistory, viewer: Viewer) -> None:
        self._log, self._viewer = actors_seen(log, viewer), viewer
        pieces = log.opening.pieces.values()
        self._unseen = {p.id for p in pieces if not identity_open(p, viewer)}
        self._holdings = Holdings(log, viewer)

    def __iter__(self) -> Iterator[Record]:
        for step in self._log.steps:
            seen = {c.id: _Seen(c, self._viewer) for c in step.changes}
            self._unseen.update(i for i, change in seen.items() if not change.known)
            yield self._step(step, seen)
            self._unseen.difference_update(i for i, change in seen.items() if change.known)

    def _step(self, step: Step, seen: Mapping[str, _Seen]) -> Record:
        moved = (_displaced(d, seen[d.piece], self._viewer) for d in step.displacements)
        altered = (_change(change, self._viewer) for change in seen.values())
        record: Record = {"step": step.number, "engine_step": step.engine_number}
        if step.actor is not None:
            record["player"] = step.actor.who.name or step.actor.who.label
            record["side"] = step.actor.who.side
            record["known_by"] = step.actor.known_by
        record["displacements"] = [r for r in moved if r is not None]
        record["changes"] = [r for r in altered if r is not None]
        record["stacks"] = self._holdings.advance(step)
        record["chat"] = [
            {"kind": line.kind, "text": line.text, "author": line.author} for line in step.chat
        ]
        record["dice"] = [
            {"dice": r.dice, "results": list(r.results), "player": r.player, "text": r.text}
            for r in step.rolls
        ]
        record["globals"] = [
            {"container": g.container, "name": g.name, "before": g.old_value, "after": g.new_value}
            for g in step.globals
        ]
        record["turns"] = [
            {"tracker": t.tracker, "before": t.old_value, "after": t.new_value} for t in step.turns
        ]
        if step.undoing is not None:
            record["undoes"], record["redo"] = step.undoing.step, step.undoing.redo
        record["problems"] = [told_problem(p.message, self._unseen) for p in step.problems]
        return {key: value for key, value in record.items() if value != []}


class TurnText:
    """What the turn trackers show, followed through a log from its ``opening``."""

    def __init__(self, opening: Table) -> None:
        self._shown = dict(opening.turns)

    def after(self, step: Step) -> str | None:
        """The texts of all trackers after a step, joined by ``; ``; None: there is no tracker. Call it once
        for every step, in order."""
        self._shown.update((turn.tracker, turn.new_value) for turn in step.turns)
        return "; ".join(self._shown.values()) or None


def told_problem(text: str, unseen: Collection[str]) -> str:
    """A problem's text; a general text if it names a piece of ``unseen``."""
    if any(name in unseen for name in _ID.findall(text)):
        return "something in this step does not follow from the table before it"
    return text


class _Seen:
    """A change as the viewer sees it. ``known``: he may know the piece both before and after it."""

    __slots__ = ("after", "before", "change", "known")

    def __init__(self, change: PieceChange, viewer: Viewer) -> None:
        self.change = change
        self.before, self.after = look(change.before, viewer), look(change.after, viewer)
        known_before = change.before is None or self.before.known
        self.known = known_before and (change.after is None or self.after.known)


def _displaced(moved: Displaced, seen: _Seen, viewer: Viewer) -> Record | None:
    """A displacement with those of its ends that the viewer sees; None if he sees neither. To him, a piece
    that goes out of sight leaves the game, and one that comes into sight enters it."""
    before, after = seen.change.before, seen.change.after
    left, came = seen.before.present, seen.after.present
    shown, visibility = (after, seen.after) if came else (before, seen.before)
    if shown is None or not (left or came):
        return None
    record: Record = {
        "piece": moved.piece if seen.known else "",
        **name_told(shown, viewer, visibility),
        "from": spot(moved.origin) if left else None,
        "to": spot(moved.target) if came else None,
        "by": moved.by,
    }
    if before is not None and not left:
        record["by"] = "add"
    if after is not None and not came:
        record["by"] = "remove"
    if moved.why and record["by"] == "undo":
        record["why"] = moved.why
    if left and moved.origin_location:
        record["origin"] = moved.origin_location
    if came and moved.target_location:
        record["target"] = moved.target_location
    if moved.group:
        record["group"] = moved.group
    return record


def _change(seen: _Seen, viewer: Viewer) -> Record | None:
    """The properties that a step changed; None if there are none or the viewer may not know them."""
    before, after = seen.change.before, seen.change.after
    if before is None or after is None or not seen.known:
        return None
    was, now = before.properties, after.properties
    were_unknown, unknown = before.facts.unknown_properties(), after.facts.unknown_properties()
    if was == now and were_unknown == unknown:
        return None
    gone = {key for key in (*was, *were_unknown) if key not in now and key not in unknown}
    lost = (unknown - were_unknown) | {key for key in gone if not after.facts.knows(key)}
    changed: dict[str, str | None] = {k: v for k, v in now.items() if was.get(k) != v}
    changed.update(dict.fromkeys(sorted(gone - lost)))
    record: Record = {"piece": seen.change.id, **name_told(after, viewer, seen.after)}
    record["properties"] = changed
    if lost:
        record["unknown"] = sorted(lost)
    return record


def plain_module(module: Module, layouts: Layouts | None = None) -> Record:
    """The document's ``module``; with ``layouts`` also the hexes of the boards in use."""
    result: Record = {
        "name": module.name,
        "version": module.version,
        "vassal_version": module.vassal_version,
        "description": module.description,
        "file": module.file_name,
        "sha256": module.sha256,
        "sides": list(module.sides),
        "maps": list(map_records(module)),
        "prototypes": list(module.prototypes),
        "slots": list(slot_records(module)),
        "trackers": [
            {"id": t.id, "name": t.name, "levels": [level.property for level in t.levels]}
            for t in module.turn_trackers
        ],
        "globals": [
            {"name": p.name, "container": p.container, "initial": p.initial}
            for p in module.global_properties
        ],
        "extensions": [
            {"name": e.name, "version": e.version, "file": e.file_name, "sha256": e.sha256}
            for e in module.extensions
        ],
        "custom_components": [{"name": c.name, "count": c.count} for c in module.custom_components],
    }
    if module.terrain:
        result["terrain"] = list(terrain_records(module, layouts))
    if layouts is not None:
        cells = hex_records(layouts)
        result["hexes"] = [[h["map"], h["board"], h["name"], h["x"], h["y"]] for h in cells]
    return result


def plain_table(history: TableHistory, viewer: Viewer) -> Record:
    """The document's ``table``: every log with its opening and its steps."""
    return {"logs": [_log(number, log, viewer) for number, log in enumerate(history.logs, 1)]}


def log_record(number: int, log: LogHistory) -> Record:
    """The files and versions behind a log: its row in the table ``logs``."""
    return {
        "log": number,
        "file": log.source,
        "sha256": log.sha256,
        "module": log.module_name,
        "module_version": log.module_version,
        "vassal_version": log.vassal_version,
    }


def player_records(log: LogHistory) -> list[Record]:
    """Who sits at the table when the log opens."""
    return [{"player": p.label, "name": p.name, "side": p.side} for p in log.opening.players]


def log_problems(log: LogHistory, viewer: Viewer) -> list[str]:
    """The problems of a log as a whole, in the texts that the viewer may read."""
    pieces = log.opening.pieces.values()
    unseen = {p.id for p in pieces if log.problems and not identity_open(p, viewer)}
    return [told_problem(str(p), unseen) for p in log.problems]


def _log(number: int, log: LogHistory, viewer: Viewer) -> Record:
    table = log.opening
    return {
        **log_record(number, log),
        "players": player_records(log),
        "pieces": list(piece_records(log, viewer)),
        "decks": list(deck_records(table, viewer)),
        "globals": [[container, name, value] for (container, name), value in table.globals.items()],
        "turns": dict(table.turns),
        "steps": list(StepRecords(log, viewer)),
        "problems": log_problems(log, viewer),
    }
