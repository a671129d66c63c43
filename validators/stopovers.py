"""Moves that may not have ended where the log shows.

Units are dragged somewhere, and then dragged on in the same phase together with other units. If nothing
witnessed the table in between, the player may have put the counters down there only to gather or split a
stack, and the units may have gone another way.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from ..model.fact import MissingFact
from ..model.finding import JudgedMove
from ..model.game import Game, StepRef
from .answers import Decided, answer, passed_through
from .checks import FACTS
from .judge import Judgement
from .moves import Track
from .one_stack import Drag
from .takeback import Witnesses
from .verdicts import open_question


@dataclass(frozen=True, slots=True)
class Unseen:
    """The end of a move, at which a unit perhaps never was. ``on``: the step in which it was dragged on.
    ``asked``: the missing fact whether it was there; None if the facts say that it was not."""

    on: StepRef
    asked: MissingFact | None


def unseen_end(
    game: Game, unit: str, track: Track, later: Track, witnesses: Witnesses
) -> Unseen | None:
    """The end of ``track``, a move of ``unit`` that was followed by ``later`` with other units; None if the
    unit was certainly there, or if ``later`` does not begin there."""
    move = track.move
    if move.target.hex is None or later.move.origin != move.target:
        return None
    if witnesses.bound(track.events[-1], later.events[0], track.side):
        return None
    question = passed_through(move.target.name, unit, move.steps[-1])
    told = answer(game, question)
    if told:
        return None
    asked = question.unknown(f"stop of {unit} in {move.target.name}") if told is None else None
    return Unseen(later.move.steps[0], asked)


class Stopovers:
    """Finds unwitnessed ends of the moves of one game."""

    def __init__(self, game: Game, tracks: Iterable[Track], witnesses: Witnesses) -> None:
        self._game, self._witnesses = game, witnesses
        self._next: dict[tuple[int, str], Track] = {}
        for track in tracks:
            if track.counts:
                for unit, before in zip(track.move.units, track.earlier, strict=False):
                    if before:
                        self._next[before[-1], unit] = track

    def unseen(self, track: Track) -> Mapping[str, MissingFact | None]:
        """The units of a move that went on from its end without a witness, each with the missing fact whether
        it was there; None if the facts say that it was not. Units that were certainly there are left out."""
        move = track.move
        found: dict[str, MissingFact | None] = {}
        for unit in move.units if move.target.hex is not None else ():
            later = self._next.get((move.id, unit))
            end = unseen_end(self._game, unit, track, later, self._witnesses) if later else None
            if end is not None:
                found[unit] = end.asked
        return found

    def left_open(self, judgement: Judgement, track: Track, rest: Judgement | None) -> Judgement:
        """``judgement`` (illegal), changed to unverifiable because units of the move perhaps went another
        way.

        ``rest``: the judgement of the units that stayed; None if none did. If the facts say that none of the
        others was there, ``rest`` is returned, or a move that is not judged if it is None.
        """
        unseen = self.unseen(track)
        unknowns = [asked for asked in unseen.values() if asked is not None]
        if not unknowns:
            if rest is not None:
                return rest
            remark = f"only put down in {track.move.target} while it was handled, as the facts say"
            judged = JudgedMove(judgement.judged.move, "unverifiable", remark=remark, judged=False)
            return Judgement(judged, ())
        place = track.move.target.name
        more = rest.judged.unknowns if rest is not None else ()
        judged = replace(
            judgement.judged,
            verdict="unverifiable",
            unknowns=tuple(dict.fromkeys((*unknowns, *more))),
            remark=f"dragged on from {place} in other company, with nothing to show that it had been there",
        )
        return replace(
            judgement, judged=judged, findings=(open_question(self._game, judged, FACTS),)
        )


def handled(
    game: Game,
    witnesses: Witnesses,
    ways: Mapping[str, Sequence[Drag]],
    unit: str,
    drag: Drag,
    until: int,
) -> Decided:
    """Whether the units dragged by ``drag`` may not really have moved then, so that ``unit``, dragged on by
    the event with index ``until``, moved on before they began or after they had finished; or it had not
    begun, because by the facts it never was in any of its earlier places.

    ``ways``: the drags of the phase for each unit, in order.
    """
    if _only_put_down(game, witnesses, unit, ways[unit], drag.event):
        return True
    asked: list[MissingFact] = []
    for other in drag.track.move.units:
        stops = _handled_at(witnesses, ways, unit, other, drag, until)
        about = [(s.target.name, passed_through(s.target.name, other, s.at)) for s in stops]
        told = [answer(game, question) for _, question in about]
        if False in told:
            continue
        if None not in told:
            return False
        open_ones = (one for one, said in zip(about, told, strict=True) if said is None)
        asked += [question.unknown(f"stop of {other} in {name}") for name, question in open_ones]
    return tuple(asked) or True


def _only_put_down(
    game: Game, witnesses: Witnesses, unit: str, ways: Sequence[Drag], event: int
) -> bool:
    """Whether ``unit``, dragged along ``ways``, was never where it was put down before the event with index
    ``event``: the facts say so of each place, and nothing witnessed it."""
    before = [(way, after) for way, after in pairwise(ways) if way.event < event]
    return bool(before) and all(
        way.target.hex is not None
        and not witnesses.bound(way.event, after.event, way.track.side)
        and answer(game, passed_through(way.target.name, unit, way.at)) is False
        for way, after in before
    )


def _handled_at(
    witnesses: Witnesses,
    ways: Mapping[str, Sequence[Drag]],
    unit: str,
    other: str,
    drag: Drag,
    until: int,
) -> list[Drag]:
    """The drags of ``other`` to a place where nothing witnessed it: its last drag together with ``unit``
    before ``drag`` separated them, and ``drag`` itself if ``other`` was dragged on by another move after
    ``until``."""
    own = [way for way in ways[other] if way.event < drag.event]
    together = [way for way in own if unit in way.track.move.units and way.target.hex is not None]
    side = drag.track.side
    found = [w for w in together[-1:] if not witnesses.bound(w.event, drag.event, side)]
    later = next((way for way in ways[other] if way.event > drag.event), None)
    if (
        later is not None
        and later.event > until
        and later.track.move.id != drag.track.move.id
        and later.origin == drag.target
        and later.origin.hex is not None
        and not witnesses.bound(drag.event, later.event, side)
    ):
        found.append(drag)
    return found
