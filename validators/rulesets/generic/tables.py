"""All tables of a pack for the ruleset ``generic``: read from ``[rules]``, with what is wrong with them, and
the ids under which clauses are cited. Each chart has a file of its own name, with its values, its reader and
its clauses.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from math import lcm
from typing import Any

from ....model.problem import Problem, WrongPack
from ...concepts.charts import OTHERS, is_cell, number
from ...concepts.completeness import WHOLE_CHARTS, Completeness
from ...rulebook import schema_beside
from ...ruleset import OrderRule, StackingRule
from . import (
    allowance,
    enemy_hex,
    entering,
    hexsides,
    lacks,
    levels,
    roads,
    stacking,
    steps,
    surcharges,
    terrain,
    zoc,
)
from .allowance import Allowance
from .enemy_hex import EnemyHex
from .entering import Entering
from .hexsides import Hexsides
from .lacks import Lack
from .levels import Levels
from .roads import RoadKind
from .steps import StepRule
from .surcharges import Surcharge
from .terms import Reading
from .terrain import Terrain
from .zoc import Zoc


@dataclass(frozen=True, slots=True)
class Citations:
    """The ids to cite.

    ``ids``: id of a clause of ``generic`` → the clause that stands for it. ``rows``: (chart, number of the
    row from 0) → clause of that row; for surcharges (chart, reason). ``rows`` outranks ``ids``. A clause in
    neither is cited by its own id.
    """

    ids: Mapping[str, str] = field(default_factory=dict)
    rows: Mapping[tuple[str, int | str], str] = field(default_factory=dict)

    def of(self, clause: str) -> str:
        """The id to cite for a clause."""
        return self.ids.get(clause, clause)

    def row(self, chart: str, number: int | str, clause: str) -> str:
        """The id to cite for a clause that applies through a row of a chart."""
        return self.rows.get((chart, number)) or self.of(clause)


AS_THEY_ARE = Citations()
"""Every clause is cited by its own id."""


@dataclass(frozen=True, slots=True)
class Tables:
    """All tables of a pack.

    ``levels``, ``enemy``, ``stacking`` None: there is no such rule. ``entering`` None: the cost of coming
    onto the map is not known. ``needed``: the attributes and conditions that tests ask of a mover.
    ``scale``: parts of an MP. ``plain``: the tables as the pack writes them. ``off``: ids of the clauses
    switched off; their costs are already left out. ``complete``: which charts are whole. ``citations``: the
    ids under which clauses are cited.
    """

    class_attribute: str
    classes: tuple[str, ...]
    allowance: Allowance
    terrain: Terrain
    hexsides: Hexsides
    roads: Mapping[str, RoadKind]
    levels: Levels | None
    surcharges: tuple[Surcharge, ...]
    zocs: tuple[Zoc, ...]
    enemy: EnemyHex | None
    stacking: StackingRule | None
    order: OrderRule
    entering: Entering | None
    steps: tuple[StepRule, ...]
    lacks: tuple[Lack, ...]
    needed: tuple[str, ...]
    scale: int
    plain: Mapping[str, Any]
    off: frozenset[str] = field(default_factory=frozenset)
    complete: Completeness = WHOLE_CHARTS
    citations: Citations = AS_THEY_ARE


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
            *steps.faults(plain.get("steps", ()), plain.get("roads", ())),
        ]
    if problems:
        raise WrongPack.of(problems, "tables of the ruleset generic")
    return _typed(plain, frozenset(off), complete)


def _typed(plain: Mapping[str, Any], off: frozenset[str], complete: Completeness) -> Tables:
    reading = Reading(plain, off, complete)
    found = Tables(
        class_attribute=plain["classes"].get("attribute", ""),
        classes=reading.names,
        allowance=allowance.read(reading),
        terrain=terrain.read(reading),
        hexsides=hexsides.read(reading),
        roads=roads.read(reading),
        levels=levels.read(reading),
        lacks=lacks.read(reading),
        surcharges=surcharges.read(reading),
        steps=steps.read(reading),
        zocs=zoc.read(reading),
        enemy=enemy_hex.read(reading),
        stacking=stacking.read(reading),
        order=_order(plain, off),
        entering=entering.read(reading),
        needed=(),
        scale=1,
        plain=plain,
        off=off,
        complete=complete,
    )
    scale = lcm(reading.scale, *found.allowance.denominators)
    return replace(found, needed=tuple(reading.needed), scale=scale)


def _order(plain: Mapping[str, Any], off: frozenset[str]) -> OrderRule:
    resume = plain.get("order", {}).get("resume", True) or "GEN-ORDER" in off
    return OrderRule("" if resume else "GEN-ORDER", bool(resume))


def _key(place: str) -> str:
    """The path of a key in ``[rules]`` of the pack, for a message."""
    return f"rules.{place}" if place else "[rules]"


def _unknown_classes(plain: Mapping[str, Any]) -> list[Problem]:
    """Faults: costs for a class that is not in ``classes.names``, probably a typing error."""
    names = {*plain["classes"]["names"], OTHERS}
    by_class = [("rules.allowance.by_class", plain["allowance"].get("by_class", {}))]
    costs = _cost_tables(plain, schema_beside(__name__).plain, "rules")
    return [
        Problem(
            "unknown-class",
            f"the class {name} is none of classes.names ({', '.join(sorted(names))})",
            place,
        )
        for place, told in (*by_class, *costs)
        for name in told
        if name not in names
    ]


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


def _cost_tables(
    told: Any, schema: Mapping[str, Any], place: str
) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Every table of costs by class in the tables, with its place."""
    if "$ref" in schema:
        schema = schema_beside(__name__).plain["$defs"][schema["$ref"].rpartition("/")[2]]
    for one in schema.get("anyOf", ()):
        yield from _cost_tables(told, one, place)
    if isinstance(told, list):
        for number, row in enumerate(told, 1):
            yield from _cost_tables(row, schema.get("items", {}), f"{place}[{number}]")
    elif isinstance(told, Mapping) and not is_cell(told):
        if "columns" in schema:
            yield place, told
        known, rest = schema.get("properties", {}), schema.get("additionalProperties") or {}
        for key, one in told.items():
            yield from _cost_tables(one, known.get(key, rest), f"{place}.{key}")
