"""The order of movement: one unit after the other, except for pauses; a unit that has been turned moves no
more (6.A, 6.A.5)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from ....model.fact import Fact
from ....model.finding import Finding
from ....model.game import Game
from ...checks import listed, names_of
from ...concepts import missing_facts
from ...concepts.logic import every
from ...moves import Track
from ...one_stack import Drag, drags_of
from ...order import check_order, in_whole_phases
from ...ruleset import OrderRule, RulesInForce
from ...stopovers import handled
from ...verdicts import finding, left_open
from ...witness import Witnesses
from .prohibitions import may_move
from .tables import Tables
from .unit_history import UnitHistory

_ONE_BY_ONE = OrderRule("ZC-6.A-d", resume=False)
_MOVEMENT = ("initial", "reaction", "exploitation")
TURNED = "turned"
"""The attribute that says whether a counter has been turned to show that it has moved."""


def resumed_moves(
    game: Game,
    tracks: Sequence[Track],
    tables: Tables,
    unit_history: UnitHistory,
    rules: RulesInForce,
) -> Iterator[Finding]:
    """Findings for units that moved on after others had moved: units that had been turned, and other units
    unless they had paused."""
    moving = [track for track in tracks if _is_designated(track, game, tables)]
    told: set[tuple[str, int]] = set()
    if tables.applies("6.A.5-b"):
        for found, phase in _turned(game, moving, unit_history):
            if found.verdict == "illegal":
                told.add((found.units[0], phase))
            yield found
    if not tables.applies("6.A-d"):
        return
    number = unit_history.timeline.phase_number
    for found in check_order(game, moving, _ONE_BY_ONE, Witnesses(game), rules):
        if (found.units[0], number(found.steps[0])) not in told:
            yield from _unless_paused(found, _second_drag(found, moving), tables, unit_history)


def _is_designated(track: Track, game: Game, tables: Tables) -> bool:
    """Whether the move is certainly of units that may move in the phase, and the phase is a movement phase.
    Other units can only have been put back."""
    phase = track.move.phase
    kind = tables.phases.get(phase.phase or "", "")
    if kind not in _MOVEMENT:
        return False
    units = (game.units[unit] for unit in track.move.units if unit in game.units)
    return all(may_move(game, tables, phase.active, unit.side, kind) for unit in units)


def _turned(
    game: Game, tracks: Sequence[Track], unit_history: UnitHistory
) -> Iterator[tuple[Finding, int]]:
    """Findings for units that were turned in a phase and moved on after another had moved, each with the
    number of the phase. A turned unit has finished its move, so neither a pause nor a stack can explain
    it."""
    whole, witnesses = in_whole_phases(game, tracks), Witnesses(game)
    for number, group in groupby(whole, key=lambda track: track.phase_number):
        drags = sorted(
            (drag for track in group for drag in drags_of(track)), key=lambda drag: drag.event
        )
        ways: dict[str, list[Drag]] = {}
        for drag in drags:
            for unit in drag.track.move.units:
                ways.setdefault(unit, []).append(drag)
        for unit in ways:
            found = _moved_on(game, unit, drags, ways, unit_history, witnesses) or _stayed(
                game, unit, drags, ways, unit_history, witnesses
            )
            if found is not None:
                yield found, number


def _moved_on(
    game: Game,
    unit: str,
    drags: Sequence[Drag],
    ways: Mapping[str, Sequence[Drag]],
    unit_history: UnitHistory,
    witnesses: Witnesses,
) -> Finding | None:
    """The finding that a unit was dragged, turned, and dragged on after another unit had been dragged; None
    if that did not happen. It is left open if a fact is missing."""
    own = ways[unit]
    if len(own) < 2:
        return None
    fresh = _is(unit_history.at_opening(TURNED, unit, own[0].event), False)
    perhaps: Finding | None = None
    for second in own[1:]:
        for between in drags:
            if not own[0].event < between.event < second.event or unit in between.track.move.units:
                continue
            then = _is(unit_history.told(TURNED, unit, between.event), True)
            now = _is(unit_history.told(TURNED, unit, second.event), True)
            turned = every((fresh, then, now))
            by_hand = handled(game, witnesses, ways, unit, between, second.event)
            if turned is False or by_hand is True:
                continue
            found = _finished(game, unit, own[0].track, between.track, second.track)
            if turned and not by_hand:
                return found
            asked = () if turned else (missing_facts.of_unit(game.units[unit], TURNED),)
            perhaps = perhaps or left_open(found, *asked, *(by_hand or ()))
    return perhaps


def _stayed(
    game: Game,
    unit: str,
    drags: Sequence[Drag],
    ways: Mapping[str, Sequence[Drag]],
    unit_history: UnitHistory,
    witnesses: Witnesses,
) -> Finding | None:
    """The finding that a unit was turned in the hex where it began the phase, so that its movement was over,
    and was dragged after another unit had been dragged and seen; None if that is not certain."""
    first = ways[unit][0]
    if not first.track.side or not unit_history.at_opening(TURNED, unit, first.event).must_be(
        False
    ):
        return None
    for between in drags:
        if between.event >= first.event or unit in between.track.move.units:
            continue
        turned = all(
            unit_history.told(TURNED, unit, event).must_be(True)
            for event in (between.event, first.event)
        )
        late = witnesses.too_late(between.event, first.event, first.track.side)
        same = between.track.side == first.track.side
        by_hand = handled(game, witnesses, ways, unit, between, first.event)
        if turned and late and same and by_hand is False:
            return _finished(game, unit, None, between.track, first.track)
    return None


def _is(fact: Fact, value: bool) -> bool | None:
    """Whether a fact is ``value``; None if it may be."""
    return True if fact.must_be(value) else None if fact.may_be(value) else False


def _finished(game: Game, unit: str, first: Track | None, between: Track, second: Track) -> Finding:
    """The finding that a turned unit moved. ``first``: its move before it was turned; None if it had ended
    its movement where it began."""
    name = names_of(game, (unit,))[0]
    others = listed(names_of(game, between.move.units))
    shown = "that it had moved, and moved on" if first else "that it stayed, and moved"
    said = f"{name} had been turned to show {shown} after {others} had moved"
    move = replace(second.move, units=(unit,))
    found = finding(game, move, "ZC-6.A.5-b", "illegal-move", "illegal", said)
    tracks = (track for track in (first, between, second) if track is not None)
    return replace(found, moves=tuple(dict.fromkeys(track.move.id for track in tracks)))


def _second_drag(found: Finding, tracks: Sequence[Track]) -> int:
    """The index of the event with which the unit of the finding was moved on."""
    by_id = {track.move.id: track for track in tracks}
    unit, between = found.units[0], by_id[found.moves[1]]
    own = [e for t in tracks if unit in t.move.units and t.counts for e in t.events]
    return next(
        event
        for event in sorted(own)
        if any(other < event for other in between.events) and any(e < event for e in own)
    )


def _unless_paused(
    found: Finding, index: int, tables: Tables, unit_history: UnitHistory
) -> Iterator[Finding]:
    """The finding; nothing if the unit had paused (6.A-e), unverifiable if that is not known."""
    paused = unit_history.told("pause", found.units[0], index)
    if paused.must_be(True) and tables.applies("6.A-e"):
        return
    if found.kind == "note" or paused.is_known:
        yield found
        return
    asked = missing_facts.of_condition("pause")
    yield replace(
        found,
        kind="unverifiable",
        verdict="unverifiable",
        unknowns=(asked,),
        remedy=asked.question,
    )
