"""What an audit says: verdicts on moves, and findings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import ClassVar, Literal

from .bill import Bill
from .coverage import NO_MOVEMENT, NO_PLACE, Coverage
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
OF_MOVES: tuple[FindingKind, ...] = ("illegal-move", "missed-mp-cost")
"""The kinds of findings that judge a single move."""
ACCUSING: tuple[FindingKind, ...] = ("illegal-move", "overstack", "missed-mp-cost")
"""The kinds of findings that accuse somebody, in the order of reports."""
GRAVITY: dict[Verdict, int] = {"legal": 0, "unverifiable": 1, "illegal": 2}
"""The order of verdicts: the verdict on a whole is the gravest of those on its parts."""
ClauseStatus = Literal["enforced", "declared", "not-observable", "definition"]


@dataclass(frozen=True, slots=True)
class Reading:
    """The ways to read a rule whose text is ambiguous: the ``option`` of a pack that settles it, its
    ``choices`` and their ``default``."""

    option: str
    question: str
    choices: tuple[str, ...]
    default: str


@dataclass(frozen=True, slots=True, repr=False)
class Clause(Short):
    """A rule as a finding cites it: ``id`` is stable (``GEN-STACKING``), ``text`` is in our words.

    ``reason``: why it is not enforced. ``needs``: what must be known to check it. ``unverifiable``: what
    leaves it open. ``readings``: the ambiguities of its text.
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
        turn = f"turn {self.turn}" if self.turn and self.turn.isdigit() else self.turn
        parts = [p for p in (turn, self.phase, self.active) if p]
        return ", ".join(parts) if parts else "phase not known"


@dataclass(frozen=True, slots=True, repr=False)
class Move(Short):
    """Displacements of one unit, or of units dragged together, that form one movement.

    ``waypoints``: the hexes where it was put down, origin and target included. ``binding``: for each
    waypoint, whether something witnessed the stop. ``taken_back``: the step that took the move back; None:
    none did. ``resumed``: an earlier move of the phase moved the same unit. ``goes_on``: one of its units
    is, or may be, moved on in the phase, so it need not end in this hex. ``company``: all units that were
    dragged with its units and are, or may be, of their side.
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
        """``actor``, the side whose player moved them, under its name in the tables of an audit."""
        return self.actor


@dataclass(frozen=True, slots=True)
class Overdrawn:
    """How far a move exceeds its ordinary ``form`` by the pack's charts, with everything else in its favour.
    ``bill``: the cheapest way by ``form`` through every place where the counter was put down. ``forms``:
    other forms that it may have used, within their allowance. ``stops``: hexes that it may not have
    entered; without them ``form`` is enough."""

    form: str
    bill: Bill
    forms: tuple[str, ...] = ()
    stops: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, repr=False)
class JudgedMove(Short):
    """A move and its verdict.

    ``path``: the cheapest path found, hex by hex; empty: no search was made. ``bill``: its bill.
    ``unknowns``: the facts that would decide an unverifiable move. ``remark``: one line for a person.
    ``judged`` False: no movement was judged (removal, reinforcement, taken back); ``remark`` says why.
    ``before``: ids of the moves of the phase that were counted together with it. ``unplaced``: not judged
    because the pack does not name a place that it entered or left. ``overdrawn``: how far it exceeds its
    ordinary form; None: it does not, or this is not known. It is not an accusation.
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
        """How many times a piece was put down in this move."""
        return len(self.move.units) * max(1, len(self.move.waypoints) - 1)


@dataclass(frozen=True, slots=True, repr=False)
class Finding(Short):
    """One result that a person should look at. ``code`` is stable; ``clause`` is the rule's id (the same as
    code for rule findings). ``units`` are unit ids, ``names`` their names as everyone may see them.
    ``side``: of the player who did it, or of the units if that is not known. ``follows_from``: index of the
    move whose finding caused this one. ``remedy``: what would make it legal or decide it. ``others``: ids
    of other units that it depends on, if the ruleset names them. ``looked``: sentences that name who looked
    at the cells of its bill, if the pack keeps records; empty: not known."""

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
    """A finding that would exist if suggested cells were right. It is never counted as a finding.
    ``cells``: the suggestions that it depends on; a look at them decides it. ``look``: hexes whose cut-out
    of the map decides it, if it depends on cells that no person has looked at."""

    finding: Finding
    cells: tuple[Suggestion, ...]
    look: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ChatTold:
    """A line that a player typed into the chat, as reports show it."""

    at: StepRef
    player: str
    text: str


@dataclass(frozen=True)
class Audit:
    """The result of auditing one game: everything a report needs. ``ruleset`` empty: no rules were applied;
    the audit only lists what was done. If nothing is decided, ``chat`` holds the typed lines and
    ``next_step`` what to do.

    ``names``: by unit id, the names of the units of ``moves`` as everyone may see them. ``suspicions``:
    findings that would exist if the suggested board and phases were right. ``numbers``: chart numbers that
    make moves illegal; a cheaper value would allow these moves. ``off``: clauses that the pack switches off.
    ``integrity``: how the game was played, as far as the reader may know; None: not requested.
    ``revealed``: what was concealed, for readers who may know everything; None: not requested.
    ``rulings``: rulings from the game's folder; None: the game has no folder. ``unjudged``: as
    :attr:`.game.Game.unjudged`. ``unlooked``: as :attr:`.coverage.Coverage.unlooked`. ``unseen``: no record
    shows that a person looked at any cell of the board, so nothing that depends on the board is an
    accusation. ``measured``: the coverage, if ``moves`` holds more than it counts; None: that of ``moves``.
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
        """This audit with ``of`` applied to every missing fact."""
        return replace(
            self,
            moves=tuple(replace(m, unknowns=tuple(map(of, m.unknowns))) for m in self.moves),
            findings=tuple(replace(f, unknowns=tuple(map(of, f.unknowns))) for f in self.findings),
        )

    @cached_property
    def coverage(self) -> Coverage:
        """Which drags on a map were judged."""
        return self.measured or coverage_of(self.moves, self.unjudged, self.unlooked)


def coverage_of(
    moves: Iterable[JudgedMove], others: Mapping[str, int], unlooked: tuple[str, ...] = ()
) -> Coverage:
    """The coverage of an audit. ``others``: by reason, drags of pieces that no move of ``moves`` contains."""
    verdicts = {"legal": 0, "illegal": 0, "unverifiable": 0}
    unjudged, passed, phaseless = dict(others), 0, 0
    for one in moves:
        drags = one.drags
        if one.judged or one.unknowns:
            verdicts[one.verdict] += drags
            if one.verdict == "unverifiable" and one.move.phase.phase is None:
                phaseless += drags
        elif one.unplaced:
            unjudged[NO_PLACE] = unjudged.get(NO_PLACE, 0) + drags
        elif one.form and one.form not in NO_MOVEMENT:
            unjudged[one.remark] = unjudged.get(one.remark, 0) + drags
        else:
            passed += drags
    return Coverage(
        verdicts["legal"],
        verdicts["illegal"],
        verdicts["unverifiable"],
        phaseless,
        MappingProxyType(unjudged),
        passed,
        unlooked,
    )
