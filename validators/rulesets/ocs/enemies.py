"""What enemies do to a move: zones of control, hexes they hold, Strat Mode, overruns (4.5, 6.3b, 8)."""

from __future__ import annotations

from fractions import Fraction

from ...cost_interval import CostInterval, total
from ...engine.clauses import cost, forbid, must_stop
from ...engine.other_unit import Enemy
from ...engine.step import Step
from .terms import MODES, OFF_ROAD, TRUCK, in_strat_mode, is_overrun, types
from .terrain import (
    beside_water,
    closed_hexes,
    closed_hexsides,
    hex_cost,
    there_and_back,
    water_cost,
)

ATTACKING = ("combat", "exploitation", "released")
"""Modes with the strength of the Combat side: no rule keeps a unit in such a mode from attacking."""


def able(enemy: Enemy) -> bool:
    """Whether nothing keeps an enemy from attacking: being DG, its mode or its type."""
    if enemy.is_("dg", "true") and not enemy.reading("dg_attacks"):
        return False
    mode = enemy.word("mode")
    if mode not in ATTACKING and not (mode in MODES and enemy.reading(f"{mode}_attacks")):
        return False
    return not enemy.is_("type", *types(enemy, "unstacked"))


def can_attack(enemy: Enemy) -> bool:
    return enemy.is_("attack", "true") and able(enemy)


def exerts(enemy: Enemy) -> bool:
    """Whether an enemy has a zone of control over a neighbouring hex: it is attack-capable, in Combat Mode
    and in supply (X-4.5). Whether the zone extends where the unit itself may not go is open."""
    if enemy.rule("X-4.5") and not (
        enemy.is_("attack", "true")
        and enemy.is_("mode", "combat")
        and enemy.is_("supplied", "true")
    ):
        return False
    return able(enemy) and (goes(enemy) or enemy.reading("zoc_into_prohibited"))


def goes(enemy: Enemy) -> bool:
    """Whether an enemy could itself go into the other hex off the road."""
    step = enemy.own_step(OFF_ROAD)
    closing = (closed_hexes, closed_hexsides, there_and_back)
    return not any(step.rule(clause.id) and clause.run(step) for clause in closing)


def negated(step: Step) -> bool:
    """Whether a friendly unit in the hex entered negates zones of control there. Whether one that moves along
    does, 4.5a would say."""
    if step.rule("X-4.5") and step.into.friends():
        return True
    text = "was the zone of control over {} negated by a unit that moved along (4.5a)?"
    topic = "zone of control over {} negated"
    return step.into.may_be_joined() and step.into.told_now(topic, text, unless="stack_negates")


@must_stop("6.3b-a", "goes on after an enemy zone of control", classes=(TRUCK,))
def trucks(step: Step) -> bool:
    """A Truck unit stops in an enemy zone of control that is not negated, unless it goes on to overrun."""
    if not step.into.beside_enemies_who(exerts) or in_strat_mode(step) or negated(step):
        return False
    text = "where {} left a zone of control in its move, did it overrun right then?"
    return not (is_overrun(step) and step.mover.told_now("overran out of a zone of control", text))


@forbid("X-5.S", "comes next to an attack-capable enemy in Strat Mode")
def strat_mode(step: Step) -> bool:
    """A unit in Strat Mode does not move next to an attack-capable enemy."""
    return step.into.beside_enemies_who(can_attack) and in_strat_mode(step)


@forbid("6.3b-b", "enters a hex with an attack-capable enemy without an overrun")
def held_hexes(step: Step) -> bool:
    """Hexes with enemies are entered only in an overrun. Whether they may be where all enemies are unable to
    attack, 4.8c would say."""
    if not step.into.enemies() or is_overrun(step):
        return False
    return step.into.enemies_who(can_attack) or not step.reading("enter_unable")


def overruns(step: Step) -> bool:
    """Whether the step is one into enemies, in an overrun."""
    return step.into.enemies() and is_overrun(step)


@cost("6.1-f", "overrun")
def overrun(step: Step) -> CostInterval | int:
    """An overrun costs MPs besides."""
    return step.charge("overrun", "overrun", step.cls) if overruns(step) else 0


@forbid("6.1-f", "overruns, which it may not")
def no_overrun(step: Step) -> bool:
    """The chart may close overruns to a class."""
    return overruns(step) and step.barred(step.charge("overrun", "overrun", step.cls), "overrun")


@forbid("X-8.1c", "uses a road or bridge in an overrun")
def no_roads(step: Step) -> bool:
    """An overrun uses neither road nor bridge."""
    return step.by != OFF_ROAD and overruns(step)


@forbid(
    "X-8.x",
    lambda step: f"overruns into a hex that costs {step.tables['overrun']['dearest']} or more",
)
def too_dear(step: Step) -> bool:
    """There is no overrun into a hex that costs 4 MPs or more; whether hexsides count in this is open."""
    if not overruns(step):
        return False
    least, into = Fraction(step.tables["overrun"]["dearest"]), hex_cost(step, step.into)
    if step.at_least(into, least, "hex"):
        return True
    if step.by != OFF_ROAD or not step.reading("overrun_hexsides"):
        return False
    return step.at_least(total((into, beside_water(step), water_cost(step))), least, "whole")
