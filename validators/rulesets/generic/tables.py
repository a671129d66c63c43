"""What the tables of a pack for the ruleset ``generic`` hold, chart by chart, and the ids under which clauses
are cited. Each chart has a file of its own name, with its reader and its clauses.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal

from ...concepts.charts import Costs
from ...concepts.completeness import WHOLE_CHARTS, Completeness
from ...concepts.zones import ZoneRule
from ...cost_interval import Stage
from ...ruleset import OrderRule, Requirement, StackingRule


@dataclass(frozen=True, slots=True)
class Allowance:
    """``attribute``: holds the allowance of a unit; empty: none does. ``by_class``: class → allowance.
    ``limited``: no more may be spent. ``hexes``: hexes are counted, not MPs. ``stages``: what changes the
    allowance, and on whom. ``immobile``: why a unit does not move that meets the requirements."""

    attribute: str
    by_class: Mapping[str, Fraction]
    limited: bool
    hexes: bool
    minimum_move: bool
    stages: tuple[tuple[Stage, tuple[Requirement, ...]], ...]
    immobile: tuple[tuple[str, tuple[Requirement, ...]], ...]
    immobile_at_zero: bool

    @property
    def denominators(self) -> Iterator[int]:
        """Denominators of the numbers that allowances are made of. An allowance of less than one part of an
        MP would be rounded down to none, and a hex that takes it all would then take nothing."""
        yield from (amount.denominator for amount in self.by_class.values())
        yield from (stage.value.denominator for stage, _ in self.stages)


@dataclass(frozen=True, slots=True)
class Terrain:
    """``costs``: name → its row. ``combine``: what counts of several in a hex; None: not known."""

    costs: Mapping[str, Costs]
    combine: Literal["dearest", "sum"] | None


@dataclass(frozen=True, slots=True)
class Hexside:
    """A row of the hexside chart. ``bridges``: feature → the cost that replaces ``cost`` if it is there."""

    cost: Costs
    bridges: Mapping[str, Costs]


@dataclass(frozen=True, slots=True)
class Hexsides:
    """``rows``: feature → its row. ``bridges``: the features without a cost of their own, bridges and what
    rules about steps name."""

    rows: Mapping[str, Hexside]
    bridges: frozenset[str]


@dataclass(frozen=True, slots=True)
class RoadKind:
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
class EnemyHex:
    """``barred_by``: what an enemy must meet to bar its hex; None: no enemy does. ``cost``: of entering a hex
    with any enemy in it that one may enter; None: nothing."""

    cost: Costs | None
    barred_by: tuple[Requirement, ...] | None


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
    effect: Literal["hinders", "helps", "either"]
    requirements: tuple[Requirement, ...]
    phases: tuple[str, ...]
    told: bool = True


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


@dataclass(frozen=True, slots=True)
class Tables:
    """All tables of a pack.

    ``levels``, ``enemy``, ``stacking`` None: there is no such rule. ``entering`` None: the cost of coming
    onto the map is not known. ``needed``: the attributes and conditions that tests ask of a mover.
    ``scale``: parts of an MP. ``plain``: the tables as the pack writes them. ``off``: ids of the clauses
    switched off; their costs are already left out. ``complete``: which charts are whole. ``citations``: the
    ids under which clauses are cited.
    """

    class_attribute: str
    classes: tuple[str, ...]
    allowance: Allowance
    terrain: Terrain
    hexsides: Hexsides
    roads: Mapping[str, RoadKind]
    levels: Levels | None
    surcharges: tuple[Surcharge, ...]
    zocs: tuple[Zoc, ...]
    enemy: EnemyHex | None
    stacking: StackingRule | None
    order: OrderRule
    entering: Entering | None
    steps: tuple[StepRule, ...]
    lacks: tuple[Lack, ...]
    needed: tuple[str, ...]
    scale: int
    plain: Mapping[str, Any]
    off: frozenset[str] = field(default_factory=frozenset)
    complete: Completeness = WHOLE_CHARTS
    citations: Citations = AS_THEY_ARE
