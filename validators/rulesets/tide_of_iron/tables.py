"""Reads the tables of the ruleset ``tide-of-iron``: plain values of TOML become typed values."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from importlib import resources
from typing import Any

from ....model.bill import Amount
from ....model.fact import Fact, known
from ....model.patterns import Pattern, PatternError, compile_pattern
from ....model.problem import Problem, WrongPack
from ...concepts.charts import (
    NO_CLASS,
    NOTHING,
    OTHERS,
    Cell,
    ChartReader,
    Costs,
    number,
    read_cell,
)
from ...concepts.completeness import WHOLE_CHARTS, Completeness
from ...ruleset_folder import schema_beside

CLASSES = ("squad", "truck", "light", "heavy")
VEHICLES = ("truck", "light", "heavy")
DEPTHS = ("shallow", "deep", "flooded", "frozen")
ROAD, RAILWAY = "road", "railway"
STREAM, WADI = "stream", "wadi"
MV_G = ("TOI-MV-g", "TOI-MV-g")
CLAUSES: Mapping[str, tuple[str, str]] = {
    "woods": ("TOI-EX3-b", "TOI-MV-g"),
    "building": ("TOI-X-BU-a", "TOI-MV-g"),
    "collapsed building": ("TOI-MV-g", "TOI-X-BU-b"),
    "pond": ("TOI-X-PO-a", "TOI-X-PO-a"),
    "beach": ("TOI-X-BE", "TOI-MV-g"),
    WADI: ("TOI-X-WA-a", "TOI-X-WA-a"),
    "shallow": ("TOI-X-ST-a", "TOI-X-ST-a"),
    "deep": ("TOI-X-ST-b", "TOI-X-ST-b"),
    "flooded": ("TOI-X-ST-c", "TOI-X-ST-c"),
    "frozen": ("TOI-X-ST-d", "TOI-X-ST-d"),
}
"""Terrain, or depth of a stream → the clause cited for its cost, and the one cited if it is prohibited."""
_TYPE_CLAUSES = {"truck": "X-TRK", "tiger i": "X-TK-a", "officer": "X-OF"}
_PLAIN_TYPE = {"tank": False, "engineer": False, "heavy_weapon": False, "transport": 0}


@dataclass(frozen=True, slots=True)
class Tables:
    """All tables of a pack, over those that ship.

    ``terrain``, ``hexsides``, ``roads``: name → costs by class. ``streams``: depth → costs by class.
    ``wadi``: whether the optional rule on wadis is played; None: not known. ``bridge``: the cost of entering
    a bridge hex, in MPs. ``up``: the cost of a clear hex one level higher, in MPs. ``combine``: the reading
    for a climb into other terrain: ``dearest`` (the dearer of both), ``sum``, or ``unknown``. ``road_hex``:
    the reading for woods with a road, entered off the road: ``terrain``, ``road``, or ``unknown``.
    ``allowance``: by how many MPs something changes an allowance. ``expenses``: the cost of actions within a
    hex, in MPs. ``works``: fortification → (cost of getting in, cost of getting out). ``stacking_limit``:
    None: not known. ``types``: type of unit → attributes. ``rounds``: a pattern that finds the name of the
    round in the name of a turn; None: the whole name is that of the round. ``scale``: costs are whole numbers
    of 1/scale MP. ``off``: clauses switched off. ``complete``: which charts are complete."""

    terrain: Mapping[str, Costs]
    hexsides: Mapping[str, Costs]
    streams: Mapping[str, Costs]
    wadi: bool | None
    roads: Mapping[str, Costs]
    bridge: Fraction
    up: Fraction
    combine: str
    road_hex: str
    allowance: Mapping[str, Amount]
    expenses: Mapping[str, Fraction]
    works: Mapping[str, tuple[Cell, Cell]]
    stacking_limit: Fraction | None
    types: Mapping[str, Mapping[str, Fact]]
    rounds: Pattern | None
    scale: int
    off: frozenset[str]
    complete: Completeness = WHOLE_CHARTS

    def applies(self, clause: str) -> bool:
        """Whether a clause is in force. ``clause`` is given without ``TOI-``."""
        return f"TOI-{clause}" not in self.off

    def round_of(self, turn: str | None) -> str | None:
        """The name of the round that contains the turn of this name; None if it is not known."""
        if turn is None or self.rounds is None:
            return turn
        found = self.rounds.search(turn)
        return None if found is None else found.whole


@cache
def defaults() -> Mapping[str, Any]:
    """``tables.toml`` as it ships."""
    file = resources.files(__package__).joinpath("tables.toml")
    return tomllib.loads(file.read_text(encoding="utf-8"))


def read_tables(
    plain: Mapping[str, Any], off: Iterable[str] = (), complete: Completeness = WHOLE_CHARTS
) -> Tables:
    """The tables of a pack. ``plain``: its ``[rules]``. ``off``: clauses switched off. Raises WrongPack, with
    one problem for each fault."""
    problems = [
        Problem("wrong-rules", f"expected {f.expected}; found {f.found}", f"rules.{f.place}")
        for f in schema_beside(__name__).faults(plain)
    ]
    if problems:
        more = f" (and {len(problems) - 1:,} more)" if len(problems) > 1 else ""
        where = "tables of the ruleset tide-of-iron"
        raise WrongPack(f"{problems[0]}{more}", tuple(problems), where=where)
    return _read(merged(plain), frozenset(off), complete)


def merged(more: Mapping[str, Any]) -> dict[str, Any]:
    """The tables that ship, with the rows of ``more`` in place of theirs. A row of the terrain chart that
    does not name ``others`` keeps the shipped costs of the classes it leaves out."""
    base = defaults()
    result = dict(base)
    for key, value in more.items():
        result[key] = {**base[key], **value}
    for name, row in more.get("terrain", {}).items():
        shipped = base["terrain"].get(name, {})
        if isinstance(row, Mapping) and OTHERS not in row:
            plain = shipped if isinstance(shipped, Mapping) else {OTHERS: shipped}
            result["terrain"][name] = {**plain, **row}
    return result


def _read(plain: Mapping[str, Any], off: frozenset[str], complete: Completeness) -> Tables:
    charts = ChartReader(CLASSES, off)
    terrain = {
        name: charts.costs(raw, *CLAUSES.get(name, MV_G)) for name, raw in plain["terrain"].items()
    }
    played = {"yes": True, "no": False}.get(plain["wadi"]["played"])
    if played or WADI not in terrain:
        raw = plain["wadi"]["cost"] if played else "unknown"
        terrain[WADI] = charts.costs(raw, *CLAUSES[WADI])
    expenses = {name: number(raw) for name, raw in plain["expenses"].items()}
    works = {
        name: (
            _price(raw["enter"], "TOI-EX1-c" in off),
            _price(raw["leave"], "TOI-X-EN-a" in off),
        )
        for name, raw in plain["works"].items()
    }
    hexsides = {name: charts.costs(raw, *MV_G) for name, raw in plain["hexsides"].items()}
    roads = _roads(plain["roads"], charts, off, complete.cell("roads", NOTHING))
    fixed = [*expenses.values(), *(c.amount for pair in works.values() for c in pair)]
    fixed += [number(plain["bridges"]["cost"]), number(plain["hills"]["up"])]
    charts.costs(
        {str(n): str(f) for n, f in enumerate(fixed)}, ""
    )  # so that the scale fits these costs too
    limit = plain["stacking"]["limit"]
    return Tables(
        terrain=terrain,
        hexsides=hexsides,
        streams={d: charts.costs(raw, *CLAUSES[d]) for d, raw in plain["streams"].items()},
        wadi=played,
        roads=roads,
        bridge=number(plain["bridges"]["cost"]),
        up=number(plain["hills"]["up"]),
        combine=plain["hills"]["combine"],
        road_hex=plain["hills"]["road_hex"],
        allowance={name: _change(name, raw) for name, raw in plain["allowance"].items()},
        expenses=expenses,
        works=works,
        stacking_limit=None if limit == "unknown" else number(limit),
        types={name: _type(name, row, off) for name, row in plain["types"].items()},
        rounds=_pattern(plain["turns"]["round"]),
        scale=charts.scale,
        off=off,
        complete=complete,
    )


def _pattern(text: str) -> Pattern | None:
    """A pattern of the tables; None if it is empty."""
    try:
        return compile_pattern(text) if text else None
    except PatternError as error:
        problem = Problem(
            "wrong-rules", f"expected a pattern; found {text} ({error})", "rules.turns.round"
        )
        raise WrongPack(str(problem), (problem,), where="rules.turns.round") from error


def _roads(
    plain: Mapping[str, Any], charts: ChartReader, off: frozenset[str], missing: Cell
) -> dict[str, Costs]:
    """Kind of road → costs of a step along it. ``missing``: the cost for a class that a row leaves out. TX-2
    gives trucks a cost of their own; if it is switched off, they pay as light vehicles."""
    found: dict[str, Costs] = {}
    for kind, raw in plain.items():
        clause = "TOI-X-RR" if kind == RAILWAY else "TOI-X-HI-d"
        every = dict(charts.costs(raw, "", missing=missing))
        if kind != RAILWAY and "TOI-TX-2" in off:
            every["truck"] = every["light"]
        for name in (*CLASSES, NO_CLASS):
            thirds = kind != RAILWAY and name == "truck" and "TOI-TX-2" not in off
            if clause in off and not thirds:
                every[name] = NOTHING
        found[kind] = every
    return found


def _price(raw: int | str, off: bool) -> Cell:
    return Cell("number") if off else read_cell(raw)


def _change(name: str, raw: int | str) -> Amount:
    """The number of MPs by which ``name`` changes an allowance. If the pack does not know it: any number, but
    for light damage of an earlier turn 0 to 1."""
    if raw == "unknown":
        return Amount(Fraction(0), Fraction(1) if name == "standing_damage" else None)
    return Amount.exactly(number(raw))


def _type(name: str, row: Mapping[str, Any], off: frozenset[str]) -> Mapping[str, Fact]:
    if f"TOI-{_TYPE_CLAUSES.get(name, '')}" in off:
        return {}
    plain = {**_PLAIN_TYPE, **row}
    if plain.get("class") == "squad" and "engineer" not in row:
        del plain["engineer"]  # a squad of any type may contain engineers
    return {key: known(number(v) if key == "ma" else v) for key, v in plain.items()}
