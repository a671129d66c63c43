"""What was rolled for in a phase: who lay where when dice were rolled, and what the facts say came of it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from ...model.fact import Fact
from ...model.game import Displacement, StepRef, Witness
from ..tracker import interrupts
from .spells import Spells

OPENING = StepRef(1, 0)
"""The first step of a condition that is not dated."""


class Result(NamedTuple):
    """What the facts say of a unit under a key. ``since``: the first event after the step from which it
    holds; None: it is not dated, and may be of any time."""

    fact: Fact
    since: int | None


class Rolls(NamedTuple):
    """The rolls of one phase, as events in order. ``lay``: by hex, the units that were put there in the phase
    and lay there when dice were rolled, each with the first such roll."""

    events: list[int]
    lay: dict[str, dict[str, int]]


class Dice(Spells):
    """The events of a game, and the dice that were rolled in each phase."""

    @cached_property
    def _rolls(self) -> dict[int, Rolls]:
        """By phase with all its parts. Dice of combat that interrupts a phase do not count."""
        found: dict[int, Rolls] = defaultdict(lambda: Rolls([], {}))
        lies: dict[int, dict[str, str]] = defaultdict(dict)
        for index, event in enumerate(self.game.events):
            at = self.timeline.step_of(index)
            spell = self.timeline.spell(at)
            if isinstance(event, Displacement):
                if event.target.hex is None:
                    lies[spell].pop(event.unit, None)
                else:
                    lies[spell][event.unit] = event.target.hex
            elif isinstance(event, Witness) and event.kind == "roll":
                begun = self.timeline.phase_start(at)
                if begun is not None and interrupts(begun):
                    continue
                rolls = found[spell]
                rolls.events.append(index)
                for unit, name in lies[spell].items():
                    rolls.lay.setdefault(name, {}).setdefault(unit, index)
        return dict(found)

    def _rolls_of(self, index: int) -> Rolls:
        spell = self.timeline.spell(self.timeline.step_of(index))
        return self._rolls.get(spell) or Rolls([], {})

    def rolled(self, index: int) -> bool:
        """Whether dice were rolled in the phase of an event before it."""
        events = self._rolls_of(index).events
        return bool(events) and events[0] < index

    def lay_at_a_roll(self, name: str, index: int) -> list[str]:
        """The units that were put in a hex in the phase of an event, and lay there when dice were rolled
        before it."""
        lay = self._rolls_of(index).lay.get(name, {})
        return sorted(unit for unit, roll in lay.items() if roll < index)

    def stays_at_rolls(self, drags: list[int]) -> Iterator[str]:
        """The hexes in which a unit lay between two of its drags while dice were rolled; a hex once for each
        stay."""
        events = self.game.events
        before: str | None = None
        for drag, following in pairwise(drags):
            name = self.drag(drag).target.hex
            if name is None or name == before:
                continue
            before = name
            span = events[drag:following]
            if any(isinstance(event, Witness) and event.kind == "roll" for event in span):
                yield name

    def results(self, key: str, unit: str, index: int) -> list[Result]:
        """What the facts say of a unit under a key, from steps of the phase of an event; if they say nothing
        of that phase, what is not dated and still holds in it."""
        spell = self.timeline.spell
        phase = spell(self.timeline.step_of(index))
        said = [c for c in self.game.conditions if c.key == key and c.unit == unit]
        dated = [c for c in said if c.first > OPENING and spell(c.first) == phase]
        if dated:
            return [Result(c.fact, self.timeline.end_event(c.first)) for c in dated]
        always = (c for c in said if c.first <= OPENING)
        return [Result(c.fact, None) for c in always if c.last is None or spell(c.last) >= phase]

    def last_result(self, key: str, unit: str, index: int) -> Fact | None:
        """What the facts said last of a unit under a key up to the step of an event, in any phase; None:
        nothing."""
        at = self.timeline.step_of(index)
        said = [c for c in self.game.conditions if (c.key, c.unit) == (key, unit) and c.first <= at]
        return max(said, key=lambda c: c.first).fact if said else None

    def said_of_now(self, key: str, index: int) -> bool:
        """Whether a condition of the game was said of the phase of an event: what held already when the phase
        began may be of an earlier one."""
        spell, at = self.timeline.spell, self.timeline.step_of(index)
        phase = spell(at)
        said = [c for c in self.game.conditions if c.key == key and not c.unit]
        if any(c.first.step and spell(c.first) == phase for c in said):
            return True
        opening = self.opening(index)
        if not opening or not said:
            return bool(said)
        before = self.timeline.step_of(opening - 1)
        return self.timeline.condition(key, before) != self.timeline.condition(key, at)

    def step_before(self, at: StepRef) -> StepRef:
        """The step before another, if it lies in the same phase; else that one."""
        before = StepRef(at.log, at.step - 1)
        number = self.timeline.phase_number
        return before if number(before) == number(at) else at

    def came_by(self, unit: str, index: int) -> list[int]:
        """The last drags of a unit before an event, with nothing to witness the stops between them; empty:
        there are none."""
        side = self.game.units[unit].side
        found: list[int] = []
        for drag in reversed([d for d in self.drags.get(unit, ()) if d < index]):
            if found and self.witnesses.bound(drag, found[-1], self.drag(drag).actor or side):
                break
            found.append(drag)
        return found[::-1]
