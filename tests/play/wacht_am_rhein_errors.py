"""Errors of wacht-am-rhein that show what was forgotten: one charge, and the whole allowance spent."""

from __future__ import annotations

from .kit import Table, Way, Ways
from .wacht_am_rhein_walker import Land, Walker

CHARGES = frozenset(
    f"WAR-{name}"
    for name in ("5.3.2-a", "5.3.5-a", "5.4.2-a", "5.4.3a-b", "5.4.3b-a", "5.4.4a-c", "5.4.4a-d")
)
"""Clauses that ask for MPs besides those for the terrain."""


def telling(walker: Walker, believed: Ways, due: Ways) -> dict[str, Way]:
    """Of the ways a player believes in who has forgotten a charge those that cost him his whole allowance,
    for terrain alone, none of which costs as much as the charge: what is too much is that charge then, and
    nothing else. ``due``: the ways at what they truly cost."""
    marks = ("resting", "fatigue", "released", "leader")
    if any(walker.me[mark] is True for mark in marks) or walker.me["supply"] == "out":
        return {}
    allowance = walker.allowance("tactical")
    found = {}
    for name, way in believed.items():
        other = due.get(name)
        if other is None or other.path != way.path or way.cost != allowance:
            continue
        for cls in walker.classes():
            terrain = [walker.terrain(hex_name, cls) for hex_name in way.path[1:]]
            known = [cost for cost in terrain if cost is not None]
            alone = len(known) == len(terrain) and sum(known) == way.cost
            if alone and other.cost - way.cost not in known:
                found[name] = way
    return found


def plainly(table: Table, unit: str, form: str, clause: str, land: Land, limit: str) -> Ways:
    """As :func:`telling`, of a unit on the table."""
    believed = Walker(table, unit, land, kind=False, forgotten=clause).ways(form)
    due = Walker(table, unit, land, kind=False, forgotten=limit).ways(form)
    honest = Walker(table, unit, land, kind=True, forgotten="").ways(form)
    wrong = {name: way for name, way in believed.items() if name not in honest}
    return telling(Walker(table, unit, land, kind=False, forgotten=""), wrong, due)


__all__ = ["CHARGES", "plainly", "telling"]
