"""Off the road in wacht-am-rhein: terrain, water, constricted terrain (5.4, 5.9)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

from .kit import Fraction
from .wacht_am_rhein_marcher import ANY, FOUR, ONE, RIVERS, TWO, ZERO, At, number
from .wacht_am_rhein_others import AmongOthers


class OffRoad(AmongOthers):
    """One unit that goes tactically."""

    def _off_road(self, at: At, spent: Fraction, cls: str) -> Iterator[tuple[At, Fraction | None]]:
        """Tactical steps; a cost of None: the whole MA."""
        if self.one_hex and not at.fresh and self.keeps("5.8.2"):
            return
        for to in self.terrain_map.around[at.name]:
            more = self._enemy_cost(at, to, cls)
            if more is None or not self._may_enter(at.name, to):
                continue
            for cost, whole in self._entries(at, to, cls):
                if whole and not at.fresh and not self._may_take_the_rest(at.name, to):
                    continue
                if whole and not self._sure_to_cross(at.name, to, cost + more, cls):
                    continue
                over = whole or self.stops(to, at)
                after = self._after(at, to, over)
                if whole:
                    yield after, None
                else:
                    yield after, cost + more + self._surcharge(to, cls)

    def _may_take_the_rest(self, a: str, b: str) -> bool:
        """5.4.3b: whether the Meuse may be crossed after other hexes is read in either way."""
        return self.favourable and "major-river" in self.terrain_map.side(a, b)

    def _sure_to_cross(self, a: str, b: str, cost: Fraction, cls: str) -> bool:
        """Whether it is certain that the unit gets there, whatever a bridge that may be finished or not, or
        engineers that may do away with a stream (15.3.0), leave open: it costs MPs there, and else the whole
        MA."""
        features = self.terrain_map.side(a, b)
        helped = "stream" in features and cls == "leg" and self._engineers_about(a, b)
        if self.favourable or not ("unfinished-bridge" in features or helped):
            return True
        return cost + self._surcharge(b, cls) <= self.allowance("tactical")

    def _after(self, at: At, to: str, over: bool, road: int = -1, last: str = "") -> At:
        dashed = (
            self.terrain_map.lines_from(to, at.name)
            if self.terrain_map.constricted(to)
            else frozenset()
        )
        overrun = at.overrun | ({to} if to in self.enemies else set())
        return At(to, dashed, False, road, last, overrun, over)

    def _entries(self, at: At, to: str, cls: str) -> Iterator[tuple[Fraction, bool]]:
        """What entering a hex costs off the road, and whether that takes the whole MA."""
        here, terrain_map = at.name, self.terrain_map
        road = bool(terrain_map.roads(here, to))
        terrain = self.terrain(to, cls)
        entries: list[tuple[Fraction, bool]] = []
        night = ONE * (self.night and self.keeps("5.9-a"))
        if terrain is not None:
            entries.append((terrain + night, False))
        if cls == "leg" and road:
            infantry = self.type == "infantry" or self.favourable or not terrain_map.constricted(to)
            clear = self._cell(self.rules["terrain"]["clear"], "leg")
            if clear is not None and infantry:
                entries.append((clear, True))
        sides = list(self._sides(at, to, cls)) if entries else []
        for cost, by_road in entries:
            extra = self._narrow(at, to, cls, by_road)
            for water, whole in sides:
                if extra is None:
                    off_line = self.artillery and self._off_line_in(at, to)
                    if off_line and self.keeps("5.4.4-b"):
                        continue
                    yield ZERO, True
                else:
                    yield (cost + extra + water if extra or water else cost), whole

    def _off_line_in(self, at: At, to: str) -> bool:
        return self.terrain_map.constricted(to) and not self.terrain_map.lines_from(to, at.name)

    def _off_line_out(self, at: At, to: str) -> bool:
        if not self.terrain_map.constricted(at.name):
            return False
        lines = self.terrain_map.lines_from(at.name, to)
        if (
            at.road >= 0
            and not self.favourable
            and len(self.terrain_map.dashes.get(at.name, ())) > 1
        ):
            return True  # by which of several lines a road mover came is not told for certain
        if ANY in at.dashed or not self.keeps("5.4.4b-c"):
            return not lines
        return not (lines & at.dashed)

    def _narrow(self, at: At, to: str, cls: str, by_road: bool) -> Fraction | None:
        """5.4.4: constricted terrain; None: the whole MA."""
        entering, leaving = self._off_line_in(at, to), self._off_line_out(at, to)
        if cls == "mech":
            bad = (entering and self.keeps("5.4.4a-a")) or (leaving and self.keeps("5.4.4a-b"))
            return None if bad or (self.artillery and entering) else ZERO
        entering = entering and not by_road and self.keeps("5.4.4a-c")
        spared = by_road and self.favourable  # whether a road spares it this is read in either way
        leaving = leaving and not spared and self.keeps("5.4.4a-d")
        if entering and leaving:
            return Fraction(4 if self.harsh("constricted_both", "twice", "once") else 2)
        return (ZERO, TWO, FOUR)[entering + leaving]

    def _cell(self, row: Any, cls: str) -> Fraction | None:
        cell = row.get(cls) if isinstance(row, dict) else row
        if cell is None or cell == "prohibited":
            return None
        return number(str(cell))

    def terrain(self, name: str, cls: str) -> Fraction | None:
        """5.0-j: the dearest."""
        costs = [self._cell(self.rules["terrain"][t], cls) for t in self.terrain_map.terrain[name]]
        known = [cost for cost in costs if cost is not None]
        if not self.keeps("5.0-j"):
            return min(known) if len(known) == len(costs) else None
        if len(known) < len(costs) and self.keeps("5.7.0-b"):
            return None
        return max(known, default=Fraction(2))

    def _bridge(self, a: str, b: str) -> bool:
        features = self.terrain_map.side(a, b)
        if "bridge" in features or (self.favourable and "unfinished-bridge" in features):
            return True
        if (
            self.favourable and {a, b} & self.bridges
        ):  # over which hexside a Bridge Column lies is not told
            return True
        heavy = self.german and self.me["bridge-class"] != "none"
        return "engineer-bridge" in features and (self.favourable or not heavy)

    def _too_heavy(self, a: str, b: str) -> bool:
        """5.4.3a-d, 5.6.2-d: class H where a trail's bridge crosses a river."""
        features = self.terrain_map.side(a, b)
        if not (self.german and self.me["bridge-class"] == "H" and features & RIVERS):
            return False
        if "engineer-bridge" in features and self.favourable:
            return False
        return any(self.terrain_map.lines[n].kind == "trail" for n in self.terrain_map.roads(a, b))

    def _sides(self, at: At, to: str, cls: str) -> Iterator[tuple[Fraction, bool]]:
        """What lies on the hexside: what it costs, and whether that takes the whole MA."""
        features = self.terrain_map.side(at.name, to)
        if not features:
            yield ZERO, False
            return
        rows, more = self.rules["hexsides"], ZERO
        for name in features & {"ridge", "cliff"}:
            cost = self._cell(rows[name], cls)
            if cost is None and self.keeps("5.7.0-b"):
                return
            more += (cost or 0) if self.keeps("5.0-k") else 0
        waters: list[list[tuple[Fraction, bool]]] = [[(ZERO, False)]]
        bridge = "stream" in features and self._bridge(at.name, to)
        if "stream" in features and not (bridge and self.harshly._bridge(at.name, to)):
            waters.append([*self._stream(at, to, cls), *([(ZERO, False)] if bridge else [])])
        for river in features & RIVERS:
            waters.append(list(self._river(at, to, cls, river)))
        for choice in product(*waters):
            yield more + sum((c for c, _ in choice), ZERO), any(w for _, w in choice)

    def _engineers_about(self, a: str, b: str) -> bool:
        """15.3.0 is not at hand: an engineer in or next to one of the hexes may help."""
        if self.options.get("engineers_help") == "no":
            return False
        places = {a, b, *self.terrain_map.around[a], *self.terrain_map.around[b]}
        units = [u for name in places for u in self.friends.get(name, ())]
        return self.type == "engineer" or any(self.facts[u]["type"] == "engineer" for u in units)

    def _helped(self, a: str, b: str) -> bool:
        return self.favourable and self._engineers_about(a, b)

    def _stream(self, at: At, to: str, cls: str) -> Iterator[tuple[Fraction, bool]]:
        cost = self._cell(self.rules["hexsides"]["stream"], cls) or ZERO
        cost = cost if self.keeps("5.4.2-a") else ZERO
        if cls == "leg" and self._helped(at.name, to):
            yield ZERO, False
        if self.towed and self.keeps("5.4.2-b1"):
            return
        us_at = self.nation == "us" and self.type in ("at", "heavy-at")
        tracked = self.favourable and self.me["class"] == "mech"  # are towed AT meant?
        if us_at and not tracked and self.keeps("5.4.2-b2"):
            return
        if self.leg_at:
            if self.me["motor"] is True and self.favourable:
                yield cost, False
            if at.fresh:
                yield (ZERO, True) if self.keeps("5.4.2-c2") else (cost, False)
            elif not self.keeps("5.4.2-c1"):
                yield cost, False
            return
        yield cost, False

    def _river(self, at: At, to: str, cls: str, river: str) -> Iterator[tuple[Fraction, bool]]:
        features = self.terrain_map.side(at.name, to)
        ford, bridge = "ford" in features, self._bridge(at.name, to)
        if bridge and self._too_heavy(at.name, to) and self.keeps("5.4.3a-d"):
            bridge = False
        if cls == "mech":
            if self.favourable and bridge and not self.harsh("bridge_plus3", "yes", "no"):
                yield ZERO, False
            if ford or (bridge and self.harsh("bridge_plus3", "yes", "no")):
                yield Fraction(3 if self.keeps("5.4.3a-b") else 0), False
            elif (bridge and not self.favourable) or not self.keeps("5.4.3a-a"):
                yield ZERO, False
            return
        if ford or bridge:
            yield ZERO, False
            open_bridge = self.favourable and "bridge" not in features and not ford
            if open_bridge and river == "major-river":  # it may be none
                yield ZERO, True
            return
        if river == "minor-river":
            cost = self._cell(self.rules["hexsides"]["minor-river"], cls)
            if cost is not None:
                yield cost if self.keeps("5.4.3b-a") else ZERO, False
            if self._helped(at.name, to):
                yield ZERO, False
            return
        units = [*self.friends.get(at.name, ()), *self.friends.get(to, ())]
        engineer = any(self.facts[u]["type"] == "engineer" for u in units)
        own = self.favourable and self.type == "engineer"
        if engineer or own or not self.keeps("5.4.3b-e"):
            yield (ZERO, True) if self.keeps("5.4.3b-f") else (Fraction(1), False)
