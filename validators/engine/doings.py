"""A movement graph of a mover that was carried on part of its path, or paid for more than its steps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from ...model.bill import Amount, Charge
from ...model.fact import MissingFact
from ..cost_interval import CostInterval, total
from ..ruleset import START, Breach, CostBreakdown, MovementGraph, Step, Tag, WeightedFact, World

HOP = "carried"
"""The ``Step.entry`` of a drag in which the unit was carried."""


SPENT = "needs the whole allowance for a step, of which something else was paid"


class Paid(NamedTuple):
    """A cost besides those of steps, in 1/scale MP, and the hex in which the bill lists it."""

    hex: str
    cost: CostInterval


class Expense(NamedTuple):
    """The charge of an expense clause. ``clause``: full id."""

    paid: Paid
    clause: str
    reason: str
    facts: tuple[MissingFact, ...]


class CarriedTag(NamedTuple):
    """The tag of such a mover: how often it was carried, whether it has paid its expenses, whether it had to
    stop and can only be carried further, and its tag in the graph of its own steps."""

    hops: int = 0
    paid: bool = False
    halted: bool = False
    inner: Tag = START


class DoingsGraph:
    """See :class:`~..ruleset.MovementGraph`. ``hops``: the drags in which it was carried, as (origin,
    target). ``walks``: whether it moved by itself before each, and after the last. Its expenses are charged
    with its first own step."""

    def __init__(
        self,
        graph: MovementGraph,
        world: World,
        hops: tuple[tuple[str, str], ...],
        walks: tuple[bool, ...],
        expenses: tuple[Expense, ...],
        scale: int,
    ) -> None:
        self._graph, self._world, self._hops, self._walks = graph, world, hops, walks
        self._expenses, self._scale = expenses, scale
        self._due = total(one.paid.cost for one in expenses)
        self._found: dict[tuple[str, Tag], Sequence[Step]] = {}
        self.least = 0 if hops else graph.least

    def may_be_closed(self, hex_name: str, /) -> bool:
        """See :class:`~..ruleset.KnowsClosedHexes`."""
        graph: Any = self._graph
        return bool(graph.may_be_closed(hex_name))

    def steps(self, hex_name: str, tag: Tag, /) -> Sequence[Step]:
        """The legal steps from a hex in this world."""
        key = hex_name, tag
        found = self._found.get(key)
        if found is None:
            way = tag if isinstance(tag, CarriedTag) else CarriedTag()
            found = self._found[key] = tuple(self._own(hex_name, way))
        return found

    def edges_with_violations(self, hex_name: str, tag: Tag, /) -> Sequence[Step]:
        """All steps, legal or not, each with the prohibitions that it breaks."""
        way = tag if isinstance(tag, CarriedTag) else CarriedTag()
        return tuple(self._own(hex_name, way, violations=True))

    def _own(self, here: str, way: CarriedTag, *, violations: bool = False) -> Iterator[Step]:
        steps = self._graph.edges_with_violations if violations else self._graph.steps
        hops, number = self._hops, way.hops
        if number < len(hops) and hops[number][0] == here:
            yield Step(hops[number][1], 0, CarriedTag(number + 1, way.paid), entry=HOP)
        if way.halted or not (self._world == "favourable" or self._walks[number]):
            return
        more: int | None = 0
        if not way.paid:
            more = self._due.lo if self._world == "favourable" else self._due.hi
        if more is None:
            return
        for step in steps(here, way.inner):
            if more and _takes_whole(step):  # possible only while nothing is spent
                if not violations:
                    continue
                late = Breach(self._expenses[0].clause, SPENT, step.to, here)
                step = step._replace(whole=False, breaks=(*step.breaks, late))
            after = CarriedTag(number, True, False, step.tag)
            yield step._replace(cost=step.cost + more, tag=after)
            if step.stops is not None and number < len(hops) and hops[number][0] == step.to:
                halted = after._replace(halted=True)
                yield step._replace(cost=step.cost + more, tag=halted, stops=None)

    def cost_breakdown(self, hex_name: str, tag: Tag, step: Step, /) -> CostBreakdown:
        """The charges of a step, and the facts missing to make them exact."""
        if step.entry is HOP:
            return CostBreakdown(())
        way = tag if isinstance(tag, CarriedTag) else CarriedTag()
        found = self._graph.cost_breakdown(hex_name, way.inner, step)
        if way.paid or not self._expenses:
            return found
        charges, missing = list(found.charges), list(found.missing)
        for number, one in enumerate(self._expenses):
            lo, hi = one.paid.cost.lo, one.paid.cost.hi
            amount = Amount(self._mp(lo), None if hi is None else self._mp(hi))
            if lo or hi != 0:
                charges.insert(
                    number, Charge(one.paid.hex, amount, one.clause, one.reason, hex_name)
                )
            if not one.paid.cost.is_exact:
                weight = None if hi is None else self._mp(hi - lo)
                missing += (WeightedFact(fact, weight) for fact in one.facts)
        return CostBreakdown(tuple(charges), tuple(missing))

    def _mp(self, parts: int) -> Fraction:
        return Fraction(parts, self._scale)


def _takes_whole(step: Step) -> bool:
    """Whether a step takes the whole allowance, also a step that breaks clauses."""
    return step.whole or (step.entry is not None and step.entry[1].cost.whole is True)
