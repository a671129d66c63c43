"""The kit of ocs: section 6 of the series rules as a player with a pencil would apply it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import ceil
from random import Random
from typing import Any

from vassal_umpire.model.board import Board, Line, edge
from vassal_umpire.model.fact import Value

from .kit import (
    BOX,
    Action,
    Cache,
    Change,
    Drag,
    Fraction,
    GameSetup,
    Kit,
    LegalRoute,
    LegalRoutes,
    MovementForm,
    Phase,
    PhaseRule,
    Roll,
    Table,
    bare_board,
    chart_row,
    exhaust,
    first_error,
    random_path,
    replace,
    unit,
)
from .legal import parted

P = None
CLASSES = ("leg", "tracked", "truck")
HEXES: dict[str, tuple[int | None, ...]] = {
    "open": (1, 1, 2),
    "woods": (1, 2, 4),
    "swamp": (4, P, P),
    "mountain": (3, P, P),
    "city": (3, 3, 1),
}
"""What a hex costs leg, tracked and truck units; P: prohibited. No game's chart."""
SIDES: dict[str, tuple[int | None, ...]] = {
    "stream": (1, 1, 2),
    "river": (2, 4, P),
    "lake": (P, P, P),
}
BRIDGED = {"river": (1, 1, 3)}
BRIDGE = {"river": (0, 1, 1), "lake": (1, 1, 1)}
ROADS: dict[str, tuple[Fraction, ...]] = {
    "road": (Fraction(1), Fraction(1, 2), Fraction(1, 2)),
    "track": (Fraction(1), Fraction(1), Fraction(1)),
}
SURCHARGE = (1, 1, 3)
UNSTACKED = ("sp", "transport", "air", "port", "airbase", "hedgehog")
IMMOBILE = ("port", "airbase", "hedgehog")
MAY_MOVE = {"Reaction": ("released",), "Exploitation": ("exploitation", "released")}
MODES = ("combat", "combat", "combat", "move", "strat", "reserve", "released", "exploitation")
ONE = Fraction(1)
STACK = 10
"""The RE that may be in a hex (X-STK)."""


def _row(costs: Sequence[Any]) -> dict[str, str]:
    return chart_row(CLASSES, costs)


def _tables(factors: Mapping[str, Any]) -> dict[str, Any]:
    sides: dict[str, Any] = {}
    for name, costs in SIDES.items():
        sides[name] = {"cost": _row(costs), "water": name != "stream", "river": name == "river"}
        for key, table in (("bridged", BRIDGED), ("bridge", BRIDGE)):
            if name in table:
                sides[name][key] = _row(table[name])
    return {
        "terrain": {name: _row(costs) for name, costs in HEXES.items()},
        "hexsides": sides,
        "roads": {name: _row(costs) for name, costs in ROADS.items()},
        "factors": factors,
        "overrun": {"form": "overrun", "dearest": 4, "surcharge": _row(SURCHARGE)},
        "stacking": {
            "limit": STACK
        },  # where a chart that is called complete has none, there is none
    }


class TerrainCosts:
    """The costs of terrain for one mobility class, as one player believes it to be."""

    def __init__(self, board: Board, column: int, bridging: bool, forgotten: str) -> None:
        self.board, self.column, self.bridging, self.forgotten = board, column, bridging, forgotten
        self.known: dict[tuple[str, str], list[tuple[Fraction, bool]]] = {}
        self.roads_in: dict[str, set[str]] = {}
        for line in board.lines:
            for name in line.hexes:
                self.roads_in.setdefault(name, set()).add(line.kind)

    def hex_cost(self, name: str) -> Fraction | None:
        """6.2d: the dearest terrain in the hex, nubs too, but not those of a city."""
        costs: list[int | None] = []
        for terrain in self.board.hexes[name].terrain or ():
            whole = terrain.removesuffix(" nub")
            if whole == terrain or (whole != "city" and self.forgotten != "OCS-6.2d-b"):
                costs.append(HEXES[whole][self.column])
        if None in costs:
            if self.forgotten == "OCS-6.2c-a":
                return ONE
            if self.forgotten != "OCS-6.2d-a" or all(cost is None for cost in costs):
                return None
        pick = min if self.forgotten == "OCS-6.2d-a" else max
        cost = pick(cost for cost in costs if cost is not None)
        if self.forgotten == "OCS-6.1a-a" and len(costs) == 1:
            return min(ONE, Fraction(cost))  # every hex the same
        return Fraction(cost)

    def side_cost(self, a: str, b: str) -> Fraction | None:
        """6.2b, 6.2d: what lies on a hexside; along a shore water does not count, but for rivers."""
        features = self.board.sides.get(edge(a, b), ())
        total = Fraction(SIDES["stream"][self.column] or 0) if "stream" in features else Fraction(0)
        shore = "land" in features
        waters: list[int | None] = []
        if "river" in features and not (shore and self.forgotten == "OCS-6.2d-w3"):
            options = [SIDES["river"][self.column]]
            options += [BRIDGED["river"][self.column]] if self.bridging else []
            waters.append(options[-1])
        if "lake" in features and not shore:
            waters.append(SIDES["lake"][self.column])
        if waters:
            passable = [water for water in waters if water is not None]
            if not passable and self.forgotten != "OCS-6.2c-a":
                return None
            total += min(passable, default=1)
        return Fraction(0) if self.forgotten == "OCS-6.2b-a" else total

    def across(self, a: str, b: str) -> list[tuple[Fraction, bool]]:
        """Every way from a hex to its neighbour: (cost, whether by road or bridge)."""
        found = self.known.get((a, b))
        if found is None:
            found = self.known[a, b] = list(self._across(a, b))
        return found

    def _across(self, a: str, b: str) -> Iterator[tuple[Fraction, bool]]:
        lines = {line.kind for line in self.board.lines_by_edge.get(edge(a, b), ())}
        if self.forgotten == "OCS-6.2a-a":
            lines |= self.roads_in.get(a, set()) & self.roads_in.get(b, set())
        for kind in lines:
            yield (
                (Fraction(0) if self.forgotten == "OCS-6.2a-b" else ROADS[kind][self.column]),
                True,
            )
        there, back, side = self.hex_cost(b), self.hex_cost(a), self.side_cost(a, b)
        if self.forgotten == "OCS-6.1d-a":
            back = ONE
        if there is None or back is None:
            return
        if side is not None:
            yield there + side, False
        features = self.board.sides.get(edge(a, b), ())
        if "bridge" in features and self.forgotten != "OCS-6.2b-a":
            stream = SIDES["stream"][self.column] if "stream" in features else 0
            cost = sum(BRIDGE[name][self.column] for name in ("river", "lake") if name in features)
            yield there + (stream or 0) + cost, True


class Ocs(Kit):
    name = "ocs"
    sequence = ("Movement", "Reaction", "Combat", "Exploitation", "Clean Up")
    forms = ("march", "march", "march", "overrun")
    clauses = (
        "OCS-6.0-c", "OCS-6.1a-a", "OCS-6.1b-a", "OCS-6.1b-c", "OCS-6.1c-b", "OCS-6.1c-e", "OCS-6.1d-a",
        "OCS-6.1h-a", "OCS-6.1h-b", "OCS-6.2a-a", "OCS-6.2a-b", "OCS-6.2b-a", "OCS-6.2c-a", "OCS-6.2d-a",
        "OCS-6.2d-b", "OCS-6.2d-w3", "OCS-6.3a-a", "OCS-6.3a-b", "OCS-6.3b-a", "OCS-6.3b-b", "OCS-X-5.S",
        "OCS-X-5.R", "OCS-X-5.E", "OCS-X-5.DG", "OCS-X-ELIG", "OCS-X-8.1c", "OCS-X-8.x",
    )  # fmt: skip
    limit = "OCS-6.1b-a"
    planted = ("OCS-6.1f-b", "OCS-6.1g-a", "OCS-X-STK")
    unbreakable = {  # noqa: RUF012 - as in the base
        **dict.fromkeys(
            (
                "OCS-6.1-f", "OCS-6.1c-a", "OCS-6.1g-c", "OCS-6.2a-c", "OCS-6.2b-b", "OCS-6.2b-c",
                "OCS-6.2d-c", "OCS-6.2d-w1", "OCS-6.2d-w2",
            ),
            "it gives leave",
        ),
        "OCS-X-4.5": "it says where 6.3b-a holds, and that is the clause broken",
    }  # fmt: skip

    named_by = {"OCS-6.1h-a": ("OCS-X-5.R", "OCS-X-5.E", "OCS-X-5.DG")}  # noqa: RUF012

    def __init__(self) -> None:
        self._terrain_costs = Cache[tuple[int, bool, str], TerrainCosts]()

    # -- the beginning --

    def setup(self, rng: Random, *, big: bool) -> GameSetup:
        columns, rows = (9, 8) if big else (4, 3)
        mild = rng.random() < 0.5  # nothing that an enemy's zone of control might not reach into
        board = _board(rng, columns, rows, mild)
        units, opening = {}, {}
        places = rng.sample(sorted(board.hexes), len(board.hexes))
        for side in ("Red", "Blue"):
            facts: dict[str, Value | int] = {}
            for number in range(12 if big else 2 + (side == "Red")):
                name = f"{side} {number + 1}"
                facts = facts if number % 2 and rng.random() < 0.4 else _facts(rng, big)
                units[name] = unit(name, side, facts)
                opening[name] = places[(number // 2 if big else number) + (side == "Blue") * 6]
        factors = {
            "dg": rng.choice(("1/2", "1/4")),
            "reserve": dict.fromkeys(("movement", "reaction", "exploitation"), "1/2"),
            "released": {"movement": "1/2"},
            "exploitation": {
                "movement": 1,
                "reaction": 1,
                "exploitation": rng.choice(("1/2", "1/4")),
            },
        }
        forms = ("march", "overrun")
        judged = ("Movement", "Reaction", "Exploitation")
        return GameSetup(
            board,
            units,
            opening,
            (
                *(PhaseRule(name, "both", forms, complete=True) for name in judged),
                PhaseRule("Combat", "unknown", ("retreat",)),
                PhaseRule("Clean Up", "unknown", ("retreat",)),
            ),
            _tables(factors),
            forms=(MovementForm("march"), MovementForm("overrun"), MovementForm("retreat", False)),
            conditions={"bridging": rng.random() < 0.3},
            changing=("mode", "dg", "fuel", "supplied"),
        )

    # -- the clauses --

    def routes(self, table: Table, unit: str, form: str = "", forgotten: str = "") -> LegalRoutes:
        return self._routes(table, unit, form, forgotten, favourable=False)

    def _routes(
        self, table: Table, unit: str, form: str, forgotten: str, *, favourable: bool
    ) -> LegalRoutes:
        """``favourable``: what the rules at hand leave open is read in the unit's favour."""
        facts, here = table.facts[unit], table.where[unit]
        allowance = self.allowance(table, unit, forgotten, favourable=favourable)
        if allowance is None or here == BOX:
            return {}
        costs = self.terrain_costs(table, unit, forgotten)
        limit = None if forgotten == "OCS-6.1b-a" else allowance
        overrun = form == "overrun"
        believed = _Enemies(table, unit, forgotten, self, favourable)

        def steps(name: str) -> Iterator[tuple[str, Fraction]]:
            if not favourable and name != here and believed.occupied(name):
                return  # what comes after an overrun, or of 4.8c, the text at hand does not say
            for to in table.board.neighbours(name):
                if facts["mode"] == "strat" and believed.near(to) and forgotten != "OCS-X-5.S":
                    continue
                for cost, easy in costs.across(name, to):
                    extra = believed.extra(name, to, easy, overrun, costs)
                    if extra is not None:
                        yield to, cost + extra

        def must_stop(name: str) -> bool:
            trucks = facts["class"] == "truck" and facts["mode"] != "strat"
            return (
                trucks
                and forgotten != "OCS-6.3b-a"
                and believed.zone(name)
                and not (favourable and overrun)
            )

        found = dict(exhaust(here, steps, limit, must_stop))
        if forgotten == "OCS-6.1b-a":
            found = {
                name: route for name, route in found.items() if route.cost <= 3 * allowance + 6
            }
        if not overrun or forgotten == "OCS-6.1c-b":
            for to, cost in steps(here):
                before = found.get(to)
                if before is None or (before.waived and before.cost > cost):
                    found[to] = LegalRoute(cost, (here, to), waived=True)
        return found

    def allowance(
        self, table: Table, unit: str, forgotten: str = "", *, favourable: bool = False
    ) -> Fraction | None:
        """6.1b, 6.1h, 6.3a; None: it may not move at all. What transport points may do besides, 13.2 says."""
        facts, side = table.facts[unit], table.side(unit)
        mode, phase = str(facts["mode"]), table.phase
        wrong = (side == table.active) == (phase == "Reaction")
        clause = "OCS-6.3a-b" if phase == "Reaction" else "OCS-6.3a-a"
        if wrong and forgotten != clause:
            return None
        excepted = favourable and facts["type"] == "transport"
        fits = mode in MAY_MOVE.get(phase, (mode,)) or excepted
        if not fits and forgotten != "OCS-X-ELIG":
            return None
        if facts["type"] in IMMOBILE and forgotten != "OCS-6.1b-c":
            return None
        if facts["fuel"] == "lacking" and forgotten != "OCS-6.0-c":
            return None
        amount = table.number(unit, "ma")
        if amount == 0 and forgotten != "OCS-6.1c-e":
            return None
        if forgotten != "OCS-6.1h-a":
            amount *= self._factors(table, mode, facts["dg"] is True, forgotten)
        return Fraction(ceil(amount)) if forgotten == "OCS-6.1h-b" else amount

    def _factors(self, table: Table, mode: str, dg: bool, forgotten: str) -> Fraction:
        factors = table.setup.rules["factors"]
        segment = table.phase.lower()
        shipped = {"released": {"reaction": "1/2", "exploitation": 1}}
        row = {**shipped.get(mode, {}), **factors.get(mode, {})}
        clause = {"reserve": "R", "released": "R", "exploitation": "E"}.get(mode)
        factor = (
            ONE if clause and forgotten == f"OCS-X-5.{clause}" else Fraction(row.get(segment, 1))
        )
        if mode == "strat":
            factor = Fraction(2)
        if dg and forgotten != "OCS-X-5.DG":
            factor *= Fraction(factors["dg"])
        return factor

    def terrain_costs(
        self, table: Table, unit: str, forgotten: str = "", *, bridging: bool = True
    ) -> TerrainCosts:
        column = CLASSES.index(str(table.facts[unit]["class"]))
        bridging = bridging and table.setup.conditions["bridging"] is True
        key = (column, bridging, forgotten)
        return self._terrain_costs.get(table.board, key, lambda: TerrainCosts(table.board, *key))

    def favourable_routes(self, table: Table, unit: str, form: str = "") -> LegalRoutes:
        """4.5 (where zones reach), 4.8c (enemies that cannot attack) and 8.1 (after an overrun, hexsides in
        it) are not in the text at hand."""
        return self._routes(table, unit, form, "", favourable=True)

    def may_stand(self, table: Table, name: str, units: Sequence[str]) -> bool:
        counted = [u for u in units if table.facts[u]["type"] not in UNSTACKED]
        return sum(table.number(u, "re") for u in counted) <= STACK

    def company(self, table: Table, units: Sequence[str], form: str = "") -> LegalRoutes:
        """6.1e: each unit pays for itself. Unlike units are dragged in one go only."""
        found = super().company(table, units, form)
        if found or len(units) == 1:
            return found
        each = [self.routes(table, one, form) for one in units]
        here = table.where[units[0]]
        common = [name for name in each[0] if all(name in routes for routes in each)]
        return {name: replace(each[0][name], path=(here, name)) for name in common}

    def rules_withheld(self, setup: GameSetup, rng: Random) -> Mapping[str, Any]:
        rules = {name: dict(table) for name, table in setup.rules.items()}
        for name in ("terrain", "roads", "hexsides"):
            for key in rules[name]:
                if rng.random() < 0.1:
                    rules[name][key] = (
                        {**rules[name][key], "cost": "unknown"} if name == "hexsides" else "unknown"
                    )
        if rng.random() < 0.3:
            del rules["factors"]
        return rules

    def phase_changes(self, table: Table, rng: Random) -> Iterator[Change]:
        if table.phase != "Clean Up":
            return
        for name in table.setup.units:
            if rng.random() < 0.3:
                yield Change(name, "mode", rng.choice(MODES))
            if rng.random() < 0.1:
                yield Change(name, "dg", table.facts[name]["dg"] is not True)
            if rng.random() < 0.05:
                yield Change(
                    name, "fuel", "full" if table.facts[name]["fuel"] == "lacking" else "lacking"
                )
            if rng.random() < 0.1:
                yield Change(name, "supplied", table.facts[name]["supplied"] is not True)

    def turn(self, table: Table, rng: Random, number: int, side: str) -> Iterator[Action]:
        """Where an overrun has led into a hex with enemies, the combat phase parts them first."""
        for action in super().turn(table, rng, number, side):
            yield action
            if isinstance(action, Phase) and action.phase in ("Combat", "Clean Up"):
                yield from parted(table, side)

    # -- errors --

    def muddle(self, table: Table, unit: str, form: str, clause: str) -> int:
        facts = table.facts[unit]
        modes = (facts["mode"] not in ("combat", "move")) + (facts["dg"] is True)
        of_modes = clause.startswith(("OCS-X-5", "OCS-6.1h", "OCS-X-ELIG", "OCS-6.3a-b"))
        of_overruns = clause.startswith(("OCS-X-8", "OCS-6.1c-b"))
        # Whose turn it is may have captured supplies, and move them.
        captured = facts["type"] in UNSTACKED and table.setup.units[unit].side != table.active
        muddle = max(0, modes - of_modes) + (form == "overrun" and not of_overruns)
        return muddle + 5 * captured

    def plant(self, clause: str, table: Table, rng: Random) -> Sequence[Action] | None:
        units = [u for u in table.on_map(table.active) if table.phase == "Movement"]
        made = {"OCS-6.1g-a": self._resume, "OCS-6.1f-b": self._part, "OCS-X-STK": self._crowd}
        return first_error(rng, units, lambda name: made[clause](table, rng, name, units))

    def _resume(
        self, table: Table, rng: Random, name: str, units: list[str]
    ) -> Sequence[Action] | None:
        """Half a move, another's move, dice, the other half."""
        if table.facts[name]["type"] in ("transport", *UNSTACKED):
            return None
        long = [route for route in self.routes(table, name).values() if len(route.path) > 2]
        if not long:
            return None
        path = rng.choice(long).path
        for other in units:
            if table.where[other] in path or table.facts[other]["type"] in UNSTACKED:
                continue
            targets = [n for n, route in self.routes(table, other).items() if n not in path]
            if targets:
                return (
                    Drag((name,), path[1]),
                    Drag((other,), rng.choice(targets)),
                    Roll(),
                    Drag((name,), path[-1]),
                )
        return None

    def _part(
        self, table: Table, rng: Random, name: str, units: list[str]
    ) -> Sequence[Action] | None:
        """Two go one hex together, one goes on, dice, the one left behind goes on elsewhere."""
        mates = [
            u
            for u in units
            if u != name and table.where[u] == table.where[name] and self.alike(table, u, name)
        ]
        if not mates or table.facts[name]["type"] in UNSTACKED:
            return None
        routes = [route for route in self.routes(table, name).values() if len(route.path) == 3]
        for one in routes:
            for other in routes:
                if one.path[1] == other.path[1] and one.path != other.path:
                    return (
                        Drag((name, mates[0]), one.path[1]),
                        Drag((name,), one.path[2]),
                        Roll(),
                        Drag((mates[0],), other.path[2]),
                    )
        return None

    def _crowd(
        self, table: Table, rng: Random, name: str, units: list[str]
    ) -> Sequence[Action] | None:
        """One more than may stand in a hex."""
        for to in self.routes(table, name):
            there = table.within(to, table.side(name))
            if there and not self.may_stand(table, to, [*there, name]):
                return (Drag((name,), to),)
        return None


class _Enemies:
    """The enemy as one unit finds it (3b, 4.5, 8.1)."""

    def __init__(self, table: Table, unit: str, forgotten: str, kit: Ocs, favourable: bool) -> None:
        self.table, self.unit, self.forgotten, self.kit, self.favourable = (
            table,
            unit,
            forgotten,
            kit,
            favourable,
        )
        self.side = table.side(unit)
        self.enemies = [(u, table.where[u]) for u in table.on_map(table.other(self.side))]
        self.zones: dict[str, bool] = {}

    def occupied(self, name: str) -> bool:
        return any(at == name for _, at in self.enemies)

    def near(self, name: str) -> bool:
        """X-5.S: next to an attack-capable enemy."""
        around = self.table.board.neighbours(name)
        return any(at in around and self._able(u) for u, at in self.enemies)

    def _able(self, enemy: str) -> bool:
        """Attack-capable; what DG and the modes do to that is in 5, and of a counter that is no fighting unit
        the text says nothing."""
        facts = self.table.facts[enemy]
        odd = facts["dg"] is True or facts["type"] in UNSTACKED
        odd = odd or facts["mode"] in ("move", "strat", "reserve")
        return facts["attack"] is True and not (self.favourable and odd)

    def zone(self, name: str) -> bool:
        """4.5: a zone of control over the hex, not negated by a friend."""
        if name not in self.zones:
            friends = [u for u in self.table.within(name, self.side) if u != self.unit]
            self.zones[name] = not friends and any(
                self._exerts(u, at, name) for u, at in self.enemies
            )
        return self.zones[name]

    def _exerts(self, enemy: str, at: str, name: str) -> bool:
        facts = self.table.facts[enemy]
        if at not in self.table.board.neighbours(name):
            return False
        if not (self._able(enemy) and facts["supplied"] and facts["mode"] == "combat"):
            return False
        if not self.favourable:
            return True
        steps = self.kit.terrain_costs(self.table, enemy, bridging=False).across(at, name)
        return any(not easy for _, easy in steps)

    def extra(
        self, here: str, to: str, easy: bool, overrun: bool, costs: TerrainCosts
    ) -> Fraction | None:
        """6.3b-b, 8.1: what entering a hex with enemies costs besides; None: it may not."""
        if not self.occupied(to):
            return Fraction(0)
        capable = any(at == to and self._able(u) for u, at in self.enemies)
        if not overrun:
            open_to = self.forgotten == "OCS-6.3b-b" or (self.favourable and not capable)
            return Fraction(0) if open_to else None
        if easy and self.forgotten != "OCS-X-8.1c":
            return None
        dear = costs.hex_cost(to)
        side = costs.side_cost(here, to)
        if dear is None or self.forgotten == "OCS-X-8.x":
            return Fraction(SURCHARGE[costs.column])
        most = dear if self.favourable or side is None else dear + side
        return Fraction(SURCHARGE[costs.column]) if most < 4 else None


def _facts(rng: Random, big: bool) -> dict[str, Value | int]:
    kinds = ["combat"] * 8 + ["hq", "transport", "hedgehog"]
    return {
        "class": rng.choice(CLASSES),
        "ma": rng.choice((0, 3, 4, 4, 5, 5, 6, 6, 8, 8))
        if big
        else rng.choice((0, 1, 2, 3, 5, 8, 12)),
        "mode": rng.choice(MODES),
        "dg": rng.random() < 0.15,
        "type": rng.choice(kinds),
        "attack": rng.random() < 0.8,
        "supplied": rng.random() < 0.8,
        "fuel": "lacking" if rng.random() < 0.05 else "full",
        "re": rng.choice((1, 2, 3, 4)),
    }


def _board(rng: Random, columns: int, rows: int, mild: bool) -> Board:
    whole = ["open", "open", "open", "woods", *([] if mild else ["mountain", "swamp", "city"])]
    more = ["woods", "city nub"] if mild else ["woods", "city nub", "mountain nub", "city"]

    def terrain(name: str) -> list[str]:
        extra = rng.sample(more, rng.choice((0, 0, 0, 1, 2)))
        return [rng.choice(whole), *extra]

    board = bare_board(columns, rows, terrain)
    few: list[tuple[str, ...]] = [(), (), (), (), ("stream",), ("river nub",)]
    if not mild:
        few += [("river",), ("lake",), ("lake", "land"), ("river", "lake")] + 2 * [
            ("river", "land")
        ]
        few += [("stream", "river"), ("river", "bridge")]
    sides = {pair: rng.choice(few) for pair in board.every_side}
    for pair, features in sides.items():
        terrains = {t for name in pair for t in board.hexes[name].terrain or ()}
        if "bridge" in features and terrains & {"mountain", "mountain nub", "swamp"}:
            sides[pair] = ("river",)  # whether a bridge leads into such a hex the text leaves open
    return replace(board, sides={k: v for k, v in sides.items() if v}, lines=_roads(rng, board))


def _roads(rng: Random, board: Board) -> tuple[Line, ...]:
    lines = []
    for _ in range(rng.randint(2, 5)):
        path = random_path(rng, board, rng.choice(sorted(board.hexes)), rng.randint(1, 6))
        if len(path) > 1:
            lines.append(Line(rng.choice(sorted(ROADS)), tuple(path), junctions=rng.random() < 0.5))
    return tuple(lines)


KIT = Ocs()
