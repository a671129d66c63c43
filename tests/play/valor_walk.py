"""Valor & Victory on the map: what a hex costs whom, where infantry and guns go, how vehicles drive."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from heapq import heappop, heappush

from vassal_umpire.model.board import edge
from vassal_umpire.model.hexgrid import DIRECTIONS, Axial, direction

from .kit import BOX, Fraction, LegalRoute, Table, exhaust

LEADERS = ("leader", "hero")
SQUADS = ("squad", "half-squad")
INFANTRY = (*LEADERS, *SQUADS)
WHEELS = ("afv", "vehicle")
FACINGS = ("N", "NE", "SE", "S", "SW", "NW")
CHART = {
    "open": (1, 1),
    "woods": (2, 2),
    "building": (2, 2),
    "stream": (2, 3),
    "gully": (2, 3),
    "orchard": (1, 1),
    "crop": (1, 1),
}
"""10: what terrain costs infantry, and vehicles and guns."""
CLOSED = ("canal", "pond", "marsh", "river")
FORTS = ("bunker", "sandbags", "foxholes", "trenches")
LIMITS = {"leader": "VV-6.31-a", "hero": "VV-6.31-a", "squad": "VV-6.31-b", "half-squad": "VV-6.31-c",
          "afv": "VV-6.32-a", "vehicle": "VV-6.32-a"}  # fmt: skip
ENDLESS = "VV-6.1-a"
"""MPs run out: who forgets it walks on (so do those who forget how many their unit has)."""
FAR = Fraction(16)
OVERRUN = Fraction(2)
NOTHING, ONE = Fraction(0), Fraction(1)

CostInterval = tuple[Fraction, Fraction]
"""What a step costs: for the terrain, and for all else."""
State = tuple[str, int, bool]
"""A vehicle on its way: hex, hexside it faces, whether it may not turn there any more."""


@dataclass
class Drive:
    """A vehicle's way: MPs, the states it went through; ``minimum``: by 6.6."""

    cost: Fraction
    states: tuple[State, ...]
    minimum: bool = False


class Walk:
    """One unit on its way, as one player believes it may go. ``favourable``: what the text leaves open is
    read in its favour."""

    def __init__(
        self,
        table: Table,
        unit: str,
        forgotten: str = "",
        *,
        favourable: bool = False,
        led: bool = False,
    ) -> None:
        self.table, self.board, self.unit = table, table.board, unit
        self.forgotten, self.favourable, self.led = forgotten, favourable, led
        self.facts, self.here = table.facts[unit], table.where[unit]
        self.cls = str(self.facts["class"])
        self.side = table.side(unit)
        self.enemies = table.by_hex(table.other(self.side))
        self.road_sides = {side for line in self.board.lines for side in line.edges()}
        self.road_hexes = {name for side in self.road_sides for name in side}
        self.costs: dict[tuple[str, str], CostInterval | None] = {}
        self.over: dict[tuple[str, str], Drive] = {}  # overruns: (target, exit) → the way

    # -- may it move, and how far --

    def able(self) -> bool:
        facts, forgotten = self.facts, self.forgotten
        if self.side != self.table.active or self.here == BOX or facts["aboard"] != "no":
            return False
        if facts["pinned"] and forgotten != "VV-14.7-a":
            return False
        if facts["immobile"] and forgotten != "VV-18.6-a":
            return False
        if self.cls == "gun" and self.table.number(self.unit, "mp") == 0:
            advances = (
                self.favourable and self.table.phase == "Advance"
            )  # 5.35 and 1.15 do not agree
            if not advances:
                return forgotten == "VV-1.15-a"
        laden = self.table.number(self.unit, "weapons") > 1
        laden |= self.cls in LEADERS and facts["weapon"] == "heavy"
        if laden and forgotten != "VV-12.2-b":
            return False
        if self.table.phase != "Movement":
            return True
        fired = bool(facts["fired"]) and forgotten != "VV-5.33-a"
        return not fired and not (facts["moved"] and forgotten != "VV-5.33-b")

    def allowance(self) -> Fraction:
        """6.31, 6.32, 6.4, 12.2, in the Movement Phase."""
        if self.cls == "gun":
            return ONE
        if self.cls in WHEELS:
            return self.table.number(self.unit, "mp")
        amount = Fraction(6 if self.cls in LEADERS or self.led else 4)
        heavy = self.cls in SQUADS and self.facts["weapon"] == "heavy"
        heavy = heavy and self.forgotten != "VV-12.2-a"
        halved = bool(self.facts["assault"]) and self.forgotten != "VV-6.4-b"
        if halved and heavy and self.forgotten == "VV-6.4-c":
            return Fraction((amount - 1 + 1) // 2)  # 1 ½ or 2 ½, and he rounds up
        return (amount / 2 if halved else amount) - (1 if heavy else 0)

    def limit(self) -> Fraction:
        return FAR if self.forgotten in (ENDLESS, LIMITS.get(self.cls)) else self.allowance()

    # -- what lies before it --

    def terrain(self, name: str) -> Fraction | None:
        """10: MPs for the terrain of a hex; None: prohibited."""
        found = self.board.hexes[name].terrain or ()
        if "bridge" in found:
            return ONE
        [terrain] = found
        if self.favourable and name in self.road_hexes:
            return ONE  # a road runs through other terrain: which of the two is the hex?
        column = 0 if self.cls in INFANTRY else 1
        barred = terrain == "building" and (self.cls in WHEELS or not self.mobile_gun())
        if barred and self.forgotten != "VV-10.4-a":
            return None
        if terrain in CLOSED:
            return ONE if self.forgotten == "VV-10.11-a" else None
        cost = CHART[terrain][column]
        if self.forgotten == "VV-6.2-a":
            cost = 1
        return Fraction(cost)

    def mobile_gun(self) -> bool:
        return not (self.cls == "gun" and self.table.number(self.unit, "mp") == 0)

    def cost(self, a: str, b: str) -> CostInterval | None:
        """MPs from a hex into the next one, enemies apart; None: prohibited."""
        if (a, b) not in self.costs:
            self.costs[a, b] = self._cost(a, b)
        return self.costs[a, b]

    def _cost(self, a: str, b: str) -> CostInterval | None:
        there, terrain = self.board.hexes[b], self.terrain(b)
        if terrain is None:
            return None
        if "wire" in there.features and self.cls == "vehicle" and self.forgotten != "VV-20.8-a":
            return None
        on_wheels = self.cls not in INFANTRY
        bridge = "bridge" in (there.terrain or ()) and self.forgotten != "VV-10.31-a"
        if bridge and on_wheels and edge(a, b) not in self.road_sides:
            return None
        rise = (there.level or 0) - (self.board.hexes[a].level or 0)
        if abs(rise) > 1 and self.forgotten != "VV-10.7-b":
            return None
        more = 0
        if self.forgotten != "VV-6.2-b":
            more += len(self.board.sides.get(edge(a, b), ()))
        if rise == 1 and self.forgotten != "VV-10.7-a":
            more += 1
        spared = self.favourable and self.cls in WHEELS  # the example of an overrun charges none
        if set(FORTS) & set(there.features) and self.forgotten != "VV-20.3-a" and not spared:
            more += 1
        return terrain, Fraction(more)

    def climb(self, b: str) -> bool:
        """10.7: whether infantry may go into a hex two levels up or down with all its MPs."""
        a = self.here
        rise = (self.board.hexes[b].level or 0) - (self.board.hexes[a].level or 0)
        if abs(rise) < 2 or self.cls not in INFANTRY or self.terrain(b) is None:
            return False
        return self.table.phase != "Movement" or not self.facts["assault"]

    def guarded(self, name: str) -> bool:
        """6.8, 20.3: enemies in a hex."""
        if name not in self.enemies:
            return False
        dug_in = bool(set(FORTS) & set(self.board.hexes[name].features))
        return self.forgotten != ("VV-20.3-b" if dug_in else "VV-6.8-a")

    # -- infantry and guns --

    def march(self, spent: Fraction = NOTHING) -> dict[str, LegalRoute]:
        """Where infantry or a gun may end its move; ``spent``: MPs gone when it came onto the map."""
        if self.cls == "gun":
            return self.one_hex(2 if self.forgotten == "VV-6.32-b" else 1)
        limit = self.limit() - spent
        found = exhaust(self.here, self.steps, limit, self.entangled)
        if spent:
            return found
        for to in self.board.neighbours(self.here):
            if self.guarded(to):
                continue
            if self.climb(to):
                found.setdefault(to, LegalRoute(limit, (self.here, to)))
            elif to not in found and (cost := self.cost(self.here, to)) is not None:
                found[to] = LegalRoute(sum(cost, Fraction(0)), (self.here, to), waived=True)
        return found

    def steps(self, name: str) -> Iterator[tuple[str, Fraction]]:
        for to in self.board.neighbours(name):
            cost = None if self.guarded(to) else self.cost(name, to)
            if cost is not None:
                yield to, sum(cost, Fraction(0))

    def entangled(self, name: str) -> bool:
        """20.8: infantry that has come into wire stays."""
        wire = "wire" in self.board.hexes[name].features
        return wire and self.cls in INFANTRY and self.forgotten != "VV-20.8-a"

    def one_hex(self, most: int = 1, assault: bool = False) -> dict[str, LegalRoute]:
        """6.32, 5.35: one hex, whatever it costs; ``assault``: a close assault, into the enemy's."""

        def steps(name: str) -> Iterator[tuple[str, Fraction]]:
            for to in self.board.neighbours(name):
                if self.guarded(to) and not (assault and self.cls in INFANTRY):
                    continue
                if self.cost(name, to) is not None or (name == self.here and self.climb(to)):
                    yield to, ONE

        return exhaust(self.here, steps, Fraction(most))

    # -- vehicles --

    @property
    def facing(self) -> int:
        return FACINGS.index(str(self.facts["facing"]))

    def next(self, name: str, hexside: int) -> str | None:
        """The hex beyond a hexside."""
        at = self.board.hexes[name].at
        step = DIRECTIONS[hexside % 6]
        return self.board.at("", Axial(at.q + step.q, at.r + step.r))

    def backed(self, cost: CostInterval) -> Fraction:
        """7.2: what a step back costs."""
        option = str(self.table.setup.options.get("reverse_doubles_hexside", "open"))
        whole = option == "yes" or (option == "open" and not self.favourable)
        if self.forgotten == "VV-7.2-c":
            return sum(cost, Fraction(0))
        return 2 * cost[0] + cost[1] * (2 if whole else 1)

    def rolls(self, name: str, facing: int) -> Iterator[tuple[str, Fraction]]:
        """The steps of a vehicle that faces so: (hex, cost)."""
        for back in (False, True):
            to = self.next(name, facing + 3 * back)
            cost = self.cost(name, to) if to else None
            if to and cost and not self.guarded(to):
                yield to, self.backed(cost) if back else sum(cost, Fraction(0))

    def overruns(self, name: str, facing: int) -> Iterator[tuple[str, str, Fraction]]:
        """19: (target hex, exit hex, cost)."""
        lost = self.forgotten
        if self.cls != "afv" and lost != "VV-19.1-a":
            return
        for back in (False, True) if self.favourable else (False,):
            to = self.next(name, facing + 3 * back)
            exit_ = self.next(to, facing + 3 * back) if to else None
            if not to or not exit_ or to not in self.enemies or self.guarded(exit_):
                continue
            there = self.board.hexes[to]
            kinds = {str(self.table.facts[enemy]["class"]) for enemy in self.enemies[to]}
            if ("afv" in kinds or "bunker" in there.features) and lost != "VV-19.1-a":
                continue
            costs = self.cost(name, to), self.cost(to, exit_)
            if costs[0] is None or costs[1] is None:
                continue
            cost = sum(
                ((self.backed(t) if back else sum(t, Fraction(0))) for t in costs if t), Fraction(0)
            )
            yield to, exit_, cost + (0 if lost == "VV-19.3-b" else OVERRUN)

    def drive(self) -> dict[State, Drive]:
        """Every way a vehicle can drive in the Movement Phase, by where and how it ends."""
        limit = self.limit()
        start: State = (self.here, self.facing, True)
        best = {start: Drive(Fraction(0), (start,))}
        ended: dict[State, Drive] = {}
        todo = [(Fraction(0), start)]

        def reach(into: dict[State, Drive], state: State, route: Drive, cost: Fraction) -> None:
            spent = route.cost + cost
            if spent <= limit and (state not in into or spent < into[state].cost):
                into[state] = Drive(spent, (*route.states, state))
                if into is best:
                    heappush(todo, (spent, state))

        while todo:
            reached, state = heappop(todo)
            name, facing, turned = state
            route = best[state]
            if reached > route.cost:
                continue
            for to, cost in self.rolls(name, facing):
                reach(best, (to, facing, False), route, cost)
            if not turned:
                for other in range(6):
                    if other != facing:
                        reach(best, (name, other, True), route, self.turn(facing, other))
            for over, exit_, cost in self.overruns(name, facing):
                passed = Drive(route.cost, (*route.states, (over, facing, True)))
                reach(ended, (exit_, facing, True), passed, cost)
                known = self.over.get((over, exit_))
                if route.cost + cost <= limit and (known is None or route.cost + cost < known.cost):
                    end: State = (exit_, facing, True)
                    self.over[over, exit_] = Drive(route.cost + cost, (*passed.states, end))
        for state, route in ended.items():
            if state not in best or route.cost < best[state].cost:
                best[state] = route
        for to, cost in self.rolls(self.here, self.facing):
            if cost > limit:
                first: State = (to, self.facing, False)
                for turn in (0, 1, 5):
                    last: State = (to, (self.facing + turn) % 6, turn > 0)
                    if not any((*last[:2], t) in best for t in (False, True)):
                        states = (start, first) if not turn else (start, first, last)
                        best[last] = Drive(cost, states, minimum=True)
        return best

    def turn(self, before: int, after: int) -> Fraction:
        """6.5: the first hexside is free."""
        angle = min((after - before) % 6, (before - after) % 6)
        return Fraction(0 if self.forgotten == "VV-6.5-c" else max(0, angle - 1))

    def parked(self, facing: int) -> dict[str, LegalRoute]:
        """Hexes where it may end its move facing so."""
        found: dict[str, LegalRoute] = {}
        for (name, last, _), route in self.drive().items():
            if name == self.here or last != facing:
                continue
            if name not in found or route.cost < found[name].cost:
                path = tuple(dict.fromkeys(state[0] for state in route.states))
                found[name] = LegalRoute(route.cost, path, route.minimum)
        return found

    def ahead(self) -> dict[str, LegalRoute]:
        """5.35, 7.2: a vehicle advances one hex ahead or back."""
        return {
            to: LegalRoute(ONE, (self.here, to)) for to, _ in self.rolls(self.here, self.facing)
        }

    def bearing(self, a: str, b: str) -> int | None:
        return direction(self.board.hexes[a].at, self.board.hexes[b].at)
