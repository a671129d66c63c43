"""What happened to units before and after a move in its phase: markers put on and taken off, reserve
status lost (6.B.2)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from ....model.board import Board
from ....model.fact import UNKNOWN, Fact
from ....model.game import Game, PhaseStart, StateChange, StepRef
from ...concepts.logic import both, some
from ...concepts.zones import Zones
from ...ruleset import Circumstances, Requirement, Situation
from ...situation import Situation as Table
from ...timeline import Timeline
from .tables import Tables

COMBAT = (Requirement("combat", (True,)),)
"""A combat unit."""


class Course(NamedTuple):
    """What became of an attribute from a step to the end of its phase: the values it had, in order.
    ``ended``: the end is at hand; else it may have become anything since."""

    values: tuple[Fact, ...]
    ended: bool

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


class History:
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
        said = self.timeline.condition(about, self.timeline.step_of(index), unit)
        return self.now(unit, about, index) if said == UNKNOWN else said

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
        if following is None:
            return len(self.game.events), False
        reopened = self.timeline.is_reopened(at) or self.timeline.is_doubtful(at)
        return following.index, following.event.certain and not reopened

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

    def lost(self, unit: str, at: StepRef) -> tuple[str, bool | None]:
        """Whether a unit whose Reserve marker lies on it has lost the status, and by which clause."""
        index = self.timeline.first_event(at)
        since = self.placed(unit, index)
        answers: dict[str, bool | None] = {}
        for clause, key in (("6.B.2-c", "engineering"), ("6.B.2-d", "attacked")):
            if self.tables.applies(clause):
                answers[clause] = self.declared_since(key, unit, since, at)
        if self.tables.applies("6.B.2-b"):
            answers["6.B.2-b"] = some(
                near
                for start in self._starts
                if since < start.index < index
                for near in (self._beset.get(start.index, {}).get(unit, _ALONE).enemy,)
            )
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
