"""Groups displacements into moves.

First, for each unit: which of its displacements count, and which were taken back (:mod:`.takeback`). Then the
drags, in order. Units dragged together make one move, which continues for as long as the same units are
dragged together. A unit dragged without the others begins a move of its own, which lists the moves that it
continues. If the phase is not known, two drags may belong to different phases, so each drag is a separate
move.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import groupby, pairwise

from ..model.boards import BoardChange
from ..model.finding import Move
from ..model.game import Game, Spent, StateChange, StepRef, Witness
from .answers import answer, passed_through
from .takeback import Leg, Nature, Witnesses, legs
from .timeline import Timeline


@dataclass(frozen=True, slots=True)
class Track:
    """A move, with what the checks need to know about it.

    ``nature``: only ``movement`` is ever judged.
    ``phase_number``: see :class:`Timeline`. ``phase_known``: whether something certain gives the phase.
    ``events``: indices of its displacements in ``game.events``.
    ``earlier``: for each unit of the move, the ids of the moves of the same phase that it continues, in
    order. ``entered``: units that came onto the map, or from an unclear place, earlier in this phase. The MPs
    they have spent are not known. ``past``: for each unit, the ids of its moves before the phase was, or may
    have been, interrupted. ``side``: the side that moved it: the player's, else the counter's own; None if
    neither is known. ``late``: the step that put it back after something had already witnessed it; None if
    there is none.
    """

    move: Move
    nature: Nature
    phase_number: int
    phase_known: bool
    events: tuple[int, ...]
    earlier: tuple[tuple[int, ...], ...] = ()
    entered: frozenset[str] = frozenset()
    past: tuple[tuple[int, ...], ...] = ()
    late: StepRef | None = None
    side: str | None = None

    @property
    def counts(self) -> bool:
        """Whether this is movement on the map that was not taken back."""
        return self.nature == "movement" and self.move.taken_back is None

    @property
    def is_doubtful(self) -> bool:
        """Whether the units perhaps moved: they were taken off the map and put elsewhere on it, or what they
        did before was perhaps taken back."""
        return self.nature in ("detour", "doubtful") and self.move.taken_back is None


@dataclass(slots=True)
class _Draft:
    """A move that is still being put together; the fields are those of :class:`Track`. ``company``: its units
    and those dragged with them that may be of their side."""

    number: int
    units: tuple[str, ...]
    legs: list[Leg]
    phase_number: int
    phase_known: bool
    earlier: tuple[tuple[int, ...], ...] = ()
    entered: frozenset[str] = frozenset()
    past: tuple[tuple[int, ...], ...] = ()
    late: StepRef | None = None
    company: frozenset[str] = frozenset()

    @property
    def head(self) -> Leg:
        return self.legs[0]


@dataclass(slots=True)
class _PhaseState:
    """What a unit has done in the phase so far.

    ``draft``: the move that its next drag may continue; None if none can be continued. ``done``: the ids of
    its moves so far. ``past``: the ids of its moves in the same phase before the phase was interrupted.
    """

    phase_number: int = -1
    past: tuple[int, ...] = ()
    draft: _Draft | None = None
    done: list[int] = field(default_factory=list)
    entered: bool = False


def find_moves(game: Game, timeline: Timeline, witnesses: Witnesses) -> tuple[Track, ...]:
    """The moves of ``game``, in order of their first steps, with ids from 1. Markers dragged along with
    units, and counters put down where they already were, make no move."""
    return _Moves(game, timeline, witnesses).find()


class _Moves:
    def __init__(self, game: Game, timeline: Timeline, witnesses: Witnesses) -> None:
        self.game, self.timeline, self.witnesses = game, timeline, witnesses
        self.drafts: list[_Draft] = []
        self.phase_states: dict[str, _PhaseState] = {}
        self.spells: dict[tuple[str, int], list[int]] = {}
        self.undone: dict[tuple[frozenset[str], StepRef], _Draft] = {}

    def find(self) -> tuple[Track, ...]:
        found = legs(self.game, self.timeline, self.witnesses)
        for _, together in groupby(found, key=lambda leg: leg.at):
            for drag, company in _drags(self.game, together):
                self._take(drag, company)
        return tuple(self._track(draft) for draft in self.drafts)

    def _take(self, drag: list[Leg], company: frozenset[str]) -> None:
        head = drag[0]
        units = tuple(leg.unit for leg in drag)
        if head.taken_back is not None:
            self._take_back(units, drag)
            return
        number, known = self.timeline.phase_number(head.at), phase_is_known(self.timeline, head.at)
        for unit in units:
            self._enter_phase(unit, number, self.timeline.spell(head.at))
        draft = self._goes_on(units, head, known)
        if draft is not None and draft.company == company:
            draft.legs.append(head)
        else:
            draft = self._begin(units, head, number, known)
            draft.company = company
        if known:  # else the step that put it back may lie in another phase
            late = next((leg.late for leg in drag if leg.late is not None), None)
            draft.late = late or draft.late

    def _take_back(self, units: tuple[str, ...], drag: list[Leg]) -> None:
        head = drag[0]
        assert head.taken_back is not None
        key = (frozenset(units), head.taken_back)
        draft = self.undone.get(key)
        if draft is not None and draft.legs[-1].target == head.origin:
            draft.legs.append(head)
            return
        known = phase_is_known(self.timeline, head.at)
        draft = self._draft(units, head, self.timeline.phase_number(head.at), known)
        self.undone[key] = draft

    def _enter_phase(self, unit: str, number: int, spell: int) -> None:
        story = self.phase_states.setdefault(unit, _PhaseState())
        if story.phase_number != number:
            self.phase_states[unit] = _PhaseState(number, tuple(self.spells.get((unit, spell), ())))

    def _goes_on(self, units: tuple[str, ...], head: Leg, known: bool) -> _Draft | None:
        """The move that this drag continues: the last one of all its units, with no other units in it, ending
        where the drag begins. None if there is no such move."""
        draft = self.phase_states[units[0]].draft
        if draft is None or not known or head.nature != "movement":
            return None
        if len(draft.units) != len(units) or draft.head.actor != head.actor:
            return None
        if any(self.phase_states[unit].draft is not draft for unit in units):
            return None
        return draft if draft.legs[-1].target == head.origin else None

    def _begin(self, units: tuple[str, ...], head: Leg, number: int, known: bool) -> _Draft:
        draft = self._draft(units, head, number, known)
        if head.nature == "movement" and known:
            draft.earlier = tuple(tuple(self.phase_states[unit].done) for unit in units)
            draft.entered = frozenset(unit for unit in units if self.phase_states[unit].entered)
            draft.past = tuple(self.phase_states[unit].past for unit in units)
        for unit in units:
            story = self.phase_states[unit]
            self.spells.setdefault((unit, self.timeline.spell(head.at)), []).append(draft.number)
            if head.nature == "movement":
                story.draft = draft
                story.done.append(draft.number)
            else:  # a later move does not continue what it did before it left or entered the map
                story.draft = None
                story.entered = True
                story.done.clear()
        return draft

    def _draft(self, units: tuple[str, ...], head: Leg, number: int, known: bool) -> _Draft:
        draft = _Draft(len(self.drafts) + 1, units, [head], number, known)
        self.drafts.append(draft)
        return draft

    def _track(self, draft: _Draft) -> Track:
        first, last = draft.legs[0], draft.legs[-1]
        side = self.game.units[first.unit].side if first.unit in self.game.units else None
        move = Move(
            id=draft.number,
            units=draft.units,
            origin=first.origin,
            target=last.target,
            waypoints=(first.origin, *(leg.target for leg in draft.legs)),
            binding=tuple(self._binding(draft.legs, first.actor or side)),
            steps=tuple(leg.at for leg in draft.legs),
            phase=self.timeline.phase(first.at),
            actor=first.actor,
            player=first.player,
            taken_back=first.taken_back,
            resumed=any(draft.earlier),
            company=draft.company,
        )
        return Track(
            move,
            first.nature,
            draft.phase_number,
            draft.phase_known,
            tuple(leg.index for leg in draft.legs),
            draft.earlier,
            draft.entered,
            draft.past,
            draft.late,
            first.actor or side,
        )

    def _binding(self, found: list[Leg], side: str | None) -> Iterator[bool]:
        yield True
        for leg, following in pairwise(found):
            yield self.witnesses.bound(leg.index, following.index, side)
        yield True


def put_down_at(move: Move, index: int) -> StepRef:
    """The step in which the units of ``move`` came to waypoint ``index`` (the first after the origin is 1). A
    move of an analysis document may have fewer steps than waypoints; its last step then stands for the
    rest."""
    return move.steps[min(index, len(move.steps)) - 1]


def as_told(move: Move, game: Game, unit: str) -> Move:
    """``move`` with the facts' answers about unwitnessed stops of ``unit``: "yes" makes a stop binding, "no"
    removes it; without an answer it does not change. If there is no answer for ``unit``, a "no" about another
    unit of the move counts for it, unless a "yes" is given for any of them. A "yes" counts for its own unit
    only: one unit of a stack may have been there without the others."""
    places, binding = [move.waypoints[0]], [move.binding[0]]
    last = len(move.waypoints) - 1
    later = list(zip(move.waypoints, move.binding, strict=True))[1:]
    for index, (place, binds) in enumerate(later, 1):
        said: bool | None = None
        if not binds and index != last and place.hex is not None:
            at = put_down_at(move, index)
            together = move.company.union(move.units)
            told = {u: answer(game, passed_through(place.hex, u, at)) for u in together}
            said = told.get(unit)
            if said is None and True not in told.values() and False in map(told.get, move.units):
                said = False
        if said is not False:
            places.append(place)
            binding.append(binds or bool(said))
    return replace(move, waypoints=tuple(places), binding=tuple(binding))


def marked_until(game: Game, units: Container[str], index: int) -> int:
    """The index of the last of the changes of ``units`` (flips, marks, declared MPs) that immediately follow
    the event ``index``; ``index`` itself if there is none. A player may mark a counter before or after
    dragging it."""
    events = game.events
    while index + 1 < len(events):
        event = events[index + 1]
        if event.at.log != events[index].at.log:
            break
        said = isinstance(event, BoardChange)
        said = said or (isinstance(event, Witness) and event.kind == "chat")
        if not said and not (isinstance(event, StateChange | Spent) and event.unit in units):
            break
        index += 1
    return index


def phase_is_known(timeline: Timeline, at: StepRef) -> bool:
    """Whether the phase of step ``at`` is given by something certain."""
    start = timeline.phase_start(at)
    told = start is not None and start.certain and start.phase is not None
    return told and not timeline.is_doubtful(at)


def joined(first: Track, second: Track, witnesses: Witnesses) -> Track:
    """One move that consists of ``first`` and then ``second``, for the units of ``second``. ``second`` must
    begin where ``first`` ends."""
    a, b = first.move, second.move
    bound = witnesses.bound(first.events[-1], second.events[0], second.side)
    move = replace(
        b,
        origin=a.origin,
        waypoints=(*a.waypoints, *b.waypoints[1:]),
        binding=(*a.binding[:-1], bound, *b.binding[1:]),
        steps=(*a.steps, *b.steps),
        company=a.company | b.company,
    )
    return replace(second, move=move, events=(*first.events, *second.events))


def _drags(game: Game, together: Iterable[Leg]) -> Iterator[tuple[list[Leg], frozenset[str]]]:
    """The legs of one step, grouped into drags: counters of one side dragged together from one place to one
    place, each with the ids of all that may be of that side. Markers that were dragged together with units
    are left out."""
    drags: dict[tuple[object, ...], dict[str | None, list[Leg]]] = {}
    units_in: set[int] = set()
    for leg in together:
        marker = leg.nature == "marker"
        if not marker:
            units_in.add(leg.group)
        side = game.units[leg.unit].side if leg.unit in game.units else None
        key = (leg.group, leg.origin, leg.target, leg.nature, leg.actor, leg.taken_back)
        drags.setdefault(key, {}).setdefault(side, []).append(leg)
    for sides in drags.values():
        for side, drag in sides.items():
            mates = (
                legs for other, legs in sides.items() if None in (side, other) or side == other
            )
            if drag[0].nature != "marker" or drag[0].group not in units_in:
                yield drag, frozenset(leg.unit for legs in mates for leg in legs)
