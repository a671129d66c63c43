"""The steps of a vehicle out of a hex that it has entered, where no enemies are near. The turn in the hex and
the step after it are one step here. The steps are computed once for each hex, facing and world, and shared by
all vehicles that use the same terrain graph."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from ....model.hexgrid import direction
from ...concepts.hex_entries import CostItem
from ...cost_interval import CostInterval, adverse_steps, favourable_steps, total
from ...ruleset import Breach, Step, World
from .terrain_graph import VvTerrainGraph

HEXSIDES = range(6)
TURNING = "VV-6.5-c"
"""The clause that charges turns."""


class Part(NamedTuple):
    """The cost items of a step, kept in ``Step.entry`` for the cost breakdown. ``facing``: the hexside that
    the vehicle faces after the step."""

    cost_items: tuple[CostItem, ...]
    facing: int = 0


def sides_between(a: int, b: int) -> int:
    """The number of hexsides (0 to 3) of a turn from facing ``a`` to facing ``b``."""
    return min((a - b) % 6, (b - a) % 6)


def turning(sides: int, terrain_graph: VvTerrainGraph) -> tuple[CostItem, ...]:
    """The cost items of a turn by ``sides`` hexsides (6.5)."""
    tables = terrain_graph.tables
    free = 1 if tables.applies("6.5-b") else 0
    due = max(0, sides - free) * terrain_graph.scale if tables.applies("6.5-c") else 0
    return (CostItem(CostInterval(due, due), TURNING, f"turns {sides} hexsides"),) if due else ()


def reverse(
    cost_items: tuple[CostItem, ...], terrain_graph: VvTerrainGraph
) -> tuple[CostItem, ...]:
    """The cost items that moving in reverse adds (7.2): the cost once more. ``cost_items``: those of the step
    itself. A reading settles whether the hexside and the rise are doubled too."""
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
"""Makes the steps for a cost interval, as :func:`~...cost_interval.favourable_steps` does."""


def _any_way(to: str, cost: CostInterval, tag: int, part: Part) -> tuple[Step, ...]:
    """One step without cost, whatever the cost interval is."""
    return (Step(to, 0, tag, entry=part),)


class Lanes:
    """The steps of vehicles over a terrain graph in one world, without enemies. ``Step.tag`` is the facing
    after the step."""

    def __init__(self, terrain_graph: VvTerrainGraph, world: World) -> None:
        self._terrain_graph = terrain_graph
        self._opened = favourable_steps if world == "favourable" else adverse_steps
        self._found: dict[tuple[str, int], tuple[Step, ...]] = {}
        self._edges_with_violations: dict[tuple[str, int], tuple[Step, ...]] = {}

    def out_of(self, here: str, facing: int) -> tuple[Step, ...]:
        """The legal steps from a hex entered with ``facing``, each with the turn before it; cached."""
        found = self._found.get((here, facing))
        if found is None:
            found = self._found[here, facing] = tuple(self._steps(here, facing, self._opened))
        return found

    def edges_with_violations(self, here: str, facing: int) -> tuple[Step, ...]:
        """As :meth:`out_of`, with the steps that break a prohibition too. Leaving a hex sideways is not among
        them, since the vehicle may turn first."""
        found = self._edges_with_violations.get((here, facing))
        if found is None:
            steps = (self._broken(here, step) for step in self._steps(here, facing, _any_way))
            found = self._edges_with_violations[here, facing] = tuple(
                s for step in steps for s in step
            )
        return found

    def _broken(self, here: str, step: Step) -> tuple[Step, ...]:
        """``step`` with its cost in the favourable world and the prohibitions that it breaks."""
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
            if way is None:  # a link of the board: which hexside it crosses is not known
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
