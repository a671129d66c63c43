"""The brute-force twin: walks every state a unit can reach, step by step, in a game of which all is known.

It shares nothing with the validators but the model and the meaning of the tables, and is written the
plain way: fractions, no bounds, no best-first order, no dominance. Every (hex, road memory, stops passed,
MPs spent) that can be reached is visited.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from typing import Any

from vassal_umpire.model.board import edge
from vassal_umpire.model.game import Game, StepRef

ALL = "all"
AT = StepRef(1, 1)
Hop = tuple[str, int | Fraction, object, bool, bool, int, bool]
"""Hex, cost, memory after it, whether it must stop there, whether it takes all, what is rounded up to
before it is paid (0: nothing), whether the hex is only passed."""
Hops = Callable[[str, object], Iterable[Hop]]
State = tuple[str, object, int, Fraction]
"""Hex, what is remembered of the road, how many stops were passed, MPs spent."""


@dataclass(frozen=True)
class Answer:
    """``least`` MPs by which it can be done within the allowance, None if it cannot; ``minimum``: it
    can be done as a minimum move only. ``reach``: every hex within the allowance, and its least cost."""

    legal: bool
    least: Fraction | None
    minimum: bool
    reach: Mapping[str, Fraction]


class Twin:
    """Judges one game. ``off``: clauses that do not apply are not modelled."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.board = game.board
        self.tables: Mapping[str, Any] = game.rules.tables
        self.places = {u: p.name for u, p in game.opening.items() if p.kind == "hex"}

    def value(self, unit: str, attribute: str) -> Any:
        return self.game.units[unit].fact(attribute).value

    def mover_class(self, unit: str) -> str:
        classes = self.tables["classes"]
        if "attribute" not in classes:
            return classes["names"][0]
        return str(self.value(unit, classes["attribute"]))

    def cost(self, costs: Any, mover: str, missing: Any = "unknown") -> Any:
        if isinstance(costs, Mapping):
            return costs.get(mover, costs.get("others", missing))
        return costs

    def holds(self, tests: Any, unit: str) -> bool:
        for test in tests:
            if "condition" in test:
                found = self.game.condition(test["condition"], AT, unit).value
            else:
                found = self.value(unit, test["attribute"])
            if "is" in test and found not in test["is"]:
                return False
            if "not" in test and found in test["not"]:
                return False
            if "least" in test and not Fraction(found) >= Fraction(test["least"]):
                return False
            if "most" in test and not Fraction(found) <= Fraction(test["most"]):
                return False
        return True

    def allowance(self, unit: str) -> Fraction:
        rules = self.tables["allowance"]
        amount = self.value(unit, rules["attribute"]) if "attribute" in rules else None
        if amount is None:
            amount = Fraction(self.cost(rules["by_class"], self.mover_class(unit)))
        for modifier in rules.get("modifiers", ()):
            if not self.holds(modifier.get("if", ()), unit):
                continue
            number = Fraction(modifier["value"])
            amount = {
                "add": amount + number,
                "subtract": max(Fraction(0), amount - number),
                "multiply": amount * number,
                "set": number,
                "at_least": max(amount, number),
                "at_most": min(amount, number),
            }[modifier["op"]]
            rounded = {"up": ceil, "down": floor}.get(modifier.get("round"), Fraction)
            amount = Fraction(rounded(amount))
        return amount

    def may_move(self, unit: str) -> bool:
        states = self.tables["allowance"].get("immobile", ())
        return self.allowance(unit) > 0 and not any(self.holds(s["if"], unit) for s in states)

    def terrain(self, name: str, mover: str) -> Any:
        """Fraction, ALL or None (prohibited)."""
        here = self.board.hexes[name]
        charts = self.tables["terrain"]["costs"]
        names = [*(here.terrain or ()), *(f for f in here.features if f in charts)]
        raw = [self.cost(charts[n], mover) for n in names]
        if "prohibited" in raw:
            return None
        if ALL in raw:
            return ALL
        base = [Fraction(c) for c in raw if not str(c).startswith("+")]
        plus = [Fraction(c[1:]) for c in raw if str(c).startswith("+")]
        mixed = sum(base) if self.tables["terrain"].get("combine") == "sum" else max(base)
        return mixed + sum(plus)

    def crossing(self, a: str, b: str, mover: str) -> Any:
        features = self.board.sides.get(edge(a, b), ())
        found: list[Any] = []
        for feature in features:
            rules = self.tables.get("hexsides", {}).get(feature)
            if rules is None:
                continue
            costs = [
                self.cost(bridge.get("cost", 0), mover)
                for bridge in rules.get("bridges", ())
                if bridge["feature"] in features
            ] or [self.cost(rules["cost"], mover)]
            found.append(min(costs, key=lambda c: (c == "prohibited", c == ALL, _number(c))))
        return _sum(found)

    def climb(self, a: str, b: str, mover: str) -> Any:
        rules = self.tables.get("levels")
        if rules is None:
            return Fraction(0)
        one, other = self.board.hexes[a].level, self.board.hexes[b].level
        assert one is not None
        assert other is not None
        rise = other - one
        if abs(rise) > rules.get("most", 99):
            return None
        if rise == 0:
            return Fraction(0)
        cost = self.cost(rules.get("up" if rise > 0 else "down", 0), mover)
        return _sum([cost] * abs(rise))

    def standing(self, a: str | None, b: str | None) -> str:
        """What two sides are to each other: as is said of the two, and enemies of whom nothing is said."""
        if a == b:
            return "friends"
        said = (r.are for r in self.game.relations if {a, b} == {*r.sides})
        return next(said, "enemies")

    def others(self, name: str, unit: str, standing: str) -> list[str]:
        """The units in a hex that are ``friends`` or ``enemies`` of a unit."""
        units = self.game.units
        return [
            other
            for other, place in self.places.items()
            if place == name
            and other != unit
            and units[other].kind == "unit"
            and self.standing(units[unit].side, units[other].side) == standing
            and self.value(other, "dead") is not True
        ]

    def zocs(self) -> list[Mapping[str, Any]]:
        found = self.tables.get("zoc", [])
        return [found] if isinstance(found, Mapping) else found

    def in_zoc(self, name: str, unit: str, rules: Mapping[str, Any]) -> bool:
        if not self.holds(rules.get("felt_by", ()), unit):
            return False
        if rules.get("negated_by_friends") and self.others(name, unit, "friends"):
            return False
        here = self.board.hexes[name]
        has = {*(here.terrain or ()), *here.features}
        if has & set(rules.get("not_into", ())) or not has & set(rules.get("into", has)):
            return False
        for near in self.board.neighbours(name):
            side = self.board.sides.get(edge(near, name), ())
            if set(side) & set(rules.get("not_across", ())):
                continue
            if "across" in rules and not set(side) & set(rules["across"]):
                continue
            there = self.board.hexes[near]
            if "out_of" in rules and not {*(there.terrain or ()), *there.features} & set(
                rules["out_of"]
            ):
                continue
            for other in self.others(near, unit, "enemies"):
                if not self.holds(rules.get("exerted_by", ()), other):
                    continue
                if rules.get("not_into_prohibited") and self.may_not_go(other, near, name):
                    continue
                return True
        return False

    def may_not_go(self, unit: str, a: str, b: str) -> bool:
        """Whether a step off the roads is prohibited to a unit by the charts and rules, whoever is there."""
        mover = self.mover_class(unit)
        parts = {
            "terrain": self.terrain(b, mover),
            "hexsides": self.crossing(a, b, mover),
            "levels": self.climb(a, b, mover),
        }
        return self.ruled(unit, a, b, "", parts, friends=False)[0] is None

    def steps(self, unit: str, a: str, memory: object) -> Iterator[tuple[str, Any, object, bool]]:
        """(hex, cost, memory after it, whether it must stop there) of every step not prohibited."""
        mover = self.mover_class(unit)
        for b in self.board.neighbours(a):
            extra = []
            met, rules = self.others(b, unit, "enemies"), self.tables.get("enemy_hex", {})
            barring = rules.get("barred_by", None if "cost" in rules else ())
            if barring is not None and any(self.holds(barring, e) for e in met):
                extra.append("prohibited")
            elif met and "cost" in rules:
                extra.append(self.cost(rules["cost"], mover))
            stops = False
            for zoc in self.zocs():
                out, into = self.in_zoc(a, unit, zoc), self.in_zoc(b, unit, zoc)
                for key, counts in (("leave", out), ("enter", into), ("within", out and into)):
                    if counts and key in zoc:
                        extra.append(self.cost(zoc[key], mover, 0))
                stops = stops or (into and bool(zoc.get("stop")))
            for cost, after, halts in self.ways(unit, a, b, mover, memory):
                total = _sum([cost, *extra])
                if total is not None:
                    counted = self.tables["allowance"].get("counts") == "hexes" and total != ALL
                    yield b, Fraction(1) if counted else total, after, stops or halts

    def fitting(
        self, unit: str, a: str, b: str, road: str, friends: bool
    ) -> Iterator[Mapping[str, Any]]:
        """The rules about certain steps that are about this one."""
        left, entered = self.board.hexes[a], self.board.hexes[b]
        mover = self.mover_class(unit)
        assert left.level is not None
        assert entered.level is not None
        rise = entered.level - left.level
        has = {
            "into": {*(entered.terrain or ()), *entered.features},
            "out_of": {*(left.terrain or ()), *left.features},
            "across": set(self.board.sides.get(edge(a, b), ())),
            "along": {road},
        }
        for rule in self.tables.get("steps", ()):
            if not self.holds(rule.get("if", ()), unit):
                continue
            if any(key in rule and not found & set(rule[key]) for key, found in has.items()):
                continue
            if road in rule.get("not_along", ()):
                continue
            if "climbs" in rule and rule["climbs"] != (
                "up" if rise > 0 else "down" if rise < 0 else "level"
            ):
                continue
            if "friends" in rule and (
                not friends or rule["friends"] != bool(self.others(b, unit, "friends"))
            ):
                continue
            if isinstance(rule.get("cost"), Mapping) and not {mover, "others"} & {*rule["cost"]}:
                continue
            yield rule

    def ways(
        self, unit: str, a: str, b: str, mover: str, memory: object
    ) -> Iterator[tuple[Any, object, bool]]:
        """(cost, memory after it, whether it must stop there) of every way across a hexside."""
        parts = {
            "terrain": self.terrain(b, mover),
            "hexsides": self.crossing(a, b, mover),
            "levels": self.climb(a, b, mover),
        }
        night = [
            (self.cost(s["cost"], mover, 0), s.get("on_roads", False))
            for s in self.tables.get("surcharges", ())
            if self.holds(s["if"], unit)
        ]
        off = {**parts, "surcharges": _sum([c for c, _ in night])}
        total, halts = self.ruled(unit, a, b, "", off)
        yield total, "left the road", halts
        for number, line in enumerate(self.board.lines):
            rules = self.tables.get("roads", {}).get(line.kind)
            if rules is None or edge(a, b) not in set(line.edges()):
                continue
            cost = self.cost(rules["cost"], mover, None)
            if cost is None:
                continue
            here = "junctions" if line.junctions else number
            if rules.get("continuity") == "path" and memory not in (None, here):
                continue
            cancels = rules.get("cancels", ("terrain", "hexsides", "levels"))
            kept = {key: part for key, part in parts.items() if key not in cancels}
            kept["roads"], kept["surcharges"] = cost, _sum([c for c, roads in night if roads])
            total, halts = self.ruled(unit, a, b, line.kind, kept)
            yield total, here, halts

    def ruled(
        self,
        unit: str,
        a: str,
        b: str,
        road: str,
        parts: Mapping[str, Any],
        *,
        friends: bool = True,
    ) -> tuple[Any, bool]:
        """What a step costs that comes to these ``parts`` by the charts, and whether it is the last.
        ``friends``: rules that ask for friends count."""
        found = list(self.fitting(unit, a, b, road, friends))
        replaced = {key for rule in found for key in rule.get("instead_of", ())}
        mover = self.mover_class(unit)
        costs = [part for key, part in parts.items() if key not in replaced]
        costs += [self.cost(rule["cost"], mover, 0) for rule in found if "cost" in rule]
        return _sum(costs), any(rule.get("stop") for rule in found)

    def judge(self, unit: str, origin: str, stops: tuple[str, ...]) -> Answer:
        """Whether ``unit`` may go from ``origin`` through ``stops``, the last being the target."""
        allowance = self.allowance(unit)
        if stops == (origin,):
            return Answer(True, Fraction(0), False, {origin: Fraction(0)})
        if not self.may_move(unit):
            return Answer(False, None, False, {})

        def hops(here: str, memory: object) -> Iterator[Hop]:
            for to, cost, after, stop in self.steps(unit, here, memory):
                whole = cost == ALL
                yield to, 0 if whole else cost, after, stop, whole, 0, False

        reach: dict[str, Fraction] = {}
        found = ends(hops, origin, stops, allowance, on=True)
        for (name, _), spent in found.items():
            reach[name] = min(spent, reach.get(name, spent))
        least = found.get((stops[-1], len(stops)))
        if least is not None:
            return Answer(True, least, False, reach)
        minimum = bool(self.tables["allowance"].get("minimum_move")) and len(stops) == 1
        if minimum and any(to == stops[0] for to, *_ in self.steps(unit, origin, None)):
            return Answer(True, None, True, reach)
        return Answer(False, None, False, reach)


def walk(
    hops: Hops, origin: str, stops: tuple[str, ...], limit: int, *bounds: Any
) -> int | Fraction | None:
    """The least spent on any way from ``origin`` through ``stops``, every one of them walked; None if
    there is none. ``bounds``: as in :func:`ends`."""
    return ends(hops, origin, stops, limit, *bounds).get((stops[-1], len(stops)))


def ends(
    hops: Hops,
    origin: str,
    stops: tuple[str, ...],
    limit: int | Fraction,
    overdraft: int | None = None,
    most: int = 99,
    always: bool = False,
    *,
    on: bool = False,
) -> dict[tuple[str, int], Any]:
    """The least spent on any way from ``origin`` to where it may end, by hex and how many ``stops`` were
    passed. ``overdraft``: so much must be left for a last hop that may cost more, up to ``most`` in all;
    ``always``: before every hop. ``on``: whether ways go on after the last stop."""
    first: State = (origin, None, int(stops[0] == origin), Fraction(0))
    seen, todo, found = {first}, [first], {(origin, first[2]): Fraction(0)}
    while todo:
        here, memory, passed, spent = todo.pop()
        if passed == len(stops) and not on:
            continue
        for to, cost, after, halt, takes_all, quantum, passing in hops(here, memory):
            paid = spent
            while quantum and paid % quantum:
                paid += 1
            if takes_all and spent:
                continue
            if always and overdraft is not None and limit - paid < overdraft:
                continue
            total = Fraction(max(limit, cost) if takes_all else paid + cost)
            now = passed + (passed < len(stops) and to == stops[passed] and not passing)
            overdrawn = overdraft is not None and limit - paid >= overdraft and total <= most
            if total > limit and not (overdrawn and now == len(stops)):
                continue
            found[to, now] = min(total, found.get((to, now), total))
            state = (to, after, now, total)
            if not halt and state not in seen:
                seen.add(state)
                todo.append(state)
    return found


def _number(cost: Any) -> Fraction:
    return Fraction(0) if cost in ("prohibited", ALL) else Fraction(cost)


def _sum(costs: list[Any]) -> Any:
    """None if any is prohibited, ALL if any is, else the sum."""
    if None in costs or "prohibited" in costs:
        return None
    if ALL in costs:
        return ALL
    return sum((Fraction(c) for c in costs), Fraction(0))
