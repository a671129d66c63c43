"""The movement graph of one unit in one world: the terrain graph with enemies, obstacles and the unit's other
actions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache

from ....model.bill import Amount, Charge
from ....model.fact import MissingFact
from ...concepts import logic, missing_facts
from ...concepts.hex_entries import CostItem, HexEntry, about_hex
from ...concepts.zones import NO_ENEMY, Zones
from ...cost_interval import (
    BARRED,
    FREE,
    CostInterval,
    add,
    adverse_steps,
    favourable_steps,
    optional,
    total,
    union,
)
from ...ruleset import START, Breach, CostBreakdown, Step, Tag, WeightedFact, World
from . import ruleset_facts
from .obstacles import MINES, TRAP, WIRE, ObstaclesNow
from .road_networks import SNOW_BRIDGE
from .tables import VEHICLES, WADI, Tables
from .terrain_graph import TideTerrainGraph
from .traits import MoveSegments, Traits

HOP = "carried"
"""``Step.entry`` of a leg on which the unit was carried."""
HALTED = "halted"
"""The last part of the tag of a unit that had to stop and can only be carried on."""
NOWHERE: frozenset[str] = frozenset()


class TideMovementGraph:
    """See :class:`~...ruleset.MovementGraph`.

    A unit that only moves by itself has the tag START throughout. If it was carried or has surcharges to pay,
    the tag is (number of hops made, whether the surcharges are paid); they are paid with its first step of
    its own."""

    def __init__(
        self,
        terrain_graph: TideTerrainGraph,
        zones: Zones,
        obstacles: ObstaclesNow,
        traits: Traits,
        segments: MoveSegments,
        world: World,
    ) -> None:
        self._terrain_graph, self._zones, self._obstacles = terrain_graph, zones, obstacles
        self._tables: Tables = terrain_graph.tables
        self._traits, self._segments, self._world = traits, segments, world
        self._due = total(cost_item.cost for _, cost_item in segments.surcharges)
        self._plain = segments.plain
        self._overruns = traits.tank if terrain_graph.tables.applies("MV-d") else False
        self._shut = self._overruns is False and terrain_graph.tables.applies("MV-c")
        """Whether hexes with enemies are closed to it: MV-c applies, and it certainly cannot overrun."""
        self._near = terrain_graph.board.neighbours
        self._around: dict[str, tuple[str, ...]] = {}
        self._entries: dict[str, CostInterval] = {}
        self._others = None if zones.others is None else zones.others.keys()
        self._memo = terrain_graph.memo(world)
        self._rolls: frozenset[str] = NOWHERE
        """The hexes from which a step may need a roll that can stop it. Squads never roll."""
        if traits.of("squad") is not True:
            self._rolls = terrain_graph.rolls
        self._found: dict[tuple[str, Tag], Sequence[Step]] = {}
        self.least = 0 if segments.hops else terrain_graph.least

    def may_be_closed(self, hex_name: str) -> bool:
        """See :class:`~...ruleset.KnowsClosedHexes`."""
        return self._terrain_graph.may_be_closed(hex_name)

    def steps(self, hex_name: str, tag: Tag) -> Sequence[Step]:
        """The legal steps from a hex in this world."""
        if self._plain and hex_name not in self._rolls:
            disturbed = self._around.get(hex_name)
            if disturbed is None:
                disturbed = self._disturbed(hex_name)
            if not disturbed:
                found = self._memo.get(hex_name)
                return (
                    self._terrain_graph.steps(self._world, hex_name, START)
                    if found is None
                    else found
                )
            return self._past(hex_name, disturbed)
        key = (hex_name, tag)
        if key not in self._found:
            self._found[key] = tuple(self._open(hex_name, tag))
        return self._found[key]

    def _disturbed(self, here: str) -> tuple[str, ...]:
        """The neighbours of ``here`` in which there are, or may be, enemies or obstacles."""
        found = self._around.get(here)
        if found is None:
            near, others, obstacles = self._near(here), self._others, self._obstacles.hexes
            found = ()
            if others is None or not (obstacles.isdisjoint(near) and others.isdisjoint(near)):
                at = self._zones.at
                hit = [
                    to
                    for to in near
                    if to in obstacles
                    or ((others is None or to in others) and at(to) is not NO_ENEMY)
                ]
                found = tuple(hit)
            self._around[here] = found
        return found

    def _past(self, here: str, disturbed: tuple[str, ...]) -> Sequence[Step]:
        """The steps of a unit that only moves by itself, from a hex next to enemies or obstacles.
        ``disturbed``: the neighbours in which these may be."""
        key = (here, START)
        found = self._found.get(key)
        if found is None:
            terrain_graph, surcharges, at = self._terrain_graph, self._entries, self._zones.at
            steps = [
                s for s in terrain_graph.steps(self._world, here, START) if s[0] not in disturbed
            ]
            entries = terrain_graph.entries_by_hex(here)
            for to in disturbed:
                entering = surcharges.get(to) or self._entry(to)
                if entering.barred is not True:
                    no_enemy_near = at(to) is NO_ENEMY
                    for entry in entries[to]:
                        steps += self._into(here, entry, no_enemy_near)
            found = self._found[key] = steps
        return found

    def _into(self, here: str, entry: HexEntry, no_enemy_near: bool) -> tuple[Step, ...]:
        """The steps of one entry into a hex with obstacles, or with enemies (then ``no_enemy_near`` is
        False).

        Without enemies, they are the same for all movers that share the terrain graph and have the same
        ``key``, so they are cached."""
        if not no_enemy_near:
            return self._crossing(here, entry)
        traits, kept = self._traits, self._obstacles.steps
        key = (self._world, id(entry), traits.engineer, traits.assaults, self._from_afar(entry.to))
        found = kept.get(key)
        if found is None:
            found = self._crossing(here, entry)
            kept[key] = found
        return found

    def _crossing(self, here: str, entry: HexEntry) -> tuple[Step, ...]:
        """The steps of one entry, for a unit that only moves by itself."""
        to, entering = entry.to, self._entry(entry.to)
        cost = entry.cost if entering is FREE else add(entry.cost, entering)
        opened = favourable_steps if self._world == "favourable" else adverse_steps
        stops = None if self._obstacles.free(to) else self._stop(here, to)
        return opened(to, cost, START, entry, stops)

    def _open(self, here: str, tag: Tag) -> Iterator[Step]:
        yield from self._hops(here, tag)
        opened = favourable_steps if self._world == "favourable" else adverse_steps
        if self._walks(tag):
            for entry in self._terrain_graph.entries(here):
                cost = add(entry.cost, self._entry(entry.to))
                if not self._paid(tag):
                    cost = add(cost, self._due)
                if cost.barred is True:
                    continue
                for after, stops in self._after(tag, here, entry.to):
                    yield from opened(entry.to, cost, after, entry, stops)

    def edges_with_violations(self, hex_name: str, tag: Tag) -> Sequence[Step]:
        """All steps from a hex, each with the prohibitions that it breaks. Used in the favourable world
        only."""
        found = [*self._hops(hex_name, tag)]
        if not self._walks(tag):
            return found
        for entry in self._terrain_graph.entries(hex_name):
            cost_items = (*entry.cost_items, *self._added(entry, tag))
            breaks = tuple(self._breaches(cost_items, hex_name, entry.to))
            cost = FREE
            for cost_item in cost_items:
                if cost_item.cost.barred is not True:
                    cost = add(cost, cost_item.cost)
            for after, stops in self._after(tag, hex_name, entry.to):
                for step in favourable_steps(entry.to, cost, after, entry, stops):
                    found.append(step._replace(breaks=breaks))
        return found

    def cost_breakdown(self, hex_name: str, tag: Tag, step: Step) -> CostBreakdown:
        """The charges of a step, with ranges for amounts that are not exactly known, and the missing
        facts."""
        entry = step.entry
        if not isinstance(entry, HexEntry):
            return CostBreakdown(())
        no_enemy_near = self._plain and hex_name not in self._rolls
        if not no_enemy_near or entry.to in (
            self._around.get(hex_name) or self._disturbed(hex_name)
        ):
            return self._cost_breakdown(hex_name, tag, entry)
        # Without enemies and obstacles, the charges of an entry are the same for every unit of the class.
        kept = self._terrain_graph.bills.get(id(entry))
        if kept is None:
            kept = self._cost_breakdown(hex_name, tag, entry)
            if not kept.missing:
                self._terrain_graph.bills[id(entry)] = kept
        return kept

    def _cost_breakdown(self, hex_name: str, tag: Tag, entry: HexEntry) -> CostBreakdown:
        charges: list[Charge] = []
        missing: list[WeightedFact] = []
        for place, cost_item in self._named(entry, tag):
            cost = cost_item.cost
            if cost.barred is not True and (cost.lo or cost.hi != 0):
                amount = _amount(cost.lo, cost.hi, self._terrain_graph.scale)
                charges.append(Charge(place, amount, cost_item.clause, cost_item.reason, hex_name))
            if not cost.is_exact:
                open_end = cost.barred is None or cost.hi is None
                weight = None if open_end else self._mp((cost.hi or 0) - cost.lo)
                missing += self._missing(cost_item, weight, entry.to)
        for _, holds, unknowns in self._stops(hex_name, entry.to):
            if holds is None:
                missing += [WeightedFact(unknown) for unknown in unknowns]
        return CostBreakdown(tuple(charges), tuple(missing))

    def _named(self, entry: HexEntry, tag: Tag) -> Iterator[tuple[str, CostItem]]:
        """The cost items of a step, each with the hex for which it is charged."""
        if not self._paid(tag):
            yield from self._segments.surcharges
        for cost_item in (*entry.cost_items, *self._enemies(entry.to), *self._closed(entry.to)):
            yield entry.to, cost_item

    def _entry(self, to: str) -> CostInterval:
        """The cost of what is in hex ``to``, enemies and obstacles, which is the same for every entry."""
        found = self._entries.get(to)
        if found is None:
            enemy = self._zones.at(to).enemy
            if self._shut and enemy:
                found = BARRED
            else:
                cost_items = [] if enemy is False else [*self._enemies(to)]
                if not self._obstacles.free(to):
                    cost_items += self._closed(to)
                found = total(t.cost for t in cost_items) if cost_items else FREE
            self._entries[to] = found
        return found

    def _added(self, entry: HexEntry, tag: Tag) -> Iterator[CostItem]:
        """The cost items of a step that are not those of terrain."""
        if not self._paid(tag) and self._due != FREE:
            yield CostItem(self._due, "", "")
        yield from self._enemies(entry.to)
        yield from self._closed(entry.to)

    def _hops(self, here: str, tag: Tag) -> Iterator[Step]:
        number, paid = _read(tag)
        hops = self._segments.hops
        if number < len(hops) and hops[number][0] == here:
            yield Step(hops[number][1], 0, (number + 1, paid), entry=HOP)

    def _walks(self, tag: Tag) -> bool:
        if isinstance(tag, tuple) and tag[-1] == HALTED:
            return False
        return self._world == "favourable" or self._segments.walks[_read(tag)[0]]

    def _paid(self, tag: Tag) -> bool:
        return not self._segments.surcharges or _read(tag)[1]

    def _after(self, tag: Tag, here: str, to: str) -> Iterator[tuple[Tag, Breach | None]]:
        """For a step of its own: the tag after it, and the breach of moving on from there (None: it may move
        on). Where it must stop, it may still be carried away; that is a second outcome."""
        stops = self._stop(here, to)
        if self._segments.plain:
            yield START, stops
            return
        number = _read(tag)[0]
        yield (number, True), stops
        hops = self._segments.hops
        if stops is not None and number < len(hops) and hops[number][0] == to:
            yield (number, True, HALTED), None

    def _enemies(self, to: str) -> Iterator[CostItem]:
        """The cost items for enemies in a hex: it is closed (MV-c), except to tanks, which overrun (X-OV-a)
        but may not end their movement there (X-OV-b)."""
        enemy = self._zones.at(to).enemy
        if enemy is False:
            return
        tables, about = self._tables, ("enemy",)
        overruns = self._overruns
        shut = CostItem(FREE, "TOI-MV-c", "", "TOI-MV-c", "enters a hex with enemies", about)
        closed = optional(BARRED, enemy) if tables.applies("MV-c") else FREE
        if overruns is False:
            yield shut._replace(cost=closed)
            return
        cost = optional(self._overrun(to), enemy) if tables.applies("X-OV-a") else FREE
        if to == self._traits.end and tables.applies("X-OV-b"):
            text = "ends in a hex with enemies, which it may only overrun"
            ends: bool | None = enemy
            if self._traits.goes_on:
                ends = logic.both(enemy, self._traits.ended)
            stop = FREE if ends is False else optional(BARRED, ends)
            stays = CostItem(stop, "TOI-X-OV-b", "", "TOI-X-OV-b", text, about)
            yield stays if overruns else stays._replace(cost=union(stays.cost, closed))
        if overruns is None:
            cost = union(cost, closed)
        yield CostItem(cost, "TOI-X-OV-a", "overrun", "TOI-X-OV-a", shut.text, about)

    def _overrun(self, to: str) -> CostInterval:
        """The cost of overrunning the enemies in a hex: 1 MP (by the chart) for each of their units. Riders
        do not certainly count: at least none of them, at most those that may not be riding."""
        least = most = 0
        for unit, sure in self._zones.enemies(to):
            riding = self._traits.card(unit, "aboard")
            alone = riding.must_be("no") or self._traits.card(unit, "class").value in VEHICLES
            least += bool(sure and alone)
            most += alone or riding.may_be("no")
        price = self._tables.expenses["overrun"]
        each = price.numerator * self._terrain_graph.scale // price.denominator
        return CostInterval(least * each, most * each)

    def _closed(self, to: str) -> Iterator[CostItem]:
        """The prohibitions of entering a hex with a tank trap (X-TT-a), or, before an assault, one with wire
        or mines (X-AS-c)."""
        traits, lies = self._traits, self._obstacles.at
        if self._obstacles.free(to):
            return
        trapped = logic.both(lies(to, TRAP), traits.of(*VEHICLES))
        if trapped is not False and self._from_afar(to) and self._tables.applies("X-TT-a"):
            text = "enters a hex with a tank trap, but did not start next to it"
            about = ("obstacle", TRAP, to)
            yield CostItem(optional(BARRED, trapped), "TOI-X-TT-a", "", "TOI-X-TT-a", text, about)
        if traits.assaults and self._tables.applies("X-AS-c"):
            for kind in (WIRE, MINES):
                there = lies(to, kind)
                if there is not False:
                    text = f"enters a hex with {kind} before it assaults"
                    cost, about = optional(BARRED, there), ("obstacle", kind, to)
                    yield CostItem(cost, "TOI-X-AS-c", "", "TOI-X-AS-c", text, about)

    def _from_afar(self, to: str) -> bool:
        """Whether it began to move by itself in a hex that is not a neighbour of ``to``."""
        start = self._traits.start
        return bool(start) and to not in self._near(start)

    def _stop(self, here: str, to: str) -> Breach | None:
        for breach, holds, _ in self._stops(here, to):
            if holds or (holds is None and self._world == "adverse"):
                return breach
        return None

    def _stops(
        self, here: str, to: str
    ) -> Iterator[tuple[Breach, bool | None, tuple[MissingFact, ...]]]:
        """The stops that may be required after a step, as (breach of moving on, whether the stop is required,
        missing facts that decide it). None: not known whether it is required."""
        if here in self._rolls:
            yield from self._rolled(here, to)
        if self._obstacles.free(to):
            return
        traits, tables = self._traits, self._tables
        soft = logic.both(traits.of("squad"), logic.negation(traits.engineer))
        caught = logic.some((soft, traits.of("truck", "light")))
        for kind, who, clause in ((WIRE, caught, "X-RW-a"), (TRAP, traits.of(*VEHICLES), "X-TT-b")):
            there = self._obstacles.at(to, kind)
            holds = logic.both(there, who)
            if holds is not False and tables.applies(clause):
                text = f"goes on after it entered {kind} in {to}"
                unknowns = [self._obstacle(to, kind)] if there is None else []
                if who is None:
                    unknowns += self._class()
                    if kind == WIRE and traits.engineer is None and traits.of("squad") is not False:
                        unknowns.append(missing_facts.of_unit(traits.unit, "engineer"))
                yield Breach(f"TOI-{clause}", text, to, here), holds, tuple(unknowns)

    def _class(self) -> list[MissingFact]:
        """The missing fact: what is the unit's class? None if it is known."""
        known = len(set(self._traits.classes)) == 1 and all(self._traits.classes)
        return [] if known else [missing_facts.of_unit(self._traits.unit, "class")]

    def _rolled(
        self, here: str, to: str
    ) -> Iterator[tuple[Breach, bool | None, tuple[MissingFact, ...]]]:
        """The stops by a failed roll: of a truck on a snow bridge, of a vehicle that enters or leaves a wadi.
        As in :meth:`_stops`."""
        traits, tables = self._traits, self._tables
        board = self._terrain_graph.board
        wet = [board.has(name, (WADI,)) for name in (here, to)]
        snow = logic.both(traits.of("truck"), board.has(to, (SNOW_BRIDGE,)))
        rim = None if None in wet else wet[0] != wet[1]
        edge_of_wadi = logic.every((traits.of(*VEHICLES), rim, tables.wadi))
        for rolls, clause in ((snow, "X-BR-b"), (edge_of_wadi, "X-WA-a")):
            if rolls is False or not tables.applies(clause):
                continue
            stopped = None if traits.stalled is None else to == traits.stalled
            holds = logic.both(rolls, stopped)
            if holds is not False:
                text = f"goes on after a failed roll stopped it in {to}"
                unknowns = [ruleset_facts.roll(traits.unit)] if stopped is None else []
                if rolls is None:
                    unknowns += self._class()
                yield (
                    Breach(f"TOI-{clause}", text, to, here),
                    holds,
                    tuple(unknowns),
                )

    def _obstacle(self, name: str, kind: str) -> MissingFact:
        """The missing fact: is there an obstacle of ``kind`` in a hex?"""
        board = self._terrain_graph.board
        if board.has(name, (kind,)) is None:
            return missing_facts.of_board(about_hex(board, name), "")
        return ruleset_facts.obstacle(kind, name).unknown()

    def _breaches(self, cost_items: Iterable[CostItem], origin: str, to: str) -> Iterator[Breach]:
        for cost_item in cost_items:
            if cost_item.cost.barred is True:
                yield Breach(cost_item.bar_clause, cost_item.text, to, origin)

    def _missing(
        self, cost_item: CostItem, weight: Fraction | None, to: str
    ) -> Iterator[WeightedFact]:
        """The missing facts that would make a cost item exact, each with ``weight``."""
        traits = self._traits
        if cost_item.about == ("enemy",):
            unknowns = [*self._zones.missing_in(to)]
            if traits.tank is None:
                unknowns.append(missing_facts.of_unit(traits.unit, "tank"))
            if cost_item.bar_clause == "TOI-X-OV-b" and traits.goes_on and traits.ended is None:
                unknowns.append(ruleset_facts.end(traits.unit, to).unknown())
            for unit, _ in self._zones.enemies(to):
                if not traits.card(unit, "aboard").is_known and traits.tank is not False:
                    unknowns.append(
                        missing_facts.of_unit(self._terrain_graph.game.units[unit], "aboard")
                    )
        elif cost_item.about[:1] == ("obstacle",):
            kind = cost_item.about[1]
            lies = self._obstacles.at(to, kind)
            unknowns = [self._obstacle(to, kind)] if lies is None else []
            if kind == TRAP and traits.of(*VEHICLES) is None:
                unknowns += self._class()
        else:
            unknowns = [ruleset_facts.of(cost_item.about, self._terrain_graph.who, traits.unit)]
        yield from (WeightedFact(unknown, weight) for unknown in unknowns)

    def _mp(self, amount: int) -> Fraction:
        return Fraction(amount, self._terrain_graph.scale)


@lru_cache(maxsize=1024)
def _amount(lo: int, hi: int | None, scale: int) -> Amount:
    """A cost in MPs, from bounds in 1/scale MP; ``hi`` None: no upper bound."""
    return Amount(Fraction(lo, scale), None if hi is None else Fraction(hi, scale))


def _read(tag: Tag) -> tuple[int, bool]:
    return tag[:2] if isinstance(tag, tuple) else (0, False)
