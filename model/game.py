"""A game as the rules see it: a board, units, and what happened to them, step by step.

This is the analysis format in memory (``schemas/analysis.json`` is its published form). It comes from
VASSAL files and an audit pack, from a hand-written file or from another program. Validators read nothing
else. Events are in the order in which they happened.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any, ClassVar, Literal
from weakref import ref

from .board import Board
from .boards import BoardChange, Boards, Span
from .boards import StepRef as StepRef
from .fact import UNKNOWN, Fact
from .provenance import Key
from .relations import Attitude, Pair, Relation, attitudes, pair
from .seen import board_as_seen, change_as_seen
from .short_repr import Short
from .unit import Unit
from .vouching import Suggestion, as_suggested


@dataclass(frozen=True, slots=True)
class Place:
    """Where a unit is: in a hex of the board, in a named box off the board, or nowhere (not on any map;
    ``name`` is empty). ``unclear``: on a map, but its exact place is not known (off the grid)."""

    kind: Literal["hex", "box", "nowhere", "unclear"]
    name: str = ""

    @property
    def hex(self) -> str | None:
        return self.name if self.kind == "hex" else None

    def __str__(self) -> str:
        return self.name or ("off the map" if self.kind == "nowhere" else "an unclear place")


NOWHERE = Place("nowhere")

_MOST_BOARDS = 12
"""How many of its boards a game keeps in memory; events are mostly read forward."""

Cause = Literal["drag", "key", "appearance", "removal", "undo", "reseated"]


@dataclass(frozen=True, slots=True)
class Displacement:
    """One unit was put somewhere else in one step.

    ``group``: units with the same group and step were dragged together (a stack, or a selection).
    ``cause``: ``drag``, a player dragged it; ``key``, a command of the piece (send to location); ``undo``;
    ``appearance`` and ``removal``, it entered or left the game; ``reseated``, its place at the opening of a
    log (step 0) differs from that at the end of the log before: not a move, see :class:`Gap`. ``cancels``:
    the step whose displacement an undo took back. ``actor``: the side whose player did it; None: not
    known. ``player``: the player's label, never an id. ``why``: what an undo did that left the unit on no
    map; else empty.
    """

    at: StepRef
    unit: str
    origin: Place
    target: Place
    group: int = 0
    cause: Cause = "drag"
    actor: str | None = None
    player: str = ""
    cancels: StepRef | None = None
    why: str = ""


@dataclass(frozen=True, slots=True)
class StateChange:
    """An attribute of a unit changed (flipped, marked, spent MPs) in a step."""

    at: StepRef
    unit: str
    attribute: str
    before: Fact
    after: Fact
    actor: str | None = None
    undo: bool = False


@dataclass(frozen=True, slots=True)
class PhaseStart:
    """From this step on (included) the turn, phase and active side are these; None: not known.

    ``certain`` False: read from something that players may forget to update (a turn tracker); good for a
    remark, never for an accusation. ``declared``: a facts file says that these steps are of this phase, so
    statements before or after cast no doubt on it. ``last``: the last step of the phase; None: not known.
    ``combat`` True: these steps were combat within a phase of movement; False: dice rolled in them belong
    to the phase; None: not stated. ``suggested``: not certain only because nobody has looked at it yet.
    """

    at: StepRef
    turn: str | None
    phase: str | None
    active: str | None
    source: str = ""
    certain: bool = True
    declared: bool = False
    last: StepRef | None = None
    combat: bool | None = None
    suggested: bool = False


@dataclass(frozen=True, slots=True)
class Witness:
    """Something that shows others saw the table as it was: a die roll, another side's step, a chat
    line. A move taken back after a witness still counts. ``actor``: the side that did it; for a roll, the
    side of the player in its report; None: not known."""

    at: StepRef
    kind: Literal["roll", "chat", "flip", "other-side", "log-end"]
    text: str = ""
    actor: str | None = None


@dataclass(frozen=True, slots=True)
class Spent:
    """A player declared what a unit spent (a marker, a dynamic property, a chat line)."""

    at: StepRef
    unit: str
    amount: Fact


Event = Displacement | StateChange | PhaseStart | Witness | Spent | BoardChange


@dataclass(frozen=True, slots=True)
class PhaseRule:
    """What may be displaced in a phase, as the pack declares it.

    ``movers``: whose units may move by the rules. ``forms``: the movement forms open in the phase.
    ``complete``: every displacement in this phase has one of these forms (``complete_for``, if not empty:
    of units of these classes). Only such displacements are judged. ``dice``: this also holds for steps with
    dice rolls or displacements of the other side's units; False: such steps may have been combat.
    """

    name: str
    movers: Literal["active", "inactive", "both", "none", "unknown"] = "unknown"
    forms: tuple[str, ...] = ()
    complete: bool = False
    complete_for: tuple[str, ...] = ()
    dice: bool = True


MOVEMENT, OTHER = "movement", "other"
"""What facts may call a displacement in any game: movement by one of the judged forms of the phase, or no
movement at all (a retreat, a correction)."""


@dataclass(frozen=True, slots=True)
class MovementForm:
    """A way to move: march, rail, air, retreat. ``judged`` False: the ruleset does not judge it, and a
    displacement that may be of this form cannot be verified.

    ``units``: attribute → values a unit must have to use the form; empty: all may.
    """

    name: str
    judged: bool = True
    units: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True, slots=True)
class Condition:
    """A fact about the game (weather, supply) that holds from ``first`` to ``last`` (None: the end).

    ``unit``: the only unit for which it holds; empty: it holds for all.
    """

    key: str
    fact: Fact
    first: StepRef
    last: StepRef | None = None
    unit: str = ""


@dataclass(frozen=True, slots=True, repr=False)
class Source(Short):
    """A file that the game was read from: its name without folders, its kind, its SHA-256. The others
    describe a pack. ``vouched_by``: who vouches for it; "": not stated. ``assumes``: what it assumes without
    a source. ``power``: how many moves that go too far it finds, as its author measured; "": not stated."""

    shown: ClassVar = ("kind", "file", "version")

    file: str
    kind: str
    sha256: str
    version: str = ""
    vouched_by: str = ""
    assumes: tuple[str, ...] = ()
    power: str = ""


@dataclass(frozen=True, slots=True)
class Rules:
    """The ruleset and its settings: ``tables`` are charts that the pack supplies or overrides (plain JSON
    values), ``options`` settle ambiguous rules, ``off`` are clauses switched off by house rule.

    ``complete``: the charts (``terrain``, ``zoc`` …; each ruleset names its own) that are known completely.
    Something absent from one of them does not exist in the game; something absent from another chart is
    not known. None: all are complete, as in conformance cases and analysis documents of version 1.
    """

    name: str
    tables: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    options: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    off: tuple[str, ...] = ()
    complete: frozenset[str] | None = None


@dataclass(frozen=True, slots=True)
class Gap:
    """A difference between the end of one log and the opening of the next (continuity)."""

    log: int
    unit: str
    name: str
    before: Place | None
    after: Place | None
    detail: str = ""


@dataclass(frozen=True)
class Game:
    """Everything the validators know. ``opening``: where each unit is before the first step; stacks are not
    kept, units in one hex are together. ``integrity``: by step, one line about each step that does not
    follow from the table before it. ``suggestions``: recorded facts of the board that do not count as
    known, see :meth:`as_suggested`. ``relations``: which sides are friends or neutral, as far as stated; see
    :meth:`relation`. ``unjudged``: by reason (:mod:`.coverage`), how many times everyone saw a piece moved
    that no rule covers. ``nameless``: places that units entered or left and that the pack calls neither
    hexes nor boxes. ``seen``: the facts of the board that a person has looked at; no other fact supports an
    accusation, see :meth:`as_seen`. None: the pack's author vouches for all known facts. ``is_part``: the
    game was written as one viewer sees it, without what is hidden from him; it supports no accusation."""

    title: str
    board: Board
    sides: tuple[str, ...]
    units: Mapping[str, Unit]
    opening: Mapping[str, Place]
    events: tuple[Event, ...]
    rules: Rules
    phases: Mapping[str, PhaseRule] = field(default_factory=lambda: MappingProxyType({}))
    forms: Mapping[str, MovementForm] = field(default_factory=lambda: MappingProxyType({}))
    conditions: tuple[Condition, ...] = ()
    sources: tuple[Source, ...] = ()
    gaps: tuple[Gap, ...] = ()
    integrity: tuple[tuple[StepRef, str], ...] = ()
    relations: tuple[Relation, ...] = ()
    suggestions: tuple[Suggestion, ...] = ()
    unjudged: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    nameless: frozenset[Place] = frozenset()
    seen: frozenset[Key] | None = None
    is_part: bool = False

    def whole_phase(self, name: str | None) -> PhaseRule | None:
        """The rule of a phase in which all displacements of all units are movement; None for other phases."""
        rule = self.phases.get(name or "")
        return rule if rule is not None and rule.complete and not rule.complete_for else None

    def relation(self, a: str | None, b: str | None) -> Attitude | None:
        """What side ``a`` is to side ``b``. None: not known, as for an unknown side, or a side that the game
        does not list and no relation names: it may be neutral, or a misspelling."""
        if a is None or b is None:
            return None
        return "friend" if a == b else self._attitudes.get(pair(a, b))

    @cached_property
    def _attitudes(self) -> Mapping[Pair, Attitude]:
        """The known relation of each two sides. Of more than two sides, only those with units fight."""
        present = {u.side for u in self.units.values() if u.kind == "unit" and u.side is not None}
        if self.sides:
            present &= {*self.sides, *(side for r in self.relations for side in r.sides)}
        every = attitudes(self.relations, sorted({*present, *self.sides}))
        if len(self.sides) == 2:
            return every
        seen = attitudes(self.relations, sorted(present))
        if all(u.kind != "unit" or u.side is not None for u in self.units.values()):
            return seen
        # A unit of unknown side may be of any side: of one with other units, or of one without.
        return {two: how for two, how in seen.items() if every.get(two) == how}

    @cached_property
    def boards(self) -> Boards:
        """The boards of the game, :attr:`board` being the first."""
        changes = [(i, e) for i, e in enumerate(self.events) if isinstance(e, BoardChange)]
        return Boards(self.board, changes)

    @property
    def has_suggestions(self) -> bool:
        """Whether a fact of the board or a phase is suggested but not known, or the pack records who looked
        at what."""
        starts = (event for event in self.events if isinstance(event, PhaseStart))
        suggested = bool(self.suggestions) or any(event.suggested for event in starts)
        return suggested or self.seen is not None

    def as_seen(self) -> Game:
        """The game in which only those facts of the board are known that a person has looked at."""
        seen = self.seen
        if seen is None:
            return self
        board = board_as_seen(self.board, seen)
        events = (change_as_seen(e, seen) if isinstance(e, BoardChange) else e for e in self.events)
        return replace(self, board=board, events=tuple(events), seen=None)

    def as_suggested(self) -> Game:
        """The game as if all suggestions were right and a person had looked at everything."""
        return replace(
            self,
            board=as_suggested(self.board, self.suggestions),
            events=tuple(
                replace(event, certain=True, declared=True, suggested=False)
                if isinstance(event, PhaseStart) and event.suggested
                else event
                for event in self.events
            ),
            suggestions=(),
            seen=None,
        )

    def on_board(self, first: int, last: int) -> Game:
        """The game with the board that holds from event ``first`` to event ``last`` (indices); a cell that
        changes between them is open. Equal boards give the same object."""
        boards = self.boards
        if not boards.change:
            return self
        span, whole = boards.span(first, last), self._whole() or self
        if span == (0, 0) and whole.board is boards.opening:
            return whole
        games = whole._games
        found = games.get(span)
        if found is None:
            while len(games) >= _MOST_BOARDS:
                games.popitem(last=False)
            found = games[span] = replace(whole, board=boards.board(span))
            found.__dict__.update(boards=boards, _whole=ref(whole))
        return found

    def span_of(self, other: Game) -> Span | None:
        """The span for which :meth:`on_board` gave ``other``; None if that game is no longer kept."""
        if other is self:
            return 0, 0
        return next((span for span, found in self._games.items() if found is other), None)

    @cached_property
    def _whole(self) -> ref[Game]:
        """The game that this is on one of its boards, held weakly; else this game."""
        return ref(self)

    @cached_property
    def _games(self) -> OrderedDict[Span, Game]:
        """This game on its boards, the last requested ones."""
        return OrderedDict()

    @cached_property
    def condition_keys(self) -> frozenset[str]:
        """The keys that have a condition at some step."""
        return frozenset(self._conditions_of)

    @cached_property
    def _conditions_of(self) -> dict[str, list[Condition]]:
        """The conditions by key, the last first."""
        found: dict[str, list[Condition]] = {}
        for one in reversed(self.conditions):
            found.setdefault(one.key, []).append(one)
        return found

    def condition(self, key: str, at: StepRef, unit: str = "") -> Fact:
        """The fact about ``key`` at a step: from the last condition that covers it, a unit's own first."""
        for wanted in (unit, "") if unit else ("",):
            for c in self._conditions_of.get(key, ()):
                holds = c.first <= at and (c.last is None or at <= c.last)
                if holds and c.unit == wanted:
                    return c.fact
        return UNKNOWN
