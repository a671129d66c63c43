"""The ruleset ``tide-of-iron``: movement in Tide of Iron, squads and vehicles on hexes with hills.

In ``[rules]`` (see ``schema.json``) a pack supplies what the public pages do not say. Whatever it leaves out
stays as in ``tables.toml`` of this package::

    [pack]
    ruleset = "tide-of-iron"

    [rules.terrain]                       # squad, truck, light, heavy
    woods = {squad = 2, truck = 4, light = 3, heavy = 3}

    [rules.stacking]
    limit = 3

    [rules.types."opel blitz"]
    class = "truck"
    ma = 4
    transport = 2

The attributes of a unit: ``class`` (squad, truck, light, heavy) and ``ma``, or its ``type``; ``officers``,
``engineer``, ``heavy_weapon``, ``tank``, ``transport``; ``action`` (advance, fire-and-movement, assault,
or another), ``token`` (none, active, fatigued, op-fire), ``pinned``, ``disrupted``, ``damage`` (none,
light, heavy); ``aboard`` (no, or the vehicle: its id, or the number of its transport marker), ``works``
(none, entrenchment, pillbox). The condition ``stream`` gives the depth of streams.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from ....model.fact import Fact, Value, known
from ....model.game import StateChange
from ....model.names import LINE, TERRAIN, Words
from ....model.unit import Unit
from ...allowed_facts import ANY_NUMBER, NUMBER, TEXT, YES_NO, Allowed, words
from ...concepts.charts import OTHERS
from ...engine.clauses import clauses_in
from ...engine.declared import Chart, Completed, Declared, chart, during
from ...engine.history import History
from ...engine.rules import Rules
from ...engine.ruleset import ClauseRuleset
from ...ruleset import Requirement
from . import conduct, enemies, terrain, transport, units
from .phases import findings, stacking
from .readings import action, cleared, doings
from .terms import (
    ACTIONS,
    ACTIONS_NAMED,
    ASSAULTS,
    CLASSES,
    DEPTH,
    DEPTHS,
    FEATURES,
    MINES,
    NO_CLASS,
    NOT_ACTIVATED,
    NOUNS,
    SQUAD,
    STREAM,
    TRAP,
    VEHICLES,
    WADI,
    WIRE,
    spelt,
)


def least(rules: Rules, cls: str, known: Mapping[str, Fact]) -> Fraction:
    """The least MPs that a step costs a class: that of the cheapest terrain or road on the board; 0 if there
    may be something that no chart has."""
    board, roads = rules.game.board, rules.charts["roads"]
    undrawn = not board.all_lines_known and not rules.complete.has("roads")
    free = not all(map(rules.applies, ("MV-g", "EX1-b", "X-HI-a")))
    if undrawn or board.line_kinds - roads.keys() or free:
        return Fraction(0)
    charted, whole = rules.charts["terrain"], rules.complete.has("terrain")
    names = {"clear"}
    for one in board.hexes.values():
        if one.terrain is None or board.maybe_in(one.name) is None:
            names.update(charted if whole else ("",))
        names.update(one.terrain or ())
        more = {*one.features, *(board.maybe_in(one.name) or ())}
        names.update(name for name in more if name in charted or not (whole or name in FEATURES))
    if STREAM in names:
        names = {*names, *DEPTHS} - {STREAM}
    if not names <= charted.keys():
        return Fraction(0)
    rows = [charted[name] for name in names]
    cells = [row[cls] for row in (*rows, *roads.values(), *rules.charts["bridges"].values())]
    kinds = [cell for cell in cells if cell.kind not in ("prohibited", "none")]
    if any(cell.kind != "number" for cell in kinds):
        return Fraction(0)
    return min((cell.amount for cell in kinds), default=Fraction(0))


MODULES = (terrain, enemies, conduct, units, transport)
BONUS = ANY_NUMBER.asked("how many MPs did a card give {}?")
ACTION = words(*ACTIONS_NAMED, reads_others=True).asked("by which action was {} activated?")
HEXES = {
    "assaults": TEXT.asked("which hex did {} assault, if any?"),
    "clears": TEXT.asked("from which hex did {} clear razor wire, if any?"),
    "stalled": TEXT.asked("in which hex did a failed roll stop {}, if in any (else: no)?"),
}
ATTRIBUTES = {
    "class": words(*CLASSES).asked("is {} a squad, a truck, another light vehicle or heavy?"),
    "type": TEXT,
    "ma": NUMBER.asked("which movement value is printed for {}?"),
    "figures": NUMBER.asked("how many figures has {}?"),
    "officers": Allowed("number", ("true", "false"), reads_others=True).asked(
        "how many officers has {}?"
    ),
    "engineer": YES_NO.asked("is {} an engineer squad?"),
    "heavy_weapon": YES_NO.asked("has {} a heavy infantry weapon?"),
    "tank": YES_NO.asked("has {} the abilities of a tank?"),
    "transport": NUMBER.asked("how many squads can {} carry?"),
    "transport_marker": TEXT,
    "token": words("none", "active", "fatigued", "op-fire").asked(
        "which activation token had {} when it began to move?"
    ),
    "pinned": YES_NO.asked("was {} pinned when it was moved?"),
    "disrupted": YES_NO.asked("was {} disrupted when it was moved?"),
    "damage": words("none", "light", "heavy").asked("how was {} damaged when it was moved?"),
    "aboard": words("no").asked("in which vehicle did {} ride (its id or number; else: no)?"),
    "works": words("none").asked("in which fortification was {}, if in any?"),
    "action": ACTION,
    "bonus": BONUS,
    **HEXES,
}
TOPICS = (
    "road from * to *", "bridge in *", "advance into *", "retreat from *", "got out in *", "end in *",
    "activated again", "hit on its way", "back from *", "action turns of *", "entrenchments for all in *",
    *(f"{kind} in *" for kind in (WIRE, TRAP, MINES)),
)  # fmt: skip
CONDITIONS = {
    "stream": words(*DEPTHS).asked("how deep are the streams in this game?"),
    "actions": Allowed("number", ("unlimited",)).asked("how many actions has an action turn?"),
    "action": ACTION,
    "bonus": BONUS,
    **HEXES,
    **dict.fromkeys(TOPICS, YES_NO),
}
OPEN = ("ma", "figures", "officers", "engineer", "heavy_weapon", "tank")
OF_TYPES = {"truck": "X-TRK", "tiger i": "X-TK-a", "officer": "X-OF"}
PLAIN_TYPE = {"tank": False, "engineer": False, "heavy_weapon": False, "transport": 0}


def ever_assaults(history: History, unit: Unit, its: list[int]) -> Fact:
    return known("assaults" in unit.attributes or history.timeline.tells_of(unit.id, "assaults"))


def depth(history: History, unit: Unit, its: list[int]) -> Fact:
    return history.condition("stream", unit, its)


def depths(rules: Rules, fact: Fact) -> tuple[Value, ...]:
    """The depths that streams may have; one is enough where there are none."""
    if not any(STREAM in (one.terrain or (STREAM,)) for one in rules.game.board.hexes.values()):
        return DEPTHS[:1]
    said = tuple(map(str, fact.options or ()))
    return said if said and set(said) <= set(DEPTHS) else DEPTHS


def actions(rules: Rules, fact: Fact) -> tuple[Value, ...]:
    """The actions by which a unit may have been activated; one that spends no MPs stands for all such."""
    return fact.options or (*ACTIONS, NOT_ACTIVATED)


def classes(rules: Rules, fact: Fact) -> tuple[Value, ...]:
    """The classes that a unit may be of."""
    every = (str(o) if str(o) in CLASSES else NO_CLASS for o in fact.options or CLASSES)
    return tuple(dict.fromkeys(every))


def types(rules: Rules) -> Mapping[str, Mapping[str, Fact]]:
    """What the tables say of types of units; a squad of any type may contain engineers."""
    found = {}
    for name, row in rules.tables["types"].items():
        plain = {**PLAIN_TYPE, **row}
        if plain.get("class") == "squad" and "engineer" not in row:
            del plain["engineer"]
        on = rules.applies(OF_TYPES.get(name, ""))
        found[name] = {k: known(typed(v)) for k, v in plain.items()} if on else {}
    return found


def typed(value: Any) -> Value:
    if isinstance(value, bool) or (isinstance(value, str) and not value[:1].isdigit()):
        return value
    return Fraction(value)


def ground_rows(tables: Mapping[str, Any]) -> Mapping[str, Any]:
    """The rows of the terrain chart, with those of streams by their depth, and of wadis, an optional rule."""
    rows = {**tables["terrain"], **tables["streams"]}
    if tables["wadi"]["played"] == "yes" or WADI not in rows:
        rows[WADI] = tables["wadi"]["cost"] if tables["wadi"]["played"] == "yes" else "unknown"
    return rows


def clauses_of(name: str) -> tuple[str, str]:
    cost, bar = terrain.CLAUSES.get(name, terrain.MV_G)
    return cost, bar


def works(way: str) -> Chart:
    """What getting into works, or out of them, costs."""
    clause = "EX1-c" if way == "enter" else "X-EN-a"
    return Chart(
        lambda tables: {name: row[way] for name, row in tables["works"].items()},
        ("works", "{}", way),
        f" ({way} it)",
        lambda name: (clause, ""),
    )


def names(tables: Mapping[str, Any]) -> Mapping[str, Words]:
    """The names that a game may use."""
    return {
        TERRAIN: Words(frozenset((*tables["terrain"], STREAM, WADI)), "terrain"),
        LINE: Words(frozenset(tables["roads"]), "roads"),
    }


def more_words(rules: Rules) -> Mapping[str, Allowed]:
    """The attributes whose values depend on the game: in what a squad may ride, which works there are, and
    how many officers a unit has: one is enough to tell, unless each of them counts (X-OF)."""
    units, events = rules.game.units.values(), rules.game.events
    vehicles = [u.id for u in units if u.kind == "unit" and not u.fact("class").must_be("squad")]
    markers = [unit.fact("transport_marker") for unit in units]
    changes = (event for event in events if isinstance(event, StateChange))
    markers += [one.after for one in changes if one.attribute == "transport_marker"]
    vehicles += [str(option) for fact in markers for option in fact.options or ()]
    several = ("true", "false") if rules.applies("X-OF") else ()
    return {
        "aboard": replace(ATTRIBUTES["aboard"], words=tuple(dict.fromkeys(("no", *vehicles)))),
        "works": replace(ATTRIBUTES["works"], words=("none", *rules.tables["works"])),
        "officers": replace(ATTRIBUTES["officers"], words=several),
    }


def settled(tables: Mapping[str, Any]) -> Mapping[str, str]:
    """The readings of the text that the tables settle."""
    hills = tables["hills"]
    return {"rules.hills.combine": hills["combine"], "rules.hills.road_hex": hills["road_hex"]}


DECLARED = Declared(
    clauses=clauses_in(*MODULES),
    attributes=ATTRIBUTES,
    conditions=CONDITIONS,
    completed=(
        during("class", options=classes),
        Completed("action", (), action, actions),
        Completed(DEPTH, (), depth, depths, condition=True),
        Completed(ASSAULTS, (), ever_assaults, open=True),
        *(during(about, open=True) for about in OPEN),
    ),
    shared=("class", DEPTH),
    columns={name: name for name in (*CLASSES, NO_CLASS)},
    enemies=(Requirement("aboard", ("no",)),),
    levels=(-1, 0, 1, 2, 3),  # one that is not told may be up or down from any of 0 to 2
    stacking=stacking,
    carriers=VEHICLES,
    charts={
        "terrain": Chart(ground_rows, ("terrain", "{}"), "", clauses_of),
        "hexsides": chart("hexsides", lambda name: terrain.MV_G),
        "roads": Chart(lambda tables: tables["roads"], ("roads", "{}"), silent=True),
        "bridges": chart("bridges"),
        "hills": Chart(lambda tables: {"up": tables["hills"]["up"]}, ("hills", "{}")),
        "expenses": chart("expenses"),
        "works in": works("enter"),
        "works out": works("leave"),
    },
    ways=terrain.tried,
    least=least,
    names=names,
    whole=findings,
    types=types,
    spelt={"action": spelt},
    numbered="transport_marker",
    riders=(SQUAD,),
    objects=(WIRE, TRAP, MINES),
    no_objects=("bridge", "snow bridge", "entrenchment", "two entrenchments", "pillbox"),
    cleared=cleared,
    clears="clears",
    doings=doings,
    far_lines=True,
    settled=settled,
    words=more_words,
    patterns=(("turns", "round"),),
    closing=(terrain.closed_ground,),
)


@dataclass(frozen=True)
class TideOfIron(ClauseRuleset):
    """See :class:`~...ruleset.Ruleset`."""

    def merged(self, plain: Mapping[str, Any]) -> Mapping[str, Any]:
        """The shipped tables with the rows of a pack put in. A row of the terrain chart that does not name
        ``others`` keeps the shipped costs of the classes that it leaves out."""
        found = dict(super().merged(plain))
        shipped = self.printed()["terrain"]
        for name, row in plain.get("terrain", {}).items():
            if isinstance(row, Mapping) and OTHERS not in row:
                own = shipped.get(name, {})
                whole = own if isinstance(own, Mapping) else {OTHERS: own}
                found["terrain"] = {**found["terrain"], name: {**whole, **row}}
        return found


RULESET = TideOfIron(__name__, DECLARED, NOUNS)
