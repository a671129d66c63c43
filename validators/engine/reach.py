"""How far a mover gets for a number of MPs, without enemies and roads, and the hexes closed to it."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from math import floor
from typing import TYPE_CHECKING, Any, NamedTuple

from ...model.bill import Amount
from ...model.fact import MissingFact
from ..concepts.charts import closes_some
from ..cost_interval import ANYTHING, CostInterval, union_all
from ..scenarios import stops_after
from ..search import SpendingLimit, cheapest, watch
from .asking import outcome, said_of
from .clauses import ClauseFunction
from .due import NOBODY, charge_of
from .memo import Leaf, ResultCache

if TYPE_CHECKING:
    from .mover import ClauseMover
    from .step import Step

Entering = Callable[["Step", Any], CostInterval]
"""A ruleset's function for the cost of entering a hex off the road."""


class Reach(NamedTuple):
    """Bounds for a number of steps: at least ``sure``, at most ``most``; None: unbounded. ``asked``: the
    missing facts because of which they differ."""

    sure: Fraction | None
    most: Fraction | None
    asked: tuple[MissingFact, ...] = ()


def reach(mover: ClauseMover, spent: Amount, cost: Entering) -> Reach:
    """How many steps cost no more than ``spent``. There is no bound if steps may be free, or if the board has
    links."""
    board, scale = mover.board, mover.rules.scale
    if board.links:
        return Reach(None, None)
    watch(board.hexes)
    every = [_entering(mover, name, cost) for name in board.hexes]
    certain = (found.hi for found, _ in every if found.barred is False)
    least = min((hi for hi in certain if hi is not None), default=None)
    asked = next((facts for found, facts in every if not found.is_exact), ())
    sure = Fraction(0) if least is None else _steps(spent.lo, least, scale)
    return Reach(sure, _steps(spent.hi, mover.least, scale), asked)


def _steps(mps: Fraction | None, each: int, scale: int) -> Fraction | None:
    return mps * scale / each if mps is not None and each else None


def _entering(
    mover: ClauseMover, name: str, cost: Entering
) -> tuple[CostInterval, tuple[MissingFact, ...]]:
    near = mover.edges.near(name)
    step = mover.rules.step(NOBODY, mover, near[0] if near else name, name, None, None)
    kept = mover.shared.entering.setdefault((cost, mover.edges.place(name)), ResultCache())
    leaf = kept.find(step)
    if leaf is None:
        found = outcome(partial(said_of, lambda step: cost(step, step.into), step))
        step.run = NOBODY
        leaf = Leaf((ANYTHING if found.said is None else union_all(found.said), found.facts))
        if not found.log.private:
            kept.keep(step, found.log.reads, leaf)
    return leaf.value  # type: ignore[no-any-return]


def most_steps(mover: ClauseMover, spent: Fraction) -> Fraction | None:
    """The most steps that a mover can make for ``spent`` MPs; None: no bound."""
    return None if mover.board.links else _steps(spent, mover.least, mover.rules.scale)


def may_be_closed(mover: ClauseMover, name: str) -> bool:
    """Whether the clauses on entering a hex close it, or may close it, to a mover off the road, and no road
    certainly leads into it."""
    rules, near = mover.rules, mover.edges.near(name)
    onto = [clause for clause in rules.declared.closing if clause in mover.costs]
    if not near or not onto or (rules.declared.lines_open and rules.lines_in(name)):
        return False
    off_road = next(iter(rules.declared.ways(rules.step(NOBODY, mover, near[0], name, None, None))))
    holds = [_forbids(mover, clause, near[0], name, off_road) for clause in onto]
    told = mover.board.hexes[name].terrain is not None and mover.board.hex_known(name)
    some = closes_some(rules.charts["terrain"].values(), (rules.columns[mover.cls],))
    if True not in holds and (None not in holds or told or not some):
        return False
    ids = {clause.forbids for clause in onto}
    closing = [c for c in mover.costs if c.forbids in ids]
    roads = (
        (here, action.by)
        for here in near
        for action in mover.fan_of_roads(here)
        if action.to == name and action.sure and action.by != off_road
    )
    return not any(
        all(_forbids(mover, clause, here, name, by) is False for clause in closing)
        for here, by in roads
    )


def _forbids(
    mover: ClauseMover, clause: ClauseFunction, here: str, name: str, by: Any
) -> bool | None:
    step = mover.rules.step(NOBODY, mover, here, name, None, None, by=by)
    return charge_of(clause, step).barred


def is_spent(mover: ClauseMover, without: str) -> bool:
    """Whether the allowance of a mover is too small to move further from the end of its move, after the
    cheapest path there in the favourable world. ``without``: a clause that does not count."""
    move, budget = mover.facts.move, mover.budget
    names = (place.name for place in move.waypoints[1:] if place.kind == "hex")
    stops = stops_after(move.origin.name, names)
    if move.origin.kind != "hex" or not stops or budget.amount is None:
        return False
    apart = mover.without(without)
    graph = apart.graph("favourable")
    limit = floor(budget.amount.lo * mover.rules.scale)
    route = cheapest(mover.board, graph, move.origin.name, stops, SpendingLimit(limit))
    held = (
        route is not None
        and bool(route.legs)
        and not any(
            step.cost <= limit - route.spent and not step.whole
            for step in graph.steps(stops[-1], route.legs[-1].step.tag)
        )
    )
    apart.forget()
    return held
