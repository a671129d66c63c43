"""The tables of the ruleset ``valor-and-victory``: plain values from TOML, read into typed ones."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from typing import Any, Literal

from ....model.problem import Problem, WrongPack
from ...concepts.charts import ChartReader, Costs
from ...concepts.completeness import WHOLE_CHARTS, Completeness
from ...ruleset_folder import schema_beside

INFANTRY, GUN, AFV, VEHICLE = "infantry", "gun", "afv", "vehicle"
COLUMNS = (INFANTRY, GUN, AFV, VEHICLE)
"""The columns of the terrain chart."""

LEADERS = ("leader", "hero")
SQUADS = ("squad", "half-squad")
FOOT = (*LEADERS, *SQUADS)
DRIVEN = (AFV, VEHICLE)
CLASSES = (*FOOT, *DRIVEN, GUN)
"""The classes of units that move by themselves."""
WEAPON = "weapon"
"""The class of a support weapon's counter, which moves with whoever carries it."""

Reading = Literal["open", "yes", "no"]


@dataclass(frozen=True, slots=True)
class Works:
    """The features of hexes that were built: see ``[works]`` in tables.toml. ``surcharge``: in MPs."""

    surcharge: int
    fortifications: frozenset[str]
    bunkers: tuple[str, ...]
    infantry_only: tuple[str, ...]
    no_vehicles: tuple[str, ...]
    wire: frozenset[str]


@dataclass(frozen=True, slots=True)
class Tables:
    """The tables in force in one game. Amounts are whole MPs.

    ``phases``: name → ``movement`` or ``advance``. ``forms``: movement form (assault, overrun, close_assault)
    → its name in the pack. ``entry``, ``exit``: names of boxes. ``facings``: facing as the counters show it →
    hexside from 0 to 5. ``scale``: costs are whole numbers of 1/scale MP. ``off``: ids of the clauses that
    are switched off. ``leader_counts`` to ``vehicles_pay_works``: open readings. ``complete``: the charts
    that the pack calls complete.
    """

    phases: Mapping[str, str]
    forms: Mapping[str, str]
    entry: frozenset[str]
    exit: frozenset[str]
    facings: Mapping[str, int]
    rates: Mapping[str, int]
    terrain: Mapping[str, Costs]
    hexsides: Mapping[str, Costs]
    works: Works
    uphill: int
    overrun: int
    stacking: Mapping[str, Any]
    scale: int
    off: frozenset[str]
    leader_counts: Reading
    reverse_doubles: Reading
    large_guns_advance: Reading
    vehicles_pay_works: Reading
    complete: Completeness = WHOLE_CHARTS

    @property
    def features(self) -> frozenset[str]:
        """The features of hexes that the tables list, without those in the terrain chart."""
        works = self.works
        every = (*works.bunkers, *works.infantry_only, *works.no_vehicles, *works.wire)
        return works.fortifications.union(every)

    def applies(self, clause: str) -> bool:
        """Whether a clause is not switched off; ``6.5-a`` stands for VV-6.5-a."""
        return f"VV-{clause}" not in self.off


@cache
def defaults() -> Mapping[str, Any]:
    """The content of ``tables.toml``, as shipped with the ruleset."""
    file = resources.files(__package__).joinpath("tables.toml")
    return tomllib.loads(file.read_text(encoding="utf-8"))


def read_tables(
    plain: Mapping[str, Any],
    off: Iterable[str] = (),
    options: Mapping[str, Any] | None = None,
    complete: Completeness = WHOLE_CHARTS,
) -> Tables:
    """The tables of ``[rules]`` of a pack, added to those that ship. WrongPack, with one line for each
    fault."""
    problems = [
        Problem("wrong-rules", f"expected {f.expected}; found {f.found}", f"rules.{f.place}")
        for f in schema_beside(__name__).faults(dict(plain))
    ]
    if problems:
        more = f" (and {len(problems) - 1:,} more)" if len(problems) > 1 else ""
        where = "tables of the ruleset valor-and-victory"
        raise WrongPack(f"{problems[0]}{more}", tuple(problems), where=where)
    return replace(_read(merged(plain), frozenset(off), options or {}), complete=complete)


def merged(plain: Mapping[str, Any]) -> dict[str, Any]:
    """The shipped tables, with the rows of ``plain`` put in."""
    return {
        key: {**value, **plain[key]} if key in plain else value for key, value in defaults().items()
    }


def _read(plain: Mapping[str, Any], off: frozenset[str], options: Mapping[str, Any]) -> Tables:
    charts = ChartReader(COLUMNS, off)
    terrain = {
        name: charts.costs(raw, "VV-6.2-a", _closing(raw)) for name, raw in plain["terrain"].items()
    }
    hexsides = {name: charts.costs(raw, "VV-6.2-b") for name, raw in plain["hexsides"].items()}
    works = plain["works"]
    return Tables(
        phases={n: kind for kind, names in plain["phases"].items() for n in names} | plain["kinds"],
        forms=plain["forms"],
        entry=frozenset(plain["boxes"]["entry"]),
        exit=frozenset(plain["boxes"]["exit"]),
        facings=plain["facings"],
        rates=plain["rates"],
        terrain=terrain,
        hexsides=hexsides,
        works=Works(
            works["surcharge"],
            frozenset(works["fortifications"]),
            tuple(works["bunkers"]),
            tuple(works["infantry_only"]),
            tuple(works["no_vehicles"]),
            frozenset(works["wire"]),
        ),
        uphill=plain["levels"]["uphill"],
        overrun=plain["overrun"]["cost"],
        stacking=plain["stacking"],
        scale=charts.scale,
        off=off,
        leader_counts=options.get("leader_counts_stacking", "open"),
        reverse_doubles=options.get("reverse_doubles_hexside", "open"),
        large_guns_advance=options.get("large_guns_advance", "open"),
        vehicles_pay_works=options.get("vehicles_pay_fortifications", "open"),
    )


def _closing(raw: Any) -> str:
    """The clause by which a terrain is closed: to all columns, or only to some (a building)."""
    return "VV-10.4-a" if isinstance(raw, Mapping) else "VV-10.11-a"
