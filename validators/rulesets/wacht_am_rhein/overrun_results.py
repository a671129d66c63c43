"""How overruns ended, as far as the facts tell (5.10.3, 5.10.4): a log does not show it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ....model.fact import Fact
from ....model.game import Condition, Displacement, Game, Place, StepRef, Witness
from ...situation import Situation as Moment
from ...timeline import Timeline

OVERRUN = "overrun"
"""The condition of a unit that says how its overrun ended."""
FAILED, CLEARED, UNCLEARED, JOINT = "failed", "cleared", "uncleared", "joint"
OUTCOMES = (FAILED, CLEARED, UNCLEARED, JOINT)
OPENING = StepRef(1, 0)


@dataclass(frozen=True, slots=True)
class Result:
    """What is told of an overrun of one unit. ``after``: the step from which it is told: the overrun was
    over then; None: no step is told, so that it may be any overrun of the unit in the game."""

    fact: Fact
    after: StepRef | None

    @property
    def may_have_failed(self) -> bool:
        """Whether it may say that the overrun failed."""
        return self.fact.options is None or FAILED in self.fact.options


class Results:
    """All that is told of overruns in a game, unit by unit. What is told of no unit is about none."""

    def __init__(self, game: Game) -> None:
        self._told: dict[str, list[Condition]] = {}
        for condition in game.conditions:
            if condition.key == OVERRUN and condition.unit:
                self._told.setdefault(condition.unit, []).append(condition)

    def in_phase(self, unit: str, timeline: Timeline, at: StepRef) -> tuple[Result, ...]:
        """What is told of the overruns of ``unit`` in the phase of step ``at``: what is told from a step of
        this phase, else what is told from no step."""
        told = self._told.get(unit)
        if not told:
            return ()
        phase = timeline.phase_number(at)
        dated = [c for c in told if c.first > OPENING and timeline.phase_number(c.first) == phase]
        if dated:
            return tuple(Result(c.fact, c.first) for c in dated)
        return tuple(
            Result(c.fact, None)
            for c in told
            if c.first <= OPENING and (c.last is None or timeline.phase_number(c.last) >= phase)
        )

    def failed_before(self, unit: str, at: StepRef) -> bool | None:
        """Whether an overrun of ``unit`` is told to have failed before step ``at``, in whatever phase; None:
        nothing is told, or not what came of it."""
        told = [c for c in self._told.get(unit, ()) if c.first <= at]
        if not told:
            return None
        fact = max(told, key=lambda c: c.first).fact
        return True if fact.must_be(FAILED) else None if fact.may_be(FAILED) else False


def came_from(situation: Moment, unit: str) -> Place | None:
    """Where ``unit`` was last displaced from to where it lies; None if it never was."""
    for event in reversed(situation.game.events[: situation.applied]):
        if isinstance(event, Displacement) and event.unit == unit:
            return event.origin
    return None


def rolled_between(game: Game, timeline: Timeline, first: StepRef, second: StepRef) -> bool:
    """Whether a die was rolled after step ``first`` and before step ``second``."""
    span = game.events[timeline.end_event(first) : timeline.first_event(second)]
    return any(isinstance(event, Witness) and event.kind == "roll" for event in span)


def stays_with_dice(
    game: Game, timeline: Timeline, steps: Sequence[StepRef], hexes: Sequence[str | None]
) -> Iterator[str]:
    """The hexes that a unit came to while it was dragged, and in which it lay while a die was rolled, each
    as often as it came anew. ``hexes``: where each drag led; ``steps``: of the drags."""
    before: str | None = None
    for number, name in enumerate(hexes):
        if name is None or name == before:
            continue
        before = name
        if number + 1 < len(steps) and rolled_between(
            game, timeline, steps[number], steps[number + 1]
        ):
            yield name
