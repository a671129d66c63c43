"""The movement graph of infantry and of guns moved by their crews. They move in any direction; enemies bar
hexes, and barbed wire stops infantry."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from ...answers import answer
from ...concepts import missing_facts
from ...concepts.hex_entries import CostItem, HexEntry
from ...concepts.movement_graph import ContestedGraph
from ...concepts.zones import Presence, Zones
from ...cost_interval import BARRED, CostInterval, optional
from ...ruleset import Breach, CostBreakdown, Step, Tag, WeightedFact, World
from . import ruleset_facts
from .tables import INFANTRY
from .terrain_graph import VvTerrainGraph

_WIRE = Breach("VV-20.8-a", "goes on after entering barbed wire", "")


def enemy_cost_item(
    terrain_graph: VvTerrainGraph, there: Presence, to: str, text: str
) -> CostItem | None:
    """The cost item of the prohibition to enter a hex with enemies (6.8), or with enemies in a fortification
    (20.3). None if it does not apply. ``there``: the enemies in the hex."""
    tables = terrain_graph.tables
    fort = terrain_graph.has(terrain_graph.board.hexes[to], tables.works.fortifications)
    clause = "20.3-b" if fort else "6.8-a"
    if there.enemy is False or not tables.applies(clause):
        return None
    cost = optional(BARRED, there.enemy)
    if cost != BARRED:
        cost = CostInterval(0, 0, None)
    return CostItem(cost, f"VV-{clause}", text, f"VV-{clause}", text, ("enemy",))


class FootMovementGraph(ContestedGraph):
    """See :class:`~...ruleset.MovementGraph`. ``assaulting``: the move is a close assault, which may enter a
    hex with enemies. ``perhaps``: it may be one, so ask whether the hex was taken. ``start``: the hex where
    the move begins."""

    whole_clause = "VV-10.7-b"

    __slots__ = ("_assaulting", "_graph", "_perhaps", "_start", "_wired")

    def __init__(
        self,
        terrain_graph: VvTerrainGraph,
        zones: Zones,
        world: World,
        *,
        assaulting: bool = False,
        perhaps: bool = False,
        start: str = "",
    ) -> None:
        super().__init__(terrain_graph, zones, world, traits=(assaulting, perhaps))
        self._perhaps = perhaps
        self._start = start
        self._graph = terrain_graph
        self._assaulting = assaulting
        wired = (
            terrain_graph.column == INFANTRY
            and not terrain_graph.one_hex
            and terrain_graph.tables.applies("20.8-a")
        )
        self._wired = terrain_graph.wire if wired else {}

    def enemy_cost_items(
        self, here: Presence, there: Presence, entry: HexEntry
    ) -> Iterator[CostItem]:
        """The prohibition to enter a hex with enemies, unless it was taken by close assault."""
        if there.enemy is False or self._assaulting:
            return
        text = "enters a hex with enemy units without a close assault"
        cost_item = enemy_cost_item(self._graph, there, entry.to, text)
        if cost_item is not None and self._perhaps:
            taken = answer(self._graph.game, ruleset_facts.taken(entry.to))
            if taken is None:
                cost_item = cost_item._replace(
                    cost=CostInterval(0, 0, None), about=("assault", entry.to)
                )
            elif taken:
                return
        if cost_item is not None:
            yield cost_item

    def cost_of_enemies(self, here: Presence, there: Presence, entry: HexEntry) -> CostInterval:
        """The cost that enemies add to an entry. It also depends on the hex entered, so the cache key has
        it."""
        if there.enemy is not False:
            key = (self._traits, there, entry.to)
            found = self._extras.get(key)
            if found is None:
                found = self._extras[key] = self.added(here, there, entry)
            return found
        return super().cost_of_enemies(here, there, entry)

    def steps(self, hex_name: str, tag: Tag) -> Sequence[Step]:
        """The legal steps from a hex in this world. Those into barbed wire stop infantry."""
        found = super().steps(hex_name, tag)
        return self._halted(found, hex_name)

    def edges_with_violations(self, hex_name: str, tag: Tag) -> Sequence[Step]:
        """All steps, legal or not, each with the prohibitions that it breaks."""
        found = super().edges_with_violations(hex_name, tag)
        if hex_name != self._start:
            found = [self._climbed(step, hex_name) for step in found]
        return self._halted(found, hex_name)

    def _climbed(self, step: Step, origin: str) -> Step:
        """``step`` with the breach of going two levels at once, which is allowed only as the whole move
        (10.7-b). Unchanged if it does not do so. Used for steps that are not the first."""
        if not step.whole:
            return step
        text = "goes two levels at once after other hexes"
        broken = Breach("VV-10.7-b", text, step.to, origin)
        return step._replace(whole=False, breaks=(*step.breaks, broken))

    def _halted(self, steps: Sequence[Step], origin: str) -> Sequence[Step]:
        """``steps`` with a stop on those into barbed wire. Where it is not known whether there is wire, only
        in the adverse world."""
        wired = self._wired
        if wired.keys().isdisjoint(self._graph.board.neighbours(origin)):
            return steps
        sure = self._world == "favourable"
        return [
            step._replace(stops=_WIRE._replace(hex=step.to, origin=origin))
            if step.to in wired and (wired[step.to] or not sure)
            else step
            for step in steps
        ]

    def cost_breakdown(self, hex_name: str, tag: Tag, step: Step) -> CostBreakdown:
        """The charges of a step, and the facts missing to make them exact, with the question whether there is
        wire."""
        found = super().cost_breakdown(hex_name, tag, step)
        if step.to in self._wired and self._wired[step.to] is None:
            about = self._graph.asked_of(self._graph.board.hexes[step.to])
            missing_fact = WeightedFact(missing_facts.of_board(about, self._graph.who))
            found = CostBreakdown(found.charges, (*found.missing, missing_fact))
        return found

    def missing(
        self, cost_item: CostItem, weight: Fraction | None, origin: str, to: str
    ) -> Iterator[WeightedFact]:
        """The missing facts that would make a cost item exact."""
        if cost_item.about == ("enemy",):
            yield from (WeightedFact(unknown, weight) for unknown in self._zones.missing_in(to))
        else:
            yield from self._terrain_graph_missing(cost_item, weight)

    def _terrain_graph_missing(
        self, cost_item: CostItem, weight: Fraction | None
    ) -> Iterator[WeightedFact]:
        terrain_graph = self._graph
        yield WeightedFact(
            ruleset_facts.of(cost_item.about, terrain_graph.who, terrain_graph.column), weight
        )
