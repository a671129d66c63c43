"""When units were put in reserve, and how they lost their reserve status (6.B.2)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from ....model.board import Board
from ....model.fact import UNKNOWN
from ....model.game import StateChange, StepRef
from ...concepts.logic import both, some
from ...concepts.sides import is_enemy, is_friend
from ...concepts.unclear_places import of_unclear_place
from ...concepts.zones import Zones
from ...ruleset import Circumstances, Requirement, Situation
from ...situation import Situation as GameSituation

if TYPE_CHECKING:
    from .unit_history import UnitHistory

COMBAT = (Requirement("combat", (True,)),)
"""What a unit must meet to be a combat unit."""


class ReserveHistory:
    """The reserve status of the units of a game. Everything is computed when it is first asked for."""

    def __init__(self, unit_history: UnitHistory) -> None:
        self._history = unit_history
        self._game, self._tables = unit_history.game, unit_history.tables
        self._timeline = unit_history.timeline

    def _may_be_put_in_reserve(self, unit: str, after: int, index: int) -> bool:
        """Whether an initial phase that may be of the unit's side began between the events ``after`` and
        ``index``. A unit that had lost its reserve status may have been put in reserve again then, without
        its marker being touched."""
        side = self._game.units[unit].side
        return any(
            after < start.index < index
            and self._history.is_of_kind(start, "initial") is not False
            and (
                start.event.active is None
                or not start.event.certain
                or is_friend(self._game, start.event.active, side) is not False
            )
            for start in self._history.starts
        )

    @cached_property
    def _reserve_markings(self) -> dict[str, list[int]]:
        """By unit, the indices of the events in which its attribute ``reserve`` becomes True."""
        found: dict[str, list[int]] = {}
        for number, event in enumerate(self._game.events):
            if not isinstance(event, StateChange) or event.attribute != "reserve":
                continue
            if event.after.must_be(True) and not event.before.must_be(True):
                found.setdefault(event.unit, []).append(number)
        return found

    def _last_put_in(self, unit: str, index: int) -> int:
        """The index of the last event before ``index`` that put a unit in reserve; -1 if there is none."""
        return max((n for n in self._reserve_markings.get(unit, ()) if n < index), default=-1)

    def _declared_since(self, key: str, unit: str, index: int, at: StepRef) -> bool | None:
        """Whether the condition ``key`` is declared true of a unit between the event ``index`` and step
        ``at``, by the facts or by an attribute of the unit. None if it may be, or if nothing is declared."""
        after = self._timeline.step_of(index) if index >= 0 else StepRef(0, 0)
        answers: list[bool | None] = []
        said = False
        for condition in self._game.conditions:
            if condition.key != key or condition.unit not in ("", unit) or condition.first > at:
                continue
            said = True
            if (index < 0 or condition.first > after) and not condition.fact.must_be(False):
                answers.append(True if condition.fact.must_be(True) else None)
        told = self._game.units[unit].fact(key)
        if told != UNKNOWN:
            said = True
            answers.append(True if told.must_be(True) else None if told.may_be(True) else False)
        return some(answers) if said else None

    def _declared(self, key: str, unit: str, at: StepRef) -> int | None:
        """The index of the last event from which the condition ``key`` is declared true of a unit; None if no
        condition says so, or if it is an attribute of the unit."""
        firsts = [
            self._timeline.first_event(condition.first)
            for condition in self._game.conditions
            if condition.key == key
            and condition.unit in ("", unit)
            and condition.first <= at
            and condition.fact.must_be(True)
        ]
        return None if self._game.units[unit].fact(key).must_be(True) else max(firsts, default=None)

    def lost(self, unit: str, at: StepRef) -> tuple[str, bool | None]:
        """Whether a unit with a Reserve marker has lost its reserve status by step ``at``, as (clause,
        answer). The answer is None if it may have; then the clause is the first by which it may. ('', False)
        if it has not."""
        index = self._timeline.first_event(at)
        since = self._last_put_in(unit, index)
        answers: dict[str, bool | None] = {}
        for clause, key in (("6.B.2-c", "engineering"), ("6.B.2-d", "attacked")):
            if self._tables.applies(clause):
                told = self._declared_since(key, unit, since, at)
                when = self._declared(key, unit, at)
                again = when is not None and self._may_be_put_in_reserve(unit, when, index)
                answers[clause] = None if told and again else told
        if self._tables.applies("6.B.2-b"):
            answers["6.B.2-b"] = some(
                None if near and self._may_be_put_in_reserve(unit, start.index, index) else near
                for start in self._history.starts
                if since < start.index < index
                for near in (self._next_to_enemies.get(start.index, {}).get(unit, False),)
            )
        if not self._history.told("chit", unit, index).must_be(False) and self._tables.applies(
            "6.B-d"
        ):
            answers = {clause: None if said else said for clause, said in answers.items()}
        for wanted in (True, None):
            for clause, answer in answers.items():
                if answer is wanted:
                    return clause, wanted
        return "", False

    @cached_property
    def _next_to_enemies(self) -> dict[int, dict[str, bool | None]]:
        """By the index of the start of a phase that is or may be an initial or exploitation phase, the units
        that are next to enemy combat units (True) or may be (None)."""
        table = GameSituation(self._game, self._timeline)
        found: dict[int, dict[str, bool | None]] = {}
        for start in self._history.starts:
            sure = self._history.is_of_kind(start, "initial", "exploitation")
            if sure is False:
                continue
            table.advance_before(start.event.at)
            found[start.index] = dict(self._units_near_enemies(table, sure))
        return found

    def _units_near_enemies(
        self, table: Situation, sure: bool | None
    ) -> Iterator[tuple[str, bool | None]]:
        """The units next to enemy combat units at the moment of ``table``. ``sure``: None if it is not
        certain that the phase began then."""
        unclear = [u for u in of_unclear_place(table) if not table.fact(u, "combat").must_be(False)]
        for unit, known in self._game.units.items():
            place = table.where(unit)
            if place.kind not in ("hex", "unclear") or known.kind != "unit":
                continue
            if place.hex is None:
                yield unit, None
                continue
            near = both(sure, beside(unit, place.hex, table, self._game.board, combat=True))
            if near is False and self._may_be_enemies(unit, unclear):
                near = None
            if near is not False:
                yield unit, near

    def _may_be_enemies(self, unit: str, others: Iterable[str]) -> bool:
        """Whether one of ``others`` may be an enemy of a unit."""
        units = self._game.units
        return any(
            is_enemy(self._game, units[unit].side, units[u].side) is not False for u in others
        )


def beside(
    unit: str, hex_name: str, table: Situation, board: Board, *, combat: bool
) -> bool | None:
    """Whether an enemy is next to the hex of a unit; None if one may be. ``combat``: only combat units
    count."""
    side = table.game.units[unit].side
    zones = Zones(Circumstances(table, (unit,)), side, None)
    needs = COMBAT if combat else ()
    return some(
        both(sure, zones.meets(enemy, needs))
        for near in board.neighbours(hex_name)
        for enemy, sure in zones.enemies(near)
    )
