"""Who was carried: passengers go where their carrier goes, and pay nothing."""

from __future__ import annotations

from ....model.finding import Move
from ....model.unit import Unit
from ...concepts import logic
from .record import SOMETHING, Record, carrier_in
from .tables import DRIVEN, FOOT, GUN


def rides(unit: Unit, move: Move, record: Record) -> bool | None:
    """Whether ``unit`` was carried in ``move``; None: not known, or for a part of it only."""
    drags = record.of_move(unit.id, move)
    answers = {ridden(unit.id, index, record) for index in drags}
    return answers.pop() if len(answers) == 1 else None


def is_borne(weapon: Unit, move: Move, record: Record) -> bool:
    """Whether infantry of its side went wherever the counter of a support weapon did."""
    drags = record.of_move(weapon.id, move)
    bearers = [unit.id for unit in record.may_be(FOOT) if unit.side == weapon.side]
    return all(any(_goes_along(unit, index, record) for unit in bearers) for index in drags)


def ridden(unit: str, index: int, record: Record) -> bool | None:
    """Whether ``unit`` was carried in the drag that event ``index`` is."""
    before = record.carrier(unit, index)
    drags = record.in_phase(unit, index)
    later = [d for d in drags if d > index]
    after = record.carrier(unit, later[0] if later else record.phase(index)[1])
    if before == "":
        if after == "":
            return False
        return None if after is None or _goes_along(after, index, record) else False
    return True if before and _goes_along(before, index, record) else None


def _goes_along(carrier: str, index: int, record: Record) -> bool:
    """Whether the carrier went the same way: in the same drag, or in the phase by one of its own."""
    drag = record.drag(index)
    if carrier == SOMETHING:
        others = (unit.id for unit in record.may_be(DRIVEN) if unit.id != drag.unit)
        return any(_goes_along(other, index, record) for other in others)
    for other in record.in_phase(carrier, index):
        his = record.drag(other)
        if (his.origin, his.target) == (drag.origin, drag.target):
            return True
    every = record.in_phase(carrier, index)
    if not every:
        return False
    first, last = record.drag(every[0]), record.drag(every[-1])
    return (first.origin, last.target) == (drag.origin, drag.target)


def towing(carrier: Unit, index: int, record: Record) -> bool | None:
    """Whether ``carrier`` has a gun in tow just before event ``index``."""
    here = record.place(carrier.id, index)
    answers: list[bool | None] = []
    for unit in record.may_be((GUN,)):
        if unit.id == carrier.id or record.place(unit.id, index) != here:
            continue
        aboard = carrier_in(record.fact(unit.id, "aboard", index))
        gun = True if unit.fact("class").must_be(GUN) else None
        on_it = None if aboard in (None, SOMETHING) else aboard == carrier.id
        answers.append(logic.both(gun, on_it))
    return logic.some(answers)
