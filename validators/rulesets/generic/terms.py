"""What the files of the charts share: what their readers are given, words and ways of their clauses, and what
these ask of the rules in force."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from ....model.fact import Fact, known
from ...concepts.charts import NO_CLASS, ChartReader, Costs, class_cost
from ...concepts.completeness import Completeness, of_cost
from ...concepts.requirements import FORM, fact_about, read_requirements
from ...cost_interval import CostInterval
from ...engine.asking import Question, later
from ...engine.clauses import ClauseFunction
from ...engine.rules import Rules
from ...engine.step import Step
from ...engine.subject import TABLED, Subject
from ...ruleset import Requirement
from ...situation import Situation

if TYPE_CHECKING:
    from .tables import Tables

TOPIC = "right by"
"""Topic of the question whether a move is right by a rule that the tables lack."""
MOVE_ON = "may move on from"
"""Topic of the question whether a unit may move on from the hex where it came onto the map."""
OFF_ROAD = "-"
"""The way of a step off the road."""
ANY_ROAD = "a road that is not told"
PLACES: Mapping[str, tuple[str, ...]] = {
    "terrain": ("terrain", "costs", "{}"),
    "hexsides": ("hexsides", "{}", "cost"),
    "roads": ("roads", "{}", "cost"),
    "levels": ("levels", "{}"),
}
"""Where the costs of a chart have their rows; ``{}`` stands for the name of the row."""


def listed(value: Any) -> list[Any]:
    """The rows of a chart, which may be one table or a list of tables."""
    return value if isinstance(value, list) else [value]


class Reading(ChartReader):
    """The tables of a pack while they are read, each chart by ``read`` in the file of its name. ``plain``: as
    the pack writes them. ``off``: the clauses that are switched off; their effects are left out.
    ``complete``: which charts are whole. ``needed``: the attributes and conditions that tests of a mover have
    asked for."""

    def __init__(
        self, plain: Mapping[str, Any], off: frozenset[str], complete: Completeness
    ) -> None:
        super().__init__(tuple(plain["classes"]["names"]), off, "GEN-WHOLE")
        self.plain, self.off, self.complete = plain, off, complete
        told = plain["classes"].get("attribute"), plain["allowance"].get("attribute")
        self.needed = dict.fromkeys(filter(None, told))

    def tests(self, plain: Iterable[Mapping[str, Any]]) -> tuple[Requirement, ...]:
        """Tests of the mover that a table has (those of other units: ``read_requirements``)."""
        found = read_requirements(plain)
        self.needed |= {one.attribute: None for one in found if one.attribute != FORM}
        return found

    def if_left_out(self, chart: str, default: Any, otherwise: Any = None) -> Any:
        """The value of a key that a chart leaves out: ``default`` if the chart is whole, else
        ``otherwise``."""
        return default if self.complete.has(chart) else otherwise


class Road(NamedTuple):
    """The way of a step along a line. ``node``: the same for all lines that meet; ``sure``: the line is
    certainly there."""

    kind: str
    node: Hashable
    sure: bool


BETWEEN = "\0"
"""Between the names of the classes that a unit may be of."""


@dataclass(frozen=True, kw_only=True)
class RulesOfTables(Rules):
    """What clauses ask of the rules in force for one game, whose numbers all come from ``typed``. ``own``:
    the clauses in Python of a small game."""

    typed: Tables
    own: tuple[ClauseFunction, ...] = ()

    @property
    def complete(self) -> Completeness:
        """Which charts are whole."""
        return self.typed.complete

    @property
    def scale(self) -> int:
        """Costs are whole numbers of 1/scale MP."""
        return self.typed.scale

    def classes(self, cls: str) -> tuple[str, ...]:
        """The movement classes that a unit may be of, whose class as the engine knows it is ``cls``."""
        return tuple(cls.split(BETWEEN))

    def by_class(self, costs: Costs, cls: str, times: int = 1) -> CostInterval:
        """The cost of a row, over all classes that the mover may be of."""
        key = id(costs), cls, times
        found: CostInterval | None = self.common.get(key)
        if found is None:
            found = class_cost(costs, self.classes(cls), self.typed.scale, times)
            self.common[key] = found
        return found

    def class_from(self, facts: Mapping[str, Fact]) -> str:
        """The class of a unit, or all that it may be of; NO_CLASS: one that the tables do not name."""
        tables, whole = self.typed, self.complete.has("classes")
        every = tables.classes if whole else (*tables.classes, NO_CLASS)
        if not tables.class_attribute:
            return every[0] if whole else BETWEEN.join(every)
        options = facts[tables.class_attribute].options
        if options is None:
            return BETWEEN.join(every)
        named = (o if o in tables.classes else NO_CLASS for o in map(str, options))
        return BETWEEN.join(dict.fromkeys(named))

    def gathered(self, unit: str, situation: Situation) -> dict[str, Fact]:
        """The facts about a unit that the tables ask for, without the movement form."""
        needed = (about for about in self.typed.needed if about != FORM)
        return {about: fact_about(situation, unit, about) for about in needed}

    def as_held(self, facts: Mapping[str, Fact], cls: str) -> dict[str, Fact]:
        """The facts of a unit of some class as the engine holds them."""
        tabled = {TABLED + about: Fact(f.options, f.lo, f.hi) for about, f in facts.items()}
        return {"kind": known("movement"), "class": known(cls), **tabled}


def rules_of(subject: Subject) -> RulesOfTables:
    """The rules in force."""
    assert isinstance(subject.rules, RulesOfTables)
    return subject.rules


def tables_of(subject: Subject) -> Tables:
    """The tables in force."""
    return rules_of(subject).typed


def road_of(step: Step) -> str:
    """The kind of line that a step follows; empty: none."""
    return step.by.kind if isinstance(step.by, Road) else ""


def row(step: Step, costs: Costs, place: tuple[str, ...], name: str) -> CostInterval:
    """What a row of a table costs the mover. ``place``: where it is in ``[rules]``; ``name``: what it is the
    cost of. In a chart that is not whole, what else it has is asked for first."""
    cost = rules_of(step).by_class(costs, step.cls)
    asked = step.rules.complete.questions(place[0]) if place[0] in ("zoc", "enemy_hex") else ()
    return step.due(cost, *(asked or (of_rows(step, place, name),)))


def of_rows(step: Step, place: tuple[str, ...], *names: str) -> Question:
    """What asks for the cost of the rows ``names`` at a place of the tables."""
    tables, classes = tables_of(step), rules_of(step).classes(step.cls)
    return later(of_cost, tables.plain, tables.complete, place, names, classes)


def priced(step: Step, chart: str, *names: str) -> tuple[Question, ...]:
    """What would make a cost of a chart exact: its rows ``names``, or the whole chart if there are none. What
    classes there are goes first."""
    complete = tables_of(step).complete
    if NO_CLASS in rules_of(step).classes(step.cls) and not complete.has("classes"):
        return complete.questions("classes")
    return (of_rows(step, PLACES[chart], *names),) if names else complete.questions(chart)


def counted(step: Step, cost: CostInterval) -> CostInterval:
    """The part of a cost that counts: where hexes are counted instead of MPs, what closes a hex or takes the
    whole allowance."""
    if not tables_of(step).allowance.hexes:
        return cost
    return CostInterval(0, 0, cost.barred, False if cost.barred else cost.whole)
