"""Valor & Victory in plain clauses: what the ruleset declares."""

from __future__ import annotations

from fractions import Fraction

from ....model.bill import ZERO, Amount
from ....model.fact import UNKNOWN, Fact, Value, known
from ....model.unit import Unit
from ...allowed_facts import NUMBER, YES_NO, words
from ...engine.clauses import clauses_in
from ...engine.declared import Arrivals, Completed, Declared
from ...engine.event_index import Marker
from ...engine.history import History
from ...engine.rules import Rules
from ...engine.ruleset import ClauseRuleset
from ...ruleset import Requirement
from . import ground, infantry, loading, stacks, turns, vehicles
from .terms import CLASSES, COLUMNS, DRIVEN, FOOT, SQUADS

MODULES = (ground, infantry, vehicles, turns, loading, stacks)
ATTRIBUTES = {
    "class": words(*CLASSES, "weapon", "sniper").asked(
        "what is {}: squad, half-squad, leader, hero, AFV, vehicle, gun or weapon?"
    ),
    "mp": NUMBER.asked("how many movement points are printed on {}?"),
    "facing": words().asked("which hexside did {} face?"),
    "weapon": words("none", "light", "heavy").asked("which support weapon does {} carry?"),
    "weapons": NUMBER.asked("how many support weapons does {} carry?"),
    "pinned": YES_NO.asked("was {} pinned when it was moved?"),
    "fired": YES_NO.asked("had {} a Fire marker when it was moved?"),
    "moved": YES_NO.asked("had {} a Move marker of this phase when it was moved?"),
    "assault": YES_NO.asked("did {} use assault movement?"),
    "immobile": YES_NO.asked("was {} immobilized when it was moved?"),
    "aboard": words("no", "none", "-", "false", "true").asked(
        "on which carrier was {} (its id; else: no)?"
    ),
    "transport": words("none", "no", "-", "TH", *(f"T{n}" for n in range(1, 10))).asked(
        "which transport class is printed on {}?"
    ),
    "tow": YES_NO.asked("may {} tow a gun?"),
}
TOPICS = (
    "stopped in *", "assaulting *", "entering by *", "with *", "close assault on hex *", "stays in hex *",
    "several hexes", "taken back to *", "hit on its way", "carried to *", "* is a road",
    "left the map", "loads in *",
)  # fmt: skip
MARKERS = {
    "pinned": Marker("rally", halts=True),
    "fired": Marker("turn"),
    "moved": Marker("phase", after=True),
    "assault": Marker("phase"),
    "immobile": Marker(),
    "tow": Marker(),
}


def assault(history: History, unit: Unit, its: list[int]) -> Fact:
    """Whether a unit bore an Assault Move marker of this phase all the way. Laid later, or taken off on the
    way, it may tell of an assault move or be a mistake."""
    facts = [history.value(unit.id, "assault", index) for index in its]
    if all(fact.is_known and history.declared(fact) for fact in facts):
        return facts[0]
    laid = [at for at, _ in history.changes(unit.id, "assault", 0, its[0])] or [0]
    if history.phase(laid[-1]) == history.phase(its[0]) and all(
        fact.must_be(True) for fact in facts
    ):
        return known(True)
    later = history.changes(unit.id, "assault", its[-1], history.phase(its[-1])[1])
    clear = all(fact.must_be(False) for fact in (*facts, *(after for _, after in later)))
    return known(False) if clear else UNKNOWN


def weapon(history: History, unit: Unit, its: list[int]) -> Fact:
    return history.told(unit, "weapon", its[0], lambda value: value == "heavy")


ENTERING = (ground.terrain, ground.works, ground.buildings, ground.water)
"""The clauses that apply to the hex by which a unit enters the map."""


def entered(rules: Rules, unit: str, event: int) -> Amount | None:
    """The MPs that a unit spent on coming onto the map (6.10); None: not known."""
    history, tables = rules.history, rules.tables
    first = history.drag(history.in_phase(unit, event)[0])
    cls = str(history.value(unit, "class", event).value)
    if (
        first.origin.name not in tables["boxes"]["entry"]
        or first.target.kind != "hex"
        or cls not in COLUMNS
    ):
        return None
    if not rules.applies("6.10-a"):
        return ZERO
    kind = rules.phase_kinds.get(history.timeline.phase(first.at).phase or "")
    if kind == "advance" or cls == "gun":
        return Amount.exactly(1)
    cost = rules.entry_cost(cls, first.target.name, ENTERING)
    if cost.barred is True:  # it cannot have entered by this hex
        return None
    return Amount(
        Fraction(cost.lo, rules.scale), None if cost.hi is None else Fraction(cost.hi, rules.scale)
    )


def classes(rules: Rules, fact: Fact) -> tuple[Value, ...]:
    """The classes that a unit may have; one that is not known is of those that move by themselves."""
    return fact.options or CLASSES


def facings(rules: Rules, fact: Fact) -> tuple[str, ...]:
    """The hexsides that a unit may face, 0 to 5; any: it chooses."""
    if fact.options is None:
        return tuple(map(str, range(6)))
    named = rules.tables["facings"]
    every = [named.get(str(o), o) for o in fact.options]
    return tuple(dict.fromkeys(str(one) for one in every))


DECLARED = Declared(
    clauses=clauses_in(*MODULES),
    attributes=ATTRIBUTES,
    conditions=dict.fromkeys(TOPICS, YES_NO),
    markers=MARKERS,
    completed=(
        Completed("class", options=classes),
        Completed("weapon", (*SQUADS, "leader", "hero"), weapon),
        Completed("assault", FOOT, assault),
        Completed("facing", DRIVEN, vehicles.facing, facings),
    ),
    shared=("kind", "class", "assault"),
    columns=COLUMNS,
    lines={"road": "is a {} a road to the rules (a road hex costs 1; bridges: 10.31)?"},
    enemies=(Requirement("class", CLASSES),),
    stacking=stacks.stacking,
    start_state=vehicles.start,
    unfinished=vehicles.unfinished,
    entered=entered,
    allowance_facts=("mp",),
    arrivals=Arrivals(
        "6.10-a", ENTERING, {"assault": known(False)}, among_enemies="6.8-a", overrunning=("afv",)
    ),
    carriers=DRIVEN,
    order="6.1-e",
    apart=("weapon",),
)
RULESET = ClauseRuleset(__name__, DECLARED, {"afv": "AFVs", "gun": "guns", "vehicle": "vehicles"})
