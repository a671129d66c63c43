"""Which units went along with a leader and have his bonus (6.31), and where they lost him.

A squad went with a leader if he was dragged with it all the way, or was dragged by himself from the same hex
to the same hex in the same phase, because players also move a stack counter by counter.
"""

from __future__ import annotations

from dataclasses import dataclass

from ....model.fact import MissingFact
from ....model.finding import Move
from ....model.game import Place
from ....model.unit import Unit
from ...answers import answer
from ...concepts import logic
from ...concepts.missing_facts import of_unit
from ...concepts.sides import is_friend, missing
from ...timeline import either
from .ruleset_facts import together
from .tables import LEADERS, WEAPON
from .unit_history import UnitHistory


@dataclass(frozen=True, slots=True)
class Company:
    """The leaders that went along with a unit. ``led``: whether one went all the way; None if not known.
    ``lost``: after how many drags of the move the last that went along was certainly lost; 0 if none was, or
    another one may have gone all the way. ``missing``: the facts
    that decide ``led``. ``left``: ids of leaders that went all the way and moved on afterwards; empty if
    another one stayed, or follows. ``following``: the facts that decide whether another one still follows.
    ``not_along``: the ids of the leaders that were where the unit started and did not go all the way."""

    led: bool | None = False
    lost: int = 0
    missing: tuple[MissingFact, ...] = ()
    left: tuple[str, ...] = ()
    following: tuple[MissingFact, ...] = ()
    not_along: tuple[str, ...] = ()


def company(unit: Unit, move: Move, unit_history: UnitHistory) -> Company:
    """The leaders that went along with ``unit`` in ``move``."""
    drags = unit_history.of_move(unit.id, move)
    led: bool | None = False
    lost = 0
    asked: list[MissingFact] = []
    left: list[str] = []
    following: list[MissingFact] = []
    not_along: list[str] = []
    first_of_phase = unit_history.phase(drags[0])[0]
    start = _start(unit_history.in_phase(unit.id, drags[0])[0], unit_history)
    stayed = False
    for other in unit_history.may_be(LEADERS):
        leads = _may_lead(unit, other, drags[0], unit_history)
        if leads is False or other.id == unit.id:
            continue
        if leads and unit_history.place(other.id, first_of_phase) == start:
            not_along.append(other.id)
        said = answer(unit_history.game, together(unit, other))
        if said is not False and may_follow(unit, other, drags[0], unit_history):
            led = True if led or said else None
            asked += questions(unit, other, None, drags[0], unit_history)
            open_ones = questions(unit, other, said, drags[0], unit_history)
            stayed = stayed or not open_ones
            following += open_ones
        if not unit_history.drags.get(other.id):
            continue
        shared = _shared(other.id, drags, unit_history)
        along = shared == len(drags) or _apart(unit, other, drags, unit_history)
        if along is False and _came_apart(other, drags[0], move, unit_history):
            along = None
        along = said if along is None else along
        if along is not False:
            sure = logic.both(leads, along)
            led = True if led or sure else None
            if not sure:
                asked += questions(unit, other, along, drags[0], unit_history)
            his = _on_map(other.id, drags[0], unit_history)
            if not his or unit_history.drag(his[-1]).target == move.target:
                stayed = True
            else:
                left.append(other.id)
        elif shared and leads and _is_lost(other.id, drags[shared], unit_history):
            lost = max(lost, shared)
    return Company(
        led,
        lost if led is False else 0,
        tuple(asked) if led is None else (),
        () if stayed else tuple(left),
        tuple(following),
        tuple(not_along) if led is False and not lost else (),
    )


def _may_lead(unit: Unit, other: Unit, index: int, unit_history: UnitHistory) -> bool | None:
    """Whether ``other`` is a leader of the unit's side or an allied one at event ``index``; None if not
    known."""
    if other.kind != "unit":
        return False
    leads = _is_leader(other, index, unit_history)
    return logic.both(leads, is_friend(unit_history.game, unit.side, other.side))


def _is_leader(other: Unit, index: int, unit_history: UnitHistory) -> bool | None:
    """Whether ``other`` is a leader at event ``index``; None if not known. What the counter was changed to
    later in the phase, before others saw it, is possible too: it may be a correction."""
    later = unit_history.changes(other.id, "class", index, unit_history.phase(index)[1])
    unseen = [after for at, after in later if not unit_history.seen(index, at, other.side)]
    options = either([unit_history.fact(other.id, "class", index), *unseen]).options
    answers = {str(option).strip().lower() in LEADERS for option in options or ()}
    return answers.pop() if len(answers) == 1 else None


def questions(
    unit: Unit, other: Unit, along: bool | None, index: int, unit_history: UnitHistory
) -> list[MissingFact]:
    """The missing facts that decide whether ``other`` led the unit at event ``index``. ``along``: whether it
    went along."""
    found = [*missing(unit_history.game, unit.side, other, (unit,))]
    if _is_leader(other, index, unit_history) is None:
        found.append(of_unit(other, "class"))
    if along is None:
        found.append(together(unit, other).unknown())
    return found


def _shared(other: str, drags: list[int], unit_history: UnitHistory) -> int:
    """How many of the drags, counted from the first, ``other`` made as well in the same steps."""
    own = {unit_history.drag(d).at: unit_history.drag(d) for d in unit_history.drags[other]}
    count = 0
    for index in drags:
        drag = unit_history.drag(index)
        his = own.get(drag.at)
        if his is None or (his.origin, his.target) != (drag.origin, drag.target):
            break
        count += 1
    return count


def _apart(unit: Unit, other: Unit, drags: list[int], unit_history: UnitHistory) -> bool | None:
    """Whether both went from the same hex to the same hex in the phase, by whatever drags. The other may have
    moved on afterwards. None in three cases: others saw one of them arrive before the other left (False if
    the first had certainly finished by then, see :func:`_finished`); ``unit``
    was put on the map where the other was on his way (it may stand for what is left of a squad); or ``unit``
    may have been pinned and left behind on the way of the other, whose counter was then dragged on in one
    go."""
    his, own = (_on_map(whose.id, drags[0], unit_history) for whose in (other, unit))
    whole = his
    while his and unit_history.drag(his[-1]).target != unit_history.drag(own[-1]).target:
        his = his[:-1]
    if not his:
        return None if whole and _left_pinned(unit, own[0], whole[0], unit_history) else False
    start = _start(own[0], unit_history)
    if start != _start(his[0], unit_history):
        met = any(unit_history.drag(index).target == start for index in his)
        return None if met and unit_history.came_in(unit.id, own[0]) else False
    first, second = sorted((his, own))
    if first[-1] > second[0] or not unit_history.seen(first[-1], second[0], unit.side):
        return True
    return False if _finished(unit, start, (first[-1], second[0]), unit_history) else None


def _finished(
    unit: Unit, start: Place, between: tuple[int, int], unit_history: UnitHistory
) -> bool:
    """Whether a stack that moved from ``start`` before the two events had certainly finished (6.1): another
    unit of its side, from another hex, began to move between them, and others saw the position before and
    after. False in a phase in which counters may be displaced otherwise than by movement."""
    game, (since, until) = unit_history.game, between
    phase = game.phases.get(unit_history.view(until).phase or "")
    if phase is None or not phase.complete or phase.complete_for:
        return False
    return any(
        other.side == unit.side is not None
        and other.kind == "unit"
        and not unit_history.fact(other.id, "class", index).may_be(WEAPON)
        and _start(index, unit_history) != start
        and unit_history.in_phase(other.id, index) == [index]
        and unit_history.drag(index).origin.kind == unit_history.drag(index).target.kind == "hex"
        and unit_history.carrier(other.id, index) == ""
        and unit_history.seen(since, index, unit.side)
        and unit_history.seen(index, until, unit.side)
        for other in game.units.values()
        for index in unit_history.drags.get(other.id, ())
        if since < index < until
    )


def _left_pinned(unit: Unit, own: int, his: int, unit_history: UnitHistory) -> bool:
    """Whether ``unit`` may be pinned at the end of the phase, and started from the same hex as a leader."""
    pinned = unit_history.fact(unit.id, "pinned", unit_history.phase(own)[1])
    return pinned.may_be(True) and _start(own, unit_history) == _start(his, unit_history)


def _came_apart(leader: Unit, index: int, move: Move, unit_history: UnitHistory) -> bool:
    """Whether a leader came to the target of the move in another part of the same interrupted phase; it is
    not known whether the steps between were combat."""
    timeline, first_end = unit_history.timeline, unit_history.phase(index)
    spell = timeline.spell(timeline.step_of(index))
    return any(
        unit_history.drag(drag).target == move.target
        and not first_end[0] <= drag < first_end[1]
        and timeline.spell(timeline.step_of(drag)) == spell
        for drag in unit_history.drags[leader.id]
    )


def may_follow(unit: Unit, leader: Unit, index: int, unit_history: UnitHistory) -> bool:
    """Whether a leader may still follow: he is in the hex where the unit started, or in the box that it came
    from, has not been dragged, and the logs end within the phase."""
    if unit_history.in_phase(leader.id, index) or unit_history.phase(index)[1] < len(
        unit_history.game.events
    ):
        return False
    first = unit_history.in_phase(unit.id, index)[0]
    origin, place = unit_history.drag(first).origin, unit_history.place(leader.id, index)
    return place == _start(first, unit_history) or (place == origin and origin.kind == "box")


def _on_map(unit: str, index: int, unit_history: UnitHistory) -> list[int]:
    """The drags of a unit in the phase of event ``index``, without those at the end that take it off the
    map."""
    drags = unit_history.in_phase(unit, index)
    while len(drags) > 1 and unit_history.drag(drags[-1]).target.kind in ("box", "nowhere"):
        drags = drags[:-1]
    return drags


def _start(index: int, unit_history: UnitHistory) -> Place:
    """The hex where the drag of event ``index`` begins, or the place where it puts the counter on the map."""
    drag = unit_history.drag(index)
    return drag.origin if drag.origin.kind == "hex" else drag.target


def _is_lost(leader: str, index: int, unit_history: UnitHistory) -> bool:
    """Whether a leader was certainly pinned or off the map just before event ``index``."""
    place = unit_history.place(leader, index)
    gone = place is None or place.kind in ("box", "nowhere")
    return gone or unit_history.fact(leader, "pinned", index).must_be(True)
