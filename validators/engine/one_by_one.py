"""The check of units dragged together under rules by which units move one by one: a unit that has arrived may
obstruct the next.

Each unit of a drag is judged as if the others were absent, the most favourable assumption. This check
searches for an order in which all of them get there. Units that have moved are in the target hex, the others
where they began. Only units with no other drag in the phase are checked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from ...model.bill import ZERO
from ...model.finding import Finding
from ...model.game import Displacement
from ..checks import FACTS, listed, names_of
from ..displacement_screening import screen_displacement
from ..judge import judge_move
from ..moves import Track, as_told
from ..parts import Endings
from ..ruleset import Circumstances, Scenario, World
from ..scenarios import forget, gets_there, path_query
from ..situation import Situation
from ..timeline import Timeline
from ..verdicts import finding

if TYPE_CHECKING:
    from collections.abc import Callable

    from .rules import Rules

MOST_TRIED = 600
"""The most trials whether a unit gets there after others. A group that needs more is not checked."""
IN_NO_ORDER = "units dragged together move one by one, and in no order do they all get there"
PERHAPS_IN_NO_ORDER = (
    "units dragged together move one by one, and perhaps in no order do they all get there"
)


def check_one_by_one(
    rules: Rules,
    tracks: Sequence[Track],
    may_obstruct: Callable[[Rules, Situation, Sequence[str]], bool],
) -> Iterator[Finding]:
    """Findings for drags in which the units cannot, or may not, all have moved in any order.
    ``may_obstruct``: whether units that start together may obstruct each other at all in a situation; if not,
    the drag is skipped, to save time."""
    game, timeline = rules.game, rules.history.timeline
    endings = Endings(game, timeline)
    times = Counter((track.phase_number, unit) for track in tracks for unit in track.move.units)
    situation = Situation(game, timeline)
    now = rules
    for track in sorted(tracks, key=lambda track: track.events[0]):
        if not _is_looked_at(track, rules):
            continue
        alone = [u for u in track.move.units if times[track.phase_number, u] == 1]
        if len(alone) < 2:
            continue
        situation.advance_before(track.move.steps[0])
        if not _is_undisturbed(track, timeline, rules):
            continue
        if situation.game is not now.game:  # the board has changed
            now = rules if situation.game is game else rules.on(situation.game)
        allowed = screen_displacement(track, situation)
        if allowed.is_open and may_obstruct(now, situation, alone):
            drag = _Drag(now, track, situation, endings, tuple(alone), allowed.forms)
            with suppress(_TooMany):
                yield from drag.check()


def _is_looked_at(track: Track, rules: Rules) -> bool:
    move = track.move
    if len(move.units) < 2 or not track.counts or not track.phase_known or track.late is not None:
        return False
    if any(place.hex is None for place in move.waypoints) or move.origin == move.target:
        return False
    moves = rules.moving_kind(move.phase.phase or "") is not None
    return moves and not any((*track.earlier, *track.past)) and not track.entered


def _is_undisturbed(track: Track, timeline: Timeline, rules: Rules) -> bool:
    """Whether all events from the first to the last step of the move are displacements of its units."""
    steps = track.move.steps
    span = rules.game.events[timeline.first_event(steps[0]) : timeline.end_event(steps[-1])]
    return all(isinstance(e, Displacement) and e.unit in track.move.units for e in span)


class _TooMany(Exception):
    """More than :data:`MOST_TRIED` trials would be needed."""


@dataclass
class _Drag:
    """One drag of several units. ``units``: those whose order is checked."""

    rules: Rules
    track: Track
    situation: Situation
    endings: Endings
    units: tuple[str, ...]
    forms: tuple[str, ...]
    found: dict[tuple[str, frozenset[str], World], bool] = field(default_factory=dict)

    def check(self) -> Iterator[Finding]:
        """The finding for this drag, if any. None if a unit does not get there even alone: its own verdict
        covers this."""
        if not all(self._goes_alone(unit, "favourable") for unit in self.units):
            return
        if self._order("adverse") is not None:
            return
        if self._order("favourable") is None:
            yield from self._told("favourable")
        elif all(self._goes_alone(unit, "adverse") for unit in self.units):
            yield from self._told("adverse")

    def _order(self, world: World) -> tuple[str, ...] | None:
        """An order in which every unit gets there in ``world``; None if there is none."""
        hopeless: set[frozenset[str]] = set()

        def rest(order: tuple[str, ...]) -> tuple[str, ...] | None:
            gone = frozenset(order)
            if len(order) == len(self.units):
                return order
            for unit in self.units if gone not in hopeless else ():
                if unit not in gone and self._goes(unit, gone, world):
                    found = rest((*order, unit))
                    if found is not None:
                        return found
            hopeless.add(gone)
            return None

        return rest(())

    def _goes_alone(self, unit: str, world: World) -> bool:
        """Whether a unit gets there with the other dragged units absent."""
        circumstances = self._circumstances(unit, frozenset(), self.track.move.units)
        return self._tried(unit, circumstances, world)

    def _goes(self, unit: str, gone: frozenset[str], world: World) -> bool:
        key = (unit, gone, world)
        if key not in self.found:
            if len(self.found) >= MOST_TRIED:
                raise _TooMany
            self.found[key] = self._tried(unit, self._after(unit, gone), world)
        return self.found[key]

    def _after(self, unit: str, gone: frozenset[str]) -> Circumstances:
        """The circumstances of a unit's move after the units in ``gone`` have arrived."""
        others = (u for u in self.track.move.units if u not in self.units)
        return self._circumstances(unit, gone, (unit, *others))

    def _circumstances(
        self, unit: str, gone: frozenset[str], moving: tuple[str, ...]
    ) -> Circumstances:
        move = self.track.move
        there = self.situation.displaced(gone, move.target) if gone else self.situation
        on = self.endings.goes_on(unit, self.track.events[-1])
        return Circumstances(
            there, moving, self.forms, move=replace(move, units=(unit,), goes_on=on)
        )

    def _tried(self, unit: str, circumstances: Circumstances, world: World) -> bool:
        move, game = circumstances.move, self.rules.game
        assert move is not None
        told = as_told(replace(move, units=self.track.move.units), game, unit)
        query = path_query(told, game.board, self.rules.scale, ZERO)
        scenarios = self.rules.scenarios(unit, circumstances)

        def works(scenario: Scenario) -> bool:
            return not scenario.movers or gets_there(scenario, query, world)

        enough = any if world == "favourable" and scenarios else all
        found = enough(map(works, scenarios))
        forget(scenarios)
        return found

    def _told(self, world: World) -> Iterator[Finding]:
        """The finding, with the verdict on the first unit that does not get there in ``world``. The order
        is the listed one in the favourable world, else one in which all units get there in the favourable
        world."""
        found = None if world == "favourable" else self._order("favourable")
        order = self.units if found is None else found
        number = next(
            n for n, unit in enumerate(order) if not self._goes(unit, frozenset(order[:n]), world)
        )
        stuck, gone = order[number], frozenset(order[:number])
        circumstances = self._after(stuck, gone)
        assert circumstances.move is not None
        there = circumstances.situation
        judgement = judge_move(circumstances.move, there, self.rules, forms=self.forms)
        if world == "favourable":
            told = next((f for f in judgement.findings if f.verdict == "illegal"), None)
            if told is not None:
                said = f"{told.explanation}; {IN_NO_ORDER}"
                yield replace(told, explanation=said)
            return
        unknowns = judgement.judged.unknowns
        if unknowns:
            move = replace(self.track.move, units=self.units)
            said = f"{listed(names_of(self.rules.game, self.units))}: {PERHAPS_IN_NO_ORDER}"
            told = finding(self.rules.game, move, FACTS, "unverifiable", "unverifiable", said)
            yield replace(told, unknowns=unknowns, remedy=unknowns[0].question)
