"""Surcharges: what a unit paid besides the cost of its steps, for getting into and out of vehicles and
fortifications, and for clearing wire."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction

from ....model.fact import Fact
from ...concepts.charts import Cell
from ...concepts.hex_entries import CostItem
from ...cost_interval import FREE, CostInterval
from .tables import Tables
from .unit_actions import NO, NONE, UnitActions


def surcharges(
    unit_actions: UnitActions, classes: tuple[str, ...], cleared: str, tables: Tables
) -> tuple[tuple[str, CostItem], ...]:
    """The surcharges of a unit, as (hex in which it is charged, cost). If it is not certain that the unit did
    something, its cost is a range from 0.

    ``classes``: the classes that it may be of. ``cleared``: the hex from which it cleared wire; empty:
    none."""
    if not unit_actions.legs:
        return ()
    walked = unit_actions.walked
    first, last = unit_actions.legs[0], unit_actions.legs[-1]
    origin = walked[0].origin if walked else first.origin
    boards_in = walked[-1].target if walked else first.origin
    cost_items: list[tuple[str, CostItem]] = []
    if classes == ("squad",) or "squad" in classes or "" in classes:
        rides, works = _rides(unit_actions, tables), _works(unit_actions, tables)
        placed = [(origin if leaving else boards_in, item) for leaving, item in rides]
        placed += [(origin if leaving else last.target, item) for leaving, item in works]
        for name, cost_item in placed:
            cost = cost_item.cost if classes == ("squad",) else cost_item.cost._replace(lo=0)
            cost_items.append((name, cost_item._replace(cost=cost)))
    if cleared and tables.applies("X-RW-b"):
        parts = _parts(tables.expenses["clear_wire"], tables)
        cost_item = CostItem(CostInterval(parts, parts), "TOI-X-RW-b", "clears razor wire")
        cost_items.append((cleared, cost_item))
    return tuple((name, cost_item) for name, cost_item in cost_items if cost_item.cost != FREE)


def _rides(unit_actions: UnitActions, tables: Tables) -> Iterator[tuple[bool, CostItem]]:
    if unit_actions.never_changed("aboard", NO):
        return
    sure, most = unit_actions.rides("favourable"), unit_actions.rides("adverse")
    about = ("posture", "aboard")
    if tables.applies("EE-e"):
        cost = _times(sure.left, most.left, tables.expenses["leave_vehicle"], tables)
        yield True, CostItem(cost, "TOI-EE-e", "gets out of a vehicle", about=about)
    if tables.applies("EE-b"):
        cost = _times(sure.boarded, most.boarded, tables.expenses["board"], tables)
        yield False, CostItem(cost, "TOI-EE-b", "boards a vehicle", about=about)


def _works(unit_actions: UnitActions, tables: Tables) -> Iterator[tuple[bool, CostItem]]:
    if unit_actions.never_changed("works", NONE):
        return
    sure_in, sure_out = unit_actions.works("favourable")
    most_in, most_out = unit_actions.works("adverse")
    cost = CostInterval(_least(sure_out, 1, tables), _most(most_out, 1, tables))
    about = _about(sure_out, most_out, "leave", tables)
    yield True, CostItem(_sound(cost), "TOI-X-EN-a", "leaves a fortification", about=about)
    cost = CostInterval(_least(sure_in, 0, tables), _most(most_in, 0, tables))
    about = _about(sure_in, most_in, "enter", tables)
    yield False, CostItem(_sound(cost), "TOI-EX1-c", "gets into a fortification", about=about)


def _about(sure: list[Fact], most: list[Fact], way: str, tables: Tables) -> tuple[str, ...]:
    """``CostItem.about`` for getting into or out of fortifications: the chart does not say what one of them
    costs, or it is not known whether the unit was in it. ``way``: enter or leave."""
    for fact in sure if sure == most else ():
        price = tables.works.get(str(fact.value)) if fact.is_known else None
        if price is not None and price[way == "leave"].kind == "unknown":
            return ("works", str(fact.value))
    return ("posture", "works")


def _sound(cost: CostInterval) -> CostInterval:
    return cost if cost.hi is None or cost.hi >= cost.lo else cost._replace(hi=cost.lo)


def _times(least: int, most: int, cost: Fraction, tables: Tables) -> CostInterval:
    each = _parts(cost, tables)
    return CostInterval(least * each, max(least, most) * each)


def _least(facts: Iterable[Fact], way: int, tables: Tables) -> int:
    """The least cost of getting into (``way`` 0) or out of (1) all these fortifications, in 1/scale MP."""
    return sum(min(_prices(fact, way, tables), key=lambda p: p[0])[0] for fact in facts)


def _most(facts: Iterable[Fact], way: int, tables: Tables) -> int | None:
    most = 0
    for fact in facts:
        prices = _prices(fact, way, tables)
        if any(hi is None for _, hi in prices):
            return None
        most += max(hi or 0 for _, hi in prices)
    return most


def _prices(fact: Fact, way: int, tables: Tables) -> list[tuple[int, int | None]]:
    names = [*tables.works, NONE] if fact.options is None else [str(o) for o in fact.options]
    strange = (0, 0 if tables.complete.has("works") else None)
    free = {NONE: (0, 0)}
    return [
        _price(tables.works[n][way], tables) if n in tables.works else free.get(n, strange)
        for n in names
    ]


def _price(cell: Cell, tables: Tables) -> tuple[int, int | None]:
    if cell.kind == "unknown":
        return 0, None
    cost = _parts(cell.amount, tables)
    return cost, cost


def _parts(mp: Fraction, tables: Tables) -> int:
    return int(mp * tables.scale)
