"""Where a vehicle can go from a hex it has entered, no enemies near: its turn there and the step after
it at once. Worked out once for a hex, a facing and a world, and shared by all movers of a terrain graph."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from ....model.hexgrid import direction
from ...concepts.hex_entries import CostItem
from ...cost_interval import CostInterval, adverse_steps, favourable_steps, total
from ...ruleset import Breach, Step, World
from .terrain_graph import VvTerrainGraph

HEXSIDES = range(6)


class Part(NamedTuple):
    """What a step is made of, for its bill: kept in ``Step.entry``. ``facing``: the vehicle's on its way."""

    cost_items: tuple[CostItem, ...]
    facing: int = 0


def sides_between(a: int, b: int) -> int:
    """By how many hexsides facing ``a`` is turned to ``b``."""
    return min((a - b) % 6, (b - a) % 6)


def turning(sides: int, terrain_graph: VvTerrainGraph) -> tuple[CostItem, ...]:
    """What a turn costs (6.5)."""
    tables = terrain_graph.tables
    free = 1 if tables.applies("6.5-b") else 0
    due = max(0, sides - free) * terrain_graph.scale if tables.applies("6.5-c") else 0
    return (CostItem(CostInterval(due, due), "VV-6.5-c", f"turns {sides} hexsides"),) if due else ()


def reverse(
    cost_items: tuple[CostItem, ...], terrain_graph: VvTerrainGraph
) -> tuple[CostItem, ...]:
    """What backing costs besides (7.2): as much again; whether the hexside counts in it is open."""
    tables = terrain_graph.tables
    if not tables.applies("7.2-c") or terrain_graph.one_hex:
        return ()
    low = total(t.cost for t in cost_items if t.clause == "VV-6.2-a" and not t.cost.barred)
    high = total(t.cost for t in cost_items if not t.cost.barred)
    if tables.reverse_doubles == "yes":
        low = high
    elif tables.reverse_doubles == "no":
        high = low
    return (CostItem(CostInterval(low.lo, high.hi), "VV-7.2-c", "in reverse", about=("reverse",)),)


Opener = Callable[..., tuple[Step, ...]]
"""What makes steps of a cost: :func:`~...cost_interval.favourable_steps` or the like."""


def _any_way(to: str, cost: CostInterval, tag: int, part: Part) -> tuple[Step, ...]:
    return (Step(to, 0, tag, entry=part),)


class Lanes:
    """The steps over a terrain graph for vehicles in one world; ``Step.tag`` is the facing after it."""

    def __init__(self, terrain_graph: VvTerrainGraph, world: World) -> None:
        self._terrain_graph = terrain_graph
        self._opened = favourable_steps if world == "favourable" else adverse_steps
        self._found: dict[tuple[str, int], tuple[Step, ...]] = {}
        self._edges_with_violations: dict[tuple[str, int], tuple[Step, ...]] = {}

    def out_of(self, here: str, facing: int) -> tuple[Step, ...]:
        """The steps from a hex entered with ``facing``, with the turn that goes before each."""
        found = self._found.get((here, facing))
        if found is None:
            found = self._found[here, facing] = tuple(self._steps(here, facing, self._opened))
        return found

    def edges_with_violations(self, here: str, facing: int) -> tuple[Step, ...]:
        """The same with all it may enter only by breaking something. That it leaves a hex to the side
        is no likely reading where it may turn."""
        found = self._edges_with_violations.get((here, facing))
        if found is None:
            steps = (self._broken(here, step) for step in self._steps(here, facing, _any_way))
            found = self._edges_with_violations[here, facing] = tuple(
                s for step in steps for s in step
            )
        return found

    def _broken(self, here: str, step: Step) -> tuple[Step, ...]:
        part: Part = step.entry
        barred = [t for t in part.cost_items if t.cost.barred is True]
        breaks = tuple(Breach(t.bar_clause, t.text, step.to, here) for t in barred)
        cost = total(t.cost for t in part.cost_items if t.cost.barred is not True)
        made = favourable_steps(step.to, cost, step.tag, part)
        return tuple(one._replace(breaks=breaks) for one in made)

    def _steps(self, here: str, facing: int, opened: Opener) -> Iterator[Step]:
        terrain_graph, hexes = self._terrain_graph, self._terrain_graph.board.hexes
        for to in terrain_graph.board.neighbours(here):
            way = direction(hexes[here].at, hexes[to].at)
            cost_items = terrain_graph.between(here, to).cost_items
            back = (*cost_items, *reverse(cost_items, terrain_graph))
            if way is None:  # over a link of the board: its hexside is not known
                yield from self._turned(to, facing, facing, cost_items, opened)
                continue
            yield from self._turned(to, facing, way, cost_items, opened)
            yield from self._turned(to, facing, (way + 3) % 6, back, opened)

    def _turned(
        self, to: str, facing: int, after: int, cost_items: tuple[CostItem, ...], opened: Opener
    ) -> Iterator[Step]:
        every = (*turning(sides_between(facing, after), self._terrain_graph), *cost_items)
        cost = total(cost_item.cost for cost_item in every)
        yield from opened(to, cost, after, Part(every, after))
