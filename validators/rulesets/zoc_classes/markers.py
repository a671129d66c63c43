"""The markers put on units: the Reserve marker (6.B, 6.B.1, 6.B.2-a), and the +1 MP marker for leaving
operational reserve (6.A.3-2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ....model.fact import Fact, MissingFact
from ....model.finding import Finding, FindingKind
from ....model.game import Game, StateChange, StepRef
from ...answers import told
from ...concepts import missing_facts
from ...concepts.logic import every
from ...concepts.sides import is_friend
from ...concepts.unclear_places import perhaps_with
from ...concepts.zones import Zones
from ...moves import Track
from ...ruleset import Circumstances
from ...situation import Situation
from . import ruleset_facts
from .march import before, is_german
from .reserve_history import beside
from .ruleset_facts import Excuse, excused
from .tables import Tables
from .unit_history import UnitHistory

JULY_1942, JULY_1943 = "1942-07-01", "1943-07-01"
RESERVE, OPERATIONAL = "reserve", "operational_reserve"


@dataclass(frozen=True, slots=True)
class _Complaint:
    """A possible finding about a marker. ``said``: continues the unit's name in the explanation. ``asked``:
    the missing facts that decide it; empty if it is certain. ``excuses``: questions of which a single
    excusing answer drops it. ``enemies``: the ids of the enemies it is about."""

    clause: str
    said: str
    asked: tuple[MissingFact, ...] = ()
    excuses: tuple[Excuse, ...] = ()
    kind: FindingKind = "illegal-move"
    enemies: tuple[str, ...] = ()


def check_markers(
    game: Game, tracks: Sequence[Track], tables: Tables, unit_history: UnitHistory
) -> Iterator[Finding]:
    """Findings about markers put on units in movement phases."""
    table = Situation(game, unit_history.timeline)
    for index, event in enumerate(game.events):
        complaints: Iterator[_Complaint] = iter(())
        changed: bool | None = False
        if isinstance(event, StateChange) and not event.undo:
            if event.attribute == RESERVE:
                changed = _is_placed(event, index, table, unit_history)
                if changed is not False:
                    complaints = _placed(event, index, tracks, table, tables, unit_history)
            elif event.attribute == OPERATIONAL:
                changed = _is_taken_off(event, unit_history)
                if changed is not False:
                    complaints = _left(event, table, tables, unit_history)
        for complaint in complaints:
            still = excused(game, complaint.excuses)
            if not isinstance(still, bool):
                if changed is None and isinstance(event, StateChange):
                    unit = game.units[event.unit]
                    still = (missing_facts.of_unit(unit, event.attribute), *still)
                open_one = replace(complaint, asked=(*complaint.asked, *still))
                yield _finding(game, event, open_one, table)  # type: ignore[arg-type]
        table.advance_by_one()


def _is_placed(
    event: StateChange, index: int, table: Situation, unit_history: UnitHistory
) -> bool | None:
    """Whether the event puts a unit in reserve that was not in reserve since the phase began, and the marker
    is the last word on it in the phase, as far as the logs go; None if it may."""
    phase_values = unit_history.phase_values(event.unit, RESERVE, event.at)
    # Who was in reserve before left its stack and got a marker of its own (6.B.2-f).
    before = (event.before, *unit_history.since_opening(event.unit, RESERVE, index))
    after = (event.after, phase_values.values[-1])
    found = every((*(_not(_yes(fact)) for fact in before), *map(_yes, after)))
    if found is False:
        return False
    first = unit_history.timeline.first_event(event.at)
    place = table.where(event.unit).hex
    side = table.side(event.unit)
    for other in table.surely_in(place) if place is not None else ():
        mate = is_friend(table.game, side, table.side(other)) is True
        if other != event.unit and mate and unit_history.now(other, RESERVE, first).must_be(True):
            return False  # the marker may belong to the stack that the unit joined
    return found


def _is_taken_off(event: StateChange, unit_history: UnitHistory) -> bool | None:
    """Whether the event takes a unit out of operational reserve, and it is not put back in the phase; None if
    it may."""
    back = unit_history.phase_values(event.unit, OPERATIONAL, event.at).values[1:]
    last = _yes(back[-1]) if back else False
    return every((_yes(event.before), _not(_yes(event.after)), _not(last)))


def _placed(
    event: StateChange,
    index: int,
    tracks: Sequence[Track],
    table: Situation,
    tables: Tables,
    unit_history: UnitHistory,
) -> Iterator[_Complaint]:
    shared = (*_shared(event, table, unit_history), *_put_right(event, unit_history))
    moved = _moved(event, index, tracks, tables, unit_history)
    for complaint in (
        *_after_moving(event, moved, index, tables, unit_history),
        *_eligible(event, index, tables, unit_history),
    ):
        yield replace(complaint, excuses=(*complaint.excuses, *shared))
    active = is_friend(table.game, table.phase.active, table.side(event.unit)) is True
    initial = active and tables.phases.get(table.phase.phase or "") == "initial"
    for complaint in _next_to_enemies(event, table, tables):
        came = any(unit_history.dragged(u, index) for u in (event.unit, *complaint.enemies))
        late = () if initial and not came else (_late(event, unit_history),)
        excuses = (*complaint.excuses, *late, *_put_right(event, unit_history))
        yield replace(complaint, excuses=excuses)


def _late(event: StateChange, unit_history: UnitHistory) -> Excuse:
    """The question whether the unit was in reserve before its marker was put on it."""
    return Excuse(ruleset_facts.placed(unit_history.game.units[event.unit], event.at))


def _shared(event: StateChange, table: Situation, unit_history: UnitHistory) -> tuple[Excuse, ...]:
    """The question whether the marker is the unit's own, if other units of the stack may have a Reserve
    marker too; else nothing."""
    place, side = table.where(event.unit), table.side(event.unit)
    for other in perhaps_with(table, event.unit):
        if is_friend(table.game, side, table.side(other)) is False:
            continue
        if any(f.may_be(True) for f in unit_history.phase_values(other, RESERVE, event.at).values):
            unit = unit_history.game.units[event.unit]
            return (Excuse(ruleset_facts.own_marker(unit, str(place), event.at), by=False),)
    return ()


def _put_right(event: StateChange, unit_history: UnitHistory) -> Iterator[Excuse]:
    """The question whether the marker was still there at the end of the phase, if it was taken off after the
    phase, or if the phase does not certainly end in the logs: it may have been put there by mistake."""
    ended = unit_history.phase_values(event.unit, RESERVE, event.at).ended
    if not ended or unit_history.taken_later(event.unit, event.at):
        yield Excuse(
            ruleset_facts.still_marked(unit_history.game.units[event.unit], event.at), by=False
        )


def _moved(
    event: StateChange,
    index: int,
    tracks: Sequence[Track],
    tables: Tables,
    unit_history: UnitHistory,
) -> bool:
    """Whether a unit certainly moved in the phase before the event ``index``, which put the marker on it."""
    number = unit_history.timeline.phase_number(event.at)
    moved = [t for t in tracks if event.unit in t.move.units and t.phase_number == number]
    return any(_is_move(t, unit_history.game, tables) and t.events[0] < index for t in moved)


def _after_moving(
    event: StateChange, moved: bool, index: int, tables: Tables, unit_history: UnitHistory
) -> Iterator[_Complaint]:
    """The complaint that a unit was put in reserve after it had moved (6.B-a), unless by a chit (6.B-d). A
    unit that may move in reserve may have been put there first and got its marker late."""
    if not moved or not tables.applies("6.B-a"):
        return
    chit = unit_history.told("chit", event.unit, index)
    if chit.must_be(True) and tables.applies("6.B-d"):
        return
    unsaid = () if chit.is_known else (missing_facts.of_condition("chit"),)
    classes = unit_history.now(event.unit, "class", index)
    motorized = not _is(classes, {"non-motorized"}) and tables.applies("6.D.2-b")
    late = (_late(event, unit_history),) if motorized else ()
    yield _Complaint("6.B-a", "was put in reserve after it had moved", unsaid, late)


def _is_move(track: Track, game: Game, tables: Tables) -> bool:
    """Whether a track is certainly movement in an initial phase."""
    phase = track.move.phase.phase or ""
    rule = game.phases.get(phase)
    declared = rule is not None and rule.complete and not rule.complete_for
    known = track.counts and track.phase_known and declared
    return known and tables.phases.get(phase) == "initial"


def _next_to_enemies(event: StateChange, table: Situation, tables: Tables) -> Iterator[_Complaint]:
    place = table.where(event.unit).hex
    if place is None or not tables.applies("6.B.2-a"):
        return
    board = table.game.board
    near = beside(event.unit, place, table, board, combat=False)
    if near is False:
        return
    zones = Zones(Circumstances(table, (event.unit,)), table.side(event.unit), None)
    hexes = board.neighbours(place)
    enemies = tuple(unit for name in hexes for unit, _ in zones.enemies(name))
    unsaid = () if near else tuple(u for name in hexes for u in zones.missing_in(name))
    said = f"was put in reserve in {place}, next to an enemy"
    yield _Complaint("6.B.2-a", said, unsaid, enemies=enemies)


def _eligible(
    event: StateChange, index: int, tables: Tables, unit_history: UnitHistory
) -> Iterator[_Complaint]:
    """The complaint that the unit may not be put in reserve in that year (6.B.1)."""
    unit = event.unit
    date = unit_history.told("date", unit, index)
    eras: dict[str, bool | None] = {"6.B.1-a": None, "6.B.1-b": None}
    if date.options is not None:
        early = _all(before(str(option), JULY_1942) for option in date.options)
        late = _all(before(str(option), JULY_1943) for option in date.options)
        eras = {"6.B.1-a": early, "6.B.1-b": _both(_not(early), late)}
    nation = unit_history.now(unit, "nationality", index)
    german = is_german(nation, tables)
    # The text does not say whether s/m units count as motorized.
    classes = unit_history.now(unit, "class", index)
    semi = {"yes": True, "no": False}.get(tables.reading("semi_motorized"))
    motorized = True if _is(classes, {"c/m"}) else _not(_not_footbound(classes))
    only_semi = _is(classes, {"s/m"}) is True
    if only_semi:
        motorized = semi
    major = _either(_yes(unit_history.now(unit, "major", index)), german)
    allowed = {"6.B.1-a": german, "6.B.1-b": major}
    for clause, holds in eras.items():
        may = _either(allowed[clause], motorized)
        if holds is False or may or not tables.applies(clause):
            continue
        unsaid = []
        whose = unit_history.game.units[unit]
        if holds is None:
            unsaid.append(missing_facts.of_condition("date"))
        if may is None:
            about = "nationality" if clause == "6.B.1-a" else "major"
            if only_semi and allowed[clause] is False:
                unsaid.append(ruleset_facts.reading("semi_motorized"))
            else:
                missing = "class" if allowed[clause] is False else about
                unsaid.append(missing_facts.of_unit(whose, missing))
        name = str(nation.value or "unknown")
        said = f"was put in reserve on {date.value or 'an unknown date'}, being {name} and no motorized unit"
        yield _Complaint(clause, said, tuple(unsaid))
        return


def _not_footbound(classes: Fact) -> bool | None:
    """Whether a unit is non-motorized; None if it may be. An s/m unit may count as such."""
    if classes.options is None or "s/m" in classes.options:
        return None
    return _is(classes, {"non-motorized"})


def _yes(fact: Fact) -> bool | None:
    return True if fact.must_be(True) else False if fact.must_be(False) else None


def _is(fact: Fact, values: set[str] | frozenset[str]) -> bool | None:
    if fact.options is None:
        return None
    return _all(str(option) in values for option in fact.options)


def _all(answers: Iterator[bool | None]) -> bool | None:
    found = set(answers)
    return found.pop() if len(found) == 1 else None


def _not(answer: bool | None) -> bool | None:
    return None if answer is None else not answer


def _both(a: bool | None, b: bool | None) -> bool | None:
    if a is False or b is False:
        return False
    return True if a and b else None


def _either(a: bool | None, b: bool | None) -> bool | None:
    return _not(_both(_not(a), _not(b)))


def _left(
    event: StateChange, table: Situation, tables: Tables, unit_history: UnitHistory
) -> Iterator[_Complaint]:
    """The complaint that a unit that left operational reserve got no +1 MP marker (6.A.3-2). It is left open
    for a unit taken off the map, as no marker can be on it."""
    if not tables.applies("6.A.3-2"):
        return
    phase_values = unit_history.marked(event.unit, event.at)
    if any(fact.low is not None and fact.low > 0 for fact in phase_values.values):
        return
    unit = unit_history.game.units[event.unit]
    shown = told(unit_history.game, ruleset_facts.marker_at_end(unit, event.at))
    if shown.high is not None and shown.high > 0:
        return
    excuses: tuple[Excuse, ...] = ()
    if unit_history.set_later(event.unit, OPERATIONAL, event.at, to=True):
        excuses = (Excuse(ruleset_facts.left_reserve(unit, event.at), by=False),)
    gone = phase_values.gone or table.where(event.unit).hex is None
    unsaid: tuple[MissingFact, ...] = ()
    maybe = any(fact.high is None or fact.high > 0 for fact in phase_values.values)
    unclear = not phase_values.ended or maybe or phase_values.late is not None or gone
    if unclear and shown.high is None:
        unsaid = (ruleset_facts.marker_at_end(unit, event.at).unknown(),)
    said = "left operational reserve and got no +1 MP marker"
    yield _Complaint("6.A.3-2", said, unsaid, excuses, "missed-mp-cost")


def _finding(game: Game, event: StateChange, complaint: _Complaint, table: Situation) -> Finding:
    unit = game.units[event.unit]
    place = table.where(event.unit).hex
    clause = f"ZC-{complaint.clause}"
    steps: tuple[StepRef, ...] = (event.at,)
    return Finding(
        code=clause,
        clause=clause,
        kind="unverifiable" if complaint.asked else complaint.kind,
        verdict="unverifiable" if complaint.asked else "illegal",
        units=(event.unit,),
        names=(unit.name,),
        hexes=() if place is None else (place,),
        steps=steps,
        explanation=f"{unit.name} {complaint.said}",
        side=event.actor or unit.side,
        phase=table.timeline.phase(event.at),
        unknowns=complaint.asked,
        remedy=complaint.asked[0].question if complaint.asked else "",
    )
