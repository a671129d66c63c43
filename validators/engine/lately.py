"""What the log tells of the phase of a move and the one before it: who may have moved along, and how units
were marked."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property

from ...model.fact import UNKNOWN, Fact, either
from ...model.finding import Move
from ...model.game import Displacement, PhaseStart, StepRef
from ...model.unit import Unit
from ..concepts.sides import is_friend
from .carried import Carried
from .spells import Spells


def may_follow_the_other_side(
    before: Sequence[PhaseStart], side: str, moves: Callable[[str], bool | None]
) -> bool:
    """Whether a reaction of ``side`` that comes after the phases ``before`` may be called after those who
    react: the last of them, or the last phase of movement among them, is or may be of another side, or none
    of them is one of movement.

    ``moves``: whether a phase of this name is one of movement; None: not known.
    """
    for number, start in enumerate(reversed(before)):
        kind = moves(start.phase) if start.phase is not None and start.certain else None
        of_side = start.certain and start.active == side
        if (number == 0 or kind is not False) and not of_side:
            return True
        if kind:
            return False
    return True


def in_lower_case(fact: Fact) -> Fact:
    """A fact with its words in lower case."""
    options = fact.options
    if options is None or all(not isinstance(o, str) or o == o.lower() for o in options):
        return fact
    lower = (o.lower() if isinstance(o, str) else o for o in options)
    return replace(fact, options=tuple(dict.fromkeys(lower)))


class Lately(Carried, Spells):
    """The events of a game, and what of them belongs to the phase of a move and the one before it. A phase
    goes on after an interruption."""

    def during(self, unit: str, attribute: str, drags: list[int]) -> Fact:
        """The values of an attribute in the steps of some drags and just before, in lower case."""
        first, end = self._span(drags)
        later = [fact for _, fact in self.changes(unit, attribute, first, end)]
        return in_lower_case(either([self.value(unit, attribute, first), *later]))

    def told_of(self, about: str, unit: Unit, drags: list[int]) -> Fact:
        """A condition of a unit in the steps of some drags, else of the game, else its attribute of that
        name; in lower case."""
        said = self.condition(about, unit, drags)
        return self.during(unit.id, about, drags) if said == UNKNOWN else said

    def told_values(self, key: str, unit: str, drags: list[int]) -> list[Fact | None]:
        """The values that the facts give of a condition in the steps of some drags; None for a time at which
        they give none."""
        first, last = self.timeline.step_of(drags[0]), self.timeline.step_of(drags[-1])
        return self.timeline.told_between(key, first, last, unit)

    def condition(self, key: str, unit: Unit, drags: list[int]) -> Fact:
        """What a condition of the game is for a unit in the steps of some drags, in lower case."""
        first, last = self.timeline.step_of(drags[0]), self.timeline.step_of(drags[-1])
        return in_lower_case(self.timeline.condition_between(key, first, last, unit.id))

    def _span(self, drags: list[int]) -> tuple[int, int]:
        step, last = self.timeline.step_of(drags[0]), self.timeline.step_of(drags[-1])
        return self.timeline.first_event(step), self.timeline.end_event(last)

    def later_facts(self, unit: str, drags: list[int], names: tuple[str, ...]) -> dict[str, Fact]:
        """The last values of attributes that change after some drags and before the phase ends."""
        end, until = len(self.game.events), self._span(drags)[1]
        spell = self.timeline.spell(self.timeline.step_of(drags[0]))
        for start in reversed(self._starts):
            if self.timeline.spell(start.at) == spell:
                break
            end = self.timeline.first_event(start.at)
        changes = {name: self.changes(unit, name, until, end) for name in names}
        return {name: in_lower_case(said[-1][1]) for name, said in changes.items() if said}

    @cached_property
    def _starts(self) -> list[PhaseStart]:
        return [event for event in self.game.events if isinstance(event, PhaseStart)]

    def _last_phases(self, at: StepRef) -> tuple[PhaseStart | None, PhaseStart | None]:
        """The first event of the previous phase and of the current one; None if there is none."""
        spell, began = self.timeline.spell, dict[int, PhaseStart]()
        for start in self._starts:
            if start.at <= at:
                began.setdefault(spell(start.at), start)
        now = began.get(spell(at))
        before = [start for start in began.values() if now is not None and start.at < now.at]
        return (before[-1] if before else None), now

    def may_follow_the_other_side(self, at: StepRef, moves: Callable[[str], bool | None]) -> bool:
        """Whether the previous phase, or the last phase of movement before this one, has another active side,
        or may have, or none is told. False if the active side of this phase is not known. ``moves``: whether
        a phase is one of movement."""
        _, now = self._last_phases(at)
        if now is None or now.active is None:
            return False
        before = [
            replace(start, certain=start.certain and not self.timeline.is_doubtful(start.at))
            for start in self._starts
            if start.at < now.at
        ]
        return may_follow_the_other_side(before, now.active, moves)

    def may_have_had(
        self, unit: Unit, attribute: str, values: tuple[str, ...], drags: list[int]
    ) -> bool:
        """Whether an attribute had, or may have had, one of ``values`` in this phase or the previous one,
        before the value that it has at some drags."""
        step = self.timeline.step_of(drags[0])
        before, _ = self._last_phases(step)
        first = 0 if before is None else self.timeline.first_event(before.at)
        later = self.changes(unit.id, attribute, first, self.timeline.first_event(step))
        found = (self.value(unit.id, attribute, first), *(fact for _, fact in later))
        return any(in_lower_case(fact).may_be(value) for fact in found[:-1] for value in values)

    # -- who may have moved along --------------------------------------------------------------------

    def around(self, move: Move) -> tuple[Displacement, ...]:
        """All displacements in the phase of a move, by either side."""
        return self._by_phase.get(self.timeline.spell(move.steps[0]), ())

    @cached_property
    def _by_phase(self) -> dict[int, tuple[Displacement, ...]]:
        found: dict[int, list[Displacement]] = defaultdict(list)
        for index, event in enumerate(self.game.events):
            if isinstance(event, Displacement):
                found[self.timeline.spell(self.timeline.step_of(index))].append(event)
        return {number: tuple(events) for number, events in found.items()}

    def joining(self, move: Move, side: str | None) -> tuple[bool, frozenset[str]]:
        """Whether friendly units may have been in one stack with the units of a move: dragged with them, or
        out of one of its waypoints in the phase. And the hexes in which others began the phase and which they
        left before the move: though dragged first, one may have waited there to move on with them."""
        here = {place for place in move.waypoints if place.kind == "hex"}
        others = list(self._friends(move, side))
        mates = any(self._may_go(u, side) for u in move.units) and len(move.units) > 1
        first: dict[str, Displacement] = {}
        for event in others:
            if event.at < move.steps[0]:
                first.setdefault(event.unit, event)
        begun = frozenset(e.origin.name for e in first.values() if e.origin.kind == "hex")
        return mates or any(event.origin in here for event in others), begun

    def _friends(self, move: Move, side: str | None) -> Iterator[Displacement]:
        for event in self.around(move):
            if event.unit not in move.units and self._may_go(event.unit, side):
                yield event

    def _may_go(self, unit: str, side: str | None) -> bool:
        whose = self.game.units.get(unit)
        friend = whose is not None and is_friend(self.game, side, whose.side) is not False
        return friend and whose is not None and whose.kind == "unit"
