"""Errors of wacht-am-rhein that show what was forgotten: one charge, and the whole allowance spent."""

from __future__ import annotations

from .kit import Fraction, Table, Way, Ways
from .wacht_am_rhein_land import Land
from .wacht_am_rhein_walker import Walker

CHARGES = {
    f"WAR-{name}": {Fraction(amount) for amount in amounts}
    for name, amounts in {
        "5.3.2-a": (1, 2),
        "5.3.5-a": (1,),
        "5.4.2-a": (1, 2),
        "5.4.4a-c": (2,),
    }.items()
}
"""Clauses that ask for MPs besides those for the terrain, and how many they may ask for at a time."""
MARKS = ("resting", "fatigue", "released", "leader")
DEAREST = "WAR-5.0-j"
PICKED = {*CHARGES, DEAREST}
"""Clauses whose errors are picked by :func:`telling`."""


def telling(table: Table, unit: str, form: str, clause: str, land: Land, limit: str) -> Ways:
    """Of the wrong ways a player believes in who has forgotten a clause, those on which it is seen which.

    A charge: they cost him his whole allowance, for terrain alone, none of which costs as much as the
    charge. The dearest of several terrains: terrain
    alone costs more than he has."""
    believed = Walker(table, unit, land, kind=False, forgotten=clause).ways(form)
    honest = Walker(table, unit, land, kind=True, forgotten="").ways(form)
    wrong = {name: way for name, way in believed.items() if name not in honest}
    walker = Walker(table, unit, land, kind=False, forgotten="")
    allowance = walker.allowance("tactical")
    anyhow = Walker(table, unit, land, kind=True, forgotten=limit).ways(form) if wrong else {}
    marked = any(walker.me[mark] is True for mark in MARKS) or walker.me["supply"] == "out"
    if clause == DEAREST and not marked and table.scene.conditions["ground"] == "normal":
        dear = {n for n in wrong if n in anyhow and _is_too_dear(walker, anyhow[n], allowance)}
        return {name: way for name, way in wrong.items() if name in dear}
    if marked or clause == DEAREST or not walker.is_calm or len(walker.classes()) > 1:
        return {}
    [cls] = walker.classes()
    found = {}
    for name, way in wrong.items():
        due = anyhow.get(name)
        if due is None or due.cost - way.cost not in CHARGES[clause]:
            continue
        terrain = [walker.terrain(hex_name, cls) for hex_name in way.path[1:]]
        known = [cost for cost in terrain if cost is not None]
        whole = len(known) == len(terrain) and sum(known) == way.cost == allowance
        beside = {walker.terrain(hex_name, cls) for hex_name in due.path[1:]}
        if whole and CHARGES[clause].isdisjoint({*known, *beside}):
            found[name] = way
    return found


def _is_too_dear(walker: Walker, way: Way, allowance: Fraction) -> bool:
    """Whether terrain alone costs more than there is."""
    for cls in walker.classes():
        terrain = [walker.terrain(name, cls) for name in way.path[1:]]
        known = [cost for cost in terrain if cost is not None]
        if len(known) == len(terrain) and allowance < sum(known) <= way.cost:
            return True
    return False


__all__ = ["PICKED", "telling"]
