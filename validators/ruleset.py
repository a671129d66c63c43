"""The values and protocols between a game's rules and the judge.

A ruleset turns a :class:`~vassal_umpire.model.game.Game` into :class:`RulesInForce`: its rules with this
game's tables, options and house rules applied. For a unit about to move, these give :class:`Scenario` values,
one for each completion of its missing facts; a completion gives each of them one possible value. Each
scenario holds the :class:`Mover` values from which the player may choose, one per movement form; it is enough
that one of them works. A mover has a :class:`Budget` and a :class:`MovementGraph` for each of two worlds: as
favourable as the facts allow, and as adverse. Search and judge know nothing else about a game, not even its
name.

Verdicts are sound only if every ruleset keeps one promise: for every completion of the facts, the favourable
graph offers at least the true steps at no more than their true cost, and the adverse graph at most the true
steps at no less than their true cost.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol, runtime_checkable

from ..model.bill import Amount
from ..model.fact import MissingFact
from ..model.finding import Clause, Finding, Move
from ..model.game import Game, Rules
from ..model.names import Words
from ..model.schemas import Schema
from .movement_graph import (
    START,
    Breach,
    CostBreakdown,
    KnowsClosedHexes,
    MovementGraph,
    Rounding,
    Step,
    Tag,
    WeightedFact,
    World,
)
from .phase_rules import Measure, OrderRule, Requirement, StackingLimit, StackingRule, all_met
from .situation import Situation

if TYPE_CHECKING:
    from .moves import Track


@dataclass(frozen=True, slots=True)
class Policy:
    """What a mover may do if its allowance is too small.

    ``minimum_move``: the clause by which it may always enter one hex as its only step; empty if there is
    none. ``overdraft``: MPs that must be left so that the last step may cost more than what is left (on
    credit, by ``overdraft_clause``); None if no step may. ``excess``: how many MPs beyond the allowance the
    last step may cost: up to ``hi`` in the favourable world, up to ``lo`` in the adverse one. None: any
    number. A marker that must be on the map and shows the excess is such a limit. ``excess_missing``: the
    facts that would make it exact. ``always``: at least ``overdraft`` must be left before every step, even
    one that costs less. ``excess_clause``: cited if only ``excess`` is too small; ``Budget.clause`` is cited
    if too little was left before the last step.
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
    """A resource that all units share in a phase: at most ``most`` of ``name``, by ``clause``.

    ``name`` is worded to follow a number, as in "need at least 4 intrinsic trucks of the 99th". Quotas with
    the same name are the same quota. ``missing``: the facts that would make ``most`` exact."""

    name: str
    most: Amount
    clause: str
    missing: tuple[WeightedFact, ...] = ()


class Draw(NamedTuple):
    """The ``amount`` of ``quota`` that a mover uses if it moves in this form in a phase, however far.
    ``perhaps``: the missing fact that decides whether it uses this quota at all; None if it certainly
    does."""

    quota: Quota
    amount: Fraction = Fraction(1)
    perhaps: MissingFact | None = None


@dataclass(frozen=True, slots=True)
class Budget:
    """What a mover may spend.

    ``amount``: the allowance, in units of ``unit``; None if it is not limited. ``clause``: cited if it is
    exceeded. ``stages``: how the amount was computed, as (clause, reason) pairs. ``missing``: the facts that
    would make it exact. ``entering``: the clause by which MPs spent on coming onto the map count against it
    (see :class:`Entries`); empty if there is none. ``draws``: what the mover uses of quotas as well. A draw
    counts only if the unit could not have gone where it went in another form; see :mod:`.quotas`."""

    amount: Amount | None
    clause: str
    unit: str = "MP"
    policy: Policy = field(default_factory=Policy)
    stages: tuple[tuple[str, str], ...] = ()
    missing: tuple[WeightedFact, ...] = ()
    draws: tuple[Draw, ...] = ()
    entering: str = ""


class Mover(Protocol):
    """A unit in one movement form, under one completion of what is not known about it."""

    @property
    def form(self) -> str: ...
    @property
    def budget(self) -> Budget: ...
    @property
    def barred(self) -> tuple[Breach, ...]:
        """The prohibitions by which it certainly may not move at all."""
        ...

    @property
    def perhaps_barred(self) -> tuple[WeightedFact, ...]:
        """Missing facts that may prohibit it from moving at all."""
        ...

    def graph(self, world: World, /) -> MovementGraph: ...


@runtime_checkable
class Forgets(Protocol):
    """A mover with a cache."""

    def forget(self) -> None:
        """Clear the cache, after the move is judged."""
        ...


@dataclass(frozen=True, slots=True)
class Assumption:
    """One value assumed for one missing fact."""

    unknown: MissingFact
    value: str


@dataclass(frozen=True, slots=True)
class Scenario:
    """One completion of the discrete missing facts about the moving unit. ``movers``: the movement forms that
    it may choose from; empty if it has no form that these rules judge."""

    movers: tuple[Mover, ...]
    assumptions: tuple[Assumption, ...] = ()


@dataclass(frozen=True, slots=True)
class Circumstances:
    """The circumstances under which a unit moves.

    ``moving``: ids of all units of the move; none of them is in another's way. Each is judged separately.
    Where a rule makes them take one path together, that is exact if every step costs all of them the same
    (where the one with the smallest allowance can go, all can); otherwise it errs in the player's favour.
    ``forms``: the movement forms that the unit may use. ``move``: the move as the log shows it, for rules
    about what was seen on the way; None if there is none."""

    situation: Situation
    moving: tuple[str, ...]
    forms: tuple[str, ...] = ("",)
    move: Move | None = None


class RulesInForce(Protocol):
    """A ruleset with one game's tables, options and house rules applied."""

    @property
    def clauses(self) -> Mapping[str, Clause]: ...
    @property
    def readings(self) -> Mapping[str, str]:
        """The options and open readings, with the value in force for each; for the report."""
        ...

    @property
    def scale(self) -> int:
        """Costs are whole numbers of 1/scale MP."""
        ...

    @property
    def declared_clause(self) -> str:
        """The clause cited if a player declared fewer MPs than a move costs at least; empty if there is
        none."""
        ...

    @property
    def stacking(self) -> StackingRule | None: ...
    @property
    def order(self) -> OrderRule: ...
    def scenarios(self, unit: str, circumstances: Circumstances, /) -> tuple[Scenario, ...]: ...


@runtime_checkable
class KnowsOthers(Protocol):
    """Rules in force that say what other counters can do to a unit that moves."""

    @property
    def others_only_hinder(self) -> bool:
        """Whether no other counter ever allows a unit something that it may not do alone on the map."""
        ...


@runtime_checkable
class PhaseCheck(Protocol):
    """Rules in force with a check of their own for what a path search cannot find: something about a whole
    phase, or about events other than moves. The audit calls it on any :class:`RulesInForce` that has it."""

    def phase_checks(self, tracks: Sequence[Track], /) -> Iterable[Finding]:
        """The findings for a game. ``tracks``: all its moves in order of their first steps; only those that
        count (:attr:`Track.counts`) are movement."""
        ...


@runtime_checkable
class Phasing(Protocol):
    """Rules in force that know whose units move in a phase for which the pack allows both sides."""

    def movers(self, phase: str, /) -> Literal["active", "inactive"] | None:
        """The side that moves in the phase of that name; None if it is not known or both sides move."""
        ...


@runtime_checkable
class FarLines(Protocol):
    """Rules in force that say whether a line affects moves far from it. If not, it affects only moves that
    come near, by the parts of the line in the hexes there."""

    @property
    def far_lines(self) -> bool: ...


@runtime_checkable
class LooksBack(Protocol):
    """Rules in force that say whether a judgement ignores logs after the one in which its move's phase ends,
    with two exceptions: units that are taken off next (:meth:`.Timeline.off_next`), and which kinds of units
    later logs bring."""

    @property
    def looks_back(self) -> bool: ...


@runtime_checkable
class Entries(Protocol):
    """Rules in force by which a unit pays MPs for coming onto the map."""

    def entered(self, unit: str, event: int, /) -> Amount | None:
        """MPs that ``unit`` had spent on coming onto the map before it was dragged on by the event with index
        ``event``; None if that is not known."""
        ...


@runtime_checkable
class Vocabulary(Protocol):
    """A ruleset that lists the names in its tables, so that misspelt names in a pack are found."""

    def words(self, rules: Rules, /) -> Mapping[str, Words]:
        """The names that the tables of a game use, by kind (see :mod:`~vassal_umpire.model.names`). Names of
        a kind that is missing are not checked."""
        ...


@runtime_checkable
class Tabled(Protocol):
    """A ruleset that says which tables a pack may give it."""

    @property
    def schema(self) -> Schema:
        """The schema of ``[rules]`` in a pack. Its keyword ``default`` holds the tables that a new pack
        starts with."""
        ...

    def printed(self) -> Mapping[str, Any]:
        """The tables that ship with the ruleset. They hold unless a pack says otherwise."""
        ...


class Ruleset(Protocol):
    """A ruleset as the entry point group ``vassal_umpire.rulesets`` names it."""

    @property
    def name(self) -> str: ...
    @property
    def version(self) -> str: ...
    def clauses(self) -> Mapping[str, Clause]:
        """The clauses of ``clauses.toml``, by id."""
        ...

    def in_force(self, game: Game, /) -> RulesInForce:
        """The rules in force for ``game``. Raises :class:`~vassal_umpire.model.problem.WrongPack`, with one
        line for each fault in the tables or options."""
        ...


__all__ = [
    "START", "Breach", "CostBreakdown", "KnowsClosedHexes", "Measure", "MovementGraph",
    "OrderRule", "Requirement", "Rounding", "StackingLimit", "StackingRule", "Step", "Tag",
    "WeightedFact", "World", "all_met",
]  # fmt: skip
