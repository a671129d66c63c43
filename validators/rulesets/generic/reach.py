"""Zones of control that end where the unit that exerts them may not go; and what class a unit may be of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ....model.fact import Fact, MissingFact
from ...concepts import missing_facts
from ...concepts.charts import NO_CLASS
from ...concepts.hex_entries import CostItem, HexEntry
from ...concepts.logic import negation
from ...concepts.requirements import unmet
from ...ruleset import Situation
from .ruleset_facts import cost_question, of_cost
from .step_rules import Applied, missing
from .tables import Tables

if TYPE_CHECKING:
    from .movers import MoverFactory


@dataclass(frozen=True, slots=True)
class ByClass:
    """Zones of control that end where the unit's own class may not go. See
    :class:`~...concepts.zones.Reach`."""

    tables: Tables
    situation: Situation
    mover_factory: MoverFactory

    def _classes(self, unit: str) -> tuple[str, ...]:
        attribute = self.tables.class_attribute
        facts = {attribute: self.situation.fact(unit, attribute)} if attribute else {}
        return classes_of(self.tables, facts)

    def _entry(self, unit: str, origin: str, target: str) -> HexEntry:
        """The unit's step into a neighbouring hex off the road."""
        terrain_graph = self.mover_factory.terrain_graph(
            self._classes(unit), applied=self._applied(unit)
        )
        return next(e for e in terrain_graph.entries(origin) if e.to == target and not e.road)

    def reaches(self, unit: str, origin: str, target: str) -> bool | None:
        """Whether the unit's zone of control extends to a neighbouring hex; None: not known."""
        return negation(self._entry(unit, origin, target).cost.barred)

    def _applied(self, unit: str) -> tuple[Applied, ...]:
        if not self.tables.steps:
            return ()
        return self.mover_factory.applied(self.mover_factory.facts(unit, self.situation))

    def missing(self, unit: str, origin: str, target: str) -> Iterator[MissingFact]:
        """The facts that would decide :meth:`reaches`."""
        if len(self._classes(unit)) > 1 and self.tables.class_attribute:
            whose = self.situation.game.units[unit]
            yield missing_facts.of_unit(whose, self.tables.class_attribute)
            return
        for cost_item in self._entry(unit, origin, target).cost_items:
            if cost_item.cost.barred is None:
                yield from self._missing(cost_item, unit, origin, target)

    def _missing(
        self, cost_item: CostItem, unit: str, origin: str, target: str
    ) -> Iterator[MissingFact]:
        """The facts that would tell whether a cost item of the step prohibits it."""
        board, classes = self.situation.game.board, self._classes(unit)
        match cost_item.about:
            case ("cost", *names):
                yield cost_question(self.tables, cost_item.clause, names, classes)
            case ("terrain",) | ("besides", *_):
                besides = cost_item.about[1:]
                yield missing_facts.of_board(("terrain", target, *besides), "")
            case ("levels",):
                for name in (origin, target):
                    if board.level_of(name) is None:
                        yield missing_facts.of_board(("levels", name), "")
            case ("step", number):
                yield from self._missing_of_step(int(number), unit, origin, target)
            case about:
                yield missing_facts.of_board(about, "")

    def _missing_of_step(
        self, number: int, unit: str, origin: str, target: str
    ) -> Iterator[MissingFact]:
        """The facts that would tell whether a rule about steps prohibits the step."""
        rule, game = self.tables.step_rule(number), self.situation.game
        facts = self.mover_factory.facts(unit, self.situation)
        yield from (d.unknown for d in unmet(game.units[unit], rule.requirements, facts))
        for about in missing(rule, game.board, origin, target):
            yield missing_facts.of_board(about, "")
        classes = self._classes(unit)
        if rule.cost is not None and any(rule.cost[name].kind == "unknown" for name in classes):
            yield of_cost(self.tables, ("steps", str(number - 1), "cost"), (rule.reason,), classes)


def classes_of(tables: Tables, facts: Mapping[str, Fact]) -> tuple[str, ...]:
    """The movement classes that a unit may be of. NO_CLASS stands for a class that the tables do not name."""
    whole = tables.complete.has("classes")
    every = tables.classes if whole else (*tables.classes, NO_CLASS)
    if not tables.class_attribute:
        return every[:1] if whole else every
    options = facts[tables.class_attribute].options
    if options is None:
        return every
    names = (o if o in tables.classes else NO_CLASS for o in map(str, options))
    return tuple(dict.fromkeys(names))
