"""What enemies add to the terrain graph of ``ocs``: contact (6.3b), Strat Mode, overruns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from ....model.fact import MissingFact
from ....model.stanza import BLANK, pack_stanza
from ...answers import Question, answer
from ...concepts import missing_facts
from ...concepts.charts import class_cost
from ...concepts.hex_entries import CostItem, HexEntry
from ...concepts.logic import both, some
from ...concepts.movement_graph import ContestedGraph
from ...concepts.zones import Presence, Zones
from ...cost_interval import BARRED, FREE, CostInterval, optional
from ...ruleset import Breach, CostBreakdown, Requirement, Step, Tag, WeightedFact, World
from . import ruleset_facts
from .company import AbleToAttack
from .tables import Tables
from .terrain_graph import OcsTerrainGraph

CAPABLE = (Requirement("attack", (True,)),)
"""An attack-capable unit."""
_REQUIRED_STOP = Breach("OCS-6.3b-a", "goes on after an enemy zone of control", "")


class OcsMovementGraph(ContestedGraph):
    """The movement graph of one mover in one world.

    ``strat``: the mover is in Strat Mode; ``zones`` then holds the hexes next to attack-capable enemies. Else
    it holds zones of control, which affect only trucks. ``truck``: whether the mover is one; None: not known.
    ``overrun``: the mover overruns. ``went_on``: the question whether a truck moved on to an overrun after a
    zone of control; None: not asked.
    """

    __slots__ = ("_able", "_contacts", "_on", "_overrun", "_strat", "_tables", "_went_on")

    def __init__(
        self,
        terrain_graph: OcsTerrainGraph,
        zones: Zones,
        world: World,
        *,
        strat: bool,
        truck: bool | None,
        overrun: bool,
        able: AbleToAttack,
        went_on: Question | None = None,
    ) -> None:
        tables = terrain_graph.tables
        stops = truck is not False and tables.applies("6.3b-a") and not strat
        super().__init__(
            terrain_graph,
            zones,
            world,
            subject_to_zoc=True if strat else truck,
            required_stop=_REQUIRED_STOP if stops else None,
            traits=(strat, overrun),
        )
        self._tables: Tables = tables
        self._contacts: dict[tuple[str, bool | None], CostInterval] = {}
        self._strat, self._able, self._went_on = strat, able, went_on
        self._overrun = overrun and tables.applies("6.1-f")
        self._on: bool | None = None
        if self._overrun and went_on is not None:
            self._on = answer(able.situation.game, went_on)

    def may_be_closed(self, hex_name: str) -> bool:
        """See :class:`~...ruleset.KnowsClosedHexes`. Never where 6.1d itself says what follows for a unit in
        a hex that it could not enter."""
        return not self._tables.applies("6.1d-a") and super().may_be_closed(hex_name)

    def steps(self, hex_name: str, tag: Tag) -> Sequence[Step]:
        """The steps open from a hex in this world. In an overrun all entries are considered, not only the
        cheapest: it may be forbidden to use that one, such as a road."""
        if not self._overrun:
            return super().steps(hex_name, tag)
        every = tuple(self._terrain_graph.every_step(self._world, hex_name, tag))
        return self.with_enemies(every, self._zones.at(hex_name))

    def required_stops(self, there: Presence) -> bool:
        """Whether the mover must stop in a hex with these enemies, in this world. A truck that moves on to an
        overrun breaks nothing."""
        if not self._overrun or self._on is False:
            return super().required_stops(there)
        return self._on is None and self._world == "adverse" and super().required_stops(there)

    def cost_breakdown(self, hex_name: str, tag: Tag, step: Step) -> CostBreakdown:
        """The charges of a step, and the facts that would make them exact."""
        found = super().cost_breakdown(hex_name, tag, step)
        if not self._overrun or self._went_on is None or self._on is not None:
            return found
        if not super().required_stops(self._zones.at(step.to)):
            return found
        return replace(found, missing=(*found.missing, WeightedFact(self._went_on.unknown())))

    def cost_of_enemies(self, here: Presence, there: Presence, entry: HexEntry) -> CostInterval:
        """The cost that enemies add. With enemies in the hex it depends on who they are, and in an overrun
        also on the entry used."""
        if there.enemy is False:
            return super().cost_of_enemies(here, there, entry)
        if self._overrun:
            return self.added(here, there, entry)
        key = (entry.to, here.zoc)  # which enemies are in it counts, not by what way one comes
        known = self._contacts.get(key)
        if known is None:
            known = self._contacts[key] = self.added(here, there, entry)
        return known

    def enemy_cost_items(
        self, here: Presence, there: Presence, entry: HexEntry
    ) -> Iterator[CostItem]:
        """What enemies add to a step."""
        if self._strat and there.zoc is not False:
            text = "comes next to an attack-capable enemy in Strat Mode"
            cost = optional(BARRED, there.zoc)
            yield CostItem(cost, "OCS-X-5.S", text, "OCS-X-5.S", text, ("zoc", "enter"))
        if there.enemy is False:
            return
        if self._overrun:
            for cost_item in self._overrun_cost_items(entry):
                yield cost_item._replace(cost=optional(cost_item.cost, there.enemy))
        elif self._tables.applies("6.3b-b"):
            text = "enters a hex with an attack-capable enemy without an overrun"
            barred = self._is_barred(entry.to)
            if barred is not False:
                cost = BARRED if barred else CostInterval(0, 0, None)
                yield CostItem(cost, "OCS-6.3b-b", text, "OCS-6.3b-b", text, ("enemy",))

    def _is_barred(self, name: str) -> bool | None:
        """Whether enemies bar a hex; None: not known. Enemies able to attack do; others only by one reading
        of 4.8c (``enter_unable``)."""
        enemies = self._zones.enemies(name)
        held = some(both(sure, self._is_able(unit, name)) for unit, sure in enemies)
        reading = self._tables.reading("enter_unable")
        if held or reading is not False:
            return None if held is False and reading is None else held
        return some(sure for _, sure in enemies)

    def _is_able(self, unit: str, name: str) -> bool | None:
        return both(self._zones.meets(unit, CAPABLE), self._able.reaches(unit, name, name))

    def _overrun_cost_items(self, entry: HexEntry) -> Iterator[CostItem]:
        """The cost and the prohibitions of an overrun into the hex of ``entry`` (6.1f, 8.1c, 8)."""
        tables, terrain_graph = self._tables, self._terrain_graph
        assert isinstance(terrain_graph, OcsTerrainGraph)
        cost = class_cost(tables.surcharge, terrain_graph.classes, terrain_graph.scale)
        surcharge = cost._replace(barred=cost.barred or False, whole=False)
        yield CostItem(surcharge, "OCS-6.1-f", "overrun", "OCS-6.1-f", about=("cost", "overrun"))
        if entry.road and tables.applies("X-8.1c"):
            text = "uses a road or bridge in an overrun"
            yield CostItem(BARRED, "OCS-X-8.1c", text, "OCS-X-8.1c", text)
        if tables.applies("X-8.x"):
            hex_cost = terrain_graph.entering(terrain_graph.board.hexes[entry.to]).cost
            most = int(tables.overrun_dearest * terrain_graph.scale)
            whole = hex_cost if entry.road else entry.cost
            if not hex_cost.barred:
                text = f"overruns into a hex that costs {tables.overrun_dearest} or more"
                sides = tables.reading("overrun_hexsides")
                least, dearest = (
                    (whole if sides else hex_cost),
                    (whole if sides is not False else hex_cost),
                )
                known = least.barred is False and least.lo >= most
                cheap = dearest.barred is False and dearest.hi is not None and dearest.hi < most
                bar = BARRED if known else FREE if cheap else CostInterval(0, 0, None)
                by_reading = sides is None and hex_cost.is_exact and whole.is_exact
                about = ("overrun",) if by_reading else ("overrun", entry.to)
                yield CostItem(bar, "OCS-X-8.x", text, "OCS-X-8.x", text, about)

    def missing(
        self, cost_item: CostItem, weight: Fraction | None, origin: str, to: str
    ) -> Iterator[WeightedFact]:
        """The facts that would make a cost item exact."""
        match cost_item.about:
            case ("enemy",):
                yield from (WeightedFact(unknown, weight) for unknown in self._of_enemies(to))
            case ("zoc", _):
                yield from (
                    WeightedFact(unknown, weight) for unknown in self._zones.missing_over(to)
                )
            case ("bridging", *own):
                terrain_graph = self._terrain_graph
                assert isinstance(terrain_graph, OcsTerrainGraph)
                if terrain_graph.bridging is None:
                    yield WeightedFact(missing_facts.of_condition("bridging"), weight)
                elif own[0] == "hexside cost":
                    yield WeightedFact(terrain_graph.cost_of("bridged", *own[1:]), weight)
                else:
                    cost_item = cost_item._replace(about=tuple(own))
                    yield from super().missing(cost_item, weight, origin, to)
            case ("bridge",):
                yield WeightedFact(ruleset_facts.reading("bridge_opens"), weight)
            case ("overrun",):
                yield WeightedFact(ruleset_facts.reading("overrun_hexsides"), weight)
            case ("overrun", name):
                terrain_graph = self._terrain_graph
                assert isinstance(terrain_graph, OcsTerrainGraph)
                entering = terrain_graph.entering(terrain_graph.board.hexes[name])
                if not entering.cost.is_exact:
                    yield from self.missing(entering, weight, origin, to)
                for entry in terrain_graph.entries(origin):
                    open_cost_items = (
                        t for t in entry.cost_items if entry.to == name and not t.cost.is_exact
                    )
                    for other in open_cost_items:
                        yield from self.missing(other, weight, origin, to)
            case (table, *names) if table in (
                "terrain cost",
                "hexside cost",
                "road cost",
                "bridge cost",
            ):
                terrain_graph = self._terrain_graph
                assert isinstance(terrain_graph, OcsTerrainGraph)
                yield WeightedFact(
                    terrain_graph.cost_of(table.removesuffix(" cost"), *names), weight
                )
            case ("cost", "overrun"):
                yield WeightedFact(_SURCHARGE, weight)
                yield from (WeightedFact(unknown, weight) for unknown in self._zones.missing_in(to))
            case _:
                yield from super().missing(cost_item, weight, origin, to)

    def _of_enemies(self, name: str) -> Iterator[MissingFact]:
        """The facts that would tell whether enemies bar a hex."""
        able = [
            unknown
            for unit, _ in self._zones.enemies(name)
            if self._zones.meets(unit, CAPABLE)
            for unknown in self._able.missing(unit, name, name)
        ]
        unknowns = (*self._zones.missing_in(name, CAPABLE), *able)
        yield from unknowns
        if not unknowns and self._tables.reading("enter_unable") is None:
            yield ruleset_facts.reading("enter_unable")


_SURCHARGE = MissingFact(
    "cost of overrun",
    "how many MPs does an overrun cost besides?",
    "facts.toml",
    pack_stanza("rules", "overrun", "surcharge", entry=BLANK),
)
