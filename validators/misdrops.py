"""Hexes in which a counter was put down and dragged on at once, with nothing to show that it was there.

The player may have put it down there by mistake. Whether there is a way is judged by the witnessed stops
alone, but other rules read the drag just before or after. So the audit is compared with that of a game in
which no counter was ever put down in such a hex, and in which every counter that was taken off the map and
put elsewhere on it in one phase was dragged straight there. Only accusations that both make are kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from ..model.fact import MissingFact
from ..model.finding import Audit, Finding
from ..model.game import Displacement, Event, Game, PhaseStart, Place, StepRef
from .accusations import Accused, Subjects, accused
from .answers import MARCHES, PASSED, Question, answer, by_way_of, passed_through
from .either_way import Focus, held_in_both
from .slips import slips_of, with_slips
from .takeback import Leg, legs
from .timeline import Timeline
from .unit_verdict import MOST_UNKNOWNS
from .witness import Witnesses


@dataclass(frozen=True, slots=True)
class _Run:
    """The drags of a unit from where it was for certain to where it was again. ``stops``: for each of them
    but the last, the question whether the unit stopped where it led, or went by way of a box, and whether the
    facts say that it came straight to where it was dragged next; None: they say nothing of it."""

    unit: str
    drags: tuple[Leg, ...]
    stops: tuple[tuple[Question, bool | None], ...]

    @property
    def questions(self) -> Iterator[Question]:
        """Those that the facts do not answer."""
        return (question for question, no in self.stops if no is None)


class Misdrops:
    """The hexes of ``game`` in which counters may have been put down by mistake."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._timeline = Timeline(with_slips(game, slips_of(game), {}))
        self._dragged: dict[tuple[StepRef, Place, Place], set[str]] = {}
        self._runs = tuple(self._found())

    def bear_on(self, found: Audit) -> bool:
        """Whether any accusation of ``found`` may rest on such a hex."""
        return any(map(self._is_about, accused(found)))

    def near(self, found: Audit) -> Focus:
        """Whether a step is in a phase of such an accusation."""
        about = filter(self._is_about, accused(found))
        spells = {spell for one in about for spell in Subjects(self._timeline).spells(one)}
        return lambda step: self._timeline.spell(step) in spells

    def without(self, is_dropped: Callable[[bool | None], bool] = lambda _: True) -> Game:
        """The game in which no counter was put down in those hexes. ``is_dropped``:
        whether a hex is meant, by what the facts say of it (see :attr:`_Run.stops`)."""
        events: list[Event | None] = list(self._game.events)
        for run in self._runs:
            origin = run.drags[0].origin
            dropped = [*(is_dropped(no) for _, no in run.stops), False]
            for leg, drop in zip(run.drags, dropped, strict=True):
                if drop:
                    events[leg.index] = None
                    continue
                if origin != leg.origin:
                    event = self._event(leg)
                    events[leg.index] = replace(event, origin=origin, cause="drag")
                origin = leg.target
        return replace(self._game, events=tuple(event for event in events if event is not None))

    def _event(self, leg: Leg) -> Displacement:
        event = self._game.events[leg.index]
        assert isinstance(event, Displacement)
        return event

    def held(self, found: Audit, other: Audit) -> Audit:
        """``found``, the audit of the game, with every accusation left open that ``other``, the audit of
        :meth:`without`, does not make by the same rule."""
        return held_in_both(found, other, self._timeline, self._is_about, self._missing_facts)

    def _is_about(self, one: Accused) -> bool:
        """Whether an accusation is about a unit that may have been put down by mistake before it. A stop of
        another unit is taken as a sign of which way that went."""
        units = one.units if isinstance(one, Finding) else one.move.units
        latest = max(Subjects(self._timeline).spells(one), default=0)
        return any(run.unit in units and self._spell(run) <= latest for run in self._runs)

    def _spell(self, run: _Run) -> int:
        return self._timeline.spell(run.drags[0].at)

    def _missing_facts(self, one: Accused) -> list[MissingFact]:
        """The questions about the units accused: in the phases of the accusation, or else before."""
        spells = Subjects(self._timeline).spells(one)
        units = one.units if isinstance(one, Finding) else one.move.units
        latest = max(spells, default=0)
        before = [r for r in self._runs if r.unit in units and self._spell(r) <= latest]
        runs = [run for run in before if self._spell(run) in spells] or before
        return [question.unknown() for run in runs for question in run.questions][-MOST_UNKNOWNS:]

    def _found(self) -> Iterator[_Run]:
        witnesses = Witnesses(self._game)
        ways: dict[str, list[Leg]] = {}
        for leg in legs(self._game, self._timeline, witnesses):
            if leg.nature not in ("marker", "between-logs", "undo") and leg.taken_back is None:
                ways.setdefault(leg.unit, []).append(leg)
                self._dragged.setdefault(_drag(leg), set()).add(leg.unit)
        for unit, way in ways.items():
            run: list[Leg] = []
            for number, leg in enumerate(way):
                back = way[number + 1] if number + 1 < len(way) else None
                if not self._goes_on(run, leg, back, witnesses):
                    yield from self._run(unit, run)
                    run = []
                if _moves(leg, back):
                    run.append(leg)
            yield from self._run(unit, run)

    def _goes_on(self, run: list[Leg], leg: Leg, back: Leg | None, witnesses: Witnesses) -> bool:
        """Whether ``leg`` goes on at once from the end of ``run``."""
        if not run or not _moves(leg, back) or run[-1].target != leg.origin:
            return False
        if self._timeline.spell(run[-1].at) != self._timeline.spell(leg.at):
            return False
        if "undo" in {self._event(run[-1]).cause, self._event(leg).cause}:
            return False
        if leg.nature == "detour":
            return answer(self._game, self._detour(run[-1], leg)) is not False
        side = leg.actor or self._game.units[leg.unit].side
        between = self._game.events[run[-1].index + 1 : leg.index]
        acts = (event for event in between if not isinstance(event, PhaseStart))
        if any(act.at not in (run[-1].at, leg.at) for act in acts):
            return False
        if self._dragged[_drag(run[-1])] != self._dragged[_drag(leg)]:
            return False  # :mod:`.stopovers` looks at those that were dragged on in other company
        if witnesses.bound(run[-1].index, leg.index, side):
            return False
        return self._passed(leg.unit, run[-1]) is not True

    def _run(self, unit: str, run: list[Leg]) -> Iterator[_Run]:
        if run and run[-1].nature == "removal":
            run = run[:-1]
        if len(run) < 2:
            return
        yield _Run(unit, tuple(run), tuple(map(self._stop, run, run[1:])))

    def _stop(self, leg: Leg, after: Leg) -> tuple[Question, bool | None]:
        """The entry of :attr:`_Run.stops` for the end of ``leg``."""
        if after.nature == "detour":
            question = self._detour(leg, after)
            return question, answer(self._game, question)
        question = passed_through(leg.target.name, leg.unit, leg.at)
        told = {unit: self._passed(unit, leg) for unit in self._dragged[_drag(leg)]}
        if False in told.values() and True not in told.values():
            return question, True  # what is told of one is told of the stack
        return question, None if told[leg.unit] is None else False

    def _passed(self, unit: str, leg: Leg) -> bool | None:
        return answer(self._game, passed_through(leg.target.name, unit, leg.at))

    def _detour(self, left: Leg, back: Leg) -> Question:
        name = self._game.units[back.unit].name
        places = left.origin.name, back.origin.name, back.target.name
        return by_way_of(*places, back.unit, name, back.at)


def as_told(game: Game) -> Game:
    """``game`` without the stops that the facts say were not made."""
    is_asked = any(key.startswith((PASSED, MARCHES)) for key in game.condition_keys)
    return Misdrops(game).without(bool) if is_asked else game


def _drag(leg: Leg) -> tuple[StepRef, Place, Place]:
    return leg.at, leg.origin, leg.target


def _moves(leg: Leg, back: Leg | None) -> bool:
    """Whether ``leg`` may be a part of a way over the map. ``back``: the next of its unit."""
    if leg.nature == "removal":
        return back is not None and back.nature == "detour"
    return leg.nature == "detour" or (leg.nature == "movement" and leg.target.kind == "hex")
