"""The nature of each displacement of a unit, and which displacements were taken back.

A counter is taken back by VASSAL's undo, or by hand: it is put back where it was at the beginning of the
phase, or where something last witnessed it. That cancels everything it did in between, unless a die was
rolled or another side did something meanwhile (:meth:`Witnesses.too_late`). Then nothing is cancelled, and
the way back counts as a part of the movement.

Witnesses are events that make a stop binding and a take-back too late, because somebody saw the position.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field
from typing import Literal

from ..model.game import Displacement, Game, Place, StateChange, StepRef, Witness
from .timeline import Timeline


class Witnesses:
    """The witnesses of a game, by the index of their event.

    The methods look at the events strictly between the indices ``a`` and ``b``. ``side``: the side that made
    the step in question; None if not known, and then what other sides did is ignored unless it has no known
    actor.
    """

    __slots__ = ("_actors", "_acts", "_flips", "_logs", "_next", "_rolls")

    def __init__(self, game: Game) -> None:
        self._rolls: list[int] = []
        self._flips: list[int] = []
        self._acts: list[int] = []
        self._actors: list[str] = []
        self._logs: list[int] = [event.at.log for event in game.events]
        for index, event in enumerate(game.events):
            if isinstance(event, Witness):
                self._note(index, event)
            elif isinstance(event, Displacement | StateChange) and event.actor is not None:
                self._acted(index, event.actor)
        self._next = _next_other(self._actors)

    def _note(self, index: int, witness: Witness) -> None:
        if witness.kind == "roll" or (witness.kind == "other-side" and witness.actor is None):
            self._rolls.append(index)
        elif witness.kind == "other-side" and witness.actor is not None:
            self._acted(index, witness.actor)
        elif witness.kind in ("flip", "log-end"):
            self._flips.append(index)

    def _acted(self, index: int, actor: str) -> None:
        self._acts.append(index)
        self._actors.append(actor)

    def too_late(self, a: int, b: int, side: str | None) -> bool:
        """Whether a die was rolled or another side did something between ``a`` and ``b``. Then the position
        at ``a`` can no longer be taken back."""
        return _any(self._rolls, a, b) or self._other(a, b, side)

    def bound(self, a: int, b: int, side: str | None) -> bool:
        """Whether a stop that began at ``a`` and ended at ``b`` was witnessed: as :meth:`too_late`, or a
        counter was flipped, or the log ended."""
        if self._logs[a] != self._logs[b]:
            return True
        return _any(self._flips, a, b) or self.too_late(a, b, side)

    def _other(self, a: int, b: int, side: str | None) -> bool:
        if side is None:
            return False
        found = bisect_right(self._acts, a)
        if found < len(self._actors) and self._actors[found] == side:
            found = self._next[found]
        return found < len(self._acts) and self._acts[found] < b


def _any(indices: list[int], a: int, b: int) -> bool:
    return bisect_right(indices, a) < bisect_left(indices, b)


def _next_other(actors: list[str]) -> list[int]:
    """For each entry, the index of the next entry with a different actor; ``len(actors)`` if there is
    none."""
    following = [len(actors)] * len(actors)
    for place in range(len(actors) - 2, -1, -1):
        same = actors[place] == actors[place + 1]
        following[place] = following[place + 1] if same else place + 1
    return following


OFF = ("box", "nowhere")
"""Kinds of places that are off the map."""

Nature = Literal[
    "movement",
    "removal",
    "appearance",
    "put-back",
    "detour",
    "doubtful",
    "off-map",
    "unclear",
    "undo",
    "between-logs",
    "marker",
]


@dataclass(slots=True)
class Leg:
    """One displacement of one unit. ``index``: the index of its event. ``taken_back``: the step that took it
    back; None if nothing did. ``late``: its own step if it was a way back that came too late; otherwise
    None."""

    index: int
    unit: str
    at: StepRef
    origin: Place
    target: Place
    nature: Nature
    group: int = 0
    actor: str | None = None
    player: str = ""
    taken_back: StepRef | None = None
    late: StepRef | None = None


@dataclass(slots=True)
class _Trail:
    """The legs of a unit in the current phase that have not been taken back. ``attempt``: the index in
    ``legs`` of the first one after the last witness. ``removed``: whether the unit has ever been taken off
    the map; ``left``: from where it was in this phase, or just before it, unless it had just been put there.
    ``cancelled``: each leg that took others back, and those. ``doubtful``: whether something was perhaps
    taken back, and where it moves from is not known. ``side``: the side that makes the current leg."""

    timeline: Timeline
    witnesses: Witnesses
    phase_number: int = -1
    legs: list[Leg] = field(default_factory=list)
    attempt: int = 0
    by_step: dict[StepRef, Leg] = field(default_factory=dict)
    removed: bool = False
    left: Place | None = None
    cancelled: list[tuple[Leg, list[Leg]]] = field(default_factory=list)
    doubtful: bool = False
    side: str | None = None

    def follow(self, leg: Leg, event: Displacement) -> None:
        """Add ``leg`` to the trail, and mark the legs that it takes back."""
        number = self.timeline.spell(event.at)
        if self.phase_number != number:
            if not self.legs or self.witnesses.bound(self.legs[-1].index, leg.index, self.side):
                self.left = None
            self.phase_number, self.legs, self.attempt = number, [], 0
            self.cancelled, self.doubtful = [], False
        if self.doubtful and leg.nature == "movement":
            leg.nature = "doubtful"
        if leg.nature == "removal":
            self.removed = True
            attempt = self.legs[self.attempt :]
            if not attempt or attempt[0].origin.kind not in OFF or self._is_over(leg):
                self.left = leg.origin
        elif leg.nature == "put-back" and self.left not in (None, leg.target):
            leg.nature = "detour"
        if leg.nature == "between-logs":
            return
        if event.cause == "undo":
            undone = self._undone(leg, event)
            if undone is None and self._restored(leg, event):
                return
            if undone is None:
                leg.nature = "undo"
                self.legs.clear()
                self.attempt = 0
            elif self.witnesses.too_late(undone.index, leg.index, self.side):
                leg.late = leg.at
                self._append(leg)
            else:
                self._cancel(undone, leg)
            return
        if self.legs and not self._is_over(leg):
            start = self.legs[self.attempt]
            if start.origin == leg.target:
                if not _may_be_parted(self.timeline, start.at, leg.at):
                    self._cancel(start, leg)
                    return
                self.doubtful = True
                for one in (*self.legs[self.attempt :], leg):
                    one.nature = "doubtful"
        if self.legs and self.legs[0].origin == leg.target and not self.doubtful:
            leg.late = leg.at
        self._append(leg)

    def _append(self, leg: Leg) -> None:
        if self.legs and self._is_over(leg):
            self.attempt = len(self.legs)
        self.legs.append(leg)
        self.by_step[leg.at] = leg

    def _is_over(self, leg: Leg) -> bool:
        """Whether something has witnessed where the last leg led, before ``leg``."""
        return self.witnesses.too_late(self.legs[-1].index, leg.index, self.side)

    def _undone(self, leg: Leg, event: Displacement) -> Leg | None:
        """The leg that the undo ``leg`` takes back: that of the step it names, or the last one if it names
        none. None if there is no such leg, it has been taken back already, or it did not begin where the undo
        leads."""
        if event.cancels is not None:
            undone = self.by_step.get(event.cancels)
        else:
            undone = self.legs[-1] if self.legs else None
        if undone is None or undone.taken_back is not None or undone.origin != leg.target:
            return None
        return undone

    def _cancel(self, first: Leg, leg: Leg) -> None:
        """Mark ``leg``, ``first`` and all legs after ``first`` as taken back by ``leg``."""
        leg.taken_back = leg.at
        kept = [one for one in self.legs if one.index < first.index]
        gone = [first, *(one for one in self.legs if one.index > first.index)]
        for one in gone:
            one.taken_back = leg.at
        self.cancelled.append((leg, gone))
        self.legs = kept
        self.attempt = min(self.attempt, len(self.legs))

    def _restored(self, leg: Leg, event: Displacement) -> bool:
        """Whether the undo ``leg`` undoes a leg that took others back, the last thing that happened to the
        unit: then those stand again."""
        if not self.cancelled:
            return False
        back, gone = self.cancelled[-1]
        moved_on = self.legs and self.legs[-1].index > back.index
        other = event.cancels not in (None, back.at)
        late = self.witnesses.too_late(back.index, leg.index, self.side)
        if moved_on or other or back.origin != leg.target or late:
            return False
        self.cancelled.pop()
        back.taken_back = leg.taken_back = leg.at
        for one in gone:
            one.taken_back = None
            self._append(one)
        return True


def legs(game: Game, timeline: Timeline, witnesses: Witnesses) -> list[Leg]:
    """All displacements whose origin and target differ, in order, with what was taken back."""
    found: list[Leg] = []
    trails: dict[str, _Trail] = {}
    for index, event in enumerate(game.events):
        if not isinstance(event, Displacement) or event.origin == event.target:
            continue
        unit = game.units.get(event.unit)
        trail = trails.setdefault(event.unit, _Trail(timeline, witnesses))
        marker = unit is None or unit.kind == "marker"
        nature = "marker" if marker else _nature(event, trail.removed)
        leg = Leg(
            index,
            event.unit,
            event.at,
            event.origin,
            event.target,
            nature,
            event.group,
            event.actor,
            event.player,
        )
        found.append(leg)
        if not marker:
            trail.side = event.actor or (unit.side if unit is not None else None)
            trail.follow(leg, event)
    return found


def _nature(event: Displacement, removed: bool) -> Nature:
    if event.at.step == 0 or event.cause == "reseated":
        return "between-logs"
    if event.origin.kind in OFF:
        if event.target.kind in OFF:
            return "off-map"
        return "put-back" if removed else "appearance"
    if event.target.kind in OFF:
        return "removal"
    return "unclear" if "unclear" in (event.origin.kind, event.target.kind) else "movement"


def _may_be_parted(timeline: Timeline, first: StepRef, last: StepRef) -> bool:
    """Whether two steps of one phase may lie in two phases, because a turn or a side is not known."""
    if timeline.phase_number(first) == timeline.phase_number(last):
        return False
    phases = timeline.phase(first), timeline.phase(last)
    return any(None in (phase.turn, phase.active) for phase in phases)
