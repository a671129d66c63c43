"""What made a stack too big: a move, a counter that came by none, or one that has grown."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from ..model.game import Displacement, StateChange, StepRef
from .moves import Track

TooBig = Callable[[frozenset[str]], bool]
"""Whether units that are now in a hex are too many."""


@dataclass(frozen=True, slots=True)
class Cause:
    """Something that may have made a stack too big. ``event``: its index. ``track``: the move by which
    ``unit`` came; None if it came by no move, or was changed. ``changed``: it was changed where it lay,
    and what lay there before was not too much."""

    event: int
    at: StepRef
    unit: str
    track: Track | None = None
    player: str = ""
    changed: bool = False


@dataclass(frozen=True, slots=True)
class Blame:
    """The moves that made a stack too big, or went on to. ``cause``: what else made it so; None if it was
    moves, or is not known."""

    tracks: tuple[Track, ...]
    cause: Cause | None = None


@dataclass(slots=True)
class Causes:
    """What happened to the units of each hex in a phase, in order."""

    tracks: dict[tuple[str, StepRef], Track]
    in_hex: dict[str, list[Cause]] = field(default_factory=dict)

    @staticmethod
    def of(tracks: Iterable[Track]) -> Causes:
        """With nothing noted yet; ``tracks`` are all moves of the game."""
        ends = {
            (unit, track.move.steps[-1]): track
            for track in tracks
            if track.counts
            for unit in track.move.units
        }
        return Causes(ends)

    def arrived(self, index: int, at: StepRef, event: Displacement) -> None:
        """Note that a unit was put into a hex."""
        track = self.tracks.get((event.unit, event.at))
        cause = Cause(index, at, event.unit, track, event.player)
        self.in_hex.setdefault(event.target.name, []).append(cause)

    def changed(self, index: int, at: StepRef, event: StateChange, name: str) -> None:
        """Note that a unit changed in hex ``name``, which did not hold too much before."""
        cause = Cause(index, at, event.unit, changed=True)
        self.in_hex.setdefault(name, []).append(cause)

    def blame(self, name: str, units: frozenset[str], too_big: TooBig) -> Blame:
        """Who made the stack of ``units`` in hex ``name`` too big: the moves that led there, unless it was
        made so by a counter that came by no move or was changed; then those after it."""
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
    """The arrival with which ``units`` became too many; None if they were before."""
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
