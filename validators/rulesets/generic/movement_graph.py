"""The movement graph of one mover of ``generic``: the terrain graph with what enemies and friends add."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from ....model.fact import MissingFact
from ...concepts import missing_facts
from ...concepts.charts import Costs
from ...concepts.hex_entries import CostItem, HexEntry, about_lines_in
from ...concepts.logic import both, some
from ...concepts.movement_graph import ContestedGraph
from ...concepts.zones import Presence, Zones
from ...cost_interval import BARRED, FREE, CostInterval, optional
from ...ruleset import Breach, CostBreakdown, Step, Tag, WeightedFact, World
from .ruled_step import rule_cost_item
from .ruleset_facts import cost_question, of_cost
from .step_rules import StepRule, friends_fit, missing
from .terrain_graph import TableTerrainGraph
from .zones import AHEAD, TableZones, friendly, in_zone, met

SUBJECT_TO_ZOC = "zoc"
Asked = Mapping[str, tuple[MissingFact, ...]]
_ZOC_KEYS = (
    ("enter", "GEN-ZOC-ENTER", "enters an enemy zone of control"),
    ("leave", "GEN-ZOC-LEAVE", "leaves an enemy zone of control"),
    ("within", "GEN-ZOC-WITHIN", "goes from one enemy zone of control to another"),
)
_REQUIRED_STOP = Breach("GEN-ZOC-STOP", "goes on after an enemy zone of control", "")


class TableMovementGraph(ContestedGraph):
    """The movement graph by the tables.

    ``subject_to_zoc``: for each rule on zones of control, whether the mover is subject to it; None: not
    known. ``along``: for each kind of friends, whether any move along and enter hexes first; None: not
    known. ``asked``: the missing facts about the mover, by what depends on them: :data:`SUBJECT_TO_ZOC` and
    the number of a rule, the reason of a surcharge, the key of a rule about steps.
    """

    whole_clause = "GEN-WHOLE"
    __slots__ = ("_along", "_asked", "_kinds", "_subject_to_zoc_rules", "_tables")

    def __init__(
        self,
        terrain_graph: TableTerrainGraph,
        zones: Zones,
        subject_to_zoc: tuple[bool | None, ...],
        along: tuple[bool | None, ...],
        asked: Asked,
        world: World,
    ) -> None:
        tables = terrain_graph.tables
        stopping = [number for number, zoc in enumerate(tables.zocs) if zoc.stop]
        required_stop = None
        if stopping:
            required_stop = _REQUIRED_STOP._replace(
                clause=tables.citations.row("zoc", stopping[0], _REQUIRED_STOP.clause)
            )
        kinds = tables.friends
        alone = not tables.zocs and tables.enemy is None and not kinds
        super().__init__(
            terrain_graph,
            zones,
            world,
            required_stop=required_stop,
            alone=alone,
            traits=(subject_to_zoc, along),
        )
        self._asked = asked
        self._subject_to_zoc_rules = subject_to_zoc
        self._along = along
        self._kinds = {needs: number for number, needs in enumerate(kinds)}
        self._tables = tables

    def _by_class(self, costs: Costs) -> CostInterval:
        assert isinstance(self._terrain_graph, TableTerrainGraph)
        return self._terrain_graph.by_class(costs)

    def _zoc_cost(self, key: str, number: int) -> CostInterval:
        """The cost for this class of entering, leaving or moving within a zone of control (``key``), by the
        rule with that number."""
        found = self._extras.get((key, number))
        if found is None:
            costs: Costs | None = getattr(self._tables.zocs[number], key)
            found = FREE if costs is None else self._by_class(costs)
            self._extras[key, number] = found
        return found

    def required_stop_items(self, there: Presence) -> bool | None:
        """Whether the mover has to stop in a hex with these enemies; None: not known."""
        return some(
            both(in_zone(there, number), self._subject_to_zoc_rules[number])
            for number, zoc in enumerate(self._tables.zocs)
            if zoc.stop
        )

    def cited(self, cost_item: CostItem) -> CostItem:
        """The cost item with the clauses to cite."""
        return self._tables.citations.cost_item(cost_item)

    def counted(self, cost: CostInterval) -> CostInterval:
        """The part of a cost that counts: where hexes are counted instead of MPs, enemies add no number."""
        if not self._tables.hexes:
            return cost
        return CostInterval(0, 0, cost.barred, cost.whole)

    def enemy_cost_items(
        self, here: Presence, there: Presence, entry: HexEntry
    ) -> Iterator[CostItem]:
        """What enemies add to a step."""
        rule, text = self._tables.enemy, "enters an enemy-occupied hex"
        complete = self._tables.complete
        if there.enemy is not False and rule is not None:
            bar = optional(BARRED, complete.stated("enemy_hex", there.enemy))
            yield CostItem(bar, "GEN-ENEMY", text, "GEN-ENEMY", text, ("enemy",))
        due = complete.stated("enemy_hex", met(there))
        if due is not False and rule is not None and rule.cost is not None:
            cost, what = optional(self._by_class(rule.cost), due), "enemy-occupied hex"
            yield CostItem(cost, "GEN-ENEMY", what, "GEN-ENEMY", text, ("enemy", "cost"))
        for number, subject_to_zoc in enumerate(self._subject_to_zoc_rules):
            into, out = (
                both(in_zone(there, number), subject_to_zoc),
                both(in_zone(here, number), subject_to_zoc),
            )
            if into is False and out is False:
                continue
            for key, clause, what in _ZOC_KEYS:
                holds = {"enter": into, "leave": out}.get(key, both(into, out))
                cost = self._zoc_cost(key, number)
                if holds is not False and cost != FREE:
                    about = ("zoc", key, str(number))
                    yield CostItem(optional(cost, holds), clause, what, clause, what, about)
        yield from self._friends_cost_items(there, entry)

    def _friends_cost_items(self, there: Presence, entry: HexEntry) -> Iterator[CostItem]:
        """The cost items of the rules that ask for friends in the hex entered."""
        assert isinstance(self._terrain_graph, TableTerrainGraph)
        for number, fits in entry.marks:
            rule = self._tables.step_rule(number)
            holds = both(fits, friends_fit(rule, self._friends(rule, there)))
            if holds is not False:
                yield rule_cost_item(self._terrain_graph, rule, holds)

    def _friends(self, rule: StepRule, there: Presence) -> bool | None:
        """Whether the friends that a rule asks for are in a hex, including those that move along and enter it
        first; None: not known."""
        kind = self._kinds[rule.friend]
        return some((friendly(there, len(self._subject_to_zoc_rules), kind), self._along[kind]))

    def cost_of_enemies(self, here: Presence, there: Presence, entry: HexEntry) -> CostInterval:
        """The total that enemies and friends add to a step, kept by all that it depends on."""
        key = (
            self._traits,
            here.zoc,
            here.more[1 : len(self._subject_to_zoc_rules)],
            there,
            entry.marks,
        )
        known = self._extras.get(key)
        if known is None:
            known = self._extras[key] = self.added(here, there, entry)
        return known

    def cost_breakdown(self, hex_name: str, tag: Tag, step: Step) -> CostBreakdown:
        """The charges of a step, and the facts that would make them exact. If a road must have been followed
        from the start and not all roads are known, the lines in the hex left are asked for as well."""
        found = super().cost_breakdown(hex_name, tag, step)
        if step.entry.needs is None or self._terrain_graph.whole_lines:
            return found
        about = about_lines_in(self._terrain_graph.board, hex_name)
        missing_fact = WeightedFact(
            missing_facts.of_board(about, self._terrain_graph.who), Fraction(0)
        )
        return replace(found, missing=(*found.missing, missing_fact))

    def missing(
        self, cost_item: CostItem, weight: Fraction | None, origin: str, to: str
    ) -> Iterator[WeightedFact]:
        """The facts that would make a cost item exact."""
        match cost_item.about:
            case ("enemy", *costs):
                rule = self._tables.enemy
                for unknown in self._tables.complete.questions("enemy_hex"):
                    yield WeightedFact(unknown, weight)
                    return
                if costs and rule is not None and rule.cost is not None:
                    cost, at = self._by_class(rule.cost), ("enemy_hex", "cost")
                    yield from self._cost_missing(cost, "enemy-occupied hex", weight, at)
                for unknown in self._zones.missing_in(to):
                    yield WeightedFact(unknown, weight)
            case ("zoc", key, *which):
                for unknown in self._tables.complete.questions("zoc"):
                    yield WeightedFact(unknown, weight)
                    return
                for number, zoc in enumerate(self._tables.zocs):
                    if which == [str(number)] or (not which and zoc.stop):
                        yield from self._zoc_rule_missing(key, number, weight, origin, to)
            case ("terrain",) | ("besides", *_):  # no hex: those of one kind share their cost items
                about = ("terrain", to, *cost_item.about[1:])
                yield WeightedFact(missing_facts.of_board(about, self._terrain_graph.who), weight)
            case ("levels",):
                for name in (origin, to):
                    if self._terrain_graph.board.level_of(name) is None:
                        yield WeightedFact(
                            missing_facts.of_board(("levels", name), self._terrain_graph.who),
                            weight,
                        )
            case ("extra", reason):
                for unknown in self._asked.get(reason, ()):
                    yield WeightedFact(unknown, weight)
                for number, row in enumerate(self._tables.surcharges):
                    if row.reason == reason:
                        place = ("surcharges", str(number), "cost")
                        yield from self._cost_missing(
                            self._by_class(row.cost), reason, weight, place
                        )
            case ("cost", *names):
                assert isinstance(self._terrain_graph, TableTerrainGraph)
                classes = self._terrain_graph.classes
                yield WeightedFact(
                    cost_question(self._tables, cost_item.clause, names, classes), weight
                )
            case ("step", number):
                yield from self._step_missing(int(number), weight, origin, to)
            case _:
                yield from super().missing(cost_item, weight, origin, to)

    def _step_missing(
        self, number: int, weight: Fraction | None, origin: str, to: str
    ) -> Iterator[WeightedFact]:
        """The facts that would tell whether a rule is about a step, and what the step then costs."""
        assert isinstance(self._terrain_graph, TableTerrainGraph)
        rule = self._tables.step_rule(number)
        for unknown in self._asked.get(rule.key, ()):
            yield WeightedFact(unknown, weight)
        for about in missing(rule, self._terrain_graph.board, origin, to):
            yield WeightedFact(missing_facts.of_board(about, self._terrain_graph.who), weight)
        if rule.friends is not None and self._friends(rule, self._zones.at(to)) is None:
            assert isinstance(self._zones, TableZones)
            first = self._asked.get(AHEAD, ())
            for unknown in (*self._zones.missing_of_friends(to, rule.friend), *first):
                yield WeightedFact(unknown, weight)
        if rule.cost is not None:
            place = ("steps", str(number - 1), "cost")
            yield from self._cost_missing(self._by_class(rule.cost), rule.reason, weight, place)

    def _cost_missing(
        self, cost: CostInterval, what: str, weight: Fraction | None, place: tuple[str, ...]
    ) -> Iterator[WeightedFact]:
        """The question about a cost at ``place`` of the tables, if ``cost`` is not exact."""
        if not cost.is_exact:
            yield WeightedFact(self._of_cost(place, (what,)), weight)

    def _of_cost(self, place: tuple[str, ...], names: Sequence[str]) -> MissingFact:
        assert isinstance(self._terrain_graph, TableTerrainGraph)
        return of_cost(self._tables, place, names, self._terrain_graph.classes)

    def _zoc_rule_missing(
        self, key: str, number: int, weight: Fraction | None, origin: str, to: str
    ) -> Iterator[WeightedFact]:
        """The facts that would tell whether the zones of control of one rule matter to a step, and what they
        cost."""
        place = ("zoc", key) if len(self._tables.zocs) == 1 else ("zoc", str(number), key)
        yield from self._cost_missing(self._zoc_cost(key, number), f"zoc.{key}", weight, place)
        assert isinstance(self._zones, TableZones)
        zones = self._zones.by_rule(number)
        for name in {"enter": (to,), "leave": (origin,)}.get(key, (origin, to)):
            for unknown in (
                *self._asked.get(f"{SUBJECT_TO_ZOC} {number}", ()),
                *zones.missing_over(name),
            ):
                yield WeightedFact(unknown, weight)
