"""What an audit says: verdicts on moves, and findings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import ClassVar, Literal

from .bill import Bill
from .coverage import Coverage, coverage_of
from .fact import MissingFact
from .game import Place, Source, StepRef
from .integrity import Integrity
from .problem import Problem
from .procedure import Rulings
from .reveal import Revealed
from .short_repr import Short
from .suspect import Changed, Suspect
from .vouching import Suggestion

Verdict = Literal["legal", "illegal", "unverifiable"]
FindingKind = Literal["illegal-move", "overstack", "missed-mp-cost", "unverifiable", "note"]
ClauseStatus = Literal["enforced", "declared", "not-observable", "definition"]


@dataclass(frozen=True, slots=True)
class Reading:
    """A rule that can be read in more than one way: the ``option`` of a pack that settles it, and the
    ``default`` of its ``choices``."""

    option: str
    question: str
    choices: tuple[str, ...]
    default: str


@dataclass(frozen=True, slots=True, repr=False)
class Clause(Short):
    """A rule as a finding cites it: ``id`` is stable (``GEN-STACKING``), ``text`` is in our words.

    ``reason``: why its status is less than enforced. ``needs``: what must be known to check it.
    ``unverifiable``: what leaves it open. ``readings``: where it can be read in more than one way.
    """

    shown: ClassVar = ("id", "title", "text")

    id: str
    title: str
    text: str
    kind: str = "rule"
    status: ClauseStatus = "enforced"
    reason: str = ""
    needs: tuple[str, ...] = ()
    unverifiable: tuple[str, ...] = ()
    readings: tuple[Reading, ...] = ()


@dataclass(frozen=True, slots=True)
class PhaseView:
    """Turn, phase and active side at a step, as far as known."""

    turn: str | None = None
    phase: str | None = None
    active: str | None = None

    def __str__(self) -> str:
        parts = [p for p in (self.turn, self.phase, self.active) if p]
        return ", ".join(parts) if parts else "phase not known"


@dataclass(frozen=True, slots=True, repr=False)
class Move(Short):
    """Displacements of one unit, or of units dragged together, taken as one movement.

    ``waypoints``: the hexes where it was put down on the way, origin and target included.
    ``binding``: for each waypoint, whether something witnessed the stop. ``taken_back``: the step that
    took it back, if one did. ``resumed``: the same unit was moved by another move in this phase before.
    ``goes_on``: one of its units is, or may be, moved on in the phase: it need not end where it lies.
    ``company``: all units that were dragged together with its units and are, or may be, of their side.
    """

    shown: ClassVar = ("id", "origin", "target", "actor", "units", "steps")

    id: int
    units: tuple[str, ...]
    origin: Place
    target: Place
    waypoints: tuple[Place, ...]
    binding: tuple[bool, ...]
    steps: tuple[StepRef, ...]
    phase: PhaseView
    actor: str | None = None
    player: str = ""
    taken_back: StepRef | None = None
    resumed: bool = False
    goes_on: bool = False
    company: frozenset[str] = frozenset()

    @property
    def side(self) -> str | None:
        """``actor``, the side whose player moved them, as the tables of an audit call it."""
        return self.actor


@dataclass(frozen=True, slots=True)
class Overdrawn:
    """How far a move goes beyond what its ordinary form allows, by the charts as the pack has them and with
    all else in its favour. ``bill``: of the cheapest way by ``form`` through every place where the counter
    was put down. ``forms``: other forms that it may have used, within their allowance. ``stops``: hexes in
    which it perhaps never was, and without which ``form`` is enough."""

    form: str
    bill: Bill
    forms: tuple[str, ...] = ()
    stops: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, repr=False)
class JudgedMove(Short):
    """A move and what can be said of it.

    ``path``: the cheapest path found, hex by hex, empty if none was looked for. ``bill``: its bill.
    ``unknowns``: the facts that would decide an unverifiable move. ``remark``: one line for a person.
    ``judged`` False: no movement was judged (removal, reinforcement, taken back), ``remark`` says why.
    ``before``: ids of the moves of the phase that it was counted together with. ``unplaced``: it was not
    judged since the pack does not name a place that it came to or left. ``overdrawn``: how far it goes beyond
    its ordinary form; None if it does not, or nobody knows. That accuses nobody.
    """

    shown: ClassVar = ("verdict", "form", "path", "bill", "remark")

    move: Move
    verdict: Verdict
    path: tuple[str, ...] = ()
    bill: Bill | None = None
    unknowns: tuple[MissingFact, ...] = ()
    remark: str = ""
    form: str = ""
    judged: bool = True
    before: tuple[int, ...] = ()
    unplaced: bool = False
    overdrawn: Overdrawn | None = None

    @property
    def drags(self) -> int:
        """How many times a piece was put down in it."""
        return len(self.move.units) * max(1, len(self.move.waypoints) - 1)


@dataclass(frozen=True, slots=True, repr=False)
class Finding(Short):
    """One thing to look at. ``code`` is stable; ``clause`` the rule's id (the same as code for rule
    findings). ``units`` are unit ids, ``names`` what everyone may call them. ``side``: of the player who
    did it, or of the units where that is not known. ``follows_from``: index of the move whose finding
    this one only follows from. ``remedy``: what would make it legal, or what would decide it. ``others``: ids
    of other units that it depends on, as far as a ruleset says. ``looked``: sentences on which persons looked
    at the cells that its bill rests on, where the pack keeps records; empty: not known."""

    shown: ClassVar = ("kind", "clause", "names", "hexes", "explanation")

    code: str
    clause: str
    kind: FindingKind
    verdict: Verdict
    units: tuple[str, ...]
    names: tuple[str, ...]
    hexes: tuple[str, ...]
    steps: tuple[StepRef, ...]
    explanation: str
    player: str = ""
    side: str | None = None
    phase: PhaseView = field(default_factory=PhaseView)
    bill: Bill | None = None
    unknowns: tuple[MissingFact, ...] = ()
    remedy: str = ""
    moves: tuple[int, ...] = ()
    follows_from: int | None = None
    others: tuple[str, ...] = ()
    looked: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Suspicion:
    """What would be found if some cells were as they are suggested: no finding, and never counted as one.
    ``cells``: the suggestions that bear on it; whoever looks at them knows. ``look``: the hexes of the
    cut-out of the map that decides it, if it rests on what no person has looked at."""

    finding: Finding
    cells: tuple[Suggestion, ...]
    look: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ChatTold:
    """A line that a player typed into the chat, as a reader is told of it."""

    at: StepRef
    player: str
    text: str


@dataclass(frozen=True)
class Audit:
    """The result of auditing one game: everything a report needs. ``ruleset`` empty: no rules were applied,
    and it tells what was done alone. Where nothing is decided, ``chat`` holds what was typed, and
    ``next_step`` what to do about it.

    ``names``: what everyone may call a unit, by its id, for the units of ``moves``. ``suspicions``: what
    would be found if all that is suggested of the board and the phases were so. ``numbers``: numbers of the
    charts by which moves are illegal that a cheaper value allows. ``off``: the clauses that the
    pack switches off. ``integrity``: what its reader may know of how the game was played; None: nobody asked.
    ``revealed``: what was concealed in it, for those who may know all; None: nobody asked.
    ``rulings``: what the folder of the game says of its offences; None: it is not kept in one. ``unjudged``:
    as :attr:`.game.Game.unjudged`. ``unlooked``: as :attr:`.coverage.Coverage.unlooked`. ``unseen``: no
    person is recorded to have looked at anything of the board, so that nobody is accused of what rests on it.
    ``measured``: the coverage, where ``moves`` holds more than it counts; None: that of ``moves``.
    """

    title: str
    ruleset: str
    ruleset_version: str
    sources: tuple[Source, ...]
    moves: tuple[JudgedMove, ...]
    findings: tuple[Finding, ...]
    clauses: dict[str, Clause] = field(default_factory=dict)
    readings: dict[str, str] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()
    names: dict[str, str] = field(default_factory=dict)
    suspicions: tuple[Suspicion, ...] = ()
    off: tuple[str, ...] = ()
    suspects: tuple[Suspect, ...] = ()
    numbers: tuple[Suspect, ...] = ()
    changed: tuple[Changed, ...] = ()
    integrity: Integrity | None = None
    revealed: Revealed | None = None
    rulings: Rulings | None = None
    unjudged: Mapping[str, int] = field(default_factory=dict)
    unlooked: tuple[str, ...] = ()
    unseen: bool = False
    chat: tuple[ChatTold, ...] = ()
    next_step: str = ""
    measured: Coverage | None = None

    @property
    def is_ruled(self) -> bool:
        """Whether any rules were applied."""
        return bool(self.ruleset)

    def asking(self, of: Callable[[MissingFact], MissingFact]) -> Audit:
        """The same with other questions: each as ``of`` makes it."""
        return replace(
            self,
            moves=tuple(replace(m, unknowns=tuple(map(of, m.unknowns))) for m in self.moves),
            findings=tuple(replace(f, unknowns=tuple(map(of, f.unknowns))) for f in self.findings),
        )

    @cached_property
    def coverage(self) -> Coverage:
        """Which drags on a map were judged."""
        return self.measured or coverage_of(self.moves, self.unjudged, self.unlooked)
