"""The events of the current phase up to a move: where units began it, which modes changed, where dice were
rolled."""

from __future__ import annotations

from ....model.fact import Fact
from ....model.finding import Move
from ....model.game import Displacement, Place, StateChange, Witness
from ...ruleset import Situation
from ...timeline import Timeline
from ...tracker import interrupts
from .units import Late

NEVER = (0, 0)
"""A span without events."""


class UnitHistory:
    """The current phase of a game, with its parts before an interruption (see :meth:`.Timeline.spell`). The
    audit goes forward, so each event is read once.

    Call :meth:`so_far` before anything else. ``began``: unit → where it was before its first displacement
    in the phase; ``left``: (unit, place) for each displacement, with the place it left; ``modes``: units
    whose mode was changed; ``rolled``: whether a die was rolled, but for combat that interrupts the phase;
    ``stood``: hex → units that came there in the phase and lay there while such a die was rolled.
    """

    def __init__(self) -> None:
        self.began: dict[str, Place] = {}
        self.left: list[tuple[str, Place]] = []
        self.modes: set[str] = set()
        self.rolled = False
        self.stood: dict[str, set[str]] = {}
        self._lies: dict[str, str | None] = {}
        self._timeline: Timeline | None = None
        self._phase = -1
        self._read = 0
        self._first: dict[int, int] = {}

    def so_far(self, situation: Situation) -> UnitHistory:
        """This history, read on to the moment of ``situation``; unchanged if it has no timeline."""
        timeline = getattr(situation, "timeline", None)
        if not isinstance(timeline, Timeline):
            return self
        phase = timeline.spell(situation.at)
        end = timeline.first_event(situation.at)
        if timeline is not self._timeline or phase != self._phase or end < self._read:
            if timeline is not self._timeline or end < self._read:
                self._first, self._read = {}, 0
            start = self._first.setdefault(phase, self._read)
            self._timeline, self._phase, self._read = timeline, phase, start
            self.began, self.left, self.modes, self.rolled = {}, [], set(), False
            self.stood, self._lies = {}, {}
        for index in range(self._read, end):
            at = timeline.step_of(index)
            if timeline.spell(at) == phase:
                begun = timeline.phase_start(at)
                combat = begun is not None and interrupts(begun)
                self._note(situation.game.events[index], combat=combat)
        self._read = end
        return self

    @property
    def timeline(self) -> Timeline | None:
        """The timeline of the last call of :meth:`so_far`; None before that."""
        return self._timeline

    def is_old(self, said: Fact, key: str, unit: str = "") -> bool:
        """Whether a condition already held when the previous phase ended, with none declared from a step of
        this phase on: it may then concern the earlier phase."""
        timeline = self._timeline
        if timeline is None:
            return False
        told = (c for c in timeline.game.conditions if c.key == key and c.unit == unit)
        if any(c.first.step and timeline.spell(c.first) == self._phase for c in told):
            return False
        index = self._first.get(self._phase, 0)
        while index < self._read and timeline.spell(timeline.step_of(index)) != self._phase:
            index += 1
        return index > 0 and timeline.condition(key, timeline.step_of(index - 1), unit) == said

    def late(self, situation: Situation, move: Move | None) -> tuple[int, int]:
        """The half-open span of events after a move during which an attribute may still be set late: until
        a die is rolled, another player acts, the phase ends or the log ends. :data:`NEVER` if no attribute
        changes in it. Players often correct markers after dragging their counters."""
        timeline = self._timeline
        if timeline is None or move is None:
            return NEVER
        start = timeline.end_event(move.steps[-1])
        first = timeline.next_change(start)
        if first is None:
            return NEVER
        events = situation.game.events
        end = start
        while end < len(events) and not self._is_seen(timeline, end, events[end], move):
            end += 1
        return (start, end) if first < end else NEVER

    def marked_late(self, span: tuple[int, int]) -> Late:
        """A function that gives the changes of a unit's attribute in the span of :meth:`late`."""
        timeline, (start, end) = self._timeline, span
        if timeline is None or start == end:
            return lambda _unit, _attribute: []
        return lambda unit, attribute: timeline.changes(unit, attribute, start, end)

    def states(self, unit: str, span: tuple[int, int]) -> tuple[int, int]:
        """State numbers of a unit at both ends of a span: they differ if anything was changed of the unit
        in it."""
        timeline, (start, end) = self._timeline, span
        if timeline is None or start == end:
            return 0, 0
        return timeline.states(unit, start), timeline.states(unit, end)

    def _is_seen(self, timeline: Timeline, index: int, event: object, move: Move) -> bool:
        if isinstance(event, Witness):
            return event.kind in ("roll", "other-side", "log-end")
        if timeline.spell(timeline.step_of(index)) != self._phase:
            return True
        actor = event.actor if isinstance(event, Displacement | StateChange) else None
        return None not in (actor, move.actor) and actor != move.actor

    def _note(self, event: object, *, combat: bool) -> None:
        if isinstance(event, Displacement):
            self.began.setdefault(event.unit, event.origin)
            self.left.append((event.unit, event.origin))
            self._lies[event.unit] = event.target.hex
        elif isinstance(event, StateChange) and event.attribute == "mode":
            self.modes.add(event.unit)
        elif isinstance(event, Witness) and event.kind == "roll" and not combat:
            self.rolled = True
            for unit, name in self._lies.items():
                if name is not None:
                    self.stood.setdefault(name, set()).add(unit)
