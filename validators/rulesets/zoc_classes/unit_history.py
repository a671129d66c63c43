"""What happened to units before and after a move: the markers put on them and taken off in the phase, the
loss of reserve status (6.B.2), debts paid."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import inf
from typing import NamedTuple

from ....model.fact import UNKNOWN, Fact, MissingFact, between
from ....model.game import Displacement, Game, PhaseStart, Place, StateChange, StepRef
from ...answers import told
from ...concepts import missing_facts
from ...concepts.reactions import may_follow_the_other_side
from ...concepts.sides import is_friend
from ...concepts.unclear_places import perhaps_with
from ...situation import DEAD
from ...situation import Situation as GameSituation
from ...timeline import Timeline
from ...tracker import interrupts
from . import ruleset_facts
from .reserve_history import ReserveHistory
from .tables import Tables

DEBT = "debt"
"""The attribute that holds the number on the "+# MP" marker on a unit."""


class PhaseValues(NamedTuple):
    """The values of an attribute of a unit from a step to the end of the phase.

    ``values``: in order, the first being the value at that step. ``ended``: whether the phase certainly ends
    within the logs; if not, the attribute may have changed again. ``late``: the greatest number the attribute
    had after the phase and before the unit was displaced again, as a marker may be put down late; None if
    there was none that may be above 0. ``gone``: whether the unit was taken off the map in the phase.
    """

    values: tuple[Fact, ...]
    ended: bool
    late: Fact | None = None
    gone: bool = False

    @property
    def last(self) -> Fact:
        """The value at the end of the phase; UNKNOWN if the phase does not certainly end."""
        return self.values[-1] if self.ended else UNKNOWN


@dataclass(frozen=True, slots=True)
class Start:
    """The start of a phase. ``index``: of the event in ``game.events``; ``number``: of the phase."""

    index: int
    number: int
    event: PhaseStart


def _may_have_debt(debt: Fact) -> bool:
    """Whether the value of :data:`DEBT` allows a number above 0."""
    return debt.high is None or debt.high > 0


class UnitHistory:
    """What happened to each unit of a game. Everything is computed when it is first asked for.

    Events are given by their index in ``game.events``.
    """

    def __init__(self, game: Game, tables: Tables) -> None:
        self.game = game
        self.tables = tables

    @cached_property
    def timeline(self) -> Timeline:
        return Timeline(self.game)

    @cached_property
    def starts(self) -> tuple[Start, ...]:
        """The starts of the phases, in order; a phase that is started again counts once."""
        found: list[Start] = []
        for index, event in enumerate(self.game.events):
            if isinstance(event, PhaseStart):
                number = self.timeline.phase_number(event.at)
                if not found or found[-1].number != number:
                    found.append(Start(index, number, event))
        return tuple(found)

    @cached_property
    def reserves(self) -> ReserveHistory:
        """When units were put in reserve, and how they lost that status."""
        return ReserveHistory(self)

    def now(self, unit: str, attribute: str, index: int) -> Fact:
        """The value of an attribute before the event ``index``."""
        changes = self.timeline.changes(unit, attribute, 0, index)
        return changes[-1] if changes else self.game.units[unit].fact(attribute)

    def told(self, about: str, unit: str, index: int) -> Fact:
        """The fact ``about`` at the event ``index``: the condition given for the unit, else the one for the
        whole game, else its attribute."""
        at = self.timeline.step_of(index)
        said = self.timeline.condition(about, at, unit)
        if said == UNKNOWN:
            said = self.timeline.condition(about, at)
        return self.now(unit, about, index) if said == UNKNOWN else said

    def at_opening(self, about: str, unit: str, index: int) -> Fact:
        """As :meth:`told`, but at the start of the phase of the event ``index``."""
        return self.told(about, unit, self._opening(self.timeline.step_of(index)))

    def since_opening(self, unit: str, attribute: str, index: int) -> tuple[Fact, ...]:
        """All values of an attribute from the start of the phase to the event ``index`` (exclusive)."""
        first = self._opening(self.timeline.step_of(index))
        changes = self.timeline.changes(unit, attribute, first, index)
        return (self.now(unit, attribute, first), *changes)

    def opening(self, unit: str, attribute: str, at: StepRef) -> Fact:
        """The value of an attribute at the start of the phase of step ``at``."""
        return self.now(unit, attribute, self._opening(at))

    def _opening(self, at: StepRef) -> int:
        """The index of the event that starts the phase of step ``at``, or may start it if the turn tracker
        was set back; 0 before the first phase."""
        number = self.timeline.spell(at)
        return next((start.index for start in self.starts if start.number == number), 0)

    def phase_values(self, unit: str, attribute: str, at: StepRef) -> PhaseValues:
        """The values of an attribute from step ``at`` to the end of its phase, without ``late`` and
        ``gone``."""
        first = self.timeline.first_event(at)
        end, ended = self._end(at)
        changes = self.timeline.changes(unit, attribute, first, end)
        return PhaseValues((self.now(unit, attribute, first), *changes), ended)

    def _end(self, at: StepRef) -> tuple[int, bool]:
        """The index of the event at which the phase of ``at``, with all its parts, is over (exclusive), and
        whether it certainly ends there."""
        spell = self.timeline.spell(at)
        parts = [n for n, s in enumerate(self.starts) if self.timeline.spell(s.event.at) == spell]
        following = next(iter(self.starts[parts[-1] + 1 if parts else 0 :]), None)
        reopened = self.timeline.is_reopened(at) or self.timeline.is_doubtful(at)
        end = len(self.game.events) if following is None else following.index
        return end, self.timeline.is_over(at) and not reopened

    def marked(self, unit: str, at: StepRef) -> PhaseValues:
        """The values of the "+# MP" marker on a unit from step ``at`` on. The last is the one that the facts
        give for the end of the phase, if they do. Otherwise ``late`` and ``gone`` are set: the text does not
        say when the marker is put down."""
        found, (end, ended) = self.phase_values(unit, DEBT, at), self._end(at)
        shown = told(self.game, ruleset_facts.marker_at_end(self.game.units[unit], at))
        if shown.high is not None:
            return PhaseValues((found.values[0], shown), True)
        late = self._late(unit, end) if ended else None
        return found._replace(late=late, gone=self.left(unit, at))

    def left(self, unit: str, at: StepRef) -> bool:
        """Whether a unit was displaced from step ``at`` on and was off the map when the phase ended."""
        first, (end, _) = self.timeline.first_event(at), self._end(at)
        drags = [drag for n, drag in self._drags.get(unit, ()) if first <= n < end]
        return bool(drags) and drags[-1].target.kind in ("box", "nowhere")

    def may_be_withdrawn(self, unit: str, at: StepRef) -> bool:
        """Whether a unit may have been taken off the map, declared dead or dragged back after it was dragged
        at step ``at``: in the phase, or as the first thing that happens to it between the phase and the next
        initial phase. It was dragged back if a drag brought it nearer to the hex where it was at ``at``, or
        may have done so because a hex is not known."""
        first, (end, _) = self.timeline.first_event(at), self._end(at)
        late = self._span(end)
        drags = [drag for n, drag in self._drags.get(unit, ()) if first <= n < end]
        drags += [drag for n, drag in self._drags.get(unit, ()) if end < n < late][:1]
        if any(fact.may_be(True) for fact in self.timeline.changes(unit, DEAD, first, late)):
            return True
        if not drags:
            return False
        start = drags[0].origin
        return any(drag.target.kind != "hex" or self._is_back(start, drag) for drag in drags[1:])

    def _is_back(self, start: Place, drag: Displacement) -> bool:
        """Whether a drag brings a unit nearer to ``start``, or may because a hex is not known."""
        if start.hex is None or drag.origin.hex is None or drag.target.hex is None:
            return True
        far, near = (
            self.game.board.distance(start.hex, end) for end in (drag.origin.hex, drag.target.hex)
        )
        return far is None or near is None or near < far

    def taken_later(self, unit: str, at: StepRef) -> bool:
        """Whether a Reserve marker was taken off a unit after the phase, before the unit was displaced
        again."""
        return self.set_later(unit, "reserve", at, to=False)

    def set_later(self, unit: str, attribute: str, at: StepRef, *, to: bool) -> bool:
        """Whether an attribute of a unit may have become ``to`` after the phase of step ``at``, or what may
        be the rest of it, before the unit was displaced again and before the next initial phase."""
        end, _ = self._end(at)
        drags = [n for n, _ in self._drags.get(unit, ()) if n > end]
        changes = self.timeline.changes(unit, attribute, end, min((*drags, self._span(end))))
        return any(fact.may_be(to) for fact in changes)

    def _span(self, end: int) -> int:
        """The index of the event up to which a marker may still be corrected for the phase that ended with
        the event ``end``: the start of the next phase that is certainly an initial one, else the number of
        all events."""
        initial = (s.index for s in self.starts if s.index > end and self.is_of_kind(s, "initial"))
        return next(initial, len(self.game.events))

    def _late(self, unit: str, end: int) -> Fact | None:
        """The greatest number on a marker put on a unit after its phase, which ended with event ``end``; None
        if there is none that may be above 0. One without a known upper bound is the greatest."""
        drags = [n for n, _ in self._drags.get(unit, ()) if n > end]
        changes = self.timeline.changes(unit, DEBT, end, min((*drags, self._span(end))))
        numbers = [fact for fact in changes if _may_have_debt(fact)]
        return max(numbers, key=lambda fact: inf if fact.high is None else fact.high, default=None)

    def is_of_kind(self, start: Start, *kinds: str) -> bool | None:
        """Whether the phase that begins is of one of ``kinds``; None: not known. Steps that may have been
        combat are of none."""
        event = start.event
        if interrupts(event):
            return False
        if event.phase is None or not event.certain:
            return None
        return self.tables.phases.get(event.phase) in kinds

    @cached_property
    def _drags(self) -> dict[str, list[tuple[int, Displacement]]]:
        """By unit, its displacements, each with the index of the event."""
        found: dict[str, list[tuple[int, Displacement]]] = {}
        for number, event in enumerate(self.game.events):
            if isinstance(event, Displacement):
                found.setdefault(event.unit, []).append((number, event))
        return found

    def dragged(self, unit: str, index: int) -> bool:
        """Whether a unit was displaced, for any cause, in the phase of the event ``index`` and before it."""
        first = self._opening(self.timeline.step_of(index))
        return any(first <= n < index for n, _ in self._drags.get(unit, ()))

    def began_at(self, unit: str, at: StepRef) -> str | None:
        """The hex from which a unit was first displaced in the phase of step ``at``, ``at`` included; None if
        that was none, or if it was not displaced until then."""
        first, last = self._opening(at), self.timeline.end_event(at)
        drags = (drag for n, drag in self._drags.get(unit, ()) if first <= n < last)
        return next((drag.origin.hex for drag in drags), None)

    def debt_at_start(self, unit: str, at: StepRef) -> Fact:
        """The MPs that a unit owed at the start of the phase of step ``at`` (6.A.3-1a). What the facts say
        goes first. A range from 0 if the unit has moved since it was marked, and so may have paid, or if the
        marker may be that of another unit in the stack."""
        found, index = self.opening(unit, DEBT, at), self._opening(at)
        said = told(self.game, ruleset_facts.marker_owed(self.game.units[unit], at))
        if said != UNKNOWN:
            return said
        if found.low is None or found.low <= 0:
            return found
        doubtful = self._paid_before(unit, index) or unit in self._doubtful_markers.get(
            index, frozenset()
        )
        return between(0, found.high) if doubtful else found

    def debt_question(self, unit: str, at: StepRef) -> MissingFact:
        """The question to ask if :meth:`debt_at_start` is not exact."""
        whose = self.game.units[unit]
        if not self.opening(unit, DEBT, at).is_known:
            return missing_facts.of_unit(whose, DEBT)
        return ruleset_facts.marker_owed(whose, at).unknown()

    def _paid_before(self, unit: str, index: int) -> bool:
        """Whether a unit moved, before the event ``index``, in a phase after the one in which it was last
        marked, combat phases left out."""
        number = self.timeline.phase_number
        placed, when = -1, -1
        for n, event in enumerate(self.game.events[:index]):
            if isinstance(event, StateChange) and event.unit == unit and event.attribute == DEBT:
                placed, when = n, number(event.at)
        return any(
            placed < n < index
            and drag.origin != drag.target
            and number(drag.at) > when
            and self.tables.phases.get(self.timeline.phase(drag.at).phase or "") != "combat"
            for n, drag in self._drags.get(unit, ())
        )

    @cached_property
    def _doubtful_markers(self) -> dict[int, frozenset[str]]:
        """By the index of the start of a phase, the units that may have a "+# MP" marker and are stacked with
        a possible friend that may have one too."""
        units = [u for u in self.game.units.values() if u.kind == "unit"]
        changed = {
            e.unit for e in self.game.events if isinstance(e, StateChange) and e.attribute == DEBT
        }
        units = [u for u in units if u.id in changed or _may_have_debt(u.fact(DEBT))]
        table = GameSituation(self.game, self.timeline)
        found: dict[int, frozenset[str]] = {}
        steps = {start.index: start.event.at for start in self.starts}
        for index in sorted({0, *steps}) if len(units) > 1 else ():
            if index in steps:
                table.advance_before(steps[index])
            marked_units = {
                unit.id for unit in units if _may_have_debt(self.now(unit.id, DEBT, index))
            }
            found[index] = frozenset(
                unit
                for unit in marked_units
                for other in marked_units.intersection(perhaps_with(table, unit))
                if self._may_be_friends(unit, other)
            )
        return found

    def _may_be_friends(self, one: str, other: str) -> bool:
        """Whether two units may be friends."""
        units = self.game.units
        return is_friend(self.game, units[one].side, units[other].side) is not False

    def may_be_handed_over(self, at: StepRef) -> bool:
        """Whether the pack may call the side that reacts active in the reaction phase of step ``at``: see
        :func:`.may_follow_the_other_side`. False also if the active side of this phase is not known."""
        number = self.timeline.phase_number(at)
        now = next((start.event for start in self.starts if start.number == number), None)
        if now is None or now.active is None:
            return False
        before = [start.event for start in self.starts if start.number < number]
        return may_follow_the_other_side(before, now.active, self._is_initial)

    def _is_initial(self, phase: str) -> bool | None:
        """Whether a phase of this name is an initial one; None if its kind is not known."""
        kind = self.tables.phases.get(phase)
        return None if kind is None else kind == "initial"
