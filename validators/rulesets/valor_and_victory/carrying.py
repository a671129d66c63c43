"""Which units were carried. Passengers go where their carrier goes and spend no MPs."""

from __future__ import annotations

from typing import NamedTuple

from ....model.fact import MissingFact, known
from ....model.finding import Move
from ....model.unit import Unit
from ...answers import answer
from ...concepts import logic, missing_facts, sides
from ...concepts.sides import is_friend
from .ruleset_facts import carried_to
from .tables import DRIVEN, FOOT, GUN
from .unit_history import SOMETHING, UnitHistory, carrier_in


def rides(unit: Unit, move: Move, unit_history: UnitHistory) -> bool | None:
    """Whether ``unit`` was carried in ``move``; None if not known, or for a part of it only. Where the drags
    do not show it, the facts may tell."""
    drags = unit_history.of_move(unit.id, move)
    answers = {ridden(unit.id, index, unit_history) for index in drags}
    shown = answers.pop() if len(answers) == 1 else None
    if shown is None and has_carrier(unit, move, unit_history):
        return answer(unit_history.game, carried_to(unit, move.target.name))
    return shown


def has_carrier(unit: Unit, move: Move, unit_history: UnitHistory) -> bool:
    """Whether ``unit`` is known to have been on a carrier when it was first dragged in ``move``."""
    first = unit_history.of_move(unit.id, move)[0]
    return unit_history.carrier(unit.id, first) not in (None, "")


def is_borne(weapon: Unit, move: Move, unit_history: UnitHistory) -> bool:
    """Whether in each drag of a support weapon's counter possible infantry of a possibly friendly side went
    the same way."""
    drags = unit_history.of_move(weapon.id, move)
    bearers = [
        unit.id
        for unit in unit_history.may_be(FOOT)
        if is_friend(unit_history.game, weapon.side, unit.side) is not False
    ]
    return all(any(goes_along(unit, index, unit_history) for unit in bearers) for index in drags)


def ridden(unit: str, index: int, unit_history: UnitHistory) -> bool | None:
    """Whether ``unit`` was carried in the drag of event ``index``; None if not known."""
    before = unit_history.carrier(unit, index)
    if before == "" and _left_early(unit, index, unit_history):
        return None
    drags = unit_history.in_phase(unit, index)
    later = [d for d in drags if d > index]
    after = unit_history.carrier(unit, later[0] if later else unit_history.phase(index)[1])
    if before == "":
        if after == "":
            return False
        return None if after is None or goes_along(after, index, unit_history) else False
    return True if before and goes_along(before, index, unit_history) else None


def _left_early(unit: str, index: int, unit_history: UnitHistory) -> bool:
    """Whether a unit may have been marked as unloaded too early, before it was dragged along to the hex where
    it leaves its carrier."""
    side = unit_history.game.units[unit].side
    first, _ = unit_history.phase(index)
    changes = unit_history.changes(unit, "aboard", first, index)
    said = [unit_history.fact(unit, "aboard", first), *(after for _, after in changes[:-1])]
    held = [carrier_in(known(option)) for fact in said for option in fact.options or (SOMETHING,)]
    if not changes or unit_history.seen(changes[-1][0], index, side):
        return False
    return any(
        carrier
        and (
            goes_along(carrier, index, unit_history) or _forced(carrier, unit, index, unit_history)
        )
        for carrier in held
    )


def _forced(carrier: str, unit: str, index: int, unit_history: UnitHistory) -> bool:
    """Whether carrier and unit left the same hex and ended next to each other. The unit may have been forced
    one hex on by the stacking limit (8.3). ``carrier`` SOMETHING: whether that is so of any possible
    vehicle."""
    if carrier == SOMETHING:
        others = (other.id for other in unit_history.may_be(DRIVEN) if other.id != unit)
        return any(_forced(other, unit, index, unit_history) for other in others)
    his, own = unit_history.in_phase(carrier, index), unit_history.in_phase(unit, index)
    if not his or unit_history.drag(his[0]).origin != unit_history.drag(own[0]).origin:
        return False
    there, here = unit_history.drag(his[-1]).target, unit_history.drag(own[-1]).target
    if there.kind != "hex" or here.kind != "hex":
        return False
    return unit_history.game.board.distance(there.name, here.name) == 1


def goes_along(carrier: str, index: int, unit_history: UnitHistory) -> bool:
    """Whether the carrier went the same way as the drag of event ``index``: by a drag of its own in the
    phase, or by all of them together. ``carrier`` SOMETHING: whether any possible vehicle did."""
    drag = unit_history.drag(index)
    if carrier == SOMETHING:
        others = (unit.id for unit in unit_history.may_be(DRIVEN) if unit.id != drag.unit)
        return any(goes_along(other, index, unit_history) for other in others)
    for other in unit_history.in_phase(carrier, index):
        his = unit_history.drag(other)
        if (his.origin, his.target) == (drag.origin, drag.target):
            return True
    every = unit_history.in_phase(carrier, index)
    if not every:
        return False
    first, last = unit_history.drag(every[0]), unit_history.drag(every[-1])
    return (first.origin, last.target) == (drag.origin, drag.target)


class Tow(NamedTuple):
    """Whether a carrier has a gun in tow; None: not known. ``missing``: the facts that would tell."""

    gun: bool | None = False
    missing: tuple[MissingFact, ...] = ()


def towing(carrier: Unit, index: int, unit_history: UnitHistory) -> Tow:
    """Whether ``carrier`` has a gun in tow just before event ``index``. A gun of the enemy it does not tow,
    whatever its counter says."""
    game, here = unit_history.game, unit_history.place(carrier.id, index)
    answers: list[bool | None] = []
    asked: list[MissingFact] = []
    for unit in unit_history.may_be((GUN,)):
        if unit.id == carrier.id or unit_history.place(unit.id, index) != here:
            continue
        aboard = carrier_in(unit_history.fact(unit.id, "aboard", index))
        cls = unit_history.fact(unit.id, "class", index)
        gun = True if cls.must_be(GUN) else None if cls.may_be(GUN) else False
        on_it = None if aboard in (None, SOMETHING) else aboard == carrier.id
        answers.append(logic.every((gun, on_it, sides.is_friend(game, carrier.side, unit.side))))
        if answers[-1] is None:
            asked += [missing_facts.of_unit(unit, "aboard")] if on_it is None else []
            asked += [missing_facts.of_unit(unit, "class")] if gun is None else []
            asked += sides.missing(game, carrier.side, unit, (carrier,))
    found = logic.some(answers)
    return Tow(found, tuple(asked) if found is None else ())
