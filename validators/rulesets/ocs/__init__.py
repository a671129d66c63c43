"""The ruleset ``ocs``: section 6 (ground movement) of the Operational Combat Series, series rules v4.

The terrain chart is each game's own: a pack supplies it in ``[rules]`` (``schema.json``; what is left out
stays as ``tables.toml`` of this package has it, mostly unknown). On the board a little bit of terrain is
called ``mountain nub``. A hexside of which water fills only a part, the rest being land, also has the feature
``land``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from ....model.board import Board
from ....model.fact import UNKNOWN, Fact, Value, known
from ....model.names import HEXSIDE, LINE, TERRAIN, Words
from ....model.unit import Unit
from ...allowed_facts import NUMBER, YES_NO, words
from ...engine.clauses import clauses_in
from ...engine.declared import Arrivals, Chart, Completed, Declared, Late, Movers, chart, during
from ...engine.history import History
from ...engine.mover_facts import MoverFacts
from ...engine.rules import Rules
from ...engine.ruleset import ClauseRuleset
from . import enemies, phases, terrain, units
from .terms import BRIDGE, CLASSES, COLUMNS, LAND, MODES, NO_CLASS, NUB, REACTION


def least(rules: Rules, cls: str, known: Mapping[str, Fact]) -> Fraction:
    """The least MPs that a step costs a class: that of the cheapest terrain or road on the board; 0 if a road
    or a bridge may cost anything, or a house rule makes hexes free."""
    if not rules.applies("6.1a-a"):
        return Fraction(0)
    board = rules.game.board
    hexes, roads = terrains(rules, board), kinds_of_road(rules, board)
    if not hexes <= rules.charts["terrain"].keys() or not roads <= rules.charts["roads"].keys():
        return Fraction(0)
    cells = [rules.cell("terrain", name, cls) for name in hexes]
    closed = any(cell is None or cell.kind in ("prohibited", "unknown") for cell in cells)
    if closed and (may_be_bridged(rules, board) or not rules.applies("6.2c-a")):
        return Fraction(0)
    cells += [rules.cell("roads", name, cls) for name in roads]
    open_ = [cell for cell in cells if cell is not None and cell.kind != "prohibited"]
    return min(
        (c.amount if c.kind == "number" else Fraction(0) for c in open_), default=Fraction(0)
    )


def terrains(rules: Rules, board: Board) -> set[str]:
    """The terrains that may count in the hexes of a board; one that no chart has stands for any other."""
    hexes = board.hexes.values()
    found = {name.removesuffix(NUB) for one in hexes for name in one.terrain or ()}
    charted = rules.charts["terrain"]
    if not rules.applies("6.2d-a"):
        found.update(charted)
    if any(board.maybe_in(one.name) is None for one in hexes):
        found.update(charted if rules.complete.has("terrain") else (*charted, ""))
    return found


def kinds_of_road(rules: Rules, board: Board) -> set[str]:
    """The kinds of road that may be on a board; one that no chart has stands for any other."""
    if not rules.applies("6.2a-b"):
        return set()
    charted = rules.charts["roads"]
    if board.all_lines_known and rules.applies("6.2a-a"):
        return set(board.line_kinds)
    whole: Iterable[str] = charted if rules.complete.has("roads") else (*charted, "")
    return {*board.line_kinds, *whole}


def may_be_bridged(rules: Rules, board: Board) -> bool:
    """Whether a bridge may lie on a hexside, or what may serve as one."""
    plain = {LAND, *rules.charts["hexsides"]}
    names = {name.removesuffix(NUB) for side in board.sides.values() for name in side}
    return not board.all_sides_known or BRIDGE in names or not names <= plain


MODULES = (terrain, enemies, units, phases)
FUEL = ("lacking", "full")
ATTRIBUTES = {
    "class": words(*CLASSES).asked("is {} leg, tracked or truck (3.1a)?"),
    "ma": NUMBER.asked("which movement allowance is printed on {}?"),
    "mode": words(*MODES).asked("in which mode was {} when it moved (5)?"),
    "dg": YES_NO.asked("was {} disorganised (DG)?"),
    "type": words().asked("what is {}: a combat unit, an HQ, a transport …?"),
    "attack": YES_NO.asked("is {} attack-capable?"),
    "supplied": YES_NO.asked("was {} in supply?"),
    "re": NUMBER.asked("how many RE is {}?"),
    "fuel": words(*FUEL).asked("had {} the fuel it needs (lacking or full)?"),
    "mission": YES_NO.asked("did {} fly a mission in the phase?"),
}
TOPICS = (
    "captured", "moved as marked later", "placed where it was put last", "put back by an overrun",
    "overran", "carried by transport points", "rail movement in the game", "moved by rail",
    "air or sea movement in the game", "moved by air or sea", "released before it moved",
    "overran out of a zone of control", "zone of control over * negated", "stacking in *", "mission",
)  # fmt: skip
CONDITIONS = {
    "bridging": YES_NO.asked("was the river bridged for the unit (13.8b)?"),
    "fuel": words(*FUEL),
    **dict.fromkeys(TOPICS, YES_NO),
}


def fuel(history: History, unit: Unit, its: list[int]) -> Fact:
    """The fuel of a unit, as a condition or an attribute."""
    said = history.condition("fuel", unit, its)
    return history.during(unit.id, "fuel", its) if said == UNKNOWN else said


def bridging(history: History, unit: Unit, its: list[int]) -> Fact:
    return history.condition("bridging", unit, its)


def classes(rules: Rules, fact: Fact) -> tuple[Value, ...]:
    """The mobility classes that a unit may be of."""
    every = (str(o) if str(o) in CLASSES else NO_CLASS for o in fact.options or CLASSES)
    return tuple(dict.fromkeys(every))


def on_the_ground(facts: MoverFacts) -> bool:
    """Whether a unit is certainly a ground unit."""
    air = facts.rules.tables["types"]["air"]
    return not any(facts.known["type"].may_be(name.lower()) for name in air)


def names(tables: Mapping[str, Any]) -> Mapping[str, Words]:
    """The names that a board may use: of what the charts have, and its nubs."""
    hexes = {*tables["terrain"], *(name + NUB for name in tables["terrain"])}
    sides = {*tables["hexsides"], *(name + NUB for name in tables["hexsides"]), LAND, BRIDGE}
    return {
        TERRAIN: Words(frozenset(hexes), "terrain"),
        HEXSIDE: Words(frozenset(sides), "hexsides"),
        LINE: Words(frozenset(tables["roads"]), "roads"),
    }


def hexside_costs(column: str) -> Chart:
    """The costs of hexside features in one of three cases: as they are, bridged, over a printed bridge."""
    said = {"bridged": " bridged by engineers", "bridge": " with a bridge"}.get(column, "")
    return Chart(
        lambda tables: {n: row.get(column, "unknown") for n, row in tables["hexsides"].items()},
        ("hexsides", "{}", column),
        said,
    )


def moves(rules: Rules, kind: str) -> Movers:
    """Which side moves in a segment (6.3a)."""
    named = rules.options["reaction_names"] == "reacting"
    return "inactive" if kind == REACTION and not named else "active"


DECLARED = Declared(
    clauses=clauses_in(*MODULES),
    attributes=ATTRIBUTES,
    conditions=CONDITIONS,
    markers={},
    completed=(
        during("class", options=classes),
        during("mode"),
        during("dg"),
        during("ma", open=True),
        during("type", open=True),
        Completed("fuel", (), fuel, open=True),
        Completed("bridging", (), bridging, open=True, condition=True),
    ),
    shared=("class", "bridging"),
    columns=COLUMNS,
    charts={
        "terrain": chart("terrain"),
        "roads": chart("roads"),
        "hexsides": hexside_costs("cost"),
        "bridged": hexside_costs("bridged"),
        "bridge": hexside_costs("bridge"),
        "overrun": Chart(
            lambda tables: {"overrun": tables["overrun"]["surcharge"]}, ("overrun", "surcharge")
        ),
    },
    ways=terrain.tried,
    keeps_way=lambda rules: not rules.applies("6.2a-c"),
    arrivals=Arrivals(known={"bridging": known(False)}),
    looks_beside=True,
    late=Late(
        ("ma", "mode", "dg", "fuel"),
        "moved as marked later",
        "did {unit} move with the {facts} it was given later in the phase?",
    ),
    listed={"type": "types"},
    cellwise=("factors",),
    everywhere=True,
    noun=" units",
    moves=moves,
    judges=on_the_ground,
    least=least,
    names=names,
    whole=phases.phases,
)
RULESET = ClauseRuleset(__name__, DECLARED, {"": "an unknown class"})
