"""The chart ``enemy_hex``: whether a hex with enemies in it may be entered, and at what cost."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ...concepts.charts import Costs
from ...concepts.requirements import read_requirements
from ...cost_interval import FREE, CostInterval
from ...engine.clauses import ClauseFunction, cost, forbid
from ...engine.step import Step
from ...ruleset import Requirement
from .terms import Reading, RulesOfTables, counted, row, tables_of


@dataclass(frozen=True, slots=True)
class EnemyHex:
    """``barred_by``: what an enemy must meet to bar its hex; None: no enemy does. ``cost``: of entering a hex
    with any enemy in it that one may enter; None: nothing."""

    cost: Costs | None
    barred_by: tuple[Requirement, ...] | None


def read(reading: Reading) -> EnemyHex | None:
    """The chart; None: the clause is switched off."""
    if "GEN-ENEMY" in reading.off:
        return None
    chart = reading.plain.get("enemy_hex", {})
    cost = chart.get("cost", reading.if_left_out("enemy_hex", None, "unknown"))
    costs = None if cost is None else reading.costs(cost, "GEN-ENEMY", "GEN-ENEMY")
    barred = None
    if cost is None or "barred_by" in chart or not reading.complete.has("enemy_hex"):
        barred = read_requirements(chart.get("barred_by", ()))
    return EnemyHex(costs, barred)


def clauses_of(rules: RulesOfTables) -> Iterator[ClauseFunction]:
    """The clauses of the chart."""
    if rules.typed.enemy is not None:
        yield from (held, among_enemies)


@forbid("GEN-ENEMY", "enters an enemy-occupied hex", of_enemies=True)
def held(step: Step) -> bool:
    """No unit enters the hex of an enemy who bars it."""
    return step.into.enemies() and step.stated("enemy_hex")


@cost(
    "GEN-ENEMY",
    "enemy-occupied hex",
    bars="GEN-ENEMY",
    closed="enters an enemy-occupied hex",
    of_enemies=True,
)
def among_enemies(step: Step) -> CostInterval:
    """The hex of an enemy who does not bar it has its cost."""
    enemy = tables_of(step).enemy
    if enemy is None or enemy.cost is None or not step.into.foes() or not step.stated("enemy_hex"):
        return FREE
    return counted(step, row(step, enemy.cost, ("enemy_hex", "cost"), "enemy-occupied hex"))
