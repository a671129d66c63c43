"""Movers and movement graphs for a ruleset that has clauses of its own in Python."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from typing import Any, NamedTuple

from ...model.bill import Amount, Charge
from ...model.fact import MissingFact
from ...model.game import Game
from ...model.unit import Unit
from ..allowed_facts import AllowedFacts
from ..concepts.completions import Facts
from ..concepts.hex_entries import HexEntry
from ..cost_interval import CostInterval, add, adverse_steps, favourable_steps, total
from ..ruleset import Breach, Circumstances, CostBreakdown, Step, Tag, WeightedFact, World
from ..rulesets.generic.movement_graph import TableMovementGraph
from ..rulesets.generic.movers import ANOTHER_CLASS, GenericMover, MoverFactory
from ..rulesets.generic.tables import Tables
from ..rulesets.generic.zones import TableZones
from .own_clauses import Outcome, OwnClause, outcome_of
from .own_step import Mover, OwnStep


class Due(NamedTuple):
    """The effect of the clauses on a step. ``each``: (clause, outcome, cost). ``cost``: the total. ``stops``:
    whether the mover must stop; None: not known."""

    each: tuple[tuple[OwnClause, Outcome, CostInterval], ...]
    cost: CostInterval
    stops: bool | None


class OwnRules:
    """The clauses for one mover, with a memo of their effect on each step."""

    def __init__(self, clauses: tuple[OwnClause, ...], mover: Mover, scale: int) -> None:
        self._clauses = clauses
        self._mover = mover
        self._scale = scale
        self._due: dict[tuple[str, str, str], Due] = {}

    def due(self, origin: str, entry: HexEntry) -> Due:
        """The effect of the clauses on the step from ``origin`` by ``entry``."""
        key = (origin, entry.to, entry.road)
        found = self._due.get(key)
        if found is None:
            each = []
            stops: bool | None = False
            for clause in self._clauses:
                outcome = outcome_of(clause, OwnStep(self._mover, origin, entry))
                each.append((clause, outcome, outcome.cost(clause.kind, self._scale)))
                if clause.kind == "stop" and stops is not True and outcome.holds is not False:
                    stops = outcome.holds
            costs = total(cost for _, _, cost in each)
            found = self._due[key] = Due(tuple(each), costs, stops)
        return found


class OwnMovementGraph(TableMovementGraph):
    """The movement graph of the tables, with what the clauses add. See :class:`~..ruleset.MovementGraph`."""

    __slots__ = ("_own",)
    shares_bills = False

    def __init__(self, mover: OwnMover, world: World) -> None:
        super().__init__(
            mover.terrain_graph, mover.zones, mover.subject_to_zoc, mover.along, mover.asked, world
        )
        self._own = mover.own

    def steps(self, hex_name: str, tag: Tag) -> Sequence[Step]:
        """The steps open from a hex in this world."""
        opened = favourable_steps if self._world == "favourable" else adverse_steps
        here = self._zones.at(hex_name)
        found: list[Step] = []
        for step in self._terrain_graph.every_step(self._world, hex_name, tag):
            there = self._zones.at(step.to)
            own = self._own.due(hex_name, step.entry)
            extra = add(self.cost_of_enemies(here, there, step.entry), self.counted(own.cost))
            if extra.barred is True:
                continue
            stops = self._required_stop if self.required_stops(there) else step.stops
            if stops is None:
                stops = self._own_stop(hex_name, step.entry)
            cost = add(step.entry.cost, extra)
            found += opened(step.to, cost, step.tag, step.entry, stops, step.rounding)
        return found

    def _own_stop(self, origin: str, entry: HexEntry) -> Breach | None:
        """The breach of moving on after a step, by the first clause that requires a stop in this world; None:
        no clause does."""
        own = self._own.due(origin, entry)
        if own.stops is False or (self._world == "favourable" and own.stops is None):
            return None
        favourable = self._world == "favourable"
        for clause, outcome, _ in own.each:
            holds = outcome.holds
            if clause.kind == "stop" and (holds or (holds is None and not favourable)):
                return Breach(clause.clause, clause.text, entry.to, origin)
        return None

    def edges_with_violations(self, hex_name: str, tag: Tag) -> Sequence[Step]:
        """All steps out of a hex, each with the prohibitions it breaks; meant for the favourable world."""
        found = []
        for step in super().edges_with_violations(hex_name, tag):
            own = self._own.due(hex_name, step.entry)
            broken = tuple(
                Breach(clause.clause, clause.text, step.to, hex_name)
                for clause, outcome, cost in own.each
                if cost.barred is True
            )
            counted = (self.counted(t) for _, _, t in own.each if t.barred is not True)
            more = 0 if step.whole else sum(cost.lo for cost in counted)
            stops = step.stops or self._own_stop(hex_name, step.entry)
            found.append(
                step._replace(cost=step.cost + more, breaks=(*step.breaks, *broken), stops=stops)
            )
        return found

    def cost_breakdown(self, hex_name: str, tag: Tag, step: Step) -> CostBreakdown:
        """The charges of a step, amounts as far as known, and the facts that would make them exact."""
        found = super().cost_breakdown(hex_name, tag, step)
        charges, missing = [*found.charges], [*found.missing]
        for clause, outcome, whole in self._own.due(hex_name, step.entry).each:
            cost = self.counted(whole)
            if cost.barred is not True and (cost.lo or cost.hi != 0):
                high = None if cost.hi is None else self._mp(cost.hi)
                amount = Amount(self._mp(cost.lo), high)
                charges.append(Charge(step.to, amount, clause.clause, clause.text, hex_name))
            if not cost.is_exact or (clause.kind == "stop" and outcome.holds is None):
                sure = cost.barred is False and cost.hi is not None and clause.kind == "cost"
                weight = (
                    Fraction((cost.hi or 0) - cost.lo, self._terrain_graph.scale) if sure else None
                )
                missing += (WeightedFact(unknown, weight) for unknown in outcome.unknowns)
        return CostBreakdown(tuple(charges), tuple(missing))


@dataclass(frozen=True, slots=True, eq=False)
class OwnMover(GenericMover):
    """See :class:`~..ruleset.Mover`. ``own``: the clauses in Python for this mover."""

    own: OwnRules

    def graph(self, world: World) -> OwnMovementGraph:
        """The movement graph of this mover in one world."""
        return OwnMovementGraph(self, world)


def _with_another_class(allowed: AllowedFacts, tables: Tables) -> AllowedFacts:
    """``allowed``, with one more class for units if the chart of classes is not whole."""
    name = tables.class_attribute
    if not name or tables.complete.has("classes"):
        return allowed
    more = replace(allowed.attributes[name], words=(*tables.classes, ANOTHER_CLASS))
    return AllowedFacts({**allowed.attributes, name: more}, allowed.conditions)


class OwnMoverFactory(MoverFactory):
    """Makes the scenarios of every unit of a game whose ruleset has clauses in Python. ``charts``: the tables
    that only these clauses read."""

    def __init__(
        self,
        game: Game,
        tables: Tables,
        clauses: tuple[OwnClause, ...],
        allowed: AllowedFacts,
        charts: Mapping[str, Any],
    ) -> None:
        super().__init__(game, tables)
        self._charts = charts
        self._clauses = clauses
        self._allowed = _with_another_class(allowed, tables)

    def anew(self, game: Game) -> OwnMoverFactory:
        """A factory with the same tables and clauses for another game."""
        return OwnMoverFactory(game, self._tables, self._clauses, self._allowed, self._charts)

    @property
    def _may_stop(self) -> bool:
        """Whether any of the clauses requires a stop."""
        return any(clause.kind == "stop" for clause in self._clauses)

    def entered(self, unit: str, event: int) -> Amount | None:
        """As in the base. What the clauses add to the cost of coming onto the map, from a hex that is on no
        board, is not known."""
        found, rule = super().entered(unit, event), self._tables.entering
        costs = any(clause.kind == "cost" for clause in self._clauses)
        if found is None or rule is None or rule.hex != "entered" or not costs:
            return found
        return found if self._tables.hexes else Amount(found.lo, None)

    def _mover(
        self,
        unit: Unit,
        facts: Facts,
        form: str,
        zones: TableZones,
        along: tuple[bool | None, ...],
        first: tuple[MissingFact, ...],
        circumstances: Circumstances,
    ) -> OwnMover:
        found = super()._mover(unit, facts, form, zones, along, first, circumstances)
        mover = Mover(
            unit,
            facts,
            form,
            circumstances,
            zones,
            self._allowed,
            self._charts,
            self._tables.complete,
        )
        own = OwnRules(self._clauses, mover, self._tables.scale)
        held = {one.name: getattr(found, one.name) for one in fields(found)}
        return OwnMover(**held, own=own)
