"""A :class:`Game` as plain JSON values, as ``schemas/analysis.json`` describes them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields
from typing import Any

from ...model.board import Board, Exceptions, Hex, Line, Names
from ...model.boards import BoardChange
from ...model.coverage import NOT_UNITS
from ...model.fact import Fact
from ...model.game import (
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
from ...model.plain import plain_fact
from ...model.unit import Unit
from ...model.vouching import Suggestion

Plain = dict[str, Any]


def plain_game(game: Game) -> Plain:
    """``game`` as plain values; :func:`~.game_read.game_of` makes an equal game of them again."""
    extra = {unit for unit in game.opening if unit not in game.units}
    if extra:
        raise ValueError(f"the opening names {len(extra)} units the game does not have")
    plain: Plain = {
        "title": game.title,
        "sides": list(game.sides),
        "board": _board(game.board),
        "units": [_unit(unit, game.opening) for unit in game.units.values()],
        "events": [_event(event) for event in game.events],
        "rules": _rules(game.rules),
        "phases": [plain_phase(rule) for rule in game.phases.values()],
        "forms": [plain_form(form) for form in game.forms.values()],
        "conditions": [_condition(condition) for condition in game.conditions],
        "sources": [plain_source(source) for source in game.sources],
        "gaps": [_gap(gap) for gap in game.gaps],
        "integrity": [[str(at), text] for at, text in game.integrity],
    }
    if game.suggestions:
        plain["suggestions"] = [_suggestion(one) for one in game.suggestions]
    if game.seen is not None:
        plain["seen"] = [[*key] for key in sorted(game.seen)]
    if NOT_UNITS in game.unjudged:
        plain["unnamed_drags"] = game.unjudged[NOT_UNITS]
    if game.nameless:
        plain["nameless"] = sorted(place.name for place in game.nameless)
    if game.is_part:
        plain["part"] = True
    if game.relations:
        plain["relations"] = [{"sides": list(r.sides), "are": r.are} for r in game.relations]
    return plain


def plain_place(place: Place) -> Any:
    """A hex by its bare name, nowhere as None, the rest named by kind."""
    if place.kind == "hex":
        return place.name
    if place.kind == "nowhere" and not place.name:
        return None
    return {place.kind: place.name}


def plain_source(source: Source) -> Plain:
    always = {"file": source.file, "kind": source.kind, "sha256": source.sha256}
    return _short(source, always, assumes=list(source.assumes))


def _short(value: Any, always: Plain, **plain: Any) -> Plain:
    """The fields of a dataclass that are not their default, ``plain`` holding converted ones; fields
    in ``always`` stand there as given."""
    result = dict(always)
    for field in fields(value):
        if field.name in always:
            continue
        held = getattr(value, field.name)
        if field.default is not MISSING and held == field.default:
            continue
        result[field.name] = plain.get(field.name, held)
    return result


def _board(board: Board) -> Plain:
    plain: Plain = {
        "name": board.name,
        "complete": sorted(board.complete),
        "hexes": [_hex(hex_) for hex_ in board.hexes.values()],
        "sides": [{"hexes": list(e), "has": list(has)} for e, has in board.sides.items()],
        "lines": [_line(line) for line in board.lines],
        "links": [list(pair) for pair in sorted(board.links)],
        "barriers": [list(pair) for pair in sorted(board.barriers)],
    }
    if board.exceptions:
        plain["exceptions"] = _exceptions(board.exceptions)
    return plain


def _suggestion(one: Suggestion) -> Plain:
    named = {"name": one.key.name} if one.key.name else {}
    cell = {"cell": one.key.cell, "layer": one.key.layer, **named}
    return {**cell, "value": one.value, "status": one.status}


def _exceptions(cells: Exceptions) -> Plain:
    def may(names: Names) -> list[str] | None:
        return None if names is None else sorted(names)

    found: Plain = {
        "hexes": [{"hex": name, "may": may(names)} for name, names in sorted(cells.hexes.items())],
        "sides": [
            {"hexes": list(e), "may": may(names)} for e, names in sorted(cells.sides.items())
        ],
        "lines": [
            {"hexes": list(e), "may": may(names)} for e, names in sorted(cells.lines.items())
        ],
        "levels": sorted(cells.levels),
    }
    return {layer: entries for layer, entries in found.items() if entries}


def _hex(hex_: Hex) -> Plain:
    result: Plain = {"hex": hex_.name, "at": list(hex_.at)}
    if hex_.terrain is not None:
        result["terrain"] = list(hex_.terrain)
    if hex_.level is not None:
        result["level"] = hex_.level
    if hex_.features:
        result["features"] = list(hex_.features)
    if hex_.sheet:
        result["sheet"] = hex_.sheet
    return result


def _line(line: Line) -> Plain:
    return _short(line, {"kind": line.kind, "hexes": list(line.hexes)})


def _facts(facts: Mapping[str, Fact]) -> Plain:
    return {name: plain_fact(fact) for name, fact in facts.items()}


def _unit(unit: Unit, opening: Mapping[str, Place]) -> Plain:
    result: Plain = {"id": unit.id, "name": unit.name}
    if unit.side is not None:
        result["side"] = unit.side
    if unit.kind != "unit":
        result["kind"] = unit.kind
    if unit.attributes:
        result["attributes"] = _facts(unit.attributes)
    if unit.seen_by is not None:
        result["seen_by"] = list(unit.seen_by)
    if unit.id in opening:
        result["at"] = plain_place(opening[unit.id])
    return result


def _displacement(event: Displacement) -> Plain:
    places = {"origin": plain_place(event.origin), "target": plain_place(event.target)}
    head = {"event": "displacement", "at": str(event.at), "unit": event.unit, **places}
    return _short(event, head, cancels=str(event.cancels))


def _state(event: StateChange) -> Plain:
    head = {"event": "state", "at": str(event.at), "unit": event.unit, "attribute": event.attribute}
    return _short(
        event, {**head, "before": plain_fact(event.before), "after": plain_fact(event.after)}
    )


def _phase_start(event: PhaseStart) -> Plain:
    turn, phase, active = event.turn, event.phase, event.active
    told = {
        k: v for k, v in (("turn", turn), ("phase", phase), ("active", active)) if v is not None
    }
    result: Plain = {"event": "phase", "at": str(event.at), **told}
    if event.source:
        result["source"] = event.source
    if not event.certain:
        result["certain"] = False
    if event.declared:
        result["declared"] = True
    if event.last is not None:
        result["last"] = str(event.last)
    if event.combat is not None:
        result["combat"] = event.combat
    if event.suggested:
        result["suggested"] = True
    return result


def _witness(event: Witness) -> Plain:
    return _short(event, {"event": "witness", "at": str(event.at), "kind": event.kind})


def _spent(event: Spent) -> Plain:
    amount = plain_fact(event.amount)
    return {"event": "spent", "at": str(event.at), "unit": event.unit, "amount": amount}


def _change(event: BoardChange) -> Plain:
    plain: Plain = {"event": "board", "at": str(event.at)}
    if event.hexes:
        plain["hexes"] = [_hex_change(hex_) for hex_ in event.hexes]
    if event.sides:
        plain["sides"] = [{"hexes": list(e), "has": list(has)} for e, has in event.sides.items()]
    for key, lines in (("lines", event.lines), ("gone", event.gone)):
        if lines:
            plain[key] = [_line(line) for line in lines]
    if event.exceptions:
        plain["exceptions"] = _exceptions(event.exceptions)
    if event.source:
        plain["source"] = event.source
    return plain


def _hex_change(hex_: Hex) -> Plain:
    terrain = None if hex_.terrain is None else list(hex_.terrain)
    plain: Plain = {"hex": hex_.name, "terrain": terrain, "features": list(hex_.features)}
    return plain if hex_.level is None else {**plain, "level": hex_.level}


_EVENTS: Mapping[type, Callable[[Any], Plain]] = {
    BoardChange: _change,
    Displacement: _displacement,
    StateChange: _state,
    PhaseStart: _phase_start,
    Witness: _witness,
    Spent: _spent,
}


def _event(event: Event) -> Plain:
    return _EVENTS[type(event)](event)


def _rules(rules: Rules) -> Plain:
    plain: Plain = {
        "name": rules.name,
        "tables": _json(rules.tables),
        "options": _json(rules.options),
        "off": list(rules.off),
    }
    if rules.complete is not None:
        plain["complete"] = sorted(rules.complete)
    return plain


def _json(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(k): _json(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [_json(v) for v in value]
    return value


def plain_phase(rule: PhaseRule) -> Plain:
    """A rule of phases as plain values."""
    lists = {"forms": list(rule.forms), "complete_for": list(rule.complete_for)}
    return _short(rule, {"name": rule.name}, **lists)


def plain_form(form: MovementForm) -> Plain:
    """A movement form as plain values."""
    units = {attribute: list(values) for attribute, values in form.units.items()}
    return {"name": form.name, "judged": form.judged, "units": units}


def _condition(condition: Condition) -> Plain:
    head = {"key": condition.key, "fact": plain_fact(condition.fact), "first": str(condition.first)}
    last: StepRef | None = condition.last
    return _short(condition, head, last=str(last))


def _gap(gap: Gap) -> Plain:
    result: Plain = {"log": gap.log, "unit": gap.unit, "name": gap.name}
    if gap.before is not None:
        result["before"] = plain_place(gap.before)
    if gap.after is not None:
        result["after"] = plain_place(gap.after)
    if gap.detail:
        result["detail"] = gap.detail
    return result
