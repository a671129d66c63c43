"""Who was carried: passengers go where their carrier goes, and pay nothing."""

from __future__ import annotations

from ....model.fact import known
from ....model.finding import Move
from ....model.unit import Unit
from ...concepts import logic
from ...concepts.sides import is_friend
from .record import SOMETHING, Record, carrier_in
from .tables import DRIVEN, FOOT, GUN


def rides(unit: Unit, move: Move, record: Record) -> bool | None:
    """Whether ``unit`` was carried in ``move``; None: not known, or for a part of it only."""
    drags = record.of_move(unit.id, move)
    answers = {ridden(unit.id, index, record) for index in drags}
    return answers.pop() if len(answers) == 1 else None


def is_borne(weapon: Unit, move: Move, record: Record) -> bool:
    """Whether infantry of its side, or of one that may be friendly, went wherever the counter of a support
    weapon did."""
    drags = record.of_move(weapon.id, move)
    bearers = [
        unit.id
        for unit in record.may_be(FOOT)
        if is_friend(record.game, weapon.side, unit.side) is not False
    ]
    return all(any(goes_along(unit, index, record) for unit in bearers) for index in drags)


def ridden(unit: str, index: int, record: Record) -> bool | None:
    """Whether ``unit`` was carried in the drag that event ``index`` is."""
    before = record.carrier(unit, index)
    if before == "" and _left_early(unit, index, record):
        return None
    drags = record.in_phase(unit, index)
    later = [d for d in drags if d > index]
    after = record.carrier(unit, later[0] if later else record.phase(index)[1])
    if before == "":
        if after == "":
            return False
        return None if after is None or goes_along(after, index, record) else False
    return True if before and goes_along(before, index, record) else None


def _left_early(unit: str, index: int, record: Record) -> bool:
    """Whether it may have been marked as unloaded before it was dragged along to where it alights."""
    side = record.game.units[unit].side
    first, _ = record.phase(index)
    changes = record.changes(unit, "aboard", first, index)
    said = [record.fact(unit, "aboard", first), *(after for _, after in changes[:-1])]
    held = [carrier_in(known(option)) for fact in said for option in fact.options or ()]
    if not changes or record.seen(changes[-1][0], index, side):
        return False
    return any(
        carrier and (goes_along(carrier, index, record) or _forced(carrier, unit, index, record))
        for carrier in held
    )


def _forced(carrier: str, unit: str, index: int, record: Record) -> bool:
    """Whether the carrier left the same hex, and the unit ended next to it: perhaps one hex on, as
    there were too many (8.3)."""
    his, own = record.in_phase(carrier, index), record.in_phase(unit, index)
    if not his or record.drag(his[0]).origin != record.drag(own[0]).origin:
        return False
    there, here = record.drag(his[-1]).target, record.drag(own[-1]).target
    if there.kind != "hex" or here.kind != "hex":
        return False
    return record.game.board.distance(there.name, here.name) == 1


def goes_along(carrier: str, index: int, record: Record) -> bool:
    """Whether the carrier went the same way: in the same drag, or in the phase by one of its own."""
    drag = record.drag(index)
    if carrier == SOMETHING:
        others = (unit.id for unit in record.may_be(DRIVEN) if unit.id != drag.unit)
        return any(goes_along(other, index, record) for other in others)
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
