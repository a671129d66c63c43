"""What enemies do to a step, by the tables: hexes that they hold, and zones of control."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from ...cost_interval import FREE, CostInterval
from ...engine.clauses import ClauseFunction, cost, forbid, must_stop
from ...engine.hex_view import HexView
from ...engine.other_unit import Enemy
from ...engine.step import Step
from .tables import Tables, Zoc
from .terms import OFF_ROAD, counted, row, rules_of, tables_of

ZONES = {
    "enter": ("GEN-ZOC-ENTER", "enters an enemy zone of control"),
    "leave": ("GEN-ZOC-LEAVE", "leaves an enemy zone of control"),
    "within": ("GEN-ZOC-WITHIN", "goes from one enemy zone of control to another"),
}


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


def clauses_of(tables: Tables) -> Iterator[ClauseFunction]:
    """The clauses about enemies that the tables have."""
    if tables.enemy is not None:
        yield from (held, among_enemies)
    for number, zoc in enumerate(tables.zocs):
        for key, (clause, text) in ZONES.items():
            if getattr(zoc, key) is not None:
                cited = tables.citations.row("zoc", number, clause)
                yield cost(cited, text, bars=cited, closed=text, of_enemies=True)(
                    partial(zone_cost, number, zoc, key)
                )
        if zoc.stop:
            clause = tables.citations.row("zoc", number, "GEN-ZOC-STOP")
            text = "goes on after an enemy zone of control"
            yield must_stop(clause, text, of_enemies=True)(partial(zone_stop, number, zoc))


def zone_cost(number: int, zoc: Zoc, key: str, step: Step) -> CostInterval:
    """To enter a zone of control, leave one, or go from one to another has its cost."""
    if key != "leave" and not felt(number, zoc, step, step.into):
        return FREE
    if key != "enter" and not felt(number, zoc, step, step.out_of):
        return FREE
    one = len(tables_of(step).zocs) == 1
    place = ("zoc", key) if one else ("zoc", str(number), key)
    return counted(step, row(step, getattr(zoc, key), place, f"zoc.{key}"))


def zone_stop(number: int, zoc: Zoc, step: Step) -> bool:
    """A unit stops when it enters a zone of control."""
    return felt(number, zoc, step, step.into)


def felt(number: int, zoc: Zoc, step: Step, where: HexView) -> bool:
    """Whether a hex is in a zone of control to which the mover is subject."""
    return where.in_zone(number) and step.meets(zoc.felt_by)


def goes(enemy: Enemy) -> bool:
    """Whether an enemy could itself go into the other hex off the road."""
    step = enemy.own_step(OFF_ROAD)
    closing = enumerate(rules_of(step).closing)
    return not any(step.barred(clause.run(step), number) for number, clause in closing)
