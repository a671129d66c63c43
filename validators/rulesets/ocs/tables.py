"""The tables of the ruleset ``ocs``, read from plain values into typed ones."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache
from importlib import resources
from types import MappingProxyType
from typing import Any

from ....model.bill import Amount
from ....model.fact import Fact
from ....model.problem import Problem, WrongPack
from ...concepts.charts import NO_CLASS, ChartReader, Costs, number
from ...concepts.completeness import WHOLE_CHARTS, Completeness
from ...ruleset_folder import schema_beside

CLASSES = ("leg", "tracked", "truck")
SEGMENTS = ("movement", "reaction", "exploitation")
OTHER = "other"
MODES = ("combat", "move", "strat", "reserve", "released", "exploitation")
NUB = " nub"
LAND = "land"
"""The hexside feature that says that part of the hexside is land."""
BRIDGE = "bridge"


@dataclass(frozen=True, slots=True)
class Hexside:
    """A row of the hexside chart. ``water``: it is water. ``river``: it fills its whole hexside and can be
    bridged. ``bridged``: its cost where engineers bridge it. ``bridge``: its cost over a printed bridge."""

    cost: Costs
    water: bool
    river: bool
    bridged: Costs
    bridge: Costs


@dataclass(frozen=True, slots=True)
class Tables:
    """All tables of the ruleset.

    ``segments``: phase → movement segment. ``others``: phases that are declared to be no movement segment.
    ``factors`` (by mode and segment) and ``dg``: what a movement allowance is multiplied by.
    ``stacking_limit``: in RE; None: there is none. ``off``: ids of the clauses switched off. ``readings``:
    option → how an open reading is settled. ``charts``: which charts are whole.
    """

    segments: Mapping[str, str]
    factors: Mapping[str, Mapping[str, Amount]]
    dg: Amount
    types: Mapping[str, tuple[str, ...]]
    terrain: Mapping[str, Costs]
    hexsides: Mapping[str, Hexside]
    roads: Mapping[str, Costs]
    ignored_nubs: frozenset[str]
    overrun_form: str
    overrun_dearest: Fraction
    surcharge: Costs
    stacking_limit: Fraction | None
    scale: int
    off: frozenset[str]
    readings: Mapping[str, str] = field(default_factory=dict)
    others: frozenset[str] = frozenset()
    charts: Completeness = WHOLE_CHARTS

    def reading(self, option: str) -> bool | None:
        """How an open reading is settled; None: it is not settled."""
        return {"yes": True, "no": False}.get(self.readings.get(option, ""))

    def is_movement(self, phase: str) -> bool | None:
        """Whether a phase is a Movement Phase; None: not known."""
        kind = OTHER if phase in self.others else self.segments.get(phase)
        return None if kind is None else kind == "movement"

    def applies(self, clause: str) -> bool:
        """Whether a clause is in force; ``6.2c-a`` for OCS-6.2c-a."""
        return f"OCS-{clause}" not in self.off


@cache
def defaults() -> Mapping[str, Any]:
    """The content of ``tables.toml`` of this package."""
    file = resources.files(__package__).joinpath("tables.toml")
    return tomllib.loads(file.read_text(encoding="utf-8"))


def read_tables(
    plain: Mapping[str, Any],
    off: Iterable[str] = (),
    readings: Mapping[str, str] = MappingProxyType({}),
    charts: Completeness = WHOLE_CHARTS,
) -> Tables:
    """Typed tables: ``[rules]`` of a pack, merged over the tables that ship. WrongPack with one line for
    each fault."""
    problems = [
        Problem("wrong-rules", f"expected {f.expected}; found {f.found}", f"rules.{f.place}")
        for f in schema_beside(__name__).faults(plain)
    ]
    if problems:
        more = f" (and {len(problems) - 1:,} more)" if len(problems) > 1 else ""
        raise WrongPack(f"{problems[0]}{more}", tuple(problems), where="tables of the ruleset ocs")
    found = _read(merged(defaults(), plain), frozenset(off))
    if charts.charts is not None and "stacking" in charts.charts and "stacking" not in plain:
        found = replace(found, stacking_limit=None)  # the pack says that there is none
    return replace(found, readings=readings, charts=charts)


def merged(base: Mapping[str, Any], more: Mapping[str, Any]) -> dict[str, Any]:
    """``base`` with the values of ``more``; rows of a chart are replaced whole."""
    result = dict(base)
    for key, value in more.items():
        if key == "factors":
            modes = {k: {**base[key][k], **v} for k, v in value.items() if isinstance(v, Mapping)}
            result[key] = {**base[key], **value, **modes}
        elif isinstance(value, Mapping):
            result[key] = {**base[key], **value}
        else:
            result[key] = value
    return result


def _read(plain: Mapping[str, Any], off: frozenset[str]) -> Tables:
    charts = ChartReader(CLASSES, off)
    terrain = {
        name: charts.costs(raw, "OCS-6.1a-a", "OCS-6.2c-a")
        for name, raw in plain["terrain"].items()
    }
    hexsides = {name: _hexside(raw, charts) for name, raw in plain["hexsides"].items()}
    roads = {name: charts.costs(raw, "") for name, raw in plain["roads"].items()}
    surcharge = charts.costs(plain["overrun"]["surcharge"], "")
    factors = plain["factors"]
    kinds = {name: kind for kind, names in plain["phases"].items() for name in names}
    kinds |= plain["kinds"]
    return Tables(
        segments={name: kind for name, kind in kinds.items() if kind != OTHER},
        factors={m: {s: _factor(factors[m][s]) for s in SEGMENTS} for m in MODES},
        dg=_factor(factors["dg"]),
        types={key: tuple(n.lower() for n in names) for key, names in plain["types"].items()},
        terrain=terrain,
        hexsides=hexsides,
        roads=roads if "OCS-6.2a-b" not in off else {},
        ignored_nubs=frozenset(plain["nubs"]["ignored"]),
        overrun_form=plain["overrun"]["form"],
        overrun_dearest=number(plain["overrun"]["dearest"]),
        surcharge=surcharge,
        stacking_limit=number(plain["stacking"]["limit"]),
        scale=charts.scale,
        off=off,
        others=frozenset(name for name, kind in kinds.items() if kind == OTHER),
    )


def _hexside(raw: Mapping[str, Any], charts: ChartReader) -> Hexside:
    clauses = ("OCS-6.2b-a", "OCS-6.2c-a")
    return Hexside(
        charts.costs(raw["cost"], *clauses),
        bool(raw.get("water")),
        bool(raw.get("river")),
        charts.costs(raw.get("bridged", "unknown"), *clauses),
        charts.costs(raw.get("bridge", "unknown"), *clauses),
    )


def plain(fact: Fact) -> Fact:
    """``fact`` with its words in lower case, as the tables write them."""
    if fact.options is None or not any(isinstance(o, str) for o in fact.options):
        return fact
    return replace(
        fact, options=tuple(o.lower() if isinstance(o, str) else o for o in fact.options)
    )


def classes_of(fact: Fact) -> tuple[str, ...]:
    """The mobility classes that a unit may be of; all of them if nothing is known. NO_CLASS stands for a
    class that the tables do not name."""
    if fact.options is None:
        return CLASSES
    names = (o if o in CLASSES else NO_CLASS for o in map(str, fact.options))
    return tuple(dict.fromkeys(names))


def _factor(raw: int | str) -> Amount:
    lo, dots, hi = str(raw).partition("..")
    return Amount(Fraction(lo), Fraction(hi) if dots else Fraction(lo))
