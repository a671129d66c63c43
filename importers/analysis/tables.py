"""The rows of the tables that :mod:`.columns` declares, for a module and for logs step by step.

A row maps names of columns to values; a column that it leaves out is null.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ...model.table import LogHistory, Step, TableHistory, taken_back
from ...model.viewer import Viewer
from ..vassal.module import Module
from .holdings import Holdings
from .records import (
    Layouts,
    Record,
    StepRecords,
    TurnText,
    deck_records,
    hex_records,
    log_problems,
    log_record,
    map_records,
    piece_records,
    player_records,
    slot_records,
    terrain_records,
)

Row = tuple[str, Record]


def rows(
    history: TableHistory | None,
    module: Module | None,
    layouts: Layouts | None,
    viewer: Viewer,
    problems: Iterable[str] = (),
) -> Iterator[Row]:
    """All rows: table name and record."""
    yield from (("problems", {"problem": text}) for text in problems)
    if module is not None:
        yield from _module_rows(module)
        yield from map(_terrain_row, terrain_records(module, layouts))
    if layouts is not None:
        yield from (("hexes", record) for record in hex_records(layouts))
    for number, log in enumerate(history.logs if history is not None else (), 1):
        yield from log_rows(number, log, viewer)


def _module_rows(module: Module) -> Iterator[Row]:
    for a_map in map_records(module):
        name = a_map["name"] or a_map["id"]
        yield "maps", {**a_map, "owners": a_map.get("private_to")}
        yield from (("boards", {"map": name, **board}) for board in a_map["boards"])
    for slot in slot_records(module):
        yield "slots", {**slot, "entry_name": slot["entry"]}


def _terrain_row(record: Record) -> Row:
    at = {key: record.get(key) for key in ("column", "row", "to_column", "to_row")}
    return "terrain", {
        **record,
        "grid_column": at["column"],
        "grid_row": at["row"],
        "to_grid_column": at["to_column"],
        "to_grid_row": at["to_row"],
    }


def log_rows(number: int, log: LogHistory, viewer: Viewer) -> Iterator[Row]:
    """All rows of one log: table name and record."""
    head = {"log": number, "step": 0}
    about = log_record(number, log)
    yield "logs", {**about, "module_name": about["module"]}
    for player in player_records(log):
        yield "players", {**player, "log": number, "label": player["player"]}
    pieces = list(piece_records(log, viewer))
    yield from (("pieces", row) for row in piece_rows(head, pieces))
    yield from (("properties", row) for row in property_rows(head, pieces))
    for held in Holdings(log, viewer).opening():
        yield from _stack_rows(head, held)
    for deck in deck_records(log.opening, viewer):
        yield "decks", {"log": number, **deck, **_spot("", deck["at"])}
    for (container, name), value in log.opening.globals.items():
        yield "globals", {**head, "container": container, "name": name, "new_value": value}
    for tracker, text in log.opening.turns.items():
        yield "turns", {**head, "tracker": tracker, "new_value": text}
    yield from (("problems", {"log": number, "problem": p}) for p in log_problems(log, viewer))
    turns, back = TurnText(log.opening), taken_back(log.steps)
    for step, record in zip(log.steps, StepRecords(log, viewer), strict=True):
        shared = {"turn": turns.after(step), "taken_back": step.number in back}
        yield from _step_rows(number, step, record, shared)


def piece_rows(head: Record, pieces: Iterable[Record]) -> Iterator[Record]:
    """The rows of the table ``pieces``, from the records of :func:`.records.piece_records`. ``head``: the
    log, and the step after which the pieces are like this."""
    for record in pieces:
        flags = {name: record.get(name, False) for name in ("masked", "hidden")}
        yield {
            **record,
            **head,
            "id": record["id"] or None,
            **_names(record),
            **_spot("", record["at"]),
            **flags,
        }


def property_rows(head: Record, pieces: Iterable[Record]) -> Iterator[Record]:
    """The rows of the table ``properties``, from records of pieces or of their changes. A value that is not
    known and one that is gone are both null; ``known`` tells them apart."""
    for record in pieces:
        about: Record = {**head, "piece": record.get("piece", record.get("id")), **_names(record)}
        for name, value in record.get("properties", {}).items():
            yield {**about, "property": name, "value": value, "known": True}
        for name in record.get("unknown", ()):
            yield {**about, "property": name, "known": False}


def _step_rows(number: int, step: Step, record: Record, shared: Record) -> Iterator[Row]:
    head = {"log": number, "step": step.number}
    shared |= {key: record.get(key) or None for key in ("player", "side")}
    yield "steps", {**record, **shared, "log": number}
    for moved in record.get("displacements", ()):
        yield "displacements", {**_displacement_row(moved), **head, **shared}
    for row in property_rows(head, record.get("changes", ())):
        yield "properties", row
    for held in record.get("stacks", ()):
        yield from _stack_rows(head, held)
    yield from (("chat", {**head, **line}) for line in record.get("chat", ()))
    for roll, told in zip(step.rolls, record.get("dice", ()), strict=True):
        yield "rolls", {**head, **told, "kind": roll.kind and roll.kind.name}
    for table in ("globals", "turns"):
        for change in record.get(table, ()):
            values = {"old_value": change["before"], "new_value": change["after"]}
            yield table, {**head, **change, **values}
    yield from (("problems", {**head, "problem": text}) for text in record.get("problems", ()))


def _displacement_row(moved: Record) -> Record:
    return {
        "piece": moved["piece"] or None,
        **_names(moved),
        **_spot("origin_", moved["from"]),
        "origin_location": moved.get("origin"),
        **_spot("target_", moved["to"]),
        "target_location": moved.get("target"),
        "how": moved["by"],
        "group_id": moved.get("group"),
        "why": moved.get("why"),
    }


def _stack_rows(head: Record, held: Record) -> Iterator[Row]:
    """One row for each member; if the viewer sees no member (any more), one row without a piece."""
    about = {**head, **held, **_spot("", held["at"])}
    for position, member in enumerate(held["members"]):
        yield "stacks", {**about, **member, "position": position, "piece": member["piece"] or None}
    if not held["members"]:
        yield "stacks", about


def _names(record: Record) -> Record:
    name, stored = record.get("name"), record.get("stored_name")
    return {"name": name, "stored_name": stored, "shown_name": stored if name is None else name}


def _spot(prefix: str, at: list[Any] | None) -> Record:
    on, x, y = at if at is not None else (None, None, None)
    if on is None:
        x = y = None
    return {f"{prefix}map": on, f"{prefix}x": x, f"{prefix}y": y}
