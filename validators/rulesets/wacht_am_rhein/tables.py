"""The tables of the ruleset ``wacht-am-rhein``, read from plain values into typed ones."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from importlib import resources
from math import lcm
from typing import Any

from ....model.bill import Amount
from ....model.board import Board
from ....model.fact import UNKNOWN, Fact, known, one_of
from ....model.problem import Problem, WrongPack
from ...concepts.charts import ChartReader, Costs, number
from ...concepts.completeness import WHOLE_CHARTS, Completeness
from ...ruleset_folder import schema_beside

MECH, LEG = "mech", "leg"
CLASSES = (MECH, LEG)
BY_KIND = "by-kind"
"""The value of ``ma`` for a unit that has the base MA of its kind (5.2)."""
MODES = (
    "tactical",
    "strategic",
    "pa",
    "exploit",
    "maneuver-reserve",
    "combat-reserve",
    "reserve",
)
RESERVES = ("maneuver-reserve", "combat-reserve", "reserve")
NATIONS = ("german", "us", "british")
ROADS = ("primary", "secondary", "trail")
TRAIL = "trail"
DASHED = "dashed"
STREAMS_AND_RIVERS = ("stream", "minor-river", "major-river")
CROSSINGS = ("ford", "bridge", "destroyed-bridge", "engineer-bridge", "unfinished-bridge")
CONSTRICTED = "constricted"
NO_JUNCTION, JUNCTION_UNKNOWN = "no-junction", "junction-unknown"
FORTIFICATION, WEST_WALL = "fortification", "west-wall"
MOVEMENT, EXPLOITATION, OTHER = "movement", "exploitation", "other"
NAMED_BY_THE_TEXT = frozenset(
    {
        *("clear", "broken", "woods", "forest", "town", "city"),
        *(CONSTRICTED, NO_JUNCTION, JUNCTION_UNKNOWN, FORTIFICATION, WEST_WALL),
    }
)
"""Terrains and features that the text itself classifies. They are Covering Terrain or rough only if listed,
even where a list is not complete."""
_ANY_FACTOR = Amount(Fraction(0), None)


@dataclass(frozen=True, slots=True)
class GroundState:
    """The effects of a state of the ground. ``factor``: on the MA; ``plus``: MPs added to the MA off the
    road; ``chart``: whether the terrain charts of the pack hold for it."""

    factor: Amount
    plus: Amount
    chart: bool


UNKNOWN_GROUND = GroundState(_ANY_FACTOR, Amount(Fraction(0), None), False)
"""A state that is not in the tables. It may be one of the listed states under another name."""


@dataclass(frozen=True, slots=True)
class Tables:
    """All tables. ``phases``: phase → kind of phase; ``types``: kind of unit in the rules → values of the
    attribute ``type``; ``usual``: condition → its value if not declared; ``nations``: side → nation of its
    units; ``stacking_limit``: None if not known; ``scale``: costs are whole numbers of 1/scale MP;
    ``options``: reading → how it is settled; ``off``: clauses switched off."""

    clear: str
    covering: frozenset[str]
    hard: frozenset[str]
    phases: Mapping[str, str]
    usual: Mapping[str, Fact]
    nations: Mapping[str, Fact]
    types: Mapping[str, tuple[str, ...]]
    terrain: Mapping[str, Costs]
    hexsides: Mapping[str, Costs]
    roads: Mapping[str, Costs]
    adjacent: Costs
    fieldworks: Costs
    grounds: Mapping[str, GroundState]
    fuel: Mapping[str, Amount]
    raises: Mapping[str, Amount]
    stacking_limit: Fraction | None
    scale: int
    options: Mapping[str, str]
    off: frozenset[str]
    complete: Completeness = WHOLE_CHARTS

    def among(self, board: Board, hex_name: str, names: frozenset[str], chart: str) -> bool | None:
        """Whether one of ``names`` (the list ``chart``) is in a hex. None if that is not known, or if the
        list is not complete and the hex holds something that the text does not classify."""
        found = board.has(hex_name, names)
        if found is not False or self.complete.has(chart):
            return found
        here = board.hexes[hex_name]
        return (
            False if NAMED_BY_THE_TEXT.issuperset((*(here.terrain or ()), *here.features)) else None
        )

    def applies(self, clause: str) -> bool:
        """Whether a clause is in force; the id is without prefix, ``5.0-g`` for WAR-5.0-g."""
        return f"WAR-{clause}" not in self.off

    def reading(self, option: str) -> str:
        """The value of the option for an open reading; "undecided" if the pack does not settle it."""
        return self.options[option]

    def says(self, option: str) -> bool | None:
        """The value of a yes-or-no option; None if the pack does not settle it."""
        return {"yes": True, "no": False}.get(self.options[option])

    def all_types(self) -> tuple[str, ...]:
        """Every value of the attribute ``type`` that the tables list."""
        return tuple(dict.fromkeys(name for names in self.types.values() for name in names))


@cache
def defaults() -> Mapping[str, Any]:
    """The content of ``tables.toml``."""
    file = resources.files(__package__).joinpath("tables.toml")
    return tomllib.loads(file.read_text(encoding="utf-8"))


def read_tables(
    plain: Mapping[str, Any],
    options: Mapping[str, str],
    off: Iterable[str] = (),
    complete: Completeness = WHOLE_CHARTS,
) -> Tables:
    """Typed tables: ``[rules]`` of a pack over the tables that ship. WrongPack, with one problem for each
    fault.

    ``options``: every reading by its name, settled or "undecided". ``off``: clauses switched off, with
    prefix. ``complete``: the charts that the pack calls complete.
    """
    problems = [
        Problem("wrong-rules", f"expected {f.expected}; found {f.found}", f"rules.{f.place}")
        for f in schema_beside(__name__).faults(plain)
    ]
    if problems:
        more = f" (and {len(problems) - 1:,} more)" if len(problems) > 1 else ""
        where = "tables of the ruleset wacht-am-rhein"
        raise WrongPack(f"{problems[0]}{more}", tuple(problems), where=where)
    return _read(_merged(defaults(), plain), options, frozenset(off), complete)


def _merged(base: Mapping[str, Any], more: Mapping[str, Any]) -> dict[str, Any]:
    """``base`` with the values of ``more``; rows of a chart are replaced whole."""
    result = dict(base)
    for key, value in more.items():
        result[key] = {**base[key], **value} if isinstance(value, Mapping) else value
    return result


def _read(
    plain: Mapping[str, Any],
    options: Mapping[str, str],
    off: frozenset[str],
    complete: Completeness,
) -> Tables:
    charts = ChartReader(CLASSES, off)
    hexside_clauses = {"stream": "WAR-5.4.2-a", "minor-river": "WAR-5.4.3b-a"}
    terrain = {n: charts.costs(r, "", "WAR-5.7.0-b") for n, r in plain["terrain"].items()}
    hexsides = {
        n: charts.costs(r, hexside_clauses.get(n, "WAR-5.0-k"), "WAR-5.7.0-b")
        for n, r in plain["hexsides"].items()
    }
    roads = {n: charts.costs(plain["roads"][n], "") for n in ROADS}
    next_to = plain["adjacent"]
    adjacent = charts.costs(next_to["cost"], "WAR-5.3.2-a")
    dug_in = next_to.get("fieldworks", next_to["cost"] if complete.has("adjacent") else "unknown")
    works = charts.costs(dug_in, "WAR-5.3.2-a")
    limit = plain["stacking"]["limit"]
    return Tables(
        clear=plain["clear"],
        covering=frozenset(plain["covering"] if "WAR-5.3.0-f" not in off else ()),
        hard=frozenset(plain["hard"]),
        phases={n: kind for kind, names in plain["phases"].items() for n in names},
        usual={name: known(value) for name, value in plain["usual"].items()},
        nations={side: one_of(*names) for side, names in plain["nations"].items()},
        types={kind: tuple(names) for kind, names in plain["types"].items()},
        terrain=terrain,
        hexsides=hexsides,
        roads=roads,
        adjacent=adjacent,
        fieldworks=works,
        grounds={n: _ground(n, row) for n, row in plain["grounds"].items()},
        fuel={n: _factor(raw) for n, raw in plain["fuel"].items()},
        raises={n: _factor(raw) for n, raw in plain["raises"].items()},
        stacking_limit=None if limit == "unknown" else number(limit),
        scale=lcm(2, charts.scale),
        options=options,
        off=off,
        complete=complete,
    )


def _ground(name: str, row: Mapping[str, Any]) -> GroundState:
    """The state of the ground with this name. If its row does not give the MPs added, the shipped tables do:
    by the text only frozen ground adds some (5.2.1b)."""
    plus = row.get("plus", defaults()["grounds"].get(name, {}).get("plus", 0))
    factor = _factor(row.get("factor", "unknown"))
    return GroundState(factor, Amount.exactly(plus), bool(row.get("chart")))


def _factor(raw: int | str) -> Amount:
    return _ANY_FACTOR if raw == "unknown" else Amount.exactly(Fraction(raw))


def nation_of_side(tables: Tables, side: str | None) -> Fact:
    """The nation, or possible nations, of a side's units; unknown if the tables do not list the side."""
    return tables.nations.get(side or "", UNKNOWN)
