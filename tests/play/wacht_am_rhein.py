"""The kit of wacht-am-rhein: section 5 of the rules, 2nd edition."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import Any

from .kit import BOX, Action, Change, Drag, GameSetup, LegalRoute, LegalRoutes, Phase, Table
from .legal import drags, fits, mishaps, parted, target
from .wacht_am_rhein_marcher import RESERVES
from .wacht_am_rhein_planting import FORMS, Planting
from .wacht_am_rhein_setup import setup
from .wacht_am_rhein_stages import is_elsewhere, stage
from .wacht_am_rhein_units import MODES
from .wacht_am_rhein_walker import Walker


def _ids(text: str) -> tuple[str, ...]:
    return tuple(f"WAR-{name}" for name in text.split())


CLAUSES = _ids("""
    5.0-e 5.0-g 5.0-j 5.0-k 5.0-m 5.1-b 5.1-c 5.1-f 5.1-g 5.2-c1 5.2-c2 5.2-c3 5.2-c4 5.2-d 5.2.1a-1 5.2.1a-2
    5.2.1a-3 5.2.1a-4 5.2.1a-5 5.3.0-a 5.3.1-a 5.3.1-b 5.3.1-c 5.3.2-a 5.3.3 5.3.4-a 5.3.4-b 5.3.5-a 5.3.6
    5.4.2-a 5.4.2-b1 5.4.2-b2 5.4.2-c1 5.4.2-c2 5.4.3a-a 5.4.3a-b 5.4.3a-d 5.4.3b-a 5.4.3b-e 5.4.3b-f 5.4.4-b
    5.4.4a-a 5.4.4a-b 5.4.4a-c 5.4.4a-d 5.4.4b-c 5.4.4-d 5.5-b 5.5-c 5.5-d 5.5-f 5.5-g 5.5-j 5.6.0-a 5.6.0-c
    5.6.0-e 5.6.1-b 5.6.1-c 5.6.2-a 5.6.2-d 5.6.3-a 5.6.3-b 5.6.3-d 5.6.3-e 5.6.4-c 5.6.4-i 5.7.0-b 5.7.2-b
    5.7.2-c 5.7.2-f 5.7.2a-a 5.8.0-c 5.8.0-d 5.8.2 5.8.4-a 5.8.4-b 5.8.5 5.9-a 5.10-b 5.10-c1 5.10-c2 5.10-e
    5.10.1-b 5.10.1-e
""")
PLANTED = _ids(
    "5.0-l1 5.0-l2 5.0-l4 5.3.0-c 5.6.4-a 5.6.4-h 5.10-c3 5.10.1-a 5.10.1-d 5.10.3-c 5.10.4-a"
)
UNBREAKABLE = {
    **dict.fromkeys(
        _ids("""
            5.2-b0 5.2-b1 5.2-b2 5.2-b3 5.2-b4 5.2-b5 5.2.1b-1 5.2.1b-2 5.2.1b-3 5.2.1b-4 5.3.0-f 5.3.1-0
            5.3.2-b 5.3.2-c 5.3.2-d 5.3.5-b 5.3.5-c 5.3.5-d
            5.4.1-a 5.4.1-c 5.4.2-d 5.4.3b-b 5.4.3b-c 5.4.4-c 5.4.4b-a
            5.4.4b-b 5.4.4b-d 5.5-l 5.6.2-b 5.6.4-d 5.7.3-a 5.7.3-c 5.7.4 5.7.5-c 5.8.1-a 5.8.1a-a 5.9-b 5.9-c
            5.10-g 5.10.1-f
        """),
        "it gives leave",
    ),
    **dict.fromkeys(
        _ids("5.7.2-e1 5.7.2-e2 5.7.2-e3"),
        "it says how 5.7.2a-a is reckoned, and that is the clause broken",
    ),
    "WAR-5.6.0-b": "who begins off the road cannot follow one with his first step: that breaks 5.6.0-e, too",
    "WAR-5.8.0-b": "it says what holds for such artillery, and those are the clauses broken",
    "WAR-5.10.4-b": "whether it must have withdrawn when the phase ends is left open",
    "WAR-5.10-a": "no log shows an overrun in another phase: what is seen there breaks 5.3.0-a",
}

NAMED_BY = {
    "WAR-5.0-j": ("WAR-5.7.0-b",),  # of several terrains one is prohibited
    "WAR-5.0-k": ("WAR-5.4.2-a", "WAR-5.4.3b-a", "WAR-5.7.0-b", "WAR-5.3.2-a"),
    "WAR-5.0-m": ("WAR-5.6.0-b",),
    "WAR-5.4.4-d": ("WAR-5.4.4a-a", "WAR-5.4.4a-b"),
    "WAR-5.4.3a-d": ("WAR-5.6.2-d",),  # which says the same of road movers
    "WAR-5.4.4b-c": ("WAR-5.4.4a-b", "WAR-5.4.4a-d"),  # what it asks who leaves by no line of his
    "WAR-5.5-d": _ids("5.7.0-b 5.4.2-b1 5.4.2-b2 5.4.3a-a 5.4.3a-d 5.4.3b-e 5.4.4-b"),
}


class WachtAmRhein(Planting):
    name = "wacht-am-rhein"
    sequence = ("Movement", "Exploitation", "Combat", "Mode Determination")
    limit = "WAR-5.0-g"
    slow = 2
    clauses = CLAUSES
    planted = PLANTED
    unbreakable = UNBREAKABLE
    named_by = NAMED_BY

    def setup(self, rng: Random, *, big: bool) -> GameSetup:
        return setup(rng, big=big)

    def occasion(self, clause: str, rng: Random) -> GameSetup:
        return stage(clause, rng) or setup(rng, big=True)

    def routes(self, table: Table, unit: str, form: str = "", forgotten: str = "") -> LegalRoutes:
        if table.where[unit] == BOX:
            return {}
        walker = self.walker(table, unit, forgotten)
        if forgotten not in ("", self.limit) and (
            is_elsewhere(unit) or not _bears_on(forgotten.removeprefix("WAR-"), walker)
        ):
            return {}  # he goes where he honestly may: no error is to be had of him
        return walker.routes(form)

    def favourable_routes(self, table: Table, unit: str, form: str = "") -> LegalRoutes:
        if table.where[unit] == BOX:
            return {}
        walker = self.walker(table, unit, favourable=True)
        if table.facts[unit]["deployed"] != "no":  # 5.7.5-b: whether a bridge moves is left open
            return {
                name: LegalRoute(walker.allowance("road"), (name,)) for name in table.board.hexes
            }
        found = dict(walker.routes(form))
        rides = table.facts[unit]["type"] in ("infantry", "engineer")
        if table.phase == "Mode Determination" and table.facts[unit]["breakdown"] and rides:
            for name in (
                table.board.hexes
            ):  # 5.7.1: companies go back to their battalions, no clause says how
                found.setdefault(name, LegalRoute(walker.allowance("road"), (name,)))
        if table.phase == "Exploitation":  # what an overrun puts back does not move
            theirs = table.side(unit) != table.active
            beside = walker.near(table.where[unit]) and table.facts[unit]["mode"] in REDEPLOYED
            for name in table.board.hexes:
                if theirs or (beside and not walker.near(name)):
                    found.setdefault(name, LegalRoute(walker.allowance("road"), (name,)))
        return found

    def asked(self, table: Table, rng: Random) -> Iterator[tuple[str, str, str, str]]:
        units = [u for u in table.where if table.facts[u]["deployed"] == "no"]
        for unit in rng.sample(units, min(2, len(units))):
            side = table.side(unit)
            mode = str(table.facts[unit]["mode"])
            phase = "Exploitation" if mode == "exploit" or rng.random() < 0.15 else "Movement"
            phase = (
                rng.choice(("Movement", "Exploitation", "Mode Determination"))
                if rng.random() < 0.1
                else phase
            )
            active = table.other(side) if rng.random() < 0.05 else side
            yield unit, "", phase, active

    def may_stand(self, table: Table, name: str, units: Sequence[str]) -> bool:
        limit = table.setup.rules["stacking"]["limit"]
        return sum(table.number(u, "stacking") for u in units) <= limit

    def company(self, table: Table, units: Sequence[str], form: str = "") -> LegalRoutes:
        """Units go singly (5.0-f): by road one would meet the other, in an overrun they would be two."""
        if len(units) == 1:
            return self.routes(table, units[0], form)
        if form not in ("tactical", "prepared assault"):
            return {}
        if not all(self.alike(table, units[0], other) for other in units[1:]):
            return {}
        enemy = table.other(table.side(units[0]))
        routes = self.routes(table, units[0], form)
        return {n: w for n, w in routes.items() if not any(table.within(p, enemy) for p in w.path)}

    # -- play -------------------------------------------------------------------------------------

    def phase_changes(self, table: Table, rng: Random) -> Iterator[Change]:
        mine = table.on_map(table.active)
        if table.phase == "Mode Determination":
            for name in mine:
                yield from self._determine(table, rng, name)
        if table.phase == "Exploitation":
            for name in mine:
                around = [
                    u for n in table.board.neighbours(table.where[name]) for u in table.within(n)
                ]
                free = not any(table.facts[u]["mode"] == "pa" for u in around)
                reserve = table.facts[name]["mode"] == "maneuver-reserve"
                if reserve and free and rng.random() < 0.7:
                    yield Change(name, "mode", "exploit")

    def _determine(self, table: Table, rng: Random, name: str) -> Iterator[Change]:
        facts = table.facts[name]
        if rng.random() < 0.4:
            mode = rng.choice(MODES) if rng.random() < 0.9 else rng.choice(RESERVES)
            if mode != "strategic" or not self._crowded(table, name):
                yield Change(name, "mode", mode)
        if facts["type"] == "artillery" and rng.random() < 0.3:
            yield Change(name, "battery", "in" if facts["battery"] == "out" else "out")
        if facts["type"] == "hq" and rng.random() < 0.2:
            yield Change(name, "static", facts["static"] is not True)
        if facts["motor"] is True and rng.random() < 0.1:
            yield Change(name, "motor", False)
        if rng.random() < 0.08:
            yield Change(name, "supply", "in" if facts["supply"] == "out" else "out")
        for marker in ("resting", "fatigue", "released", "leader"):
            if rng.random() < 0.04:
                yield Change(name, marker, facts[marker] is not True)

    def _crowded(self, table: Table, name: str) -> bool:
        """5.6.4-h."""
        facts = table.facts
        same = [u for u in facts if facts[u]["formation"] == facts[name]["formation"] and u != name]
        riding = [u for u in same if facts[u]["mode"] == "strategic" and facts[u]["class"] == "leg"]
        return facts[name]["class"] == "leg" and len(riding) >= 3

    def turn(self, table: Table, rng: Random, number: int, side: str) -> Iterator[Action]:
        """Strategic before road, road before tactical movers, and prepared assault last (5.0-l)."""
        for phase in self.sequence:
            yield Phase(number, phase, side)
            yield from self.phase_changes(table, rng)
            if phase == "Combat":
                yield from parted(table, side)
                yield from mishaps(self, table, rng)
            elif phase != "Mode Determination":
                todo = table.on_map(side)
                for form in FORMS:
                    yield from self._marches(table, rng, todo, form)

    def _marches(self, table: Table, rng: Random, todo: list[str], form: str) -> Iterator[Action]:
        units = list(todo)
        rng.shuffle(units)
        for leader in units:
            if leader not in todo or (form == "road" and rng.random() < 0.4):
                continue
            group = [leader]
            for other in todo:
                same = table.where[other] == table.where[leader] and other != leader
                if same and self.alike(table, leader, other) and rng.random() < 0.6:
                    group.append(other)
            routes = self.company(table, group, form)
            if not routes and len(group) > 1:
                group = [leader]
                routes = self.company(table, group, form)
            fit = [name for name in routes if fits(self, table, name, group)]
            if not fit:
                continue
            route = routes[target(rng, routes, fit)]
            enemy = table.other(table.side(leader))
            if any(
                table.within(name, enemy) for name in route.path
            ):  # so that it is seen what he overran
                for name in route.path[1:]:
                    yield Drag((leader,), name)
            else:
                yield from drags(self, table, rng, tuple(group), route, "")
            for unit in group:
                todo.remove(unit)

    def rules_withheld(self, setup: GameSetup, rng: Random) -> Mapping[str, Any]:
        rules: dict[str, Any] = {name: dict(rows) for name, rows in setup.rules.items()}
        for name in ("terrain", "hexsides", "roads", "fuel", "raises", "adjacent"):
            for key in rules[name]:
                if rng.random() < 0.15:
                    rules[name][key] = "unknown"
        if rng.random() < 0.2:
            rules["stacking"] = {"limit": "unknown"}
        if rng.random() < 0.2:
            del rules["grounds"]
        return rules


ON: tuple[tuple[str, Callable[[Walker], bool]], ...] = (
    ("5.0-e", lambda w: w.table.phase == "Mode Determination"),
    ("5.0-m", lambda w: w.mode == "strategic"),
    ("5.1-b", lambda w: w.mode == "exploit" and w.table.phase == "Movement"),
    ("5.1-c", lambda w: w.mode in RESERVES and w.table.phase == "Movement"),
    ("5.1-f", lambda w: w.mode != "exploit" and w.table.phase == "Exploitation"),
    ("5.1-g", lambda w: w.side != w.table.active),
    ("5.2-c1", lambda w: w.type == "heavy-armor"),
    ("5.2-c2", lambda w: w.leg_at),
    ("5.2-c3", lambda w: w.artillery),
    ("5.2-c4", lambda w: w.type == "bridge-column"),
    ("5.2.1a-1", lambda w: w.me["supply"] == "out"),
    ("5.2.1a-2", lambda w: w.me["resting"] is True),
    ("5.2.1a-3", lambda w: w.me["fatigue"] is True),
    ("5.2.1a-4", lambda w: w.me["fuel"] != "normal"),
    ("5.2.1a-5", lambda w: w.table.setup.conditions["ground"] == "mud"),
    ("5.3.1-b", lambda w: w.side == "Allied"),
    ("5.3.3", lambda w: w.mode == "exploit" and w.table.phase == "Exploitation"),
    ("5.3.4-a", lambda w: w.mode == "strategic"),
    ("5.3.6", lambda w: w.side == "Allied"),
    ("5.4.2-b1", lambda w: w.artillery),
    ("5.4.2-b2", lambda w: w.nation == "us" and w.type in ("at", "heavy-at")),
    ("5.4.2-c", lambda w: w.leg_at and w.me["motor"] is not True),
    ("5.4.3a-d", lambda w: w.me["bridge-class"] == "H"),
    ("5.4.3b", lambda w: "leg" in w.classes()),
    ("5.4.4-b", lambda w: w.artillery),
    ("5.4.4a-c", lambda w: "leg" in w.classes()),
    ("5.4.4a-d", lambda w: "leg" in w.classes()),
    ("5.5", lambda w: w.mode == "pa"),
    ("5.6.2-d", lambda w: w.me["bridge-class"] == "H"),
    ("5.6.4", lambda w: w.divisional),
    ("5.6", lambda w: w.mode != "pa"),
    ("5.7.2", lambda w: w.me["motor"] is True),
    ("5.8", lambda w: w.artillery),
    ("5.9-a", lambda w: w.night and w.mode != "pa"),
    ("5.10-b", lambda w: w.table.phase == "Exploitation"),
    ("5.10", lambda w: w.mode == "exploit" and w.table.phase == "Exploitation"),
)
"""On whom a clause bears at all; the first that fits."""


REDEPLOYED = ("exploit", "maneuver-reserve")
"""Modes in which a unit may have overrun others in the phase."""


def _bears_on(clause: str, walker: Walker) -> bool:
    table = walker.table
    if table.phase == "Mode Determination" and clause != "5.0-e":
        return False
    if walker.side != table.active and (clause != "5.1-g" or table.phase == "Exploitation"):
        return False
    return next((test(walker) for start, test in ON if clause.startswith(start)), True)


KIT = WachtAmRhein()
