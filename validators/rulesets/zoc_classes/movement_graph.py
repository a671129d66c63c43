"""The movement graph of one mover in one world: the costs of the chart, the surcharges that enemies cause,
and the restrictions of a forced march."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from ....model.bill import Amount, Charge
from ....model.fact import MissingFact
from ....model.stanza import BLANK, Entry
from ....model.unit import Unit
from ...concepts import missing_facts
from ...concepts.hex_entries import CostItem, HexEntry
from ...cost_interval import BARRED, CostInterval, favourable_steps, total
from ...ruleset import Breach, CostBreakdown, Step, Tag, WeightedFact, World
from . import ruleset_facts
from .enemy_surcharges import EnemySurcharges, Kind, cost_of, dearer, named
from .enemy_zocs import EnemyZocs, Levels
from .tables import LEVELS
from .terrain_graph import ZcTerrainGraph
from .zoc_screening import ZocScreening

ENTERED: Tag = "entered a ZOC"
"""The tag of a forced march that has entered a ZOC, if that matters for its roll."""
PARTIAL, FULL = 1, 2
"""The ZOC classes that matter for the roll of a forced march."""


@dataclass(frozen=True, slots=True)
class Traits:
    """Everything about a mover that its movement graph depends on, apart from the terrain graph.

    ``kind``: what the surcharges depend on. ``march``: whether it force marches. The other two are for forced
    marches. ``touches``: the ZOC classes of the hexes that it may leave or enter, besides none; None if any.
    ``entered_by``: the hex where the march ends, if it must have entered a ZOC on the way; '' if it need not.
    """

    kind: Kind
    march: bool = False
    touches: frozenset[int] | None = None
    entered_by: str = ""


class ZcMovementGraph:
    """See :class:`~...ruleset.MovementGraph`. Steps are cached, as several searches may use one graph."""

    __slots__ = (
        "_edges_with_violations",
        "_enemy_zocs",
        "_open",
        "_screening",
        "_steps",
        "_surcharges",
        "_terrain_graph",
        "_traits",
        "_unit",
        "_world",
        "least",
    )

    def __init__(
        self,
        terrain_graph: ZcTerrainGraph,
        enemy_zocs: EnemyZocs,
        surcharges: EnemySurcharges,
        screening: ZocScreening,
        world: World,
        traits: Traits,
        unit: Unit,
    ) -> None:
        self._terrain_graph = terrain_graph
        self._enemy_zocs = enemy_zocs
        self._surcharges = surcharges
        self._screening = screening
        self._world = world
        self._traits = traits
        self._unit = unit
        self._open = surcharges.open[world]
        self._steps: dict[tuple[str, Tag], list[Step]] = {}
        self._edges_with_violations: dict[tuple[str, Tag], list[Step]] = {}
        self.least = terrain_graph.least

    def may_be_closed(self, hex_name: str) -> bool:
        """See :class:`~...ruleset.KnowsClosedHexes`."""
        return self._terrain_graph.may_be_closed(hex_name)

    def steps(self, hex_name: str, tag: Tag) -> Sequence[Step]:
        """The legal steps from a hex in this world."""
        if self._traits.march:
            return self._known(self._marched, hex_name, tag, self._steps)
        found = self._open.get(hex_name)
        return (
            self._surcharges.steps(self._world, hex_name, self._screening)
            if found is None
            else found
        )

    def _known(
        self,
        work_out: Callable[[str, Tag], list[Step]],
        here: str,
        tag: Tag,
        kept: dict[tuple[str, Tag], list[Step]],
    ) -> Sequence[Step]:
        """The result of ``work_out``, cached in ``kept``."""
        found = kept.get((here, tag))
        if found is None:
            found = kept[here, tag] = work_out(here, tag)
        return found

    def _marched(self, here: str, tag: Tag) -> list[Step]:
        """The legal steps of a forced march. All entries are tried, not only the cheapest into each hex: the
        cheapest may be off the road into a hex that is not clear."""
        found: list[Step] = []
        world = self._world
        self._enemy_zocs.no_enemy_near(here)
        out = self._surcharges.out_of(world, here, self._screened(here))
        if out is None:
            return []
        for step in self._terrain_graph.cached_steps(world, here):
            self._enemy_zocs.no_enemy_near(step.to)
            more = self._surcharges.into(world, here, step.to, self._screened(step.to))
            extra = cost_of(world, total(t.cost for t in self._marching(here, step.entry)))
            if more is not None and extra is not None:
                found.append(self._reaching(dearer(step, out + more + extra), tag))
        return found

    def _reaching(self, step: Step, tag: Tag) -> Step:
        """``step`` with the tag and ``passing`` that record whether the march has entered a ZOC. Unchanged if
        that does not matter."""
        goal = self._traits.entered_by
        if not goal:
            return step
        levels = self._enemy_zocs.levels(step.to)
        kind = self._world == "favourable"
        found = levels.hi if kind else levels.lo
        other = levels.lo if kind else levels.hi
        entered = tag == ENTERED or (found >= PARTIAL and other <= FULL)
        after = ENTERED if entered else step.tag
        return step._replace(tag=after, passing=step.to == goal and not entered)

    def _screened(self, name: str) -> bool | None:
        """Whether a hex is screened; None if it may be. False without a look if no enemy is near."""
        return False if self._enemy_zocs.surely_no_enemy_near(name) else self._screening.over(name)

    def _cost_items(self, here: str, entry: HexEntry) -> Iterable[CostItem]:
        """The cost items of an entry besides those of the chart, with its prohibitions."""
        found = self._surcharges.cost_items(
            here, entry.to, self._screened(here), self._screened(entry.to)
        )
        return (*found, *self._marching(here, entry)) if self._traits.march else found

    def _marching(self, here: str, entry: HexEntry) -> Iterator[CostItem]:
        """The prohibitions on a forced march: to leave clear hexes and roads (6.F-c), and to touch a ZOC of a
        class that its roll does not include (6.F-M5)."""
        tables, clear = self._enemy_zocs.tables, self._enemy_zocs.tables.march_clear
        terrain = self._terrain_graph.board.hexes[entry.to].terrain
        if not entry.road and tables.applies("6.F-c") and not clear.issuperset(terrain or ("?",)):
            text = "force marches into a hex that is not clear, off the roads"
            listed = tables.open_charts.has("march")
            cost = BARRED if terrain is not None and listed else CostInterval(0, 0, None)
            about: tuple[str, ...] = ("terrain", entry.to) if terrain is None else ("march",)
            yield CostItem(cost, "ZC-6.F-c", text, "ZC-6.F-c", text, about)
        if self._traits.touches is not None:
            for name in (here, entry.to):
                levels = self._enemy_zocs.levels(name)
                shut = self._shut(levels)
                if shut is not False:
                    text = f"touches {named(levels)}"
                    about = ("zoc", name, "march")
                    yield CostItem(
                        CostInterval(0, 0, shut), "ZC-6.F-M5", text, "ZC-6.F-M5", text, about
                    )

    def _shut(self, levels: Levels) -> bool | None:
        """Whether a hex with such a ZOC is closed to the march; None if it may be. The text does not say
        whether double and triple ZOCs count as full ones."""
        touches = self._traits.touches or frozenset()
        answers: set[bool | None] = set()
        for level in range(levels.lo, levels.hi + 1):
            if level <= FULL:
                answers.add(level != 0 and level not in touches)
            else:
                answers.add(False if FULL in touches else None)
        return answers.pop() if len(answers) == 1 else None

    def edges_with_violations(self, hex_name: str, tag: Tag) -> Sequence[Step]:
        """All steps, legal or not, each with the prohibitions that it breaks. Costs are those of the
        favourable world."""
        return self._known(self._anyhow, hex_name, tag, self._edges_with_violations)

    def _anyhow(self, hex_name: str, tag: Tag) -> list[Step]:
        found = []
        for entry in self._terrain_graph.entries(hex_name):
            cost_items = (*entry.cost_items, *self._cost_items(hex_name, entry))
            breaks = tuple(self._breaches(cost_items, hex_name, entry.to))
            cost = total(
                cost_item.cost for cost_item in cost_items if cost_item.cost.barred is not True
            )
            for step in favourable_steps(
                entry.to, cost, self._terrain_graph.tag_after(entry, self._world), entry
            ):
                found.append(self._reaching(step._replace(breaks=breaks), tag))
        return found

    def _breaches(self, cost_items: Iterable[CostItem], origin: str, to: str) -> Iterator[Breach]:
        for cost_item in cost_items:
            if cost_item.cost.barred is True:
                yield Breach(cost_item.bar_clause, cost_item.text, to, origin)

    def cost_breakdown(self, hex_name: str, tag: Tag, step: Step) -> CostBreakdown:
        """The charges of a step and the facts missing to make them exact. Cached in the surcharges, and so
        shared by several movers, if no fact is missing and the mover does not force march."""
        if self._traits.march:
            return self._cost_breakdown(hex_name, step)
        entry: HexEntry = step.entry
        key = (id(entry), self._screened(hex_name), self._screened(entry.to))
        found = self._surcharges.cost_breakdowns.get(key)
        if found is None:
            found = self._cost_breakdown(hex_name, step)
            if not found.missing:  # a missing fact may name the mover
                self._surcharges.cost_breakdowns[key] = found
        return found

    def _cost_breakdown(self, hex_name: str, step: Step) -> CostBreakdown:
        entry: HexEntry = step.entry
        charges: list[Charge] = []
        missing: list[WeightedFact] = []
        for cost_item in (*entry.cost_items, *self._cost_items(hex_name, entry)):
            cost = cost_item.cost
            if cost.barred is not True and (cost.lo or cost.hi != 0):
                amount = Amount(self._mp(cost.lo), None if cost.hi is None else self._mp(cost.hi))
                charges.append(
                    Charge(step.to, amount, cost_item.clause, cost_item.reason, hex_name)
                )
            if not cost.is_exact:
                open_end = cost.barred is None or cost.hi is None
                weight = None if open_end else self._mp((cost.hi or 0) - cost.lo)
                missing += (WeightedFact(unknown, weight) for unknown in self.asked(cost_item))
        return CostBreakdown(tuple(charges), tuple(missing))

    def asked(self, cost_item: CostItem) -> Iterator[MissingFact]:
        """The missing facts that would make a cost item exact, by its field ``about``."""
        match cost_item.about:
            case ("zoc", name, _):
                yield from self._zoc_asked(name, cost_item)
            case ("contact", name, origin):
                yield from self._contact_asked(name, origin)
            case ("overrun", name):
                yield ruleset_facts.of_hex("overrun", name)
            case ("march",):
                yield self._enemy_zocs.tables.open_charts.question("march")
            case ("overrun cost",):
                text = "how many MPs does an overrun cost besides the hex (Rule 12)?"
                yield ruleset_facts.cost("overrun", text, "overrun", "cost")
            case ("interdiction", name):
                if self._enemy_zocs.interdicted(name) is None:
                    yield ruleset_facts.of_hex("interdiction", name)
                elif self._traits.kind.night is None:
                    yield missing_facts.of_condition("night")
                else:
                    text = "what does a hex under interdiction cost besides, by day?"
                    key = "interdiction for a unit by day"
                    yield ruleset_facts.cost(key, text, "interdiction", "cost")
            case ("reading", option):
                yield ruleset_facts.reading(option)
            case ("weather", *zones):
                yield missing_facts.of_condition(" ".join(("weather", *zones)))
            case ("cost", part, weather, *names):
                terrain_graph = self._terrain_graph
                columns = terrain_graph.cost_basis.columns
                yield ruleset_facts.cell(
                    terrain_graph.tables, columns, part, weather, names, terrain_graph.who
                )
            case ("column",):
                yield missing_facts.of_unit(self._unit, "column")
            case ("rating",):
                yield missing_facts.of_unit(self._unit, "ma")
            case _:
                yield missing_facts.of_board(cost_item.about, self._terrain_graph.who)

    def _zoc_asked(self, name: str, cost_item: CostItem) -> Iterator[MissingFact]:
        """The missing facts about the ZOC in a hex, about the mover, or about the screen over the hex."""
        enemy_zocs, kind = self._enemy_zocs, cost_item.about[2]
        if not enemy_zocs.levels(name).known:
            yield from enemy_zocs.missing(name)
            return
        if kind == "leave" and self._traits.kind.german is None:
            told = enemy_zocs.zones.fact(self._unit.id, "nationality").options is not None
            yield missing_facts.of_unit(self._unit, "class" if told else "nationality")
        if kind == "leave" and self._traits.kind.leaves is None:
            yield ruleset_facts.reading("advance_leaves")
        if enemy_zocs.fort(name) is None:
            yield ruleset_facts.of_hex("fort", name)
        elif kind == "leave" and enemy_zocs.fort(name):
            yield ruleset_facts.reading("forts")
        if kind != "march" and self._screening.over(name) is None:
            yield self._screening.question(name)
        elif kind == "leave" and self._screening.over(name):
            yield ruleset_facts.reading("screened_leave")
        elif kind != "march" and self._screening.over(name):
            text = "what does it cost to enter a screened hex, by its ZOC from none to triple?"
            costs: Entry = [0, *(BLANK for _ in LEVELS[1:])]
            yield ruleset_facts.cost(
                "a screened hex for units", text, "zoc", "screened", entry=costs
            )

    def _contact_asked(self, name: str, origin: str) -> Iterator[MissingFact]:
        """The missing facts that decide whether a hex with enemies may be entered from ``origin``."""
        if self._enemy_zocs.into(name, origin):
            yield ruleset_facts.of_hex("overrun", name)
            return
        found = []
        for unit, _ in self._enemy_zocs.zones.enemies(name):
            found += list(self._enemy_zocs.missing_of(unit, name, "zoc"))
        yield from dict.fromkeys(found)
        if not found:
            yield ruleset_facts.of_hex("zoc", origin)

    def _mp(self, amount: int) -> Fraction:
        return Fraction(amount, self._terrain_graph.scale)
