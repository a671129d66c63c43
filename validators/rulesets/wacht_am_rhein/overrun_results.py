"""The results of overruns as the facts tell them (5.10.3, 5.10.4). A log does not show them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ....model.fact import Fact
from ....model.game import Condition, Game, StepRef, Witness
from ...takeback import Leg, legs
from ...timeline import Timeline
from ...witness import Witnesses

OVERRUN = "overrun"
"""The key of the condition that gives the result of a unit's overrun."""
FAILED, CLEARED, UNCLEARED, JOINT = "failed", "cleared", "uncleared", "joint"
OUTCOMES = (FAILED, CLEARED, UNCLEARED, JOINT)
OPENING = StepRef(1, 0)


@dataclass(frozen=True, slots=True)
class Result:
    """What the facts say of one overrun of a unit. ``after``: the step from which the condition holds, at
    which the overrun was over; None if the condition is not dated, so that it may concern any overrun of
    the unit."""

    fact: Fact
    after: StepRef | None

    @property
    def may_have_failed(self) -> bool:
        """Whether the overrun may have failed."""
        return self.fact.options is None or FAILED in self.fact.options


class Results:
    """All declared results of overruns in a game, by unit. Conditions without a unit are ignored."""

    def __init__(self, game: Game) -> None:
        self._game, self._witnesses = game, Witnesses(game)
        self._legs: dict[str, list[Leg]] | None = None
        self._told: dict[str, list[Condition]] = {}
        for condition in game.conditions:
            if condition.key == OVERRUN and condition.unit:
                self._told.setdefault(condition.unit, []).append(condition)

    def in_phase(self, unit: str, timeline: Timeline, at: StepRef) -> tuple[Result, ...]:
        """The results for ``unit`` that begin in the phase of step ``at``; if there are none, those without
        a date."""
        told = self._told.get(unit)
        if not told:
            return ()
        phase = timeline.spell(at)
        dated = [c for c in told if c.first > OPENING and timeline.spell(c.first) == phase]
        if dated:
            return tuple(Result(c.fact, c.first) for c in dated)
        return tuple(
            Result(c.fact, None)
            for c in told
            if c.first <= OPENING and (c.last is None or timeline.spell(c.last) >= phase)
        )

    def failed_before(self, unit: str, at: StepRef) -> bool | None:
        """Whether the last overrun of ``unit`` declared up to step ``at``, in any phase, failed. None if
        nothing is declared, or if the result is not certain."""
        told = [c for c in self._told.get(unit, ()) if c.first <= at]
        if not told:
            return None
        fact = max(told, key=lambda c: c.first).fact
        return True if fact.must_be(FAILED) else None if fact.may_be(FAILED) else False

    def came_by(self, unit: str, before: StepRef, timeline: Timeline) -> tuple[Leg, ...]:
        """The last drags of ``unit`` before a step that were not taken back, with nothing to witness the
        stops between them; empty if there are none."""
        if self._legs is None:
            self._legs = {}
            for leg in legs(self._game, timeline, self._witnesses):
                if leg.taken_back is None:
                    self._legs.setdefault(leg.unit, []).append(leg)
        found: list[Leg] = []
        side = self._game.units[unit].side
        for leg in reversed(self._legs.get(unit, ())):
            if leg.at >= before:
                continue
            if found and self._witnesses.bound(leg.index, found[-1].index, leg.actor or side):
                break
            found.append(leg)
        return tuple(found[::-1])


def rolled_between(game: Game, timeline: Timeline, first: StepRef, second: StepRef) -> bool:
    """Whether a die was rolled after step ``first`` and before step ``second``."""
    span = game.events[timeline.end_event(first) : timeline.first_event(second)]
    return any(isinstance(event, Witness) and event.kind == "roll" for event in span)


def stays_with_dice(
    game: Game, timeline: Timeline, steps: Sequence[StepRef], hexes: Sequence[str | None]
) -> Iterator[str]:
    """The hexes in which a unit lay, between two of its drags, while a die was rolled. A hex occurs once
    for each stay. ``hexes``: the target of each drag; ``steps``: the step of each drag."""
    before: str | None = None
    for number, name in enumerate(hexes):
        if name is None or name == before:
            continue
        before = name
        if number + 1 < len(steps) and rolled_between(
            game, timeline, steps[number], steps[number + 1]
        ):
            yield name
