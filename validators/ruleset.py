"""What a ruleset is made of: the values and protocols between a game's rules and the judge.

A ruleset turns a :class:`~vassal_umpire.model.game.Game` into :class:`RulesInForce`: the same rules
with this game's tables, options and house rules applied. For a unit about to move these give
:class:`Scenario` values, one for every completion of what is not known of it; each holds the
:class:`Mover` values it may choose from (movement forms: a *choice* of the player, so one that works is
enough). A mover has a :class:`Budget` and walks over a :class:`Ground`, once as favourable as the facts
allow and once as adverse. Search and judge know nothing else, and no game's name.

Soundness rests on one promise of every ruleset: for every completion of the facts, the favourable
ground offers at least the true steps at no more than their true cost, and the adverse ground at most
the true steps at no less than their true cost.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol, runtime_checkable

from ..model.bill import Amount, Charge
from ..model.fact import Fact, Unknown, Value
from ..model.finding import Clause, Finding, Move, PhaseView
from ..model.game import Game, Place, StepRef

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

    def in_play(self, unit: str, /) -> Fact:
        """Whether a unit is alive."""
        ...

    def dead_unknown(self, unit: str, /) -> Unknown:
        """The question whether a unit was still in play."""
        ...


@dataclass(frozen=True, slots=True)
class Requirement:
    """A test of one attribute of a unit, or of a condition of the game: its value is one of
    ``values`` (``negated``: none of them), or a number from ``least`` to ``most``."""

    attribute: str
    values: tuple[Value, ...] = ()
    least: Fraction | None = None
    most: Fraction | None = None
    negated: bool = False

    def met(self, fact: Fact) -> bool | None:
        """Whether ``fact`` meets it; None: some completions do, others do not."""
        if fact.options is not None:
            answers = {self._fits(value) for value in fact.options}
            answer = answers.pop() if len(answers) == 1 else None
        else:
            answer = self._bounds_fit(fact)
        return answer if answer is None else answer != self.negated

    def _fits(self, value: Value) -> bool:
        if self.least is None and self.most is None:
            return _written(value) in map(_written, self.values)
        number = _number(value)
        if number is None:
            return False
        above = self.least is None or number >= self.least
        return above and (self.most is None or number <= self.most)

    def _bounds_fit(self, fact: Fact) -> bool | None:
        lo, hi = fact.lo, fact.hi
        if lo is None and hi is None:
            return None
        if self.least is None and self.most is None:
            numbers = (_number(value) for value in self.values)
            possible = any(number is not None and fact.may_be(number) for number in numbers)
            return None if possible else False
        if self.least is not None and hi is not None and hi < self.least:
            return False
        if self.most is not None and lo is not None and lo > self.most:
            return False
        above = self.least is None or (lo is not None and lo >= self.least)
        below = self.most is None or (hi is not None and hi <= self.most)
        return True if above and below else None


_NUMERAL = re.compile(r"-?[0-9]{1,18}(?:[./][0-9]{1,18})?", re.ASCII)


def _number(value: Value) -> Fraction | None:
    """The number a value is, or says: packs may read a 2 as a text."""
    if isinstance(value, str) and _NUMERAL.fullmatch(value):
        try:
            return Fraction(value)
        except ZeroDivisionError:
            return None
    return value if isinstance(value, Fraction) else None


def _written(value: Value) -> str:
    """A value as a text, the same for a 2 and a "2", for true and "true"."""
    if isinstance(value, bool):
        return "true" if value else "false"
    number = _number(value)
    return str(value if number is None else number)


def all_met(requirements: Sequence[Requirement], facts: Mapping[str, Fact]) -> bool | None:
    """Whether every requirement is met by the facts given by attribute; None: not known."""
    answer: bool | None = True
    for requirement in requirements:
        met = requirement.met(facts[requirement.attribute])
        if met is False:
            return False
        if met is None:
            answer = None
    return answer


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
    and is open only while nothing is spent (``cost`` is then the least it comes to). ``way``: for the
    ground's own use in :meth:`Ground.account`. ``breaks``: what it breaks (empty in legal steps).
    ``rounding``: what is spent is rounded up before ``cost`` is paid; the ground's account leaves it out.
    ``passing``: what the log shows of the mover at a waypoint or the target is not yet so (it faces
    another way, is not aboard): such a stop in ``to`` is not met by this step, only by one that follows.
    """

    to: str
    cost: int
    tag: Tag = START
    stops: Breach | None = None
    whole: bool = False
    way: Any = None
    breaks: tuple[Breach, ...] = ()
    rounding: Rounding | None = None
    passing: bool = False


@dataclass(frozen=True, slots=True)
class Doubt:
    """A fact not known that bears on a step: ``weight`` says by how much, in MPs (None: it may prohibit)."""

    unknown: Unknown
    weight: Fraction | None = None


@dataclass(frozen=True, slots=True)
class Account:
    """What one step costs, charge by charge, and what is not known of it. ``units``: whose presence
    it rests on (fog of war)."""

    charges: tuple[Charge, ...]
    doubts: tuple[Doubt, ...] = ()
    units: tuple[str, ...] = ()


class Ground(Protocol):
    """The board as one mover finds it in one world."""

    @property
    def least(self) -> int:
        """No step into another hex costs less than this (1/scale MP)."""
        ...

    def steps(self, hex_name: str, tag: Tag, /) -> Sequence[Step]:
        """The steps open from a hex, none of which breaks anything."""
        ...

    def relaxed(self, hex_name: str, tag: Tag, /) -> Sequence[Step]:
        """All steps from a hex, each with what it breaks."""
        ...

    def account(self, hex_name: str, tag: Tag, step: Step, /) -> Account:
        """The charges of one of these steps, amounts as far as known."""
        ...


@dataclass(frozen=True, slots=True)
class Policy:
    """What a mover may do when the allowance does not suffice.

    ``minimum_move``: clause by which it may always enter one hex as its sole step; '' if none.
    ``overdraft``: what must be left (MPs) for a last step that may cost more (on credit, by
    ``overdraft_clause``); None: none may. ``excess``: how many MPs more, as far as known (None: any
    number; a marker that must be there and shows them is a bound): favourable up to ``hi``, adverse up to
    ``lo``; ``excess_doubts`` would make it exact. ``excess_clause`` is cited where only this is too little,
    ``Budget.clause`` where too little was left before the last step.
    """

    minimum_move: str = ""
    overdraft: Fraction | None = None
    overdraft_clause: str = ""
    excess: Amount | None = None
    excess_clause: str = ""
    excess_doubts: tuple[Doubt, ...] = ()


@dataclass(frozen=True, slots=True)
class Quota:
    """Something of which all units together have so much in a phase: ``most`` of ``name`` (said as in
    "need at least 4 intrinsic trucks of the 99th"; the same name is the same quota), by ``clause``.
    ``doubts``: what would make ``most`` exact."""

    name: str
    most: Amount
    clause: str
    doubts: tuple[Doubt, ...] = ()


class Draw(NamedTuple):
    """What a mover takes of a quota by moving so in a phase, however far."""

    quota: Quota
    amount: Fraction = Fraction(1)


@dataclass(frozen=True, slots=True)
class Budget:
    """What a mover may spend: ``amount`` None: not limited. ``clause`` is cited when it is exceeded;
    ``stages`` say how the amount came about, as (clause, reason) pairs; ``doubts`` what keeps it from
    being exact. ``draws``: what it takes of quotas besides: a unit that no other mover takes where it
    went is counted, see :mod:`.quotas`."""

    amount: Amount | None
    clause: str
    unit: str = "MP"
    policy: Policy = field(default_factory=Policy)
    stages: tuple[tuple[str, str], ...] = ()
    doubts: tuple[Doubt, ...] = ()
    draws: tuple[Draw, ...] = ()


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
    def perhaps_barred(self) -> tuple[Doubt, ...]:
        """Facts not known by which it might be forbidden to move at all."""
        ...

    def ground(self, world: World, /) -> Ground: ...


@dataclass(frozen=True, slots=True)
class Assumption:
    """One completion of one fact."""

    unknown: Unknown
    value: str


@dataclass(frozen=True, slots=True)
class Scenario:
    """One completion of the discrete facts not known of the unit that moves. ``movers``: the forms it
    may choose from; none: it has no way to move that these rules judge."""

    movers: tuple[Mover, ...]
    assumptions: tuple[Assumption, ...] = ()


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What a unit moves under. ``moving``: all units of the move: none of them is in another's way.
    ``forms``: the movement forms open to it. ``move``: the move itself as the log shows it, for rules
    about what was seen on the way; None where there is none to show. ``noticed``: the ruleset adds units
    that not everyone may know of and that bear on any way looked at: what is said of the move is for
    those who may."""

    situation: Situation
    moving: tuple[str, ...]
    forms: tuple[str, ...] = ("",)
    noticed: set[str] = field(default_factory=set, compare=False)
    move: Move | None = None


@dataclass(frozen=True, slots=True)
class Measure:
    """Something stacking counts: units that meet all of ``counted`` and none of ``exempt``, each as
    much as its attribute ``size`` says (empty: 1). ``doubted``: units that meet all of it count only by one
    reading of the rules; ``doubt`` asks which holds."""

    name: str = "units"
    size: str = ""
    counted: tuple[Requirement, ...] = ()
    exempt: tuple[Requirement, ...] = ()
    doubted: tuple[Requirement, ...] = ()
    doubt: Unknown | None = None


@dataclass(frozen=True, slots=True)
class StackingLimit:
    """How much may be stacked in a hex with any of ``terrains`` (terrain or feature; empty: any hex).

    ``bounds``: alternatives; each has one number per measure, None for no limit. A stack is within the
    limit if it is within any alternative. ``clauses``: the clause of each, empty: that of the rule."""

    bounds: tuple[tuple[Fraction | None, ...], ...]
    terrains: tuple[str, ...] = ()
    clauses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class StackingRule:
    """How many of one side's units may be in a hex. Of ``limits`` the first that fits the hex counts;
    none fits: no limit. ``checked`` is what the rules say of when; nobody is accused before the phase is
    over either way, since what stands too high in it may still be put right."""

    clause: str
    measures: tuple[Measure, ...]
    limits: tuple[StackingLimit, ...]
    checked: Literal["move-end", "phase-end"] = "move-end"


@dataclass(frozen=True, slots=True)
class OrderRule:
    """``resume``: may a unit move again in a phase after another has moved (``clause``: forbids it)?
    Its MPs of all parts count together. ``exempt``: who may perhaps do so all the same (it is not
    verifiable then). ``apart``: whose moves interrupt nobody's. ``dropped``: clause by which a unit that
    its stack has left behind may not move on, '' if it may. ``ranks``: form → (rank, clause) where forms
    follow on one another in a phase: moves then come with the forms open to them
    (:class:`~.openings.Opened`). ``unranked``: phases in which they follow in any order;
    ``perhaps_ranked``: phases in which a reading decides that; ``interleaved``: the question whether a
    unit may be moved on after others have begun by a later form, None if it may."""

    clause: str = ""
    resume: bool = True
    exempt: tuple[Requirement, ...] = ()
    apart: tuple[Requirement, ...] = ()
    dropped: str = ""
    ranks: Mapping[str, tuple[int, str]] = field(default_factory=lambda: MappingProxyType({}))
    unranked: frozenset[str] = frozenset()
    perhaps_ranked: Mapping[str, Unknown] = field(default_factory=lambda: MappingProxyType({}))
    interleaved: Unknown | None = None


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
class Further(Protocol):
    """Rules in force that find more than a path search can: over a whole phase, or in what happened
    besides moves. The audit asks any :class:`RulesInForce` that has it, as one more check."""

    def further(self, tracks: Sequence[Track], /) -> Iterable[Finding]:
        """What is found in all the moves of a game, in the order of their first steps; only those that
        count (:attr:`Track.counts`) are movement."""
        ...


@runtime_checkable
class Entries(Protocol):
    """Rules in force by which a unit that came onto the map in a phase pays for it."""

    def entered(self, unit: str, event: int, /) -> Amount | None:
        """What ``unit`` had spent on coming onto the map before it was dragged on, by the event of that
        index; None if that is not known."""
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
