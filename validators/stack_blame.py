"""Finds what made a stack too big: a move, a counter that arrived without a move, or a unit that changed in
size."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from ..model.game import Displacement, StateChange, StepRef
from .moves import Track

TooBig = Callable[[frozenset[str]], bool]
"""Returns whether a set of units now in a hex is too big a stack."""


@dataclass(frozen=True, slots=True)
class Cause:
    """An event that may have made a stack too big. ``event``: its index. ``track``: the move by which
    ``unit`` arrived; None if it arrived without a move, or changed. ``changed``: the unit changed in the hex,
    and the stack had not been too big before."""

    event: int
    at: StepRef
    unit: str
    track: Track | None = None
    player: str = ""
    changed: bool = False


@dataclass(frozen=True, slots=True)
class Blame:
    """The moves that made a stack too big, or made it bigger still. ``cause``: the event other than a move
    that made it too big; None if it was a move or is not known."""

    tracks: tuple[Track, ...]
    cause: Cause | None = None


@dataclass(slots=True)
class Causes:
    """The arrivals and changes of units in each hex during a phase, in order."""

    tracks: dict[tuple[str, StepRef], Track]
    in_hex: dict[str, list[Cause]] = field(default_factory=dict)

    @staticmethod
    def of(tracks: Iterable[Track]) -> Causes:
        """An empty record. ``tracks``: all moves of the game."""
        ends = {
            (unit, track.move.steps[-1]): track
            for track in tracks
            if track.counts
            for unit in track.move.units
        }
        return Causes(ends)

    def arrived(self, index: int, at: StepRef, event: Displacement) -> None:
        """Record that a unit was put into a hex by the event with index ``index``."""
        track = self.tracks.get((event.unit, event.at))
        cause = Cause(index, at, event.unit, track, event.player)
        self.in_hex.setdefault(event.target.name, []).append(cause)

    def changed(self, index: int, at: StepRef, event: StateChange, name: str) -> None:
        """Record that a unit changed in hex ``name``, where the stack was not too big before."""
        cause = Cause(index, at, event.unit, changed=True)
        self.in_hex.setdefault(name, []).append(cause)

    def blame(self, name: str, units: frozenset[str], too_big: TooBig) -> Blame:
        """What made the stack of ``units`` in hex ``name`` too big: the moves that led there. If a counter
        that arrived without a move, or that changed, made it too big, only the moves after that."""
        causes = [cause for cause in self.in_hex.get(name, ()) if cause.unit in units]
        last = {cause.unit: cause for cause in causes if not cause.changed}
        arrivals = sorted(last.values(), key=lambda cause: cause.event)
        led = tuple({c.track.move.id: c.track for c in arrivals if c.track is not None}.values())
        made = _completed(units, arrivals, too_big)
        after = made.event if made is not None else -1
        grown = [cause for cause in causes if cause.changed and cause.event > after]
        if grown:
            made = grown[-1]
        if made is None or made.track is not None:
            return Blame(led)
        late = {c.track.move.id: c.track for c in arrivals if c.track and c.event > made.event}
        return Blame(tuple(late.values()), made)


def _completed(units: frozenset[str], arrivals: list[Cause], too_big: TooBig) -> Cause | None:
    """The arrival with which the stack became too big; None if it was too big before the first or none made
    it so."""
    present = units - {cause.unit for cause in arrivals}
    if too_big(present):
        return None
    for number, cause in enumerate(arrivals):
        present |= {cause.unit}
        following = arrivals[number + 1] if number + 1 < len(arrivals) else None
        together = following is not None and following.at == cause.at
        if not together and too_big(present):
            return cause
    return None
