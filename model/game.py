"""A game as the rules see it: a board, units, and what happened to them, step by step.

This is the analysis format in memory (``schemas/analysis.json`` is its published form). It is made from
VASSAL files and an audit pack, or written by hand, or by another program; the validators know nothing
else. All events stand in the order in which they happened.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any, ClassVar, Literal, NamedTuple

from .board import Board
from .boards import BoardChange, Boards, Span
from .fact import UNKNOWN, Fact
from .provenance import Key
from .relations import Attitude, Pair, Relation, attitudes, pair
from .seen import board_as_seen, change_as_seen
from .short_repr import Short
from .unit import Unit
from .vouching import Suggestion, as_suggested


class StepRef(NamedTuple):
    """A step of a log: ``log`` counts the logs of the game from 1, ``step`` the steps of that log
    from 1 as VASSAL's "Step forward" does; step 0 is the position the log opens with."""

    log: int
    step: int

    def __str__(self) -> str:
        return f"{self.log}:{self.step}"

    @property
    def said(self) -> str:
        """As a sentence has it: ``step 6 of log 1``."""
        return f"step {self.step} of log {self.log}"


@dataclass(frozen=True, slots=True)
class Place:
    """Where a unit is: in a hex of the board, in a named box off the board, or nowhere (``name`` is
    empty: not on any map). ``unclear``: on a map, but where exactly cannot be told (off the grid)."""

    kind: Literal["hex", "box", "nowhere", "unclear"]
    name: str = ""

    @property
    def hex(self) -> str | None:
        return self.name if self.kind == "hex" else None

    def __str__(self) -> str:
        return self.name or ("off the map" if self.kind == "nowhere" else "an unclear place")


NOWHERE = Place("nowhere")

_MOST_BOARDS = 12
"""On so many of its boards a game is kept: it is mostly read forward."""

Cause = Literal["drag", "key", "appearance", "removal", "undo", "reseated"]


@dataclass(frozen=True, slots=True)
class Displacement:
    """One unit was put somewhere else in one step.

    ``group``: units with the same group and step were dragged together (a stack, or a selection).
    ``cause``: ``drag`` by a player's hand, ``key`` by a command of the piece (send to location), ``undo``,
    ``appearance`` and ``removal`` it came into or left the game, ``reseated`` it lies elsewhere at the
    opening of a log (step 0) than at the end of the one before: nobody's move, see :class:`Gap`.
    ``cancels``: the step whose displacement an undo took back. ``actor``: the side whose player did
    it, None if not known; ``player``: the player's label, never an id. ``why``: of an undo that left it
    on no map, what it did; else empty.
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

    ``certain`` False: read off something that players forget to keep up (a turn tracker nobody must
    click); good for a remark, never for an accusation. ``declared``: somebody wrote down that these steps
    are of this phase, so that nothing said before or after casts doubt on it. ``last``: the step with
    which the phase is over; None: not known. ``combat`` True: these steps were combat within a phase of
    movement; False: dice that are rolled in them belong to the phase; None: nothing is said.
    ``suggested``: nobody has looked at it yet, and it is not certain for that reason alone.
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
    line. A move taken back after a witness stays made. ``actor``: the side that did it, of a roll the side
    of the player whom its report names; None if not known."""

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

    ``movers``: whose units may move by the rules. ``forms``: the movement forms open in the phase;
    ``complete``: a displacement in this phase can be nothing else than one of them (for units of the
    classes in ``complete_for``, if that is not empty). Only then is it judged. ``dice``: that holds too
    where dice are rolled or the other side's units stir; False: those steps may have been combat.
    """

    name: str
    movers: Literal["active", "inactive", "both", "none", "unknown"] = "unknown"
    forms: tuple[str, ...] = ()
    complete: bool = False
    complete_for: tuple[str, ...] = ()
    dice: bool = True


MOVEMENT, OTHER = "movement", "other"
"""What a displacement may be said to have been in any game, whatever forms it has: movement by one of the
forms of the phase that are judged, or no movement at all (a retreat, a correction)."""


@dataclass(frozen=True, slots=True)
class MovementForm:
    """A way of getting about: ``march`` is judged by the ruleset, rail or air or retreat perhaps not
    (``judged`` False: a displacement that may be of this form cannot be verified).

    ``units``: attribute → values a unit must have to use the form; empty: all may.
    """

    name: str
    judged: bool = True
    units: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True, slots=True)
class Condition:
    """A fact about the game (weather, supply) that holds from ``first`` to ``last`` (None: the end).

    ``unit`` empty: it holds for all; else for that unit alone.
    """

    key: str
    fact: Fact
    first: StepRef
    last: StepRef | None = None
    unit: str = ""


@dataclass(frozen=True, slots=True, repr=False)
class Source(Short):
    """A file that the game was read from: its name without folders, what it is, its SHA-256. ``vouched_by``:
    who vouches for a pack, "": it does not say; ``assumes``: what a pack takes for granted without a
    source; ``power``: how many moves that go too far it finds, as whoever made it worked out; "": it does
    not say."""

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
    """The ruleset and how it is set: ``tables`` are charts the pack supplies or overrides (plain JSON
    values), ``options`` settle open readings, ``off`` are clauses switched off by house rule.

    ``complete``: the charts of the tables (``terrain``, ``zoc`` …; each ruleset names its own) that are
    known whole. What is absent from one of them does not exist in the game; what is absent from another
    is not known. None: all are whole, as in conformance cases and analysis documents of version 1.
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
    """Everything the validators know. ``opening``: where each unit is before the first step, and in
    ``stacks`` nothing is kept: units in one hex are together. ``integrity``: steps that do not follow
    from the table before them, one line each, by step. ``suggestions``: what is recorded of the board
    but does not count as known, see :meth:`as_suggested`. ``relations``: which sides are friends or
    neutral, as far as it is said; see :meth:`relation`. ``unjudged``: by reason (:mod:`.coverage`), how many
    times everyone saw a piece moved of which no rule can say anything. ``nameless``: the places, of those
    that units came to or left, that the pack calls neither hexes nor boxes. ``seen``: the
    facts of the board that a person has looked at; nobody is accused by others, see :meth:`as_seen`. None:
    whoever made the pack vouches for all that is known. ``is_part``: it was written down as one viewer sees
    it, and what is hidden from him is not at hand: nobody is accused on it."""

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
        """What is declared of a phase in which no unit is displaced but by movement; None: it is no such."""
        rule = self.phases.get(name or "")
        return rule if rule is not None and rule.complete and not rule.complete_for else None

    def relation(self, a: str | None, b: str | None) -> Attitude | None:
        """What side ``a`` is to side ``b``; None: not known. So it is where one of them is not known, or is
        none of the game's sides and nothing is said of it: a neutral, perhaps, or a misspelling."""
        if a is None or b is None:
            return None
        return "friend" if a == b else self._attitudes.get(pair(a, b))

    @cached_property
    def _attitudes(self) -> Mapping[Pair, Attitude]:
        """What is known of each two sides that differ. Of more than two, only those with units fight."""
        present = {u.side for u in self.units.values() if u.kind == "unit" and u.side is not None}
        if self.sides:
            present &= {*self.sides, *(side for r in self.relations for side in r.sides)}
        every = attitudes(self.relations, sorted({*present, *self.sides}))
        if len(self.sides) == 2:
            return every
        seen = attitudes(self.relations, sorted(present))
        if all(u.kind != "unit" or u.side is not None for u in self.units.values()):
            return seen
        # A unit whose side is not known may be of any of them: of one that is there, or that is not.
        return {two: how for two, how in seen.items() if every.get(two) == how}

    @cached_property
    def boards(self) -> Boards:
        """The boards of the game, :attr:`board` being the first."""
        changes = [(i, e) for i, e in enumerate(self.events) if isinstance(e, BoardChange)]
        return Boards(self.board, changes)

    @property
    def has_suggestions(self) -> bool:
        """Whether anything of the board or the phases is suggested and not yet known, or the pack keeps
        records of who has seen what."""
        starts = (event for event in self.events if isinstance(event, PhaseStart))
        suggested = bool(self.suggestions) or any(event.suggested for event in starts)
        return suggested or self.seen is not None

    def as_seen(self) -> Game:
        """The game as it is if no fact of the board is known that no person has looked at."""
        seen = self.seen
        if seen is None:
            return self
        board = board_as_seen(self.board, seen)
        events = (change_as_seen(e, seen) if isinstance(e, BoardChange) else e for e in self.events)
        return replace(self, board=board, events=tuple(events), seen=None)

    def as_suggested(self) -> Game:
        """The game as it would be if all that is suggested of it were so, and a person had seen it all."""
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
        """The game with the board as the events of index ``first`` to ``last`` find it; a cell that changes
        between them is open. The answer is the same object for the same board."""
        boards = self.boards
        if not boards.change:
            return self
        span = boards.span(first, last)
        if span == (0, 0) and self.board is boards.opening:
            return self
        found = self._games.get(span)
        if found is None:
            while len(self._games) >= _MOST_BOARDS:
                self._games.popitem(last=False)
            found = self._games[span] = replace(self, board=boards.board(span))
            found.__dict__.update(boards=boards, _games=self._games)
        return found

    def span_of(self, other: Game) -> Span | None:
        """Which :meth:`on_board` gave ``other``; None: none of those that are kept."""
        if other is self:
            return 0, 0
        return next((span for span, found in self._games.items() if found is other), None)

    @cached_property
    def _games(self) -> OrderedDict[Span, Game]:
        """This game on its boards, the last that were asked for; shared by all of them."""
        return OrderedDict()

    @cached_property
    def condition_keys(self) -> frozenset[str]:
        """The keys of which :meth:`condition` knows something at some step."""
        return frozenset(self._conditions_of)

    @cached_property
    def _conditions_of(self) -> dict[str, list[Condition]]:
        """The conditions by key, the last first."""
        found: dict[str, list[Condition]] = {}
        for one in reversed(self.conditions):
            found.setdefault(one.key, []).append(one)
        return found

    def condition(self, key: str, at: StepRef, unit: str = "") -> Fact:
        """What is known of ``key`` at a step: the last condition that covers it, a unit's own first."""
        for wanted in (unit, "") if unit else ("",):
            for c in self._conditions_of.get(key, ()):
                holds = c.first <= at and (c.last is None or at <= c.last)
                if holds and c.unit == wanted:
                    return c.fact
        return UNKNOWN
