"""The scenarios of a unit: the movers for each of its movement forms, with their budgets and with the
prohibitions to move at all."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from ....model.bill import Amount
from ....model.fact import UNKNOWN, Fact, known
from ....model.game import Game
from ....model.unit import Unit
from ...answers import answer
from ...concepts import missing_facts
from ...concepts.completions import Facts, completions
from ...ruleset import (
    Breach,
    Budget,
    Circumstances,
    Scenario,
    Situation,
    WeightedFact,
    World,
)
from . import march, prohibitions, ruleset_facts
from .allowance import (
    Allowance,
    after_debt,
    cells,
    movement_allowance,
    of_fact,
    of_phase,
    of_weather,
)
from .credit import advance_budget, marker, ordinary_budget
from .enemy_cache import EnemyCache, EnemyCaches
from .enemy_surcharges import Kind
from .march_reach import dearest_step, goal_of, is_put_back
from .movement_graph import Traits, ZcMovementGraph
from .mover import ZcMover
from .status import Status, statuses_of
from .tables import CLASSES, Tables
from .terrain_graph import CostBasis, ZcTerrainGraph
from .unit_history import UnitHistory
from .weather_zones import WeatherZones, ZonesOfMove
from .zoc_screening import ZocScreening

ATTRIBUTES = ("ma", "class", "column", "nationality", "infantry", "special", "load")
"""The attributes of the moving unit that the scenarios use."""
CONDITIONS = (
    "supply",
    "night",
    "weather",
    "date",
    "march",
    "march_die",
    "march_markers",
    "march_spent",
)
"""Facts looked up by :func:`told`: a condition of the unit, else of the game, else an attribute of the
unit."""


class CircumstancesCache:
    """A cache for one set of circumstances. Its results hold for no other.

    ``enemy_caches``: by side of the mover. ``graphs``: by terrain graph, world, traits and unit id.
    """

    def __init__(self, circumstances: Circumstances) -> None:
        self.circumstances = circumstances
        self.enemy_caches: dict[str | None, tuple[EnemyCache, ZocScreening]] = {}
        self.graphs: dict[tuple[ZcTerrainGraph, World, Traits, str], ZcMovementGraph] = {}


class MoverFactory:
    """Makes the scenarios of every unit of a game."""

    def __init__(self, game: Game, tables: Tables, unit_history: UnitHistory | None = None) -> None:
        self._game = game
        self.tables = tables
        self.unit_history = UnitHistory(game, tables) if unit_history is None else unit_history
        self._terrain_graphs: dict[CostBasis, ZcTerrainGraph] = {}
        self._enemy_caches = EnemyCaches(game, tables)
        self._cache: CircumstancesCache | None = None
        self._weather_zones = WeatherZones(game.board, tables)

    def on(self, game: Game) -> MoverFactory:
        """A factory for the game on another of its boards, with the same unit history."""
        return MoverFactory(game, self.tables, self.unit_history)

    def _terrain_graph(self, cost_basis: CostBasis) -> ZcTerrainGraph:
        found = self._terrain_graphs.get(cost_basis)
        if found is None:
            found = self._terrain_graphs[cost_basis] = ZcTerrainGraph(
                self._game.board, self.tables, cost_basis
            )
        return found

    def _now(self, circumstances: Circumstances) -> CircumstancesCache:
        if self._cache is None or self._cache.circumstances is not circumstances:
            self._cache = CircumstancesCache(circumstances)
        return self._cache

    def _enemy_cache(
        self, circumstances: Circumstances, side: str | None, phase: str
    ) -> tuple[EnemyCache, ZocScreening]:
        enemy_caches = self._now(circumstances).enemy_caches
        found = enemy_caches.get(side)
        if found is None:
            enemy_cache = self._enemy_caches.at(circumstances, side, reaction=phase == "reaction")
            found = enemy_caches[side] = (
                enemy_cache,
                ZocScreening(circumstances, side, enemy_cache.enemy_zocs),
            )
        return found

    def _mover(
        self,
        form: str,
        budget: Budget,
        terrain_graph: ZcTerrainGraph,
        kind: Kind,
        unit: Unit,
        circumstances: Circumstances,
        phase: str,
        barred: tuple[Breach, ...] = (),
        missing: tuple[WeightedFact, ...] = (),
    ) -> ZcMover:
        """A mover in ``form``, with the surcharges that enemies cause for movers of ``kind``. ``missing``:
        the facts that may prohibit it from moving."""
        enemy_cache, screening = self._enemy_cache(circumstances, unit.side, phase)
        surcharges, graphs = (
            enemy_cache.surcharges(kind, terrain_graph),
            self._now(circumstances).graphs,
        )
        return ZcMover(
            form,
            budget,
            barred,
            missing,
            terrain_graph,
            enemy_cache.enemy_zocs,
            surcharges,
            screening,
            Traits(kind),
            unit,
            graphs,
        )

    def scenarios(self, unit: str, circumstances: Circumstances) -> tuple[Scenario, ...]:
        """One scenario for each combination of a possible class, a possible column and a possible reserve
        status of the unit."""
        whose = self._game.units[unit]
        situation = circumstances.situation
        facts = {name: situation.fact(unit, name) for name in ATTRIBUTES}
        facts |= {name: told(situation, name, unit) for name in CONDITIONS}
        statuses = tuple(statuses_of(whose, circumstances, self.unit_history))
        return tuple(
            Scenario(
                tuple(self._movers(whose, completed, choice, circumstances)),
                (*assumptions, *more),
            )
            for completed, assumptions in completions(whose, facts, self._options)
            for choice, more in statuses
        )

    def _options(self, about: str, fact: Fact) -> tuple[Fact, ...]:
        if about == "class":
            options: tuple[object, ...] = fact.options if fact.options is not None else CLASSES
        elif about == "column":
            options = fact.options if fact.options is not None else self.tables.columns
        else:
            return ()
        return tuple(known(str(option)) for option in options)

    def _movers(
        self,
        unit: Unit,
        facts: Facts,
        choice: tuple[Status, ...],
        circumstances: Circumstances,
    ) -> Iterator[ZcMover]:
        for status in choice:
            for form in circumstances.forms:
                yield from self._of_form(form, status, unit, facts, circumstances)

    def _of_form(
        self, form: str, status: Status, unit: Unit, facts: Facts, circumstances: Circumstances
    ) -> Iterator[ZcMover]:
        """The movers of a unit in one form and reserve status: as it is, force marching, and as displaced by
        other causes. ``form``: '' if the pack names none; it may then be any but an advance after combat."""
        tables, forms = self.tables, self.tables.forms
        phase = tables.phases.get(circumstances.situation.phase.phase or "", "")
        if form == forms["advance"]:
            advancing = self._advancing(form, unit, facts, circumstances, phase)
            yield advancing
            put_back = ruleset_facts.put_back(unit, circumstances.situation.at)
            told = answer(self._game, put_back)
            if prohibitions.may_retreat(unit, circumstances) and told is not False:
                free = Budget(None, "ZC-6.A.3-c")
                missing = () if told else (WeightedFact(put_back.unknown()),)
                yield replace(advancing, budget=free, perhaps_barred=missing)
            return
        if phase == "combat":
            return  # these rules have no movement in a combat phase
        overrun: bool | None = {forms["ordinary"]: False, forms["overrun"]: True}.get(form)
        if form == forms["march"] or not tables.applies("6.A.4-d"):
            overrun = False
        allowance = movement_allowance(unit, facts, tables)
        barred, more = self._barred(unit, facts, status, allowance, circumstances, phase)
        shares = cells(facts, phase, status.reserve, tables)
        of_phase(allowance, shares, tables)
        terrain_graph = self._terrain_graph(self._cost_basis(unit, facts, circumstances))
        weather, rating = facts["weather"], allowance.amount
        zones = self._zones_of_move(unit, weather, rating, terrain_graph, circumstances)
        of_weather(allowance, weather, zones, tables)
        debt = self.unit_history.debt_at_start(unit.id, circumstances.situation.at)
        owing = self.unit_history.debt_question(unit.id, circumstances.situation.at)
        after_debt(allowance, debt, owing, facts["night"], tables)
        budget = self._budget(
            allowance, facts["ma"], terrain_graph.halves, unit, circumstances, phase
        )
        kind = Kind(self._german(facts), overrun, True, _yes_or_no(facts["night"]))
        mover = self._mover(
            form, budget, terrain_graph, kind, unit, circumstances, phase, barred, more
        )
        tried = march.attempts(facts["march"])
        if form != forms["march"] or tried == (0, 0):
            yield mover
        elif march.may_be_untried(facts["march"]):
            missing_fact = WeightedFact(missing_facts.of_condition("march"))
            yield replace(mover, perhaps_barred=(*mover.perhaps_barred, missing_fact))
        if form in ("", forms["march"]) and tried[1] and (form or phase in ("", "initial")):
            yield from self._marching(mover, allowance, facts, status, phase, circumstances)
        others = prohibitions.otherwise(unit, form, mover.barred, circumstances, phase, tables)
        for unsaid, barred in others:
            free = Budget(None, "ZC-6.D.1-a")
            maybe = () if unsaid is None else (WeightedFact(unsaid),)
            yield replace(mover, budget=free, barred=barred, perhaps_barred=maybe)

    def _marching(
        self,
        mover: ZcMover,
        allowance: Allowance,
        facts: Facts,
        status: Status,
        phase: str,
        circumstances: Circumstances,
    ) -> Iterator[ZcMover]:
        """The movers of a forced march: one for each :class:`.march.MarchPath`, with the MPs that the roll
        then gives. ``allowance``: the one without the march."""
        unit, tables, terrain_graph = mover.unit, self.tables, mover.terrain_graph
        dearest = partial(dearest_step, mover, circumstances)
        found = list(
            march.prohibitions(
                unit, facts, phase, status.reserve, allowance.amount, circumstances, tables, dearest
            )
        )
        barred = (*mover.barred, *(f for f in found if isinstance(f, Breach)))
        missing = (*mover.perhaps_barred, *(f for f in found if isinstance(f, WeightedFact)))
        at = circumstances.situation.at
        old = self.unit_history.opening(unit.id, "debt", at)
        there = marker(self.unit_history.marked(unit.id, at), old)
        goal = goal_of(circumstances)
        german = march.is_german(facts["nationality"], tables)
        before = ruleset_facts.dragged_before(unit, at)
        put_back: list[WeightedFact] | None = None
        for path in march.march_paths(german, told_apart=bool(goal)):
            roll = march.roll(unit, facts, path, there, circumstances, mover.enemy_zocs)
            if roll.extra.lo == 0 and self.unit_history.may_be_withdrawn(unit.id, at):
                roll = march.lost_later(roll, before, self._game)
                if answer(self._game, before) is not False:
                    put_back = list(roll.missing)
            more = allowance.copy()
            more.missing += roll.missing
            added = more.and_more(roll.extra)
            more.becomes((added,), "6.F-e", f"forced march: {roll.extra} more")
            budget = self._budget(
                more, facts["ma"], terrain_graph.halves, unit, circumstances, phase
            )
            if roll.failed and march.attempts(facts["march"])[0]:
                policy = replace(budget.policy, excess_clause=roll.failed)
                budget = replace(budget, clause=roll.failed, policy=policy)
            yield replace(
                mover,
                budget=budget,
                barred=barred,
                perhaps_barred=missing,
                traits=replace(
                    mover.traits,
                    march=True,
                    touches=path.touches,
                    entered_by=goal if path.entered else "",
                ),
            )
        if put_back is None:
            return
        reach = terrain_graph.reach(allowance.amount, march.MOST)
        if is_put_back(circumstances, reach.most):
            if not is_put_back(circumstances, reach.sure):
                ground = () if reach.open is None else mover.graph("adverse").asked(reach.open)
                asked = [*allowance.missing, *map(WeightedFact, ground)]
                put_back += asked or [WeightedFact(before.unknown())]
            free = Budget(None, "ZC-6.F-n")
            yield replace(mover, budget=free, barred=barred, perhaps_barred=(*missing, *put_back))

    def _budget(
        self,
        allowance: Allowance,
        rating: Fact,
        halves: bool,
        unit: Unit,
        circumstances: Circumstances,
        phase: str,
    ) -> Budget:
        at = circumstances.situation.at
        old = self.unit_history.opening(unit.id, "debt", at)
        phase_values = self.unit_history.marked(unit.id, at)
        return ordinary_budget(
            allowance, rating, halves, unit, phase_values, old, at, phase, self.tables
        )

    def _advancing(
        self, form: str, unit: Unit, facts: Facts, circumstances: Circumstances, phase: str
    ) -> ZcMover:
        """The mover of an advance after combat: everything it costs must be on its "+# MP" marker
        (6.A.3-c)."""
        at = circumstances.situation.at
        old = self.unit_history.opening(unit.id, "debt", at)
        phase_values = self.unit_history.marked(unit.id, at)
        leaves = {"no": False, "yes": True}.get(self.tables.reading("advance_leaves"))
        # Enemies may have been in the hex it advances to and have left it in the combat, so ``overrun`` is
        # None.
        kind = Kind(self._german(facts), None, leaves, _yes_or_no(facts["night"]))
        terrain_graph = self._terrain_graph(self._cost_basis(unit, facts, circumstances))
        budget = advance_budget(
            facts["ma"], terrain_graph.halves, unit, phase_values, old, at, self.tables
        )
        return self._mover(form, budget, terrain_graph, kind, unit, circumstances, phase)

    def _zones_of_move(
        self,
        unit: Unit,
        weather: Fact,
        rating: Amount,
        terrain_graph: ZcTerrainGraph,
        circumstances: Circumstances,
    ) -> ZonesOfMove:
        """The weather zones of a unit's move. ``weather``: the general one; ``rating``: what it may spend
        before the weather counts."""
        move, situation = circumstances.move, circumstances.situation
        zones = sorted(self.tables.march_zones)
        told_of = {zone: told(situation, f"weather {zone}", unit.id) for zone in zones}
        if move is None:
            return ZonesOfMove({}, {})
        start = self.unit_history.began_at(unit.id, move.steps[0])
        ends = (move.origin.hex, move.target.hex)
        reach = terrain_graph.reach(rating, march.MOST).most
        return self._weather_zones.of_move(start, ends, weather, told_of, reach)

    def _cost_basis(self, unit: Unit, facts: Facts, circumstances: Circumstances) -> CostBasis:
        """What the costs of the chart depend on, by the facts about the unit."""
        tables, situation = self.tables, circumstances.situation
        options = facts["column"].options
        columns = tuple(dict.fromkeys(str(option) for option in options or tables.columns))
        if not set(columns) <= set(tables.columns) or not tables.applies("6.A.2-b"):
            columns = tables.columns
        base = of_fact(facts["ma"])
        if not tables.applies("6.D.1-c"):
            base = movement_allowance(unit, facts, tables).amount
        weather = [("", _names(facts["weather"]))]
        for zone in sorted(tables.march_zones):
            own = told(situation, f"weather {zone}", unit.id)
            weather.append((zone, _names(own)))
        return CostBasis(columns, base, tuple(weather))

    def _german(self, facts: Facts) -> bool | None:
        """Whether it is a German c/m unit, which pays less for leaving a ZOC; None if not known."""
        classes = facts["class"].options
        german = march.is_german(facts["nationality"], self.tables)
        known = classes is not None and set(classes) <= set(CLASSES)
        motorized = {c == "c/m" for c in classes or ()} if known else {False, True}
        if german is False or motorized == {False}:
            return False
        return True if german and motorized == {True} else None

    def _barred(
        self,
        unit: Unit,
        facts: Facts,
        status: Status,
        allowance: Allowance,
        circumstances: Circumstances,
        phase: str,
    ) -> tuple[tuple[Breach, ...], tuple[WeightedFact, ...]]:
        """The prohibitions to move in this phase, and the missing facts that may be such."""
        found = [
            prohibitions.designated(unit, circumstances, phase, self.tables, self.unit_history)
        ]
        found += prohibitions.not_in_phase(unit, facts, status, phase, self.tables)
        amount = allowance.amount
        if amount.lo == 0 and self.tables.applies("6.A.4-b"):
            zero = Breach("ZC-6.A.4-b", "has a movement allowance of 0", "")
            found += [zero] if amount.hi == 0 else allowance.missing
        barred = tuple(entry for entry in found if isinstance(entry, Breach))
        return barred, tuple(entry for entry in found if isinstance(entry, WeightedFact))


def told(situation: Situation, about: str, unit: str) -> Fact:
    """The fact ``about`` for a unit: the condition given for the unit, else the one for the whole game, else
    its attribute of that name. UNKNOWN if there is none of them."""
    said = situation.condition(about, unit)
    if said == UNKNOWN:
        said = situation.condition(about)
    return situation.fact(unit, about) if said == UNKNOWN else said


def _names(fact: Fact) -> tuple[str, ...] | None:
    return None if fact.options is None else tuple(str(option) for option in fact.options)


def _yes_or_no(fact: Fact) -> bool | None:
    if fact.must_be(True):
        return True
    return False if fact.must_be(False) else None
