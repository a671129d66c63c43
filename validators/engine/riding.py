"""Whether a unit marked as aboard a carrier was carried in a drag."""

from __future__ import annotations

from collections.abc import Iterator

from ...model.unit import Unit
from ..concepts.sides import is_enemy
from .event_index import ABOARD, ON_FOOT
from .history import History

NO = ON_FOOT[0]


def carried(
    history: History, unit: Unit, origin: str, target: str, at: int, phase: tuple[int, int]
) -> bool | None:
    """Whether the unit was carried from ``origin`` to ``target``: its carrier went that way in the phase.
    None: not known. ``at``: the event of the drag."""
    aboard = history.value(unit.id, ABOARD, at)
    if aboard.options is None:
        return None
    if aboard.must_be(NO):
        sure = history.declared(aboard)
        late = not sure and _marked_late(history, unit, origin, target, at, phase)
        return None if late else False
    answers: set[bool | None] = set()
    begun, ended = _stretch(history, unit.id, at, phase)
    rode = history.value(unit.id, ABOARD, phase[0]).options == aboard.options
    for said in aboard.options:
        carrier = NO if said == NO else history.vehicle(said, unit.id, at)
        if carrier == unit.id:  # a unit cannot ride on itself
            carrier = said = NO
        if carrier is None:
            answers.add(None)
        else:
            way = _way(history, carrier, phase)
            on = origin in way and target in way[way.index(origin) + 1 :]
            # A counter that had been left behind catches up with the carrier on which it rides.
            lagging = rode and origin not in way and target in way
            # Its counter was put down where the carrier was not, but began and ended where it was.
            along = rode and begun in way and ended in way[way.index(begun) + 1 :]
            answers.add(said != NO and (on or lagging or along))
    return answers.pop() if len(answers) == 1 else None


def may_carry(history: History, unit: Unit, at: int) -> Iterator[str]:
    """The units that a unit may ride on at an event: not enemies, and not of a class that cannot carry."""
    for name, other in history.game.units.items():
        if (
            other.kind == "unit"
            and name != unit.id
            and is_enemy(history.game, unit.side, other.side) is not True
            and not any(map(history.value(name, "class", at).must_be, history.riders))
        ):
            yield name


def _stretch(history: History, unit: str, at: int, phase: tuple[int, int]) -> tuple[str, str]:
    """The origin of the first and the target of the last of the drags around an event during which ``aboard``
    did not change."""
    said = history.value(unit, ABOARD, at).options
    begun = ended = ""
    for index in history.in_phase(unit, phase[0]):
        drag = history.drag(index)
        if drag.target.kind != "hex":  # removed, then or later: its place is the one before
            continue
        same = history.value(unit, ABOARD, index).options == said
        if not same and index > at:
            break
        if not same:
            begun = ended = ""
        else:
            begun, ended = begun or drag.origin.name, drag.target.name
    return begun, ended


def _marked_late(
    history: History, unit: Unit, origin: str, target: str, at: int, phase: tuple[int, int]
) -> bool:
    """Whether the unit went the way of a carrier, and was, or may have been, marked as aboard it only after
    the drag, before others saw it."""
    for index, said in history.changes(unit.id, ABOARD, at, phase[1]):
        if history.witnesses.too_late(at, index, unit.side):
            return False
        if getattr(history.game.events[index], "undo", False):
            continue
        named = (o for o in said.options or () if o != NO)
        carriers = [history.vehicle(option, unit.id, index) for option in named]
        if said.options is None:
            carriers += may_carry(history, unit, index)
        for carrier in carriers:
            way = [] if carrier is None else _way(history, carrier, phase)
            if origin in way and target in way[way.index(origin) + 1 :]:
                return True
    return False


def _way(history: History, carrier: str, phase: tuple[int, int]) -> list[str]:
    """The names of the places where a carrier was in a phase, in order."""
    start = history.place(carrier, phase[0])
    drags = history.in_phase(carrier, phase[0])
    return [start.name if start else "", *(history.drag(d).target.name for d in drags)]
