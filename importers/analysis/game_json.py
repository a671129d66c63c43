"""A :class:`Game` in JSON, as ``schemas/analysis.json`` describes it: one declaration to write and read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ...model.board import Board, Edge, Exceptions, Hex, Line, edge
from ...model.boards import BoardChange
from ...model.codec import ITSELF, Codec, Codecs, Plain, by_name, listed, pairs
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
from ...model.plain import fact_of, plain_fact
from ...model.provenance import Key
from ...model.relations import Relation
from ...model.unit import Unit
from ...model.vouching import Suggestion


def _plain_place(place: Place) -> Any:
    """The name of a hex; None for nowhere; ``{kind: name}`` for other places."""
    if place.kind == "hex":
        return place.name
    if place.kind == "nowhere" and not place.name:
        return None
    return {place.kind: place.name}


def _place_of(plain: Any) -> Place:
    if plain is None:
        return NOWHERE
    if isinstance(plain, str):
        return Place("hex", plain)
    ((kind, name),) = plain.items()
    return Place(kind, name)


def step_of(text: str) -> StepRef:
    """The step that ``log:step`` names."""
    log, step = text.split(":")
    return StepRef(int(log), int(step))


def _json(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(k): _json(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [_json(v) for v in value]
    return value


def _plain_suggestion(one: Suggestion) -> Plain:
    named = {"name": one.key.name} if one.key.name else {}
    cell = {"cell": one.key.cell, "layer": one.key.layer, **named}
    return {**cell, "value": one.value, "status": one.status}


def _suggestion_of(plain: Plain) -> Suggestion:
    key = Key(plain["cell"], plain["layer"], plain.get("name", ""))
    return Suggestion(key, plain["value"], plain["status"])


_PLACE = Codec(_plain_place, _place_of)
_EDGE = Codec(list, lambda plain: edge(*plain))
_CODECS = Codecs(
    {
        StepRef: Codec(str, step_of),
        Place: _PLACE,
        Fact: Codec(plain_fact, fact_of),
        Edge: _EDGE,
        Suggestion: Codec(_plain_suggestion, _suggestion_of),
        Any: Codec(_json, lambda plain: plain),
    }
)
_TEXTS = listed(ITSELF)
_MAY = _CODECS.of(frozenset[str] | None)
_ON_SIDES = pairs(("hexes", "has"), _EDGE, _TEXTS)
_MAY_BE_ON = pairs(("hexes", "may"), _EDGE, _MAY, sorted)
_MAY_BE_IN = pairs(("hex", "may"), ITSELF, _MAY, sorted)

_table = _CODECS.table
_table(Line)
_table(Exceptions, parts={"hexes": _MAY_BE_IN, "sides": _MAY_BE_ON, "lines": _MAY_BE_ON})
_HEX_NOW = _table(Hex, "name terrain features", "level", keys={"name": "hex"})
_CHANGE = _table(
    BoardChange,
    parts={"hexes": listed(_HEX_NOW)._replace(read=tuple), "sides": _ON_SIDES},
)
_HEX = _table(Hex, keys={"name": "hex"})
_table(
    Board,
    "name complete hexes sides lines links barriers",
    parts={"hexes": by_name(_HEX), "sides": _ON_SIDES},
    absent={"complete": frozenset()},
)
_table(Relation, "sides are")
_table(Rules, "name tables options off")
_table(Condition)
_table(Gap, parts={"before": _PLACE, "after": _PLACE})
SOURCE = _table(Source)
PHASE = _table(PhaseRule)
FORM = _table(MovementForm, "name judged units")
PHASES, FORMS = by_name(PHASE), by_name(FORM)
_EVENTS: Mapping[str, tuple[type, Codec]] = {
    "displacement": (Displacement, _table(Displacement)),
    "state": (StateChange, _table(StateChange)),
    "phase": (PhaseStart, _table(PhaseStart)),
    "witness": (Witness, _table(Witness)),
    "spent": (Spent, _table(Spent)),
    "board": (BoardChange, _CHANGE),
}
_NAMES = {kind: (name, codec.write) for name, (kind, codec) in _EVENTS.items()}


def _plain_event(event: Event) -> Plain:
    name, write = _NAMES[type(event)]
    return {"event": name, **write(event)}


_GAME = _table(
    Game,
    "title sides board units events rules phases forms conditions sources gaps integrity",
    "suggestions seen unjudged nameless is_part relations",
    keys={"unjudged": "unnamed_drags", "is_part": "part"},
    parts={
        "units": by_name(_table(Unit), "id"),
        "events": listed(Codec(_plain_event, lambda plain: _EVENTS[plain["event"]][1].read(plain))),
        "phases": PHASES,
        "forms": FORMS,
        "unjudged": Codec(lambda held: held[NOT_UNITS], lambda plain: {NOT_UNITS: plain}),
        "nameless": Codec(
            lambda held: sorted(place.name for place in held),
            lambda plain: frozenset(Place("box", name) for name in plain),
        ),
    },
)


def plain_game(game: Game) -> Plain:
    """``game`` as plain values, from which :func:`game_of` makes an equal game."""
    extra = {unit for unit in game.opening if unit not in game.units}
    if extra:
        raise ValueError(f"the opening names {len(extra)} units the game does not have")
    plain: Plain = _GAME.write(game)
    for unit in plain["units"]:
        if unit["id"] in game.opening:
            unit["at"] = _plain_place(game.opening[unit["id"]])
    return plain


def game_of(plain: Plain) -> Game:
    """The game that plain values stand for. They must fit the schema and hold no
    :func:`~.contradictions.contradictions`."""
    opening = {u["id"]: _place_of(u["at"]) for u in plain["units"] if "at" in u}
    game: Game = _GAME.read({**plain, "opening": {}})
    hexes, events = dict(game.board.hexes), list[Event]()
    for event in game.events:
        events.append(_on_board(event, hexes) if isinstance(event, BoardChange) else event)
    return replace(game, opening=opening, events=tuple(events))


def _on_board(change: BoardChange, hexes: dict[str, Hex]) -> BoardChange:
    """The change of the board, read from ``change``, whose hexes are still plain. ``hexes``: the hexes before
    it; updated to those after it."""
    plain: Any = change.hexes
    told = [replace(hexes[h["hex"]], **_HEX_NOW.given(h)) for h in plain]
    hexes.update((h.name, h) for h in told)
    may = change.exceptions
    levels = may.levels.union(h["hex"] for h in plain if h.get("level", 0) is None)
    return replace(change, hexes=tuple(told), exceptions=replace(may, levels=levels))
