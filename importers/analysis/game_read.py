"""Plain JSON values that fit the schema → :class:`Game`, with what a schema cannot check checked."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from ...model.board import Board, Edge, Exceptions, Hex, Line, Names, edge
from ...model.boards import BoardChange
from ...model.coverage import NOT_UNITS
from ...model.fact import Fact
from ...model.game import (
    NOWHERE,
    Condition,
    Displacement,
    Event,
    Game,
    Gap,
    MovementForm,
    PhaseRule,
    PhaseStart,
    Place,
    Rules,
    Source,
    Spent,
    StateChange,
    StepRef,
    Witness,
)
from ...model.hexgrid import Axial
from ...model.plain import BACKWARDS, fact_of, is_backwards
from ...model.provenance import Key
from ...model.relations import disagreements, relations_of
from ...model.schemas import Fault
from ...model.unit import Unit
from ...model.vouching import Suggestion, side_of

Plain = Mapping[str, Any]


def game_of(plain: Plain) -> Game:
    """The game that plain values stand for. They must fit the schema and hold no :func:`contradictions`."""
    rules, board = plain["rules"], _board(plain["board"])
    hexes = dict(board.hexes)
    return Game(
        title=plain["title"],
        board=board,
        sides=tuple(plain["sides"]),
        units={u["id"]: _unit(u) for u in plain["units"]},
        opening={u["id"]: place_of(u["at"]) for u in plain["units"] if "at" in u},
        events=tuple(
            _change(e, hexes) if e["event"] == "board" else _event(e) for e in plain["events"]
        ),
        rules=Rules(
            rules["name"],
            rules.get("tables", {}),
            rules.get("options", {}),
            tuple(rules.get("off", ())),
            frozenset(rules["complete"]) if "complete" in rules else None,
        ),
        phases={p["name"]: phase_of(p) for p in plain.get("phases", ())},
        forms={f["name"]: form_of(f) for f in plain.get("forms", ())},
        conditions=tuple(_condition(c) for c in plain.get("conditions", ())),
        sources=tuple(source_of(s) for s in plain.get("sources", ())),
        gaps=tuple(_gap(g) for g in plain.get("gaps", ())),
        integrity=tuple((_at(at), text) for at, text in plain.get("integrity", ())),
        relations=relations_of(plain.get("relations", ())),
        suggestions=tuple(_suggestion(one) for one in plain.get("suggestions", ())),
        unjudged={NOT_UNITS: plain["unnamed_drags"]} if "unnamed_drags" in plain else {},
        nameless=frozenset(Place("box", name) for name in plain.get("nameless", ())),
        seen=frozenset(Key(*key) for key in plain["seen"]) if "seen" in plain else None,
        is_part=plain.get("part", False),
    )


def place_of(plain: Any) -> Place:
    """The place a plain value names."""
    if plain is None:
        return NOWHERE
    if isinstance(plain, str):
        return Place("hex", plain)
    ((kind, name),) = plain.items()
    return Place(kind, name)


def source_of(plain: Plain) -> Source:
    return Source(
        plain["file"],
        plain["kind"],
        plain["sha256"],
        plain.get("version", ""),
        plain.get("vouched_by", ""),
        tuple(plain.get("assumes", ())),
        plain.get("power", ""),
    )


def _at(text: str) -> StepRef:
    log, step = text.split(":")
    return StepRef(int(log), int(step))


def _board(plain: Plain) -> Board:
    sides: dict[Edge, tuple[str, ...]] = {}
    for side in plain.get("sides", ()):
        sides[edge(*side["hexes"])] = tuple(side["has"])
    complete = plain.get("complete")
    return Board(
        name=plain["name"],
        hexes={h["hex"]: _hex(h) for h in plain["hexes"]},
        sides=sides,
        lines=tuple(_line(line) for line in plain.get("lines", ())),
        links=frozenset(edge(a, b) for a, b in plain.get("links", ())),
        barriers=frozenset(edge(a, b) for a, b in plain.get("barriers", ())),
        complete=frozenset(complete if complete is not None else ()),
        exceptions=_exceptions(plain.get("exceptions", {})),
    )


def _suggestion(plain: Plain) -> Suggestion:
    key = Key(plain["cell"], plain["layer"], plain.get("name", ""))
    return Suggestion(key, plain["value"], plain["status"])


def _exceptions(plain: Plain) -> Exceptions:
    def names(entry: Plain) -> Names:
        return None if entry["may"] is None else frozenset(entry["may"])

    return Exceptions(
        hexes={e["hex"]: names(e) for e in plain.get("hexes", ())},
        sides={edge(*e["hexes"]): names(e) for e in plain.get("sides", ())},
        lines={edge(*e["hexes"]): names(e) for e in plain.get("lines", ())},
        levels=frozenset(plain.get("levels", ())),
    )


def _hex(plain: Plain) -> Hex:
    terrain = plain.get("terrain")
    q, r = plain["at"]
    return Hex(
        name=plain["hex"],
        at=Axial(q, r),
        terrain=None if terrain is None else tuple(terrain),
        level=plain.get("level"),
        features=tuple(plain.get("features", ())),
        sheet=plain.get("sheet", ""),
    )


def _line(plain: Plain) -> Line:
    name, junctions = plain.get("name", ""), plain.get("junctions", True)
    return Line(plain["kind"], tuple(plain["hexes"]), name, junctions)


def _facts(plain: Plain) -> dict[str, Fact]:
    return {name: fact_of(value) for name, value in plain.items()}


def _unit(plain: Plain) -> Unit:
    seen_by = plain.get("seen_by")
    return Unit(
        id=plain["id"],
        name=plain["name"],
        side=plain.get("side"),
        kind=plain.get("kind", "unit"),
        attributes=_facts(plain.get("attributes", {})),
        seen_by=None if seen_by is None else tuple(seen_by),
    )


def _change(plain: Plain, hexes: dict[str, Hex]) -> BoardChange:
    """A change of the board; ``hexes``: as they are before it, and then as they are after it."""
    told = [_changed_hex(h, hexes[h["hex"]]) for h in plain.get("hexes", ())]
    hexes.update((h.name, h) for h in told)
    may = _exceptions(plain.get("exceptions", {}))
    unknown = (h["hex"] for h in plain.get("hexes", ()) if h.get("level", 0) is None)
    return BoardChange(
        at=_at(plain["at"]),
        hexes=tuple(told),
        sides={edge(*side["hexes"]): tuple(side["has"]) for side in plain.get("sides", ())},
        lines=tuple(_line(line) for line in plain.get("lines", ())),
        gone=tuple(_line(line) for line in plain.get("gone", ())),
        exceptions=replace(may, levels=may.levels | frozenset(unknown)),
        source=plain.get("source", ""),
    )


def _changed_hex(plain: Plain, before: Hex) -> Hex:
    terrain = plain.get("terrain", before.terrain)
    return replace(
        before,
        terrain=None if terrain is None else tuple(terrain),
        level=plain.get("level", before.level),
        features=tuple(plain.get("features", before.features)),
    )


def _event(plain: Plain) -> Event:
    at, kind = _at(plain["at"]), plain["event"]
    if kind == "displacement":
        cancels = plain.get("cancels")
        return Displacement(
            at=at,
            unit=plain["unit"],
            origin=place_of(plain["origin"]),
            target=place_of(plain["target"]),
            group=plain.get("group", 0),
            cause=plain.get("cause", "drag"),
            actor=plain.get("actor"),
            player=plain.get("player", ""),
            cancels=None if cancels is None else _at(cancels),
            why=plain.get("why", ""),
        )
    if kind == "state":
        before, after = fact_of(plain["before"]), fact_of(plain["after"])
        undo = plain.get("undo", False)
        return StateChange(
            at, plain["unit"], plain["attribute"], before, after, plain.get("actor"), undo
        )
    if kind == "phase":
        turn, phase, active = plain.get("turn"), plain.get("phase"), plain.get("active")
        return PhaseStart(
            at,
            turn,
            phase,
            active,
            plain.get("source", ""),
            certain=plain.get("certain", True),
            declared=plain.get("declared", False),
            last=_at(plain["last"]) if "last" in plain else None,
            combat=plain.get("combat"),
            suggested=plain.get("suggested", False),
        )
    if kind == "witness":
        return Witness(at, plain["kind"], plain.get("text", ""), plain.get("actor"))
    return Spent(at, plain["unit"], fact_of(plain["amount"]))


def phase_of(plain: Plain) -> PhaseRule:
    """The rule of phases that plain values stand for."""
    return PhaseRule(
        name=plain["name"],
        movers=plain.get("movers", "unknown"),
        forms=tuple(plain.get("forms", ())),
        complete=plain.get("complete", False),
        complete_for=tuple(plain.get("complete_for", ())),
        dice=plain.get("dice", True),
    )


def form_of(plain: Plain) -> MovementForm:
    """The movement form that plain values stand for."""
    units = {name: tuple(values) for name, values in plain.get("units", {}).items()}
    return MovementForm(plain["name"], plain.get("judged", True), units)


def _condition(plain: Plain) -> Condition:
    last = plain.get("last")
    return Condition(
        key=plain["key"],
        fact=fact_of(plain["fact"]),
        first=_at(plain["first"]),
        last=None if last is None else _at(last),
        unit=plain.get("unit", ""),
    )


def _gap(plain: Plain) -> Gap:
    before = place_of(plain["before"]) if "before" in plain else None
    after = place_of(plain["after"]) if "after" in plain else None
    return Gap(plain["log"], plain["unit"], plain["name"], before, after, plain.get("detail", ""))


def contradictions(plain: Plain) -> tuple[Fault, ...]:
    """What is wrong with plain values that fit the schema: names twice, names of nothing, events out
    of order. Without faults, :func:`game_of` makes a game of them."""
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
    """Facts that are ranges which end before they begin, and MPs spent that are less than none."""
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
        expected = f"what agrees with the relations before it on {a} and {b}"
        yield Fault(("relations", index), expected, "something else")


def _disorder(events: list[Plain]) -> Iterable[Fault]:
    latest = StepRef(0, 0)
    for index, event in enumerate(events):
        at = _at(event["at"])
        if at < latest:
            expected = f"events in the order in which they happened ({latest} or later)"
            yield Fault(("events", index, "at"), expected, str(at))
        latest = max(at, latest)
