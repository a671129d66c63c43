"""The tables of the ruleset ``generic`` as typed values; :mod:`.reading` builds them. And the ids under which
clauses are cited: their own, or those of a ruleset that builds on ``generic``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal

from ...concepts.charts import Costs
from ...concepts.completeness import WHOLE_CHARTS, Completeness
from ...concepts.zones import ZoneRule
from ...cost_interval import Stage
from ...ruleset import OrderRule, Requirement, StackingRule


@dataclass(frozen=True, slots=True)
class Citations:
    """The ids to cite.

    ``ids``: id of a clause of ``generic`` → the clause that stands for it. ``rows``: (chart, number of the
    row from 0) → clause of that row; for surcharges (chart, reason). ``rows`` outranks ``ids``. A clause in
    neither is cited by its own id.
    """

    ids: Mapping[str, str] = field(default_factory=dict)
    rows: Mapping[tuple[str, int | str], str] = field(default_factory=dict)

    def of(self, clause: str) -> str:
        """The id to cite for a clause."""
        return self.ids.get(clause, clause)

    def row(self, chart: str, number: int | str, clause: str) -> str:
        """The id to cite for a clause that applies through a row of a chart."""
        return self.rows.get((chart, number)) or self.of(clause)


AS_THEY_ARE = Citations()
"""Every clause is cited by its own id."""


Effect = Literal["hinders", "helps", "either"]


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
class StepRule:
    """A rule about every step that meets all its conditions.

    Conditions, each empty for any: ``into`` and ``out_of`` a hex with one of these names; ``across`` a
    hexside with one of these; ``along`` a line of one of these kinds (``not_along``: of none of them);
    ``climbs``: ``up``, ``down`` or ``level``. ``requirements``: on the unit, the form and the game.
    ``for_all``: whether the rule is about every class; if not, about those that ``cost`` names.
    ``friends``: whether friendly units that meet ``friend`` must be in the hex entered (``there``) or must
    not be (``away``); empty: it does not matter.

    Effects: ``cost`` is added to the step (None: no cost is given). ``instead_of``: the parts of the charts'
    cost that are not due. ``stop``: the unit must stop there. ``number``: the row of the rule, from 1.
    """

    number: int
    reason: str
    requirements: tuple[Requirement, ...]
    into: frozenset[str]
    out_of: frozenset[str]
    across: frozenset[str]
    along: frozenset[str]
    not_along: frozenset[str]
    climbs: str
    friends: Literal["", "there", "away"]
    friend: tuple[Requirement, ...]
    cost: Costs | None
    for_all: bool
    instead_of: frozenset[str]
    stop: bool


def listed(value: Any) -> list[Any]:
    """The rows of a chart, which may be one table or a list of tables."""
    return value if isinstance(value, list) else [value]


@dataclass(frozen=True, slots=True)
class Zoc:
    """A rule on zones of control. ``zone``: who exerts them and where. ``felt_by``: what a mover must meet to
    be subject to them. ``enter``, ``leave``, ``within``: their costs; None: nothing."""

    zone: ZoneRule
    felt_by: tuple[Requirement, ...]
    not_into_prohibited: bool
    enter: Costs | None
    leave: Costs | None
    within: Costs | None
    stop: bool


@dataclass(frozen=True, slots=True)
class Entering:
    """What a unit pays for coming onto the map.

    ``hex``: what it pays for the hex it comes to: ``terrain`` is its terrain cost; ``entered`` is its terrain
    cost or less along a road; None: only ``cost``, by class.
    """

    hex: Literal["entered", "terrain"] | None
    cost: Costs | None = None


@dataclass(frozen=True, slots=True)
class Lack:
    """A rule that these tables cannot express.

    ``effect``: ``hinders`` makes moves dearer or forbids them, ``helps`` makes them cheaper or allows them,
    ``either`` may do both. ``requirements`` and ``phases`` (empty: all): which moves it affects.
    ``told``: the pack tells of it; else it is one that there may be.
    """

    what: str
    effect: Effect
    requirements: tuple[Requirement, ...]
    phases: tuple[str, ...]
    told: bool = True


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
