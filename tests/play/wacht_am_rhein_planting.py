"""Errors of wacht-am-rhein that are made with several actions: order, stacking, quotas, overruns."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from random import Random

from vassal_umpire.model.board import Board

from .kit import BOX, Action, Cache, Change, Drag, Kit, LegalRoute, Table, one_too_many
from .legal import fits
from .wacht_am_rhein_marcher import TerrainMap
from .wacht_am_rhein_walker import Walker

FORMS = ("strategic", "road", "tactical", "prepared assault")
"""In the order in which they move."""
STRANGE = 20
"""How much it adds to what blurs an error that the unit stands where it cannot have come."""


class Planting(Kit):
    """What the kit plants."""

    def __init__(self) -> None:
        self._terrain_map = Cache[None, TerrainMap]()

    def terrain_map(self, board: Board) -> TerrainMap:
        return self._terrain_map.get(board, None, lambda: TerrainMap(board))

    def walker(
        self, table: Table, unit: str, forgotten: str = "", *, favourable: bool = False
    ) -> Walker:
        return Walker(
            table, unit, self.terrain_map(table.board), favourable=favourable, forgotten=forgotten
        )

    def muddle(self, table: Table, unit: str, form: str, clause: str) -> int:
        facts = table.facts[unit]
        marks = sum(facts[m] is True for m in ("resting", "fatigue", "released", "leader"))
        if not clause.startswith("WAR-5.2"):  # all of it is named before the clause
            marks += table.setup.conditions["ground"] != "normal"
        marks += clause != "WAR-5.9-a" and table.setup.conditions["night"] is True
        marks += (facts["supply"] == "out") + (facts["fuel"] != "normal")
        marks = max(0, marks - clause.startswith("WAR-5.2"))
        return marks + STRANGE * self._stands_strangely(table, unit)

    def _stands_strangely(self, table: Table, unit: str) -> bool:
        """Whether a unit stands where its charts let it come by no way: it is accused of nothing then."""
        walker = self.walker(table, unit)
        if walker.here == BOX or walker.here in walker.terrain_map.roads_in:
            return False
        return all(walker.terrain(walker.here, cls) is None for cls in walker.classes())

    def plant(self, clause: str, table: Table, rng: Random) -> Sequence[Action] | None:
        units = table.on_map(table.active)
        rng.shuffle(units)
        if table.phase == "Exploitation":
            return self._overrun(clause, table, units)
        if table.phase != "Movement" or clause.startswith("WAR-5.10"):
            return None
        made = {
            "WAR-5.3.0-c": self._crowd,
            "WAR-5.6.4-a": self._ride,
            "WAR-5.6.4-h": self._strategic,
        }
        return made.get(clause, partial(self._disorder, clause))(table, units)

    def _by(self, table: Table, unit: str, form: str) -> list[str]:
        """Where a unit can go by one form alone."""
        others = [o for o in FORMS if o != form]
        anyhow = {n for o in others for n in self.walker(table, unit, favourable=True).routes(o)}
        fit = [n for n in self.routes(table, unit, form) if n not in anyhow]
        return [n for n in fit if fits(self, table, n, [unit])]

    def _disorder(self, clause: str, table: Table, units: list[str]) -> Sequence[Action] | None:
        """One of a group that moves later, and then one of a group that should have been before."""
        late = "prepared assault" if clause == "WAR-5.0-l4" else "tactical"
        soon = {"WAR-5.0-l1": "strategic", "WAR-5.0-l2": "road", "WAR-5.0-l4": "tactical"}[clause]
        for one in units:
            for first in self._by(table, one, late)[:2]:
                after = table.after(Drag((one,), first))
                for other in units:
                    targets = self._by(after, other, soon) if other != one else []
                    if targets:
                        return (Drag((one,), first), Drag((other,), targets[0]))
        return None

    def _crowd(self, table: Table, units: list[str]) -> Sequence[Action] | None:
        found = (one_too_many(self, table, one, self.routes(table, one)) for one in units)
        return next(filter(None, found), None)

    def _ride(self, table: Table, units: list[str]) -> Sequence[Action] | None:
        """A fourth Leg unit of a division by its trucks."""
        for lead in units:
            done: list[Drag] = []
            now = table
            for one in units:
                if table.facts[one]["formation"] != table.facts[lead]["formation"]:
                    continue
                walker = self.walker(now, one)
                if not walker.divisional or table.facts[one]["mode"] != "tactical":
                    continue
                generous = self.walker(now, one, favourable=True)
                anyhow = generous.routes("tactical")
                road = self.walker(now, one, favourable=len(done) == 3).routes("road")
                fit = [n for n in road if n not in anyhow and fits(self, now, n, [one])]
                if fit:
                    done.append(Drag((one,), fit[0]))
                    now = now.after(done[-1])
                if len(done) == 4:
                    return done
        return None

    def _strategic(self, table: Table, units: list[str]) -> Sequence[Action] | None:
        """A fourth Leg unit of a division in Strategic Mode without trucks, and all four move."""
        for lead in units:
            done: list[Drag] = []
            now = table
            for one in units:
                same = table.facts[one]["formation"] == table.facts[lead]["formation"]
                walker = self.walker(now, one, favourable=True)
                if not same or not walker.divisional:
                    continue
                changed = now.after(Change(one, "mode", "strategic"))
                walker = self.walker(changed, one, favourable=True)
                routes = walker.routes("strategic")
                fit = [n for n, w in routes.items() if not now.within(n) and _is_free(walker, w)]
                if fit:
                    done += [Change(one, "mode", "strategic"), Drag((one,), sorted(fit)[0])]  # type: ignore[list-item]
                    now = changed.after(done[-1])
                if len(done) == 8:
                    return [*done[0::2], *done[1::2]]
        return None

    def _overrun(self, clause: str, table: Table, units: list[str]) -> Sequence[Action] | None:
        """Two overrun together; one stays with those it did not drive off; one goes on after failure; one
        is on trucks; one overruns whom another has."""
        if clause == "WAR-5.10-c3":
            return self._overrun_on_trucks(table, units)
        if clause == "WAR-5.10.1-d":
            return self._overrun_again(table, units)
        told = {"WAR-5.10.1-a": "joint", "WAR-5.10.3-c": "uncleared", "WAR-5.10.4-a": "failed"}
        if clause not in told:
            return None
        enemy = table.other(table.active)
        declared = {"overrun": told[clause]}
        for one in units:
            if table.facts[one]["mode"] != "exploit":
                continue
            routes = self.walker(table, one, "WAR-5.10.3-c").routes()
            for to, route in routes.items():
                held = [n for n in route.path[1:] if table.within(n, enemy)]
                if clause == "WAR-5.10.4-a" and not held and self._is_halted(table, one, route):
                    return (Drag((one,), route.path[1], "", declared), Drag((one,), to))
                if clause == "WAR-5.10.3-c" and held == [to]:
                    return (Drag((one,), to, "", declared),)
                mates = [u for u in units if u != one and self.alike(table, u, one)]
                mates = [u for u in mates if table.where[u] == table.where[one]]
                if clause == "WAR-5.10.1-a" and held == [to] and mates:
                    return (Drag((one, mates[0]), to, "", declared),)
        return None

    def _is_halted(self, table: Table, unit: str, route: LegalRoute) -> bool:
        """Whether a unit that fails to overrun after the first step of a way may not go on by it: it has no
        enemy to withdraw from."""
        if len(route.path) < 3:
            return False
        near = self.walker(table, unit).near
        return bool(near(route.path[-1])) or not any(map(near, route.path[:2]))

    def _overrun_on_trucks(self, table: Table, units: list[str]) -> Sequence[Action] | None:
        """And clears the hex: then nothing else is to be said of it."""
        enemy = table.other(table.active)
        for one in units:
            walker = self.walker(table, one)
            if walker.mode == "exploit" and walker.me["motor"] is True and not walker.barred():
                for to in table.board.neighbours(table.where[one]):
                    if table.within(to, enemy) and not walker.near(to):
                        return (Drag((one,), to, "", {"overrun": "cleared"}),)
        return None

    def _overrun_again(self, table: Table, units: list[str]) -> Sequence[Action] | None:
        """One overruns enemies and goes on, and so does another."""
        enemy = table.other(table.active)
        for one in units:
            for to, route in self.routes(table, one).items():
                held = [name for name in route.path[1:] if table.within(name, enemy)]
                if len(held) != 1 or held == [to] or not fits(self, table, to, [one]):
                    continue
                done = [Drag((one,), name) for name in route.path[1:]]
                after = table
                for drag in done:
                    after = after.after(drag)
                for other in units:
                    wrong = self.routes(after, other, "", "WAR-5.10.1-d") if other != one else {}
                    open_to = self.favourable_routes(after, other) if wrong else {}
                    for there, his in wrong.items():
                        free = there not in open_to and fits(self, after, there, [other])
                        if free and held[0] in his.path:
                            return (
                                *done,
                                Drag((other,), there, known={f"overrun-{held[0]}": True}),
                            )
        return None


def _is_free(walker: Walker, route: LegalRoute) -> bool:
    """Whether a way comes by no enemies and no Mech units."""
    met = [u for name in route.path[1:] for u in walker.friends.get(name, ())]
    near = any(map(walker.near, route.path[1:]))
    return not near and all(walker.is_mech(u) is False for u in met)
