"""Checks over a whole phase: the order of movement, leaders that left their squads, counters turned without a
move, units that came back onto the map."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from ....model.bill import ZERO
from ....model.fact import MissingFact
from ....model.finding import Finding
from ....model.game import StateChange
from ....model.unit import Unit
from ...concepts import missing_facts
from ...concepts.sides import is_friend
from ...moves import Track
from ...order import check_order
from ...ruleset import Circumstances, OrderRule, Requirement
from ...scenarios import gets_there, path_query
from ...situation import DEAD, Situation, is_alive
from ...verdicts import left_open
from .carrying import goes_along, ridden
from .company import company
from .interrupted_moves import put_back
from .lanes import sides_between
from .markers import at_start, pinned_at_start
from .movers import MoverFactory
from .phase_findings import accused, judged_phase
from .sightings import heading
from .tables import AFV, DRIVEN, GUN, WEAPON, Tables
from .unit_history import SOMETHING, UnitHistory, carrier_in


def moved_on(mover_factory: MoverFactory, tracks: Sequence[Track]) -> Iterator[Finding]:
    """Findings for units that moved on after others had moved (6.1-e). Units that may have been put back
    after fire had stopped them, or may have been carried, are left out."""
    unit_history = mover_factory.unit_history
    if not mover_factory.tables.applies("6.1-e"):
        return
    apart = (Requirement("class", (WEAPON,)),)  # weapons move with whoever carries them
    rule = OrderRule("VV-6.1-e", False, (), apart)
    for found in check_order(mover_factory.game, tracks, rule, unit_history.witnesses):
        unit = found.units[0]
        drags = [
            d for d in unit_history.drags.get(unit, ()) if unit_history.drag(d).at in found.steps
        ]
        every = unit_history.in_phase(unit, drags[0]) if drags else []
        rode = any(_may_ride(unit, d, unit_history) for d in every)
        if not rode and put_back(unit, every, unit_history) is None:
            yield found


def _may_ride(unit: str, index: int, unit_history: UnitHistory) -> bool:
    """Whether ``unit`` was carried in the drag of event ``index``, or may have been, since a possible carrier
    went the same way."""
    rode = ridden(unit, index, unit_history)
    if rode is None:
        return bool(unit_history.carrier(unit, index)) or goes_along(SOMETHING, index, unit_history)
    return rode


def stacks_parted(mover_factory: MoverFactory, tracks: Sequence[Track]) -> Iterator[Finding]:
    """Findings for leaders that moved on from units which could come so far only with the leader's bonus
    (6.1-c, 6.31)."""
    tables, unit_history = mover_factory.tables, mover_factory.unit_history
    if not tables.applies("6.1-c"):
        return
    for track in tracks:
        move = track.move
        kind = tables.phases.get(move.phase.phase or "")
        if not track.counts or not track.phase_known or kind != "movement":
            continue
        if judged_phase(unit_history, unit_history.phase(track.events[0])[0]) is None:
            continue
        for name in move.units:
            unit = mover_factory.game.units[name]
            drags = unit_history.of_move(name, move)
            if unit.kind != "unit" or not drags or drags != unit_history.in_phase(name, drags[0]):
                continue
            going = company(unit, move, unit_history)
            on = _moved_on(going.left[:1], drags[-1], unit_history)
            if not on or not going.led or not _stood(unit, on[0], unit_history):
                continue
            if carrier_in(unit_history.fact(name, "aboard", drags[0])) == SOMETHING:
                continue
            if put_back(
                going.left[0], unit_history.in_phase(going.left[0], drags[0]), unit_history
            ):
                continue
            needed, asked = _needed_leader(mover_factory, unit, track)
            if needed is not False:
                text = f"moved on from {move.target} without {unit.name}, which needed its leader's bonus"
                leader, indices = going.left[0], (drags[-1], on[0])
                found = accused(unit_history, "VV-6.1-c", (leader, name), indices, text)
                asked = (*asked, *going.following)
                if asked or needed:
                    yield left_open(found, *asked) if asked else found


def _moved_on(leaders: tuple[str, ...], last: int, unit_history: UnitHistory) -> list[int]:
    """The later drags of ``leaders`` in the phase, to a hex, after the step of event ``last``."""
    at = unit_history.drag(last).at
    later = (
        (d, unit_history.drag(d)) for name in leaders for d in unit_history.in_phase(name, last)
    )
    return [d for d, drag in later if drag.at > at and drag.target.kind == "hex"]


def _stood(unit: Unit, index: int, unit_history: UnitHistory) -> bool:
    """Whether ``unit`` could certainly have moved on at event ``index``: it was in a hex, alive, and not
    pinned until the end of the phase."""
    place = unit_history.place(unit.id, index)
    there = place is not None and place.kind == "hex"
    dead = unit_history.fact(unit.id, DEAD, index)
    alive = bool(is_alive(unit, dead))
    view, step = unit_history.timeline, unit_history.timeline.step_of(index)
    alive = alive and not view.removed_next(unit.id, index, step)
    later = unit_history.changes(
        unit.id, "pinned", index, unit_history.phase(index)[1]
    )  # a marker may be put there late
    pinned = [unit_history.fact(unit.id, "pinned", index), *(after for _, after in later)]
    return there and alive and all(fact.must_be(False) for fact in pinned)


def _needed_leader(
    mover_factory: MoverFactory, unit: Unit, track: Track
) -> tuple[bool | None, Sequence[MissingFact]]:
    """Whether the unit could not have gone where it went without a leader's bonus. None if that depends on
    missing facts about the unit, which are then returned too."""
    game, move = mover_factory.game, replace(track.move, units=(unit.id,))
    situation = Situation(game, mover_factory.unit_history.timeline)
    situation.advance_before(move.steps[0])
    span = situation.over(move.steps[-1], (track.events[0], track.events[-1]))
    on_board = mover_factory if span.game is game else mover_factory.on(span.game)
    unit_move = path_query(move, span.board, mover_factory.tables.scale, ZERO)
    circumstances = Circumstances(span, track.move.units, move=move)
    scenarios = on_board.scenarios(unit.id, circumstances, alone=True)
    ways = [not s.movers or gets_there(s, unit_move, "favourable") for s in scenarios]
    if all(ways) or not any(ways):
        return not any(ways) and bool(ways), ()
    asked = {assumed.unknown: None for s in scenarios for assumed in s.assumptions}
    return None, tuple(asked)


def turned_only(mover_factory: MoverFactory, tracks: Iterable[Track]) -> Iterator[Finding]:
    """Findings for vehicles and guns that were turned in their hex and may not turn (5.33, 7.3, 14.7,
    18.6)."""
    unit_history = mover_factory.unit_history
    turning = [
        u
        for n in unit_history.changing("facing")
        if (u := mover_factory.game.units.get(n)) is not None
    ]
    dragged = {(u, t.phase_number) for t in tracks if t.counts for u in t.move.units}
    for first, end in unit_history.phases():
        if first >= end or end >= len(mover_factory.game.events):
            continue
        timeline = unit_history.timeline
        at = timeline.step_of(first)
        kind = mover_factory.tables.phases.get(judged_phase(unit_history, first) or "")
        if kind is None or not timeline.is_over(at):
            continue
        active, number = timeline.phase(at).active, timeline.phase_number(at)
        for unit in turning:
            turns = _turns(unit, first, end, unit_history)
            own = is_friend(mover_factory.game, active, unit.side)
            if turns is not False and own and (unit.id, number) not in dragged:
                for found in _turned(mover_factory, unit, first, end, kind):
                    asked = missing_facts.of_unit(unit, "class")
                    yield found if turns else left_open(found, *found.unknowns, asked)


def _turns(unit: Unit, first: int, end: int, unit_history: UnitHistory) -> bool | None:
    """Whether ``unit`` is one that turns by a rule: a vehicle, or a gun that was not in tow; None: its class
    is not known. A class of several is completed elsewhere (:mod:`.completed_checks`)."""
    fact = unit.fact("class")
    if fact.options is None:
        return None
    turns = fact.is_known and fact.value in (*DRIVEN, GUN)
    return turns and not (fact.must_be(GUN) and _was_towed(unit, first, end, unit_history))


def _by_another(unit: Unit, index: int, unit_history: UnitHistory) -> bool:
    """Whether a player of another side made the change of event ``index``, perhaps by mistake."""
    event = unit_history.game.events[index]
    actor = event.actor if isinstance(event, StateChange) else None
    return actor is not None and actor != unit.side


def _was_towed(gun: Unit, first: int, end: int, unit_history: UnitHistory) -> bool:
    """Whether a gun was, or may have been, in tow in the phase. No rule says how a towed gun faces."""
    said = [after for _, after in unit_history.changes(gun.id, "aboard", first, end)]
    return any(carrier_in(f) != "" for f in (unit_history.fact(gun.id, "aboard", first), *said))


def _turned_back(
    unit: Unit, before: int, end: int, unit_history: UnitHistory, tables: Tables
) -> bool | None:
    """Whether a unit was turned back to the facing ``before`` after the phase, before others saw it; None if
    it may have been."""
    found: bool | None = False
    for at, after in unit_history.changes(unit.id, "facing", end, len(unit_history.game.events)):
        if unit_history.seen(end - 1, at, unit.side):
            break
        faces = heading(after, tables)
        if faces == before:
            return True
        if faces is None:
            found = None
    return found


def _turned(
    mover_factory: MoverFactory, unit: Unit, first: int, end: int, kind: str
) -> Iterator[Finding]:
    """The finding about a unit that was turned in a phase of this ``kind`` and not dragged in it; left open
    if it may have been turned back."""
    unit_history, tables = mover_factory.unit_history, mover_factory.tables
    before = heading(unit_history.fact(unit.id, "facing", first), tables)
    back = None if before is None else _turned_back(unit, before, end, unit_history, tables)
    if back:
        return
    asked = missing_facts.of_unit(unit, "facing")
    for found in _wrongly_turned(mover_factory, unit, first, end, kind):
        yield left_open(found, asked, *found.unknowns) if back is None else found


def _wrongly_turned(
    mover_factory: MoverFactory, unit: Unit, first: int, end: int, kind: str
) -> Iterator[Finding]:
    """The finding about the facing that a unit has at the end of a phase; if it breaks no rule for certain,
    one finding for each that it may break."""
    unit_history, tables = mover_factory.unit_history, mover_factory.tables
    changes = unit_history.changes(unit.id, "facing", first, end)
    before = heading(unit_history.fact(unit.id, "facing", first), tables)
    after = heading(unit_history.fact(unit.id, "facing", end), tables)
    if not changes or (before is not None and before == after):
        return
    if unit_history.in_phase(unit.id, first):
        return
    index = changes[0][0]
    if any(_by_another(unit, at, unit_history) for at, _ in changes):
        return
    known = before is not None and after is not None
    may_be: list[tuple[str, str, str]] = []
    for clause, mark, text in _bans_on_turning(unit, kind):
        marked = _was_marked(unit, mark, index, unit_history)
        if not tables.applies(clause) or marked is False:
            continue
        if marked and known:
            yield accused(unit_history, f"VV-{clause}", (unit.id,), (index,), text)
            return
        said_by = "immobile" if mark == "pinned" and unit.fact("class").may_be(AFV) else mark
        may_be.append((clause, "facing" if marked else said_by, text))
    if kind == "advance" and tables.applies("7.3-b") and not known:
        may_be.append(("7.3-b", "facing", "turned, perhaps by more than one hexside"))
    if kind == "advance" and tables.applies("7.3-b") and before is not None and after is not None:
        sides = sides_between(before, after)
        if sides > 1:
            text = f"turned by {sides} hexsides instead of advancing, one is allowed"
            yield accused(unit_history, "VV-7.3-b", (unit.id,), (index,), text)
            return
    for clause, mark, text in may_be:
        found = accused(unit_history, f"VV-{clause}", (unit.id,), (index,), text)
        yield left_open(found, missing_facts.of_unit(unit, mark))


def _was_marked(unit: Unit, mark: str, index: int, unit_history: UnitHistory) -> bool | None:
    """Whether a unit had a marker when it was turned by event ``index``; None: not known. False if it bore
    one that may have been put there too early, or be left over."""
    marked = at_start(unit, mark, index, unit.side, unit_history)
    if marked is None and unit_history.fact(unit.id, mark, index).must_be(True):
        return False
    if mark == "pinned":
        return pinned_at_start(unit, index, unit.side, unit_history)
    return marked


def _bans_on_turning(unit: Unit, kind: str) -> Iterator[tuple[str, str, str]]:
    """The prohibitions to turn in a phase of this ``kind``, as (clause, marker, text of the finding)."""
    yield "14.7-a", "pinned", "turned, being pinned"
    if unit.fact("class").may_be(AFV):
        yield "18.6-a", "immobile", "turned, being immobilized"
    if kind == "movement":
        yield "5.33-a", "fired", "turned after it had fired"
        yield "5.33-b", "moved", "turned after it had moved"


def _of_its_own(mover_factory: MoverFactory, unit: Unit, index: int) -> bool:
    """Whether the drag of event ``index`` may be the unit's own movement: it is in a known phase of its side.
    Otherwise the unit was lost, or the drag was a correction."""
    view = mover_factory.unit_history.view(index)
    own = is_friend(mover_factory.game, view.active, unit.side)
    return view.phase in mover_factory.tables.phases and own is True


def returned(mover_factory: MoverFactory) -> Iterator[Finding]:
    """Findings for units that had left the map and came back (6.10-b)."""
    unit_history, tables = mover_factory.unit_history, mover_factory.tables
    if not tables.applies("6.10-b"):
        return
    for unit in mover_factory.game.units.values():
        left: int | None = None
        for index in unit_history.drags.get(unit.id, ()) if unit.kind == "unit" else ():
            drag = unit_history.drag(index)
            if drag.at.step == 0 or drag.cause in ("undo", "reseated"):
                left = None
            elif drag.target.kind == "box" and drag.target.name in tables.exit:
                own = drag.origin.kind == "hex" and _of_its_own(mover_factory, unit, index)
                left = index if own else left
            elif left is not None and drag.origin.name in tables.exit and drag.target.kind == "hex":
                if unit_history.seen(left, index, unit.side):
                    text = f"came back to {drag.target}, having left the map"
                    yield accused(unit_history, "VV-6.10-b", (unit.id,), (left, index), text)
                left = None
