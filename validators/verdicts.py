"""Verdicts and findings that need no search: what is not judged, kept open, or out of turn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ..model.fact import MissingFact
from ..model.finding import Finding, FindingKind, JudgedMove, Move, Verdict
from ..model.game import Displacement, Game, Place, StepRef
from .answers import answer, by_way_of, spent_before
from .checks import PHASE, PLACE, TAKEBACK, listed, names_of, phase_unknown
from .displacement_screening import Screening
from .moves import Track
from .takeback import OFF
from .timeline import Timeline

_REMARKS = {
    "removal": "taken off the map",
    "appearance": "came onto the map",
    "put-back": "put back onto the map",
    "detour": "taken off the map and put elsewhere on it, which is said to be no movement",
    "off-map": "moved off the map only",
    "undo": "an undo of something that is not a move",
    "between-logs": "is not where the log before left it",
    "marker": "a marker",
}
_WAYS_OFF = ("removal", "appearance", "put-back", "detour", "off-map")
_CAME_INTO_SIGHT = "came into sight or went out of it, or may be no unit"


def unjudged(game: Game, track: Track, timeline: Timeline) -> tuple[JudgedMove, list[Finding]]:
    """The verdict on a track that is not movement on the map, or was taken back."""
    move = track.move
    if move.taken_back is not None:
        remark = f"taken back at {move.taken_back.said}"
        said = f"{_who(game, move)}: the move to {_far_point(move)} was taken back at {move.taken_back.said}"
        note = finding(game, move, TAKEBACK, "note", "legal", said)
        return JudgedMove(move, "legal", remark=remark, judged=False), [note]
    if track.nature == "unclear":
        asked, remark = (_place_unknown(game, move),), "it is not clear in which hex it lay"
        judged = JudgedMove(move, "unverifiable", unknowns=asked, remark=remark)
        return judged, [open_question(game, judged, PLACE)]
    if track.nature == "doubtful":
        judged = JudgedMove(
            move,
            "unverifiable",
            unknowns=(phase_unknown(timeline, timeline.half_told(move.steps[0])),),
            remark="this, or what it did before, was perhaps taken back: a phase may have begun between",
        )
        return judged, [open_question(game, judged, PHASE)]
    if track.nature == "detour":
        return _by_way_of_a_box(game, move)
    remark = _REMARKS[track.nature]
    if track.nature == "between-logs" and move.steps[0].step > 0:
        remark = _CAME_INTO_SIGHT
    why = _why_lost(game, move) if track.nature == "undo" else ""
    if why:
        remark = f"an undo took it off the map: {why}"
    if track.nature in _WAYS_OFF and not game.nameless.isdisjoint(move.waypoints):
        remark += "; the pack does not say what that place is"
        return JudgedMove(move, "unverifiable", remark=remark, judged=False, unplaced=True), []
    return JudgedMove(move, "unverifiable", remark=remark, judged=False), []


def by_another_form(move: Move, form: str) -> JudgedMove:
    """The verdict on a displacement by ``form``, which is not judged."""
    remark = f"by {form}, which these rules do not judge"
    return JudgedMove(move, "unverifiable", remark=remark, form=form, judged=False)


def _why_lost(game: Game, move: Move) -> str:
    """Why an undo left the units off the map; empty if it did not, or if no event says why."""
    return next(
        (
            event.why
            for event in game.events
            if isinstance(event, Displacement)
            and event.why
            and event.at in move.steps
            and event.unit in move.units
        ),
        "",
    )


def put_back_late(game: Game, track: Track, at: StepRef) -> Finding:
    """The note that a move was put back, at step ``at``, after something had already witnessed it."""
    said = (
        f"{_who(game, track.move)} was put back to {track.move.target} at {at.said}, after a die roll or"
        " another side's step: the move stays made"
    )
    return finding(game, track.move, TAKEBACK, "note", "unverifiable", said)


def kept_open(move: Move, found: Screening, favourable: Sequence[JudgedMove]) -> JudgedMove:
    """The verdict on a move that may not be judged yet, with the bill of its favourable reading."""
    others = () if found.comes_first else (u for judged in favourable for u in judged.unknowns)
    unknowns = [*found.unknowns, *others]
    first = favourable[0] if favourable else JudgedMove(move, "unverifiable")
    remark = found.why
    if favourable and all(judged.verdict == "legal" for judged in favourable):
        remark += "; taken by itself, as one move, it keeps to the rules"
    return JudgedMove(
        move,
        "unverifiable",
        path=first.path,
        bill=first.bill,
        unknowns=tuple(dict.fromkeys(unknowns)),
        remark=remark,
        form=first.form,
    )


def came_from_elsewhere(
    game: Game, judged: JudgedMove, interrupted: tuple[MissingFact, ...] = ()
) -> JudgedMove:
    """A legal verdict changed to unverifiable, because what the unit spent earlier in the phase is not known.
    ``interrupted``: the missing facts about possible interruptions of the phase, asked instead if there are
    any."""
    unknowns = interrupted or (earlier_unknown(game, judged.move),)
    remark = "what it spent before in the phase, or in coming onto the map, is not known"
    return replace(
        judged, verdict="unverifiable", unknowns=(*judged.unknowns, *unknowns), remark=remark
    )


def counted_with(before: Sequence[int]) -> str:
    """The part of a move's remark about the moves that were counted with it; ``before``: the ids of those
    that may be named."""
    if not before:
        return "counted together with what it did before in the phase"
    return f"counted together with move {listed(map(str, before))} of the phase"


def earlier_unknown(game: Game, move: Move) -> MissingFact:
    """The missing fact: how many MPs did the units of ``move`` spend in the phase before it?"""
    name = listed(names_of(game, move.units))
    question = spent_before(str(move.origin), move.units[0], name, move.steps[0])
    return question.unknown(f"unit {move.units[0]} before step {move.steps[-1]}")


def open_question(game: Game, judged: JudgedMove, code: str) -> Finding:
    """The finding that a move cannot be verified, with the first missing fact that would decide it."""
    move = judged.move
    said = f"{_who(game, move)}, {move.origin} to {move.target}: {judged.remark}"
    remedy = judged.unknowns[0].question if judged.unknowns else ""
    found = finding(game, move, code, "unverifiable", "unverifiable", said)
    return replace(found, unknowns=judged.unknowns, remedy=remedy, bill=judged.bill)


def out_of_turn(game: Game, judged: JudgedMove, units: tuple[str, ...]) -> Finding:
    """The finding that ``units`` of a move were moved in a phase in which they may not move."""
    move = replace(judged.move, units=units)
    said = f"{_who(game, move)} moved from {move.origin} to {move.target}, but {judged.remark}"
    return finding(game, move, PHASE, "illegal-move", "illegal", said)


def finding(
    game: Game, move: Move, code: str, kind: FindingKind, verdict: Verdict, explanation: str
) -> Finding:
    """A finding about ``move``."""
    hexes = dict.fromkeys(place.name for place in move.waypoints if place.kind == "hex")
    unit = game.units.get(move.units[0])
    found = finding_about(
        game,
        code,
        kind,
        move.units,
        hexes=tuple(hexes),
        steps=move.steps,
        explanation=explanation,
        player=move.player,
        side=move.actor or (unit.side if unit is not None else None),
        phase=move.phase,
        moves=(move.id,),
    )
    return replace(found, verdict=verdict)


def finding_about(
    game: Game, code: str, kind: FindingKind, units: tuple[str, ...], **more: Any
) -> Finding:
    """A finding against ``units``. ``more``: its other fields."""
    return Finding(code, code, kind, "illegal", units, names_of(game, units), **more)


def _who(game: Game, move: Move) -> str:
    return listed(names_of(game, move.units))


def _far_point(move: Move) -> Place:
    """The place a move led to before it led back."""
    others = [place for place in move.waypoints if place != move.origin]
    return others[-1] if others else move.target


def _place_unknown(game: Game, move: Move) -> MissingFact:
    origin = move.origin.kind == "unclear"
    when = "before" if origin else "after"
    name = _who(game, move)
    return MissingFact(
        key=f"unit {move.units[0]} place {when} step {move.steps[0]}",
        question=f"in which hex was {name} {when} {move.steps[0].said}?",
    )


def _by_way_of_a_box(game: Game, move: Move) -> tuple[JudgedMove, list[Finding]]:
    """The verdict on units that were taken off the map and put elsewhere on it: whether this was a move is
    open until the facts say so for each of them."""
    asked, told = [], []
    for unit in move.units:
        left = next(
            event.origin
            for event in reversed(game.events)
            if isinstance(event, Displacement)
            and event.unit == unit
            and event.at <= move.steps[0]
            and event.origin.kind not in OFF
        )
        name = names_of(game, (unit,))[0]
        question = by_way_of(
            str(left), str(move.origin), str(move.target), unit, name, move.steps[0]
        )
        told.append(answer(game, question))
        if told[-1] is None:
            asked.append(question.unknown())
    if asked:
        remark = "it was taken off the map and put elsewhere on it"
        judged = JudgedMove(move, "unverifiable", unknowns=tuple(asked), remark=remark)
        return judged, [open_question(game, judged, PLACE)]
    if True in told:
        return by_another_form(move, "way of a box"), []
    return JudgedMove(move, "unverifiable", remark=_REMARKS["detour"], judged=False), []


def left_open(found: Finding, *unknowns: MissingFact) -> Finding:
    """``found``, changed to unverifiable, with ``unknowns`` added to its missing facts."""
    every = tuple(dict.fromkeys((*found.unknowns, *unknowns)))
    return replace(
        found,
        kind="unverifiable",
        verdict="unverifiable",
        unknowns=every,
        remedy=every[0].question if every else "",
    )
