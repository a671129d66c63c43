"""Places in which a counter was put down and dragged on at once, without a witness that it was there.

The player may have put it down there by mistake. The path search uses witnessed stops only, but other rules
read the drag before or after, and the next place may be the one where the counter came onto the map or left
it. So the audit is compared with audits of games in which such counters went straight to their certain
places: counters that stayed on the map, counters that came onto it or left it, and both. Only accusations
that all of them make are kept.

If the facts say so, a side tries counters out before it settles. A place where its counter was put down, and
dragged on from in the same phase without a witness, then does not count. The counter may still have passed
there, so ignoring the place may clear moves but never supports an accusation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property

from ..model.fact import MissingFact, known
from ..model.finding import OF_MOVES, Audit, Finding, JudgedMove
from ..model.game import Condition, Displacement, Event, Game, PhaseStart, Place, StepRef
from .answers import (
    LAST_PLACES,
    MARCHES,
    PASSED,
    Question,
    answer,
    by_way_of,
    only_last_places,
    passed_through,
)
from .readings import timeline_as_told
from .rereading import Accused, Focus, Rereading, Subjects, accused, drags, units_of
from .takeback import Leg, Witnesses, legs
from .timeline import Timeline
from .unit_verdict import MOST_UNKNOWNS

Stop = tuple[Question | None, bool | None]
"""Whether a unit was where a drag put it: the question (None: there is none), and whether, by the facts, it
went straight on to its next place (None: not stated)."""


@dataclass(frozen=True, slots=True)
class Run:
    """The drags of a unit in one phase from one certain place to the next, each with its index in
    ``game.events``. ``stops``: one for each of them except the last."""

    unit: str
    drags: tuple[tuple[int, Displacement], ...]
    stops: tuple[Stop, ...]

    @property
    def at(self) -> StepRef:
        """The step in which it began."""
        return self.drags[0][1].at

    @property
    def questions(self) -> Iterator[Question]:
        """The questions that the facts do not answer."""
        return (question for question, no in self.stops if question is not None and no is None)


def straight(game: Game, runs: Iterable[Run], *, told: bool = False) -> Game:
    """``game`` without the stops of ``runs``. ``told``: without only those that the facts deny."""
    events: list[Event | None] = list(game.events)
    for run in runs:
        first: Displacement | None = None
        left_out = (*(bool(no) or not told for _, no in run.stops), False)
        for (index, drag), out in zip(run.drags, left_out, strict=True):
            if out:
                first, events[index] = first or drag, None
            elif first is not None:
                on_map = first.origin.kind == drag.target.kind == "hex"
                cause = "drag" if on_map else first.cause
                events[index] = replace(
                    drag, origin=first.origin, cause=cause, cancels=first.cancels
                )
                first = None
    return replace(game, events=tuple(event for event in events if event is not None))


def as_told(game: Game) -> Game:
    """``game`` without the stops that the facts deny."""
    keys = game.condition_keys
    for runs_of, topics in ((arrivals, PASSED), (misdrops, (PASSED, MARCHES))):
        if any(key.startswith(topics) for key in keys):
            game = straight(game, runs_of(game, timeline_as_told(game)), told=True)
    return game


class UnseenStops:
    """The unwitnessed stops of ``game``."""

    def __init__(self, game: Game) -> None:
        self._game = game

    def on(self, game: Game) -> UnseenStops:
        """The same for ``game``, which differs only in cells of the board."""
        found = copy(self)
        found._game = game
        return found

    @cached_property
    def _timeline(self) -> Timeline:
        return timeline_as_told(self._game)

    @cached_property
    def _misdrops(self) -> tuple[Run, ...]:
        return tuple(misdrops(self._game, self._timeline))

    @cached_property
    def _arrivals(self) -> tuple[Run, ...]:
        return tuple(arrivals(self._game, self._timeline))

    @cached_property
    def _open(self) -> dict[int, list[Run]]:
        """The arrivals with stops to ask about, by phase (``Timeline.spell``)."""
        found: dict[int, list[Run]] = {}
        for one in self._arrivals:
            if any(one.questions):
                found.setdefault(self._timeline.spell(one.at), []).append(one)
        return found

    def held(self, found: Audit, audited: Callable[[Game, Focus], Audit]) -> Audit:
        """``found``, the audit of the game, with accusations left open unless they hold with and without such
        stops. ``audited``: returns the audit of another game, in which only moves within the focus are
        judged."""
        found = self._held_wherever_dropped(found, audited)
        if not any(map(self._came, accused(found))):
            return found
        elsewhere = straight(self._game, self._arrivals)
        other = audited(elsewhere, lambda step: self._timeline.spell(step) in self._open)
        other = UnseenStops(elsewhere)._held_wherever_dropped(other, audited)
        held = Rereading(self._game, self._timeline, self._asked_of_arrivals).held(found, other)
        return self._by_the_way_from(other, found, held)

    def _held_wherever_dropped(
        self, found: Audit, audited: Callable[[Game, Focus], Audit]
    ) -> Audit:
        if not any(accused(found)):
            return found
        reading = Rereading(self._game, self._timeline, self._asked_of_drops)
        return reading.held_in(found, straight(self._game, self._misdrops), audited)

    def _asked_of_drops(self, one: Accused) -> list[MissingFact]:
        """The questions about the accused units: in the phases of the accusation, or else before. A stop of
        another unit counts as a sign of that unit's way."""
        spell, spells = self._timeline.spell, Subjects(self._timeline).spells(one)
        own = (run for run in self._misdrops if run.unit in units_of(one))
        before = [run for run in own if spell(run.at) <= max(spells, default=0)]
        runs = [run for run in before if spell(run.at) in spells] or before
        return [question.unknown() for run in runs for question in run.questions][-MOST_UNKNOWNS:]

    def _came(self, one: Accused) -> list[Run]:
        """The arrivals of the units of an accusation; all in its phases if there are none."""
        spells = Subjects(self._timeline).spells(one)
        near = [run for spell in sorted(spells) for run in self._open.get(spell, ())]
        return [run for run in near if run.unit in units_of(one)] or near

    def _asked_of_arrivals(self, one: Accused) -> list[MissingFact]:
        return [q.unknown() for run in self._came(one) for q in run.questions][:MOST_UNKNOWNS]

    def _by_the_way_from(self, other: Audit, found: Audit, held: Audit) -> Audit:
        """``held`` with paths and bills of ``other``, the audit of the game in which units came elsewhere;
        its accusations do not depend on unwitnessed stops."""
        subjects = Subjects(self._timeline)
        others = list(accused(other))

        def finding(was: Finding, one: Finding) -> Finding:
            if one.verdict != was.verdict:
                return replace(one, explanation=f"{one.explanation}; {self._only_if(was)}")
            if one.verdict != "illegal" or one.kind not in OF_MOVES or not self._came(one):
                return one
            every = (o for o in others if isinstance(o, Finding) and o.units == one.units)
            same = (other for other in every if subjects.is_said(one, subjects.said([other])))
            return replace(next(same, one), moves=one.moves, follows_from=one.follows_from)

        def judged(was: JudgedMove, one: JudgedMove) -> JudgedMove:
            if one.verdict != was.verdict:
                return replace(one, remark=self._only_if(was))
            if one.verdict != "illegal" or not self._came(one):
                return one
            every = (other for other in others if isinstance(other, JudgedMove))
            same = next((other for other in every if drags(other) & drags(one)), one)
            return replace(one, path=same.path, bill=same.bill)

        return replace(
            held,
            moves=tuple(map(judged, found.moves, held.moves)),
            findings=tuple(map(finding, found.findings, held.findings)),
        )

    def _only_if(self, one: Accused) -> str:
        run = self._came(one)[0]
        (_, drag), *_ = (
            leg for leg, stop in zip(run.drags, run.stops, strict=False) if stop[0] and not stop[1]
        )
        name, where = self._game.units[run.unit].name, drag.target
        return f"illegal only if {name} was in {where}, and nothing shows that it was"


def arrivals(game: Game, timeline: Timeline) -> Iterator[Run]:
    """The runs of units that came onto the map, or left it, without a witness on the way."""
    witnesses = Witnesses(game)
    chains: dict[str, list[tuple[int, Displacement]]] = {}
    every: list[list[tuple[int, Displacement]]] = []
    for index, event in enumerate(game.events):
        if not isinstance(event, Displacement) or event.origin == event.target:
            continue
        unit = game.units.get(event.unit)
        if unit is None or unit.kind == "marker":
            continue
        chain = chains.pop(event.unit, None)
        if chain is not None:
            last, before = chain[-1]
            seen = witnesses.bound(last, index, before.actor or unit.side)
            same = timeline.spell(before.at) == timeline.spell(event.at)
            if seen or not same or event.cause == "reseated" or _was_in(game, event.unit, before):
                chain = None
        if chain is None and (not event.at.step or event.cause in ("undo", "reseated")):
            continue
        if chain is None:
            chain = []
            every.append(chain)
        chain.append((index, event))
        chains[event.unit] = chain
    for chain in every:
        places = [chain[0][1].origin, *(drag.target for _, drag in chain)]
        if len(chain) > 1 and any(place.kind != "hex" for place in places):
            came = places[0].kind != "hex"
            stops = tuple(_stop_on_the_way(game, drag, came=came) for _, drag in chain[:-1])
            yield Run(chain[0][1].unit, tuple(chain), stops)


def _stop_on_the_way(game: Game, drag: Displacement, *, came: bool) -> Stop:
    place, name = drag.target.name, game.units[drag.unit].name
    if drag.target.kind != "hex":
        return None, None
    asked = (
        f"did {name} come onto the map in {place}, or pass through it"
        if came
        else f"was {name} really in {place}, if only on its way"
    )
    text = f"{asked}? It was put down there for a moment, perhaps by mistake"
    question = replace(passed_through(place, drag.unit, drag.at), text=text)
    return question, _was_in(game, drag.unit, drag) is False or None


def _was_in(game: Game, unit: str, drag: Displacement | Leg) -> bool | None:
    """Whether, by the facts, a unit was where ``drag`` put it; None: not stated."""
    if drag.target.kind != "hex":
        return None
    return answer(game, passed_through(drag.target.name, unit, drag.at))


def misdrops(game: Game, timeline: Timeline) -> Iterator[Run]:
    """The runs of units that stayed on the map, or were taken off and put back, with no other action in
    between."""
    return _Misdrops(game, timeline).runs()


class _Misdrops:
    def __init__(self, game: Game, timeline: Timeline) -> None:
        self._game, self._timeline, self._witnesses = game, timeline, Witnesses(game)
        self._dragged: dict[tuple[StepRef, Place, Place], set[str]] = {}

    def runs(self) -> Iterator[Run]:
        ways: dict[str, list[Leg]] = {}
        for leg in legs(self._game, self._timeline, self._witnesses):
            if leg.nature not in ("marker", "between-logs", "undo") and leg.taken_back is None:
                ways.setdefault(leg.unit, []).append(leg)
                self._dragged.setdefault(_drag(leg), set()).add(leg.unit)
        for unit, way in ways.items():
            run: list[Leg] = []
            for number, leg in enumerate(way):
                back = way[number + 1] if number + 1 < len(way) else None
                if not self._goes_on(run, leg, back):
                    yield from self._run(unit, run)
                    run = []
                if _moves(leg, back):
                    run.append(leg)
            yield from self._run(unit, run)

    def _goes_on(self, run: list[Leg], leg: Leg, back: Leg | None) -> bool:
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
        if self._witnesses.bound(run[-1].index, leg.index, side):
            return False
        return _was_in(self._game, leg.unit, run[-1]) is not True

    def _run(self, unit: str, run: list[Leg]) -> Iterator[Run]:
        if run and run[-1].nature == "removal":
            run = run[:-1]
        if len(run) >= 2:
            legs_of = tuple((leg.index, self._event(leg)) for leg in run)
            yield Run(unit, legs_of, tuple(map(self._stop, run, run[1:])))

    def _event(self, leg: Leg) -> Displacement:
        event = self._game.events[leg.index]
        assert isinstance(event, Displacement)
        return event

    def _stop(self, leg: Leg, after: Leg) -> Stop:
        """The stop at the end of ``leg``, or the way by a box to where ``after`` begins on the map again."""
        if after.nature == "detour":
            question = self._detour(leg, after)
            return question, answer(self._game, question)
        question = passed_through(leg.target.name, leg.unit, leg.at)
        told = {unit: _was_in(self._game, unit, leg) for unit in self._dragged[_drag(leg)]}
        if False in told.values() and True not in told.values():
            return question, True  # an answer for one unit counts for the stack
        return question, None if told[leg.unit] is None else False

    def _detour(self, left: Leg, back: Leg) -> Question:
        name = self._game.units[back.unit].name
        places = left.origin.name, back.origin.name, back.target.name
        return by_way_of(*places, back.unit, name, back.at)


def _drag(leg: Leg) -> tuple[StepRef, Place, Place]:
    return leg.at, leg.origin, leg.target


def _moves(leg: Leg, back: Leg | None) -> bool:
    """Whether ``leg`` may be a part of a way over the map. ``back``: the next leg of its unit."""
    if leg.nature == "removal":
        return back is not None and back.nature == "detour"
    return leg.nature == "detour" or (leg.nature == "movement" and leg.target.kind == "hex")


def tried_out(game: Game) -> Iterator[Question]:
    """The stops that do not count because only the last places of their side do. Stops with their own answer,
    and stops after which another phase may have begun, are left out."""
    sides = {side for side in game.sides if answer(game, only_last_places(side))}
    witnesses, before = Witnesses(game), dict[str, tuple[int, Displacement]]()
    for index, drag in enumerate(game.events if sides else ()):
        if isinstance(drag, PhaseStart):
            before.clear()
        if not isinstance(drag, Displacement) or drag.unit not in game.units:
            continue
        first, stop = before.get(drag.unit, (index, drag))
        before[drag.unit] = index, drag
        side = game.units[drag.unit].side
        on_map = stop.target.kind == drag.target.kind == "hex"
        if first == index or side not in sides or not on_map:
            continue
        question = passed_through(stop.target.name, drag.unit, stop.at)
        seen = witnesses.bound(first, index, stop.actor or side)
        if not seen and answer(game, question) is None:
            yield question


def without(game: Game, stops: Sequence[Question]) -> Game:
    """``game`` with conditions that ``stops`` were not made."""
    no = known(False)
    told = (Condition(one.topic, no, one.at, one.at, one.unit) for one in stops if one.at)
    return replace(game, conditions=(*game.conditions, *told)) if stops else game


def held_with_all_stops(
    game: Game,
    stops: Sequence[Question],
    found: Audit,
    audited: Callable[[Game, Focus], Audit],
) -> Audit:
    """``found``, the audit of ``game`` without ``stops``, with accusations left open unless they are also
    made with these stops possible. ``audited``: returns the audit of another game, in which only moves within
    the focus are judged."""
    if not stops or not any(accused(found)):
        return found
    conditions = (one for one in game.conditions if not one.key.startswith(LAST_PLACES))
    plain = replace(game, conditions=tuple(conditions))
    timeline = timeline_as_told(plain)

    def asked(one: Accused) -> list[MissingFact]:
        spells, units = Subjects(timeline).spells(one), units_of(one)
        near = [stop for stop in stops if stop.at and timeline.spell(stop.at) in spells]
        near.sort(key=lambda stop: stop.unit not in units)
        return [stop.unknown() for stop in near][:MOST_UNKNOWNS]

    return Rereading(plain, timeline, asked).held_in(found, plain, audited)
