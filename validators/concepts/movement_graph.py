"""The movement graph of one mover in one world: the terrain graph with what enemies add to it."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from fractions import Fraction

from ...model.bill import Amount, Charge
from ..cost_interval import FREE, CostInterval, add, adverse_steps, favourable_steps, total
from ..ruleset import START, Breach, CostBreakdown, Step, Tag, WeightedFact, World
from . import logic, missing_facts
from .hex_entries import CostItem, HexEntry, TerrainGraph
from .zones import NO_ENEMY, Presence, Zones


class ContestedGraph:
    """A terrain graph with enemies; a ruleset implements :meth:`enemy_cost_items`. See
    :class:`~..ruleset.MovementGraph`.

    ``subject_to_zoc``: whether the mover is subject to zones of control; None: not known. ``required_stop``:
    the breach of moving on after entering one; None: the mover may. ``alone``: enemies never matter.
    ``traits``: everything about the mover, apart from its class, that the cost of enemies depends on.
    """

    whole_clause = ""
    """Cited where a step takes the whole allowance."""
    shares_bills = True
    """Whether a step without enemies near costs the same for all movers that share the terrain graph."""

    __slots__ = (
        "_alone",
        "_extras",
        "_halting",
        "_memo",
        "_others",
        "_required_stop",
        "_subject_to_zoc",
        "_terrain_graph",
        "_traits",
        "_world",
        "_zones",
        "least",
    )

    def __init__(
        self,
        terrain_graph: TerrainGraph,
        zones: Zones,
        world: World,
        *,
        subject_to_zoc: bool | None = False,
        required_stop: Breach | None = None,
        alone: bool = False,
        traits: Hashable = None,
    ) -> None:
        self._terrain_graph = terrain_graph
        self._zones = zones
        self._subject_to_zoc = subject_to_zoc
        self._world = world
        self._others = zones.others
        self._required_stop = required_stop
        self._halting: dict[Presence, bool] = {}
        self._memo = terrain_graph.memo(world)
        self._alone = alone
        self._traits = (subject_to_zoc, traits)
        self._extras: dict[object, CostInterval] = terrain_graph.shared
        self.least = terrain_graph.least_in(world)

    def may_be_closed(self, hex_name: str) -> bool:
        """See :class:`~..ruleset.KnowsClosedHexes`."""
        return self._terrain_graph.may_be_closed(hex_name)

    def enemy_cost_items(
        self, here: Presence, there: Presence, entry: HexEntry
    ) -> Iterator[CostItem]:
        """What enemies add to a step. It may depend on nothing but ``here.zoc``, ``there`` and the traits.

        A ruleset for which it depends on more must override :meth:`cost_of_enemies`, whose memo has only
        these as its key. If it depends on the entry, :meth:`steps` must look at every entry.
        """
        raise NotImplementedError

    def missing(
        self, cost_item: CostItem, weight: Fraction | None, origin: str, to: str
    ) -> Iterator[WeightedFact]:
        """The facts that would make a cost item exact. ``weight``: the width of its interval in MP; None:
        without bound."""
        yield WeightedFact(missing_facts.of_board(cost_item.about, self._terrain_graph.who), weight)

    def cited(self, cost_item: CostItem) -> CostItem:
        """The cost item with the clause ids to cite."""
        return cost_item

    def counted(self, cost: CostInterval) -> CostInterval:
        """The part of a cost by enemies that counts towards the allowance."""
        return cost

    def steps(self, hex_name: str, tag: Tag) -> Sequence[Step]:
        """The steps open from a hex in this world."""
        open_steps = self._memo.get(hex_name) if tag is START else None
        if open_steps is None:
            open_steps = self._terrain_graph.steps(self._world, hex_name, tag)
        if self._alone:
            return open_steps
        others = self._others
        if others is not None and hex_name not in others:  # far from everybody, as most hexes are
            for step in open_steps:
                if step[0] in others:
                    break
            else:
                return open_steps
        return self.with_enemies(open_steps, self._zones.at(hex_name))

    def with_enemies(self, open_steps: Sequence[Step], here: Presence) -> list[Step]:
        """Those of ``open_steps`` that enemies leave open, with the costs and stops that enemies add.
        ``here``: the enemies around the hex left."""
        found: list[Step] = []
        opened = favourable_steps if self._world == "favourable" else adverse_steps
        known, look, required_stop_items = self._zones.known, self._zones.at, self._halting
        for step in open_steps:
            there = known.get(step[0]) or look(step[0])
            if there is NO_ENEMY and here is NO_ENEMY:
                found.append(step)
                continue
            extra = self.cost_of_enemies(here, there, step.entry)
            if extra.barred is True:
                continue
            required_stops = required_stop_items.get(there)
            if required_stops is None:
                required_stops = required_stop_items[there] = self.required_stops(there)
            stops = self._required_stop if required_stops else step.stops
            if extra is FREE and stops is step.stops:
                found.append(step)
            else:
                cost = add(step.entry.cost, extra)
                found += opened(step.to, cost, step.tag, step.entry, stops, step.rounding)
        return found

    def cost_of_enemies(self, here: Presence, there: Presence, entry: HexEntry) -> CostInterval:
        """The total that enemies add to a step; kept by the traits, ``here.zoc`` and ``there``."""
        key = (self._traits, here.zoc, there)
        known = self._extras.get(key)
        if known is None:
            known = self._extras[key] = self.added(here, there, entry)
        return known

    def added(self, here: Presence, there: Presence, entry: HexEntry) -> CostInterval:
        """As :meth:`cost_of_enemies`, computed without the memo."""
        cost_items = [
            self.counted(cost_item.cost) for cost_item in self.enemy_cost_items(here, there, entry)
        ]
        return total(cost_items) if cost_items else FREE

    def required_stops(self, there: Presence) -> bool:
        """Whether the mover has to stop in a hex with these enemies, in this world."""
        required_stop_items = self.required_stop_items(there)
        return (
            required_stop_items is True
            if self._world == "favourable"
            else required_stop_items is not False
        )

    def required_stop_items(self, there: Presence) -> bool | None:
        """Whether the mover has to stop in a hex with these enemies; None: not known."""
        return False if self._required_stop is None else logic.both(there.zoc, self._subject_to_zoc)

    def _stop(self, origin: str, to: str, there: Presence) -> Breach | None:
        if self._required_stop is None or not self.required_stops(there):
            return None
        return self._required_stop._replace(hex=to, origin=origin)

    def edges_with_violations(self, hex_name: str, tag: Tag) -> Sequence[Step]:
        """All steps out of a hex, each with the prohibitions it breaks; meant for the favourable world."""
        if not self.shares_bills:
            return self._edges(hex_name, tag)
        memo, key = self._terrain_graph.same_as(hex_name).edges, (self._world, hex_name, tag)
        known = memo.get(key)
        if known is not None and self._has_no_enemy_near(hex_name, known):
            return known
        found = tuple(self._edges(hex_name, tag))
        if known is None and self._has_no_enemy_near(hex_name, found):
            memo[key] = found
        return found

    def _has_no_enemy_near(self, origin: str, steps: Iterable[Step]) -> bool:
        """Whether there are no enemies in or over a hex and those that ``steps`` lead to."""
        at = self._zones.at
        return at(origin) is NO_ENEMY and all(at(step.to) is NO_ENEMY for step in steps)

    def _edges(self, hex_name: str, tag: Tag) -> list[Step]:
        """As :meth:`edges_with_violations`, computed without the memo."""
        found = []
        here = self._zones.at(hex_name)
        for entry in self._terrain_graph.entries(hex_name):
            if not self._terrain_graph.is_open(entry, tag):
                continue
            there = self._zones.at(entry.to)
            cost_items = (*entry.cost_items, *self.enemy_cost_items(here, there, entry))
            breaks = tuple(self._breaches(cost_items, hex_name, entry.to))
            cost = FREE
            for index, cost_item in enumerate(cost_items):
                if cost_item.cost.barred is not True:
                    own = index < len(entry.cost_items)
                    cost = add(cost, cost_item.cost if own else self.counted(cost_item.cost))
            stops = self._stop(hex_name, entry.to, there)
            if stops is None:
                stops = self._terrain_graph.stop(hex_name, entry, self._world)
            after = self._terrain_graph.tag_after(entry, self._world)
            lost = self._terrain_graph.rounding(entry, tag, self._world)
            for step in favourable_steps(entry.to, cost, after, entry, stops, lost):
                found.append(step._replace(breaks=breaks))
        return found

    def _breaches(self, cost_items: Iterable[CostItem], origin: str, to: str) -> Iterator[Breach]:
        for cost_item in cost_items:
            if cost_item.cost.barred is True:
                yield Breach(self.cited(cost_item).bar_clause, cost_item.text, to, origin)

    def cost_breakdown(self, hex_name: str, tag: Tag, step: Step) -> CostBreakdown:
        """The charges of a step, amounts as far as known, and the facts that would make them exact."""
        here, there = self._zones.at(hex_name), self._zones.at(step.to)
        if here is not NO_ENEMY or there is not NO_ENEMY or not self.shares_bills:
            return self._cost_breakdown(hex_name, step, here, there)
        key = (id(step.entry), step.whole)
        kept = self._terrain_graph.bills.get(key)
        if kept is None:
            kept = self._cost_breakdown(hex_name, step, here, there)
            if not kept.missing:
                self._terrain_graph.bills[key] = kept
        return kept

    def _cost_breakdown(
        self, hex_name: str, step: Step, here: Presence, there: Presence
    ) -> CostBreakdown:
        entry: HexEntry = step.entry
        charges: list[Charge] = []
        missing: list[WeightedFact] = []
        own = len(entry.cost_items)
        for index, cost_item in enumerate(
            (*entry.cost_items, *self.enemy_cost_items(here, there, entry))
        ):
            cost = cost_item.cost if index < own else self.counted(cost_item.cost)
            if cost.barred is not True and (cost.lo or cost.hi != 0):
                amount = Amount(self._mp(cost.lo), None if cost.hi is None else self._mp(cost.hi))
                charges.append(
                    Charge(
                        step.to, amount, self.cited(cost_item).clause, cost_item.reason, hex_name
                    )
                )
            if not cost.is_exact:
                open_end = cost.barred is None or cost.hi is None
                weight = None if open_end else self._mp((cost.hi or 0) - cost.lo)
                missing += self.missing(cost_item, weight, hex_name, step.to)
        if step.whole:
            reason = "takes the whole allowance"
            clause = self.cited(CostItem(FREE, self.whole_clause, reason)).clause
            charges.append(Charge(step.to, Amount.exactly(0), clause, reason, hex_name))
        if self._required_stop is not None and self.required_stop_items(there) is None:
            stop = CostItem(FREE, self._required_stop.clause, "", about=("zoc", "enter"))
            missing += self.missing(stop, None, hex_name, step.to)
        if entry.required_stop is not None and not entry.required_stop.sure:
            stop = CostItem(FREE, entry.required_stop.clause, "", about=entry.required_stop.about)
            missing += self.missing(stop, None, hex_name, step.to)
        return CostBreakdown(tuple(charges), tuple(missing))

    def _mp(self, amount: int) -> Fraction:
        return Fraction(amount, self._terrain_graph.scale)
