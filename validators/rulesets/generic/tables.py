"""The tables of the ruleset ``generic``, read from plain values into typed ones."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal

from ....model import schemas
from ....model.problem import Problem, WrongPack
from ...allowance import Stage
from ...concepts.charts import (
    NOTHING,
    OTHERS,
    UNKNOWN_CELL,
    Cell,
    ChartReader,
    Costs,
    is_cell,
    number,
)
from ...concepts.completeness import WHOLE_CHARTS, Completeness
from ...concepts.requirements import read_requirements
from ...concepts.zones import ZoneRule
from ...ruleset import Measure, OrderRule, Requirement, StackingLimit, StackingRule
from .entering import Entering, read_entering
from .lacks import Lack, read_lacks
from .step_rules import StepRule, read_step_rules
from .step_rules import faults as step_faults


@dataclass(frozen=True, slots=True)
class Hexside:
    """A hexside feature: its cost, and the features that replace it with another."""

    cost: Costs
    bridges: Mapping[str, Costs]


@dataclass(frozen=True, slots=True)
class Road:
    """A kind of line to move along; ``path``: it must have been followed from the start. ``told``: all of
    the row is; if not, it may cancel less or have to be followed."""

    cost: Costs
    cancels: frozenset[str]
    path: bool
    told: bool = True


@dataclass(frozen=True, slots=True)
class Levels:
    """``most`` None: any number; ``perhaps_most``: there may be a bound that is not told."""

    up: Costs
    down: Costs
    most: int | None
    perhaps_most: bool = False


@dataclass(frozen=True, slots=True)
class Surcharge:
    cost: Costs
    requirements: tuple[Requirement, ...]
    on_roads: bool
    reason: str


@dataclass(frozen=True, slots=True)
class Zoc:
    """A cost that is None is none."""

    zone: ZoneRule
    felt_by: tuple[Requirement, ...]
    not_into_prohibited: bool
    enter: Costs | None
    leave: Costs | None
    within: Costs | None
    stop: bool


@dataclass(frozen=True, slots=True)
class EnemyHex:
    """``barred_by``: the enemies that bar the hex they are in; None: nobody does. ``cost``: what it costs
    to enter the hex of others; None: nothing."""

    cost: Costs | None
    barred_by: tuple[Requirement, ...] | None


@dataclass(frozen=True, slots=True)
class Tables:
    """All of it. ``combine`` None: not known. ``off``: clauses switched off; their terms are already left out
    here. ``complete``: which charts are whole. ``plain``: the tables as the pack has them."""

    class_attribute: str
    classes: tuple[str, ...]
    allowance_attribute: str
    by_class: Mapping[str, Fraction]
    limited: bool
    hexes: bool
    minimum_move: bool
    stages: tuple[tuple[Stage, tuple[Requirement, ...]], ...]
    immobile: tuple[tuple[str, tuple[Requirement, ...]], ...]
    immobile_at_zero: bool
    combine: Literal["dearest", "sum"] | None
    terrain: Mapping[str, Costs]
    hexsides: Mapping[str, Hexside]
    bridges: frozenset[str]
    roads: Mapping[str, Road]
    levels: Levels | None
    surcharges: tuple[Surcharge, ...]
    zoc: Zoc | None
    enemy: EnemyHex | None
    stacking: StackingRule | None
    order: OrderRule
    entering: Entering | None
    steps: tuple[StepRule, ...]
    lacks: tuple[Lack, ...]
    scale: int
    plain: Mapping[str, Any]
    off: frozenset[str] = field(default_factory=frozenset)
    complete: Completeness = WHOLE_CHARTS

    def step_rule(self, number: int) -> StepRule:
        """The rule about certain steps of that number, which must be in force."""
        return next(rule for rule in self.steps if rule.number == number)


def read_tables(
    plain: Mapping[str, Any], off: Iterable[str] = (), complete: Completeness = WHOLE_CHARTS
) -> Tables:
    """Typed tables from ``[rules]`` of a pack; WrongPack with a line per fault."""
    problems = [
        Problem("wrong-rules", f"expected {f.expected}; found {f.found}", _key(f.place))
        for f in schemas.faults("generic", plain)
    ]
    if not problems:
        problems = [
            *_unknown_classes(plain),
            *step_faults(plain.get("steps", ()), plain.get("roads", ())),
        ]
    if problems:
        more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
        raise WrongPack(
            f"{problems[0]}{more}", tuple(problems), where="tables of the ruleset generic"
        )
    return _Reader(plain, frozenset(off), complete).tables()


def _key(place: str) -> str:
    """A key of the pack, in its ``[rules]``."""
    return f"rules.{place}" if place else "[rules]"


def _unknown_classes(plain: Mapping[str, Any]) -> list[Problem]:
    """Costs given for a class that ``classes.names`` does not have: a slip of the pen."""
    names = {*plain["classes"]["names"], OTHERS}
    found = []
    for place, value in _cost_tables(plain):
        for name in value:
            if name not in names:
                message = f"the class {name} is none of classes.names ({', '.join(sorted(names))})"
                found.append(Problem("unknown-class", message, f"rules.{place}"))
    return found


def _cost_tables(plain: Mapping[str, Any]) -> Iterable[tuple[str, Mapping[str, Any]]]:
    places: list[tuple[str, Any]] = [("allowance.by_class", plain["allowance"].get("by_class"))]
    places += [(f"terrain.costs.{n}", v) for n, v in plain["terrain"]["costs"].items()]
    for name, side in plain.get("hexsides", {}).items():
        places.append((f"hexsides.{name}.cost", side["cost"]))
        places += [
            (f"hexsides.{name}.bridges", bridge.get("cost")) for bridge in side.get("bridges", ())
        ]
    places += [(f"roads.{n}.cost", road["cost"]) for n, road in plain.get("roads", {}).items()]
    places += [(f"levels.{k}", plain.get("levels", {}).get(k)) for k in ("up", "down")]
    places += [("surcharges.cost", s["cost"]) for s in plain.get("surcharges", ())]
    places += [(f"zoc.{k}", plain.get("zoc", {}).get(k)) for k in ("enter", "leave", "within")]
    places += [("steps.cost", s.get("cost")) for s in plain.get("steps", ())]
    places.append(("entering.spent", plain.get("entering", {}).get("spent")))
    places.append(("enemy_hex.cost", plain.get("enemy_hex", {}).get("cost")))
    return [(place, value) for place, value in places if not is_cell(value)]


class _Reader:
    """Reads tables, leaving out what clauses switched off would have said."""

    def __init__(
        self, plain: Mapping[str, Any], off: frozenset[str], complete: Completeness
    ) -> None:
        self._plain = plain
        self._off = off
        self._complete = complete
        self._names: tuple[str, ...] = tuple(plain["classes"]["names"])
        self._charts = ChartReader(self._names, off, "GEN-WHOLE")

    def tables(self) -> Tables:
        plain, allowance = self._plain, self._plain["allowance"]
        terrain = {
            name: self._costs(cost, "GEN-TERRAIN", "GEN-TERRAIN-PROHIBITED")
            for name, cost in plain["terrain"]["costs"].items()
        }
        hexsides = {n: self._hexside(side) for n, side in plain.get("hexsides", {}).items()}
        roads = {n: self._road(road) for n, road in plain.get("roads", {}).items()}
        by_class = allowance.get("by_class", {})
        others = by_class.get(OTHERS)
        return Tables(
            class_attribute=plain["classes"].get("attribute", ""),
            classes=self._names,
            allowance_attribute=allowance.get("attribute", ""),
            by_class={
                n: number(by_class.get(n, others))
                for n in self._names
                if by_class.get(n, others) is not None
            },
            limited="GEN-ALLOWANCE" not in self._off,
            hexes=allowance.get("counts") == "hexes" and "GEN-HEXES" not in self._off,
            minimum_move=bool(allowance.get("minimum_move")) and "GEN-MINIMUM" not in self._off,
            stages=self._stages(allowance),
            immobile=self._immobile(allowance),
            immobile_at_zero="GEN-IMMOBILE" not in self._off,
            combine=plain["terrain"].get("combine", self._unsaid("terrain", "dearest")),
            terrain=terrain,
            hexsides=hexsides,
            bridges=frozenset(self._all_bridges()),
            roads={} if "GEN-ROAD" in self._off else roads,
            levels=self._levels(),
            surcharges=self._surcharges(),
            zoc=self._zoc(),
            enemy=self._enemy(),
            stacking=self._stacking(),
            order=self._order(),
            entering=read_entering(self._plain, self._charts, self._off),
            lacks=read_lacks(plain.get("lacks", ()), self._off, self._complete),
            steps=read_step_rules(plain.get("steps", ()), self._charts, self._off),
            scale=self._charts.scale,
            plain=plain,
            off=self._off,
            complete=self._complete,
        )

    def _unsaid(self, chart: str, default: Any, otherwise: Any = None) -> Any:
        """What a key is that a chart leaves out: ``default`` if the chart is whole."""
        return default if self._complete.has(chart) else otherwise

    def _costs(
        self, raw: Any, cost_clause: str, bar_clause: str = "", missing: Cell = UNKNOWN_CELL
    ) -> Costs:
        return self._charts.costs(raw, cost_clause, bar_clause, missing)

    def _sides(self) -> Iterable[Mapping[str, Any]]:
        sides: Mapping[str, Mapping[str, Any]] = self._plain.get("hexsides", {})
        return sides.values()

    def _all_bridges(self) -> Iterable[str]:
        """Hexside features without a cost of their own: bridges, and what rules about steps name."""
        for side in self._sides():
            yield from self._bridge_names(side)
        for rule in self._plain.get("steps", ()):
            yield from rule.get("across", ())

    def _bridge_names(self, side: Mapping[str, Any]) -> Iterable[str]:
        return (bridge["feature"] for bridge in side.get("bridges", ()))

    def _hexside(self, side: Mapping[str, Any]) -> Hexside:
        clauses = ("GEN-HEXSIDE", "GEN-HEXSIDE-PROHIBITED")
        free = self._unsaid("hexsides", 0, "unknown")
        bridges = {
            b["feature"]: self._costs(b.get("cost", free), *clauses)
            for b in side.get("bridges", ())
        }
        off = "GEN-BRIDGE" in self._off
        return Hexside(self._costs(side["cost"], *clauses), {} if off else bridges)

    def _road(self, road: Mapping[str, Any]) -> Road:
        path = road.get("continuity") == "path" and "GEN-ROAD-PATH" not in self._off
        cancels = frozenset(road.get("cancels", ("terrain", "hexsides", "levels")))
        missing = self._complete.cell("roads", NOTHING)
        told = self._complete.has("roads") or {"cancels", "continuity"} <= road.keys()
        return Road(self._costs(road["cost"], "GEN-ROAD", missing=missing), cancels, path, told)

    def _levels(self) -> Levels | None:
        levels = self._plain.get("levels", self._unsaid("levels", None, {}))
        if levels is None:
            return None
        most, free = levels.get("most"), self._unsaid("levels", 0, "unknown")
        bound = "GEN-LEVEL-MOST" not in self._off
        return Levels(
            self._costs(levels.get("up", free), "GEN-LEVEL", "GEN-LEVEL-MOST"),
            self._costs(levels.get("down", free), "GEN-LEVEL", "GEN-LEVEL-MOST"),
            most if bound else None,
            bound and most is None and not self._complete.has("levels"),
        )

    def _stages(
        self, allowance: Mapping[str, Any]
    ) -> tuple[tuple[Stage, tuple[Requirement, ...]], ...]:
        if "GEN-MODIFIER" in self._off:
            return ()
        return tuple(
            (
                Stage(m["op"], number(m["value"]), m.get("round", ""), m.get("reason", "")),
                read_requirements(m.get("if", ())),
            )
            for m in allowance.get("modifiers", ())
        )

    def _immobile(
        self, allowance: Mapping[str, Any]
    ) -> tuple[tuple[str, tuple[Requirement, ...]], ...]:
        if "GEN-IMMOBILE" in self._off:
            return ()
        return tuple(
            (i.get("reason", "may not move"), read_requirements(i["if"]))
            for i in allowance.get("immobile", ())
        )

    def _surcharges(self) -> tuple[Surcharge, ...]:
        if "GEN-SURCHARGE" in self._off:
            return ()
        return tuple(
            Surcharge(
                self._costs(s["cost"], "GEN-SURCHARGE", "GEN-SURCHARGE", NOTHING),
                read_requirements(s["if"]),
                bool(s.get("on_roads")),
                s.get("reason", "surcharge"),
            )
            for s in self._plain.get("surcharges", ())
        )

    def _zoc(self) -> Zoc | None:
        zoc = self._plain.get("zoc", self._unsaid("zoc", None, {}))
        if zoc is None:
            return None
        whole = self._complete.has("zoc")

        def costs(key: str, clause: str) -> Costs | None:
            if clause in self._off or (whole and key not in zoc):
                return None
            missing = self._complete.cell("zoc", NOTHING)
            return self._costs(zoc.get(key, "unknown"), clause, clause, missing)

        return Zoc(
            zone=ZoneRule(
                exerted_by=read_requirements(zoc.get("exerted_by", ())),
                not_across=frozenset(zoc.get("not_across", ())),
                not_into=frozenset(zoc.get("not_into", ())),
                negated=bool(zoc.get("negated_by_friends")) and "GEN-ZOC-NEGATED" not in self._off,
                doubt=None if whole else self._complete.question("zoc"),
            ),
            felt_by=read_requirements(zoc.get("felt_by", ())),
            not_into_prohibited=bool(zoc.get("not_into_prohibited")),
            enter=costs("enter", "GEN-ZOC-ENTER"),
            leave=costs("leave", "GEN-ZOC-LEAVE"),
            within=costs("within", "GEN-ZOC-WITHIN"),
            stop=bool(zoc.get("stop", not whole)) and "GEN-ZOC-STOP" not in self._off,
        )

    def _enemy(self) -> EnemyHex | None:
        if "GEN-ENEMY" in self._off:
            return None
        enemy = self._plain.get("enemy_hex", {})
        cost = enemy.get("cost", self._unsaid("enemy_hex", None, "unknown"))
        costs = None if cost is None else self._costs(cost, "GEN-ENEMY", "GEN-ENEMY")
        barred = None
        if cost is None or "barred_by" in enemy or not self._complete.has("enemy_hex"):
            barred = read_requirements(enemy.get("barred_by", ()))
        return EnemyHex(costs, barred)

    def _stacking(self) -> StackingRule | None:
        stacking = self._plain.get("stacking")
        if stacking is None or "GEN-STACKING" in self._off:
            return None
        limits = [
            StackingLimit(((number(li["limit"]),),), tuple(li["terrain"]))
            for li in stacking.get("limits", ())
        ]
        if "limit" in stacking:
            limits.append(StackingLimit(((number(stacking["limit"]),),)))
        measure = Measure(
            name=stacking.get("size", "units"),
            size=stacking.get("size", ""),
            counted=read_requirements(stacking.get("counted", ())),
            exempt=read_requirements(stacking.get("exempt", ())),
        )
        checked = stacking.get("checked", "move-end")
        doubts = self._complete.questions("stacking")
        return StackingRule("GEN-STACKING", (measure,), tuple(limits), checked, doubts)

    def _order(self) -> OrderRule:
        resume = self._plain.get("order", {}).get("resume", True) or "GEN-ORDER" in self._off
        return OrderRule("" if resume else "GEN-ORDER", bool(resume))
