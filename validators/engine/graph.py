"""The movement graph of a mover in one world; and, for units that face a hexside, the hexes and facings that
the log shows.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from itertools import groupby
from typing import TYPE_CHECKING, Any

from ...model.bill import Amount, Charge
from ..cost_interval import steps_at, total
from ..ruleset import START, Breach, CostBreakdown, Rounding, Step, Tag, WeightedFact, World
from .due import Action, Due, Item, Tagged
from .event_index import FACING
from .memo import Leaf, ResultCache
from .questions import AT, OF_ENEMIES, clear, enemies

if TYPE_CHECKING:
    from .mover import ClauseMover
    from .mover_facts import MoverFacts
    from .rules import Rules


Sighting = tuple[str, tuple[int, ...]]
"""A hex in which the counter was placed, and the facings (0 to 5) that others saw there, in order."""


def course(rules: Rules, facts: MoverFacts, world: World) -> tuple[Sighting, ...]:
    """The sightings of a move in one world: all stops in the adverse one, only those that bind in the
    favourable one."""
    history, unit, move, drags = rules.history, facts.unit, facts.move, facts.drags
    first, end = history.phase(drags[0])
    side = move.actor or unit.side

    def seen(a: int, b: int) -> list[int]:
        every = (rules.heading(fact) for fact in history.seen_values(unit.id, FACING, a, b, side))
        return [facing for facing in every if facing is not None]

    came = history.came_in(unit.id, drags[0])
    start = [] if came else seen(first, drags[0])
    if start and start[0] == rules.heading(history.value(unit.id, FACING, first)):
        start = start[1:]
    later = [d for d in history.in_phase(unit.id, drags[0]) if d > drags[-1]]
    stops: list[tuple[str, list[int]]] = [(move.origin.name, start)]
    last = len(move.waypoints) - 1
    for index in range(1, last + 1):
        place, binds = move.waypoints[index], move.binding[index]
        if place.kind != "hex" or not (index == last or binds or world == "adverse"):
            continue
        facings = seen(
            drags[index - 1], drags[index] if index < last else later[0] if later else end
        )
        at_end = rules.heading(history.value(unit.id, FACING, end))
        if index == last and not later and at_end is not None:
            facings.append(at_end)
        if stops[-1][0] == place.name:
            stops[-1][1].extend(facings)
        else:
            stops.append((place.name, facings))
    return tuple(
        (name, tuple(facing for facing, _ in groupby(facings)))
        for name, facings in stops
        if facings or name != move.origin.name or len(stops) == 1
    )


OF_NOBODY = frozenset(AT[ask] for ask in (*OF_ENEMIES, clear))
"""Questions with the same answer wherever no unit is near, if enemies affect the hexes beside them."""
Make = Callable[[str, Any, Any], tuple[Step, ...]]
"""Makes the steps from a hex in a state, given the actions out of it (:meth:`.fan.Fan.fan`)."""
GOES_ON = "goes on after a step that takes the whole allowance"


class ClauseGraph:
    """See :class:`~..ruleset.MovementGraph`."""

    def __init__(self, mover: ClauseMover, world: World) -> None:
        self._mover, self._world = mover, world
        self.least = mover.least
        self._course = course(mover.rules, mover.facts, world) if mover.actions else ()
        self._shared = mover.shared
        self._own: dict[Hashable, Any] = {}
        self._far: dict[str, bool] = mover.far
        self._others = mover.zones.others
        self._free = mover.actions is None and not mover.has_state
        self._unfinished = mover.rules.declared.unfinished

    def may_be_closed(self, hex_name: str, /) -> bool:
        """See :class:`~..ruleset.KnowsClosedHexes`."""
        return self._mover.rules.closed(self._mover, hex_name)

    def _ends(self, to: str) -> bool:
        """Whether the move may end in a hex; always True for a mover with actions."""
        return self._mover.actions is not None or to == self._mover.facts.move.target.name

    def no_course(self) -> None:
        """Allow any path, whatever sightings the log has."""
        self._course = ()
        self._own = {}

    def steps(self, hex_name: str, tag: Tag, /) -> Sequence[Step]:
        """The legal steps from a hex in this world."""
        return self._shown(self._world, self._opened, hex_name, tag)

    def _shown(self, kind: str, make: Make, here: str, tag: Tag) -> Sequence[Step]:
        """The steps from ``make``, with the sightings that they reach."""
        if self._free:
            return self._kept(kind, make, here, tag)
        own = kind, here, tag
        found = self._own.get(own)
        if found is None:
            steps = self._kept(kind, make, here, self._state(tag))
            found = self._own[own] = tuple([self._arrived(step, here, tag) for step in steps])
        return found

    def _kept(self, kind: str, make: Make, here: str, state: Any) -> Sequence[Step]:
        """The steps from ``make`` for a hex and a state, cached for all movers of which the clauses read the
        same."""
        key = kind, self._mover.edges.place(here), state
        far = self._far.get(here)
        if far is None:
            far = self._far[here] = self._look_far(here)
        if far:
            found = self._shared.far.get(key)
            if found is not None:
                return found
        mover = self._mover
        found = mover.near.get(key)
        if found is not None:
            return found  # type: ignore[no-any-return]
        kept = self._shared.near.get(key)
        if kept is not None:
            leaf = kept.find(mover)
            if leaf is not None:
                mover.near[key] = leaf.value
                return leaf.value  # type: ignore[no-any-return]
        fan, shared, reads = mover.fan(here, state)
        found = make(here, state, fan)
        if not shared:
            mover.near[key] = found
        elif far and all(self._never_far(ask, about, here) for ask, about in reads):
            self._shared.far[key] = found
        else:
            if kept is None:
                kept = self._shared.near[key] = ResultCache()
            kept.keep(mover, reads, Leaf(found))
            mover.near[key] = found
        return found

    def _never_far(self, ask: Any, about: Any, here: str) -> bool:
        """Whether a question has the same answer wherever no unit is near."""
        if self._mover.zones.looks_beside:
            return ask in OF_NOBODY
        return ask is AT[enemies] and about[0] != here

    def _look_far(self, here: str) -> bool:
        others = self._others
        near = self._mover.edges.near(here)
        return not others or (here not in others and others.keys().isdisjoint(near))

    def _state(self, tag: Tag) -> Any:
        if isinstance(tag, Tagged):
            return tag.state
        if tag is START and not self._free:
            return self._mover.rules.declared.start_state(self._mover.facts)
        return tag

    def _opened(self, here: str, state: Any, fan: Any) -> tuple[Step, ...]:
        adverse = self._world != "favourable"
        first = self._mover.facts.starts_in(here)
        whole = self._mover.rules.declared.whole_clause
        found: list[Step] = []
        for action, due in fan:
            if action.sure or not adverse:
                stop = self._stop(here, action, due, state) if due.stops else None
                lost = self._rounding(due.rounds)
                to, tag, way = action.to, action.after, (action, due)
                steps = steps_at(due.cost, to, tag, way, stop, lost, adverse)
                if whole or due.cost.whole is False:
                    found += steps
                elif first:
                    found += [self._ended(step, here, action, due, state) for step in steps]
                else:
                    found += [step for step in steps if not step.whole]
        return tuple(found) if self._shared.ways is None else _cheapest(found)

    def _ended(self, step: Step, here: str, action: Action, due: Due, state: Any) -> Step:
        """``step``; if it takes the whole allowance, the mover must stop after it."""
        if not step.whole or step.stops is not None:
            return step
        item = next(i for i in due.items if i.cost.whole is not False)
        clause = self._mover.cited(item, here, action, state)
        return step._replace(stops=Breach(clause, GOES_ON, action.to, here))

    def _rounding(self, item: Item | None) -> Rounding | None:
        """How the MPs spent before a step are rounded; if this is not known, only in the adverse world."""
        if item is None or (item.stops is None and self._world != "adverse"):
            return None
        rules = self._mover.rules
        return Rounding(rules.scale, rules.full(item.clause.id), str(item.clause.text))

    def _stop(self, here: str, action: Action, due: Due, state: Any) -> Breach | None:
        for item in due.stops:
            if item.stops or self._world == "adverse":
                return self._breach(item, here, action, state)
        return None

    def _breach(self, item: Item, here: str, action: Action, state: Any) -> Breach:
        closed = bool(item.clause.bars)
        text = self._mover.text(item, here, action, state, closed=closed)
        clause = (
            self._mover.rules.full(item.clause.bars)
            if closed
            else self._mover.cited(item, here, action, state)
        )
        return Breach(clause, text, action.to, here)

    def _arrived(self, step: Step, here: str, tag: Tag) -> Step:
        """``step`` with the sightings that it reaches; it passes a stop until all of its sighting is
        reached."""
        course = self._course
        if not course:
            late = self._unfinished(step.tag, self._mover.facts) and self._ends(step.to)
            return step._replace(passing=True) if late else step
        before = tag if isinstance(tag, Tagged) else self._seen(here, self._state(tag), 0, 0)
        to, cost, state, stops, whole, entry, breaks, rounding, _ = step
        if before.met < len(course) and course[before.met][0] == to:
            came = before.state.facing if to != here and course[before.met][1] else None
            after = self._seen(to, state, before.met, before.part, came)
            passing = after.met == before.met
            if after.met >= len(course) and self._unfinished(state, self._mover.facts):
                after, passing = after._replace(met=before.met, part=before.part), True
        else:
            after, passing = Tagged(state, before.met, before.part), True
        return Step(to, cost, after, stops, whole, entry, breaks, rounding, passing)

    def _seen(self, here: str, state: Any, met: int, part: int, came: int | None = None) -> Tagged:
        """The tag in a hex. ``came``: the facing on entering it, before a turn in the same step; None: there
        is no turn."""
        if met < len(self._course) and self._course[met][0] == here:
            shown = self._course[met][1]
            if part < len(shown) and came == shown[part] != state.facing:
                part += 1
            if part < len(shown) and state.facing == shown[part]:
                part += 1
            if part >= len(shown):
                return Tagged(state, met + 1, 0)
        return Tagged(state, met, part)

    def edges_with_violations(self, hex_name: str, tag: Tag, /) -> Sequence[Step]:
        """All steps, legal or not, each with the prohibitions that it breaks."""
        return self._shown("all", self._all, hex_name, tag)

    def _all(self, here: str, state: Any, fan: Any) -> tuple[Step, ...]:
        anywhere = self._mover.rules.declared.whole_clause
        found: list[Step] = []
        for action, due in fan:
            barred = [i for i in due.items if i.cost.barred is True]
            breaks = tuple(self._breach(i, here, action, state) for i in barred)
            cost = total(i.cost for i in due.items if i.cost.barred is not True)
            stop = self._stop(here, action, due, state) if due.stops else None
            lost = self._rounding(due.rounds)
            way = action, due
            for step in steps_at(cost, action.to, action.after, way, stop, lost):
                whole = None if anywhere else next((i for i in due.items if i.cost.whole), None)
                if step.whole and whole and not self._mover.facts.starts_in(here):
                    text = whole.clause.late
                    late = Breach(self._mover.rules.full(whole.clause.id), text, action.to, here)
                    step = step._replace(whole=False, breaks=(*breaks, late))
                    found.append(step)
                elif step.whole and whole:
                    ended = self._ended(step, here, action, due, state)
                    found.append(ended._replace(whole=False, cost=0, breaks=breaks))
                else:
                    found.append(step._replace(breaks=breaks))
        return tuple(found)

    def cost_breakdown(self, hex_name: str, tag: Tag, step: Step, /) -> CostBreakdown:
        """The charges of a step, and the facts missing to make them exact."""
        key = hex_name, id(step.entry), step.whole
        kept = self._shared.bills.get(key)
        if kept is not None and kept[0] is step.entry:
            return kept[1]
        found = self._cost_breakdown(hex_name, tag, step)
        self._shared.bills[key] = step.entry, found
        return found

    def _cost_breakdown(self, hex_name: str, tag: Tag, step: Step) -> CostBreakdown:
        charges: list[Charge] = []
        missing: list[WeightedFact] = []
        (action, due), state = step.entry, self._state(tag)
        asked = action.facts or self._mover.missing_of_way(hex_name, action, state)
        missing += map(WeightedFact, asked)
        rules = self._mover.rules
        for item in due.items:
            cost = item.cost
            amount: Amount | None = None
            if cost.barred is not True and (cost.lo or cost.hi != 0):
                hi = None if cost.hi is None else Fraction(cost.hi, rules.scale)
                amount = Amount(Fraction(cost.lo, rules.scale), hi)
            elif cost.whole and step.whole and not rules.declared.whole_clause:
                amount = Amount.exactly(0)
            if amount is not None:
                clause = self._mover.cited(item, hex_name, action, state)
                text = self._mover.text(item, hex_name, action, state)
                charges.append(Charge(step.to, amount, clause, text, hex_name))
            may_stop = item.clause.kind == "stop" and item.stops is None
            if action.by is not None and not action.sure:
                continue  # its cost can wait until it is known whether the way exists
            if not cost.is_exact or may_stop:
                open_end = cost.barred is None or cost.hi is None or may_stop
                weight = None if open_end else Fraction((cost.hi or 0) - cost.lo, rules.scale)
                asked = self._mover.missing(item, due, hex_name, action, state)
                missing += (WeightedFact(fact, weight) for fact in asked)
        if step.whole and rules.declared.whole_clause:
            clause, reason = rules.full(rules.declared.whole_clause), "takes the whole allowance"
            charges.append(Charge(step.to, Amount.exactly(0), clause, reason, hex_name))
        return CostBreakdown(tuple(charges), tuple(missing))


def _cheapest(steps: list[Step]) -> tuple[Step, ...]:
    """The cheapest of each group of steps that differ only in cost."""
    found: dict[tuple[Any, ...], Step] = {}
    for step in steps:
        key = step.to, step.tag, step.whole, step.stops is None, step.rounding
        if key not in found or step.cost < found[key].cost:
            found[key] = step
    return tuple(found.values())
