"""The movement graph of one mover in one world: tactical movement, and what all forms of movement share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from ....model.bill import Amount, Charge
from ...concepts import logic
from ...concepts.hex_entries import CostItem
from ...cost_interval import BARRED, CostInterval, add, optional
from ...ruleset import START, Breach, CostBreakdown, Rounding, Step, Tag, WeightedFact, World
from . import missing_step_facts
from .crossing import (
    MEUSE,
    SEVERAL,
    CachedStep,
    Crossing,
    UndisturbedExits,
    in_time,
    overrun_by,
    takes_all,
    too_late,
)
from .neighbourhood_keys import NOBODY, UNTOLD
from .open_readings import of_reading
from .other_units import MovementProfile, OtherUnits
from .overrun import AGAIN
from .terrain_graph import WarHexEntry
from .water import PERHAPS_BARRED

STOPS = {
    "WAR-5.3.1-a": "goes on next to two enemy strength points under fire of their artillery",
    "WAR-5.3.1-b": "goes on next to two enemy strength points and heavy AT or Flak",
    "WAR-5.3.1-c": "goes on next to two enemy strength points in works",
    "WAR-5.6.3-b": "goes on by road after joining a Mech unit",
    "WAR-5.5-f": "goes on after a rough hex entered off the road in Prepared Assault",
    "WAR-5.8.2": "goes more than one hex with artillery In Battery",
    "WAR-5.5-g": "goes on next to an enemy in Prepared Assault",
    MEUSE: "goes on after crossing a major river",
}


_MOST_KEPT = 100_000


class TacticalMovementGraph:
    """See :class:`~...ruleset.MovementGraph`. A tag is (the constricted-terrain tag, see
    :class:`WarTerrainGraph`; the enemy hex overrun by the last step, '' if none; all enemy hexes overrun so
    far)."""

    def __init__(self, profile: MovementProfile, world: World) -> None:
        self.profile, self.world = profile, world
        self.terrain_graph, self.neighbourhood = profile.terrain_graph, profile.neighbourhood
        self.tables = profile.neighbourhood.tables
        self.scale = self.tables.scale
        self.other_units = OtherUnits(profile)
        self.least = self._least()
        self._steps: dict[tuple[str, Tag], Sequence[Step]] = {}
        self._edges_with_violations: dict[tuple[str, Tag], list[Step]] = {}
        self._alone = False
        kind = (type(self), world, profile.one_hex, profile.strategic)
        self._undisturbed = self.terrain_graph.undisturbed_steps.setdefault(kind, {})
        move_kind = (type(self), *profile.move_kind)
        self._kept = self.terrain_graph.kept_for(move_kind)
        self._opened = self.terrain_graph.kept_for((*move_kind, world))
        self._ends_at = "" if profile.may_not_stop_near_enemy is False else profile.ends_at
        self._about = profile.neighbourhood_keys.__getitem__
        self._may_overrun = profile.overrun.closed is None
        self._forgets = False
        self._forgetting: TacticalMovementGraph | None = None

    def may_be_closed(self, hex_name: str) -> bool:
        """See :class:`~...ruleset.KnowsClosedHexes`."""
        return self.terrain_graph.may_be_closed(hex_name)

    def forgetting(self) -> TacticalMovementGraph:
        """This graph with at most one overrun hex in its tags: a relaxation. It allows every route that this
        graph allows, at the same cost, and in addition routes that overrun a hex twice, or ignore all enemies
        after a second overrun. This graph itself if its tags never hold an overrun hex."""
        if not self._may_overrun or not self.profile.exploit:
            return self
        if self._forgetting is None:
            self._forgetting = type(self)(self.profile, self.world)
            self._forgetting._forgets = True
        return self._forgetting

    def allows(self, steps: Sequence[Step]) -> bool:
        """Whether a route found in the relaxed graph overruns one hex at the most, and that once
        (5.10.1-d)."""
        overrun: set[str] = set()
        for step in steps:
            if step.to in overrun or overrun_by(step.tag) == SEVERAL:
                return False
            if isinstance(step.tag, tuple):
                overrun.add(step.tag[1])
        return True

    def _least(self) -> int:
        return self.terrain_graph.least_tactical

    def no_enemy_near(self, hex_name: str) -> bool:
        """Whether other units certainly do not affect the entry into a hex."""
        return (
            self._alone
            or self.neighbourhood.nobody_near(hex_name)
            or self.other_units.asks_nothing(hex_name)
        )

    def entries(self, here: str, tag: Tag) -> Sequence[WarHexEntry]:
        """The hex entries open to a mover with this tag, before prohibitions."""
        entered = tag[0] if isinstance(tag, tuple) else None
        return self.terrain_graph.tactical(here, entered)

    def closed_entries(self, here: str, tag: Tag) -> Iterator[tuple[WarHexEntry, Breach]]:
        """Entries that are closed to this form of movement, each with the breach of using it."""
        return iter(())

    def tag_after(self, here: str, tag: Tag, entry: WarHexEntry) -> Tag:
        """The tag after using ``entry``."""
        return (entry.entered, self._overrun_after(entry), self.overruns(tag, entry))

    def overruns(self, tag: Tag, entry: WarHexEntry) -> tuple[str, ...]:
        """All enemy hexes overrun after using ``entry``; in the relaxed graph :data:`SEVERAL` if there are
        more than one."""
        before, now = overrun_by(tag), self._overrun_after(entry)
        if not now or now in before:
            return before
        return SEVERAL if before and self._forgets else (*before, now)

    def overrun_again(self, tag: Tag, entry: WarHexEntry) -> Iterator[CostItem]:
        """The prohibition of entering a hex that the mover has already overrun on the way (5.10.1-d), if it
        applies or may apply."""
        if self._alone or self._forgets or entry.to not in overrun_by(tag):
            return
        if not self.tables.applies("5.10.1-d"):
            return
        allowed = self.tables.says("overrun_hex_again")
        if allowed:
            return
        cost = PERHAPS_BARRED if allowed is None else BARRED
        cost = optional(cost, self.neighbourhood.occupied(entry.to))
        about = ("reading", "5.10.3-c")
        yield CostItem(cost, "WAR-5.10.1-d", AGAIN, "WAR-5.10.1-d", AGAIN, about)

    def _overrun_after(self, entry: WarHexEntry) -> str:
        to = entry.to
        if not self.profile.exploit or self.no_enemy_near(to):
            return ""
        return to if self.neighbourhood.occupied(to) is not False else ""

    def rounding(self, tag: Tag, entry: WarHexEntry) -> Rounding | None:
        """How the MPs spent so far are rounded before ``entry`` is paid; None if they are not rounded."""
        return None

    def own_cost_items(self, here: str, tag: Tag, entry: WarHexEntry) -> Iterator[CostItem]:
        """The cost items of the entry itself and of the form of movement."""
        yield from entry.cost_items
        yield from self.overrun_again(tag, entry)

    def outer_cost_items(self, here: str, tag: Tag, entry: WarHexEntry) -> Iterator[CostItem]:
        """The cost items of water and of other units."""
        if entry.at_water:
            yield from self.other_units.water(here, entry, alone=self._alone)
        if not self._alone:
            yield from self.other_units.cost_items(here, entry, overrun_by(tag))

    def own_stops(self, here: str, entry: WarHexEntry) -> Iterator[tuple[str, bool | None]]:
        """The clauses by which this form of movement stops, enemies apart: True if it must, None if it may
        have to."""
        return iter(())

    def stops(self, here: str, tag: Tag, entry: WarHexEntry) -> tuple[tuple[str, bool | None], ...]:
        """The clauses by which the mover must stop after ``entry`` (True) or may have to (None)."""
        found = [*self.own_stops(here, entry)]
        if self.profile.one_hex:
            found.append(("WAR-5.8.2", True))
        if not self.no_enemy_near(entry.to):
            found += self._stops_by_enemies(tag, entry)
        return tuple(found)

    def _stops_by_enemies(self, tag: Tag, entry: WarHexEntry) -> Iterable[tuple[str, bool | None]]:
        """The stops of 5.3.1. A mover ignores the enemies that it overruns while it is in their hex and when
        it leaves that; whether it does so on its way round their hex is an open reading of 5.10.3."""
        last = self._overrun_after(entry) or str(tag[1] if isinstance(tag, tuple) else "")
        found = self.profile.contact.stops(entry.to, frozenset((last,)))
        earlier, on = overrun_by(tag), self.tables.says("ignore_overrun_on")
        if not found or not earlier or on is False:
            return found
        if earlier == SEVERAL:
            return ()
        spared = self.profile.contact.stops(entry.to, frozenset((last, *earlier)))
        if on:
            return spared
        return [(clause, dict(spared).get(clause) and answer) for clause, answer in found]

    def crossing(self, here: str, tag: Tag, entry: WarHexEntry) -> Crossing:
        """The full result of a step. It does not depend on the world."""
        if self._alone:
            return self._cross(here, tag, entry)
        found = self._keep(here, tag, entry)
        if found is not None:
            return found.crossing
        # The terrain graph keeps its entries alive, so no other object can reuse the id of one.
        key = (tag, id(entry), self._forgets)
        crossing = self.profile.crossings.get(key)
        if crossing is None:
            crossing = self.profile.crossings[key] = self._cross(here, tag, entry)
        return crossing

    def _keep(self, here: str, tag: Tag, entry: WarHexEntry) -> CachedStep | None:
        """The step from the cache shared by all moves; None if its result depends on more than the cache
        key holds."""
        to = entry.to
        about = self._about(to)
        if about == UNTOLD or self._may_be_overrun(to):
            return None
        if entry.at_water and self.other_units.is_helped(here, to):
            return None
        key = (id(entry), tag, about, to == self._ends_at)
        found = self._kept.get(key)
        if found is None:
            if len(self._kept) > _MOST_KEPT:
                self._kept.clear()
            found = self._kept[key] = CachedStep(self._cross(here, tag, entry))
        return found

    def _may_be_overrun(self, to: str) -> bool:
        """Whether facts about overruns may affect the entry into a hex: the mover may overrun, and the hex
        may hold enemies."""
        return self._may_overrun and self.neighbourhood.occupied(to) is not False

    def _is_special(self, here: str, undisturbed: UndisturbedExits) -> bool:
        """Whether a step out of the hex depends on more than the units near its target: on help at water or
        on an overrun."""
        if undisturbed.at_water and any(
            self.other_units.is_helped(here, to) for to in undisturbed.at_water
        ):
            return True
        return any(map(self._may_be_overrun, undisturbed.tos))

    def _cross(self, here: str, tag: Tag, entry: WarHexEntry) -> Crossing:
        """As :meth:`crossing`, computed without the caches."""
        stops = self.stops(here, tag, entry)
        cost_items = [
            *self.own_cost_items(here, tag, entry),
            *self.outer_cost_items(here, tag, entry),
        ]
        if not self.no_enemy_near(entry.to):
            forced = logic.some(answer for _, answer in stops)
            cost_items += self.other_units.may_not_stop(entry.to, forced)
        whole = [
            (cost_item.clause, cost_item.cost.whole)
            for cost_item in cost_items
            if takes_all(cost_item)
        ]
        if tag is not START and (MEUSE, True) in whole and self.tables.applies("5.4.3b-f"):
            stops = (*stops, (MEUSE, True))
        late = too_late if tag is not START else in_time
        cost_items = [
            late(cost_item, self.tables) if takes_all(cost_item) else cost_item
            for cost_item in cost_items
        ]
        cost = CostInterval()
        for cost_item in cost_items:
            cost = add(cost, cost_item.cost)
        return Crossing(tuple(cost_items), cost, stops, tuple(whole))

    def steps(self, hex_name: str, tag: Tag) -> Sequence[Step]:
        """The steps open from a hex in this world. They are shared between moves unless their results
        depend on more than the cache key holds."""
        here = (hex_name, tag)
        undisturbed = self._undisturbed.get(here)
        if undisturbed is None:
            undisturbed = self._undisturbed[here] = self._without_others(hex_name, tag)
        about = tuple(map(self._about, undisturbed.tos))
        special = (undisturbed.at_water or self._may_overrun) and self._is_special(
            hex_name, undisturbed
        )
        if special or UNTOLD in about:
            found = self._steps.get(here)
            if found is None:
                found = self._steps[here] = self._each(hex_name, tag, undisturbed, about)
            return found
        key = (here, about, self._ends_at)
        found = self._opened.get(key)
        if found is None:
            if len(self._opened) > _MOST_KEPT:
                self._opened.clear()
            found = self._opened[key] = self._each(hex_name, tag, undisturbed, about)
        return found

    def _each(
        self, here: str, tag: Tag, undisturbed: UndisturbedExits, about: Sequence[int]
    ) -> list[Step]:
        """The steps through each entry, with other units taken into account. ``about``: the neighbourhood
        keys of ``undisturbed.tos``."""
        found: list[Step] = []
        for (entry, steps), who in zip(undisturbed.entries, about, strict=True):
            if who == NOBODY and not entry.at_water:
                found += steps
                continue
            kept = self._keep(here, tag, entry)
            if kept is None:
                found += self._as_steps(here, tag, entry, self.crossing(here, tag, entry))
                continue
            known = kept.steps.get(self.world)
            if known is None:
                known = tuple(self._as_steps(here, tag, entry, kept.crossing))
                kept.steps[self.world] = known
            found += known
        return found

    def _without_others(self, here: str, tag: Tag) -> UndisturbedExits:
        """The steps through each entry while no other unit is near; they are shared by all movers with the
        same terrain graph and form."""
        found: list[tuple[WarHexEntry, tuple[Step, ...]]] = []
        self._alone = True
        try:
            for entry in self.open_entries(here, tag):
                if entry.cost.barred is not True:
                    crossing = self._cross(here, tag, entry)
                    found.append((entry, tuple(self._as_steps(here, tag, entry, crossing))))
        finally:
            self._alone = False
        at_water = tuple(entry.to for entry, _ in found if entry.at_water)
        return UndisturbedExits(tuple(found), tuple(entry.to for entry, _ in found), at_water)

    def open_entries(self, here: str, tag: Tag) -> Sequence[WarHexEntry]:
        """The entries that may be open to the mover in this form of movement."""
        return self.entries(here, tag)

    def _as_steps(self, here: str, tag: Tag, entry: WarHexEntry, found: Crossing) -> Iterator[Step]:
        """The steps that a crossing allows in this world."""
        cost, to = found.cost, entry.to
        if cost.barred is True or (self.world == "adverse" and cost.barred is None):
            return
        after, lost = self.tag_after(here, tag, entry), self.rounding(tag, entry)
        required_stop = self._required_stop(here, to, found.stops)
        whole = self._halt_of_whole(here, to, found.whole)
        if cost.whole is True:
            yield Step(to, 0, after, whole or required_stop, True, entry)
        elif self.world == "favourable":
            yield Step(to, cost.lo, after, required_stop, False, entry, (), lost)
            if cost.whole is None and cost.lo:
                yield Step(to, 0, after, whole or required_stop, True, entry)
        elif cost.hi is not None:
            unsure = cost.whole is None
            stop = (whole or required_stop) if unsure else required_stop
            yield Step(to, cost.hi, after, stop, unsure, entry, (), lost)

    def _required_stop(
        self, here: str, to: str, stops: Iterable[tuple[str, bool | None]]
    ) -> Breach | None:
        """The breach of moving on after a step that ends in a required stop; None if this world requires no
        stop."""
        for clause, answer in stops:
            if answer is True or (answer is None and self.world == "adverse"):
                return Breach(clause, STOPS[clause], to, here)
        return None

    def _halt_of_whole(
        self, here: str, to: str, whole: Iterable[tuple[str, bool | None]]
    ) -> Breach | None:
        for clause, _ in whole:
            if self.tables.applies(clause.removeprefix("WAR-")):
                return Breach(
                    clause, "goes on after a step that takes the whole allowance", to, here
                )
        return None

    def edges_with_violations(self, hex_name: str, tag: Tag) -> Sequence[Step]:
        """All steps, each with the prohibitions it breaks; for the favourable world."""
        found = self._edges_with_violations.get((hex_name, tag))
        if found is None:
            found = [self._broken(hex_name, tag, p, ()) for p in self.entries(hex_name, tag)]
            for entry, breach in self.closed_entries(hex_name, tag):
                found.append(self._broken(hex_name, tag, entry, (breach,)))
            self._edges_with_violations[hex_name, tag] = found
        return found

    def _broken(self, here: str, tag: Tag, entry: WarHexEntry, before: tuple[Breach, ...]) -> Step:
        """The step through ``entry`` with the prohibitions it breaks. ``before``: breaches to add to them."""
        found, to = self.crossing(here, tag, entry), entry.to
        breaks = [
            Breach(t.bar_clause, t.text or t.reason, to, here)
            for t in found.cost_items
            if t.cost.barred is True
        ]
        cost = sum(t.cost.lo for t in found.cost_items if t.cost.barred is not True)
        after, lost = self.tag_after(here, tag, entry), self.rounding(tag, entry)
        required_stop = self._required_stop(here, to, found.stops)
        if found.cost.whole is True:
            # Moving on afterwards is one breach. Cost 0 keeps overspending from being a second one.
            required_stop, cost = self._halt_of_whole(here, to, found.whole) or required_stop, 0
        return Step(to, cost, after, required_stop, False, entry, (*before, *breaks), lost)

    def cost_breakdown(self, hex_name: str, tag: Tag, step: Step) -> CostBreakdown:
        """The charges of a step in MPs, as intervals, and the facts that would make them exact."""
        kept = self._keep(hex_name, tag, step.entry)
        if kept is None:
            return self._cost_breakdown(hex_name, step, self.crossing(hex_name, tag, step.entry))
        found = kept.cost_breakdowns.get(step.whole)
        if found is None:
            found = self._cost_breakdown(hex_name, step, kept.crossing)
            # Missing facts name the units and facts of this move, so they are not cached.
            if not found.missing:
                kept.cost_breakdowns[step.whole] = found
        return found

    def _cost_breakdown(self, hex_name: str, step: Step, found: Crossing) -> CostBreakdown:
        charges: list[Charge] = []
        asked: list[WeightedFact] = []
        for cost_item in found.cost_items:
            cost = cost_item.cost
            if cost.barred is not True and (cost.lo or cost.hi != 0):
                hi = None if cost.hi is None else self._mp(cost.hi)
                amount = Amount(self._mp(cost.lo), hi)
                charges.append(
                    Charge(step.to, amount, cost_item.clause, cost_item.reason, hex_name)
                )
            if not cost.is_exact:
                open_end = cost.barred is None or cost.hi is None or cost.whole is None
                weight = None if open_end else self._mp((cost.hi or 0) - cost.lo)
                asked += self._missing(cost_item, weight, hex_name, step.to)
        if step.whole:
            clause = found.whole[0][0] if found.whole else ""
            reason = "takes the whole allowance"
            charges.append(Charge(step.to, Amount.exactly(0), clause, reason, hex_name))
        for clause, answer in found.stops:
            if answer is None:
                asked += self._ignored(step)
                asked += (
                    WeightedFact(u)
                    for u in missing_step_facts.of_stop(self.profile, clause, step.to)
                )
        return CostBreakdown(tuple(charges), tuple(asked))

    def _ignored(self, step: Step) -> Iterator[WeightedFact]:
        """The open reading of 5.10.3, if the stop after ``step`` may be one by enemies overrun before."""
        near = self.neighbourhood.board.neighbours(step.to)
        if self.tables.says("ignore_overrun_on") is None and any(
            name in near for name in overrun_by(step.tag)
        ):
            yield WeightedFact(of_reading("ignore_overrun_on"))

    def _missing(
        self, cost_item: CostItem, weight: Fraction | None, here: str, to: str
    ) -> Iterator[WeightedFact]:
        for unknown in missing_step_facts.of_cost_item(self.profile, cost_item, here, to):
            yield WeightedFact(unknown, weight)

    def _mp(self, amount: int) -> Fraction:
        return Fraction(amount, self.scale)
