"""The kit of ocs: section 6 of the series rules as a player with a pencil would apply it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import ceil
from random import Random
from typing import Any

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
    exhaust,
    first_error,
    one_too_many,
    replace,
    resumed,
    unit,
)
from .legal import parted
from .ocs_walk import (
    CLASSES,
    IMMOBILE,
    MAY_MOVE,
    MODES,
    ONE,
    STACK,
    UNSTACKED,
    Enemies,
    TerrainCosts,
    random_board,
    random_facts,
    tables,
)


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
        board = random_board(rng, columns, rows, mild)
        units, opening = {}, {}
        places = rng.sample(sorted(board.hexes), len(board.hexes))
        for side in ("Red", "Blue"):
            facts: dict[str, Value | int] = {}
            for number in range(12 if big else 2 + (side == "Red")):
                name = f"{side} {number + 1}"
                facts = facts if number % 2 and rng.random() < 0.4 else random_facts(rng, big)
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
            tables(factors),
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
        believed = Enemies(table, unit, forgotten, self, favourable)

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

        def error(name: str) -> Sequence[Action] | None:
            if clause == "OCS-X-STK":
                return one_too_many(self, table, name, self.routes(table, name))
            if clause == "OCS-6.1f-b":
                return self._part(table, name, units)
            if table.facts[name]["type"] in ("transport", *UNSTACKED):
                return None
            others = [u for u in units if table.facts[u]["type"] not in UNSTACKED]
            return resumed(table, rng, name, others, lambda one: self.routes(table, one))

        return first_error(rng, units, error)

    def _part(self, table: Table, name: str, units: list[str]) -> Sequence[Action] | None:
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


KIT = Ocs()
