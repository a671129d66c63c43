"""Counters that came onto the map, or left it, by way of a hex where nobody saw them, all in one phase.

The player may have put the counter down there by mistake, and the place to which he dragged it next may be
the one where it came onto the map, or from where it left. So the audit is compared with that of a game in
which each such counter came straight to where something first witnessed it, or to where it was left. Only
accusations that both make are kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from ..model.fact import MissingFact
from ..model.finding import Audit, Finding, JudgedMove
from ..model.game import Displacement, Event, Game, StepRef
from .accusations import Accused, Subjects, accused, drags, steps_of
from .answers import PASSED, Question, answer, passed_through
from .either_way import held_in_both
from .slips import slips_of, with_slips
from .timeline import Timeline
from .unit_verdict import MOST_UNKNOWNS
from .witness import Witnesses

_OF_MOVES = ("illegal-move", "missed-mp-cost")


@dataclass(frozen=True, slots=True)
class Arrival:
    """How a unit came onto the map, or left it. ``drags``: its displacements on the way in one phase with no
    witness in between, each with its index in ``game.events``. ``never``: for each of them but the last,
    whether the facts say that the unit never was where it led."""

    unit: str
    name: str
    drags: tuple[tuple[int, Displacement], ...]
    never: tuple[bool, ...]

    @property
    def stops(self) -> Iterator[Displacement]:
        """Its drags to hexes on the way in which it may never have been, as far as the facts do not say."""
        for (_, drag), never in zip(self.drags, self.never, strict=False):
            if drag.target.kind == "hex" and not never:
                yield drag

    @property
    def questions(self) -> Iterator[Question]:
        """Whether it was in each of those hexes."""
        came = self.drags[0][1].origin.kind != "hex"
        for drag in self.stops:
            yield _question(self.unit, self.name, drag, came=came)


class Arrivals:
    """The arrivals of ``game``."""

    def __init__(self, game: Game) -> None:
        self._timeline = Timeline(with_slips(game, slips_of(game), {}))
        self._every = tuple(_arrivals(game, self._timeline))
        self._open: dict[int, list[Arrival]] = {}
        for one in self._every:
            if any(one.questions):
                spell = self._timeline.spell(one.drags[0][1].at)
                self._open.setdefault(spell, []).append(one)

    def is_near(self, step: StepRef) -> bool:
        """Whether a unit may have come onto the map elsewhere in the phase of ``step``."""
        return self._timeline.spell(step) in self._open

    def as_told(self, game: Game) -> Game:
        """``game`` without the stops of which the facts say that they never were."""
        return _without(game, ((one, one.never) for one in self._every))

    def elsewhere(self, game: Game) -> Game:
        """``game``, in which units came straight to the first place where they were for certain."""
        return _without(game, ((one, [True] * len(one.never)) for one in self._every))

    def held(self, found: Audit, other: Audit) -> Audit:
        """``found``, the audit of the game, with every accusation in such phases left open that ``other``,
        the audit of the game in which units came elsewhere, does not make by the same rule. Paths and bills
        are those of ``other``."""
        held = held_in_both(found, other, self._timeline, self._is_about, self._missing_facts)
        subjects = Subjects(self._timeline)
        others = list(accused(other))

        def finding(was: Finding, one: Finding) -> Finding:
            if one.verdict != was.verdict:
                return replace(one, explanation=f"{one.explanation}; {self._only_if(was)}")
            if one.verdict != "illegal" or one.kind not in _OF_MOVES or not self._is_about(one):
                return one
            every = (o for o in others if isinstance(o, Finding) and o.units == one.units)
            same = (other for other in every if subjects.is_said(one, subjects.said([other])))
            return replace(next(same, one), moves=one.moves, follows_from=one.follows_from)

        def judged(was: JudgedMove, one: JudgedMove) -> JudgedMove:
            if one.verdict != was.verdict:
                return replace(one, remark=self._only_if(was))
            if one.verdict != "illegal" or not self._is_about(one):
                return one
            every = (other for other in others if isinstance(other, JudgedMove))
            same = next((other for other in every if drags(other) & drags(one)), one)
            return replace(one, path=same.path, bill=same.bill)

        return replace(
            held,
            moves=tuple(map(judged, found.moves, held.moves)),
            findings=tuple(map(finding, found.findings, held.findings)),
        )

    def _is_about(self, one: Accused) -> bool:
        return any(map(self.is_near, steps_of(one)))

    def _about(self, one: Accused) -> list[Arrival]:
        """The arrivals of the units of an accusation; all in its phases if there are none."""
        spells = Subjects(self._timeline).spells(one)
        near = [arrival for spell in sorted(spells) for arrival in self._open.get(spell, ())]
        units = one.units if isinstance(one, Finding) else one.move.units
        return [arrival for arrival in near if arrival.unit in units] or near

    def _missing_facts(self, one: Accused) -> list[MissingFact]:
        questions = (q for arrival in self._about(one) for q in arrival.questions)
        return [question.unknown() for question in questions][:MOST_UNKNOWNS]

    def _only_if(self, one: Accused) -> str:
        came = self._about(one)[0]
        where = next(came.stops).target
        return f"illegal only if {came.name} was in {where}, and nothing shows that it was"


def as_told(game: Game) -> Game:
    """See :meth:`Arrivals.as_told`."""
    is_asked = any(key.startswith(PASSED) for key in game.condition_keys)
    return Arrivals(game).as_told(game) if is_asked else game


def _question(unit: str, name: str, drag: Displacement, *, came: bool) -> Question:
    place = drag.target.name
    asked = (
        f"did {name} come onto the map in {place}, or pass through it"
        if came
        else f"was {name} really in {place}, if only on its way"
    )
    text = f"{asked}? It was put down there for a moment, perhaps by mistake"
    return replace(passed_through(place, unit, drag.at), text=text)


def _without(game: Game, stops: Iterable[tuple[Arrival, Sequence[bool]]]) -> Game:
    """``game`` without stops: for each drag of an arrival but the last, whether it is left out."""
    events: list[Event | None] = list(game.events)
    for one, out in stops:
        first: Displacement | None = None
        for (index, drag), left_out in zip(one.drags, (*out, False), strict=True):
            if left_out:
                first, events[index] = first or drag, None
            elif first is not None:
                events[index] = replace(
                    drag, origin=first.origin, cause=first.cause, cancels=first.cancels
                )
                first = None
    return replace(game, events=tuple(event for event in events if event is not None))


def _arrivals(game: Game, timeline: Timeline) -> Iterator[Arrival]:
    """The units of ``game`` that came onto the map, or left it, and were dragged several times for it with no
    witness in between."""
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
            if seen or not same or event.cause == "reseated" or _is_told(game, before, wanted=True):
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
            unit = game.units[chain[0][1].unit]
            never = tuple(_is_told(game, drag, wanted=False) for _, drag in chain[:-1])
            yield Arrival(unit.id, unit.name, tuple(chain), never)


def _is_told(game: Game, drag: Displacement, *, wanted: bool) -> bool:
    """Whether the facts say that the unit was where ``drag`` put it (``wanted``), or that it was not."""
    question = passed_through(drag.target.name, drag.unit, drag.at)
    return drag.target.kind == "hex" and answer(game, question) is wanted
