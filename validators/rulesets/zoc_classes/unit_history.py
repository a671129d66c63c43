"""What happened to units before and after a move in its phase: markers put on and taken off, reserve
status lost (6.B.2)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from ....model.board import Board
from ....model.fact import UNKNOWN, Fact, MissingFact, between
from ....model.game import Displacement, Game, PhaseStart, StateChange, StepRef
from ...answers import told
from ...concepts import missing_facts
from ...concepts.logic import both, some
from ...concepts.sides import is_friend
from ...concepts.zones import Zones
from ...ruleset import Circumstances, Requirement, Situation
from ...situation import Situation as Table
from ...timeline import Timeline
from . import ruleset_facts
from .tables import Tables

DEBT = "debt"
"""The attribute of what the "+# MP" marker on a unit shows."""
COMBAT = (Requirement("combat", (True,)),)
"""A combat unit."""


class Course(NamedTuple):
    """What became of an attribute from a step to the end of its phase: the values it had, in order.
    ``ended``: the end is at hand; else it may have become anything since. ``late``: the most it was after
    that, before the unit moved again: it may have been written down late. ``gone``: the unit was taken off
    the map in the phase."""

    values: tuple[Fact, ...]
    ended: bool
    late: Fact | None = None
    gone: bool = False

    @property
    def last(self) -> Fact:
        """What it was at the end of the phase."""
        return self.values[-1] if self.ended else UNKNOWN


@dataclass(frozen=True, slots=True)
class _Start:
    index: int
    number: int
    event: PhaseStart


class _Beside(NamedTuple):
    """Whether a unit is next to an enemy combat unit; ``unseen``: whom not everyone may know of there."""

    enemy: bool | None
    unseen: tuple[str, ...] = ()


_ALONE = _Beside(False)


def _is_owed(debt: Fact) -> bool:
    """Whether there may be a marker."""
    return debt.high is None or debt.high > 0


class UnitHistory:
    """The story of every unit of a game, worked out when asked for."""

    def __init__(self, game: Game, tables: Tables) -> None:
        self.game = game
        self.tables = tables

    @cached_property
    def timeline(self) -> Timeline:
        return Timeline(self.game)

    @cached_property
    def _starts(self) -> tuple[_Start, ...]:
        """Where phases begin."""
        found: list[_Start] = []
        for index, event in enumerate(self.game.events):
            if isinstance(event, PhaseStart):
                number = self.timeline.phase_number(event.at)
                if not found or found[-1].number != number:
                    found.append(_Start(index, number, event))
        return tuple(found)

    def now(self, unit: str, attribute: str, index: int) -> Fact:
        """What an attribute was before the event ``index``."""
        changes = self.timeline.changes(unit, attribute, 0, index)
        return changes[-1] if changes else self.game.units[unit].fact(attribute)

    def told(self, about: str, unit: str, index: int) -> Fact:
        """What is declared of a unit, or of the game, at the event ``index``; else its attribute."""
        at = self.timeline.step_of(index)
        said = self.timeline.condition(about, at, unit)
        if said == UNKNOWN:
            said = self.timeline.condition(about, at)
        return self.now(unit, about, index) if said == UNKNOWN else said

    def at_opening(self, about: str, unit: str, index: int) -> Fact:
        """As :meth:`told`, when the phase of the event ``index`` began."""
        return self.told(about, unit, self._opening(self.timeline.step_of(index)))

    def since_opening(self, unit: str, attribute: str, index: int) -> tuple[Fact, ...]:
        """All values of an attribute from the beginning of the phase to the event ``index``."""
        first = self._opening(self.timeline.step_of(index))
        changes = self.timeline.changes(unit, attribute, first, index)
        return (self.now(unit, attribute, first), *changes)

    def opening(self, unit: str, attribute: str, at: StepRef) -> Fact:
        """What an attribute was when the phase of step ``at`` began."""
        return self.now(unit, attribute, self._opening(at))

    def _opening(self, at: StepRef) -> int:
        number = self.timeline.phase_number(at)
        return next((start.index for start in self._starts if start.number == number), 0)

    def course(self, unit: str, attribute: str, at: StepRef) -> Course:
        """What became of an attribute from step ``at`` on."""
        first = self.timeline.first_event(at)
        end, ended = self._end(at)
        changes = self.timeline.changes(unit, attribute, first, end)
        return Course((self.now(unit, attribute, first), *changes), ended)

    def _end(self, at: StepRef) -> tuple[int, bool]:
        """The event with which the phase of ``at`` is over; False: it may go on."""
        number = self.timeline.phase_number(at)
        following = next((start for start in self._starts if start.number > number), None)
        reopened = self.timeline.is_reopened(at) or self.timeline.is_doubtful(at)
        if following is None:
            return len(self.game.events), self.timeline.is_closed(at) and not reopened
        return following.index, following.event.certain and not reopened

    def marked(self, unit: str, at: StepRef) -> Course:
        """What became of the "+# MP" marker of a unit: the text does not say when it is put down."""
        found, (end, ended) = self.course(unit, DEBT, at), self._end(at)
        shown = told(self.game, ruleset_facts.marker_at_end(self.game.units[unit], at))
        if shown.high is not None:
            return Course((found.values[0], shown), True)
        late = self._late(unit, end) if ended else None
        return found._replace(late=late, gone=self.left(unit, at))

    def left(self, unit: str, at: StepRef) -> bool:
        """Whether a unit was taken off the map from step ``at`` on and was not there when the phase ended."""
        first, (end, _) = self.timeline.first_event(at), self._end(at)
        drags = [drag for n, drag in self._drags.get(unit, ()) if first <= n < end]
        return bool(drags) and drags[-1].target.kind in ("box", "nowhere")

    def withdrawn(self, unit: str, at: StepRef) -> bool:
        """Whether a unit that had been put down was then dragged back, towards the hex where it was at step
        ``at``, or was taken off the map, in the phase or before the next initial one."""
        first, (end, _) = self.timeline.first_event(at), self._end(at)
        drags = [drag for n, drag in self._drags.get(unit, ()) if first <= n < end]
        after = [drag for n, drag in self._drags.get(unit, ()) if end < n < self._span(end)]
        if self.left(unit, at) or (after and after[0].target.kind in ("box", "nowhere")):
            return True
        if len(drags) < 2:
            return False
        start, before, last = drags[0].origin.hex, drags[-1].origin.hex, drags[-1].target.hex
        if start is None or before is None or last is None:
            return False
        far, near = self.game.board.distance(start, before), self.game.board.distance(start, last)
        return far is None or near is None or near < far

    def taken_later(self, unit: str, at: StepRef) -> bool:
        """Whether a Reserve marker was taken off a unit after its phase, before it was dragged again."""
        return self.set_later(unit, "reserve", at, to=False)

    def set_later(self, unit: str, attribute: str, at: StepRef, *, to: bool) -> bool:
        """Whether an attribute of a unit became so after its phase, before it was dragged again."""
        end, ended = self._end(at)
        drags = [n for n, _ in self._drags.get(unit, ()) if n > end]
        changes = self.timeline.changes(unit, attribute, end, min((*drags, self._span(end))))
        return ended and any(fact.may_be(to) for fact in changes)

    def _span(self, end: int) -> int:
        """Up to which event things may have been put right that belong to a phase that ended with ``end``: to
        the next initial phase."""
        initial = [s.index for s in self._starts if s.index > end and self._kind(s) == "initial"]
        return min((*initial, len(self.game.events)))

    def _late(self, unit: str, end: int) -> Fact | None:
        """The greatest number laid on a unit after its phase, which ended with event ``end``."""
        drags = [n for n, _ in self._drags.get(unit, ()) if n > end]
        changes = self.timeline.changes(unit, DEBT, end, min((*drags, self._span(end))))
        numbers = [fact for fact in changes if fact.high is not None and fact.high > 0]
        return max(numbers, key=lambda fact: fact.high or 0, default=None)

    def _kind(self, start: _Start) -> str:
        return self.tables.phases.get(start.event.phase or "", "")

    @cached_property
    def _drags(self) -> dict[str, list[tuple[int, Displacement]]]:
        """For each unit the events that displaced it."""
        found: dict[str, list[tuple[int, Displacement]]] = {}
        for number, event in enumerate(self.game.events):
            if isinstance(event, Displacement):
                found.setdefault(event.unit, []).append((number, event))
        return found

    def dragged(self, unit: str, index: int) -> bool:
        """Whether a unit was displaced in a phase, in whatever way, before the event ``index`` of it."""
        first = self._opening(self.timeline.step_of(index))
        return any(first <= n < index for n, _ in self._drags.get(unit, ()))

    def owed(self, unit: str, at: StepRef) -> Fact:
        """What a unit had to pay first when the phase of step ``at`` began (6.A.3-1a). One that moved under
        its marker since has paid it, and in a stack the marker may be another's."""
        found, index = self.opening(unit, DEBT, at), self._opening(at)
        said = told(self.game, ruleset_facts.marker_owed(self.game.units[unit], at))
        if said != UNKNOWN:
            return said
        if found.low is None or found.low <= 0:
            return found
        doubtful = self._paid_before(unit, index) or unit in self._stacked.get(index, frozenset())
        return between(0, found.high) if doubtful else found

    def owing(self, unit: str, at: StepRef) -> MissingFact:
        """What to ask where it is not known what a unit had to pay first."""
        whose = self.game.units[unit]
        if not self.opening(unit, DEBT, at).is_known:
            return missing_facts.of_unit(whose, DEBT)
        return ruleset_facts.marker_owed(whose, at).unknown()

    def _paid_before(self, unit: str, index: int) -> bool:
        """Whether a unit moved, before event ``index``, in a phase after that in which it was marked."""
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
    def _stacked(self) -> dict[int, frozenset[str]]:
        """For each start of a phase, the units that lie with others of their side under "+# MP" markers."""
        units = [u for u in self.game.units.values() if u.kind == "unit"]
        changed = {
            e.unit for e in self.game.events if isinstance(e, StateChange) and e.attribute == DEBT
        }
        units = [u for u in units if u.id in changed or _is_owed(u.fact(DEBT))]
        table = Table(self.game, self.timeline)
        found: dict[int, frozenset[str]] = {}
        steps = {start.index: start.event.at for start in self._starts}
        for index in sorted({0, *steps}) if len(units) > 1 else ():
            if index in steps:
                table.advance_before(steps[index])
            stacks: dict[str, list[str]] = {}
            for unit in units:
                place = table.where(unit.id).hex
                if place is not None and _is_owed(self.now(unit.id, DEBT, index)):
                    stacks.setdefault(place, []).append(unit.id)
            found[index] = frozenset(
                unit
                for stack in stacks.values()
                for unit in stack
                if any(other != unit and self._may_be_mates(unit, other) for other in stack)
            )
        return found

    def _may_be_mates(self, one: str, other: str) -> bool:
        """Whether two units may be friends, who lie in one stack."""
        units = self.game.units
        return is_friend(self.game, units[one].side, units[other].side) is not False

    def handed_over(self, at: StepRef) -> bool:
        """Whether the phase before that of step ``at`` has another active side: a reaction phase may then
        be called after those who react."""
        number = self.timeline.phase_number(at)
        starts = [start for start in self._starts if start.number <= number]
        if len(starts) < 2 or starts[-1].number != number:
            return False
        before, now = starts[-2].event.active, starts[-1].event.active
        return before is not None and now is not None and before != now

    def may_be_placed(self, unit: str, after: int, index: int) -> bool:
        """Whether an initial phase of its side began between two events: a unit that had lost its status may
        have been placed in reserve again, its marker lying there still."""
        side = self.game.units[unit].side
        return any(
            after < start.index < index
            and self._kind(start) == "initial"
            and (
                start.event.active is None
                or not start.event.certain
                or is_friend(self.game, start.event.active, side) is not False
            )
            for start in self._starts
        )

    @cached_property
    def _placings(self) -> dict[str, list[int]]:
        """For each unit the events that put it in reserve."""
        found: dict[str, list[int]] = {}
        for number, event in enumerate(self.game.events):
            if not isinstance(event, StateChange) or event.attribute != "reserve":
                continue
            if event.after.must_be(True) and not event.before.must_be(True):
                found.setdefault(event.unit, []).append(number)
        return found

    def placed(self, unit: str, index: int) -> int:
        """The last event before ``index`` that put a unit in reserve; -1 if it has been from the start."""
        return max((n for n in self._placings.get(unit, ()) if n < index), default=-1)

    def declared_since(self, key: str, unit: str, index: int, at: StepRef) -> bool | None:
        """Whether a condition was declared true of a unit after event ``index`` and up to ``at``; None
        also where nothing is said of it."""
        after = self.timeline.step_of(index) if index >= 0 else StepRef(0, 0)
        answers: list[bool | None] = []
        said = False
        for condition in self.game.conditions:
            if condition.key != key or condition.unit not in ("", unit) or condition.first > at:
                continue
            said = True
            if (index < 0 or condition.first > after) and not condition.fact.must_be(False):
                answers.append(True if condition.fact.must_be(True) else None)
        told = self.game.units[unit].fact(key)
        if told != UNKNOWN:
            said = True
            answers.append(True if told.must_be(True) else None if told.may_be(True) else False)
        return some(answers) if said else None

    def _declared(self, key: str, unit: str, at: StepRef) -> int | None:
        """The last event from which a condition was declared true of a unit; None if it is an attribute."""
        firsts = [
            self.timeline.first_event(condition.first)
            for condition in self.game.conditions
            if condition.key == key
            and condition.unit in ("", unit)
            and condition.first <= at
            and condition.fact.must_be(True)
        ]
        return None if self.game.units[unit].fact(key).must_be(True) else max(firsts, default=None)

    def lost(self, unit: str, at: StepRef) -> tuple[str, bool | None]:
        """Whether a unit whose Reserve marker lies on it has lost the status, and by which clause."""
        index = self.timeline.first_event(at)
        since = self.placed(unit, index)
        answers: dict[str, bool | None] = {}
        for clause, key in (("6.B.2-c", "engineering"), ("6.B.2-d", "attacked")):
            if self.tables.applies(clause):
                told = self.declared_since(key, unit, since, at)
                when = self._declared(key, unit, at)
                again = when is not None and self.may_be_placed(unit, when, index)
                answers[clause] = None if told and again else told
        if self.tables.applies("6.B.2-b"):
            answers["6.B.2-b"] = some(
                None if near and self.may_be_placed(unit, start.index, index) else near
                for start in self._starts
                if since < start.index < index
                for near in (self._beset.get(start.index, {}).get(unit, _ALONE).enemy,)
            )
        if not self.told("chit", unit, index).must_be(False) and self.tables.applies("6.B-d"):
            answers = {clause: None if said else said for clause, said in answers.items()}
        for wanted in (True, None):
            for clause, answer in answers.items():
                if answer is wanted:
                    return clause, wanted
        return "", False

    @cached_property
    def _beset(self) -> dict[int, dict[str, _Beside]]:
        """For each start of an initial or exploitation phase, the units next to enemy combat units."""
        table = Table(self.game, self.timeline)
        found: dict[int, dict[str, _Beside]] = {}
        for start in self._starts:
            kind = self.tables.phases.get(start.event.phase or "")
            if kind not in ("initial", "exploitation"):
                continue
            table.advance_before(start.event.at)
            sure = True if start.event.certain else None
            found[start.index] = dict(self._neighbours(table, sure))
        return found

    def _neighbours(self, table: Situation, sure: bool | None) -> Iterator[tuple[str, _Beside]]:
        for unit, known in self.game.units.items():
            place = table.where(unit)
            if place.hex is None or known.kind != "unit":
                continue
            near = both(sure, beside(unit, place.hex, table, self.game.board, combat=True))
            hexes = self.game.board.neighbours(place.hex)
            others = {other for name in hexes for other in table.possibly_in(name)}
            unseen = tuple(o for o in others if self.game.units[o].seen_by is not None)
            if near is not False or unseen:
                yield unit, _Beside(near, unseen)

    def unseen_beside(self, unit: str, at: StepRef) -> frozenset[str]:
        """Units that not everyone may know of and that may have cost a reserve its status."""
        index = self.timeline.first_event(at)
        since = self.placed(unit, index)
        starts = (start.index for start in self._starts if since < start.index < index)
        return frozenset(
            other for n in starts for other in self._beset.get(n, {}).get(unit, _ALONE).unseen
        )


def beside(
    unit: str, hex_name: str, table: Situation, board: Board, *, combat: bool
) -> bool | None:
    """Whether an enemy (``combat``: a combat unit) is next to a unit in a hex."""
    side = table.game.units[unit].side
    zones = Zones(Circumstances(table, (unit,)), side, None)
    needs = COMBAT if combat else ()
    return some(
        both(sure, zones.meets(enemy, needs))
        for near in board.neighbours(hex_name)
        for enemy, sure in zones.enemies(near)
    )
