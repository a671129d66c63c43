"""Errors of zoc-classes that no single march can make, and clauses that no error can break."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import ceil
from random import Random
from typing import TYPE_CHECKING

from vassal_umpire.model.board import edge

from .kit import (
    Action,
    Change,
    Drag,
    Fraction,
    LegalRoute,
    Phase,
    Roll,
    Table,
    first_error,
    one_too_many,
    resumed,
)
from .zoc_routes import arrivals
from .zoc_walk import March, may_reserve, near_enemies

if TYPE_CHECKING:
    from .zoc_classes import ZocClasses

Planter = Callable[["ZocClasses", Table, Random, str], Sequence[Action] | None]
LEAVE = (
    "6.A-e", "6.A.4-d", "6.A.4-h", "6.B-d", "6.B.2-g", "6.D.4-b", "6.E-d", "6.F-e", "6.F-T0", "6.F-T1",
    "6.F-T5", "6.F-T6", "6.F-M1", "6.F-M2", "6.F-M4", "6.D.3-d", "6.D.3-e",
)  # fmt: skip
UNBREAKABLE = {
    **{f"ZC-{clause}": "it gives leave" for clause in LEAVE},
    "ZC-6.F-b": "in other phases only reserves of these classes move, and 6.B.3-b bars those",
    "ZC-6.A-a": "it says how much there is to spend; 6.D.1-a and 6.A.3-a are the clauses broken",
    "ZC-6.A.3-4a": "it lowers what enemy ZOCs cost: who does not know it pays too much",
    "ZC-6.B.6-a": "it lowers what enemy ZOCs cost: who does not know it pays too much",
}


def _plain(kit: ZocClasses, table: Table, name: str) -> dict[str, LegalRoute]:
    """Where a unit gets within its allowance, by ordinary movement and without going into debt."""
    if table.number(name, "debt") or table.phase not in ("Initial", "Reaction"):
        return {}
    limit = March(table, name, "move").allowance()
    routes = kit.on_credit(table, name, "move")
    return {to: route for to, route in routes.items() if limit is not None and route.cost <= limit}


def _resume(
    kit: ZocClasses, table: Table, rng: Random, name: str, *, turned: bool = False
) -> Sequence[Action] | None:
    if table.phase != "Initial":
        return None
    between = [Change(name, "turned", True)] * turned
    others = table.on_map(table.active)
    return resumed(table, rng, name, others, partial(_plain, kit, table), "move", between)


def _on_credit(kit: ZocClasses, table: Table, name: str) -> Iterator[tuple[str, Fraction]]:
    """Hexes that a unit enters on credit, and the excess."""
    if table.phase != "Initial" or table.number(name, "debt"):
        return
    sure = kit.on_credit(table, name, "move")
    for to, route, spendable in arrivals(March(table, name, "move", favourable=True)):
        if to in sure and route.cost >= spendable + 1:
            yield to, route.cost - spendable


def _unmarked(
    kit: ZocClasses, table: Table, rng: Random, name: str, *, least: int = 1
) -> Sequence[Action] | None:
    """With no marker for an excess of so much."""
    fit = (to for to, excess in _on_credit(kit, table, name) if excess >= least)
    return next(((Drag((name,), to, "move"),) for to in fit), None)


def _too_small(kit: ZocClasses, table: Table, rng: Random, name: str) -> Sequence[Action] | None:
    wrong = _unmarked(kit, table, rng, name, least=2)
    return wrong and (*wrong, Change(name, "debt", 1))


def _too_far(kit: ZocClasses, table: Table, rng: Random, name: str) -> Sequence[Action] | None:
    """One hex more with less than 1 MP left, and a marker for all of it."""
    limit = March(table, name, "move").allowance()
    if table.phase != "Initial" or table.number(name, "debt") or limit is None:
        return None
    honest = {to for to, _, _ in arrivals(March(table, name, "move", favourable=True))}
    for to, route in kit.routes(table, name, "move", kit.limit).items():
        excess = ceil(route.cost - limit)
        if to not in honest and 1 <= excess <= 6:
            return (Drag((name,), to, "move"), Change(name, "debt", excess))
    return None


def _advance(kit: ZocClasses, table: Table, rng: Random, name: str) -> Sequence[Action] | None:
    """An advance after combat without a marker."""
    if table.phase != "Combat" or table.number(name, "debt"):
        return None
    for to, route in kit.on_credit(table, name, "advance").items():
        if route.cost >= 1:
            return (Drag((name,), to, "advance"),)
    return None


def _into_enemies(kit: ZocClasses, table: Table, rng: Random, name: str) -> Sequence[Action] | None:
    """Into a hex with enemies whose ZOC covers the hex it comes from; by no other way does it get there."""
    if table.phase != "Initial":
        return None
    march = March(table, name, "move", favourable=True)
    honest = {to for to, _, _ in arrivals(march)}
    for to in kit.routes(table, name, "move", "ZC-6.A.4-a"):
        near = to in table.board.neighbours(table.where[name])
        if near and to not in honest and march.contact(table.where[name], to):
            return (Drag((name,), to, "move"),)
    return None


def _operational(kit: ZocClasses, table: Table, rng: Random, name: str) -> Sequence[Action] | None:
    """Out of operational reserve without a marker."""
    if table.phase != "Initial" or table.number(name, "debt"):
        return None
    return (
        Change(name, "operational_reserve", True),
        Phase(table.turn, "Exploitation", table.active),
        Change(name, "operational_reserve", False),
    )


def _later(table: Table) -> Sequence[Action]:
    """The next turn of the side: whoever was in reserve in this phase is so no longer."""
    return (
        Phase(table.turn, "Exploitation", table.active),
        Phase(table.turn + 1, "Initial", table.active),
    )


def _placed_late(kit: ZocClasses, table: Table, rng: Random, name: str) -> Sequence[Action] | None:
    """Into reserve after it moved; others than these may have moved as reserves, their marker laid late."""
    if table.phase != "Initial" or table.facts[name]["reserve"] is True:
        return None
    if table.facts[name]["class"] != "non-motorized":
        return None
    if not may_reserve(table, name):
        return None
    for to in _plain(kit, table, name):
        near = {to, *table.board.neighbours(to)}
        enemies = table.on_map(table.other(table.side(name)))
        mates = table.within(to, table.side(name))
        if not mates and not any(table.where[u] in near for u in enemies):
            return (*_later(table), Drag((name,), to, "move"), Change(name, "reserve", True))
    return None


def _not_allowed(first: str, last: str) -> Planter:
    """Into reserve although the date does not allow it."""

    def plant(kit: ZocClasses, table: Table, rng: Random, name: str) -> Sequence[Action] | None:
        facts, date = table.facts[name], str(table.setup.conditions["date"])
        fits = table.phase == "Initial" and first <= date < last and facts["reserve"] is False
        if not fits or facts["class"] != "non-motorized" or near_enemies(table, name):
            return None
        mates = [u for u in table.within(table.where[name], table.side(name)) if u != name]
        if may_reserve(table, name) or mates:
            return None
        return (*_later(table), Change(name, "reserve", True))

    return plant


def _near(kit: ZocClasses, table: Table, rng: Random, name: str) -> Sequence[Action] | None:
    """Into reserve next to an enemy."""
    facts, date = table.facts[name], str(table.setup.conditions["date"])
    may = date >= "1943-07-01" or facts["class"] == "c/m"
    mates = [u for u in table.within(table.where[name], table.side(name)) if u != name]
    if table.phase != "Initial" or facts["reserve"] is True or not may or mates:
        return None
    enemies = [u for u in near_enemies(table, name) if table.where[u] != table.where[name]]
    return (*_later(table), Change(name, "reserve", True)) if enemies else None


def _reacts(kit: ZocClasses, table: Table, rng: Random, name: str) -> LegalRoute | None:
    """A move open to a reserve in reaction."""
    routes = _plain(kit, table, name) if table.phase == "Reaction" else {}
    return rng.choice(list(routes.values())) if routes else None


def _lost_by(fact: str) -> Planter:
    """A reserve reacts that fought, or did an engineering function."""

    def plant(kit: ZocClasses, table: Table, rng: Random, name: str) -> Sequence[Action] | None:
        route = _reacts(kit, table, rng, name)
        return (Drag((name,), route.path[-1], "move", {fact: True}),) if route is not None else None

    return plant


def _lost_near(kit: ZocClasses, table: Table, rng: Random, name: str) -> Sequence[Action] | None:
    """A reserve reacts that stood next to an enemy combat unit when his exploitation began."""
    side = table.side(name)
    if table.phase != "Reaction" or table.number(name, "ma") < 6:
        return None
    fighting = [u for u in table.on_map(table.other(side)) if table.facts[u]["combat"] is True]
    for to in _plain(kit, table, name):
        near = table.board.neighbours(to)
        if table.within(to, table.other(side)) or not any(table.where[u] in near for u in fighting):
            continue
        reaction = Phase(table.turn + 1, "Reaction", table.active)
        routes = _plain(kit, table.after(Drag((name,), to), reaction), name)
        if routes:
            return (
                Drag((name,), to, "move"),
                Phase(table.turn, "Exploitation", table.active),
                Roll(),
                reaction,
                Drag((name,), rng.choice(sorted(routes)), "move"),
            )
    return None


def _no_marker_chosen(
    kit: ZocClasses, table: Table, rng: Random, name: str
) -> Sequence[Action] | None:
    """A forced march for whose die a marker was chosen that nobody put down."""
    if table.phase != "Initial" or table.number(name, "debt"):
        return None
    then = table.after(Change(name, "march_die", table.number(name, "march_die") - 1))
    without = {to for to, _, _ in arrivals(March(table, name, "forced march", favourable=True))}
    for to in kit.routes(then, name, "forced march"):
        if to not in without:
            return (Drag((name,), to, "forced march", {"march_markers": 1}),)
    return None


def _rolled_early(kit: ZocClasses, table: Table, rng: Random, name: str) -> Sequence[Action] | None:
    """A forced march rolled for before anything was spent, as the player says, though steps were open."""
    limit = March(table, name, "forced march").allowance()
    if table.phase != "Initial" or table.number(name, "debt") or limit is None or limit < 5:
        return None
    board, start = table.setup.board, table.where[name]
    about = board.neighbours(start)
    wet = any(board.sides.get(edge(start, to)) for to in about)
    beset = any(
        table.within(far, table.other(table.side(name)))
        for to in about
        for far in board.neighbours(to)
    )
    if wet or beset:
        return None
    for to, route in kit.on_credit(table, name, "forced march").items():
        if limit < route.cost <= limit + 1:
            return (Drag((name,), to, "forced march", {"march_spent": 0}),)
    return None


def _crowd(kit: ZocClasses, table: Table, rng: Random, name: str) -> Sequence[Action] | None:
    return one_too_many(kit, table, name, _plain(kit, table, name), "move")


PLANTERS: dict[str, Planter] = {
    "6.A-d": _resume,
    "6.A.5-b": partial(_resume, turned=True),
    "6.A.3-a": _unmarked,
    "6.A.3-b": _too_small,
    "6.A.3-c": _advance,
    "6.A.3-2": _operational,
    "6.A.4-a": _into_enemies,
    "6.D.1-a": _too_far,
    "6.B-a": _placed_late,
    "6.B.1-a": _not_allowed("1939", "1942-07-01"),
    "6.B.1-b": _not_allowed("1942-07-01", "1943-07-01"),
    "6.B.2-a": _near,
    "6.B.2-b": _lost_near,
    "6.B.2-c": _lost_by("engineering"),
    "6.B.2-d": _lost_by("attacked"),
    "6.F-M3": _no_marker_chosen,
    "6.F-d": _rolled_early,
    "ST": _crowd,
}
PLANTED = tuple(f"ZC-{clause}" for clause in PLANTERS)


def plant(kit: ZocClasses, clause: str, table: Table, rng: Random) -> Sequence[Action] | None:
    """Actions that break one clause, by any unit that has occasion for it."""
    units = [u for side in table.setup.sides for u in table.on_map(side)]
    if table.phase != "Reaction":
        units = [u for u in units if table.side(u) == table.active]
    return first_error(rng, units, lambda name: PLANTERS[clause](kit, table, rng, name))
