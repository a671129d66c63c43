"""The walker of wacht-am-rhein: section 5 of the rules as a player with a pencil would apply it.

``favourable``: what the text leaves open is read in the unit's favour, else against it. ``forgotten``: the
clause a player does not know.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from heapq import heappop, heappush
from itertools import count
from math import ceil

from .kit import BOX, Fraction, LegalRoute
from .wacht_am_rhein_marcher import ANY, ONE, RIVERS, WOODS, ZERO, At
from .wacht_am_rhein_off_road import OffRoad

Steps = Callable[[At, Fraction], Iterator[tuple[At, Fraction | None]]]
"""What is open to one who has come somewhere and spent so much; a cost of None: the whole MA."""


class Walker(OffRoad):
    """One unit's ways, now."""

    def routes(self, form: str = "") -> dict[str, LegalRoute]:
        if self.here == BOX or self.barred():
            return {}
        forms = (one for one in self.forms() if form in ("", one))
        return _cheapest(
            _cheapest(self._assault() if one == "prepared assault" else self._march(one))
            for one in forms
        )

    def _march(self, form: str) -> Iterator[dict[str, LegalRoute]]:
        allowance, least = self.allowance(form), min(self.allowances(form))
        limit = allowance if self.keeps("5.0-g") else 3 * allowance + 6
        if not limit:  # not even into a hex that takes the whole MA
            return
        if form == "tactical":
            for cls in self.classes():
                steps = partial(self._off_road, cls=cls)
                yield self._walk(limit, allowance, steps, least)
        elif self._may_use_roads(form):
            yield self._walk(limit, allowance, partial(self._by_road, form=form), least)

    def _walk(
        self, limit: Fraction, allowance: Fraction, steps: Steps, least: Fraction | None = None
    ) -> dict[str, LegalRoute]:
        """Goes every way there is, cheapest first. ``least``: what there is to spend at the least."""
        best: dict[str, LegalRoute] = {}
        tie = count()
        queue = [(ZERO, next(tie), At(self.here, frozenset({ANY})), (self.here,))]
        done: set[At] = set()
        while queue:
            spent, _, at, path = heappop(queue)
            if at in done:
                continue
            done.add(at)
            onward = []
            for to, cost in () if at.over else steps(at, spent):
                after = limit if cost is None else spent + cost
                if cost is None:
                    after = max(allowance, spent) if self.keeps("5.0-g") else allowance
                if after <= limit:
                    onward.append((after, next(tie), to, (*path, to.name)))
            better = at.name not in best or spent < best[at.name].cost
            can_go_on = any(least is None or after <= least for after, *_ in onward)
            if at.name != self.here and better and self._may_end(at, can_go_on):
                best[at.name] = LegalRoute(spent, path)
            for item in onward:
                heappush(queue, item)
        return best

    def _may_end(self, at: At, can_go_on: bool) -> bool:
        if at.name in self.enemies and self.keeps("5.10.3-c") and not self.favourable:
            return False
        if self.towed and self.near(at.name) and self.keeps("5.8.5"):
            return self.favourable and (not can_go_on or self.harshly.stops(at.name, at))
        return True

    # -- by road ----------------------------------------------------------------------------------

    def _may_use_roads(self, form: str) -> bool:
        if self.keeps("5.6.0-a") and not self._motorized(form):
            return False
        if self.here not in self.terrain_map.roads_in:
            return False
        limit = self.rules["stacking"]["limit"]
        there = [*self.friends.get(self.here, ()), self.unit]
        crowd = sum((self.table.number(u, "stacking") for u in there), ZERO)
        return crowd <= limit or not self.keeps("5.6.0-c")

    def _motorized(self, form: str) -> bool:
        if self.in_battery:
            sp = self.me["traction"] == "sp" or self.nebelwerfer
            return sp or (self.one_hex and self.favourable)
        if self.classes()[0] == "mech":
            return True
        if not self.divisional:  # 5.6.4 may mean Strategic Mode in every US division
            return form == "strategic" and self.favourable and self.of_any_division
        if form == "strategic":
            return self.favourable or len(self._strategic()) + len(self._trucked()) <= 3
        if self.table.phase != "Movement" and self.keeps("5.6.4-i"):
            return False
        return self.favourable or len(self._strategic() | self._trucked()) < 3

    def _division(self) -> list[str]:
        same = [u for u in self.facts if self.facts[u]["formation"] == self.me["formation"]]
        return [u for u in same if self.facts[u]["class"] == "leg" and u != self.unit]

    def _strategic(self) -> set[str]:
        found = {u for u in self._division() if self.facts[u]["mode"] == "strategic"}
        return found | ({self.unit} if self.mode == "strategic" else set())

    def _trucked(self) -> set[str]:
        moved = {u for units, _, _ in self.table.drags for u in units}
        return {u for u in self._division() if u in moved and self.facts[u]["motor"] is not True}

    def _jam(self, name: str) -> int:
        """3.3: the Mech units in a hex, as a road mover counts them."""
        jam = 0
        columns = [
            u
            for u in self.table.within(name, self.side)
            if self.facts[u]["deployed"] != "no" and u != self.unit
        ]
        for u in self.friends.get(name, ()):
            facts = self.facts[u]
            deployed = facts["static"] is True and facts["type"] == "hq"
            if facts["type"] == "artillery":
                deployed = facts["battery"] == "in"
            if facts["type"] == "engineer" and facts["echelon"] == "army" and columns:
                deployed = facts["static"] is True
            if not deployed and self.is_mech(u) is not False:
                jam += 1
        return jam

    def _by_road(self, at: At, spent: Fraction, form: str) -> Iterator[tuple[At, Fraction | None]]:
        if self.one_hex and not at.fresh and self.keeps("5.8.2"):
            return
        bound = self.keeps("5.6.3-e") and not (self.favourable and form == "strategic")
        if bound and at.fresh and self._jam(self.here) >= 2:
            return
        for to in self.terrain_map.around[at.name]:
            for road in self.terrain_map.roads(at.name, to):
                if (
                    at.fresh
                    or self.terrain_map.meet(at.name, at.road, road)
                    or not self.keeps("5.6.1-b")
                ):
                    yield from self._along(at, to, road, spent, form)
            off_road = to in self.terrain_map.roads_in and not self.terrain_map.roads(at.name, to)
            if not self.keeps("5.6.0-e") and off_road:
                road = self.terrain_map.roads_in[to][0]
                yield from self._along(at, to, road, spent, form)

    def _along(
        self, at: At, to: str, road: int, spent: Fraction, form: str
    ) -> Iterator[tuple[At, Fraction | None]]:
        kind = self.terrain_map.lines[road].kind
        extra = self._enemy_cost(at, to, "mech" if self.classes()[0] == "mech" else "leg")
        if extra is None or not self._may_enter(at.name, to) or not self._may_cross(at.name, to):
            return
        bound = self.keeps("5.6.4-c") and not (self.favourable and form == "strategic")
        if bound and self.divisional and self.near(to):
            return
        jam = self._traffic(to, form)
        if jam is None:
            return
        lost = ZERO
        if at.last and at.last != kind and self.keeps("5.6.1-c"):
            lost = ceil(spent) - spent
        cost = Fraction(self.rules["roads"][kind]) + lost + extra
        cls = (
            "leg"
            if self.favourable and self.me["class"] == "leg" and "mech" not in self.classes()
            else "mech"
        )
        cost += self._strangers(to) + self._neighbours(to, cls)
        for narrow in self._penalties(at, to):
            if narrow and not at.fresh:
                continue
            stop = bool(narrow) or self.stops(to, at) or (bool(jam) and self.keeps("5.6.3-b"))
            after = self._after(at, to, stop, road, kind)
            takes_all = narrow == "whole" or (narrow and cost + jam <= self.allowance("road"))
            yield after, None if takes_all else cost + jam

    def _penalties(self, at: At, to: str) -> tuple[str, ...]:
        """5.4.4-d: what constricted terrain asks of who crosses it by a road that is not a line: nothing, the
        whole MA, or perhaps that ("stop": it fits either way only if it is all that the unit does)."""
        chosen = self.options.get("constricted_road", "undecided")
        leaves = self._off_line_out(at, to)
        if self.favourable:  # which line it came by is not told by the road
            leaves = self.terrain_map.constricted(at.name) and not self.terrain_map.lines_from(
                at.name, to
            )
        if chosen == "free" or not (leaves or self._off_line_in(at, to)):
            return ("",)
        if chosen == "undecided" or self.artillery:
            return ("", "whole") if self.favourable else ("stop",)
        return ("whole",) if self.keeps("5.4.4-d") else ("",)

    def _may_cross(self, a: str, b: str) -> bool:
        """5.6.2."""
        features = self.terrain_map.side(a, b)
        if not features & {"stream", *RIVERS}:
            return True
        if not self._bridge(a, b):
            return not self.keeps("5.6.2-a")
        return not self._too_heavy(a, b) or not self.keeps("5.6.2-d")

    def _traffic(self, to: str, form: str) -> Fraction | None:
        """5.3.4, 5.6.3: what the Mech units in a hex cost a road mover; None: it may not enter."""
        jam = self._jam(to)
        strategic = any(self.facts[u]["mode"] == "strategic" for u in self.friends.get(to, ()))
        if form == "strategic":
            leg = self.classes()[0] != "mech" or self.me["class"] == "leg"
            if self.favourable and leg:
                return ZERO
            if jam and self.keeps("5.3.4-a"):
                return None
            return None if strategic and not self.favourable else ZERO
        if strategic and self.keeps("5.3.4-b"):
            return None
        if jam >= 2:
            return None if self.keeps("5.6.3-d") else Fraction(2)
        return Fraction(2 * jam if self.keeps("5.6.3-a") else 0) if jam else ZERO

    # -- prepared assault -------------------------------------------------------------------------

    def _assault(self) -> Iterator[dict[str, LegalRoute]]:
        """5.5."""
        if self.in_battery and not self.favourable:
            return
        for cls in self.classes():
            most = 1 if cls == "leg" and self.keeps("5.5-b") else 2
            most = Fraction(3 if cls == "mech" and not self.keeps("5.5-c") else most)
            yield self._walk(most, most, partial(self._assaulting, cls=cls))

    def _assaulting(
        self, at: At, spent: Fraction, cls: str
    ) -> Iterator[tuple[At, Fraction | None]]:
        terrain_map = self.terrain_map
        for to in terrain_map.around[at.name]:
            if to in self.enemies and self.keeps("5.3.0-a"):
                continue
            if not self._may_enter(at.name, to) or not self._passable(at, to, cls):
                continue
            road = bool(terrain_map.roads(at.name, to))
            rough = bool(WOODS & set(terrain_map.terrain[to])) or terrain_map.constricted(to)
            rough = rough and not road and cls == "mech"
            dashed = terrain_map.constricted(to) and not WOODS & set(terrain_map.terrain[to])
            mild = self.favourable and dashed and not self._off_line_in(at, to)
            harsh = self.harsh("pa_reverse_ruling", "forbid", "allow") and self.keeps("5.5-j")
            if harsh and rough and not mild and not at.fresh and at.road >= 0:
                continue
            over = rough and not mild and self.keeps("5.5-f")
            over = over or (self.near(to) and self.keeps("5.5-g")) or self.stops(to, at)
            over = over or (self.in_battery and self.one_hex)
            yield self._after(at, to, over, 0 if road else -1), ONE

    def _passable(self, at: At, to: str, cls: str) -> bool:
        """5.5-d."""
        if not self.keeps("5.5-d"):
            return True
        off_line = self.terrain_map.constricted(to) and self._off_line_in(at, to)
        if self.artillery and off_line and self.keeps("5.4.4-b"):
            return False
        road = cls == "leg" and bool(self.terrain_map.roads(at.name, to))
        if self.terrain(to, cls) is None and not road:
            return False
        return any(True for _ in self._sides(at, to, cls))


def _cheapest(several: Iterable[dict[str, LegalRoute]]) -> dict[str, LegalRoute]:
    """The cheaper way to each hex. A bill may be for either, if they are of two forms or classes."""
    best: dict[str, LegalRoute] = {}
    for found in several:
        for name, route in found.items():
            other = best.get(name)
            if other is None or route.cost < other.cost:
                best[name] = route
            if other is not None and other.cost != route.cost:
                best[name] = replace(best[name], waived=True)
    return best
