"""The tables of one pack, in force in one game, and the facts that they know."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from ....model.fact import Fact, Value, known
from ....model.game import Game
from ....model.unit import Unit
from ...allowed_facts import ANY_NUMBER, NUMBER, TEXT, YES_NO, Allowed, AllowedFacts, words
from ...answers import AHEAD
from ...concepts.charts import NO_CLASS, class_cost, closes_some, road_cost
from ...concepts.requirements import CONDITION, FORM, SIDE, question, read_requirements
from ...cost_interval import FREE, total, union_all
from ...engine.arrivals import Newcomer
from ...engine.asking import Run, few_leaves, later
from ...engine.clauses import ClauseFunction
from ...engine.declared import Arrivals, Declared
from ...engine.mover_facts import MoverFacts
from ...engine.other_unit import Enemy
from ...engine.rules import Rules
from ...engine.scenarios import Completion
from ...ruleset import Assumption, OrderRule, Requirement, StackingRule
from . import (
    allowance,
    enemy_hex,
    entering,
    hexsides,
    lacks,
    levels,
    roads,
    steps,
    surcharges,
    terrain,
    zoc,
)
from .tables import Tables
from .terms import MOVE_ON, OFF_ROAD, TOPIC, RulesOfTables, listed
from .terrain import entering as entering_cost

_TESTS = frozenset(("is", "not", "least", "most"))
MOST_SCENARIOS = 48
"""The most completions of a mover's facts. If there are more, none is made: cost intervals cover all of
them."""


def allowed_facts(tables: Tables, game: Game) -> AllowedFacts:
    """The facts about units and the game that a facts file may give, and the questions for them. An attribute
    that the pack reads off the pieces is always allowed, whether or not the tables ask for it."""
    attributes = dict.fromkeys(_read_off_pieces(game), Allowed("text"))
    conditions = {f"{TOPIC} *": YES_NO, f"{MOVE_ON} *": YES_NO, AHEAD: YES_NO}
    for name, needs in _by_name(tables).items():
        condition = name.startswith(CONDITION)
        bare = name.removeprefix(CONDITION)
        values = tables.plain.get("values", {}).get(bare)
        found = words(*map(str, values)) if values else _allowed(needs)
        (conditions if condition else attributes)[bare] = found
    for stacking in listed(tables.plain.get("stacking", [])):
        if "size" in stacking:
            asked = NUMBER.asked("how much does {} count in a stack?")
            attributes[stacking["size"]] = asked
    chart = tables.allowance
    if chart.attribute:
        told = Allowed("text") if chart.by_class else NUMBER
        attributes[chart.attribute] = told.asked("which movement allowance is printed on {}?")
    if tables.class_attribute:
        attributes[tables.class_attribute] = words(*tables.classes).asked(
            "which movement class is {}?"
        )
    return AllowedFacts(attributes, conditions)


def _read_off_pieces(game: Game) -> Iterator[str]:
    files = tuple(source.file for source in game.sources if source.kind == "facts")
    for unit in game.units.values():
        for name, fact in unit.attributes.items():
            if not files or not fact.source.startswith(files):
                yield name
    for form in game.forms.values():
        yield from form.units


def _by_name(tables: Tables) -> dict[str, list[Requirement]]:
    """All requirements in the tables, by the name of the attribute or condition."""
    found: dict[str, list[Requirement]] = {}
    for need in _requirements(tables.plain):
        if need.attribute not in (FORM, SIDE):
            found.setdefault(need.attribute, []).append(need)
    return found


def _requirements(plain: Any) -> Iterator[Requirement]:
    """Every requirement in the plain tables, including those of clauses that are switched off."""
    if isinstance(plain, Mapping):
        if {"attribute", "condition"} & plain.keys() and _TESTS & plain.keys():
            yield from read_requirements([plain])
        for value in plain.values():
            yield from _requirements(value)
    elif isinstance(plain, list):
        for entry in plain:
            yield from _requirements(entry)


def _allowed(needs: Iterable[Requirement]) -> Allowed:
    """The values allowed for a fact, by the requirements on it: a number if they only compare numbers, the
    words ``true`` and ``false`` if they only name booleans, else any text."""
    values: dict[Value, None] = {value: None for need in needs for value in need.values}
    if not values:
        return ANY_NUMBER
    if all(isinstance(value, bool) for value in values):
        return words("true", "false")
    return Allowed("text", tuple(map(str, values)))


ANOTHER_CLASS = "another class"
_BASE = ("terrain", "roads")
"""Parts of the cost of which one is due on every step."""


@dataclass(frozen=True)
class TableRules(RulesOfTables):
    """The rules in force for one game, with their clauses. See :class:`~...ruleset.RulesInForce`."""

    @property
    def ground(self) -> tuple[ClauseFunction, ...]:
        """The clauses about what the ground costs, and about certain steps."""
        return self._ground(friends=True)

    @property
    def closing(self) -> tuple[ClauseFunction, ...]:
        """Those of :attr:`ground` that can close a hex to a unit, whoever else is in it."""
        return self._ground(friends=False)

    def _ground(self, *, friends: bool) -> tuple[ClauseFunction, ...]:
        key = "ground", friends
        found: tuple[ClauseFunction, ...] | None = self.common.get(key)
        if found is None:
            found = self.common[key] = tuple(self._of_ground(friends=friends))
        return found

    def _of_ground(self, *, friends: bool) -> Iterator[ClauseFunction]:
        every = (
            *roads.clauses_of(self),
            terrain.terrain,
            *hexsides.clauses_of(self),
            *levels.clauses_of(self),
            *surcharges.clauses_of(self),
            *steps.clauses_of(self, friends=friends),
        )
        return (clause for clause in every if clause.kind == "cost")

    @cached_property
    def declared(self) -> Declared:
        """What the tables say, as clauses; the same for all games with the same rules."""
        found: Declared = self.common.get("declared") or self.common.setdefault(
            "declared", self._declared()
        )
        return found

    def _declared(self) -> Declared:
        tables = self.typed
        stops = (clause for clause in steps.clauses_of(self) if clause.kind == "stop")
        clauses = (
            *self.ground,
            *enemy_hex.clauses_of(self),
            *zoc.clauses_of(self),
            *stops,
            *allowance.clauses_of(self),
            *lacks.clauses_of(self),
            *([] if entering.CLAUSE in tables.off else [entering.moves_on]),
            roads.open_ways,
            *self.own,
        )
        return Declared(
            clauses=clauses,
            attributes={},
            conditions={},
            markers={},
            completed=(),
            shared=("class",),
            columns={},
            enemies=None if tables.enemy is None else tables.enemy.barred_by,
            entered=lambda rules, unit, event: entering.entered(as_tables(rules), unit, event),
            arrivals=Arrivals(clause=entering.CLAUSE),
            ways=roads.tried,
            keeps_way=lambda rules: any(road.path for road in tables.roads.values()),
            looks_beside=bool(self.own),
            zones=tuple(
                (one.zone, goes if one.not_into_prohibited else None) for one in tables.zocs
            ),
            whole_clause="GEN-WHOLE",
            unlisted=False,
            of_the_log=False,
            least=lambda rules, cls, known: as_tables(rules).least(cls),
        )

    @property
    def clauses_in_force(self) -> tuple[ClauseFunction, ...]:
        """All: what is switched off is in neither the tables nor ``own``."""
        return self.declared.clauses

    def full(self, clause: str) -> str:
        """The id to cite for a clause."""
        return self.typed.citations.of(clause)

    def applies(self, clause: str) -> bool:
        """Whether a clause is not switched off."""
        return clause not in self.typed.off

    @property
    def readings(self) -> Mapping[str, str]:
        """As always, but what an incomplete chart leaves out is not known."""
        return {**super().readings, **dict.fromkeys(self._unknown_options(), "not known")}

    def _unknown_options(self) -> Iterator[str]:
        charts = self.typed.plain
        for clause, chart, key in (
            ("GEN-TERRAIN", "terrain", "combine"),
            ("GEN-ENEMY", "enemy_hex", "cost"),
        ):
            told = self.typed.complete.has(chart) or key in charts.get(chart, {})
            if self.applies(clause) and not told:
                yield f"rules.{chart}.{key}"

    @property
    def phase_kinds(self) -> Mapping[str, str]:
        """None: these tables tell no kinds of phases apart."""
        return {}

    @property
    def limit(self) -> StackingRule | None:
        return self.typed.stacking

    @property
    def order(self) -> OrderRule:
        return self.typed.order

    @property
    def looks_back(self) -> bool:
        """See :class:`~...ruleset.LooksBack`: no marker, carrier or thing that lies in a hex is looked up in
        the events; a clause in Python may look up anything."""
        return not self.own

    @property
    def others_only_hinder(self) -> bool:
        """See :class:`~...ruleset.KnowsOthers`: friends help only where a rule about steps asks for them; a
        clause in Python may ask for anything."""
        return not self.own and not any(rule.friends for rule in self.typed.steps)

    def charted(self, chart: str) -> Container[str]:
        return self.typed.terrain.costs

    def words(self, about: str) -> tuple[str, ...]:
        return ()

    # -- classes and facts of units ----------------------------------------------------------------

    def class_of(self, word: str) -> str:
        return word

    def judges(self, cls: str) -> bool:
        return True

    def who(self, cls: str) -> str:
        """A class of units, in words for a person."""
        return " or ".join(name or "an unknown class" for name in self.classes(cls))

    def completions(self, facts: MoverFacts, phase: str, own: Any) -> Sequence[Completion]:
        unit, told = facts.unit, self.gathered(facts.unit.id, facts.circumstances.situation)

        def completed(run: Run) -> dict[str, Fact]:
            return {name: self._completed(run, unit, name, fact) for name, fact in told.items()}

        every = few_leaves(completed, MOST_SCENARIOS) or [((), told)]
        return [
            (
                tuple(Assumption(missing, str(value)) for missing, value in assumed),
                self.as_held(found, self.class_from(found)),
                {},
            )
            for assumed, found in every
        ]

    @property
    def every_class(self) -> tuple[str, ...]:
        """The classes that a unit may have; also another one, if their chart is not complete."""
        other = () if self.complete.has("classes") else (ANOTHER_CLASS,)
        return (*self.typed.classes, *other)

    def _completed(self, run: Run, unit: Unit, about: str, fact: Fact) -> Fact:
        """A fact with one of its possible values; one that is kept as bounds does not change."""
        options = fact.options or ()
        if about == self.typed.class_attribute and fact.options is None:
            options = self.every_class
        elif about == self.typed.allowance.attribute:
            return fact
        if fact.is_known or not options:
            return fact
        return known(run.choose(about, options, (later(question, unit, about),)))

    def in_place_of(self, enemy: Enemy) -> Newcomer:
        tables = self.typed
        facts = {about: enemy.told_of(about) for about in self.typed.needed}
        cls = self.class_from(facts)
        if tables.class_attribute and len(self.classes(cls)) > 1:
            word = enemy.one_of(tables.class_attribute, self.every_class)
            cls = word if word in tables.classes else NO_CLASS
        return Newcomer(self, cls, enemy.moving, self.as_held(facts, cls), None)

    def listed(self, about: str) -> tuple[str, ...]:
        """All values that an attribute or condition may have; empty if they are not listed."""
        known_, name = self.allowed, about.removeprefix(CONDITION)
        of = known_.conditions if about.startswith(CONDITION) else known_.attributes
        words = of[name].words if name in of and of[name].kind == "words" else ()
        other = about == self.typed.class_attribute and not self.complete.has("classes")
        return (*self.typed.classes, ANOTHER_CLASS) if other else words

    @cached_property
    def allowed(self) -> AllowedFacts:
        """The facts that a facts file may give."""
        return self.allowed_facts()

    def allowed_facts(self) -> AllowedFacts:
        """See :class:`~...allowed_facts.TellsAllowedFacts`."""
        told, own = allowed_facts(self.typed, self.game), self.book.manifest
        if not own.extends:
            return told
        return AllowedFacts(
            asked(told.attributes, own.attributes), asked(told.conditions, own.conditions)
        )

    # -- what the search goes by -------------------------------------------------------------------

    def least(self, cls: str) -> Fraction:
        """A lower bound for the cost of a step on this board, in MP."""
        tables, board, classes = self.typed, self.game.board, self.classes(cls)
        if tables.allowance.hexes:
            return Fraction(1)
        kinds = {line.kind for line in board.lines} if board.all_lines_known else set(tables.roads)
        whole = board.all_lines_known and kinds <= tables.roads.keys()
        if not self.complete.has("steps") or not (self.complete.has("roads") or whole):
            return Fraction(0)
        costs = [
            road_cost(road.cost, classes, tables.scale)
            for kind, road in tables.roads.items()
            if kind in kinds
        ]
        names = self.complete.names("terrain", tables.terrain.costs)
        every = (board.completions(one.name, names) for one in board.one_of_each_kind)
        costs += (
            entering_cost(self, classes, one.terrain or (), one.features)
            for hexes in every
            for one in hexes
        )
        for rule in tables.steps:
            if not rule.instead_of.isdisjoint(_BASE):
                costs.append(class_cost(rule.cost, classes, tables.scale) if rule.cost else FREE)
        lows = (one.lo for one in costs if not one.barred and not one.whole)
        return Fraction(min(lows, default=0), tables.scale)

    def closed(self, mover: Any, name: str) -> bool:
        """See :class:`~...ruleset.KnowsClosedHexes`: the terrain is prohibited, or may be since it is not
        known, and no step surely leads there."""
        board, tables, classes = self.game.board, self.typed, self.classes(mover.cls)
        names = self.complete.names("terrain", tables.terrain.costs)
        every = board.completions(name, names)
        costs = (entering_cost(self, classes, one.terrain or (), one.features) for one in every)
        barred = union_all(costs).barred
        told = board.hexes[name].terrain is not None and board.hex_known(name)
        some = closes_some(tables.terrain.costs.values(), classes)
        return bool(barred or (barred is None and not told and some)) and all(
            total(item.cost for item in due.items if item.clause in self.ground).barred is not False
            for near in board.neighbours(name)
            for action, due in mover.fan(near, None)[0]
            if action.to == name and action.sure
        )


def goes(enemy: Enemy) -> bool:
    """Whether an enemy could itself go into the other hex off the road."""
    step = enemy.own_step(OFF_ROAD)
    closing = enumerate(as_tables(step.rules).closing)
    return not any(step.barred(clause.run(step), number) for number, clause in closing)


def as_tables(rules: Rules) -> TableRules:
    """Rules that are known to be of this kind."""
    assert isinstance(rules, TableRules)
    return rules


def asked(
    told: Mapping[str, Allowed], own: Mapping[str, Mapping[str, Any]]
) -> Mapping[str, Allowed]:
    """The facts that the tables ask for (``told``), with the values and questions of the manifest (``own``)
    in place of theirs, and the facts that only the manifest names."""
    found = dict(told)
    for name, one in own.items():
        allowed = words(*map(str, one["values"])) if "values" in one else told.get(name, TEXT)
        found[name] = allowed.asked(one["question"])
    return found
