"""The kit of zoc-classes: section 6 as a player with a pencil would apply it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any

from vassal_umpire.model.board import Board, Line, edge
from vassal_umpire.model.fact import Value

from .kit import (
    BOX,
    Action,
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
    Table,
    bare_board,
    chart_row,
    random_paths,
    replace,
    unit,
)
from .zoc_errors import PLANTED, UNBREAKABLE, plant
from .zoc_routes import arrivals, cheaper_route, marker
from .zoc_walk import (
    CLASSES,
    COLUMNS,
    HEXES,
    INTERDICTION,
    ROADS,
    SCREENED,
    SIDES,
    Cell,
    March,
    may_reserve,
    near_enemies,
)

DATES = ("1939-09-01", "1941-08-01", "1941-10-01", "1942-08-01", "1943-08-01", "1943-08-01")
OPTIONS = {
    "supply_half": ("keep", "down", "up"),
    "half_R": ("keep", "down", "up"),
    "marker_rounding": ("up", "down"),
    "advance_leaves": ("no", "yes"),
    "odd_marker_levels": ("one", "each"),
    "forts": ("entering", "both"),
    "phase_half": ("down", "keep"),
    "night_rounding": ("keep", "up"),
    "night_debt": ("before", "after"),
}
JUDGED = {
    "Initial": ("move", "overrun", "forced march"),
    "Reaction": ("move",),
    "Combat": ("advance",),
    "Exploitation": ("move", "overrun", "forced march"),
}


class ZocClasses(Kit):
    name = "zoc-classes"
    slow = 2
    relaid = ("debt",)
    sequence = ("Initial", "Reaction", "Combat", "Exploitation", "Clean Up")
    forms = ("move", "move", "move", "move", "overrun", "forced march", "advance")
    clauses = tuple(
        f"ZC-{clause}"
        for clause in (
            "6-a", "6.A.1-b", "6.A.2-a", "6.A.2-b", "6.A.2-c", "6.A.2-d", "6.A.2-e", "6.A.2-f", "6.A.2-g",
            "6.A.2-h", "6.A.3-1a", "6.A.4-b", "6.A.4-c", "6.A.4-g", "6.A.4-i", "6.B.3-b",
            "6.C-T1", "6.C-T2", "6.C-T3", "6.D.1-c", "6.D.2-a", "6.D.2-b", "6.D.2-c", "6.D.3-a",
            "6.D.3-b", "6.D.4-a", "6.D.4-c", "6.D.4-d", "6.E-b", "6.F-a", "6.F-c", "6.F-T7",
            "6.F-T8", "6.F-T9", "6.F-M5", "6.F-M6", "6.F-M7", "6.F-M8", "6.F-M9",
        )
    )  # fmt: skip
    limit = "ZC-6.D.1-a"
    named_by = {  # noqa: RUF012 - as in the base
        "ZC-6.A.2-a": ("ZC-6.A.2-c", "ZC-6.A.2-g"),
        "ZC-6.A.2-b": tuple(f"ZC-6.A.2-{part}" for part in "acefgh"),
        "ZC-6.A.2-d": ("ZC-6.A.2-e", "ZC-6.A.2-g", "ZC-6.A.2-h"),
        "ZC-6.A.2-h": ("ZC-6.A.2-e",),
        "ZC-6.A.4-i": tuple(f"ZC-6.A.2-{part}" for part in "adefgh"),
        "ZC-6.D.1-c": ("ZC-6.A.2-e", "ZC-6.A.2-g", "ZC-6.A.2-h"),
        **{f"ZC-6.F-M{n}": ("ZC-6.F-T7", "ZC-6.F-T8", "ZC-6.F-T9") for n in (5, 6, 7, 8, 9)},
    }
    planted = PLANTED
    unbreakable = UNBREAKABLE

    # -- the beginning --

    def setup(self, rng: Random, *, big: bool) -> GameSetup:
        columns, rows = (9, 8) if big else (4, 3)
        board = _board(rng, columns, rows)
        declared = big and rng.random() < 0.9  # the ZOC of every hex, whoever is next to it
        units, opening = {}, {}
        places = rng.sample(
            [n for n in sorted(board.hexes) if board.hexes[n].terrain != ("lake",)],
            12 if big else 5,
        )
        for side in ("Red", "Blue"):
            facts: dict[str, Value | int] = {}
            for number in range(12 if big else 2 + (side == "Red")):
                name = f"{side} {number + 1}"
                facts = facts if number % 2 and rng.random() < 0.4 else _facts(rng, big, declared)
                units[name] = unit(name, side, facts)
                at = number // 2 + 6 * (side == "Blue") if big else number + 3 * (side == "Blue")
                opening[name] = places[at]
        settled = 0.97 if big else 0.85
        options = {
            key: rng.choice(values) for key, values in OPTIONS.items() if rng.random() < settled
        }
        return GameSetup(
            board,
            units,
            opening,
            (
                *(PhaseRule(name, "both", forms, complete=True) for name, forms in JUDGED.items()),
                PhaseRule("Clean Up", "unknown", ("retreat",)),
            ),
            _tables(),
            options,
            forms=(
                *(MovementForm(form) for form in ("move", "overrun", "forced march", "advance")),
                MovementForm("retreat", False),
            ),
            conditions=_conditions(rng, board, big, declared),
            changing=("reserve", "debt", "turned", "operational_reserve"),
        )

    def asked(self, table: Table, rng: Random) -> Iterator[tuple[str, str, str, str]]:
        for phases in (("Initial", "Exploitation"), ("Initial", "Exploitation", "Reaction")):
            phase = rng.choice(phases)
            names = sorted(table.setup.units)
            if rng.random() < 0.7:  # else most of those who are asked may not move at all
                names = [name for name in names if _may_move(table, name, phase)] or names
            name = rng.choice(names)
            own = table.side(name)
            phasing = own if (phase != "Reaction") == (rng.random() < 0.9) else table.other(own)
            facts = table.facts[name]
            foot = phase == "Initial" and facts["class"] != "c/m" and facts["infantry"]
            form = rng.choice(JUDGED[phase][: 3 if foot else 2])
            yield name, form, phase, phasing

    # -- the clauses --

    def routes(self, table: Table, unit: str, form: str = "", forgotten: str = "") -> LegalRoutes:
        """Without credit: that asks for a marker, which a move does not put down by itself."""
        if forgotten.startswith("ZC-6.F") and form != "forced march":
            return {}  # nothing that he believes otherwise: no need to walk
        found = self._routes(table, unit, form, forgotten)
        if forgotten == self.limit and len(table.board.hexes) > 20:
            honest = self.on_credit(table, unit, form)
            found = {name: route for name, route in found.items() if name not in honest}
        return found

    def on_credit(self, table: Table, unit: str, form: str = "") -> LegalRoutes:
        """As :meth:`routes` for one who puts down the marker that is due."""
        return self._routes(table, unit, form, "", credit=True)

    def company(self, table: Table, units: Sequence[str], form: str = "") -> LegalRoutes:
        if all(self.alike(table, units[0], other) for other in units[1:]):
            return self.on_credit(table, units[0], form)
        return {}

    def _routes(
        self, table: Table, unit: str, form: str, forgotten: str, *, credit: bool = False
    ) -> dict[str, LegalRoute]:
        if table.where[unit] == BOX or form not in JUDGED.get(table.phase, ()):
            return {}
        march = March(table, unit, form, forgotten)
        reaction = table.phase == "Reaction"
        open_to = forgotten == "ZC-6.A.4-g" if reaction else credit
        chosen = form == "forced march" and table.number(unit, "march_markers") > 0
        found: dict[str, LegalRoute] = {}
        for name, route, spendable in arrivals(march):
            if (route.cost > spendable and not open_to) or (chosen and not credit):
                continue
            if (
                form == "forced march"
            ):  # a dearer way may have the better die: several costs are right
                route = replace(route, waived=True)
            found[name] = cheaper_route(found, name, route)
        return found

    def favourable_routes(self, table: Table, unit: str, form: str = "") -> LegalRoutes:
        """Several ZOCs in a hex, screens, roads over hexsides, overruns and the options are not settled by
        the text at hand."""
        if table.where[unit] == BOX or form not in JUDGED.get(table.phase, ()):
            return {}
        march = March(table, unit, form, favourable=True)
        found: dict[str, LegalRoute] = {}
        free = March(table, unit, form, favourable=True, given_up=True)
        under = _in_reserve(table, unit)
        for name, route, spendable in (
            *arrivals(march),
            *(a for a in (arrivals(free) if under else ()) if a[0] in under),
        ):
            excess = max(Fraction(0), route.cost - spendable)
            if excess > 0 and table.phase == "Reaction":
                continue
            owed = marker(table, excess, favourable=True)
            if owed > table.number(unit, "debt"):
                continue
            found[name] = cheaper_route(found, name, route)
        return found

    def may_stand(self, table: Table, name: str, units: Sequence[str]) -> bool:
        return sum(table.number(u, "size") for u in units) <= 4

    def declared(self, table: Table, unit: str, form: str) -> Mapping[str, Value]:
        """Nobody drags a counter before the roll, to put it afterwards where the march failed. A twin puts
        each counter back after its move, which may look so."""
        return {"dragged before the march failed": False} if form == "forced march" else {}

    def rules_withheld(self, setup: GameSetup, rng: Random) -> Mapping[str, Any]:
        rules = {name: dict(table) for name, table in setup.rules.items()}
        for name in ("terrain", "roads", "hexsides"):
            for key in rules[name]:
                if rng.random() < 0.1:
                    rules[name][key] = "unknown"
        for name in ("interdiction", "stacking", "weather"):
            if rng.random() < 0.3:
                del rules[name]
        if rng.random() < 0.3:
            rules["zoc"] = {"screened": "unknown"}
        if rng.random() < 0.3:
            rules["load"] = {"factor": "unknown"}
        return rules

    # -- play --

    def phase_changes(self, table: Table, rng: Random) -> Iterator[Change]:
        """Status is lost next to enemies; and in the initial phase units go into reserve and out of it."""
        if table.phase in ("Initial", "Exploitation"):
            for name in lost(table):
                yield Change(name, "reserve", False)
        for name in table.setup.units:
            if table.facts[name]["turned"] is True:
                yield Change(name, "turned", False)
        if table.phase != "Initial":
            return
        for name in table.on_map(table.active):
            if table.facts[name]["reserve"] is True:
                if rng.random() < 0.3:
                    yield Change(name, "reserve", False)
            elif may_reserve(table, name) and rng.random() < 0.4:
                yield Change(name, "reserve", True)

    def turn(self, table: Table, rng: Random, number: int, side: str) -> Iterator[Action]:
        """Whoever moved on credit gets a marker before the phase is over; a marker paid is taken off."""
        begun: dict[str, tuple[str, dict[str, LegalRoute], Fraction]] = {}
        for action in super().turn(table, rng, number, side):
            if isinstance(action, Phase):
                yield from self._settle(table, begun)
                begun = {}
            elif isinstance(action, Drag) and action.form and table.phase in JUDGED:
                form = action.form
                for name in action.units:
                    routes = dict(self.on_credit(table, name, form)) if name not in begun else {}
                    spendable = March(table, name, form).allowance() or Fraction(0)
                    begun.setdefault(name, (table.where[name], routes, spendable))
            yield action
        yield from self._settle(table, begun)

    def _settle(
        self, table: Table, begun: Mapping[str, tuple[str, dict[str, LegalRoute], Fraction]]
    ) -> Iterator[Change]:
        for name, (origin, routes, spendable) in begun.items():
            at = table.where[name]
            if at == origin or at not in routes:
                continue
            owed = marker(table, max(Fraction(0), routes[at].cost - spendable), favourable=False)
            if table.number(name, "debt"):
                yield Change(name, "debt", 0)  # paid; one that is left lying may be the old one
            if owed:
                yield Change(name, "debt", owed)

    # -- errors --

    def muddle(self, table: Table, unit: str, form: str, clause: str) -> int:
        facts = table.facts[unit]
        plain = clause.removeprefix("ZC-")
        by_phase = plain.startswith(("6-a", "6.B", "6.D", "6.A.4"))
        besides = (
            facts["reserve"] is True and not plain.startswith(("6.B", "6.D")),
            table.number(unit, "debt") > 0 and plain != "6.A.3-1a",
            form in ("forced march", "overrun") and not plain.startswith(("6.F", "6.B.3")),
            table.setup.conditions["night"] is True and plain != "6.E-b",
            facts["supply"] == "out" and plain != "6.A.1-b",
            facts["load"] is True and plain != "6.A.4-c",
            table.phase == "Exploitation" and not by_phase,
            facts["column"] == "first" and plain == "6.A.2-h",  # it pays so for more than rivers
        )
        return sum(besides) + _clutter(table, unit, plain)

    def plant(self, clause: str, table: Table, rng: Random) -> Sequence[Action] | None:
        return plant(self, clause.removeprefix("ZC-"), table, rng)


def _clutter(table: Table, unit: str, plain: str) -> int:
    """What lies around a unit besides the terrain, or the ZOCs, that an error is about."""
    board, here = table.board, table.where[unit]
    hexes = (here, *board.neighbours(here))
    told = (table.setup.conditions.get(f"zoc {name}", "none") for name in hexes)
    rough = any(board.hexes[name].terrain != ("clear",) for name in hexes)
    sides = any(board.sides.get(edge(here, name)) for name in hexes[1:])
    if plain in ("6.A.2-c", "6.A.2-d", "6.A.2-e", "6.A.2-h"):
        beset = any(level != "none" for level in told)
        return beset + (sides if plain == "6.A.2-c" else rough)
    return rough + sides if plain.startswith("6.C-T") else 0


def _in_reserve(table: Table, unit: str) -> set[str]:
    """The hexes of others of its side in reserve: whether their marker is that of a unit that joins them
    nobody sees, and it may have given its own status up."""
    if table.facts[unit]["reserve"] is not True:
        return set()
    mates = (u for u in table.on_map(table.side(unit)) if u != unit)
    return {table.where[u] for u in mates if table.facts[u]["reserve"] is True}


def lost(table: Table) -> list[str]:
    """Reserves next to enemy combat units (6.B.2)."""
    return [
        name
        for name in table.setup.units
        if table.facts[name]["reserve"] is True
        and any(table.facts[u]["combat"] is True for u in near_enemies(table, name))
    ]


def _may_move(table: Table, name: str, phase: str) -> bool:
    """Whether a unit's class and status let it move in a phase (6.D.5), if it stays a reserve."""
    facts = table.facts[name]
    in_reserve = facts["reserve"] is True
    return phase == "Initial" or in_reserve or (phase == "Exploitation" and facts["class"] == "c/m")


def _facts(rng: Random, big: bool, declared: bool) -> dict[str, Value | int]:
    kind = rng.choice(("c/m", "c/m", "s/m", "non-motorized", "non-motorized"))
    load = rng.random() < 0.05
    nationality = rng.choice(("German", "German", "Soviet", "Romanian"))
    zoc = 0 if declared else rng.choice((0, 0, 0, 0, 0, 1, 1, 2, 3, 4))
    ratings = (0, 4, 5, 6, 6, 7, 8, 10) if big else (0, 3, 4, 5, 6, 8, 10, 12)
    odd = not big and rng.random() < 0.4
    return {
        "ma": 8 if load else rng.choice(ratings),
        "class": kind,
        "column": "first"
        if kind == "c/m"
        else rng.choice(("second", "second", "mountain", "first")),
        "nationality": nationality,
        "major": nationality != "Romanian",
        "infantry": kind != "c/m" and rng.random() < 0.8,
        "special": rng.random() < 0.2,
        "combat": rng.random() < 0.8,
        "zoc": CLASSES[zoc],
        "own_zoc": CLASSES[zoc if declared else min(4, zoc + rng.choice((0, 0, 1)))],
        "size": rng.choice((1, 1, 2)),
        "supply": "out" if rng.random() < 0.15 else "regular",
        "load": load,
        "attacked": False,
        "engineering": False,
        "pause": False,
        "chit": False,
        "march": rng.choice((1, 1, 2)),
        "march_die": rng.randint(0, 9),
        "march_markers": rng.choice((0, 0, 1)) if odd else 0,
        "reserve": rng.random() < (0.2 if big else 0.35),
        "debt": rng.choice((0, 1, 2, 3)) if odd else 0,
        "turned": False,
        "operational_reserve": False,
    }


def _conditions(rng: Random, board: Board, big: bool, declared: bool) -> dict[str, Value]:
    found: dict[str, Value] = {
        "night": rng.random() < 0.15,
        "date": rng.choice(DATES),
        "weather": "mud" if rng.random() < 0.2 else "clear",
        "weather arctic": rng.choice(("clear", "mud")),
        "weather arid": "clear",
        # a unit put back is put back by the harness alone
        "dragged before the march failed": False,
    }
    told, screens = rng.choice((0.3, 0.7, 1.0)), rng.random() < 0.8
    if big:  # all of it, or nothing: what is withheld must not turn what is left into an untruth
        told, screens = float(declared), True
    calm = declared and rng.random() < 0.4
    for name in board.hexes:
        if calm or rng.random() < told:
            several = (0, 0, 0, 0, 1, 1, 2, 2, 3, 4) if big else (0, 0, 0, 0, 0, 0, 1, 1, 2, 3, 4)
            level = 0 if calm else rng.choice(several)
            found[f"zoc {name}"] = CLASSES[level]
        if screens or rng.random() < 0.5:
            found[f"screened {name}"] = rng.random() < 0.1
        if rng.random() < 0.05:
            found[f"interdiction {name}"] = True
    return found


def _row(cells: Sequence[Cell]) -> dict[str, str]:
    return chart_row(COLUMNS, cells)


def _chart(weather: str) -> dict[str, Any]:
    charts = (("terrain", HEXES), ("hexsides", SIDES), ("roads", ROADS))
    return {key: {k: _row(v) for k, v in chart[weather].items()} for key, chart in charts}


def _tables() -> dict[str, Any]:
    return {
        "phases": {
            "initial": ["Initial"],
            "reaction": ["Reaction"],
            "exploitation": ["Exploitation"],
            "combat": ["Combat"],
        },
        **_chart("clear"),
        "weather": {"mud": {**_chart("mud"), "factor": 1}},
        "load": {"factor": "1/2"},
        "zoc": {"screened": list(SCREENED), "complete": True},
        "interdiction": {"cost": INTERDICTION},
        "stacking": {"limit": 4},
        "forts": {"complete": True},
    }


def _board(rng: Random, columns: int, rows: int) -> Board:
    whole = ["clear", "clear", "clear", "clear", "forest", "mountain", "swamp", "lake"]
    if rng.random() < 0.6:
        whole = ["clear"] * 5 + ["forest"]
    board = bare_board(columns, rows, lambda name: (rng.choice(whole),))
    features = ((), (), (), (), ("fort",), ("entrenchment",), ("arctic",), ("arid",))
    hexes = {n: replace(here, features=rng.choice(features)) for n, here in board.hexes.items()}
    few: list[tuple[str, ...]] = [()] * 8 + [(kind,) for kind in SIDES["clear"]]
    few += [("minor river", "canal")]
    sides = {pair: found for pair in board.every_side if (found := rng.choice(few))}
    return replace(board, hexes=hexes, sides=sides, lines=_roads(rng, board))


def _roads(rng: Random, board: Board) -> tuple[Line, ...]:
    return tuple(
        Line(rng.choice(("road", "track")), path, junctions=False)
        for path in random_paths(rng, board, rng.randint(1, 4), (1, 6))
    )


KIT = ZocClasses()
