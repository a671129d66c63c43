"""Whether a unit was moved on after another had moved, where the rules forbid it.

Accused only if no grouping of the drags into stacks explains it: whatever began on the way of the unit
may have been of its stack, and may have been dropped. And only if a die roll or another side's step
stands between: before that a player may put things right by hand, and it is a note.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations, groupby, pairwise

from ..model.fact import Unknown
from ..model.finding import Finding
from ..model.game import Game, Place
from .checks import listed, names_of
from .moves import Track
from .ruleset import OrderRule, Requirement, all_met
from .verdicts import finding
from .witness import Witnesses


def check_order(
    game: Game, tracks: Sequence[Track], rule: OrderRule, witnesses: Witnesses
) -> tuple[Finding, ...]:
    """The units moved on after others had moved, phase by phase; none where ``rule`` allows it."""
    if rule.resume and not rule.dropped:
        return ()
    found: list[Finding] = []
    for _, phase in groupby(in_whole_phases(game, tracks), key=lambda track: track.phase_number):
        found.extend(_in_phase(game, list(phase), rule, witnesses))
    return tuple(found)


def in_whole_phases(game: Game, tracks: Sequence[Track]) -> list[Track]:
    """The moves of phases in which nothing but movement displaces a unit."""
    return [track for track in tracks if track.counts and _is_complete(game, track)]


def _is_complete(game: Game, track: Track) -> bool:
    rule = game.phases.get(track.move.phase.phase or "")
    return track.phase_known and rule is not None and rule.complete and not rule.complete_for


class _Drag:
    __slots__ = ("event", "origin", "side", "target", "track")

    def __init__(self, game: Game, track: Track, number: int) -> None:
        self.event = track.events[number]
        self.origin, self.target = track.move.waypoints[number : number + 2]
        self.track = track
        unit = game.units.get(track.move.units[0])
        self.side = unit.side if unit is not None else None


def _in_phase(
    game: Game, tracks: list[Track], rule: OrderRule, witnesses: Witnesses
) -> list[Finding]:
    drags = [_Drag(game, track, n) for track in tracks for n in range(len(track.events))]
    drags.sort(key=lambda drag: drag.event)
    parted = list(_parted(game, drags, rule, witnesses)) if rule.dropped else []
    if rule.resume:
        return parted
    found = _interrupted(game, tracks, drags, rule, witnesses)
    said = {unit for finding in parted for unit in finding.units}
    return [*(f for f in found if said.isdisjoint(f.units)), *parted]


def _interrupted(
    game: Game, tracks: list[Track], drags: list[_Drag], rule: OrderRule, witnesses: Witnesses
) -> list[Finding]:
    """Units that moved on after others had moved."""
    on_way: dict[str, set[Place]] = {}
    for track in tracks:
        for unit in track.move.units:
            on_way.setdefault(unit, set()).update(track.move.waypoints)
    found: list[Finding] = []
    last: dict[str, int] = {}
    told: set[str] = set()
    for number, drag in enumerate(drags):
        for unit in drag.track.move.units:
            before = last.get(unit)
            last[unit] = number
            if before is None or unit in told:
                continue
            others = [d for d in drags[before + 1 : number] if not _is_apart(game, d, rule)]
            strange = [d for d in others if d.origin not in on_way[unit]]
            between = _stranger(game, unit, strange, drag, tracks)
            if between is not None:
                told.add(unit)
                found.append(_resumed(game, unit, drags[before], between, drag, rule, witnesses))
    return found


def _is_apart(game: Game, drag: _Drag, rule: OrderRule) -> bool:
    """Whether what was dragged is, or may be, of those whose moves interrupt nobody's."""
    return bool(rule.apart) and any(
        _fits(game, unit, rule.apart) is not False for unit in drag.track.move.units
    )


def _fits(game: Game, unit: str, needs: Sequence[Requirement]) -> bool | None:
    facts = {need.attribute: game.units[unit].fact(need.attribute) for need in needs}
    return all_met(needs, facts)


def _stranger(
    game: Game, unit: str, between: list[_Drag], own: _Drag, tracks: list[Track]
) -> _Drag | None:
    """The first drag in between of a unit of the same side that cannot have been of the stack."""
    for drag in between:
        if unit in drag.track.move.units or drag.side != own.side:
            continue
        ways = (track.move.waypoints for track in tracks if unit in track.move.units)
        if not any(_lies_between(game, drag.origin, *leg) for way in ways for leg in pairwise(way)):
            return drag
    return None


def _lies_between(game: Game, place: Place, origin: Place, target: Place) -> bool:
    """Whether a hex lies on a straight way of a unit that was dragged over it: it may have stopped there for
    others to join it."""
    places, board = (place, origin, target), game.board
    if any(p.kind != "hex" or p.name not in board.hexes for p in places):
        return False
    x, a, b = (p.name for p in places)
    there, on, whole = board.distance(a, x), board.distance(x, b), board.distance(a, b)
    return there is not None and on is not None and whole is not None and there + on <= whole


def _resumed(
    game: Game,
    unit: str,
    first: _Drag,
    between: _Drag,
    second: _Drag,
    rule: OrderRule,
    witnesses: Witnesses,
) -> Finding:
    name, other = names_of(game, (unit,))[0], listed(names_of(game, between.track.move.units))
    said = f"{name} moved on from {second.origin} after {other} had moved"
    late = witnesses.too_late(first.event, second.event, second.track.side)
    move = replace(second.track.move, units=(unit,))
    told = finding(game, move, rule.clause, "note", "unverifiable", said)
    if rule.exempt and _fits(game, unit, rule.exempt) is not False:
        return _perhaps_exempt(told, name, unit)
    if late:
        told = finding(game, move, rule.clause, "illegal-move", "illegal", said)
    numbers = dict.fromkeys((first.track.move.id, between.track.move.id, move.id))
    return replace(told, moves=tuple(numbers), rests_on=between.track.move.units)


def _parted(
    game: Game, drags: list[_Drag], rule: OrderRule, witnesses: Witnesses
) -> Iterator[Finding]:
    """Units dragged together that then went two ways: one of them was left behind, and moved on."""
    together: dict[tuple[str, str], int] = {}
    of_unit: dict[str, list[int]] = {}
    for number, drag in enumerate(drags):
        together.update(dict.fromkeys(combinations(sorted(drag.track.move.units), 2), number))
        for unit in drag.track.move.units:
            of_unit.setdefault(unit, []).append(number)
    told: set[str] = set()
    for (one, other), last in together.items():
        ways = [[drags[n] for n in of_unit[u] if n > last] for u in (one, other)]
        been = {drags[n].origin for unit in (one, other) for n in of_unit[unit] if n <= last}
        fork = _fork(game, ways[0], ways[1], been)
        spared = any(
            needs and _fits(game, unit, needs) is not False
            for unit in (one, other)
            for needs in (rule.exempt, rule.apart)
        )
        if fork is None or spared:
            continue
        first, second = sorted(fork, key=lambda drag: drag.event)
        left = one if one in second.track.move.units else other
        if left not in told:
            told.add(left)
            yield _moved_on(game, left, first, second, rule, witnesses)


def _fork(
    game: Game, one: list[_Drag], other: list[_Drag], been: set[Place]
) -> tuple[_Drag, _Drag] | None:
    """Where two ways from one hex part; None where one may be the beginning of the other: the stack
    went on piece by piece. That can be told only of drags from hex to neighbouring hex. Who is put back
    to where the stack has ``been`` was dropped there, and dragged too far."""
    for drag in (*one, *other):
        a, b = drag.origin.hex, drag.target.hex
        if a is None or b is None or b not in game.board.neighbours(a):
            return None
    for first, second in zip(one, other, strict=False):
        if first.origin != second.origin:
            return None
        if first.target != second.target:
            return None if {first.target, second.target} & been else (first, second)
    return None


def _moved_on(
    game: Game, unit: str, first: _Drag, second: _Drag, rule: OrderRule, witnesses: Witnesses
) -> Finding:
    name, others = names_of(game, (unit,))[0], listed(names_of(game, first.track.move.units))
    said = f"{name} moved on from {second.origin}, where {others} of its stack had left it behind"
    late = witnesses.too_late(first.event, second.event, second.track.side)
    move = replace(second.track.move, units=(unit,))
    told = finding(game, move, rule.dropped, "note", "unverifiable", said)
    if late:
        told = finding(game, move, rule.dropped, "illegal-move", "illegal", said)
    numbers = tuple(dict.fromkeys((first.track.move.id, move.id)))
    return replace(told, moves=numbers, rests_on=first.track.move.units)


def _perhaps_exempt(told: Finding, name: str, unit: str) -> Finding:
    question = f"is {name} exempt from the rule against moving on after others?"
    unknown = Unknown(f"unit {unit} exempt from order", question)
    return replace(told, kind="unverifiable", unknowns=(unknown,), remedy=question)
