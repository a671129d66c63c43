"""Slips: another phase is told, or none, and then the phase before it again, with nothing done in between.

The phase may have gone on all the time (a player set the turn tracker on and back), or it may have ended, and
what follows is another of its name. A verdict must hold either way: see :mod:`.rereading`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from itertools import pairwise

from ..model.game import Event, Game, PhaseStart, StepRef
from .answers import WENT_ON, Question, answer
from .timeline import Timeline
from .tracker import Renewed, phase_key


@dataclass(frozen=True, slots=True)
class Slip:
    """From the step ``first`` on another phase is told, or none, and from ``back`` on ``phase`` again.
    ``last``: the first step after ``phase`` was last told in between; ``first`` if it was not."""

    first: StepRef
    last: StepRef
    back: StepRef
    phase: PhaseStart

    @property
    def question(self) -> Question:
        """Whether the phase went on (yes) or is another (no)."""
        text = (
            f"at {self.first.said} another phase is told, or none, and at {self.back.said} the phase "
            f"{self.phase.phase} again: did it go on all the time (yes), or is it another (no)?"
        )
        return Question(WENT_ON, text, at=self.first)


def slips_of(game: Game) -> tuple[Slip, ...]:
    """The slips of ``game``, in order."""
    if not _comes_again(game):
        return ()
    timeline = Timeline(game)
    return tuple(Slip(first.at, last.at, back.at, back) for first, last, back in timeline.slips())


def timeline_as_told(game: Game) -> Timeline:
    """The timeline of ``game``, in which the phase went on at each slip unless the facts say otherwise."""
    return Timeline(with_slips(game, slips_of(game), {}))


def _comes_again(game: Game) -> bool:
    """Whether any phase comes again after another, or may: else no slip need be looked for."""
    starts = [phase_key(event) for event in game.events if isinstance(event, PhaseStart)]
    runs = starts[:1] + [b for a, b in pairwise(starts) if a != b]
    half_told = any(phase is not None and None in (turn, side) for turn, phase, side in runs)
    return len(set(runs)) < len(runs) or (half_told and len(runs) > 2)


def undecided(game: Game, slips: Iterable[Slip]) -> tuple[Slip, ...]:
    """Those of ``slips`` of which the facts do not say whether the phase went on."""
    return tuple(slip for slip in slips if answer(game, slip.question) is None)


def with_slips(game: Game, slips: Iterable[Slip], ended: Mapping[StepRef, bool]) -> Game:
    """``game`` in which, after each of ``slips``, the phase goes on or is another one: as the facts say, else
    as ``ended`` says of the slip's first step. It goes on where neither says anything."""
    events = list(game.events)
    for number, slip in enumerate(slips, 1):
        told = answer(game, slip.question)
        renewed = ended.get(slip.first, False) if told is None else not told
        events = list(_read(events, slip, number if renewed else None))
    return replace(game, events=tuple(events)) if events != list(game.events) else game


def _read(events: Iterable[Event], slip: Slip, renewed: int | None) -> Iterator[Event]:
    """``events`` with ``slip`` as it is read. ``renewed``: the number of the phase after it, which is
    another; None: the phase went on, and the starts of the slip are left out."""
    for event in events:
        if not isinstance(event, PhaseStart) or not slip.first <= event.at <= slip.back:
            yield event
        elif renewed is not None and event is slip.phase:
            yield _renewed(event, renewed, passed=False)
        elif renewed is not None and slip.last <= event.at < slip.back:
            yield _renewed(event, renewed, passed=True)


def _renewed(start: PhaseStart, number: int, *, passed: bool) -> Renewed:
    told = {field.name: getattr(start, field.name) for field in fields(PhaseStart)}
    return Renewed(**told, number=number, passed=passed)
