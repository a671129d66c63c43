"""Small random games: complete ones, of which everything is known, and the same with facts hidden."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

import drawn
from vassal_umpire.model.board import Board, Edge, Hex, Line, edge
from vassal_umpire.model.fact import UNKNOWN, Fact, between, known, one_of
from vassal_umpire.model.finding import Move
from vassal_umpire.model.game import Condition, Game, Place, Rules, StepRef
from vassal_umpire.model.hexgrid import from_offset
from vassal_umpire.model.relations import Relation
from vassal_umpire.model.unit import Unit
from vassal_umpire.validators.answers import MARCHES
from vassal_umpire.validators.rulesets.generic import RULESET

CLASSES = ("foot", "wheels", "tracks")
TERRAINS = ("clear", "forest", "marsh")
FEATURES = ("fort", "village")
CROSSINGS = (
    *(("river",), ("cliff",), ("river", "bridge"), ("river", "rail bridge")),
    ("river", "bridge", "rail bridge"),
)
ROADS = ("highway", "track")
MOVER = "m"
SCHEMA = RULESET.schema.plain
SIMPLE = {"boolean": [True, False], "integer": [0, 1, 1, 2]}


def _cell(rng: Random, *, high: bool = True) -> int | str:
    cells: list[int | str] = [0, 1, 1, 1, 2, 2, "1/2", 3]
    if high:
        cells += ["prohibited", "prohibited", "all"]
    return rng.choice(cells)


def _costs(rng: Random, *, high: bool = True) -> Any:
    if rng.random() < 0.3:
        return _cell(rng, high=high)
    return {name: _cell(rng, high=high) for name in CLASSES}


def _tests(rng: Random) -> list[dict[str, Any]]:
    return rng.choice(
        [
            [{"attribute": "strength", "least": 2}],
            [{"attribute": "status", "is": ["fresh"]}],
            [{"attribute": "status", "not": ["tired"]}, {"attribute": "strength", "most": 2}],
            [{"condition": "weather", "is": ["mud"]}],
            [],
        ]
    )


FOCI = ("", "", "", "zoc", "zoc", "roads", "sides", "steps", "steps")
"""What a world is about: a little of everything, or much of one thing and nothing in its way."""


def tables(rng: Random, focus: str = "") -> dict[str, Any]:
    """A random set of tables."""
    made: dict[str, Any] = {
        "classes": {"attribute": "class", "names": list(CLASSES)},
        "allowance": _allowance(rng),
        "terrain": {
            "combine": rng.choice(["dearest", "sum"]),
            "costs": {
                "clear": rng.choice([1, 1, 2, {"foot": 1, "others": 2}]),
                "forest": _costs(rng),
                "marsh": _costs(rng),
                "fort": "+1",
            },
        },
    }
    if focus:
        made["terrain"]["costs"]["clear"] = 1
    if rng.random() < {"": 0.7, "sides": 1.0, "steps": 0.7, "zoc": 0.3}.get(focus, 0.0):
        bridges = [{"feature": "bridge"}, {"feature": "rail bridge", "cost": _costs(rng)}]
        made["hexsides"] = {
            "river": {"cost": _costs(rng), "bridges": bridges},
            "cliff": {"cost": _costs(rng)},
        }
    if rng.random() < {"": 0.7, "roads": 1.0, "steps": 0.7}.get(focus, 0.0):
        made["roads"] = {kind: _road(rng) for kind in rng.choice([ROADS, ROADS[:1]])}
    if not focus and rng.random() < 0.4:
        made["levels"] = {"up": _costs(rng, high=False), "down": rng.choice([0, 1])}
    if not focus and rng.random() < 0.3:
        cost = _costs(rng, high=False)
        made["surcharges"] = [{"cost": cost, "if": _tests(rng), "on_roads": rng.random() < 0.5}]
    if rng.random() < {"": 0.7, "zoc": 1.0}.get(focus, 0.0):
        made["zoc"] = _zoc(rng) if rng.random() < 0.7 else [_zoc(rng), _zoc(rng)]
    if rng.random() < {"": 0.4, "steps": 1.0}.get(focus, 0.0):
        kinds = sorted(made.get("roads", ()))
        made["steps"] = [_step_rule(rng, kinds) for _ in range(rng.choice([1, 1, 2]))]
    if rng.random() < (0.2 if focus else 0.4):
        barred, dear = {"barred_by": _tests(rng)}, {"cost": _cell(rng)}
        both = {"barred_by": _tests(rng), "cost": _cell(rng)}
        made["enemy_hex"] = rng.choice([barred, dear, both])
    for chart in [one for one in made if one != "steps"]:  # there, keys exclude each other
        _more(rng, made[chart], SCHEMA["properties"][chart])
    return made


def _more(rng: Random, made: Any, schema: Mapping[str, Any]) -> None:
    """Draw what a table has not and the schema lets it say in a word or a small number: a new key of a chart
    is in the worlds as soon as it is in the schema, and the twin must know it."""
    if "$ref" in schema:
        schema = SCHEMA["$defs"][schema["$ref"].rpartition("/")[2]]
    for one in schema.get("anyOf", ()):
        _more(rng, made, one)
    if isinstance(made, list):
        for row in made:
            _more(rng, row, schema.get("items", {}))
    elif isinstance(made, dict):
        for key, told in schema.get("properties", {}).items():
            if key in made:
                _more(rng, made[key], told)
            elif ("enum" in told or told.get("type") in SIMPLE) and rng.random() < 0.3:
                made[key] = rng.choice(told.get("enum") or SIMPLE[told["type"]])
        rest = schema.get("additionalProperties") or {}
        for key, one in made.items():
            if key not in schema.get("properties", {}):
                _more(rng, one, rest)


def _step_rule(rng: Random, roads: list[str]) -> dict[str, Any]:
    """A random rule about certain steps, where these are roads."""
    made: dict[str, Any] = {}
    for key, names in (
        ("into", ["marsh", "fort"]),
        ("out_of", ["forest", "village"]),
        ("across", ["river", "cliff"]),
    ):
        if rng.random() < 0.25:
            made[key] = rng.choice([names, names[:1]])
    if rng.random() < 0.3:
        made["if"] = rng.choice([_tests(rng), [{"attribute": "class", "is": ["foot"]}]])
    if rng.random() < 0.2:
        made["climbs"] = rng.choice(["up", "down", "level"])
    if rng.random() < 0.3:
        return {**made, "friends": rng.random() < 0.5, "cost": _costs(rng)}
    if roads and rng.random() < 0.3:
        made[rng.choice(["along", "not_along"])] = rng.choice([roads, roads[:1]])
    if rng.random() < 0.7:
        cell: Any = _cell(rng)
        made["cost"] = rng.choice([cell, _costs(rng), {rng.choice(CLASSES): cell}])
    if rng.random() < 0.4:
        every = ["terrain", "hexsides", "roads", "levels", "surcharges"]
        made["instead_of"] = rng.sample(every, rng.choice([1, 2, 5]))
    if rng.random() < 0.3 or not {"cost", "instead_of"} & {*made}:
        made["stop"] = True
    return made


def _allowance(rng: Random) -> dict[str, Any]:
    made: dict[str, Any] = {"minimum_move": rng.random() < 0.3}
    if rng.random() < 0.7:
        made["attribute"] = "ma"
    else:
        made["by_class"] = {"foot": 2, "wheels": rng.choice([3, 4]), "tracks": "5/2"}
    if rng.random() < 0.5:
        made["modifiers"] = [
            {
                "op": rng.choice(["add", "subtract", "multiply", "set", "at_least", "at_most"]),
                "value": rng.choice([1, 2, "1/2"]),
                "if": _tests(rng),
                **rng.choice([{}, {"round": "up"}, {"round": "down"}]),
            }
            for _ in range(rng.choice([1, 2]))
        ]
    if rng.random() < 0.2:
        made["immobile"] = [{"if": [{"attribute": "status", "is": ["pinned"]}]}]
    return made


def _road(rng: Random) -> dict[str, Any]:
    every = ["terrain", "hexsides", "levels"]
    return {
        "cost": rng.choice(
            [1, "1/2", {"wheels": "1/3", "tracks": "1/2"}, {"foot": 0, "others": 1}]
        ),
        "cancels": rng.choice([every, every, ["terrain"], ["hexsides", "levels"], []]),
        "continuity": rng.choice(["edge", "path"]),
    }


def _zoc(rng: Random) -> dict[str, Any]:
    made: dict[str, Any] = {
        "exerted_by": _tests(rng),
        "felt_by": rng.choice([[], [], [{"attribute": "status", "not": ["fresh"]}]]),
        "negated_by_friends": rng.random() < 0.5,
        "not_into_prohibited": rng.random() < 0.3,
        "stop": rng.random() < 0.4,
        "not_across": rng.choice([[], [], ["river"]]),
        "not_into": rng.choice([[], [], ["village", "marsh"]]),
    }
    for key in ("enter", "leave", "within"):
        if rng.random() < 0.4:
            made[key] = _costs(rng)
    for key, names in (("across", ["river"]), ("into", ["clear"]), ("out_of", ["clear", "fort"])):
        if rng.random() < 0.15:
            made[key] = names
    return made


def _board(rng: Random, focus: str) -> Board:
    width, height = rng.choice([(3, 3), (4, 3), (4, 4), (5, 3)])
    names = {(c, r): f"{c + 1:02}{r + 1:02}" for c in range(width) for r in range(height)}
    hexes = {}
    for (c, r), name in names.items():
        terrain = (rng.choice(["clear", "clear", *(TERRAINS if focus in ("", "steps") else ())]),)
        if not focus and rng.random() < 0.15:
            terrain = ("clear", rng.choice(TERRAINS[1:]))
        features = (rng.choice(FEATURES),) if rng.random() < 0.2 else ()
        hexes[name] = Hex(name, from_offset(c, r), terrain, rng.choice([0, 0, 0, 1, 2]), features)
    bare = Board("small", hexes)
    sides: dict[Edge, tuple[str, ...]] = {}
    for a in hexes:
        for b in bare.neighbours(a):
            if a < b and rng.random() < (0.6 if focus == "sides" else 0.3):
                sides[edge(a, b)] = rng.choice(CROSSINGS)
    lines = tuple(
        _line(rng, bare) for _ in range(rng.choice([3, 4] if focus == "roads" else [0, 1, 2, 3]))
    )
    links = (
        frozenset({edge("0101", f"{width:02}{height:02}")}) if rng.random() < 0.1 else frozenset()
    )
    return replace(bare, sides=sides, lines=lines, links=links)


def _line(rng: Random, board: Board) -> Line:
    chain = [rng.choice(sorted(board.hexes))]
    for _ in range(rng.choice([2, 3, 4])):
        chain.append(rng.choice(board.neighbours(chain[-1])))
    return Line(rng.choice(ROADS), tuple(chain), junctions=rng.random() < 0.7)


def _unit(rng: Random, name: str, side: str) -> Unit:
    return Unit(
        name,
        f"counter {name}",
        side,
        "marker" if rng.random() < 0.1 and name != MOVER else "unit",
        {
            "class": known(rng.choice(CLASSES)),
            "ma": known(rng.choice([0, 1, 2, 2, 3, 3, 4, Fraction(5, 2)])),
            "strength": known(rng.choice([1, 2, 3])),
            "status": known(rng.choice(["fresh", "tired", "pinned"])),
            "dead": known(rng.random() < 0.1 and name != MOVER),
        },
    )


def complete(rng: Random) -> Game:
    """A game of which everything is known; the unit ``m`` of side Red is to move."""
    focus = rng.choice(FOCI)
    board = _board(rng, focus)
    units = {MOVER: _unit(rng, MOVER, "Red")}
    third = rng.choice([[], [], ["Green", "Green"]])
    for number in range(rng.choice([3, 4] if focus == "zoc" else [0, 1, 2, 4])):
        units[f"x{number}"] = _unit(rng, f"x{number}", rng.choice(["Red", "Blue", "Blue", *third]))
    names = sorted(board.hexes)
    opening = {u: Place("hex", rng.choice(names)) for u in units}
    if focus == "zoc":  # keep the middle free to move in, and make it matter who is next to it
        for name, unit in units.items():
            if name != MOVER and unit.side == "Blue" and rng.random() < 0.7:
                near = board.neighbours(rng.choice(board.neighbours(opening[MOVER].name)))
                opening[name] = Place("hex", rng.choice(near))
    if focus == "roads":  # far along a road, on what does not carry far off it
        opening[MOVER] = Place("hex", rng.choice(rng.choice(board.lines).hexes))
        attributes = {**units[MOVER].attributes, "ma": known(rng.choice([1, 1, Fraction(3, 2), 2]))}
        units[MOVER] = replace(units[MOVER], attributes=attributes)
    weather = Condition("weather", known(rng.choice(["dry", "mud"])), StepRef(1, 0))
    marches = Condition(f"{MARCHES} {opening[MOVER].name}", known(True), StepRef(1, 0))
    rules = Rules("generic", tables(rng, focus))
    with_units = {unit.side for unit in units.values() if unit.kind == "unit"}
    third_side = with_units == {"Red", "Blue", "Green"}  # of two sides with units each is an enemy
    if not third_side:
        units = {
            u: replace(x, side="Blue" if x.side == "Green" else x.side) for u, x in units.items()
        }
    relations = _relations(rng) if third_side else ()
    sides = ("Red", "Blue", "Green") if third_side else ("Red", "Blue")
    said = {"conditions": (weather, marches), "relations": relations}
    return Game("random", board, sides, units, opening, (), rules, **said)


def _relations(rng: Random) -> tuple[Relation, ...]:
    """What a third side is to the two others: one's ally, an enemy of both, or neutral."""
    red, blue = rng.choice(
        [("friends", "enemies"), ("enemies", "friends"), ("enemies", "enemies"), ("neutral",) * 2]
    )
    return (
        Relation(("Red", "Blue"), "enemies"),
        Relation(("Red", "Green"), red),  # type: ignore[arg-type]
        Relation(("Green", "Blue"), blue),  # type: ignore[arg-type]
    )


def a_move(rng: Random, game: Game) -> Move:
    """A move of ``m`` over one or more waypoints, all witnessed."""
    origin = game.opening[MOVER].name
    near = list(game.board.neighbours(origin))
    names = [*sorted(game.board.hexes), *near, *near]
    if len(game.board.lines) > 2:
        names = [name for line in game.board.lines for name in line.hexes]
    waypoints = [origin, *(rng.choice(names) for _ in range(rng.choice([1, 1, 1, 2, 3])))]
    return drawn.move(MOVER, *waypoints)


def stops_of(move: Move) -> tuple[str, ...]:
    """The witnessed stops of a move as a walker meets them."""
    stops: list[str] = []
    for place, binds in list(zip(move.waypoints, move.binding, strict=True))[1:]:
        last = stops[-1] if stops else move.origin.name
        if binds and place.name != last:
            stops.append(place.name)
    return tuple(stops) or (move.origin.name,)


def _hidden(rng: Random, fact: Fact, others: list[Any]) -> Fact:
    """``fact``, known less well than it is."""
    value = fact.value
    if isinstance(value, bool):  # nothing said of a counter's death means that it lives
        return one_of(True, False)
    if isinstance(value, Fraction) and rng.random() < 0.5:
        return between(value - rng.choice([0, 1]), value + rng.choice([0, 1, 2]))
    if rng.random() < 0.5 and value is not None:
        return one_of(value, rng.choice([o for o in others if o != value]))
    return UNKNOWN


_OTHERS: dict[str, list[Any]] = {
    "class": list(CLASSES),
    "ma": [1, 2, 3, 4],
    "strength": [1, 2, 3],
    "status": ["fresh", "tired", "pinned"],
    "dead": [True, False],
    "weather": ["dry", "mud"],
}


def hide(rng: Random, game: Game, share: float) -> Game:
    """``game`` with about ``share`` of its facts hidden; all that is left is true."""
    rules = replace(game.rules, tables=_hide_cells(rng, game.rules.tables, share / 2))
    conditions = tuple(
        replace(c, fact=_hidden(rng, c.fact, _OTHERS["weather"])) if rng.random() < share else c
        for c in game.conditions
    )
    units = {
        name: replace(
            unit,
            side=None if rng.random() < share / 2 and name != MOVER else unit.side,
            attributes={
                key: _hidden(rng, fact, _OTHERS[key])
                if rng.random() < share and (key, name) != ("dead", MOVER)
                else fact
                for key, fact in unit.attributes.items()
            },
        )
        for name, unit in game.units.items()
    }
    return replace(
        game,
        board=_hide_board(rng, game.board, share),
        units=units,
        conditions=conditions,
        rules=rules,
        relations=tuple(r for r in game.relations if rng.random() >= share),
    )


def _hide_board(rng: Random, board: Board, share: float) -> Board:
    layers = set(board.complete)
    hexes = {
        name: replace(
            here,
            terrain=None if rng.random() < share else here.terrain,
            level=None if rng.random() < share / 2 else here.level,
        )
        for name, here in board.hexes.items()
    }
    sides, lines = dict(board.sides), board.lines
    if rng.random() < share:
        layers.discard("hexsides")
        for side, features in board.sides.items():
            kept = tuple(f for f in features if rng.random() < 0.7)
            if rng.random() < 0.2:
                del sides[side]
            else:
                sides[side] = kept
    if rng.random() < share:
        layers.discard("lines")
        lines = tuple(line for line in lines if rng.random() < 0.6)
    high = frozenset(name for name, here in hexes.items() if here.level is None)
    return replace(
        board,
        hexes=hexes,
        sides=sides,
        lines=lines,
        complete=frozenset(layers),
        exceptions=replace(board.exceptions, levels=high),
    )


def _hide_cells(rng: Random, made: Any, share: float) -> Any:
    """The same tables with some costs unknown."""
    shown = copy.deepcopy(made)
    charts = [shown["terrain"]["costs"]]
    charts += list(shown.get("hexsides", {}).values())
    zocs = shown.get("zoc", [])
    charts += [shown.get("levels", {}), *shown.get("steps", ())]
    charts += [zocs] if isinstance(zocs, dict) else zocs
    for chart in charts:
        for key in ("clear", "forest", "marsh", "cost", "up", "down", "enter", "leave", "within"):
            if key in chart and rng.random() < share:
                partial = chart in shown.get("steps", ())  # which classes it is about stays told
                if isinstance(chart[key], dict) and (partial or rng.random() < 0.7):
                    name = rng.choice(sorted(chart[key]))
                    chart[key][name] = _unsure(rng, chart[key][name])
                else:
                    chart[key] = _unsure(rng, chart[key])
    return shown


def _unsure(rng: Random, cost: Any) -> Any:
    """A cost known less well than it is: between bounds, or not at all."""
    try:
        number = Fraction(cost)
    except (TypeError, ValueError):  # a table, prohibited, all
        return "unknown"
    low, high = max(Fraction(0), number - rng.choice([0, 1])), number + rng.choice([0, 1])
    return rng.choice(["unknown", {"from": str(low), "to": str(high)}, {"from": str(low)}])


def unwitnessed(rng: Random, move: Move) -> Move:
    """``move`` with some stops that perhaps were none."""
    binding = tuple(binds and rng.random() < 0.5 for binds in move.binding[1:-1])
    return replace(move, binding=(True, *binding, True))
