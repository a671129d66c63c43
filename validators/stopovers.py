"""Moves that need not have ended where they seem to: their units were dragged on in the same phase, in other
company, and nobody saw the table in between. The player may have put them down there only to gather or part
a stack, and gone another way.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from ..model.finding import JudgedMove
from ..model.game import Game
from .answers import answer, passed_through
from .checks import FACTS
from .judge import Judgement
from .moves import Track
from .verdicts import open_question
from .witness import Witnesses


class Stopovers:
    """Answers for the moves of one game."""

    def __init__(self, game: Game, tracks: Iterable[Track], witnesses: Witnesses) -> None:
        self._game, self._witnesses = game, witnesses
        self._next: dict[tuple[int, str], Track] = {}
        for track in tracks:
            if track.counts:
                for unit, before in zip(track.move.units, track.earlier, strict=False):
                    if before:
                        self._next[before[-1], unit] = track

    def unseen(self, track: Track) -> Mapping[str, bool | None]:
        """The units of a move that went on from its end unseen, with what the facts say of whether they
        were there: None if nothing. Those that were there for certain are left out."""
        move = track.move
        found: dict[str, bool | None] = {}
        for unit in move.units if move.target.hex is not None else ():
            later = self._next.get((move.id, unit))
            if later is None or later.move.origin != move.target:
                continue
            if self._witnesses.bound(track.events[-1], later.events[0], track.side):
                continue
            told = answer(self._game, passed_through(move.target.name, unit, move.steps[-1]))
            if told is not True:
                found[unit] = told
        return found

    def left_open(self, judgement: Judgement, track: Track, rest: Judgement | None) -> Judgement:
        """``judgement``, that a move is illegal, left open: its units perhaps went another way. ``rest``:
        the judgement of those that stayed, None if none did."""
        unseen = self.unseen(track)
        asked = [unit for unit, told in unseen.items() if told is None]
        if not asked:
            if rest is not None:
                return rest
            remark = f"only put down in {track.move.target} while it was handled, as the facts say"
            judged = JudgedMove(judgement.judged.move, "unverifiable", remark=remark, judged=False)
            return Judgement(judged, ())
        place, at = track.move.target.name, track.move.steps[-1]
        unknowns = tuple(
            passed_through(place, unit, at).unknown(f"stop of {unit} in {place}") for unit in asked
        )
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
