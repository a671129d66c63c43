"""Prepared Assault: rough hexes, roads, and enemies next to the way (5.5)."""

from __future__ import annotations

from ...engine.clauses import forbid, must_stop
from ...engine.step import Step
from .terms import CONSTRICTED, DASHED, IN_PA, IN_THE_TEXT, PA_MECH, next_to_enemies
from .terrain import road_over


def is_rough(step: Step) -> bool:
    """Whether the hex entered is woods, forest or constricted."""
    return step.into.has((CONSTRICTED,)) or is_hard(step)


def is_hard(step: Step) -> bool:
    """Whether the hex entered is in the list of woods and the like."""
    if step.into.has(step.tables["hard"]):
        return True
    told = (*step.into.terrains_told, *step.into.features_told)
    if step.rules.complete.has("hard") or IN_THE_TEXT.issuperset(told):
        return False
    return not step.stated("hard")


def rough_off_road(step: Step) -> bool:
    """Whether it enters a rough hex off the road. Whether a dashed line counts as a road is open."""
    if not is_rough(step) or (step.rule("5.5-l") and road_over(step)):
        return False
    drawn = any(step.back in ends for ends in step.into.passages(DASHED))
    along = (drawn or step.into.may_have_line(DASHED)) and not is_hard(step)
    return not (along and step.reading("dashed_line_is_road"))


@must_stop(
    "5.5-f",
    "goes on after a rough hex entered off the road in Prepared Assault",
    classes=(PA_MECH,),
)
def stop_in_rough_hexes(step: Step) -> bool:
    """A Mech unit in Prepared Assault stops in the first rough hex that it enters off the road."""
    return rough_off_road(step)


@must_stop("5.5-g", "goes on next to an enemy in Prepared Assault", classes=IN_PA, of_enemies=True)
def stop_next_to_enemies(step: Step) -> bool:
    """A unit in Prepared Assault stops next to enemies."""
    return next_to_enemies(step)


@forbid(
    "5.5-j",
    "goes by road and then off it into a rough hex in Prepared Assault",
    classes=(PA_MECH,),
)
def reverse(step: Step) -> bool:
    """By one answer a unit that has gone by road does not go off it into a rough hex."""
    came = step.tag.ridden
    if came == "no" or not rough_off_road(step):
        return False
    if not step.reading("pa_reverse_ruling", "forbid"):
        return False
    return came == "yes" or not step.reading("pa_reverse_ruling", "forbid")
