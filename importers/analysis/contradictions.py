"""Errors in the plain values of a game that its schema cannot find."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from ...model.board import Edge, edge
from ...model.fact import Fact
from ...model.game import StepRef
from ...model.plain import BACKWARDS, fact_of, is_backwards
from ...model.relations import disagreements, relations_of
from ...model.schemas import Fault
from ...model.vouching import side_of
from .game_json import step_of

Plain = Mapping[str, Any]


def contradictions(plain: Plain) -> tuple[Fault, ...]:
    """The faults of plain values that fit the schema: duplicate names, names that do not exist, events out of
    order. Without faults, :func:`.game_json.game_of` makes a game of the values."""
    hexes = {h["hex"] for h in plain["board"]["hexes"]}
    units = {u["id"] for u in plain["units"]}
    return (
        *_twice(("board", "hexes"), (h["hex"] for h in plain["board"]["hexes"]), "hex"),
        *_same_place(plain["board"]["hexes"]),
        *_twice(("units",), (u["id"] for u in plain["units"]), "unit"),
        *_twice(("phases",), (p["name"] for p in plain.get("phases", ())), "phase"),
        *_twice(("forms",), (f["name"] for f in plain.get("forms", ())), "form"),
        *_sides_twice(plain["board"].get("sides", ())),
        *_lost_on_board(plain["board"], hexes, ("board",)),
        *_lost_changes(plain["events"], hexes),
        *_lost_units(plain, units),
        *_lost_places(plain, hexes),
        *_at_odds(plain.get("relations", ())),
        *_lost_suggestions(plain.get("suggestions", ()), hexes),
        *_disorder(plain["events"]),
        *_backwards(plain),
    )


def _backwards(plain: Plain) -> Iterable[Fault]:
    """A fault for each range that ends before it begins, and for each negative number of MPs spent."""
    told: list[tuple[tuple[str | int, ...], Any]] = []
    for index, unit in enumerate(plain["units"]):
        for name, fact in unit.get("attributes", {}).items():
            told.append((("units", index, "attributes", name), fact))
    for index, event in enumerate(plain["events"]):
        for key in ("before", "after", "amount"):
            told.append((("events", index, key), event.get(key)))
    for index, condition in enumerate(plain.get("conditions", ())):
        told.append((("conditions", index, "fact"), condition["fact"]))
    for path, fact in told:
        if is_backwards(fact):
            yield Fault(path, f"a range {BACKWARDS}", f"{fact['from']} to {fact['to']}")
    for index, event in enumerate(plain["events"]):
        amount = fact_of(event["amount"]) if "amount" in event else Fact()
        if amount.low is not None and amount.low < 0:
            yield Fault(("events", index, "amount"), "a number (0 or more)", str(amount.low))


def _lost_suggestions(suggestions: Iterable[Plain], hexes: set[str]) -> Iterable[Fault]:
    for index, one in enumerate(suggestions):
        path, cell, layer = ("suggestions", index), one["cell"], one["layer"]
        if layer in ("hexsides", "lines"):
            if side_of(cell, hexes) is None:
                yield Fault(path, "a hexside of the board such as 0101/0102", cell)
        elif cell not in hexes:
            yield Fault(path, "a hex of the board", cell)
        elif layer == "level" and not re.fullmatch(r"none|[+-]?[0-9]{1,6}", one["value"]):
            yield Fault(path, "a whole number as level, or none", one["value"])


def _twice(path: tuple[str | int, ...], names: Iterable[str], what: str) -> Iterable[Fault]:
    seen: set[str] = set()
    for index, name in enumerate(names):
        if name in seen:
            yield Fault((*path, index), f"each {what} once", f"{name} again")
        seen.add(name)


def _same_place(hexes: list[Plain]) -> Iterable[Fault]:
    seen: dict[tuple[Any, ...], str] = {}
    for index, hex_ in enumerate(hexes):
        place = (hex_.get("sheet", ""), *hex_["at"])
        if place in seen:
            found = f"{hex_['hex']} where {seen[place]} is"
            yield Fault(("board", "hexes", index, "at"), "one hex in a place", found)
        seen.setdefault(place, hex_["hex"])


def _sides_twice(sides: Iterable[Plain]) -> Iterable[Fault]:
    seen: set[Edge] = set()
    for index, side in enumerate(sides):
        key = edge(*side["hexes"])
        if key in seen:
            yield Fault(("board", "sides", index), "each hexside once", "/".join(key))
        seen.add(key)


def _lost_changes(events: Iterable[Plain], hexes: set[str]) -> Iterable[Fault]:
    for index, event in enumerate(events):
        if event["event"] == "board":
            yield from _lost_on_board(event, hexes, ("events", index))
            for key, hex_ in enumerate(event.get("hexes", ())):
                if hex_["hex"] not in hexes:
                    at = ("events", index, "hexes", key, "hex")
                    yield Fault(at, "a hex of the board", hex_["hex"])


def _lost_on_board(board: Plain, hexes: set[str], here: tuple[str | int, ...]) -> Iterable[Fault]:
    named: list[tuple[tuple[str | int, ...], list[str]]] = []
    for key in ("sides", "lines", "gone"):
        for index, entry in enumerate(board.get(key, ())):
            named.append(((*here, key, index, "hexes"), entry["hexes"]))
    for key in ("links", "barriers"):
        for index, pair in enumerate(board.get(key, ())):
            named.append(((*here, key, index), pair))
    cells = board.get("exceptions", {})
    for key, entries in cells.items():
        for index, entry in enumerate(entries):
            at = (*here, "exceptions", key, index)
            told = (
                [entry]
                if key == "levels"
                else entry["hexes"]
                if "hexes" in entry
                else [entry["hex"]]
            )
            named.append((at, told))
    for path, names in named:
        for name in names:
            if name not in hexes:
                yield Fault(path, "a hex of the board", name)


def _lost_units(plain: Plain, units: set[str]) -> Iterable[Fault]:
    for index, event in enumerate(plain["events"]):
        if "unit" in event and event["unit"] not in units:
            yield Fault(("events", index, "unit"), "the id of a unit", event["unit"])
    for index, condition in enumerate(plain.get("conditions", ())):
        unit = condition.get("unit", "")
        if unit and unit not in units:
            yield Fault(("conditions", index, "unit"), "the id of a unit", unit)


def _lost_places(plain: Plain, hexes: set[str]) -> Iterable[Fault]:
    for index, unit in enumerate(plain["units"]):
        if isinstance(unit.get("at"), str) and unit["at"] not in hexes:
            yield Fault(("units", index, "at"), "a hex of the board", unit["at"])
    for index, event in enumerate(plain["events"]):
        for key in ("origin", "target"):
            if isinstance(event.get(key), str) and event[key] not in hexes:
                yield Fault(("events", index, key), "a hex of the board", event[key])


def _at_odds(relations: Iterable[Plain]) -> Iterable[Fault]:
    for index, (a, b) in disagreements(relations_of(relations)):
        expected = f"a relation that agrees with those before it about {a} and {b}"
        yield Fault(("relations", index), expected, "something else")


def _disorder(events: list[Plain]) -> Iterable[Fault]:
    latest = StepRef(0, 0)
    for index, event in enumerate(events):
        at = step_of(event["at"])
        if at < latest:
            expected = f"events in the order in which they happened ({latest} or later)"
            yield Fault(("events", index, "at"), expected, str(at))
        latest = max(at, latest)
