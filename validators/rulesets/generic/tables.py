"""The tables of the ruleset ``generic`` as typed values; :mod:`.reading` builds them."""

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
    """A row of the hexside chart. ``bridges``: feature → the cost that replaces ``cost`` if it is there."""

    cost: Costs
    bridges: Mapping[str, Costs]


@dataclass(frozen=True, slots=True)
class Road:
    """A kind of line to move along. ``cancels``: the parts of the cost of a step that it replaces. ``path``:
    the mover must have followed it from the start. ``told``: the row is complete; if not, the road may
    cancel less, or may have to be followed from the start."""

    cost: Costs
    cancels: frozenset[str]
    path: bool
    told: bool = True


@dataclass(frozen=True, slots=True)
class Levels:
    """The costs of each level up and down. ``most``: levels in one step; None: any number. ``perhaps_most``:
    there may be a limit that the pack does not state."""

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
    """``barred_by``: what an enemy must meet to bar its hex; None: no enemy does. ``cost``: of entering a hex
    with any enemy in it that one may enter; None: nothing."""

    cost: Costs | None
    barred_by: tuple[Requirement, ...] | None


@dataclass(frozen=True, slots=True)
class Tables:
    """All tables of a pack.

    ``combine`` None: not known. ``levels``, ``enemy``, ``stacking`` None: there is no such rule. ``entering``
    None: the cost of coming onto the map is not known. ``scale``: parts of an MP. ``plain``: the tables as
    the pack writes them. ``off``: ids of the clauses switched off; their costs are already left out.
    ``complete``: which charts are whole. ``citations``: the ids under which clauses are cited.
    """

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
        """The requirements on friends in rules about certain steps, each once. Their order numbers the kinds
        of friends."""
        asked = (rule.friend for rule in self.steps if rule.friends is not None)
        return tuple(dict.fromkeys(asked))

    def step_rule(self, number: int) -> StepRule:
        """The rule about certain steps with that number (from 1). StopIteration if it is not in force."""
        return next(rule for rule in self.steps if rule.number == number)
