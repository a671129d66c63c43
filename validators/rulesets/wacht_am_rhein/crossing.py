"""The result of one step through one hex entry, and steps that take the whole MA."""

from __future__ import annotations

from typing import NamedTuple

from ...concepts.hex_entries import CostItem
from ...cost_interval import CostInterval
from ...ruleset import CostBreakdown, Step, Tag, World
from .tables import Tables
from .terrain_graph import WarHexEntry

MEUSE = "WAR-5.4.3b-f"
_WHOLE = {
    "WAR-5.4.2-c2": ("WAR-5.4.2-c1", "crosses a stream with German Leg AT after having moved"),
    MEUSE: (MEUSE, "crosses a major river after having moved"),
    "WAR-5.4.4a-a": ("WAR-5.4.4a-a", "enters constricted terrain off its lines after having moved"),
    "WAR-5.4.4a-b": ("WAR-5.4.4a-b", "leaves constricted terrain off its lines after having moved"),
}
"""By the clause of a step that takes the whole MA: the clause and the text of the breach if the mover had
moved before."""


SEVERAL = ("*",)
"""In the tag of a relaxed graph, in place of the hexes overrun: several. Then no enemies stop the mover."""


class Crossing(NamedTuple):
    """One step through one hex entry. ``stops``: the clauses by which the mover must stop after it (True)
    or may have to (None); ``whole``: the clauses by which the step takes the whole MA (True) or may take it
    (None). Costs in 1/scale MP."""

    cost_items: tuple[CostItem, ...]
    cost: CostInterval
    stops: tuple[tuple[str, bool | None], ...]
    whole: tuple[tuple[str, bool | None], ...]


class UndisturbedExits(NamedTuple):
    """The entries out of a hex with the steps that hold while no other unit is near. ``tos``: the hex that
    each entry leads to, in the same order; ``at_water``: the hexes entered across water."""

    entries: tuple[tuple[WarHexEntry, tuple[Step, ...]], ...]
    tos: tuple[str, ...]
    at_water: tuple[str, ...]


class CachedStep:
    """A step kept between moves: its crossing, its steps in each world, and its cost breakdowns by
    ``Step.whole``."""

    __slots__ = ("cost_breakdowns", "crossing", "steps")

    def __init__(self, crossing: Crossing) -> None:
        self.crossing = crossing
        self.steps: dict[World, tuple[Step, ...]] = {}
        self.cost_breakdowns: dict[bool, CostBreakdown] = {}


def overrun_by(tag: Tag) -> tuple[str, ...]:
    """The enemy hexes that the mover has overrun so far, in order, as its tag records them."""
    last = tag[-1] if isinstance(tag, tuple) and tag else ()
    return last if isinstance(last, tuple) else ()


def takes_all(cost_item: CostItem) -> bool:
    """Whether a cost item takes, or may take, the whole MA."""
    return cost_item.cost.whole is not False and cost_item.cost.barred is not True


def in_time(cost_item: CostItem, tables: Tables) -> CostItem:
    """``cost_item``, which takes the whole MA, for a mover that has not moved yet; it does not take it
    if its clause is switched off."""
    if tables.applies(cost_item.clause.removeprefix("WAR-")):
        return cost_item
    return cost_item._replace(cost=cost_item.cost._replace(whole=False))


def too_late(cost_item: CostItem, tables: Tables) -> CostItem:
    """``cost_item``, which takes the whole MA, for a mover that has moved already: a prohibition,
    unless the clause is switched off. Whether it is one for the Meuse is an open reading: 5.4.3b does not
    say, as 5.4.2 and 5.4.4a do, that it is a move of one hex."""
    clause, text = _WHOLE[cost_item.clause]
    if not tables.applies(clause.removeprefix("WAR-")):
        return cost_item._replace(cost=cost_item.cost._replace(whole=False))
    barred = True if cost_item.cost.whole else None
    if clause == MEUSE and (allowed := tables.says("meuse_after_moving")) is not False:
        cost_item = cost_item._replace(about=("reading", "meuse_after_moving"))
        barred = False if allowed else None
    return cost_item._replace(cost=CostInterval(0, 0, barred), bar_clause=clause, text=text)
