"""Units that Opportunity Fire stopped on the way (13.8): whoever fires may stop the target in any hex it
enters. A player who has dragged his counter farther by then puts it back to that hex."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from .record import Record


def put_back(unit: str, drags: Sequence[int], record: Record) -> str | None:
    """The hex in which a unit may have been stopped, and to which it was only put back; None if its
    ``drags`` show nothing of the kind."""
    side = record.game.units[unit].side
    first = 0
    for number, (before, after) in enumerate(pairwise(drags)):
        if not record.seen(before, after, side):
            continue
        run = drags[first : number + 1]
        target = record.drag(after).target
        if target.kind == "hex" and _passed(target.name, run, record):
            return target.name
        first = number + 1
    return None


def _passed(name: str, run: Sequence[int], record: Record) -> bool:
    """Whether the drags of ``run``, between which nobody saw the unit, may have led through a hex on
    the way to the last."""
    start, end = record.drag(run[0]).origin, record.drag(run[-1]).target
    if start.kind != "hex" or end.kind != "hex" or name in (start.name, end.name):
        return False
    if any(record.drag(index).target.name == name for index in run[:-1]):
        return True
    distance = record.game.board.distance
    whole, there, rest = (
        distance(start.name, end.name),
        distance(start.name, name),
        distance(name, end.name),
    )
    if whole is None or there is None or rest is None:
        return False
    return there < whole and there + rest <= whole + 1
