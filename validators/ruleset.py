"""What a ruleset is made of: the values and protocols between a game's rules and the judge.

A ruleset turns a :class:`~vassal_umpire.model.game.Game` into :class:`RulesInForce`: the same rules
with this game's tables, options and house rules applied. For a unit about to move these give
:class:`Scenario` values, one for every completion of what is not known of it; each holds the
:class:`Mover` values it may choose from (movement forms: a *choice* of the player, so one that works is
enough). A mover has a :class:`Budget` and walks over a :class:`MovementGraph`, once as favourable as the
facts allow and once as adverse. Search and judge know nothing else, and no game's name.

Soundness rests on one promise of every ruleset: for every completion of the facts, the favourable
ground offers at least the true steps at no more than their true cost, and the adverse ground at most
the true steps at no less than their true cost.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol, runtime_checkable

from ..model.bill import Amount, Charge
from ..model.fact import Fact, MissingFact
from ..model.finding import Clause, Finding, Move, PhaseView
from ..model.game import Game, Place, Rules, StepRef
from ..model.names import Words
from ..model.schemas import Schema
from .phase_rules import Measure, OrderRule, StackingLimit, StackingRule
from .requirement import Requirement, all_met

if TYPE_CHECKING:
    from .moves import Track

World = Literal["favourable", "adverse"]
Tag = Hashable
"""What the search must remember of the path apart from hex and cost, e.g. the road just used."""

START: Tag = None
"""The tag of a mover that has not moved yet."""


class Situation(Protocol):
    """The game at a moment, or over the span of steps a move takes: what changed in the span is then
    not known, so nothing is held against a mover that was only so for a while."""

    game: Game

    @property
    def at(self) -> StepRef: ...
    @property
    def phase(self) -> PhaseView: ...
    def where(self, unit: str, /) -> Place: ...
    def fact(self, unit: str, attribute: str, /) -> Fact: ...
    def condition(self, key: str, unit: str = "", /) -> Fact: ...
    def surely_in(self, hex_name: str, /) -> tuple[str, ...]:
        """Units (no markers) that are in the hex all the while, and in play for certain."""
        ...

    def possibly_in(self, hex_name: str, /) -> tuple[str, ...]:
        """Units (no markers) that may be in the hex and in play at some time."""
        ...

    def others_beside(self, side: str | None, /) -> Mapping[str, int] | None:
        """By hex, how many units in it or next to it are not of ``side``; a hex with none is left out.
        None: not told."""
        ...

    def others_in(self, side: str | None, /) -> Mapping[str, int] | None:
        """As :meth:`others_beside`, units in the hex alone."""
        ...

    def in_play(self, unit: str, /) -> Fact:
        """Whether a unit is alive."""
        ...

    def dead_unknown(self, unit: str, /) -> MissingFact:
        """The question whether a unit was still in play."""
        ...


class Breach(NamedTuple):
    """A prohibition broken on entering ``hex`` from ``origin``. ``text`` goes on from "the path …":
    ``crosses an unbridged river``. ``units``: whose presence it rests on (fog of war)."""

    clause: str
    text: str
    hex: str
    origin: str = ""
    units: tuple[str, ...] = ()


class Rounding(NamedTuple):
    """What is spent is rounded up to a whole multiple of ``quantum`` (in 1/scale MP) before a step is
    paid, by ``clause``: what is left of an MP is lost. The bill shows it as a charge of its own.

    For allowances that are a whole number of ``quantum``: what is left is then rounded down just so.
    Whoever has spent less has not spent more after it, so the search stays exact."""

    quantum: int
    clause: str
    reason: str = "lost fraction of an MP"

    def after(self, spent: int) -> int:
        """``spent`` (1/scale MP), rounded up."""
        return -(-spent // self.quantum) * self.quantum


class Step(NamedTuple):
    """One way into a neighbouring hex, or something done in the hex for its cost (``to`` is then the
    hex itself, ``tag`` what the mover has become by it: aboard, turned, dug in).

    ``cost``: whole number of 1/scale MP, never negative. ``tag``: the mover's tag after it. ``stops``:
    the breach it would be to move on from there, None if it may. ``whole``: takes the whole allowance
    and is open only while nothing is spent (``cost`` is then the least it comes to). ``entry``: for the
    ground's own use in :meth:`MovementGraph.cost_breakdown`. ``breaks``: what it breaks (empty in legal
    steps). ``rounding``: what is spent is rounded up before ``cost`` is paid; the movement graph's account
    leaves it out. ``passing``: what the log shows of the mover at a waypoint or the target is not yet so (it
    faces another way, is not aboard): such a stop in ``to`` is not met by this step, only by one that
    follows.
    """

    to: str
    cost: int
    tag: Tag = START
    stops: Breach | None = None
    whole: bool = False
    entry: Any = None
    breaks: tuple[Breach, ...] = ()
    rounding: Rounding | None = None
    passing: bool = False


@dataclass(frozen=True, slots=True)
class WeightedFact:
    """A fact not known that bears on a step: ``weight`` says by how much, in MPs (None: it may prohibit)."""

    unknown: MissingFact
    weight: Fraction | None = None


@dataclass(frozen=True, slots=True)
class CostBreakdown:
    """What one step costs, charge by charge, and what is not known of it. ``units``: whose presence
    it rests on (fog of war)."""

    charges: tuple[Charge, ...]
    missing: tuple[WeightedFact, ...] = ()
    units: tuple[str, ...] = ()


class MovementGraph(Protocol):
    """The board as one mover finds it in one world."""

    @property
    def least(self) -> int:
        """No step into another hex costs less than this (1/scale MP)."""
        ...

    def steps(self, hex_name: str, tag: Tag, /) -> Sequence[Step]:
        """The steps open from a hex, none of which breaks anything."""
        ...

    def edges_with_violations(self, hex_name: str, tag: Tag, /) -> Sequence[Step]:
        """All steps from a hex, each with what it breaks."""
        ...

    def cost_breakdown(self, hex_name: str, tag: Tag, step: Step, /) -> CostBreakdown:
        """The charges of one of these steps, amounts as far as known."""
        ...


@runtime_checkable
class PathDependentGraph(MovementGraph, Protocol):
    """A movement graph whose tags hold what was done on the way (hexes overrun), which later steps ask for.
    As every history has labels of its own, the search looks at the movement graph without it first."""

    def forgetting(self) -> MovementGraph:
        """The same movement graph without that: each way of this one is open there, and costs as much."""
        ...

    def allows(self, steps: Sequence[Step], /) -> bool:
        """Whether the steps of a way found on ``forgetting`` may be made here, at the same cost."""
        ...


@dataclass(frozen=True, slots=True)
class Policy:
    """What a mover may do when the allowance does not suffice.

    ``minimum_move``: clause by which it may always enter one hex as its sole step; '' if none.
    ``overdraft``: what must be left (MPs) for a last step that may cost more (on credit, by
    ``overdraft_clause``); None: none may. ``excess``: how many MPs more, as far as known (None: any
    number; a marker that must be there and shows them is a bound): favourable up to ``hi``, adverse up to
    ``lo``; ``excess_missing`` would make it exact. ``always``: so much as ``overdraft`` must be left before
    every step, also one that less would pay for. ``excess_clause`` is cited where only this is too little,
    ``Budget.clause`` where too little was left before the last step.
    """

    minimum_move: str = ""
    overdraft: Fraction | None = None
    overdraft_clause: str = ""
    excess: Amount | None = None
    excess_clause: str = ""
    excess_missing: tuple[WeightedFact, ...] = ()
    always: bool = False


@dataclass(frozen=True, slots=True)
class Quota:
    """Something of which all units together have so much in a phase: ``most`` of ``name`` (said as in
    "need at least 4 intrinsic trucks of the 99th"; the same name is the same quota), by ``clause``.
    ``missing``: what would make ``most`` exact."""

    name: str
    most: Amount
    clause: str
    missing: tuple[WeightedFact, ...] = ()


class Draw(NamedTuple):
    """What a mover takes of a quota by moving so in a phase, however far. ``perhaps``: what would tell
    whether it takes it from this quota at all; None: it does."""

    quota: Quota
    amount: Fraction = Fraction(1)
    perhaps: MissingFact | None = None


@dataclass(frozen=True, slots=True)
class Budget:
    """What a mover may spend: ``amount`` None: not limited. ``clause`` is cited when it is exceeded;
    ``stages`` say how the amount came about, as (clause, reason) pairs; ``missing`` what keeps it from
    being exact. ``entering``: the clause by which what it spent on coming onto the map counts (see
    :class:`Entries`). ``draws``: what it takes of quotas besides: a unit that no other mover takes where it
    went is counted, see :mod:`.quotas`."""

    amount: Amount | None
    clause: str
    unit: str = "MP"
    policy: Policy = field(default_factory=Policy)
    stages: tuple[tuple[str, str], ...] = ()
    missing: tuple[WeightedFact, ...] = ()
    draws: tuple[Draw, ...] = ()
    entering: str = ""


class Mover(Protocol):
    """A unit in one movement form under one completion of what is not known of it."""

    @property
    def form(self) -> str: ...
    @property
    def budget(self) -> Budget: ...
    @property
    def barred(self) -> tuple[Breach, ...]:
        """What forbids it to move at all, for certain."""
        ...

    @property
    def perhaps_barred(self) -> tuple[WeightedFact, ...]:
        """Facts not known by which it might be forbidden to move at all."""
        ...

    def graph(self, world: World, /) -> MovementGraph: ...


@dataclass(frozen=True, slots=True)
class Assumption:
    """One completion of one fact."""

    unknown: MissingFact
    value: str


@dataclass(frozen=True, slots=True)
class Scenario:
    """One completion of the discrete facts not known of the unit that moves. ``movers``: the forms it
    may choose from; none: it has no way to move that these rules judge."""

    movers: tuple[Mover, ...]
    assumptions: tuple[Assumption, ...] = ()


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What a unit moves under. ``moving``: all units of the move: none of them is in another's way. Each
    is judged by itself; where a rule keeps them on one path this is exact for those whom every step costs
    the same (where the poorest can go, all can), and for others a bound in their favour.
    ``forms``: the movement forms open to it. ``move``: the move itself as the log shows it, for rules
    about what was seen on the way; None where there is none to show. ``noticed``: the ruleset adds units
    that not everyone may know of and that bear on any way looked at: what is said of the move is for
    those who may."""

    situation: Situation
    moving: tuple[str, ...]
    forms: tuple[str, ...] = ("",)
    noticed: set[str] = field(default_factory=set, compare=False)
    move: Move | None = None


class RulesInForce(Protocol):
    """A ruleset with one game's tables, options and house rules applied."""

    @property
    def clauses(self) -> Mapping[str, Clause]: ...
    @property
    def readings(self) -> Mapping[str, str]:
        """Options and open readings as they are settled, for the report."""
        ...

    @property
    def scale(self) -> int:
        """Costs are whole numbers of 1/scale MP."""
        ...

    @property
    def declared_clause(self) -> str:
        """Cited where a player declared less than the least a move costs."""
        ...

    @property
    def stacking(self) -> StackingRule | None: ...
    @property
    def order(self) -> OrderRule: ...
    def scenarios(self, unit: str, circumstances: Circumstances, /) -> tuple[Scenario, ...]: ...


@runtime_checkable
class PhaseCheck(Protocol):
    """Rules in force that find more than a path search can: over a whole phase, or in what happened
    besides moves. The audit asks any :class:`RulesInForce` that has it, as one more check."""

    def phase_checks(self, tracks: Sequence[Track], /) -> Iterable[Finding]:
        """What is found in all the moves of a game, in the order of their first steps; only those that
        count (:attr:`Track.counts`) are movement."""
        ...


@runtime_checkable
class Phasing(Protocol):
    """Rules in force that say themselves whose units move in a phase that a pack opens to both sides."""

    def movers(self, phase: str, /) -> Literal["active", "inactive"] | None:
        """Who moves in the phase of that name; None: not known, or both."""
        ...


@runtime_checkable
class Entries(Protocol):
    """Rules in force by which a unit that came onto the map in a phase pays for it."""

    def entered(self, unit: str, event: int, /) -> Amount | None:
        """What ``unit`` had spent on coming onto the map before it was dragged on, by the event of that
        index; None if that is not known."""
        ...


@runtime_checkable
class Vocabulary(Protocol):
    """A ruleset that tells which names its tables know, so that a misspelt one is found."""

    def words(self, rules: Rules, /) -> Mapping[str, Words]:
        """By kind (see :mod:`~vassal_umpire.model.names`) the names that the tables of a game know; a kind
        that is left out may have any names."""
        ...


@runtime_checkable
class Tabled(Protocol):
    """A ruleset that says which tables a pack may give it."""

    @property
    def schema(self) -> Schema:
        """What a pack may say in ``[rules]``. Its keyword ``default`` holds the tables a pack begins with."""
        ...

    def printed(self) -> Mapping[str, Any]:
        """What of the tables ships with the ruleset: it holds where a pack says nothing else."""
        ...


class Ruleset(Protocol):
    """A ruleset as the entry point group ``vassal_umpire.rulesets`` names it."""

    @property
    def name(self) -> str: ...
    @property
    def version(self) -> str: ...
    def clauses(self) -> Mapping[str, Clause]:
        """Every clause by id, as ``clauses.toml`` has them."""
        ...

    def in_force(self, game: Game, /) -> RulesInForce:
        """The rules of this game; :class:`~vassal_umpire.model.problem.WrongPack` names each fault in
        the tables or options, one line each."""
        ...


__all__ = [
    "START",
    "Assumption",
    "Breach",
    "Budget",
    "Circumstances",
    "CostBreakdown",
    "Draw",
    "Entries",
    "Measure",
    "MovementGraph",
    "Mover",
    "OrderRule",
    "PhaseCheck",
    "Policy",
    "Quota",
    "Requirement",
    "Rounding",
    "RulesInForce",
    "Ruleset",
    "Scenario",
    "Situation",
    "StackingLimit",
    "StackingRule",
    "Step",
    "Tabled",
    "Tag",
    "Vocabulary",
    "WeightedFact",
    "World",
    "all_met",
]
