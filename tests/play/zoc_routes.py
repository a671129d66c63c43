"""Where units of zoc-classes get, by all their movement forms; the die of a forced march (6.F)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from heapq import heappop, heappush
from math import ceil, floor
from typing import Any

from .kit import Fraction, LegalRoute, Table
from .zoc_walk import ZERO, ZONES, March, readings, reserve


@dataclass(frozen=True)
class Touched:
    """What a forced march has touched so far: partial ZOCs, full ones, and whether it entered either."""

    partial: bool = False
    full: bool = False
    entered: bool = False


def walk(march: March, spendable: Fraction | None) -> dict[tuple[str, Touched], LegalRoute]:
    """Everywhere a unit gets: with at least 1 MP left before each step, the last one on credit.
    ``spendable`` None: as far as there is ground."""
    start = (march.here, Touched())
    best = {start: LegalRoute(ZERO, (march.here,))}
    todo = [(ZERO, 0, start)]
    pushed = 0
    while todo:
        so_far, _, state = heappop(todo)
        route = best[state]
        if so_far > route.cost or (spendable is not None and so_far > spendable - 1):
            continue
        for to, cost in march.steps(state[0]):
            after = (to, touched(march, state[0], to, state[1]))
            spent = so_far + cost
            if after not in best or spent < best[after].cost:
                best[after] = LegalRoute(spent, (*route.path, to))
                pushed += 1
                heappush(todo, (spent, pushed, after))
    return {state: route for state, route in best.items() if state[0] != march.here}


def touched(march: March, here: str, to: str, before: Touched) -> Touched:
    """What counts for the die of a forced march. Whether double and triple ZOCs count as full ones the text
    does not say."""
    if march.form != "forced march":
        return before
    partial, full, entered = before.partial, before.full, before.entered
    for name in (here, to):
        low, high = march.levels(name)
        if march.favourable:
            partial |= low == high == 1
            full |= low == high == 2
        else:
            partial |= low <= 1 <= high
            full |= high >= 2
    low, high = march.levels(to)
    entered |= (high >= 1) if march.favourable else (low >= 1 and high <= 2)
    return Touched(partial, full, entered)


def rolled(march: March, state: tuple[str, Touched]) -> int:
    """The die of a forced march with its modifiers, for one who has gone so."""
    facts, name, marks = march.facts, state[0], state[1]
    forgotten, number = march.forgotten, march.table.number
    zoned = any(
        zone in march.table.board.hexes[n].features for zone in ZONES for n in (march.here, name)
    )
    die = int(number(march.unit, "march_die") - number(march.unit, "march_markers"))
    die -= march.german and str(march.conditions["date"]) < "1941-09-01"
    die -= march.german and marks.entered
    die -= facts["special"] is True
    die += marks.partial and forgotten != "6.F-M5"
    die += facts["supply"] != "regular" and forgotten != "6.F-M6"
    die += zoned and forgotten != "6.F-M7"
    die += 2 * (number(march.unit, "march") == 2 and forgotten != "6.F-M8")
    die += 2 * (marks.full and forgotten != "6.F-M9")
    return min(9, max(0, die))


def added(march: March, die: int) -> Fraction:
    """What a forced march adds."""
    tried = march.table.number(march.unit, "march")
    if die >= 7 and march.forgotten != f"6.F-T{die}":
        lost = 2 if die == 9 else 1  # (-1 MP), (-2 MP): of the MPs it tried for, perhaps
        return max(ZERO, tried - lost) if march.favourable else ZERO
    return tried + (1 if die == 0 else 0)


def arrivals(march: March) -> Iterator[tuple[str, LegalRoute, Fraction]]:
    """Where the unit may get: hex, way, and what it had to spend on it."""
    amount = march.allowance()
    if amount is None or (march.form == "advance") != (march.table.phase == "Combat"):
        return
    if march.form == "advance":
        for to, cost in march.steps(march.here):
            yield to, LegalRoute(cost, (march.here, to)), ZERO
        return
    if march.form != "forced march":
        limit = None if march.forgotten == "6.D.1-a" else amount
        for (name, _), route in walk(march, limit).items():
            if limit is not None or route.cost <= 3 * amount + 6:
                yield name, route, route.cost if limit is None else amount
        return
    if not _may_force(march):
        return
    tried = march.table.number(march.unit, "march")
    for extra in {ZERO, max(ZERO, tried - 1), tried, tried + 1}:
        for state, route in walk(march, amount + extra).items():
            if added(march, rolled(march, state)) == extra:
                yield state[0], route, amount + extra


def _may_force(march: March) -> bool:
    facts, forgotten = march.facts, march.forgotten
    if march.table.phase == "Reaction":
        return False
    if march.table.phase != "Initial" and forgotten != "6.F-b":
        return False
    status = reserve(march.table, march.unit) and not march.given_up
    if status and forgotten != "6.B.3-b":
        return False
    foot = facts["class"] != "c/m" and facts["infantry"] is True
    return foot or forgotten == "6.F-a"


def marker(table: Table, excess: Fraction, favourable: bool) -> int:
    """The number on the marker for an excess."""
    how = readings(table, "marker_rounding", ("up", "down"))
    return floor(excess) if favourable and "down" in how else ceil(excess)


def cheaper_route(found: Mapping[str, Any], name: str, route: LegalRoute) -> LegalRoute:
    before = found.get(name)
    return route if before is None or route.cost < before.cost else before
