"""The tables of the ruleset ``generic`` as values; :mod:`.reading` makes them of plain ones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal

from ...allowance import Stage
from ...concepts.charts import Costs
from ...concepts.completeness import WHOLE_CHARTS, Completeness
from ...ruleset import OrderRule, Requirement, StackingRule
from .citing import AS_THEY_ARE, Citations
from .entering import Entering
from .lacks import Lack
from .step_rules import StepRule
from .zone_rules import Zoc


@dataclass(frozen=True, slots=True)
class Hexside:
    """A hexside feature: its cost, and the features that replace it with another."""

    cost: Costs
    bridges: Mapping[str, Costs]


@dataclass(frozen=True, slots=True)
class Road:
    """A kind of line to move along; ``path``: it must have been followed from the start. ``told``: all of
    the row is; if not, it may cancel less or have to be followed."""

    cost: Costs
    cancels: frozenset[str]
    path: bool
    told: bool = True


@dataclass(frozen=True, slots=True)
class Levels:
    """``most`` None: any number; ``perhaps_most``: there may be a bound that is not told."""

    up: Costs
    down: Costs
    most: int | None
    perhaps_most: bool = False


@dataclass(frozen=True, slots=True)
class Surcharge:
    cost: Costs
    requirements: tuple[Requirement, ...]
    on_roads: bool
    reason: str


@dataclass(frozen=True, slots=True)
class EnemyHex:
    """``barred_by``: the enemies that bar the hex they are in; None: nobody does. ``cost``: what it costs
    to enter the hex of others; None: nothing."""

    cost: Costs | None
    barred_by: tuple[Requirement, ...] | None


@dataclass(frozen=True, slots=True)
class Tables:
    """All of it. ``combine`` None: not known. ``off``: clauses switched off; their cost items are already
    left out here. ``complete``: which charts are whole. ``plain``: the tables as the pack has them.
    ``citations``: under which ids clauses are cited."""

    class_attribute: str
    classes: tuple[str, ...]
    allowance_attribute: str
    by_class: Mapping[str, Fraction]
    limited: bool
    hexes: bool
    minimum_move: bool
    stages: tuple[tuple[Stage, tuple[Requirement, ...]], ...]
    immobile: tuple[tuple[str, tuple[Requirement, ...]], ...]
    immobile_at_zero: bool
    combine: Literal["dearest", "sum"] | None
    terrain: Mapping[str, Costs]
    hexsides: Mapping[str, Hexside]
    bridges: frozenset[str]
    roads: Mapping[str, Road]
    levels: Levels | None
    surcharges: tuple[Surcharge, ...]
    zocs: tuple[Zoc, ...]
    enemy: EnemyHex | None
    stacking: StackingRule | None
    order: OrderRule
    entering: Entering | None
    steps: tuple[StepRule, ...]
    lacks: tuple[Lack, ...]
    scale: int
    plain: Mapping[str, Any]
    off: frozenset[str] = field(default_factory=frozenset)
    complete: Completeness = WHOLE_CHARTS
    citations: Citations = AS_THEY_ARE

    @property
    def friends(self) -> tuple[tuple[Requirement, ...], ...]:
        """The kinds of friends that rules about certain steps ask for, each once."""
        asked = (rule.friend for rule in self.steps if rule.friends is not None)
        return tuple(dict.fromkeys(asked))

    def step_rule(self, number: int) -> StepRule:
        """The rule about certain steps of that number, which must be in force."""
        return next(rule for rule in self.steps if rule.number == number)
