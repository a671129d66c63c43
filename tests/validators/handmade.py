"""Rules made by hand, step by step: for what the search and the judge offer and no chart yet uses."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import drawn
from vassal_umpire.model.bill import Amount, Charge
from vassal_umpire.model.board import Board
from vassal_umpire.model.finding import Clause
from vassal_umpire.model.game import Game
from vassal_umpire.validators.judge import Judgement, judge_move
from vassal_umpire.validators.ruleset import (
    START,
    Breach,
    Budget,
    Circumstances,
    CostBreakdown,
    OrderRule,
    Policy,
    Rounding,
    Scenario,
    Step,
    Tag,
    WeightedFact,
    World,
)
from vassal_umpire.validators.situation import Situation

SCALE = 2
"""Costs are in halves of an MP."""
WHOLE_MP = Rounding(SCALE, "X-LOST", "lost fraction of an MP")


@dataclass
class Paths:
    """A ground given as the steps from each (hex, tag)."""

    table: Mapping[tuple[str, Tag], Sequence[Step]]
    least: int = 0

    def steps(self, hex_name: str, tag: Tag) -> Sequence[Step]:
        return [step for step in self.edges_with_violations(hex_name, tag) if not step.breaks]

    def edges_with_violations(self, hex_name: str, tag: Tag) -> Sequence[Step]:
        return self.table.get((hex_name, tag), ())

    def cost_breakdown(self, hex_name: str, tag: Tag, step: Step) -> CostBreakdown:
        amount = Amount.exactly(Fraction(step.cost, SCALE))
        return CostBreakdown(
            (Charge(step.to, amount, "X-STEP", str(step.entry or "step"), hex_name),)
        )


@dataclass
class Walker:
    """A mover over a ground in either world."""

    favourable: Paths
    budget: Budget
    adverse: Paths | None = None
    form: str = ""
    barred: tuple[Breach, ...] = ()
    perhaps_barred: tuple[WeightedFact, ...] = ()

    def graph(self, world: World) -> Paths:
        return self.adverse if world == "adverse" and self.adverse is not None else self.favourable


def budget(amount: int | Fraction, most: int | Fraction | None = None, **policy: Any) -> Budget:
    """``amount`` MPs, or from it to ``most``."""
    there = Amount(Fraction(amount), Fraction(amount if most is None else most))
    return Budget(there, "X-ALLOWANCE", policy=Policy(**policy))


@dataclass
class Made:
    """Rules in force: ``choices`` gives the movers a unit has."""

    choices: Callable[[str, Circumstances], tuple[Walker, ...]]
    clauses: Mapping[str, Clause] = field(default_factory=dict)
    readings: Mapping[str, str] = field(default_factory=dict)
    scale: int = SCALE
    declared_clause: str = "X-DECLARED"
    stacking: None = None
    order: OrderRule = field(default_factory=OrderRule)

    def scenarios(self, unit: str, circumstances: Circumstances) -> tuple[Scenario, ...]:
        return (Scenario(self.choices(unit, circumstances)),)


@dataclass
class MadeRuleset:
    """The ruleset of a game, see ``flat.GameBuilder``."""

    made: Made
    name: str = "flat"
    version: str = "1"

    def clauses(self) -> Mapping[str, Clause]:
        return {}

    def in_force(self, game: Game) -> Made:
        return self.made


@dataclass
class Plain(Paths):
    """A board on which every step costs ``cost``; ``barred``: hexes that may not be entered."""

    board: Board | None = None
    cost: int = SCALE
    barred: frozenset[str] = frozenset()

    def edges_with_violations(self, hex_name: str, tag: Tag) -> Sequence[Step]:
        assert self.board is not None
        wall = Breach("X-WALL", "climbs a wall", "")
        return [
            Step(to, self.cost, breaks=(wall,) if to in self.barred else ())
            for to in self.board.neighbours(hex_name)
        ]


def judge(walker: Walker, *hexes: str, played: Game | None = None, **more: Any) -> Judgement:
    """The judgement on one move of ``a`` through ``hexes`` of a row (or of the game ``played``)."""
    if played is None:
        played = drawn.game(drawn.board("......"), {hexes[0]: drawn.unit("a")})
    moved = drawn.move("a", *hexes)
    return judge_move(moved, Situation(played), Made(lambda *_: (walker,)), **more)


def row(costs: Mapping[str, int], **steps: Any) -> dict[tuple[str, Tag], list[Step]]:
    """Steps along a row: into each hex named at its cost, from either neighbour."""
    table: dict[tuple[str, Tag], list[Step]] = {}
    for name, cost in costs.items():
        for near in drawn.board("......").neighbours(name):
            table.setdefault((near, START), []).append(Step(name, cost, **steps))
    return table
