"""What several clauses say: classes, what a terrain costs, who is led."""

from __future__ import annotations

from fractions import Fraction

from ....model.finding import Move
from ...engine.mover_view import MoverView
from ...engine.phases import UnitInPhase
from ...engine.step import Step

LEADERS, SQUADS = ("leader", "hero"), ("squad", "half-squad")
FOOT, DRIVEN = (*LEADERS, *SQUADS), ("afv", "vehicle")
HEAVY = (*DRIVEN, "gun")
CLASSES = (*FOOT, *HEAVY)
COLUMNS = {**dict.fromkeys(FOOT, "infantry"), "gun": "gun", "afv": "afv", "vehicle": "vehicle"}


def terrain_cost(step: Step) -> Fraction | None:
    """What the terrain of the hex entered costs; None: it is closed. A hex has one terrain: of several, or
    with a road, any may count. A bridge takes the place of what is under it (10.31)."""
    terrains = step.into.terrains
    if "bridge" in terrains and step.rule("10.31-a"):
        terrains = ("bridge",)
    elif step.into.line("road"):
        terrains = (*terrains, "road")
    return step.price("terrain", step.into.one_of(terrains), COLUMNS[step.cls])


def leaders_with(
    view: MoverView | UnitInPhase, drags: list[int], move: Move
) -> list[tuple[str, bool, int]]:
    """The friendly leaders, each with whether it made the whole move with the unit, and with how many drags
    of it."""
    found = []
    for other in map(view.rules.game.units.__getitem__, view.rules.may_be("class", LEADERS)):
        if other.id == view.unit.id:
            continue
        along, shared = view.history.with_it(view.unit, other, drags, move)
        if along is False and not shared:
            continue
        leader = view.at(drags[0]).other(other.id)
        if not leader.was("class", *LEADERS) or not view.friend(other):
            continue
        if along is None:
            text = f"did {view.unit.name} move together with {other.name}?"
            along = view.told(f"with {other.id}", text, view.unit)
        found.append((other.id, along, shared))
    return found
