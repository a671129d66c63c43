"""Read the plain values of ``[rules]`` into the tables of the ruleset ``generic``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from math import lcm
from typing import Any

from ....model.problem import Problem
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
from ...cost_interval import Stage
from ...rulebook import refused, schema_beside
from ...ruleset import OrderRule, Requirement
from .entering import read_entering
from .step_rules import faults as step_faults
from .step_rules import read_stacking, read_step_rules, read_zocs
from .tables import EnemyHex, Hexside, Levels, Road, Surcharge, Tables, listed
from .units import read_lacks


def read_tables(
    plain: Mapping[str, Any], off: Iterable[str] = (), complete: Completeness = WHOLE_CHARTS
) -> Tables:
    """Typed tables from ``[rules]`` of a pack; WrongPack with one line for each fault."""
    problems = [
        Problem("wrong-rules", f"expected {f.expected}; found {f.found}", _key(f.place))
        for f in schema_beside(__name__).faults(plain)
    ]
    if not problems:
        problems = [
            *_unknown_classes(plain),
            *_turned_bounds(plain, "rules"),
            *step_faults(plain.get("steps", ()), plain.get("roads", ())),
        ]
    if problems:
        raise refused(tuple(problems), "tables of the ruleset generic")
    return _Reader(plain, frozenset(off), complete).tables()


def _key(place: str) -> str:
    """The path of a key in ``[rules]`` of the pack, for a message."""
    return f"rules.{place}" if place else "[rules]"


def _unknown_classes(plain: Mapping[str, Any]) -> list[Problem]:
    """Faults: costs for a class that is not in ``classes.names``, probably a typing error."""
    names = {*plain["classes"]["names"], OTHERS}
    found = []
    for place, value in _cost_tables(plain):
        for name in value:
            if name not in names:
                message = f"the class {name} is none of classes.names ({', '.join(sorted(names))})"
                found.append(Problem("unknown-class", message, f"rules.{place}"))
    return found


def _turned_bounds(plain: Any, place: str) -> Iterator[Problem]:
    """Faults: bounds of a cost whose lower one is above the upper one."""
    if isinstance(plain, Mapping):
        if plain.keys() == {"from", "to"} and number(plain["from"]) > number(plain["to"]):
            said = (
                f"expected from and to in their order; found from {plain['from']} to {plain['to']}"
            )
            yield Problem("wrong-rules", said, place)
        for key, value in plain.items():
            yield from _turned_bounds(value, f"{place}.{key}")
    elif isinstance(plain, list):
        for index, value in enumerate(plain, 1):
            yield from _turned_bounds(value, f"{place}[{index}]")


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
    keys = ("enter", "leave", "within")
    places += [(f"zoc.{key}", zoc.get(key)) for zoc in listed(plain.get("zoc", [])) for key in keys]
    places += [("steps.cost", s.get("cost")) for s in plain.get("steps", ())]
    places.append(("entering.spent", plain.get("entering", {}).get("spent")))
    places.append(("enemy_hex.cost", plain.get("enemy_hex", {}).get("cost")))
    return [(place, value) for place, value in places if not is_cell(value)]


_NOT_ALWAYS = ("if", "into", "out_of", "along", "not_along", "climbs")
"""What a rule about steps may say besides the hexside, to be about some of the steps across it."""


class _Reader:
    """Reads the tables of a pack without the effects of clauses that are switched off."""

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
            zocs=read_zocs(plain, self._charts, self._off, self._complete),
            enemy=self._enemy(),
            stacking=read_stacking(plain, self._off, self._complete),
            order=self._order(),
            entering=read_entering(self._plain, self._charts, self._off),
            lacks=read_lacks(plain.get("lacks", ()), self._off, self._complete),
            steps=read_step_rules(plain.get("steps", ()), self._charts, self._off),
            scale=lcm(self._charts.scale, *self._allowance_denominators(allowance)),
            plain=plain,
            off=self._off,
            complete=self._complete,
        )

    def _unsaid(self, chart: str, default: Any, otherwise: Any = None) -> Any:
        """The value of a key that a chart leaves out: ``default`` if the chart is whole, else
        ``otherwise``."""
        return default if self._complete.has(chart) else otherwise

    def _costs(
        self, raw: Any, cost_clause: str, bar_clause: str = "", missing: Cell = UNKNOWN_CELL
    ) -> Costs:
        return self._charts.costs(raw, cost_clause, bar_clause, missing)

    def _sides(self) -> Iterable[Mapping[str, Any]]:
        sides: Mapping[str, Mapping[str, Any]] = self._plain.get("hexsides", {})
        return sides.values()

    def _all_bridges(self) -> Iterable[str]:
        """Hexside features without a cost of their own: bridges, and what rules about steps name. Where the
        chart of hexsides is not whole, these only if a rule says what they always cost."""
        for side in self._sides():
            yield from self._bridge_names(side)
        whole = self._complete.has("hexsides")
        for rule in self._plain.get("steps", ()):
            always = "cost" in rule and not any(rule.get(key) for key in _NOT_ALWAYS)
            if whole or (always and "hexsides" not in rule.get("instead_of", ())):
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

    def _allowance_denominators(self, allowance: Mapping[str, Any]) -> Iterator[int]:
        """Denominators of the numbers that allowances are made of. An allowance of less than one part of an
        MP would be rounded down to none, and a hex that takes it all would then take nothing."""
        for value in allowance.get("by_class", {}).values():
            if value is not None:
                yield number(value).denominator
        for stage, _ in self._stages(allowance):
            yield stage.value.denominator

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

    def _order(self) -> OrderRule:
        resume = self._plain.get("order", {}).get("resume", True) or "GEN-ORDER" in self._off
        return OrderRule("" if resume else "GEN-ORDER", bool(resume))
