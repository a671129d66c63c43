"""What several clauses say: classes, modes, the ways of a step, who overruns."""

from __future__ import annotations

from ...engine.mover_view import MoverView
from ...engine.other_unit import OtherUnit
from ...engine.step import Step

LEG, TRACKED, TRUCK, NO_CLASS = "leg", "tracked", "truck", ""
CLASSES = (LEG, TRACKED, TRUCK)
COLUMNS = {name: name for name in (*CLASSES, NO_CLASS)}
"""A class that the rules do not name has costs of its own, which no chart gives."""
MOVEMENT, REACTION, EXPLOITATION = "movement", "reaction", "exploitation"
MODES = ("combat", "move", "strat", "reserve", "released", "exploitation")
NUB, LAND, BRIDGE, NUMBERED = " nub", "land", "bridge", "#"
OFF_ROAD, OVER_BRIDGE, ANY_ROAD = "", "a bridge", "a road"
"""Ways in which a step is made, besides along a road of a kind that the chart has."""


def is_overrun(step: Step | MoverView) -> bool:
    """Whether the move is an overrun, as its form says or by interpretation."""
    named = step.form == step.tables["overrun"]["form"] or step.taken_as == "overrun"
    return named and step.rule("6.1-f")


def in_strat_mode(step: Step) -> bool:
    return step.fact("mode").must_be("strat") and step.rule("X-5.S")


def types(unit: OtherUnit, *groups: str) -> tuple[str, ...]:
    """The types of units in some groups of the table of types."""
    return unit.rules.grouped("types", groups)
