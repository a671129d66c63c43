"""The tables of the ruleset ``zoc-classes``: plain values from TOML, read into typed ones."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from importlib import resources
from math import lcm
from types import MappingProxyType
from typing import Any

from ....model.problem import Problem, WrongPack
from ...concepts.completeness import WHOLE_CHARTS, Completeness
from ...ruleset_folder import schema_beside
from .cells import Cell, read_row

CLASSES = ("c/m", "s/m", "non-motorized")
PHASES = ("initial", "reaction", "exploitation", "combat")
LEVELS = ("none", "partial", "full", "double", "triple")
"""The ZOC classes, from the weakest to the strongest."""
CLEAR_WEATHER = "clear"
OWN_CLAUSES = {"mountain": "ZC-6.A.2-c", "minor river": "ZC-6.A.2-e"}
"""Feature → the clause that gives its cost, where that is not the general one."""
READINGS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "supply_half": ("any", "keep", "down", "up"),
        "half_R": ("any", "keep", "down", "up"),
        "marker_rounding": ("any", "up", "down"),
        "advance_leaves": ("any", "no", "yes"),
        "odd_marker_levels": ("any", "one", "each"),
        "forts": ("any", "entering", "both"),
        "phase_half": ("any", "down", "keep"),
        "night_rounding": ("any", "keep", "up"),
        "night_debt": ("any", "before", "after"),
        "least_hex_cost": ("0", "1"),
        "road_hexsides": ("any", "paid", "free"),
        "zone_border": ("any", "entered"),
        "zone_allowance": ("any", "general", "zone"),
        "screened_leave": ("any", "no", "yes"),
        "reaction_names": ("any", "phasing", "reacting"),
        "semi_motorized": ("any", "no", "yes"),
        "failed_march": ("any", "nothing", "rest"),
        "several_hexsides": ("any", "all", "cheapest", "dearest"),
        "several_terrains": ("any", "all", "cheapest", "dearest"),
    }
)
"""The open readings: option of a pack → its choices, the default first. ``any``: the reading is not
settled, and every choice counts as possible."""

Row = Mapping[str, Cell]


@dataclass(frozen=True, slots=True, eq=False)
class Chart:
    """The terrain effects chart in one weather: feature → column → cell. ``factor``: what the weather
    multiplies allowances by; None if not known."""

    terrain: Mapping[str, Row]
    hexsides: Mapping[str, Row]
    roads: Mapping[str, Row]
    factor: Fraction | None = Fraction(1)


@dataclass(frozen=True, slots=True)
class Tables:
    """The tables in force in one game.

    ``phases``: name → kind of phase (one of :data:`PHASES`). ``forms``: movement form (ordinary, overrun,
    march, advance) → its name in the pack. ``regular``: the supply state that is regular supply. ``supply``:
    supply state → what it multiplies the rating by. ``load``: what a load multiplies an allowance by; None if
    not known. ``limits``: "reserve" or "others" → class → phase → share of the allowance (6.D.5).
    ``leave``, ``leave_german``, ``enter``: MPs by ZOC class, from none to triple; ``screened``: the same for
    entering a screened hex, None if not known. ``charts``: weather → chart. ``all_forts``: whether every fort
    is on the board. ``all_zocs``: whether conditions declare every hex where Rule 5 makes an exception.
    ``interdiction``, ``overrun``: their extra costs. ``stacking_limit``: None if there is none, or it is not
    known. ``scale``: costs are whole numbers of 1/scale MP. ``off``: ids of the clauses that are switched
    off. ``readings``: option → choice, as the pack sets them.
    """

    phases: Mapping[str, str]
    forms: Mapping[str, str]
    regular: str
    supply: Mapping[str, Fraction]
    load: Fraction | None
    limits: Mapping[str, Mapping[str, Mapping[str, str]]]
    leave: tuple[int, ...]
    leave_german: tuple[int, ...]
    enter: tuple[int, ...]
    screened: tuple[int, ...] | None
    german: frozenset[str]
    columns: tuple[str, ...]
    charts: Mapping[str, Chart]
    all_forts: bool
    all_zocs: bool
    march_clear: frozenset[str]
    march_zones: frozenset[str]
    interdiction: Cell
    overrun: Cell
    stacking_limit: Fraction | None
    scale: int
    off: frozenset[str]
    readings: Mapping[str, str]
    open_charts: Completeness = WHOLE_CHARTS
    """Which tables of the pack are complete."""

    def applies(self, clause: str) -> bool:
        """Whether a clause is not switched off; ``6.C-T1`` stands for ZC-6.C-T1."""
        return f"ZC-{clause}" not in self.off

    def reading(self, option: str) -> str:
        """The choice for an open reading; ``any`` if it is not settled."""
        return self.readings.get(option, READINGS[option][0])


@cache
def defaults() -> Mapping[str, Any]:
    """The content of ``tables.toml``, as shipped with the ruleset."""
    file = resources.files(__package__).joinpath("tables.toml")
    return tomllib.loads(file.read_text(encoding="utf-8"))


def read_tables(
    plain: Mapping[str, Any],
    options: Mapping[str, Any] = MappingProxyType({}),
    off: Iterable[str] = (),
    charts: Completeness = WHOLE_CHARTS,
) -> Tables:
    """The tables of ``[rules]`` of a pack, added to those that ship. WrongPack, with one line for each
    fault."""
    problems = [
        Problem("wrong-rules", f"expected {f.expected}; found {f.found}", f"rules.{f.place}")
        for f in schema_beside(__name__).faults(plain)
    ]
    if problems:
        more = f" (and {len(problems) - 1:,} more)" if len(problems) > 1 else ""
        where = "tables of the ruleset zoc-classes"
        raise WrongPack(f"{problems[0]}{more}", tuple(problems), where=where)
    settled = {option: str(value) for option, value in options.items()}
    found = _read(merged(defaults(), plain), settled, frozenset(off))
    said = charts.charts or frozenset()
    return replace(
        found,
        all_forts=found.all_forts or "forts" in said,
        all_zocs=found.all_zocs or "zoc" in said,
        open_charts=charts,
    )


def merged(base: Mapping[str, Any], more: Mapping[str, Any]) -> dict[str, Any]:
    """``base`` with the values of ``more``. A row of a chart is replaced as a whole."""
    result = dict(base)
    for key, value in more.items():
        if key == "supply":
            factors = {**base[key]["factors"], **value.get("factors", {})}
            result[key] = {**base[key], **value, "factors": factors}
        elif isinstance(value, Mapping):
            result[key] = {**base.get(key, {}), **value}
        else:
            result[key] = value
    return result


def _read(plain: Mapping[str, Any], settled: Mapping[str, str], off: frozenset[str]) -> Tables:
    columns = ("first", "second", *plain["columns"]["exceptions"])
    charts = {CLEAR_WEATHER: _chart(plain, columns, off)}
    for weather, chart in plain.get("weather", {}).items():
        charts[weather] = _chart(chart, columns, off)
    zoc, screened = plain["zoc"], plain["zoc"]["screened"]
    load = plain["load"]["factor"]
    limit = plain.get("stacking", {}).get("limit")
    interdiction = read_row(plain["interdiction"]["cost"], columns)["first"]
    overrun = read_row(plain["overrun"]["cost"], columns)["first"]
    cells = [
        interdiction,
        overrun,
        *(
            cell
            for chart in charts.values()
            for rows in (chart.terrain, chart.hexsides, chart.roads)
            for row in rows.values()
            for cell in row.values()
        ),
    ]
    return Tables(
        phases={n: kind for kind in PHASES for n in plain["phases"][kind]} | plain["kinds"],
        forms=plain["forms"],
        regular=plain["supply"]["regular"],
        supply={state: Fraction(factor) for state, factor in plain["supply"]["factors"].items()},
        load=None if load == "unknown" else Fraction(load),
        limits=plain["limits"],
        leave=tuple(zoc["leave"]),
        leave_german=tuple(zoc["leave_german"]),
        enter=tuple(zoc["enter"]),
        screened=None if screened == "unknown" else tuple(screened),
        german=frozenset(zoc["german"]),
        columns=columns,
        charts=charts,
        all_forts=plain["forts"]["complete"],
        all_zocs=zoc["complete"],
        march_clear=frozenset(plain["march"]["clear"]),
        march_zones=frozenset(plain["march"]["zones"]),
        interdiction=interdiction,
        overrun=overrun,
        stacking_limit=None if limit is None else Fraction(limit),
        scale=2 * lcm(*(cell.amount.denominator for cell in cells)),
        off=off,
        readings=settled,
    )


def _chart(plain: Mapping[str, Any], columns: tuple[str, ...], off: frozenset[str]) -> Chart:
    """The chart of one weather. A cost that is due by a clause in ``off`` is 0."""
    factor = plain.get("factor", 1)
    charges = {"terrain": "ZC-6.A.2-a", "hexsides": "ZC-6.A.2-d", "roads": ""}
    rows: dict[str, dict[str, Row]] = {}
    for part, clause in charges.items():
        rows[part] = {}
        for name, raw in plain.get(part, {}).items():
            row = read_row(raw, columns)
            own = clause and OWN_CLAUSES.get(name, clause)
            rows[part][name] = {c: cell.without(own, off) for c, cell in row.items()}
    return Chart(
        rows["terrain"],
        rows["hexsides"],
        rows["roads"],
        None if factor == "unknown" else Fraction(factor),
    )
