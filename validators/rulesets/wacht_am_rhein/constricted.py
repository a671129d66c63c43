"""Constricted terrain: entering and leaving it off its dashed lines (5.4.4)."""

from __future__ import annotations

from ...engine.clauses import WHOLE, cost, forbid
from ...engine.hex_view import HexView
from ...engine.step import Step
from .terms import (
    AS_LEG,
    AS_MECH,
    BY_ROAD,
    CONSTRICTED,
    DASHED,
    JUNCTION_UNKNOWN,
    LIKE_CLEAR,
    MEETS,
    NO_JUNCTION,
    NOT_DRAWN,
    OFF,
    PA_MECH,
    ROADS,
    Went,
    is_a,
)

# -- the state after a step ------------------------------------------------------------------------


def after(step: Step) -> Went:
    """The state of a mover after a step."""
    return Went(came_along(step), *road_after(step), ridden(step))


def came_along(step: Step) -> int:
    """Which neighbour of the hex entered it came from, if it may have come along a dashed line into a hex
    that may be constricted; else -1."""
    tight = step.into.surely_has(CONSTRICTED) or step.into.perhaps(CONSTRICTED)
    if not tight:
        return -1
    drawn = any(step.back in ends for ends in step.into.passages(DASHED))
    return step.back if drawn or step.into.may_have_line(DASHED) else -1


def road_after(step: Step) -> tuple[str, object]:
    """The kind of road by which it came, and which roads that meets in the hex entered."""
    if step.by in (OFF, LIKE_CLEAR):
        return "", ""
    if step.by.line < 0:
        return step.by.kind, NOT_DRAWN
    told = step.into.said("roads meet in {}")
    if told.must_be(True):
        return step.by.kind, MEETS
    apart = (NO_JUNCTION, JUNCTION_UNKNOWN)
    open_ = step.into.perhaps(*apart) or step.into.surely_has(*apart) or told.must_be(False)
    if open_ or not step.into.lines_meet(step.by.line) or step.into.may_have_lines:
        return step.by.kind, step.by.line
    return step.by.kind, MEETS


def ridden(step: Step) -> str:
    """Whether a road crosses the hexside, in Prepared Assault."""
    if step.cls != PA_MECH:
        return "no"
    if any(step.lines.get(kind) for kind in ROADS):
        return "yes"
    return "perhaps" if step.any_line or any(kind in step.lines for kind in ROADS) else "no"


# -- on and off the lines --------------------------------------------------------------------------


def is_tight(place: HexView) -> bool:
    return place.has((CONSTRICTED,))


def enters_off_lines(step: Step) -> bool:
    """Whether it enters constricted terrain otherwise than along a dashed line (5.4.4b-a)."""
    if not is_tight(step.into):
        return False
    if not step.rule("5.4.4b-a"):
        return True
    drawn = any(step.back in ends for ends in step.into.passages(DASHED))
    return not (drawn or step.into.more_lines(DASHED))


def leaves_off_lines(step: Step) -> bool:
    """Whether it leaves constricted terrain otherwise than along the dashed line by which it came."""
    return is_tight(step.out_of) and not (
        follows(step) or (may_follow(step) and step.out_of.more_lines(DASHED))
    )


def follows(step: Step) -> bool:
    """Whether it follows a dashed line that it may follow (5.4.4b)."""
    lines, came, out = step.out_of.passages(DASHED), step.tag.line, step.forward
    if came is None:
        return step.rule("5.4.4b-d") and any(out in ends for ends in lines)
    if came < 0 or not step.rule("5.4.4b-b"):
        return False
    if not step.rule("5.4.4b-c"):
        return any(out in ends for ends in lines)
    return came == out or frozenset((came, out)) in lines


def may_follow(step: Step) -> bool:
    """Whether a dashed line that is not drawn would help it."""
    came = step.tag.line
    if came is None:
        return step.rule("5.4.4b-d")
    return came >= 0 and step.rule("5.4.4b-b")


# -- Mech units ------------------------------------------------------------------------------------


@forbid(
    "5.4.4-b", "takes artillery into constricted terrain off its lines", classes=(AS_MECH, PA_MECH)
)
def artillery(step: Step) -> bool:
    """Artillery enters constricted terrain along its dashed lines or by road only."""
    if step.cls == PA_MECH and not step.rule("5.5-d"):
        return False
    return enters_off_lines(step) and is_a(step, "artillery")


@cost(
    "5.4.4a-a",
    "enters constricted terrain off its lines",
    classes=(AS_MECH, *BY_ROAD),
    late="enters constricted terrain off its lines after having moved",
)
def mech_enters(step: Step) -> int | str:
    """A Mech unit spends its whole MA to enter a constricted hex off its lines."""
    if not enters_off_lines(step):
        return 0
    if step.by == OFF:
        return 0 if is_a(step, "artillery") and step.rule("5.4.4-b") else WHOLE
    return WHOLE if roads_are_tight(step) else 0


@cost(
    "5.4.4a-b",
    "leaves constricted terrain off its lines",
    classes=(AS_MECH, *BY_ROAD),
    late="leaves constricted terrain off its lines after having moved",
)
def mech_leaves(step: Step) -> int | str:
    """A Mech unit spends its whole MA to leave a constricted hex off its lines."""
    if not leaves_off_lines(step):
        return 0
    return WHOLE if step.by == OFF or roads_are_tight(step) else 0


def roads_are_tight(step: Step) -> bool:
    """Whether a road that is not a dashed line leaves the penalty due (5.4.4-d). Artillery goes by road."""
    if not step.rule("5.4.4-d") or is_a(step, "artillery"):
        return False
    return not step.reading("constricted_road", "free")


# -- Leg units -------------------------------------------------------------------------------------


def enters_on_foot(step: Step) -> bool:
    """Whether a Leg unit pays for entering. By a road infantry does not (5.4.4-c)."""
    if not enters_off_lines(step):
        return False
    spared = step.by == LIKE_CLEAR and step.rule("5.4.4-c")
    return not (spared and (is_a(step, "infantry") or step.reading("leg_by_road_into_constricted")))


def leaves_on_foot(step: Step) -> bool:
    """Whether a Leg unit pays for leaving."""
    if not leaves_off_lines(step):
        return False
    spared = step.by == LIKE_CLEAR and step.rule("5.4.4-c")
    return not (spared and step.reading("leave_constricted_by_road"))


@cost("5.4.4a-c", "into constricted terrain", classes=(AS_LEG,))
def leg_enters(step: Step) -> int:
    """A Leg unit pays 2 MP more to enter a constricted hex off its lines."""
    return 2 if enters_on_foot(step) else 0


@cost("5.4.4a-d", "out of constricted terrain", classes=(AS_LEG,))
def leg_leaves(step: Step) -> int:
    """A Leg unit pays 2 MP more to leave one; whether it does besides those for entering another is open."""
    if not leaves_on_foot(step):
        return 0
    both = step.rule("5.4.4a-c") and enters_on_foot(step)
    return 2 if not both or step.reading("constricted_both", "twice") else 0
