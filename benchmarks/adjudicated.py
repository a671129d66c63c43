"""Games that another program adjudicated, for the numbers that moves tell: published charts, accepted moves.

They belong to others and are not part of the project. ``UMPIRE_CORPUS`` names the folder that holds
``second-adjudicator``; ``UMPIRE_VSAV_ENGINE`` a checkout of github.com/DrEvil-TitaniumHelix/vsav-engine,
whose logs of other games are read here without its engine: only what it accepted as a move counts.
"""

from __future__ import annotations

import gzip
import json
import os
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

from vassal_umpire.importers.analysis.document import parse_document
from vassal_umpire.importers.analysis.game_json import game_of
from vassal_umpire.model.board import Board, Hex, Line, edge
from vassal_umpire.model.hexgrid import from_offset
from vassal_umpire.validators.chart_from_moves.fit import Trip
from vassal_umpire.validators.chart_from_moves.ground import (
    NONE,
    PROHIBITED,
    SCALE,
    Ground,
    Number,
    ground_of,
)
from vassal_umpire.validators.chart_from_moves.trips import trips_of
from vassal_umpire.validators.rulesets.generic import RULESET

PROJECT = Path(__file__).resolve().parent.parent
Truth = dict[Number, int]


@dataclass(frozen=True)
class Adjudicated:
    """The trips of one class in all games of one title, on its board. ``truth``: the published chart."""

    name: str
    ground: Ground
    trips: tuple[Trip, ...]
    truth: Truth
    anchor: Number


@dataclass(frozen=True)
class Title:
    """How the files of a title of vsav-engine are read.

    ``charts``: table → row → published cost, in MP or ``prohibited``. ``lines``: flags of sides that are
    lines; the others are features of hexsides. ``over``: a flag that stands in place of others where it lies
    with them. ``classes``: the classes of units that are read; empty: all. ``allowance``: MPs of every unit;
    None: each unit's own ``ma``. ``left_out``: hexes with this terrain are no hexes. ``anchor``: the
    terrain whose cost is told.
    """

    name: str
    folder: str
    scenario: str
    terrain: str
    charts: Mapping[str, Mapping[str, Any]]
    lines: frozenset[str] = frozenset()
    over: Mapping[str, frozenset[str]] = field(default_factory=dict)
    classes: frozenset[str] = frozenset()
    allowance: int | None = None
    left_out: frozenset[str] = frozenset(("offmap",))
    anchor: str = "clear"


def corpus() -> Path | None:
    """The folder ``second-adjudicator``; None if it is not on this machine."""
    root = Path(os.environ.get("UMPIRE_CORPUS") or PROJECT.parent / "shared" / "corpus")
    found = root / "second-adjudicator"
    return found if found.is_dir() else None


def engine() -> Path | None:
    """The checkout of vsav-engine; None if it is not on this machine."""
    named = os.environ.get("UMPIRE_VSAV_ENGINE")
    return Path(named) if named and (Path(named) / "games").is_dir() else None


def documents(folder: Path, cls: str) -> Adjudicated:
    """A title of the corpus, through the program's own audit."""
    ground, truth, trips = None, {}, []
    for number, path in enumerate(sorted(folder.glob("game-??.json.gz"))):
        plain = parse_document(gzip.decompress(path.read_bytes()), path.name)["game"]
        game, tables = game_of(plain), plain["rules"]["tables"]
        ground = ground_of(game.board, tables) if ground is None else ground
        found = trips_of(game, RULESET, ground, tables["classes"]).by_class[cls]
        trips += [trip._replace(phase=trip.phase + 1000 * number) for trip in found]
        truth = truth_of(ground, charts_of(tables, cls))
    assert ground is not None
    return Adjudicated(folder.name, ground, tuple(trips), truth, Number("terrain", "clear"))


def charts_of(tables: Mapping[str, Any], cls: str) -> dict[str, dict[str, Any]]:
    """The costs of a class in each chart."""

    def own(cost: Any) -> Any:
        return cost.get(cls) if isinstance(cost, Mapping) else cost

    return {
        "terrain": {name: own(cost) for name, cost in tables["terrain"]["costs"].items()},
        "hexsides": {name: own(row["cost"]) for name, row in tables["hexsides"].items()},
        "roads": {name: own(row["cost"]) for name, row in tables.get("roads", {}).items()},
    }


def truth_of(ground: Ground, charts: Mapping[str, Mapping[str, Any]]) -> Truth:
    """The published chart as the search writes it; rows that are on no hex of the board are left out."""

    def value(number: Number) -> int:
        cost = charts[number.table].get(number.name)
        if number.table == "roads" and cost is None:
            return NONE
        return PROHIBITED if cost == "prohibited" else int(Fraction(cost or 0) * SCALE)

    return {number: value(number) for number in ground.numbers}


def logs(title: Title, root: Path) -> Adjudicated:
    """A title of vsav-engine, straight from its logs."""
    folder = root / "games" / title.folder
    board = board_of(title, json.loads((folder / title.terrain).read_text("utf-8")))
    scenario = json.loads((folder / title.scenario).read_text("utf-8"))
    roads = {
        name: {"cost": cost, "cancels": ["terrain"]} for name, cost in title.charts["roads"].items()
    }
    ground = ground_of(board, {"roads": roads, "terrain": {"costs": title.charts["terrain"]}})
    units = {
        u["id"]: u for key in ("units", "reserve", "reinforcement") for u in scenario.get(key, ())
    }
    trips: list[Trip] = []
    for number, path in enumerate(sorted((folder / "playbook" / "corpus").glob("*.log.jsonl"))):
        trips += trips_in(title, ground, units, path, number)
    truth = truth_of(ground, title.charts)
    return Adjudicated(title.name, ground, tuple(trips), truth, Number("terrain", title.anchor))


def trips_in(
    title: Title, ground: Ground, units: Mapping[str, Any], path: Path, game: int
) -> list[Trip]:
    """The accepted moves of one log. A unit whose hex is not told by the log has none until it is."""
    where = {name: tuple(unit["hex"]) for name, unit in units.items() if unit.get("hex")}
    found, phase, moved = [], 0, set()
    for line in path.read_text("utf-8").splitlines():
        event = json.loads(line)
        act, unit = event.get("action") or {}, (event.get("action") or {}).get("unit")
        if act.get("type", "").startswith("end"):
            phase += 1
        if not event.get("verdict", {}).get("legal") or not isinstance(unit, str):
            continue
        place = act.get("dest") or act.get("hex") or (act.get("path") or [None])[-1]
        first = (phase, unit) not in moved
        moved.add((phase, unit))
        if act["type"] == "move" and first and place and unit in where and unit in units:
            told = units[unit]
            most = title.allowance or told.get("stats", told).get("ma")
            names = [f"{column:02}{row:02}" for column, row in (where[unit], place)]
            known = all(name in ground.index for name in names) and names[0] != names[1]
            if most and known and (not title.classes or told.get("cls") in title.classes):
                origin, target = (ground.index[name] for name in names)
                found.append(Trip(1000 * game + phase, origin, target, int(most) * SCALE))
        if place:
            where[unit] = tuple(place)
        else:
            where.pop(unit, None)
    return found


def board_of(title: Title, plain: Mapping[str, Any]) -> Board:
    """The board of a ``terrain.json``: hexes by column and row, sides as ``0101|0201``."""
    hexes = {}
    low = lowered(plain["sides"])
    for name, here in plain["hexes"].items():
        if here["t"] not in title.left_out:
            column, row = int(name[:2]), int(name[2:])
            hexes[name] = Hex(name, from_offset(column + low, row), (here["t"],))
    sides, lines = {}, []
    for key, flags in plain["sides"].items():
        pair = key.split("|")
        told = {name if value is True else str(value) for name, value in flags.items()}
        told -= {other for name in told for other in title.over.get(name, ())}
        if all(name in hexes for name in pair):
            has = tuple(sorted(told & title.charts["hexsides"].keys()))
            if has:
                sides[edge(*pair)] = has
            lines += [Line(kind, tuple(pair)) for kind in sorted(told & title.lines)]
    return Board(
        title.folder,
        hexes,
        sides,
        tuple(lines),
        complete=frozenset(("terrain", "hexsides", "lines")),
    )


def lowered(sides: Mapping[str, Any]) -> int:
    """0 if odd columns stand half a hex lower, else 1, by the sides between columns."""
    votes = Counter[int]()
    for key in sides:
        (a, b), (c, d) = ((int(name[:2]), int(name[2:])) for name in sorted(key.split("|")))
        if a != c and b != d:
            is_odd = a % 2 == 1
            votes[0 if is_odd == (d > b) else 1] += 1
    return votes.most_common(1)[0][0] if votes else 0
