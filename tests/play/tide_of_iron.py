"""The kit of tide-of-iron: the movement page as a player with a pencil would apply it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any

from vassal_umpire.model.board import Board, Line
from vassal_umpire.model.fact import Value, known

from . import tide_errors, tide_turn
from .kit import (
    Action,
    Cache,
    Fraction,
    GameSetup,
    Kit,
    LegalRoutes,
    MovementForm,
    PhaseRule,
    Table,
    bare_board,
    chart_row,
    random_path,
    replace,
    unit,
)
from .tide_walk import CHART, CLASSES, TerrainCosts, Walk

GIVES_LEAVE = ("TOI-MV-d", "TOI-OF-d", "TOI-EX3-a", "TOI-SB-8a")


EXACT = ("TOI-X-ST-d", "TOI-X-OV-a", "TOI-MV-g", "TOI-X-BU-a", "TOI-X-BE")
SHORT = ("TOI-X-BR-a", "TOI-X-ST-a", "TOI-X-RR")
"""Clauses that are forgotten in plain moves only: an explanation may name whatever costs what is lacking."""


class TideOfIron(Kit):
    name = "tide-of-iron"
    sequence = ("Action", "Combat", "Status")
    forms = ("",)
    limit = "TOI-MV-f"
    clauses = (
        "TOI-MV-b", "TOI-MV-c", "TOI-MV-e", "TOI-MV-f", "TOI-MV-g", "TOI-HH-a", "TOI-EX1-a", "TOI-EX1-b",
        "TOI-EX2-a", "TOI-EX2-b", "TOI-EX3-b", "TOI-IM-a", "TOI-EE-e", "TOI-SB-7", "TOI-TX-2",
        "TOI-X-AP-a", "TOI-X-HI-a", "TOI-X-HI-b", "TOI-X-HI-c", "TOI-X-HI-d", "TOI-X-ST-a", "TOI-X-ST-b",
        "TOI-X-ST-c", "TOI-X-ST-d", "TOI-X-PO-a", "TOI-X-BR-a", "TOI-X-RW-a", "TOI-X-TT-a", "TOI-X-TT-b",
        "TOI-X-EN-a", "TOI-X-TRK", "TOI-X-TK-a", "TOI-X-ST", "TOI-X-OV-a", "TOI-X-OV-b", "TOI-X-OF",
        "TOI-X-AS-a", "TOI-X-AS-d", "TOI-X-BU-a", "TOI-X-BU-b", "TOI-X-RR", "TOI-X-BE",
    )  # fmt: skip
    planted = tuple(tide_errors.PLANTED)
    unbreakable = dict.fromkeys(GIVES_LEAVE, "it gives leave")
    # what does not count towards the allowance is not told: the explanation names the limit that it leaves
    named_by = {  # noqa: RUF012 - as in the base
        **dict.fromkeys(("TOI-MV-e", "TOI-SB-7", "TOI-X-TRK", "TOI-X-TK-a"), ("TOI-MV-f",)),
        "TOI-X-OF": ("TOI-EX3-a",),
    }

    def __init__(self) -> None:
        self._terrain_costs = Cache[tuple[str, str, bool], TerrainCosts]()

    # -- the beginning --

    def setup(self, rng: Random, *, big: bool) -> GameSetup:
        columns, rows = (10, 9) if big else (4, 3)
        board = _board(rng, columns, rows, mild=rng.random() < 0.5)
        units, opening = {}, {}
        ids = map(
            str, range(1001, 1100)
        )  # as a log numbers its counters: aboard names vehicles by it
        for side in ("Red", "Blue"):
            places = [
                n for n in sorted(board.hexes) if (int(n[:2]) <= columns // 2) == (side == "Red")
            ]
            places = [n for n in rng.sample(places, len(places)) if _dry(board, n)] or ["0101"]
            if not big and rng.random() < 0.5:
                places = [n for n in rng.sample(sorted(board.hexes), 12) if _dry(board, n)]
                places = [n for n in places if n not in opening.values()] or ["0101"]
            for number in range(12 if big else 2 + (side == "Red")):
                name = next(ids)
                vehicle = [u for u in units if units[u].side == side and _seats(units, u) > 0]
                facts = _facts(rng, big)
                if (
                    vehicle
                    and "class" in facts
                    and facts["class"] == "squad"
                    and rng.random() < 0.4
                ):
                    facts.update(aboard=vehicle[-1], works="none")
                    opening[name] = opening[vehicle[-1]]
                else:
                    wheels = facts.get("class") != "squad"
                    fit = [n for n in places if not wheels or _firm(board, n)] or places
                    at = (number // 2) % len(fit) if big else number % len(fit)
                    roomy = [n for n in (*fit[at:], *fit) if list(opening.values()).count(n) < 3]
                    opening[name] = roomy[0]
                units[name] = unit(name, side, facts)
        conditions: dict[str, Value] = {
            "stream": rng.choice(("shallow", "deep", "flooded", "frozen"))
        }
        if big and rng.random() < 0.5:
            conditions["actions"] = Fraction(rng.randint(4, 9))
        return GameSetup(
            board,
            units,
            opening,
            (
                PhaseRule("Action", "both", (), complete=True),
                PhaseRule("Combat", "unknown", ("retreat",)),
                PhaseRule("Status", "unknown", ("retreat",)),
            ),
            _tables(rng),
            forms=(MovementForm("activation"), MovementForm("retreat", False)),
            conditions=conditions,
            changing=(
                "action", "token", "pinned", "disrupted", "damage", "aboard", "works", "stalled",
            ),
        )  # fmt: skip

    # -- the clauses --

    def asked(self, table: Table, rng: Random) -> Iterator[tuple[str, str, str, str]]:
        """Not riders and those dug in: a counter that stays so marked when it has been put back says nothing
        for certain the next time. Games go into that."""
        free = [
            u
            for u, facts in table.facts.items()
            if facts["aboard"] == "no" and facts["works"] == "none"
        ]
        for mover in rng.sample(free, min(2, len(free))):
            yield mover, "", "Action", table.side(mover)

    def occasion(self, clause: str, rng: Random) -> GameSetup:
        found = self.setup(rng, big=True)
        if clause == "TOI-X-BU-a":  # what a road may join, no building tells
            return replace(found, board=replace(found.board, lines=()))
        if clause == "TOI-X-HI-d":  # an officer stands in the explanation before the road
            plain = {"officers": known(0)}
            units = {
                name: replace(u, attributes={**u.attributes, **plain})
                if "officers" in u.attributes
                else u
                for name, u in found.units.items()
            }
            return replace(found, units=units)
        return found

    def routes(self, table: Table, unit: str, form: str = "", forgotten: str = "") -> LegalRoutes:
        walk = Walk(table, unit, forgotten)
        found = walk.march(self.terrain_costs(table, walk.cls, forgotten))
        if forgotten in EXACT:  # errors that lack just what the player did not know of
            most = walk.allowance()
            return {name: route for name, route in found.items() if route.cost == most}
        if forgotten in SHORT:
            return {name: route for name, route in found.items() if len(route.path) == 2}
        return found

    def favourable_routes(self, table: Table, unit: str, form: str = "") -> LegalRoutes:
        """Which hexes of a winding road are contiguous, whether riders count in an overrun, and the readings
        that a pack may leave open."""
        walk = Walk(table, unit, favourable=True)
        return walk.march(self.terrain_costs(table, walk.cls, "", favourable=True))

    def terrain_costs(
        self, table: Table, cls: str, forgotten: str, *, favourable: bool = False
    ) -> TerrainCosts:
        return self._terrain_costs.get(
            table.board,
            (cls, forgotten, favourable),
            lambda: TerrainCosts(table, cls, forgotten, favourable=favourable),
        )

    def may_stand(self, table: Table, name: str, units: Sequence[str]) -> bool:
        """X-SK, SB-8a: riders are not counted."""
        counted = [u for u in units if table.facts[u]["aboard"] == "no"]
        return len(counted) <= table.setup.rules["stacking"]["limit"]

    def company(self, table: Table, units: Sequence[str], form: str = "") -> LegalRoutes:
        """A vehicle and its riders: the vehicle's ways. Squads one after the other, though in one drag."""
        if all(table.facts[u]["aboard"] == units[0] for u in units[1:]):
            return self.routes(table, units[0], form)
        return {}

    def rules_withheld(self, setup: GameSetup, rng: Random) -> Mapping[str, Any]:
        rules = {name: dict(table) for name, table in setup.rules.items()}
        for key in rules["terrain"]:
            if rng.random() < 0.15:
                rules["terrain"][key] = "unknown"
        for name in ("hills", "wadi", "allowance", "stacking"):
            if rng.random() < 0.3:
                del rules[name]
        return rules

    def turn(self, table: Table, rng: Random, number: int, side: str) -> Iterator[Action]:
        return tide_turn.turn(self, table, rng, number, side)

    def plant(self, clause: str, table: Table, rng: Random) -> Sequence[Action] | None:
        return tide_errors.plant(self, clause, table, rng)

    def muddle(self, table: Table, unit: str, form: str, clause: str) -> int:
        facts = table.facts[unit]
        of = {
            "TOI-EX1-a": "action",
            "TOI-X-AS-d": "action",
            "TOI-EE-e": "aboard",
            "TOI-X-EN-a": "works",
        }
        odd = {"action": "advance", "aboard": "no", "works": "none", "damage": "none"}
        officers = facts["officers"] != 0 and clause not in ("TOI-EX3-a", "TOI-X-OF", "TOI-SB-7")
        rides = bool(table.riders(unit)) and clause != "TOI-SB-7"
        apart = (facts[key] != plain and of.get(clause) != key for key, plain in odd.items())
        return sum(apart) + officers + rides


# -- boards and counters ----------------------------------------------------------------------------


def _seats(units: Mapping[str, Any], name: str) -> int:
    facts = {key: fact.value for key, fact in units[name].attributes.items()}
    room = 2 if facts["type"] == "truck" else int(facts.get("transport", 0))
    return room - sum(u.attributes["aboard"].value == name for u in units.values())


def _dry(board: Board, name: str) -> bool:
    here = board.hexes[name]
    wet = (here.terrain or ("",))[0] in ("pond", "stream") and "bridge" not in here.features
    return not wet and "half hex" not in here.features


def _firm(board: Board, name: str) -> bool:
    return None not in CHART.get((board.hexes[name].terrain or ("pond",))[0], (None,))


def _facts(rng: Random, big: bool) -> dict[str, Value | int]:
    rare = 0.04 if big else 0.1
    cls = rng.choice(
        ("squad", "squad", "squad", "squad", "truck", "light", "heavy", "truck i", "tiger i")
    )
    squad = cls == "squad"
    facts: dict[str, Value | int] = {
        "type": "squad" if squad else "vehicle",
        "officers": rng.choice((0, 0, 0, 1, 2)) if squad else 0,
        "figures": rng.choice((2, 3, 4)) if squad else 0,
        "engineer": squad and rng.random() < 0.2,
        "heavy_weapon": squad and rng.random() < 0.2,
        "action": "concentrated-fire"
        if rng.random() < rare
        else rng.choice(("advance", "advance", "fire-and-movement", "assault")),
        "token": rng.choice(("fatigued", "op-fire")) if rng.random() < rare else "none",
        "pinned": squad and rng.random() < rare,
        "disrupted": squad and rng.random() < rare,
        "damage": "none" if squad else rng.choice(("none", "none", "none", "light", "heavy")),
        "aboard": "no",
        "works": "none",
        "stalled": "no",
    }
    if cls in ("truck i", "tiger i"):
        return {**facts, "type": "truck" if cls == "truck i" else cls}
    return {
        **facts,
        "class": cls,
        "ma": rng.choice((0, 3, 4, 4, 4, 5, 6)),
        "tank": cls == "heavy" and rng.random() < 0.7,
        "transport": {"truck": 2, "light": 1}.get(cls, 0) if rng.random() < 0.8 else 0,
    }


def _tables(rng: Random) -> dict[str, Any]:
    own = ("field", "woods", "building", "collapsed building", "rough", "marsh", "beach")
    return {
        "terrain": {name: chart_row(CLASSES, CHART[name]) for name in own},
        "wadi": {"played": "yes"},
        "hills": {
            "combine": rng.choice(("dearest", "sum", "unknown")),
            "road_hex": rng.choice(("terrain", "terrain", "road", "unknown")),
        },
        "allowance": {
            "assault_penalty": rng.choice((0, 1, 1)),
            "standing_damage": rng.choice((0, 1, 1)),
        },
        "stacking": {"limit": rng.choice((3, 4))},
    }


def _board(rng: Random, columns: int, rows: int, mild: bool) -> Board:
    few = ["clear"] * 7 + ["woods", "field"]
    many = ["clear"] * 6 + [*CHART, "stream", "stream", "woods"]

    def terrain(name: str) -> list[str]:
        return [rng.choice(few if mild else many)]

    board = bare_board(columns, rows, terrain)
    hexes = {}
    works = (
        "razor wire",
        "tank trap",
        "entrenchment",
        "entrenchment",
        "two entrenchments",
        "half hex",
    )
    for name, here in board.hexes.items():
        level = rng.choice((0, 0, 0, 1) if mild else (0, 0, 0, 0, 1, 1, 2))
        feature = rng.choice(works) if rng.random() < 0.15 else ""
        wet = (here.terrain or ("",))[0] in ("stream", "pond")
        if wet:
            feature = rng.choice(("", "", "bridge", "snow bridge"))
        hexes[name] = replace(here, level=level, features=(feature,) if feature else ())
    return _with_lines(rng, replace(board, hexes=hexes))


def _with_lines(rng: Random, board: Board) -> Board:
    """Roads and railways; they cross water by bridges, and no cliffs."""
    lines, hexes = [], dict(board.hexes)
    for _ in range(rng.randint(1, 4)):
        starts = [n for n in sorted(hexes) if "half hex" not in hexes[n].features] or ["0101"]
        path = random_path(
            rng,
            board,
            rng.choice(starts),
            rng.randint(2, 8),
            lambda here, to: (
                abs((hexes[to].level or 0) - (hexes[here].level or 0)) < 2
                and "half hex" not in hexes[to].features
            ),
        )
        if len(path) > 1:
            lines.append(Line(rng.choice(("road", "road", "road", "railway")), tuple(path)))
    for name in {name for line in lines for name in line.hexes}:
        here = hexes[name]
        if (here.terrain or ("",))[0] in ("stream", "pond") and not here.features:
            hexes[name] = replace(here, features=("bridge",))
        if (here.terrain or ("",))[0] in ("marsh", "building", "collapsed building"):
            hexes[name] = replace(here, terrain=("clear",))
    return replace(board, hexes=hexes, lines=tuple(lines))


KIT = TideOfIron()
