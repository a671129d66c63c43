"""The surcharges that enemies cause for one kind of mover, besides the chart: for leaving and for entering a
hex (6.A.4, 6.C, 6.E). They are computed once for each hex and world."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from ...concepts import logic
from ...concepts.hex_entries import CostItem
from ...cost_interval import FREE, CostInterval, total, union
from ...ruleset import START, CostBreakdown, Step, World
from .enemy_zocs import EnemyZocs, Levels
from .tables import LEVELS
from .terrain_graph import ZcTerrainGraph
from .zoc_screening import ZocScreening

WORLDS: tuple[World, ...] = ("favourable", "adverse")
_Costs = tuple[int | None, int | None, int | None]
"""A surcharge in 1/scale MP in a hex that is not screened, in one that may be, and in one that is. None if
the hex is closed."""
_NOTHING: _Costs = (0, 0, 0)
_ANSWERS = (False, None, True)
_PLACES: Mapping[bool | None, int] = {False: 0, None: 1, True: 2}


class Kind(NamedTuple):
    """Everything about a mover that the surcharges depend on; None: not known.

    ``german``: it leaves ZOCs as German c/m units do. ``overrun``: it overruns. ``leaves``: it pays for
    leaving ZOCs. ``night``: it moves at night.
    """

    german: bool | None = False
    overrun: bool | None = False
    leaves: bool | None = True
    night: bool | None = False


class _Screened(NamedTuple):
    """Steps out of a hex that depend on whether the hexes ``asked`` are screened. ``steps``: by the answers
    for these hexes, in the same order."""

    asked: tuple[str, ...]
    steps: dict[tuple[bool | None, ...], Sequence[Step]]


class EnemySurcharges:
    """The surcharges for one kind of mover among given enemies, and the legal steps over ``terrain_graph``
    that remain. Costs are in 1/scale MP. Screening differs from move to move and is passed in; results that
    do not depend on it are shared by all moves."""

    def __init__(self, enemy_zocs: EnemyZocs, kind: Kind, terrain_graph: ZcTerrainGraph) -> None:
        self._enemy_zocs = enemy_zocs
        self._kind = kind
        self._terrain_graph = terrain_graph
        self._cost_basis = terrain_graph.cost_basis
        self._scale = terrain_graph.scale
        self._costs: dict[tuple[str, Levels, bool | None, bool | None], CostInterval] = {}
        self._cost_items: dict[tuple[str, str, bool | None, bool | None], tuple[CostItem, ...]] = {}
        self._leaves: dict[World, dict[tuple[Levels, bool | None], _Costs]] = {
            world: {} for world in WORLDS
        }
        self._enters: dict[World, dict[tuple[Levels, bool | None, str], _Costs]] = {
            world: {} for world in WORLDS
        }
        self.open: dict[World, dict[str, Sequence[Step]]] = {world: {} for world in WORLDS}
        """The results of :meth:`steps` that do not depend on screening, by world and hex."""
        self._screened: dict[World, dict[str, _Screened]] = {world: {} for world in WORLDS}
        self.cost_breakdowns: dict[tuple[int, bool | None, bool | None], CostBreakdown] = {}
        """Cost breakdowns that are the same for every mover, by (id of the entry, whether the hex left is
        screened, whether the hex entered is)."""

    def steps(self, world: World, here: str, screening: ZocScreening) -> Sequence[Step]:
        """The legal steps out of a hex in a world, with the surcharges added to their costs."""
        found = self.open[world].get(here)
        if found is not None:
            return found
        known = self._screened[world].get(here)
        if known is not None:
            answers = tuple(screening.over(name) for name in known.asked)
            found = known.steps.get(answers)
            if found is None:
                found = known.steps[answers] = self._left_open(world, here, screening)[0]
            return found
        found, asked = self._left_open(world, here, screening)
        if asked:
            steps = {tuple(asked.values()): found}
            self._screened[world][here] = _Screened(tuple(asked), steps)
        else:
            self.open[world][here] = found
        return found

    def _left_open(
        self, world: World, here: str, screening: ZocScreening
    ) -> tuple[Sequence[Step], Mapping[str, bool | None]]:
        """The legal steps out of a hex, and for each hex whose screening matters whether it is screened
        (None: not known). Which hexes matter does not depend on the answers."""
        surely_no_enemy_near, enemies = (
            self._enemy_zocs.surely_no_enemy_near,
            self._enemy_zocs.zones.enemies,
        )
        asked: dict[str, bool | None] = {}

        def by_screen(costs: _Costs, name: str) -> int | None:
            if costs[0] == costs[1] == costs[2]:
                return costs[0]
            asked[name] = screening.over(name)
            return costs[_PLACES[asked[name]]]

        out = 0 if surely_no_enemy_near(here) else by_screen(self._to_leave_it(world, here), here)
        found: list[Step] = []
        for step in self._terrain_graph.steps(world, here, START):
            to, more = step.to, out
            if not surely_no_enemy_near(to):
                due = by_screen(self._to_enter_it(world, to), to)
                if enemies(to):
                    due = self._with_contact(world, here, to, due)
                more = None if out is None or due is None else out + due
            if more is not None:
                found.append(dearer(step, more) if more else step)
        return found, asked

    def out_of(self, world: World, here: str, screened: bool | None) -> int | None:
        """The surcharge for leaving a hex in a world; None if it may not be left."""
        return self._to_leave_it(world, here)[_PLACES[screened]]

    def _to_leave_it(self, world: World, here: str) -> _Costs:
        """The surcharges for leaving a hex, by whether it is screened."""
        levels = self._enemy_zocs.levels(here)
        if levels.hi == 0:
            return _NOTHING
        known, key = self._leaves[world], (levels, self._enemy_zocs.fort(here))
        found = known.get(key)
        if found is None:
            no, perhaps, yes = (cost_of(world, self._leave(here, s)) for s in _ANSWERS)
            found = known[key] = (no, perhaps, yes)
        return found

    def into(self, world: World, here: str, to: str, screened: bool | None) -> int | None:
        """The surcharge for entering a hex from a neighbour in a world; None if it may not be entered."""
        found = self._to_enter_it(world, to)[_PLACES[screened]]
        return (
            self._with_contact(world, here, to, found)
            if self._enemy_zocs.zones.enemies(to)
            else found
        )

    def _with_contact(self, world: World, here: str, to: str, due: int | None) -> int | None:
        """``due`` plus the surcharge for entering a hex with enemies; None if it may not be entered."""
        contact = cost_of(world, total(cost_item.cost for cost_item in self._contact(here, to)))
        return None if due is None or contact is None else due + contact

    def _to_enter_it(self, world: World, to: str) -> _Costs:
        """The surcharges for entering a hex, by whether it is screened, without those for enemies in it."""
        levels = self._enemy_zocs.levels(to)
        surely_no_enemy_near = self._enemy_zocs.interdicted(to) is False
        if surely_no_enemy_near and levels.hi == 0:
            return _NOTHING
        known, key = (
            self._enters[world],
            (levels, self._enemy_zocs.fort(to), "" if surely_no_enemy_near else to),
        )
        found = known.get(key)
        if found is None:
            more = [cost_item.cost for cost_item in self._interdiction(to)]
            no, perhaps, yes = (
                cost_of(world, total((self._enter(to, s), *more))) for s in _ANSWERS
            )
            found = known[key] = (no, perhaps, yes)
        return found

    def cost_items(
        self, here: str, to: str, left: bool | None, entered: bool | None
    ) -> tuple[CostItem, ...]:
        """The cost items of a step that enemies cause. ``left``, ``entered``: whether the hex left and the
        hex entered are screened; None: not known."""
        key = (here, to, left, entered)
        found = self._cost_items.get(key)
        if found is None:
            found = self._cost_items[key] = tuple(self._due(*key))
        return found

    def _due(
        self, here: str, to: str, left: bool | None, entered: bool | None
    ) -> Iterator[CostItem]:
        enemy_zocs = self._enemy_zocs
        if not (enemy_zocs.no_enemy_near(here) and enemy_zocs.no_enemy_near(to)):
            yield from self._leaving(here, left)
            yield from self._entering(to, entered)
            yield from self._interdiction(to)
            if enemy_zocs.zones.enemies(to):
                yield from self._contact(here, to)

    def _leaving(self, here: str, screened: bool | None) -> Iterator[CostItem]:
        levels = self._enemy_zocs.levels(here)
        if self._kind.leaves is False or levels.hi == 0:
            return
        clause = "ZC-6.C-T1" if self._kind.german else "ZC-6.C-T2"
        about = ("zoc", here, "leave")
        yield CostItem(self._leave(here, screened), clause, f"leaves {named(levels)}", about=about)

    def _leave(self, here: str, screened: bool | None) -> CostInterval:
        enemy_zocs = self._enemy_zocs
        levels = enemy_zocs.levels(here)
        if self._kind.leaves is False or levels.hi == 0:
            return FREE
        key = ("leave", levels, screened, enemy_zocs.fort(here))
        found = self._costs.get(key)
        if found is None:
            found = self._costs[key] = self._to_leave(*key[1:])
        return found

    def _to_leave(self, levels: Levels, screened: bool | None, fort: bool | None) -> CostInterval:
        tables, kind = self._enemy_zocs.tables, self._kind
        german = self._cost(tables.leave_german, levels) if tables.applies("6.C-T1") else FREE
        others = self._cost(tables.leave, levels) if tables.applies("6.C-T2") else FREE
        cost = german if kind.german else others
        if kind.german is None:
            cost = union(german, others)
        free = {"no": True, "yes": False}.get(tables.reading("screened_leave"))
        if screened and free:
            cost = FREE
        elif kind.leaves is None or (screened is not False and free is not False):
            cost = union(FREE, cost)
        reading = tables.reading("forts")
        if fort is not False and reading != "entering":
            cost = FREE if fort and reading == "both" else union(FREE, cost)
        return cost

    def _entering(self, to: str, screened: bool | None) -> Iterator[CostItem]:
        tables, levels = self._enemy_zocs.tables, self._enemy_zocs.levels(to)
        if levels.hi == 0 or self._enemy_zocs.fort(to) or not tables.applies("6.C-T3"):
            return
        about = ("zoc", to, "enter")
        yield CostItem(
            self._enter(to, screened), "ZC-6.C-T3", f"enters {named(levels)}", about=about
        )

    def _enter(self, to: str, screened: bool | None) -> CostInterval:
        enemy_zocs = self._enemy_zocs
        levels = enemy_zocs.levels(to)
        if levels.hi == 0:
            return FREE
        key = ("enter", levels, screened, enemy_zocs.fort(to))
        found = self._costs.get(key)
        if found is None:
            found = self._costs[key] = self._to_enter(*key[1:])
        return found

    def _to_enter(self, levels: Levels, screened: bool | None, fort: bool | None) -> CostInterval:
        tables = self._enemy_zocs.tables
        if fort or not tables.applies("6.C-T3"):
            return FREE
        cost = self._cost(tables.enter, levels)
        cost = cost if fort is False else union(FREE, cost)
        if screened is not False:
            low = CostInterval(0, cost.hi)
            if tables.screened is not None:
                low = self._cost(tables.screened, levels)
            cost = low if screened else union(low, cost)
        return cost

    def _cost(self, row: Sequence[int], levels: Levels) -> CostInterval:
        costs = row[levels.lo : levels.hi + 1]
        return CostInterval(min(costs) * self._scale, max(costs) * self._scale)

    def _contact(self, here: str, to: str) -> Iterator[CostItem]:
        """The cost items of entering a hex with enemies (6.A.4-a). It is prohibited if their ZOC covers the
        hex that the mover comes from, unless it overruns (6.A.4-d)."""
        if not self._enemy_zocs.tables.applies("6.A.4-a"):
            return
        zoc, overrun = self._enemy_zocs.into(to, here), self._kind.overrun
        told = self._enemy_zocs.overrun(to)
        if told is False:
            overrun = False
        allowed = told is True and overrun is not False
        about = ("contact", to, here)
        if zoc is not False and not allowed:
            barred = True if zoc and overrun is False else None
            text = "enters a hex with enemies whose ZOC covers the hex it comes from"
            yield CostItem(
                CostInterval(0, 0, barred), "ZC-6.A.4-a", text, "ZC-6.A.4-a", text, about
            )
        if overrun is not False and self._enemy_zocs.zones.enemies(to):
            cost = self._enemy_zocs.tables.overrun.cost(self._cost_basis.base, self._scale, "any")
            cost = (
                CostInterval(cost.lo, cost.hi, False) if allowed else CostInterval(0, None, False)
            )
            asked = ("overrun cost",) if allowed else ("overrun", to)
            yield CostItem(cost, "ZC-6.A.4-d", "overrun", "ZC-6.A.4-d", about=asked)

    def _interdiction(self, to: str) -> Iterator[CostItem]:
        enemy_zocs = self._enemy_zocs
        due = enemy_zocs.interdicted(to)
        night = self._kind.night if enemy_zocs.tables.applies("6.E-d") else False
        due = logic.both(due, logic.negation(night))
        if due is False:
            return
        cost = enemy_zocs.tables.interdiction.cost(self._cost_basis.base, self._scale, "any")
        cost = cost if due else union(FREE, cost)
        yield CostItem(cost, "ZC-6.E-d", "interdiction", "ZC-6.E-d", about=("interdiction", to))


def dearer(step: Step, extra: int) -> Step:
    """``step`` with ``extra`` (1/scale MP) added to its cost."""
    to, cost, tag, stops, whole, entry, breaks, rounding, passing = step
    return Step(to, cost + extra, tag, stops, whole, entry, breaks, rounding, passing)


def cost_of(world: World, cost: CostInterval) -> int | None:
    """A cost in one world, in 1/scale MP. None if the step is not possible there: prohibited, or in the
    adverse world perhaps prohibited or without an upper bound."""
    if world == "favourable":
        return None if cost.barred else cost.lo
    return cost.hi if cost.barred is False else None


def named(levels: Levels) -> str:
    """A ZOC of these classes, in words."""
    lo, hi = LEVELS[levels.lo], LEVELS[levels.hi]
    return f"a {lo} ZOC" if lo == hi else f"a ZOC ({lo} to {hi})"
